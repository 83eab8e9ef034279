//! How games begin: new ones, those that follow by rematch, and those that are read from PGN.

use crate::error::{Error, Result};
use crate::levels;
use crate::random;
use crate::record::{Player, Record, now};
use crate::view;
use crate::wire::{ClockSetting, GameKind, NewGame, Seat, VariantName};
use chess::pgn::PgnGame;
use chess::{CHESS960_POSITIONS, Game, Position, Setup, Variant};
use classics::ClassicSpec;
use std::collections::BTreeMap;

/// The longest name of a player.
const MAX_NAME_CHARS: usize = 60;
/// The longest clock: a week for all moves, an hour for each.
const MAX_INITIAL: u64 = 7 * 24 * 60 * 60 * 1000;
const MAX_INCREMENT: u64 = 60 * 60 * 1000;
/// The shortest clock with which a game can be played.
const MIN_CLOCK: u64 = 1000;

/// A new game as it was asked for.
pub fn record(visitor: &str, request: &NewGame) -> Result<Record> {
    let kind = kind(&request.white, &request.black)?;
    let players = [player(&request.white, visitor, "White")?, player(&request.black, visitor, "Black")?];
    let game = start(request)?;
    let has_classic = players.iter().any(|player| matches!(player, Player::Classic { .. }));
    if has_classic && (game.variant() == Variant::Chess960 || Variant::of(game.start()) == Variant::Chess960)
    {
        return Err(Error::bad_request("the classics play standard chess only"));
    }
    if let Some(outcome) = game.outcome() {
        return Err(Error::bad_request(format!("the game would be over before it begins: {outcome}")));
    }
    let clock = request.clock.map(check_clock).transpose()?;
    let mut record = blank(kind, players, game)?;
    record.clock = clock;
    record.left = [clock.map_or(0, |clock| clock.initial); 2];
    record.human_pace = request.human_pace;
    if let Some(seed) = request.seed {
        record.seed = seed;
    }
    if kind == GameKind::Friend {
        record.invite_token = Some(random::secret()?);
    }
    Ok(record)
}

/// A game with nothing but its players.
fn blank(kind: GameKind, players: [Player; 2], game: Game) -> Result<Record> {
    let time = now();
    Ok(Record {
        id: random::game_id()?,
        kind,
        players,
        game,
        clock: None,
        left: [0; 2],
        revision: time,
        created: time,
        updated: time,
        watch_token: random::secret()?,
        invite_token: None,
        next: None,
        human_pace: false,
        seed: random::number()?,
        tags: BTreeMap::new(),
        pgn: None,
        reviewed: false,
    })
}

fn kind(white: &Seat, black: &Seat) -> Result<GameKind> {
    let is_engine = |seat: &Seat| matches!(seat, Seat::Level { .. } | Seat::Classic { .. });
    match (white, black) {
        (Seat::You { .. }, Seat::You { .. }) => Ok(GameKind::Local),
        (Seat::You { .. }, Seat::Friend { .. }) | (Seat::Friend { .. }, Seat::You { .. }) => {
            Ok(GameKind::Friend)
        }
        (Seat::You { .. }, other) | (other, Seat::You { .. }) if is_engine(other) => Ok(GameKind::Engine),
        (white, black) if is_engine(white) && is_engine(black) => Ok(GameKind::Engines),
        _ => Err(Error::bad_request("a friend plays against you")),
    }
}

fn player(seat: &Seat, visitor: &str, default: &str) -> Result<Player> {
    let name = |name: &Option<String>| {
        let given = name.as_deref().map(tidy_name).filter(|name| !name.is_empty());
        given.unwrap_or_else(|| default.to_owned())
    };
    Ok(match seat {
        Seat::You { name: given } => Player::Person { name: name(given), visitor: Some(visitor.to_owned()) },
        Seat::Friend { name: given } => Player::Person { name: name(given), visitor: None },
        Seat::Level { level } => Player::Level { id: levels::info(levels::find(level)?).id },
        Seat::Classic { classic } => {
            let spec: ClassicSpec = classic.parse().map_err(Error::bad_request)?;
            Player::Classic { id: spec.name().to_owned() }
        }
    })
}

/// A name in one line, without what cannot be seen, and not too long.
fn tidy_name(name: &str) -> String {
    let visible: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = visible.split_whitespace().collect();
    words.join(" ").chars().take(MAX_NAME_CHARS).collect()
}

fn check_clock(clock: ClockSetting) -> Result<ClockSetting> {
    if clock.initial > MAX_INITIAL || clock.increment > MAX_INCREMENT {
        return Err(Error::bad_request("clock: at most a week, and an hour for each move"));
    }
    if clock.initial < MIN_CLOCK {
        return Err(Error::bad_request("clock: at least a second"));
    }
    Ok(clock)
}

fn start(request: &NewGame) -> Result<Game> {
    let mut game = match (&request.fen, request.chess960, request.variant) {
        (Some(_), Some(_), _) => {
            return Err(Error::bad_request("either fen or chess960 gives the start position"));
        }
        (Some(fen), None, variant) => {
            let start = Position::from_fen(fen).map_err(Error::bad_request)?;
            let variant = match Variant::of(&start) {
                Variant::Standard => variant.into(),
                Variant::Chess960 => Variant::Chess960,
            };
            Game::with_variant(start, variant)
        }
        (None, Some(_), VariantName::Standard) => {
            return Err(Error::bad_request("chess960 goes with the variant chess960"));
        }
        (None, number, VariantName::Chess960) => {
            let number = match number {
                Some(number) => number,
                None => (random::number()? % u64::from(CHESS960_POSITIONS)) as u16,
            };
            let start = Setup::chess960(number)
                .and_then(|setup| Position::from_setup(&setup).ok())
                .ok_or_else(|| Error::bad_request("chess960: from 0 to 959"))?;
            Game::with_variant(start, Variant::Chess960)
        }
        (None, None, VariantName::Standard) => Game::new(),
    };
    view::play_all(&mut game, &request.moves)?;
    Ok(game)
}

/// The game after this one: the same start, colours changed.
pub fn rematch(before: &Record) -> Result<Record> {
    let [white, black] = before.players.clone();
    let start = if before.game.variant() == Variant::Chess960
        && before.game.start().to_setup().chess960_number().is_some()
    {
        let number = (random::number()? % u64::from(CHESS960_POSITIONS)) as u16;
        Setup::chess960(number).and_then(|setup| Position::from_setup(&setup).ok())
    } else {
        None
    };
    let game = Game::with_variant(start.unwrap_or(*before.game.start()), before.game.variant());
    let mut record = blank(before.kind, [black, white], game)?;
    record.clock = before.clock;
    record.left = [before.clock.map_or(0, |clock| clock.initial); 2];
    record.human_pace = before.human_pace;
    Ok(record)
}

/// A recorded game, to be kept.
///
/// # Errors
/// When it is too long.
pub fn imported(pgn: &PgnGame) -> Result<Record> {
    let is_chess960 = pgn.tags.get("Variant").is_some_and(|name| name.contains("960"));
    let variant = if is_chess960 { Variant::Chess960 } else { Variant::of(&pgn.start) };
    let mut game = Game::with_variant(pgn.start, variant);
    for (mv, node) in pgn.moves().zip(&pgn.line.moves) {
        game.replay(mv).map_err(Error::bad_request)?;
        if let Some(clock) = node.comments.iter().find_map(|comment| comment.clock) {
            game.set_clock(clock);
        }
    }
    if game.ply() > view::MAX_PLIES {
        return Err(Error::bad_request(format!("the game has more than {} moves", view::MAX_PLIES)));
    }
    let person = |tag: &str| {
        let name = pgn.tags.get(tag).map(tidy_name).filter(|name| !name.is_empty() && name != "?");
        Player::Person { name: name.unwrap_or_else(|| tag.to_owned()), visitor: None }
    };
    let mut record = blank(GameKind::Imported, [person("White"), person("Black")], game)?;
    record.tags = pgn.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    record.tags.insert("Result".to_owned(), pgn.result().to_string());
    record.pgn = Some(pgn.to_string());
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_game(json: &str) -> Result<Record> {
        record("visitor", &serde_json::from_str(json).expect("a request"))
    }

    #[test]
    fn kinds_follow_from_the_seats() {
        let kind = |white: &str, black: &str| {
            new_game(&format!(r#"{{"white": {white}, "black": {black}}}"#)).map(|record| record.kind).ok()
        };
        let (you, friend, level) =
            (r#"{"kind": "you"}"#, r#"{"kind": "friend"}"#, r#"{"kind": "level", "level": "full"}"#);
        let classic = r#"{"kind": "classic", "classic": "piglet"}"#;
        assert_eq!(kind(you, you), Some(GameKind::Local));
        assert_eq!(kind(friend, you), Some(GameKind::Friend));
        assert_eq!(kind(you, level), Some(GameKind::Engine));
        assert_eq!(kind(classic, you), Some(GameKind::Engine));
        assert_eq!(kind(classic, level), Some(GameKind::Engines));
        assert_eq!(kind(friend, friend), None);
        assert_eq!(kind(friend, level), None);
        assert_eq!(kind(you, r#"{"kind": "level", "level": "9999999"}"#), None);
    }

    #[test]
    fn requests_that_make_no_sense_are_refused() {
        let refused = |rest: &str| {
            let seats = r#""white": {"kind": "you"}, "black": {"kind": "you"}"#;
            new_game(&format!("{{{seats}, {rest}}}")).map(drop).map_err(|error| error.message)
        };
        assert!(refused(r#""fen": "rubbish""#).is_err());
        assert!(refused(r#""fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1""#).is_err(), "stalemate");
        assert!(refused(r#""variant": "chess960", "chess960": 960"#).is_err());
        assert!(refused(r#""chess960": 5"#).is_err());
        assert!(refused(r#""moves": ["e5"]"#).is_err());
        assert!(refused(r#""clock": {"initial": 10, "increment": 0}"#).is_err());
        assert_eq!(refused(r#""variant": "chess960", "chess960": 959"#), Ok(()));
        assert_eq!(refused(r#""clock": {"initial": 60000, "increment": 1000}, "moves": ["e4"]"#), Ok(()));
    }

    #[test]
    fn names_are_tidied() {
        assert_eq!(tidy_name("  Judit \n Polgár\u{0} "), "Judit Polgár");
        assert_eq!(tidy_name(&"x".repeat(100)).len(), MAX_NAME_CHARS);
    }

    #[test]
    fn a_rematch_changes_colours() {
        let json = r#"{"white": {"kind": "you", "name": "A"}, "black": {"kind": "level", "level": "full"}}"#;
        let first = new_game(json).expect("a game");
        let second = rematch(&first).expect("a game");
        assert_eq!(second.players[1], first.players[0]);
        assert_ne!(second.id, first.id);
        assert_ne!(second.watch_token, first.watch_token);
    }
}
