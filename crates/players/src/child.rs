//! Another program that is spoken to line by line.

use crate::player::Failure;
use engine::{OnStop, StopToken};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{self, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;
use web_time::Instant;

/// How to start a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The program and its arguments; never empty.
    pub command: Vec<String>,
    /// Where to start it, if not here.
    pub directory: Option<PathBuf>,
}

/// Bytes of a line that are kept. Nothing an engine has to say is longer.
const MAX_LINE: usize = 1 << 16;
/// Lines read ahead. A program that talks without end waits in its pipe once they are full.
const READ_AHEAD: usize = 1 << 12;
/// Bytes of the dialogue that are kept, the last ones.
const MAX_DIALOGUE: usize = 1 << 20;
/// How long a program may take to quit.
const FAREWELL: Duration = Duration::from_millis(500);

enum Output {
    Line(Instant, String),
    Complaint(String),
    End,
    /// Nothing was said, but the match is to end.
    Interrupted,
}

/// A running program.
pub(crate) struct Child {
    process: process::Child,
    /// Taken when the program is to go.
    input: Option<ChildStdin>,
    output: Receiver<Output>,
    dialogue: Dialogue,
    stop: StopToken,
    _wakes: OnStop,
}

impl Child {
    /// Starts a program.
    ///
    /// # Errors
    /// When the system cannot.
    pub(crate) fn start(program: &Program, stop: StopToken) -> Result<Self, Failure> {
        let failed =
            |error: &dyn std::fmt::Display| Failure::Start(format!("{}: {error}", program.command.join(" ")));
        let [executable, arguments @ ..] = &program.command[..] else {
            return Err(Failure::Start("no program is named".to_owned()));
        };
        let mut command = Command::new(executable);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &program.directory {
            command.current_dir(directory);
        }
        // Ctrl-C is for this program, which then ends the games in good order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn().map_err(|error| failed(&error))?;
        let missing = || failed(&"a pipe is missing");
        let input = process.stdin.take().ok_or_else(missing)?;
        let stdout = process.stdout.take().ok_or_else(missing)?;
        let stderr = process.stderr.take().ok_or_else(missing)?;
        let (sender, output) = mpsc::sync_channel(READ_AHEAD);
        let complaints = sender.clone();
        let wake = sender.clone();
        let wakes = stop.on_stop(move || {
            // If there is no room for it, there is something to hear, and nothing waits.
            let _ = wake.try_send(Output::Interrupted);
        });
        thread::spawn(move || {
            read_lines(stdout, |at, line| sender.send(Output::Line(at, line)).is_ok());
            let _ = sender.send(Output::End);
        });
        thread::spawn(move || read_complaints(stderr, &complaints));
        Ok(Self { process, input: Some(input), output, dialogue: Dialogue::new(), stop, _wakes: wakes })
    }

    /// Says a line. Returns when it was said.
    ///
    /// # Errors
    /// When the program is gone.
    pub(crate) fn send(&mut self, line: &str) -> Result<Instant, Failure> {
        self.dialogue.note('>', line);
        let text = format!("{line}\n");
        let written = match &mut self.input {
            Some(input) => input.write_all(text.as_bytes()).and_then(|()| input.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        match written {
            Ok(()) => Ok(Instant::now()),
            Err(_) => Err(self.obituary()),
        }
    }

    /// Hears the next line, and when it was said.
    ///
    /// # Errors
    /// When none comes within `patience` after `since`, or the program is gone, or the match is to end.
    pub(crate) fn receive(
        &mut self,
        since: Instant,
        patience: Duration,
    ) -> Result<(Instant, String), Failure> {
        loop {
            if self.stop.is_stopped() {
                return Err(Failure::Interrupted);
            }
            // A line that is there already counts, even if it is fetched late.
            let left = patience.saturating_sub(since.elapsed());
            match self.output.recv_timeout(left) {
                Ok(Output::Line(at, line)) => {
                    self.dialogue.note('<', &line);
                    if at.saturating_duration_since(since) > patience {
                        return Err(Failure::Hang(patience));
                    }
                    return Ok((at, line));
                }
                Ok(Output::Complaint(line)) => self.dialogue.note('!', &line),
                Ok(Output::Interrupted) => {}
                Ok(Output::End) | Err(RecvTimeoutError::Disconnected) => return Err(self.obituary()),
                Err(RecvTimeoutError::Timeout) => return Err(Failure::Hang(patience)),
            }
        }
    }

    /// A line that has been said already, if there is one.
    pub(crate) fn try_receive(&mut self) -> Option<String> {
        loop {
            match self.output.try_recv().ok()? {
                Output::Line(_, line) => {
                    self.dialogue.note('<', &line);
                    return Some(line);
                }
                Output::Complaint(line) => self.dialogue.note('!', &line),
                Output::Interrupted => {}
                Output::End => return None,
            }
        }
    }

    /// What was said, both ways.
    #[must_use]
    pub(crate) fn dialogue(&self) -> String {
        self.dialogue.to_string()
    }

    /// How the program ended.
    fn obituary(&mut self) -> Failure {
        const LONGEST: Duration = Duration::from_millis(100);
        while let Ok(output) = self.output.recv_timeout(Duration::from_millis(10)) {
            match output {
                Output::Line(_, line) => self.dialogue.note('<', &line),
                Output::Complaint(line) => self.dialogue.note('!', &line),
                Output::End | Output::Interrupted => {}
            }
        }
        // The pipe closes a moment before the system knows that the program has ended.
        let begun = Instant::now();
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Failure::Crash(status.to_string()),
                Err(error) => return Failure::Crash(error.to_string()),
                Ok(None) if begun.elapsed() > LONGEST => {
                    return Failure::Crash("it has closed its input or output".to_owned());
                }
                Ok(None) => thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            let _ = input.write_all(b"quit\n");
        }
        let asked = Instant::now();
        loop {
            let left = FAREWELL.saturating_sub(asked.elapsed());
            match self.output.recv_timeout(left) {
                Ok(Output::End) | Err(_) => break,
                Ok(_) if left.is_zero() => break,
                Ok(_) => {}
            }
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads lines until the end, however long they are and whatever bytes they hold.
fn read_lines(source: impl Read, mut take: impl FnMut(Instant, String) -> bool) {
    let mut source = BufReader::new(source);
    let mut line = Vec::new();
    loop {
        let Ok(buffer) = source.fill_buf() else { return };
        let at = Instant::now();
        if buffer.is_empty() {
            if !line.is_empty() {
                take(at, to_text(&line));
            }
            return;
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        line.extend_from_slice(&part[..part.len().min(MAX_LINE - line.len())]);
        let used = part.len() + usize::from(end.is_some());
        source.consume(used);
        if end.is_some() {
            if !take(at, to_text(&line)) {
                return;
            }
            line.clear();
        }
    }
}

fn to_text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end().to_owned()
}

fn read_complaints(source: impl Read, sender: &SyncSender<Output>) {
    read_lines(source, |_, line| sender.send(Output::Complaint(line)).is_ok());
}

/// The last part of what was said.
struct Dialogue {
    begun: Instant,
    lines: VecDeque<String>,
    bytes: usize,
    dropped: usize,
}

impl Dialogue {
    fn new() -> Self {
        Self { begun: Instant::now(), lines: VecDeque::new(), bytes: 0, dropped: 0 }
    }

    fn note(&mut self, direction: char, text: &str) {
        let line = format!("{:10.3} {direction} {text}", self.begun.elapsed().as_secs_f64());
        self.bytes += line.len();
        self.lines.push_back(line);
        while self.bytes > MAX_DIALOGUE
            && let Some(line) = self.lines.pop_front()
        {
            self.bytes -= line.len();
            self.dropped += 1;
        }
    }
}

impl std::fmt::Display for Dialogue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.dropped > 0 {
            writeln!(f, "({} lines before)", self.dropped)?;
        }
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_make_lines() {
        let mut source = b"uciok\r\n\xff\xfe\n\n".to_vec();
        source.extend(vec![b'x'; 3 * MAX_LINE]);
        source.extend(b"\nlast");
        let mut lines = Vec::new();
        read_lines(&source[..], |_, line| {
            lines.push(line);
            true
        });
        assert_eq!(lines[0], "uciok");
        assert_eq!(lines[1], "\u{fffd}\u{fffd}");
        assert_eq!(lines[2], "");
        assert_eq!(lines[3].len(), MAX_LINE);
        assert_eq!(lines[4], "last");
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn a_long_dialogue_keeps_its_end() {
        let mut dialogue = Dialogue::new();
        for number in 0..3 {
            dialogue.note('<', &format!("{number}{}", "x".repeat(MAX_DIALOGUE / 2)));
        }
        dialogue.note('>', "the end");
        let text = dialogue.to_string();
        assert!(text.starts_with("(2 lines before)\n"), "{}", &text[..40]);
        assert!(text.ends_with("> the end\n"));
    }
}
