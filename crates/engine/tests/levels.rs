//! Levels as a front end sees them.

use chess::{Game, Move, Outcome, Position, Reason};
use engine::{Clock, Engine, Event, Level, Limits};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Long enough for the slowest machine; nothing here waits for it unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(60);

struct Player {
    engine: Engine,
    outcomes: Receiver<engine::Outcome>,
}

impl Player {
    fn new(level: Level, seed: u64) -> Self {
        let (sender, outcomes) = channel();
        let mut engine = Engine::with_sink(Arc::new(move |event| {
            if let Event::Finished(outcome) = event {
                let _ = sender.send(outcome);
            }
        }));
        engine.set_option("Hash", "1").unwrap();
        engine.set_option("Game Seed", &seed.to_string()).unwrap();
        engine.set_level(level).unwrap();
        Self { engine, outcomes }
    }

    fn think(&mut self, game: &Game, limits: Limits) -> engine::Outcome {
        self.engine.set_game(game);
        self.engine.go(limits);
        self.outcomes.recv_timeout(PATIENCE).expect("an answer")
    }

    fn choose(&mut self, game: &Game) -> Move {
        self.think(game, Limits::default()).best.expect("a move")
    }
}

fn game(fen: &str) -> Game {
    Game::from_position(fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")))
}

#[test]
fn queen_and_rook_mate_a_lone_king_at_every_level_from_800() {
    let mut defender = Player::new(Level::Full, 1);
    let levels = Level::ALL.into_iter().filter(|&level| level >= Level::Elo(800) && level != Level::Full);
    for level in levels.chain([Level::Elo(800)]) {
        for (seed, fen) in
            ["8/8/4k3/8/8/8/8/R3K3 w - - 0 1", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"].iter().enumerate()
        {
            let mut attacker = Player::new(level, seed as u64 + 1);
            let mut game = game(fen);
            while game.outcome().is_none() {
                let mv = if game.position().turn() == chess::Color::White {
                    attacker.choose(&game)
                } else {
                    defender.think(&game, Limits::nodes(300)).best.expect("a move")
                };
                game.play(mv).expect("a legal move");
            }
            let outcome = game.outcome().expect("the end");
            assert!(
                outcome == Outcome::win(chess::Color::White, Reason::Checkmate),
                "{level} from {fen}: {outcome:?}"
            );
        }
    }
}

#[test]
fn a_mate_in_one_is_played_at_every_level() {
    for level in Level::ALL {
        for (fen, mate) in [
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8"),
            ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7"),
        ] {
            for seed in 1..6 {
                let game = game(fen);
                let limits = if level == Level::Full { Limits::nodes(2_000) } else { Limits::default() };
                let outcome = Player::new(level, seed).think(&game, limits);
                let expected = game.position().parse_uci(mate).expect("a move");
                assert_eq!(outcome.best, Some(expected), "{level}, seed {seed}, {fen}");
            }
        }
    }
}

#[test]
fn a_hanging_queen_is_taken_at_every_level() {
    for level in Level::ALL {
        for seed in 1..6 {
            let game = game("rnb1kbnr/pppp1ppp/8/4p1q1/4P3/3P1N2/PPP2PPP/RNBQKB1R w KQkq - 1 4");
            let limits = if level == Level::Full { Limits::nodes(2_000) } else { Limits::default() };
            let best = Player::new(level, seed).think(&game, limits).best.expect("a move");
            assert_eq!(best.to().to_string(), "g5", "{level}, seed {seed}");
        }
    }
}

#[test]
fn the_seed_decides_the_game_whatever_else_was_thought_about() {
    let play = |seed, hints: bool| {
        let mut player = Player::new(Level::Elo(900), seed);
        let mut game = Game::new();
        for _ in 0..12 {
            if hints {
                player.engine.set_option("UCI_AnalyseMode", "true").unwrap();
                player.think(&game, Limits::nodes(500));
                player.engine.set_option("UCI_AnalyseMode", "false").unwrap();
            }
            let mv = player.choose(&game);
            game.play(mv).expect("a legal move");
        }
        game.position().to_fen()
    };
    assert_eq!(play(1, false), play(1, false));
    assert_eq!(play(1, false), play(1, true));
    assert_ne!(play(1, false), play(2, false));
}

#[test]
fn analysis_is_at_full_strength() {
    let game = game("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
    let mut weak = Player::new(Level::ALL[0], 1);
    let mut strong = Player::new(Level::Full, 1);
    let limits = Limits { nodes: Some(5_000), ..Limits::default() };
    assert!(weak.think(&game, limits.clone()).usage.nodes < 2_000);
    weak.engine.set_option("UCI_AnalyseMode", "true").unwrap();
    let (hint, best) = (weak.think(&game, limits.clone()), strong.think(&game, limits));
    assert_eq!((hint.best, hint.usage.nodes), (best.best, best.usage.nodes));
}

#[test]
fn a_level_keeps_to_the_clock() {
    let limits = Limits { clocks: [Some(Clock { left_ms: 1, increment_ms: 0 }); 2], ..Limits::default() };
    let mut player = Player::new(Level::Elo(Level::MAX_ELO), 1);
    let on_the_clock = player.think(&Game::new(), limits).usage.nodes;
    assert!(on_the_clock < player.think(&Game::new(), Limits::default()).usage.nodes);
}

#[test]
fn a_finished_game_has_no_move_at_any_level() {
    let mated: Position = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().expect("a position");
    let outcome = Player::new(Level::ALL[4], 1).think(&Game::from_position(mated), Limits::default());
    assert_eq!(outcome.best, None);
}
