//! Players at work on threads of their own, so that nobody waits for them.

use crate::adviser::Advice;
use crate::seat::{PATIENCE, Program};
use chess::{Game, Variant};
use players::{Answer, ClockFace, Failure, Limit, StopSignal, Turn};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// Tells the requests to players and advisers apart, so that late answers can be dropped.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Ticket(pub u64);

/// What comes back from those at work.
#[derive(Clone, PartialEq, Debug)]
pub enum Report {
    /// A player has decided, or failed.
    Decided(Ticket, Result<Answer, Failure>),
    /// The adviser has something to say.
    Advised(Ticket, Advice),
}

/// Takes reports, from any thread.
pub type Reporter = Arc<dyn Fn(Report) + Send + Sync>;

/// A question to a player.
pub struct Question {
    pub ticket: Ticket,
    pub game: Game,
    pub limit: Limit,
    pub clocks: [Option<ClockFace>; 2],
}

/// The game that a player is hired for.
#[derive(Copy, Clone, Debug)]
pub struct Occasion {
    pub variant: Variant,
    /// What chance in this game follows from.
    pub seed: u32,
}

/// A player on its thread. Dropping it interrupts what it thinks; nothing more is heard of it that matters.
pub struct Worker {
    questions: Sender<Question>,
    stop: StopSignal,
}

impl Worker {
    /// Starts the player of a game.
    pub fn start(program: Program, occasion: Occasion, reporter: Reporter) -> std::io::Result<Self> {
        let (sender, questions) = mpsc::channel();
        let stop = StopSignal::default();
        let signal = stop.clone();
        std::thread::Builder::new()
            .name("player".to_owned())
            .spawn(move || work(&program, occasion, &questions, &signal, &reporter))?;
        Ok(Self { questions: sender, stop })
    }

    /// Asks for a move. Returns whether the player is still there to answer.
    pub fn ask(&self, question: Question) -> bool {
        self.questions.send(question).is_ok()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

fn work(
    program: &Program,
    occasion: Occasion,
    questions: &Receiver<Question>,
    stop: &StopSignal,
    reporter: &Reporter,
) {
    let mut player = program.hire(stop.clone(), occasion.seed).and_then(|mut player| {
        player.new_game(occasion.variant)?;
        Ok(player)
    });
    while let Ok(question) = questions.recv() {
        let mut promise = Promise { ticket: question.ticket, reporter, answer: None };
        promise.answer = Some(match &mut player {
            Err(failure) => Err(failure.clone()),
            Ok(player) => player.choose(&question.turn()),
        });
    }
}

impl Question {
    fn turn(&self) -> Turn<'_> {
        let side = self.game.position().turn().index();
        // Without clock and time for a move a player may take as long as it likes.
        let allowed = self.clocks[side].map(|face| face.left).or(self.limit.move_time);
        let patience = allowed.map_or(Duration::MAX / 2, |time| time + PATIENCE);
        Turn { game: &self.game, limit: self.limit, clocks: self.clocks, patience }
    }
}

/// Answers a question, even if the player panics.
struct Promise<'a> {
    ticket: Ticket,
    reporter: &'a Reporter,
    answer: Option<Result<Answer, Failure>>,
}

impl Drop for Promise<'_> {
    fn drop(&mut self) {
        let panicked = || Err(Failure::Crash("it has panicked".to_owned()));
        (self.reporter)(Report::Decided(self.ticket, self.answer.take().unwrap_or_else(panicked)));
    }
}
