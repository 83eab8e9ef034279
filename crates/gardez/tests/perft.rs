//! Drives `gardez perft` as a user would.

#![forbid(unsafe_code)]

use assert_cmd::Command;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn gardez(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    command.args(args);
    command
}

fn output_of(args: &[&str]) -> String {
    let assert = gardez(args).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

/// The count that the report names.
fn nodes(report: &str) -> u64 {
    let line = report.lines().find(|line| line.starts_with("nodes ")).expect("a line with the nodes");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

/// The error message of a command that must be refused as wrongly written.
fn refusal(args: &[&str]) -> String {
    let assert = gardez(args).assert().code(2).stdout("");
    String::from_utf8(assert.get_output().stderr.clone()).expect("UTF-8")
}

#[test]
fn counts_do_not_depend_on_threads_or_table() {
    for (fen, counts) in [
        (chess::START_FEN, [1, 20, 400, 8_902, 197_281]),
        (KIWIPETE, [1, 48, 2_039, 97_862, 4_085_603]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [1, 14, 191, 2_812, 43_238]),
    ] {
        for threads in ["1", "2", "5"] {
            for hash in ["0", "1", "8"] {
                for (depth, count) in ["0", "1", "2", "3", "4"].into_iter().zip(counts) {
                    let report =
                        output_of(&["perft", depth, "--fen", fen, "--threads", threads, "--hash", hash]);
                    assert_eq!(nodes(&report), count, "depth {depth}, {threads} threads, {hash} MB: {fen}");
                }
            }
        }
    }
}

#[test]
fn divide_lists_the_first_moves() {
    for extra in [&[][..], &["--threads", "2", "--hash", "1"]] {
        let report = output_of(&[&["perft", "3", "--divide"], extra].concat());
        let moves: Vec<&str> = report.lines().take_while(|line| !line.is_empty()).collect();
        assert_eq!(moves.len(), 20);
        assert!(moves.contains(&"e2e4: 600"), "{report}");
        assert!(moves.contains(&"g1h3: 400"), "{report}");
        assert_eq!(nodes(&report), 8_902);
        assert!(report.contains("\ntime ") && report.contains("\nnodes/s "), "{report}");
    }
}

#[test]
fn every_board_counts_the_same() {
    for board in ["bitboard", "rays", "0x88", "mailbox"] {
        let report = output_of(&["perft", "3", "--divide", "--board", board, "--fen", KIWIPETE]);
        assert_eq!(nodes(&report), 97_862, "{board}");
        assert!(report.contains("e1g1: 2059\n") && report.contains("e5f7: 2080\n"), "{board}: {report}");
    }
}

#[test]
fn the_boards_of_the_classics_have_limits() {
    let chess960 = ["perft", "2", "--board", "rays", "--fen", "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1"];
    for (args, explanation) in [
        (&chess960[..], "standard chess only"),
        (&["perft", "2", "--board", "0x88", "--hash", "1"], "leave out --hash or --board"),
    ] {
        let assert = gardez(args).assert().code(1).stdout("");
        let message = String::from_utf8(assert.get_output().stderr.clone()).expect("UTF-8");
        assert!(message.contains(explanation), "{args:?}: {message}");
    }
    let message = refusal(&["perft", "2", "--board", "hexagon"]);
    assert!(message.contains("bitboard, rays, 0x88, mailbox"), "{message}");
}

#[test]
fn castling_is_written_as_asked() {
    let standard = output_of(&["perft", "1", "--divide", "--fen", KIWIPETE]);
    assert!(standard.contains("e1g1: 1") && standard.contains("e1c1: 1"), "{standard}");
    let chess960 = output_of(&["perft", "1", "--divide", "--chess960", "--fen", KIWIPETE]);
    assert!(chess960.contains("e1h1: 1") && chess960.contains("e1a1: 1"), "{chess960}");
    // Here f1g1 is a step of the king, so castling has to be written otherwise even unasked.
    let needed = output_of(&["perft", "1", "--divide", "--fen", "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1"]);
    assert!(needed.contains("f1g1: 1") && needed.contains("f1h1: 1"), "{needed}");
}

#[test]
fn a_finished_game_counts_nothing() {
    for depth in ["1", "2", "3"] {
        let report = output_of(&["perft", depth, "--divide", "--fen", "R6k/8/6K1/8/8/8/8/8 b - - 0 1"]);
        assert_eq!(nodes(&report), 0);
    }
    assert_eq!(nodes(&output_of(&["perft", "0", "--divide"])), 1);
}

#[test]
fn counts_beyond_64_bits_are_said_to_be() {
    let fen = "7k/8/8/8/8/8/8/K7 w - - 0 1";
    let report = output_of(&["perft", "40", "--hash", "8", "--fen", fen]);
    assert!(report.contains("18446744073709551615 or more"), "{report}");
}

#[test]
fn bad_arguments_are_explained() {
    for (args, explanation) in [
        (&["perft"][..], "<DEPTH>"),
        (&["perft", "five"], "it must be a whole number from 0 to 100"),
        (&["perft", "-1"], "-1"),
        (&["perft", "101"], "101"),
        (&["perft", "3", "--threads", "0"], "it must be a whole number from 1 to 1024"),
        (&["perft", "3", "--hash", "much"], "it must be a whole number from 0 to 1048576"),
        (&["perft", "3", "--fen", "rubbish"], "the board needs 8 ranks, and has 1"),
        (&["perft", "3", "--fen", "8/8/8/9/8/8/8/8 w - - 0 1"], "rank 5"),
        (&["perft", "3", "--fen", "4k3/8/8/8/8/8/8/8 w - - 0 1"], "White has 0 kings"),
    ] {
        let message = refusal(args);
        assert!(message.contains(explanation), "{args:?}: {message}");
    }
}

/// Ctrl-C while a hopeless count runs: the program says how far it came and ends.
#[cfg(unix)]
#[test]
fn an_interrupted_run_reports_and_ends() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    let mut child = Command::new(env!("CARGO_BIN_EXE_gardez"))
        .args(["perft", "30", "--threads", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // Its first line of progress tells that it is under way.
    let mut progress = String::new();
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    stderr.read_line(&mut progress).expect("a line");
    assert!(progress.contains("0 of 400 positions at ply 2 counted"), "{progress}");

    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let mut report = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut report).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(report.starts_with("interrupted: 0 of 400 positions"), "{report}");
}
