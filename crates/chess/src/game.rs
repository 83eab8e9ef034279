//! Games: a start position, the moves played, and how it ended.

use crate::outcome::{FIFTY_MOVES, FIVEFOLD, THREEFOLD};
use crate::{Bitboard, CastlingStyle, Color, File, GameResult, Key, Move, Outcome, Position, Reason, Square};
use std::time::Duration;

/// Which chess is played: how castling moves and rights are written depends on it, nothing else.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// Kings start on the e-file, castling rooks in the corners.
    #[default]
    Standard,
    /// Chess960, double Fischer random included.
    Chess960,
}

impl Variant {
    /// The variant whose castling rights a position has: standard unless some rook or king that may
    /// still castle is not on its square of standard chess.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let corners: Bitboard = [Square::A1, Square::H1, Square::A8, Square::H8].into_iter().collect();
        let rooks = position.castling_rooks();
        let is_standard = Color::ALL.into_iter().all(|color| {
            let own = rooks & position.side(color);
            own.is_empty() || position.king(color).file() == File::E && (own & !corners).is_empty()
        });
        if is_standard { Self::Standard } else { Self::Chess960 }
    }

    /// How coordinate moves write castling in this variant.
    #[must_use]
    pub const fn castling_style(self) -> CastlingStyle {
        match self {
            Self::Standard => CastlingStyle::Standard,
            Self::Chess960 => CastlingStyle::Chess960,
        }
    }
}

/// A move of a game and what was noted with it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The time its player had left after it.
    pub clock: Option<Duration>,
}

/// The game has ended, so nothing more can be done in it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the game is over: {0}")]
pub struct GameOver(pub Outcome);

/// Why a move could not be played.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PlayError {
    #[error("the move {}{} is illegal here", .0.from(), .0.to())]
    Illegal(Move),
    #[error(transparent)]
    Over(#[from] GameOver),
}

/// Why a draw could not be claimed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ClaimError {
    #[error(
        "no draw to claim: the position stands for time {occurrences} of 3, and {halfmoves} of 100 \
         half-moves have passed without capture or pawn move"
    )]
    NoGround { occurrences: usize, halfmoves: u16 },
    #[error(transparent)]
    Over(#[from] GameOver),
}

/// A game with its whole line of moves and a place in it, so that moves can be taken back and played
/// again.
///
/// All questions are about the position at that place. A result that the players declared, such as a
/// resignation, belongs to the position in which it was declared: taking back a move leaves it behind,
/// going there again finds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    variant: Variant,
    /// The line, with the moves taken back that can be played again.
    line: Vec<Ply>,
    /// The positions before each move of the line and after the last.
    positions: Vec<Position>,
    /// Their keys, apart, so that a search gets them as one slice.
    keys: Vec<Key>,
    /// How many moves of the line are played.
    ply: usize,
    /// The result the players declared at the end of the line.
    declared: Option<Outcome>,
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Game {
    /// A game of standard chess from the start.
    #[must_use]
    pub fn new() -> Self {
        Self::with_variant(Position::startpos(), Variant::Standard)
    }

    /// A game from any position. It is Chess960 if the castling rights say so; those games whose rights
    /// would fit both are made by [`with_variant`](Self::with_variant).
    #[must_use]
    pub fn from_position(start: Position) -> Self {
        Self::with_variant(start, Variant::of(&start))
    }

    /// A game from any position, to be written as one of this variant.
    #[must_use]
    pub fn with_variant(start: Position, variant: Variant) -> Self {
        Self {
            variant,
            line: Vec::new(),
            positions: vec![start],
            keys: vec![start.key()],
            ply: 0,
            declared: None,
        }
    }

    /// Which chess is played.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The position before the first move.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.positions[self.ply]
    }

    /// The position after `ply` moves of the line, if it is that long.
    #[must_use]
    pub fn position_at(&self, ply: usize) -> Option<&Position> {
        self.positions.get(ply)
    }

    /// How many moves have been played.
    #[must_use]
    pub const fn ply(&self) -> usize {
        self.ply
    }

    /// The moves played.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.line[..self.ply]
    }

    /// The moves played and those taken back that can be played again.
    #[must_use]
    pub fn line(&self) -> &[Ply] {
        &self.line
    }

    /// The moves played, without notes.
    #[must_use]
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator {
        self.plies().iter().map(|ply| ply.mv)
    }

    /// The move that led here.
    #[must_use]
    pub fn last_move(&self) -> Option<Move> {
        self.plies().last().map(|ply| ply.mv)
    }

    /// Plays a move, unless the game is over. A move other than the one taken back last drops those that
    /// could have been played again.
    ///
    /// # Errors
    /// When the game has ended or the move is illegal.
    pub fn play(&mut self, mv: Move) -> Result<(), PlayError> {
        self.ensure_running()?;
        self.replay(mv)
    }

    /// Plays a legal move even if the game should be over: recorded games continue after draws that no
    /// arbiter noticed or that the rules did not know yet.
    ///
    /// # Errors
    /// When the move is illegal.
    pub fn replay(&mut self, mv: Move) -> Result<(), PlayError> {
        if self.line.get(self.ply).is_some_and(|next| next.mv == mv) {
            self.ply += 1;
            return Ok(());
        }
        if !self.position().is_legal(mv) {
            return Err(PlayError::Illegal(mv));
        }
        let next = self.position().after(mv);
        self.drop_redo();
        self.line.push(Ply { mv, clock: None });
        self.positions.push(next);
        self.keys.push(next.key());
        self.ply += 1;
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.last_move()?;
        self.ply -= 1;
        Some(mv)
    }

    /// Plays the move taken back last again and returns it.
    pub fn redo(&mut self) -> Option<Move> {
        let mv = self.line.get(self.ply)?.mv;
        self.ply += 1;
        Some(mv)
    }

    /// Goes to the position after `ply` moves of the line. Returns whether the line is that long; if
    /// not, nothing changes.
    pub fn goto(&mut self, ply: usize) -> bool {
        let exists = ply <= self.line.len();
        if exists {
            self.ply = ply;
        }
        exists
    }

    fn drop_redo(&mut self) {
        self.line.truncate(self.ply);
        self.positions.truncate(self.ply + 1);
        self.keys.truncate(self.ply + 1);
        self.declared = None;
    }

    /// Notes the time the player who has just moved had left after the move. Before the first move there
    /// is nothing to note.
    pub fn set_clock(&mut self, left: Duration) {
        if let Some(last) = self.ply.checked_sub(1) {
            self.line[last].clock = Some(left);
        }
    }

    /// The time noted last for a side.
    #[must_use]
    pub fn clock(&self, color: Color) -> Option<Duration> {
        let own = |index: &usize| self.positions[*index].turn() == color;
        (0..self.ply).rev().filter(own).find_map(|index| self.line[index].clock)
    }

    /// The keys of the positions since the last capture or pawn move, oldest first, the one now last:
    /// all that a repetition can be among.
    #[must_use]
    pub fn keys(&self) -> &[Key] {
        let reversible = usize::from(self.position().halfmove_clock()).min(self.ply);
        &self.keys[self.ply - reversible..=self.ply]
    }

    /// How many times the position has stood on the board, now included. Positions are the same when the
    /// same side is to move, with the same castling rights and the same legal captures en passant.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        let now = self.keys[self.ply];
        self.keys().iter().filter(|&&key| key == now).count()
    }

    /// Whether the position stands on the board for the `times`th time or more.
    #[must_use]
    pub fn is_repetition(&self, times: usize) -> bool {
        self.occurrences() >= times
    }

    /// How the game ended: as the players declared, or by a rule that needs no claim.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let at_end = self.ply == self.line.len();
        self.declared
            .filter(|_| at_end)
            .or_else(|| self.position().outcome())
            .or_else(|| self.is_repetition(FIVEFOLD).then_some(Outcome::draw(Reason::FivefoldRepetition)))
    }

    /// The result as PGN writes it.
    #[must_use]
    pub fn result(&self) -> GameResult {
        GameResult::of(self.outcome())
    }

    /// Whether the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    fn ensure_running(&self) -> Result<(), GameOver> {
        match self.outcome() {
            Some(outcome) => Err(GameOver(outcome)),
            None => Ok(()),
        }
    }

    /// The draw that the side to move may claim, by threefold repetition or by the fifty-move rule.
    #[must_use]
    pub fn claimable(&self) -> Option<Outcome> {
        if self.is_over() {
            None
        } else if self.is_repetition(THREEFOLD) {
            Some(Outcome::draw(Reason::ThreefoldRepetition))
        } else if self.position().halfmove_clock() >= FIFTY_MOVES {
            Some(Outcome::draw(Reason::FiftyMoves))
        } else {
            None
        }
    }

    /// Claims the draw that [`claimable`](Self::claimable) offers.
    ///
    /// # Errors
    /// When there is none.
    pub fn claim_draw(&mut self) -> Result<Outcome, ClaimError> {
        self.ensure_running()?;
        let outcome = self.claimable().ok_or_else(|| ClaimError::NoGround {
            occurrences: self.occurrences(),
            halfmoves: self.position().halfmove_clock(),
        })?;
        Ok(self.end(outcome)?)
    }

    /// A side gives up.
    ///
    /// # Errors
    /// When the game has ended already.
    pub fn resign(&mut self, loser: Color) -> Result<Outcome, GameOver> {
        self.end(Outcome::win(!loser, Reason::Resignation))
    }

    /// A side's time runs out: it loses, or draws if the other [cannot mate](Position::can_mate).
    ///
    /// # Errors
    /// When the game has ended already.
    pub fn flag(&mut self, loser: Color) -> Result<Outcome, GameOver> {
        let winner = Some(!loser).filter(|&winner| self.position().can_mate(winner));
        self.end(Outcome { winner, reason: Reason::TimeForfeit })
    }

    /// The players agree on a draw.
    ///
    /// # Errors
    /// When the game has ended already.
    pub fn agree_draw(&mut self) -> Result<Outcome, GameOver> {
        self.end(Outcome::draw(Reason::Agreement))
    }

    /// Ends the game in any way that is declared, not played: adjudication, an illegal move, a player
    /// gone. Moves that were taken back are dropped.
    ///
    /// # Errors
    /// When the game has ended already.
    pub fn end(&mut self, outcome: Outcome) -> Result<Outcome, GameOver> {
        self.ensure_running()?;
        self.drop_redo();
        self.declared = Some(outcome);
        Ok(outcome)
    }

    /// The exact [Polyglot key](crate::Setup::polyglot_key) of the position, for which the last move has to
    /// be known. Before the first move it is that of the [position](Position::polyglot_key).
    #[must_use]
    pub fn polyglot_key(&self) -> u64 {
        match self.ply.checked_sub(1) {
            Some(last) => self.positions[last].setup_after(self.line[last].mv).polyglot_key(),
            None => self.position().polyglot_key(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game_from(fen: &str) -> Game {
        Game::from_position(Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
    }

    fn mv(text: &str) -> Move {
        Move::normal(text[..2].parse().expect("origin"), text[2..].parse().expect("target"))
    }

    fn play(game: &mut Game, moves: &str) {
        for text in moves.split_whitespace() {
            game.play(mv(text)).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
    }

    const KNIGHTS_OUT_AND_BACK: &str = "g1f3 g8f6 f3g1 f6g8";

    #[test]
    fn undo_redo_and_goto() {
        let mut game = Game::new();
        play(&mut game, "e2e4 e7e5 g1f3");
        let after = *game.position();
        assert_eq!(game.undo(), Some(mv("g1f3")));
        assert_eq!(game.undo(), Some(mv("e7e5")));
        assert_eq!(game.ply(), 1);
        assert_eq!(game.moves().collect::<Vec<_>>(), [mv("e2e4")]);
        // The same move again keeps the line, another one drops it.
        play(&mut game, "e7e5");
        assert_eq!(game.redo(), Some(mv("g1f3")));
        assert_eq!(*game.position(), after);
        assert_eq!(game.redo(), None);
        assert!(game.goto(1));
        play(&mut game, "c7c5");
        assert_eq!(game.redo(), None);
        assert_eq!(game.line().len(), 2);
        assert!(game.goto(0));
        assert_eq!(*game.position(), Position::startpos());
        assert_eq!(game.undo(), None);
        assert!(!game.goto(3));
        assert_eq!(game.ply(), 0);
        assert_eq!(game.play(mv("e2e5")), Err(PlayError::Illegal(mv("e2e5"))));
        assert_eq!(game.line().len(), 2, "an illegal move drops nothing");
    }

    #[test]
    fn threefold_is_claimed_and_fivefold_ends() {
        let mut game = Game::new();
        play(&mut game, KNIGHTS_OUT_AND_BACK);
        assert!(game.is_repetition(2) && !game.is_repetition(3));
        assert_eq!(game.claimable(), None);
        assert_eq!(
            game.claim_draw().map_err(|error| error.to_string()),
            Err("no draw to claim: the position stands for time 2 of 3, and 4 of 100 half-moves have \
                 passed without capture or pawn move"
                .to_owned())
        );
        play(&mut game, KNIGHTS_OUT_AND_BACK);
        assert_eq!(game.claimable(), Some(Outcome::draw(Reason::ThreefoldRepetition)));
        assert_eq!(game.outcome(), None);

        let mut claimed = game.clone();
        assert_eq!(claimed.claim_draw(), Ok(Outcome::draw(Reason::ThreefoldRepetition)));
        assert_eq!(claimed.result(), GameResult::Draw);
        assert_eq!(claimed.claimable(), None);

        play(&mut game, KNIGHTS_OUT_AND_BACK);
        play(&mut game, KNIGHTS_OUT_AND_BACK);
        let fivefold = Outcome::draw(Reason::FivefoldRepetition);
        assert_eq!(game.outcome(), Some(fivefold));
        assert_eq!(game.claimable(), None);
        assert_eq!(game.play(mv("e2e4")), Err(PlayError::Over(GameOver(fivefold))));
        assert_eq!(game.replay(mv("e2e4")), Ok(()));
        assert_eq!(game.outcome(), None);
    }

    #[test]
    fn lost_castling_rights_make_another_position() {
        let mut game = game_from("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1");
        play(&mut game, "e1e2 e8e7 e2e1 e7e8");
        assert_eq!(game.occurrences(), 1);
        play(&mut game, "e1e2 e8e7 e2e1 e7e8");
        assert_eq!(game.occurrences(), 2);
    }

    #[test]
    fn a_legal_en_passant_makes_another_position_and_an_illegal_one_does_not() {
        let shuffle = "e1e2 e8e7 e2e1 e7e8";
        let mut takes = game_from("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
        play(&mut takes, "d7d5");
        assert!(takes.position().en_passant().is_some());
        play(&mut takes, shuffle);
        assert_eq!(takes.occurrences(), 1);

        // Taking would open the fifth rank to the rook on h5.
        let mut pinned = game_from("4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1");
        play(&mut pinned, "d7d5 a5b5 e8e7 b5a5 e7e8");
        assert_eq!(pinned.occurrences(), 2);
    }

    #[test]
    fn fifty_and_seventy_five_moves() {
        let mut game = game_from("4k3/8/8/8/8/8/4P3/R3K3 w - - 98 80");
        play(&mut game, "a1a2");
        assert_eq!(game.claimable(), None);
        play(&mut game, "e8e7");
        assert_eq!(game.claimable(), Some(Outcome::draw(Reason::FiftyMoves)));
        let mut progress = game.clone();
        play(&mut progress, "e2e4");
        assert_eq!(progress.claimable(), None);
        assert_eq!(game.claim_draw(), Ok(Outcome::draw(Reason::FiftyMoves)));

        let mut unclaimed = game_from("4k3/8/8/8/8/8/4P3/R3K3 w - - 149 80");
        assert_eq!(unclaimed.claimable(), Some(Outcome::draw(Reason::FiftyMoves)));
        play(&mut unclaimed, "a1a2");
        assert_eq!(unclaimed.outcome(), Some(Outcome::draw(Reason::SeventyFiveMoves)));
    }

    #[test]
    fn mate_ends_the_game_until_it_is_taken_back() {
        let mut game = Game::new();
        play(&mut game, "f2f3 e7e5 g2g4 d8h4");
        let mate = Outcome::win(Color::Black, Reason::Checkmate);
        assert_eq!(game.outcome(), Some(mate));
        assert_eq!(game.result().as_str(), "0-1");
        assert_eq!(game.resign(Color::White), Err(GameOver(mate)));
        game.undo();
        assert_eq!(game.outcome(), None);
        game.redo();
        assert_eq!(game.outcome(), Some(mate));
    }

    #[test]
    fn a_declared_result_belongs_to_its_position() {
        let mut game = Game::new();
        play(&mut game, "e2e4 e7e5");
        let resigned = Outcome::win(Color::White, Reason::Resignation);
        assert_eq!(game.resign(Color::Black), Ok(resigned));
        assert_eq!(game.agree_draw(), Err(GameOver(resigned)));
        assert_eq!(game.play(mv("g1f3")), Err(PlayError::Over(GameOver(resigned))));
        game.undo();
        assert_eq!(game.outcome(), None);
        game.redo();
        assert_eq!(game.outcome(), Some(resigned));
        game.undo();
        play(&mut game, "c7c5");
        assert_eq!(game.outcome(), None);
    }

    #[test]
    fn a_fallen_flag_loses_only_to_a_side_that_can_mate() {
        let mut rook = game_from("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        assert_eq!(rook.clone().flag(Color::Black), Ok(Outcome::win(Color::White, Reason::TimeForfeit)));
        assert_eq!(rook.flag(Color::White), Ok(Outcome::draw(Reason::TimeForfeit)));
    }

    #[test]
    fn clocks_are_noted_with_the_moves() {
        let mut game = Game::new();
        game.set_clock(Duration::from_secs(9));
        play(&mut game, "e2e4");
        game.set_clock(Duration::from_secs(59));
        play(&mut game, "e7e5");
        game.set_clock(Duration::from_secs(58));
        play(&mut game, "g1f3");
        assert_eq!(game.clock(Color::White), Some(Duration::from_secs(59)));
        assert_eq!(game.clock(Color::Black), Some(Duration::from_secs(58)));
        assert_eq!(game.plies()[2].clock, None);
        game.goto(1);
        assert_eq!(game.clock(Color::Black), None);
    }

    #[test]
    fn keys_reach_back_to_the_last_irreversible_move() {
        let mut game = Game::new();
        assert_eq!(game.keys(), [game.position().key()]);
        play(&mut game, "g1f3 g8f6");
        assert_eq!(game.keys().len(), 3);
        play(&mut game, "e2e4");
        assert_eq!(game.keys(), [game.position().key()]);
        play(&mut game, "f6g8");
        assert_eq!(game.keys(), [game.position_at(3).expect("played").key(), game.position().key()]);
        game.goto(2);
        assert_eq!(game.keys().len(), 3);
        // A clock that began before the game does not reach back further than the game.
        assert_eq!(game_from("4k3/8/8/8/8/8/4P3/R3K3 w - - 98 80").keys().len(), 1);
    }

    #[test]
    fn the_variant_follows_from_the_castling_rights() {
        assert_eq!(game_from("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").variant(), Variant::Standard);
        assert_eq!(game_from("1r3k2/8/8/8/8/8/8/1R3K2 w - - 0 1").variant(), Variant::Standard);
        assert_eq!(game_from("1r2k3/8/8/8/8/8/8/4K3 b q - 0 1").variant(), Variant::Chess960);
        assert_eq!(game_from("r4k2/8/8/8/8/8/8/4K3 b q - 0 1").variant(), Variant::Chess960);
        assert_eq!(Variant::Chess960.castling_style(), CastlingStyle::Chess960);
    }

    #[test]
    fn the_polyglot_key_knows_the_last_move() {
        let mut game = game_from("4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1");
        play(&mut game, "d2d4");
        assert_eq!(game.polyglot_key(), 0x4176_920b_68c3_81a2);
        assert_ne!(game.position().polyglot_key(), game.polyglot_key());
    }
}
