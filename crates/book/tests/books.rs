//! Books as files: built, written, read, merged, probed, and broken in many ways.

#![forbid(unsafe_code)]

use book::{BUILT_IN, Book, BookFault, Books, BuildSettings, Builder, MoveCode, Variety};
use chess::pgn::Reader;
use chess::{Color, Game, Position};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

/// The key of the start position, as Polyglot's documents give it.
const START: u64 = 0x463b_9618_1691_fc9c;

fn entry(key: u64, code: u16, weight: u16) -> Vec<u8> {
    let mut bytes = key.to_be_bytes().to_vec();
    bytes.extend(code.to_be_bytes());
    bytes.extend(weight.to_be_bytes());
    bytes.extend([0; 4]);
    bytes
}

fn read(bytes: &[u8]) -> Result<Book, BookFault> {
    Book::read(bytes)
}

fn fault(bytes: &[u8]) -> String {
    read(bytes).expect_err("a fault").to_string()
}

fn written(book: &Book) -> Vec<u8> {
    let mut bytes = Vec::new();
    book.write(&mut bytes).expect("memory takes everything");
    bytes
}

/// What a book knows after some moves: `e4 4, d4 1`.
fn shown(book: &Book, moves: &str) -> String {
    let game = play(moves);
    let moves = book.probe(game.polyglot_key(), game.position());
    let show =
        |known: &book::BookMove| format!("{} {}", game.position().san(known.mv).as_str(), known.weight);
    moves.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn play(moves: &str) -> Game {
    let mut game = Game::new();
    for san in moves.split_whitespace() {
        let mv = game.position().parse_san(san).unwrap_or_else(|error| panic!("{moves}: {error}"));
        game.play(mv).unwrap_or_else(|error| panic!("{moves}: {error}"));
    }
    game
}

fn build(pgn: &str, settings: BuildSettings) -> (Book, Vec<String>) {
    let mut builder = Builder::new(settings);
    let mut games = Reader::new(pgn.as_bytes());
    let mut faults = Vec::new();
    while builder.read_game(&mut games).expect("readable") {
        faults.extend(builder.faults().iter().map(ToString::to_string));
    }
    (builder.finish(), faults)
}

const EVERYTHING: BuildSettings = BuildSettings { min_games: 1, max_ply: 1000, side: None };

const GAMES: &str = r#"[Result "1-0"]

1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O {castles} Nxe4 1-0

[Result "1/2-1/2"]

1. e4 c5 2. Nf3 1/2-1/2

[Result "0-1"]

1. d4 d5 0-1

[Result "1-0"]

1. e4 e5 2. Ke3 1-0

[Result "*"]

1. c4 *
"#;

#[test]
fn a_published_entry_is_read() {
    let book = read(&entry(START, 0x031c, 2)).expect("one entry");
    assert_eq!(shown(&book, ""), "e4 2");
    assert_eq!((book.len(), book.positions()), (1, 1));
    assert_eq!(shown(&book, "e4"), "");
}

#[test]
fn games_become_a_book_that_reads_as_it_was_written() {
    let (book, faults) = build(GAMES, EVERYTHING);
    assert_eq!(faults.len(), 1);
    assert!(faults[0].starts_with("game 4, line 15, column 13: "), "{}", faults[0]);
    // A win and a draw; the game without a result; the lost game's move has no weight. Of the faulty
    // game the moves before the fault count; the variation does not.
    assert_eq!(shown(&book, ""), "e4 5, c4 1");
    assert_eq!(shown(&book, "e4"), "c5 1");
    assert_eq!(shown(&book, "d4"), "d5 2");
    assert_eq!(shown(&book, "e4 e5 Nf3 Nc6 Bb5 Nf6"), "O-O 2");
    let again = read(&written(&book)).expect("what was written");
    assert_eq!(again, book);
    assert_eq!(written(&again), written(&book));
}

#[test]
fn settings_restrict_the_book() {
    let (frequent, _) = build(GAMES, BuildSettings { min_games: 2, ..EVERYTHING });
    assert_eq!((shown(&frequent, ""), frequent.len()), ("e4 5".to_owned(), 1));
    let (short, _) = build(GAMES, BuildSettings { max_ply: 1, ..EVERYTHING });
    assert_eq!((shown(&short, ""), short.len()), ("e4 5, c4 1".to_owned(), 2));
    let (white, _) = build(GAMES, BuildSettings { side: Some(Color::White), ..EVERYTHING });
    assert_eq!((shown(&white, "e4"), shown(&white, "e4 c5")), (String::new(), "Nf3 1".to_owned()));
    let (black, _) = build(GAMES, BuildSettings { side: Some(Color::Black), ..EVERYTHING });
    assert_eq!((shown(&black, "d4"), shown(&black, "")), ("d5 2".to_owned(), String::new()));
}

#[test]
fn keys_count_en_passant_as_polyglot_does() {
    // After 2.d4 the pawn on e4 could take if it were not pinned.
    let pgn = "[FEN \"4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1\"]\n\n1. d4 Kd8 1/2-1/2";
    let (book, faults) = build(pgn, EVERYTHING);
    assert_eq!(faults, [""; 0]);
    let mut game = Game::from_position(Position::from_fen("4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1").unwrap());
    game.play(game.position().parse_san("d4").unwrap()).unwrap();
    assert_ne!(game.polyglot_key(), game.position().polyglot_key());
    assert_eq!(book.probe(game.polyglot_key(), game.position()).len(), 1);
    assert_eq!(book.probe(game.position().polyglot_key(), game.position()), []);
}

#[test]
fn large_scores_are_scaled_down() {
    let pgn = "1. e4 1-0\n\n".repeat(40_000) + &"1. d4 1-0\n\n".repeat(20_000) + "1. c4 1/2-1/2\n";
    let (book, faults) = build(&pgn, EVERYTHING);
    assert_eq!(faults, [""; 0]);
    assert_eq!(shown(&book, ""), "e4 65535, d4 32768, c4 1");
}

#[test]
fn broken_files_are_refused_with_the_place() {
    assert_eq!(fault(b""), "is empty");
    let good = [entry(1, 0x031c, 1), entry(START, 0x031c, 1)].concat();
    assert!(read(&good).is_ok());
    assert_eq!(fault(&good[..31]), "ends within entry 2, after 15 of its 16 bytes");
    assert_eq!(fault(&good[..5]), "ends within entry 1, after 5 of its 16 bytes");
    let unsorted = [entry(1, 0x031c, 1), entry(START, 0x031c, 1), entry(START - 1, 0x031c, 1)].concat();
    assert_eq!(
        fault(&unsorted),
        "is not sorted: the key of entry 3, 463b96181691fc9b, comes after 463b96181691fc9c"
    );
    let no_move = [entry(1, 0x031c, 1), entry(2, 0x5000, 1)].concat();
    assert_eq!(fault(&no_move), "entry 2 holds no move: 0x5000");
    assert!(fault(b"[Event \"These are games, not a book, and long enough to be one\"]").contains("entry"));
}

#[test]
fn files_that_are_not_there_or_no_files_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let missing = Book::open(&directory.path().join("none.bin")).unwrap_err().to_string();
    assert!(missing.contains("none.bin: cannot be read: "), "{missing}");
    let message = Book::open(directory.path()).unwrap_err().to_string();
    assert!(message.ends_with("is not a file"), "{message}");
}

#[test]
fn odd_entries_do_no_harm() {
    let illegal = 52 << 6 | 36;
    let header = u16::from_be_bytes(*b"@P");
    let book = [
        entry(0, header, 0x4740),
        entry(START, 0x031c, 3),
        entry(START, illegal, 50),
        entry(START, 0x02db, 0),
        entry(START, 0x031c, 4),
        entry(START, 0, 9),
    ];
    let book = read(&book.concat()).expect("sorted");
    assert_eq!(shown(&book, ""), "e4 7, d4 0");
    let merged = Book::merge([&book]);
    assert_eq!(merged.len(), 4);
    assert_eq!(shown(&merged, ""), "e4 7, d4 0");
}

#[test]
fn merging_adds_up() {
    let one = read(&[entry(START, 0x031c, 60_000), entry(START, 0x02db, 500)].concat()).expect("sorted");
    let other = read(&[entry(7, 0x031c, 3), entry(START, 0x031c, 60_000)].concat()).expect("sorted");
    let merged = Book::merge([&one, &other]);
    assert_eq!(shown(&merged, ""), "e4 65535, d4 273");
    assert_eq!((merged.len(), merged.positions()), (3, 2));
    assert_eq!(merged, Book::merge([&other, &one]));
}

#[test]
fn a_file_that_is_too_long_is_refused_before_it_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("long.bin");
    // A file of holes: a tebibyte that takes no room.
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    assert!(matches!(Book::open(&path).unwrap_err().fault, BookFault::TooLong { .. }));
}

#[test]
fn books_are_asked_in_turn() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str, bytes: &[u8]| {
        let path = directory.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let first = path("first.bin", &entry(START, 0x031c, 0));
    let second = path("second.bin", &entry(START, 0x02db, 5));
    let list = std::env::join_paths([first.as_path(), &second, Path::new(BUILT_IN)]).unwrap();
    let books = Books::open(list.to_str().unwrap(), Variety::Main).expect("three books");
    assert_eq!(books.iter().count(), 3);
    let probe = |moves: &str| {
        let game = play(moves);
        let found = books.probe(game.polyglot_key(), game.position());
        found.iter().map(|known| MoveCode::of(known.mv).0).collect::<Vec<_>>()
    };
    assert_eq!(probe(""), [0x02db]);
    assert!(probe("e4").len() > 3);
    assert_eq!(probe("e4 e5 Qh5 Ke7"), []);
    for name in ["", BUILT_IN] {
        assert_eq!(Books::open(name, Variety::Wide).unwrap(), Books::built_in(Variety::Wide));
    }
    let broken = path("broken.bin", b"broken");
    let list = std::env::join_paths([&first, &broken]).unwrap();
    let message = Books::open(list.to_str().unwrap(), Variety::Main).unwrap_err().to_string();
    assert!(message.ends_with("broken.bin: ends within entry 1, after 6 of its 16 bytes"), "{message}");
}

proptest! {
    #[test]
    fn any_bytes_are_a_book_or_a_fault(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(book) = read(&bytes) {
            let _ = shown(&book, "");
            prop_assert_eq!(book.len() * 16, bytes.len());
        }
    }

    #[test]
    fn what_is_written_is_read(moves in proptest::collection::vec((1_u64..20, 0_u16..0x5000, any::<u16>()), 1..60)) {
        let mut moves = moves;
        moves.sort_unstable();
        let bytes: Vec<u8> = moves.iter().flat_map(|&(key, code, weight)| entry(key, code, weight)).collect();
        prop_assert_eq!(written(&read(&bytes).expect("sorted")), bytes);
    }
}
