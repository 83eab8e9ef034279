//! The loop between interface and engine: finds out which protocol is spoken and hands over what comes.

use crate::backend::Backend;
use crate::host::{Clock, Extras, Flow, Host};
use crate::output::Output;
use crate::reader::{Line, MAX_LINE, read_line};
use crate::{uci, xboard};
use engine::{Engine, Event};
use std::collections::VecDeque;
use std::io::{BufReader, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Everything a console reacts to.
#[derive(Debug)]
pub(crate) enum Message {
    Input(Line),
    EndOfInput,
    Engine(Event),
    JobLine(String),
    JobEnded,
}

#[derive(Debug)]
enum Protocol {
    Uci(Box<uci::Session>),
    Xboard(Box<xboard::Session>),
}

enum Held {
    Line(String),
    End,
}

/// A conversation with an interface, in the protocol it chooses.
///
/// Lines, events of the engine and the results of other work arrive as one stream of messages, so that
/// sessions are plain state machines and need no locks. A line that can only be obeyed when nothing is
/// searching waits until the search, which is asked to stop, has ended; the lines behind it wait with it.
pub(crate) struct Console<B> {
    host: Host<B>,
    protocol: Protocol,
    held: VecDeque<Held>,
    finished: bool,
}

impl<B: Backend> Console<B> {
    pub(crate) fn new(
        backend: B,
        writer: impl Write + Send + 'static,
        clock: Clock,
        extras: Extras,
        inbox: Sender<Message>,
    ) -> Self {
        let host = Host::new(backend, Output::new(writer), clock, extras, inbox);
        // Whoever starts the engine by hand most likely knows UCI.
        let protocol = Protocol::Uci(Box::default());
        Self { host, protocol, held: VecDeque::new(), finished: false }
    }

    /// Takes in one message. Returns whether the conversation continues.
    pub(crate) fn receive(&mut self, message: Message) -> bool {
        match message {
            Message::Input(Line::Text(line)) => {
                self.host.output.log_input(&line);
                if self.host.has_job() && line.trim() == "stop" {
                    self.host.cancel_job();
                } else {
                    self.held.push_back(Held::Line(line));
                }
            }
            Message::Input(Line::TooLong) => {
                let text = format!("line of more than {MAX_LINE} bytes dropped");
                match &self.protocol {
                    Protocol::Uci(_) => uci::Session::complain(&mut self.host, &text),
                    Protocol::Xboard(_) => xboard::Session::complain(&mut self.host, &text),
                }
            }
            Message::EndOfInput => self.held.push_back(Held::End),
            Message::Engine(event) => {
                if event.is_last() {
                    self.host.search_ended();
                }
                match &mut self.protocol {
                    Protocol::Uci(session) => session.event(&mut self.host, event),
                    Protocol::Xboard(session) => session.event(&mut self.host, event),
                }
            }
            Message::JobLine(line) => self.host.output.line(line),
            Message::JobEnded => self.host.job_ended(),
        }
        self.work_off();
        !self.finished && !self.host.output.is_broken()
    }

    fn work_off(&mut self) {
        while let Some(held) = self.held.front() {
            let line = match held {
                Held::Line(line) => line,
                Held::End => "quit",
            };
            let flow = match &mut self.protocol {
                Protocol::Uci(session) => session.line(&mut self.host, line),
                Protocol::Xboard(session) => session.line(&mut self.host, line),
            };
            match flow {
                Flow::Continue => {
                    self.held.pop_front();
                }
                Flow::Wait => return,
                Flow::Switch => {
                    self.protocol = match self.protocol {
                        Protocol::Uci(_) => Protocol::Xboard(Box::default()),
                        Protocol::Xboard(_) => Protocol::Uci(Box::default()),
                    }
                }
                Flow::Quit => {
                    self.finished = true;
                    return;
                }
            }
        }
    }

    /// When [`tick`](Self::tick) wants to be called, if nothing happens before.
    pub(crate) fn deadline(&self) -> Option<Duration> {
        match &self.protocol {
            Protocol::Uci(session) => session.deadline(),
            Protocol::Xboard(session) => session.deadline(),
        }
    }

    /// Does what is due by the clock.
    pub(crate) fn tick(&mut self) {
        match &mut self.protocol {
            Protocol::Uci(session) => session.tick(&mut self.host),
            Protocol::Xboard(session) => session.tick(&mut self.host),
        }
    }

    fn wait_for(&self, messages: &Receiver<Message>) -> Result<Message, RecvTimeoutError> {
        match self.deadline() {
            Some(deadline) => messages.recv_timeout(deadline.saturating_sub(self.host.now())),
            None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    fn talk(&mut self, messages: &Receiver<Message>) {
        loop {
            match self.wait_for(messages) {
                Ok(message) => {
                    if !self.receive(message) {
                        return;
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.tick(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

/// Speaks UCI or XBoard, whichever comes in, until `quit` or the end of the input.
pub fn run(input: impl Read + Send + 'static, output: impl Write + Send + 'static, extras: Extras) {
    let (inbox, messages) = mpsc::channel();
    let events = inbox.clone();
    let engine = Engine::with_sink(Arc::new(move |event| {
        let _ = events.send(Message::Engine(event));
    }));
    let begun = Instant::now();
    let mut console = Console::new(engine, output, Arc::new(move || begun.elapsed()), extras, inbox.clone());
    std::thread::spawn(move || {
        let mut input = BufReader::new(input);
        while let Ok(Some(line)) = read_line(&mut input) {
            if inbox.send(Message::Input(line)).is_err() {
                return;
            }
        }
        let _ = inbox.send(Message::EndOfInput);
    });
    console.talk(&messages);
}
