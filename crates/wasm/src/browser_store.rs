//! The store of the browser: everything in memory, and every change in the browser's database before it counts.
//!
//! Other pages of the same browser have the same database. Each stored game has a version; JavaScript writes a change only
//! if it was made to the version that is there, and otherwise answers with that one, which then takes its place here.

use crate::host;
use crate::job::{from_json, to_json};
use backend::game_review::GameReview;
use backend::record::Record;
use backend::store::{Access, GameFilter, GameSummary, LinkKind, Listing, Pending};
use backend::stored::{StoredGame, StoredReview};
use backend::{Error, MemoryStore, Result, Store};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use web_time::Instant;

/// Something to be stored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Change {
    /// New games and changed ones, all or none.
    Games(Vec<StoredGame>),
    /// A review.
    Review(Box<StoredReview>),
    /// An exercise that was solved: the game and the ply.
    Solved(String, usize),
}

/// What JavaScript says of a change.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Saved {
    /// It is stored.
    Done,
    /// There is a newer version of a game.
    Conflict(Box<StoredGame>),
}

/// Who sits at the boards of a browser.
pub(crate) const OWNER: &str = "owner";

/// The store.
#[derive(Default)]
pub(crate) struct BrowserStore {
    memory: MemoryStore,
    versions: Mutex<HashMap<String, u64>>,
}

impl BrowserStore {
    fn versions(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.versions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes over what was stored before, or by another page.
    pub(crate) fn load_change(&self, change: Change) -> Result<()> {
        match change {
            Change::Games(games) => games.into_iter().try_for_each(|game| self.load_game(game))?,
            Change::Review(review) => self.memory.put_review(review.read()?),
            Change::Solved(game, ply) => self.memory.put_solved(&game, ply),
        }
        Ok(())
    }

    fn load_game(&self, game: StoredGame) -> Result<()> {
        let (id, version, is_deleted) = (game.id.clone(), game.version, game.deleted);
        self.memory.put(game.read(OWNER)?, is_deleted);
        self.versions().insert(id, version);
        Ok(())
    }

    /// A game as it is to be stored, one version after the last.
    fn next_version(&self, record: &Record) -> StoredGame {
        let version = self.versions().get(&record.id).map_or(1, |version| version + 1);
        StoredGame::new(record, version, Instant::now())
    }

    async fn save_change(&self, change: Change) -> Result<()> {
        let text = to_json(&change)?;
        let (_, receiver) = host::ask(|number| host::save(number, &text));
        match from_json(&host::wait(receiver).await?)? {
            Saved::Done => self.load_change(change),
            Saved::Conflict(newer) => {
                self.load_game(*newer)?;
                Err(Error::illegal("the game was changed in another window, and is shown as it stands there"))
            }
        }
    }
}

impl Store for BrowserStore {
    fn insert(&self, records: Vec<Record>, _members: Vec<String>) -> Pending<'_, ()> {
        let games = records.iter().map(|record| self.next_version(record)).collect();
        Box::pin(self.save_change(Change::Games(games)))
    }

    fn insert_rematch<'a>(&'a self, record: Record, _before: &'a str, visitor: &'a str) -> Pending<'a, ()> {
        self.insert(vec![record], vec![visitor.to_owned()])
    }

    fn save(&self, record: Record, _from_ply: usize) -> Pending<'_, ()> {
        Box::pin(self.save_change(Change::Games(vec![self.next_version(&record)])))
    }

    fn load<'a>(&'a self, id: &'a str) -> Pending<'a, Record> {
        self.memory.load(id)
    }

    fn join<'a>(&'a self, game: &'a str, visitor: &'a str, access: Access) -> Pending<'a, ()> {
        self.memory.join(game, visitor, access)
    }

    fn access<'a>(&'a self, game: &'a str, visitor: &'a str) -> Pending<'a, Access> {
        self.memory.access(game, visitor)
    }

    fn find_link<'a>(&'a self, token: &'a str) -> Pending<'a, (String, LinkKind)> {
        self.memory.find_link(token)
    }

    fn link_token(&self, kind: LinkKind, game: &str) -> String {
        self.memory.link_token(kind, game)
    }

    fn set_left<'a>(&'a self, game: &'a str, visitor: &'a str, has_left: bool) -> Pending<'a, ()> {
        self.memory.set_left(game, visitor, has_left)
    }

    fn set_deleted<'a>(&'a self, id: &'a str, is_deleted: bool) -> Pending<'a, ()> {
        Box::pin(async move {
            let record = self.memory.find(id).ok_or_else(Error::no_game)?;
            let mut game = self.next_version(&record);
            game.deleted = is_deleted;
            self.save_change(Change::Games(vec![game])).await
        })
    }

    fn list<'a>(&'a self, visitor: &'a str, is_owner: bool, filter: GameFilter) -> Pending<'a, Listing> {
        self.memory.list(visitor, is_owner, filter)
    }

    fn list_ids<'a>(
        &'a self,
        visitor: &'a str,
        is_owner: bool,
        filter: GameFilter,
    ) -> Pending<'a, Vec<String>> {
        self.memory.list_ids(visitor, is_owner, filter)
    }

    fn summary<'a>(&'a self, id: &'a str, visitor: &'a str, is_owner: bool) -> Pending<'a, GameSummary> {
        self.memory.summary(id, visitor, is_owner)
    }

    fn save_review(&self, review: GameReview) -> Pending<'_, ()> {
        Box::pin(self.save_change(Change::Review(Box::new(StoredReview::new(&review)))))
    }

    fn load_review<'a>(&'a self, game: &'a str) -> Pending<'a, Option<GameReview>> {
        self.memory.load_review(game)
    }

    fn reviewed_games<'a>(
        &'a self,
        visitor: &'a str,
        is_owner: bool,
        limit: usize,
    ) -> Pending<'a, Vec<String>> {
        self.memory.reviewed_games(visitor, is_owner, limit)
    }

    fn set_solved<'a>(&'a self, _visitor: &'a str, game: &'a str, ply: usize) -> Pending<'a, ()> {
        Box::pin(self.save_change(Change::Solved(game.to_owned(), ply)))
    }

    fn solved<'a>(&'a self, visitor: &'a str) -> Pending<'a, HashSet<(String, usize)>> {
        self.memory.solved(visitor)
    }
}
