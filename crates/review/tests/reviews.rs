//! Single games, reviewed by the engine.

#![forbid(unsafe_code)]

mod common;

use chess::pgn::{EvalScore, PgnGame, Reader};
use chess::{Game, GameResult};
use common::{GAMES, check_markup};
use review::annotate::{Style, annotate};
use review::record::GameRecord;
use review::{Judgement, Review, ReviewError, Reviewer, Settings, graph, html};
use std::ops::ControlFlow;

fn games() -> Vec<PgnGame> {
    Reader::new(GAMES.as_bytes()).filter_map(Result::ok).collect()
}

fn reviewer() -> Reviewer {
    let options = vec![("Hash".to_owned(), "1".to_owned())];
    Reviewer::new(Settings { nodes: 3000, depth: None, options }).expect("settings that fit")
}

fn review(game: &PgnGame) -> Review {
    reviewer().review_pgn(game, &mut |_| ControlFlow::Continue(())).expect("not cancelled")
}

#[test]
fn overlooking_mate_is_a_blunder_and_the_turning_point() {
    let game = &games()[1];
    let review = review(game);
    let nf6 = &review.moves[5];
    assert_eq!(nf6.numbered_san(), "3... Nf6");
    assert_eq!(nf6.judgement, Some(Judgement::Blunder));
    assert_eq!(nf6.evaluation.score, EvalScore::Mate(1));
    assert_eq!(review.turning_point, Some(5));
    let mate = review.moves.last().expect("moves");
    assert_eq!((mate.judgement, mate.evaluation.score), (None, EvalScore::Mate(0)));
    assert_eq!(mate.evaluation.win_percent, 100.0);
    assert!(review.players[1].count(Judgement::Blunder) >= 1);
    assert!(review.players[0].accuracy > review.players[1].accuracy);

    let exercise = review.exercises.last().expect("an exercise");
    assert_eq!((exercise.ply, exercise.played), (6, nf6.mv));
    assert!(!exercise.solutions.is_empty());
    let sans: Vec<String> = exercise
        .solutions
        .iter()
        .map(|solution| exercise.position.san(solution.line[0]).to_string())
        .collect();
    assert!(sans.iter().all(|san| ["g6", "Qe7", "Qf6", "Nh6", "d5"].contains(&&san[..])), "{sans:?}");
}

#[test]
fn a_repetition_at_the_end_is_a_draw() {
    let review = review(&games()[3]);
    let last = review.moves.last().expect("moves").evaluation;
    assert_eq!((last.score, last.win_percent), (EvalScore::Centipawns(0), 50.0));
}

#[test]
fn a_reviewer_has_no_memory_of_other_games() {
    let games = games();
    let mut reviewer = reviewer();
    let mut go_on = |_| ControlFlow::Continue(());
    let first: Vec<_> = games.iter().map(|game| reviewer.review_pgn(game, &mut go_on)).collect();
    let again: Vec<_> = games.iter().rev().map(|game| reviewer.review_pgn(game, &mut go_on)).collect();
    for (first, again) in first.iter().zip(again.iter().rev()) {
        assert_eq!(first, again);
    }
}

#[test]
fn progress_is_reported_and_a_review_can_be_cancelled() {
    let game = &games()[0];
    let mut reported = Vec::new();
    reviewer()
        .review_pgn(game, &mut |progress| {
            reported.push(progress.done);
            ControlFlow::Continue(())
        })
        .expect("not cancelled");
    assert!(reported.is_sorted() && reported[0] == 0 && reported.contains(&game.line.moves.len()));
    let result = reviewer().review_pgn(game, &mut |progress| match progress.done {
        3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(result, Err(ReviewError::Cancelled));
}

#[test]
fn a_game_without_moves_is_reviewed_too() {
    let review = reviewer().review(&Game::new(), GameResult::Unfinished, &mut |_| ControlFlow::Continue(()));
    let review = review.expect("not cancelled");
    assert_eq!((review.moves.len(), review.turning_point), (0, None));
    check_markup(&graph::svg(&review, "nothing"));
}

#[test]
fn annotations_are_added_to_what_was_there() {
    let mut game = games()[0].clone();
    let review = review(&game);
    annotate(&mut game, &review, &Style { annotator: "Gardez".to_owned(), ..Style::default() });
    let text = game.to_string();
    let again: Vec<PgnGame> = Reader::new(text.as_bytes()).map(|game| game.expect("readable")).collect();
    assert_eq!(again, [game.clone()]);
    let first = &game.line.moves[0].comments[0];
    assert!(first.clock.is_some() && first.eval.is_some());
    assert_eq!(first.text, "the king's pawn");
    assert_eq!(game.line.moves[2].variations[0].moves.len(), 2);
    assert_ne!(game.line.moves[10].comments[0].eval.map(|eval| eval.score), Some(EvalScore::Centipawns(999)));
    assert_eq!(game.tags.get("Annotator"), Some("Gardez"));
    assert!(game.tags.get("WhiteAccuracy").is_some() && game.tags.get("BlackAverageLoss").is_some());
    for (node, review) in game.line.moves.iter().zip(&review.moves) {
        let Some(judgement) = review.judgement else { continue };
        assert_eq!(Some(node.nags[0]), chess::pgn::Nag::from_sign(judgement.sign().as_bytes()));
        assert!(node.variations.iter().any(|line| line.moves[0].mv == review.best_line.first().copied()));
        assert!(node.comments.iter().any(|comment| comment.text.starts_with("Blunder. ")
            || comment.text.starts_with("Mistake. ")
            || comment.text.starts_with("Inaccuracy. ")));
    }

    let once = game.clone();
    annotate(&mut game, &review, &Style { annotator: "Gardez".to_owned(), ..Style::default() });
    assert_eq!(game, once);
    annotate(&mut game, &review, &Style { clean: true, all_lines: true, ..Style::default() });
    assert_eq!(game.line.moves[0].comments[0].text, "");
    assert!(game.line.moves[0].comments[0].clock.is_some());
    let lines = game.line.moves.iter().filter(|node| !node.variations.is_empty()).count();
    assert_eq!(lines, review.moves.iter().filter(|review| !review.is_best()).count());
}

#[test]
fn a_deeper_review_replaces_what_the_first_has_written() {
    let style = Style { annotator: "Gardez 0.1.0, 3000 nodes a move".to_owned(), ..Style::default() };
    let mut twice = games()[0].clone();
    let mut once = twice.clone();
    let first = review(&twice);
    annotate(&mut twice, &first, &style);
    let settings = Settings { nodes: 12_000, ..Settings::default() };
    let mut deeper = Reviewer::new(settings).expect("settings that fit");
    let deeper = deeper.review_pgn(&once, &mut |_| ControlFlow::Continue(())).expect("not cancelled");
    annotate(&mut twice, &deeper, &style);
    annotate(&mut once, &deeper, &style);
    assert_eq!(twice.to_string(), once.to_string());
}

#[test]
fn records_and_pages_are_well_formed() {
    for (index, game) in games().iter().enumerate() {
        let review = review(game);
        let number = index as u64 + 1;
        let json = serde_json::to_string(&GameRecord::new(number, game, &review)).expect("plain data");
        let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(value["game"], number);
        assert_eq!(value["moves"].as_array().map(Vec::len), Some(game.line.moves.len()));
        assert_eq!(value["players"].as_array().map(Vec::len), Some(2));
        let page = [html::head("<Games>"), html::section(number, game, &review), html::foot(1, 0)].concat();
        check_markup(&page);
        check_markup(&html::index_line(number, game, &review, "a.html"));
        let svg = graph::svg(&review, &html::heading(game));
        check_markup(&svg);
        assert!(page.contains("<svg") && svg.matches("<circle").count() == review.exercises.len());
        assert!(!svg.contains("<a "), "a picture alone has nowhere to lead to");
        assert_eq!(page.matches("class=\"diagram\"").count(), review.exercises.len());
        for ply in 1..=review.moves.len() {
            let anchor = format!("game-{number}-move-{ply}");
            assert!(page.contains(&format!("<a href=\"#{anchor}\">")), "{anchor}");
            assert!(page.contains(&format!("<td id=\"{anchor}\">")), "{anchor}");
        }
        assert!(!page.contains("#0<"), "finished games have no score");
    }
}
