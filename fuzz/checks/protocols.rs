//! Whole sessions of UCI and XBoard.

use protocol::Extras;
use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

/// The most lines of a session.
const LINES: usize = 40;
/// Words of lines that would take memory or time as they say, or open files.
const LEFT_OUT: [&str; 14] = [
    "hash", "threads", "memory", "cores", "file", "path", "perft", "bench", "mate", "explain", "load",
    "search", "ponder", "sd",
];

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A session that begins with a line; it has to end, and what it says is text in lines.
fn check_session(first: &str, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = vec![first.to_owned()];
    for line in text.lines().take(LINES) {
        let small = line.to_lowercase();
        if LEFT_OUT.iter().any(|word| small.contains(word)) {
            continue;
        }
        // A search has to end by itself before the next line can be obeyed.
        let is_search = small.split_whitespace().next() == Some("go");
        lines.push(if is_search { format!("{line} nodes 30 depth 3") } else { line.to_owned() });
    }
    lines.push("quit\n".to_owned());
    let output = Shared::default();
    let nothing = Extras {
        bench: Arc::new(|_, _, _| {}),
        ground_up: Arc::new(|_, _, _| {}),
        explain: Arc::new(|_, _, _, _| {}),
    };
    protocol::run(Cursor::new(lines.join("\n").into_bytes()), output.clone(), nothing);
    let said = output.0.lock().expect("no panic");
    assert!(said.is_empty() || said.ends_with(b"\n"));
    assert!(!String::from_utf8_lossy(&said).contains("panic"));
}

pub fn check_uci(bytes: &[u8]) {
    check_session("uci", bytes);
}

/// Every search ends soon by the limit of depth.
pub fn check_xboard(bytes: &[u8]) {
    check_session("xboard\nprotover 2\nsd 2\nst 1", bytes);
}
