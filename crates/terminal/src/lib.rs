//! Chess in the terminal.
//!
//! A [`LocalGame`] is the game itself: players, clocks, draw offers, analysis, saving. It knows nothing of screens: it
//! takes [commands](command::GameCommand) and reports of players at work, and gives [events](local_game::Event). `lines` and
//! `screen` are two views of it, one that reads and prints lines, one that draws a full-screen board.

#![forbid(unsafe_code)]

mod analyst;
mod board;
pub mod command;
mod demo;
mod game_setup;
mod lines;
mod local_game;
mod network;
mod participant;
mod player_thread;
mod record;
mod screen;
mod store;
mod words;

pub use board::{Look, board_text};
pub use command::parse_clock;
pub use game_setup::{GameSetup, Session, StartPosition, random};
pub use lines::{LineMode, Speech};
pub use local_game::{Event, LocalGame};
pub use network::{Invitation, NetworkError, NetworkGame, Server};
pub use participant::{Participant, ParticipantError};
pub use screen::{Leave, Screen};
pub use store::{Slot, Store, StoreError, default_directory};
