//! The engine as a session needs it.

use chess::{Game, Position};
use engine::{BookMove, Engine, Limits, OptionError, Settings};

/// What plays behind a session. [`Engine`] does; tests put something in its place that does as the test says.
///
/// Every [`go`](Self::go) is answered by exactly one [`Finished`](engine::Event::Finished) or
/// [`Failed`](engine::Event::Failed) event. Sessions call the methods that would stop a search only when none is under way.
pub trait Backend {
    /// What is set.
    fn settings(&self) -> &Settings;
    /// Sets an option by name.
    ///
    /// # Errors
    /// When there is no such option or the value does not fit it.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError>;
    /// Forgets the games before.
    fn new_game(&mut self);
    /// Takes over a game.
    fn set_game(&mut self, game: &Game);
    /// What the opening book knows of the position a game stands at.
    fn book_moves(&self, game: &Game) -> Vec<BookMove>;
    /// The value of a position for the side to move without a search, in internal units.
    fn static_evaluation(&self, position: &Position) -> i32;
    /// Starts to search.
    fn go(&mut self, limits: Limits);
    /// Asks the search to end.
    fn stop(&self);
    /// The expected move was played.
    fn ponder_hit(&self);
}

impl Backend for Engine {
    fn settings(&self) -> &Settings {
        self.settings()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.set_option(name, value)
    }

    fn new_game(&mut self) {
        self.new_game();
    }

    fn set_game(&mut self, game: &Game) {
        self.set_game(game);
    }

    fn book_moves(&self, game: &Game) -> Vec<BookMove> {
        self.book_moves(game)
    }

    fn static_evaluation(&self, position: &Position) -> i32 {
        self.static_evaluation(position)
    }

    fn go(&mut self, limits: Limits) {
        self.go(limits);
    }

    fn stop(&self) {
        self.stop();
    }

    fn ponder_hit(&self) {
        self.ponder_hit();
    }
}
