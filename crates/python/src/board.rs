//! Boards: a position with the moves that led to it, under the names of python-chess.

use crate::moves::{AnyMove, Move, piece_type, square};
use crate::work::{interruptible, wrong};
use chess::{CastlingSide, Color, Position, Reason, START_FEN, Setup, Strictness, Variant};
use engine::StopToken;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList};

/// A position and the moves that led to it.
#[pyclass(module = "gardez", from_py_object)]
#[derive(Clone)]
pub(crate) struct Board(pub(crate) chess::Game);

const fn color(is_white: bool) -> Color {
    if is_white { Color::White } else { Color::Black }
}

fn is_white(color: Color) -> bool {
    color == Color::White
}

fn variant(chess960: bool, position: &Position) -> Variant {
    if chess960 { Variant::Chess960 } else { Variant::of(position) }
}

fn read(fen: &str) -> PyResult<Position> {
    let fen = if fen == "startpos" { START_FEN } else { fen };
    let reading = Position::read_fen(fen, Strictness::Lenient);
    Ok(reading.map_err(|error| wrong(format!("{fen:?}: {error}")))?.position)
}

impl Board {
    fn position(&self) -> &Position {
        self.0.position()
    }

    pub(crate) fn show(&self, mv: chess::Move) -> Move {
        Move::of(self.position(), mv, self.0.variant().castling_style())
    }

    fn play(&mut self, mv: chess::Move) -> PyResult<()> {
        self.0.replay(mv).map_err(wrong)
    }

    /// Text such as `1. e4 e5 2. Nf3`, and the position after it.
    fn line(&self, moves: &[AnyMove]) -> PyResult<Vec<chess::Move>> {
        let mut position = *self.position();
        let mut line = Vec::with_capacity(moves.len());
        for mv in moves {
            let mv = mv.resolve(&position)?;
            position.play(mv);
            line.push(mv);
        }
        Ok(line)
    }
}

#[pymethods]
impl Board {
    /// A position from a FEN, the start position without one.
    #[new]
    #[pyo3(signature = (fen = START_FEN, *, chess960 = false))]
    fn new(fen: &str, chess960: bool) -> PyResult<Self> {
        let position = read(fen)?;
        Ok(Self(chess::Game::with_variant(position, variant(chess960, &position))))
    }

    /// The start position of Chess960 with this number, from 0 to 959.
    #[staticmethod]
    fn from_chess960_pos(number: i64) -> PyResult<Self> {
        let position = u16::try_from(number).ok().and_then(Setup::chess960);
        let position = position.and_then(|setup| Position::from_setup(&setup).ok());
        let position = position.ok_or_else(|| wrong(format!("{number}: the positions go from 0 to 959")))?;
        Ok(Self(chess::Game::with_variant(position, Variant::Chess960)))
    }

    /// From a `chess.Board`, with its moves.
    #[staticmethod]
    fn from_chess(board: &Bound<'_, PyAny>) -> PyResult<Self> {
        let root: String = board.call_method0("root")?.call_method0("fen")?.extract()?;
        let mut own = Self::new(&root, board.getattr("chess960")?.extract()?)?;
        for mv in board.getattr("move_stack")?.try_iter()? {
            let uci: String = mv?.call_method0("uci")?.extract()?;
            own.push_uci(&uci)?;
        }
        Ok(own)
    }

    /// As a `chess.Board`, with its moves.
    fn to_chess<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let options = PyDict::new(py);
        options.set_item("chess960", self.chess960())?;
        let board = py.import("chess")?.getattr("Board")?.call((self.0.start().to_fen(),), Some(&options))?;
        for mv in self.move_stack() {
            board.call_method1("push", (mv.to_chess(py)?,))?;
        }
        Ok(board)
    }

    /// Whether castling is written as in Chess960.
    #[getter]
    fn chess960(&self) -> bool {
        self.0.variant() == Variant::Chess960
    }

    /// The side to move: True for White.
    #[getter]
    fn turn(&self) -> bool {
        is_white(self.position().turn())
    }

    /// The number of the next move.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.position().fullmove_number()
    }

    /// Half-moves since the last capture or pawn move.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.position().halfmove_clock()
    }

    /// Where a pawn can be taken en passant; None if no such capture is legal.
    #[getter]
    fn ep_square(&self) -> Option<usize> {
        self.position().en_passant().map(chess::Square::index)
    }

    /// The squares of the rooks that may castle, as a bitboard.
    #[getter]
    fn castling_rights(&self) -> u64 {
        self.position().castling_rooks().0
    }

    /// The squares of all pieces, as a bitboard.
    #[getter]
    fn occupied(&self) -> u64 {
        self.position().occupied().0
    }

    /// The moves that led here.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        let style = self.0.variant().castling_style();
        let positions = (0..).map_while(|ply| self.0.position_at(ply));
        positions.zip(self.0.moves()).map(|(before, mv)| Move::of(before, mv, style)).collect()
    }

    /// The legal moves: to be counted, gone through, or asked for one.
    #[getter]
    fn legal_moves(&self) -> LegalMoves {
        LegalMoves(Self(chess::Game::with_variant(*self.position(), self.0.variant())))
    }

    /// The position as FEN.
    fn fen(&self) -> String {
        self.position().to_fen()
    }

    /// The pieces as FEN writes them.
    fn board_fen(&self) -> String {
        self.fen().split(' ').next().unwrap_or_default().to_owned()
    }

    /// The position as EPD, without clocks.
    fn epd(&self) -> String {
        self.fen().split(' ').take(4).collect::<Vec<_>>().join(" ")
    }

    /// Takes over a position; there are no moves before it.
    fn set_fen(&mut self, fen: &str) -> PyResult<()> {
        let position = read(fen)?;
        let variant = variant(self.chess960(), &position);
        self.0 = chess::Game::with_variant(position, variant);
        Ok(())
    }

    /// The start position.
    fn reset(&mut self) {
        self.0 = chess::Game::new();
    }

    /// The position before the first move.
    fn root(&self) -> Self {
        Self(chess::Game::with_variant(*self.0.start(), self.0.variant()))
    }

    /// A copy, without the moves if `stack` is False.
    #[pyo3(signature = (*, stack = true))]
    fn copy(&self, stack: bool) -> Self {
        if stack {
            return self.clone();
        }
        Self(chess::Game::with_variant(*self.position(), self.0.variant()))
    }

    /// Half-moves since the start of the game, by the number of the move.
    fn ply(&self) -> usize {
        let number = usize::from(self.position().fullmove_number().max(1));
        2 * (number - 1) + usize::from(!self.turn())
    }

    /// Plays a legal move; `ValueError` says why another cannot be played.
    fn push(&mut self, r#move: AnyMove) -> PyResult<()> {
        let mv = r#move.resolve(self.position())?;
        self.play(mv)
    }

    /// Plays a move given in algebraic notation, and returns it.
    fn push_san(&mut self, san: &str) -> PyResult<Move> {
        let mv = self.parse(san)?;
        let shown = self.show(mv);
        self.play(mv)?;
        Ok(shown)
    }

    /// Plays a move given by its squares, and returns it.
    fn push_uci(&mut self, uci: &str) -> PyResult<Move> {
        let mv = self.position().parse_uci(uci).map_err(|error| self.at(error))?;
        let shown = self.show(mv);
        self.play(mv)?;
        Ok(shown)
    }

    /// Takes the last move back and returns it; `IndexError` if there is none.
    fn pop(&mut self) -> PyResult<Move> {
        let mv = self.0.undo().ok_or_else(|| PyIndexError::new_err("pop from empty move stack"))?;
        Ok(self.show(mv))
    }

    /// The last move; `IndexError` if there is none.
    fn peek(&self) -> PyResult<Move> {
        let empty = || PyIndexError::new_err("peek at empty move stack");
        self.move_stack().pop().ok_or_else(empty)
    }

    /// The move that a text in algebraic notation means here.
    fn parse_san(&self, san: &str) -> PyResult<Move> {
        Ok(self.show(self.parse(san)?))
    }

    /// The move that two squares mean here.
    fn parse_uci(&self, uci: &str) -> PyResult<Move> {
        let mv = self.position().parse_uci(uci).map_err(|error| self.at(error))?;
        Ok(self.show(mv))
    }

    /// The legal move between two squares; a pawn becomes a queen if nothing else is said.
    #[pyo3(signature = (from_square, to_square, promotion = None))]
    fn find_move(&self, from_square: i64, to_square: i64, promotion: Option<u8>) -> PyResult<Move> {
        let (from, to) = (square(from_square)?, square(to_square)?);
        let is_pawn = self.position().piece_on(from).is_some_and(|piece| piece.role() == chess::Role::Pawn);
        let promotes = is_pawn && matches!(to.rank(), chess::Rank::First | chess::Rank::Eighth);
        let promotion = promotion.or(promotes.then_some(piece_type(chess::Role::Queen)));
        let role = chess::Role::ALL.into_iter().find(|&role| Some(piece_type(role)) == promotion);
        let mv = self.position().find_move(from, to, role).map_err(|error| self.at(error))?;
        Ok(self.show(mv))
    }

    /// A move in algebraic notation.
    fn san(&self, r#move: AnyMove) -> PyResult<String> {
        Ok(self.position().san(r#move.resolve(self.position())?).to_string())
    }

    /// A move by its squares.
    fn uci(&self, r#move: AnyMove) -> PyResult<String> {
        Ok(self.show(r#move.resolve(self.position())?).text())
    }

    /// Moves in algebraic notation with their numbers.
    fn variation_san(&self, variation: Vec<AnyMove>) -> PyResult<String> {
        Ok(coach::notation::san_line(self.position(), &self.line(&variation)?))
    }

    /// Whether a move is legal here.
    fn is_legal(&self, r#move: AnyMove) -> bool {
        r#move.resolve(self.position()).is_ok()
    }

    /// Whether a move captures.
    fn is_capture(&self, r#move: AnyMove) -> PyResult<bool> {
        Ok(self.position().is_capture(r#move.resolve(self.position())?))
    }

    /// Whether a move captures en passant.
    fn is_en_passant(&self, r#move: AnyMove) -> PyResult<bool> {
        Ok(r#move.resolve(self.position())?.is_en_passant())
    }

    /// Whether a move castles.
    fn is_castling(&self, r#move: AnyMove) -> PyResult<bool> {
        Ok(r#move.resolve(self.position())?.is_castling())
    }

    /// Whether a move gives check.
    fn gives_check(&self, r#move: AnyMove) -> PyResult<bool> {
        Ok(self.position().gives_check(r#move.resolve(self.position())?))
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.position().is_check()
    }

    /// Whether the side to move is checkmated.
    fn is_checkmate(&self) -> bool {
        self.position().is_checkmate()
    }

    /// Whether the side to move is stalemated.
    fn is_stalemate(&self) -> bool {
        self.position().is_stalemate()
    }

    /// Whether neither side can mate.
    fn is_insufficient_material(&self) -> bool {
        self.position().is_insufficient_material()
    }

    /// Whether the game is drawn by the seventy-five-move rule.
    fn is_seventyfive_moves(&self) -> bool {
        self.position().halfmove_clock() >= 150 && !self.is_checkmate()
    }

    /// Whether a draw can be claimed by the fifty-move rule.
    fn is_fifty_moves(&self) -> bool {
        self.position().halfmove_clock() >= chess::outcome::FIFTY_MOVES && self.position().has_legal_move()
    }

    /// Whether the position stands here for the fifth time.
    fn is_fivefold_repetition(&self) -> bool {
        self.0.is_repetition(5)
    }

    /// Whether the position stands here for this time or more.
    #[pyo3(signature = (count = 3))]
    fn is_repetition(&self, count: usize) -> bool {
        self.0.is_repetition(count)
    }

    /// Whether the side to move can claim a draw.
    fn can_claim_draw(&self) -> bool {
        self.0.claimable().is_some()
    }

    /// How the game has ended, or None; with `claim_draw` also by what can be claimed.
    #[pyo3(signature = (*, claim_draw = false))]
    fn outcome(&self, claim_draw: bool) -> Option<Outcome> {
        let ended = self.0.outcome().or_else(|| if claim_draw { self.0.claimable() } else { None });
        ended.map(Outcome::from)
    }

    /// Whether the game has ended.
    #[pyo3(signature = (*, claim_draw = false))]
    fn is_game_over(&self, claim_draw: bool) -> bool {
        self.outcome(claim_draw).is_some()
    }

    /// The result as PGN writes it.
    #[pyo3(signature = (*, claim_draw = false))]
    fn result(&self, claim_draw: bool) -> &'static str {
        self.outcome(claim_draw).map_or("*", |outcome| outcome.result())
    }

    /// The kind of the piece on a square, from 1 for a pawn to 6 for a king, or None.
    fn piece_type_at(&self, square: i64) -> PyResult<Option<u8>> {
        let piece = self.position().piece_on(crate::moves::square(square)?);
        Ok(piece.map(|piece| piece_type(piece.role())))
    }

    /// The colour of the piece on a square: True for White, or None.
    fn color_at(&self, square: i64) -> PyResult<Option<bool>> {
        let piece = self.position().piece_on(crate::moves::square(square)?);
        Ok(piece.map(|piece| is_white(piece.color())))
    }

    /// The letter of the piece on a square, a capital for White, or None.
    fn symbol_at(&self, square: i64) -> PyResult<Option<char>> {
        let piece = self.position().piece_on(crate::moves::square(square)?);
        Ok(piece.map(chess::Piece::to_char))
    }

    /// The square of a king.
    fn king(&self, color: bool) -> usize {
        self.position().king(self::color(color)).index()
    }

    /// The squares of the pieces that give check.
    fn checkers(&self) -> Vec<usize> {
        self.position().checkers().into_iter().map(chess::Square::index).collect()
    }

    /// The squares of the pieces of a side that attack a square.
    fn attackers(&self, color: bool, square: i64) -> PyResult<Vec<usize>> {
        let square = crate::moves::square(square)?;
        let all = self.position().attackers_to(square, self.position().occupied());
        let own = all & self.position().side(self::color(color));
        Ok(own.into_iter().map(chess::Square::index).collect())
    }

    /// Whether a side attacks a square.
    fn is_attacked_by(&self, color: bool, square: i64) -> PyResult<bool> {
        Ok(!self.attackers(color, square)?.is_empty())
    }

    /// Whether a side may still castle short.
    fn has_kingside_castling_rights(&self, color: bool) -> bool {
        self.position().castling_rook(self::color(color), CastlingSide::King).is_some()
    }

    /// Whether a side may still castle long.
    fn has_queenside_castling_rights(&self, color: bool) -> bool {
        self.position().castling_rook(self::color(color), CastlingSide::Queen).is_some()
    }

    /// The position with colours and sides exchanged.
    fn mirror(&self) -> Self {
        Self(chess::Game::with_variant(self.position().mirrored(), self.0.variant()))
    }

    /// The code and the name of the opening, if the moves have one.
    fn opening(&self) -> Option<(String, String)> {
        let opening = review::opening::Opening::of(&self.0)?;
        Some((opening.eco, opening.name))
    }

    /// The key of the position in Polyglot books.
    fn polyglot_key(&self) -> u64 {
        self.0.polyglot_key()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.fen() == other.fen() && self.chess960() == other.chess960()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __str__(&self) -> String {
        let rows = self.board_fen();
        let widen = |c: char| match c.to_digit(10) {
            Some(empty) => ".".repeat(empty as usize),
            None => c.to_string(),
        };
        let row = |row: &str| {
            let squares: String = row.chars().map(widen).collect();
            squares.chars().map(String::from).collect::<Vec<_>>().join(" ")
        };
        rows.split('/').map(row).collect::<Vec<_>>().join("\n")
    }

    fn __repr__(&self) -> String {
        let chess960 = if self.chess960() { ", chess960=True" } else { "" };
        format!("Board('{}'{chess960})", self.fen())
    }

    fn __getstate__(&self) -> (String, bool, Vec<String>) {
        let moves = self.move_stack().iter().map(Move::text).collect();
        (self.0.start().to_fen(), self.chess960(), moves)
    }

    fn __setstate__(&mut self, state: (String, bool, Vec<String>)) -> PyResult<()> {
        *self = Self::new(&state.0, state.1)?;
        state.2.iter().try_for_each(|uci| self.push_uci(uci).map(|_| ()))
    }
}

impl Board {
    fn at(&self, error: impl std::fmt::Display) -> PyErr {
        wrong(format!("{error} (in {})", self.fen()))
    }

    fn parse(&self, san: &str) -> PyResult<chess::Move> {
        self.position().parse_san(san).map_err(|error| self.at(format!("{san:?}: {error}")))
    }
}

/// A board as callers may give it: ours, or one of python-chess.
pub(crate) struct AnyBoard(pub(crate) Board);

impl<'a, 'py> FromPyObject<'a, 'py> for AnyBoard {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(board) = object.cast::<Board>() {
            return Ok(Self(board.try_borrow()?.clone()));
        }
        if object.hasattr("move_stack")? {
            return Board::from_chess(&object).map(Self);
        }
        let name = object.get_type().name()?;
        Err(PyTypeError::new_err(format!("a board is a gardez.Board or a chess.Board, not {name}")))
    }
}

/// The legal moves of a position.
#[pyclass(module = "gardez", frozen)]
pub(crate) struct LegalMoves(Board);

#[pymethods]
impl LegalMoves {
    /// How many there are.
    fn count(&self) -> u32 {
        self.0.position().count_legal_moves()
    }

    fn __len__(&self) -> usize {
        self.count() as usize
    }

    fn __bool__(&self) -> bool {
        self.0.position().has_legal_move()
    }

    fn __contains__(&self, r#move: AnyMove) -> bool {
        self.0.is_legal(r#move)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let moves = self.0.position().legal_moves();
        let moves = moves.into_iter().map(|mv| self.0.show(mv).shared(py)).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, moves)?.try_iter()
    }

    fn __repr__(&self) -> String {
        let position = self.0.position();
        let names: Vec<String> =
            position.legal_moves().iter().map(|&mv| position.san(mv).to_string()).collect();
        format!("<LegalMoves ({})>", names.join(", "))
    }
}

/// How a game ended.
#[pyclass(module = "gardez", frozen, eq, hash)]
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    #[pyo3(get)]
    termination: Termination,
    #[pyo3(get)]
    winner: Option<bool>,
}

/// By which rule a game ended.
#[pyclass(module = "gardez", frozen, eq, hash, rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Termination {
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    SeventyfiveMoves,
    FivefoldRepetition,
    FiftyMoves,
    ThreefoldRepetition,
}

#[pymethods]
impl Termination {
    /// The name that python-chess has for it.
    #[getter]
    const fn name(&self) -> &'static str {
        match self {
            Self::Checkmate => "CHECKMATE",
            Self::Stalemate => "STALEMATE",
            Self::InsufficientMaterial => "INSUFFICIENT_MATERIAL",
            Self::SeventyfiveMoves => "SEVENTYFIVE_MOVES",
            Self::FivefoldRepetition => "FIVEFOLD_REPETITION",
            Self::FiftyMoves => "FIFTY_MOVES",
            Self::ThreefoldRepetition => "THREEFOLD_REPETITION",
        }
    }
}

impl From<chess::Outcome> for Outcome {
    fn from(outcome: chess::Outcome) -> Self {
        let termination = match outcome.reason {
            Reason::Checkmate => Termination::Checkmate,
            Reason::Stalemate => Termination::Stalemate,
            Reason::SeventyFiveMoves => Termination::SeventyfiveMoves,
            Reason::FivefoldRepetition => Termination::FivefoldRepetition,
            Reason::FiftyMoves => Termination::FiftyMoves,
            Reason::ThreefoldRepetition => Termination::ThreefoldRepetition,
            // Boards know no other end: what players declare is not on them.
            _ => Termination::InsufficientMaterial,
        };
        Self { termination, winner: outcome.winner.map(is_white) }
    }
}

#[pymethods]
impl Outcome {
    /// The result as PGN writes it.
    fn result(&self) -> &'static str {
        match self.winner {
            Some(true) => "1-0",
            Some(false) => "0-1",
            None => "1/2-1/2",
        }
    }

    fn __repr__(&self) -> String {
        let winner = match self.winner {
            Some(true) => "True",
            Some(false) => "False",
            None => "None",
        };
        format!("Outcome(termination=Termination.{}, winner={winner})", self.termination.name())
    }
}

/// How many sequences of legal moves of this length there are.
#[pyfunction]
#[pyo3(signature = (board, depth))]
pub(crate) fn perft(py: Python<'_>, board: AnyBoard, depth: u32) -> PyResult<u64> {
    let position = *board.0.position();
    if depth <= 4 {
        return Ok(py.detach(|| chess::perft::perft(&position, depth)));
    }
    // One first move after the other, so that Ctrl-C does not have to wait for all of them.
    let stop = StopToken::new();
    interruptible(py, &stop, || {
        let moves = position.legal_moves().into_iter().take_while(|_| !stop.is_stopped());
        moves.map(|mv| chess::perft::perft(&position.after(mv), depth - 1)).sum()
    })
}
