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
fn perturbed_games_are_broken_off() {
    let directory = tempfile::tempdir().unwrap();
    let [games, perturbed, none] = ["games", "perturbed", "none"].map(|name| directory.path().join(name));
    run(&datagen(&games, "2", "2"));
    let near = |out: &Path, games: &Path| {
        let mut args = datagen(out, "30", "2");
        args.extend(["--perturb", games.to_str().unwrap(), "--plies", "4"].map(str::to_owned));
        args
    };
    run(&near(&perturbed, &games));
    let stats = run(&["data".to_owned(), "stats".to_owned(), perturbed.to_str().unwrap().to_owned()]);
    assert!(stats.contains("broken off") && stats.contains("4 in the longest"), "{stats}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    let assert = command.args(near(&none, &directory.path().join("missing"))).assert().code(1);
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
    assert!(stats.contains("moves are legal") && stats.contains("10 % Chess960"), "{stats}");
    fs::write(&out, "something else").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    let assert = command.args(["data", "stats"]).arg(&out).assert().code(1);
    let message = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(message.contains("it is no file of Gardez games"), "{message}");
}

/// What a command prints that must fail, on both outputs.
fn failure(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    let assert = command.args(args).assert().code(1);
    let output = assert.get_output();
    String::from_utf8([&output.stdout[..], &output.stderr].concat()).unwrap()
}

#[test]
fn damage_is_refused_with_its_offset_unless_it_is_to_be_skipped() {
    let directory = tempfile::tempdir().unwrap();
    let [games, torn, damaged, other] =
        ["games", "torn", "damaged", "other"].map(|name| directory.path().join(name));
    run(&datagen(&games, "90", "2"));
    let mut bytes = fs::read(&games).unwrap();
    fs::write(&torn, &bytes[..bytes.len() - 5]).unwrap();
    let [torn, damaged, other] = [&torn, &damaged, &other].map(|path| path.to_str().unwrap());
    let stats = run(&["data", "stats", torn].map(str::to_owned));
    assert!(stats.contains("89 games") && stats.contains("torn at byte"), "{stats}");

    // The first game begins behind the header of 40 bytes.
    bytes[90] ^= 4;
    fs::write(damaged, &bytes).unwrap();
    let stats = failure(&["data", "stats", damaged]);
    assert!(stats.contains("89 games") && stats.contains("damaged at byte 40:"), "{stats}");
    let rescore = ["data", "rescore", damaged, "--out", other, "--nodes", "20"];
    let chances = ["tune", "chances", "--data", damaged];
    let tune = ["tune", "eval", "--data", damaged, "--epochs", "1", "--out", other];
    let train = ["train", "--data", damaged, "--epochs", "1", "--hidden", "32", "--out", other];
    for command in [&rescore[..], &chances, &tune, &train] {
        let message = failure(command);
        assert!(message.contains("damaged at byte 40:"), "{command:?}: {message}");
        let _ = fs::remove_file(other);
        let skipping: Vec<_> = command.iter().chain(&["--skip-damaged"]).map(|&arg| arg.to_owned()).collect();
        run(&skipping);
        let _ = fs::remove_file(other);
    }
}

#[test]
fn the_share_of_chess960_is_part_of_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let of_share = |name: &str, share: &[&str]| {
        let out = directory.path().join(name);
        let mut args = datagen(&out, "6", "1");
        args.extend(share.iter().map(|&arg| arg.to_owned()));
        run(&args);
        let games = data::GameReader::open(&out).unwrap();
        (games.origin().chess960_percent, games.map(Result::unwrap).collect::<Vec<_>>())
    };
    let (none, all) = (of_share("none", &["--chess960", "0"]), of_share("all", &["--chess960"]));
    assert_eq!((none.0, all.0, of_share("default", &[]).0), (0, 100, 10));
    // Random moves seldom move kings, and Chess960 puts them anywhere between the rooks.
    let home = |games: &[data::GameRecord]| {
        let kings = |game: &data::GameRecord| chess::Color::ALL.map(|color| game.start().king(color));
        games.iter().filter(|game| kings(game) == [chess::Square::E1, chess::Square::E8]).count()
    };
    assert!(home(&none.1) >= 4 && home(&all.1) <= 2, "{} {}", home(&none.1), home(&all.1));
}

#[test]
fn positions_from_inside_searches_are_resumed_with_their_games() {
    let directory = tempfile::tempdir().unwrap();
    let (at_once, in_parts) = (directory.path().join("at-once"), directory.path().join("in-parts"));
    let sampling = |out: &Path, games: &str| {
        let mut args = datagen(out, games, "2");
        args.extend(["--sample-every", "100"].map(str::to_owned));
        args
    };
    assert!(run(&sampling(&at_once, "4")).starts_with("4 of 4 games"));
    let whole = fs::read(&at_once).unwrap();
    let samples =
        data::GameReader::open(&at_once).unwrap().filter(|record| record.as_ref().unwrap().is_sample());
    assert!(samples.count() > 10);
    run(&sampling(&in_parts, "2"));
    let length = fs::read(&in_parts).unwrap().len();
    // Killed between the positions of a game and the game.
    for more in [0, 50, 200] {
        fs::write(&in_parts, &whole[..length + more]).unwrap();
        run(&sampling(&in_parts, "4"));
        assert!(fs::read(&in_parts).unwrap() == whole, "{more}");
    }
    let stats = run(&["data", "stats", at_once.to_str().unwrap()].map(str::to_owned));
    assert!(stats.contains("4 games") && stats.contains("from inside searches"), "{stats}");
    let rescored = directory.path().join("rescored").to_str().unwrap().to_owned();
    run(&["data", "rescore", at_once.to_str().unwrap(), "--nodes", "20", "--out", &rescored]
        .map(str::to_owned));
    let count = |path: &Path| {
        data::GameReader::open(path).unwrap().map(Result::unwrap).filter(data::GameRecord::is_sample).count()
    };
    assert_eq!(count(&at_once), count(Path::new(&rescored)));
}
