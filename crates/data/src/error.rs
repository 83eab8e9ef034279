//! What can be wrong with a file of games.

use crate::origin::{Origin, VERSION};
use crate::record::RecordError;
use std::io;

/// What is wrong with a file of games.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum FileError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is no file of Gardez games")]
    NotGames,
    #[error("its format has version {0}, and this program knows versions up to {VERSION}")]
    Version(u32),
    #[error("its format has version {0}: it can be read, but no games can be added to it")]
    OldVersion(u32),
    #[error("its header is damaged")]
    Header,
    #[error("it was made with other settings ({found}), not with those asked for ({wanted})")]
    OtherOrigin { found: Origin, wanted: Origin },
    #[error("another program is writing to it")]
    Locked,
    #[error("it is damaged at byte {offset}: {length} bytes cannot be read")]
    Damaged { offset: u64, length: u64 },
    #[error("it is damaged at byte {offset}: game {game} makes no sense: {source}")]
    Record { game: u64, offset: u64, source: RecordError },
    #[error("a game of {0} bytes is too long")]
    TooLong(usize),
}
