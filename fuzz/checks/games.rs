//! From a PGN through the review to every kind of report.

use chess::pgn::Reader;
use review::annotate::{Style, annotate};
use review::record::GameRecord;
use review::{Reviewer, Settings, html};
use std::cell::RefCell;
use std::ops::ControlFlow;

/// The most moves of a game that is reviewed.
const MOVES: usize = 12;

thread_local! {
    static REVIEWER: RefCell<Option<Reviewer>> = const { RefCell::new(None) };
}

pub fn check_review(bytes: &[u8]) {
    let Some(Ok(mut game)) = Reader::new(bytes).next() else { return };
    if game.moves().count() > MOVES {
        return;
    }
    REVIEWER.with_borrow_mut(|reviewer| {
        let reviewer = reviewer.get_or_insert_with(|| {
            Reviewer::new(Settings { nodes: 20, ..Settings::default() }).expect("settings that fit")
        });
        let Ok(review) = reviewer.review_pgn(&game, &mut |_| ControlFlow::Continue(())) else { return };
        let page = html::section(1, &game, &review);
        // Whatever the game is called, it is no markup.
        assert!(!page.contains("<script"));
        let record = GameRecord::new(1, &game, &review);
        serde_json::to_string(&record).expect("JSON");
        let moves: Vec<_> = game.moves().collect();
        annotate(&mut game, &review, &Style::default());
        let written = game.to_string();
        let again = Reader::new(written.as_bytes()).next().expect("a game").expect("a game");
        assert_eq!(again.moves().collect::<Vec<_>>(), moves, "{written}");
    });
}
