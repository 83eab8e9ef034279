//! Checks claims again, independently of the code that makes them: it reads their JSON and asks another library for the
//! rules of chess. A claim that cannot be confirmed is false.

mod ending;
mod motif;
pub(crate) mod search;
pub(crate) mod survey;
mod trend;

use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, File, Position, Rank, Role, Square};

/// What is wrong with a claim.
pub(crate) type Fault = String;

/// Checks a claim.
pub(crate) fn check(claim: &Value) -> Result<(), Fault> {
    let line = claim.get("line").map(replay).transpose()?;
    match text(claim, "kind")? {
        "mate" => mate(claim, line.as_deref().ok_or("no line")?),
        "material" => material(claim, line.as_deref().ok_or("no line")?),
        "motif" => motif::check(claim, line.as_deref().ok_or("no line")?),
        "feature" => feature(claim, line.as_deref().ok_or("no line")?),
        "draw" => draw(claim, line.as_deref().ok_or("no line")?),
        "verdict" => verdict(claim),
        "ended" => ended(claim),
        "onlyMove" | "best" | "answer" | "turningPoint" => {
            ensure(line.ok_or("no line")?.len() == 2, "not one legal move")
        }
        "better" => ensure(line.ok_or("no line")?.len() >= 2, "no legal move"),
        "recapture" | "lookAt" | "develops" | "castles" => simple(claim),
        "opening" => ensure(text(claim, "eco")?.len() == 3 && !text(claim, "name")?.is_empty(), "no opening"),
        "theory" => theory(claim, line.as_deref()),
        "ending" => ending::check(claim),
        "trend" => trend::check(claim, line.as_deref().ok_or("no line")?),
        "slips" => slips(claim),
        "sacrifice" => sacrifice(claim, line.as_deref().ok_or("no line")?),
        "gainsTempo" => gains_tempo(claim, line.as_deref().ok_or("no line")?),
        "zugzwang" => zugzwang(claim, line.as_deref().ok_or("no line")?),
        "preferred" | "alike" => {
            let other = replay(&claim["other"])?;
            ensure(line.ok_or("no line")?.len() >= 2 && other.len() >= 2, "no moves to compare")
        }
        "idea" | "mostOften" | "train" => Ok(()),
        kind => Err(format!("nothing checks {kind}")),
    }
}

/// Checks what is said of a position or move all together: nothing may contradict the score of the side to move,
/// in centipawns, or its mate.
pub(crate) fn contradicts(claims: &[Value], score: i64, turn: &str) -> Option<String> {
    let other = if turn == "white" { "black" } else { "white" };
    let [ahead, behind] = if score >= 0 { [turn, other] } else { [other, turn] };
    claims.iter().find_map(|claim| {
        let side = claim["side"].as_str();
        let fault = match claim["kind"].as_str()? {
            "mate" if claim["occasion"] == "position" => score.abs() < 10_000 || side != Some(ahead),
            "material" if claim["occasion"] == "position" => score.abs() >= 60 && side == Some(behind),
            "verdict" => side.is_some_and(|side| side != ahead) || (side.is_none() && score.abs() >= 60),
            "draw" if claim["occasion"] == "position" => score.abs() > 30,
            "ending" => match claim["ending"].as_str()? {
                "pawnDraws" | "wrongBishop" | "noForcedMate" | "tableDraw" => score.abs() > 30,
                "pawnWins" | "mateKnown" | "tableWin" => score.abs() < 250 || side != Some(ahead),
                _ => false,
            },
            "feature" if claim["feature"] == "unstoppablePawn" => false,
            _ => false,
        };
        fault.then(|| format!("{claim} at {score} for {turn}"))
    })
}

/// Checks what is said of a move all together, with the points of the win percentage that it loses: an error is not
/// praised, a good move not blamed, and a mover who slips stands worse afterwards.
pub(crate) fn contradicts_move(claims: &[Value], loss: f64, mover: &str) -> Option<String> {
    let is_error = loss >= 5.0;
    let rank = |standing: &Value| {
        let degree = match standing[0].as_str()? {
            "equal" => 0,
            "slight" => 1,
            "clear" => 2,
            _ => 3,
        };
        Some(if standing[1].as_str() == Some(mover) { degree } else { -degree })
    };
    claims.iter().find_map(|claim| {
        let own = claim["side"].as_str() == Some(mover);
        let fault = match (claim["kind"].as_str()?, claim["occasion"].as_str()?) {
            ("slips", _) => rank(&claim["from"])? <= rank(&claim["to"])?,
            ("mate" | "material", "played") => is_error || !own,
            ("mate" | "material", "allowed") => !is_error || own,
            ("mate" | "material", "missed") => !is_error || !own,
            ("better" | "trend", _) => !is_error,
            ("best" | "onlyMove" | "gainsTempo", _) => is_error,
            ("sacrifice", _) => (claim["isSound"] == true) == is_error,
            _ => false,
        };
        fault.then(|| format!("{claim} for {mover}, who loses {loss:.1} points"))
    })
}

/// What is said of a single move, or of a piece as it stands. The position and the move come with the claim.
fn simple(claim: &Value) -> Result<(), Fault> {
    let line = replay(claim.get("at").ok_or("no position")?)?;
    let (before, after) = (line[0].board(), end(&line).board());
    let mover = line[0].turn();
    let is_taken = before.occupied().count() > after.occupied().count();
    match text(claim, "kind")? {
        "castles" => {
            let castled = (before.by_piece(mover.king()) & after.by_piece(mover.king())).is_empty()
                && before.by_piece(mover.rook()) != after.by_piece(mover.rook());
            ensure(castled && !is_taken, "no castling")
        }
        "recapture" => {
            let man = man(&claim["man"])?;
            ensure(
                stands(before, man) && !stands(after, man) && man.2 != mover && is_taken,
                "nothing is taken",
            )
        }
        "develops" => {
            let man = man(&claim["man"])?;
            let is_minor = matches!(man.1, Role::Knight | Role::Bishop);
            ensure(stands(after, man) && !stands(before, man) && is_minor, "it did not move there")
        }
        _ => ensure(stands(before, man(&claim["man"])?), "it does not stand there"),
    }
}

fn ended(claim: &Value) -> Result<(), Fault> {
    let line = replay(claim.get("at").ok_or("no position")?)?;
    let here = end(&line);
    let holds = match text(claim, "how")? {
        "checkmate" => here.is_checkmate() && here.turn() == side(claim)?,
        "stalemate" => here.is_stalemate() && here.turn() == side(claim)?,
        "deadPosition" => here.is_insufficient_material(),
        _ => false,
    };
    ensure(holds, "the game has not ended so")
}

fn theory(claim: &Value, line: Option<&[Chess]>) -> Result<(), Fault> {
    let Some(line) = line else {
        return ensure(claim["isKnown"] == true, "neither known nor anything else usual");
    };
    let (before, after) = (line[0].board(), end(line).board());
    let mover = line[0].turn();
    let minors = |board: &Board| (board.knights() | board.bishops()) & board.by_color(mover);
    let home = Bitboard::from_rank(if mover.is_white() { Rank::First } else { Rank::Eighth });
    match claim["merit"].as_str() {
        Some("develops") => ensure(
            (minors(before) & home).count() > (minors(after) & home).count(),
            "no knight or bishop leaves home",
        ),
        Some("castles") => ensure(before.king_of(mover) != after.king_of(mover), "the king stays"),
        Some("centre") => {
            let centre: Bitboard = [Square::D4, Square::E4, Square::D5, Square::E5].into_iter().collect();
            let pawns = |board: &Board| (board.pawns() & board.by_color(mover) & centre).count();
            ensure(pawns(after) > pawns(before), "no pawn in the centre")
        }
        _ => Ok(()),
    }
}

fn slips(claim: &Value) -> Result<(), Fault> {
    ensure(claim["from"] != claim["to"], "nothing changes")
}

fn sacrifice(claim: &Value, line: &[Chess]) -> Result<(), Fault> {
    let man = man(&claim["man"])?;
    ensure(line.len() >= 3 && stands(line[1].board(), man), "the piece does not stand there")?;
    ensure(line[2].board().piece_at(man.0).is_some_and(|piece| piece.color != man.2), "it is not taken")?;
    let value = |position: &Chess| {
        let side = |color: Color| {
            let material = position.board().material_side(color);
            ROLES.iter().map(|&(_, role)| i64::from(material[role]) * worth(role)).sum::<i64>()
        };
        side(man.2) - side(!man.2)
    };
    ensure(value(end(line)) <= value(&line[0]) - 2, "no material is given up")
}

fn gains_tempo(claim: &Value, line: &[Chess]) -> Result<(), Fault> {
    let man = man(&claim["man"])?;
    ensure(line.len() == 3, "not a move and its answer")?;
    let attackers = attacked_by(line[1].board(), man.0, !man.2);
    let is_lesser =
        |square: Square| line[1].board().role_at(square).is_some_and(|role| worth(role) < worth(man.1));
    ensure(stands(line[1].board(), man) && attackers.into_iter().any(is_lesser), "it is not attacked")?;
    ensure(!stands(line[2].board(), man), "it does not move")
}

/// The side is to move, is not in check, and has at most one piece besides king and pawns.
fn zugzwang(claim: &Value, line: &[Chess]) -> Result<(), Fault> {
    let here = end(line);
    let board = here.board();
    let side = side(claim)?;
    let pieces = board.by_color(side) & !(board.pawns() | board.kings());
    ensure(here.turn() == side && here.checkers().is_empty() && pieces.count() <= 1, "no zugzwang")
}

fn worth(role: Role) -> i64 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 99,
    }
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, Fault> {
    value[key].as_str().ok_or_else(|| format!("no {key} in {value}"))
}

fn side(claim: &Value) -> Result<Color, Fault> {
    Ok(if text(claim, "side")? == "white" { Color::White } else { Color::Black })
}

fn square(value: &Value) -> Result<Square, Fault> {
    value.as_str().and_then(|name| name.parse().ok()).ok_or_else(|| format!("{value} is no square"))
}

/// All positions of a line.
fn replay(line: &Value) -> Result<Vec<Chess>, Fault> {
    let fen: Fen = text(line, "fen")?.parse().map_err(|error| format!("{error}"))?;
    let mut position: Chess =
        fen.into_position(CastlingMode::Chess960).map_err(|error| format!("{error}"))?;
    let mut positions = vec![position.clone()];
    for mv in line["moves"].as_array().ok_or("no moves")? {
        let uci: UciMove = mv.as_str().unwrap_or_default().parse().map_err(|error| format!("{error}"))?;
        let mv = uci.to_move(&position).map_err(|error| format!("{uci}: {error}"))?;
        position = position.play(mv).map_err(|error| format!("{error}"))?;
        positions.push(position.clone());
    }
    Ok(positions)
}

fn end(line: &[Chess]) -> &Chess {
    &line[line.len() - 1]
}

fn ensure(holds: bool, fault: impl Into<String>) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(fault.into()) }
}

fn mate(claim: &Value, line: &[Chess]) -> Result<(), Fault> {
    let winner = side(claim)?;
    ensure(end(line).is_checkmate() && end(line).turn() != winner, "the line does not end in this mate")?;
    let moves = line[..line.len() - 1].iter().filter(|position| position.turn() == winner).count() as u64;
    let claimed = claim["mateIn"].as_u64().ok_or("no number of moves")?;
    let start = &line[0];
    if claimed <= 2 && start.turn() == winner && line.len() > 2 {
        ensure(forces_mate(start, claimed) && !forces_mate(start, claimed - 1), "not forced, or quicker")?;
    }
    let already_played = text(claim, "occasion")? == "played" && line.len() == 2 && claimed == 0;
    ensure(claimed == moves || already_played, format!("mate in {moves}, not {claimed}"))
}

/// Whether the side to move mates in this number of moves, whatever is played: all moves are tried.
fn forces_mate(position: &Chess, moves: u64) -> bool {
    moves > 0
        && position.legal_moves().iter().any(|mv| {
            let Ok(next) = position.clone().play(*mv) else { return false };
            let replies = next.legal_moves();
            if replies.is_empty() {
                return next.is_checkmate();
            }
            replies
                .iter()
                .all(|reply| next.clone().play(*reply).is_ok_and(|later| forces_mate(&later, moves - 1)))
        })
}

const ROLES: [(&str, Role); 5] = [
    ("pawn", Role::Pawn),
    ("knight", Role::Knight),
    ("bishop", Role::Bishop),
    ("rook", Role::Rook),
    ("queen", Role::Queen),
];

/// The change of every kind of piece on the board must be the one claimed, but for equal trades.
fn material(claim: &Value, line: &[Chess]) -> Result<(), Fault> {
    let winner = side(claim)?;
    let count =
        |position: &Chess, color: Color, role: Role| i64::from(position.board().material_side(color)[role]);
    let value = worth;
    let (mut real, mut claimed) = (0, 0);
    let listed = |key: &str, name: &str| {
        claim[key]
            .as_array()
            .map_or(0, |list| list.iter().filter(|item| item.as_str() == Some(name)).count() as i64)
    };
    for (name, role) in ROLES {
        let swing = |position: &Chess| count(position, winner, role) - count(position, !winner, role);
        let change = swing(end(line)) - swing(&line[0]);
        let said = listed("gained", name) - listed("lost", name);
        real += change * value(role);
        claimed += said * value(role);
        let is_minor = matches!(role, Role::Knight | Role::Bishop);
        ensure(is_minor || change == said, format!("{name}: {change} on the board, {said} claimed"))?;
    }
    ensure(real == claimed && real > 0, format!("{real} pawns on the board, {claimed} claimed"))
}

fn men(list: &Value) -> Result<Vec<(Square, Role, Color)>, Fault> {
    list.as_array().ok_or("no list")?.iter().map(man).collect()
}

fn man(value: &Value) -> Result<(Square, Role, Color), Fault> {
    let name = text(value, "piece")?;
    let role = ROLES.iter().find(|(other, _)| *other == name).map_or(Role::King, |&(_, role)| role);
    Ok((square(&value["square"])?, role, side(value)?))
}

fn stands(board: &Board, (square, role, color): (Square, Role, Color)) -> bool {
    board.piece_at(square) == Some(shakmaty::Piece { color, role })
}

fn attacked_by(board: &Board, square: Square, color: Color) -> Bitboard {
    board.attacks_to(square, color, board.occupied())
}

fn draw(claim: &Value, line: &[Chess]) -> Result<(), Fault> {
    match text(claim, "how")? {
        "stalemate" => ensure(end(line).is_stalemate(), "no stalemate"),
        "deadPosition" => ensure(end(line).is_insufficient_material(), "still material"),
        "fortress" => {
            let weak = side(claim)?;
            let sum = |color: Color| {
                let material = end(line).board().material_side(color);
                ROLES.iter().map(|&(_, role)| i64::from(material[role]) * worth(role)).sum::<i64>()
            };
            ensure(sum(weak) + 3 <= sum(!weak), "not behind in material")
        }
        _ => {
            let checks = line.iter().skip(1).step_by(2).all(|position| position.checkers().any());
            ensure(checks, "not always check")
        }
    }
}

/// The word must fit the number.
fn verdict(claim: &Value) -> Result<(), Fault> {
    let standing = text(claim, "standing")?;
    if let Some(mate) = claim["mate"].as_i64() {
        let winner = if mate > 0 { Color::White } else { Color::Black };
        return ensure(standing == "winning" && side(claim)? == winner, "a mate that is not winning");
    }
    let centipawns = claim["centipawns"].as_i64().ok_or("no score")?;
    let ahead = match claim["side"].as_str() {
        Some("white") => centipawns > 0,
        Some(_) => centipawns < 0,
        None => centipawns.abs() < 60,
    };
    let fits = match standing {
        "equal" => centipawns.abs() < 60,
        "slight" => (20..=180).contains(&centipawns.abs()),
        "clear" => (100..=400).contains(&centipawns.abs()),
        _ => centipawns.abs() >= 250,
    };
    ensure(ahead && fits, format!("{standing} at {centipawns}"))
}

fn pawns_on(board: &Board, color: Color, file: i32) -> Vec<Square> {
    let pawns = board.by_piece(color.pawn());
    pawns.into_iter().filter(|square| i32::from(square.file() as u8) == file).collect()
}

fn ahead_of(square: Square, color: Color) -> impl Fn(&Square) -> bool {
    move |other| {
        if color.is_white() { other.rank() > square.rank() } else { other.rank() < square.rank() }
    }
}

fn feature(claim: &Value, line: &[Chess]) -> Result<(), Fault> {
    let color = side(claim)?;
    let board = end(line).board();
    let name = text(claim, "feature")?;
    for place in claim["squares"].as_array().ok_or("no squares")? {
        let at = square(place)?;
        let file = i32::from(at.file() as u8);
        let near =
            |side: Color| [file - 1, file + 1].into_iter().flat_map(move |file| pawns_on(board, side, file));
        let own_pawn = board.piece_at(at) == Some(color.pawn());
        let stoppers =
            || [file - 1, file, file + 1].into_iter().flat_map(|file| pawns_on(board, !color, file));
        let holds = match name {
            "isolatedPawn" => own_pawn && near(color).next().is_none(),
            "doubledPawns" => own_pawn && pawns_on(board, color, file).len() >= 2,
            "backwardPawn" => {
                let stop = at.offset(if color.is_white() { 8 } else { -8 }).ok_or("no square ahead")?;
                own_pawn
                    && near(color).all(|pawn| ahead_of(at, color)(&pawn))
                    && !board.pawns().contains(stop)
            }
            "passedPawn" => own_pawn && !stoppers().any(|pawn| ahead_of(at, color)(&pawn)),
            "protectedPassedPawn" => {
                let protected = (attacked_by(board, at, color) & board.pawns()).any();
                own_pawn && protected && !stoppers().any(|pawn| ahead_of(at, color)(&pawn))
            }
            "knightOutpost" | "bishopOutpost" => {
                let protected = (attacked_by(board, at, color) & board.pawns()).any();
                protected && !near(!color).any(|pawn| ahead_of(at, color)(&pawn))
            }
            "rookOnOpenFile" => {
                board.role_at(at) == Some(Role::Rook)
                    && (board.pawns() & Bitboard::from_file(File::new(file as u32))).is_empty()
            }
            "rookOnHalfOpenFile" => {
                board.role_at(at) == Some(Role::Rook) && pawns_on(board, color, file).is_empty()
            }
            "rookOnSeventh" => {
                let seventh = if color.is_white() { Rank::Seventh } else { Rank::Second };
                board.piece_at(at) == Some(color.rook()) && at.rank() == seventh
            }
            "unstoppablePawn" => {
                let officers = board.by_color(!color) & !(board.pawns() | board.kings());
                let free = Bitboard::from_file(at.file())
                    .into_iter()
                    .filter(ahead_of(at, color))
                    .all(|square| board.piece_at(square).is_none());
                own_pawn && officers.is_empty() && free && runs(end(line), at, color)
            }
            "pawnChain" => {
                let linked = |from: Square| {
                    shakmaty::attacks::pawn_attacks(color, from)
                        | shakmaty::attacks::pawn_attacks(!color, from)
                };
                own_pawn && (linked(at) & board.by_piece(color.pawn())).any()
            }
            "goodBishop" => {
                let fixed = ['c', 'd', 'e', 'f']
                    .into_iter()
                    .flat_map(|file| pawns_on(board, color, file as i32 - 97));
                let fixed: Vec<Square> = fixed
                    .filter(|pawn| {
                        let next = pawn.offset(if color.is_white() { 8 } else { -8 });
                        next.is_some_and(|next| board.piece_at(next) == Some((!color).pawn()))
                    })
                    .collect();
                fixed.len() >= 2 && fixed.iter().all(|pawn| pawn.is_light() != at.is_light())
            }
            "kingAttack" => {
                let king = board.king_of(!color).ok_or("no king")?;
                (board.attacks_from(at) & shakmaty::attacks::king_attacks(king)).any()
                    && board.color_at(at) == Some(color)
                    && claim["squares"].as_array().is_some_and(|squares| squares.len() >= 3)
            }
            "space" => {
                let advanced = |side: Color| {
                    (2..6)
                        .flat_map(|file| pawns_on(board, side, file))
                        .filter(|pawn| {
                            if side.is_white() {
                                pawn.rank() >= Rank::Fourth
                            } else {
                                pawn.rank() <= Rank::Fifth
                            }
                        })
                        .count()
                };
                own_pawn && advanced(color) >= advanced(!color) + 2
            }
            "development" => {
                let out = |side: Color| {
                    let home = Bitboard::from_rank(if side.is_white() { Rank::First } else { Rank::Eighth });
                    ((board.knights() | board.bishops()) & board.by_color(side) & !home).count()
                };
                out(color) >= out(!color) + 2
            }
            "bishopPair" => board.by_piece(color.bishop()).count() >= 2,
            "badBishop" => {
                let same =
                    board.by_piece(color.pawn()).into_iter().filter(|pawn| pawn.is_light() == at.is_light());
                board.piece_at(at) == Some(color.bishop()) && same.count() >= 4
            }
            "safeKing" | "bareKing" => {
                let two_ranks =
                    |pawn: &Square| (1..=2).contains(&(pawn.rank() as i32 - at.rank() as i32).abs());
                let own = |file| {
                    pawns_on(board, color, file)
                        .into_iter()
                        .filter(ahead_of(at, color))
                        .filter(two_ranks)
                        .count()
                };
                let cover: usize = (file - 1..=file + 1).map(own).sum();
                board.king_of(color) == Some(at) && if name == "safeKing" { cover >= 3 } else { cover == 0 }
            }
            "kingInTheMiddle" => board.king_of(color) == Some(at) && (3..=5).contains(&file),
            "rookBehindPassedPawn" => {
                let ahead = pawns_on(board, color, file).into_iter().filter(ahead_of(at, color));
                board.piece_at(at) == Some(color.rook()) && ahead.count() > 0
            }
            _ => false,
        };
        ensure(holds, format!("{name} on {at} is not true"))?;
    }
    Ok(())
}

/// Plays it out: the pawn runs, and the enemy king takes any way it likes.
pub(crate) fn runs(position: &Chess, pawn: Square, color: Color) -> bool {
    let board = position.board();
    let Some(king) = board.king_of(!color) else { return false };
    let last = if color.is_white() { 7 } else { 0 };
    let mut rank = pawn.rank() as i32;
    let mut reach = Bitboard::from_square(king);
    let mut pawn_moves = position.turn() == color;
    let at = |rank: i32| Square::from_coords(pawn.file(), Rank::new(rank as u32));
    while rank != last {
        if pawn_moves {
            let first = rank == if color.is_white() { 1 } else { 6 };
            rank += if color.is_white() { 1 } else { -1 } * if first { 2 } else { 1 };
        } else {
            reach =
                reach.into_iter().fold(reach, |all, square| all | shakmaty::attacks::king_attacks(square));
            if reach.contains(at(rank)) {
                return false;
            }
        }
        pawn_moves = !pawn_moves;
    }
    let next = reach.into_iter().fold(reach, |all, square| all | shakmaty::attacks::king_attacks(square));
    !next.contains(at(last))
}
