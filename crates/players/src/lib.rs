//! Whatever can play a side of a game.
//!
//! A [`Player`] is asked for a move in each [`Turn`]. A [`PlayerSpec`] says in one line which player is meant: Gardez
//! in this process, a UCI or XBoard engine in another one, a classic, or one of the simplest movers. [`Limit`] and
//! [`Clock`] say what a player may use, and the [`Adjudicator`] ends games whose result is clear. Matches between
//! players, with openings and statistics, are in the crate `arena`.
//!
//! A game between two players:
//!
//! ```
//! use chess::Game;
//! use engine::StopToken;
//! use players::{Decision, Limit, PlayerSpec, Turn};
//! use std::time::Duration;
//!
//! let patience = Duration::from_secs(10);
//! let start = |text: &str| {
//!     let spec: PlayerSpec = text.parse().expect("a player");
//!     spec.start(patience, StopToken::new()).map_err(|(failure, _)| failure)
//! };
//! let mut game = Game::new();
//! let mut players = [start("gardez:Hash=1")?, start("greedy:seed=1")?];
//! for player in &mut players {
//!     player.new_game(game.variant())?;
//! }
//! let limit = Limit { nodes: Some(200), ..Limit::default() };
//! while game.outcome().is_none() && game.ply() < 40 {
//!     let player = &mut players[game.position().turn().index()];
//!     match player.choose(&Turn { game: &game, limit, clocks: [None; 2], patience })?.decision {
//!         Decision::Move(mv) => game.play(mv).expect("players only give legal moves"),
//!         Decision::Resign => game.resign(game.position().turn()).map(drop).expect("a game in progress"),
//!     };
//! }
//! assert!(game.ply() > 4);
//! # Ok::<(), players::Failure>(())
//! ```

#![forbid(unsafe_code)]

mod adjudication;
mod against_people;
mod child;
mod classic;
mod clock;
mod inprocess;
mod limits;
mod mover;
mod player;
mod spec;
mod uci;
mod xboard;

pub use adjudication::{AdjudicationRules, Adjudicator, DrawRule, ResignRule};
pub use against_people::{DEFAULT_OPPONENT, set_against_people};
pub use child::Program;
pub use classic::{ClassicPlayer, read_books, time_for_classic};
pub use clock::{Clock, ClockFace, FREE_PLIES, FlagFallen};
pub use inprocess::{InProcessPlayer, thought_of};
pub use limits::{ClockError, Limit, LimitError, TimeControl};
pub use mover::{Mover, MoverStyle};
pub use player::{Answer, Decision, Failure, Player, Thought, Turn};
pub use spec::{PlayerKind, PlayerSpec, SpecError};
pub use uci::UciPlayer;
pub use xboard::XboardPlayer;
