//! How games end: the rules a position alone can answer, and the words for every ending.
//!
//! Repetition needs the course of the game and is found by [`Game`](crate::Game).

use crate::{Bitboard, Color, Position, Role};
use std::fmt;
use std::str::FromStr;

/// Half-moves without capture or pawn move after which a player may claim a draw.
pub const FIFTY_MOVES: u16 = 100;
/// Half-moves without capture or pawn move after which the game is drawn, claimed or not.
pub(crate) const SEVENTY_FIVE_MOVES: u16 = 150;
/// Occurrences of one position after which a player may claim a draw.
pub(crate) const THREEFOLD: usize = 3;
/// Occurrences of one position after which the game is drawn, claimed or not.
pub(crate) const FIVEFOLD: usize = 5;

/// Why a game ended. Displays as what follows "win by" or "draw by".
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The king is in check and no move helps.
    Checkmate,
    /// The side to move is not in check and has no move.
    Stalemate,
    /// Neither side has the pieces to mate.
    InsufficientMaterial,
    /// A draw claimed after fifty moves each without capture or pawn move.
    FiftyMoves,
    /// Seventy-five such moves, which end the game unclaimed.
    SeventyFiveMoves,
    /// A draw claimed when a position stood on the board for the third time.
    ThreefoldRepetition,
    /// The fifth time, which ends the game unclaimed.
    FivefoldRepetition,
    /// The players agreed on a draw.
    Agreement,
    /// A player gave up.
    Resignation,
    /// A player's time ran out. A draw when the other could not have mated.
    TimeForfeit,
    /// A player made a move that the rules forbid.
    IllegalMove,
    /// A player left. Without a winner the game stays unfinished.
    Abandoned,
    /// A third party decided, such as an arbiter or the rules of an engine match.
    Adjudication,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::FiftyMoves => "the fifty-move rule",
            Self::SeventyFiveMoves => "the seventy-five-move rule",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::Agreement => "agreement",
            Self::Resignation => "resignation",
            Self::TimeForfeit => "time forfeit",
            Self::IllegalMove => "illegal move",
            Self::Abandoned => "abandonment",
            Self::Adjudication => "adjudication",
        })
    }
}

/// The end of a game. Displays as a sentence without the full stop: "Black is checkmated", "draw by
/// threefold repetition".
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Who won; `None` in a draw, and in a game abandoned without a decision.
    pub winner: Option<Color>,
    /// Why the game ended.
    pub reason: Reason,
}

impl Outcome {
    /// A win.
    #[must_use]
    pub const fn win(winner: Color, reason: Reason) -> Self {
        Self { winner: Some(winner), reason }
    }

    /// An end without a winner.
    #[must_use]
    pub const fn draw(reason: Reason) -> Self {
        Self { winner: None, reason }
    }

    /// What counts in a table of results.
    #[must_use]
    pub const fn result(self) -> GameResult {
        match (self.winner, self.reason) {
            (Some(Color::White), _) => GameResult::WhiteWins,
            (Some(Color::Black), _) => GameResult::BlackWins,
            (None, Reason::Abandoned) => GameResult::Unfinished,
            (None, _) => GameResult::Draw,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = self.reason;
        match (self.winner, reason) {
            (Some(winner), Reason::Checkmate) => write!(f, "{} is checkmated", !winner),
            (Some(winner), Reason::Resignation) => write!(f, "{} resigns", !winner),
            (Some(winner), Reason::TimeForfeit) => write!(f, "{} loses on time", !winner),
            (Some(winner), Reason::IllegalMove) => write!(f, "{} loses by an illegal move", !winner),
            (Some(winner), Reason::Abandoned) => write!(f, "{} abandons the game", !winner),
            (Some(winner), _) => write!(f, "{winner} wins by {reason}"),
            (None, Reason::TimeForfeit) => {
                f.write_str("draw: time has run out, but the other side cannot mate")
            }
            (None, Reason::Abandoned) => f.write_str("the game is abandoned"),
            (None, _) => write!(f, "draw by {reason}"),
        }
    }
}

/// The result of a game as PGN writes it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: still going on, broken off or unknown.
    #[default]
    Unfinished,
}

impl GameResult {
    /// The result of a game that has ended so, or not yet.
    #[must_use]
    pub const fn of(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(outcome) => outcome.result(),
            None => Self::Unfinished,
        }
    }

    /// The text of PGN.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unfinished => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is no result of a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a result: results are written 1-0, 0-1, 1/2-1/2 or *")]
pub struct GameResultError;

impl FromStr for GameResult {
    type Err = GameResultError;

    fn from_str(text: &str) -> Result<Self, GameResultError> {
        [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unfinished]
            .into_iter()
            .find(|result| result.as_str() == text)
            .ok_or(GameResultError)
    }
}

impl Position {
    /// Whether the side to move is checkmated.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Whether the side to move is stalemated.
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }

    /// Whether a side has the pieces to mate, if the other helps as badly as it can. After a flag fall
    /// this decides between win and draw.
    ///
    /// Only the material is looked at, not whether a wall of pawns keeps the pieces apart. A side with a
    /// pawn, rook or queen can mate, and so can one with
    /// - two knights, or a knight and a bishop, or bishops on squares of both colours;
    /// - one knight, if the other side has a pawn, knight, bishop or rook to stand in its own king's way
    ///   (a queen can always help itself);
    /// - bishops on squares of one colour, if there is a knight or pawn of the other side, or a bishop of
    ///   the other side on the other colour.
    ///
    /// These are the rules of Lichess.
    #[must_use]
    pub fn can_mate(&self, color: Color) -> bool {
        let ours = self.side(color);
        let theirs = self.side(!color);
        let (knights, bishops) = (self.role(Role::Knight), self.role(Role::Bishop));
        let heavy = self.role(Role::Pawn) | self.orthogonal_sliders();
        if heavy.intersects(ours) {
            return true;
        }
        if knights.intersects(ours) {
            let in_the_way = theirs & !self.role(Role::King) & !self.role(Role::Queen);
            return ours.count() > 2 || in_the_way.any();
        }
        bishops.intersects(ours)
            && (on_both_colors(bishops) || (knights | self.role(Role::Pawn)).intersects(theirs))
    }

    /// Whether neither side can ever mate: bare kings, a lone knight, or bishops that all stand on
    /// squares of one colour.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let decisive = self.role(Role::Pawn) | self.orthogonal_sliders();
        decisive.is_empty() && Color::ALL.into_iter().all(|color| !self.can_mate(color))
    }

    /// The end of the game, if this position ends every game by itself: checkmate, stalemate, too little
    /// material, or seventy-five moves without progress, in that order.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(if self.is_check() {
                Outcome::win(!self.turn(), Reason::Checkmate)
            } else {
                Outcome::draw(Reason::Stalemate)
            });
        }
        if self.is_insufficient_material() {
            return Some(Outcome::draw(Reason::InsufficientMaterial));
        }
        (self.halfmove_clock() >= SEVENTY_FIVE_MOVES).then_some(Outcome::draw(Reason::SeventyFiveMoves))
    }
}

const fn on_both_colors(pieces: Bitboard) -> bool {
    pieces.intersects(Bitboard::LIGHT_SQUARES) && pieces.intersects(Bitboard::DARK_SQUARES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    #[test]
    fn positions_that_end_a_game() {
        let end = |fen: &str| position(fen).outcome();
        let fools_mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        assert_eq!(end(fools_mate), Some(Outcome::win(Color::Black, Reason::Checkmate)));
        assert_eq!(end("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some(Outcome::draw(Reason::Stalemate)));
        assert_eq!(end("7k/8/6K1/8/8/8/8/8 b - - 0 1"), Some(Outcome::draw(Reason::InsufficientMaterial)));
        assert_eq!(end("7k/8/6K1/8/8/8/8/R7 b - - 149 90"), None);
        assert_eq!(end("7k/8/6K1/8/8/8/8/R7 b - - 150 90"), Some(Outcome::draw(Reason::SeventyFiveMoves)));
        // Mate counts even if it came with the move that completes the seventy-five.
        assert_eq!(
            end("R6k/8/6K1/8/8/8/8/8 b - - 150 90"),
            Some(Outcome::win(Color::White, Reason::Checkmate))
        );
        assert_eq!(Position::startpos().outcome(), None);
    }

    #[test]
    fn who_can_mate_with_what() {
        // White's pieces, Black's pieces, whether White can mate, whether Black can.
        for (white, black, white_can, black_can) in [
            ("", "", false, false),
            ("N", "", false, false),
            ("B", "", false, false),
            ("P", "", true, false),
            ("R", "", true, false),
            ("Q", "", true, false),
            ("NN", "", true, false),
            ("BN", "", true, false),
            ("N", "p", true, true),
            ("N", "n", true, true),
            ("N", "b", true, true),
            ("N", "r", true, true),
            ("N", "q", false, true),
            ("N", "qr", true, true),
            ("B", "p", true, true),
            ("B", "n", true, true),
            ("B", "r", false, true),
            ("B", "q", false, true),
        ] {
            // Where the pieces stand they attack neither king.
            let fen =
                format!("2k5/8/8/{}{black}/{white}{}/8/8/5K2 w - - 0 1", 8 - black.len(), 8 - white.len());
            let position = position(&fen);
            assert_eq!(position.can_mate(Color::White), white_can, "White in {fen}");
            assert_eq!(position.can_mate(Color::Black), black_can, "Black in {fen}");
            assert_eq!(position.is_insufficient_material(), !white_can && !black_can, "{fen}");
        }
    }

    #[test]
    fn bishops_by_the_colour_of_their_squares() {
        for (fen, drawn) in [
            ("k7/8/8/8/8/8/8/B1B4K w - - 0 1", true),
            ("k7/8/8/8/8/8/8/BB5K w - - 0 1", false),
            ("kb6/8/8/8/8/8/8/B6K w - - 0 1", true),
            ("k1b5/8/8/8/8/8/8/B6K w - - 0 1", false),
            ("k7/8/8/8/8/1B1B4/B7/7K w - - 0 1", true),
        ] {
            assert_eq!(position(fen).is_insufficient_material(), drawn, "{fen}");
            assert_eq!(position(fen).can_mate(Color::White), !drawn, "{fen}");
        }
    }

    #[test]
    fn words_for_people() {
        let text = |outcome: Outcome| outcome.to_string();
        assert_eq!(text(Outcome::win(Color::White, Reason::Checkmate)), "Black is checkmated");
        assert_eq!(text(Outcome::win(Color::Black, Reason::Resignation)), "White resigns");
        assert_eq!(text(Outcome::win(Color::White, Reason::TimeForfeit)), "Black loses on time");
        assert_eq!(text(Outcome::win(Color::White, Reason::Adjudication)), "White wins by adjudication");
        assert_eq!(text(Outcome::draw(Reason::ThreefoldRepetition)), "draw by threefold repetition");
        assert_eq!(text(Outcome::draw(Reason::FiftyMoves)), "draw by the fifty-move rule");
        assert_eq!(
            text(Outcome::draw(Reason::TimeForfeit)),
            "draw: time has run out, but the other side cannot mate"
        );
    }

    #[test]
    fn results_as_pgn_writes_them() {
        let result = |outcome| GameResult::of(outcome).as_str();
        assert_eq!(result(Some(Outcome::win(Color::White, Reason::Checkmate))), "1-0");
        assert_eq!(result(Some(Outcome::win(Color::Black, Reason::Abandoned))), "0-1");
        assert_eq!(result(Some(Outcome::draw(Reason::Agreement))), "1/2-1/2");
        assert_eq!(result(Some(Outcome::draw(Reason::Abandoned))), "*");
        assert_eq!(result(None), "*");
        for text in ["1-0", "0-1", "1/2-1/2", "*"] {
            assert_eq!(text.parse::<GameResult>().map(GameResult::as_str), Ok(text));
        }
        assert_eq!("1-1".parse::<GameResult>(), Err(GameResultError));
    }
}
