#![no_main]

#[path = "../checks/games.rs"]
#[allow(dead_code)]
mod games;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| games::check_review(bytes));
