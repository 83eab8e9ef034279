//! Gardez, cozy-chess and shakmaty play the same random games and have to agree about everything.
//!
//! Each test walks through its share of the positions. In each position all three must find the same
//! moves and the same end of the game; after each of these moves, not only the one the walk takes, they
//! must have the same position before them.

use chess::random::Random;
use chess::{
    Bitboard, CHESS960_POSITIONS, CastlingStyle, Color, Move, Piece, Position, PositionError, Rank, Role,
    Setup, Square,
};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, FromSetup as _, Position as _, PositionErrorKinds};

/// What a random walk likes to play, so that all walks together see every part of the rules often.
#[derive(Copy, Clone, Debug)]
enum Taste {
    Anything,
    /// Captures lead to end games, mates and dead draws.
    Captures,
    /// Pawn moves lead to en passant and promotions.
    Pawns,
    /// Kings and rooks that wait for their chance to castle.
    Castling,
}

impl Taste {
    const ALL: [Self; 4] = [Self::Anything, Self::Captures, Self::Pawns, Self::Castling];

    fn weight(self, position: &Position, mv: Move) -> usize {
        let role = position.piece_on(mv.from()).map(Piece::role);
        match self {
            Self::Captures if position.is_capture(mv) => 12,
            Self::Pawns if mv.is_en_passant() => 60,
            Self::Pawns if role == Some(Role::Pawn) => 6,
            Self::Castling if mv.is_castling() => 6,
            Self::Castling if !matches!(role, Some(Role::King | Role::Rook)) => 20,
            _ => 1,
        }
    }

    fn choose(self, position: &Position, moves: &[Move], random: &mut Random) -> usize {
        let weights: Vec<usize> = moves.iter().map(|&mv| self.weight(position, mv)).collect();
        let mut left = random.below(weights.iter().sum());
        weights
            .iter()
            .position(|&weight| {
                let chosen = left < weight;
                left = left.saturating_sub(weight);
                chosen
            })
            .expect("the weights add up to more than was drawn")
    }
}

/// How often the walks met what they are biased towards.
#[derive(Default, Debug)]
struct Tally {
    positions: u32,
    moves: u32,
    checks: u32,
    en_passant: u32,
    castling: u32,
    promotions: u32,
    checkmates: u32,
    stalemates: u32,
    dead: u32,
}

/// The same position as each of the three libraries has it.
#[derive(Clone)]
struct Trio {
    ours: Position,
    cozy: cozy_chess::Board,
    shakmaty: shakmaty::Chess,
}

impl Trio {
    fn new(cozy: cozy_chess::Board) -> Self {
        let fen = format!("{cozy:#}");
        Self {
            ours: Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}")),
            cozy,
            shakmaty: fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap(),
        }
    }

    /// The legal moves, each as all three write it, after checking that there are no others.
    fn moves(&self) -> Vec<(Move, cozy_chess::Move, shakmaty::Move)> {
        let mut ours: Vec<Move> = self.ours.legal_moves().to_vec();
        let mut cozy = Vec::new();
        self.cozy.generate_moves(|moves| {
            cozy.extend(moves);
            false
        });
        let mut shakmaty = self.shakmaty.legal_moves().to_vec();
        ours.sort_by_key(|&mv| our_code(mv));
        cozy.sort_by_key(|&mv| cozy_code(mv));
        shakmaty.sort_by_key(|&mv| shakmaty_code(mv));
        let codes: Vec<_> = ours.iter().copied().map(our_code).collect();
        assert!(codes.iter().copied().eq(cozy.iter().copied().map(cozy_code)), "cozy-chess: {}", self.ours);
        assert!(codes.into_iter().eq(shakmaty.iter().copied().map(shakmaty_code)), "shakmaty: {}", self.ours);
        for (our, their) in ours.iter().zip(&shakmaty) {
            assert_eq!(our.is_castling(), their.is_castle(), "{our:?} in {}", self.ours);
            assert_eq!(our.is_en_passant(), their.is_en_passant(), "{our:?} in {}", self.ours);
            assert_eq!(self.ours.is_capture(*our), their.is_capture(), "{our:?} in {}", self.ours);
            let captured = self.ours.captured(*our).map(|piece| piece.role() as u8 + 1);
            assert_eq!(captured, their.capture().map(|role| role as u8), "{our:?} in {}", self.ours);
        }
        assert_eq!(self.ours.count_legal_moves() as usize, ours.len(), "{}", self.ours);
        assert_eq!(self.ours.has_legal_move(), !ours.is_empty(), "{}", self.ours);
        ours.into_iter().zip(cozy).zip(shakmaty).map(|((a, b), c)| (a, b, c)).collect()
    }

    fn play(&mut self, (ours, cozy, shakmaty): (Move, cozy_chess::Move, shakmaty::Move)) {
        self.ours.play(ours);
        self.cozy.play_unchecked(cozy);
        self.shakmaty.play_unchecked(shakmaty);
    }

    /// Panics unless all three see the same board, rights, clocks and checks.
    fn assert_equal(&self) {
        let Self { ours, cozy, shakmaty } = self;
        for (index, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(ours.role(role).0, cozy.pieces(cozy_chess::Piece::ALL[index]).0, "{ours}");
            assert_eq!(ours.role(role).0, shakmaty.board().by_role(shakmaty::Role::ALL[index]).0, "{ours}");
        }
        for (index, color) in Color::ALL.into_iter().enumerate() {
            assert_eq!(ours.side(color).0, cozy.colors(cozy_chess::Color::ALL[index]).0, "{ours}");
            assert_eq!(
                ours.side(color).0,
                shakmaty.board().by_color(shakmaty::Color::ALL[index]).0,
                "{ours}"
            );
        }
        assert_eq!(ours.turn() as u8, cozy.side_to_move() as u8, "{ours}");
        assert_eq!(ours.turn() == Color::White, shakmaty.turn().is_white(), "{ours}");
        assert_eq!(ours.castling_rooks(), cozy_castling_rooks(cozy), "{ours}");
        assert_eq!(ours.castling_rooks().0, shakmaty.castles().castling_rights().0, "{ours}");
        let en_passant = ours.en_passant().map(Square::index);
        assert_eq!(en_passant, cozy_en_passant(cozy), "{ours}");
        assert_eq!(en_passant, shakmaty.legal_ep_square().map(usize::from), "{ours}");
        assert_eq!(ours.halfmove_clock().min(100), u16::from(cozy.halfmove_clock()), "{ours}");
        assert_eq!(u32::from(ours.halfmove_clock()), shakmaty.halfmoves(), "{ours}");
        assert_eq!(ours.fullmove_number(), cozy.fullmove_number(), "{ours}");
        assert_eq!(u32::from(ours.fullmove_number()), shakmaty.fullmoves().get(), "{ours}");
        assert_eq!(ours.checkers().0, cozy.checkers().0, "{ours}");
        assert_eq!(ours.checkers().0, shakmaty.checkers().0, "{ours}");
    }

    /// Panics unless all three agree on how the position ends the game.
    fn assert_same_end(&self, tally: &mut Tally) {
        let Self { ours, cozy, shakmaty } = self;
        let (mate, stalemate) = (ours.is_checkmate(), ours.is_stalemate());
        let cozy_can_move = cozy.generate_moves(|_| true);
        assert_eq!(mate, !cozy_can_move && !cozy.checkers().is_empty(), "{ours}");
        assert_eq!(stalemate, !cozy_can_move && cozy.checkers().is_empty(), "{ours}");
        assert_eq!((mate, stalemate), (shakmaty.is_checkmate(), shakmaty.is_stalemate()), "{ours}");
        assert_eq!(ours.is_insufficient_material(), shakmaty.is_insufficient_material(), "{ours}");
        for (color, theirs) in Color::ALL.into_iter().zip(shakmaty::Color::ALL) {
            assert_eq!(
                ours.can_mate(color),
                !shakmaty.has_insufficient_material(theirs),
                "{color} in {ours}"
            );
        }
        tally.checkmates += u32::from(mate);
        tally.stalemates += u32::from(stalemate);
        tally.dead += u32::from(ours.is_insufficient_material());
    }

    /// Panics unless our text of a move is that of shakmaty and reads back as the same move.
    fn assert_same_notation(&self, mv: Move, theirs: shakmaty::Move) {
        let ours = &self.ours;
        let san = ours.san(mv);
        assert_eq!(san.as_str(), SanPlus::from_move(self.shakmaty.clone(), theirs).to_string(), "{ours}");
        assert_eq!(ours.parse_san(san.as_str()), Ok(mv), "{san} in {ours}");
        let squares = ours.to_uci(mv, CastlingStyle::Chess960).to_string();
        assert_eq!(squares, UciMove::from_chess960(theirs).to_string(), "{ours}");
        assert_eq!(ours.parse_uci(&squares), Ok(mv), "{squares} in {ours}");
    }

    /// Compares this position and all that follow from it by one move; gives back the moves.
    fn compare(&self, tally: &mut Tally) -> Vec<(Move, cozy_chess::Move, shakmaty::Move)> {
        self.assert_same_end(tally);
        let moves = self.moves();
        for &chosen in &moves {
            let (mv, _, theirs) = chosen;
            self.assert_same_notation(mv, theirs);
            let mut next = self.clone();
            next.play(chosen);
            next.assert_equal();
            assert_eq!(self.ours.gives_check(mv), next.ours.is_check(), "{mv:?} in {}", self.ours);
            tally.checks += u32::from(next.ours.is_check());
            tally.en_passant += u32::from(mv.is_en_passant());
            tally.castling += u32::from(mv.is_castling());
            tally.promotions += u32::from(mv.is_promotion());
        }
        tally.positions += 1;
        tally.moves += moves.len() as u32;
        moves
    }
}

/// A move as one number, the same for all three: castling is the king taking its rook for all of them.
fn code(from: usize, to: usize, promotion: Option<usize>) -> usize {
    from | to << 6 | promotion.map_or(0, |role| role + 1) << 12
}

fn our_code(mv: Move) -> usize {
    code(mv.from().index(), mv.to().index(), mv.promotes_to().map(Role::index))
}

fn cozy_code(mv: cozy_chess::Move) -> usize {
    code(mv.from as usize, mv.to as usize, mv.promotion.map(|role| role as usize))
}

fn shakmaty_code(mv: shakmaty::Move) -> usize {
    let from = mv.from().expect("nothing is dropped in chess");
    code(usize::from(from), usize::from(mv.to()), mv.promotion().map(|role| role as usize - 1))
}

fn cozy_castling_rooks(board: &cozy_chess::Board) -> Bitboard {
    let mut rooks = Bitboard::EMPTY;
    for (index, color) in cozy_chess::Color::ALL.into_iter().enumerate() {
        let rights = board.castle_rights(color);
        for file in rights.short.into_iter().chain(rights.long) {
            rooks = rooks.with(Square::from_index(file as usize + 56 * index));
        }
    }
    rooks
}

/// The passed square of cozy-chess, which it keeps after every double step, if a capture there is legal.
fn cozy_en_passant(board: &cozy_chess::Board) -> Option<usize> {
    let color = board.side_to_move();
    let to = cozy_chess::Square::new(board.en_passant()?, cozy_chess::Rank::Sixth.relative_to(color));
    let pawns =
        cozy_chess::get_pawn_attacks(to, !color) & board.colored_pieces(color, cozy_chess::Piece::Pawn);
    let is_legal = |from| board.is_legal(cozy_chess::Move { from, to, promotion: None });
    pawns.into_iter().any(is_legal).then_some(to as usize)
}

/// Walks from starts drawn at random until enough positions are compared.
fn walk(seed: u64, positions: u32, start: impl Fn(&mut Random) -> cozy_chess::Board) -> Tally {
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    for taste in Taste::ALL.into_iter().cycle() {
        let mut trio = Trio::new(start(&mut random));
        trio.assert_equal();
        for _ in 0..250 {
            let moves = trio.compare(&mut tally);
            let bare_kings = trio.ours.occupied().count() == 2;
            if moves.is_empty() || bare_kings || tally.positions == positions {
                break;
            }
            let ours: Vec<Move> = moves.iter().map(|&(mv, ..)| mv).collect();
            trio.play(moves[taste.choose(&trio.ours, &ours, &mut random)]);
        }
        if tally.positions == positions {
            break;
        }
    }
    tally
}

/// Panics if a walk was too tame to have tested what it is meant to.
fn assert_rich(tally: &Tally) {
    println!("{tally:?}");
    let Tally { positions, moves, checks, en_passant, castling, promotions, checkmates, stalemates, dead } =
        *tally;
    assert!(moves > 10 * positions && checks > positions / 10, "{tally:?}");
    assert!(en_passant > 500 && castling > 5000 && promotions > 10_000, "{tally:?}");
    assert!(checkmates > 100 && stalemates > 20 && dead > 1000, "{tally:?}");
}

#[test]
fn standard_games() {
    assert_rich(&walk(1, 400_000, |_| cozy_chess::Board::startpos()));
}

#[test]
fn chess960_games() {
    assert_rich(&walk(2, 300_000, |random| cozy_chess::Board::chess960_startpos(random.below(960) as u32)));
}

#[test]
fn double_fischer_random_games() {
    assert_rich(&walk(3, 300_000, |random| {
        let (white, black) = (random.below(960) as u32, random.below(960) as u32);
        cozy_chess::Board::double_chess960_startpos(white, black)
    }));
}

#[test]
fn chess960_start_positions() {
    for number in 0..CHESS960_POSITIONS {
        let position = Position::from_setup(&Setup::chess960(number).unwrap()).unwrap();
        let cozy = cozy_chess::Board::chess960_startpos(u32::from(number));
        assert_eq!(position, Trio::new(cozy).ours, "number {number}");
    }
}

/// Pieces thrown on the board, with a good chance of castling rights and of a pawn just passed by.
fn random_setup(random: &mut Random) -> Setup {
    let mut setup = Setup::empty();
    setup.turn = Color::ALL[random.below(2)];
    let pieces = if random.below(8) == 0 { 50 } else { 14 };
    for _ in 0..random.below(pieces) {
        let piece = Piece::ALL[random.below(12)];
        if piece.role() != Role::King {
            setup.board[random.below(64)] = Some(piece);
        }
    }
    if random.below(2) == 0 {
        let passed = Square::from_index(40 + random.below(8)).relative_to(setup.turn);
        let behind = passed.forward(setup.turn);
        setup.board[passed.forward(!setup.turn).index()] = Some(Piece::new(!setup.turn, Role::Pawn));
        for square in [passed, behind] {
            if random.below(20) > 0 {
                setup.board[square.index()] = None;
            }
        }
        setup.en_passant = Some(passed);
    }
    for color in Color::ALL {
        let squares = if random.below(3) == 0 { 8 } else { 64 };
        let king = Square::from_index(random.below(squares)).relative_to(color);
        setup.board[king.index()] = Some(Piece::new(color, Role::King));
        for square in Rank::First.relative_to(color).bitboard() {
            let is_rook = setup.board[square.index()] == Some(Piece::new(color, Role::Rook));
            if is_rook && random.below(2) == 0 {
                setup.castling_rooks = setup.castling_rooks.with(square);
            }
        }
    }
    setup
}

fn shakmaty_setup(setup: &Setup) -> shakmaty::Setup {
    let square = |square: Square| shakmaty::Square::new(square.index() as u32);
    let mut theirs = shakmaty::Setup::empty();
    for at in Square::all() {
        if let Some(piece) = setup.board[at.index()] {
            let piece = shakmaty::Piece::from_char(piece.to_char()).expect("the same letters");
            theirs.board.set_piece_at(square(at), piece);
        }
    }
    theirs.turn = shakmaty::Color::from_white(setup.turn == Color::White);
    theirs.castling_rights = shakmaty::Bitboard(setup.castling_rooks.0);
    theirs.ep_square = setup.en_passant.map(square);
    theirs
}

#[test]
fn legality_of_setups() {
    let mut random = Random::new(4);
    let mut legal = 0;
    for _ in 0..2_000_000 {
        let setup = random_setup(&mut random);
        let ours =
            Position::from_setup(&setup).and_then(|position| position.check_reachable().map(|()| position));
        // The king stands between its rooks at the start, so a right in the corner is refused here only.
        if matches!(ours, Err(PositionError::CastlingKingInCorner { .. })) {
            continue;
        }
        let theirs = shakmaty::Chess::from_setup(shakmaty_setup(&setup), CastlingMode::Chess960);
        // A check that a double step parries while it uncovers another is refused there only.
        if let (Ok(ours), Err(theirs), Some(_)) = (&ours, &theirs, setup.en_passant) {
            assert!(ours.is_check() && theirs.kinds() == PositionErrorKinds::IMPOSSIBLE_CHECK, "{setup}");
            continue;
        }
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{setup}: {ours:?}, {theirs:?}");
        legal += u32::from(ours.is_ok());
    }
    assert!(legal > 500_000, "{legal}");
}
