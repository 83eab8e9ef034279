//! Motifs, checked against what players mean by their names. The line of the claim ends with the move that does it; the
//! *whole* line, which the survey adds, shows what becomes of it.

use super::{Fault, attacked_by, end, ensure, man, men, replay, side, stands, text, worth};
use serde_json::Value;
use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Move, Piece, Position, Rank, Role, Square};

type Man = (Square, Role, Color);

struct Shown<'a> {
    hero: Color,
    by: Man,
    targets: Vec<Man>,
    /// Before and after the move that does it.
    before: &'a Chess,
    after: &'a Chess,
    /// The positions of the whole line, from the one before that move on, if the line is known.
    rest: Vec<Chess>,
}

pub(super) fn check(claim: &Value, line: &[Chess]) -> Result<(), Fault> {
    let hero = side(claim)?;
    let shown = Shown {
        hero,
        by: man(&claim["by"])?,
        targets: men(&claim["targets"])?,
        before: &line[line.len().saturating_sub(2)],
        after: end(line),
        rest: rest(claim, line)?,
    };
    ensure(shown.before.turn() == hero, "the last move is not the hero's")?;
    ensure(stands(shown.after.board(), shown.by), format!("{:?} does not stand there", shown.by))?;
    let name = text(claim, "motif")?;
    if !matches!(name, "hangingPiece" | "outnumbered" | "attraction") {
        for &target in &shown.targets {
            ensure(stands(shown.after.board(), target), format!("{target:?} does not stand there"))?;
        }
    }
    if name.ends_with("Mate") {
        return named_mate(name, &shown);
    }
    match name {
        "fork" => fork(&shown),
        "pin" | "relativePin" => pin(&shown, name == "pin"),
        "skewer" => skewer(&shown),
        "discoveredAttack" | "discoveredCheck" | "doubleCheck" => discovery(name, &shown),
        "hangingPiece" | "outnumbered" | "trappedPiece" => loose(name, &shown),
        "capturingDefender" | "overload" | "deflection" | "attraction" => defender(name, &shown),
        "interference" => interference(&shown),
        "clearance" | "intermezzo" | "xRayAttack" => sequence(name, &shown, line),
        "quietMove" => {
            let quiet = count(shown.before) == count(shown.after);
            ensure(quiet && shown.after.checkers().is_empty(), "not quiet")
        }
        "sacrifice" => {
            let first = balance(shown.before, hero);
            ensure(shown.rest.iter().any(|later| balance(later, hero) <= first - 2), "nothing is given up")
        }
        "promotion" | "underPromotion" => {
            let pawns = |position: &Chess| position.board().material_side(hero).pawn;
            let is_queen = shown.by.1 == Role::Queen;
            ensure(pawns(shown.after) < pawns(shown.before), "no promotion")?;
            ensure((name == "underPromotion") != is_queen || name == "promotion", "it is a queen")
        }
        "enPassant" => ensure(shown.before.ep_square(EnPassantMode::Legal).is_some(), "no en passant"),
        name => Err(format!("nothing checks {name}")),
    }
}

/// The whole line from the position before the motif's move on.
fn rest(claim: &Value, line: &[Chess]) -> Result<Vec<Chess>, Fault> {
    let from = line.len().saturating_sub(2);
    let Some(whole) = claim.get("whole").filter(|whole| !whole.is_null()) else {
        return Ok(line[from..].to_vec());
    };
    let whole = replay(whole)?;
    // A line that begins after the first move of this one shows the same moves.
    let mut all = if whole[0].board() == line[0].board() { Vec::new() } else { vec![line[0].clone()] };
    all.extend(whole);
    for (here, there) in line.iter().zip(&all) {
        ensure(here.board() == there.board(), "the motif is not part of the line")?;
    }
    Ok(all.split_off(from))
}

fn count(position: &Chess) -> usize {
    position.board().occupied().count()
}

fn balance(position: &Chess, side: Color) -> i64 {
    let sum = |color: Color| {
        let pieces = position.board().by_color(color) & !position.board().kings();
        pieces.into_iter().filter_map(|at| position.board().role_at(at)).map(worth).sum::<i64>()
    };
    sum(side) - sum(!side)
}

/// Legal captures of the side to move on a square.
fn takers(position: &Chess, square: Square) -> Vec<Move> {
    position.legal_moves().into_iter().filter(|mv| mv.is_capture() && mv.to() == square).collect()
}

/// The same position with the other side to move, if it is not check.
fn other_turn(position: &Chess) -> Option<Chess> {
    position.clone().swap_turn().ok()
}

/// Whether a piece of the side to move could be taken back on this square if the enemy took there now.
fn has_recapture(position: &Chess, mv: Move) -> bool {
    position.clone().play(mv).is_ok_and(|next| !takers(&next, mv.to()).is_empty())
}

/// Follows a piece along the rest of a line: whether the hero takes it.
fn falls(shown: &Shown<'_>, (mut at, role, color): Man) -> bool {
    for pair in shown.rest[1..].windows(2) {
        let (here, next) = (pair[0].board(), pair[1].board());
        let mover = pair[0].turn();
        if mover != color {
            if next.piece_at(at) != here.piece_at(at) {
                return true;
            }
        } else if next.piece_at(at).is_none() {
            // It moved: to the square that is new.
            let new = next.by_piece(Piece { color, role }) & !here.by_piece(Piece { color, role });
            let Some(to) = new.first() else { return false };
            at = to;
        }
    }
    false
}

fn fork(shown: &Shown<'_>) -> Result<(), Fault> {
    ensure(shown.targets.len() >= 2, "a fork of fewer than two")?;
    let attacked = shown.after.board().attacks_from(shown.by.0);
    for &(square, role, color) in &shown.targets {
        ensure(attacked.contains(square) && color != shown.hero, format!("{square} is not attacked"))?;
        let free = other_turn(shown.after).is_none_or(|turned| {
            let own = takers(&turned, square).into_iter().find(|mv| mv.from() == Some(shown.by.0));
            own.is_some_and(|mv| !has_recapture(&turned, mv))
        });
        ensure(
            role == Role::King || worth(role) > worth(shown.by.1) || free,
            format!("{square} is defended and not worth more"),
        )?;
    }
    let lost = takers(shown.after, shown.by.0)
        .into_iter()
        .any(|mv| !has_recapture(shown.after, mv) || worth(mv.role()) < worth(shown.by.1));
    ensure(!lost, "the forking piece is lost")?;
    ensure(shown.targets.iter().any(|&target| falls(shown, target)), "none of them falls")
}

/// What stands behind a piece as a slider sees it.
fn behind(board: &Board, slider: Square, front: Square) -> Bitboard {
    let mut without = board.clone();
    without.discard_piece_at(front);
    without.attacks_from(slider) & !board.attacks_from(slider)
}

fn pin(shown: &Shown<'_>, is_absolute: bool) -> Result<(), Fault> {
    let board = shown.after.board();
    let attacked = board.attacks_from(shown.by.0);
    let front =
        shown.targets.iter().find(|target| attacked.contains(target.0)).ok_or("nothing is attacked")?;
    let king = board.king_of(!shown.hero).ok_or("no king")?;
    let hidden = behind(board, shown.by.0, front.0);
    if is_absolute {
        ensure(hidden.contains(king), "nothing is pinned to the king")?;
    } else {
        let target = shown.targets.iter().find(|target| target.0 != front.0).ok_or("nothing behind")?;
        let is_more = worth(target.1) > worth(front.1);
        ensure(hidden.contains(target.0) && is_more, "nothing more valuable stands behind")?;
    }
    ensure(shown.targets.iter().any(|&target| falls(shown, target)), "it does not fall")
}

fn skewer(shown: &Shown<'_>) -> Result<(), Fault> {
    let board = shown.after.board();
    let attacked = board.attacks_from(shown.by.0);
    let front =
        shown.targets.iter().find(|target| attacked.contains(target.0)).ok_or("nothing is skewered")?;
    let back = shown.targets.iter().find(|target| target.0 != front.0).ok_or("nothing behind")?;
    ensure(behind(board, shown.by.0, front.0).contains(back.0), "not in one line")?;
    ensure(worth(front.1) > worth(back.1), "the piece in front is not worth more")?;
    ensure(falls(shown, *back), "what stands behind does not fall")
}

fn discovery(name: &str, shown: &Shown<'_>) -> Result<(), Fault> {
    let (before, after) = (shown.before.board(), shown.after.board());
    if name == "doubleCheck" {
        return ensure(shown.after.checkers().count() == 2, "not two checks");
    }
    ensure(stands(before, shown.by), "the piece behind has moved itself")?;
    if name == "discoveredCheck" {
        return ensure(shown.after.checkers().contains(shown.by.0), "no check by that piece");
    }
    let target = *shown.targets.first().ok_or("no target")?;
    let is_new = after.attacks_from(shown.by.0).contains(target.0)
        && !before.attacks_from(shown.by.0).contains(target.0);
    ensure(is_new, "the attack is not new")?;
    ensure(target.1 == Role::King || falls(shown, target), "it does not fall")
}

fn loose(name: &str, shown: &Shown<'_>) -> Result<(), Fault> {
    let target = *shown.targets.first().ok_or("no target")?;
    if name == "trappedPiece" {
        return trapped(shown, target);
    }
    ensure(stands(shown.before.board(), target), "the piece did not stand there")?;
    if name == "hangingPiece" {
        return ensure(takers(shown.after, target.0).is_empty(), "the piece was defended");
    }
    let [attackers, defenders] =
        [shown.hero, !shown.hero].map(|side| pile(shown.before.board(), target.0, side));
    ensure(defenders > 0 && attackers > defenders, format!("{attackers} attack, {defenders} defend"))
}

/// The piece is attacked, and wherever it goes it can be taken at a loss.
fn trapped(shown: &Shown<'_>, target: Man) -> Result<(), Fault> {
    ensure(attacked_by(shown.after.board(), target.0, shown.hero).any(), "the piece is not attacked")?;
    for mv in shown.after.legal_moves().iter().filter(|mv| mv.from() == Some(target.0)) {
        let next = shown.after.clone().play(*mv).map_err(|error| format!("{error}"))?;
        let pays = mv.capture().is_some_and(|taken| worth(taken) >= worth(target.1));
        let lost = takers(&next, mv.to())
            .into_iter()
            .any(|taker| !has_recapture(&next, taker) || worth(taker.role()) < worth(target.1));
        ensure(lost && !pays, format!("{} is safe", mv.to()))?;
    }
    ensure(falls(shown, target), "it does not fall")
}

/// The move of the enemy that follows the motif's.
fn reply(shown: &Shown<'_>) -> Option<(Square, Square)> {
    played(shown.rest.get(1)?, shown.rest.get(2)?)
}

/// From and to of the move between two positions.
fn played(before: &Chess, after: &Chess) -> Option<(Square, Square)> {
    before.legal_moves().into_iter().find_map(|mv| {
        let next = before.clone().play(mv).ok()?;
        (next.board() == after.board()).then_some((mv.from()?, mv.to()))
    })
}

fn defender(name: &str, shown: &Shown<'_>) -> Result<(), Fault> {
    let target = *shown.targets.first().ok_or("no target")?;
    ensure(target.2 != shown.hero, "its own piece")?;
    let board = shown.before.board();
    if name == "capturingDefender" {
        ensure(count(shown.before) > count(shown.after), "nothing is taken")?;
        ensure(board.attacks_from(shown.by.0).contains(target.0), "what is taken did not defend it")?;
        return ensure(falls(shown, target), "it does not fall");
    }
    let (from, to) = reply(shown).ok_or("no reply")?;
    let (_, uses) = shown
        .rest
        .get(2)
        .zip(shown.rest.get(3))
        .and_then(|(here, next)| played(here, next))
        .ok_or("nothing follows")?;
    match name {
        "overload" => {
            let duties = board.attacks_from(target.0);
            ensure(count(shown.before) > count(shown.after), "nothing is taken")?;
            ensure(from == target.0 && to == shown.by.0, "the defender does not take back")?;
            let other = shown.targets.get(1).ok_or("no second duty")?.0;
            ensure(duties.contains(to) && duties.contains(uses) && other == uses, "it does not guard both")
        }
        "deflection" => {
            let guarded = shown.after.board().attacks_from(target.0).contains(uses);
            let still = shown.rest[2].board().attacks_from(to).contains(uses);
            let named = shown.targets.get(1).is_none_or(|other| other.0 == uses);
            ensure(from == target.0 && guarded && !still && named, "it is not drawn away from a duty")
        }
        _ => {
            ensure(to == target.0, "it is not drawn there")?;
            let hit = shown.rest[3].board().attacks_from(uses).contains(to);
            ensure(hit || shown.rest[3].checkers().any(), "the next move does not hit it")
        }
    }
}

/// A slider that defended the target is cut off by the move or by the reply to it.
fn interference(shown: &Shown<'_>) -> Result<(), Fault> {
    let target = *shown.targets.first().ok_or("no target")?;
    ensure(target.2 != shown.hero && falls(shown, target), "it does not fall")?;
    let before = attacked_by(shown.before.board(), target.0, target.2);
    let cut = |later: &Chess| {
        let now = attacked_by(later.board(), target.0, target.2);
        (before & !now)
            .into_iter()
            .any(|from| later.board().piece_at(from) == shown.before.board().piece_at(from))
    };
    ensure(shown.rest.iter().skip(1).take(2).any(cut), "no defence is cut off")
}

fn sequence(name: &str, shown: &Shown<'_>, line: &[Chess]) -> Result<(), Fault> {
    if name == "xRayAttack" {
        let here = line.len().checked_sub(3).map(|index| &line[index]).ok_or("too short")?;
        let (_, to) = played(shown.before, shown.after).ok_or("no move")?;
        let (from, _) = played(here, shown.before).ok_or("no move")?;
        let (own, _) = played(shown.before, shown.after).ok_or("no move")?;
        ensure(shakmaty::attacks::between(own, to).contains(from), "nothing stood in the line")?;
        return ensure(count(shown.before) > count(shown.after), "nothing is taken");
    }
    let (from, _) = played(shown.before, shown.after).ok_or("no move")?;
    let follow = shown.rest.get(2).zip(shown.rest.get(3)).and_then(|(here, next)| played(here, next));
    let (next_from, next_to) = follow.ok_or("nothing follows")?;
    if name == "clearance" {
        let uses = next_to == from || shakmaty::attacks::between(next_from, next_to).contains(from);
        let named = shown.targets.first().is_some_and(|target| target.0 == next_from);
        return ensure(uses && named, "the way is not used");
    }
    let target = *shown.targets.first().ok_or("nothing to take back")?;
    let could = takers(shown.before, target.0).iter().any(|mv| mv.from() == Some(next_from));
    ensure(next_to == target.0 && could, "it is not taken back after the move between")
}

/// The squares next to the mated king, and what the names of mates ask for.
fn named_mate(name: &str, shown: &Shown<'_>) -> Result<(), Fault> {
    let board = shown.after.board();
    let king = board.king_of(!shown.hero).ok_or("no king")?;
    ensure(shown.after.is_checkmate(), "no mate")?;
    let around = shakmaty::attacks::king_attacks(king);
    let own = board.by_color(!shown.hero);
    let knights = board.knights() & board.by_color(shown.hero);
    let next_to = around.contains(shown.by.0);
    let held = (shakmaty::attacks::knight_attacks(shown.by.0) & knights).any();
    let diagonal = (shown.by.0.file() as i32 - king.file() as i32).abs()
        == (shown.by.0.rank() as i32 - king.rank() as i32).abs();
    let holds = match name {
        "backRankMate" => {
            let home = if shown.hero.is_white() { Rank::Eighth } else { Rank::First };
            let next = if shown.hero.is_white() { Rank::Seventh } else { Rank::Second };
            let front = around & Bitboard::from_rank(next);
            king.rank() == home && shown.by.0.rank() == home && (front & !own).is_empty()
        }
        "smotheredMate" => shown.by.1 == Role::Knight && (around & !own).is_empty(),
        "arabianMate" => shown.by.1 == Role::Rook && next_to && held && around.count() == 3,
        "hookMate" => shown.by.1 == Role::Rook && next_to && held,
        "anastasiaMate" => {
            let edge = matches!(king.file(), shakmaty::File::A | shakmaty::File::H);
            edge && shown.by.0.file() == king.file() && knights.any() && (around & own).any()
        }
        "bodenMate" | "doubleBishopMate" => {
            let bishops = board.bishops() & board.by_color(shown.hero);
            shown.by.1 == Role::Bishop && bishops.count() >= 2
        }
        "dovetailMate" => shown.by.1 == Role::Queen && next_to && diagonal,
        "swallowstailMate" => {
            shown.by.1 == Role::Queen && next_to && !diagonal && (around & own).count() >= 2
        }
        "epauletteMate" => {
            let shoulders = |rank: bool| {
                around
                    .into_iter()
                    .filter(|at| if rank { at.rank() == king.rank() } else { at.file() == king.file() })
                    .all(|at| own.contains(at))
            };
            shown.by.1 == Role::Queen && (shoulders(true) || shoulders(false))
        }
        _ => return Err(format!("nothing checks {name}")),
    };
    ensure(holds, format!("not what is called {name}"))
}

/// How many pieces of a side bear on a square, those behind others in the same line included.
fn pile(board: &Board, square: Square, side: Color) -> usize {
    let mut occupied = board.occupied();
    let mut found = Bitboard::EMPTY;
    loop {
        let new = board.attacks_to(square, side, occupied) & occupied & !found;
        let new: Bitboard = new.into_iter().filter(|&from| !is_pinned(board, from, square, side)).collect();
        if new.is_empty() {
            return found.count();
        }
        found |= new;
        occupied &= !new;
    }
}

/// Whether a piece would leave its king to an enemy slider by going to a square.
fn is_pinned(board: &Board, from: Square, to: Square, side: Color) -> bool {
    let Some(king) = board.king_of(side) else { return false };
    let mut without = board.clone();
    without.discard_piece_at(from);
    let uncovers = (attacked_by(&without, king, !side) & !attacked_by(board, king, !side)).any();
    uncovers && !shakmaty::attacks::aligned(king, from, to)
}
