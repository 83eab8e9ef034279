//! Drives the full-screen mode of `gardez play` through a pseudo-terminal.

#![forbid(unsafe_code)]
#![cfg(unix)]

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Far beyond what anything takes; it only keeps a failing test from waiting for ever.
const DEADLINE: Duration = Duration::from_secs(60);

/// A terminal with Gardez in it.
struct Session {
    master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// Everything written, to see how the terminal was left.
    written: Vec<u8>,
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

impl Session {
    fn start(data: &Path, args: &[&str]) -> Self {
        let pair = native_pty_system().openpty(size(24, 80)).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_gardez"));
        command.args(["play", "--data"]);
        command.arg(data);
        command.args(args);
        for (name, value) in [("TERM", "xterm-256color"), ("LC_ALL", "C.UTF-8")] {
            command.env(name, value);
        }
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).expect("started");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let (sender, output) = mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        let keyboard = pair.master.take_writer().expect("a keyboard");
        let screen = vt100::Parser::new(24, 80, 0);
        Self { master: pair.master, keyboard, child, output, screen, written: Vec::new() }
    }

    fn type_keys(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("typed");
        self.keyboard.flush().expect("typed");
    }

    fn resize(&mut self, rows: u16, cols: u16) {
        self.screen.screen_mut().set_size(rows, cols);
        self.master.resize(size(rows, cols)).expect("resized");
    }

    /// Reads until the screen is as wanted.
    fn wait_for(&mut self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        while !wanted(self.screen.screen()) {
            match self.output.recv_timeout(DEADLINE.saturating_sub(start.elapsed())) {
                Ok(bytes) => self.take(&bytes),
                Err(reason) => panic!("{what}: {reason}\n{}", self.screen.screen().contents()),
            }
        }
    }

    fn wait_for_text(&mut self, text: &str) {
        self.wait_for(text, |screen| screen.contents().contains(text));
    }

    fn take(&mut self, bytes: &[u8]) {
        self.screen.process(bytes);
        self.written.extend_from_slice(bytes);
    }

    /// Reads to the end and checks that the terminal is as it was.
    fn assert_restored(self) {
        self.assert_restored_with(0);
    }

    /// The same, where the program returns this.
    fn assert_restored_with(mut self, code: u32) {
        let start = Instant::now();
        loop {
            match self.output.recv_timeout(DEADLINE.saturating_sub(start.elapsed())) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it does not end"),
            }
        }
        let status = self.child.wait().expect("an end");
        assert_eq!(status.exit_code(), code, "{status:?}");
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen(), "the full screen is left");
        assert!(!screen.hide_cursor(), "the cursor is back");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert!(!screen.contents().contains("Moves"), "nothing stays behind:\n{}", screen.contents());
    }
}

const OPPONENT: [&str; 2] = ["--opponent", "gardez:@nodes=500"];
const F8: &str = "\x1b[19~";

#[test]
fn a_game_on_the_full_screen() {
    let data = tempfile::tempdir().expect("a directory");
    let mut session = Session::start(data.path(), &OPPONENT);
    session.wait_for_text("F1 help");
    session.wait_for("a full screen", vt100::Screen::alternate_screen);
    session.wait_for_text("♜");

    session.type_keys("e4\r");
    session.wait_for_text("1. e4");
    session.wait_for_text("Black plays");

    // The board gives way to a small window, and comes back.
    session.resize(16, 40);
    session.wait_for("no list of moves", |screen| {
        let text = screen.contents();
        text.contains("> type a move") && !text.contains("Moves") && !text.contains("F1 help")
    });
    session.resize(30, 100);
    for text in ["Moves", "1. e4", "Black plays"] {
        session.wait_for_text(text);
    }

    session.type_keys(F8);
    session.wait_for("the move is taken back", |screen| !screen.contents().contains("Black plays"));

    // By cursor: from e2 two squares up.
    session.type_keys("\r\x1b[A\x1b[A\r");
    session.wait_for_text("Black plays");

    session.type_keys("Ke5\r");
    session.wait_for_text("A king does not move like that.");
    session.type_keys("quit\r");
    session.assert_restored();

    // The unfinished game is there again.
    let mut session = Session::start(data.path(), &[]);
    session.wait_for_text("Your unfinished game is resumed");
    session.wait_for_text("1. e4");
    session.type_keys("\x03");
    session.assert_restored();
}

#[test]
fn the_mouse_moves_pieces() {
    let data = tempfile::tempdir().expect("a directory");
    let mut session = Session::start(data.path(), &["--opponent", "human", "--ascii"]);
    session.wait_for_text("F1 help");
    // Squares are four columns wide and two rows high; reports count from 1, with the corner at column 3, row 3.
    let click = |file: u16, rank: u16| {
        let (column, row) = (3 + file * 4 + 1, 3 + (7 - rank) * 2 + 1);
        format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m")
    };
    session.type_keys(&click(6, 0));
    session.type_keys(&click(5, 2));
    session.wait_for_text("White plays Nf3.");
    session.type_keys("\x03");
    session.assert_restored();
}

#[test]
fn a_signal_restores_the_terminal_and_keeps_the_game() {
    let data = tempfile::tempdir().expect("a directory");
    let mut session = Session::start(data.path(), &["--opponent", "human"]);
    session.wait_for_text("F1 help");
    session.type_keys("d4\r");
    session.wait_for_text("White plays d4.");
    let id = session.child.process_id().expect("a process");
    let sent = std::process::Command::new("kill").args(["-TERM", &id.to_string()]).status();
    assert!(sent.expect("kill").success());
    session.assert_restored_with(143);
    let kept = std::fs::read_to_string(data.path().join("unfinished-1.pgn")).expect("kept");
    assert!(kept.contains("1. d4 *"), "{kept}");
}

#[test]
fn lines_are_typed_in_a_terminal_too() {
    let data = tempfile::tempdir().expect("a directory");
    let mut session = Session::start(data.path(), &["--plain", OPPONENT[0], OPPONENT[1]]);
    session.wait_for_text("1. White> ");
    session.type_keys("e4\r");
    session.wait_for_text("Black plays");
    session.wait_for_text("2. White> ");
    session.type_keys("quit\r");
    session.assert_restored();
}
