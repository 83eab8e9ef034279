//! Nothing that the coach says is false: claims about many positions and moves are checked again by other means.

mod checker;

use checker::survey::Survey;
use chess::random::Random;
use chess::{Game, Position};
use coach::structure::Feature;
use coach::{Catalogue, Claim, Coach, Fact, Occasion};

/// Nodes for each search: few, so that errors happen, and the test is quick.
const NODES: u64 = 4_000;

/// Plays games of moves that are often random, asks about each, and checks the answers.
fn survey_games(games: u64, plies: usize) -> Survey {
    let mut survey = Survey::new(NODES);
    for index in 0..games {
        let mut random = Random::stream(7, index);
        let mut game = Game::new();
        for _ in 0..plies {
            if game.is_over() {
                break;
            }
            let position = *game.position();
            let claims = survey.position(&game);
            let best = claims.iter().find_map(|claim| claim.variation()?.moves.first().copied());
            let moves = position.legal_moves();
            let any = moves[random.below(moves.len())];
            let mv = if random.below(3) == 0 {
                best.filter(|&mv| position.is_legal(mv)).unwrap_or(any)
            } else {
                any
            };
            survey.mv(&game, mv);
            if random.below(4) == 0 {
                survey.hint(&game);
                survey.compare(&game, [mv, moves[0]]);
            }
            game.replay(mv).expect("legal");
        }
    }
    survey
}

#[test]
fn no_claim_is_false() {
    let survey = survey_games(6, 40);
    let total: u32 = survey.counts.values().sum();
    let faults = &survey.faults;
    assert!(faults.is_empty(), "{} of {total} claims are false:\n{}", faults.len(), faults.join("\n"));
    let unconfirmed = &survey.unconfirmed;
    assert!(unconfirmed.len() * 100 <= total as usize, "not confirmed:\n{}", unconfirmed.join("\n"));
    let contradictions = &survey.contradictions;
    assert!(contradictions.is_empty(), "{}", contradictions.join("\n"));
    let kinds = survey.counts.len();
    assert!(total > 500 && kinds > 15, "too few kinds of claims to mean anything: {:?}", survey.counts);
    let [errors, explained] = survey.errors;
    assert!(explained * 100 >= errors * 95, "{explained} of {errors} errors have a reason");
    assert!(survey.moves > 100 && survey.sentences.values().all(|kept| !kept.is_empty()));
}

fn explain(fen: &str) -> String {
    let position: Position = fen.parse().unwrap();
    let claims = Coach::new(50_000).expect("an engine").position(&Game::from_position(position)).unwrap();
    Catalogue::english().paragraph(&claims)
}

#[test]
fn the_tactic_comes_before_the_long_run() {
    let mate = explain("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    assert!(mate.contains("White mates at once with 1. Rd8#.") && mate.contains("back-rank mate"), "{mate}");
    let queen = explain("rnbqkb1r/pppp1ppp/5n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3");
    assert!(queen.contains("Black wins a queen with 3... Nxh5."), "{queen}");
    let queen = explain("rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1");
    assert!(queen.contains("White wins a queen with 1. Nxg5."), "{queen}");
    let isolated = explain("r1bq1rk1/pp3ppp/2n1pn2/8/1bBP4/2N2N2/PP3PPP/R1BQR1K1 w - - 0 1");
    assert!(isolated.contains("White has an isolated pawn on d4."), "{isolated}");
    let mate = explain("6k1/R4ppp/8/8/8/6P1/5PKP/1r6 w - - 0 1");
    assert!(mate.contains("White mates in 2: 1. Ra8+ Rb8 2. Rxb8#."), "{mate}");
}

#[test]
fn finished_games_are_named_as_such() {
    let mated = explain("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    assert_eq!(mated, "White is checkmated: Black has won.");
    assert!(explain("k7/8/1Q6/8/8/8/8/K7 b - - 0 1").contains("stalemate"));
    assert!(explain("k7/8/8/8/8/8/8/KB6 w - - 0 1").contains("Neither side has enough left to mate"));
}

#[test]
fn draws_are_said_as_draws() {
    for drawn in [
        "k7/8/1K6/P7/8/8/8/8 w - - 0 1",
        "8/8/8/1k6/8/8/1p6/1K6 w - - 0 1",
        "7k/7P/8/6KB/7P/8/8/8 w - - 0 1",
        "8/8/8/3k4/8/8/8/3KNN2 w - - 0 1",
    ] {
        let text = explain(drawn);
        assert!(text.starts_with("The game is drawn: "), "{drawn}: {text}");
        assert!(!text.contains("better") && !text.contains("winning"), "{drawn}: {text}");
    }
    let perpetual = explain("7k/5p1p/8/6Q1/8/8/qr3PPP/6K1 w - - 0 1");
    assert!(perpetual.contains("White saves the game by perpetual check"), "{perpetual}");
    let stalemate = explain("7k/7p/8/8/8/8/2q5/K5R1 w - - 0 1");
    assert!(stalemate.contains("White saves the game by stalemate"), "{stalemate}");
}

#[test]
fn zugzwang_is_named() {
    let text = explain("8/8/8/2Kp4/3Pk3/8/8/8 w - - 0 1");
    assert!(text.contains("White is in zugzwang"), "{text}");
    let free = explain("8/8/8/3p4/3P4/1K4k1/8/8 w - - 0 1");
    assert!(!free.contains("zugzwang"), "{free}");
}

#[test]
fn two_moves_are_compared_and_hints_come_in_steps() {
    let hanging: Position =
        "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1".parse().unwrap();
    let game = Game::from_position(hanging);
    let mut coach = Coach::new(10_000).expect("an engine");
    let catalogue = Catalogue::english();
    let moves = ["a3", "Nxg5"].map(|san| hanging.parse_san(san).expect("legal"));
    let comparison = coach.compare(&game, moves).unwrap();
    assert_eq!(comparison.better, moves[1]);
    let text = catalogue.paragraph(&comparison.claims);
    assert!(text.starts_with("1. Nxg5 is better than 1. a3.") && text.contains("queen"), "{text}");
    let hints: Vec<String> =
        coach.hint(&game).unwrap().iter().map(|claim| catalogue.sentence(claim)).collect();
    let expected = ["Look at the queen on g5.", "A piece is not defended.", "The move is 1. Nxg5."];
    assert_eq!(hints, expected);
    let threatened = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 3";
    let threat = coach.threat(&Game::from_position(threatened.parse().unwrap())).unwrap().expect("a threat");
    assert_eq!(catalogue.sentence(&threat), "White threatens mate with 4. Qxf7#.");
}

#[test]
fn a_new_queen_is_not_a_queen_won_for_a_pawn() {
    let text = explain("8/P7/8/8/7k/8/8/K7 w - - 0 1");
    assert!(text.contains("White gets a new queen with 1. a8=Q."), "{text}");
    let text = explain("1n6/P7/8/8/7k/8/8/K7 w - - 0 1");
    assert!(text.contains("White gets a new queen and a knight with 1. axb8=Q."), "{text}");
}

#[test]
fn a_mate_that_the_other_side_must_let_happen_is_not_at_once() {
    let text = explain("8/8/8/8/8/5k2/P4q2/7K w - - 0 1");
    assert!(text.contains("Black mates on the next move: 1. a"), "{text}");
}

#[test]
fn part_of_an_attack_is_no_attack() {
    for feature in [Feature::KingAttack, Feature::BishopPair, Feature::DoubledPawns] {
        assert!(feature.is_whole());
    }
    let position: Position = "5rk1/5ppp/8/6NQ/8/3B4/5PPP/6K1 w - - 0 1".parse().unwrap();
    let claims = Coach::new(2_000).expect("an engine").position(&Game::from_position(position)).unwrap();
    let attackers = claims.iter().filter_map(|claim| match &claim.fact {
        Fact::Feature { feature: Feature::KingAttack, squares, .. } => Some(squares.count()),
        _ => None,
    });
    assert!(attackers.into_iter().all(|count| count >= 3));
}

#[test]
fn a_plan_of_many_moves_is_no_threat() {
    // Black's passed pawn needs five moves: it runs, but it threatens nothing yet.
    let game = Game::from_position("8/8/4k3/2KpP2p/5P2/8/8/8 w - - 0 54".parse().unwrap());
    let threat = Coach::new(20_000).expect("an engine").threat(&game).unwrap();
    assert_eq!(threat.map(|claim| Catalogue::english().sentence(&claim)), None);
}

#[test]
fn one_bishop_is_one_bishop() {
    let claim = |fen: &str| {
        let start: Position = fen.parse().unwrap();
        let squares = coach::structure::squares(&start, chess::Color::White, Feature::BishopOutpost);
        let variation = coach::claim::Variation { start, moves: Vec::new() };
        let fact =
            Fact::Feature { feature: Feature::BishopOutpost, side: chess::Color::White, squares, variation };
        Catalogue::english().sentence(&Claim::new(Occasion::Position, fact))
    };
    let one = claim("4k3/pp6/8/3B4/4P3/8/8/4K3 w - - 0 1");
    assert_eq!(one, "White has a bishop on the outpost d5, where no pawn can drive it away.");
}

#[test]
fn a_false_claim_is_found() {
    let start: Position = "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1".parse().unwrap();
    let mut coach = Coach::new(NODES).expect("an engine");
    let claims = coach.position(&Game::from_position(start)).unwrap();
    let material =
        claims.iter().find(|claim| matches!(claim.fact, Fact::Material { .. })).expect("a queen is won");
    let mut json = serde_json::to_value(material).unwrap();
    assert_eq!(checker::check(&json), Ok(()));
    assert!(checker::contradicts(std::slice::from_ref(&json), -600, "white").is_some());
    json["gained"] = serde_json::json!(["rook"]);
    assert!(checker::check(&json).is_err());
}
