//! Whatever an engine does, the match continues and reports what happened.

use arena::game_runner::{GameConditions, IncidentKind, Played};
use arena::openings::{Opening, Openings};
use arena::schedule::Format;
use arena::standings::Standings;
use arena::stats::Tally;
use arena::tournament::{self, End, EntryError, Tournament};
use engine::StopToken;
use players::{AdjudicationRules, PlayerSpec};
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::time::Duration;

/// A net under the tests: no engine that answers at all takes this long.
const PATIENT: Duration = Duration::from_secs(30);
/// For engines that never answer.
const IMPATIENT: Duration = Duration::from_millis(200);

fn fake(arguments: &str) -> PlayerSpec {
    let program = env!("CARGO_BIN_EXE_fake-engine");
    let protocol = arguments.split(' ').next().unwrap_or_default();
    format!("{protocol}:'{program}' {arguments}")
        .parse()
        .unwrap_or_else(|error| panic!("{arguments}: {error}"))
}

fn tournament(players: &[&str], limit: &str, patience: Duration, games: usize) -> Tournament {
    let mut specs: Vec<PlayerSpec> = players.iter().map(|arguments| fake(arguments)).collect();
    // The good engine has time enough on any machine.
    specs[0].limit = "tc=60+1".parse().ok();
    let limit = limit.parse().expect("a limit");
    let entrants = tournament::register(specs, Some(limit), PATIENT, &StopToken::new());
    Tournament {
        entrants: entrants.unwrap_or_else(|error| panic!("{error}")),
        format: Format::RoundRobin,
        games_each: games,
        openings: Openings::from(Opening::start()),
        conditions: GameConditions {
            rules: AdjudicationRules { max_moves: Some(4), ..AdjudicationRules::default() },
            margin: Duration::ZERO,
            patience,
        },
        patience: PATIENT,
        concurrency: NonZeroUsize::MIN,
        sprt: None,
    }
}

fn run(tournament: &Tournament) -> (Standings, Vec<Played>) {
    let mut standings = Standings::default();
    let mut games = Vec::new();
    let end = tournament.run(&mut standings, &StopToken::new(), |finished| {
        games.push(finished.played.clone());
        Ok::<(), Infallible>(())
    });
    assert_eq!(end, Ok(End::Complete));
    (standings, games)
}

/// Plays four games of a good engine against a bad one, and checks that each is lost in the same way.
fn expect(bad: &str, limit: &str, patience: Duration, kind: IncidentKind, words: &[&str]) {
    let (standings, games) = run(&tournament(&["uci good", bad], limit, patience, 4));
    assert_eq!(standings.tally(0), Tally { wins: 4, draws: 0, losses: 0 }, "{bad}");
    assert_eq!(standings.incidents(0), 0, "{bad}");
    assert_eq!(standings.incidents(1), 4, "{bad}");
    for game in games {
        let incident = game.incident.expect("every game has one");
        assert_eq!(incident.kind, kind, "{bad}: {}", incident.text);
        for word in words {
            let is_reported = incident.text.contains(word) || incident.dialogue.contains(word);
            assert!(is_reported, "{bad}: no '{word}' in\n{}\n{}", incident.text, incident.dialogue);
        }
    }
}

#[test]
fn silent_engines() {
    expect("uci silent 1", "depth=1", IMPATIENT, IncidentKind::Hang, &["has not answered", " depth 1"]);
    expect("xboard silent 1", "depth=1", IMPATIENT, IncidentKind::Hang, &["> usermove"]);
}

#[test]
fn slow_engines() {
    expect("uci slow 1", "tc=0.02", PATIENT, IncidentKind::TimeForfeit, &["exceeded its time by"]);
    expect("xboard slow 1", "tc=0.02", PATIENT, IncidentKind::TimeForfeit, &["< move"]);
    expect("uci slow 1", "movetime=10", PATIENT, IncidentKind::TimeForfeit, &["< bestmove"]);
}

#[test]
fn illegal_moves() {
    expect("uci illegal 1", "depth=1", PATIENT, IncidentKind::IllegalMove, &["a1h8 is not legal"]);
    expect("uci nonsense 1", "depth=1", PATIENT, IncidentKind::IllegalMove, &["\"castle!\" is not a move"]);
    expect(
        "uci null",
        "depth=1",
        PATIENT,
        IncidentKind::IllegalMove,
        &["it sees no move", "< bestmove 0000"],
    );
    expect("xboard illegal 1", "depth=1", PATIENT, IncidentKind::IllegalMove, &["< move a1h8"]);
}

#[test]
fn crashing_engines() {
    expect("uci crash 1", "depth=1", PATIENT, IncidentKind::Crash, &["exit status: 3", "! about to divide"]);
    expect("xboard crash 2", "depth=1", PATIENT, IncidentKind::Crash, &["exit status: 3"]);
    expect("uci abort", "depth=1", PATIENT, IncidentKind::Crash, &["SIGABRT"]);
}

#[test]
fn flooding_engines() {
    expect("uci flood 1", "depth=1", IMPATIENT, IncidentKind::Hang, &["lines before", "I think"]);
    expect("xboard flood 1", "depth=1", IMPATIENT, IncidentKind::Hang, &["I think"]);
    let (standings, _) = run(&tournament(&["uci good", "uci talk"], "depth=1", PATIENT, 2));
    assert_eq!(standings.tally(1), Tally { wins: 0, draws: 2, losses: 0 });
}

#[test]
fn false_claims() {
    expect("xboard claim 1", "depth=1", PATIENT, IncidentKind::FalseClaim, &["1/2-1/2 {Draw by repetition}"]);
    expect("xboard refuse 1", "depth=1", PATIENT, IncidentKind::FalseClaim, &["Illegal move: e2e4"]);
}

#[test]
fn an_engine_that_gives_up_loses_without_incident() {
    let (standings, games) = run(&tournament(&["uci good", "xboard resign 1"], "depth=1", PATIENT, 2));
    assert_eq!(standings.tally(1), Tally { wins: 0, draws: 0, losses: 2 });
    assert_eq!(standings.incidents(1), 0);
    assert!(games.iter().any(|game| game.outcome.to_string() == "Black resigns"));
}

#[test]
fn engines_that_die_at_once_are_refused_before_the_match() {
    for (arguments, words) in
        [("uci dead", "exit status: 7"), ("uci dead", "no licence found"), ("uci mute", "> uci")]
    {
        let patience = if arguments == "uci mute" { IMPATIENT } else { PATIENT };
        let limit = "depth=1".parse().ok();
        let entry = tournament::register(vec![fake(arguments)], limit, patience, &StopToken::new());
        let error = entry.expect_err("it cannot play");
        assert!(matches!(error, EntryError::Start { number: 1, .. }));
        assert!(error.to_string().contains(words), "{error}");
    }
    let entry = tournament::register(
        vec!["uci:/nowhere/engine".parse().expect("a spec")],
        "depth=1".parse().ok(),
        PATIENT,
        &StopToken::new(),
    );
    assert!(entry.expect_err("no such program").to_string().contains("/nowhere/engine"));
}

#[test]
fn options_must_exist() {
    let with = |option: &str| {
        let mut spec = fake("uci good");
        spec.options.push((option.to_owned(), "1".to_owned()));
        tournament::register(vec![spec], "depth=1".parse().ok(), PATIENT, &StopToken::new())
    };
    assert!(with("hash").is_ok());
    assert!(with("Colour").expect_err("no such option").to_string().contains("it has no option 'Colour'"));
}

#[test]
fn good_engines_of_all_kinds_play_to_the_end() {
    let players = ["uci good", "xboard good", "xboard old"];
    let mut tournament = tournament(&players, "tc=60+1", PATIENT, 2);
    tournament.concurrency = NonZeroUsize::new(2).expect("not zero");
    let names: Vec<_> = tournament.entrants.iter().map(|entrant| &entrant.name[..]).collect();
    assert_eq!(names, ["Fake", "Fake X", "fake-engine"]);
    let (standings, games) = run(&tournament);
    assert_eq!(standings.games().len(), 6);
    for game in &games {
        assert_eq!(game.incident, None);
        assert_eq!(game.game.ply(), 8);
        assert_eq!(game.notes.len(), 8);
    }
    assert_eq!(standings.effort(0).nodes, 34 * standings.effort(0).moves);
}

#[test]
fn a_stop_ends_the_match_at_once() {
    let tournament = tournament(&["uci good", "uci silent 2"], "depth=1", PATIENT, 1000);
    let stop = StopToken::new();
    let mut standings = Standings::default();
    let ending = stop.clone();
    // The second game never gets to its end: its second move waits for ever.
    let helper = std::thread::spawn(move || ending.stop());
    let end = tournament.run(&mut standings, &stop, |_| Ok::<(), Infallible>(()));
    assert_eq!(end, Ok(End::Interrupted));
    assert_eq!(standings.games().len(), 0);
    assert!(helper.join().is_ok());
}
