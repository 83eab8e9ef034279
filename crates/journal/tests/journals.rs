//! Interruptions at every place, other work, other processes.

#![forbid(unsafe_code)]

use journal::{Existing, Journal, JournalError, Output, Plan, Replacement, Snapshot, Start};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

struct Files {
    _directory: TempDir,
    outputs: [PathBuf; 2],
    state: PathBuf,
}

impl Files {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let path = |name: &str| directory.path().join(name);
        Self { outputs: [path("a"), path("b")], state: path("a.state"), _directory: directory }
    }

    fn open_as(&self, existing: Existing, nodes: u32) -> Result<(Journal, Start, Vec<u32>), JournalError> {
        let mut entries = Vec::new();
        let plan = Plan {
            outputs: &[
                Output { path: &self.outputs[0], beginning: "" },
                Output { path: &self.outputs[1], beginning: "<html>\n" },
            ],
            state: &self.state,
            work: &[("nodes", nodes.to_string()), ("input", "games.pgn".to_owned())],
            existing,
        };
        let (journal, start) = Journal::open(&plan, |entry| entries.push(entry))?;
        Ok((journal, start, entries))
    }

    fn resume(&self) -> (Journal, Start, Vec<u32>) {
        self.open_as(Existing::Resume, 100).expect("files that can be written")
    }

    fn texts(&self) -> [String; 2] {
        self.outputs.each_ref().map(|path| fs::read_to_string(path).expect("a text"))
    }

    /// Writes entries up to this number.
    fn write(&self, last: u32) {
        let (mut journal, _, entries) = self.resume();
        for number in entries.last().map_or(1, |last| last + 1)..=last {
            journal
                .append(&[&format!("game {number}\n"), &format!("<p>{number}\n")], &number)
                .expect("written");
        }
    }
}

fn whole() -> [String; 2] {
    let files = Files::new();
    files.write(5);
    files.texts()
}

#[test]
fn what_is_there_is_resumed() {
    let files = Files::new();
    files.write(2);
    files.write(5);
    assert_eq!(files.texts(), whole());
    let (journal, start, entries) = files.resume();
    assert_eq!((start, entries), (Start::Resumed { entries: 5, lost: 0 }, vec![1, 2, 3, 4, 5]));
    journal.finish(&["", "</html>\n"]).expect("written");
    assert!(!files.state.exists());
    assert_eq!(files.texts()[1], format!("{}</html>\n", whole()[1]));
}

/// Whatever an interruption leaves of the files, they come out whole.
#[test]
fn files_cut_anywhere_come_out_whole() {
    let whole = whole();
    let files = Files::new();
    files.write(4);
    let paths = [&files.outputs[0], &files.outputs[1], &files.state];
    let kept = paths.map(|path| fs::read(path).expect("a file"));
    for cut in 0..paths.len() {
        for length in 0..kept[cut].len() {
            for (path, bytes) in paths.iter().zip(&kept) {
                fs::write(path, bytes).expect("a file");
            }
            fs::write(paths[cut], &kept[cut][..length]).expect("a file");
            files.write(5);
            assert_eq!(files.texts(), whole, "{} cut at {length}", paths[cut].display());
        }
    }
}

/// Where a file had grown before the power failed, there may be zeros instead of what was written.
#[test]
fn zeros_in_the_state_are_cut_off() {
    let whole = whole();
    let files = Files::new();
    files.write(4);
    let state = fs::read(&files.state).expect("a file");
    let first = state.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
    for from in first..state.len() {
        for to in [from + 1, state.len() - 1, state.len()] {
            let mut torn = state.clone();
            torn.get_mut(from..to).unwrap_or_default().fill(0);
            fs::write(&files.state, torn).expect("a file");
            files.write(5);
            assert_eq!(files.texts(), whole, "zeros from {from} to {to}");
        }
    }
}

#[test]
fn lost_entries_are_counted() {
    let files = Files::new();
    files.write(5);
    fs::write(&files.outputs[0], "game 1\ngame 2\ngame").expect("a file");
    let (_, start, entries) = files.resume();
    assert_eq!((start, entries), (Start::Resumed { entries: 2, lost: 3 }, vec![1, 2]));
    assert_eq!(files.texts(), ["game 1\ngame 2\n".to_owned(), "<html>\n<p>1\n<p>2\n".to_owned()]);
}

#[test]
fn two_at_once_are_refused() {
    let files = Files::new();
    let first = files.resume();
    for existing in [Existing::Resume, Existing::Overwrite] {
        let refused = files.open_as(existing, 100).map(|_| ());
        assert!(matches!(&refused, Err(JournalError::InUse(path)) if *path == files.state), "{refused:?}");
    }
    drop(first);
    files.resume();
}

fn message_of(files: &Files, existing: Existing, nodes: u32) -> String {
    files.open_as(existing, nodes).map(|_| ()).expect_err("refused").to_string()
}

#[test]
fn other_work_is_named() {
    let files = Files::new();
    files.write(1);
    let message = message_of(&files, Existing::Resume, 200);
    assert!(message.contains("belongs to other work: nodes was 100 and is now 200; repeat"), "{message}");
    let (_, start, _) = files.open_as(Existing::Overwrite, 200).expect("overwritten");
    assert_eq!(start, Start::New);
}

#[test]
fn files_that_exist_are_left_alone() {
    let files = Files::new();
    fs::write(&files.outputs[0], "precious").expect("a file");
    for existing in [Existing::Refuse, Existing::Resume] {
        let message = message_of(&files, existing, 100);
        assert!(message.ends_with("exists already; --overwrite starts again"), "{message}");
    }
    assert_eq!(fs::read_to_string(&files.outputs[0]).expect("a text"), "precious");
    assert!(!files.state.exists());

    let files = Files::new();
    files.write(1);
    let message = message_of(&files, Existing::Refuse, 100);
    assert!(message.ends_with("--resume continues it, --overwrite starts again"), "{message}");

    fs::remove_file(&files.outputs[0]).expect("removed");
    let message = message_of(&files, Existing::Resume, 100);
    assert!(message.contains("is missing, but"), "{message}");
    assert!(!files.outputs[0].exists());
}

#[test]
fn damage_is_placed() {
    let files = Files::new();
    files.write(3);
    let state = fs::read_to_string(&files.state).expect("a text");
    fs::write(&files.state, state.replacen("\"entry\":2", "\"entry\":x", 1)).expect("a file");
    assert!(message_of(&files, Existing::Resume, 100).starts_with("line 3 of "));
    fs::write(&files.state, "{\"plan\":\"a match of an earlier version\"}\n").expect("a file");
    assert!(message_of(&files, Existing::Resume, 100).starts_with("line 1 of "));
}

#[test]
fn snapshots_are_locked_and_replaced() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("course.json");
    let in_use = |path: &Path| matches!(Snapshot::open(path), Err(JournalError::InUse(_)));
    let (mut snapshot, contents) = Snapshot::open(&path).expect("a file");
    assert_eq!(contents, b"");
    assert!(in_use(&path));
    for contents in ["first", "second"] {
        snapshot.replace(contents.as_bytes()).expect("written");
        assert!(in_use(&path), "the new file is locked as well");
    }
    drop(snapshot);
    assert_eq!(Snapshot::open(&path).expect("a file").1, b"second");
    let names: Vec<_> = fs::read_dir(directory.path()).expect("a directory").collect();
    assert_eq!(names.len(), 1, "nothing is left over");
}

#[test]
fn a_replacement_that_is_given_up_leaves_nothing_behind() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.pgn");
    fs::write(&path, "old").unwrap();
    let mut replacement = Replacement::create(&path).unwrap();
    replacement.write_all(b"half").unwrap();
    drop(replacement);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    // A directory cannot be replaced by a file.
    let taken = directory.path().join("taken");
    fs::create_dir(&taken).unwrap();
    assert!(journal::replace(&taken, b"new").is_err());
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
}

#[cfg(unix)]
#[test]
fn a_private_file_can_be_read_by_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("key");
    fs::write(directory.path().join("key.part"), "left behind").unwrap();
    let mut replacement = Replacement::create_private(&path).unwrap();
    replacement.write_all(b"secret").unwrap();
    replacement.commit().unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}
