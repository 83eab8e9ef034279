//! The classics in this process.

use crate::clock::ClockFace;
use crate::player::{Answer, Decision, Failure, Player, Thought, Turn};
use chess::Variant;
use chess::pgn::EvalScore;
use classics::{BookText, Budget, Classic, ClassicSpec};
use engine::StopToken;
use std::path::Path;
use std::time::Duration;
use web_time::Instant;

/// The player.
pub struct ClassicPlayer {
    classic: Box<dyn Classic + Send>,
    stop: StopToken,
}

/// The time left is divided among this many moves, since nothing is known of how many are to come.
const MOVES_TO_COME: u32 = 30;

impl ClassicPlayer {
    /// One of the classics, ready to play.
    #[must_use]
    pub fn new(spec: ClassicSpec, stop: StopToken) -> Self {
        Self { classic: spec.create(), stop }
    }

    /// One of the classics, playing from the books in these files instead of its own, if there are any.
    ///
    /// # Errors
    /// When a book cannot be read; says which, and what is wrong in which line.
    pub fn with_books(spec: ClassicSpec, files: &[&Path], stop: StopToken) -> Result<Self, Failure> {
        if files.is_empty() {
            return Ok(Self::new(spec, stop));
        }
        let books = read_books(files)?;
        let classic =
            spec.create_with_books(&books).map_err(|error| Failure::Start(format!("the book {error}")))?;
        Ok(Self { classic, stop })
    }
}

/// The text of files with opening books.
///
/// # Errors
/// When one cannot be read; says which.
pub fn read_books(files: &[&Path]) -> Result<Vec<BookText>, Failure> {
    let read = |file: &&Path| {
        let name = file.display().to_string();
        match std::fs::read(file) {
            // Old files are in old encodings; everything that matters in them is ASCII.
            Ok(bytes) => Ok(BookText { name, text: String::from_utf8_lossy(&bytes).into_owned() }),
            Err(error) => Err(Failure::Start(format!("the book {name}: {error}"))),
        }
    };
    files.iter().map(read).collect()
}

/// The time a classic may use for a move. It knows nothing of clocks, so it has to be stopped then.
#[must_use]
pub fn time_for_classic(turn: &Turn<'_>) -> Option<Duration> {
    let of_clock = |face: ClockFace| {
        let moves = face.moves_to_go.map_or(MOVES_TO_COME, |moves| moves.min(MOVES_TO_COME) + 1);
        let share = face.left / moves + face.increment / 2;
        // It looks at the clock only now and then.
        share.min(face.left / 2)
    };
    let own = turn.own_clock().filter(|_| turn.limit.node_rate.is_none());
    own.map(of_clock).into_iter().chain(turn.limit.move_time.map(|time| time * 9 / 10)).min()
}

impl Player for ClassicPlayer {
    fn name(&self) -> &str {
        self.classic.name()
    }

    fn new_game(&mut self, variant: Variant) -> Result<(), Failure> {
        self.classic.new_game();
        match variant {
            Variant::Standard => Ok(()),
            Variant::Chess960 => Err(Failure::Unable("it does not know Chess960".to_owned())),
        }
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        let asked = Instant::now();
        let time = time_for_classic(turn);
        let is_over = || self.stop.is_stopped() || time.is_some_and(|time| asked.elapsed() >= time);
        let budget = Budget { depth: turn.limit.depth, nodes: turn.limit.nodes, stop: &is_over };
        let choice = self.classic.think(turn.game, &budget);
        let elapsed = asked.elapsed();
        if self.stop.is_stopped() {
            return Err(Failure::Interrupted);
        }
        let choice = choice.map_err(|error| Failure::Unable(error.to_string()))?;
        let decision = match choice.decision {
            classics::Decision::Play(mv) => Decision::Move(mv),
            classics::Decision::Resign => Decision::Resign,
        };
        let thought = Thought {
            score: Some(EvalScore::Centipawns(choice.score)),
            depth: Some(choice.depth),
            nodes: Some(choice.nodes()),
            time: Some(elapsed),
        };
        Ok(Answer { decision, thought, elapsed, classic: Some(choice) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Game;

    #[test]
    fn clocks_are_shared_out() {
        let game = Game::new();
        let turn = |limit: &str, left: u64, moves_to_go| Turn {
            game: &game,
            limit: limit.parse().expect("a limit"),
            clocks: [Some(ClockFace {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(10),
                moves_to_go,
            }); 2],
            patience: Duration::ZERO,
        };
        let ms = |turn: &Turn<'_>| time_for_classic(turn).map(|time| time.as_millis());
        assert_eq!(ms(&turn("tc=3+0.01", 3000, None)), Some(105));
        assert_eq!(ms(&turn("tc=3+0.01", 4, None)), Some(2));
        assert_eq!(ms(&turn("tc=2/3+0.01", 3000, Some(1))), Some(1500));
        assert_eq!(ms(&turn("tc=3+0.01,movetime=50", 3000, None)), Some(45));
        assert_eq!(ms(&turn("tc=3,nodestime=5", 3000, None)), None);
    }

    #[test]
    fn a_classic_plays_a_move_of_standard_chess() {
        let mut player = ClassicPlayer::new(ClassicSpec::Piglet, StopToken::new());
        assert!(player.new_game(Variant::Standard).is_ok());
        assert!(player.new_game(Variant::Chess960).is_err());
        let game = Game::new();
        let limit = "depth=2".parse().expect("a limit");
        let turn = Turn { game: &game, limit, clocks: [None; 2], patience: Duration::ZERO };
        let answer = player.choose(&turn).expect("a move");
        assert!(matches!(answer.decision, Decision::Move(mv) if game.position().is_legal(mv)));
        player.stop.stop();
        assert_eq!(player.choose(&turn), Err(Failure::Interrupted));
    }
}
