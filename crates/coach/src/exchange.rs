//! Material along a line: what each side takes, and where the taking ends.

use crate::facts::value;
use crate::line::Line;
use chess::{Color, Position, Role};

/// What a side gets and gives along a line, without what goes off in equal trades.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Deal {
    /// What it takes, the most valuable first; a promotion gains the new piece.
    pub gained: Vec<Role>,
    /// What it gives, the most valuable first; a promotion gives the pawn.
    pub lost: Vec<Role>,
    /// Those among the gained pieces that are new: promoted pawns.
    pub promoted: Vec<Role>,
}

impl Deal {
    /// The deal of a side over the first moves of a line.
    #[must_use]
    pub fn along(line: &Line, side: Color, moves: usize) -> Self {
        let mut deal = Self::default();
        for step in line.steps().take(moves) {
            let (gained, lost) = if step.mover() == side {
                (&mut deal.gained, &mut deal.lost)
            } else {
                (&mut deal.lost, &mut deal.gained)
            };
            gained.extend(step.captured().map(chess::Piece::role));
            if let Some(role) = step.mv.promotes_to() {
                gained.push(role);
                lost.push(Role::Pawn);
            }
            let is_new = step.mover() == side;
            deal.promoted.extend(step.mv.promotes_to().filter(|_| is_new));
        }
        deal.cancel(|a, b| a == b);
        deal.cancel(|a, b| is_minor(a) && is_minor(b));
        for side in [&mut deal.gained, &mut deal.lost] {
            side.sort_unstable_by_key(|role| std::cmp::Reverse(role.index()));
        }
        deal.promoted = shared(&deal.gained, &deal.promoted);
        deal
    }

    fn cancel(&mut self, equal: impl Fn(Role, Role) -> bool) {
        self.gained.retain(|&gained| {
            let partner = self.lost.iter().position(|&lost| equal(gained, lost));
            partner.map(|index| self.lost.swap_remove(index)).is_none()
        });
    }

    /// What the deal brings, in pawns.
    #[must_use]
    pub fn balance(&self) -> i32 {
        let sum = |roles: &[Role]| roles.iter().map(|&role| value(role)).sum::<i32>();
        sum(&self.gained) - sum(&self.lost)
    }

    /// What it takes without its new pieces, and what it gives without the pawns that became these.
    #[must_use]
    pub fn without_promotions(&self) -> (Vec<Role>, Vec<Role>) {
        let new = self.promoted.len();
        let mut left = self.promoted.clone();
        let mut gained = self.gained.clone();
        gained.retain(|role| !take(&mut left, *role));
        let mut pawns = vec![Role::Pawn; new];
        let mut lost = self.lost.clone();
        lost.retain(|role| !take(&mut pawns, *role));
        (gained, lost)
    }
}

/// Takes one of these out of a list, if it is there.
fn take(list: &mut Vec<Role>, role: Role) -> bool {
    list.iter().position(|&other| other == role).map(|index| list.swap_remove(index)).is_some()
}

/// What both lists have.
fn shared(one: &[Role], other: &[Role]) -> Vec<Role> {
    let mut left = other.to_vec();
    one.iter().copied().filter(|&role| take(&mut left, role)).collect()
}

const fn is_minor(role: Role) -> bool {
    matches!(role, Role::Knight | Role::Bishop)
}

/// Half a pawn: less does not count as won by an exchange.
const EXCHANGE_GAIN: i32 = 50;

/// Whether the side to move has no check to answer and nothing to win at once.
#[must_use]
pub fn is_settled(position: &Position) -> bool {
    if position.is_check() {
        return false;
    }
    let wins = |&mv: &chess::Move| position.is_noisy(mv) && position.see_ge(mv, EXCHANGE_GAIN);
    !position.legal_moves().iter().any(wins)
}

/// Moves looked at for a settled position: farther on, lines of a search are guesses.
const HORIZON: usize = 10;

/// The number of moves after which the material of a line is settled and is what it comes to in the end: the *quiet end*
/// of the line. Trades after it change nothing.
#[must_use]
pub fn quiet_end(line: &Line) -> usize {
    let hero = line.hero();
    let settled: Vec<usize> = line
        .steps()
        .take(HORIZON)
        .filter(|step| is_settled(step.after) || step.after.is_checkmate())
        .map(|step| step.index + 1)
        .collect();
    let Some(&last) = settled.last() else { return line.moves().len().min(HORIZON) };
    let final_balance = Deal::along(line, hero, last).balance();
    let is_final = |&&end: &&usize| Deal::along(line, hero, end).balance() == final_balance;
    settled.iter().find(is_final).copied().unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Move;

    fn line(fen: &str, sans: &[&str]) -> Line {
        let start: Position = fen.parse().unwrap();
        let mut at = start;
        let moves: Vec<Move> = sans
            .iter()
            .map(|san| {
                let mv = at.parse_san(san).unwrap();
                at.play(mv);
                mv
            })
            .collect();
        Line::new(start, moves)
    }

    #[test]
    fn trades_cancel_and_promotions_count() {
        let trade = line("4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1", &["exd5", "cxd5"]);
        let deal = Deal::along(&trade, Color::White, 2);
        assert_eq!(deal, Deal { gained: vec![Role::Knight], lost: vec![Role::Pawn], promoted: Vec::new() });
        assert_eq!(deal.balance(), 2);
        let promotion = line("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", &["axb8=Q+"]);
        let deal = Deal::along(&promotion, Color::White, 1);
        assert_eq!((&deal.gained[..], &deal.lost[..]), (&[Role::Queen, Role::Knight][..], &[Role::Pawn][..]));
        assert_eq!(deal.promoted, [Role::Queen]);
        assert_eq!(deal.without_promotions(), (vec![Role::Knight], Vec::new()));
    }

    #[test]
    fn the_quiet_end_comes_after_the_recapture() {
        let trade = line("4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1", &["exd5", "cxd5", "Kd2", "Ke7"]);
        assert_eq!(quiet_end(&trade), 2);
    }
}
