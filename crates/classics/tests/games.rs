//! The classics at play: whole games without an illegal move, and the ways they end.

use chess::{Game, GameResult, Outcome, Position};
use classics::{Budget, Classic, ClassicSpec, Decision, ThinkError};

/// Plays until the game ends by rule or resignation; a draw that can be claimed is.
fn play(mut players: [Box<dyn Classic + Send>; 2], mut game: Game, budget: &Budget<'_>) -> Game {
    while !game.is_over() {
        if game.claimable().is_some() {
            game.claim_draw().unwrap();
            break;
        }
        let turn = game.position().turn();
        let player = &mut players[turn.index()];
        let choice = player.think(&game, budget).unwrap();
        match choice.decision {
            Decision::Play(mv) => {
                let position = *game.position();
                game.play(mv).unwrap_or_else(|error| panic!("{} in {position}: {error}", player.name()));
            }
            Decision::Resign => {
                game.resign(turn).unwrap();
            }
        }
    }
    game
}

#[test]
fn each_classic_plays_a_whole_game_against_itself() {
    let budget = Budget { depth: Some(2), nodes: Some(5_000), ..Budget::default() };
    for spec in ClassicSpec::ALL {
        let game = play([spec.create(), spec.create()], Game::new(), &budget);
        assert!(game.outcome().is_some(), "{spec}");
        assert!(game.ply() > 10, "{spec}");
    }
}

#[test]
fn each_classic_meets_every_other() {
    let budget = Budget { depth: Some(1), nodes: Some(2_000), ..Budget::default() };
    for first in ClassicSpec::ALL {
        for second in ClassicSpec::ALL {
            let game = play([first.create(), second.create()], Game::new(), &budget);
            assert!(game.outcome().is_some(), "{first} against {second}");
        }
    }
}

#[test]
fn each_classic_wins_with_two_rooks() {
    let start = Position::from_fen("7k/8/8/8/8/8/1R6/R3K3 w - - 0 1").unwrap();
    let budget = Budget { depth: Some(4), nodes: Some(30_000), ..Budget::default() };
    for spec in ClassicSpec::ALL {
        let game = play([spec.create(), spec.create()], Game::from_position(start), &budget);
        let result = game.outcome().map(Outcome::result);
        assert_eq!(result, Some(GameResult::WhiteWins), "{spec}: {:?}", game.outcome());
    }
}

#[test]
fn promotions_castling_and_en_passant_are_legal_moves_too() {
    let budget = Budget::with_depth(2);
    for fen in [
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        "8/P7/8/8/8/8/7p/k6K w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ] {
        let game = Game::from_position(Position::from_fen(fen).unwrap());
        for spec in ClassicSpec::ALL {
            if let Some(mv) = spec.create().think(&game, &budget).unwrap().mv() {
                assert!(game.position().is_legal(mv), "{spec}: {mv:?} in {fen}");
            }
        }
    }
}

#[test]
fn finished_and_foreign_games_are_refused() {
    let mated = Game::from_position(Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").unwrap());
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let chess960 = Game::from_position(Position::from_fen(fen).unwrap());
    for spec in ClassicSpec::ALL {
        let mut player = spec.create();
        assert_eq!(player.think(&mated, &Budget::default()), Err(ThinkError::NoMoves), "{spec}");
        let refused = player.think(&chess960, &Budget::default());
        assert!(matches!(refused, Err(ThinkError::NotStandard(_))), "{spec}");
    }
}

#[test]
fn the_same_game_gives_the_same_thoughts() {
    let budget = Budget { nodes: Some(20_000), ..Budget::default() };
    for spec in ClassicSpec::ALL {
        let think = || spec.create().think(&Game::new(), &budget).unwrap();
        assert_eq!(think(), think(), "{spec}");
    }
}
