//! Drives the binary over pipes as XBoard does: one test for each rule.

#![forbid(unsafe_code)]

mod conversation;

use chess::random::Random;
use chess::{Game, Position};
use conversation::Conversation;
use protocol::uci::Value;
use protocol::xboard::{FeatureValue, Reply, Thinking};

fn xboard() -> Conversation {
    let mut engine = Conversation::begin();
    engine.send("xboard");
    engine.ask("protover 2", "feature done=1");
    engine.send_all(&["accepted done", "new", "random", "sd 4", "easy"]);
    engine
}

/// Everything up to the answer to a ping.
fn pinged(engine: &mut Conversation, number: u32) -> Vec<String> {
    let mut lines = engine.ask(&format!("ping {number}"), &format!("pong {number}"));
    lines.pop();
    lines
}

fn move_in(lines: &[String]) -> String {
    match lines.last().map(|line| line.parse()) {
        Some(Ok(Reply::Move(mv))) => mv,
        other => panic!("{other:?} in {lines:?}"),
    }
}

fn thinking(lines: &[String]) -> Vec<Thinking> {
    let parse = |line: &String| match line.parse() {
        Ok(Reply::Thinking(thinking)) => Some(thinking),
        _ => None,
    };
    lines.iter().filter_map(parse).collect()
}

#[test]
fn features_say_what_it_can_do() {
    let mut engine = Conversation::begin();
    engine.send("xboard");
    let lines = engine.ask("protover 2", "feature done=1");
    let mut features = Vec::new();
    for line in &lines {
        match line.parse() {
            Ok(Reply::Features(some)) => features.extend(some),
            other => panic!("{line}: {other:?}"),
        }
    }
    let number = |name: &str, value| (name.to_owned(), FeatureValue::Number(value));
    for name in
        ["ping", "setboard", "usermove", "analyze", "time", "reuse", "playother", "debug", "draw", "nps"]
    {
        assert!(features.contains(&number(name, 1)), "{name}");
    }
    for name in ["memory", "smp", "exclude"] {
        assert!(features.contains(&number(name, 1)), "{name}");
    }
    for name in ["colors", "sigint", "sigterm", "san"] {
        assert!(features.contains(&number(name, 0)), "{name}");
    }
    for (name, value) in [("egt", "syzygy"), ("variants", "normal,fischerandom")] {
        assert!(features.contains(&(name.to_owned(), FeatureValue::Text(value.to_owned()))), "{name}");
    }
    assert!(features.iter().any(|(name, _)| name == "myname"));
    assert!(features.iter().any(|(name, _)| name == "option"));
}

#[test]
fn plays_black_after_new() {
    let mut engine = xboard();
    let mut game = Game::new();
    for text in ["e2e4", "d2d4", "g1f3"] {
        let Ok(mv) = game.position().parse_uci(text) else { break };
        game.play(mv).expect("a running game");
        let answer = move_in(&engine.ask(&format!("usermove {text}"), "move "));
        game.play(game.position().parse_uci(&answer).expect("a legal move")).expect("a running game");
    }
}

#[test]
fn a_game_against_itself_is_legal_to_the_end() {
    let mut engine = xboard();
    engine.send_all(&["sd 1", "option Resign=0", "force"]);
    let mut game = Game::new();
    for _ in 0..120 {
        engine.send("go");
        let lines = loop {
            let line = engine.next();
            if line.starts_with("move ") {
                break vec![line];
            }
            assert_eq!(line, "offer draw");
        };
        let mv = game.position().parse_uci(&move_in(&lines)).expect("a legal move");
        game.play(mv).expect("a running game");
        engine.send("force");
        if game.is_over() {
            let end = engine.next();
            assert!(end.starts_with(game.result().as_str()), "{end}");
            return;
        }
    }
}

#[test]
fn thinking_is_shown_after_post_only() {
    let mut engine = xboard();
    engine.send("nopost");
    assert_eq!(engine.ask("usermove e2e4", "move ").len(), 1);
    engine.send("post");
    let shown = thinking(&engine.ask("usermove d2d4", "move "));
    assert!(!shown.is_empty());
    for line in shown {
        assert!(line.depth > 0 && line.nodes > 0 && !line.pv.is_empty(), "{line}");
    }
}

#[test]
fn mates_are_told_beyond_a_hundred_thousand() {
    let mut engine = xboard();
    engine.send_all(&["post", "force", "setboard 7k/8/8/8/8/8/R7/1R5K w - - 0 1", "sd 12", "go"]);
    let lines = engine.until("move ");
    let last = thinking(&lines).pop().expect("a thought");
    assert_eq!(last.score, Value::Mate(2));
    assert!(last.to_string().contains(" 100002 "));
    engine.send_all(&["force", "setboard 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "go"]);
    engine.until("move a1a8");
    assert_eq!(engine.next(), "1-0 {White mates}");
}

#[test]
fn illegal_moves_and_unknown_commands() {
    let mut engine = xboard();
    assert!(engine.ask("usermove e2e5", "Illegal move").pop().expect("a line").ends_with("): e2e5"));
    assert_eq!(engine.ask("usermove zz", "Illegal move"), ["Illegal move: zz"]);
    assert_eq!(engine.ask("rubbish", "Error"), ["Error (unknown command): rubbish"]);
    assert!(engine.ask("option Hash=0", "Error")[0].ends_with("option Hash=0"));
    assert!(engine.ask("variant suicide", "Error")[0].ends_with("variant suicide"));
    // None of this has changed anything.
    engine.ask("usermove e2e4", "move ");
    // As the protocol says, no move is legal until there is a position again.
    assert!(engine.ask("setboard nonsense", "tellusererror")[0].contains("Illegal position"));
    assert!(engine.ask("usermove d2d4", "Illegal move").pop().expect("a line").ends_with("refused): d2d4"));
    engine.send("new");
    engine.ask("usermove e2e4", "move ");
}

#[test]
fn force_takes_moves_down_in_any_notation() {
    let mut engine = xboard();
    engine.send_all(&["force", "e2e4", "usermove e5", "Nf3", "usermove b8c6", "Bb5", "a6", "O-O"]);
    assert_eq!(pinged(&mut engine, 1), [""; 0]);
    let answer = move_in(&engine.ask("go", "move "));
    let position = Position::from_fen("r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4")
        .expect("a FEN");
    position.parse_uci(&answer).expect("a legal move");
}

#[test]
fn force_new_and_result_break_off_thinking() {
    for command in ["force", "new", "result 1/2-1/2 {agreed}", "setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"] {
        let mut engine = Conversation::begin();
        engine.send_all(&["xboard", "new", "st 1000", "usermove e2e4", command]);
        assert_eq!(pinged(&mut engine, 2), [""; 0], "{command}");
        assert_eq!(pinged(&mut engine, 3), [""; 0], "{command}");
    }
}

#[test]
fn pings_while_thinking_are_answered_after_the_move_and_move_now_moves() {
    let mut engine = Conversation::begin();
    engine.send_all(&["xboard", "new", "st 1000", "usermove e2e4"]);
    engine.send("ping 9");
    let answer = engine.ask("?", "pong 9");
    let moved = answer.iter().position(|line| line.starts_with("move "));
    assert!(moved.is_some_and(|index| index + 1 < answer.len()), "{answer:?}");
    engine.send("?");
    assert_eq!(pinged(&mut engine, 10), [""; 0]);
}

#[test]
fn every_time_control_leads_to_a_move() {
    for control in [
        &["level 40 0:01 0", "time 50", "otim 50"][..],
        &["level 0 0:02 0.1", "time 30"],
        &["level 0 1 0", "time -5", "otim 100"],
        &["st 0.05"],
        &["sd 3"],
        &["nps 1", "st 2000"],
        &["nps 100000", "level 40 0:05 0"],
    ] {
        let mut engine = Conversation::begin();
        engine.send_all(&["xboard", "new"]);
        engine.send_all(control);
        engine.ask("usermove e2e4", "move ");
        engine.ask("usermove d2d4", "move ");
    }
}

#[test]
fn undo_remove_and_playother() {
    let mut engine = xboard();
    engine.send_all(&["force", "e2e4", "e7e5", "g1f3", "b8c6", "remove", "undo", "playother"]);
    // Black is to move after 1. e4, and the engine has White.
    let answer = move_in(&engine.ask("usermove c7c5", "move "));
    let position =
        Position::from_fen("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2").expect("a FEN");
    position.parse_uci(&answer).expect("a legal move");
}

#[test]
fn pondering_shows_its_hint_and_goes_on() {
    let mut engine = xboard();
    engine.send_all(&["hard", "nopost", "usermove e2e4"]);
    let answer = move_in(&engine.until("move "));
    let mut game = Game::new();
    for text in ["e2e4", &answer] {
        game.play(game.position().parse_uci(text).expect("legal")).expect("legal");
    }
    let hint = engine.next();
    let guess = hint.strip_prefix("Hint: ").expect("a hint").to_owned();
    game.position().parse_uci(&guess).expect("a legal move");
    assert_eq!(engine.ask("hint", "Hint"), [hint]);
    assert_eq!(pinged(&mut engine, 1), [""; 0]);
    let answer = move_in(&engine.ask(&format!("usermove {guess}"), "move "));
    for text in [&guess, &answer] {
        game.play(game.position().parse_uci(text).expect("legal")).expect("legal");
    }
    // Now a move it does not expect.
    let hints = pinged(&mut engine, 2);
    let position = game.position();
    let write = |mv| position.to_uci(mv, chess::CastlingStyle::Standard).to_string();
    let moves: Vec<String> = position.legal_moves().into_iter().map(write).collect();
    let other = moves.iter().find(|&mv| !hints.contains(&format!("Hint: {mv}"))).expect("another move");
    engine.ask(&format!("usermove {other}"), "move ");
    engine.send("easy");
    pinged(&mut engine, 3);
    assert_eq!(pinged(&mut engine, 4), [""; 0]);
}

#[test]
fn analysis_follows_the_board_and_tells_its_state() {
    let mut engine = Conversation::begin();
    engine.send_all(&["xboard", "new", "force", "post", "analyze"]);
    engine.until("3 ");
    assert!(engine.ask(".", "stat01: ").pop().expect("a line").split(' ').count() >= 6);
    engine.send("usermove e2e4");
    let lines = pinged(&mut engine, 1);
    assert!(!lines.iter().any(|line| line.starts_with("move")), "{lines:?}");
    engine.until("4 ");
    engine.send_all(&["undo", "setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]);
    engine.until("4 ");
    engine.send("exit");
    pinged(&mut engine, 2);
    assert_eq!(pinged(&mut engine, 3), [""; 0]);
    engine.send("usermove a1a8");
    assert_eq!(pinged(&mut engine, 4), [""; 0]);
}

#[test]
fn moves_left_out_of_an_analysis() {
    let mut engine = Conversation::begin();
    engine.send_all(&[
        "xboard",
        "new",
        "force",
        "post",
        "exclude all",
        "include a2a3",
        "include h2h4",
        "analyze",
    ]);
    let lines = engine.until("5 ");
    for line in thinking(&lines) {
        assert!(line.pv.starts_with("a2a3") || line.pv.starts_with("h2h4"), "{line}");
    }
    engine.send("exclude a2a3");
    pinged(&mut engine, 1);
    for line in thinking(&engine.until("5 ")) {
        assert!(line.pv.starts_with("h2h4"), "{line}");
    }
    engine.send("exit");
    pinged(&mut engine, 2);
}

#[test]
fn chess960_castles_with_letters() {
    let mut engine = xboard();
    engine.send_all(&["variant fischerandom", "force"]);
    engine.send("setboard 1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1");
    engine.send_all(&["O-O", "O-O-O"]);
    assert_eq!(pinged(&mut engine, 1), [""; 0]);
    let position = Position::from_fen("2kr3r/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 w - - 2 2").expect("a FEN");
    position.parse_uci(&move_in(&engine.ask("go", "move "))).expect("a legal move");
}

#[test]
fn draws_are_answered_with_sense() {
    let mut engine = xboard();
    // A queen up: no draw. A queen down: gladly.
    for (fen, taken) in [("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", false), ("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", true)]
    {
        engine.send_all(&["new", "sd 2", "force", &format!("setboard {fen}"), "go"]);
        engine.until("move ");
        engine.send("draw");
        let answer = pinged(&mut engine, 1);
        assert_eq!(answer.iter().any(|line| line == "offer draw"), taken, "{answer:?}");
    }
}

#[test]
fn gives_up_only_if_it_may() {
    for (option, gives_up) in [("option Resign=1", true), ("option Resign=0", false)] {
        let mut engine = xboard();
        engine.send_all(&["sd 2", option, "force", "setboard 4k3/8/8/8/8/8/QQQ5/4K3 b - - 0 1"]);
        let mut game =
            Game::from_position(Position::from_fen("4k3/8/8/8/8/8/QQQ5/4K3 b - - 0 1").expect("a FEN"));
        let mut gave_up = false;
        for _ in 0..8 {
            if game.is_over() {
                break;
            }
            engine.send("go");
            let mut line = engine.next();
            // If the queens wait for too long, it hopes.
            if line == "offer draw" {
                line = engine.next();
            }
            if line == "resign" {
                gave_up = true;
                break;
            }
            game.play(game.position().parse_uci(&move_in(&[line])).expect("legal")).expect("legal");
            // The queens wait for what comes.
            let position = *game.position();
            let Some(wait) = position.legal_moves().into_iter().find(|&mv| {
                let after = position.after(mv);
                !position.is_capture(mv)
                    && after.has_legal_move()
                    && !after.is_check()
                    && !after.legal_moves().into_iter().any(|reply| after.is_capture(reply))
            }) else {
                break;
            };
            engine.send_all(&["force", &position.to_uci(wait, chess::CastlingStyle::Standard).to_string()]);
            game.play(wait).expect("legal");
        }
        assert_eq!(gave_up, gives_up);
    }
}

#[test]
fn memory_cores_and_options_are_taken_in_silence() {
    let mut engine = xboard();
    engine.send_all(&[
        "memory 8",
        "cores 2",
        "egtpath syzygy /nowhere",
        "option Move Overhead=30",
        "option Clear Hash",
    ]);
    engine.send_all(&[
        "name Somebody",
        "rating 2000 2100",
        "computer",
        "ics -",
        "rejected x",
        "option MultiPV=2",
    ]);
    let answer = pinged(&mut engine, 1);
    assert!(answer.iter().all(|line| line.starts_with('#')), "{answer:?}");
    engine.ask("usermove e2e4", "move ");
}

#[test]
fn the_book_answers_with_an_empty_line_at_the_end() {
    let mut engine = xboard();
    engine.send("bk");
    let mut line = engine.next();
    assert!(line.starts_with("\te4 "), "{line}");
    while !line.is_empty() {
        assert!(line.starts_with('\t'), "{line}");
        line = engine.next();
    }
}

#[test]
fn ends_with_quit_and_with_the_input() {
    for end in [&["quit"][..], &[]] {
        for before in [&["usermove e2e4"][..], &["analyze"], &["hard", "usermove e2e4"], &[]] {
            let mut engine = xboard();
            engine.send_all(&["st 1000"]);
            engine.send_all(before);
            engine.send_all(end);
            assert!(engine.end().1.success());
        }
    }
}

#[test]
fn garbage_does_not_matter() {
    const COMMANDS: &[&str] = &[
        "xboard",
        "protover 2",
        "new",
        "variant fischerandom",
        "variant x",
        "force",
        "go",
        "playother",
        "level 0 0:01 0",
        "level",
        "st 0.01",
        "sd 2",
        "nps 1",
        "nps 0",
        "time 10",
        "otim -10",
        "usermove e2e4",
        "usermove e7e5",
        "e2e4",
        "Nf3",
        "?",
        "ping 1",
        "draw",
        "result * {}",
        "setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "setboard x",
        "undo",
        "remove",
        "hard",
        "easy",
        "post",
        "nopost",
        "analyze",
        "exit",
        ".",
        "hint",
        "bk",
        "memory 1",
        "memory 2",
        "cores 1",
        "cores 2",
        "option Move Overhead=1",
        "option x",
        "include all",
        "exclude all",
        "exclude e2e4",
        "rubbish",
        "",
        "computer",
    ];
    let mut numbers = Random::new(5);
    let mut engine = xboard();
    engine.send("st 0.01");
    for _ in 0..2000 {
        engine.send(COMMANDS[numbers.below(COMMANDS.len())]);
        if numbers.below(20) == 0 {
            let bytes: Vec<u8> = (0..numbers.below(300)).map(|_| numbers.below(256) as u8).collect();
            engine.send_bytes(&bytes);
            engine.send("");
        }
    }
    engine.send(&"x".repeat(1_000_000));
    engine.send(&"y".repeat(2_000_000));
    engine.send("force");
    engine.ask("ping 4711", "pong 4711");
    engine.send_all(&["new", "sd 2"]);
    engine.ask("usermove e2e4", "move ");
}
