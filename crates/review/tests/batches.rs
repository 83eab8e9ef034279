//! Files of games: order, faults, interruptions.

#![forbid(unsafe_code)]

mod common;

use common::{GAMES, check_markup};
use engine::StopToken;
use review::Settings;
use review::annotate::Style;
use review::batch::{Batch, BatchError, BatchEvent, JournalError, Summary, run};
use std::cell::Cell;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

fn batch(directory: &Path, concurrency: usize) -> Batch {
    let input = directory.join("games.pgn");
    fs::write(&input, GAMES).expect("a directory to write to");
    let options = vec![("Hash".to_owned(), "1".to_owned())];
    Batch {
        input,
        pgn: directory.join("out.pgn"),
        json: Some(directory.join("out.json")),
        report: Some(directory.join("out.html")),
        settings: Settings { nodes: 200, depth: None, options },
        style: Style { annotator: "Gardez".to_owned(), ..Style::default() },
        concurrency: NonZeroUsize::new(concurrency).expect("not zero"),
        overwrite: false,
    }
}

fn finish(batch: &Batch) -> Summary {
    run(batch, &StopToken::new(), |_| {}).expect("files that can be written")
}

/// Everything that was written, and nothing else left.
fn outputs(directory: &Path) -> [String; 3] {
    assert!(!directory.join("out.pgn.state").exists());
    ["out.pgn", "out.json", "out.html"].map(|name| fs::read_to_string(directory.join(name)).expect("a text"))
}

fn at_once() -> [String; 3] {
    let directory = tempfile::tempdir().expect("a directory");
    finish(&batch(directory.path(), 1));
    outputs(directory.path())
}

#[test]
fn a_fault_is_reported_and_costs_the_rest_of_its_game() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut faults = Vec::new();
    let summary = run(&batch(directory.path(), 2), &StopToken::new(), |news| {
        if let BatchEvent::Fault(fault) = news {
            faults.push((fault.game, fault.line, fault.to_string()));
        }
    });
    let complete = Summary { games: 5, faulty: 0, is_complete: true };
    assert_eq!(summary.expect("files that can be written"), complete);
    assert_eq!(faults.len(), 1);
    assert_eq!((faults[0].0, faults[0].1), (3, 21));
    let [pgn, json, html] = outputs(directory.path());
    let games: Vec<_> = chess::pgn::Reader::new(pgn.as_bytes()).map(|game| game.expect("readable")).collect();
    let events: Vec<_> = games.iter().filter_map(|game| game.tags.get("Event")).collect();
    assert_eq!(events, ["Café", "Mate", "Faulty", "Drawn", "End game"]);
    let records: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(records.iter().map(|record| record["game"].as_u64()).eq((1..=5).map(Some)));
    assert_eq!(records[2]["faults"][0], faults[0].2);
    assert_eq!(records[2]["moves"].as_array().map(Vec::len), Some(2));
    check_markup(&html);
    assert_eq!(html.matches("<svg xmlns").count(), 5);
}

#[test]
fn games_at_a_time_make_no_difference() {
    let directory = tempfile::tempdir().expect("a directory");
    finish(&batch(directory.path(), 3));
    assert_eq!(outputs(directory.path()), at_once());
}

#[test]
fn stopped_after_any_game_it_resumes() {
    let whole = at_once();
    for enough in 1..=4 {
        let directory = tempfile::tempdir().expect("a directory");
        let batch = batch(directory.path(), 1 + enough % 2);
        let stop = StopToken::new();
        let summary = run(&batch, &stop, |news| {
            if let BatchEvent::Bytes(..) = news
                && fs::read_to_string(batch.json.clone().expect("a file")).expect("text").lines().count()
                    >= enough
            {
                stop.stop();
            }
        });
        let summary = summary.expect("files that can be written");
        let done = summary.games;
        assert!(done >= enough as u64);
        if summary.is_complete {
            // The last games had been waiting for the one after which it was stopped.
            assert_eq!(outputs(directory.path()), whole);
            continue;
        }
        let resumed_at = Cell::new(0);
        let reviewed = Cell::new(0);
        run(&batch, &StopToken::new(), |news| match news {
            BatchEvent::Resumed { games, .. } => resumed_at.set(games),
            BatchEvent::Reviewed(_) | BatchEvent::Faulty(_) => reviewed.set(reviewed.get() + 1),
            BatchEvent::Fault(_) | BatchEvent::Bytes(..) => {}
        })
        .expect("files that can be written");
        assert_eq!((resumed_at.get(), reviewed.get()), (done, 5 - done));
        assert_eq!(outputs(directory.path()), whole);
    }
}

/// Whatever a crash leaves of the files, they come out whole.
#[test]
fn torn_anywhere_it_resumes() {
    let whole = at_once();
    let directory = tempfile::tempdir().expect("a directory");
    let batch = batch(directory.path(), 1);
    let stop = StopToken::new();
    run(&batch, &stop, |news| {
        if let BatchEvent::Reviewed(record) = news
            && record.game == 4
        {
            stop.stop();
        }
    })
    .expect("files that can be written");
    let names = ["out.pgn", "out.json", "out.html", "out.pgn.state"];
    let kept = names.map(|name| fs::read(directory.path().join(name)).expect("a file"));
    for torn in 0..names.len() {
        for part in 0..5 {
            for (name, bytes) in names.iter().zip(&kept) {
                fs::write(directory.path().join(name), bytes).expect("a file");
            }
            let length = kept[torn].len() * part / 5 + part;
            fs::write(directory.path().join(names[torn]), &kept[torn][..length]).expect("a file");
            finish(&batch);
            assert_eq!(outputs(directory.path()), whole, "{} cut at {length}", names[torn]);
        }
    }
    // Written, but not noted any more.
    for (name, bytes) in names.iter().zip(&kept) {
        let tail: &[u8] = if name.ends_with("state") { b"{\"games\":9" } else { b"half a game" };
        fs::write(directory.path().join(name), [bytes, tail].concat()).expect("a file");
    }
    finish(&batch);
    assert_eq!(outputs(directory.path()), whole);
}

#[test]
fn other_peoples_files_are_left_alone() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut batch = batch(directory.path(), 1);
    fs::write(&batch.pgn, "precious").expect("a file");
    let refused = run(&batch, &StopToken::new(), |_| {});
    assert!(
        matches!(refused, Err(BatchError::Output(JournalError::Exists { path, .. })) if path == batch.pgn)
    );
    assert_eq!(fs::read_to_string(&batch.pgn).expect("text"), "precious");

    batch.overwrite = true;
    let stop = StopToken::new();
    stop.stop();
    run(&batch, &stop, |_| {}).expect("files that can be written");
    batch.overwrite = false;
    let other = Batch { settings: Settings { nodes: 300, ..batch.settings.clone() }, ..batch.clone() };
    let refused = run(&other, &StopToken::new(), |_| {});
    assert!(matches!(refused, Err(BatchError::Output(JournalError::OtherWork { .. }))));
    finish(&batch);

    let onto_itself = Batch { pgn: batch.input.clone(), overwrite: true, ..batch.clone() };
    assert!(matches!(run(&onto_itself, &StopToken::new(), |_| {}), Err(BatchError::SameFile(_))));
    assert_eq!(fs::read_to_string(&batch.input).expect("text"), GAMES);
}

#[test]
fn a_directory_holds_a_page_for_each_game() {
    let directory = tempfile::tempdir().expect("a directory");
    let report = directory.path().join("report");
    finish(&Batch { report: Some(report.clone()), json: None, ..batch(directory.path(), 2) });
    let read = |name: &str| fs::read_to_string(report.join(name)).expect("a text");
    check_markup(&read("index.html"));
    for number in 1..=5 {
        let name = format!("game-{number:06}");
        assert!(read("index.html").contains(&format!("{name}.html")));
        check_markup(&read(&format!("{name}.html")));
        check_markup(&read(&format!("{name}.svg")));
    }
    assert!(read("index.html").contains("In the next game: game 3, line 21, "));
}

#[test]
fn a_game_of_which_nothing_can_be_read_is_left_out() {
    let directory = tempfile::tempdir().expect("a directory");
    let batch = batch(directory.path(), 1);
    fs::write(&batch.input, "[FEN \"nonsense\"]\n\n1. e4 *\n\n[White \"A\"]\n\n1. d4 *\n").expect("a file");
    assert_eq!(finish(&batch), Summary { games: 2, faulty: 1, is_complete: true });
    let [pgn, json, html] = outputs(directory.path());
    assert_eq!(chess::pgn::Reader::new(pgn.as_bytes()).count(), 1);
    assert!(
        json.lines()
            .next()
            .is_some_and(|line| line.contains("\"error\":\"game 1, line 1, column 1: the FEN tag"))
    );
    assert!(html.contains("<p>Left out: game 1"));
}
