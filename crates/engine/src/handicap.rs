//! What makes a level weaker than the engine can be.
//!
//! Everything here follows from the position and the seed of the game by a hash: within a game the same
//! position is always judged the same and the same moves are overlooked, in another game others are. The
//! moves of the root are never overlooked and none is ever chosen at random, so whatever the search sees,
//! such as a mate, is played.

use crate::limits::Limits;
use chess::random::Random;
use chess::{Bitboard, Color, Move, Position, Role};

/// How the engine is held back.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// Nodes after which no new iteration begins.
    pub nodes: u64,
    /// The standard deviation of the error of evaluations, in internal units.
    pub noise: i32,
    /// How many of [`EVERYTHING`] captures are overlooked in the tree.
    pub blindness: u32,
    /// Whether a lone king is mated without error.
    pub knows_technique: bool,
    /// What differs from game to game.
    pub seed: u64,
}

/// With this [blindness](Handicap::blindness) no capture would be seen.
pub const EVERYTHING: u32 = 1024;
/// Quiet moves are overlooked this many times as often as captures,
const QUIET_BLINDNESS: u32 = 2;
/// but never more often than this.
const MOST_QUIETS: u32 = EVERYTHING * 15 / 16;

/// An iteration under way may use this many times the nodes of the level before it is cut off.
const OVERRUN: u64 = 4;
/// The first iteration, which sees every move once, may use this many in any case.
const FIRST_ITERATION: u64 = 10_000;
/// Nodes with which a lone king is mated safely.
const TECHNIQUE_NODES: u64 = 4_000;

impl Handicap {
    /// What is left of the handicap at the root: whoever knows how to mate a lone king makes no errors there.
    #[must_use]
    pub fn at(mut self, root: &Position) -> Self {
        if self.knows_technique && is_elementary(root) {
            self.nodes = self.nodes.max(TECHNIQUE_NODES);
            self.noise = 0;
            self.blindness = 0;
        }
        self
    }

    /// Tightens the limits of a search by those of the level. Clocks stay what they are. Each of several
    /// lines has its own nodes, or asking for more of them would make the play weaker.
    #[must_use]
    pub fn limit(&self, limits: Limits, lines: usize) -> Limits {
        let nodes = self.nodes.saturating_mul(lines as u64);
        let most = nodes.saturating_mul(OVERRUN).max(FIRST_ITERATION);
        let soft_nodes = Some(limits.soft_nodes.map_or(nodes, |asked| asked.min(nodes)));
        Limits { nodes: Some(limits.nodes.map_or(most, |asked| asked.min(most))), soft_nodes, ..limits }
    }

    /// The error in the evaluation of a position, in internal units.
    #[must_use]
    pub fn misjudgement(&self, position: &Position) -> i32 {
        if self.noise == 0 || (self.knows_technique && is_elementary(position)) {
            return 0;
        }
        let random = mix(position.key().0 ^ self.seed);
        // The sum of four even distributions is close to a normal one, and has an end.
        let sum: i64 = (0..4).map(|part| (random >> (16 * part) & 0xffff) as i64 - 0x8000).sum();
        // Its standard deviation is 2^16 / sqrt(3).
        (sum * i64::from(self.noise) * 1732 / (1000 * 0x1_0000)) as i32
    }

    /// Whether a move in the tree goes unnoticed. Whoever has just been captured looks at that square first:
    /// no recapture is overlooked. Quiet moves are overlooked more often than other captures.
    #[must_use]
    pub fn overlooks(&self, position: &Position, mv: Move, recaptures: bool) -> bool {
        if self.blindness == 0 || recaptures {
            return false;
        }
        let blindness = if position.is_noisy(mv) {
            self.blindness
        } else {
            (QUIET_BLINDNESS * self.blindness).min(MOST_QUIETS.max(self.blindness))
        };
        let move_number = (mv.from().index() * 64 + mv.to().index() + 1) as u64;
        let random = mix(position.key().0 ^ self.seed ^ move_number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (random >> 32) as u32 % EVERYTHING < blindness
    }
}

/// Whether a lone king stands against a queen or rook, and whatever else.
fn is_elementary(position: &Position) -> bool {
    let heavy = |color| position.pieces(color, Role::Queen) | position.pieces(color, Role::Rook);
    Color::ALL
        .into_iter()
        .any(|weak| position.side(weak) == Bitboard::from(position.king(weak)) && heavy(!weak).any())
}

/// Spreads a number over all bits: neighbouring numbers have nothing in common afterwards.
#[must_use]
pub const fn mix(number: u64) -> u64 {
    Random::new(number).bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;

    fn positions() -> impl Iterator<Item = Position> {
        crate::bench::POSITIONS.iter().filter_map(|fen| fen.parse().ok())
    }

    fn handicap(seed: u64) -> Handicap {
        Handicap { nodes: 100, noise: 100, blindness: 256, knows_technique: true, seed }
    }

    #[test]
    fn errors_depend_on_position_and_game_alone() {
        let (here, there) = (handicap(1), handicap(2));
        let mut different = 0;
        for position in positions() {
            assert_eq!(here.misjudgement(&position), handicap(1).misjudgement(&position));
            different += i32::from(here.misjudgement(&position) != there.misjudgement(&position));
        }
        assert!(different > 40, "{different}");
    }

    #[test]
    fn errors_have_the_size_they_should() {
        let start = Position::startpos();
        let errors: Vec<i64> =
            (0..20_000).map(|seed| handicap(mix(seed)).misjudgement(&start).into()).collect();
        let mean = errors.iter().sum::<i64>() / errors.len() as i64;
        let variance = errors.iter().map(|error| error * error).sum::<i64>() / errors.len() as i64;
        assert!(mean.abs() <= 3, "{mean}");
        assert!((9_500..10_500).contains(&variance), "{variance}");
        assert!(errors.iter().all(|error| error.abs() <= 347));
    }

    #[test]
    fn a_part_of_the_moves_is_overlooked_and_no_recapture() {
        let mut seen = [0, 0];
        for position in positions() {
            for seed in 0..50 {
                for &mv in &position.legal_moves() {
                    assert!(!handicap(seed).overlooks(&position, mv, true));
                    if !position.is_noisy(mv) {
                        seen[usize::from(handicap(seed).overlooks(&position, mv, false))] += 1;
                    }
                }
            }
        }
        let share = f64::from(seen[1]) / f64::from(seen[0] + seen[1]);
        assert!((0.49..0.51).contains(&share), "{share}");
    }

    #[test]
    fn a_lone_king_is_handled_without_error() {
        let position = |fen: &str| fen.parse::<Position>().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let rook = position("8/8/4k3/8/8/4K3/8/7R w - - 0 1");
        let pawn = position("8/8/4k3/8/8/4K3/7P/8 w - - 0 1");
        assert_eq!(handicap(1).misjudgement(&rook), 0);
        assert_ne!(handicap(1).misjudgement(&pawn), 0);
        assert_eq!(handicap(1).at(&rook).blindness, 0);
        assert_eq!(handicap(1).at(&pawn), handicap(1));
        let beginner = Level::Elo(Level::MIN_ELO).handicap(1).map(|handicap| handicap.at(&rook));
        assert_eq!(beginner, Level::Elo(Level::MIN_ELO).handicap(1));
    }

    #[test]
    fn limits_only_become_tighter() {
        let handicap = handicap(1);
        let alone = handicap.limit(Limits::default(), 1);
        assert_eq!((alone.soft_nodes, alone.nodes), (Some(100), Some(FIRST_ITERATION)));
        let fewer = handicap.limit(Limits { depth: Some(3), ..Limits::nodes(50) }, 1);
        assert_eq!((fewer.nodes, fewer.depth), (Some(50), Some(3)));
        assert_eq!(handicap.limit(Limits::default(), 3).soft_nodes, Some(300));
    }
}
