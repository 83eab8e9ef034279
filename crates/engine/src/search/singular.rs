//! Singular extensions: a move that stands alone is searched deeper.

use super::node::Node;
use super::{NodeType, NonPv, Worker, margins};
use crate::event::Bound;
use crate::score::Score;
use crate::transposition::TtEntry;
use chess::Move;

/// What the search without the transposition table's move says about it.
pub(super) enum Singular {
    /// Search the move this many plies deeper, or less deep if negative.
    Extend(i32),
    /// Another move fails high too, so the node surely does.
    MultiCut(Score),
    /// The search was stopped.
    Stopped,
}

impl Worker {
    /// Whether the transposition table knows enough about its move to ask whether it is singular.
    #[inline]
    pub(super) fn may_be_singular(&self, node: &Node<'_>, entry: TtEntry) -> bool {
        node.depth >= self.params.singular_depth
            && node.ply < (self.params.singular_ply_limit * self.root_depth) as usize
            && entry.depth >= node.depth - self.params.singular_tt_depth
            && entry.bound != Bound::Upper
            && !entry.score.is_decisive()
    }

    /// Searches the node without the transposition table's move, to see whether that move stands alone.
    pub(super) fn singular_search<N: NodeType>(
        &mut self,
        node: &Node<'_>,
        entry: TtEntry,
        mv: Move,
        quiet: bool,
    ) -> Singular {
        let &Node { ply, beta, depth, cut_node, .. } = node;
        let singular_beta = entry.score - margins::singular(&self.params, depth);
        let reduced = (depth - 1) * self.params.singular_search_depth / 16;
        self.stack[ply].excluded = Some(mv);
        let score = self.search_node::<NonPv>(node.with_null_window(singular_beta, reduced, cut_node));
        self.stack[ply].excluded = None;
        if self.stopped {
            return Singular::Stopped;
        }
        if score < singular_beta {
            return Singular::Extend(margins::singular_extension(&self.params, singular_beta - score, quiet));
        }
        if score >= beta && !score.is_decisive() && !N::PV {
            return Singular::MultiCut(score);
        }
        // Negative extension: there are several good moves, so this one gets less depth.
        if entry.score >= beta {
            let less = self.params.negative_extension;
            return Singular::Extend(if N::PV { self.params.negative_extension_pv - less } else { -less });
        }
        Singular::Extend(if cut_node { -self.params.negative_extension_cut_node } else { 0 })
    }
}
