//! Probing Syzygy tablebases within the search.

use super::Worker;
use super::node::Node;
use crate::event::Bound;
use crate::score::Score;
use crate::transposition::TtUpdate;
use tablebase::Wdl;

/// What the tablebases say of a node.
pub(super) enum ProbeResult {
    /// The position is in none of them, or they were not asked.
    Nothing,
    /// The result decides the node.
    Cutoff(Score),
    /// The side to move wins, but maybe sooner.
    AtLeast(Score),
    /// The side to move loses, but maybe sooner.
    AtMost(Score),
}

impl Worker {
    /// Asks the tablebases about a node; a result that decides it is stored in the transposition table.
    #[inline]
    pub(super) fn probe_tablebases(&mut self, node: &Node<'_>, was_pv: bool) -> ProbeResult {
        let Some((score, bound)) = self.tablebase_score(node) else { return ProbeResult::Nothing };
        match bound {
            Bound::Lower if score < node.beta => return ProbeResult::AtLeast(score),
            Bound::Upper if score > node.alpha => return ProbeResult::AtMost(score),
            _ => {}
        }
        let depth = node.depth + self.params.tablebase_tt_bonus;
        let update = TtUpdate { mv: None, score, evaluation: None, depth, bound, was_pv };
        node.task.tt.store(node.position.key(), node.ply, &update);
        ProbeResult::Cutoff(score)
    }

    /// The result of a position with few pieces, if the tablebases may be asked and know it.
    #[inline]
    fn tablebase_score(&mut self, node: &Node<'_>) -> Option<(Score, Bound)> {
        let &Node { task, position, ply, depth, .. } = node;
        let tablebases = task.tablebases.as_ref()?;
        let men = position.occupied().count() as usize;
        let deep_enough = men < task.tablebase_men || depth >= task.tablebase_depth;
        if men > task.tablebase_men
            || !deep_enough
            || position.halfmove_clock() != 0
            || position.castling_rooks().any()
        {
            return None;
        }
        let wdl = tablebases.probe_wdl(position).ok()??;
        self.tablebase_hits += 1;
        Some(match (wdl, task.fifty_move_rule) {
            (Wdl::Win, _) | (Wdl::CursedWin, false) => (Score::tablebase_win(ply), Bound::Lower),
            (Wdl::Loss, _) | (Wdl::BlessedLoss, false) => (Score::tablebase_loss(ply), Bound::Upper),
            (Wdl::CursedWin, true) => (Score::DRAW + 1, Bound::Exact),
            (Wdl::BlessedLoss, true) => (Score::DRAW - 1, Bound::Exact),
            (Wdl::Draw, _) => (Score::DRAW, Bound::Exact),
        })
    }
}
