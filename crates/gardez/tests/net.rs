//! Drives `gardez train`, `gardez net` and `gardez data rescore` as a user would.

#![forbid(unsafe_code)]

use assert_cmd::Command;
use std::fs;
use std::path::Path;

fn gardez(args: &[&str], directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    command.args(args).current_dir(directory);
    command
}

fn run(args: &[&str], directory: &Path) -> String {
    let assert = gardez(args, directory).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

#[test]
fn the_search_is_the_same_on_every_path_of_the_processor() {
    let output = |kernels: &str, args: &[&str]| {
        let assert = gardez(args, Path::new(".")).env("GARDEZ_SIMD", kernels).assert().success();
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    let nodes = |kernels| output(kernels, &["bench", "5"]).rsplit_once(" nodes ").unwrap().0.to_owned();
    let expected = nodes("");
    for kernels in nnue::Kernels::available().map(nnue::Kernels::name) {
        assert!(output(kernels, &["--version"]).contains(&format!("network by {kernels}")), "{kernels}");
        assert_eq!(nodes(kernels), expected, "{kernels}");
    }
}

fn refusal(args: &[&str], directory: &Path) -> String {
    let assert = gardez(args, directory).assert().failure();
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

fn play_games(directory: &Path, games: &str) {
    let args =
        ["datagen", "--nodes", "60", "--hash", "1", "--threads", "2", "--out", "games", "--games", games];
    run(&args, directory);
}

const TRAIN: [&str; 9] =
    ["train", "--data", "games", "games", "--epochs", "3", "--batch", "500", "--superbatch"];

#[test]
fn a_network_is_trained_the_same_by_any_number_of_threads_and_plays() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    play_games(place, "60");
    let train = |threads: &str, memory: &str, out: &str| {
        let more = ["9", "--threads", threads, "--memory", memory, "--out", out];
        let report = run(&[&TRAIN[..], &more].concat(), place);
        assert!(
            report.contains("positions to learn from") && report.contains("rounding changes"),
            "{report}"
        );
        fs::read(place.join(out)).unwrap()
    };
    let network = train("1", "100", "one");
    assert!(train("2", "100", "two") == network);
    assert!(!place.join("one.checkpoint").exists() && !place.join("one.part").exists());
    // Too little memory: files are read again on every pass, in another order.
    assert!(train("1", "0", "stream") == train("2", "0", "stream2"));

    let info = run(&["net", "info", "one"], place);
    assert!(info.starts_with("(768 -> ") && info.contains("can play with it"), "{info}");
    let value = run(&["net", "eval", "one", "4k3/8/8/8/8/8/8/QQQ1K3", "w", "-", "-", "0", "1"], place);
    assert!(value.contains("for the side to move"), "{value}");
    assert!(run(&["net", "check", "one"], place).contains("positions agree"));
    let bench = |options: &[&str]| {
        let report = run(&[&["bench", "3"], options].concat(), place);
        report.lines().last().unwrap().split(' ').next().unwrap().to_owned()
    };
    let with_network = bench(&["--option", "EvalFile=one", "--option", "Evaluation=network"]);
    assert_ne!(with_network, bench(&["--option", "Evaluation=handcrafted"]));
}

#[test]
fn networks_are_joined_if_they_fit() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    run(&["net", "random", "--out", "one"], place);
    run(&["net", "random", "--seed", "2", "--out", "two"], place);
    run(&["net", "random", "--correction", "--out", "correction"], place);
    run(&["net", "join", "one", "two", "--out", "both"], place);
    let info = run(&["net", "info", "both"], place);
    let shape = format!("({} -> {})x2", nnue::INPUTS, 2 * nnue::HIDDEN);
    assert!(info.starts_with(&shape) && info.contains("stands alone"), "{info}");
    let message = refusal(&["net", "join", "one", "correction", "--out", "neither"], place);
    assert!(message.contains("do not fit together: one corrects"), "{message}");
    assert!(!place.join("neither").exists());
}

#[test]
fn what_is_no_network_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    run(&["net", "random", "--out", "whole"], place);
    let bytes = fs::read(place.join("whole")).unwrap();
    fs::write(place.join("torn"), &bytes[..1000]).unwrap();
    fs::write(place.join("other"), "something else").unwrap();
    assert!(refusal(&["net", "info", "torn"], place).contains("torn: it is too short"));
    assert!(refusal(&["net", "check", "other"], place).contains("other: it is no network of Gardez"));
    assert!(refusal(&["net", "info", "missing"], place).contains("missing: "));
    assert!(refusal(&["net", "eval", "whole", "no position"], place).contains("'no position'"));
    let message = refusal(&["bench", "1", "--option", "EvalFile=torn"], place);
    assert!(message.contains("option EvalFile: torn: it is too short"), "{message}");
    let message = refusal(&["train", "--data", "whole", "--out", "net", "--hidden", "100"], place);
    assert!(message.contains("a multiple of 32"), "{message}");
    for (option, value) in [("--scale", "0"), ("--rate", "NaN"), ("--last-rate", "2")] {
        let message = refusal(&["train", "--data", "whole", "--out", "net", option, value], place);
        assert!(message.contains(&format!("invalid value '{value}' for '{option}")), "{message}");
    }
    let message = refusal(&["train", "--data", "whole", "--out", "net"], place);
    assert!(message.contains("whole: it is no file of Gardez games"), "{message}");
}

#[test]
fn games_are_scored_anew_and_in_parts() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    play_games(place, "5");
    let rescore = |out: &str, threads: &str| {
        run(&["data", "rescore", "games", "--out", out, "--nodes", "30", "--threads", threads], place)
    };
    assert!(rescore("at-once", "1").starts_with("5 of 5 games"));
    let whole = fs::read(place.join("at-once")).unwrap();
    fs::write(place.join("in-parts"), &whole[..whole.len() / 2]).unwrap();
    rescore("in-parts", "2");
    assert!(fs::read(place.join("in-parts")).unwrap() == whole);

    let read = |name: &str| -> Vec<data::GameRecord> {
        data::GameReader::open(place.join(name)).unwrap().map(Result::unwrap).collect()
    };
    let (old, new) = (read("games"), read("at-once"));
    assert_eq!(old.len(), new.len());
    for (old, new) in old.iter().zip(&new) {
        assert!(old.start() == new.start() && old.verdict() == new.verdict());
        assert!(old.moves().iter().zip(new.moves()).all(|(old, new)| old.mv == new.mv));
    }
    assert_ne!(old, new);
    let message = refusal(&["data", "rescore", "games", "--out", "games"], place);
    assert!(message.contains("cannot be written over itself"), "{message}");
}
