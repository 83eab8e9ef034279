//! Games as PGN has them.

use crate::board::{AnyBoard, Board};
use crate::moves::Move;
use crate::work::wrong;
use chess::pgn::{EvalScore, Heading, Node, PgnGame, Reader};
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A game with its headers, moves, comments and variations.
#[pyclass(module = "gardez", frozen, from_py_object)]
#[derive(Clone)]
pub(crate) struct Game(pub(crate) Arc<PgnGame>);

impl Game {
    fn numbers<T>(&self, find: impl Fn(&Node) -> Option<T>) -> Vec<Option<T>> {
        self.0.line.moves.iter().take_while(|node| node.mv.is_some()).map(find).collect()
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (board = None, headers = None))]
    fn new(board: Option<AnyBoard>, headers: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let game = board.map_or_else(chess::Game::new, |board| board.0.0);
        let mut pgn = PgnGame::from_game(&game, &Heading::default());
        for (name, value) in headers.into_iter().flatten() {
            let (name, value): (String, String) = (name.extract()?, value.str()?.extract()?);
            pgn.tags.set(&name, &value);
        }
        Ok(Self(Arc::new(pgn)))
    }

    /// The first game of a text; `ValueError` with the place of the first fault.
    #[staticmethod]
    #[pyo3(signature = (pgn, *, strict = true))]
    fn from_pgn(pgn: &str, strict: bool) -> PyResult<Self> {
        let game = Reader::new(pgn.as_bytes()).next().ok_or_else(|| wrong("there is no game in the text"))?;
        checked(game.map_err(wrong)?, strict)
    }

    /// From a `chess.pgn.Game`.
    #[staticmethod]
    fn from_chess(game: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::from_pgn(&game.str()?.to_cow()?, true)
    }

    /// As a `chess.pgn.Game`.
    fn to_chess<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let handle = py.import("io")?.call_method1("StringIO", (self.0.to_string(),))?;
        py.import("chess.pgn")?.call_method1("read_game", (handle,))
    }

    /// Who played, where and when.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        self.0.tags.iter().try_for_each(|(name, value)| headers.set_item(name, value))?;
        Ok(headers)
    }

    /// What could not be read, with its place.
    #[getter]
    fn errors(&self) -> Vec<String> {
        self.0.faults.iter().map(ToString::to_string).collect()
    }

    /// The result as PGN writes it.
    #[getter]
    fn result(&self) -> &'static str {
        self.0.result().as_str()
    }

    /// The position before the first move.
    fn board(&self) -> Board {
        Board(chess::Game::with_variant(self.0.start, self.0.variant()))
    }

    /// The position after the last move, with all moves.
    fn end_board(&self) -> Board {
        Board(self.0.playable())
    }

    /// The moves that were played.
    fn mainline_moves(&self) -> Vec<Move> {
        let style = self.0.variant().castling_style();
        let mut position = self.0.start;
        let mut moves = Vec::with_capacity(self.0.line.moves.len());
        for mv in self.0.moves() {
            moves.push(Move::of(&position, mv, style));
            position.play(mv);
        }
        moves
    }

    /// Seconds left after each move.
    fn clocks(&self) -> Vec<Option<f64>> {
        self.numbers(|node| node.comments.iter().find_map(|comment| Some(comment.clock?.as_secs_f64())))
    }

    /// Centipawns or moves to mate after each move, as White sees them.
    fn evals(&self) -> Vec<Option<(Option<i32>, Option<i32>)>> {
        self.numbers(|node| {
            Some(match node.comments.iter().find_map(|comment| comment.eval)?.score {
                EvalScore::Centipawns(value) => (Some(value), None),
                EvalScore::Mate(moves) => (None, Some(moves)),
            })
        })
    }

    /// What is said of each move.
    fn comments(&self) -> Vec<String> {
        let texts = |node: &Node| {
            let texts: Vec<&str> = node.comments.iter().map(|comment| &comment.text[..]).collect();
            texts.join(" ").trim().to_owned()
        };
        self.numbers(|node| Some(texts(node))).into_iter().flatten().collect()
    }

    /// The code and the name of the opening, if the moves have one.
    fn opening(&self) -> Option<(String, String)> {
        let opening = review::opening::Opening::of(&self.0.playable())?;
        Some((opening.eco, opening.name))
    }

    fn __len__(&self) -> usize {
        self.0.moves().count()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let tag = |name| self.0.tags.get(name).unwrap_or("?");
        format!("<Game {} - {} {}, {} half-moves>", tag("White"), tag("Black"), self.result(), self.__len__())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, bool))> {
        Ok((slf.get_type().getattr("_unpickle")?, (slf.get().0.to_string(), false)))
    }

    #[staticmethod]
    fn _unpickle(pgn: &str, strict: bool) -> PyResult<Self> {
        Self::from_pgn(pgn, strict)
    }
}

fn checked(game: PgnGame, strict: bool) -> PyResult<Game> {
    match game.faults.first() {
        Some(fault) if strict => Err(wrong(fault)),
        _ => Ok(Game(Arc::new(game))),
    }
}

/// Reads from an object of Python that has a method `read`.
struct Handle {
    object: Py<PyAny>,
    buffer: Vec<u8>,
    used: usize,
}

impl Handle {
    /// Characters or bytes that are asked for at a time.
    const CHUNK: usize = 1 << 16;

    fn fill(&mut self) -> PyResult<()> {
        self.buffer.clear();
        self.used = 0;
        Python::attach(|py| {
            let chunk = self.object.bind(py).call_method1("read", (Self::CHUNK,))?;
            if let Ok(bytes) = chunk.cast::<PyBytes>() {
                self.buffer.extend_from_slice(bytes.as_bytes());
            } else {
                self.buffer.extend_from_slice(chunk.cast::<PyString>()?.to_cow()?.as_bytes());
            }
            Ok(())
        })
    }
}

impl Read for Handle {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        if self.used == self.buffer.len() {
            self.fill().map_err(io::Error::other)?;
        }
        let count = target.len().min(self.buffer.len() - self.used);
        target[..count].copy_from_slice(&self.buffer[self.used..self.used + count]);
        self.used += count;
        Ok(count)
    }
}

/// The games of a file, one after the other.
#[pyclass(module = "gardez", frozen)]
pub(crate) struct Games {
    reader: Mutex<Reader<Box<dyn Read + Send>>>,
    name: String,
    strict: bool,
}

#[pymethods]
impl Games {
    #[new]
    #[pyo3(signature = (source, *, strict = false))]
    fn new(source: &Bound<'_, PyAny>, strict: bool) -> PyResult<Self> {
        let (source, name): (Box<dyn Read + Send>, String) = if source.hasattr("read")? {
            let object = source.clone().unbind();
            (Box::new(Handle { object, buffer: Vec::new(), used: 0 }), "the file".to_owned())
        } else if let Ok(path) = source.extract::<PathBuf>() {
            let name = path.display().to_string();
            (Box::new(File::open(&path).map_err(|error| at(&name, error))?), name)
        } else {
            let name = source.get_type().name()?;
            return Err(PyTypeError::new_err(format!("games come from a path or a file, not from {name}")));
        };
        Ok(Self { reader: Mutex::new(Reader::new(source)), name, strict })
    }

    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let read = py.detach(|| self.reader.lock().unwrap_or_else(PoisonError::into_inner).next());
        match read {
            None => Ok(None),
            Some(Ok(game)) => checked(game, self.strict).map(Some),
            Some(Err(error)) => {
                let place = format!("{}: game {}, line {}", self.name, error.game, error.line);
                Err(at(&place, error.source))
            }
        }
    }
}

/// What Python's own code has raised stays what it is.
fn at(place: &str, error: io::Error) -> PyErr {
    match error.downcast::<PyErr>() {
        Ok(error) => error,
        Err(error) => match error.raw_os_error() {
            Some(number) => PyOSError::new_err((number, error.to_string(), place.to_owned())),
            None => PyOSError::new_err(format!("{place}: {error}")),
        },
    }
}
