//! Finding tables in directories.

use crate::files::ResidentFiles;
use shakmaty::Chess;
use shakmaty_syzygy::Tablebase;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Memory for tables.
const RESIDENT_BYTES: u64 = 64 << 20;

/// A remark about the search for tables.
#[derive(Debug)]
pub enum OpenNote {
    /// What there is now.
    Found {
        /// Tables of results.
        wdl: usize,
        /// Tables of distances.
        dtz: usize,
        /// The most men that any of them has.
        men: usize,
    },
    /// A directory that cannot be listed.
    Directory {
        /// Its path.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// A file that has the name of a table but is none.
    File {
        /// Its path.
        path: PathBuf,
        /// What is wrong with it.
        error: io::Error,
    },
}

impl OpenNote {
    /// Whether something is wrong.
    #[must_use]
    pub const fn is_problem(&self) -> bool {
        match self {
            Self::Found { wdl, .. } => *wdl == 0,
            Self::Directory { .. } | Self::File { .. } => true,
        }
    }
}

impl fmt::Display for OpenNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Found { wdl: 0, dtz: 0, .. } => f.write_str("no Syzygy tables found"),
            Self::Found { wdl, dtz, men } => {
                write!(f, "found {wdl} WDL and {dtz} DTZ Syzygy tables, up to {men} men")
            }
            Self::Directory { path, error } => {
                write!(f, "cannot list the Syzygy directory {}: {error}", path.display())
            }
            Self::File { path, error } => {
                write!(f, "cannot use the Syzygy table {}: {error}", path.display())
            }
        }
    }
}

/// The tables of all directories of a list, and remarks about them.
pub(crate) fn open(path_list: &str) -> (Tablebase<Chess>, Vec<OpenNote>) {
    let mut tables = Tablebase::with_filesystem(Arc::new(ResidentFiles::with_budget(RESIDENT_BYTES)));
    let mut notes = Vec::new();
    let directories: Vec<_> =
        std::env::split_paths(path_list).filter(|path| !path.as_os_str().is_empty()).collect();
    let mut names = HashSet::new();
    for directory in &directories {
        add_directory(&mut tables, directory, &mut names, &mut notes);
    }
    if !directories.is_empty() {
        let count = |extension| names.iter().filter(|name| has_extension(name, extension)).count();
        let (wdl, dtz) = (count("rtbw"), count("rtbz"));
        notes.push(OpenNote::Found { wdl, dtz, men: tables.max_pieces() });
    }
    (tables, notes)
}

fn add_directory(
    tables: &mut Tablebase<Chess>,
    directory: &Path,
    names: &mut HashSet<PathBuf>,
    notes: &mut Vec<OpenNote>,
) {
    let entries = std::fs::read_dir(directory).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            notes.push(OpenNote::Directory { path: directory.to_owned(), error });
            return;
        }
    };
    for path in entries.into_iter().map(|entry| entry.path()) {
        if !has_extension(&path, "rtbw") && !has_extension(&path, "rtbz") {
            continue;
        }
        match tables.add_file(&path) {
            Ok(()) => {
                names.extend(path.file_name().map(PathBuf::from));
            }
            Err(error) => notes.push(OpenNote::File { path, error }),
        }
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension() == Some(OsStr::new(extension))
}
