//! Time controls and clocks as XBoard gives them, made into limits of a search.

use chess::{Color, Game};
use engine::{Clock, Limits};
use std::time::Duration;

/// How the time of a game is given.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Control {
    /// A time for a number of moves (0: all), and an increment for each.
    Sessions { moves: u32, base_ms: i64, increment_ms: i64 },
    /// A fixed time for each move.
    Fixed(Duration),
}

/// All that limits the engine's searches in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Timing {
    control: Control,
    own_ms: i64,
    opponent_ms: i64,
    depth: Option<i32>,
    /// Nodes that count as a second.
    node_rate: Option<u64>,
}

/// Before the interface says anything: five minutes each.
const DEFAULT_BASE_MS: i64 = 300_000;
/// How much less time than expected the engine may have when its guess was right, without thinking anew.
const CLOCK_TOLERANCE_MS: i64 = 100;

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

impl Timing {
    pub(super) fn new() -> Self {
        Self {
            control: Control::Sessions { moves: 0, base_ms: DEFAULT_BASE_MS, increment_ms: 0 },
            own_ms: DEFAULT_BASE_MS,
            opponent_ms: DEFAULT_BASE_MS,
            depth: None,
            node_rate: None,
        }
    }

    /// Clocks at the start, no limit of depth, and the time measured by the clock.
    pub(super) fn new_game(&mut self) {
        self.depth = None;
        self.node_rate = None;
        self.reset_clocks();
    }

    fn reset_clocks(&mut self) {
        if let Control::Sessions { base_ms, .. } = self.control {
            self.own_ms = base_ms;
            self.opponent_ms = base_ms;
        }
    }

    pub(super) fn set_sessions(&mut self, moves: u32, base: Duration, increment: Duration) {
        self.control = Control::Sessions { moves, base_ms: millis(base), increment_ms: millis(increment) };
        self.reset_clocks();
    }

    pub(super) fn set_fixed(&mut self, time: Duration) {
        self.control = Control::Fixed(time);
    }

    pub(super) fn set_depth(&mut self, depth: i32) {
        self.depth = Some(depth);
    }

    pub(super) fn set_node_rate(&mut self, rate: i64) {
        self.node_rate = u64::try_from(rate).ok().filter(|&rate| rate > 0);
    }

    pub(super) fn set_own_clock(&mut self, centiseconds: i64) {
        self.own_ms = centiseconds.saturating_mul(10);
    }

    pub(super) fn set_opponent_clock(&mut self, centiseconds: i64) {
        self.opponent_ms = centiseconds.saturating_mul(10);
    }

    /// The engine has moved after this time: what its clock must show now.
    pub(super) fn moved_after(&mut self, time: Duration) {
        if let Control::Sessions { increment_ms, .. } = self.control {
            self.own_ms = self.own_ms.saturating_sub(millis(time)).saturating_add(increment_ms);
        }
    }

    /// Whether limits made earlier still suit the clock.
    pub(super) fn still_suits(&self, limits: &Limits, color: Color) -> bool {
        let given = limits.clock(color).map_or(i64::MIN, |clock| clock.left_ms);
        matches!(self.control, Control::Fixed(_)) || self.own_ms >= given.saturating_sub(CLOCK_TOLERANCE_MS)
    }

    /// The value of the option `nodestime` that fits the limits: nodes that count as a millisecond.
    pub(super) fn nodes_per_millisecond(&self) -> Option<u64> {
        self.node_rate.map(|rate| (rate / 1000).max(1))
    }

    /// Time that is counted in nodes cannot be given in fractions of a node for each millisecond, so the
    /// clock is scaled instead.
    fn scale(&self, ms: i64) -> i64 {
        let (Some(rate), Some(unit)) = (self.node_rate, self.nodes_per_millisecond()) else { return ms };
        let scaled = i128::from(ms) * i128::from(rate) / (1000 * i128::from(unit));
        i64::try_from(scaled).unwrap_or(i64::MAX)
    }

    /// The limits of a search for `color`, who is to move in the game.
    pub(super) fn limits(&self, color: Color, game: &Game) -> Limits {
        let mut limits = Limits { depth: self.depth, ..Limits::default() };
        match (self.control, self.node_rate) {
            (Control::Fixed(time), Some(rate)) => {
                let nodes = time.as_millis() * u128::from(rate) / 1000;
                limits.nodes = Some(u64::try_from(nodes).unwrap_or(u64::MAX).max(1));
            }
            (Control::Fixed(time), None) => limits.move_time = Some(time),
            (Control::Sessions { moves, increment_ms, .. }, _) => {
                let clock = |left_ms| {
                    Some(Clock { left_ms: self.scale(left_ms), increment_ms: self.scale(increment_ms) })
                };
                limits.clocks[color.index()] = clock(self.own_ms);
                limits.clocks[(!color).index()] = clock(self.opponent_ms);
                let played = moves_of(color, game);
                limits.moves_to_go = (moves > 0).then(|| moves - played % moves.max(1));
            }
        }
        limits
    }
}

/// How many moves a side has played in the game.
fn moves_of(color: Color, game: &Game) -> u32 {
    let begun = usize::from(game.start().turn() == color);
    u32::try_from((game.ply() + begun) / 2).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn game(moves: &str) -> Game {
        let mut game = Game::new();
        for text in moves.split_whitespace() {
            game.play(game.position().parse_uci(text).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn sessions_count_the_moves_left() {
        let mut timing = Timing::new();
        timing.set_sessions(3, seconds(60), seconds(1));
        timing.set_own_clock(4_000);
        timing.set_opponent_clock(5_000);
        let opening = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6";
        for (moves, to_go) in [(0, 3), (2, 2), (4, 1), (6, 3)] {
            let played: Vec<&str> = opening.split(' ').take(moves).collect();
            let limits = timing.limits(Color::White, &game(&played.join(" ")));
            assert_eq!(limits.moves_to_go, Some(to_go), "after {moves}");
            assert_eq!(limits.clock(Color::White), Some(Clock { left_ms: 40_000, increment_ms: 1000 }));
            assert_eq!(limits.clock(Color::Black).map(|clock| clock.left_ms), Some(50_000));
        }
        assert_eq!(timing.limits(Color::Black, &game("e2e4 e7e5 g1f3")).moves_to_go, Some(2));
        timing.moved_after(seconds(10));
        assert_eq!(
            timing.limits(Color::White, &game("")).clock(Color::White).map(|c| c.left_ms),
            Some(31_000)
        );
        timing.new_game();
        assert_eq!(
            timing.limits(Color::White, &game("")).clock(Color::White).map(|c| c.left_ms),
            Some(60_000)
        );
    }

    #[test]
    fn fixed_times_and_nodes() {
        let mut timing = Timing::new();
        timing.set_fixed(seconds(2));
        timing.set_depth(7);
        let limits = timing.limits(Color::White, &game(""));
        assert_eq!(
            (limits.move_time, limits.depth, limits.clocks),
            (Some(seconds(2)), Some(7), [None, None])
        );
        timing.set_node_rate(1);
        timing.set_fixed(seconds(5000));
        let limits = timing.limits(Color::White, &game(""));
        assert_eq!((limits.move_time, limits.nodes), (None, Some(5000)));
        timing.new_game();
        assert_eq!(timing.limits(Color::White, &game("")).depth, None);
        assert_eq!(timing.nodes_per_millisecond(), None);
    }

    #[test]
    fn a_clock_of_nodes() {
        let mut timing = Timing::new();
        timing.set_sessions(0, seconds(60), seconds(0));
        for (rate, unit, clock) in [(1_000_000, 1000, 60_000), (1, 1, 60), (1500, 1, 90_000)] {
            timing.set_node_rate(rate);
            assert_eq!(timing.nodes_per_millisecond(), Some(unit));
            let left = timing.limits(Color::White, &game("")).clock(Color::White).map(|clock| clock.left_ms);
            assert_eq!(left, Some(clock), "{rate}");
        }
        timing.set_node_rate(-1);
        assert_eq!(timing.nodes_per_millisecond(), None);
    }

    #[test]
    fn limits_suit_while_the_clock_shows_no_less() {
        let mut timing = Timing::new();
        timing.set_own_clock(1000);
        let limits = timing.limits(Color::Black, &game("e2e4"));
        assert!(timing.still_suits(&limits, Color::Black));
        timing.set_own_clock(995);
        assert!(timing.still_suits(&limits, Color::Black));
        timing.set_own_clock(900);
        assert!(!timing.still_suits(&limits, Color::Black));
        timing.set_fixed(seconds(1));
        assert!(timing.still_suits(&limits, Color::Black));
    }
}
