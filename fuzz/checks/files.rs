//! Files that are not texts of games: networks, data, books, tournaments, states, positions of old programs.

use arena::plan::Plan;
use book::Book;
use chess::{Game, Position};
use classics::javachess;
use classics::{BookText, ClassicSpec};
use data::{GameReader, GameWriter, Origin};
use journal::{Existing, Journal, Output};
use nnue::{NetworkFile, checksum};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// A network as it is, and with the checksum that belongs to it, behind which all else is checked.
pub fn check_network(bytes: &[u8]) {
    let mut mended = bytes.to_vec();
    if let Some(content) = bytes.len().checked_sub(8) {
        let sum = checksum(&bytes[..content]).to_le_bytes();
        mended[content..].copy_from_slice(&sum);
    }
    for bytes in [bytes, &mended] {
        if let Ok(network) = NetworkFile::decode(bytes) {
            assert_eq!(network.encode(), bytes);
            let _ = network.evaluate(&Position::startpos());
        }
    }
}

const ORIGIN: Origin = Origin { chess960_percent: 10, seed: 1, nodes: 100, hash: 1 };

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 },
        )
    })
}

fn read_games(bytes: &[u8]) {
    for is_patient in [false, true] {
        let Ok(reader) = GameReader::new(bytes) else { return };
        for game in reader.skip_damaged(is_patient).take(1000) {
            let Ok(game) = game else { break };
            // Every position that a game comes to can be played.
            let _ = game.moves().len();
        }
    }
}

/// A file of games as it is, and its bytes as the records of a sound file.
pub fn check_data(bytes: &[u8]) {
    static HEADER: OnceLock<Vec<u8>> = OnceLock::new();
    read_games(bytes);
    let header = HEADER.get_or_init(|| {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("games");
        drop(GameWriter::open(&path, ORIGIN).expect("a file"));
        fs::read(path).expect("a header")
    });
    let mut file = header.clone();
    for record in bytes.split(|&byte| byte == b'\n') {
        let framed = [&(record.len() as u32).to_le_bytes()[..], record].concat();
        file.extend(&framed[..4]);
        file.extend(crc32(&framed).to_le_bytes());
        file.extend(record);
    }
    read_games(&file);
}

/// A book is written as it was read, except for the bytes that programs use to learn.
pub fn check_polyglot(bytes: &[u8]) {
    let Ok(book) = Book::read(bytes) else { return };
    let mut written = Vec::new();
    book.write(&mut written).expect("room");
    assert_eq!(written.len(), bytes.len());
    assert_eq!(Book::read(&written[..]).expect("a book"), book);
    let _ = Book::merge([&book, &book]);
    let game = Game::new();
    let _ = book.probe(game.polyglot_key(), game.position());
}

/// A tournament. Engines are not started, and files not opened.
pub fn check_tournament(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(plan) = Plan::parse(&text, Path::new("tournament.toml")) else { return };
    let _ = plan.source();
    let _ = plan.specs();
}

/// The state of interrupted work, of which the outputs have more or less.
pub fn check_state(bytes: &[u8]) {
    let directory = tempfile::tempdir_in(shared_memory()).expect("a directory");
    let path = |name: &str| directory.path().join(name);
    let (state, one, two) = (path("state"), path("one"), path("two"));
    fs::write(&state, bytes).expect("written");
    fs::write(&one, "0123456789").expect("written");
    fs::write(&two, "01234").expect("written");
    let plan = journal::Plan {
        outputs: &[Output { path: &one, beginning: "" }, Output { path: &two, beginning: "<p>" }],
        state: &state,
        work: &[("nodes", "1".to_owned())],
        existing: Existing::Resume,
    };
    let opened = Journal::open(&plan, |_: serde_json::Value| {});
    let Ok((mut journal, _)) = opened else {
        // What is refused is left alone.
        assert_eq!(fs::read(&one).expect("a file"), b"0123456789");
        assert_eq!(fs::read(&state).expect("a file"), bytes);
        return;
    };
    journal.append(&["x", "y"], &1).expect("room");
    drop(journal);
    Journal::open(&plan, |_: serde_json::Value| {}).expect("what was written can be resumed");
}

fn shared_memory() -> &'static Path {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory } else { Path::new("/tmp") }
}

/// Books and positions of JavaChess and the other classics.
pub fn check_javachess(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(book) = javachess::Book::parse(&text) {
        let again = javachess::Book::parse(&book.to_text()).expect("a book");
        assert_eq!(again.to_text(), book.to_text());
        let _ = book.reply(&Position::startpos());
    }
    if let Ok(setup) = javachess::read_position(&text)
        && let Ok(written) = javachess::write_position(&setup)
    {
        let again = javachess::read_position(&written).expect("a position");
        assert_eq!(javachess::write_position(&again).expect("a position"), written);
        let _ = Position::from_setup(&setup);
    }
    for classic in ["javachess:mtdf", "chessbin:medium", "groundup:4"] {
        let spec: ClassicSpec = classic.parse().expect("a classic");
        let book = BookText { name: "book".to_owned(), text: text.clone().into_owned() };
        let _ = spec.create_with_books(&[book]);
    }
}
