//! `gardez pgn`: files of games counted, chosen, split and rewritten.

#![forbid(unsafe_code)]

use assert_cmd::Command;
use std::fs;
use std::path::Path;

/// Five games: two of them alike, one with a fault, one that lacks the blank line before the next.
const GAMES: &str = r#"[Event "A"]
[White "Carlsen, Magnus"]
[Black "Müller"]
[Date "2021.05.??"]
[Result "1-0"]

1. e4 c5 2. Nf3 {[%eval 0.3] Sicilian (1...} d6 3. d4 cxd4 1-0

[Event "B"]
[White "Polgar"]
[Black "carlsen"]
[Date "2019.01.02"]
[Result "0-1"]

1. d4 d5 2. c4 e6 (2... c6 3. Nf3) 0-1
[Event "C"]
[White "Carlsen, Magnus"]
[Black "Müller"]
[Result "1-0"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 1-0

[Event "D"]
[White "X"]
[Black "Y"]
[Result "1/2-1/2"]

1. e4 e5 2. Ke3 Nf6 1/2-1/2

[Event "E"]
[White "X"]
[Black "Y"]
[SetUp "1"]
[FEN "8/8/4k3/8/8/4K3/4P3/7r w - - 0 1"]

1. Kf2 Rh2+ 2. Kf1 Rxe2 3. Kxe2 *
"#;

fn gardez(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    command.current_dir(directory).arg("pgn").args(arguments);
    command
}

fn output(directory: &Path, arguments: &[&str]) -> String {
    let run = gardez(directory, arguments).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8")
}

fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("games.pgn"), GAMES).expect("a file");
    directory
}

/// The events of the games that are printed.
fn events(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("[Event \"")?.strip_suffix("\"]")).collect()
}

#[test]
fn games_are_counted() {
    let directory = directory();
    let run = gardez(directory.path(), &["count", "games.pgn"]).assert().success();
    let counted = String::from_utf8_lossy(&run.get_output().stdout);
    assert_eq!(
        counted,
        "5 games, 23 half-moves\nWhite wins 2, Black wins 1, draws 1, unfinished 1\n1 fault, 1 game cut short by them\n"
    );
    let faults = String::from_utf8_lossy(&run.get_output().stderr);
    assert!(faults.starts_with("games.pgn: game 4, line 28, column 13: "), "{faults}");
    let json: serde_json::Value =
        serde_json::from_str(&output(directory.path(), &["count", "--json", "games.pgn"])).expect("JSON");
    assert_eq!((&json["games"], &json["cut_short"]), (&5.into(), &1.into()));
}

#[test]
fn criteria_choose_games() {
    let directory = directory();
    for (criteria, expected) in [
        (&["--player", "CARLSEN"][..], &["A", "B", "C"][..]),
        (&["--white", "magnus", "--since", "2020"], &["A"]),
        (&["--black", "müller"], &["A", "C"]),
        (&["--until", "2020.12.31"], &["B"]),
        (&["--since", "2021.05.10", "--until", "2021.05.20"], &["A"]),
        (&["--result", "1/2-1/2"], &["D"]),
        (&["--result", "*"], &["E"]),
        (&["--opening", "B5"], &["A", "C"]),
        (&["--opening", "queen's gambit"], &["B"]),
        (&["--position", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"], &["A", "C"]),
        (&["--material", "KRKP"], &["E"]),
        (&["--material", "KKR"], &["E"]),
        (&["--player", "carlsen", "--invert"], &["D", "E"]),
        (&["--player", "nobody"], &[]),
    ] {
        let arguments = [&["filter", "games.pgn"][..], criteria].concat();
        assert_eq!(events(&output(directory.path(), &arguments)), expected, "{criteria:?}");
    }
    // Games are printed as they are written.
    let kept = output(directory.path(), &["filter", "games.pgn", "--result", "0-1"]);
    assert!(kept.ends_with("1. d4 d5 2. c4 e6 (2... c6 3. Nf3) 0-1\n\n"), "{kept}");
}

#[test]
fn each_game_is_kept_once() {
    let directory = directory();
    let once = output(directory.path(), &["dedupe", "games.pgn", "games.pgn"]);
    assert_eq!(events(&once), ["A", "B", "D", "E"]);
    assert_eq!(events(&output(directory.path(), &["dedupe", "--moves-only", "games.pgn"])).len(), 4);
}

#[test]
fn games_are_cleaned() {
    let directory = directory();
    let clean = output(directory.path(), &["clean", "games.pgn", "--no-comments", "--no-variations"]);
    assert_eq!(events(&clean).len(), 5);
    assert!(
        clean.contains("\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 1-0\n") && clean.contains("\n1. e4 e5 1/2-1/2\n"),
        "{clean}"
    );
    // What is clean has no fault.
    fs::write(directory.path().join("clean.pgn"), &clean).expect("a file");
    assert!(output(directory.path(), &["count", "clean.pgn"]).contains("\n0 faults, 0 games cut short"));
}

#[test]
fn games_are_converted() {
    let directory = directory();
    let json = output(directory.path(), &["convert", "--to", "jsonl", "games.pgn"]);
    let games: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((games.len(), &games[4]["result"]), (5, &"*".into()));
    assert_eq!((&games[0]["uci"][2], &games[0]["san"][2]), (&"g1f3".into(), &"Nf3".into()));
    assert_eq!(games[0]["tags"]["Black"], "Müller");
    assert_eq!(games[3]["faults"].as_array().map(Vec::len), Some(1));
    output(directory.path(), &["convert", "--to", "parquet", "games.pgn", "-o", "games.parquet"]);
    let table = fs::read(directory.path().join("games.parquet")).expect("a file");
    assert!(table.starts_with(b"PAR1") && table.ends_with(b"PAR1"));
    let epd = output(directory.path(), &["convert", "--to", "epd", "--last", "games.pgn", "--result", "*"]);
    assert_eq!(epd, "8/8/4k3/8/8/8/4K3/8 b - - fmvn 3; id \"game 1 ply 5\"; c0 \"*\";\n");
    let all = output(directory.path(), &["convert", "--to", "epd", "games.pgn"]);
    assert_eq!(all.lines().count(), 23 + 5);
}

#[test]
fn games_are_split() {
    let directory = directory();
    gardez(directory.path(), &["split", "games.pgn", "--games", "2", "-o", "parts"]).assert().success();
    let part = |name: &str| fs::read_to_string(directory.path().join(name)).expect("a file");
    assert_eq!(events(&part("parts/00001.pgn")), ["A", "B"]);
    assert_eq!(events(&part("parts/00003.pgn")), ["E"]);
    gardez(directory.path(), &["split", "games.pgn", "--by", "White", "-o", "players"]).assert().success();
    assert_eq!(events(&part("players/Carlsen--Magnus.pgn")), ["A", "C"]);
    // What is there is left alone.
    gardez(directory.path(), &["split", "games.pgn", "--by", "White", "-o", "players"]).assert().failure();
    assert_eq!(events(&part("players/Carlsen--Magnus.pgn")), ["A", "C"]);
}

#[test]
fn files_are_not_overwritten_unasked() {
    let directory = directory();
    fs::write(directory.path().join("out.pgn"), "precious").expect("a file");
    let filter = &["filter", "games.pgn", "-o", "out.pgn"];
    let refused = gardez(directory.path(), filter).assert().failure();
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("--overwrite replaces it"));
    assert_eq!(fs::read_to_string(directory.path().join("out.pgn")).expect("text"), "precious");
    gardez(directory.path(), filter).arg("--overwrite").assert().success();
    assert_eq!(events(&fs::read_to_string(directory.path().join("out.pgn")).expect("text")).len(), 5);
    let onto_itself = &["filter", "games.pgn", "-o", "games.pgn", "--overwrite"];
    gardez(directory.path(), onto_itself).assert().failure();
    assert_eq!(fs::read_to_string(directory.path().join("games.pgn")).expect("text"), GAMES);
    assert!(!directory.path().join("games.pgn.part").exists());
    gardez(directory.path(), &["count", "missing.pgn"]).assert().failure();
}
