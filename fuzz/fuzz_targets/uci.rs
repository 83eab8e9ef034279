#![no_main]

#[path = "../checks/protocols.rs"]
#[allow(dead_code)]
mod protocols;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| protocols::check_uci(bytes));
