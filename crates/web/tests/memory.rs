//! No request takes more memory than is promised. In a file of its own, because the memory is that of the process.

#![cfg(target_os = "linux")]
#![allow(missing_docs)]

mod support;

use serde_json::{Value, json};
use std::fs;
use support::{Settings, TestServer};

/// What a request may take at most, in KiB; docs/security.md promises it.
const PROMISED: u64 = 128 << 10;
/// The largest text that is taken.
const MAX_PGN: usize = 8 << 20;

/// A line of what the system knows of this process, in KiB.
fn status(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").expect("a status");
    let line = text.lines().find(|line| line.starts_with(name)).expect("the line");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

/// How much more memory than before was in use while something was done.
fn growth(work: impl FnOnce()) -> u64 {
    // The highest point so far is forgotten.
    fs::write("/proc/self/clear_refs", "5").expect("it is this process");
    let before = status("VmRSS");
    work();
    status("VmHWM").saturating_sub(before)
}

/// A text of the largest size, as JSON.
fn filled(start: &str, item: &str) -> Value {
    let length = json!(item).to_string().len() - 2;
    json!({"pgn": format!("{start}{}", item.repeat((MAX_PGN - start.len()) / length))})
}

#[test]
fn no_text_of_games_takes_more_memory_than_promised() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let texts = [
        filled("1. e4 ", "(d4)"),
        filled("1. e4 ", "{}"),
        filled("1. e4 ", "$1"),
        filled("1. e4 ", "(d4 {x})"),
        filled("", "Nf3 Nf6 Ng1 Ng8 "),
        filled("", "[A \"\"]"),
        filled("", "[A \"\"] 1. e4 *\n"),
        filled("", "e4 *\n"),
        filled("", "{}"),
    ];
    for path in ["/pgn/read", "/import"] {
        for text in &texts {
            let mut answer = (0, Value::Null);
            let body = text.to_string();
            let begin: String = body.chars().take(40).collect();
            // The body as it is sent and the answer as it is read are the client's.
            let took = growth(|| answer = visitor.post_raw(path, &body));
            assert!(answer.0 < 500, "{path} {begin}: {answer:?}");
            assert!(took < PROMISED, "{path} {begin}: {took} KiB");
        }
    }
}
