//! `gardez javachess` as a user runs it.

use assert_cmd::Command;

fn javachess(arguments: &[&str], input: &str) -> Result<String, String> {
    let mut command = Command::cargo_bin("gardez").expect("the binary is built");
    let output =
        command.arg("javachess").args(arguments).write_stdin(input).output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn positions_go_both_ways() {
    let fen = "4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 1";
    let file = javachess(&["write-position", fen], "").unwrap();
    assert!(file.starts_with("BLACK\n5\nWP 36\n"), "{file}");
    assert_eq!(javachess(&["read-position", "-"], &file).unwrap().trim(), fen);
    let start = javachess(&["write-position", "startpos"], "").unwrap();
    assert_eq!(start, javachess(&["write-position"], "").unwrap());
    assert_eq!(javachess(&["read-position", "-"], &start).unwrap().trim(), chess::START_FEN);
    let error = javachess(&["read-position", "-"], "BLACK 1 XX 3").unwrap_err();
    assert!(error.contains("a piece from WP to BK"), "{error}");
}

#[test]
fn books_go_both_ways() {
    let file = javachess(&["write-book", "-"], "e2e4 e7e5\n\nd4 Nf6 c4\n").unwrap();
    assert_eq!(file, "2\n52 36 12 28 END\n51 35 06 21 50 34 END\n");
    assert_eq!(javachess(&["read-book", "-"], &file).unwrap(), "e2e4 e7e5\nd2d4 g8f6 c2c4\n");
    let builtin = javachess(&["write-book"], "").unwrap();
    assert_eq!(javachess(&["read-book", "-"], &builtin).unwrap().lines().count(), 7);
    let error = javachess(&["write-book", "-"], "e4 e5\ne4 e4").unwrap_err();
    assert!(error.contains("line 2, move 2"), "{error}");
    let error = javachess(&["read-book", "missing.book"], "").unwrap_err();
    assert!(error.contains("missing.book"), "{error}");
}

#[test]
fn the_table_takes_a_book_and_a_position() {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| {
        let file = directory.path().join(name).to_str().expect("UTF-8").to_owned();
        std::fs::write(&file, text).expect("written");
        file
    };
    let book = write("my.book", &javachess(&["write-book", "-"], "e4 c5\n").unwrap());
    let position = write("game.pos", &javachess(&["write-position", "startpos e4"], "").unwrap());
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(javachess(&["read-position", &position], "").unwrap().trim(), fen);
    let record = javachess(&[&book, &position], "H\nC\nRESIG\n").unwrap();
    assert!(record.contains("From the opening book.\nBLACK plays BP [10, 26]\n"), "{record}");
    assert!(record.contains("Your move, WHITE?\nWHITE resigns.\n"), "{record}");
    let wrong = write("wrong.book", "1\n52 99 END\n");
    let error = javachess(&[&wrong], "H\nH\n").unwrap_err();
    assert!(error.contains("wrong.book: line 2: move 1 of line of play 1"), "{error}");
}
