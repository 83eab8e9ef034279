//! JavaChess's evaluation: the material formula of CHESS 4.5, and positional terms of a pawn or two
//! together.
//!
//! The original judges the computer's own side only; here each term is one side's less the other's.

use crate::boards::lists::{bit, numbers};
use crate::boards::{ClassicBoard, Rays};
use chess::{CastlingSide, Color, Role};

/// Scores are multiples of this: MTD(f) converges sooner on a coarse evaluation. Rounded towards zero,
/// so that both sides see the same.
pub(crate) const GRAIN: i32 = 8;

const fn grained(score: i32) -> i32 {
    score / GRAIN * GRAIN
}

/// Material alone, for the side to move: enough to know that a position is far off the window.
#[must_use]
pub(crate) fn evaluate_quickly(board: &Rays) -> i32 {
    grained(material(board, board.turn()))
}

/// The whole evaluation, for the side to move.
#[must_use]
pub fn evaluate(board: &Rays) -> i32 {
    let us = board.turn();
    grained(material(board, us) + Terms::of(board, us).sum() - Terms::of(board, !us).sum())
}

/// CHESS 4.5's balance of material: whoever leads should exchange pieces but keep pawns. Kings count
/// 2,000 each in the total.
#[must_use]
pub fn material(board: &Rays, side: Color) -> i32 {
    let lead = board.material(side) - board.material(!side);
    let leader = if lead >= 0 { side } else { !side };
    let (difference, pawns) = (lead.abs(), board.pawn_count(leader));
    let total = board.material(side) + board.material(!side);
    let value = difference.min(2400) + difference * (12_000 - total) * pawns / (6400 * (pawns + 1));
    lead.signum() * value
}

/// The positional terms of one side.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// Doubled, isolated, rammed, passed and too many pawns.
    pub pawns: i32,
    /// Pawns on the bishops' squares.
    pub bad_bishops: i32,
    /// Centre pawns and minor pieces at home, an early queen, castling.
    pub development: i32,
    /// Rooks on the seventh rank, on open files and behind passed pawns.
    pub rooks: i32,
    /// Knights, rooks and queens near the enemy king.
    pub tropism: i32,
}

impl Terms {
    /// The terms of a side.
    #[must_use]
    pub fn of(board: &Rays, side: Color) -> Self {
        let structure = PawnStructure::of(board, side);
        Self {
            pawns: structure.score(),
            bad_bishops: bad_bishops(board, side, &structure),
            development: development(board, side),
            rooks: rooks(board, side, &structure),
            tropism: tropism(board, side),
        }
    }

    /// All together.
    #[must_use]
    pub const fn sum(&self) -> i32 {
        self.pawns + self.bad_bishops + self.development + self.rooks + self.tropism
    }
}

const fn file(number: u8) -> usize {
    (number % 8) as usize
}

/// 1 to 8, as the side counts its ranks.
const fn rank(side: Color, number: u8) -> i32 {
    let row = (number / 8) as i32;
    match side {
        Color::White => 8 - row,
        Color::Black => row + 1,
    }
}

const fn is_light(number: u8) -> bool {
    (number / 8 + number % 8).is_multiple_of(2)
}

/// Where a side's pawns stand, as far as the evaluation asks.
struct PawnStructure {
    own_on_file: [i32; 8],
    enemy_on_file: [i32; 8],
    on_light: i32,
    on_dark: i32,
    rams: i32,
    /// The rank of the foremost pawn of a file, where it is passed.
    passed: [Option<i32>; 8],
}

impl PawnStructure {
    fn of(board: &Rays, side: Color) -> Self {
        let mut own_on_file = [0; 8];
        let mut enemy_on_file = [0; 8];
        let mut foremost: [i32; 8] = [0; 8];
        // As this side counts ranks: the enemy pawn of each file that is farthest back in its camp.
        let mut hindmost_enemy: [i32; 8] = [0; 8];
        let (own, enemy) = (board.pieces(side, Role::Pawn), board.pieces(!side, Role::Pawn));
        for pawn in numbers(enemy) {
            enemy_on_file[file(pawn)] += 1;
            hindmost_enemy[file(pawn)] = hindmost_enemy[file(pawn)].max(rank(side, pawn));
        }
        let (mut on_light, mut on_dark, mut rams) = (0, 0, 0);
        for pawn in numbers(own) {
            own_on_file[file(pawn)] += 1;
            foremost[file(pawn)] = foremost[file(pawn)].max(rank(side, pawn));
            *if is_light(pawn) { &mut on_light } else { &mut on_dark } += 1;
            let ahead = match side {
                Color::White => pawn.wrapping_sub(8),
                Color::Black => pawn + 8,
            };
            rams += i32::from(enemy & bit(ahead) != 0);
        }
        let passed = std::array::from_fn(|file| {
            let neighbours = file.saturating_sub(1)..=(file + 1).min(7);
            let is_passed = foremost[file] > 0
                && neighbours.into_iter().all(|near| hindmost_enemy[near] <= foremost[file]);
            is_passed.then_some(foremost[file])
        });
        Self { own_on_file, enemy_on_file, on_light, on_dark, rams, passed }
    }

    fn score(&self) -> i32 {
        let doubled = self.own_on_file.iter().filter(|&&pawns| pawns > 1).count() as i32;
        let is_alone = |file: usize| {
            let left = file.checked_sub(1).map_or(0, |file| self.own_on_file[file]);
            let right = self.own_on_file.get(file + 1).copied().unwrap_or(0);
            self.own_on_file[file] > 0 && left == 0 && right == 0
        };
        let isolated = (0..8).filter(|&file| is_alone(file)).count() as i32;
        let eight = i32::from(self.own_on_file.iter().sum::<i32>() == 8);
        let passed: i32 = self.passed.iter().flatten().map(|rank| rank * rank).sum();
        passed - 8 * doubled - 15 * isolated - 10 * eight - 8 * self.rams
    }
}

/// Own pawns on the squares a bishop moves on stand in its way.
fn bad_bishops(board: &Rays, side: Color, pawns: &PawnStructure) -> i32 {
    numbers(board.pieces(side, Role::Bishop))
        .map(|bishop| -8 * if is_light(bishop) { pawns.on_light } else { pawns.on_dark })
        .sum()
}

/// Bring out centre pawns and minor pieces, keep the queen at home, castle while the enemy has a queen.
fn development(board: &Rays, side: Color) -> i32 {
    let home = |number: u8| match side {
        Color::White => bit(number),
        Color::Black => bit(number ^ 56),
    };
    let pieces = |role| board.pieces(side, role);
    let (knights, bishops) = (pieces(Role::Knight), pieces(Role::Bishop));
    let centre_pawns = (pieces(Role::Pawn) & (home(51) | home(52))).count_ones() as i32;
    let back_rank = (56..64).fold(0, |squares, number| squares | home(number));
    let minors_at_home = ((knights | bishops) & back_rank).count_ones() as i32;
    let mut score = -15 * centre_pawns - 10 * minors_at_home;
    if pieces(Role::Queen) != 0 && pieces(Role::Queen) & home(59) == 0 {
        let undeveloped = bishops & (home(58) | home(61))
            | knights & (home(57) | home(62))
            | pieces(Role::Rook) & (home(56) | home(63))
            | pieces(Role::King) & home(60);
        score -= 8 * undeveloped.count_ones() as i32;
    }
    if board.pieces(!side, Role::Queen) != 0 {
        score += castling(board, side);
    }
    score
}

fn castling(board: &Rays, side: Color) -> i32 {
    let may = |wing| board.may_castle(side, wing);
    match (board.has_castled(side), may(CastlingSide::King), may(CastlingSide::Queen)) {
        (true, ..) => 10,
        (_, true, true) => -24,
        (_, true, false) => -40,
        (_, false, true) => -80,
        (_, false, false) => -120,
    }
}

fn rooks(board: &Rays, side: Color, pawns: &PawnStructure) -> i32 {
    let score = |rook: u8| {
        let file = file(rook);
        let seventh = if rank(side, rook) == 7 { 22 } else { 0 };
        let open = match (pawns.own_on_file[file], pawns.enemy_on_file[file]) {
            (0, 0) => 10,
            (0, _) => 4,
            _ => 0,
        };
        let is_behind_passer = pawns.passed[file].is_some_and(|passer| rank(side, rook) < passer);
        seventh + open + if is_behind_passer { 25 } else { 0 }
    };
    numbers(board.pieces(side, Role::Rook)).map(score).sum()
}

/// Rooks and queens want to share a rank or file with the enemy king, knights to be near it.
fn tropism(board: &Rays, side: Color) -> i32 {
    let king = board.king(!side);
    let distances = |number: u8| {
        let files = (king % 8).abs_diff(number % 8);
        let ranks = (king / 8).abs_diff(number / 8);
        (i32::from(files), i32::from(ranks))
    };
    let line = |number| {
        let (files, ranks) = distances(number);
        files.min(ranks)
    };
    let rooks: i32 = numbers(board.pieces(side, Role::Rook)).map(|rook| -2 * line(rook)).sum();
    let queens: i32 = numbers(board.pieces(side, Role::Queen)).map(|queen| -line(queen)).sum();
    let knights: i32 = numbers(board.pieces(side, Role::Knight))
        .map(|knight| {
            let (files, ranks) = distances(knight);
            5 - files - ranks
        })
        .sum();
    rooks + queens + knights
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn board(fen: &str) -> Rays {
        Rays::set_up(&Position::from_fen(fen).unwrap()).unwrap()
    }

    fn white(fen: &str) -> Terms {
        Terms::of(&board(fen), Color::White)
    }

    #[test]
    fn material_follows_chess_4_5() {
        assert_eq!(material(&board(chess::START_FEN), Color::White), 0);
        // A rook and a pawn against nothing: 600 + 600 (12000 - 4600) 1 / (6400 * 2).
        let rook_up = board("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1");
        assert_eq!(material(&rook_up, Color::White), 600 + 600 * 7400 / 12_800);
        assert_eq!(material(&rook_up, Color::Black), -(600 + 600 * 7400 / 12_800));
        // Without pawns the second part vanishes, and 2400 is the most the first one counts.
        let queens = board("4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1");
        assert_eq!(material(&queens, Color::White), 2400);
    }

    #[test]
    fn scores_have_a_grain_and_no_favourite() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let score = evaluate(&Rays::set_up(&position).unwrap());
        assert_eq!(score % GRAIN, 0);
        assert_eq!(score, evaluate(&Rays::set_up(&position.mirrored()).unwrap()));
        assert_eq!(evaluate(&board(chess::START_FEN)), 0);
    }

    #[test]
    fn pawns() {
        // All pawns at home: eight of them, and nothing else to say.
        assert_eq!(white(chess::START_FEN).pawns, -10);
        // Doubled and isolated, stopped by the pawn next to them.
        assert_eq!(white("4k3/3p4/8/8/4P3/8/4P3/4K3 w - - 0 1").pawns, -8 - 15);
        // A ram on e4 and e5, with a neighbour each.
        assert_eq!(white("4k3/3p4/8/4p3/4P3/8/3P4/4K3 w - - 0 1").pawns, -8);
        // A passed pawn on the fifth rank gains 25, isolation costs 15; Black's the same.
        assert_eq!(white("4k3/8/8/4P3/8/8/8/4K3 w - - 0 1").pawns, 25 - 15);
        let black = board("4k3/8/8/8/4p3/8/8/4K3 w - - 0 1");
        assert_eq!(Terms::of(&black, Color::Black).pawns, 25 - 15);
        // Beside an enemy pawn is beyond it, on either wing.
        assert_eq!(white("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1").pawns, 25 - 15);
        assert_eq!(white("4k3/8/8/4Pp2/8/8/8/4K3 w - - 0 1").pawns, 25 - 15);
    }

    #[test]
    fn bad_bishops_count_pawns_of_their_colour() {
        assert_eq!(white("4k3/8/8/8/8/4P1P1/1P3P2/4KB2 w - - 0 1").bad_bishops, 0);
        assert_eq!(white("4k3/8/8/8/8/4P1P1/1P3P2/2B1K3 w - - 0 1").bad_bishops, -32);
    }

    #[test]
    fn developing() {
        // Two centre pawns and four minor pieces at home, all castling still possible.
        assert_eq!(white(chess::START_FEN).development, -30 - 40 - 24);
        let queen_out = "rnbqkbnr/pppppppp/8/8/8/3Q4/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
        assert_eq!(white(queen_out).development, -30 - 40 - 8 * 7 - 24);
        let rights = |rights: &str| white(&format!("3qk3/8/8/8/8/8/8/R3K2R w {rights} - 0 1")).development;
        assert_eq!(["KQ", "K", "Q", "-"].map(rights), [-24, -40, -80, -120]);
        let mut castled = board("3qk3/8/8/8/8/8/8/5RK1 w - - 0 1");
        castled.set_castled(Color::White);
        assert_eq!(Terms::of(&castled, Color::White).development, 10);
        assert_eq!(white("4k3/8/8/8/8/8/8/R3K2R w - - 0 1").development, 0, "no queen, no hurry");
    }

    #[test]
    fn rooks_on_good_lines() {
        assert_eq!(white("4k3/R7/8/8/8/8/8/4K3 w - - 0 1").rooks, 22 + 10);
        let black = board("4k3/8/8/8/8/8/r7/4K3 w - - 0 1");
        assert_eq!(Terms::of(&black, Color::Black).rooks, 22 + 10);
        assert_eq!(white("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1").rooks, 4);
        assert_eq!(white("4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1").rooks, 0);
        assert_eq!(white("4k3/8/8/P7/8/8/8/R3K3 w - - 0 1").rooks, 25);
    }

    #[test]
    fn pieces_near_the_enemy_king() {
        assert_eq!(white("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").tropism, -8);
        assert_eq!(white("4k3/8/8/8/8/8/8/4K1Q1 w - - 0 1").tropism, -2);
        assert_eq!(white("4k3/8/4N3/8/8/8/8/4K3 w - - 0 1").tropism, 5 - 2);
        assert_eq!(white("R3k3/8/8/8/8/8/8/4K3 b - - 0 1").tropism, 0);
    }
}
