//! Drives `gardez book` as a user would, and the engine's book through both protocols.

#![forbid(unsafe_code)]

// Other tests need more of it.
#[allow(dead_code)]
mod conversation;

use assert_cmd::Command;
use conversation::Conversation;
use std::fs;
use std::path::{Path, PathBuf};

const GAMES: &str = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n\
                     [Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 Nf6 1/2-1/2\n\n";
const FAULTY: &str =
    "[Result \"0-1\"]\n\n1. d4 Nf6 2. c4 e6 0-1\n\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh7 1-0\n";

fn gardez(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    command.args(args);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn in_directory(directory: &Path, name: &str, content: &str) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, content).expect("a file");
    path
}

/// A book of one line, `1. e4 e5 2. Nf3` and so on.
fn small_book(directory: &Path) -> PathBuf {
    let games = in_directory(directory, "games.pgn", GAMES);
    let book = directory.join("small.bin");
    gardez(&["book", "build", "--min-games", "1", "-o"]).arg(&book).arg(games).assert().success();
    book
}

#[test]
fn books_are_built_merged_and_shown() {
    let directory = tempfile::tempdir().unwrap();
    let (games, faulty) =
        (in_directory(directory.path(), "games.pgn", GAMES), in_directory(directory.path(), "b.pgn", FAULTY));
    let (built, merged) = (directory.path().join("built.bin"), directory.path().join("merged.bin"));
    let run = gardez(&["book", "build", "--min-games", "1", "--max-ply", "6", "-o"])
        .args([&built, &games, &faulty])
        .assert()
        .success();
    let output = run.get_output();
    assert!(text(&output.stdout).starts_with("4 games (1 with faults): "), "{output:?}");
    assert!(text(&output.stderr).contains("b.pgn: game 2, line 7, column 13: "), "{output:?}");

    let run = gardez(&["book", "merge", "-o"]).args([&merged, &built, &built]).assert().success();
    assert!(text(&run.get_output().stdout).contains("merged.bin"));
    let run = gardez(&["book", "show", "startpos", "e4", "e5", "--json", "--book"]);
    let shown = { run }.arg(&merged).assert().success().get_output().stdout.clone();
    let shown: serde_json::Value = serde_json::from_slice(&shown).expect("JSON");
    assert_eq!(shown["opening"]["name"], "Open Game");
    let best = &shown["books"][0]["moves"][0];
    assert_eq!((&best["san"], &best["uci"]), (&"Nf3".into(), &"g1f3".into()));
    assert_eq!((best["weight"].as_u64(), best["share"].as_f64()), (Some(6), Some(1.0)));
    assert_eq!(best["opening"]["eco"], "C40");

    let names: Vec<_> =
        fs::read_dir(directory.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
}

#[test]
fn the_opening_table_is_shown_by_default() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let words: Vec<&str> = fen.split(' ').collect();
    for position in [vec![fen], words] {
        let run = gardez(&["book", "show"]).args(position).assert().success();
        let shown = text(&run.get_output().stdout);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(&lines[..4], [fen, "C20 Open Game", "", "<built-in>"]);
        assert!(
            lines[4].starts_with("  Nf3 ") && lines[4].ends_with(" %  C40 King's Knight Opening"),
            "{shown}"
        );
        assert!(shown.contains("C20 Danvers Opening"), "{shown}");
    }
    let run = gardez(&["book", "show", "startpos", "e4", "e5", "--variety", "main"]).assert().success();
    assert!(!text(&run.get_output().stdout).contains("Danvers"));
}

#[test]
fn what_cannot_be_done_is_said_and_changes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let games = in_directory(directory.path(), "games.pgn", GAMES);
    let old = in_directory(directory.path(), "old.bin", "an old book");
    let complaint = |command: &mut Command| text(&command.assert().code(1).get_output().stderr);
    let rare =
        complaint(gardez(&["book", "build", "--min-games", "9", "--overwrite", "-o"]).args([&old, &games]));
    assert!(rare.contains("2 games: no move was played and scored in at least 9 games"), "{rare}");
    let own = complaint(gardez(&["book", "build", "-o"]).args([&games, &games]));
    assert!(own.contains("would be overwritten"), "{own}");
    for (command, input) in [("build", &games), ("merge", &old)] {
        let exists = complaint(gardez(&["book", command, "-o"]).args([&old, input]));
        assert!(exists.contains("old.bin exists; --overwrite replaces it"), "{exists}");
    }
    let broken = complaint(gardez(&["book", "merge", "--overwrite", "-o"]).args([&games, &old]));
    assert!(broken.contains("old.bin: ends within entry 1"), "{broken}");
    let illegal = complaint(&mut gardez(&["book", "show", "startpos", "e5"]));
    assert!(illegal.contains("the move e5"), "{illegal}");
    let fen = complaint(&mut gardez(&["book", "show", "8/8/8/8/8/8/8/8 w - - 0 1"]));
    assert!(fen.contains("the FEN"), "{fen}");
    assert_eq!(fs::read_to_string(&games).unwrap(), GAMES);
    assert_eq!(fs::read_to_string(&old).unwrap(), "an old book");
}

fn uci(lines: &[&str]) -> Conversation {
    let mut engine = Conversation::begin();
    engine.ask("uci", "uciok");
    engine.send_all(lines);
    engine
}

fn is_from_book(lines: &[String]) -> bool {
    lines.iter().any(|line| line.starts_with("info string book move "))
}

#[test]
fn own_book_moves_come_at_once_and_only_when_asked_for() {
    let mut engine = uci(&["position startpos"]);
    assert!(!is_from_book(&engine.ask("go depth 1", "bestmove ")));
    engine.send("setoption name OwnBook value true");
    let answer = engine.ask("go wtime 3600000 btime 3600000", "bestmove ");
    assert!(is_from_book(&answer), "{answer:?}");
    assert!(answer.iter().any(|line| line.contains(" score cp ")), "{answer:?}");
    for go in ["go depth 1 searchmoves a2a3 h2h3", "go mate 1 depth 1"] {
        assert!(!is_from_book(&engine.ask(go, "bestmove ")), "{go}");
    }
    for go in ["go infinite", "go ponder wtime 1000 btime 1000"] {
        engine.send(go);
        assert!(!is_from_book(&engine.ask("stop", "bestmove ")), "{go}");
    }
    engine.send_all(&["setoption name BookDepth value 1", "position startpos moves e2e4 e7e5"]);
    assert!(!is_from_book(&engine.ask("go depth 1", "bestmove ")));
    engine.send_all(&["setoption name BookDepth value 2"]);
    assert!(is_from_book(&engine.ask("go depth 1", "bestmove ")));
    engine.send("setoption name UCI_AnalyseMode value true");
    assert!(!is_from_book(&engine.ask("go depth 1", "bestmove ")));
}

#[test]
fn a_seed_repeats_the_choice_and_best_needs_none() {
    let choices = |options: &[&str]| {
        let mut engine = uci(&["setoption name OwnBook value true", "position startpos moves d2d4"]);
        engine.send_all(options);
        let mut last = || engine.ask("go depth 1", "bestmove ").pop();
        (0..20).map(|_| last()).collect::<Vec<_>>()
    };
    let seed = "setoption name BookSeed value 7";
    assert_eq!(choices(&[seed]), choices(&[seed]));
    assert_ne!(choices(&[seed]), choices(&["setoption name BookSeed value 8"]));
    let best = choices(&["setoption name BookVariety value best"]);
    assert!(best.iter().all(|chosen| *chosen == best[0]));
}

#[test]
fn a_bad_book_is_refused_and_the_old_one_stays() {
    let directory = tempfile::tempdir().unwrap();
    let book = small_book(directory.path());
    let bad = in_directory(directory.path(), "bad.bin", "this is no book");
    let mut engine = uci(&["setoption name OwnBook value true", "position startpos"]);
    engine.send(&format!("setoption name BookFile value {}", book.display()));
    let complaints = engine.ask(&format!("setoption name BookFile value {}", bad.display()), "info string");
    assert!(
        complaints[0].ends_with("bad.bin: ends within entry 1, after 15 of its 16 bytes"),
        "{complaints:?}"
    );
    let answer = engine.ask("go depth 1", "bestmove ");
    assert!(
        answer.contains(&"info string book move e4 (100 %), B00 King's Pawn Opening".to_owned()),
        "{answer:?}"
    );
    engine.send("position startpos moves d2d4");
    assert!(!is_from_book(&engine.ask("go depth 1", "bestmove ")));
    engine.send("setoption name BookFile value <built-in>");
    assert!(is_from_book(&engine.ask("go depth 1", "bestmove ")));
}

#[test]
fn xboard_plays_from_the_book_and_shows_it() {
    let directory = tempfile::tempdir().unwrap();
    let book = small_book(directory.path());
    let mut engine = Conversation::begin();
    engine.send("xboard");
    engine.ask("protover 2", "feature done=1");
    engine.send_all(&["new", "st 1000", "option OwnBook=1"]);
    engine.send(&format!("option BookFile={}", book.display()));
    let answer = engine.ask("usermove e2e4", "move ");
    assert!(answer.contains(&"# book move e5 (100 %), C20 Open Game".to_owned()), "{answer:?}");
    assert_eq!(answer.last().map(String::as_str), Some("move e7e5"));
    engine.send("bk");
    assert_eq!(engine.next(), "\tNf3     100 %  C40 King's Knight Opening");
    assert_eq!(engine.next(), "");
    let refused = engine.ask("option BookFile=/no/such/book.bin", "Error");
    assert!(refused[0].contains("cannot be read"), "{refused:?}");
}

/// The first Ctrl-C waits for the game being read, which here never comes; the second does not wait.
#[cfg(unix)]
#[test]
fn a_second_ctrl_c_ends_the_program_at_once() {
    use std::process::Command as Process;

    const MOST_SIGNALS: usize = 1000;
    let directory = tempfile::tempdir().expect("a directory");
    let fifo = directory.path().join("games.pgn");
    assert!(Process::new("mkfifo").arg(&fifo).status().expect("mkfifo runs").success());
    let mut child = Process::new(env!("CARGO_BIN_EXE_gardez"))
        .args(["book", "build", "-o"])
        .args([&directory.path().join("book.bin"), &fifo])
        .spawn()
        .expect("the binary starts");
    // Opened for writing when the program opens it for reading; by then it listens to Ctrl-C.
    let _writer = fs::OpenOptions::new().write(true).open(&fifo).expect("a reader");
    for _ in 0..MOST_SIGNALS {
        Process::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
        if let Some(status) = child.try_wait().expect("a child") {
            assert_eq!(status.code(), Some(130));
            return;
        }
    }
    child.kill().expect("killed");
    panic!("it still runs after {MOST_SIGNALS} signals");
}
