//! Drives `gardez datagen` and `gardez data stats` as a user would, with interruptions.

#![forbid(unsafe_code)]

use assert_cmd::Command;
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// Few nodes: it is the files that are tested here.
fn datagen(out: &Path, games: &str, threads: &str) -> Vec<String> {
    let out = out.to_str().expect("UTF-8");
    ["datagen", "--nodes", "80", "--hash", "1", "--seed", "7"]
        .into_iter()
        .chain(["--games", games, "--threads", threads, "--out", out])
        .map(str::to_owned)
        .collect()
}

fn run(args: &[String]) -> String {
    let assert = Command::new(env!("CARGO_BIN_EXE_gardez")).args(args).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

#[test]
fn it_goes_on_where_it_ended() {
    let directory = tempfile::tempdir().unwrap();
    let (at_once, in_parts) = (directory.path().join("at-once"), directory.path().join("in-parts"));
    assert!(run(&datagen(&at_once, "6", "1")).starts_with("6 of 6 games"));
    let whole = fs::read(&at_once).unwrap();

    run(&datagen(&in_parts, "2", "2"));
    let mut torn = fs::read(&in_parts).unwrap();
    assert_eq!(torn, whole[..torn.len()]);
    torn.extend(&whole[torn.len()..torn.len() + 100]);
    fs::write(&in_parts, &torn).unwrap();
    assert!(run(&datagen(&in_parts, "6", "2")).starts_with("6 of 6 games"));
    assert!(fs::read(&in_parts).unwrap() == whole);
    assert!(run(&datagen(&in_parts, "3", "2")).starts_with("6 of 3 games"));
    assert!(fs::read(&in_parts).unwrap() == whole);
}

#[test]
fn killing_it_loses_only_games_under_way() {
    let directory = tempfile::tempdir().unwrap();
    let (killed, at_once) = (directory.path().join("killed"), directory.path().join("at-once"));
    let length = || fs::metadata(&killed).map_or(0, |metadata| metadata.len());
    for _ in 0..4 {
        let before = length();
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_gardez"))
            .args(datagen(&killed, "1000000", "2"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while length() <= before + 40 {
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let games = data::GameReader::open(&killed).unwrap().map(Result::unwrap).count();
    assert!(games >= 4);
    let games = (games + 1).to_string();
    run(&datagen(&killed, &games, "2"));
    run(&datagen(&at_once, &games, "1"));
    assert!(fs::read(&killed).unwrap() == fs::read(&at_once).unwrap());
}

#[test]
fn other_settings_are_not_mixed_in() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("games");
    run(&datagen(&out, "1", "1"));
    let before = fs::read(&out).unwrap();
    let mut args = datagen(&out, "2", "1");
    args.extend(["--chess960".to_owned()]);
    let assert = Command::new(env!("CARGO_BIN_EXE_gardez")).args(&args).assert().code(1);
    let message = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(message.contains("games: it was made with"), "{message}");
    assert!(fs::read(&out).unwrap() == before);
}

#[test]
fn games_beside_others_are_broken_off() {
    let directory = tempfile::tempdir().unwrap();
    let [games, beside, none] = ["games", "beside", "none"].map(|name| directory.path().join(name));
    run(&datagen(&games, "2", "2"));
    let beside_games = |out: &Path, games: &Path| {
        let mut args = datagen(out, "30", "2");
        args.extend(["--beside", games.to_str().unwrap(), "--plies", "4"].map(str::to_owned));
        args
    };
    run(&beside_games(&beside, &games));
    let stats = run(&["data".to_owned(), "stats".to_owned(), beside.to_str().unwrap().to_owned()]);
    assert!(stats.contains("broken off") && stats.contains("4 in the longest"), "{stats}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    let assert = command.args(beside_games(&none, &directory.path().join("missing"))).assert().code(1);
    let message = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(message.contains("missing") && !none.exists(), "{message}");
}

#[test]
fn stats_count_and_check() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("games");
    run(&datagen(&out, "12", "2"));
    let stats = run(&["data".to_owned(), "stats".to_owned(), out.to_str().unwrap().to_owned()]);
    assert!(stats.contains("12 games, seed 7, 80 nodes a move"), "{stats}");
    assert!(stats.contains("moves are legal"), "{stats}");
    fs::write(&out, "something else").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    let assert = command.args(["data", "stats"]).arg(&out).assert().code(1);
    let message = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(message.contains("it is no file of Gardez games"), "{message}");
}
