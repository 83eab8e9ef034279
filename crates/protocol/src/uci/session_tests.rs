use crate::testing::{Call, Talk, finished, line, usage};
use chess::START_FEN;
use engine::{Clock, Event, Limits, Outcome, Score, SearchError, wdl};
use std::time::Duration;

fn score(centipawns: i32) -> Score {
    Score::evaluation(wdl::units(centipawns))
}

fn lines(talk: &mut Talk, depth: i32, moves: &str) -> Vec<String> {
    talk.event(Event::Lines(vec![line(START_FEN, 1, depth, score(20), moves)], usage(depth)))
}

#[test]
fn introduces_itself_only_when_asked() {
    let mut talk = Talk::new();
    assert_eq!(talk.say(""), [""; 0]);
    let answer = talk.say("uci");
    assert!(answer[0].starts_with("id name Gardez "), "{answer:?}");
    assert!(answer[1].starts_with("id author "));
    assert_eq!(answer.last().map(String::as_str), Some("uciok"));
    assert!(answer.contains(&"option name Move Overhead type spin default 20 min 0 max 10000".to_owned()));
    assert!(answer.contains(&"option name UCI_ShowWDL type check default false".to_owned()));
}

#[test]
fn a_search_from_go_to_bestmove() {
    let mut talk = Talk::new();
    talk.say_all(&["uci", "position startpos moves e2e4", "go wtime 1000 btime 2000 winc 10 movestogo 5"]);
    let calls = talk.calls();
    let limits = Limits {
        clocks: [
            Some(Clock { left_ms: 1000, increment_ms: 10 }),
            Some(Clock { left_ms: 2000, increment_ms: 0 }),
        ],
        moves_to_go: Some(5),
        ..Limits::default()
    };
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(calls, [Call::SetGame(fen.into()), Call::Go(limits)]);
    let line = line(fen, 1, 3, score(-15), "e7e5 g1f3");
    assert_eq!(
        talk.event(Event::Lines(vec![line.clone()], usage(3))),
        ["info depth 3 seldepth 5 multipv 1 score cp -15 nodes 3000 nps 100000 hashfull 1 tbhits 0 time 30 \
          pv e7e5 g1f3"]
    );
    assert_eq!(talk.event(finished(line)), ["bestmove e7e5 ponder g1f3"]);
    assert_eq!(talk.say("stop"), [""; 0]);
    assert_eq!(talk.calls(), []);
}

#[test]
fn a_score_always_comes_before_the_move() {
    let mut talk = Talk::new();
    talk.say("go nodes 1");
    let answer = talk.event(finished(line(START_FEN, 1, 1, score(7), "e2e4")));
    assert!(answer[0].contains(" score cp 7 ") && answer[0].ends_with(" pv e2e4"), "{answer:?}");
    assert_eq!(answer[1..], ["bestmove e2e4"]);

    talk.say("go nodes 1");
    let best = line(START_FEN, 1, 1, score(7), "e2e4").moves.first().copied();
    let outcome = Outcome { best, ponder: None, lines: vec![], usage: usage(0) };
    let answer = talk.event(Event::Finished(outcome));
    assert!(answer[0].contains(" score cp "), "{answer:?}");
    assert_eq!(answer[1..], ["bestmove e2e4"]);
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let over = Outcome { best: None, ponder: None, lines: vec![], usage: usage(0) };
    for (fen, score) in
        [("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "mate 0"), ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", "cp 0")]
    {
        let mut talk = Talk::new();
        talk.say_all(&[&format!("position fen {fen}"), "go depth 5"]);
        let answer = talk.event(Event::Finished(over.clone()));
        assert!(answer[0].contains(&format!(" score {score} ")), "{answer:?}");
        assert_eq!(answer[1..], ["bestmove (none)"]);
    }
}

#[test]
fn ready_at_once_while_searching() {
    let mut talk = Talk::new();
    talk.say("go infinite");
    assert_eq!(talk.say("isready"), ["readyok"]);
    assert!(!talk.calls().contains(&Call::Stop));
}

#[test]
fn every_go_has_one_bestmove() {
    let mut talk = Talk::new();
    talk.say("go infinite");
    talk.calls();
    assert_eq!(talk.say_all(&["go depth 3", "isready", "stop"]), [""; 0]);
    assert_eq!(talk.calls()[0], Call::Stop);
    let answer = talk.event(finished(line(START_FEN, 1, 1, score(0), "e2e4")));
    assert_eq!(answer[1..], ["bestmove e2e4", "readyok"]);
    // The second search begins only now, and the stop was meant for it.
    assert!(matches!(&talk.calls()[..], [Call::SetGame(_), Call::Go(_), Call::Stop]));
    let answer = talk.event(finished(line(START_FEN, 1, 1, score(0), "d2d4")));
    assert_eq!(answer[1..], ["bestmove d2d4"]);
}

#[test]
fn a_position_for_later_does_not_disturb_the_search() {
    let mut talk = Talk::new();
    talk.say_all(&["go infinite", "position fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]);
    assert!(!talk.calls().contains(&Call::Stop));
    // The line belongs to the position the search began with.
    assert!(lines(&mut talk, 4, "e2e4 e7e5")[0].ends_with("pv e2e4 e7e5"));
    talk.event(finished(line(START_FEN, 1, 4, score(0), "e2e4")));
    talk.say("go");
    assert_eq!(talk.calls()[0], Call::SetGame("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".into()));
}

#[test]
fn ponderhit_only_for_a_pondering_search() {
    let mut talk = Talk::new();
    talk.say_all(&["ponderhit", "go infinite", "ponderhit"]);
    assert!(!talk.calls().contains(&Call::PonderHit));
    talk.say("stop");
    talk.event(finished(line(START_FEN, 1, 4, score(0), "e2e4")));
    talk.say("go ponder wtime 100 btime 100");
    assert!(talk.limits().ponder);
    let best = line(START_FEN, 1, 2, score(0), "e2e4");
    talk.event(Event::Lines(vec![best.clone()], usage(2)));
    talk.say_all(&["ponderhit", "ponderhit"]);
    assert_eq!(talk.calls(), [Call::PonderHit]);
    // What was reported before the hit counts for nothing.
    let answer = talk.event(finished(best));
    assert!(answer.len() == 2 && answer[0].contains(" score cp 0 "), "{answer:?}");
}

#[test]
fn sets_of_lines_are_sorted_and_numbered() {
    let mut talk = Talk::new();
    talk.say_all(&["setoption name MultiPV value 2", "go depth 2"]);
    let set = vec![line(START_FEN, 2, 2, score(10), "d2d4"), line(START_FEN, 1, 2, score(30), "e2e4")];
    let answer = talk.event(Event::Lines(set, usage(2)));
    assert!(answer[0].contains(" multipv 1 score cp 30 ") && answer[0].ends_with("pv e2e4"), "{answer:?}");
    assert!(answer[1].contains(" multipv 2 score cp 10 ") && answer[1].ends_with("pv d2d4"), "{answer:?}");
}

#[test]
fn fast_iterations_are_thinned_out() {
    let mut talk = Talk::new();
    talk.say("go infinite");
    let reported: usize = (1..=200).map(|depth| lines(&mut talk, depth, "e2e4").len()).sum();
    assert_eq!(reported, 101);
    assert_eq!(talk.at(1), [""; 0]);
    let waited = talk.at(2);
    assert!(waited.len() == 1 && waited[0].starts_with("info depth 200 "), "{waited:?}");
    lines(&mut talk, 201, "e2e4");
    talk.say("stop");
    let answer = talk.event(finished(line(START_FEN, 1, 201, score(20), "e2e4")));
    assert!(answer[0].starts_with("info depth 201 "), "{answer:?}");
    assert_eq!(answer[1..], ["bestmove e2e4"]);
}

#[test]
fn single_moves_only_in_long_searches() {
    let mut talk = Talk::new();
    talk.at(5000);
    talk.say("go infinite");
    let mv = line(START_FEN, 1, 1, score(0), "g1f3").moves[0];
    let current = || Event::CurrentMove { depth: 9, mv, number: 4 };
    talk.at(7999);
    assert_eq!(talk.event(current()), [""; 0]);
    talk.at(8000);
    assert_eq!(talk.event(current()), ["info depth 9 currmove g1f3 currmovenumber 4"]);
}

#[test]
fn notes_wait_for_a_search() {
    let mut talk = Talk::new();
    assert_eq!(talk.event(Event::Note("5 tables found".into())), [""; 0]);
    assert_eq!(talk.say("isready"), ["readyok"]);
    assert_eq!(talk.say("go"), ["info string 5 tables found"]);
    assert_eq!(talk.event(Event::Note("of two\nlines".into())), ["info string of two lines"]);
}

#[test]
fn castling_by_the_kings_squares_unless_chess960() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let mut talk = Talk::new();
    let castles = |talk: &mut Talk| {
        talk.say_all(&[&format!("position fen {fen}"), "go"]);
        talk.event(finished(line(fen, 1, 1, score(0), "e1g1"))).pop().unwrap()
    };
    assert_eq!(castles(&mut talk), "bestmove e1g1");
    talk.say("setoption name UCI_Chess960 value true");
    assert_eq!(castles(&mut talk), "bestmove e1h1");
    talk.say("setoption name UCI_Chess960 value false");
    let fen = "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1";
    talk.say_all(&[&format!("position fen {fen}"), "go"]);
    assert_eq!(talk.event(finished(line(fen, 1, 1, score(0), "f1h1"))).pop().unwrap(), "bestmove f1h1");
}

#[test]
fn mates_and_chances() {
    let mut talk = Talk::new();
    talk.say_all(&["setoption name UCI_ShowWDL value true", "go"]);
    let answer = talk.event(Event::Lines(vec![line(START_FEN, 1, 1, Score::mate_in(3), "e2e4")], usage(1)));
    assert!(answer[0].contains(" score mate 2 wdl 1000 0 0 "), "{answer:?}");
    let answer = talk.event(Event::Lines(vec![line(START_FEN, 1, 1, Score::mated_in(4), "e2e4")], usage(1)));
    assert!(answer[0].contains(" score mate -2 wdl 0 0 1000 "), "{answer:?}");
    let answer = talk.event(Event::Lines(vec![line(START_FEN, 1, 1, score(100), "e2e4")], usage(1)));
    assert!(answer[0].contains(" score cp 100 wdl 500 "), "{answer:?}");
}

#[test]
fn bad_lines_change_nothing_and_say_so() {
    let mut talk = Talk::new();
    talk.say("position startpos moves e2e4");
    for line in [
        "position fen nonsense",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e7e5 e4e5",
        "position startpos moves 0000",
        "position",
        "go depth x",
        "setoption name Hash value 0",
        "setoption name Hash value many",
        "setoption name Nonsense value 1",
        "setoption",
        "hello",
        "\u{1}\u{fffd}",
    ] {
        let answer = talk.say(line);
        assert!(answer.len() == 1 && answer[0].starts_with("info string error: "), "{line}: {answer:?}");
    }
    assert_eq!(talk.calls(), []);
    talk.say_all(&["position startpos moves e2e4", "go"]);
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(talk.calls()[0], Call::SetGame(fen.into()));
    let long = format!("setoption name {} value 1", "x".repeat(100_000));
    talk.event(finished(line(fen, 1, 1, score(0), "e7e5")));
    assert!(talk.say(&long)[0].len() < 1000);
}

#[test]
fn unknown_words_are_skipped() {
    let mut talk = Talk::new();
    assert_eq!(talk.say("joho isready"), ["info string skipped unknown words 'joho'", "readyok"]);
    assert_eq!(talk.say(" \t isready \r"), ["readyok"]);
}

#[test]
fn searchmoves_restrict_the_root() {
    let mut talk = Talk::new();
    let answer = talk.say("go depth 2 searchmoves e2e4 e2e5 d2d4 e2e4 infinite");
    assert!(answer.len() == 1 && answer[0].starts_with("info string error: searchmoves: e2e5"), "{answer:?}");
    let limits = talk.limits();
    let moves: Vec<String> =
        limits.search_moves.iter().map(|mv| format!("{}{}", mv.from(), mv.to())).collect();
    assert_eq!(moves, ["e2e4", "d2d4"]);
    assert!(limits.infinite && limits.depth == Some(2));
}

#[test]
fn all_limits_reach_the_engine() {
    let mut talk = Talk::new();
    talk.say("go mate 3 nodes 99 movetime 250 depth 4");
    let expected = Limits {
        mate: Some(3),
        nodes: Some(99),
        move_time: Some(Duration::from_millis(250)),
        depth: Some(4),
        ..Limits::default()
    };
    assert_eq!(talk.limits(), expected);
}

#[test]
fn options_wait_for_the_end_of_a_search() {
    let mut talk = Talk::new();
    talk.say("go infinite");
    talk.calls();
    talk.say("setoption name Hash value 32");
    assert_eq!(talk.calls(), [Call::Stop]);
    let answer = talk.event(finished(line(START_FEN, 1, 1, score(0), "e2e4")));
    assert_eq!(answer[1..], ["bestmove e2e4"]);
    assert_eq!(talk.calls(), [Call::SetOption("Hash".into(), "32".into())]);
}

#[test]
fn quit_and_the_end_of_input_leave_after_the_last_bestmove() {
    for end in [|talk: &mut Talk| talk.say("quit"), Talk::end_input] {
        let mut talk = Talk::new();
        talk.say("go infinite");
        assert_eq!(end(&mut talk), [""; 0]);
        assert!(talk.goes_on);
        let answer = talk.event(finished(line(START_FEN, 1, 1, score(0), "e2e4")));
        assert_eq!(answer[1..], ["bestmove e2e4"]);
        assert!(!talk.goes_on);
    }
    let mut talk = Talk::new();
    talk.end_input();
    assert!(!talk.goes_on);
}

#[test]
fn perft_and_bench_run_beside_the_session() {
    let mut talk = Talk::new();
    assert_eq!(talk.say("go perft 3"), [""; 0]);
    assert_eq!(talk.say("isready"), ["readyok"]);
    assert_eq!(talk.say("bench 5"), [""; 0]);
    let answer = talk.job();
    assert_eq!(answer.len(), 21);
    assert!(answer.contains(&"g1f3: 440".to_owned()));
    assert_eq!(answer[20], "Nodes searched: 8902");
    talk.end_input();
    assert!(talk.goes_on, "who asks for a number gets it");
    assert_eq!(talk.job(), ["bench of '5'"]);
    assert!(!talk.goes_on);
}

#[test]
fn explain_never_disturbs_a_search() {
    let mut talk = Talk::new();
    talk.say("position startpos moves e2e4 e7e5");
    assert_eq!(talk.say("explain  Nf3 "), [""; 0]);
    assert_eq!(talk.say("isready"), ["readyok"]);
    talk.say("position startpos");
    assert_eq!(talk.job(), ["info string about 'Nf3' after 2 half-moves?"]);
    assert_eq!(talk.calls(), []);

    talk.say("go infinite");
    talk.calls();
    let answer = talk.say("explain");
    assert_eq!(answer, ["info string error: explain: a search is under way; stop it first"]);
    assert_eq!(talk.calls(), [], "the search goes on");
    talk.say("stop");
    talk.event(finished(line(START_FEN, 1, 1, score(7), "e2e4")));

    // A search waits for the explanation under way.
    talk.calls();
    talk.say_all(&["explain", "go depth 1"]);
    assert_eq!(talk.calls(), []);
    assert_eq!(talk.job(), ["info string about '' after 0 half-moves?"]);
    assert!(talk.calls().iter().any(|call| matches!(call, Call::Go(_))));
}

#[test]
fn ground_ups_commands_are_handed_over_when_nothing_else_runs() {
    let mut talk = Talk::new();
    assert_eq!(talk.say("go perft 3"), [""; 0]);
    assert_eq!(talk.say("  load   startpos "), [""; 0], "it waits for its turn");
    assert_eq!(talk.job().last().map(String::as_str), Some("Nodes searched: 8902"));
    assert_eq!(talk.job(), ["Ground Up heard 'load startpos'"]);
    talk.say("search");
    assert_eq!(talk.job(), ["Ground Up heard 'search'"]);
    assert!(
        talk.say("joho search 7")[0].contains("error"),
        "only UCI's own commands hide behind other words"
    );
}

#[test]
fn stop_ends_a_count_that_would_take_years() {
    let mut talk = Talk::new();
    talk.say("perft 30");
    talk.say_all(&["position startpos moves e2e4", "go"]);
    assert_eq!(talk.calls(), []);
    talk.say("stop");
    assert_eq!(talk.job(), ["info string perft stopped"]);
    assert!(matches!(&talk.calls()[..], [Call::SetGame(_), Call::Go(_)]));
}

#[test]
fn shows_the_board_and_what_it_is_worth() {
    let mut talk = Talk::new();
    talk.say("position startpos moves e2e4 f7f6 d1h5");
    let answer = talk.say("d");
    assert_eq!(answer[0], "8 r n b q k b n r");
    assert_eq!(answer[9], "Fen: rnbqkbnr/ppppp1pp/5p2/7Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2");
    assert!(answer[10].starts_with("Key: "));
    assert_eq!(answer[11], "Checkers: h5");
    assert!(answer.iter().all(|line| !line.is_empty() && !line.starts_with(' ')));
    talk.say_all(&["position fen 4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", "flip"]);
    assert!(talk.say("d").contains(&"Fen: q3k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned()));
    let answer = talk.say("eval");
    assert!(answer[0].starts_with("Static evaluation: -"), "{answer:?}");
    assert!(talk.say("help").iter().all(|line| !line.is_empty() && !line.starts_with(' ')));
}

#[test]
fn the_log_holds_both_sides() {
    let path = std::env::temp_dir().join(format!("gardez-log-{}", std::process::id()));
    let mut talk = Talk::new();
    talk.say(&format!("setoption name Debug Log File value {}", path.display()));
    talk.say("isready");
    talk.say("setoption name Debug Log File value <empty>");
    talk.say("isready");
    let log = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(log, "> isready\n< readyok\n> setoption name Debug Log File value <empty>\n");
    let answer = talk.say("setoption name Debug Log File value /no/such/directory/log");
    assert!(answer[0].starts_with("info string error: option Debug Log File: cannot write"), "{answer:?}");
}

#[test]
fn debug_tells_the_limits() {
    let mut talk = Talk::new();
    talk.say("debug on");
    let answer = talk.say("go depth 3");
    assert!(answer[0].starts_with("info string searching with "), "{answer:?}");
}

fn failed() -> Event {
    Event::Failed(SearchError::Panic("index out of range".to_owned()))
}

#[test]
fn a_search_that_fails_is_reported_and_still_ends_with_a_legal_move() {
    let mut talk = Talk::new();
    talk.say("go depth 9");
    lines(&mut talk, 4, "d2d4 d7d5");
    let answer = talk.event(failed());
    assert_eq!(answer, ["info string error: the search failed: index out of range", "bestmove d2d4"]);
    // Nothing was found yet: any legal move will do.
    talk.say_all(&["position fen 7k/8/8/8/8/8/r7/7K w - - 0 1", "go infinite"]);
    assert_eq!(talk.event(failed())[1..], ["bestmove h1g1"]);
    talk.say_all(&["position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "go infinite"]);
    assert_eq!(talk.event(failed())[1..], ["bestmove (none)"]);
    assert_eq!(talk.say("quit"), [""; 0]);
    assert!(!talk.goes_on);
}

#[test]
fn a_refused_position_is_not_answered_with_a_move_of_another() {
    let mut talk = Talk::new();
    talk.say("position startpos moves e2e4");
    for refused in
        ["position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position startpos moves e2e5", "position nowhere"]
    {
        let answer = talk.say(refused);
        assert!(answer.len() == 1 && answer[0].starts_with("info string error: "), "{refused}: {answer:?}");
        let answer = talk.say("go depth 1");
        assert!(answer[0].starts_with("info string error: the last position was refused"), "{answer:?}");
        assert_eq!(answer[1..], ["bestmove (none)"]);
        // Endless searches are answered when they are stopped.
        assert_eq!(talk.say("go infinite").len(), 1);
        assert_eq!(talk.say("stop"), ["bestmove (none)"]);
        assert_eq!(talk.say("stop"), [""; 0]);
    }
    assert_eq!(talk.calls(), []);
    talk.say_all(&["position startpos", "go depth 1"]);
    assert_eq!(talk.calls()[0], Call::SetGame(START_FEN.into()));
}

#[test]
fn sloppy_positions_are_repaired_with_a_warning() {
    let mut talk = Talk::new();
    assert_eq!(
        talk.say("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 0 moves Kd2 e8e7"),
        ["info string warning: clock left out: the move number is \"0\", not a number from 1 to 65535"]
    );
    talk.say("go depth 1");
    assert_eq!(talk.calls()[0], Call::SetGame("8/4k3/8/8/8/8/3K4/8 w - - 2 2".into()));
}
