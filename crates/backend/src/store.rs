//! Where games and reviews are kept, as the backend sees it. The server has a database, the browser its own.

use crate::error::{Error, Result};
use crate::game_review::GameReview;
use crate::record::{GameKind, Record, Sides};
use chess::{GameResult, Outcome, Variant};
use std::collections::HashSet;
use std::pin::Pin;

/// Games on a page of the list.
pub const PAGE: usize = 50;
/// The most games on a page.
pub const MAX_PAGE: usize = 200;

/// An answer that is yet to come. Dropping it does not undo what was asked for.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// Games, reviews and what visitors have solved.
pub trait Store: Send + Sync {
    /// Writes new games, which belong to these visitors.
    fn insert(&self, records: Vec<Record>, members: Vec<String>) -> Pending<'_, ()>;

    /// Writes the game that follows another: it belongs to the same visitors, and to the one who wanted it.
    fn insert_rematch<'a>(&'a self, record: Record, before: &'a str, visitor: &'a str) -> Pending<'a, ()>;

    /// Writes what has changed in a game, and its moves from a ply on.
    fn save(&self, record: Record, from_ply: usize) -> Pending<'_, ()>;

    /// A game, unless it has been deleted.
    fn load<'a>(&'a self, id: &'a str) -> Pending<'a, Record>;

    /// Lets a visitor into a game.
    fn join<'a>(&'a self, game: &'a str, visitor: &'a str, access: Access) -> Pending<'a, ()>;

    /// What a visitor may do with a game.
    fn access<'a>(&'a self, game: &'a str, visitor: &'a str) -> Pending<'a, Access>;

    /// The game that the secret of a link is for, and what it lets its owner do.
    fn find_link<'a>(&'a self, token: &'a str) -> Pending<'a, (String, LinkKind)>;

    /// The secret of a link.
    fn link_token(&self, kind: LinkKind, game: &str) -> String;

    /// Puts a game out of the sight of a guest, or takes that back.
    fn set_left<'a>(&'a self, game: &'a str, visitor: &'a str, has_left: bool) -> Pending<'a, ()>;

    /// Deletes a game, or takes the deletion back.
    fn set_deleted<'a>(&'a self, id: &'a str, is_deleted: bool) -> Pending<'a, ()>;

    /// A page of the games of a visitor; for an owner, of all games.
    fn list<'a>(&'a self, visitor: &'a str, is_owner: bool, filter: GameFilter) -> Pending<'a, Listing>;

    /// The identifiers of all games that fit, for export.
    fn list_ids<'a>(
        &'a self,
        visitor: &'a str,
        is_owner: bool,
        filter: GameFilter,
    ) -> Pending<'a, Vec<String>>;

    /// The game as the list has it.
    fn summary<'a>(&'a self, id: &'a str, visitor: &'a str, is_owner: bool) -> Pending<'a, GameSummary>;

    /// Keeps the review of a game, in place of an older one.
    fn save_review(&self, review: GameReview) -> Pending<'_, ()>;

    /// The review of a game.
    fn load_review<'a>(&'a self, game: &'a str) -> Pending<'a, Option<GameReview>>;

    /// The games of a visitor that have reviews, newest first.
    fn reviewed_games<'a>(
        &'a self,
        visitor: &'a str,
        is_owner: bool,
        limit: usize,
    ) -> Pending<'a, Vec<String>>;

    /// Notes that a visitor has solved an exercise.
    fn set_solved<'a>(&'a self, visitor: &'a str, game: &'a str, ply: usize) -> Pending<'a, ()>;

    /// The exercises that a visitor has solved: games and plies.
    fn solved<'a>(&'a self, visitor: &'a str) -> Pending<'a, HashSet<(String, usize)>>;
}

/// What a visitor may do with a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Access {
    /// Nothing: they do not know of it.
    None,
    /// Look on.
    Watch,
    /// Play in a game of another.
    Guest,
    /// Play, delete.
    Play,
    /// Nothing more: as a guest they have put the game out of their sight.
    Left,
}

/// What a link is for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum LinkKind {
    /// The free seat of a game.
    Invite,
    /// Looking on.
    Watch,
}

/// Which games to list.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// Whether they are over.
    pub is_finished: Option<bool>,
    /// Who plays.
    pub kind: Option<GameKind>,
    /// How they ended for the visitor.
    pub result: Option<VisitorResult>,
    /// What names and openings contain.
    pub text: Option<String>,
    /// Where the page begins: `next` of the page before.
    pub before: Option<String>,
    /// How many of them.
    pub limit: Option<usize>,
}

/// How a game ended for a visitor.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum VisitorResult {
    /// A win.
    Won,
    /// A loss.
    Lost,
    /// A draw.
    Drawn,
}

/// What the list of games shows of one.
#[derive(Clone, Debug)]
pub struct GameSummary {
    /// Its identifier.
    pub id: String,
    /// Who plays.
    pub kind: GameKind,
    /// Which chess.
    pub variant: Variant,
    /// When it was created.
    pub created: i64,
    /// When it was changed last.
    pub updated: i64,
    /// Names of White and Black.
    pub names: [String; 2],
    /// Which sides the visitor plays.
    pub sides: Option<Sides>,
    /// How many moves were made.
    pub plies: usize,
    /// The result; that of the tags, if the game was imported.
    pub result: GameResult,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Code and name of the opening.
    pub opening: Option<(String, String)>,
    /// The position it stands at.
    pub fen: String,
    /// Whether there is a review.
    pub is_reviewed: bool,
}

/// A page of the list of games.
#[derive(Debug)]
pub struct Listing {
    /// The games.
    pub games: Vec<GameSummary>,
    /// Where the next page begins.
    pub next: Option<String>,
    /// How many there are on all pages.
    pub total: usize,
}

/// A place in the list: the time of the last change and the identifier of the game.
///
/// # Errors
/// When the text is not `next` of a page.
pub fn read_cursor(text: &str) -> Result<(i64, String)> {
    text.split_once('-')
        .and_then(|(time, id)| Some((time.parse().ok()?, id.to_owned())))
        .ok_or_else(|| Error::bad_request("before: take `next` of the page before"))
}
