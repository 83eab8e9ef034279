//! The engine. `python/gardez/engine.py` dresses what comes from here in the classes of python-chess.

use crate::board::AnyBoard;
use crate::moves::{AnyMove, Move};
use crate::work::{failed, interruptible, wrong};
use chess::pgn::EvalScore;
use chess::{CastlingStyle, Position};
use engine::options::{Kind, TABLE, Value};
use engine::{Bound as ScoreBound, Clock, Engine, Event, Limits, Line, StopToken, Usage};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// An engine in this process.
#[pyclass(module = "gardez", frozen)]
pub(crate) struct RawEngine {
    engine: Mutex<Engine>,
    stop: Mutex<StopToken>,
}

/// Rank, depth, selective depth, centipawns, moves to mate, bound, win, draw and loss in thousandths, moves.
type Found = (usize, i32, usize, Option<i32>, Option<i32>, &'static str, (u32, u32, u32), Vec<Move>);
/// Nodes, seconds, nodes a second, fill of the table in thousandths, tablebase hits.
type Used = (u64, f64, u64, u32, u64);
/// Best move, expected answer, lines, what was used.
type Answer = (Option<Move>, Option<Move>, Vec<Found>, Used);

fn found(line: &Line, position: &Position, style: CastlingStyle) -> Found {
    let (centipawns, mate) = match line.score.to_eval() {
        EvalScore::Centipawns(value) => (Some(value), None),
        EvalScore::Mate(moves) => (None, Some(moves)),
    };
    let bound = match line.bound {
        ScoreBound::Exact => "exact",
        ScoreBound::Lower => "lower",
        ScoreBound::Upper => "upper",
    };
    let chances = line.score.chances();
    let mut position = *position;
    let mut moves = Vec::with_capacity(line.moves.len());
    for &mv in &line.moves {
        moves.push(Move::of(&position, mv, style));
        position.play(mv);
    }
    let wdl = (chances.win, chances.draw, chances.loss);
    (line.rank, line.depth, line.selective_depth, centipawns, mate, bound, wdl, moves)
}

fn used(usage: &Usage) -> Used {
    let Usage { nodes, time, hash_full, tablebase_hits } = *usage;
    (nodes, time.as_secs_f64(), usage.nodes_per_second(), hash_full, tablebase_hits)
}

fn seconds(value: f64, what: &str) -> PyResult<Duration> {
    Duration::try_from_secs_f64(value)
        .map_err(|_| wrong(format!("{what}: {value} is not a number of seconds")))
}

/// Limits by the names of python-chess.
fn limits(limit: &Bound<'_, PyDict>) -> PyResult<Limits> {
    fn get<'py, T>(limit: &Bound<'py, PyDict>, name: &str) -> PyResult<Option<T>>
    where
        T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
    {
        let value = limit.get_item(name)?.filter(|value| !value.is_none());
        value.map(|value| value.extract::<T>().map_err(Into::into)).transpose()
    }
    let clock = |left: &str, increment: &str| -> PyResult<Option<Clock>> {
        let milliseconds = |value: f64| (value * 1000.0) as i64;
        let left: Option<f64> = get(limit, left)?;
        let increment: Option<f64> = get(limit, increment)?;
        let increment_ms = milliseconds(increment.unwrap_or(0.0));
        Ok(left.map(|left| Clock { left_ms: milliseconds(left), increment_ms }))
    };
    let time: Option<f64> = get(limit, "time")?;
    Ok(Limits {
        clocks: [clock("white_clock", "white_inc")?, clock("black_clock", "black_inc")?],
        moves_to_go: get(limit, "remaining_moves")?,
        move_time: time.map(|time| seconds(time, "time")).transpose()?,
        depth: get(limit, "depth")?,
        nodes: get(limit, "nodes")?,
        mate: get(limit, "mate")?,
        ..Limits::default()
    })
}

#[pymethods]
impl RawEngine {
    #[new]
    fn new() -> Self {
        Self { engine: Mutex::new(Engine::new()), stop: Mutex::new(StopToken::new()) }
    }

    /// The options with their values; None for what is to be done rather than set.
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        let settings =
            py.detach(|| self.engine.lock().unwrap_or_else(PoisonError::into_inner).settings().clone());
        for spec in TABLE.iter().filter(|spec| !matches!(spec.kind, Kind::Button)) {
            match spec.value(&settings) {
                Value::Check(value) => options.set_item(spec.name, value)?,
                Value::Spin(value) => options.set_item(spec.name, value)?,
                Value::Text(value) => options.set_item(spec.name, value)?,
            }
        }
        Ok(options)
    }

    fn set_option(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        py.detach(|| {
            let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
            engine.set_option(name, value).map_err(wrong)
        })
    }

    fn new_game(&self, py: Python<'_>) {
        py.detach(|| self.engine.lock().unwrap_or_else(PoisonError::into_inner).new_game());
    }

    /// Ends the search under way, from any thread.
    fn stop(&self) {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner).stop();
    }

    #[pyo3(signature = (board, limit, lines, root_moves, analyses, on_info))]
    fn search(
        &self,
        py: Python<'_>,
        board: AnyBoard,
        limit: &Bound<'_, PyDict>,
        lines: usize,
        root_moves: Option<Vec<AnyMove>>,
        analyses: bool,
        on_info: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let game = &board.0.0;
        let (position, style) = (*game.position(), game.variant().castling_style());
        let mut limits = limits(limit)?;
        let root_moves = root_moves.unwrap_or_default();
        limits.search_moves =
            root_moves.iter().map(|mv| mv.resolve(&position)).collect::<PyResult<Vec<_>>>()?;
        let stop = StopToken::new();
        limits.stop = Some(stop.clone());
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
        let mut raised = None;
        let outcome = interruptible(py, &stop, || {
            let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
            engine.configure(|settings| settings.analyse_mode = analyses).map_err(wrong)?;
            engine.set_lines(lines);
            let searched = engine.search(game, limits, |event| {
                if let (Event::Lines(lines, usage), Some(callback)) = (event, &on_info) {
                    let lines: Vec<Found> = lines.iter().map(|line| found(line, &position, style)).collect();
                    let wanted = Python::attach(|py| {
                        callback.call1(py, (lines, used(&usage)))?.extract::<Option<bool>>(py)
                    });
                    match wanted {
                        Ok(Some(false)) => stop.stop(),
                        Ok(_) => {}
                        Err(error) => {
                            raised = Some(error);
                            stop.stop();
                        }
                    }
                }
            });
            searched.map_err(failed)
        })??;
        if let Some(error) = raised {
            return Err(error);
        }
        let mut answer: Vec<&Line> = outcome.lines.iter().collect();
        answer.sort_by_key(|line| line.rank);
        let lines = answer.into_iter().map(|line| found(line, &position, style)).collect();
        let best = outcome.best.map(|mv| Move::of(&position, mv, style));
        let after = outcome.best.map(|mv| position.after(mv));
        let ponder = outcome.ponder.zip(after).map(|(mv, after)| Move::of(&after, mv, style));
        Ok((best, ponder, lines, used(&outcome.usage)))
    }
}
