//! What a search is asked to do.

use crate::control::Control;
use crate::event::Event;
use crate::handicap::Handicap;
use crate::limits::Limits;
use crate::time::Budget;
use crate::transposition::TranspositionTable;
use chess::{Key, Move, Position};
use std::ops::Deref;
use std::sync::Arc;
use tablebase::Tablebases;

/// How the root narrows down the score.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Driver {
    /// Principal variation search with aspiration windows.
    Pvs,
    /// MTD(f): null windows only.
    Mtdf,
}

/// Everything about one search that all threads need to know.
#[derive(Clone)]
pub(crate) struct Request {
    /// Where the search begins.
    pub root: Position,
    /// Keys of the positions before it, oldest first, since the last irreversible move.
    pub history: Vec<Key>,
    /// The first moves to consider: all legal ones, unless fewer were asked for or tablebases rule some out.
    pub root_moves: Vec<Move>,
    /// What holds it back, below full strength.
    pub handicap: Option<Handicap>,
    /// What ends it.
    pub limits: Limits,
    /// What the clock allows.
    pub budget: Option<Budget>,
    /// How many lines are wanted.
    pub lines: usize,
    /// How the root narrows down the score.
    pub driver: Driver,
    /// What earlier searches found.
    pub tt: Arc<TranspositionTable>,
    /// Syzygy tablebases, if there are any.
    pub tablebases: Option<Arc<Tablebases>>,
    /// Least depth at which tablebases with the most men are asked.
    pub tablebase_depth: i32,
    /// The most men for which tablebases are asked; 0 when the root itself is in one.
    pub tablebase_men: usize,
    /// Whether wins beyond fifty moves are draws.
    pub fifty_move_rule: bool,
    /// Stop flag, counters, clock.
    pub control: Arc<Control>,
}

/// The request as one thread has it, with where its events go. Only the first thread of a search reports.
pub(crate) struct Task<'a> {
    request: Request,
    report: &'a dyn Fn(Event),
}

impl<'a> Task<'a> {
    /// The request, reporting to `report`.
    #[must_use]
    pub(crate) fn new(request: Request, report: &'a dyn Fn(Event)) -> Self {
        Self { request, report }
    }

    /// Reports an event.
    pub(crate) fn report(&self, event: Event) {
        (self.report)(event);
    }
}

impl Deref for Task<'_> {
    type Target = Request;

    #[inline]
    fn deref(&self) -> &Request {
        &self.request
    }
}
