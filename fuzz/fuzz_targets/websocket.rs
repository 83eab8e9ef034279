#![no_main]

#[path = "../checks/messages.rs"]
#[allow(dead_code)]
mod messages;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| messages::check_websocket(bytes));
