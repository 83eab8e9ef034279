//! Output files of long commands: checked before the work, replaced as a whole after it.

use anyhow::{Context, Result};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The path of a file with an ending added to its name.
pub(crate) fn with_ending(path: &Path, ending: &str) -> Result<PathBuf> {
    let mut name = path.file_name().with_context(|| format!("{} is no file", path.display()))?.to_owned();
    name.push(ending);
    Ok(path.with_file_name(name))
}

/// Fails if the file could not be written in the end, so that the work is not done in vain.
pub(crate) fn check(path: &Path) -> Result<()> {
    let part = with_ending(path, ".part")?;
    File::create(&part)
        .and_then(|_| fs::remove_file(&part))
        .with_context(|| format!("cannot write {}", part.display()))
}

/// Replaces the contents of a file, or leaves it as it was.
pub(crate) fn replace(path: &Path, contents: &[u8]) -> Result<()> {
    journal::replace(path, contents).with_context(|| format!("cannot write {}", path.display()))
}
