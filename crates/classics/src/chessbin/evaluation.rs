//! ChessBin's evaluation: material, squares, and what the survey of all moves says about attack, defence
//! and mobility.

use crate::boards::mailbox::{Man, Survey};
use crate::boards::{ClassicBoard, Mailbox};
use chess::{Color, Role};

/// The score of a mated king, and the value of a king in the ordering of captures.
pub(super) const KING: i32 = 32_767;

/// Values of the pieces.
#[must_use]
pub(crate) const fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 325,
        Role::Rook => 500,
        Role::Queen => 975,
        Role::King => KING,
    }
}

/// With fewer pieces than this on the board, pawns and kings included, it is the end game.
const END_GAME_PIECES: usize = 10;

#[rustfmt::skip]
const PAWN: [i32; 64] = [
      0,   0,   0,   0,   0,   0,   0,   0,
     50,  50,  50,  50,  50,  50,  50,  50,
     10,  10,  20,  30,  30,  20,  10,  10,
      5,   5,  10,  27,  27,  10,   5,   5,
      0,   0,   0,  25,  25,   0,   0,   0,
      5,  -5, -10,   0,   0, -10,  -5,   5,
      5,  10,  10, -25, -25,  10,  10,   5,
      0,   0,   0,   0,   0,   0,   0,   0,
];

#[rustfmt::skip]
const KNIGHT: [i32; 64] = [
    -50, -40, -30, -30, -30, -30, -40, -50,
    -40, -20,   0,   0,   0,   0, -20, -40,
    -30,   0,  10,  15,  15,  10,   0, -30,
    -30,   5,  15,  20,  20,  15,   5, -30,
    -30,   0,  15,  20,  20,  15,   0, -30,
    -30,   5,  10,  15,  15,  10,   5, -30,
    -40, -20,   0,   5,   5,   0, -20, -40,
    -50, -40, -20, -30, -30, -20, -40, -50,
];

#[rustfmt::skip]
const BISHOP: [i32; 64] = [
    -20, -10, -10, -10, -10, -10, -10, -20,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,
    -10,   5,   5,  10,  10,   5,   5, -10,
    -10,   0,  10,  10,  10,  10,   0, -10,
    -10,  10,  10,  10,  10,  10,  10, -10,
    -10,   5,   0,   0,   0,   0,   5, -10,
    -20, -10, -40, -10, -10, -40, -10, -20,
];

#[rustfmt::skip]
const KING_MIDDLE_GAME: [i32; 64] = [
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -20, -30, -30, -40, -40, -30, -30, -20,
    -10, -20, -20, -20, -20, -20, -20, -10,
     20,  20,   0,   0,   0,   0,  20,  20,
     20,  30,  10,   0,   0,  10,  30,  20,
];

#[rustfmt::skip]
const KING_END_GAME: [i32; 64] = [
    -50, -40, -30, -20, -20, -30, -40, -50,
    -30, -20, -10,   0,   0, -10, -20, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -30,   0,   0,   0,   0, -30, -30,
    -50, -30, -30, -30, -30, -30, -30, -50,
];

/// What an isolated pawn costs, by its file.
const ISOLATED: [i32; 8] = [12, 14, 16, 20, 20, 16, 14, 12];

/// The evaluation for the side to move. Mate, stalemate and the draws by counting are for the search.
#[must_use]
pub fn evaluate(board: &Mailbox, survey: &Survey) -> i32 {
    let score = evaluate_for_white(board, survey);
    if board.turn() == Color::White { score } else { -score }
}

const fn sign(color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// The score as ChessBin keeps it: good for White above zero, good for Black below.
fn evaluate_for_white(board: &Mailbox, survey: &Survey) -> i32 {
    if is_insufficient(board) {
        return 0;
    }
    let is_end_game = board.men().count() < END_GAME_PIECES;
    let mut score = 10 * sign(board.turn());
    for color in Color::ALL {
        if survey.check[color.index()] {
            score -= sign(color) * if is_end_game { 75 + 10 } else { 75 };
        }
        if board.has_castled(color) {
            score += sign(color) * 40;
        }
    }
    let mut pawns = PawnCounts::default();
    let mut bishops = [0; 2];
    for (man, number) in board.men() {
        let color = man.piece.color();
        let mut piece = Judged { board, survey, man, number, is_end_game }.score();
        match man.piece.role() {
            Role::Pawn => piece += pawns.add(survey, color, number),
            Role::Bishop => {
                bishops[color.index()] += 1;
                if bishops[color.index()] >= 2 {
                    piece += 10;
                }
            }
            _ => {}
        }
        score += sign(color) * piece;
    }
    score + pawns.score(Color::White) - pawns.score(Color::Black)
}

/// Whether neither side could mate: no pawn, rook or queen, and at most one knight or bishop in all.
#[must_use]
pub(super) fn is_insufficient(board: &Mailbox) -> bool {
    let mut minors = 0;
    board.men().all(|(man, _)| match man.piece.role() {
        Role::King => true,
        Role::Knight | Role::Bishop => {
            minors += 1;
            minors <= 1
        }
        Role::Pawn | Role::Rook | Role::Queen => false,
    })
}

/// A piece about to be judged on its own.
struct Judged<'a> {
    board: &'a Mailbox,
    survey: &'a Survey,
    man: Man,
    number: u8,
    is_end_game: bool,
}

impl Judged<'_> {
    fn score(&self) -> i32 {
        let place = self.number as usize;
        let (attacked, defended) =
            (i32::from(self.survey.attacked[place]), i32::from(self.survey.defended[place]));
        let mut score = piece_value(self.man.piece.role()) + defended - attacked;
        // More attacked than defended: about to be lost.
        if defended < attacked {
            score -= (attacked - defended) * 10;
        }
        score + i32::from(self.survey.mobility[place]) + self.by_kind()
    }

    fn by_kind(&self) -> i32 {
        let color = self.man.piece.color();
        // The tables are drawn as White sees the board.
        let seen = match color {
            Color::White => self.number,
            Color::Black => self.number ^ 56,
        } as usize;
        let moved = self.man.moved;
        let castled = self.board.has_castled(color);
        let penalty = |applies: bool, points: i32| if applies { -points } else { 0 };
        match self.man.piece.role() {
            // A rook's pawn attacks to one side only.
            Role::Pawn => PAWN[seen] + penalty(matches!(self.number % 8, 0 | 7), 15),
            Role::Knight => KNIGHT[seen] + penalty(self.is_end_game, 10),
            Role::Bishop => BISHOP[seen] - penalty(self.is_end_game, 10),
            Role::Rook => penalty(moved && !castled, 10),
            Role::Queen => penalty(moved && !self.is_end_game, 10),
            Role::King => {
                let few_moves = penalty(self.survey.mobility[self.number as usize] < 2, 5);
                let place = if self.is_end_game {
                    KING_END_GAME[seen]
                } else {
                    KING_MIDDLE_GAME[seen] + penalty(moved && !castled, 30)
                };
                few_moves + place
            }
        }
    }
}

/// The bonus of the pawns of each file if they turn out to be passed; nothing without a pawn.
#[derive(Default)]
struct PawnCounts([[i32; 8]; 2]);

impl PawnCounts {
    /// Counts a pawn. Returns the penalty if it is doubled.
    fn add(&mut self, survey: &Survey, color: Color, number: u8) -> i32 {
        let place = number as usize;
        let count = &mut self.0[color.index()][place % 8];
        let doubled = if *count > 0 { -16 } else { 0 };
        let rank = match color {
            Color::White => 8 - place / 8,
            Color::Black => place / 8 + 1,
        };
        let far_advanced = match rank {
            7 => 200,
            6 => 100,
            _ => 0,
        };
        if survey.attacked[place] == 0 {
            *count += far_advanced;
            if survey.defended[place] != 0 {
                *count += far_advanced / 4;
            }
        }
        *count += 10;
        doubled
    }

    /// Isolated pawns, and those passed in the sense that no enemy pawn shares their file.
    fn score(&self, color: Color) -> i32 {
        let (own, enemy) = (self.0[color.index()], self.0[(!color).index()]);
        let mut score = 0;
        for file in 0..8 {
            if own[file] == 0 {
                continue;
            }
            let left = file.checked_sub(1).map_or(0, |file| own[file]);
            let right = own.get(file + 1).copied().unwrap_or(0);
            if left == 0 && right == 0 {
                score -= ISOLATED[file];
            }
            if enemy[file] == 0 {
                score += own[file];
            }
        }
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn board(fen: &str) -> Mailbox {
        Mailbox::set_up(&Position::from_fen(fen).unwrap()).unwrap()
    }

    fn white(fen: &str) -> i32 {
        let board = board(fen);
        evaluate_for_white(&board, &board.survey())
    }

    #[test]
    fn the_start_has_the_value_of_the_move() {
        assert_eq!(white(chess::START_FEN), 10);
        let board = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
        assert_eq!(evaluate(&board, &board.survey()), 10, "the move has the same value for Black");
    }

    #[test]
    fn colours_are_alike() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r4rk1/P1p1qppp/p1np1n2/2b1p1B1/2B1P1b1/2NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let [here, there] = [position, position.mirrored()].map(|position| {
                let board = Mailbox::set_up(&position).unwrap();
                evaluate(&board, &board.survey())
            });
            assert_eq!(here, there, "{fen}");
        }
    }

    #[test]
    fn too_little_to_mate_is_a_draw() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
            "4kn2/8/8/8/8/8/8/4K3 w - - 0 1",
        ] {
            assert_eq!(white(fen), 0, "{fen}");
        }
        assert_ne!(white("4k3/8/8/8/8/8/8/4KBN1 w - - 0 1"), 0, "bishop and knight mate");
    }

    #[test]
    fn hanging_pieces_count_ten_times() {
        let safe = board("4k3/8/8/8/8/2p5/8/N3K3 w - - 0 1");
        let hanging = board("4k3/8/8/8/8/8/1p6/N3K3 w - - 0 1");
        let knight = |board: &Mailbox| {
            let survey = board.survey();
            let man = board.man(56).unwrap();
            Judged { board, survey: &survey, man, number: 56, is_end_game: true }.score()
        };
        // Two moves, the corner, the end game; then the attack of a pawn, once and ten times.
        assert_eq!(knight(&safe), 320 + 2 - 50 - 10);
        assert_eq!(knight(&hanging), 320 + 2 - 50 - 10 - 6 - 60);
    }

    #[test]
    fn castling_and_the_moves_that_spoil_it() {
        let fen = "rnbqk2r/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1RK1 w kq - 0 1";
        let mut castled = board(fen);
        let before = evaluate_for_white(&castled, &castled.survey());
        castled.set_castled(Color::White);
        let after = evaluate_for_white(&castled, &castled.survey());
        // 40 for castling itself; two rooks (a1 without right counts as moved) 10 each, the king 30.
        assert_eq!(after - before, 40 + 10 + 10 + 30);
    }

    #[test]
    fn pawn_structure() {
        let count = |fen: &str| {
            let board = board(fen);
            let survey = board.survey();
            let mut pawns = PawnCounts::default();
            let mut doubled = 0;
            for (man, number) in board.men().filter(|(man, _)| man.piece.role() == Role::Pawn) {
                doubled += sign(man.piece.color()) * pawns.add(&survey, man.piece.color(), number);
            }
            doubled + pawns.score(Color::White) - pawns.score(Color::Black)
        };
        assert_eq!(count("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), -20 + 10, "isolated on e, passed");
        assert_eq!(count("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"), -12 + 10, "isolated on a, passed");
        assert_eq!(count("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1"), 0, "the a-file is judged as the others");
        assert_eq!(count("4k3/1p6/8/8/8/8/P7/4K3 w - - 0 1"), -12 + 14 + 10 - 10);
        assert_eq!(
            count("4k3/8/8/8/4P3/8/4P3/4K3 w - - 0 1"),
            -16 - 20 + 20,
            "doubled counts twice if passed"
        );
        assert_eq!(count("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), -12 + 210, "unattacked on the seventh");
        assert_eq!(count("4k3/P7/1P6/8/8/8/8/4K3 w - - 0 1"), 10 + 110 + 260 - 10);
        assert_eq!(count("1n2k3/P7/8/8/8/8/8/R3K3 w - - 0 1"), -12 + 260, "defended as well");
        assert_eq!(count("r3k3/P7/8/8/8/8/8/4K3 w - - 0 1"), -12 + 10, "attacked, so no bonus");
        assert_eq!(count("4k3/8/8/8/8/8/p7/4K3 w - - 0 1"), 12 - 210, "Black's the same");
    }

    #[test]
    fn end_games_begin_below_ten_pieces() {
        // Ten pieces, then nine with a pawn less on h7: the bishop gains 10 and the kings change tables.
        let bishop = |fen: &str| {
            let board = board(fen);
            let survey = board.survey();
            let (man, number) = board.men().find(|(man, _)| man.piece.role() == Role::Bishop).unwrap();
            let is_end_game = board.men().count() < END_GAME_PIECES;
            Judged { board: &board, survey: &survey, man, number, is_end_game }.score()
        };
        let ten = bishop("4k2r/ppp4p/8/8/8/8/PP6/B3K3 w - - 0 1");
        let nine = bishop("4k2r/ppp5/8/8/8/8/PP6/B3K3 w - - 0 1");
        assert_eq!(nine - ten, 10);
    }

    #[test]
    fn the_bishop_pair_gains_ten() {
        let one = white("4k3/pppppppp/8/8/8/8/PPPPPPPP/2B1K3 w - - 0 1");
        let two = white("4k3/pppppppp/8/8/8/8/PPPPPPPP/2B1KB2 w - - 0 1");
        // The second bishop's value, table and pair; it defends e2 and g2, the king defends it, but loses
        // a move and so has fewer than two.
        assert_eq!(two - one, 325 - 40 + 10 + 3 + 3 + 1 - 1 - 5);
    }

    #[test]
    fn a_check_gains_75() {
        let checked = board("3qk3/ppppp1pp/8/7Q/8/8/PPPPPPPP/4K3 b - - 0 1");
        let mut survey = checked.survey();
        let with = evaluate_for_white(&checked, &survey);
        survey.check[Color::Black.index()] = false;
        assert_eq!(with - evaluate_for_white(&checked, &survey), 75);
    }
}
