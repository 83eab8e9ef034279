//! Chess in the terminal.
//!
//! A [`Table`] is the game itself: players, clocks, draw offers, advice, saving. It knows nothing of screens: it
//! takes [orders](command::Order) and reports of players at work, and gives [events](table::Event). `lines` and
//! `screen` are two views of it, one that reads and prints lines, one that draws a full-screen board.

#![forbid(unsafe_code)]

mod adviser;
mod board;
pub mod command;
mod demo;
mod lines;
mod record;
mod screen;
mod seat;
mod setting;
mod store;
mod table;
mod words;
mod worker;

pub use board::Look;
pub use command::parse_clock;
pub use lines::{LineMode, Speech};
pub use screen::Screen;
pub use seat::{Seat, SeatError};
pub use setting::{Session, Setting, Start, random};
pub use store::{Slot, Store, StoreError, default_directory};
pub use table::{Event, Table};
