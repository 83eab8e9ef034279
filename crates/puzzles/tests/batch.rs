//! Whole files: the same puzzles whatever the number of threads and wherever the work was interrupted.

use engine::StopToken;
use puzzles::batch::{self, Batch, BatchEvent, Done};
use puzzles::check::{Checker, Verdict};
use puzzles::csv::{self, Columns};
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

/// A mate that is missed, twice; a queen that is lost to a fork; a game of Chess960.
const GAMES: &str = r#"
[Site "https://games.example/first"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. d3 Nxh5 0-1

[Site "somewhere"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Nf3 Nxh5 0-1

[SetUp "1"]
[FEN "q5k1/5ppp/8/8/2N5/8/5PPP/6K1 b - - 0 1"]

1... Qd5 2. Nb6 Qa5 *

[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"]

1. e4 *
"#;

const NODES: u64 = 4_000;

fn work(directory: &Path, name: &str, concurrency: usize) -> Batch {
    let input = directory.join("games.pgn");
    fs::write(&input, GAMES).expect("written");
    let concurrency = NonZeroUsize::new(concurrency).expect("a thread");
    Batch { input, output: directory.join(name), nodes: NODES, concurrency, overwrite: false }
}

#[test]
fn interruptions_and_threads_change_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let whole = work(directory.path(), "whole.csv", 2);
    let summary = batch::run(&whole, &StopToken::new(), |_| {}).expect("done");
    assert!(summary.is_complete);
    let Done { games, left_out, puzzles } = summary.done;
    assert_eq!((games, left_out), (4, 1));
    let text = fs::read_to_string(&whole.output).expect("written");
    let mut rows = text.lines();
    let columns = Columns::read(rows.next().expect("a heading")).expect("columns");
    let rows: Vec<csv::Row> = rows.map(|row| columns.row(row).expect("a puzzle")).collect();
    assert_eq!(rows.len() as u64, puzzles);
    // The mistake of the second game is that of the first, and the same puzzle.
    let mates: Vec<_> = rows.iter().filter(|row| row.themes.contains(&"mateIn1".to_owned())).collect();
    assert_eq!(mates.len(), 1, "{text}");
    assert!(text.contains("https://games.example/first#6"), "{text}");
    assert!(!text.contains("somewhere"));

    let broken = work(directory.path(), "broken.csv", 1);
    let mut runs = 0;
    loop {
        let stop = StopToken::new();
        let summary = batch::run(&broken, &stop, |event| {
            if matches!(event, BatchEvent::Progress(..)) {
                stop.stop();
            }
        });
        runs += 1;
        if summary.expect("done").is_complete {
            break;
        }
        assert!(runs < 10, "every run does a game");
    }
    assert!(runs > 1);
    assert_eq!(fs::read_to_string(&broken.output).expect("written"), text);
    assert!(!directory.path().join("broken.csv.state").exists());
}

#[test]
fn games_are_never_written_over() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut work = work(directory.path(), "games.pgn", 1);
    work.overwrite = true;
    assert!(batch::run(&work, &StopToken::new(), |_| {}).is_err());
    assert_eq!(fs::read_to_string(&work.input).expect("there"), GAMES);
}

#[test]
fn a_check_finds_what_is_no_puzzle() {
    let columns = Columns::read("FEN,Moves").expect("columns");
    let mut checker = Checker::new(NODES, &StopToken::new()).expect("an engine");
    let mut verdict =
        |row: &str| checker.check(&columns.row(row).expect("a puzzle").line).expect("an answer");
    // The rook on a8 hangs, and nothing else wins.
    let hanging = "r3k3/8/8/8/4n3/8/6PP/R6K b - - 0 1";
    assert_eq!(verdict(&format!("{hanging},e4c3 a1a8")), Verdict::Confirmed);
    assert_eq!(verdict(&format!("{hanging},e4c3 a1c1")), Verdict::OtherMove(0));
    let start = chess::START_FEN;
    assert_ne!(verdict(&format!("{start},e2e4 e7e5")), Verdict::Confirmed);
}
