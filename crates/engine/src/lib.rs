//! The engine: a position and limits go in, events come out. It never prints.

pub mod event;
mod facade;
pub mod limits;
pub mod options;
pub mod score;
pub mod wdl;

pub use event::{Bound, Event, Line, Outcome, Sink, Usage};
pub use facade::Engine;
pub use limits::{Clock, Limits};
pub use options::{OptionError, Options};
pub use score::{ReportedScore, Score};

/// The longest line a search looks at.
pub const MAX_PLY: usize = 246;
