//! The proof: every attacking move, every reply, distance by distance.

use crate::table::{Known, ProofTable};
use crate::{Limits, MateResult, Progress};
use chess::{All, Color, Key, Move, MoveList, Piece, Position};

/// The search was asked to stop or ran out of nodes.
pub(crate) struct Interrupted;

/// After this many half-moves without progress a draw can be claimed.
const FIFTY_MOVES: u16 = 100;

/// How many nodes may pass before the clock of the outside world is looked at again.
const NODES_PER_POLL: u64 = 1024;

/// Moves in the order in which to try them, least first.
type Ordered = Vec<(i32, Move)>;

pub(crate) struct Search<'a> {
    attacker: Color,
    pub(crate) limits: Limits<'a>,
    table: ProofTable,
    nodes: u64,
    /// How often a piece of the defender's on a square has prevented a mate.
    saves: [[u16; 64]; Piece::COUNT],
}

impl<'a> Search<'a> {
    pub(crate) fn new(attacker: Color, limits: Limits<'a>) -> Self {
        let table = ProofTable::new(limits.table_bytes);
        Self { attacker, limits, table, nodes: 0, saves: [[0; 64]; Piece::COUNT] }
    }

    /// The shortest mate by the side to move.
    pub(crate) fn shortest_mate(mut self, position: &Position, max_moves: u32) -> MateResult {
        for moves in 1..=max_moves {
            match self.root_attack(position, moves as u8) {
                Ok(Some(first)) => {
                    let line = self.line_from_attack(position, first, moves as u8);
                    return MateResult::Mate { moves, line, nodes: self.nodes };
                }
                Ok(None) => self.report(moves),
                Err(Interrupted) => return self.stopped(moves - 1),
            }
        }
        MateResult::NoMate { up_to: max_moves, nodes: self.nodes }
    }

    /// The number of moves in which the side to move is mated.
    pub(crate) fn shortest_defeat(mut self, position: &Position, max_moves: u32) -> MateResult {
        for moves in 0..=max_moves {
            match self.root_defence(position, moves as u8) {
                Ok(true) => {
                    let line = self.line_from_defence(position, moves as u8);
                    return MateResult::Mate { moves, line, nodes: self.nodes };
                }
                Ok(false) => self.report(moves),
                Err(Interrupted) => return self.stopped(moves.saturating_sub(1)),
            }
        }
        MateResult::NoMate { up_to: max_moves, nodes: self.nodes }
    }

    fn stopped(&self, proved_none_up_to: u32) -> MateResult {
        MateResult::Stopped { proved_none_up_to, nodes: self.nodes }
    }

    fn report(&mut self, none_up_to: u32) {
        if let Some(report) = &mut self.limits.progress {
            report(Progress { none_up_to, nodes: self.nodes });
        }
    }

    /// Counts a position and checks whether to continue.
    #[inline]
    fn count_node(&mut self) -> Result<(), Interrupted> {
        if self.limits.nodes.is_some_and(|limit| self.nodes >= limit)
            || (self.nodes.is_multiple_of(NODES_PER_POLL) && (self.limits.stop)())
        {
            return Err(Interrupted);
        }
        self.nodes += 1;
        Ok(())
    }

    /// The moves of the position itself that may be played.
    pub(crate) fn root_moves(&self, position: &Position) -> MoveList {
        let mut moves = position.legal_moves();
        if let Some(allowed) = self.limits.root_moves {
            moves.retain(|mv| allowed.contains(mv));
        }
        moves
    }

    /// The move of the root that mates in exactly `moves`, when none mates faster.
    fn root_attack(&mut self, position: &Position, moves: u8) -> Result<Option<Move>, Interrupted> {
        let allowed = self.root_moves(position);
        for (_, mv) in self.order_attack(position, &allowed, None) {
            if self.defence_fails(&position.after(mv), moves - 1)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    fn root_defence(&mut self, position: &Position, moves: u8) -> Result<bool, Interrupted> {
        if moves == 0 {
            return Ok(position.is_checkmate());
        }
        if position.halfmove_clock() >= FIFTY_MOVES {
            return Ok(false);
        }
        let replies = self.root_moves(position);
        for &reply in &replies {
            if self.attack(&position.after(reply), moves)?.is_none() {
                return Ok(false);
            }
        }
        Ok(!replies.is_empty())
    }

    /// A key that distinguishes what the search must distinguish: near the end of the fifty moves, a position
    /// depends on how many of them are left.
    #[inline]
    fn key(position: &Position, moves: u8) -> Key {
        let clock = position.halfmove_clock();
        let mut key = position.key();
        if clock.saturating_add(2 * u16::from(moves)) > FIFTY_MOVES {
            key.toggle(Key(u64::from(clock).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        }
        key
    }

    /// A move that mates in at most `moves`, the attacker to move: one of the shortest mate.
    pub(crate) fn attack(&mut self, position: &Position, moves: u8) -> Result<Option<Move>, Interrupted> {
        if position.halfmove_clock() >= FIFTY_MOVES || position.side(self.attacker).count() == 1 {
            return Ok(None);
        }
        if moves == 1 {
            return self.mate_in_one(position);
        }
        let key = Self::key(position, moves);
        let mut known = self.table.get(key);
        if let Some(mate_in) = known.mate_in {
            return Ok(known.best.filter(|_| mate_in <= moves));
        }
        if known.none_up_to >= moves {
            return Ok(None);
        }
        if known.none_up_to == 0 {
            if let Some(mv) = self.mate_in_one(position)? {
                self.table.put(key, Known { mate_in: Some(1), none_up_to: 0, best: Some(mv) });
                return Ok(Some(mv));
            }
            known.none_up_to = 1;
        }
        let legal = position.legal_moves();
        let ordered = self.order_attack(position, &legal, known.best);
        for distance in known.none_up_to + 1..=moves {
            for &(_, mv) in &ordered {
                if self.defence_fails(&position.after(mv), distance - 1)? {
                    let mate = Known { mate_in: Some(distance), none_up_to: distance - 1, best: Some(mv) };
                    self.table.put(key, mate);
                    return Ok(Some(mv));
                }
            }
            known.none_up_to = distance;
        }
        self.table.put(key, known);
        Ok(None)
    }

    fn mate_in_one(&mut self, position: &Position) -> Result<Option<Move>, Interrupted> {
        self.count_node()?;
        let mut mate = None;
        position.for_each_move::<All>(|mv| {
            if mate.is_none() && position.gives_check(mv) && position.after(mv).is_checkmate() {
                mate = Some(mv);
            }
        });
        Ok(mate)
    }

    /// Whether the defender, to move, is mated by at most `moves` moves of the attacker, whatever he
    /// plays.
    pub(crate) fn defence_fails(&mut self, position: &Position, moves: u8) -> Result<bool, Interrupted> {
        self.count_node()?;
        if moves == 0 {
            return Ok(position.is_checkmate());
        }
        let key = Self::key(position, moves);
        let mut known = self.table.get(key);
        if known.mate_in.is_some() || known.none_up_to >= moves {
            return Ok(known.mate_in.is_some_and(|mate_in| mate_in <= moves));
        }
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        if position.halfmove_clock() >= FIFTY_MOVES {
            return Ok(false);
        }
        for (_, reply) in self.order_defence(position, &replies, known.best) {
            if self.attack(&position.after(reply), moves)?.is_none() {
                self.praise(position, reply);
                known.none_up_to = moves;
                known.best = Some(reply);
                self.table.put(key, known);
                return Ok(false);
            }
        }
        known.mate_in = Some(moves);
        self.table.put(key, known);
        Ok(true)
    }

    /// Checks before others, and of both those that leave the fewest replies.
    fn order_attack(&self, position: &Position, moves: &[Move], best: Option<Move>) -> Ordered {
        let mut ordered: Ordered = moves
            .iter()
            .map(|&mv| {
                if Some(mv) == best {
                    return (-1, mv);
                }
                let after = position.after(mv);
                let quiet = if after.is_check() { 0 } else { 1000 };
                (quiet + after.count_legal_moves() as i32, mv)
            })
            .collect();
        ordered.sort_unstable_by_key(|&(order, _)| order);
        ordered
    }

    /// The reply that saved the defender last time, then those that have done so elsewhere, captures first
    /// among equals.
    fn order_defence(&self, position: &Position, replies: &[Move], best: Option<Move>) -> Ordered {
        let mut ordered: Ordered = replies
            .iter()
            .map(|&reply| {
                if Some(reply) == best {
                    return (i32::MIN, reply);
                }
                let saves = self.saves_of(position, reply);
                (-2 * i32::from(saves) - i32::from(position.is_capture(reply)), reply)
            })
            .collect();
        ordered.sort_unstable_by_key(|&(order, _)| order);
        ordered
    }

    fn saves_of(&self, position: &Position, reply: Move) -> u16 {
        position.piece_on(reply.from()).map_or(0, |piece| self.saves[piece.index()][reply.to().index()])
    }

    /// Remembers a reply that prevented a mate.
    fn praise(&mut self, position: &Position, reply: Move) {
        let Some(piece) = position.piece_on(reply.from()) else { return };
        let saves = &mut self.saves[piece.index()][reply.to().index()];
        *saves += 1;
        if *saves == u16::MAX {
            // Old merits fade, so that the order of the moves stays one of merit.
            self.saves.as_flattened_mut().iter_mut().for_each(|saves| *saves /= 2);
        }
    }
}
