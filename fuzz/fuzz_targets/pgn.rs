#![no_main]

#[path = "../../crates/chess/tests/parsers/mod.rs"]
#[allow(dead_code)]
mod parsers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| parsers::check_pgn(bytes));
