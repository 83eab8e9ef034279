//! A console with an engine that does as the test says, and a clock that stands still until it is moved.

use crate::backend::Backend;
use crate::console::{Console, Message};
use crate::host::Extras;
use crate::reader::Line as InputLine;
use book::{Books, Variety};
use chess::{Game, Move, Position};
use engine::{BookMove, Bound, Event, Limits, Line, OptionError, Outcome, Score, Settings, Usage};
use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a session asked of the engine.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Call {
    SetOption(String, String),
    NewGame,
    SetGame(String),
    Go(Limits),
    Stop,
    PonderHit,
}

type Calls = Arc<Mutex<Vec<Call>>>;

struct Fake {
    settings: Settings,
    calls: Calls,
}

impl Fake {
    fn note(&self, call: Call) {
        self.calls.lock().unwrap().push(call);
    }
}

impl Backend for Fake {
    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.settings.set(name, value)?;
        self.note(Call::SetOption(name.to_owned(), value.to_owned()));
        Ok(())
    }

    fn new_game(&mut self) {
        self.note(Call::NewGame);
    }

    fn set_game(&mut self, game: &Game) {
        self.note(Call::SetGame(game.position().to_fen()));
    }

    fn book_moves(&self, game: &Game) -> Vec<BookMove> {
        Books::built_in(Variety::Main).probe(game.polyglot_key(), game.position())
    }

    fn static_evaluation(&self, position: &Position) -> i32 {
        eval::Evaluator::new().evaluate(position)
    }

    fn go(&mut self, limits: Limits) {
        self.note(Call::Go(limits));
    }

    fn stop(&self) {
        self.note(Call::Stop);
    }

    fn ponder_hit(&self) {
        self.note(Call::PonderHit);
    }
}

#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A conversation under test.
pub(crate) struct Talk {
    console: Console<Fake>,
    calls: Calls,
    written: Buffer,
    now: Arc<Mutex<Duration>>,
    messages: Receiver<Message>,
    pub(crate) goes_on: bool,
}

impl Talk {
    pub(crate) fn new() -> Self {
        let (calls, written, now) =
            (Calls::default(), Buffer::default(), Arc::new(Mutex::new(Duration::ZERO)));
        let fake = Fake { settings: Settings::default(), calls: Arc::clone(&calls) };
        let clock = Arc::clone(&now);
        let (inbox, messages) = mpsc::channel();
        let console = Console::new(
            fake,
            written.clone(),
            Arc::new(move || *clock.lock().unwrap()),
            Extras {
                bench: Arc::new(|arguments, _, print| print(&format!("bench of '{arguments}'"))),
                ground_up: Arc::new(|line, _, print| print(&format!("Ground Up heard '{line}'"))),
                explain: Arc::new(|game, text, _, print| {
                    print(&format!("about '{text}' after {} half-moves\n", game.ply()));
                }),
            },
            inbox,
        );
        Self { console, calls, written, now, messages, goes_on: true }
    }

    fn answer(&self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.written.0.lock().unwrap());
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }

    /// What the session answers to a line.
    pub(crate) fn say(&mut self, line: &str) -> Vec<String> {
        self.goes_on = self.console.receive(Message::Input(InputLine::Text(line.to_owned())));
        self.answer()
    }

    /// The same for several lines.
    pub(crate) fn say_all(&mut self, lines: &[&str]) -> Vec<String> {
        lines.iter().flat_map(|line| self.say(line)).collect()
    }

    pub(crate) fn end_input(&mut self) -> Vec<String> {
        self.goes_on = self.console.receive(Message::EndOfInput);
        self.answer()
    }

    /// What the session makes of an event.
    pub(crate) fn event(&mut self, event: Event) -> Vec<String> {
        self.goes_on = self.console.receive(Message::Engine(event));
        self.answer()
    }

    /// Waits for a job to end, and returns all it said.
    pub(crate) fn job(&mut self) -> Vec<String> {
        loop {
            let message = self.messages.recv_timeout(Duration::from_secs(60)).expect("the job ends");
            let ended = matches!(message, Message::JobEnded);
            self.goes_on = self.console.receive(message);
            if ended {
                return self.answer();
            }
        }
    }

    /// Moves the clock, and lets the console do what is due then.
    pub(crate) fn at(&mut self, millis: u64) -> Vec<String> {
        let now = Duration::from_millis(millis);
        *self.now.lock().unwrap() = now;
        if self.console.deadline().is_some_and(|deadline| deadline <= now) {
            self.console.tick();
        }
        self.answer()
    }

    /// What was asked of the engine since the last look.
    pub(crate) fn calls(&mut self) -> Vec<Call> {
        std::mem::take(&mut *self.calls.lock().unwrap())
    }

    /// The limits of the one search that was started since the last look.
    pub(crate) fn limits(&mut self) -> Limits {
        let calls = self.calls();
        let mut searches = calls.iter().filter_map(|call| match call {
            Call::Go(limits) => Some(limits.clone()),
            _ => None,
        });
        match (searches.next(), searches.next()) {
            (Some(limits), None) => limits,
            _ => panic!("not one search in {calls:?}"),
        }
    }
}

/// A line of moves from a position.
pub(crate) fn line(fen: &str, rank: usize, depth: i32, score: Score, moves: &str) -> Line {
    let mut position = Position::from_fen(fen).unwrap();
    let play = |text: &str| -> Move {
        let mv = position.parse_uci(text).unwrap();
        position = position.after(mv);
        mv
    };
    let moves = moves.split_whitespace().map(play).collect();
    Line { rank, depth, selective_depth: depth as usize + 2, score, bound: Bound::Exact, moves }
}

/// The end of a search whose best line is given.
pub(crate) fn finished(best: Line) -> Event {
    Event::Finished(Outcome {
        best: best.moves.first().copied(),
        ponder: best.moves.get(1).copied(),
        usage: usage(best.depth),
        lines: vec![best],
    })
}

pub(crate) fn usage(depth: i32) -> Usage {
    Usage {
        nodes: 1000 * depth as u64,
        time: Duration::from_millis(10 * depth as u64),
        hash_full: 1,
        tablebase_hits: 0,
    }
}
