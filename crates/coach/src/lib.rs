//! The coach: why a move is good or bad, in words that are true.
//!
//! [`facts`] about positions lead to [`motif`]s in lines of play, these to [`Claim`]s, and claims to sentences
//! ([`Catalogue`]). Nothing is said that rules or search did not verify: the search decides what is true, the rules
//! say why.

#![forbid(unsafe_code)]

pub mod claim;
mod coach;
pub mod endings;
pub mod exchange;
pub mod explain;
pub mod facts;
pub mod hint;
mod json;
pub mod judge;
mod lasting;
pub mod lesson;
pub mod line;
pub mod motif;
pub mod notation;
mod reason;
pub mod structure;
pub mod themes;
pub mod theory;
mod words;

pub use claim::{Claim, Fact, Occasion};
pub use coach::{Coach, Comparison, completed_lines};
pub use explain::{ErrorKind, MoveExplanation, MoveQuestion};
pub use line::{Line, Step};
pub use motif::{Finding, Motif};
pub use reason::Look;
pub use words::Catalogue;
