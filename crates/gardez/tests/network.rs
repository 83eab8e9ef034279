//! Two people in two terminals at one game on a server.

#![forbid(unsafe_code)]
#![cfg(unix)]

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Far beyond what anything takes; it only keeps a failing test from waiting for ever.
const DEADLINE: Duration = Duration::from_secs(60);

struct Server {
    process: std::process::Child,
    port: u16,
}

impl Server {
    fn start(data: &Path, port: u16) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_gardez"))
            .args(["serve", "--engines", "1", "--port", &port.to_string(), "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let port = line.trim().trim_end_matches('/').rsplit(':').next().and_then(|port| port.parse().ok());
        Self { process, port: port.unwrap_or_else(|| panic!("a port in {line:?}")) }
    }

    fn kill(&mut self) {
        self.process.kill().expect("killed");
        self.process.wait().expect("ended");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A terminal with a player.
struct Terminal {
    _master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    text: String,
    /// Where the last thing waited for ended.
    seen: usize,
}

impl Terminal {
    fn start(args: &[&str]) -> Self {
        let size = PtySize { rows: 40, cols: 200, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_gardez"));
        command.args(["play", "--ascii"]);
        command.args(args);
        command.env("TERM", "xterm-256color");
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
        Self { _master: pair.master, keyboard, child, output, text: String::new(), seen: 0 }
    }

    fn enter(&mut self, line: &str) {
        self.keyboard.write_all(format!("{line}\r").as_bytes()).expect("typed");
        self.keyboard.flush().expect("typed");
    }

    /// Reads until a text comes that was not there before, and returns the rest of its line.
    fn wait_for(&mut self, wanted: &str) -> String {
        let start = Instant::now();
        loop {
            if let Some(found) = self.text[self.seen..].find(wanted) {
                let end = self.seen + found + wanted.len();
                if let Some(line) = self.text[end..].find('\n').or(wanted.ends_with("> ").then_some(0)) {
                    self.seen = end;
                    return self.text[end..end + line].trim().to_owned();
                }
            }
            match self.output.recv_timeout(DEADLINE.saturating_sub(start.elapsed())) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(reason) => panic!("{wanted}: {reason}\n{}", self.text),
            }
        }
    }

    fn quit(mut self) {
        self.enter("quit");
        assert!(self.child.wait().expect("an end").success());
    }
}

#[test]
fn two_terminals_play_clocks_draws_and_reconnection_included() {
    let data = tempfile::tempdir().expect("a directory");
    let mut server = Server::start(data.path(), 0);
    let address = format!("http://localhost:{}", server.port);
    let mut white = Terminal::start(&["--invite", &address, "--clock", "30+5"]);
    let link = white.wait_for("Waiting for an opponent: ");
    assert!(link.starts_with(&address) && link.contains("/join/"), "{link}");
    let mut black = Terminal::start(&["--join", &link]);
    black.wait_for("You play Black.");
    white.wait_for("has joined.");

    white.wait_for("1. White> ");
    white.enter("e5");
    white.wait_for("No pawn can go to e5");
    white.enter("e4");
    black.wait_for("White plays e4.");
    black.wait_for("White has 30:");
    black.wait_for("1. Black> ");
    black.enter("c5");
    white.wait_for("Black plays c5.");

    black.enter("draw");
    white.wait_for("Black offers a draw: accept or decline.");
    white.enter("decline");
    black.wait_for("The draw is declined.");
    white.enter("Nf3");
    black.wait_for("White plays Nf3.");
    black.wait_for("2. Black> ");

    // The server dies and comes back: nothing is lost, and a move made in between arrives.
    let port = server.port;
    server.kill();
    white.wait_for("The connection is lost");
    black.wait_for("The connection is lost");
    black.enter("d6");
    let _server = Server::start(data.path(), port);
    white.wait_for("The connection is back.");
    black.wait_for("The connection is back.");
    white.wait_for("Black plays d6.");
    white.enter("score");
    white.wait_for("1. e4 c5 2. Nf3 d6");

    white.enter("draw");
    black.wait_for("White offers a draw");
    black.enter("accept");
    for player in [&mut white, &mut black] {
        player.wait_for("1/2-1/2 ");
        player.wait_for("game over> ");
    }
    black.enter("rematch");
    white.wait_for("Black offers a rematch");
    white.enter("accept");
    white.wait_for("You play Black.");
    black.wait_for("You play White.");
    white.quit();
    black.wait_for("is away.");
    black.quit();
}

#[test]
fn the_engine_of_a_server_is_an_opponent_too() {
    let data = tempfile::tempdir().expect("a directory");
    let server = Server::start(data.path(), 0);
    let address = format!("localhost:{}", server.port);
    let mut player = Terminal::start(&["--invite", &address, "--opponent", "level=1", "--side", "black"]);
    player.wait_for("You play Black.");
    player.wait_for("White plays ");
    player.wait_for("1. Black> ");
    player.enter("resign");
    player.wait_for("1-0 ");
    player.quit();

    for (arguments, reason) in [
        (["--join", "http://localhost/nowhere"], "a link is http://SERVER/join/TOKEN"),
        (["--join", &format!("http://{address}/join/unknown")], "refuses: "),
        (["--invite", "https://localhost"], "links with https need a browser"),
        (["--invite", "http://localhost:1"], "cannot be reached: "),
    ] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_gardez")).arg("play").args(arguments).output().expect("it ends");
        assert!(!output.status.success());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(reason), "{arguments:?}: {message}");
    }
}
