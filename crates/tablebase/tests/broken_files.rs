//! Missing, cut and damaged tables.

mod common;

use common::{RandomPositions, copy_tables, open, position, scratch_directory, tables, tables_directory};
use std::fs;
use std::path::Path;
use tablebase::{OpenNote, RankSource, TableFault, Tablebases, Wdl};

fn notes(path_list: &str) -> Vec<String> {
    Tablebases::open(path_list).1.iter().map(OpenNote::to_string).collect()
}

#[test]
fn opening_says_what_was_found() {
    let directory = tables_directory();
    assert_eq!(
        notes(directory.to_str().expect("UTF-8")),
        ["found 35 WDL and 35 DTZ Syzygy tables, up to 4 men"]
    );
    assert!(notes("").is_empty());
    let (none, _) = Tablebases::open("");
    assert_eq!(none.max_pieces(), 0);
    assert_eq!(none.probe_wdl(&position("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")).expect("no table"), None);
}

#[test]
fn several_directories_are_searched_and_missing_ones_named() {
    let (queens, rooks) = (scratch_directory("list-queens"), scratch_directory("list-rooks"));
    copy_tables(&queens, |name| name.starts_with("KQvK."));
    copy_tables(&rooks, |name| name.starts_with("KRvK."));
    let missing = queens.join("nothing-here");
    let list = std::env::join_paths([&queens, &missing, &rooks]).expect("a list of paths");
    let (tables, notes) = Tablebases::open(list.to_str().expect("UTF-8"));
    let texts: Vec<_> = notes.iter().map(OpenNote::to_string).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[0].contains("nothing-here") && notes[0].is_problem(), "{texts:?}");
    assert_eq!(texts[1], "found 2 WDL and 2 DTZ Syzygy tables, up to 3 men");
    for fen in ["8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "8/8/8/4k3/8/8/8/KR6 w - - 0 1"] {
        assert_eq!(tables.probe_wdl(&position(fen)).expect("sound tables"), Some(Wdl::Win));
    }
    // A table that is not there is no error.
    assert_eq!(tables.probe_wdl(&position("8/8/8/4k3/8/8/1P6/K7 w - - 0 1")).expect("none"), None);
}

#[test]
fn files_that_cannot_be_tables_are_named_at_once() {
    let directory = scratch_directory("impostors");
    copy_tables(&directory, |name| name.starts_with("KQvK."));
    fs::write(directory.join("KRvK.rtbw"), b"too short").expect("a file");
    fs::write(directory.join("holiday.rtbw"), [0; 80]).expect("a file");
    fs::write(directory.join("README.txt"), b"not a table, nor meant to be one").expect("a file");
    let notes = notes(directory.to_str().expect("UTF-8"));
    assert_eq!(notes.len(), 3, "{notes:?}");
    for name in ["KRvK.rtbw", "holiday.rtbw"] {
        assert!(notes.iter().any(|note| note.contains(name)), "{notes:?}");
    }
    assert_eq!(notes[2], "found 1 WDL and 1 DTZ Syzygy tables, up to 3 men");
    assert_eq!(notes_of_empty(), ["no Syzygy tables found"]);
}

fn notes_of_empty() -> Vec<String> {
    notes(scratch_directory("empty").to_str().expect("UTF-8"))
}

/// Cuts a file to N bytes, rounded to a size that a table could have.
fn cut(path: &Path, size: usize) {
    let bytes = fs::read(path).expect("a table");
    fs::write(path, &bytes[..size / 64 * 64 + 16]).expect("a shorter table");
}

#[test]
fn a_cut_table_is_an_error_once_and_unknown_then() {
    let directory = scratch_directory("cut");
    copy_tables(&directory, |name| {
        name.starts_with("KQvKR.") || name.starts_with("KQvK.") || name.starts_with("KRvK.")
    });
    cut(&directory.join("KQvKR.rtbw"), 64);
    let tables = open(&directory);
    let start = position("8/8/8/4k3/7r/8/8/KQ6 b - - 0 1");
    let error = tables.probe_wdl(&start).expect_err("a cut table");
    assert_eq!(error.table, "KQvKR.rtbw");
    assert!(matches!(error.fault, TableFault::Damaged), "{error}");
    assert_eq!(error.to_string(), "Syzygy table KQvKR.rtbw: is damaged");
    assert_eq!(tables.probe_wdl(&start).expect("reported already"), None);
    // The others are as good as before.
    let other = position("8/8/8/4k3/8/8/8/KQ6 w - - 0 1");
    assert_eq!(tables.probe_wdl(&other).expect("a sound table"), Some(Wdl::Win));
}

#[test]
fn a_file_of_another_kind_is_told_by_its_first_bytes() {
    let directory = scratch_directory("magic");
    fs::write(directory.join("KQvK.rtbw"), [b'#'; 80]).expect("a file");
    let error = open(&directory).probe_wdl(&position("8/8/8/4k3/8/8/8/KQ6 w - - 0 1"));
    let error = error.expect_err("not a table");
    assert!(matches!(error.fault, TableFault::Magic([b'#', b'#', b'#', b'#'])), "{error}");
}

#[test]
fn a_table_that_vanishes_is_unreadable() {
    let directory = scratch_directory("vanished");
    copy_tables(&directory, |name| name.starts_with("KQvK."));
    let tables = open(&directory);
    fs::remove_file(directory.join("KQvK.rtbw")).expect("the copy");
    let error = tables.probe_wdl(&position("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")).expect_err("no file");
    assert!(matches!(error.fault, TableFault::Unreadable(_)), "{error}");
}

#[test]
fn a_damaged_table_of_distances_leaves_the_results() {
    let directory = scratch_directory("damaged-dtz");
    copy_tables(&directory, |name| name.starts_with("KQvK."));
    cut(&directory.join("KQvK.rtbz"), 0);
    let tables = open(&directory);
    let start = position("8/8/8/4k3/8/8/8/KQ6 w - - 0 1");
    let ranking = tables.rank_root_moves(&start, true, false).expect("results").expect("covered");
    assert_eq!(ranking.source, RankSource::Wdl);
    assert_eq!(ranking.fault.expect("the reason").table, "KQvK.rtbz");
    assert_eq!(ranking.moves[0].wdl, Wdl::Win);
    let again = tables.rank_root_moves(&start, true, false).expect("results").expect("covered");
    assert!(again.fault.is_none(), "reported twice");
}

/// Asks everything about many positions; what comes back does not matter, that it comes does.
fn ask_everything(tables: &Tablebases, random: &mut RandomPositions) -> usize {
    let mut errors = 0;
    for _ in 0..60 {
        let position = random.position();
        errors += usize::from(tables.probe_wdl(&position).is_err());
        errors += usize::from(tables.probe_dtz(&position).is_err());
        errors += usize::from(tables.rank_root_moves(&position, true, false).is_err());
    }
    errors
}

#[test]
fn no_damage_makes_a_probe_panic() {
    assert_eq!(ask_everything(&tables(), &mut RandomPositions::new(0x5eed_0011)), 0);
    let directory = scratch_directory("damage");
    copy_tables(&directory, |_| true);
    let mut files: Vec<_> =
        fs::read_dir(&directory).expect("the copies").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let mut random = RandomPositions::new(0x5eed_0012);
    let mut errors = 0;
    for round in 0..30 {
        for path in &files {
            let original = tables_directory().join(path.file_name().expect("a name"));
            let mut bytes = fs::read(original).expect("a table");
            if round % 4 == 0 {
                bytes.truncate(random.below(bytes.len()) / 64 * 64 + 16);
            } else {
                // The beginning of a file decides most.
                let reach = if round % 2 == 0 { bytes.len() } else { bytes.len().min(200) };
                for _ in 0..1 + random.below(8) {
                    bytes[4 + random.below(reach - 4)] = random.below(256) as u8;
                }
            }
            fs::write(path, bytes).expect("a damaged table");
        }
        errors += ask_everything(&open(&directory), &mut random);
    }
    assert!(errors > 100, "only {errors} errors: the damage was not noticed");
}
