//! What both protocols need: the engine, the way out, the clock, and work outside the search.

use crate::backend::Backend;
use crate::console::Message;
use crate::output::Output;
use crate::text::{message, quote};
use chess::{CastlingStyle, Game, Move, Position, Variant, perft};
use engine::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

/// The time since some moment in the past.
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// Work that runs while the session continues: gets the text of its command and a flag that asks it to give up,
/// and hands over its output line by line.
pub type Job = Arc<dyn Fn(&str, &AtomicBool, &mut dyn FnMut(&str)) + Send + Sync>;

/// Explains the position of a game or, if there is a text, the move it names: gives sentences one after the other.
pub type Explainer = Arc<dyn Fn(&Game, &str, &AtomicBool, &mut dyn FnMut(&str)) + Send + Sync>;

/// What the program adds to the protocols.
#[derive(Clone)]
pub struct Extras {
    /// The benchmark, which gets its arguments.
    pub bench: Job,
    /// Ground Up's own commands `load` and `search`, which gets the whole line.
    pub ground_up: Job,
    /// The coach, for `explain`.
    pub explain: Explainer,
}

/// What a session wants after a line.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// The next line.
    Continue,
    /// The same line again once the search or the other work under way has ended.
    Wait,
    /// That the other protocol takes this line and all that follow.
    Switch,
    /// The end.
    Quit,
}

pub(crate) struct Host<B> {
    pub(crate) backend: B,
    pub(crate) output: Output,
    clock: Clock,
    extras: Extras,
    inbox: Sender<Message>,
    searching: bool,
    /// Asks the job under way to give up.
    job: Option<Arc<AtomicBool>>,
}

impl<B: Backend> Host<B> {
    pub(crate) fn new(
        backend: B,
        output: Output,
        clock: Clock,
        extras: Extras,
        inbox: Sender<Message>,
    ) -> Self {
        Self { backend, output, clock, extras, inbox, searching: false, job: None }
    }

    pub(crate) fn now(&self) -> Duration {
        (self.clock)()
    }

    pub(crate) fn go(&mut self, limits: Limits) {
        self.searching = true;
        self.backend.go(limits);
    }

    pub(crate) fn search_ended(&mut self) {
        self.searching = false;
    }

    #[must_use]
    pub(crate) fn is_searching(&self) -> bool {
        self.searching
    }

    #[must_use]
    pub(crate) fn has_job(&self) -> bool {
        self.job.is_some()
    }

    /// Whether neither a search nor a job is under way. If not, a search is asked to end; a job is left to
    /// finish, as whoever counts moves or measures wants the result.
    pub(crate) fn quieten(&mut self) -> bool {
        if self.searching {
            self.backend.stop();
        }
        !self.searching && self.job.is_none()
    }

    pub(crate) fn job_ended(&mut self) {
        self.job = None;
    }

    pub(crate) fn cancel_job(&self) {
        if let Some(cancelled) = &self.job {
            cancelled.store(true, Ordering::Relaxed);
        }
    }

    fn start_job(&mut self, work: impl FnOnce(&AtomicBool, &mut dyn FnMut(&str)) + Send + 'static) {
        /// Reports the end of the job even if it ends in a panic.
        struct Ending(Sender<Message>);
        impl Drop for Ending {
            fn drop(&mut self) {
                let _ = self.0.send(Message::JobEnded);
            }
        }
        let cancelled = Arc::new(AtomicBool::new(false));
        self.job = Some(Arc::clone(&cancelled));
        let ending = Ending(self.inbox.clone());
        std::thread::spawn(move || {
            work(&cancelled, &mut |line| {
                let _ = ending.0.send(Message::JobLine(line.to_owned()));
            });
        });
    }

    /// Counts the move sequences while the session continues.
    pub(crate) fn start_perft(&mut self, position: Position, style: CastlingStyle, depth: u32) {
        self.start_job(move |cancelled, print| {
            let mut total = 0;
            if depth == 0 {
                total = 1;
            } else {
                for mv in position.legal_moves() {
                    let Some(count) = cancellable_perft(&position.after(mv), depth - 1, cancelled) else {
                        return print("info string perft stopped");
                    };
                    total += count;
                    print(&format!("{}: {count}", position.to_uci(mv, style)));
                }
            }
            print(&format!("Nodes searched: {total}"));
        });
    }

    pub(crate) fn start_bench(&mut self, arguments: String) {
        let bench = Arc::clone(&self.extras.bench);
        self.start_job(move |cancelled, print| bench(&arguments, cancelled, print));
    }

    /// Explains while the session continues. What it says is for people, so it comes as `info string`.
    pub(crate) fn start_explain(&mut self, game: Game, text: String) {
        let explain = Arc::clone(&self.extras.explain);
        self.start_job(move |cancelled, print| {
            explain(&game, &text, cancelled, &mut |line| print(&format!("info string {}", message(line))));
        });
    }

    pub(crate) fn start_ground_up(&mut self, line: String) {
        let ground_up = Arc::clone(&self.extras.ground_up);
        self.start_job(move |cancelled, print| ground_up(&line, cancelled, print));
    }
}

/// The largest depth that is counted without a look at the flag: a matter of milliseconds.
const UNINTERRUPTED_PERFT: u32 = 4;

fn cancellable_perft(position: &Position, depth: u32, cancelled: &AtomicBool) -> Option<u64> {
    if depth <= UNINTERRUPTED_PERFT {
        return (!cancelled.load(Ordering::Relaxed)).then(|| perft::perft(position, depth));
    }
    let count = |mv| cancellable_perft(&position.after(mv), depth - 1, cancelled);
    position.legal_moves().into_iter().map(count).sum()
}

/// How castling is written in a position: by the king's squares unless Chess960 is asked for, or the
/// position can only be Chess960, where those would not distinguish castling from a step of the king.
pub(crate) fn castling_style(position: &Position, chess960: bool) -> CastlingStyle {
    if chess960 || Variant::of(position) == Variant::Chess960 {
        CastlingStyle::Chess960
    } else {
        CastlingStyle::Standard
    }
}

/// The moves of a line with the positions they are played in, as far as they are legal.
pub(crate) fn walk(root: &Position, moves: &[Move]) -> impl Iterator<Item = (Position, Move)> {
    let mut position = *root;
    moves.iter().map_while(move |&mv| {
        let before = position;
        before.is_legal(mv).then(|| {
            position = before.after(mv);
            (before, mv)
        })
    })
}

/// Sets an option; the log file is opened here, as the engine writes nothing.
pub(crate) fn set_option<B: Backend>(host: &mut Host<B>, name: &str, value: &str) -> Result<(), String> {
    const LOG: &str = "Debug Log File";
    if name.trim().eq_ignore_ascii_case(LOG) {
        let path = if value.trim() == "<empty>" { "" } else { value.trim() };
        host.output
            .open_log(path)
            .map_err(|error| format!("option {LOG}: cannot write '{}': {error}", quote(path)))?;
    }
    host.backend.set_option(name, value).map_err(|error| error.to_string())
}
