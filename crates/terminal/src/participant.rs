//! Who plays a side.

use engine::StopToken;
use players::{DEFAULT_OPPONENT, Failure, Limit, Player, PlayerKind, PlayerSpec, SpecError};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// Starts a player on the thread that calls it, for a game with this seed.
type Starter = Arc<dyn Fn(StopToken, u32) -> Result<Box<dyn Player>, Failure> + Send + Sync>;

/// Who plays a side. Written `human`, `level=8`, or as a [`PlayerSpec`]: `gardez:Hash=64`,
/// `piglet`, `uci:stockfish`.
#[derive(Clone, Debug)]
pub enum Participant {
    /// The person at the keyboard.
    Human,
    /// A program.
    Program(Program),
}

/// A program that plays a side.
#[derive(Clone)]
pub struct Program {
    name: String,
    /// What [`Participant`] reads it from.
    text: String,
    starter: Starter,
    /// What it may use without a clock.
    limit: Limit,
}

/// Why a text names no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ParticipantError {
    #[error("there is no such player: {0}")]
    Unknown(#[from] SpecError),
    #[error("{name} {failure}")]
    CannotStart { name: String, failure: Failure },
}

/// How long a program may need to start, and after its time to answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// What a program without a level thinks about a move when there is no clock.
const THINKING_TIME: Duration = Duration::from_secs(1);

impl Participant {
    /// The opponent of a person who names none.
    #[must_use]
    pub fn default_opponent() -> Self {
        DEFAULT_OPPONENT.parse().unwrap_or(Self::Human)
    }

    /// What the player is called.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Human => "Player",
            Self::Program(program) => &program.name,
        }
    }

    /// Whether the person at the keyboard plays.
    #[must_use]
    pub const fn is_human(&self) -> bool {
        matches!(self, Self::Human)
    }

    /// A player of one's own making, for tests.
    #[cfg(test)]
    pub fn custom(name: &str, start: impl Fn(StopToken) -> Box<dyn Player> + Send + Sync + 'static) -> Self {
        Self::Program(Program {
            name: name.to_owned(),
            text: name.to_owned(),
            starter: Arc::new(move |stop, _| Ok(start(stop))),
            limit: Limit::default(),
        })
    }
}

impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Human => "human",
            Self::Program(program) => &program.text,
        })
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Program").field(&self.text).finish()
    }
}

impl FromStr for Participant {
    type Err = ParticipantError;

    fn from_str(text: &str) -> Result<Self, ParticipantError> {
        let text = text.trim();
        if ["human", "me", "player"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Ok(Self::Human);
        }
        let spec = PlayerSpec::parse_opponent(text)?;
        let limit = match (&spec.kind, spec.limit) {
            (_, Some(limit)) => limit,
            // The classics search to a depth of their own, and levels count nodes.
            (PlayerKind::Classic(_), None) => Limit::default(),
            (_, None) if spec.limits_itself() => Limit::default(),
            (_, None) => Limit { move_time: Some(THINKING_TIME), ..Limit::default() },
        };
        let name = spec.name.clone().unwrap_or_else(|| name_of(&spec, text));
        // What is wrong with the book of a classic is better known now than when it is its turn.
        if matches!(spec.kind, PlayerKind::Classic(_))
            && let Err((failure, _)) = spec.start(PATIENCE, StopToken::new())
        {
            return Err(ParticipantError::CannotStart { name, failure });
        }
        Ok(Self::Program(Program {
            name,
            text: text.to_owned(),
            limit,
            starter: Arc::new(move |stop, game_seed| {
                let spec = spec.against_people(game_seed.into(), 0);
                spec.start(PATIENCE, stop).map_err(|(failure, _)| failure)
            }),
        }))
    }
}

fn name_of(spec: &PlayerSpec, text: &str) -> String {
    match &spec.kind {
        PlayerKind::Gardez => "Gardez".to_owned(),
        PlayerKind::Uci(program) | PlayerKind::Xboard(program) => {
            let path = program.command.first().map_or("", String::as_str);
            path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
        }
        // The others are called as they are written.
        _ => text.split(':').take_while(|part| !part.contains('=')).collect::<Vec<_>>().join(":"),
    }
}

impl Program {
    /// What it may use for a move. A clock stands in for the time that it would get without one.
    pub fn limit(&self, has_clock: bool) -> Limit {
        Limit { move_time: self.limit.move_time.filter(|_| !has_clock), ..self.limit }
    }

    /// Starts the player for a game.
    pub fn start(&self, stop: StopToken, game_seed: u32) -> Result<Box<dyn Player>, Failure> {
        (self.starter)(stop, game_seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_read_and_written() {
        for (text, name) in [
            ("human", "Player"),
            ("piglet", "piglet"),
            ("chessbin:hard:@nodes=5000", "chessbin:hard"),
            ("gardez", "Gardez"),
            ("level=1200", "Gardez at 1200"),
            ("greedy", "greedy"),
            ("gardez:@name=Hugo", "Hugo"),
            ("uci:/usr/games/stockfish:Hash=8", "stockfish"),
        ] {
            let participant: Participant = text.parse().expect(text);
            assert_eq!((participant.name(), participant.to_string().as_str()), (name, text));
        }
        let error = "deepblue".parse::<Participant>().map_err(|error| error.to_string());
        assert!(error.is_err_and(|text| text.contains("'deepblue'")));
        let error = "javachess:book=/missing".parse::<Participant>().map_err(|error| error.to_string());
        assert!(
            error.is_err_and(|text| text.starts_with("javachess cannot be started: the book /missing: "))
        );
    }

    #[test]
    fn programs_without_a_clock_do_not_think_for_ever() {
        let limit = |text: &str| match text.parse() {
            Ok(Participant::Program(program)) => program.limit,
            other => panic!("{other:?}"),
        };
        assert_eq!(limit("gardez").move_time, Some(THINKING_TIME));
        assert_eq!(limit("gardez:@nodes=500").nodes, Some(500));
        assert_eq!(limit("chessbin"), Limit::default());
    }
}
