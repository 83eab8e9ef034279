//! The sums of the first layer, kept along the line that a search looks at.
//!
//! Playing a move only notes what changed on the board. When a position is to be evaluated, the notes since the
//! last position with known sums are worked off; most positions of a search are never evaluated, or share the
//! way. When a king crosses to the other half of the board, its side sees everything mirrored and nothing can be
//! kept; then the last sums of that half are taken from a cache, and only pieces that stand elsewhere are
//! changed.

use crate::network::Sums;
use crate::{Network, features};
use chess::{Bitboard, Color, Move, Observer, Piece, Position, Square};
use std::sync::Arc;

/// What a move changes on the board: never more than two pieces go, and two come.
#[derive(Copy, Clone, Default)]
struct Changes {
    removed: [Option<(Piece, Square)>; 2],
    placed: [Option<(Piece, Square)>; 2],
}

impl Observer for Changes {
    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        let place = usize::from(self.removed[0].is_some());
        self.removed[place] = Some((piece, square));
    }

    #[inline]
    fn placed(&mut self, piece: Piece, square: Square) {
        let place = usize::from(self.placed[0].is_some());
        self.placed[place] = Some((piece, square));
    }
}

/// One position of the line.
#[derive(Copy, Clone)]
struct LineEntry {
    /// By colour of the side that looks.
    sums: [Sums; 2],
    /// Whose sums are worked out.
    is_ready: [bool; 2],
    /// Who sees the board mirrored.
    is_mirrored: [bool; 2],
    /// What came about since the position before.
    changes: Changes,
}

impl LineEntry {
    const EMPTY: Self = Self {
        sums: [Sums::ZERO; 2],
        is_ready: [false; 2],
        is_mirrored: [false; 2],
        changes: Changes { removed: [None; 2], placed: [None; 2] },
    };

    fn look_at(&mut self, position: &Position) {
        self.is_ready = [false; 2];
        self.is_mirrored = Color::ALL.map(|view| features::is_mirrored(position.king(view)));
    }
}

/// Sums of some position before, and where its pieces stood.
#[derive(Clone)]
struct Cached {
    sums: Sums,
    /// By piece.
    squares: [Bitboard; Piece::COUNT],
}

/// Evaluates the positions along a line with a network.
pub struct Accumulators {
    network: Arc<Network>,
    /// The line; positions beyond the present one are left over.
    line: Vec<LineEntry>,
    present: usize,
    /// By colour of the side that looks, and whether it sees the board mirrored.
    cache: [[Cached; 2]; 2],
}

impl Accumulators {
    /// For lines of up to this many moves; longer ones are no error.
    #[must_use]
    pub fn new(network: Arc<Network>, moves: usize) -> Self {
        let cached = Cached { sums: network.biases, squares: [Bitboard::EMPTY; Piece::COUNT] };
        let caches = || [cached.clone(), cached.clone()];
        Self { cache: [caches(), caches()], line: vec![LineEntry::EMPTY; moves + 1], present: 0, network }
    }

    /// The line begins here.
    pub fn reset(&mut self, position: &Position) {
        self.present = 0;
        self.line[0].look_at(position);
    }

    /// Plays a move, which must be legal.
    #[inline]
    pub fn play(&mut self, position: &mut Position, mv: Move) {
        let entry = self.next();
        position.play_observed(mv, &mut entry.changes);
        entry.look_at(position);
    }

    /// The side to move has changed, and nothing else.
    #[inline]
    pub fn play_null(&mut self) {
        let mirrored = self.line[self.present].is_mirrored;
        let entry = self.next();
        entry.is_ready = [false; 2];
        entry.is_mirrored = mirrored;
    }

    /// Goes back by a move.
    #[inline]
    pub fn undo(&mut self) {
        debug_assert!(self.present > 0, "nothing to take back");
        self.present = self.present.saturating_sub(1);
    }

    #[inline]
    fn next(&mut self) -> &mut LineEntry {
        self.present += 1;
        if self.present == self.line.len() {
            self.line.push(LineEntry::EMPTY);
        }
        let entry = &mut self.line[self.present];
        entry.changes = Changes::default();
        entry
    }

    /// The value of the present position, which must be this, for the side to move, in units of the engine.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        for view in Color::ALL {
            self.work_out(view, position);
            debug_assert_eq!(
                self.line[self.present].sums[view.index()],
                self.network.sums(position, view),
                "sums of {view:?} in {}",
                position.to_fen()
            );
        }
        let [white, black] = &self.line[self.present].sums;
        let (mover, other) = match position.turn() {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        self.network.output(mover, other, position.occupied().count())
    }

    fn work_out(&mut self, view: Color, position: &Position) {
        let side = view.index();
        let mut known = self.present;
        while !self.line[known].is_ready[side] {
            if known == 0 || self.line[known].is_mirrored[side] != self.line[known - 1].is_mirrored[side] {
                return self.refresh(view, position);
            }
            known -= 1;
        }
        for at in known + 1..=self.present {
            let (before, after) = self.line.split_at_mut(at);
            update(&self.network, view, &before[at - 1], &mut after[0]);
        }
    }

    /// Works out the present sums from those of some position before.
    fn refresh(&mut self, view: Color, position: &Position) {
        let entry = &mut self.line[self.present];
        let is_mirrored = entry.is_mirrored[view.index()];
        let cached = &mut self.cache[view.index()][usize::from(is_mirrored)];
        let row = |piece, square| &self.network.features[features::index(view, is_mirrored, piece, square)];
        for piece in Piece::ALL {
            let squares = position.pieces(piece.color(), piece.role());
            let before = cached.squares[piece.index()];
            for square in squares & !before {
                self.network.kernels.add(&mut cached.sums, row(piece, square));
            }
            for square in before & !squares {
                self.network.kernels.subtract(&mut cached.sums, row(piece, square));
            }
            cached.squares[piece.index()] = squares;
        }
        entry.sums[view.index()] = cached.sums;
        entry.is_ready[view.index()] = true;
    }
}

/// Works out the sums of a position from those of the one before.
#[inline]
fn update(network: &Network, view: Color, before: &LineEntry, after: &mut LineEntry) {
    let side = view.index();
    let is_mirrored = after.is_mirrored[side];
    let row = |(piece, square)| &network.features[features::index(view, is_mirrored, piece, square)];
    let kernels = network.kernels;
    let (from, to) = (&before.sums[side], &mut after.sums[side]);
    match (after.changes.placed, after.changes.removed) {
        ([Some(placed), None], [Some(removed), None]) => {
            kernels.move_one(from, to, row(placed), row(removed));
        }
        ([Some(placed), None], [Some(first), Some(second)]) => {
            kernels.capture_one(from, to, row(placed), [row(first), row(second)]);
        }
        (placed, removed) => {
            *to = *from;
            for placed in placed.into_iter().flatten() {
                kernels.add(to, row(placed));
            }
            for removed in removed.into_iter().flatten() {
                kernels.subtract(to, row(removed));
            }
        }
    }
    after.is_ready[side] = true;
}

impl std::fmt::Debug for Accumulators {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Accumulators").field("present", &self.present).finish_non_exhaustive()
    }
}
