use crate::testing::{Call, Talk, finished, line, usage};
use chess::{Color, START_FEN};
use engine::{Clock, Event, Limits, Outcome, Score, SearchError, wdl};
use std::time::Duration;

const NOTHING: [&str; 0] = [];

fn score(centipawns: i32) -> Score {
    Score::evaluation(wdl::units(centipawns))
}

fn talk() -> Talk {
    let mut talk = Talk::new();
    assert_eq!(
        talk.say_all(&[
            "xboard",
            "accepted setboard",
            "new",
            "random",
            "level 40 5 0",
            "post",
            "hard",
            "easy"
        ]),
        NOTHING
    );
    talk.calls();
    talk
}

const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const AFTER_E4_E5_NF3: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";

#[test]
fn both_protocols_in_one_process() {
    let mut talk = Talk::new();
    assert_eq!(talk.say("xboard"), NOTHING);
    let features = talk.say("protover 2");
    assert!(features.iter().all(|line| line.starts_with("feature ")), "{features:?}");
    assert_eq!(features.last().map(String::as_str), Some("feature done=1"));
    let answer = talk.say("uci");
    assert_eq!(answer.last().map(String::as_str), Some("uciok"));
    assert_eq!(talk.say("isready"), ["readyok"]);
    talk.say("go infinite");
    assert_eq!(talk.say("xboard"), NOTHING);
    let answer = talk.event(finished(line(START_FEN, 1, 1, score(0), "e2e4")));
    assert_eq!(answer[1..], ["bestmove e2e4"]);
    assert_eq!(talk.say("ping 3"), ["pong 3"]);
}

#[test]
fn a_move_is_answered_by_a_move() {
    let mut talk = talk();
    talk.say_all(&["time 2950", "otim 3000", "usermove e2e4"]);
    let clocks =
        [Some(Clock { left_ms: 30_000, increment_ms: 0 }), Some(Clock { left_ms: 29_500, increment_ms: 0 })];
    let limits = Limits { clocks, moves_to_go: Some(40), ..Limits::default() };
    assert_eq!(talk.calls(), [Call::SetGame(AFTER_E4.into()), Call::Go(limits)]);
    let best = line(AFTER_E4, 1, 3, score(-15), "e7e5 g1f3");
    let answer = talk.event(Event::Lines(vec![best.clone()], usage(3)));
    assert_eq!(answer, ["3 -15 3 3000 5 100000 0\te7e5 g1f3"]);
    assert_eq!(talk.event(finished(best)), ["move e7e5"]);
    assert_eq!(talk.say("hint"), ["Hint: g1f3"]);
    talk.say("Nf3");
    assert_eq!(talk.calls()[0], Call::SetGame(AFTER_E4_E5_NF3.into()));
}

#[test]
fn moves_in_every_notation() {
    let mut talk = talk();
    talk.say_all(&["force", "usermove e2e4", "e5", "usermove Nf3", "b8c6", "Bb5", "Nf6", "O-O"]);
    assert_eq!(talk.calls(), []);
    talk.say("go");
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4";
    assert_eq!(talk.calls()[0], Call::SetGame(fen.into()));
}

#[test]
fn illegal_moves_and_errors_as_the_protocol_says() {
    let mut talk = talk();
    assert_eq!(talk.say("usermove e2e5"), ["Illegal move (a pawn does not move like that): e2e5"]);
    assert_eq!(talk.say("usermove hello"), ["Illegal move: hello"]);
    assert_eq!(talk.say("Nf6"), ["Illegal move: Nf6"]);
    assert_eq!(talk.say("foo bar"), ["Error (unknown command): foo bar"]);
    assert_eq!(talk.say("level x"), ["Error (number of moves cannot be 'x'): level x"]);
    assert_eq!(talk.say("undo"), ["Error (no move to take back): undo"]);
    assert_eq!(talk.say("variant crazyhouse"), ["Error (unsupported variant): variant crazyhouse"]);
    assert_eq!(talk.say("egtpath gaviota /x"), ["Error (unsupported kind of tables): egtpath gaviota /x"]);
    let answer = talk.say("setboard 8/8/8/8/8/8/8/8 w - - 0 1");
    assert!(answer[0].starts_with("tellusererror Illegal position: "), "{answer:?}");
    assert!(talk.say("option Nonsense=1")[0].starts_with("Error (there is no option 'Nonsense'): "));
    assert!(talk.say("option MultiPV=0")[0].starts_with("Error (option MultiPV takes a number"));
    assert_eq!(talk.say("?"), NOTHING);
    assert_eq!(talk.calls(), []);
    talk.say_all(&["new", "usermove e2e4"]);
    assert_eq!(talk.say("usermove e7e5"), ["Error (it is not your move): usermove e7e5"]);
}

#[test]
fn force_and_new_break_off_without_a_move() {
    for command in ["force", "new", "result 1-0 {resigns}", "setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "undo"]
    {
        let mut talk = talk();
        talk.say("usermove e2e4");
        talk.calls();
        assert_eq!(talk.say_all(&[command, "ping 1"]), NOTHING);
        assert_eq!(talk.calls()[0], Call::Stop, "{command}");
        assert_eq!(talk.event(finished(line(AFTER_E4, 1, 1, score(0), "e7e5"))), ["pong 1"], "{command}");
    }
}

#[test]
fn question_mark_moves_at_once() {
    let mut talk = talk();
    talk.say("usermove e2e4");
    talk.calls();
    talk.say("?");
    assert_eq!(talk.calls(), [Call::Stop]);
    let answer = talk.event(finished(line(AFTER_E4, 1, 1, score(0), "e7e5")));
    assert_eq!(answer.last().map(String::as_str), Some("move e7e5"));
}

#[test]
fn limits_of_time_depth_and_nodes() {
    let mut talk = talk();
    talk.say_all(&["st 3", "sd 9", "go"]);
    let expected = Limits { move_time: Some(Duration::from_secs(3)), depth: Some(9), ..Limits::default() };
    assert_eq!(talk.limits(), expected);
    talk.event(finished(line(START_FEN, 1, 1, score(0), "e2e4")));
    talk.say_all(&["new", "nps 1", "st 5000", "go"]);
    let calls = talk.calls();
    assert!(calls.contains(&Call::SetOption("nodestime".into(), "1".into())), "{calls:?}");
    assert!(calls.contains(&Call::Go(Limits::nodes(5000))), "{calls:?}");
    talk.event(finished(line(START_FEN, 1, 1, score(0), "e2e4")));
    talk.say_all(&["new", "st 1", "go"]);
    let calls = talk.calls();
    assert!(calls.contains(&Call::SetOption("nodestime".into(), "0".into())), "{calls:?}");
    assert!(calls.contains(&Call::Go(Limits::move_time(Duration::from_secs(1)))), "{calls:?}");
}

#[test]
fn undo_and_remove() {
    let mut talk = talk();
    talk.say_all(&["force", "e2e4", "e7e5", "g1f3", "undo", "go"]);
    assert_eq!(talk.calls()[0], Call::SetGame(AFTER_E4_E5.into()));
    talk.say("force");
    talk.event(finished(line(AFTER_E4_E5, 1, 1, score(0), "g1f3")));
    talk.say_all(&["remove", "go"]);
    assert!(talk.calls().contains(&Call::SetGame(START_FEN.into())));
}

#[test]
fn playother_waits_for_the_other_side() {
    let mut talk = talk();
    talk.say_all(&["force", "e2e4", "playother"]);
    assert_eq!(talk.calls(), []);
    talk.say("usermove e7e5");
    assert_eq!(talk.calls()[0], Call::SetGame(AFTER_E4_E5.into()));
}

/// The engine has answered e2e4 by e7e5 and ponders on g1f3.
fn pondering() -> Talk {
    let mut talk = talk();
    talk.say_all(&["hard", "time 30000", "otim 30000", "usermove e2e4"]);
    talk.calls();
    talk.at(2000);
    let answer = talk.event(finished(line(AFTER_E4, 1, 2, score(0), "e7e5 g1f3")));
    assert_eq!(answer[1..], ["move e7e5", "Hint: g1f3"]);
    let limits = match &talk.calls()[..] {
        [Call::SetGame(fen), Call::Go(limits)] if fen == AFTER_E4_E5_NF3 => limits.clone(),
        other => panic!("{other:?}"),
    };
    assert!(limits.ponder);
    assert_eq!(limits.clock(Color::Black).map(|clock| clock.left_ms), Some(298_000));
    let answer = talk.event(Event::Lines(vec![line(AFTER_E4_E5_NF3, 1, 1, score(0), "b8c6")], usage(1)));
    assert_eq!(answer, ["1 0 1 1000 3 100000 0\t(g1f3) b8c6"]);
    talk
}

#[test]
fn the_expected_move_goes_on_with_the_search() {
    let mut talk = pondering();
    talk.say_all(&["time 29800", "otim 29900", "usermove g1f3"]);
    assert_eq!(talk.calls(), [Call::PonderHit]);
    let answer = talk.event(finished(line(AFTER_E4_E5_NF3, 1, 2, score(0), "b8c6")));
    assert_eq!(answer.last().map(String::as_str), Some("move b8c6"));
}

#[test]
fn another_move_or_another_clock_begins_anew() {
    for (lines, fen) in [
        (["time 29800", "usermove d2d4"], "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2"),
        (["time 1000", "usermove g1f3"], AFTER_E4_E5_NF3),
    ] {
        let mut talk = pondering();
        assert_eq!(talk.say_all(&lines), NOTHING);
        assert_eq!(talk.calls(), [Call::Stop]);
        assert_eq!(talk.event(finished(line(AFTER_E4_E5_NF3, 1, 2, score(0), "b8c6"))), NOTHING);
        match &talk.calls()[..] {
            [Call::SetGame(now), Call::Go(limits)] => assert!(now == fen && !limits.ponder),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn easy_ends_pondering() {
    let mut talk = pondering();
    assert_eq!(talk.say_all(&["easy", "ping 5"]), ["pong 5"]);
    assert_eq!(talk.calls(), [Call::Stop]);
    assert_eq!(talk.event(finished(line(AFTER_E4_E5_NF3, 1, 2, score(0), "b8c6"))), NOTHING);
    talk.say("usermove g1f3");
    assert_eq!(talk.calls()[0], Call::SetGame(AFTER_E4_E5_NF3.into()));
}

#[test]
fn analysis_follows_the_board() {
    let mut talk = talk();
    talk.say("analyze");
    assert!(talk.limits().infinite);
    talk.at(1500);
    talk.event(Event::Lines(vec![line(START_FEN, 1, 5, score(20), "e2e4 e7e5")], usage(5)));
    let mv = line(START_FEN, 1, 1, score(0), "g1f3").moves[0];
    talk.event(Event::CurrentMove { depth: 6, mv, number: 4 });
    assert_eq!(talk.say("."), ["stat01: 150 5000 6 16 20 g1f3"]);
    assert_eq!(talk.say("hint"), ["Hint: e2e4"]);
    talk.say("usermove e2e4");
    assert_eq!(talk.calls(), [Call::Stop]);
    assert_eq!(talk.event(finished(line(START_FEN, 1, 5, score(20), "e2e4"))), NOTHING);
    assert_eq!(talk.calls()[0], Call::SetGame(AFTER_E4.into()));
    // An analysis that has come to its end is not begun again.
    talk.event(finished(line(AFTER_E4, 1, 9, score(20), "e7e5")));
    talk.say_all(&["ping 1", "post"]);
    assert_eq!(talk.calls(), []);
    talk.say("undo");
    assert_eq!(talk.calls()[0], Call::SetGame(START_FEN.into()));
    assert_eq!(talk.say_all(&["exit", "ping 2"]), NOTHING);
    assert_eq!(talk.event(finished(line(START_FEN, 1, 1, score(0), "e2e4"))), ["pong 2"]);
    talk.calls();
    talk.say("usermove e2e4");
    assert_eq!(talk.calls(), [], "after the analysis the engine does not play");
}

#[test]
fn moves_left_out_of_the_analysis() {
    let mut talk = talk();
    assert_eq!(talk.say("exclude e2e5"), ["Error (illegal move): exclude e2e5"]);
    talk.say_all(&["force", "exclude all", "include e2e4", "include Nf3", "analyze"]);
    let moves: Vec<String> =
        talk.limits().search_moves.iter().map(|mv| format!("{}{}", mv.from(), mv.to())).collect();
    assert_eq!(moves, ["e2e4", "g1f3"]);
    talk.say("exclude e2e4");
    talk.event(finished(line(START_FEN, 1, 1, score(0), "e2e4")));
    assert_eq!(talk.limits().search_moves.len(), 1);
    talk.say("include all");
    talk.event(finished(line(START_FEN, 1, 1, score(0), "g1f3")));
    assert_eq!(talk.limits().search_moves, []);
}

#[test]
fn results_of_games_that_end() {
    let mut talk = talk();
    talk.say_all(&["force", "setboard 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "go"]);
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    let answer = talk.event(finished(line(fen, 1, 1, Score::mate_in(1), "a1a8")));
    assert_eq!(answer, ["1 100001 1 1000 3 100000 0\ta1a8", "move a1a8", "1-0 {White mates}"]);
    talk.say_all(&["new", "force"]);
    talk.say_all(&["f2f3", "e7e5", "g2g4"]);
    assert_eq!(talk.say("d8h4"), NOTHING);
    talk.calls();
    assert_eq!(talk.say("go"), ["0-1 {Black mates}"]);
    talk.say("setboard 7k/8/5KQ1/8/8/8/8/8 b - - 0 1");
    assert_eq!(talk.say("go"), ["1/2-1/2 {Stalemate}"]);
    assert_eq!(talk.calls(), []);
}

#[test]
fn gives_up_after_four_hopeless_moves_unless_told_not_to() {
    for (option, last) in [("option Resign=1", "resign"), ("option Resign=0", "move f6g8")] {
        let mut talk = talk();
        talk.say_all(&[option, "nopost"]);
        let mut answer = Vec::new();
        for (white, black) in [("g1f3", "g8f6"), ("f3g1", "f6g8"), ("b1c3", "g8f6"), ("c3b1", "f6g8")] {
            talk.say(white);
            let fen = talk.calls().into_iter().find_map(|call| match call {
                Call::SetGame(fen) => Some(fen),
                _ => None,
            });
            answer = talk.event(finished(line(&fen.unwrap(), 1, 1, score(-1500), black)));
        }
        assert_eq!(answer.last().map(String::as_str), Some(last));
    }
}

#[test]
fn draws_are_taken_when_worse() {
    let mut talk = talk();
    talk.say("usermove e2e4");
    talk.event(finished(line(AFTER_E4, 1, 1, score(30), "e7e5")));
    assert_eq!(talk.say("draw"), NOTHING);
    talk.say("usermove g1f3");
    talk.event(finished(line(AFTER_E4_E5_NF3, 1, 1, score(-90), "b8c6")));
    assert_eq!(talk.say("draw"), ["offer draw"]);
}

#[test]
fn a_repetition_is_claimed_with_the_move() {
    let mut talk = talk();
    talk.say_all(&["nopost", "force"]);
    talk.say_all(&["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "go"]);
    let fen = "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 7 4";
    let answer = talk.event(finished(line(fen, 1, 1, score(0), "f6g8")));
    assert_eq!(answer, ["offer draw", "move f6g8"]);
}

#[test]
fn chess960_castles_by_the_old_signs() {
    let fen = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1";
    let mut talk = talk();
    talk.say_all(&["variant fischerandom", "nopost", "force", &format!("setboard {fen}"), "go"]);
    assert_eq!(talk.event(finished(line(fen, 1, 1, score(0), "f1h1"))), ["move O-O"]);
    talk.calls();
    talk.say("O-O-O");
    let after = "2kr3r/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 w - - 2 2";
    assert_eq!(talk.calls()[0], Call::SetGame(after.into()));
}

#[test]
fn memory_cores_and_options() {
    let mut talk = talk();
    talk.say_all(&[
        "memory 64",
        "cores 2",
        "egtpath syzygy /a b",
        "option Move Overhead=5",
        "option Clear Hash",
    ]);
    let set = |name: &str, value: &str| Call::SetOption(name.into(), value.into());
    assert_eq!(
        talk.calls(),
        [
            set("Hash", "64"),
            set("Threads", "2"),
            set("SyzygyPath", "/a b"),
            set("Move Overhead", "5"),
            set("Clear Hash", "")
        ]
    );
    // A move being thought about is waited for.
    talk.say("usermove e2e4");
    talk.calls();
    talk.say("memory 32");
    assert_eq!(talk.calls(), []);
    let answer = talk.event(finished(line(AFTER_E4, 1, 1, score(0), "e7e5")));
    assert_eq!(answer.last().map(String::as_str), Some("move e7e5"));
    assert_eq!(talk.calls(), [set("Hash", "32")]);
}

#[test]
fn nopost_is_silent_and_notes_are_comments() {
    let mut talk = talk();
    talk.say_all(&["nopost", "usermove e2e4"]);
    let best = line(AFTER_E4, 1, 3, score(0), "e7e5");
    assert_eq!(talk.event(Event::Lines(vec![best.clone()], usage(3))), NOTHING);
    assert_eq!(talk.event(Event::Note("tables found".into())), ["# tables found"]);
    assert_eq!(talk.event(finished(best)), ["move e7e5"]);
}

#[test]
fn harmless_commands_are_taken_without_a_word() {
    let mut talk = talk();
    let lines = [
        "accepted x",
        "rejected y",
        "computer",
        "name Max",
        "rating 1 2",
        "ics -",
        "random",
        ".",
        "exit",
        "hint",
    ];
    assert_eq!(talk.say_all(&lines), NOTHING);
}

#[test]
fn bk_shows_the_moves_of_the_book() {
    let mut talk = talk();
    let shown = talk.say("bk");
    assert_eq!(shown.len(), 5, "{shown:?}");
    assert!(shown[0].starts_with("\te4 ") && shown[0].ends_with(" %  B00 King's Pawn Opening"), "{shown:?}");
    assert!(shown[..4].iter().all(|line| line.starts_with('\t')));
    assert_eq!(shown[4], "");
    talk.say("setboard 4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    assert_eq!(talk.say("bk"), ["\tthe book does not know this position", ""]);
}

#[test]
fn quit_leaves_without_a_move() {
    let mut talk = talk();
    talk.say("usermove e2e4");
    talk.say("quit");
    assert!(talk.goes_on);
    let over = Outcome { best: None, ponder: None, lines: vec![], usage: usage(0) };
    assert_eq!(talk.event(Event::Finished(over)), NOTHING);
    assert!(!talk.goes_on);
}

#[test]
fn a_search_that_fails_is_reported_and_still_ends_with_a_legal_move() {
    let failed = || Event::Failed(SearchError::Panic("index out of range".to_owned()));
    let mut talk = talk();
    talk.say("usermove e2e4");
    talk.event(Event::Lines(vec![line(AFTER_E4, 1, 3, score(-15), "e7e5 g1f3")], usage(3)));
    let answer = talk.event(failed());
    assert_eq!(answer, ["tellusererror the search failed: index out of range", "move e7e5"]);
    // An analysis has nothing to play.
    talk.say("analyze");
    assert_eq!(talk.event(failed()).len(), 1);
    assert_eq!(talk.say("quit"), NOTHING);
    assert!(!talk.goes_on);
}

#[test]
fn a_ping_during_a_search_is_answered_after_the_move() {
    let mut talk = talk();
    assert_eq!(talk.say_all(&["nopost", "usermove e2e4", "ping 4", "ping 5"]), NOTHING);
    let answer = talk.event(finished(line(AFTER_E4, 1, 1, score(0), "e7e5")));
    assert_eq!(answer, ["move e7e5", "pong 4", "pong 5"]);
    assert_eq!(talk.say("ping 6"), ["pong 6"]);
}

#[test]
fn a_refused_position_is_not_answered_with_a_move_of_another() {
    let mut talk = talk();
    let answer =
        talk.say_all(&["force", "setboard 8/8/8/8/8/8/8/8 w - - 0 1", "go", "usermove e2e4", "analyze"]);
    assert!(answer[0].starts_with("tellusererror Illegal position: "), "{answer:?}");
    assert!(answer[1].starts_with("tellusererror the last position was refused"), "{answer:?}");
    assert_eq!(answer[2..], ["Illegal move (the last position was refused): e2e4"]);
    assert_eq!(talk.calls(), []);
    let answer = talk.say("setboard 4k3/8/8/8/8/8/8/4K3 w KQ - 0 1");
    assert!(
        answer.len() == 2 && answer.iter().all(|line| line.starts_with("telluser castling right left out: "))
    );
    assert_eq!(talk.calls()[0], Call::SetGame("4k3/8/8/8/8/8/8/4K3 w - - 0 1".into()));
}
