//! What must hold in every position: in those that games reach, and in those that a user may set up.

use chess::{
    Bitboard, CastlingStyle, Color, Epd, FenStyle, FenWarning, Key, Move, MoveKind, Noisy, Observer, Piece,
    Position, Quiet, Rank, Role, Setup, Square, Strictness,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::HashSet;

/// The start of a game of double Fischer random chess, which includes Chess960 and standard chess.
fn start(white: u16, black: u16) -> Position {
    let mut setup = Setup::chess960(white).expect("numbers below 960");
    let other = Setup::chess960(black).expect("numbers below 960");
    let black_half = Bitboard(!0 << 32);
    for square in black_half {
        setup.board[square.index()] = other.board[square.index()];
    }
    setup.castling_rooks = (setup.castling_rooks & !black_half) | (other.castling_rooks & black_half);
    Position::from_setup(&setup).expect("two halves of start positions")
}

/// The position after choosing from the legal moves by these numbers, as far as the game goes.
fn play_out(mut position: Position, choices: &[u16]) -> Position {
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play(moves[usize::from(choice) % moves.len()]);
    }
    position
}

fn any_square() -> impl Strategy<Value = Square> {
    (0..64usize).prop_map(Square::from_index)
}

fn any_start() -> impl Strategy<Value = Position> {
    prop_oneof![Just((518, 518)), (0..960u16, 0..960u16)].prop_map(|(white, black)| start(white, black))
}

/// Positions that games reach.
fn played_position() -> impl Strategy<Value = Position> {
    (any_start(), vec(any::<u16>(), 0..150)).prop_map(|(start, choices)| play_out(start, &choices))
}

/// Setups with both kings and some other pieces anywhere, seldom legal.
fn any_setup() -> impl Strategy<Value = Setup> {
    let pieces = vec((any_square(), proptest::sample::select(&Piece::ALL[..])), 0..20);
    let kings = (any_square(), any_square());
    let castling = any::<u64>();
    let clocks = (0..200u16, 0..500u16);
    let en_passant = proptest::option::weighted(0.3, any_square());
    (pieces, kings, any::<bool>(), castling, en_passant, clocks).prop_map(
        |(pieces, kings, white, castling, en_passant, (halfmove_clock, fullmove_number))| {
            let mut setup = Setup { halfmove_clock, fullmove_number, ..Setup::empty() };
            for (square, piece) in pieces {
                if piece.role() != Role::King {
                    setup.board[square.index()] = Some(piece);
                }
            }
            setup.board[kings.0.index()] = Some(Piece::WhiteKing);
            setup.board[kings.1.index()] = Some(Piece::BlackKing);
            setup.turn = if white { Color::White } else { Color::Black };
            setup.en_passant = en_passant;
            let home_rook = |square: &Square| match setup.board[square.index()] {
                Some(Piece::WhiteRook) => square.rank() == Rank::First,
                Some(Piece::BlackRook) => square.rank() == Rank::Eighth,
                _ => false,
            };
            setup.castling_rooks = Bitboard(castling).into_iter().filter(home_rook).collect();
            setup
        },
    )
}

/// Positions that a user may set up.
fn set_up_position() -> impl Strategy<Value = Position> {
    any_setup().prop_filter_map("an illegal position", |mut setup| {
        Position::from_setup(&setup)
            .or_else(|_| {
                setup.en_passant = None;
                Position::from_setup(&setup)
            })
            .or_else(|_| {
                setup.castling_rooks = Bitboard::EMPTY;
                Position::from_setup(&setup)
            })
            .ok()
    })
}

fn any_position() -> impl Strategy<Value = Position> {
    prop_oneof![played_position(), set_up_position()]
}

fn all_keys(position: &Position) -> [Key; 6] {
    [
        position.key(),
        position.pawn_key(),
        position.minor_key(),
        position.major_key(),
        position.non_pawn_key(Color::White),
        position.non_pawn_key(Color::Black),
    ]
}

/// The move with the sides of the board exchanged.
fn flipped(mv: Move) -> Move {
    let (from, to) = (mv.from().flipped(), mv.to().flipped());
    rebuilt(from, to, mv.kind())
}

fn rebuilt(from: Square, to: Square, kind: MoveKind) -> Move {
    match kind {
        MoveKind::Normal => Move::normal(from, to),
        MoveKind::Promotion(role) => Move::promotion(from, to, role),
        MoveKind::EnPassant => Move::en_passant(from, to),
        MoveKind::Castling => Move::castling(from, to),
    }
}

/// A mailbox kept only by what a move reports.
struct Mailbox([Option<Piece>; 64]);

impl Observer for Mailbox {
    fn removed(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].take(), Some(piece), "removed from {square}");
    }

    fn placed(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].replace(piece), None, "placed on {square}");
    }
}

proptest! {
    // A fixed seed, so that a failure comes again until it is mended.
    #![proptest_config(ProptestConfig {
        cases: 10_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x0067_6172_6465_7a21),
        ..ProptestConfig::default()
    })]

    #[test]
    fn kept_state_equals_recomputed(position in any_position()) {
        for mv in position.legal_moves() {
            let next = position.after(mv);
            next.assert_consistent();
            let rebuilt = Position::from_setup(&next.to_setup()).unwrap();
            prop_assert_eq!(next, rebuilt);
            prop_assert_eq!(all_keys(&next), all_keys(&rebuilt));
            prop_assert_eq!(next.polyglot_key(), rebuilt.polyglot_key());
        }
    }

    #[test]
    fn positions_that_differ_have_different_keys(position in any_position()) {
        let mut keys: HashSet<Key> = position.legal_moves().iter().map(|&mv| position.after(mv).key()).collect();
        prop_assert_eq!(keys.len(), position.legal_moves().len());
        prop_assert!(keys.insert(position.key()));
        let setup = position.to_setup();
        let without_rights =
            Position::from_setup(&Setup { castling_rooks: Bitboard::EMPTY, ..setup.clone() }).unwrap();
        prop_assert_eq!(without_rights.key() == position.key(), setup.castling_rooks.is_empty());
        let without_en_passant = Position::from_setup(&Setup { en_passant: None, ..setup.clone() }).unwrap();
        prop_assert_eq!(without_en_passant.key() == position.key(), setup.en_passant.is_none());
        let later = Setup { halfmove_clock: 7, fullmove_number: 77, ..setup };
        prop_assert_eq!(Position::from_setup(&later).unwrap().key(), position.key());
    }

    #[test]
    fn mirrored_positions_have_mirrored_moves(position in any_position()) {
        let mirrored = position.mirrored();
        prop_assert_eq!(mirrored.mirrored(), position);
        let moves: HashSet<Move> = position.legal_moves().into_iter().map(flipped).collect();
        let mirrored_moves: HashSet<Move> = mirrored.legal_moves().into_iter().collect();
        prop_assert_eq!(&moves, &mirrored_moves);
        for mv in position.legal_moves() {
            prop_assert_eq!(position.gives_check(mv), mirrored.gives_check(flipped(mv)));
            let mut after = position.after(mv).mirrored().to_setup();
            // Only Black's moves count, so the numbers of the two may differ by one.
            after.fullmove_number = mirrored.after(flipped(mv)).fullmove_number();
            prop_assert_eq!(after, mirrored.after(flipped(mv)).to_setup());
        }
    }

    #[test]
    fn noisy_and_quiet_moves_are_all_moves(position in any_position()) {
        let mut moves = Vec::new();
        position.for_each_move::<Noisy>(|mv| moves.push(mv));
        prop_assert!(moves.iter().all(|&mv| position.is_noisy(mv)));
        let noisy = moves.len();
        position.for_each_move::<Quiet>(|mv| moves.push(mv));
        prop_assert!(!moves[noisy..].iter().any(|&mv| position.is_noisy(mv)));
        let as_set: HashSet<Move> = moves.iter().copied().collect();
        prop_assert_eq!(as_set.len(), moves.len());
        prop_assert_eq!(as_set, position.legal_moves().into_iter().collect());
        prop_assert_eq!(position.count_legal_moves() as usize, moves.len());
    }

    #[test]
    fn a_foreign_move_is_legal_when_it_is_generated(position in any_position(), other in any_position()) {
        let legal: HashSet<Move> = position.legal_moves().into_iter().collect();
        for mv in other.legal_moves() {
            prop_assert_eq!(position.is_legal(mv), legal.contains(&mv), "{:?} in {}", mv, position);
        }
    }

    #[test]
    fn any_bits_are_legal_when_they_are_generated(position in any_position(), bits in vec(any::<u16>(), 200)) {
        let legal = position.legal_moves();
        for mv in bits.into_iter().filter_map(Move::from_bits) {
            prop_assert_eq!(position.is_legal(mv), legal.contains(&mv), "{:?} in {}", mv, position);
        }
    }

    #[test]
    fn no_legal_move_leaves_the_king_in_check(position in any_position()) {
        for mv in position.legal_moves() {
            let next = position.after(mv);
            let king = next.king(position.turn());
            prop_assert!(!next.is_attacked(king, next.turn(), next.occupied()), "{:?} in {}", mv, position);
        }
    }

    #[test]
    fn fen_round_trip(position in any_position()) {
        for style in [FenStyle::XFen, FenStyle::Shredder] {
            let fen = position.to_fen_with(style);
            let read = Position::read_fen(&fen, Strictness::Lenient).unwrap();
            prop_assert_eq!(read.position, position, "{}", &fen);
            let doubts: Vec<FenWarning> =
                position.check_reachable().err().map(FenWarning::Unreachable).into_iter().collect();
            prop_assert_eq!(read.warnings, doubts, "{}", &fen);
            prop_assert_eq!(Position::from_fen(&fen).is_ok(), position.check_reachable().is_ok(), "{}", fen);
        }
    }

    #[test]
    fn setup_fen_round_trip(setup in any_setup()) {
        for style in [FenStyle::XFen, FenStyle::Shredder] {
            let fen = setup.to_fen_with(style);
            if let Ok(read) = Setup::from_fen(&fen) {
                prop_assert_eq!(&read, &setup, "{}", fen);
            } else {
                // A move number 0 can be set up but not written.
                prop_assert_eq!(setup.fullmove_number, 0, "{}", fen);
            }
        }
    }

    #[test]
    fn epd_round_trip(position in any_position()) {
        let mut epd = Epd::new(position);
        let moves: Vec<String> = position.legal_moves().iter().map(|&mv| position.san(mv).to_string()).collect();
        let listed: Vec<&str> = moves.iter().map(String::as_str).collect();
        epd.operations.push(chess::EpdOperation::new("bm", &listed));
        let read = Epd::parse(&epd.to_string()).unwrap();
        prop_assert_eq!((&read.position, &read.operations), (&epd.position, &epd.operations));
        let resolved = read.resolve_moves("bm", Position::parse_san).unwrap();
        prop_assert_eq!(&resolved[..], &position.legal_moves()[..]);
    }

    #[test]
    fn san_round_trip(position in any_position()) {
        let mut texts = HashSet::new();
        for mv in position.legal_moves() {
            let san = position.san(mv);
            prop_assert_eq!(position.parse_san(san.as_str()), Ok(mv), "{} in {}", san, position);
            prop_assert!(texts.insert(san), "{} twice in {}", san, position);
        }
    }

    #[test]
    fn coordinate_round_trip(position in any_position()) {
        for mv in position.legal_moves() {
            let text = position.to_uci(mv, CastlingStyle::Chess960).to_string();
            prop_assert_eq!(position.parse_uci(&text), Ok(mv), "{} in {}", text, position);
        }
    }

    #[test]
    fn two_null_moves_restore_the_position(position in any_position()) {
        if position.is_check() {
            return Ok(());
        }
        let mut passed = position;
        passed.play_null();
        prop_assert_eq!(passed.turn(), !position.turn());
        prop_assert_eq!(passed, Position::from_setup(&passed.to_setup()).unwrap());
        if passed.is_check() {
            return Ok(());
        }
        passed.play_null();
        let expected = Setup {
            en_passant: None,
            halfmove_clock: position.halfmove_clock() + 2,
            fullmove_number: position.fullmove_number() + 1,
            ..position.to_setup()
        };
        prop_assert_eq!(passed, Position::from_setup(&expected).unwrap());
    }

    #[test]
    fn an_observer_can_rebuild_the_board(position in any_position()) {
        for mv in position.legal_moves() {
            let mut mailbox = Mailbox(position.to_setup().board);
            let mut next = position;
            next.play_observed(mv, &mut mailbox);
            prop_assert_eq!(mailbox.0, next.to_setup().board, "{:?} in {}", mv, position);
            prop_assert_eq!(next, position.after(mv));
        }
    }

    #[test]
    fn a_setup_is_refused_or_makes_a_consistent_position(setup in any_setup()) {
        if let Ok(position) = Position::from_setup(&setup) {
            position.assert_consistent();
            prop_assert_eq!(position.to_setup().board, setup.board);
        }
    }
}

#[test]
fn bits_of_moves_round_trip() {
    let mut moves = 0;
    for mv in (0..=u16::MAX).filter_map(|bits| {
        let mv = Move::from_bits(bits);
        assert!(mv.is_none_or(|mv| mv.to_bits() == bits));
        mv
    }) {
        assert_eq!(rebuilt(mv.from(), mv.to(), mv.kind()), mv);
        assert_eq!(mv.is_castling(), mv.kind() == MoveKind::Castling);
        assert_eq!(mv.is_en_passant(), mv.kind() == MoveKind::EnPassant);
        assert_eq!(mv.is_promotion(), mv.promotes_to().is_some());
        moves += 1;
    }
    assert_eq!(moves, 7 * 64 * 64 - 1);
    assert_eq!(size_of::<Option<Move>>(), 2);
}
