//! Which moves of a position keep its result.

use crate::{ProbeError, Tablebases, Wdl};
use chess::{Move, Position};
use std::cmp::Reverse;

/// Half-moves without progress after which a draw can be claimed.
const FIFTY_MOVES: i32 = 100;

/// The rank of a win that needs no care, and the size of the scale: more than any distance.
const SURE: i32 = 10_000;

/// A move and what it leads to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// The result for the side that plays it, with the moves counted so far if the fifty-move rule holds.
    pub wdl: Wdl,
    /// Half-moves, this one included, until a capture, pawn move or mate; negative when lost, 0 when drawn.
    /// Not known without tables of distances.
    pub dtz: Option<i32>,
    /// How good the move is: the moves to choose from are those that share the highest rank.
    pub rank: i32,
}

/// What a ranking rests on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RankSource {
    /// Distances: the best moves keep the result to the end.
    Dtz,
    /// Results alone: the best moves keep the result for now, but progress is the search's business.
    Wdl,
}

/// The legal moves of a position, best first.
#[derive(Debug)]
pub struct RootRanking {
    /// All legal moves, in falling order of rank; moves of one rank by their distance, the better first.
    pub moves: Vec<RootMove>,
    /// What the ranks rest on.
    pub source: RankSource,
    /// Why it rests on results alone, when it is a table of distances that failed.
    pub fault: Option<ProbeError>,
}

impl RootRanking {
    /// The moves to choose from.
    pub fn best(&self) -> impl Iterator<Item = &RootMove> {
        let rank = self.moves.first().map(|best| best.rank);
        self.moves.iter().take_while(move |root| Some(root.rank) == rank)
    }
}

impl Tablebases {
    /// Ranks the legal moves of a position, so that a search among the best of them keeps the result.
    ///
    /// Winning moves are equal as long as fifty moves are enough after any of them; when they get few, or
    /// when `has_repeated` says that a position of this game has come back since the last capture or pawn
    /// move, only the fastest will do. None when the tables do not cover the position, or when it has no
    /// legal moves.
    ///
    /// # Errors
    /// When a table of results cannot be used, the first time it is needed for its material. A broken
    /// table of distances is reported in the ranking.
    pub fn rank_root_moves(
        &self,
        position: &Position,
        fifty_move_rule: bool,
        has_repeated: bool,
    ) -> Result<Option<RootRanking>, ProbeError> {
        let men = position.occupied().count() as usize;
        let legal = position.legal_moves();
        if men > self.max_pieces() || position.castling_rooks().any() || legal.is_empty() {
            return Ok(None);
        }
        let rank = Ranking { clock: i32::from(position.halfmove_clock()), fifty_move_rule, has_repeated };
        let by_distance = rank_all(&legal, |mv| {
            let dtz = self.dtz_after(position, mv)?;
            Ok(dtz.map(|dtz| rank.by_dtz(mv, dtz)))
        });
        let fault = match by_distance {
            Ok(Some(moves)) => return Ok(Some(RootRanking { moves, source: RankSource::Dtz, fault: None })),
            Ok(None) => None,
            Err(fault) => Some(fault),
        };
        let by_result = rank_all(&legal, |mv| {
            let wdl = self.wdl_after(position, mv)?;
            Ok(wdl.map(|wdl| rank.by_wdl(mv, wdl)))
        })?;
        Ok(by_result.map(|moves| RootRanking { moves, source: RankSource::Wdl, fault }))
    }

    fn wdl_after(&self, position: &Position, mv: Move) -> Result<Option<Wdl>, ProbeError> {
        Ok(self.probe_wdl(&position.after(mv))?.map(|wdl| -wdl))
    }

    /// The distance of a move for the side that plays it, the move included.
    fn dtz_after(&self, position: &Position, mv: Move) -> Result<Option<i32>, ProbeError> {
        let after = position.after(mv);
        if after.is_checkmate() {
            return Ok(Some(1));
        }
        if after.halfmove_clock() == 0 {
            return Ok(self.wdl_after(position, mv)?.map(|wdl| match wdl {
                Wdl::Loss => -1,
                Wdl::BlessedLoss => -1 - FIFTY_MOVES,
                Wdl::Draw => 0,
                Wdl::CursedWin => 1 + FIFTY_MOVES,
                Wdl::Win => 1,
            }));
        }
        Ok(self.probe_dtz(&after)?.map(|dtz| -dtz - dtz.signum()))
    }
}

/// Ranks every move, or none if one of them is not covered.
fn rank_all(
    legal: &[Move],
    mut rank: impl FnMut(Move) -> Result<Option<RootMove>, ProbeError>,
) -> Result<Option<Vec<RootMove>>, ProbeError> {
    let mut moves = Vec::with_capacity(legal.len());
    for &mv in legal {
        let Some(ranked) = rank(mv)? else { return Ok(None) };
        moves.push(ranked);
    }
    moves.sort_by_key(|root| (Reverse(root.rank), root.dtz));
    Ok(Some(moves))
}

/// What ranks depend on besides the tables.
struct Ranking {
    clock: i32,
    fifty_move_rule: bool,
    has_repeated: bool,
}

impl Ranking {
    fn by_dtz(&self, mv: Move, dtz: i32) -> RootMove {
        // The half-moves without progress when the next capture, pawn move or mate comes.
        let count = dtz.abs() + self.clock;
        let in_time = !self.fifty_move_rule || count <= FIFTY_MOVES;
        let wdl = match (dtz.signum(), in_time) {
            (1, true) => Wdl::Win,
            (1, false) => Wdl::CursedWin,
            (-1, true) => Wdl::Loss,
            (-1, false) => Wdl::BlessedLoss,
            _ => Wdl::Draw,
        };
        // Distances may be one too low, so the last half-move is not relied on.
        let is_sure = !self.fifty_move_rule || count < FIFTY_MOVES;
        let rank = match wdl {
            Wdl::Win if is_sure && !self.has_repeated => SURE,
            Wdl::Win | Wdl::CursedWin => SURE - count,
            Wdl::Draw => 0,
            // The longer it takes, the better the hope for fifty moves; far from them, the search knows
            // best how to resist.
            Wdl::Loss if !self.fifty_move_rule || 2 * dtz.abs() + self.clock < FIFTY_MOVES => -SURE,
            Wdl::Loss | Wdl::BlessedLoss => count - SURE,
        };
        RootMove { mv, wdl, dtz: Some(dtz), rank }
    }

    fn by_wdl(&self, mv: Move, wdl: Wdl) -> RootMove {
        let wdl = match wdl {
            Wdl::CursedWin if !self.fifty_move_rule => Wdl::Win,
            Wdl::BlessedLoss if !self.fifty_move_rule => Wdl::Loss,
            _ => wdl,
        };
        let rank = match wdl {
            Wdl::Loss => -SURE,
            Wdl::BlessedLoss => -1,
            Wdl::Draw => 0,
            Wdl::CursedWin => 1,
            Wdl::Win => SURE,
        };
        RootMove { mv, wdl, dtz: None, rank }
    }
}
