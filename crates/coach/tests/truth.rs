//! Nothing that the coach says is false: claims about many positions and moves are checked again by other means.

mod checker;

use chess::random::Random;
use chess::{Game, Position};
use coach::{Catalogue, Claim, Coach, Fact};
use std::collections::BTreeMap;

/// Nodes for each search: few, so that errors happen, and the test is quick.
const NODES: u64 = 4_000;

fn check(claims: &[Claim], about: &str, counts: &mut BTreeMap<String, u32>, faults: &mut Vec<String>) {
    for claim in claims {
        let json = serde_json::to_value(claim).expect("JSON");
        let kind = match &claim.fact {
            Fact::Motif { motif, .. } => format!("{} motif {}", claim.occasion.code(), motif.code()),
            Fact::Feature { feature, .. } => format!("{} feature {}", claim.occasion.code(), feature.code()),
            fact => format!("{} {}", claim.occasion.code(), fact.code()),
        };
        *counts.entry(kind).or_default() += 1;
        if let Err(fault) = checker::check(&json) {
            faults.push(format!("{about}: {fault}\n    {json}"));
        }
    }
}

/// Plays a game of moves that are often random, explains each, and checks the claims.
fn explain_games(games: u64, plies: usize) -> (BTreeMap<String, u32>, Vec<String>) {
    let mut coach = Coach::new(NODES).expect("an engine");
    let (mut counts, mut faults) = (BTreeMap::new(), Vec::new());
    for index in 0..games {
        let mut random = Random::stream(7, index);
        let mut game = Game::new();
        for _ in 0..plies {
            if game.is_over() {
                break;
            }
            let position = *game.position();
            let claims = coach.position(&game).expect("a search");
            check(&claims, &position.to_fen(), &mut counts, &mut faults);
            let best = claims.iter().find_map(|claim| claim.variation()?.moves.first().copied());
            let moves = position.legal_moves();
            let any = moves[random.below(moves.len())];
            let mv = if random.below(3) == 0 {
                best.filter(|&mv| position.is_legal(mv)).unwrap_or(any)
            } else {
                any
            };
            let explanation = coach.mv(&game, mv).expect("a search");
            check(
                &explanation.claims,
                &format!("{} {}", position.to_fen(), position.san(mv)),
                &mut counts,
                &mut faults,
            );
            game.replay(mv).expect("legal");
        }
    }
    (counts, faults)
}

#[test]
fn no_claim_is_false() {
    let (counts, faults) = explain_games(6, 40);
    let total: u32 = counts.values().sum();
    assert!(faults.is_empty(), "{} of {total} claims are false:\n{}", faults.len(), faults.join("\n"));
    assert!(total > 500 && counts.len() > 15, "too few kinds of claims to mean anything: {counts:?}");
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
fn a_false_claim_is_found() {
    let start: Position = "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1".parse().unwrap();
    let mut coach = Coach::new(NODES).expect("an engine");
    let claims = coach.position(&Game::from_position(start)).unwrap();
    let material =
        claims.iter().find(|claim| matches!(claim.fact, Fact::Material { .. })).expect("a queen is won");
    let mut json = serde_json::to_value(material).unwrap();
    assert_eq!(checker::check(&json), Ok(()));
    json["gained"] = serde_json::json!(["rook"]);
    assert!(checker::check(&json).is_err());
}
