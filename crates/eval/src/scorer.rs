//! Adds up the terms of an evaluation, while a tracer may watch.

use crate::score::{Score, Sums};
use crate::terms::{Term, weight};
use chess::{Bitboard, Color};

/// Watches which weights an evaluation uses. The unit type watches nothing and costs nothing.
pub(crate) trait Tracer {
    /// A weight counts `count` times for a side, because of these squares.
    fn record(&mut self, color: Color, term: Term, index: usize, count: i32, squares: Bitboard);
}

impl Tracer for () {
    #[inline(always)]
    fn record(&mut self, _: Color, _: Term, _: usize, _: i32, _: Bitboard) {}
}

impl<T: Tracer> Tracer for &mut T {
    #[inline(always)]
    fn record(&mut self, color: Color, term: Term, index: usize, count: i32, squares: Bitboard) {
        (**self).record(color, term, index, count, squares);
    }
}

/// Adds up the terms of one evaluation.
pub(crate) struct Scorer<T> {
    /// White's terms minus Black's.
    pub(crate) linear: Score,
    /// The danger to each king.
    pub(crate) danger: [Score; 2],
    /// What the better side gains in the end game.
    pub(crate) initiative: Score,
    tracer: T,
}

impl<T: Tracer> Scorer<T> {
    #[inline]
    pub(crate) fn new(tracer: T) -> Self {
        Self { linear: Score::ZERO, danger: [Score::ZERO; 2], initiative: Score::ZERO, tracer }
    }

    /// A weight counts `count` times for a side.
    #[inline(always)]
    pub(crate) fn add(&mut self, color: Color, term: Term, index: usize, count: i32, squares: Bitboard) {
        let value = weight(term, index) * count;
        match color {
            Color::White => self.linear += value,
            Color::Black => self.linear -= value,
        }
        self.tracer.record(color, term, index, count, squares);
    }

    /// A weight counts once for each of these squares.
    #[inline(always)]
    pub(crate) fn each(&mut self, color: Color, term: Term, index: usize, squares: Bitboard) {
        self.add(color, term, index, squares.count() as i32, squares);
    }

    /// A weight counts `count` times towards the danger to a side's own king.
    #[inline(always)]
    pub(crate) fn endanger(&mut self, color: Color, term: Term, index: usize, count: i32, squares: Bitboard) {
        self.danger[color.index()] += weight(term, index) * count;
        self.tracer.record(color, term, index, count, squares);
    }

    /// A weight counts once for each of these squares towards the danger to a side's own king.
    #[inline(always)]
    pub(crate) fn endanger_each(&mut self, color: Color, term: Term, index: usize, squares: Bitboard) {
        self.endanger(color, term, index, squares.count() as i32, squares);
    }

    /// A weight counts `count` times towards the initiative, whose side is not yet known.
    #[inline(always)]
    pub(crate) fn press(&mut self, index: usize, count: i32) {
        self.initiative += weight(Term::Initiative, index) * count;
        self.tracer.record(Color::White, Term::Initiative, index, count, Bitboard::EMPTY);
    }

    pub(crate) fn sums(&self) -> Sums {
        Sums {
            linear: self.linear.halves(),
            danger: self.danger.map(Score::halves),
            initiative: self.initiative.end_game(),
        }
    }
}
