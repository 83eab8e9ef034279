//! Reviews and explanations, as JSON that the package reads.

use crate::board::AnyBoard;
use crate::games::Game;
use crate::moves::AnyMove;
use crate::work::{failed, interruptible, wrong};
use chess::pgn::PgnGame;
use coach::{Catalogue, Claim, Coach};
use engine::StopToken;
use pyo3::prelude::*;
use review::annotate::{Style, annotate};
use review::record::GameRecord;
use review::{Reviewer, Settings};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The record of a reviewed game as JSON, and the game with annotations.
#[pyfunction]
pub(crate) fn review_game(
    py: Python<'_>,
    game: &Game,
    nodes: u64,
    depth: Option<i32>,
    options: Vec<(String, String)>,
) -> PyResult<(String, Game)> {
    let stop = StopToken::new();
    let game = Arc::clone(&game.0);
    interruptible(py, &stop, || {
        let mut reviewer = Reviewer::new(Settings { nodes, depth, options }).map_err(wrong)?.until(&stop);
        let review = reviewer.review_pgn(&game, &mut |_| ControlFlow::Continue(())).map_err(failed)?;
        let record = serde_json::to_string(&GameRecord::new(1, &game, &review)).map_err(failed)?;
        let mut annotated: PgnGame = (*game).clone();
        let annotator = format!("Gardez {}, {nodes} nodes a move", env!("CARGO_PKG_VERSION"));
        annotate(&mut annotated, &review, &Style { annotator, ..Style::default() });
        Ok((record, Game(Arc::new(annotated))))
    })?
}

/// Why a move is good or bad, as JSON.
#[pyfunction]
pub(crate) fn explain_move(
    py: Python<'_>,
    board: AnyBoard,
    r#move: AnyMove,
    nodes: u64,
    tablebases: Option<&str>,
) -> PyResult<String> {
    let game = &board.0.0;
    let mv = r#move.resolve(game.position())?;
    let stop = StopToken::new();
    interruptible(py, &stop, || {
        let explanation = coach(nodes, tablebases, &stop)?.mv(game, mv).map_err(failed)?;
        let catalogue = Catalogue::english();
        let san = game.position().san(mv).to_string();
        let judgement = explanation.judgement.map(|judgement| judgement.to_string().to_lowercase());
        let record = json!({
            "move": san,
            "loss": (explanation.loss * 10.0).round() / 10.0,
            "judgement": judgement,
            "error": explanation.kind.map(coach::ErrorKind::code),
            "claims": with_text(&catalogue, &explanation.claims),
            "text": catalogue.judged_move(&san, &explanation),
        });
        Ok(record.to_string())
    })?
}

/// What there is to say about a position, as JSON.
#[pyfunction]
pub(crate) fn explain_position(
    py: Python<'_>,
    board: AnyBoard,
    nodes: u64,
    tablebases: Option<&str>,
) -> PyResult<String> {
    let game = &board.0.0;
    let stop = StopToken::new();
    interruptible(py, &stop, || {
        let claims = coach(nodes, tablebases, &stop)?.position(game).map_err(failed)?;
        let catalogue = Catalogue::english();
        let record = json!({
            "move": null, "loss": 0.0, "judgement": null, "error": null,
            "claims": with_text(&catalogue, &claims),
            "text": catalogue.paragraph(&claims),
        });
        Ok(record.to_string())
    })?
}

fn coach(nodes: u64, tablebases: Option<&str>, stop: &StopToken) -> PyResult<Coach> {
    let coach = Coach::new(nodes).map_err(wrong)?.until(stop);
    match tablebases {
        Some(path) => coach.with_tablebases(path).map_err(wrong),
        None => Ok(coach),
    }
}

fn with_text(catalogue: &Catalogue, claims: &[Claim]) -> Vec<Value> {
    let record = |claim: &Claim| {
        let mut json = json!(claim);
        json["text"] = Value::from(catalogue.sentence(claim));
        json
    };
    claims.iter().map(record).collect()
}
