//! The chess clock on the table.

use chess::{Color, Game};
use players::{ClockFace, TimeControl};
use std::time::{Duration, Instant};

/// The text is no time control for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a clock is written like 5+3, minutes and seconds a move, or 40/90+30 or none, not '{0}'")]
pub struct ClockError(String);

/// Reads a time control as people say it: minutes, and seconds added for each move. `none` is no clock.
///
/// # Errors
/// When the text is something else.
pub fn parse_clock(text: &str) -> Result<Option<TimeControl>, ClockError> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    let error = || ClockError(text.chars().take(20).collect());
    let in_seconds: TimeControl = text.parse().map_err(|_| error())?;
    let base = Some(in_seconds.base * 60).filter(|base| *base <= Duration::from_secs(1_000_000));
    Ok(Some(TimeControl { base: base.ok_or_else(error)?, ..in_seconds }))
}

/// Two clocks of which at most one runs. What time it is comes from outside.
#[derive(Clone, Debug)]
pub struct Clocks {
    control: TimeControl,
    left: [Duration; 2],
    moves: [u32; 2],
    running: Option<(Color, Instant)>,
}

/// The flag has fallen.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FlagFallen;

impl Clocks {
    /// Clocks that stand at the beginning of a game.
    pub const fn new(control: TimeControl) -> Self {
        Self { control, left: [control.base; 2], moves: [0; 2], running: None }
    }

    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// Starts a side's clock, unless it runs already.
    pub fn run(&mut self, color: Color, now: Instant) {
        if self.running.is_none_or(|(running, _)| running != color) {
            self.stop(now);
            self.running = Some((color, now));
        }
    }

    /// Stops both.
    pub fn stop(&mut self, now: Instant) {
        if let Some((color, since)) = self.running.take() {
            let left = &mut self.left[color.index()];
            *left = left.saturating_sub(now.saturating_duration_since(since));
        }
    }

    /// The time a side has left.
    pub fn left(&self, color: Color, now: Instant) -> Duration {
        let used = self.running.filter(|(running, _)| *running == color);
        let used = used.map_or(Duration::ZERO, |(_, since)| now.saturating_duration_since(since));
        self.left[color.index()].saturating_sub(used)
    }

    /// What a player is told.
    pub fn face(&self, color: Color, now: Instant) -> ClockFace {
        let to_go = |moves: u32| moves - self.moves[color.index()] % moves;
        ClockFace {
            left: self.left(color, now),
            increment: self.control.increment,
            moves_to_go: self.control.moves.filter(|&moves| moves > 0).map(to_go),
        }
    }

    /// A side has moved: its clock stops, and time is added.
    pub fn press(&mut self, color: Color, now: Instant) -> Result<(), FlagFallen> {
        if self.fallen(now) == Some(color) {
            return Err(FlagFallen);
        }
        self.stop(now);
        let side = color.index();
        self.left[side] += self.control.increment;
        self.moves[side] += 1;
        if self.control.moves.is_some_and(|moves| self.moves[side].is_multiple_of(moves.max(1))) {
            self.left[side] += self.control.base;
        }
        Ok(())
    }

    /// The side whose time has run out.
    pub fn fallen(&self, now: Instant) -> Option<Color> {
        self.running.map(|(color, _)| color).filter(|&color| self.left(color, now).is_zero())
    }

    /// When the flag of the running clock will fall.
    pub fn flag_fall(&self) -> Option<Instant> {
        self.running.and_then(|(color, since)| since.checked_add(self.left[color.index()]))
    }

    /// Sets both to what they showed at this place of the game. They stand then.
    pub fn restore(&mut self, game: &Game) {
        self.running = None;
        for color in Color::ALL {
            self.left[color.index()] = game.clock(color).unwrap_or(self.control.base);
            let own = (0..game.ply()).filter_map(|ply| game.position_at(ply));
            self.moves[color.index()] = own.filter(|position| position.turn() == color).count() as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn people_give_minutes_and_seconds() {
        let control = parse_clock("5+3").expect("a clock").expect("one");
        assert_eq!((control.base, control.increment), (300 * SECOND, 3 * SECOND));
        assert_eq!(parse_clock("none"), Ok(None));
        assert_eq!(parse_clock("0.5").expect("a clock").expect("one").base, 30 * SECOND);
        assert_eq!(parse_clock("40/90+30").expect("a clock").expect("one").moves, Some(40));
        for text in ["", "fast", "-5", "0", "5+", "1e9"] {
            let accepted = parse_clock(text);
            assert!(accepted.is_err(), "{text}: {accepted:?}");
        }
    }

    #[test]
    fn one_clock_runs_at_a_time() {
        let mut clocks = Clocks::new("2/60+1".parse().expect("a time control"));
        let start = Instant::now();
        assert_eq!(clocks.left(Color::White, start + 9 * SECOND), 60 * SECOND);
        clocks.run(Color::White, start);
        clocks.run(Color::White, start + 2 * SECOND);
        let later = start + 10 * SECOND;
        assert_eq!(clocks.left(Color::White, later), 50 * SECOND);
        assert_eq!(clocks.face(Color::White, later).moves_to_go, Some(2));
        assert_eq!(clocks.press(Color::White, later), Ok(()));
        clocks.run(Color::Black, later);
        assert_eq!(clocks.left(Color::White, later + 99 * SECOND), 51 * SECOND);
        assert_eq!(clocks.fallen(later + 59 * SECOND), None);
        assert_eq!(clocks.flag_fall(), Some(later + 60 * SECOND));
        assert_eq!(clocks.fallen(later + 60 * SECOND), Some(Color::Black));
        assert_eq!(clocks.press(Color::Black, later + 60 * SECOND), Err(FlagFallen));
        clocks.stop(later);
        clocks.run(Color::White, later);
        assert_eq!(clocks.press(Color::White, later), Ok(()));
        assert_eq!(clocks.left(Color::White, later), 112 * SECOND, "the next period has begun");
    }
}
