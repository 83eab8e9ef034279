//! Games in memory, of one owner: what a browser shows of its own store, or all there is where it has none.

use crate::error::{Code, Error, Result};
use crate::game_review::GameReview;
use crate::openings;
use crate::record::{GameKind, Player, Record, Sides};
use crate::store::{
    Access, GameFilter, GameSummary, LinkKind, Listing, MAX_PAGE, PAGE, Pending, Store, VisitorResult,
    read_cursor,
};
use chess::{Color, GameResult};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A store in memory. All visitors are one owner.
#[derive(Default)]
pub struct MemoryStore(Mutex<Contents>);

#[derive(Default)]
struct Contents {
    games: BTreeMap<String, Record>,
    deleted: BTreeSet<String>,
    reviews: BTreeMap<String, GameReview>,
    solved: HashSet<(String, usize)>,
}

impl Contents {
    fn game(&self, id: &str) -> Result<&Record> {
        self.games.get(id).filter(|_| !self.deleted.contains(id)).ok_or_else(Error::no_game)
    }

    fn is_reviewed(&self, record: &Record) -> bool {
        self.reviews.get(&record.id).is_some_and(|review| review.moves.len() == record.game.ply())
    }

    fn summary(&self, record: &Record, visitor: &str, is_owner: bool) -> GameSummary {
        GameSummary {
            id: record.id.clone(),
            kind: record.kind,
            variant: record.game.variant(),
            created: record.created,
            updated: record.updated,
            names: record.players.each_ref().map(Player::name),
            sides: record.seats_of(visitor, is_owner),
            plies: record.game.ply(),
            result: record.result(),
            outcome: record.game.outcome(),
            opening: openings::name(&record.game)
                .map(|opening| (opening.eco.to_owned(), opening.name.to_owned())),
            fen: record.game.position().to_fen(),
            is_reviewed: self.is_reviewed(record),
        }
    }

    /// The games that fit, those changed last first.
    fn fitting(&self, visitor: &str, is_owner: bool, filter: &GameFilter) -> Vec<GameSummary> {
        let kept = self.games.values().filter(|record| !self.deleted.contains(&record.id));
        let mut games: Vec<GameSummary> = kept
            .map(|record| self.summary(record, visitor, is_owner))
            .filter(|summary| fits(summary, filter))
            .collect();
        games.sort_by(|a, b| (b.updated, &b.id).cmp(&(a.updated, &a.id)));
        games
    }
}

fn fits(game: &GameSummary, filter: &GameFilter) -> bool {
    let is_finished = game.outcome.is_some() || game.kind == GameKind::Imported;
    let side = match game.sides {
        Some(Sides::One(color)) if game.kind == GameKind::Engine => Some(color),
        _ => None,
    };
    let winner = game.outcome.and_then(|outcome| outcome.winner);
    let has_result = |result: VisitorResult| match result {
        VisitorResult::Won => side.is_some() && winner == side,
        VisitorResult::Lost => winner.is_some() && winner == side.map(|color: Color| !color),
        VisitorResult::Drawn => game.result == GameResult::Draw,
    };
    let contains = |text: &str| {
        let text = text.trim().to_lowercase();
        let opening = game.opening.iter().flat_map(|(eco, name)| [eco, name]);
        game.names.iter().chain(opening).any(|words| words.to_lowercase().contains(&text))
    };
    filter.is_finished.is_none_or(|wanted| wanted == is_finished)
        && filter.kind.is_none_or(|kind| kind == game.kind)
        && filter.result.is_none_or(has_result)
        && filter.text.as_deref().is_none_or(contains)
}

impl MemoryStore {
    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a game over that is kept elsewhere.
    pub fn put(&self, record: Record, is_deleted: bool) {
        let mut contents = self.contents();
        if is_deleted {
            contents.deleted.insert(record.id.clone());
        } else {
            contents.deleted.remove(&record.id);
        }
        contents.games.insert(record.id.clone(), record);
    }

    /// Takes a review over that is kept elsewhere.
    pub fn put_review(&self, review: GameReview) {
        self.contents().reviews.insert(review.game.clone(), review);
    }

    /// Takes a solved exercise over that is kept elsewhere.
    pub fn put_solved(&self, game: &str, ply: usize) {
        self.contents().solved.insert((game.to_owned(), ply));
    }

    /// A game, even if it was deleted.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<Record> {
        self.contents().games.get(id).cloned()
    }
}

/// An answer that is there already.
fn ready<'a, T: Send + 'a>(answer: Result<T>) -> Pending<'a, T> {
    Box::pin(std::future::ready(answer))
}

impl Store for MemoryStore {
    fn insert(&self, records: Vec<Record>, _members: Vec<String>) -> Pending<'_, ()> {
        for record in records {
            self.put(record, false);
        }
        ready(Ok(()))
    }

    fn insert_rematch<'a>(&'a self, record: Record, _before: &'a str, visitor: &'a str) -> Pending<'a, ()> {
        self.insert(vec![record], vec![visitor.to_owned()])
    }

    fn save(&self, record: Record, _from_ply: usize) -> Pending<'_, ()> {
        self.put(record, false);
        ready(Ok(()))
    }

    fn load<'a>(&'a self, id: &'a str) -> Pending<'a, Record> {
        let contents = self.contents();
        ready(contents.game(id).map(|record| {
            let mut record = record.clone();
            record.reviewed = contents.is_reviewed(&record);
            record
        }))
    }

    fn join<'a>(&'a self, _game: &'a str, _visitor: &'a str, _access: Access) -> Pending<'a, ()> {
        ready(Ok(()))
    }

    fn access<'a>(&'a self, _game: &'a str, _visitor: &'a str) -> Pending<'a, Access> {
        ready(Ok(Access::Play))
    }

    fn find_link<'a>(&'a self, _token: &'a str) -> Pending<'a, (String, LinkKind)> {
        ready(Err(Error::new(Code::NotFound, "links lead to games on a server")))
    }

    fn link_token(&self, _kind: LinkKind, _game: &str) -> String {
        String::new()
    }

    fn set_left<'a>(&'a self, _game: &'a str, _visitor: &'a str, _has_left: bool) -> Pending<'a, ()> {
        ready(Err(Error::no_game()))
    }

    fn set_deleted<'a>(&'a self, id: &'a str, is_deleted: bool) -> Pending<'a, ()> {
        let mut contents = self.contents();
        let changes = contents.games.contains_key(id) && contents.deleted.contains(id) != is_deleted;
        if changes && is_deleted {
            contents.deleted.insert(id.to_owned());
        } else if changes {
            contents.deleted.remove(id);
        }
        ready(if changes { Ok(()) } else { Err(Error::no_game()) })
    }

    fn list<'a>(&'a self, visitor: &'a str, is_owner: bool, filter: GameFilter) -> Pending<'a, Listing> {
        let mut games = self.contents().fitting(visitor, is_owner, &filter);
        let total = games.len();
        if let Some(before) = &filter.before {
            let cursor = match read_cursor(before) {
                Ok(cursor) => cursor,
                Err(error) => return ready(Err(error)),
            };
            games.retain(|game| (game.updated, &game.id) < (cursor.0, &cursor.1));
        }
        let limit = filter.limit.unwrap_or(PAGE).clamp(1, MAX_PAGE);
        let has_more = games.len() > limit;
        games.truncate(limit);
        let next = games.last().filter(|_| has_more).map(|last| format!("{}-{}", last.updated, last.id));
        ready(Ok(Listing { games, next, total }))
    }

    fn list_ids<'a>(
        &'a self,
        visitor: &'a str,
        is_owner: bool,
        filter: GameFilter,
    ) -> Pending<'a, Vec<String>> {
        let games = self.contents().fitting(visitor, is_owner, &filter);
        ready(Ok(games.into_iter().map(|game| game.id).collect()))
    }

    fn summary<'a>(&'a self, id: &'a str, visitor: &'a str, is_owner: bool) -> Pending<'a, GameSummary> {
        let contents = self.contents();
        ready(contents.game(id).map(|record| contents.summary(record, visitor, is_owner)))
    }

    fn save_review(&self, review: GameReview) -> Pending<'_, ()> {
        self.put_review(review);
        ready(Ok(()))
    }

    fn load_review<'a>(&'a self, game: &'a str) -> Pending<'a, Option<GameReview>> {
        ready(Ok(self.contents().reviews.get(game).cloned()))
    }

    fn reviewed_games<'a>(
        &'a self,
        visitor: &'a str,
        is_owner: bool,
        limit: usize,
    ) -> Pending<'a, Vec<String>> {
        let contents = self.contents();
        let games = contents.fitting(visitor, is_owner, &GameFilter::default());
        let reviewed = games.into_iter().filter(|game| contents.reviews.contains_key(&game.id));
        ready(Ok(reviewed.map(|game| game.id).take(limit).collect()))
    }

    fn set_solved<'a>(&'a self, _visitor: &'a str, game: &'a str, ply: usize) -> Pending<'a, ()> {
        self.put_solved(game, ply);
        ready(Ok(()))
    }

    fn solved<'a>(&'a self, _visitor: &'a str) -> Pending<'a, HashSet<(String, usize)>> {
        ready(Ok(self.contents().solved.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{NewGame, Seat, new_record};
    use chess::Game;
    use engine::Level;

    fn game(number: i64, level: bool) -> Record {
        let you = || Seat::You(Some("Judit".to_owned()));
        let seats = [you(), if level { Seat::Level(Level::of_number(3)) } else { you() }];
        let request = NewGame { seats, game: Game::new(), clock: None, human_pace: false, seed: None };
        let mut record = new_record("visitor", request).expect("a game");
        record.updated = number;
        record
    }

    async fn list(store: &MemoryStore, filter: GameFilter) -> Listing {
        store.list("visitor", true, filter).await.expect("a list")
    }

    #[tokio::test]
    async fn pages_follow_each_other() {
        let store = MemoryStore::default();
        let games = (0..5).map(|number| game(number, number % 2 == 0)).collect();
        store.insert(games, Vec::new()).await.expect("kept");
        let first = list(&store, GameFilter { limit: Some(3), ..GameFilter::default() }).await;
        assert_eq!((first.games.len(), first.total, first.games[0].updated), (3, 5, 4));
        let rest = list(&store, GameFilter { before: first.next, ..GameFilter::default() }).await;
        assert_eq!((rest.games.len(), rest.next), (2, None));
        let against = GameFilter { kind: Some(GameKind::Engine), ..GameFilter::default() };
        assert_eq!(list(&store, against).await.total, 3);
    }

    #[tokio::test]
    async fn results_are_those_of_the_person() {
        let store = MemoryStore::default();
        let mut lost = game(1, true);
        lost.game.resign(Color::White).expect("in play");
        store.insert(vec![lost, game(2, true)], Vec::new()).await.expect("kept");
        let total = async |result| {
            list(&store, GameFilter { result: Some(result), ..GameFilter::default() }).await.total
        };
        assert_eq!(total(VisitorResult::Lost).await, 1);
        assert_eq!(total(VisitorResult::Won).await, 0);
        let text = GameFilter { text: Some("JUDIT".to_owned()), ..GameFilter::default() };
        assert_eq!(list(&store, text).await.total, 2);
    }

    #[tokio::test]
    async fn a_deletion_can_be_taken_back_once() {
        let (store, record) = (MemoryStore::default(), game(1, true));
        store.insert(vec![record.clone()], Vec::new()).await.expect("kept");
        store.set_deleted(&record.id, true).await.expect("deleted");
        assert_eq!(store.load(&record.id).await.map(|_| ()), Err(Error::no_game()));
        store.set_deleted(&record.id, false).await.expect("restored");
        assert!(store.set_deleted(&record.id, false).await.is_err());
        assert!(store.load(&record.id).await.is_ok());
    }
}
