//! The engine as front ends see it.

use crate::{Limits, OptionError, Options, Sink};
use chess::Game;

/// A chess engine that runs in the background.
pub struct Engine {
    options: Options,
    sink: Sink,
}

impl Engine {
    /// An engine with default options that tells its events to `sink`.
    #[must_use]
    pub fn new(sink: Sink) -> Self {
        Self { options: Options::default(), sink }
    }

    /// The current options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets an option by name. A search under way is stopped first.
    ///
    /// # Errors
    /// When there is no such option or the value does not fit it; nothing changes then.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.options.set(name, value).map(|_| ())
    }

    /// Forgets everything about the games before. A search under way is stopped first.
    pub fn new_game(&mut self) {}

    /// Takes over the position of a game and its history. A search under way is stopped first.
    pub fn set_game(&mut self, _game: &Game) {}

    /// Starts to search in the background; a search under way is stopped first. The end is told by
    /// [`Event::Finished`](crate::Event::Finished), exactly once for each call.
    pub fn go(&mut self, _limits: Limits) {
        let _ = &self.sink;
    }

    /// Asks the search to end at once; its result is told as usual.
    pub fn stop(&self) {}

    /// The expected move was played: a pondering search goes on as a normal one, its clock starting now.
    pub fn ponder_hit(&self) {}

    /// Whether a search is under way.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        false
    }

    /// Waits until no search is under way. (A search without an end must be stopped first.)
    pub fn wait(&self) {}
}
