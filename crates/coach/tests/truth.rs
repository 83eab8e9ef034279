//! Nothing that the coach says is false: claims about many positions and moves are checked again by other means.

mod checker;

use chess::random::Random;
use chess::{Game, Position};
use coach::{Claim, Coach, Fact};
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
            let claims = coach.position(&game);
            check(&claims, &position.to_fen(), &mut counts, &mut faults);
            let best = claims.iter().find_map(|claim| claim.variation()?.moves.first().copied());
            let moves = position.legal_moves();
            let any = moves[random.below(moves.len())];
            let mv = if random.below(3) == 0 {
                best.filter(|&mv| position.is_legal(mv)).unwrap_or(any)
            } else {
                any
            };
            let explanation = coach.mv(&game, mv);
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

#[test]
fn a_false_claim_is_found() {
    let start: Position = "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1".parse().unwrap();
    let mut coach = Coach::new(NODES).expect("an engine");
    let claims = coach.position(&Game::from_position(start));
    let material =
        claims.iter().find(|claim| matches!(claim.fact, Fact::Material { .. })).expect("a queen is won");
    let mut json = serde_json::to_value(material).unwrap();
    assert_eq!(checker::check(&json), Ok(()));
    json["gained"] = serde_json::json!(["rook"]);
    assert!(checker::check(&json).is_err());
}
