//! A classic of which is known what its last search did.

use chess::Game;
use classics::{Budget, Choice, Classic, ThinkError};
use std::sync::{Arc, Mutex, PoisonError};
use web_time::Instant;

/// What the last search of a game's classics did, as a table to print.
#[derive(Clone, Default)]
pub(super) struct LastSearch(Arc<Mutex<Option<String>>>);

impl LastSearch {
    pub(super) fn get(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, table: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(table);
    }
}

/// A classic that writes down what its searches do.
pub(super) struct ObservedClassic {
    program: Box<dyn Classic + Send>,
    last_search: LastSearch,
}

impl ObservedClassic {
    pub(super) fn new(program: Box<dyn Classic + Send>, last_search: LastSearch) -> Self {
        Self { program, last_search }
    }
}

impl Classic for ObservedClassic {
    fn name(&self) -> &'static str {
        self.program.name()
    }

    fn think(&mut self, game: &Game, budget: &Budget<'_>) -> Result<Choice, ThinkError> {
        let began = Instant::now();
        let choice = self.program.think(game, budget)?;
        let table = choice.table(game.position(), began.elapsed());
        self.last_search.set(format!("{}: {table}", self.name()));
        Ok(choice)
    }

    fn new_game(&mut self) {
        self.program.new_game();
    }
}
