//! A conversation with the binary over pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// Nothing a test waits for takes so long; only a program that hangs does.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Conversation {
    /// Starts the binary without arguments.
    pub(crate) fn begin() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gardez"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let input = child.stdin.take();
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, output) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let line = line.expect("the binary writes UTF-8");
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, input, output }
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send_all(&mut self, lines: &[&str]) {
        lines.iter().for_each(|line| self.send(line));
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the binary reads");
    }

    /// The next line.
    pub(crate) fn next(&mut self) -> String {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("no answer"),
            Err(RecvTimeoutError::Disconnected) => panic!("the binary has left: {:?}", self.child.wait()),
        }
    }

    /// All lines up to and with the first that begins so.
    pub(crate) fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.next();
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Says something and returns all lines up to and with the first that begins as expected.
    pub(crate) fn ask(&mut self, line: &str, start: &str) -> Vec<String> {
        self.send(line);
        self.until(start)
    }

    /// Ends the input and returns what is left of the output, and how the binary ended.
    pub(crate) fn end(mut self) -> (Vec<String>, ExitStatus) {
        self.input = None;
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the binary does not end"),
            }
        }
        let status = self.child.wait().expect("the binary ends");
        (lines, status)
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // After a failed test nothing else does it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
