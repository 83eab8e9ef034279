//! Drives `gardez tune` as a user would.

#![forbid(unsafe_code)]

use assert_cmd::Command;
use std::fs;
use std::path::Path;

fn gardez(args: &[&str], directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    command.args(args).current_dir(directory);
    command
}

#[test]
fn weights_are_written_the_same_by_any_number_of_threads() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    let datagen =
        ["datagen", "--games", "60", "--nodes", "60", "--hash", "1", "--threads", "2", "--out", "games"];
    gardez(&datagen, place).assert().success();
    let tune = |threads: &str, out: &str, seed: &str| {
        let args = ["tune", "eval", "--data", "games", "games", "--epochs", "2", "--batch", "500"];
        let more = ["--threads", threads, "--out", out, "--seed", seed, "--rate", "3"];
        let assert = gardez(&[&args[..], &more].concat(), place).assert().success();
        let report = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        assert!(
            report.contains("epoch   2: loss ") && report.contains("scale of the evaluation"),
            "{report}"
        );
        fs::read_to_string(place.join(out)).unwrap()
    };
    let source = tune("1", "one.rs", "2");
    assert!(source.contains("pub const WEIGHTS: Weights = Weights {\n"), "{source}");
    assert_eq!(tune("2", "two.rs", "2"), source);
    assert!(!place.join("one.rs.part").exists());
}

#[test]
fn openbench_gets_and_returns_numbers_of_the_search() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    let list = gardez(&["tune", "search", "--openbench"], place).assert().success();
    let list = String::from_utf8(list.get_output().stdout.clone()).unwrap();
    let fields = |line: &str| line.split(", ").map(str::to_owned).collect::<Vec<_>>();
    assert!(list.lines().count() > 20 && list.lines().all(|line| fields(line).len() == 7), "{list}");
    let first = fields(list.lines().next().unwrap());
    let params = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/src/search/params.rs");
    let source = fs::read_to_string(params).unwrap();
    fs::write(place.join("params.rs"), &source).unwrap();
    fs::write(place.join("same.txt"), &list).unwrap();
    gardez(&["tune", "search", "--values", "same.txt", "--write", "params.rs"], place).assert().success();
    assert_eq!(fs::read_to_string(place.join("params.rs")).unwrap(), source);
    fs::write(place.join("tuned.txt"), format!("{}, {}\n", first[0], first[4])).unwrap();
    gardez(&["tune", "search", "--values", "tuned.txt", "--write", "params.rs"], place).assert().success();
    let tuned = fs::read_to_string(place.join("params.rs")).unwrap();
    assert!(
        tuned.contains(&format!("{} = {},", first[0], first[4]))
            && tuned.lines().count() == source.lines().count()
    );
}

#[test]
fn openbench_gets_its_configuration() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/openbench.json");
    let config: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert!(config["private"].is_boolean() && config["nps"].is_u64() && config["source"].is_string());
    let build = &config["build"];
    assert!(build["path"].is_string());
    assert!(["compilers", "cpuflags", "systems"].iter().all(|name| build[*name].is_array()), "{build}");
    for presets in ["test_presets", "tune_presets", "datagen_presets"] {
        assert!(config[presets]["default"]["book_name"].is_string(), "{presets}");
    }
}

#[test]
fn openbench_gets_openings() {
    let directory = tempfile::tempdir().unwrap();
    let openings = |command: &str| {
        let assert = gardez(&[command, "quit"], directory.path()).assert().success();
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    let text = openings("genfens 8 seed 3 book None ");
    let fens: Vec<&str> =
        text.lines().map(|line| line.strip_prefix("info string genfens ").unwrap()).collect();
    assert_eq!(fens.len(), 8);
    assert!(fens.iter().all(|fen| chess::Position::from_fen(fen).is_ok()));
    assert_eq!(openings("genfens 8 seed 3 book None"), text);
    assert_ne!(openings("genfens 8 seed 4 book None"), text);
    fs::write(directory.path().join("book.epd"), "8/5k2/8/8/8/8/5K2/4R2r w - - 0 1\n").unwrap();
    let ending = openings("genfens 2 seed 1 book book.epd extra");
    assert!(
        ending.lines().all(|line| line.contains('r') && line.split_whitespace().count() == 9),
        "{ending}"
    );
    let refused = gardez(&["genfens 2 book None"], directory.path()).assert().failure();
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("seed"));
}

#[test]
fn what_cannot_be_done_is_said_and_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    let refusal = |args: &[&str]| {
        let assert = gardez(args, place).assert().failure();
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    };
    let message = refusal(&["tune", "eval", "--data", "missing"]);
    assert!(message.contains("missing: "), "{message}");
    fs::write(place.join("games"), "something else").unwrap();
    let message = refusal(&["tune", "eval", "--data", "games"]);
    assert!(message.contains("games: it is no file of Gardez games"), "{message}");
    let message = refusal(&["tune", "eval", "--data", "games", "--out", "nowhere/weights.rs"]);
    assert!(message.contains("cannot write nowhere"), "{message}");
    let message = refusal(&["tune", "eval", "--data", "games", "--result-share", "1.5"]);
    assert!(message.contains("it must be a number from 0 to 1"), "{message}");
    gardez(&["datagen", "--games", "1", "--nodes", "10", "--out", "few"], place).assert().success();
    let message = refusal(&["tune", "eval", "--data", "few"]);
    assert!(message.contains("there are only"), "{message}");
    let left: Vec<_> = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn rates_and_strides_that_are_no_numbers_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    for (command, option, value) in [
        (["eval", "--data"], "--rate", "NaN"),
        (["search", "--openings"], "--rate", "NaN"),
        (["search", "--openings"], "--stride", "NaN"),
        (["search", "--openings"], "--stride", "inf"),
        (["search", "--openings"], "--stride", "0"),
    ] {
        let args = [&["tune"], &command[..], &["games", option, value]].concat();
        let assert = gardez(&args, directory.path()).assert().code(2);
        let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(message.contains(&format!("invalid value '{value}' for '{option}")), "{message}");
    }
}
