//! Invariants of ARCHITECTURE.md that can be read off the source.

#![forbid(unsafe_code)]

use std::fs;
use std::path::{Path, PathBuf};

/// Crates that may hold `unsafe`, each with the only file where it may be, and how often.
const UNSAFE_FILES: [(&str, &str, usize); 3] = [
    ("chess", "src/attacks/pext.rs", 2),
    ("engine", "src/transposition.rs", 2),
    ("nnue", "src/kernels.rs", 7),
];

fn crates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the directory of all crates");
    let found: Vec<PathBuf> =
        entries(root).into_iter().filter(|path| path.join("Cargo.toml").exists()).collect();
    assert!(found.iter().any(|path| path.ends_with("chess")), "{found:?}");
    found
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut paths: Vec<PathBuf> = read.map(|entry| entry.expect("a directory entry").path()).collect();
    paths.sort();
    paths
}

/// Every Rust file below a directory, with its text.
fn sources(directory: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for path in entries(directory) {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            found.push((path, text));
        }
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// What a file does outside its own tests.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

/// How often code is marked as unsafe; a word of a text, such as `wasm-unsafe-eval`, is no mark.
fn unsafe_places(text: &str) -> usize {
    let is_mark = |&(at, word): &(usize, &str)| {
        let before = text[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(');
        before && text[at + word.len()..].starts_with([' ', '{', '\n'])
    };
    text.match_indices("unsafe").filter(is_mark).count()
}

#[test]
fn unsafe_code_lives_only_where_it_may() {
    for directory in crates() {
        let allowed: Vec<(PathBuf, usize)> = UNSAFE_FILES
            .iter()
            .filter(|(name, ..)| directory.ends_with(name))
            .map(|(_, file, count)| (directory.join(file), *count))
            .collect();
        for (path, text) in sources(&directory.join("src")) {
            let count = unsafe_places(&text);
            let expected =
                allowed.iter().find(|(allowed, _)| *allowed == path).map_or(0, |(_, count)| *count);
            assert_eq!(count, expected, "unsafe code in {}", path.display());
        }
        if allowed.is_empty() {
            let roots = ["src/lib.rs", "src/main.rs"].map(|root| directory.join(root));
            for root in roots.iter().filter(|root| root.exists()) {
                let text = fs::read_to_string(root).expect("a crate root");
                assert!(text.contains("#![forbid(unsafe_code)]"), "{} does not forbid it", root.display());
            }
        }
    }
}

#[test]
fn files_are_renamed_only_where_that_is_made_to_last() {
    for directory in crates() {
        for (path, text) in sources(&directory.join("src")) {
            let may = path.ends_with("journal/src/atomic.rs");
            assert!(may || !text.contains("fs::rename"), "{} renames without syncing", path.display());
        }
    }
}

#[test]
fn the_rules_do_no_input_or_output_and_have_no_mutable_globals() {
    const FORBIDDEN_WORDS: [&str; 15] = [
        "print",
        "println",
        "eprint",
        "eprintln",
        "dbg",
        "stdin",
        "stdout",
        "stderr",
        "fs",
        "net",
        "process",
        "thread_local",
        "OnceLock",
        "LazyLock",
        "SystemTime",
    ];
    for (path, text) in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let code: String = without_tests(&text)
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .flat_map(|line| [line, "\n"])
            .collect();
        for word in words(&code) {
            assert!(!FORBIDDEN_WORDS.contains(&word), "{word} in {}", path.display());
        }
        for line in
            code.lines().filter(|line| line.trim_start().trim_start_matches("pub ").starts_with("static "))
        {
            let mutable = ["static mut", "Atomic", "Mutex", "RwLock", "Cell"];
            assert!(!mutable.iter().any(|sign| line.contains(sign)), "{line} in {}", path.display());
        }
    }
}
