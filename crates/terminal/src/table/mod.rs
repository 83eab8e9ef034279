//! The table: a game, those who play it, their clocks and their manners. No screen, no keyboard.
//!
//! Orders and reports go in, each with the time it is; events come out, and everything else can be asked for. The
//! table never waits: programs think on threads of their own and report when they are done.

mod orders;
#[cfg(test)]
mod tests;

use crate::adviser::{Advice, AdvisedLine, Adviser, Effort};
use crate::command::Order;
use crate::demo::Demo;
use crate::record::{self, Heading};
use crate::seat::Seat;
use crate::setting::{Setting, random};
use crate::store::Store;
use crate::worker::{Occasion, Question, Report, Reporter, Ticket, Worker};
use book::openings::{self, Opening};
use chess::pgn::PgnGame;
use chess::{Color, Game, Move, Outcome, PlayError, Position};
use engine::DrawPolicy;
use players::{Answer, Clock, Decision, FREE_PLIES, Failure};
use std::time::{Duration, Instant, SystemTime};

/// Something that has happened at the table.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Event {
    /// A move was made on the board.
    Moved { before: Box<Position>, mv: Move },
    /// Another position stands on the board, by other ways than a move.
    Changed,
    /// The game has ended.
    Over(Outcome),
    /// Something was not done, and why: a clause.
    Refused(String),
    /// Something to know: a clause.
    Note(String),
    /// A side offers a draw.
    DrawOffered(Color),
    /// A good move, asked for.
    Hint { position: Box<Position>, line: AdvisedLine },
    /// The best lines, asked for.
    Analysis { position: Box<Position>, lines: Vec<AdvisedLine> },
    /// The analysis that runs along has new lines, to be had from [`Table::lines`].
    Lines,
}

/// A game, its players and everything that belongs to them.
pub struct Table {
    setting: Setting,
    game: Game,
    began: SystemTime,
    /// What chance in this game follows from.
    seed: u32,
    clock: Option<Clock>,
    workers: [Option<Worker>; 2],
    thinking: Option<(Ticket, Color)>,
    draw_policies: [DrawPolicy; 2],
    offer: Option<Color>,
    /// Whether clocks and programs wait.
    paused: bool,
    demo: Option<Demo>,
    pace: Duration,
    adviser: Option<Adviser>,
    consultation: Option<(Ticket, Effort)>,
    watching: bool,
    lines: Vec<AdvisedLine>,
    store: Option<Store>,
    reporter: Reporter,
    tickets: u64,
    events: Vec<Event>,
}

/// How long each position of a demonstration stands unless somebody says otherwise.
const PACE: Duration = Duration::from_secs(2);

/// Never 0, which asks for chance.
fn new_seed() -> u32 {
    random(u64::from(u32::MAX >> 1)) as u32 + 1
}

impl Table {
    /// A table set for a game, which [`begin`](Self::begin) begins. Those who think tell their results to
    /// `reporter`, from where they must get to [`hear`](Self::hear).
    #[must_use]
    pub fn new(setting: Setting, store: Option<Store>, reporter: Reporter) -> Self {
        Self {
            game: setting.start.game(),
            clock: setting.clock.map(Clock::for_both),
            setting,
            began: SystemTime::now(),
            seed: new_seed(),
            workers: [None, None],
            thinking: None,
            draw_policies: [DrawPolicy::default(); 2],
            offer: None,
            paused: false,
            demo: None,
            pace: PACE,
            adviser: None,
            consultation: None,
            watching: false,
            lines: Vec::new(),
            store,
            reporter,
            tickets: 0,
            events: Vec::new(),
        }
    }

    /// Takes up a game that was broken off, its players and clocks as they were. One that is over, or has no
    /// moves, is put away instead.
    pub fn resume(&mut self, pgn: &PgnGame) {
        let game = pgn.playable();
        if pgn.result() != chess::GameResult::Unfinished || game.is_over() || game.ply() == 0 {
            if game.ply() > 0 {
                self.put_away(pgn);
            }
            return;
        }
        self.game = game;
        if let Some(seats) = record::seats_of(pgn) {
            self.setting.seats = seats;
        }
        self.clock = record::clock_of(pgn).map(Clock::for_both);
        if let Some(clock) = &mut self.clock {
            clock.restore(&self.game);
            self.paused = true;
        }
        let hint = if self.paused { "; the clocks run again after your move or go" } else { "" };
        self.note(format!("your unfinished game goes on{hint}; new begins another"));
    }

    /// Lets the players begin.
    pub fn begin(&mut self, now: Instant) -> Vec<Event> {
        self.settle(now);
        self.take_events()
    }

    /// Does what somebody at the keyboard wants.
    pub fn obey(&mut self, order: Order, now: Instant) -> Vec<Event> {
        self.watch_flag(now);
        self.follow(order, now);
        self.take_events()
    }

    /// Takes a report of somebody who thinks. Reports that come too late are dropped.
    pub fn hear(&mut self, report: Report, now: Instant) -> Vec<Event> {
        match report {
            Report::Decided(ticket, result) => {
                if let Some((_, color)) = self.thinking.take_if(|(asked, _)| *asked == ticket) {
                    self.decided(color, result, now);
                }
            }
            Report::Advised(ticket, advice) => {
                if let Some((asked, effort)) = self.consultation
                    && asked == ticket
                {
                    self.advised(effort, advice);
                }
            }
        }
        self.take_events()
    }

    /// Looks at the time: flags fall, and demonstrations go on.
    pub fn tick(&mut self, now: Instant) -> Vec<Event> {
        self.watch_flag(now);
        if self.demo.as_ref().and_then(Demo::due).is_some_and(|due| due <= now) {
            self.step_demo(now);
        }
        self.take_events()
    }

    /// When something happens by itself, at the earliest.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        let flag = self.clock.as_ref().and_then(Clock::flag_fall);
        let demo = self.demo.as_ref().and_then(Demo::due);
        flag.into_iter().chain(demo).min()
    }

    /// Leaves the table: a game that is over is put to the others, an unfinished one is kept for next time.
    pub fn leave(&mut self) -> Vec<Event> {
        self.cancel_thinking();
        self.consultation = None;
        self.adviser = None;
        if self.demo.is_none() {
            if self.game.is_over() {
                let pgn = self.pgn();
                self.put_away(&pgn);
            } else if self.game.ply() == 0 {
                self.keep_in_store(Store::forget);
            }
        }
        self.take_events()
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Who plays a side.
    #[must_use]
    pub const fn seat(&self, color: Color) -> &Seat {
        &self.setting.seats[color.index()]
    }

    /// The time a side has left, if there is a clock.
    #[must_use]
    pub fn time_left(&self, color: Color, now: Instant) -> Option<Duration> {
        self.clock.as_ref().and_then(|clock| clock.left(color, now))
    }

    /// The side whose program thinks.
    #[must_use]
    pub fn thinking(&self) -> Option<Color> {
        self.thinking.map(|(_, color)| color)
    }

    /// Whether somebody thinks about an answer that will come by itself.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let asked = self.consultation.is_some_and(|(_, effort)| effort != Effort::Watch);
        self.thinking.is_some() || asked || self.demo.as_ref().is_some_and(|demo| demo.due().is_some())
    }

    /// Whether clocks and programs wait.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.paused
    }

    /// Whether recorded games are shown.
    #[must_use]
    pub const fn is_demo(&self) -> bool {
        self.demo.is_some()
    }

    /// Whether every position is analysed.
    #[must_use]
    pub const fn is_watching(&self) -> bool {
        self.watching
    }

    /// The lines of the analysis that runs along, for the position on the board.
    #[must_use]
    pub fn lines(&self) -> &[AdvisedLine] {
        &self.lines
    }

    /// The side that offers a draw.
    #[must_use]
    pub const fn offer(&self) -> Option<Color> {
        self.offer
    }

    /// The name of the opening.
    #[must_use]
    pub fn opening(&self) -> Option<&'static Opening> {
        openings::name_of_game(&self.game)
    }

    /// The game as PGN.
    #[must_use]
    pub fn pgn(&self) -> PgnGame {
        let clock = self.clock.as_ref().and_then(|clock| clock.control(Color::White));
        record::to_pgn(&self.game, &Heading { seats: &self.setting.seats, clock, date: self.began })
    }

    fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    fn note(&mut self, text: impl Into<String>) {
        self.events.push(Event::Note(text.into()));
    }

    fn refuse(&mut self, reason: impl Into<String>) {
        self.events.push(Event::Refused(reason.into()));
    }

    fn turn(&self) -> Color {
        self.game.position().turn()
    }

    fn ticket(&mut self) -> Ticket {
        self.tickets += 1;
        Ticket(self.tickets)
    }

    /// After every change on the board: keeps the game, and lets go on who is to move.
    fn settle(&mut self, now: Instant) {
        self.lines.clear();
        self.consultation = None;
        if self.watching {
            self.consult(Effort::Watch);
        } else if let Some(adviser) = &self.adviser {
            adviser.rest();
        }
        if self.demo.is_some() {
            return;
        }
        if self.game.ply() > 0 {
            let pgn = self.pgn();
            self.keep_in_store(|store| store.keep(&pgn));
        }
        self.go_on(now);
    }

    /// Starts the clock and the program of the side to move.
    fn go_on(&mut self, now: Instant) {
        if self.paused || self.game.is_over() || self.demo.is_some() {
            if let Some(clock) = &mut self.clock {
                clock.stop(now);
            }
            return self.cancel_thinking();
        }
        let turn = self.turn();
        if let Some(clock) = self.clock.as_mut().filter(|_| self.game.ply() >= FREE_PLIES) {
            clock.start(turn, now);
        }
        if self.thinking.is_none()
            && let Seat::Program(program) = self.seat(turn).clone()
        {
            let ticket = self.ticket();
            let clocks = Color::ALL.map(|color| self.clock.as_ref()?.face(color, now));
            let limit = program.limit(clocks[turn.index()].is_some());
            let question = Question { ticket, game: self.game.clone(), limit, clocks };
            self.thinking = Some((ticket, turn));
            if let Err(failure) = self.ask(turn, question) {
                self.thinking = None;
                self.replace_by_human(turn, &failure);
            }
        }
    }

    fn ask(&mut self, color: Color, question: Question) -> Result<(), Failure> {
        let side = color.index();
        if self.workers[side].is_none()
            && let Seat::Program(program) = &self.setting.seats[side]
        {
            let occasion = Occasion { variant: self.game.variant(), seed: self.seed };
            let worker = Worker::start(program.clone(), occasion, self.reporter.clone());
            self.workers[side] = Some(worker.map_err(|error| Failure::Start(error.to_string()))?);
        }
        let asked = self.workers[side].as_ref().is_some_and(|worker| worker.ask(question));
        if asked { Ok(()) } else { Err(Failure::Crash("its thread is gone".to_owned())) }
    }

    /// A program that is interrupted is let go; the next question gets another one of its kind.
    fn cancel_thinking(&mut self) {
        if let Some((_, color)) = self.thinking.take() {
            self.workers[color.index()] = None;
        }
    }

    fn replace_by_human(&mut self, color: Color, failure: &Failure) {
        let name = self.seat(color).name().to_owned();
        self.workers[color.index()] = None;
        self.setting.seats[color.index()] = Seat::Human;
        self.note(format!("{name} {failure}: you play {color} now"));
    }

    fn decided(&mut self, color: Color, result: Result<Answer, Failure>, now: Instant) {
        let answer = match result {
            Ok(answer) => answer,
            Err(failure) => {
                self.replace_by_human(color, &failure);
                return self.go_on(now);
            }
        };
        let policy = &mut self.draw_policies[color.index()];
        if let Some(score) = answer.thought.score {
            policy.note(score);
        }
        let policy = *policy;
        if self.game.claimable().is_some() && policy.claims() {
            let claimed = self.game.claim_draw().ok();
            return self.ended(claimed, now);
        }
        let resigns = self.setting.programs_resign && policy.resigns();
        match answer.decision {
            Decision::Move(mv) if !resigns => {
                if let Err(error) = self.make_move(mv, now) {
                    self.replace_by_human(color, &Failure::IllegalMove(error.to_string()));
                    return self.go_on(now);
                }
                let number = self.game.position().fullmove_number();
                if !self.game.is_over() && self.draw_policies[color.index()].offers(number) {
                    self.offer = Some(color);
                    self.events.push(Event::DrawOffered(color));
                }
            }
            Decision::Move(_) | Decision::Resign => {
                let resigned = self.game.resign(color).ok();
                self.ended(resigned, now);
            }
        }
    }

    /// A move of the side to move, whoever made it.
    fn make_move(&mut self, mv: Move, now: Instant) -> Result<(), PlayError> {
        let before = *self.game.position();
        let color = before.turn();
        if self.watch_flag(now) {
            return Ok(());
        }
        self.game.play(mv)?;
        self.paused = false;
        self.cancel_thinking();
        if let Some(clock) = &mut self.clock {
            // The flag was looked at with the same time a moment ago.
            let _ = clock.press(color, now);
            if let Some(left) = clock.left(color, now) {
                self.game.set_clock(left);
            }
        }
        // Moving on declines what the other side offered.
        self.offer.take_if(|offering| *offering != color);
        self.events.push(Event::Moved { before: Box::new(before), mv });
        if let Some(outcome) = self.game.outcome() {
            self.events.push(Event::Over(outcome));
        }
        self.settle(now);
        Ok(())
    }

    /// The players, or a clock, have ended the game.
    fn ended(&mut self, outcome: Option<Outcome>, now: Instant) {
        if let Some(outcome) = outcome {
            self.offer = None;
            self.events.push(Event::Over(outcome));
        }
        self.settle(now);
    }

    /// Ends the game if a flag has fallen. Returns whether it has.
    fn watch_flag(&mut self, now: Instant) -> bool {
        let Some(loser) = self.clock.as_ref().and_then(|clock| clock.fallen(now)) else { return false };
        let outcome = self.game.flag(loser).ok();
        self.ended(outcome, now);
        outcome.is_some()
    }

    fn consult(&mut self, effort: Effort) {
        let ticket = self.ticket();
        self.consultation = Some((ticket, effort));
        let reporter = &self.reporter;
        let adviser = self.adviser.get_or_insert_with(|| Adviser::new(reporter.clone()));
        adviser.ask(ticket, &self.game, effort);
    }

    fn advised(&mut self, effort: Effort, advice: Advice) {
        let position = Box::new(*self.game.position());
        if effort == Effort::Watch {
            if !advice.lines.is_empty() {
                self.lines = advice.lines;
                self.events.push(Event::Lines);
            }
            return;
        }
        if !advice.is_final {
            return;
        }
        self.consultation = None;
        let mut lines = advice.lines;
        self.events.push(match effort {
            Effort::Hint if !lines.is_empty() => Event::Hint { position, line: lines.swap_remove(0) },
            _ => Event::Analysis { position, lines },
        });
        if self.watching {
            self.consult(Effort::Watch);
        }
    }

    /// Does something with the store. If that fails it is told once, and not tried again.
    fn keep_in_store(&mut self, act: impl FnOnce(&Store) -> Result<(), crate::store::StoreError>) {
        if let Some(store) = &self.store
            && let Err(error) = act(store)
        {
            self.store = None;
            self.note(format!("the game is no longer being saved: {error}"));
        }
    }

    fn put_away(&mut self, pgn: &PgnGame) {
        self.keep_in_store(|store| store.archive(pgn));
    }
}
