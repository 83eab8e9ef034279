//! Checks claims again, independently of the code that makes them: it reads their JSON and asks another library for the
//! rules of chess. A claim that cannot be confirmed is false.

use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, File, Position, Rank, Role, Square,
};

/// What is wrong with a claim.
pub(crate) type Fault = String;

/// Checks a claim.
pub(crate) fn check(claim: &Value) -> Result<(), Fault> {
    let line = claim.get("line").map(replay).transpose()?;
    match text(claim, "kind")? {
        "mate" => mate(claim, line.as_deref().ok_or("no line")?),
        "material" => material(claim, line.as_deref().ok_or("no line")?),
        "motif" => motif(claim, line.as_deref().ok_or("no line")?),
        "feature" => feature(claim, line.as_deref().ok_or("no line")?),
        "draw" => draw(claim, line.as_deref().ok_or("no line")?),
        "verdict" => verdict(claim),
        _ => Ok(()),
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
    let already_played = text(claim, "occasion")? == "played" && line.len() == 2 && claimed == 0;
    ensure(claimed == moves || already_played, format!("mate in {moves}, not {claimed}"))
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
    let value = |role: Role| match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        _ => 9,
    };
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

fn motif(claim: &Value, line: &[Chess]) -> Result<(), Fault> {
    let hero = side(claim)?;
    let name = text(claim, "motif")?;
    let by = man(&claim["by"])?;
    let targets = men(&claim["targets"])?;
    let after = end(line);
    let before = &line[line.len().saturating_sub(2)];
    let board = after.board();
    ensure(before.turn() == hero, "the last move is not the hero's")?;
    ensure(stands(board, by), format!("{by:?} does not stand there"))?;
    if !matches!(name, "hangingPiece" | "attraction") {
        for &target in &targets {
            ensure(stands(board, target), format!("{target:?} does not stand there"))?;
        }
    }
    match name {
        "fork" => {
            ensure(targets.len() >= 2, "a fork of fewer than two")?;
            let attacked = board.attacks_from(by.0);
            for (square, _, color) in targets {
                ensure(attacked.contains(square) && color != hero, format!("{square} is not attacked"))?;
            }
            Ok(())
        }
        "pin" => {
            let king = board.king_of(!hero).ok_or("no king")?;
            let mut without = board.clone();
            without.discard_piece_at(targets[0].0);
            let shields =
                without.attacks_from(by.0).contains(king) && !board.attacks_from(by.0).contains(king);
            ensure(shields, "nothing is pinned to the king")
        }
        "hangingPiece" => {
            let target = *targets.first().ok_or("no target")?;
            ensure(stands(before.board(), target), "the piece did not stand there")?;
            let recaptures =
                after.legal_moves().iter().filter(|mv| mv.is_capture() && mv.to() == target.0).count();
            ensure(recaptures == 0, "the piece was defended")
        }
        "doubleCheck" => ensure(after.checkers().count() == 2, "not two checks"),
        "discoveredCheck" => ensure(after.checkers().contains(by.0), "no check by that piece"),
        "discoveredAttack" => {
            let target = *targets.first().ok_or("no target")?;
            let now = board.attacks_from(by.0).contains(target.0);
            let earlier = before.board().attacks_from(by.0).contains(target.0);
            ensure(now && !earlier, "the attack is not new")
        }
        "skewer" => {
            let attacked = board.attacks_from(by.0);
            ensure(targets.iter().any(|target| attacked.contains(target.0)), "nothing is skewered")
        }
        "trappedPiece" => {
            let target = *targets.first().ok_or("no target")?;
            ensure(attacked_by(board, target.0, hero).any(), "the piece is not attacked")?;
            for mv in after.legal_moves().iter().filter(|mv| mv.from() == Some(target.0)) {
                let next = after.clone().play(*mv).map_err(|error| format!("{error}"))?;
                let escapes = attacked_by(next.board(), mv.to(), hero).is_empty();
                ensure(!escapes, format!("{} is safe", mv.to()))?;
            }
            Ok(())
        }
        "capturingDefender" => {
            ensure(before.board().occupied().count() > board.occupied().count(), "nothing is taken")
        }
        "backRankMate" => {
            let king = board.king_of(!hero).ok_or("no king")?;
            let home = if hero.is_white() { Rank::Eighth } else { Rank::First };
            ensure(after.is_checkmate() && king.rank() == home && by.0.rank() == home, "no back-rank mate")
        }
        "smotheredMate" => ensure(after.is_checkmate() && by.1 == Role::Knight, "no smothered mate"),
        "promotion" | "underPromotion" => {
            let pawns = |position: &Chess| position.board().material_side(hero).pawn;
            ensure(pawns(after) < pawns(before), "no promotion")
        }
        "enPassant" => ensure(before.ep_square(EnPassantMode::Legal).is_some(), "no en passant"),
        _ => Ok(()),
    }
}

fn draw(claim: &Value, line: &[Chess]) -> Result<(), Fault> {
    match text(claim, "how")? {
        "stalemate" => ensure(end(line).is_stalemate(), "no stalemate"),
        "deadPosition" => ensure(end(line).is_insufficient_material(), "still material"),
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
            "backwardPawn" => own_pawn && near(color).all(|pawn| ahead_of(at, color)(&pawn)),
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
            "bishopPair" => board.by_piece(color.bishop()).count() >= 2,
            "badBishop" => board.piece_at(at) == Some(color.bishop()),
            "safeKing" | "bareKing" | "kingInTheMiddle" => board.king_of(color) == Some(at),
            "rookBehindPassedPawn" => board.piece_at(at) == Some(color.rook()),
            _ => false,
        };
        ensure(holds, format!("{name} on {at} is not true"))?;
    }
    Ok(())
}
