//! Static exchange evaluation: what a move wins or loses when both sides keep taking on its target
//! square, each with its least valuable piece first, for as long as it pays.
//!
//! The rules of the exchange:
//! - The first move counts all it changes: what it takes (en passant too), and for a promotion the new
//!   piece less the pawn; the new piece is then the one at risk. Castling has the value 0.
//! - A pawn that takes later on the last rank stays a pawn: the gain of promoting is not foreseen.
//! - A pinned piece, of either side, takes only along the line of its pin. Pins are those of the position
//!   before the first move; an exchange that breaks one is too rare to spend time on.
//! - Removing a piece uncovers the sliders behind it.
//! - The king takes last, and only when the other side attacks the square no more. A pinned piece guards
//!   a square from the king as any other does, even if it could not take there itself.
//! - Among pieces of one kind the one nearest to a1 takes first.

use crate::{Bitboard, Move, MoveKind, Position, Role, attacks};

/// The values of the pieces in an exchange, by [`Role::index`]. The king has none: it is never lost.
pub const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

const fn value(role: Role) -> i32 {
    VALUES[role.index()]
}

impl Position {
    /// Whether a legal move wins at least `threshold` by exchanges on its target square, in the sense of
    /// [`see`](crate::see).
    #[must_use]
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let Some(mover) = self.piece_on(mv.from()) else { return threshold <= 0 };
        let taken = self.captured(mv).map_or(0, |piece| value(piece.role()));
        let (promoted, at_risk) = match mv.kind() {
            MoveKind::Promotion(role) => (value(role) - value(Role::Pawn), role),
            _ => (0, mover.role()),
        };
        let surplus = taken + promoted - threshold;
        if surplus < 0 {
            return false;
        }
        let surplus = surplus - value(at_risk);
        surplus >= 0 || self.exchange_holds(mv, surplus)
    }

    /// Whether the side to move keeps its surplus through the exchange that follows its move. `surplus`
    /// is what it has beyond its need once the piece that moved is lost: below 0, or there is no question.
    fn exchange_holds(&self, mv: Move, mut surplus: i32) -> bool {
        let us = self.turn();
        let to = mv.to();
        let mut occupied = self.occupied().without(mv.from());
        if mv.is_en_passant() {
            occupied = occupied.without(to.forward(!us));
        }
        let mut attackers = self.attackers_to(to, occupied) & occupied;
        if !attackers.intersects(self.side(!us)) {
            return true;
        }
        let held = (self.pinned() & !attacks::line(self.king(us), to))
            | (self.king_blockers(!us) & self.side(!us) & !attacks::line(self.king(!us), to));
        let diagonal = self.diagonal_sliders();
        let orthogonal = self.orthogonal_sliders();

        // The side to take loses the argument unless it takes; having taken, it wins the argument if it
        // can do without the piece it took with. `surplus` is always that of the side that took last.
        let mut to_take = !us;
        loop {
            attackers &= occupied;
            let able = attackers & self.side(to_take);
            let Some((role, from)) = self.least_valuable(able & !held) else { break };
            occupied ^= from;
            match role {
                Role::Pawn | Role::Bishop => attackers |= attacks::bishop(to, occupied) & diagonal,
                Role::Rook => attackers |= attacks::rook(to, occupied) & orthogonal,
                Role::Queen => {
                    attackers |= attacks::bishop(to, occupied) & diagonal;
                    attackers |= attacks::rook(to, occupied) & orthogonal;
                }
                Role::Knight => {}
                Role::King => {
                    // A slider that checks the king along this line attacks the square behind it too.
                    attackers |= attacks::bishop(to, occupied) & diagonal;
                    attackers |= attacks::rook(to, occupied) & orthogonal;
                    if (attackers & occupied).intersects(self.side(!to_take)) {
                        break;
                    }
                }
            }
            to_take = !to_take;
            surplus = -surplus - 1 - value(role);
            if surplus >= 0 {
                break;
            }
        }
        to_take != us
    }

    /// The least valuable of some pieces, as a kind and a set of one square.
    #[inline]
    fn least_valuable(&self, pieces: Bitboard) -> Option<(Role, Bitboard)> {
        if pieces.is_empty() {
            return None;
        }
        Role::ALL.into_iter().find_map(|role| {
            let square = (pieces & self.role(role)).first()?;
            Some((role, square.bitboard()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::{Color, Piece, Setup, Square};

    const ORTHOGONAL: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

    /// A board looked at square by square, sharing nothing with the tables and sets of the real thing.
    #[derive(Clone)]
    struct Board([Option<Piece>; 64]);

    impl Board {
        fn first_along(&self, from: Square, (file, rank): (i8, i8)) -> Option<(Square, Piece)> {
            let mut square = from;
            while let Some(next) = square.offset(file, rank) {
                if let Some(piece) = self.0[next.index()] {
                    return Some((next, piece));
                }
                square = next;
            }
            None
        }

        fn attacks(&self, from: Square, to: Square) -> bool {
            let Some(piece) = self.0[from.index()] else { return false };
            let files = to.file().index() as i8 - from.file().index() as i8;
            let ranks = to.rank().index() as i8 - from.rank().index() as i8;
            let slides = |steps: [(i8, i8); 4]| {
                steps.into_iter().any(|step| {
                    let mut square = from;
                    while let Some(next) = square.offset(step.0, step.1) {
                        if next == to {
                            return true;
                        }
                        if self.0[next.index()].is_some() {
                            return false;
                        }
                        square = next;
                    }
                    false
                })
            };
            match piece.role() {
                Role::Pawn => files.abs() == 1 && ranks == if piece.color() == Color::White { 1 } else { -1 },
                Role::Knight => files.abs() * ranks.abs() == 2,
                Role::Bishop => slides(DIAGONAL),
                Role::Rook => slides(ORTHOGONAL),
                Role::Queen => slides(DIAGONAL) || slides(ORTHOGONAL),
                Role::King => files.abs().max(ranks.abs()) == 1,
            }
        }

        fn attackers(&self, to: Square, color: Color) -> impl Iterator<Item = Square> {
            Square::all().filter(move |&from| {
                self.0[from.index()].is_some_and(|piece| piece.color() == color) && self.attacks(from, to)
            })
        }

        /// The pinned pieces of a side that cannot go to `to`.
        fn held(&self, color: Color, to: Square) -> Vec<Square> {
            let king = Square::all()
                .find(|square| self.0[square.index()] == Some(Piece::new(color, Role::King)))
                .expect("a king");
            let mut held = Vec::new();
            for (steps, slider) in [(DIAGONAL, Role::Bishop), (ORTHOGONAL, Role::Rook)] {
                for step in steps {
                    let Some((square, blocker)) = self.first_along(king, step) else { continue };
                    let Some((_, pinner)) = self.first_along(square, step) else { continue };
                    let pins = pinner.role() == slider || pinner.role() == Role::Queen;
                    let along = (-7..8).any(|n| king.offset(step.0 * n, step.1 * n) == Some(to));
                    if blocker.color() == color && pinner.color() != color && pins && !along {
                        held.push(square);
                    }
                }
            }
            held
        }

        /// The best a side can make of taking on `to`, where a piece of this value stands.
        fn swap(&self, to: Square, color: Color, at_stake: i32, held: &[Square]) -> i32 {
            let taker = self
                .attackers(to, color)
                .filter(|from| !held.contains(from))
                .min_by_key(|from| self.0[from.index()].map(Piece::role));
            let Some(from) = taker else { return 0 };
            let piece = self.0[from.index()].expect("the taker");
            let mut after = self.clone();
            after.0[from.index()] = None;
            after.0[to.index()] = Some(piece);
            if piece.role() == Role::King && after.attackers(to, !color).next().is_some() {
                return 0;
            }
            (at_stake - after.swap(to, !color, value(piece.role()), held)).max(0)
        }
    }

    fn naive_see(position: &Position, mv: Move) -> i32 {
        if mv.is_castling() {
            return 0;
        }
        let us = position.turn();
        let before = Board(position.to_setup().board);
        let mut held = before.held(us, mv.to());
        held.extend(before.held(!us, mv.to()));
        let mut after = before;
        let mover = after.0[mv.from().index()].take().expect("a piece to move");
        let mut won = after.0[mv.to().index()].map_or(0, |piece| value(piece.role()));
        if mv.is_en_passant() {
            after.0[mv.to().forward(!us).index()] = None;
            won = value(Role::Pawn);
        }
        let mut at_stake = value(mover.role());
        if let Some(role) = mv.promotes_to() {
            won += value(role) - value(Role::Pawn);
            at_stake = value(role);
        }
        after.0[mv.to().index()] = Some(mover);
        won - after.swap(mv.to(), !us, at_stake, &held)
    }

    fn assert_see(position: &Position, mv: Move, expected: i32) {
        for offset in [-1000, -330, -100, -1, 0, 1, 100, 330, 1000] {
            let threshold = expected + offset;
            assert_eq!(
                position.see_ge(mv, threshold),
                offset <= 0,
                "{mv:?} in {position:?} has the value {expected}, asked for {threshold}"
            );
        }
        for threshold in (-1000..=1000).step_by(50) {
            assert_eq!(position.see_ge(mv, threshold), expected >= threshold, "{mv:?} in {position:?}");
        }
    }

    #[test]
    fn equals_the_naive_swap_on_random_walks() {
        let mut random = Random::new(1);
        let (mut positions, mut exchanges) = (0, 0);
        while positions < 20_000 {
            let mut position = Position::startpos();
            for _ in 0..160 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for &mv in &moves {
                    let expected = naive_see(&position, mv);
                    exchanges += usize::from(expected != 0);
                    assert_see(&position, mv, expected);
                }
                positions += 1;
                // Captures are left to chance half the time, so that boards stay full and tense.
                let mut mv = moves[random.below(moves.len())];
                if position.is_capture(mv) {
                    mv = moves[random.below(moves.len())];
                }
                position.play(mv);
            }
        }
        assert!(exchanges > 100_000, "only {exchanges} moves won or lost anything");
    }

    fn case(fen: &str, mv: Move, expected: i32) {
        let position = Position::from_fen(fen).expect(fen);
        assert!(position.is_legal(mv), "{mv:?} in {fen}");
        assert_eq!(naive_see(&position, mv), expected, "{mv:?} in {fen}");
        assert_see(&position, mv, expected);
    }

    #[test]
    fn simple_captures() {
        // An unguarded pawn; then one guarded by a pawn, taken by each piece.
        case("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", Move::normal(Square::E1, Square::E5), 100);
        case("4k3/8/3p4/4p3/8/8/8/4RK2 w - -", Move::normal(Square::E1, Square::E5), -400);
        case("4k3/8/3p4/4p3/8/5N2/8/5K2 w - -", Move::normal(Square::F3, Square::E5), -220);
        case("4k3/8/3p4/4p3/3P4/8/8/5K2 w - -", Move::normal(Square::D4, Square::E5), 0);
        // Moving a queen where a pawn takes it, and where nothing does.
        case("k7/8/3p4/8/8/4Q3/8/5K2 w - -", Move::normal(Square::E3, Square::E5), -950);
        case("k7/8/3p4/8/8/4Q3/8/5K2 w - -", Move::normal(Square::E3, Square::E4), 0);
    }

    #[test]
    fn sliders_join_from_behind() {
        // Knight takes pawn, knight retakes, rook takes, bishop takes, queen behind the rook takes; Black
        // stops while he is ahead.
        case(
            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -",
            Move::normal(Square::D3, Square::E5),
            -220,
        );
        // Two rooks against two rooks on one file, over a pawn.
        case("3rk3/3r4/8/3p4/8/8/3R4/3R1K2 w - -", Move::normal(Square::D2, Square::D5), -400);
        case("4k3/3r4/8/3p4/8/8/3R4/3R1K2 w - -", Move::normal(Square::D2, Square::D5), 100);
        // A bishop behind its pawn.
        case("4k3/8/5p2/4p3/3P4/2B5/8/5K2 w - -", Move::normal(Square::D4, Square::E5), 100);
    }

    #[test]
    fn promotions_and_en_passant() {
        case("7k/P7/8/8/8/8/8/K7 w - -", Move::promotion(Square::A7, Square::A8, Role::Queen), 850);
        case("1r5k/P7/8/8/8/8/8/K7 w - -", Move::promotion(Square::A7, Square::A8, Role::Queen), -100);
        case("1r5k/P7/8/8/8/8/8/K7 w - -", Move::promotion(Square::A7, Square::A8, Role::Knight), -100);
        case("1r5k/P7/8/8/8/8/8/K7 w - -", Move::promotion(Square::A7, Square::B8, Role::Queen), 1350);
        case("1rr4k/P7/8/8/8/8/8/K7 w - -", Move::promotion(Square::A7, Square::B8, Role::Rook), 400);

        let mut setup = Setup::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6").expect("en passant");
        let position = Position::from_setup(&setup).expect("en passant");
        assert_see(&position, Move::en_passant(Square::E5, Square::D6), 100);
        setup.board[Square::C7.index()] = Some(Piece::BlackPawn);
        let position = Position::from_setup(&setup).expect("en passant, guarded");
        assert_see(&position, Move::en_passant(Square::E5, Square::D6), 0);
        // The rook behind the pawn that vanishes sees the square then.
        setup.board[Square::D1.index()] = Some(Piece::WhiteRook);
        let position = Position::from_setup(&setup).expect("en passant, with support");
        assert_see(&position, Move::en_passant(Square::E5, Square::D6), 100);
    }

    #[test]
    fn castling_has_no_value() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K -").expect("castling");
        assert_see(&position, Move::castling(Square::E1, Square::H1), 0);
    }

    #[test]
    fn pinned_pieces_take_only_along_the_pin() {
        // The knight that guards d5 is pinned to its king by the rook; then it is not.
        case("4k3/4n3/8/3p4/8/8/8/K2RR3 w - -", Move::normal(Square::D1, Square::D5), 100);
        case("5k2/4n3/8/3p4/8/8/8/K2RR3 w - -", Move::normal(Square::D1, Square::D5), -400);
        // A rook pinned on the file on which it takes may do so.
        case("3k4/3r4/8/3p4/8/8/3R4/K2R4 w - -", Move::normal(Square::D2, Square::D5), 100);
        case("3k4/3r4/8/3p4/8/8/3R4/K7 w - -", Move::normal(Square::D2, Square::D5), -400);
        // White's own supporter is pinned and cannot retake.
        case("k7/4r3/2p5/3p4/2P5/4N3/8/4K3 w - -", Move::normal(Square::C4, Square::D5), 0);
    }

    #[test]
    fn the_king_takes_last_and_never_into_an_attack() {
        case("8/8/3k4/4p3/8/8/4R3/4K3 w - -", Move::normal(Square::E2, Square::E5), -400);
        case("8/8/3k4/4p3/8/8/4R3/4RK2 w - -", Move::normal(Square::E2, Square::E5), 100);
        // The knight on c3 is pinned by the bishop, yet guards d5 from the king.
        case("8/8/2k5/3p4/1b6/2N5/8/3RK3 w - -", Move::normal(Square::D1, Square::D5), 100);
    }
}
