//! The games of a player on disk: the unfinished one, and those that are over.
//!
//! Each running program holds a slot, `unfinished-N.pgn` with a lock next to it, so that two of them do not write
//! over each other's game. The system takes the lock off when a program ends, however it ends: what is then in
//! the slot is the game to be resumed. Games that are over, or given up for another, go to `games.pgn`.

use chess::pgn::{PgnGame, Reader};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A game could not be kept.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct StoreError {
    path: PathBuf,
    source: io::Error,
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError { path, source }
}

/// Which game a program wants to hold.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Slot {
    /// The unfinished game of last time, if there is one.
    Resume,
    /// A new one, leaving unfinished games alone.
    Fresh,
}

/// The games of a player on disk.
#[derive(Debug)]
pub struct Store {
    directory: PathBuf,
    unfinished: PathBuf,
    /// Held as long as the store lives.
    _lock: File,
}

/// The most games that can be unfinished.
const SLOTS: usize = 100;

impl Store {
    /// Opens a directory, made if it is not there, and takes a slot in it. Returns the unfinished game, if that
    /// is wanted and there is one.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn open(directory: &Path, wanted: Slot) -> Result<(Self, Option<PgnGame>), StoreError> {
        fs::create_dir_all(directory).map_err(failed(directory))?;
        let path = |slot: usize| directory.join(format!("unfinished-{slot}.pgn"));
        let age = |slot: &usize| fs::metadata(path(*slot)).and_then(|data| data.modified()).ok();
        let mut slots: Vec<usize> = (1..=SLOTS).collect();
        match wanted {
            // The game played last first; slots without one come after all others.
            Slot::Resume => slots.sort_by_key(|slot| std::cmp::Reverse(age(slot))),
            // One without a game; when there is none, the oldest game has waited long enough.
            Slot::Fresh => slots.sort_by_key(age),
        }
        for slot in slots {
            let lock_path = path(slot).with_extension("lock");
            let lock = OpenOptions::new().create(true).append(true).open(&lock_path);
            let lock = lock.map_err(failed(&lock_path))?;
            if lock.try_lock().is_err() {
                continue;
            }
            let store = Self { directory: directory.to_owned(), unfinished: path(slot), _lock: lock };
            let game = store.unfinished_game();
            if let (Some(old), Slot::Fresh) = (&game, wanted) {
                store.archive(old)?;
            }
            return Ok((store, game.filter(|_| wanted == Slot::Resume)));
        }
        let full = io::Error::other("too many games are being played there");
        Err(StoreError { path: directory.to_owned(), source: full })
    }

    fn unfinished_game(&self) -> Option<PgnGame> {
        let file = File::open(&self.unfinished).ok()?;
        Reader::new(file).next()?.ok()
    }

    /// Keeps the game in play. A crash at any moment leaves either this or what was kept before.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, game: &PgnGame) -> Result<(), StoreError> {
        write_whole(&self.unfinished, &game.to_string())
    }

    /// Puts a game to those that are done with, and frees the slot.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn archive(&self, game: &PgnGame) -> Result<(), StoreError> {
        append(&self.directory.join("games.pgn"), game)?;
        self.forget()
    }

    /// Frees the slot.
    ///
    /// # Errors
    /// When the file cannot be removed.
    pub fn forget(&self) -> Result<(), StoreError> {
        match fs::remove_file(&self.unfinished) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&self.unfinished)(error)),
            _ => Ok(()),
        }
    }
}

/// Adds a game at the end of a file, which is made if it is not there.
pub(crate) fn append(path: &Path, game: &PgnGame) -> Result<(), StoreError> {
    let write = || {
        if let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty()) {
            fs::create_dir_all(directory)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        let before = file.metadata()?.len();
        // In one piece, so that two programs do not mix their games; half a game is none.
        let written = file.write_all(game.to_string().as_bytes()).and_then(|()| file.sync_all());
        if written.is_err() {
            let _ = file.set_len(before);
        }
        written.and_then(|()| journal::sync_directory(path))
    };
    write().map_err(failed(path))
}

/// Replaces a file by another text at once.
fn write_whole(path: &Path, text: &str) -> Result<(), StoreError> {
    journal::replace(path, text.as_bytes()).map_err(failed(path))
}

/// Where the games of this user are kept: `gardez` in the data directory of the system, if there is a home.
#[must_use]
pub fn default_directory() -> Option<PathBuf> {
    let from = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let system = if cfg!(windows) { from("APPDATA") } else { None };
    let base =
        from("XDG_DATA_HOME").or(system).or_else(|| Some(std::env::home_dir()?.join(".local/share")))?;
    Some(base.join("gardez"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> PgnGame {
        Reader::new(text.as_bytes()).next().expect("a game").expect("without fault")
    }

    fn moves(game: Option<&PgnGame>) -> Option<usize> {
        game.map(|game| game.moves().count())
    }

    #[test]
    fn the_unfinished_game_is_found_again() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("deep/down");
        let (store, none) = Store::open(&path, Slot::Resume).expect("a store");
        assert_eq!(none, None);
        store.keep(&game("1. e4 *")).expect("kept");
        store.keep(&game("1. e4 e5 *")).expect("kept");

        let (other, none) = Store::open(&path, Slot::Resume).expect("a second store");
        assert_eq!(none, None, "the first game is being played");
        other.keep(&game("1. d4 d5 2. c4 *")).expect("kept");
        drop(store);
        let (fresh, none) = Store::open(&path, Slot::Fresh).expect("a third store");
        assert_eq!(none, None, "a fresh start leaves the others alone");
        drop(fresh);

        let (store, resumed) = Store::open(&path, Slot::Resume).expect("a store");
        assert_eq!(moves(resumed.as_ref()), Some(2));
        store.archive(&game("1. e4 e5 1-0")).expect("archived");
        drop((store, other));
        let (store, resumed) = Store::open(&path, Slot::Resume).expect("a store");
        assert_eq!(moves(resumed.as_ref()), Some(3), "the other one");
        store.archive(&game("1. d4 *")).expect("archived");
        let archive = fs::read_to_string(path.join("games.pgn")).expect("an archive");
        assert_eq!(Reader::new(archive.as_bytes()).filter_map(Result::ok).count(), 2);
    }

    #[test]
    fn the_oldest_game_gives_way_when_all_slots_are_taken() {
        let directory = tempfile::tempdir().expect("a directory");
        for slot in 1..=SLOTS {
            let text = format!("{{{slot}}} 1. e4 *");
            fs::write(directory.path().join(format!("unfinished-{slot}.pgn")), text).expect("written");
        }
        let (_store, none) = Store::open(directory.path(), Slot::Fresh).expect("a store");
        assert_eq!(none, None);
        let left = fs::read_dir(directory.path()).expect("a directory").filter_map(Result::ok);
        let left = left.filter(|file| file.file_name().to_string_lossy().starts_with("unfinished"));
        assert_eq!(
            left.filter(|file| file.path().extension().is_some_and(|end| end == "pgn")).count(),
            SLOTS - 1
        );
        assert!(directory.path().join("games.pgn").exists());
    }

    #[test]
    fn of_a_damaged_file_the_moves_are_kept_and_a_bad_place_is_named() {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join("unfinished-1.pgn"), "1. e4 Ke3 *").expect("written");
        let (_store, game) = Store::open(directory.path(), Slot::Resume).expect("a store");
        assert_eq!(game.map(|game| game.moves().count()), Some(1));
        let file = directory.path().join("file");
        fs::write(&file, "").expect("written");
        assert!(Store::open(&file, Slot::Resume).is_err_and(|error| error.to_string().contains("file")));
    }
}
