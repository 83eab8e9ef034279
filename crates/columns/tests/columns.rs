//! Rows of games, and directories of them.

#![forbid(unsafe_code)]

use chess::Color;
use chess::pgn::{EvalScore, Reader};
use columns::analysis::{Analysis, AnalysisError, AnalysisEvent, JournalError, Shard, Summary, run};
use columns::{GameRows, table};
use engine::StopToken;
use review::{Judgement, Reviewer, Settings};
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

const MATE: &str = r#"[Event "Mate"]
[White "A"]
[Black "?"]
[WhiteElo "1500"]
[BlackElo "?"]
[Date "2026.11.18"]
[Result "1-0"]

1. e4 {[%clk 0:05:00]} e5 2. Bc4 {[%eval 0.2]} Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

"#;
const FAULTY: &str = "[Event \"Faulty\"]\n\n1. e4 e5 2. Ke3 *\n\n";
const WITHOUT_MOVES: &str = "[Event \"None\"]\n\n1. Ke3 *\n\n";

fn settings() -> Settings {
    Settings { nodes: 300, depth: None, options: vec![("Hash".to_owned(), "1".to_owned())] }
}

#[test]
fn a_row_says_what_the_review_and_the_file_say() {
    let game = Reader::new(MATE.as_bytes()).next().expect("a game").expect("readable");
    let review = Reviewer::new(settings())
        .expect("known options")
        .review_pgn(&game, &mut |_| ControlFlow::Continue(()))
        .expect("a review");
    let rows = GameRows::reviewed(7, &game, &review);
    assert_eq!((rows.game, rows.white.as_deref(), rows.black.as_deref()), (7, Some("A"), None));
    assert_eq!((rows.white_elo, rows.black_elo), (Some(1500), None));
    assert_eq!(rows.date.as_deref(), Some("2026.11.18"));
    assert!(rows.opening.is_some());
    assert_eq!(rows.moves.len(), 7);
    assert_eq!(rows.moves[0].clock, Some(Duration::from_secs(300)));
    assert_eq!((rows.moves[0].ply, rows.moves[0].side), (1, Color::White));
    let blunder = rows.moves[5].judged.as_ref().expect("a judgement");
    assert_eq!((&rows.moves[5].san[..], &rows.moves[5].uci[..]), ("Nf6", "g8f6"));
    assert_eq!(blunder.judgement, Some(Judgement::Blunder));
    assert_eq!(blunder.error.map(coach::ErrorKind::code), Some("allowedMate"));
    assert!(blunder.best.as_ref().is_some_and(|best| best != "g8f6"));
    let mate = rows.moves[6].score.expect("a value").score;
    assert_eq!(mate, EvalScore::Mate(0));

    let unjudged = GameRows::of_game(7, &game);
    assert_eq!(unjudged.moves[2].score.map(|score| score.score), Some(EvalScore::Centipawns(20)));
    assert!(unjudged.moves.iter().all(|row| row.judged.is_none()));
    let mut builder = table::TableBuilder::new();
    builder.push(&rows);
    builder.push(&unjudged);
    let table = builder.finish().expect("columns that fit");
    assert_eq!((table.num_rows(), table.schema()), (14, table::schema()));
    assert_eq!(table.column_by_name("judgement").map(|column| column.null_count()), Some(13));
    assert!(builder.is_empty());
}

fn analysis(directory: &Path, out: &str) -> Analysis {
    let input = directory.join("games.pgn");
    fs::write(&input, [MATE, FAULTY, MATE, WITHOUT_MOVES, MATE, FAULTY, FAULTY].concat())
        .expect("a directory to write to");
    Analysis {
        input,
        directory: directory.join(out),
        settings: settings(),
        part_bytes: 100,
        shard: Shard::WHOLE,
        concurrency: NonZeroUsize::MIN,
        overwrite: false,
    }
}

/// The Parquet files of a directory.
fn files(analysis: &Analysis) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(&analysis.directory).expect("a directory");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let tables = paths.filter(|path| path.extension().is_some_and(|extension| extension == "parquet"));
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    tables.map(|path| (name(&path), fs::read(&path).expect("a file"))).collect()
}

fn finish(analysis: &Analysis) -> Summary {
    let (summary, is_complete) = run(analysis, &StopToken::new(), |_| {}).expect("files that can be written");
    assert!(is_complete);
    summary
}

#[test]
fn shares_threads_and_interruptions_make_no_difference() {
    let directory = tempfile::tempdir().expect("a directory");
    let whole = analysis(directory.path(), "whole");
    let mut faults = Vec::new();
    let (summary, is_complete) = run(&whole, &StopToken::new(), |news| {
        if let AnalysisEvent::Fault(fault) = news {
            faults.push((fault.game, fault.line));
        }
    })
    .expect("files that can be written");
    assert!(is_complete);
    assert_eq!((summary.games, summary.faulty, summary.rows), (7, 1, 3 * 7 + 3 * 2));
    assert_eq!(faults, [(2, 13), (4, 27), (6, 41), (7, 45)]);
    let expected = files(&whole);
    assert_eq!(expected.len() as u64, summary.parts);
    assert!(expected.len() > 3 && expected.values().all(|file| file.starts_with(b"PAR1")));

    for count in [2, 3, 7] {
        let mut rows = 0;
        let mut shared = analysis(directory.path(), &format!("shared-{count}"));
        for number in 1..=count {
            shared.shard = format!("{number}/{count}").parse().expect("a share");
            rows += finish(&shared).rows;
        }
        assert_eq!(rows, summary.rows);
        assert!(files(&shared) == expected, "{count} shares");
    }
    for enough in 1..=5 {
        let resumed = Analysis {
            concurrency: NonZeroUsize::new(2).expect("not zero"),
            ..analysis(directory.path(), &format!("resumed-{enough}"))
        };
        let (stop, mut games) = (StopToken::new(), 0);
        let stopped = run(&resumed, &stop, |news| {
            games += u64::from(matches!(news, AnalysisEvent::Game));
            if games == enough {
                stop.stop();
            }
        });
        let (_, is_complete) = stopped.expect("files that can be written");
        assert!(!is_complete);
        assert_eq!(finish(&resumed), summary);
        assert!(files(&resumed) == expected, "stopped after {enough}");
    }
}

#[test]
fn finished_and_other_work_is_left_alone() {
    let directory = tempfile::tempdir().expect("a directory");
    let first = analysis(directory.path(), "out");
    let stop = StopToken::new();
    run(&first, &stop, |news| {
        if let AnalysisEvent::Bytes(..) = news {
            stop.stop();
        }
    })
    .expect("files that can be written");
    let other = Analysis { settings: Settings { nodes: 301, ..settings() }, ..first.clone() };
    let refused = run(&other, &StopToken::new(), |_| {});
    assert!(matches!(refused, Err(AnalysisError::Output(JournalError::OtherWork { .. }))), "{refused:?}");
    finish(&first);
    let refused = run(&first, &StopToken::new(), |_| {});
    assert!(matches!(refused, Err(AnalysisError::Output(JournalError::Exists { .. }))), "{refused:?}");
    let coarse = Analysis { part_bytes: 10_000, overwrite: true, ..first };
    finish(&coarse);
    assert_eq!(files(&coarse).len(), 1, "nothing of the finer parts is left");
}

#[test]
fn shares_are_read_strictly() {
    assert_eq!("1/1".parse(), Ok(Shard::WHOLE));
    for text in ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
}
