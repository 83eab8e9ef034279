#![no_main]

#[path = "../checks/files.rs"]
#[allow(dead_code)]
mod files;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| files::check_tournament(bytes));
