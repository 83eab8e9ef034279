//! The chess clock.

use crate::limits::{Limit, TimeControl};
use chess::{Color, Game};
use std::time::Duration;
use web_time::Instant;

/// Half-moves in a game between people and programs before the clock starts: the first move of each side is free.
pub const FREE_PLIES: usize = 2;

/// What a side's clock shows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ClockFace {
    /// The time left.
    pub left: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
}

/// The flag has fallen.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FlagFallen {
    /// By how much the time left was exceeded.
    pub by: Duration,
}

/// The clock of a game: two sides, of which at most one runs.
///
/// It never asks what time it is; whoever uses it says so.
///
/// ```
/// use chess::Color;
/// use players::{Clock, TimeControl};
/// use std::time::{Duration, Instant};
///
/// let control: TimeControl = "60+1".parse()?;
/// let mut clock = Clock::for_both(control);
/// let start = Instant::now();
/// clock.start(Color::White, start);
/// let later = start + Duration::from_secs(10);
/// assert_eq!(clock.left(Color::White, later), Some(Duration::from_secs(50)));
/// assert!(clock.press(Color::White, later).is_ok());
/// assert_eq!(clock.left(Color::White, later), Some(Duration::from_secs(51)));
/// # Ok::<(), players::LimitError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    sides: [Side; 2],
    running: Option<(Color, Instant)>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Side {
    limit: Limit,
    /// The time left at the beginning of the move.
    left: Duration,
    /// The time used for the move before the clock was paused.
    used: Duration,
    /// The moves made.
    moves: u32,
}

impl Side {
    fn new(limit: Limit) -> Self {
        let left = limit.clock.map_or(Duration::ZERO, |control| control.base);
        Self { limit, left, used: Duration::ZERO, moves: 0 }
    }

    /// The time a move may take; none if there is no limit of time, or nodes are counted instead.
    fn allowance(&self) -> Option<Duration> {
        let left = self.limit.clock.filter(|_| self.limit.node_rate.is_none()).map(|_| self.left);
        left.into_iter().chain(self.limit.move_time).min()
    }

    /// Counts a move.
    fn finish_move(&mut self) {
        self.used = Duration::ZERO;
        self.moves = self.moves.saturating_add(1);
    }
}

impl Clock {
    /// A clock at the beginning of a game in which White and Black have these limits.
    #[must_use]
    pub fn new(limits: [Limit; 2]) -> Self {
        Self { sides: limits.map(Side::new), running: None }
    }

    /// A clock at the beginning of a game in which both sides have the same time.
    #[must_use]
    pub fn for_both(control: TimeControl) -> Self {
        Self::new([Limit { clock: Some(control), ..Limit::default() }; 2])
    }

    /// The time control of a side.
    #[must_use]
    pub const fn control(&self, color: Color) -> Option<TimeControl> {
        self.sides[color.index()].limit.clock
    }

    /// The side whose clock runs.
    #[must_use]
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// Starts a side's clock, unless it runs already, and stops the other one.
    pub fn start(&mut self, color: Color, now: Instant) {
        if self.running() != Some(color) {
            self.stop(now);
            self.running = Some((color, now));
        }
    }

    /// Stops both sides, as for a pause.
    pub fn stop(&mut self, now: Instant) {
        if let Some((color, _)) = self.running {
            self.sides[color.index()].used = self.used(color, now);
            self.running = None;
        }
    }

    /// The time a side has used for its move.
    fn used(&self, color: Color, now: Instant) -> Duration {
        let since = self.running.filter(|(running, _)| *running == color);
        let since = since.map_or(Duration::ZERO, |(_, since)| now.saturating_duration_since(since));
        self.sides[color.index()].used.saturating_add(since)
    }

    /// The time a side has left, if it has a time control.
    #[must_use]
    pub fn left(&self, color: Color, now: Instant) -> Option<Duration> {
        self.face(color, now).map(|face| face.left)
    }

    /// What a side's clock shows, if it has a time control.
    #[must_use]
    pub fn face(&self, color: Color, now: Instant) -> Option<ClockFace> {
        let side = &self.sides[color.index()];
        let control = side.limit.clock?;
        Some(ClockFace {
            left: side.left.saturating_sub(self.used(color, now)),
            increment: control.increment,
            moves_to_go: control.moves.map(|moves| moves - side.moves % moves.max(1)),
        })
    }

    /// The time a side's next move may take; none if nothing limits it.
    #[must_use]
    pub fn allowance(&self, color: Color) -> Option<Duration> {
        self.sides[color.index()].allowance()
    }

    /// A side has moved: its clock stops, and its increment is added. A move made before the clock runs takes
    /// no time and brings no increment.
    ///
    /// # Errors
    /// When the flag has fallen.
    pub fn press(&mut self, color: Color, now: Instant) -> Result<(), FlagFallen> {
        let is_running = self.running() == Some(color);
        let used = self.used(color, now);
        if self.fallen(now) == Some(color) {
            let allowance = self.allowance(color).unwrap_or_default();
            return Err(FlagFallen { by: used.saturating_sub(allowance) });
        }
        self.stop(now);
        if is_running {
            return self.spend(color, used, None, Duration::ZERO);
        }
        self.sides[color.index()].finish_move();
        Ok(())
    }

    /// Counts a move that took this time and visited this many nodes, which is what counts if there is a node
    /// rate. Exceeding the time by no more than `margin` is forgiven.
    ///
    /// # Errors
    /// When the flag has fallen.
    pub fn spend(
        &mut self,
        color: Color,
        time: Duration,
        nodes: Option<u64>,
        margin: Duration,
    ) -> Result<(), FlagFallen> {
        let side = &mut self.sides[color.index()];
        let check = |spent: Duration, allowed: Duration| {
            let by = spent.saturating_sub(allowed);
            if by > margin { Err(FlagFallen { by }) } else { Ok(()) }
        };
        let spent = match side.limit.node_rate {
            None => time,
            Some(rate) => Duration::from_micros(nodes.unwrap_or(0).saturating_mul(1000) / rate.max(1)),
        };
        if let Some(control) = side.limit.clock {
            check(spent, side.left)?;
            side.left = side.left.saturating_sub(spent).saturating_add(control.increment);
            if control.moves.is_some_and(|moves| side.moves.saturating_add(1).is_multiple_of(moves.max(1))) {
                side.left = side.left.saturating_add(control.base);
            }
        }
        if let Some(allowed) = side.limit.move_time {
            check(time, allowed)?;
        }
        side.finish_move();
        Ok(())
    }

    /// The side whose time has run out.
    #[must_use]
    pub fn fallen(&self, now: Instant) -> Option<Color> {
        let has_fallen =
            |color: &Color| self.allowance(*color).is_some_and(|allowed| self.used(*color, now) >= allowed);
        self.running().filter(has_fallen)
    }

    /// When the flag of the running side will fall.
    #[must_use]
    pub fn flag_fall(&self) -> Option<Instant> {
        let (color, since) = self.running?;
        let used = self.sides[color.index()].used;
        since.checked_add(self.allowance(color)?.saturating_sub(used))
    }

    /// Sets both sides to what they showed at this place of a game, as after a takeback. They stand then.
    pub fn restore(&mut self, game: &Game) {
        self.running = None;
        for color in Color::ALL {
            let limit = self.sides[color.index()].limit;
            let own = (0..game.ply()).filter_map(|ply| game.position_at(ply));
            let side = Side {
                moves: own.filter(|position| position.turn() == color).count() as u32,
                ..Side::new(limit)
            };
            self.sides[color.index()] = Side { left: game.clock(color).unwrap_or(side.left), ..side };
        }
    }

    /// Sets the time a side has left, as it was kept elsewhere.
    pub fn set_left(&mut self, color: Color, left: Duration) {
        let side = &mut self.sides[color.index()];
        (side.left, side.used) = (left, Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clock(text: &str) -> Clock {
        Clock::new([text.parse().expect("a limit"); 2])
    }

    #[test]
    fn one_side_runs_at_a_time() {
        let mut clock = clock("2/60+1");
        let start = Instant::now();
        assert_eq!(clock.left(Color::White, start + 9 * SECOND), Some(60 * SECOND));
        clock.start(Color::White, start);
        clock.start(Color::White, start + 2 * SECOND);
        let later = start + 10 * SECOND;
        assert_eq!(clock.left(Color::White, later), Some(50 * SECOND));
        assert_eq!(clock.face(Color::White, later).and_then(|face| face.moves_to_go), Some(2));
        assert_eq!(clock.press(Color::White, later), Ok(()));
        clock.start(Color::Black, later);
        assert_eq!(clock.left(Color::White, later + 99 * SECOND), Some(51 * SECOND));
        assert_eq!(clock.fallen(later + 59 * SECOND), None);
        assert_eq!(clock.flag_fall(), Some(later + 60 * SECOND));
        assert_eq!(clock.fallen(later + 60 * SECOND), Some(Color::Black));
        assert_eq!(clock.press(Color::Black, later + 62 * SECOND), Err(FlagFallen { by: 2 * SECOND }));
        clock.start(Color::White, later);
        assert_eq!(clock.press(Color::White, later), Ok(()));
        assert_eq!(clock.left(Color::White, later), Some(112 * SECOND), "the next period has begun");
    }

    #[test]
    fn a_pause_costs_nothing() {
        let mut clock = clock("60+1");
        let start = Instant::now();
        clock.start(Color::White, start);
        clock.stop(start + 10 * SECOND);
        assert_eq!((clock.running(), clock.flag_fall()), (None, None));
        clock.start(Color::White, start + 500 * SECOND);
        assert_eq!(clock.flag_fall(), Some(start + 550 * SECOND));
        assert_eq!(clock.press(Color::White, start + 505 * SECOND), Ok(()));
        assert_eq!(clock.left(Color::White, start), Some(46 * SECOND));
    }

    #[test]
    fn a_move_before_the_clock_runs_is_free() {
        let mut clock = clock("2/60+5");
        let now = Instant::now();
        assert_eq!(clock.press(Color::White, now), Ok(()));
        let face = clock.face(Color::White, now);
        let expected = ClockFace { left: 60 * SECOND, increment: 5 * SECOND, moves_to_go: Some(1) };
        assert_eq!(face, Some(expected));
    }

    #[test]
    fn moves_are_charged_with_a_margin() {
        let mut clock = clock("2/1+0.01");
        let now = Instant::now();
        let spend = |clock: &mut Clock, time, margin| {
            let result = clock.spend(Color::Black, ms(time), None, ms(margin));
            result.map(|()| clock.face(Color::Black, now).map(|face| (face.left, face.moves_to_go)))
        };
        assert_eq!(spend(&mut clock, 400, 0), Ok(Some((ms(610), Some(1)))));
        assert_eq!(spend(&mut clock, 610, 0), Ok(Some((ms(1010), Some(2)))));
        assert_eq!(spend(&mut clock, 1015, 5), Ok(Some((ms(10), Some(1)))));
        assert_eq!(spend(&mut clock, 31, 20), Err(FlagFallen { by: ms(21) }));
        assert_eq!(clock.left(Color::White, now), Some(SECOND));
    }

    #[test]
    fn nodes_and_time_for_a_move_are_limits_too() {
        let now = Instant::now();
        let mut by_nodes = clock("tc=1,nodestime=500");
        by_nodes.start(Color::White, now);
        assert_eq!((by_nodes.fallen(now + 99 * SECOND), by_nodes.flag_fall()), (None, None));
        assert_eq!(by_nodes.spend(Color::White, 99 * SECOND, Some(250_000), ms(0)), Ok(()));
        assert_eq!(by_nodes.left(Color::White, now), Some(ms(500)));
        assert!(by_nodes.spend(Color::White, ms(0), Some(250_500), ms(0)).is_err());

        let mut by_move = clock("tc=60,movetime=100");
        assert_eq!(by_move.allowance(Color::White), Some(ms(100)));
        by_move.start(Color::White, now);
        assert_eq!(by_move.flag_fall(), Some(now + ms(100)));
        assert_eq!(by_move.spend(Color::White, ms(120), None, ms(10)), Err(FlagFallen { by: ms(20) }));

        let mut without = clock("depth=3");
        without.start(Color::White, now);
        assert_eq!((without.face(Color::White, now), without.flag_fall()), (None, None));
        assert_eq!(without.press(Color::White, now + 99 * SECOND), Ok(()));
    }

    #[test]
    fn a_takeback_restores_what_was_noted() {
        let mut clock = clock("3/60");
        let mut game = Game::new();
        for (ply, text) in ["e2e4", "e7e5", "g1f3", "b8c6"].into_iter().enumerate() {
            let mv = game.position().parse_uci(text).expect("legal");
            game.play(mv).expect("legal");
            game.set_clock(Duration::from_secs(50 - ply as u64));
        }
        let now = Instant::now();
        clock.start(Color::White, now);
        clock.restore(&game);
        assert_eq!(clock.running(), None);
        let faces = |clock: &Clock| {
            Color::ALL.map(|color| clock.face(color, now).map(|face| (face.left.as_secs(), face.moves_to_go)))
        };
        assert_eq!(faces(&clock), [Some((48, Some(1))), Some((47, Some(1)))]);
        game.goto(1);
        clock.restore(&game);
        assert_eq!(faces(&clock), [Some((50, Some(2))), Some((60, Some(3)))]);
        clock.set_left(Color::Black, 7 * SECOND);
        assert_eq!(clock.left(Color::Black, now), Some(7 * SECOND));
    }

    #[test]
    fn no_time_is_too_long() {
        let mut clock =
            Clock::for_both(TimeControl { moves: Some(1), base: Duration::MAX, increment: Duration::MAX });
        let now = Instant::now();
        clock.start(Color::White, now);
        assert_eq!(clock.flag_fall(), None);
        assert_eq!(clock.press(Color::White, now + SECOND), Ok(()));
        assert_eq!(clock.spend(Color::Black, Duration::MAX, None, Duration::MAX), Ok(()));
        assert_eq!(clock.left(Color::Black, now), Some(Duration::MAX));
    }
}
