//! Drives `gardez analyse` as a user would, with interruptions.

#![forbid(unsafe_code)]

use assert_cmd::Command;
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

fn analyse(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gardez")).arg("analyse").args(args).output().expect("it starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// A file of many short games.
fn write_games(path: &Path, count: usize) {
    let mut text = String::new();
    for number in 1..=count {
        let moves = [
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
            "1. d4 d5 2. c4 dxc4 3. e4",
            "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#",
        ];
        let _ = writeln!(text, "[Event \"{number}\"]\n[Result \"*\"]\n\n{} *\n", moves[number % moves.len()]);
    }
    fs::write(path, text).expect("a directory to write to");
}

#[test]
fn lines_of_a_position() {
    let output = analyse(&["startpos", "moves", "e4", "e7e5", "--depth", "5", "--multipv", "2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains(" 1. depth  5/") && text.contains(" 2. depth  5/"), "{text}");
    assert!(text.contains(" %  ") && text.contains(" nodes ") && text.contains(" n/s "), "{text}");
    assert!(text.lines().last().expect("a line").starts_with("best 2. "), "{text}");

    let coordinates = stdout(&analyse(&["startpos", "--depth", "3", "--coordinates"]));
    assert!(coordinates.lines().last().expect("a line").split(' ').nth(1).is_some_and(|mv| mv.len() == 4));
}

#[cfg(unix)]
#[test]
fn without_a_limit_it_goes_on_until_interrupted() {
    use std::io::{BufRead, BufReader};

    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_gardez"))
        .args(["analyse", "startpos"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    assert!(lines.next().is_some_and(|line| line.starts_with("depth ")));
    let id = child.id().to_string();
    let killed = std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill runs");
    assert!(killed.success());
    assert!(lines.last().is_some_and(|line| line.starts_with("best 1. ")));
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn scores_are_seen_from_white() {
    let output = analyse(&["8/8/8/8/8/1q6/2k5/K7 b - - 0 1", "--depth", "4", "--json"]);
    let lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let last = &lines[lines.len() - 2];
    assert_eq!(last["lines"][0]["score"]["mate"], -1);
    assert_eq!(last["lines"][0]["wdl"], serde_json::json!([0, 0, 1000]));
    assert_eq!(lines[lines.len() - 1]["best"]["coordinates"][0], last["lines"][0]["moves"]["coordinates"][0]);
}

#[test]
fn a_finished_game_has_no_best_move() {
    let output = analyse(&["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "--nodes", "100"]);
    assert!(output.status.success());
    assert!(stdout(&output).ends_with("Black is checkmated\n"), "{}", stdout(&output));
}

#[test]
fn what_does_not_fit_is_refused_with_a_reason() {
    let directory = tempfile::tempdir().expect("a directory");
    let games = directory.path().join("games.pgn");
    write_games(&games, 1);
    let games = games.to_str().expect("UTF-8");
    for (args, reason) in [
        (&["nowhere.pgn"][..], "there is no such file"),
        (&["8/8/8/8/8/8/8/8 w - - 0 1"], "king"),
        (&["startpos", "-o", "out.pgn"], "--output is for the analysis of a file"),
        (&["startpos", "--option", "Colour=red"], "there is no option 'Colour'"),
        (&["startpos", "moves", "Ke2"], "Ke2"),
        (&[games], "-o out.pgn"),
        (&["startpos", "--parquet", "out"], "--parquet is for the analysis of a file"),
        (&[games, "--parquet", "out", "-o", "out.pgn"], "cannot be used with"),
        (&[games, "--parquet", "out", "--shard", "3/2"], "such as 1/4"),
        (&[games, "-o", "out.pgn", "--shard", "1/2"], "--parquet"),
        (&[games, "-o", "out.pgn", "--movetime", "5"], "--movetime is for the analysis of a position"),
        (&[games, "-o", "out.pgn", "--option", "threads=2"], "--threads is for the analysis of a position"),
        (&[games, "-o", games], "needed for something else"),
    ] {
        let output = analyse(args);
        assert!(!output.status.success(), "{args:?}");
        assert!(stderr(&output).contains(reason), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn a_file_of_games_with_all_that_is_written() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).to_str().expect("UTF-8").to_owned();
    write_games(&directory.path().join("games.pgn"), 3);
    let [games, out, report] = ["games.pgn", "out.pgn", "report.html"].map(path);
    let args = [&games, "-o", &out, "--nodes", "300", "--report", &report, "--json", "-"];
    let output = analyse(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    let records: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(records.iter().map(|record| record["game"].as_u64()).eq((1..=3).map(Some)));
    let annotated = fs::read_to_string(&out).expect("a text").replace('\n', " ");
    assert!(annotated.contains("[%eval ") && annotated.contains("Nf6 $4"), "{annotated}");
    assert!(fs::read_to_string(&report).expect("a text").ends_with("</html>\n"));
    assert!(stderr(&analyse(&args)).contains("--overwrite"));
}

#[test]
fn tables_of_shares_are_those_of_the_whole() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).to_str().expect("UTF-8").to_owned();
    write_games(&directory.path().join("games.pgn"), 12);
    let [games, whole, shared] = ["games.pgn", "whole", "shared"].map(path);
    let args = [&games, "--nodes", "100", "--hash", "1", "--part-bytes", "200"];
    let output = analyse(&[&args[..], &["--parquet", &whole]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("12 games, "), "{}", stderr(&output));
    for share in ["1/2", "2/2"] {
        let output = analyse(&[&args[..], &["--parquet", &shared, "--shard", share]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let tables = |directory: &str| {
        let paths =
            fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path());
        let mut paths: Vec<_> =
            paths.filter(|path| path.extension().is_some_and(|extension| extension == "parquet")).collect();
        paths.sort();
        let named = |path: &Path| (path.file_name().map(ToOwned::to_owned), fs::read(path).expect("a file"));
        paths.iter().map(|path| named(path)).collect::<Vec<_>>()
    };
    assert!(tables(&whole).len() > 2);
    assert!(tables(&whole) == tables(&shared));
    assert!(stderr(&analyse(&[&args[..], &["--parquet", &whole]].concat())).contains("--overwrite"));
}

#[test]
fn killed_and_started_again_it_loses_and_repeats_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name);
    let name = |name: &str| path(name).to_str().expect("UTF-8").to_owned();
    write_games(&path("games.pgn"), 40);
    let args = |out: &str, threads: &str| {
        let words = ["analyse", &name("games.pgn"), "-o", &name(out), "--nodes", "100", "--hash", "1"];
        let words = words.into_iter().chain(["--concurrency", threads]);
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    let start = |out, threads| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gardez"));
        command
            .args(args(out, threads))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts")
    };
    assert!(start("at-once.pgn", "1").wait().expect("it ends").success());

    let length = || fs::metadata(path("killed.pgn")).map_or(0, |metadata| metadata.len());
    for _ in 0..3 {
        let before = length();
        let mut child = start("killed.pgn", "2");
        // The tail that is cut off at the beginning is shorter than this.
        while length() < before + 2000 && child.try_wait().expect("a child").is_none() {
            std::thread::yield_now();
        }
        child.kill().expect("a child");
        child.wait().expect("a child");
    }
    // When all is done by now, there is nothing to go on with.
    if path("killed.pgn.state").exists() {
        assert!(start("killed.pgn", "2").wait().expect("it ends").success());
    }
    assert!(fs::read(path("killed.pgn")).expect("a file") == fs::read(path("at-once.pgn")).expect("a file"));
}
