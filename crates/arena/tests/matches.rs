//! Matches of Gardez against itself: files, resuming after an interruption, and the sequential test.

use arena::plan::{Plan, PlannedPlayer};
use arena::report::Summary;
use arena::session::{self, Existing, JournalError, News, Paths};
use arena::standings::Standings;
use arena::stats::sprt::{Sprt, Verdict};
use arena::tournament::End;
use chess::{GameResult, pgn};
use engine::StopToken;
use std::fs;
use std::num::NonZeroUsize;
use tempfile::TempDir;

fn paths(directory: &TempDir) -> Paths {
    Paths::next_to(Some(&directory.path().join("games.pgn")))
}

fn directory() -> TempDir {
    TempDir::new().expect("a temporary directory")
}

fn plan(second: &str, games: usize) -> Plan {
    Plan {
        players: ["gardez:Hash=1", second].map(PlannedPlayer::from_spec).into(),
        games: Some(games),
        limit: "nodes=50".parse().ok(),
        openings: Some("chess960".to_owned()),
        max_moves: Some(10),
        concurrency: NonZeroUsize::new(2),
        // Nodes are counted, so that a slow machine changes nothing.
        hang: Some(600_000),
        ..Plan::default()
    }
}

fn run(
    plan: &Plan,
    paths: &Paths,
    existing: Existing,
    stop: &StopToken,
    observe: impl FnMut(&News<'_>),
) -> Result<(Standings, End), JournalError> {
    let tournament = plan.prepare(stop).unwrap_or_else(|error| panic!("{error}"));
    session::run(plan, &tournament, paths, existing, stop, observe)
}

/// The games of a file by round and players, with their moves.
fn games(paths: &Paths) -> Vec<(String, String, String)> {
    let text = fs::read_to_string(paths.pgn.as_ref().expect("a file of games")).expect("written");
    let mut games: Vec<_> = pgn::Reader::new(text.as_bytes())
        .map(|game| {
            let game = game.expect("complete games");
            let tag = |name| game.tags.get(name).expect("a tag").to_owned();
            let moves: Vec<String> = game.moves().map(|mv| format!("{mv:?}")).collect();
            (tag("Round"), tag("White"), moves.join(" "))
        })
        .collect();
    games.sort();
    games
}

#[test]
fn an_interrupted_match_goes_on_and_ends_the_same() {
    let (whole, broken) = (directory(), directory());
    let plan = plan("gardez:Hash=2", 8);
    let (expected, end) =
        run(&plan, &paths(&whole), Existing::Refuse, &StopToken::new(), |_| {}).expect("a match");
    assert_eq!((end, expected.games().len()), (End::Complete, 8));

    let stop = StopToken::new();
    let signal = stop.clone();
    let (part, end) = run(&plan, &paths(&broken), Existing::Refuse, &stop, |news| {
        if news.played_now == 3 {
            signal.stop();
        }
    })
    .expect("a match");
    assert_eq!(end, End::Interrupted);
    assert!((3..8).contains(&part.games().len()), "{}", part.games().len());
    assert_eq!(games(&paths(&broken)).len(), part.games().len());

    // As if the program had been killed while it wrote.
    for path in [paths(&broken).pgn, paths(&broken).state].into_iter().flatten() {
        let mut text = fs::read_to_string(&path).expect("written");
        text.push_str("[Event \"cut");
        fs::write(&path, text).expect("written");
    }
    let again = run(&plan, &paths(&broken), Existing::Refuse, &StopToken::new(), |_| {});
    assert!(matches!(again, Err(JournalError::Exists { .. })));
    let (standings, end) =
        run(&plan, &paths(&broken), Existing::Resume, &StopToken::new(), |_| {}).expect("a match");
    assert_eq!(end, End::Complete);
    assert_eq!(standings.tally(0), expected.tally(0));
    assert_eq!(games(&paths(&broken)), games(&paths(&whole)));
}

#[test]
fn a_state_belongs_to_one_match() {
    let directory = directory();
    let stop = StopToken::new();
    run(&plan("gardez:Hash=2", 2), &paths(&directory), Existing::Refuse, &stop, |_| {}).expect("a match");
    let other = run(&plan("gardez:Hash=3", 2), &paths(&directory), Existing::Resume, &stop, |_| {});
    assert!(matches!(other, Err(JournalError::OtherWork { .. })));
    let (more, _) =
        run(&plan("gardez:Hash=2", 4), &paths(&directory), Existing::Resume, &stop, |_| {}).expect("a match");
    assert_eq!(more.games().len(), 4);
    let (fresh, _) = run(&plan("gardez:Hash=3", 2), &paths(&directory), Existing::Overwrite, &stop, |_| {})
        .expect("a match");
    assert_eq!(fresh.games().len(), 2);
    assert_eq!(games(&paths(&directory)).len(), 2);
}

/// The file of games used to be lengthened with zero bytes to what the state said.
#[test]
fn regression_resume_pads_a_short_file_of_games_with_nul_bytes() {
    let (whole, short) = (directory(), directory());
    let stop = StopToken::new();
    let plan = plan("gardez:Hash=2", 4);
    for directory in [&whole, &short] {
        run(&plan, &paths(directory), Existing::Refuse, &stop, |_| {}).expect("a match");
    }
    let pgn = paths(&short).pgn.expect("a path");
    let text = fs::read_to_string(&pgn).expect("written");
    fs::write(&pgn, &text[..text.len() * 2 / 3]).expect("written");
    let mut played_again = 0;
    let (standings, end) =
        run(&plan, &paths(&short), Existing::Resume, &stop, |_| played_again += 1).expect("a match");
    assert_eq!((end, standings.games().len()), (End::Complete, 4));
    assert!((1..4).contains(&played_again), "{played_again}");
    assert!(!fs::read(&pgn).expect("written").contains(&0));
    assert_eq!(games(&paths(&short)), games(&paths(&whole)));
}

/// Two processes used to write into the same files.
#[test]
fn regression_a_match_in_progress_is_not_locked() {
    let directory = directory();
    let stop = StopToken::new();
    let plan = plan("gardez:Hash=2", 2);
    let mut refused = 0;
    run(&plan, &paths(&directory), Existing::Refuse, &stop, |_| {
        for existing in [Existing::Resume, Existing::Overwrite] {
            let second = run(&plan, &paths(&directory), existing, &stop, |_| {});
            assert!(matches!(second, Err(JournalError::InUse(_))));
            refused += 1;
        }
    })
    .expect("a match");
    assert_eq!(refused, 4);
    assert_eq!(games(&paths(&directory)).len(), 2);
}

/// Resuming without the state used to empty the file of games.
#[test]
fn regression_resume_without_a_state_empties_the_file_of_games() {
    let directory = directory();
    let stop = StopToken::new();
    let plan = plan("gardez:Hash=2", 2);
    run(&plan, &paths(&directory), Existing::Refuse, &stop, |_| {}).expect("a match");
    fs::remove_file(paths(&directory).state.expect("a path")).expect("removed");
    let resumed = run(&plan, &paths(&directory), Existing::Resume, &stop, |_| {});
    assert!(matches!(resumed, Err(JournalError::Exists { .. })));
    assert_eq!(games(&paths(&directory)).len(), 2);
}

#[test]
fn games_are_written_with_what_the_players_thought() {
    let directory = directory();
    run(&plan("gardez:Hash=2", 2), &paths(&directory), Existing::Refuse, &StopToken::new(), |_| {})
        .expect("a match");
    let text = fs::read_to_string(paths(&directory).pgn.expect("a path")).expect("written");
    for game in pgn::Reader::new(text.as_bytes()) {
        let game = game.expect("complete games");
        assert_eq!(game.tags.get("Variant"), Some("Chess960"));
        assert_eq!(game.tags.get("TimeControl"), Some("nodes=50"));
        assert_ne!(game.result(), GameResult::Unfinished);
        for node in &game.line.moves {
            let comment = node.comments.first().expect("a comment on every move");
            assert!(comment.eval.is_some_and(|eval| eval.depth.is_some()) && comment.elapsed.is_some());
            assert!(comment.text.ends_with(" nodes"), "{}", comment.text);
        }
    }
}

#[test]
fn a_clear_match_ends_by_itself() {
    let mut plan = plan("gardez:Hash=2,@depth=1", 1000);
    plan.players[0].limit = "nodes=2000".parse().ok();
    plan.max_moves = None;
    plan.sprt = Sprt::new(0.0, 200.0, 0.05, 0.05).ok();
    let stop = StopToken::new();
    let tournament = plan.prepare(&stop).unwrap_or_else(|error| panic!("{error}"));
    let (standings, end) = run(&plan, &Paths::default(), Existing::Refuse, &stop, |_| {}).expect("a match");
    assert_eq!(end, End::Decided(Verdict::Alternative));
    assert!(standings.games().len() < 500);
    let summary = Summary::new(&tournament, &standings);
    assert!(summary.complete);
    let json = serde_json::to_value(&summary).expect("plain data");
    assert_eq!(json["sprt"]["verdict"], "alternative");
    assert_eq!(json["players"][1]["limit"], "depth=1");
    assert_eq!(json["encounters"][0]["players"], serde_json::json!([0, 1]));
}

#[test]
fn node_time_and_move_periods_are_played() {
    let mut plan = plan("gardez:Hash=2", 2);
    plan.limit = "tc=3/0.03+0.001,nodestime=1000".parse().ok();
    let (standings, end) =
        run(&plan, &Paths::default(), Existing::Refuse, &StopToken::new(), |_| {}).expect("a match");
    assert_eq!(end, End::Complete);
    let incidents: Vec<_> = standings.games().iter().filter_map(|game| game.incident.as_ref()).collect();
    assert!(incidents.is_empty(), "{incidents:?}");
    assert!(standings.effort(0).nodes > 0);
}
