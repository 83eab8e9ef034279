//! The engine: a position and limits go in, events come out. It never prints.
//!
//! [`Engine`] is what callers use. Behind it, `pool` keeps the searching threads, `search` is what each
//! of them does, `transposition` what they share, `time` decides when to end.

#![deny(unsafe_code)]

pub mod bench;
mod control;
mod draw_policy;
mod engine;
mod evaluation;
mod event;
pub mod handicap;
mod history;
pub mod level;
mod limits;
mod mating;
pub mod options;
mod own_book;
mod picker;
mod pool;
mod sampler;
mod score;
mod search;
mod settings;
mod stop;
mod task;
mod time;
mod transposition;
pub mod wdl;

pub use book::BookMove;
pub use draw_policy::DrawPolicy;
pub use engine::Engine;
pub use evaluation::EvaluationKind;
pub use event::{Bound, Event, Line, Outcome, SearchError, Sink, Usage};
pub use level::Level;
pub use limits::{Clock, Limits};
pub use options::OptionError;
pub use pool::STACK_SIZE;
pub use sampler::PositionSampler;
pub use score::Score;
pub use search::params::{TUNABLES, Tunable};
pub use search::steps;
pub use settings::Settings;
pub use stop::{OnStop, StopToken};
pub use task::Driver;

/// The longest line a search looks at.
pub const MAX_PLY: usize = 246;
