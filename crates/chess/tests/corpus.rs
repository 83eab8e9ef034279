//! The seeds of the fuzz targets, and inputs that once broke a parser, as an ordinary test.

mod parsers;

use std::fs;
use std::path::Path;

/// Runs a check over every file of one folder of the corpus.
fn for_each_file(folder: &str, check: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
    let mut files = 0;
    for entry in fs::read_dir(&folder).expect("the corpus is part of the source") {
        let path = entry.expect("a readable folder").path();
        println!("{}", path.display());
        check(&fs::read(&path).expect("a readable file"));
        files += 1;
    }
    assert!(files > 0, "nothing in {}", folder.display());
}

#[test]
fn fen() {
    for_each_file("fen", |bytes| parsers::check_fen(&String::from_utf8_lossy(bytes)));
}

#[test]
fn san() {
    for_each_file("san", |bytes| parsers::check_san(&String::from_utf8_lossy(bytes)));
}

#[test]
fn epd() {
    for_each_file("epd", |bytes| parsers::check_epd(&String::from_utf8_lossy(bytes)));
}

#[test]
fn pgn() {
    for_each_file("pgn", parsers::check_pgn);
}
