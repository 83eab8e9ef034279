//! Drives `gardez puzzles`, `solve` and `explorer` as a user would.

#![forbid(unsafe_code)]

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

const GAMES: &str = r#"[White "Anna"]
[Black "Bert"]
[Date "2025.03.01"]
[Result "0-1"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. d3 Nxh5 0-1

[White "Carl"]
[Black "Anna"]
[Date "2026.03.01"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
"#;

fn gardez(directory: &Path, args: &[&str], typed: &str) -> (Output, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_gardez"))
        .args(args)
        .current_dir(directory)
        .write_stdin(typed)
        .output()
        .expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    (output, stdout, stderr)
}

fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("games.pgn"), GAMES).expect("written");
    directory
}

#[test]
fn puzzles_are_found_checked_and_solved() {
    let directory = directory();
    let path = directory.path();
    let find = ["puzzles", "games.pgn", "-o", "puzzles.csv", "--nodes", "2000"];
    let (output, _, stderr) = gardez(path, &find, "");
    assert!(output.status.success(), "{stderr}");
    // Both games have the same mistake.
    assert!(stderr.contains("1 puzzle from 2 games in puzzles.csv"), "{stderr}");
    let (output, _, stderr) = gardez(path, &find, "");
    assert!(!output.status.success() && stderr.contains("exists already"), "{stderr}");
    let (_, stdout, stderr) = gardez(path, &["puzzles", "--check", "puzzles.csv", "--nodes", "5000"], "");
    assert_eq!(stdout, "1 of 1 puzzle confirmed at 5000 nodes a move (100.0 %)\n", "{stderr}");

    let (_, stdout, stderr) = gardez(path, &["solve", "puzzles.csv"], "Ke3\nQg5\nhint\nh5f7\n");
    assert!(stdout.contains("Black has played 3... Nf6"), "{stdout}{stderr}");
    assert!(stdout.contains("Qg5 is not the move."), "{stdout}");
    assert!(stdout.contains("Look at the queen on h5."), "{stdout}");
    assert!(stdout.contains("Solved in the end.") && stdout.contains("0 of 1 puzzle solved."), "{stdout}");
    assert!(stdout.contains("It comes again in 1 minute."), "{stdout}");
    // It is not due yet, and there is no other.
    let (_, stdout, _) = gardez(path, &["solve", "puzzles.csv"], "");
    assert!(stdout.contains("No puzzle was solved; the next is due in 1 minute."), "{stdout}");
    let (_, stdout, _) = gardez(path, &["solve", "puzzles.csv", "--deck", "other"], "Qxf7\n");
    assert!(stdout.contains("1 of 1 puzzle solved.\n"), "{stdout}");
    fs::write(path.join("other"), "{").expect("written");
    let (output, _, stderr) = gardez(path, &["solve", "puzzles.csv", "--deck", "other"], "");
    assert!(!output.status.success() && stderr.contains("other is damaged"), "{stderr}");
}

#[test]
fn positions_are_explored() {
    let directory = directory();
    let path = directory.path();
    let (output, _, stderr) = gardez(path, &["explorer", "show", "--index", "index"], "");
    assert!(!output.status.success() && stderr.contains("there is no index at index"), "{stderr}");
    let build = ["explorer", "build", "games.pgn", "--index", "index"];
    let (output, stdout, stderr) = gardez(path, &build, "");
    assert!(
        output.status.success() && stdout.starts_with("2 games and 10 positions in index: "),
        "{stdout}{stderr}"
    );
    let (output, _, stderr) = gardez(path, &build, "");
    assert!(!output.status.success() && stderr.contains("--overwrite"), "{stderr}");

    let moves = "startpos moves e4 e5 Bc4 Nc6 Qh5 Nf6";
    let show = ["explorer", "show", moves, "--index", "index", "--json"];
    let (_, stdout, stderr) = gardez(path, &show, "");
    let answer: Value =
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
    assert_eq!(answer["results"]["games"], 2);
    let sans: Vec<&str> =
        answer["moves"].as_array().expect("moves").iter().filter_map(|mv| mv["san"].as_str()).collect();
    assert_eq!(sans.len(), 2);
    assert!(sans.contains(&"Qxf7#") && sans.contains(&"d3"), "{sans:?}");
    assert_eq!(answer["games"][0]["date"], "2026.03.01");
    let (_, stdout, _) = gardez(path, &[&show[..], &["--player", "anna", "--color", "black"]].concat(), "");
    let answer: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((&answer["results"]["games"], &answer["results"]["white"]), (&1.into(), &1.into()));

    let (_, stdout, _) = gardez(path, &["explorer", "show", "--index", "index", "--since", "2026"], "");
    assert!(
        stdout.contains("1 game of 2") && stdout.contains("#1  Carl - Anna  1-0  2026.03.01  e4"),
        "{stdout}"
    );
    let (_, stdout, _) = gardez(path, &["explorer", "game", "0", "--index", "index"], "");
    assert!(stdout.contains("[White \"Anna\"]") && stdout.contains("4. d3 Nxh5 0-1"), "{stdout}");
    let (output, _, stderr) = gardez(path, &["explorer", "game", "2", "--index", "index"], "");
    assert!(!output.status.success() && stderr.contains("the index has 2 games"), "{stderr}");
}
