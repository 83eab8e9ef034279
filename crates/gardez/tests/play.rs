//! Drives `gardez play` over a pipe.

#![forbid(unsafe_code)]

use assert_cmd::Command;
use chess::Position;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

fn play(args: &[&str], input: impl Into<Vec<u8>>) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    let assert = command.arg("play").args(args).write_stdin(input).assert().success().stderr("");
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

/// Two players at one board.
fn ascii(input: &str) -> String {
    play(&["--ascii", "--opponent", "human"], input)
}

#[test]
fn a_game_to_mate_with_moves_in_every_notation() {
    let record = ascii("e4\ne7e5\nbc4\nBc4\nNc6\nQd1-h5\nG8F6\nqxf7\nscore\n");
    // A small b is the file, and no pawn gets to c4.
    assert!(record.contains("No pawn can go to c4"), "{record}");
    assert!(record.contains("1-0 Black is checkmated.\ngame over> score\n"), "{record}");
    assert!(record.contains("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n"), "{record}");
}

#[test]
fn illegal_moves_are_explained_and_change_nothing() {
    let record = ascii("Nd4\ne2e5\nO-O\nxyzzy\ne7e5\nfen\n");
    for reason in [
        "No knight can go to d4.",
        "e2e5 is not legal: a pawn does not move like that.",
        "You cannot castle: there is a piece on f1.",
        "\"xyzzy\" is not a move",
        "the pawn on e7 is Black's piece, and it is White's move.",
        chess::START_FEN,
    ] {
        assert!(record.contains(reason), "{reason}:\n{record}");
    }
}

#[test]
fn moves_are_taken_back_and_played_again() {
    let record = ascii("undo\ne4\ne5\nundo\nundo\nfen\nredo\nredo\nredo\nfen\n");
    assert!(record.contains("There is no move to take back."), "{record}");
    assert!(record.contains("There is no move to play again."), "{record}");
    let fens: Vec<&str> = record.lines().filter(|line| line.contains(" KQkq ")).collect();
    assert_eq!(fens, [chess::START_FEN, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"]);
}

#[test]
fn draws_are_claimed_only_with_ground() {
    let knights_out_and_back = "Nf3\nNf6\nNg1\nNg8\n";
    let record = ascii(&format!("claim\n{}draw\ne4\n", knights_out_and_back.repeat(2)));
    assert!(record.contains("No draw to claim: the position stands for time 1 of 3"), "{record}");
    assert!(record.contains("White can claim a draw by threefold repetition."), "{record}");
    assert!(record.contains("1/2-1/2 Draw by threefold repetition."), "{record}");
    assert!(record.contains("The game is over: draw by threefold repetition."), "{record}");
}

#[test]
fn games_end_by_resignation_and_agreement_and_begin_anew() {
    let record = ascii("e4\nresign\nresign\nnew\naccept\ndraw\naccept\nundo\n");
    assert!(record.contains("1-0 Black resigns."), "{record}");
    assert!(record.contains("The game is over: Black resigns."), "{record}");
    assert!(record.contains("There is no draw offer."), "{record}");
    assert!(record.contains("White offers a draw: accept or decline."), "{record}");
    assert!(record.contains("1/2-1/2 Draw by agreement."), "{record}");
}

#[test]
fn the_board_is_drawn_with_its_last_move() {
    let record = ascii("flip\nflip\nNf3\n");
    assert!(record.contains("  8  r  n  b  q  k  b  n  r \n"), "{record}");
    assert!(record.contains("  1  R  N  B  K  Q  B  N  R \n"), "{record}");
    assert!(record.contains("  3  .  .  .  .  . [N] .  . \n"), "{record}");
    let castled =
        play(&["--ascii", "--opponent", "human", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"], "O-O\n");
    assert!(castled.contains("  1  .  .  .  . [.] R [K] . \n"), "{castled}");
}

#[test]
fn checks_and_legal_moves_are_announced() {
    let record =
        play(&["--ascii", "--opponent", "human", "--fen", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"], "moves\n");
    assert!(record.contains("Check!\n"), "{record}");
    assert!(record.contains("Kd1 Kf1 Kxe2\n"), "{record}");
    let over = play(&["--ascii", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "moves\nKg8\n");
    assert!(over.contains("1/2-1/2 Draw by stalemate."), "{over}");
    assert!(over.contains("There is no legal move."), "{over}");
}

#[test]
fn chess960_starts_where_asked() {
    let numbered = play(&["--ascii", "--chess960", "0"], "fen\n");
    assert!(numbered.contains("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"), "{numbered}");
    let random = play(&["--ascii", "--chess960"], "fen\nquit\n");
    assert!(random.contains("/pppppppp/8/8/8/8/PPPPPPPP/"), "{random}");
    for args in [&["--chess960", "960"][..], &["--chess960", "--fen", chess::START_FEN], &["--fen", "x"]] {
        Command::new(env!("CARGO_BIN_EXE_gardez")).arg("play").args(args).assert().code(2).stdout("");
    }
}

#[test]
fn the_locale_decides_between_figurines_and_letters() {
    for (locale, piece) in [("en_GB.UTF-8", "♞"), ("C", "  n  ")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
        let assert = command.arg("play").env("LC_ALL", locale).write_stdin("quit\n").assert().success();
        let record = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
        // What Windows can draw is not told by a locale.
        assert!(cfg!(windows) || record.contains(piece), "{locale}: {record}");
        assert!(!record.contains('\x1b'), "no colours in a pipe");
    }
}

#[test]
fn anything_may_be_typed() {
    let mut input = b"\xff\xfe\n\0\n\n   \n".to_vec();
    input.extend("♘f3\nN\u{301}\n".bytes());
    input.extend(std::iter::repeat_n(b'x', 100_000));
    let record = play(&["--ascii"], input);
    assert!(record.contains("is not a move"), "{record}");
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    assert!(ascii("").ends_with("1. White> \n"));
    assert!(ascii("help\nquit\ne4\n").ends_with("1. White> quit\n"));
}

/// The moves of a game saved as PGN.
fn saved_moves(path: &Path) -> (Vec<String>, chess::pgn::PgnGame) {
    let text = std::fs::read_to_string(path).expect("a file of games");
    let pgn = chess::pgn::Reader::new(text.as_bytes()).next().expect("a game").expect("without fault");
    let mut position = pgn.start;
    let sans = pgn.moves().map(|mv| {
        let san = position.san(mv).to_string();
        position.play(mv);
        san
    });
    (sans.collect(), pgn.clone())
}

/// A script that looks at the position and makes some legal move, until the game is over.
#[test]
fn a_whole_game_against_a_program_is_played_and_saved() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("game.pgn");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_gardez"))
        .args(["play", "--ascii", "--opponent", "gardez:@nodes=300"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut input = child.stdin.take().expect("an input");
    let mut output = BufReader::new(child.stdout.take().expect("an output")).lines().map_while(Result::ok);
    let mut result = None;
    for step in 0.. {
        writeln!(input, "fen").expect("typed");
        let position = output.by_ref().find_map(|line| {
            if let Some(word) = line.split(' ').next().filter(|word| ["1-0", "0-1", "1/2-1/2"].contains(word))
            {
                result = Some(word.to_owned());
            }
            Position::from_fen(&line).ok()
        });
        if result.is_some() {
            break;
        }
        let position = position.expect("a position");
        let moves = position.legal_moves();
        writeln!(input, "{}", position.san(moves[step * 31 % moves.len()])).expect("typed");
    }
    writeln!(input, "save {}", file.display()).expect("typed");
    drop(input);
    let rest: Vec<String> = output.collect();
    assert!(child.wait().expect("an end").success());
    assert!(rest.iter().any(|line| line.starts_with("Saved to ")), "{rest:?}");

    let (moves, pgn) = saved_moves(&file);
    assert!(moves.len() > 4, "{moves:?}");
    assert_eq!(Some(pgn.result().to_string()), result);
    assert_eq!((pgn.tags.get("White"), pgn.tags.get("Black")), (Some("Player"), Some("Gardez")));
}

#[test]
fn a_finished_game_is_archived() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("data");
    let data_text = data.display().to_string();
    let fen = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1";
    let args = ["--ascii", "--fen", fen, "--opponent", "gardez:@nodes=100", "--data", &data_text];
    let record = play(&args, "pieces\nhint\nQg6\nQg7\nquit\n");
    for part in ["White: king f6, queen g1.", "Hint: ", "Draw by stalemate", "The game is over"] {
        assert!(record.contains(part), "{part}:\n{record}");
    }
    let (moves, pgn) = saved_moves(&data.join("games.pgn"));
    assert_eq!(moves, ["Qg6"]);
    assert_eq!(pgn.result(), chess::GameResult::Draw);
    assert!(!data.join("unfinished-1.pgn").exists(), "a game that is over is not resumed");
}

#[test]
fn a_program_is_mated_over_a_pipe() {
    let fen = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1";
    let args = ["--ascii", "--fen", fen, "--opponent", "gardez:@nodes=100"];
    let record = play(&args, "Qg7\nscore\n");
    assert!(record.contains("1-0 Black is checkmated."), "{record}");
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    let record = play(&["--ascii", "--fen", fen, "--opponent", "piglet", "--side", "black"], "");
    assert!(record.contains("White plays Ra8#.") && record.contains("1-0 Black is checkmated."), "{record}");
}

#[test]
fn a_killed_game_is_resumed() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().to_str().expect("UTF-8");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_gardez"))
        .args(["play", "--ascii", "--opponent", "gardez:@nodes=200", "--data", data])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut input = child.stdin.take().expect("an input");
    writeln!(input, "d4").expect("typed");
    let output = BufReader::new(child.stdout.take().expect("an output"));
    let answered = output.lines().map_while(Result::ok).any(|line| line.starts_with("Black plays"));
    assert!(answered);
    // The prompt after the answer is not awaited: the game is saved before the move is told.
    child.kill().expect("killed");
    child.wait().expect("ended");

    let record = play(&["--ascii", "--data", data], "score\nplayers\nresign\n");
    assert!(record.contains("Your unfinished game is resumed"), "{record}");
    assert!(record.contains("1. d4 "), "{record}");
    assert!(record.contains("Player plays White, Gardez plays Black."), "{record}");
    assert!(record.contains("0-1 White resigns."), "{record}");
    let again = play(&["--ascii", "--opponent", "human", "--data", data], "score\n");
    assert!(!again.contains("unfinished"), "{again}");
}

#[test]
fn spoken_games_have_words_and_no_boards() {
    let record = play(&["--speak", "--ascii", "--opponent", "human"], "Nf3\nsquare f3\nboard\n");
    assert!(record.contains("White plays knight from g1 to f3.\nOpening: "), "{record}");
    assert!(record.contains("f3: white knight."), "{record}");
    assert_eq!(record.matches("  8  r  n  b").count(), 1, "the board only when asked for: {record}");
}

#[test]
fn a_demonstration_runs_through_a_pipe() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("games.pgn");
    std::fs::write(&file, "[White \"Réti\"]\n\n1. e4 c6 2. d4 1-0\n\n1. c4 *\n").expect("written");
    let record = play(&["--ascii", "--demo", file.to_str().expect("UTF-8")], "");
    for part in ["Réti against ?", "Black plays c6.", "White plays c4.", "That was the last game"] {
        assert!(record.contains(part), "{part}:\n{record}");
    }
    let missing = play(&["--ascii", "--pgn", "/nowhere.pgn"], "");
    assert!(missing.contains("Cannot read /nowhere.pgn"), "{missing}");
    let loaded = play(&["--ascii", "--opponent", "human", "--pgn", file.to_str().expect("UTF-8")], "score\n");
    assert!(loaded.contains("1. e4 c6 2. d4 *"), "{loaded}");
}

#[test]
fn classics_play_from_a_book_and_show_their_statistics() {
    let directory = tempfile::tempdir().expect("a directory");
    let book = directory.path().join("my.book");
    let book = book.to_str().expect("UTF-8");
    let written = Command::new(env!("CARGO_BIN_EXE_gardez"))
        .args(["javachess", "write-book", "-"])
        .write_stdin("d4 f5\n")
        .assert()
        .success();
    std::fs::write(book, &written.get_output().stdout).expect("written");
    let opponent = format!("javachess:book={book},@depth=2");
    let record = play(&["--ascii", "--opponent", &opponent], "statistics\nd4\nstatistics\nc4\nstatistics\n");
    assert!(record.contains("No classic has thought yet"), "{record}");
    assert!(record.contains("javachess: f5, from its book, "), "{record}");
    let table = record.rsplit("statistics\n").next().expect("a table");
    assert!(table.starts_with("javachess: ") && table.contains("\ndepth best "), "{record}");

    std::fs::write(book, "1\n51 35 51 35 END").expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    let failed = command.args(["play", "--opponent", &opponent]).write_stdin("").assert().failure();
    let message = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(message.contains("my.book: line 2: move 2 of line of play 1: 51 35 is not legal"), "{message}");
}
