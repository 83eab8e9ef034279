//! Drives the binary over pipes as a UCI interface does: one test for each rule.

#![forbid(unsafe_code)]

mod conversation;

use chess::random::Random;
use chess::{Game, Position};
use conversation::Conversation;
use engine::options::{Kind, TABLE};
use protocol::uci::{Bound, Info, Reply, Value};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MATE_IN_TWO: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
const CHECKMATE: &str = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1";
const STALEMATE: &str = "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1";

fn uci() -> Conversation {
    let mut engine = Conversation::begin();
    engine.ask("uci", "uciok");
    engine
}

fn infos(lines: &[String]) -> Vec<Info> {
    let parse = |line: &String| match line.parse() {
        Ok(Reply::Info(info)) => Some(info),
        _ => None,
    };
    lines.iter().filter_map(parse).filter(|info| info.score.is_some()).collect()
}

fn best_move(lines: &[String]) -> (Option<String>, Option<String>) {
    match lines.last().expect("a line").parse() {
        Ok(Reply::BestMove { best, ponder }) => (best, ponder),
        other => panic!("{other:?}"),
    }
}

fn play(fen: &str, moves: &[String]) -> Game {
    let mut game = Game::from_position(Position::from_fen(fen).expect("a FEN"));
    for text in moves {
        let mv = game.position().parse_uci(text).unwrap_or_else(|error| panic!("{moves:?}: {error}"));
        game.replay(mv).unwrap_or_else(|error| panic!("{moves:?}: {error}"));
    }
    game
}

#[test]
fn nothing_is_said_before_uci() {
    let mut engine = Conversation::begin();
    engine.send("");
    assert!(engine.ask("uci", "uciok")[0].starts_with("id name Gardez"));
    let (rest, status) = Conversation::begin().end();
    assert_eq!(rest, [""; 0]);
    assert!(status.success());
}

#[test]
fn every_option_is_listed_with_its_default() {
    let mut engine = Conversation::begin();
    let lines = engine.ask("uci", "uciok");
    for spec in TABLE {
        let option = format!("option name {} type ", spec.name);
        let line = lines.iter().find(|line| line.starts_with(&option)).expect(spec.name);
        match spec.kind {
            Kind::Button => assert!(line.ends_with("button")),
            Kind::Text if spec.default().to_string().is_empty() => {
                assert!(line.ends_with("default <empty>"), "{line}");
            }
            _ => assert!(line.contains(" default "), "{line}"),
        }
    }
    for name in
        ["Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "UCI_Chess960", "SyzygyPath", "nodestime"]
    {
        assert!(TABLE.iter().any(|spec| spec.name == name), "{name}");
    }
    assert!(lines.contains(&"option name UCI_ShowWDL type check default false".to_owned()));
}

#[test]
fn xboard_then_uci_works_in_one_process() {
    let mut engine = Conversation::begin();
    engine.send_all(&["xboard", "uci"]);
    assert!(engine.until("uciok")[0].starts_with("id name"));
    assert_eq!(engine.ask("isready", "readyok"), ["readyok"]);
    engine.ask("go depth 2", "bestmove ");
}

#[test]
fn no_empty_and_no_indented_lines() {
    let mut engine = Conversation::begin();
    engine.send_all(&[
        "uci",
        "debug on",
        "d",
        "eval",
        "help",
        "flip",
        "perft 2",
        "setoption name MultiPV value 3",
    ]);
    engine.send_all(&["nonsense", "position startpos moves e2e4", "go depth 5"]);
    for line in engine.until("bestmove ") {
        assert_eq!(line.trim(), line);
        assert_ne!(line, "");
    }
}

#[test]
fn setup_information_comes_only_after_go() {
    let mut engine = uci();
    engine.send_all(&["setoption name SyzygyPath value /no/such/directory", "setoption name Hash value 8"]);
    engine.send_all(&["setoption name Threads value 2", "ucinewgame", "position startpos"]);
    assert_eq!(engine.ask("isready", "readyok"), ["readyok"]);
    engine.ask("go depth 2", "bestmove ");
}

#[test]
fn a_scored_info_comes_before_every_bestmove() {
    let mut engine = uci();
    for fen in [chess::START_FEN, KIWIPETE, MATE_IN_TWO, CHECKMATE, STALEMATE] {
        engine.send(&format!("position fen {fen}"));
        for limit in
            ["nodes 1", "movetime 1", "movetime 0", "depth 1", "wtime 1 btime 1", "wtime -50 btime -50"]
        {
            let lines = engine.ask(&format!("go {limit}"), "bestmove ");
            assert!(!infos(&lines).is_empty(), "{fen} {limit}: {lines:?}");
        }
        engine.send("go infinite");
        engine.send("stop");
        let lines = engine.until("bestmove ");
        assert!(!infos(&lines).is_empty(), "{fen}: {lines:?}");
    }
}

#[test]
fn no_bestmove_before_stop_or_ponderhit() {
    let mut engine = uci();
    // Positions in which the search has nothing left to do at once.
    for fen in
        [MATE_IN_TWO, CHECKMATE, STALEMATE, "7k/8/8/8/8/8/5q2/7K w - - 0 1", "8/8/8/8/8/3k4/8/3K4 w - - 0 1"]
    {
        for (go, end) in [
            ("go infinite", "stop"),
            ("go infinite depth 1", "stop"),
            ("go ponder wtime 1000 btime 1000", "stop"),
            ("go ponder movetime 10", "ponderhit"),
            ("go ponder depth 1", "ponderhit"),
        ] {
            engine.send_all(&[&format!("position fen {fen}"), go]);
            // Another engine's answer takes longer than this one's search.
            uci().ask("go depth 6", "bestmove ");
            let lines = engine.ask("isready", "readyok");
            assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{fen} {go}: {lines:?}");
            engine.ask(end, "bestmove ");
        }
    }
}

#[test]
fn lines_of_multipv_come_sorted_together_and_differ() {
    let mut engine = uci();
    engine.send("setoption name MultiPV value 4");
    for (fen, count) in [(KIWIPETE, 4), ("7k/8/8/8/8/8/8/K6q w - - 0 1", 3)] {
        engine.send(&format!("position fen {fen}"));
        let legal = Position::from_fen(fen).expect("a FEN").legal_moves().len();
        let count = legal.min(count);
        let lines = engine.ask("go depth 6", "bestmove ");
        let infos: Vec<Info> = infos(&lines);
        assert_eq!(infos.len() % count, 0, "{lines:?}");
        for set in infos.chunks(count) {
            let ranks: Vec<u32> = set.iter().filter_map(|info| info.multi_pv).collect();
            assert_eq!(ranks, (1..=count as u32).collect::<Vec<u32>>());
            let mut first: Vec<&String> = set.iter().map(|info| &info.pv[0]).collect();
            first.sort();
            first.dedup();
            assert_eq!(first.len(), count, "{set:?}");
            let value = |info: &Info| match info.score.expect("a score").value {
                Value::Centipawns(centipawns) => centipawns,
                Value::Mate(moves) if moves > 0 => 100_000 - moves,
                Value::Mate(moves) => -100_000 - moves,
            };
            assert!(set.is_sorted_by(|a, b| a.depth > b.depth || value(a) >= value(b)), "{set:?}");
        }
        assert_eq!(best_move(&lines).0.as_ref(), infos[infos.len() - count].pv.first());
    }
}

#[test]
fn multipv_one_is_always_printed() {
    let mut engine = uci();
    engine.send("setoption name MultiPV value 5");
    for limit in ["nodes 1", "movetime 1", "depth 1", "nodes 500"] {
        let lines = engine.ask(&format!("go {limit}"), "bestmove ");
        assert!(infos(&lines).iter().any(|info| info.multi_pv == Some(1)), "{limit}: {lines:?}");
    }
}

#[test]
fn lines_are_legal_and_end_where_the_game_ends() {
    let mut engine = uci();
    for fen in [
        chess::START_FEN,
        KIWIPETE,
        MATE_IN_TWO,
        "8/8/8/5k2/8/8/4R3/4K2r w - - 97 90",
        "8/5k2/8/8/8/8/1Q6/6K1 w - - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1",
        "8/8/8/8/8/5k2/5p2/5K2 b - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 94 60",
    ] {
        engine.send_all(&["ucinewgame", &format!("position fen {fen}")]);
        let lines = engine.ask("go nodes 50000", "bestmove ");
        for info in infos(&lines) {
            assert!(!info.pv.is_empty(), "{lines:?}");
            let game = play(fen, &info.pv);
            for end in 0..info.pv.len() {
                let before = play(fen, &info.pv[..end]);
                assert!(
                    !before.is_over() && (end == 0 || before.claimable().is_none()),
                    "{fen} {:?}",
                    info.pv
                );
            }
            let score = info.score.expect("a score");
            if let (Value::Mate(moves), Bound::Exact) = (score.value, score.bound) {
                let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
                assert_eq!(info.pv.len(), plies as usize, "{fen} {info}");
                assert!(game.position().is_checkmate(), "{fen} {info}");
            }
        }
        let (best, ponder) = best_move(&lines);
        play(fen, &best.into_iter().chain(ponder).collect::<Vec<_>>());
    }
}

#[test]
fn castling_is_written_as_the_options_say() {
    let mut engine = uci();
    let castle = "position fen 4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1";
    engine.send(castle);
    assert_eq!(best_move(&engine.ask("go depth 3 searchmoves e1g1", "bestmove")).0.as_deref(), Some("e1g1"));
    engine.send("position startpos moves e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1 e8g8");
    assert!(engine.ask("d", "Checkers")[9].contains("rnbq1rk1/ppppbppp/5n2/4p3/4P3/5N2/PPPPBPPP/RNBQ1RK1 w"));
    engine.send_all(&["setoption name UCI_Chess960 value true", castle]);
    assert_eq!(best_move(&engine.ask("go depth 3 searchmoves e1h1", "bestmove")).0.as_deref(), Some("e1h1"));
}

#[test]
fn searchmoves_really_restrict_the_root() {
    let mut engine = uci();
    for moves in ["a2a3", "h2h4 b1a3"] {
        let lines = engine.ask(&format!("go depth 4 searchmoves {moves}"), "bestmove ");
        let (best, _) = best_move(&lines);
        assert!(moves.contains(&best.expect("a move")));
        assert!(infos(&lines).iter().all(|info| moves.contains(&info.pv[0])), "{lines:?}");
    }
}

#[test]
fn unknown_options_and_malformed_lines_change_nothing() {
    let mut engine = uci();
    for line in [
        "setoption name Nonsense value 3",
        "setoption name Hash value 0",
        "setoption name Hash value 99999999999999999999",
        "setoption name Threads value -1",
        "setoption name MultiPV value many",
        "setoption name Search value minimax",
        "setoption name UCI_Chess960 value perhaps",
        "setoption Hash 3",
        "go depth deep",
        "debug maybe",
        "position",
        "rubbish",
    ] {
        engine.send(line);
        let answer = engine.ask("isready", "readyok");
        assert!(answer.len() == 2 && answer[0].starts_with("info string error: "), "{line}: {answer:?}");
    }
    assert_eq!(engine.ask("joho isready", "readyok").len(), 2);
}

#[test]
fn illegal_positions_and_moves_leave_the_old_position() {
    let mut engine = uci();
    engine.send("position startpos moves e2e4 c7c5");
    let before = engine.ask("d", "Checkers");
    for line in [
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen kk6/8/8/8/8/8/8/KK6 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e5",
        "position fen 99999999/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e4 e7e5 e1e3",
        "position startpos moves 0000",
        "position startpos moves e2e4 é7é5",
    ] {
        engine.send(line);
        let answer = engine.ask("isready", "readyok");
        assert!(answer.len() == 2 && answer[0].starts_with("info string error: "), "{line}: {answer:?}");
        assert_eq!(engine.ask("d", "Checkers"), before, "{line}");
    }
}

#[test]
fn positions_that_no_game_leads_to_are_played_with_a_warning() {
    let mut engine = uci();
    for fen in [
        "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1",
        "k7/8/8/8/8/8/8/K6R w KQkq - 0 0",
        "4k3/8/8/8/8/PPPPPPPP/PPPPPPP1/4K3 w - - 0 1",
        "kn6/nn5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/K1Q1Q2Q w - - 0 1",
        "4k3/8/8/8/NNNNN3/NNNNN3/NNNNN3/4K3 w - - 0 1",
        "4k3/8/8/8/4r3/3n1n2/8/4K3 w - - 0 1",
    ] {
        engine.send(&format!("position fen {fen}"));
        let answer = engine.ask("isready", "readyok");
        assert!(answer.len() > 1 && answer[0].starts_with("info string warning: "), "{fen}: {answer:?}");
        let answer = engine.ask("go nodes 3000", "bestmove ");
        assert!(!answer.last().is_some_and(|best| best.contains("(none)")), "{fen}: {answer:?}");
    }
}

#[test]
fn bestmove_none_when_the_game_is_over() {
    let mut engine = uci();
    for (fen, score) in [(CHECKMATE, Value::Mate(0)), (STALEMATE, Value::Centipawns(0))] {
        engine.send(&format!("position fen {fen}"));
        let lines = engine.ask("go depth 5", "bestmove ");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove (none)"));
        assert_eq!(infos(&lines)[0].score.expect("a score").value, score);
    }
}

#[test]
fn a_hundred_centipawns_are_an_even_chance_to_win() {
    let mut engine = uci();
    assert!(infos(&engine.ask("go depth 4", "bestmove ")).iter().all(|info| info.wdl.is_none()));
    engine.send("setoption name UCI_ShowWDL value true");
    for fen in [
        chess::START_FEN,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR b KQkq - 0 1",
        "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        MATE_IN_TWO,
    ] {
        engine.send(&format!("position fen {fen}"));
        for info in infos(&engine.ask("go depth 6", "bestmove ")) {
            let [win, draw, loss] = info.wdl.expect("chances");
            assert_eq!(win + draw + loss, 1000);
            match info.score.expect("a score").value {
                Value::Centipawns(centipawns) if centipawns < 99 => assert!(win <= 500, "{info}"),
                Value::Centipawns(centipawns) if centipawns > 101 => assert!(win >= 500, "{info}"),
                Value::Centipawns(_) => {}
                Value::Mate(moves) => assert_eq!(win, if moves > 0 { 1000 } else { 0 }),
            }
        }
    }
}

#[test]
fn bench_is_deterministic_and_ends_with_nodes_and_speed() {
    let mut engine = uci();
    let mut run = || {
        engine.send("bench 4");
        engine.send("setoption name Clear Hash");
        let mut lines = engine.ask("isready", "readyok");
        lines.pop();
        let last: Vec<String> = lines.pop().expect("a line").split(' ').map(str::to_owned).collect();
        assert!(last.len() == 4 && last[1] == "nodes" && last[3] == "nps", "{last:?}");
        last[0].parse::<u64>().expect("a number")
    };
    let first = run();
    assert!(first > 0);
    assert_eq!(run(), first);
}

#[test]
fn the_coach_explains_positions_and_moves() {
    let mut engine = uci();
    engine.send("position startpos moves e2e4 e7e5 f1c4 b8c6 d1h5");
    let lines = engine.ask("explain", "info string White threatens mate with 4. Qxf7#.");
    assert!(lines.iter().all(|line| line.starts_with("info string ")), "{lines:?}");
    let lines = engine.ask("explain Nf6", "info string This allows mate at once: 4. Qxf7#.");
    assert_eq!(lines[0], "info string Nf6 is a blunder.");
    engine.ask("explain e7e5", "info string error: explain: ");
    engine.send_all(&["go infinite", "explain"]);
    engine.until("info string error: explain: a search is under way");
    engine.ask("stop", "bestmove ");
}

#[test]
fn ground_ups_two_commands_live_on() {
    let mut engine = uci();
    engine.send("load 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    let lines = engine.ask("search 3", "Time: ");
    assert_eq!(lines[0], "Checkmate found");
    assert!(lines[1].starts_with("Evaluation at depth 3: "), "{lines:?}");
    assert_eq!(lines[2], "Best move: a1 -> a8");
    for (bad, reason) in [
        ("load", "load what?"),
        ("load nonsense", "cannot load"),
        ("search", "search how deep?"),
        ("search minus one", "search how deep?"),
    ] {
        let answer = engine.ask(bad, "info string error: ");
        assert!(answer[0].contains(reason), "{bad}: {answer:?}");
    }
    let lines = engine.ask("search 2", "Time: ");
    assert_eq!(lines[2], "Best move: a1 -> a8", "a position that cannot be loaded leaves the old one");
    engine.send_all(&["load startpos", "setoption name Clear Hash"]);
    engine.ask("isready", "readyok");
    engine.send_all(&["search 60", "stop"]);
    assert_eq!(engine.until("Time: ")[0], "No checkmate found");
}

#[test]
fn go_mate_searches_for_a_mate() {
    let mut engine = uci();
    engine.send(&format!("position fen {MATE_IN_TWO}"));
    let lines = engine.ask("go mate 2", "bestmove ");
    let info = infos(&lines).pop().expect("an info");
    assert_eq!(info.score.expect("a score").value, Value::Mate(2), "{lines:?}");
    assert!(play(MATE_IN_TWO, &info.pv).position().is_checkmate());
}

#[test]
fn ready_while_searching() {
    let mut engine = uci();
    engine.send("go infinite");
    for _ in 0..20 {
        let lines = engine.ask("isready", "readyok");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    }
    engine.ask("stop", "bestmove ");
    assert_eq!(engine.ask("isready", "readyok"), ["readyok"]);
}

#[test]
fn go_and_position_while_searching() {
    let mut engine = uci();
    engine.send_all(&["go infinite", "position startpos moves e2e4", "go infinite", "go depth 3", "isready"]);
    // The first two searches end before the third begins, and that before or after the answer.
    let mut lines = engine.until("readyok");
    let count = |lines: &[String]| lines.iter().filter(|line| line.starts_with("bestmove")).count();
    assert!(count(&lines) >= 2, "{lines:?}");
    while count(&lines) < 3 {
        lines.push(engine.next());
    }
    lines.retain(|line| line.starts_with("bestmove"));
    let (best, _) = best_move(&lines);
    play("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", &[best.expect("a move")]);
    engine.send_all(&["stop", "stop", "ponderhit"]);
    assert_eq!(engine.ask("isready", "readyok"), ["readyok"]);
}

#[test]
fn options_change_while_searching() {
    let mut engine = uci();
    engine.send_all(&[
        "go infinite",
        "setoption name Hash value 4",
        "setoption name Threads value 2",
        "ucinewgame",
    ]);
    engine.until("bestmove ");
    assert_eq!(engine.ask("isready", "readyok"), ["readyok"]);
    engine.ask("go depth 4", "bestmove ");
}

#[test]
fn every_limit_in_any_order() {
    let mut engine = uci();
    for go in [
        "go wtime 200 btime 200",
        "go binc 10 winc 10 btime 200 wtime 200",
        "go movestogo 1 wtime 100 btime 100",
        "go depth 3 nodes 100000 movetime 500",
        "go nodes 2000",
        "go searchmoves e2e4 d2d4 depth 3",
        "go depth 2147483647 movetime 20",
        "go nodes 18446744073709551615 depth 2",
        "go  \t depth   2  ",
        "go depth 2 unknown 5",
        "go wtime 9223372036854775807 btime 9223372036854775807 winc 9223372036854775807 depth 2",
        "go movestogo 0 wtime 100 btime 100",
        "go movestogo 4294967295 wtime 100 btime 100",
    ] {
        let lines = engine.ask(go, "bestmove ");
        assert!(!infos(&lines).is_empty(), "{go}: {lines:?}");
    }
    let infos = infos(&engine.ask("go depth 5", "bestmove "));
    assert_eq!(infos.last().and_then(|info| info.depth), Some(5));
}

#[test]
fn the_end_of_input_ends_the_program() {
    let mut engine = uci();
    engine.send("go infinite");
    engine.until("info depth 2 ");
    let (lines, status) = engine.end();
    assert!(status.success());
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
    let mut engine = uci();
    engine.send_bytes(b"qui");
    engine.send_bytes(b"t");
    let (lines, status) = engine.end();
    assert!(status.success() && lines.is_empty(), "{lines:?}");
    let mut engine = uci();
    engine.send_all(&["go infinite", "quit"]);
    assert!(engine.end().1.success());
}

#[test]
fn extra_commands() {
    let mut engine = uci();
    let lines = engine.ask("go perft 3", "Nodes searched");
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 8902"));
    assert_eq!(lines.len(), 21);
    engine.send(&format!("position fen {KIWIPETE}"));
    assert_eq!(engine.ask("perft 2", "Nodes").last().map(String::as_str), Some("Nodes searched: 2039"));
    engine.send("perft 40");
    assert_eq!(engine.ask("isready", "readyok").pop().as_deref(), Some("readyok"));
    engine.ask("stop", "info string perft stopped");
    assert!(engine.ask("eval", "Static")[0].contains("for White"));
    engine.send("flip");
    assert!(engine.ask("d", "Checkers").iter().any(|line| line.starts_with("Fen: ") && line.contains(" b ")));
    engine.ask("help", "perft N");
}

#[test]
fn the_log_file_holds_everything_said() {
    let path = std::env::temp_dir().join(format!("gardez-uci-{}.log", std::process::id()));
    let mut engine = uci();
    engine.send(&format!("setoption name Debug Log File value {}", path.display()));
    let lines = engine.ask("go depth 2", "bestmove ");
    assert!(engine.end().1.success());
    let log = std::fs::read_to_string(&path).expect("a log");
    std::fs::remove_file(&path).expect("the log");
    assert!(log.starts_with("> go depth 2\n"));
    for line in lines {
        assert!(log.contains(&format!("< {line}\n")), "{line} in {log}");
    }
}

#[test]
fn lines_end_in_any_way() {
    let mut engine = Conversation::begin();
    engine.send_bytes(b"uci\r\n  isready  \r\n");
    engine.until("readyok");
    engine.send_bytes(b"posi");
    engine.send_bytes(b"tion startpos mo");
    engine.send_bytes(b"ves e2e4\r\ngo depth 1\n");
    let (best, _) = best_move(&engine.until("bestmove "));
    play("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", &[best.expect("a move")]);
}

#[test]
fn endless_lines_do_not_matter() {
    let mut engine = uci();
    for (start, unit) in
        [("", "x"), ("go ", "depth 1 "), ("position startpos moves ", "e2e4 "), ("setoption name ", "a ")]
    {
        let mut line = start.to_owned();
        while line.len() < 1_000_000 {
            line.push_str(unit);
        }
        engine.send(&line);
        engine.send(&line.repeat(3));
        let answer = engine.ask("isready", "readyok");
        assert!(answer.iter().all(|line| line.len() < 10_000));
        assert!(answer.iter().any(|line| line.contains("dropped")), "{start}");
    }
    engine.ask("go depth 1", "bestmove ");
}

#[test]
fn random_bytes_do_not_matter() {
    let mut numbers = Random::new(7);
    let mut engine = uci();
    for _ in 0..200 {
        let length = numbers.below(2000);
        let bytes: Vec<u8> = (0..length).map(|_| numbers.below(256) as u8).collect();
        engine.send_bytes(&bytes);
    }
    engine.send("");
    engine.ask("isready", "readyok");
    engine.ask("go depth 3", "bestmove ");
}

#[test]
fn bursts_of_commands_in_any_order_leave_it_responsive() {
    const COMMANDS: &[&str] = &[
        "uci",
        "isready",
        "ucinewgame",
        "position startpos",
        "position startpos moves e2e4 e7e5 g1f3",
        "position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1",
        "position fen garbage",
        "go infinite",
        "go depth 2",
        "go nodes 100",
        "go ponder",
        "go movetime 1",
        "go wtime 1 btime 1",
        "go perft 2",
        "stop",
        "ponderhit",
        "setoption name Hash value 1",
        "setoption name Hash value 2",
        "setoption name Hash value 999999999",
        "setoption name Threads value 2",
        "setoption name Threads value 1",
        "setoption name MultiPV value 3",
        "setoption name UCI_Chess960 value true",
        "d",
        "eval",
        "flip",
        "rubbish",
        "",
    ];
    let mut numbers = Random::new(11);
    let mut engine = uci();
    let mut searches = 0;
    for _ in 0..3000 {
        let command = COMMANDS[numbers.below(COMMANDS.len())];
        searches += usize::from(command.starts_with("go ") && !command.contains("perft"));
        engine.send(command);
    }
    // Setting an option waits for the end of the last search, so that this is the last answer.
    engine.send_all(&["stop", "setoption name Hash value 1", "joho isready"]);
    let mut lines = engine.until("info string skipped unknown words 'joho'");
    lines.push(engine.next());
    assert_eq!(lines.last().map(String::as_str), Some("readyok"));
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), searches);
}
