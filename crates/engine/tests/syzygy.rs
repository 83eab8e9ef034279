//! End game tables in the search and at the root. `scripts/fetch-syzygy.sh` brings the tables.

use chess::{Color, Game, Position};
use engine::{Engine, Event, Limits, Outcome, Score};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

fn tables_directory() -> PathBuf {
    let data = std::env::var_os("GARDEZ_TEST_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/test-data"), PathBuf::from);
    let directory = data.join("syzygy");
    assert!(directory.is_dir(), "no Syzygy tables in {}: run scripts/fetch-syzygy.sh", directory.display());
    directory
}

struct Subject {
    engine: Engine,
    outcome: Arc<Mutex<Option<Outcome>>>,
}

impl Subject {
    fn new() -> Self {
        let outcome = Arc::new(Mutex::new(None));
        let told = Arc::clone(&outcome);
        let mut engine = Engine::with_sink(Arc::new(move |event| {
            if let Event::Finished(outcome) = event {
                *told.lock().unwrap() = Some(outcome);
            }
        }));
        engine.set_option("SyzygyPath", tables_directory().to_str().unwrap()).unwrap();
        Self { engine, outcome }
    }

    fn think(&mut self, game: &Game, limits: Limits) -> Outcome {
        self.engine.set_game(game);
        self.engine.go(limits);
        self.engine.wait();
        self.outcome.lock().unwrap().take().unwrap()
    }
}

fn game(fen: &str) -> Game {
    Game::from_position(fen.parse::<Position>().unwrap())
}

#[test]
fn the_search_asks_the_tables_below_the_root() {
    // Five men on the board, tables for four: every capture leads into them.
    let outcome = Subject::new().think(&game("8/8/8/3k4/8/3r4/3P4/R2K4 w - - 0 1"), Limits::depth(10));
    assert!(outcome.usage.tablebase_hits > 0);
}

#[test]
fn a_drawn_ending_is_known_to_be_drawn() {
    let outcome = Subject::new().think(&game("8/8/8/4k3/8/8/4P3/4K2r w - - 0 1"), Limits::depth(6));
    assert!(outcome.lines[0].score < Score::DRAW, "the rook wins: {:?}", outcome.lines[0].score);
    let outcome = Subject::new().think(&game("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"), Limits::depth(8));
    let score = outcome.lines[0].score;
    assert!(!score.is_decisive(), "{score:?}");
}

#[test]
fn bishop_and_knight_mate_within_the_fifty_moves_even_when_hardly_thinking() {
    let mut subject = Subject::new();
    let mut game = game("8/8/8/4k3/8/8/8/KBN5 w - - 0 1");
    while !game.is_over() {
        let outcome = subject.think(&game, Limits::nodes(200));
        game.play(outcome.best.unwrap()).unwrap();
        assert!(game.position().halfmove_clock() < 100, "{}", game.position());
    }
    assert_eq!(game.outcome().unwrap().winner, Some(Color::White));
}
