//! Opening books and tablebases.

use crate::board::AnyBoard;
use crate::moves::Move;
use crate::work::wrong;
use ::book::{BookFault, Books, Variety};
use pyo3::exceptions::{PyFileNotFoundError, PyKeyError};
use pyo3::prelude::*;
use std::path::PathBuf;
use tablebase::{Tablebases, Wdl};

/// A Polyglot book, or the book that is built in.
#[pyclass(module = "gardez", frozen)]
pub(crate) struct Book(Books);

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(path: Option<PathBuf>) -> PyResult<Self> {
        let Some(path) = path else { return Ok(Self(Books::built_in(Variety::default()))) };
        let opened = Books::open_all(&[path], Variety::default());
        Ok(Self(opened.map_err(|error| match error.fault {
            BookFault::Unreadable(_) => PyFileNotFoundError::new_err(error.to_string()),
            _ => wrong(error),
        })?))
    }

    /// The moves for a position with their weights, the heaviest first.
    fn find_all(&self, board: AnyBoard) -> Vec<(Move, u32)> {
        let game = &board.0.0;
        let known = self.0.probe(game.polyglot_key(), game.position());
        known.into_iter().map(|known| (board.0.show(known.mv), known.weight)).collect()
    }
}

/// Syzygy tables.
#[pyclass(module = "gardez", frozen)]
pub(crate) struct Tablebase(Tablebases);

#[pymethods]
impl Tablebase {
    #[new]
    fn new(path: &str) -> PyResult<Self> {
        let (tables, notes) = Tablebases::open(path);
        if tables.max_pieces() == 0 {
            let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
            return Err(wrong(format!("there are no Syzygy tables in {path:?}: {}", notes.join("; "))));
        }
        Ok(Self(tables))
    }

    /// The most men, kings included, that any table has.
    #[getter]
    fn max_pieces(&self) -> usize {
        self.0.max_pieces()
    }

    /// 2 for a win of the side to move, 1 for one that the fifty-move rule spoils, 0 for a draw, and so on to -2.
    fn probe_wdl(&self, board: AnyBoard) -> PyResult<i32> {
        let wdl = self.0.probe_wdl(board.0.0.position()).map_err(wrong)?;
        Ok(match wdl.ok_or_else(|| missing(&board))? {
            Wdl::Loss => -2,
            Wdl::BlessedLoss => -1,
            Wdl::Draw => 0,
            Wdl::CursedWin => 1,
            Wdl::Win => 2,
        })
    }

    /// Half-moves to the next capture, pawn move or mate.
    fn probe_dtz(&self, board: AnyBoard) -> PyResult<i32> {
        let dtz = self.0.probe_dtz(board.0.0.position()).map_err(wrong)?;
        dtz.ok_or_else(|| missing(&board))
    }
}

fn missing(board: &AnyBoard) -> PyErr {
    PyKeyError::new_err(format!("the tables do not have {}", board.0.0.position().to_fen()))
}
