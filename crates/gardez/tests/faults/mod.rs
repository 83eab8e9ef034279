//! Processes whose disk, power and clock fail when a test wants it.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What happens at a step; a step is whatever changes a file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `kill -9` before it.
    Kill,
    /// `kill -9` in the middle of a write.
    Tear,
    /// The power fails before it: only what was synced is left.
    Power,
    /// The disk is full from then on.
    Full,
    /// It fails with an I/O error, once.
    Error,
}

impl Kind {
    pub const ALL: [Self; 5] = [Self::Kill, Self::Tear, Self::Power, Self::Full, Self::Error];

    /// Whether the process ends there.
    pub fn is_end(self) -> bool {
        matches!(self, Self::Kill | Self::Tear | Self::Power)
    }
}

/// The library that brings the faults, compiled once.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/faults.c");
        let library =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{}.so", std::process::id()));
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl");
        assert!(compiler.status().expect("a C compiler").success());
        library
    })
}

/// A directory whose disk may fail, and what is on that disk for certain.
pub struct Disk {
    directory: tempfile::TempDir,
    synced: tempfile::TempDir,
}

impl Disk {
    pub fn new() -> Self {
        let new = || tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
        Self { directory: new(), synced: new() }
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Lets a fault happen to a command.
    pub fn fail(&self, command: &mut Command, kind: Kind, step: usize) {
        let name = match kind {
            Kind::Kill | Kind::Power => "kill",
            Kind::Tear => "tear",
            Kind::Full => "full",
            Kind::Error => "error",
        };
        command.env("LD_PRELOAD", library()).env("FAULT_DIR", self.path());
        command.env("FAULT_KIND", name).env("FAULT_STEP", step.to_string());
        if kind == Kind::Power {
            command.env("FAULT_DISK", self.synced.path());
        }
    }

    /// Counts the steps of a command, which nothing happens to.
    pub fn count(&self, command: &mut Command) {
        command.env("LD_PRELOAD", library()).env("FAULT_DIR", self.path());
        command.env("FAULT_COUNT", self.synced.path().join("count"));
    }

    /// How many they were.
    pub fn steps(&self) -> usize {
        let text = fs::read_to_string(self.synced.path().join("count")).expect("it ended by itself");
        text.trim().parse().expect("a number")
    }

    /// The power has failed: leaves what was synced, under the names that were synced.
    pub fn lose_power(&self, is_input: impl Fn(&str) -> bool) {
        let names = names(self.synced.path(), self.directory.path());
        let inputs: HashMap<_, _> = fs::read_dir(self.path())
            .expect("a directory")
            .map(|entry| entry.expect("an entry"))
            .filter(|entry| is_input(&entry.file_name().to_string_lossy()))
            .map(|entry| (entry.file_name(), fs::read(entry.path()).expect("a file")))
            .collect();
        for entry in fs::read_dir(self.path()).expect("a directory") {
            let path = entry.expect("an entry").path();
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.expect("removed");
        }
        restore(self.synced.path(), &names, self.path());
        for (name, bytes) in inputs {
            fs::write(self.path().join(name), bytes).expect("written");
        }
    }
}

/// The file of the synced ones that stands for this one.
fn key(path: &Path) -> String {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::metadata(path).expect("a file");
    let born = metadata.created().expect("a file system that knows when files were made");
    let born = born.duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    format!("{}-{}-{}", metadata.ino(), born.as_secs(), born.subsec_nanos())
}

/// The names in a directory when it was synced last, with the keys of their files.
fn names(synced: &Path, directory: &Path) -> String {
    fs::read_to_string(synced.join(key(directory))).unwrap_or_default()
}

fn restore(synced: &Path, names: &str, to: &Path) {
    for line in names.lines() {
        let (key, name) = line.split_once(' ').expect("a key and a name");
        let contents = fs::read(synced.join(key)).unwrap_or_default();
        if name == "backups" {
            let directory = to.join(name);
            fs::create_dir(&directory).expect("a directory");
            restore(synced, &String::from_utf8(contents).expect("names"), &directory);
        } else {
            fs::write(to.join(name), contents).expect("written");
        }
    }
}

/// Lets the clock on the wall jump by a day, again and again.
pub fn break_clock(command: &mut Command) {
    command.env("LD_PRELOAD", library()).env("FAULT_CLOCK", "86400");
}
