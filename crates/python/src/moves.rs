//! Moves as Python sees them: two squares and a promotion, without a position.

use crate::work::wrong;
use chess::{CastlingSide, CastlingStyle, Position, Role, Square};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// A move by its squares.
#[pyclass(module = "gardez", frozen, eq, hash, from_py_object)]
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

/// The number of a square, from 0 for a1 to 63 for h8.
pub(crate) fn square(number: i64) -> PyResult<Square> {
    match usize::try_from(number) {
        Ok(number @ 0..64) => Ok(Square::from_index(number)),
        _ => Err(wrong(format!("{number} is no square: squares go from 0 (a1) to 63 (h8)"))),
    }
}

/// The number of a kind of piece, from 1 for a pawn to 6 for a king.
pub(crate) const fn piece_type(role: Role) -> u8 {
    role.index() as u8 + 1
}

fn role(number: u8) -> PyResult<Role> {
    let found = Role::ALL.into_iter().find(|&role| piece_type(role) == number);
    found.ok_or_else(|| wrong(format!("{number} is no kind of piece: they go from 1 (pawn) to 6 (king)")))
}

/// The text of a move before it is known to which position it belongs.
fn parse(text: &str) -> Option<Move> {
    let square = |range: std::ops::Range<usize>| text.get(range)?.parse().ok();
    let promotion = match text.get(4..)? {
        "" => None,
        letter => Some(Role::from_char(letter.chars().next().filter(|c| "nbrq".contains(*c))?)?),
    };
    (text.len() <= 5).then_some(())?;
    Some(Move { from: square(0..2)?, to: square(2..4)?, promotion })
}

impl Move {
    /// A move of a position, castling as the style writes it.
    pub(crate) fn of(position: &Position, mv: chess::Move, style: CastlingStyle) -> Self {
        let to = if mv.is_castling() && style == CastlingStyle::Standard {
            CastlingSide::of(mv.from(), mv.to()).king_target(position.turn())
        } else {
            mv.to()
        };
        Self { from: mv.from(), to, promotion: mv.promotes_to() }
    }

    /// The move in a position.
    pub(crate) fn resolve(&self, position: &Position) -> PyResult<chess::Move> {
        position.find_move(self.from, self.to, self.promotion).map_err(|reason| {
            wrong(format!("{} is not legal in {}: {reason}", self.text(), position.to_fen()))
        })
    }

    /// The object for the move. Those without a promotion are made once, which is what going through legal moves
    /// mostly costs.
    pub(crate) fn shared(self, py: Python<'_>) -> PyResult<Py<Self>> {
        static SHARED: [PyOnceLock<Py<Move>>; 64 * 64] = [const { PyOnceLock::new() }; 64 * 64];
        match self.promotion {
            None => {
                let place = &SHARED[64 * self.from.index() + self.to.index()];
                Ok(place.get_or_try_init(py, || Py::new(py, self))?.clone_ref(py))
            }
            Some(_) => Py::new(py, self),
        }
    }

    pub(crate) fn text(&self) -> String {
        let promotion = self.promotion.map(|role| role.to_char().to_ascii_lowercase().to_string());
        format!("{}{}{}", self.from, self.to, promotion.unwrap_or_default())
    }
}

#[pymethods]
impl Move {
    /// A move between two squares, from 0 for a1 to 63 for h8.
    #[new]
    #[pyo3(signature = (from_square, to_square, promotion = None))]
    fn new(from_square: i64, to_square: i64, promotion: Option<u8>) -> PyResult<Self> {
        let promotion = promotion.map(role).transpose()?;
        Ok(Self { from: square(from_square)?, to: square(to_square)?, promotion })
    }

    /// A move by its squares, such as e2e4 or e7e8q.
    #[staticmethod]
    fn from_uci(uci: &str) -> PyResult<Self> {
        let hint = "write from and to, like e2e4, and the new piece of a pawn, like e7e8q";
        parse(uci).ok_or_else(|| wrong(format!("{uci:?} is not a move: {hint}")))
    }

    /// Where the piece stands.
    #[getter]
    const fn from_square(&self) -> usize {
        self.from.index()
    }

    /// Where it goes; for castling in Chess960, where the rook stands.
    #[getter]
    const fn to_square(&self) -> usize {
        self.to.index()
    }

    /// What a pawn becomes, from 2 for a knight to 5 for a queen, or None.
    #[getter]
    fn promotion(&self) -> Option<u8> {
        self.promotion.map(piece_type)
    }

    /// The move by its squares.
    fn uci(&self) -> String {
        self.text()
    }

    /// As a `chess.Move`.
    pub(crate) fn to_chess<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("chess")?.getattr("Move")?.call_method1("from_uci", (self.text(),))
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("Move.from_uci('{}')", self.text())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_uci")?, (slf.get().text(),)))
    }
}

/// A move as callers may give it: ours, one of python-chess, or a text in either notation.
pub(crate) struct AnyMove(Given);

enum Given {
    Squares(Move),
    Text(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for AnyMove {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(mv) = object.cast::<Move>() {
            return Ok(Self(Given::Squares(*mv.get())));
        }
        if let Ok(text) = object.extract::<String>() {
            return Ok(Self(Given::Text(text)));
        }
        if object.hasattr("from_square")? {
            let uci: String = object.call_method0("uci")?.extract()?;
            return Ok(Self(Given::Squares(Move::from_uci(&uci)?)));
        }
        let name = object.get_type().name()?;
        Err(PyTypeError::new_err(format!("a move is a gardez.Move, a chess.Move or a text, not {name}")))
    }
}

impl AnyMove {
    pub(crate) fn resolve(&self, position: &Position) -> PyResult<chess::Move> {
        match &self.0 {
            Given::Squares(mv) => mv.resolve(position),
            Given::Text(text) => position
                .parse_uci(text)
                .or_else(|_| position.parse_san(text))
                .map_err(|error| wrong(format!("{text:?}: {error} (in {})", position.to_fen()))),
        }
    }
}
