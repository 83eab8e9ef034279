//! How games begin: new ones, those that follow by rematch, and those that are read from PGN.

use crate::error::{Error, Result};
use crate::levels::Level;
use crate::notation;
use crate::random;
use crate::record::{GameKind, Player, Record, now};
use chess::pgn::PgnGame;
use chess::{CHESS960_POSITIONS, Color, Game, Position, Setup, Variant};
use classics::ClassicSpec;
use players::{Clock, TimeControl};
use std::collections::BTreeMap;
use std::time::Duration;

/// The longest name of a player.
const MAX_NAME_CHARS: usize = 60;
/// The longest clock: a week for all moves, an hour for each.
const MAX_INITIAL: Duration = Duration::from_secs(7 * 24 * 60 * 60);
const MAX_INCREMENT: Duration = Duration::from_secs(60 * 60);
/// The shortest clock with which a game can be played.
const MIN_CLOCK: Duration = Duration::from_secs(1);

/// A game to begin.
#[derive(Clone, Debug)]
pub(crate) struct NewGame {
    /// White and Black.
    pub(crate) seats: [Seat; 2],
    /// The start, and moves that were made already.
    pub(crate) game: Game,
    /// The clocks, if there are any.
    pub(crate) clock: Option<TimeControl>,
    /// Engines take their time.
    pub(crate) human_pace: bool,
    /// Where the errors of levels come from; without it, anywhere.
    pub(crate) seed: Option<u64>,
}

/// Who is to play a side.
#[derive(Clone, Debug)]
pub(crate) enum Seat {
    /// The visitor who asks, under a name.
    You(Option<String>),
    /// Whoever opens the invitation.
    Friend(Option<String>),
    /// The engine at a level.
    Level(Level),
    /// A classic.
    Classic(ClassicSpec),
}

impl Seat {
    const fn is_engine(&self) -> bool {
        matches!(self, Self::Level(_) | Self::Classic(_))
    }
}

/// A new game as it was asked for.
pub(crate) fn record(visitor: &str, request: NewGame) -> Result<Record> {
    let NewGame { seats, game, clock, human_pace, seed } = request;
    let kind = kind(&seats)?;
    let [white, black] = &seats;
    let players = [player(white, visitor, "White"), player(black, visitor, "Black")];
    let has_classic = seats.iter().any(|seat| matches!(seat, Seat::Classic(_)));
    if has_classic && (game.variant() == Variant::Chess960 || Variant::of(game.start()) == Variant::Chess960)
    {
        return Err(Error::bad_request("the classics play standard chess only"));
    }
    if let Some(outcome) = game.outcome() {
        return Err(Error::bad_request(format!("the game would be over before it begins: {outcome}")));
    }
    check_clock(clock)?;
    let mut record = blank(kind, players, game)?;
    record.clock = clock.map(Clock::for_both);
    record.human_pace = human_pace;
    if let Some(seed) = seed {
        record.seed = seed;
    }
    if kind == GameKind::Friend {
        record.is_invite_open = true;
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
        revision: time,
        created: time,
        updated: time,
        is_invite_open: false,
        next: None,
        human_pace: false,
        seed: random::number()?,
        tags: BTreeMap::new(),
        pgn: None,
        reviewed: false,
    })
}

fn kind(seats: &[Seat; 2]) -> Result<GameKind> {
    match seats {
        [Seat::You(_), Seat::You(_)] => Ok(GameKind::Local),
        [Seat::You(_), Seat::Friend(_)] | [Seat::Friend(_), Seat::You(_)] => Ok(GameKind::Friend),
        [Seat::You(_), engine] | [engine, Seat::You(_)] if engine.is_engine() => Ok(GameKind::Engine),
        [white, black] if white.is_engine() && black.is_engine() => Ok(GameKind::Engines),
        _ => Err(Error::bad_request("a friend plays against you")),
    }
}

fn player(seat: &Seat, visitor: &str, default: &str) -> Player {
    let name = |name: &Option<String>| {
        let given = name.as_deref().map(tidy_name).filter(|name| !name.is_empty());
        given.unwrap_or_else(|| default.to_owned())
    };
    match seat {
        Seat::You(given) => Player::Person { name: name(given), visitor: Some(visitor.to_owned()) },
        Seat::Friend(given) => Player::Person { name: name(given), visitor: None },
        Seat::Level(level) => Player::Level { id: level.to_string() },
        Seat::Classic(spec) => Player::Classic { id: spec.name().to_owned() },
    }
}

/// A name in one line, without what cannot be seen, and not too long.
pub(super) fn tidy_name(name: &str) -> String {
    let visible: String = name.chars().filter_map(visible).collect();
    let words: Vec<&str> = visible.split_whitespace().collect();
    words.join(" ").chars().take(MAX_NAME_CHARS).collect()
}

/// A character as it is shown: controls end a word, and what turns the direction of text or is not seen is left out.
/// (The joiners of Persian and Indic scripts stay.)
fn visible(character: char) -> Option<char> {
    match character {
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{feff}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}'
        | '\u{e000}'..='\u{f8ff}' => None,
        '\u{2028}' | '\u{2029}' => Some(' '),
        character if character.is_control() => Some(' '),
        character => Some(character),
    }
}

fn check_clock(clock: Option<TimeControl>) -> Result<()> {
    let Some(clock) = clock else { return Ok(()) };
    if clock.base > MAX_INITIAL || clock.increment > MAX_INCREMENT {
        return Err(Error::bad_request("clock: at most a week, and an hour for each move"));
    }
    if clock.base < MIN_CLOCK {
        return Err(Error::bad_request("clock: at least a second"));
    }
    Ok(())
}

/// A start position of Chess960: the one of a number, or any.
///
/// # Errors
/// When there is none of that number.
pub(crate) fn chess960_start(number: Option<u16>) -> Result<Position> {
    let number = match number {
        Some(number) => number,
        None => (random::number()? % u64::from(CHESS960_POSITIONS)) as u16,
    };
    Setup::chess960(number)
        .and_then(|setup| Position::from_setup(&setup).ok())
        .ok_or_else(|| Error::bad_request("chess960: from 0 to 959"))
}

/// The game after this one: the same start, or another of Chess960, with colours changed.
pub(super) fn rematch(before: &Record) -> Result<Record> {
    let [mut white, mut black] = before.players.clone();
    rename(&mut white, Color::White);
    rename(&mut black, Color::Black);
    let is_drawn = before.game.variant() == Variant::Chess960
        && before.game.start().to_setup().chess960_number().is_some();
    let start = if is_drawn { chess960_start(None)? } else { *before.game.start() };
    let game = Game::with_variant(start, before.game.variant());
    let mut record = blank(before.kind, [black, white], game)?;
    record.clock = before.time_control().map(Clock::for_both);
    record.human_pace = before.human_pace;
    Ok(record)
}

/// Who is called by the colour that they had gets the name of the one that they have next.
fn rename(player: &mut Player, before: Color) {
    let called = |color: Color| if color == Color::White { "White" } else { "Black" };
    if let Player::Person { name, .. } = player
        && name == called(before)
    {
        called(!before).clone_into(name);
    }
}

/// A recorded game, to be kept.
///
/// # Errors
/// When it is too long.
pub(crate) fn imported(pgn: &PgnGame) -> Result<Record> {
    let game = pgn.playable();
    if game.ply() > notation::MAX_PLIES {
        return Err(Error::bad_request(format!("the game has more than {} moves", notation::MAX_PLIES)));
    }
    let person = |tag: &str| {
        let name = pgn.tags.get(tag).map(tidy_name).filter(|name| !name.is_empty() && name != "?");
        Player::Person { name: name.unwrap_or_else(|| tag.to_owned()), visitor: None }
    };
    let mut record = blank(GameKind::Imported, [person("White"), person("Black")], game)?;
    let tidy = |value: &str| value.chars().filter_map(visible).collect();
    record.tags = pgn.tags.iter().map(|(name, value)| (name.to_owned(), tidy(value))).collect();
    record.tags.insert("Result".to_owned(), pgn.result().to_string());
    record.pgn = Some(pgn.to_string());
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_game(seats: [Seat; 2]) -> Result<Record> {
        record("visitor", NewGame { seats, game: Game::new(), clock: None, human_pace: false, seed: None })
    }

    fn you() -> Seat {
        Seat::You(Some("A".to_owned()))
    }

    #[test]
    fn kinds_follow_from_the_seats() {
        let kind = |white: Seat, black: Seat| new_game([white, black]).map(|record| record.kind).ok();
        let (friend, level) = (Seat::Friend(None), Seat::Level(Level::Full));
        let classic = Seat::Classic("piglet".parse().expect("a classic"));
        assert_eq!(kind(you(), you()), Some(GameKind::Local));
        assert_eq!(kind(friend.clone(), you()), Some(GameKind::Friend));
        assert_eq!(kind(you(), level.clone()), Some(GameKind::Engine));
        assert_eq!(kind(classic.clone(), you()), Some(GameKind::Engine));
        assert_eq!(kind(classic, level.clone()), Some(GameKind::Engines));
        assert_eq!(kind(friend.clone(), friend.clone()), None);
        assert_eq!(kind(friend, level), None);
    }

    #[test]
    fn names_are_tidied() {
        assert_eq!(tidy_name("  Judit \n Polgár\u{0} "), "Judit Polgár");
        assert_eq!(tidy_name(&"x".repeat(100)).len(), MAX_NAME_CHARS);
        assert_eq!(tidy_name("\u{202e}nimda\u{2066}\u{200b} \u{85}x\u{feff}"), "nimda x");
        assert_eq!(tidy_name("\u{202e}\u{200f}"), "");
        assert_eq!(tidy_name("\u{645}\u{6cc}\u{200c}\u{62e}"), "\u{645}\u{6cc}\u{200c}\u{62e}", "Persian");
    }

    #[test]
    fn a_rematch_changes_colours() {
        let first = new_game([you(), Seat::Level(Level::Full)]).expect("a game");
        let second = rematch(&first).expect("a game");
        assert_eq!(second.players[1], first.players[0]);
        assert_ne!(second.id, first.id);
    }

    #[test]
    fn after_a_rematch_no_one_is_called_by_the_other_colour() {
        let names = |white, black| {
            let second = new_game([white, black]).and_then(|first| rematch(&first)).expect("a game");
            second.players.map(|player| player.name())
        };
        assert_eq!(names(Seat::You(None), Seat::Level(Level::Full)), ["Gardez", "Black"]);
        assert_eq!(names(Seat::You(None), Seat::You(None)), ["White", "Black"]);
        assert_eq!(names(you(), Seat::You(None)), ["White", "A"]);
    }
}
