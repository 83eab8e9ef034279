//! From a PGN game to a [`Game`], and back.

use super::{Comment, Date, Node, PgnGame, tags};
use crate::{Color, Game, IllegalReason, Move, Outcome, Position, Reason, Variant};

/// What the tags of a game say beyond its moves and its end. What is not known is left empty.
///
/// ```
/// use chess::Game;
/// use chess::pgn::{Heading, PgnGame};
///
/// let mut game = Game::new();
/// game.play(game.position().parse_san("e4")?)?;
/// game.resign(chess::Color::Black)?;
/// let heading = Heading { white: "Anna", black: "Bert", ..Heading::default() };
/// let text = PgnGame::from_game(&game, &heading).to_string();
/// assert!(text.starts_with("[Event \"?\"]\n"));
/// assert!(text.contains("[White \"Anna\"]\n[Black \"Bert\"]\n[Result \"1-0\"]\n[Termination \"normal\"]\n"));
/// assert!(text.ends_with("\n1. e4 1-0\n\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heading<'a> {
    /// The name of the tournament or match.
    pub event: &'a str,
    /// Where it is played.
    pub site: &'a str,
    /// When the game began.
    pub date: Option<Date>,
    /// The round within the event.
    pub round: &'a str,
    /// The name of White.
    pub white: &'a str,
    /// The name of Black.
    pub black: &'a str,
    /// The time control as PGN writes it: seconds, or `300+3`, or `-` for none.
    pub time_control: &'a str,
}

/// A move of the main line that cannot be played, so that a game ends before it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{} {reason}", position.fullmove_number(), if position.turn() == Color::White { "." } else { "..." })]
pub struct MainLineError {
    /// The game up to there.
    pub game: Box<Game>,
    /// The position in which the move cannot be played.
    pub position: Box<Position>,
    /// Why not.
    pub reason: UnplayableMove,
}

/// Why a move of the main line cannot be played.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum UnplayableMove {
    #[error("--: a move is passed, which chess does not allow")]
    Passed,
    #[error("{}{}: {}", mv.from(), mv.to(), reason.map_or_else(|| "illegal".to_owned(), |reason| reason.to_string()))]
    Illegal { mv: Move, reason: Option<IllegalReason> },
}

impl PgnGame {
    /// Which chess is played: Chess960 if the tag `Variant` or the castling rights of the start say so.
    #[must_use]
    pub fn variant(&self) -> Variant {
        let is_chess960 = self.tags.get("Variant").is_some_and(tags::is_chess960);
        if is_chess960 { Variant::Chess960 } else { Variant::of(&self.start) }
    }

    /// The moves of the main line, all played, with their clocks. Variations and other comments stay
    /// behind, and so does a result that the board does not show: one can play on.
    ///
    /// ```
    /// use chess::pgn::Reader;
    ///
    /// let text = "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 1-0";
    /// let game = Reader::new(text.as_bytes()).next().unwrap()?.to_game()?;
    /// assert_eq!(game.ply(), 3);
    /// assert!(!game.is_over());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the line contains a passed move or, if it was made by hand, an illegal one. The
    /// [error](MainLineError::game) has the game up to there.
    pub fn to_game(&self) -> Result<Game, MainLineError> {
        let mut game = Game::with_variant(self.start, self.variant());
        for node in &self.line.moves {
            if let Err(reason) = replay(&mut game, node.mv) {
                let position = Box::new(*game.position());
                return Err(MainLineError { game: Box::new(game), position, reason });
            }
            if let Some(clock) = node.comments.iter().find_map(|comment| comment.clock) {
                game.set_clock(clock);
            }
        }
        Ok(game)
    }

    /// The game as far as chess was played: up to a passed move, if there is one.
    #[must_use]
    pub fn playable(&self) -> Game {
        self.to_game().unwrap_or_else(|error| *error.game)
    }

    /// A game as far as it is played, with its clocks, its result and how it ended.
    #[must_use]
    pub fn from_game(game: &Game, heading: &Heading<'_>) -> Self {
        let mut pgn = Self::from_position(*game.start());
        let date = heading.date.map(|date| date.to_string()).unwrap_or_default();
        let known = [
            ("Event", heading.event),
            ("Site", heading.site),
            ("Date", &date),
            ("Round", heading.round),
            ("White", heading.white),
            ("Black", heading.black),
            ("Variant", if game.variant() == Variant::Chess960 { "Chess960" } else { "" }),
            ("TimeControl", heading.time_control),
            ("Termination", game.outcome().map_or("", termination)),
        ];
        for (name, value) in known.into_iter().filter(|(_, value)| !value.is_empty()) {
            pgn.tags.set(name, value);
        }
        pgn.set_result(game.result());
        for ply in game.plies() {
            let mut node = Node::new(Some(ply.mv));
            if ply.clock.is_some() {
                node.comments.push(Comment { clock: ply.clock, ..Comment::default() });
            }
            pgn.line.moves.push(node);
        }
        pgn
    }

    /// Adds a comment after the last move, or before the first if there is none.
    pub fn add_last_comment(&mut self, text: &str) {
        let comments = match self.line.moves.last_mut() {
            Some(last) => &mut last.comments,
            None => &mut self.line.comments,
        };
        comments.push(Comment::from_text(text));
    }
}

fn replay(game: &mut Game, mv: Option<Move>) -> Result<(), UnplayableMove> {
    let mv = mv.ok_or(UnplayableMove::Passed)?;
    let position = *game.position();
    game.replay(mv).map_err(|_| UnplayableMove::Illegal {
        mv,
        reason: position.explain_illegal(mv.from(), mv.to(), mv.promotes_to()),
    })
}

/// What the tag `Termination` says of an end, in the words of the PGN standard.
#[must_use]
const fn termination(outcome: Outcome) -> &'static str {
    match outcome.reason {
        Reason::TimeForfeit => "time forfeit",
        Reason::IllegalMove => "rules infraction",
        Reason::Abandoned => "abandoned",
        Reason::Adjudication => "adjudication",
        _ => "normal",
    }
}
