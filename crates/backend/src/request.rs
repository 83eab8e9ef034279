//! Requests of clients, read into the types of the server.

use crate::analysis::Question;
use crate::error::{Error, Result};
use crate::game_review::Effort;
use crate::levels;
use crate::notation::{play_all, read_move, read_position};
use crate::pgn::MAX_DEPTH;
use crate::record::GameKind;
use crate::session::{self, NewGame, Offer, Seat};
use crate::store::{GameFilter, VisitorResult};
use crate::wire;
use chess::pgn::{Comment, Line, Nag, Node, PgnGame};
use chess::{FenReading, FenWarning, Game, Position, Variant};
use players::TimeControl;
use serde_json::error::Category;
use std::time::Duration;

/// Reads JSON. What is wrong with it is said in the words of the API, not of the parser.
///
/// # Errors
/// When it is no JSON, or not of the shape that is wanted.
pub fn read_json<'a, T: serde::Deserialize<'a>>(text: &'a [u8]) -> Result<T> {
    serde_json::from_slice(text).map_err(|error| {
        let place = match error.line() {
            0 => String::new(),
            line => format!(" (line {line}, column {})", error.column()),
        };
        Error::bad_request(match error.classify() {
            Category::Eof => "the JSON ends too early".to_owned(),
            Category::Syntax | Category::Io => format!("this is not JSON{place}"),
            Category::Data => match missing_field(&error.to_string()) {
                Some(field) => format!("the field {field} is missing"),
                None => format!("the JSON does not have the shape that docs/api.md describes{place}"),
            },
        })
    })
}

/// The name of the field that an error of the parser is about, if it says that one is missing.
fn missing_field(message: &str) -> Option<&str> {
    message.strip_prefix("missing field `")?.split('`').next()
}

impl From<wire::TimeControl> for TimeControl {
    fn from(clock: wire::TimeControl) -> Self {
        Self {
            moves: None,
            base: Duration::from_millis(clock.initial),
            increment: Duration::from_millis(clock.increment),
        }
    }
}

impl From<wire::GameKind> for GameKind {
    fn from(kind: wire::GameKind) -> Self {
        match kind {
            wire::GameKind::Engine => Self::Engine,
            wire::GameKind::Friend => Self::Friend,
            wire::GameKind::Local => Self::Local,
            wire::GameKind::Engines => Self::Engines,
            wire::GameKind::Imported => Self::Imported,
        }
    }
}

impl From<wire::Offer> for Offer {
    fn from(offer: wire::Offer) -> Self {
        match offer {
            wire::Offer::Draw => Self::Draw,
            wire::Offer::Takeback => Self::Takeback,
            wire::Offer::Rematch => Self::Rematch,
        }
    }
}

impl From<wire::Effort> for Effort {
    fn from(effort: wire::Effort) -> Self {
        match effort {
            wire::Effort::Quick => Self::Quick,
            wire::Effort::Normal => Self::Normal,
            wire::Effort::Deep => Self::Deep,
        }
    }
}

impl From<wire::GamesQuery> for GameFilter {
    fn from(query: wire::GamesQuery) -> Self {
        Self {
            is_finished: query.status.map(|status| status == wire::Status::Finished),
            kind: query.kind.map(Into::into),
            result: query.result.map(|result| match result {
                wire::ResultFilter::Won => VisitorResult::Won,
                wire::ResultFilter::Lost => VisitorResult::Lost,
                wire::ResultFilter::Drawn => VisitorResult::Drawn,
            }),
            text: query.text,
            before: query.before,
            limit: query.limit,
        }
    }
}

/// The variant of a start: castling rights that only Chess960 has decide, else the request.
fn variant_of(start: &Position, wanted: Option<wire::Variant>) -> Variant {
    match (Variant::of(start), wanted) {
        (Variant::Standard, Some(wanted)) => wanted.into(),
        (variant, _) => variant,
    }
}

/// The game that a request describes.
///
/// # Errors
/// When the position is not legal or a move is not.
pub(crate) fn read_game(request: &wire::PositionRequest) -> Result<Game> {
    read_game_and_warnings(request).map(|(game, _)| game)
}

/// The game that a request describes, and what had to be repaired of its start.
///
/// # Errors
/// When the position is not legal or a move is not.
pub(crate) fn read_game_and_warnings(request: &wire::PositionRequest) -> Result<(Game, Vec<FenWarning>)> {
    let FenReading { position, warnings } = read_optional_position(request.fen.as_deref())?;
    let mut game = Game::with_variant(position, variant_of(&position, request.variant));
    play_all(&mut game, &request.moves)?;
    Ok((game, warnings))
}

fn read_optional_position(fen: Option<&str>) -> Result<FenReading> {
    fen.map_or_else(|| Ok(Position::startpos().into()), read_position)
}

/// What to search.
///
/// # Errors
/// When something in the request is out of range.
pub(crate) fn read_question(request: &wire::AnalyseRequest) -> Result<Question> {
    Question::new(read_game(&request.position)?)
        .with_lines(request.lines.unwrap_or(1))?
        .with_threat(request.threat)
        .with_ends(request.depth, request.nodes, request.time.map(Duration::from_millis))
}

/// A game to begin.
///
/// # Errors
/// When there is no such player, position or move.
pub(crate) fn read_new_game(request: wire::NewGame) -> Result<NewGame> {
    let game = read_start(&request)?;
    Ok(NewGame {
        seats: [read_seat(request.white)?, read_seat(request.black)?],
        game,
        clock: request.clock.map(Into::into),
        human_pace: request.human_pace,
        seed: request.seed,
    })
}

fn read_seat(seat: wire::Seat) -> Result<Seat> {
    Ok(match seat {
        wire::Seat::You { name } => Seat::You(name),
        wire::Seat::Friend { name } => Seat::Friend(name),
        wire::Seat::Level { level } => Seat::Level(levels::find(&level)?),
        wire::Seat::Classic { classic } => Seat::Classic(classic.parse().map_err(Error::bad_request)?),
    })
}

fn read_start(request: &wire::NewGame) -> Result<Game> {
    let mut game = match (&request.fen, request.chess960, request.variant) {
        (Some(_), Some(_), _) => {
            return Err(Error::bad_request("either fen or chess960 gives the start position"));
        }
        (Some(fen), None, variant) => {
            let start = read_position(fen)?.position;
            Game::with_variant(start, variant_of(&start, Some(variant)))
        }
        (None, Some(_), wire::Variant::Standard) => {
            return Err(Error::bad_request("chess960 goes with the variant chess960"));
        }
        (None, number, wire::Variant::Chess960) => {
            Game::with_variant(session::chess960_start(number)?, Variant::Chess960)
        }
        (None, None, wire::Variant::Standard) => Game::new(),
    };
    play_all(&mut game, &request.moves)?;
    Ok(game)
}

/// The game of a tree that the page has.
///
/// # Errors
/// When a move is illegal.
pub(crate) fn read_tree(request: &wire::PgnWriteRequest) -> Result<PgnGame> {
    let start = read_optional_position(request.start.as_deref())?.position;
    let mut game = PgnGame::from_position(start);
    for (name, value) in &request.tags {
        check_tag(name, value)?;
        game.tags.set(name, value);
    }
    if request.variant == Some(wire::Variant::Chess960) {
        game.tags.set("Variant", "Chess960");
    }
    let comments = request.comment.iter().map(|text| Comment::from_text(text)).collect();
    game.line = Line { comments, moves: read_line(&request.line, &start, 0)? };
    Ok(game)
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

fn read_line(moves: &[wire::PgnWriteMove], start: &Position, depth: usize) -> Result<Vec<Node>> {
    if depth > MAX_DEPTH {
        return Err(Error::bad_request(format!("more than {MAX_DEPTH} variations within each other")));
    }
    let mut position = *start;
    let mut nodes = Vec::with_capacity(moves.len());
    for written in moves {
        let mv = read_move(&position, &written.uci).map_err(Error::bad_request)?;
        let mut node = Node::new(Some(mv));
        node.comments = written
            .comment
            .iter()
            .filter(|text| !text.is_empty())
            .map(|text| Comment::from_text(text))
            .collect();
        node.nags = written.nags.iter().copied().map(Nag).collect();
        for variation in written.variations.iter().filter(|variation| !variation.is_empty()) {
            let moves = read_line(variation, &position, depth + 1)?;
            node.variations.push(Line { comments: Vec::new(), moves });
        }
        nodes.push(node);
        position.play(mv);
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;
    use std::collections::BTreeMap;

    #[test]
    fn faults_name_the_move() {
        let moves = vec!["e4".to_owned(), "e4".to_owned()];
        let request = wire::PositionRequest { moves, ..wire::PositionRequest::default() };
        let error = read_game(&request).expect_err("no such move");
        assert!(error.message.starts_with("move 2: "), "{error}");
    }

    #[test]
    fn faults_of_json_are_named_in_plain_words() {
        let fault = |text: &str| read_json::<wire::Request>(text.as_bytes()).map(drop).map_err(|e| e.message);
        assert_eq!(fault(r#"{"id": 1"#), Err("the JSON ends too early".to_owned()));
        assert_eq!(fault(r#"{"id" 1}"#), Err("this is not JSON (line 1, column 7)".to_owned()));
        assert_eq!(fault(r#"{"type": "ping"}"#), Err("the field id is missing".to_owned()));
        let shape = fault(r#"{"id": 1, "type": "sing"}"#).expect_err("no such type");
        assert!(shape.starts_with("the JSON does not have the shape that docs/api.md describes"), "{shape}");
    }

    #[test]
    fn requests_that_make_no_sense_are_refused() {
        let refused = |rest: &str| {
            let seats = r#""white": {"kind": "you"}, "black": {"kind": "you"}"#;
            let request = serde_json::from_str(&format!("{{{seats}, {rest}}}")).expect("a request");
            read_new_game(request).map(drop).map_err(|error| error.message)
        };
        assert!(refused(r#""fen": "rubbish""#).is_err());
        assert!(refused(r#""variant": "chess960", "chess960": 960"#).is_err());
        assert!(refused(r#""chess960": 5"#).is_err());
        assert!(refused(r#""moves": ["e5"]"#).is_err());
        assert_eq!(refused(r#""variant": "chess960", "chess960": 959"#), Ok(()));
        assert_eq!(refused(r#""clock": {"initial": 60000, "increment": 1000}, "moves": ["e4"]"#), Ok(()));
        let level = wire::Seat::Level { level: "9999999".to_owned() };
        assert!(read_seat(level).is_err());
    }

    #[test]
    fn trees_go_both_ways() {
        let text = "[White \"A\"]\n\n1. e4 {best} e5 (1... c5 2. Nf3 $1 (2. c3)) 2. Nf3 *";
        let (games, faults) = pgn::read(text, pgn::TREES);
        assert!(faults.is_empty());
        let tree = crate::view::tree(&games[0]);
        assert_eq!(tree.line.len(), 3);
        assert_eq!(tree.line[0].comment.as_deref(), Some("best"));
        let variation = &tree.line[1].variations[0];
        assert_eq!((variation[1].mv.san.as_str(), variation[1].nags.as_slice()), ("Nf3", &[1_u8][..]));
        assert_eq!(variation[1].variations[0][0].mv.uci, "c2c3");
        let json = serde_json::to_string(&tree).expect("JSON");
        let request: wire::PgnWriteRequest = serde_json::from_str(&json).expect("a tree is a request");
        let written = read_tree(&request).expect("legal");
        assert_eq!(written.line, games[0].line);
        assert_eq!(written.tags.get("White"), Some("A"));
    }

    #[test]
    fn tags_cannot_break_out() {
        let with = |name: &str, value: &str| {
            let tags = BTreeMap::from([(name.to_owned(), value.to_owned())]);
            read_tree(&wire::PgnWriteRequest {
                tags,
                start: None,
                variant: None,
                comment: None,
                line: Vec::new(),
            })
        };
        assert!(with("White", "A\n[Black \"B\"]").is_err());
        assert!(with("Whi te", "A").is_err());
        assert!(with("White", "A \"quoted\" \\ name").is_ok());
    }
}
