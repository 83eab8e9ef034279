//! PGN in and out.

use crate::error::{Error, Result};
use crate::record::{Record, now};
use crate::view;
use crate::wire::{
    GameKind, Judgement, PgnFault, PgnWriteMove, PgnWriteRequest, Review, Score, Tree, TreeMove,
};
use chess::pgn::{Comment, Eval, EvalScore, Line, Nag, Node, PgnError, PgnGame, Reader};
use chess::{GameResult, Move, Position, Variant};
use std::time::Duration;

/// The largest PGN that is taken.
pub const MAX_BYTES: usize = 8 << 20;
/// The most games that are read at once.
pub const MAX_GAMES: usize = 2000;
/// The most games that are shown as trees at once.
pub const MAX_TREES: usize = 50;
/// The most faults that are told.
const MAX_FAULTS: usize = 100;
/// Variations of a review are cut after so many moves.
const MAX_VARIATION: usize = 10;
/// Variations within variations in a game to be written.
const MAX_DEPTH: usize = 30;

/// The games of a text, and what is wrong with the others.
#[must_use]
pub fn read(text: &str, most: usize) -> (Vec<PgnGame>, Vec<PgnFault>) {
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    for result in Reader::new(text.as_bytes()) {
        match result {
            Ok(game) if games.len() < most => games.push(game),
            Ok(_) => {
                let message = format!("only the first {most} games were read");
                faults.push(PgnFault { game: most as u64 + 1, line: 0, column: 0, message });
                break;
            }
            Err(error) if faults.len() < MAX_FAULTS => faults.push(fault(&error)),
            Err(_) => break,
        }
    }
    (games, faults)
}

fn fault(error: &PgnError) -> PgnFault {
    PgnFault { game: error.game, line: error.line, column: error.column, message: error.kind.to_string() }
}

/// A game as a tree for the page.
#[must_use]
pub fn tree(game: &PgnGame) -> Tree {
    let is_chess960 = game.tags.get("Variant").is_some_and(|name| name.contains("960"));
    let variant = if is_chess960 { Variant::Chess960 } else { Variant::of(&game.start) };
    Tree {
        tags: game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        start: game.start.to_fen(),
        variant: variant.into(),
        comment: comment_text(&game.line.comments),
        line: tree_line(&game.line, &game.start, variant),
    }
}

fn comment_text(comments: &[Comment]) -> Option<String> {
    let texts: Vec<&str> =
        comments.iter().map(|comment| comment.text.as_str()).filter(|text| !text.is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// The moves of a line; a passed one ends it, because the page knows no such thing.
fn tree_line(line: &Line, start: &Position, variant: Variant) -> Vec<TreeMove> {
    let mut position = *start;
    let mut moves = Vec::new();
    for node in &line.moves {
        let Some(mv) = node.mv else { break };
        let find = |pick: fn(&Comment) -> Option<Duration>| node.comments.iter().find_map(pick);
        moves.push(TreeMove {
            mv: view::move_state(&position, mv, variant),
            // A comment before the first move of a variation belongs to that move, for the page.
            comment: comment_text(&node.comments),
            nags: node.nags.iter().map(|nag| nag.0).collect(),
            score: node.comments.iter().find_map(|comment| comment.eval).map(|eval| match eval.score {
                EvalScore::Centipawns(cp) => Score::Cp(cp),
                EvalScore::Mate(moves) => Score::Mate(moves),
            }),
            clock: find(|comment| comment.clock).map(|clock| clock.as_millis() as u64),
            variations: node
                .variations
                .iter()
                .map(|variation| tree_line(variation, &position, variant))
                .filter(|variation| !variation.is_empty())
                .collect(),
        });
        position.play(mv);
    }
    moves
}

/// The text of a tree that the page has.
///
/// # Errors
/// When a move is illegal.
pub fn write(request: &PgnWriteRequest) -> Result<String> {
    let start = match &request.start {
        Some(fen) => Position::from_fen(fen).map_err(Error::bad_request)?,
        None => Position::startpos(),
    };
    let mut game = PgnGame::from_position(start);
    for (name, value) in &request.tags {
        check_tag(name, value)?;
        game.tags.set(name, value);
    }
    if request.variant.map(Variant::from) == Some(Variant::Chess960) {
        game.tags.set("Variant", "Chess960");
    }
    let comments = request.comment.iter().map(|text| Comment::from_text(text)).collect();
    game.line = Line { comments, moves: written_line(&request.line, &start, 0)? };
    Ok(game.to_string())
}

fn check_tag(name: &str, value: &str) -> Result<()> {
    let is_name = !name.is_empty()
        && name.len() <= 64
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_name {
        return Err(Error::bad_request("tags have names of letters and digits"));
    }
    if value.len() > 1000 || value.chars().any(char::is_control) {
        return Err(Error::bad_request(format!("the tag {name} is no single line of at most 1000 bytes")));
    }
    Ok(())
}

fn written_line(moves: &[PgnWriteMove], start: &Position, depth: usize) -> Result<Vec<Node>> {
    if depth > MAX_DEPTH {
        return Err(Error::bad_request(format!("more than {MAX_DEPTH} variations within each other")));
    }
    let mut position = *start;
    let mut nodes = Vec::with_capacity(moves.len());
    for written in moves {
        let mv = view::read_move(&position, &written.uci).map_err(Error::bad_request)?;
        let mut node = Node::new(Some(mv));
        node.comments = written
            .comment
            .iter()
            .filter(|text| !text.is_empty())
            .map(|text| Comment::from_text(text))
            .collect();
        node.nags = written.nags.iter().copied().map(Nag).collect();
        for variation in written.variations.iter().filter(|variation| !variation.is_empty()) {
            let moves = written_line(variation, &position, depth + 1)?;
            node.variations.push(Line { comments: Vec::new(), moves });
        }
        nodes.push(node);
        position.play(mv);
    }
    Ok(nodes)
}

/// A kept game as PGN; an imported one as it came.
#[must_use]
pub fn of_record(record: &Record) -> PgnGame {
    if let Some(text) = &record.pgn
        && let Some(Ok(game)) = Reader::new(text.as_bytes()).next()
    {
        return game;
    }
    let mut game = PgnGame::from_position(*record.game.start());
    let result = match record.kind {
        GameKind::Imported => GameResult::Unfinished,
        _ => record.game.result(),
    };
    let tags = &mut game.tags;
    tags.set("Event", "Casual game");
    tags.set("Site", "Gardez");
    tags.set("Date", &date(record.created));
    tags.set("Round", "-");
    tags.set("White", &record.players[0].name());
    tags.set("Black", &record.players[1].name());
    tags.set("Result", result.as_str());
    if record.game.variant() == Variant::Chess960 {
        tags.set("Variant", "Chess960");
    }
    if let Some(clock) = record.clock {
        tags.set("TimeControl", &format!("{}+{}", clock.initial / 1000, clock.increment / 1000));
    }
    if let Some(outcome) = record.game.outcome() {
        tags.set("Termination", &outcome.reason.to_string());
    }
    if let Some(opening) = crate::openings::name(&record.game) {
        tags.set("ECO", &opening.eco);
        tags.set("Opening", &opening.name);
    }
    game.line.moves = record
        .game
        .plies()
        .iter()
        .map(|ply| {
            let mut node = Node::new(Some(ply.mv));
            if ply.clock.is_some() {
                node.comments.push(Comment { clock: ply.clock, ..Comment::default() });
            }
            node
        })
        .collect();
    game
}

/// Writes a review into its game: evaluations, signs, and the better lines at errors.
pub fn annotate(game: &mut PgnGame, review: &Review) {
    let mut position = game.start;
    for (node, review) in game.line.moves.iter_mut().zip(&review.moves) {
        let score = match review.score {
            Score::Cp(cp) => EvalScore::Centipawns(cp),
            Score::Mate(moves) => EvalScore::Mate(moves),
        };
        if node.comments.is_empty() {
            node.comments.push(Comment::default());
        }
        if let Some(comment) = node.comments.first_mut() {
            comment.eval = Some(Eval { score, depth: None });
        }
        if let Some(judgement) = review.judgement {
            let nag = match judgement {
                Judgement::Inaccuracy => Nag(6),
                Judgement::Mistake => Nag(2),
                Judgement::Blunder => Nag(4),
            };
            node.nags.retain(|nag| nag.0 > 6);
            node.nags.insert(0, nag);
            if let Some(better) = &review.better {
                let line: Vec<Move> = legal_line(&position, better.moves.iter().map(|mv| mv.uci.as_str()));
                let moves = line.into_iter().take(MAX_VARIATION).map(|mv| Node::new(Some(mv))).collect();
                node.variations.push(Line { comments: Vec::new(), moves });
            }
        }
        match node.mv {
            Some(mv) => position.play(mv),
            None => break,
        }
    }
}

fn legal_line<'a>(start: &Position, moves: impl Iterator<Item = &'a str>) -> Vec<Move> {
    let mut position = *start;
    moves
        .map_while(|text| {
            let mv = position.parse_uci(text).ok()?;
            position.play(mv);
            Some(mv)
        })
        .collect()
}

/// The date of a moment as PGN writes it, in universal time.
fn date(milliseconds: i64) -> String {
    // Days are counted from the first of March of the year 0, so that leap days come last.
    let days = milliseconds.div_euclid(24 * 60 * 60 * 1000) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

/// A name for a file of games.
#[must_use]
pub fn file_name() -> String {
    format!("gardez-{}.pgn", date(now()).replace('.', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn dates_of_known_days() {
        const DAY: i64 = 24 * 60 * 60 * 1000;
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(DAY * 59), "1970.03.01");
        assert_eq!(date(951_782_400_000), "2000.02.29");
        assert_eq!(date(1_735_689_599_999), "2024.12.31");
    }

    #[test]
    fn trees_go_both_ways() {
        let text = "[White \"A\"]\n\n1. e4 {best} e5 (1... c5 2. Nf3 $1 (2. c3)) 2. Nf3 *";
        let (games, faults) = read(text, 10);
        assert!(faults.is_empty());
        let tree = tree(&games[0]);
        assert_eq!(tree.line.len(), 3);
        assert_eq!(tree.line[0].comment.as_deref(), Some("best"));
        let variation = &tree.line[1].variations[0];
        assert_eq!((variation[1].mv.san.as_str(), variation[1].nags.as_slice()), ("Nf3", &[1_u8][..]));
        assert_eq!(variation[1].variations[0][0].mv.uci, "c2c3");
        let json = serde_json::to_string(&tree).expect("JSON");
        let request: PgnWriteRequest = serde_json::from_str(&json).expect("a tree is a request");
        let written = write(&request).expect("legal");
        let (again, _) = read(&written, 10);
        assert_eq!(again[0].line, games[0].line);
        assert_eq!(again[0].tags.get("White"), Some("A"));
    }

    #[test]
    fn faulty_games_do_not_hide_the_others() {
        let (games, faults) = read("1. e4 e4 *\n\n[White \"B\"]\n\n1. d4 *", 10);
        assert_eq!(games.len(), 1);
        assert_eq!((faults.len(), faults[0].game, faults[0].line), (1, 1, 1));
    }

    #[test]
    fn tags_cannot_break_out() {
        let with = |name: &str, value: &str| {
            let tags = BTreeMap::from([(name.to_owned(), value.to_owned())]);
            write(&PgnWriteRequest { tags, start: None, variant: None, comment: None, line: Vec::new() })
        };
        assert!(with("White", "A\n[Black \"B\"]").is_err());
        assert!(with("Whi te", "A").is_err());
        assert!(with("White", "A \"quoted\" \\ name").is_ok());
    }
}
