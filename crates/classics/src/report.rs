//! What a search did, as a table to read.

use crate::{Choice, Counts, Decision, Iteration, Source};
use chess::{Move, Position};
use std::fmt::Write;
use std::time::Duration;

impl Choice {
    /// What the program chose in this position and, line by line, what each iteration of its search did: nodes,
    /// table hits and cutoffs of the full-width search and of the quiescence search below it.
    #[must_use]
    pub fn table(&self, position: &Position, time: Duration) -> String {
        let san = |mv: Move| position.san(mv).to_string();
        let chosen = match self.decision {
            Decision::Play(mv) => san(mv),
            Decision::Resign => "resigns".to_owned(),
        };
        let seconds = time.as_secs_f64();
        if self.source != Source::Search {
            let source = if self.source == Source::Book { "its book" } else { "memory" };
            return format!("{chosen}, from {source}, {seconds:.2} s\n");
        }
        let nodes = self.nodes();
        let mut text = format!("{chosen}, score {}, {nodes} nodes, {seconds:.2} s", pawns(self.score));
        if time >= Duration::from_millis(1) {
            let _ = write!(text, ", {:.0} nodes a second", nodes as f64 / seconds);
        }
        text.push_str("\n                        full-width                    quiescence\n");
        text.push_str("depth best      score     nodes     hits  cutoffs     nodes     hits  cutoffs\n");
        for Iteration { depth, best, score, statistics } in &self.iterations {
            let best = best.map(san).unwrap_or_default();
            let _ = write!(text, "{depth:>5} {best:<7} {:>7}", pawns(*score));
            for Counts { nodes, table_hits, cutoffs, .. } in [statistics.regular, statistics.quiescence] {
                let _ = write!(text, " {nodes:>9} {table_hits:>8} {cutoffs:>8}");
            }
            text.push('\n');
        }
        text
    }
}

/// A score in pawns.
fn pawns(score: i32) -> String {
    format!("{:+.2}", f64::from(score) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, ClassicSpec};
    use chess::Game;

    #[test]
    fn every_iteration_has_a_line() {
        let fen = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6";
        let game = Game::from_position(Position::from_fen(fen).unwrap());
        let spec: ClassicSpec = "javachess".parse().unwrap();
        let choice = spec.create().think(&game, &Budget::with_depth(3)).unwrap();
        let text = choice.table(game.position(), Duration::from_secs(2));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3 + choice.iterations.len(), "{text}");
        assert!(lines[0].contains(&format!("{} nodes, 2.00 s, ", choice.nodes())), "{text}");
        let numbers: Vec<u64> = lines[4].split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let Iteration { depth, statistics, .. } = choice.iterations[1];
        let (regular, quiescence) = (statistics.regular, statistics.quiescence);
        let expected = [regular, quiescence].map(|part| [part.nodes, part.table_hits, part.cutoffs]);
        assert!(numbers.ends_with(expected.as_flattened()) && numbers[0] == u64::from(depth), "{text}");
        assert!(quiescence.nodes > 0 && regular.cutoffs > 0);

        let by_book = spec.create().think(&Game::new(), &Budget::default()).unwrap();
        assert_eq!(by_book.table(&Position::startpos(), Duration::ZERO), "e4, from its book, 0.00 s\n");
    }
}
