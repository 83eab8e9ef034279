//! Ground Up's own two commands, `load` and `search`, as lines of text in and out.

use super::{METHOD as WITH_QUIESCENCE, evaluate};
use crate::boards::{ClassicBoard, Ox88};
use crate::searches::{Found, Method, is_mate, search};
use crate::{Budget, NotStandard};
use chess::{CastlingStyle, Color, FenError, Position};
use std::time::Instant;

/// Why a command was not carried out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// Neither of the two commands.
    #[error("unknown command {0:?}; there are: load startpos, load FEN, search DEPTH [unpruned|quiescence]")]
    Unknown(String),
    /// `load` without a position.
    #[error("load what? write: load startpos, or: load FEN")]
    NothingToLoad,
    /// `load` with a faulty FEN.
    #[error("cannot load: {0}")]
    Fen(#[from] FenError),
    /// `load` with a position of Chess960.
    #[error("cannot load: {0}")]
    NotStandard(#[from] NotStandard),
    /// `search` without a depth that makes sense.
    #[error("search how deep? write: search DEPTH, from 1 to {most}", most = Console::MOST_DEPTH)]
    Depth,
    /// `search` in a way that there is not.
    #[error("search how? after the depth may stand unpruned or quiescence, not {0:?}")]
    Way(String),
}

/// A position and the commands about it.
#[derive(Clone)]
pub struct Console {
    position: Position,
}

impl Default for Console {
    fn default() -> Self {
        Self { position: Position::startpos() }
    }
}

impl Console {
    /// The deepest search that may be asked for.
    pub(crate) const MOST_DEPTH: u32 = 60;

    /// Whether a line is meant for this interpreter rather than for another protocol.
    #[must_use]
    pub fn understands(line: &str) -> bool {
        matches!(line.split_whitespace().next(), Some("load" | "search"))
    }

    /// The position loaded.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Carries out a line and returns what to print, without a last line break.
    ///
    /// # Errors
    /// When the line is no command, or names no position or depth.
    pub fn execute(&mut self, line: &str, budget: &Budget<'_>) -> Result<String, CommandError> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match command {
            "load" => self.load(rest.trim()).map(|()| String::new()),
            "search" => {
                let (depth, way) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
                let depth = depth.parse().ok().filter(|depth| (1..=Self::MOST_DEPTH).contains(depth));
                let depth = depth.ok_or(CommandError::Depth)?;
                // What the document timed: without and with pruning, in either case no quiescence search.
                let method = match way.trim() {
                    "" => Method::ALPHA_BETA,
                    "unpruned" => Method::NEGAMAX,
                    "quiescence" => WITH_QUIESCENCE,
                    other => return Err(CommandError::Way(crate::quote(other))),
                };
                Ok(self.search(depth, &method, budget)?)
            }
            _ => Err(CommandError::Unknown(crate::quote(line))),
        }
    }

    fn load(&mut self, what: &str) -> Result<(), CommandError> {
        let position = match what {
            "" => return Err(CommandError::NothingToLoad),
            "startpos" => Position::startpos(),
            fen => Position::from_fen(fen)?,
        };
        Ox88::set_up(&position)?;
        self.position = position;
        Ok(())
    }

    fn search(&self, depth: u32, method: &Method, budget: &Budget<'_>) -> Result<String, NotStandard> {
        let board = Ox88::set_up(&self.position)?;
        let started = Instant::now();
        let found = search(&board, evaluate, method, depth, budget);
        let time = started.elapsed().as_secs_f64();
        Ok(format!("{}\nTime: {time:.3}", self.report(&board, &found)))
    }

    /// The findings in the words of the document, the evaluation in pawns for White.
    fn report(&self, board: &Ox88, found: &Found<<Ox88 as ClassicBoard>::Move>) -> String {
        let mate = if is_mate(found.score) { "Checkmate found" } else { "No checkmate found" };
        let score = if self.position.turn() == Color::White { found.score } else { -found.score };
        let pawns = f64::from(score) / 100.0;
        let best = match found.best {
            Some(mv) => {
                let text = self.position.to_uci(board.translate(mv), CastlingStyle::Standard).to_string();
                let (from, to) = text.split_at(2);
                format!("{from} -> {to}")
            }
            None => "none".to_owned(),
        };
        format!("{mate}\nEvaluation at depth {}: {pawns:.2}\nBest move: {best}", found.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(console: &mut Console, line: &str) -> Result<String, CommandError> {
        console.execute(line, &Budget::default())
    }

    #[test]
    fn loads_and_searches_in_the_words_of_the_document() {
        let mut console = Console::default();
        assert_eq!(run(&mut console, "load startpos"), Ok(String::new()));
        let text = run(&mut console, "search 3").unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "No checkmate found");
        assert!(lines[1].starts_with("Evaluation at depth 3: "));
        assert!(lines[2].starts_with("Best move: ") && lines[2].contains(" -> "));
        assert!(lines[3].starts_with("Time: "));
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn searches_with_and_without_pruning_and_quiescence() {
        let mut console = Console::default();
        run(&mut console, "load r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6")
            .unwrap();
        let mut search = |line: &str, nodes: u64| {
            let text = console.execute(line, &Budget { nodes: Some(nodes), ..Budget::default() }).unwrap();
            text.rsplit_once("\nTime: ").unwrap().0.to_owned()
        };
        // Some 40,000 legal sequences of moves.
        let unpruned = search("search 3 unpruned", 100_000);
        assert!(unpruned.contains("Evaluation at depth 3: "), "{unpruned}");
        assert_eq!(search("search 3", 10_000), unpruned, "pruning changes the work, not the result");
        assert!(search("search 3 unpruned", 10_000).contains("at depth 0"), "it is not done by then");
        assert_ne!(search("search 3  quiescence", 100_000), unpruned);
    }

    #[test]
    fn reports_mates_and_scores_for_white() {
        let mut console = Console::default();
        run(&mut console, "load 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").unwrap();
        let text = run(&mut console, "search 2").unwrap();
        assert!(text.starts_with("Checkmate found") && text.contains("Best move: a1 -> a8"), "{text}");
        run(&mut console, "load 4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1").unwrap();
        let text = run(&mut console, "search 1").unwrap();
        assert!(!text.contains(": -"), "White is ahead: {text}");
    }

    #[test]
    fn bad_lines_say_what_there_is() {
        let mut console = Console::default();
        let error = |console: &mut Console, line: &str| run(console, line).unwrap_err().to_string();
        assert!(error(&mut console, "dance").contains("load startpos"));
        assert!(error(&mut console, "load").contains("load FEN"));
        assert!(error(&mut console, "load nonsense").starts_with("cannot load"));
        assert!(
            error(&mut console, "search 3 sideways").contains("unpruned or quiescence, not \"sideways\"")
        );
        for line in ["search", "search x", "search 0", "search -1", "search 61", "search 99999999999"] {
            assert_eq!(run(&mut console, line), Err(CommandError::Depth), "{line}");
        }
        assert!(Console::understands("search 7") && !Console::understands("uci"));
    }
}
