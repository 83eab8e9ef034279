//! A game on this machine: players, clock, draw offers, analysis, saving. No screen, no keyboard.
//!
//! Commands and reports go in, each with the time it is; events come out, and everything else can be asked for. The
//! game never waits: programs think on threads of their own and report when they are done.

mod commands;
#[cfg(test)]
mod tests;

use crate::analyst::{Advice, AnalysisLine, AnalysisUpdate, Analyst, Asked, HintStep};
use crate::command::GameCommand;
use crate::demo::Demo;
use crate::game_setup::{GameSetup, random};
use crate::participant::Participant;
use crate::player_thread::{GameContext, MoveRequest, PlayerThread, Report, Reporter, RequestId};
use crate::record::{self, Heading};
use crate::store::Store;
use book::openings::{self, Opening};
use chess::pgn::PgnGame;
use chess::{Color, Game, Move, Outcome, PlayError, Position};
use engine::DrawPolicy;
use players::{Answer, Clock, Decision, FREE_PLIES, Failure};
use std::collections::VecDeque;
use std::time::{Duration, Instant, SystemTime};

/// Something that has happened in the game.
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
    /// A step of a hint, asked for.
    Hint { position: Box<Position>, step: HintStep },
    /// What the coach says, asked for.
    Advice(String),
    /// The best lines, asked for.
    Analysis { position: Box<Position>, lines: Vec<AnalysisLine> },
    /// The analysis that runs along has new lines, to be had from [`LocalGame::lines`].
    Lines,
}

/// A game, its players and everything that belongs to them.
pub struct LocalGame {
    setup: GameSetup,
    game: Game,
    began: SystemTime,
    /// What chance in this game follows from.
    seed: u32,
    /// What the last search of a classic did, as a table.
    statistics: Option<String>,
    clock: Option<Clock>,
    player_threads: [Option<PlayerThread>; 2],
    thinking: Option<(RequestId, Color)>,
    draw_policies: [DrawPolicy; 2],
    offer: Option<Color>,
    /// Whether clocks and programs wait.
    paused: bool,
    demo: Option<Demo>,
    pace: Duration,
    analyst: Option<Analyst>,
    analysis: Option<(RequestId, Asked)>,
    /// Steps of the hint for the position on the board that were not shown yet.
    hint: VecDeque<HintStep>,
    watching: bool,
    lines: Vec<AnalysisLine>,
    store: Option<Store>,
    reporter: Reporter,
    requests: u64,
    events: Vec<Event>,
}

/// How long each position of a demonstration stands unless a command changes it.
const PACE: Duration = Duration::from_secs(2);

/// Never 0, which asks for chance.
fn new_seed() -> u32 {
    random(u64::from(u32::MAX >> 1)) as u32 + 1
}

impl LocalGame {
    /// A game that [`begin`](Self::begin) begins. Players and analyst send their results to `reporter`, from where they
    /// must get to [`take_report`](Self::take_report).
    #[must_use]
    pub fn new(setup: GameSetup, store: Option<Store>, reporter: Reporter) -> Self {
        Self {
            game: setup.start.game(),
            clock: setup.clock.map(Clock::for_both),
            setup,
            began: SystemTime::now(),
            seed: new_seed(),
            statistics: None,
            player_threads: [None, None],
            thinking: None,
            draw_policies: [DrawPolicy::default(); 2],
            offer: None,
            paused: false,
            demo: None,
            pace: PACE,
            analyst: None,
            analysis: None,
            hint: VecDeque::new(),
            watching: false,
            lines: Vec::new(),
            store,
            reporter,
            requests: 0,
            events: Vec::new(),
        }
    }

    /// Resumes an unfinished game, its players and clock as they were. One that is over is archived instead, and one
    /// without moves is dropped.
    pub fn resume(&mut self, pgn: &PgnGame) {
        let game = pgn.playable();
        if pgn.result() != chess::GameResult::Unfinished || game.is_over() || game.ply() == 0 {
            if game.ply() > 0 {
                self.archive(pgn);
            }
            return;
        }
        self.game = game;
        if let Some(participants) = record::participants_of(pgn) {
            self.setup.participants = participants;
        }
        self.clock = record::clock_of(pgn).map(Clock::for_both);
        if let Some(clock) = &mut self.clock {
            clock.restore(&self.game);
            self.paused = true;
        }
        let hint = if self.paused { "; the clocks run again after your move or go" } else { "" };
        self.note(format!("your unfinished game is resumed{hint}; new begins another"));
    }

    /// Lets the players begin.
    pub fn begin(&mut self, now: Instant) -> Vec<Event> {
        self.note_repairs();
        self.settle(now);
        self.take_events()
    }

    /// Carries out a command.
    pub fn execute(&mut self, command: GameCommand, now: Instant) -> Vec<Event> {
        self.watch_flag(now);
        self.run(command, now);
        self.take_events()
    }

    /// Takes a report of a player or the analyst. Reports that come too late are dropped.
    pub fn take_report(&mut self, report: Report, now: Instant) -> Vec<Event> {
        match report {
            Report::Decided(id, result) => {
                if let Some((_, color)) = self.thinking.take_if(|(asked, _)| *asked == id) {
                    self.decided(color, result, now);
                }
            }
            Report::Analysed(id, update) => {
                if let Some((request, asked)) = self.analysis
                    && request == id
                {
                    self.analysed(asked, update);
                }
            }
            Report::Advised(id, advice) => {
                if self.analysis.take_if(|(request, _)| *request == id).is_some() {
                    self.advised(advice);
                }
            }
        }
        self.take_events()
    }

    /// Looks at the time: flags fall, and demonstrations continue.
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

    /// Leaves the game: one that is over is archived, an unfinished one is kept for next time.
    pub fn leave(&mut self) -> Vec<Event> {
        self.cancel_thinking();
        self.analysis = None;
        self.analyst = None;
        if self.demo.is_none() {
            if self.game.is_over() {
                let pgn = self.pgn();
                self.archive(&pgn);
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
    pub const fn participant(&self, color: Color) -> &Participant {
        &self.setup.participants[color.index()]
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

    /// Whether an answer will come by itself: a move, an analysis, the next move of a demonstration.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let asked = self.analysis.is_some_and(|(_, asked)| asked != Asked::Watch);
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
    pub fn lines(&self) -> &[AnalysisLine] {
        &self.lines
    }

    /// What the last search of a classic did: a table, and what to say if there is none.
    #[must_use]
    pub fn statistics(&self) -> &str {
        self.statistics
            .as_deref()
            .unwrap_or("No classic has thought yet: they keep statistics of their searches.")
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
        record::to_pgn(
            &self.game,
            &Heading { participants: &self.setup.participants, clock, date: self.began },
        )
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

    fn id(&mut self) -> RequestId {
        self.requests += 1;
        RequestId(self.requests)
    }

    /// After every change on the board: saves the game, and lets the side to move continue.
    fn settle(&mut self, now: Instant) {
        self.lines.clear();
        self.hint.clear();
        self.analysis = None;
        if self.watching {
            self.analyse(Asked::Watch);
        } else if let Some(analyst) = &self.analyst {
            analyst.stop();
        }
        if self.demo.is_some() {
            return;
        }
        if self.game.ply() > 0 {
            let pgn = self.pgn();
            self.keep_in_store(|store| store.keep(&pgn));
        }
        self.continue_play(now);
    }

    /// Starts the clock and the program of the side to move.
    fn continue_play(&mut self, now: Instant) {
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
            && let Participant::Program(program) = self.participant(turn).clone()
        {
            let id = self.id();
            let clocks = Color::ALL.map(|color| self.clock.as_ref()?.face(color, now));
            let limit = program.limit(clocks[turn.index()].is_some());
            let request = MoveRequest { id, game: self.game.clone(), limit, clocks };
            self.thinking = Some((id, turn));
            if let Err(failure) = self.ask(turn, request) {
                self.thinking = None;
                self.replace_by_human(turn, &failure);
            }
        }
    }

    fn ask(&mut self, color: Color, request: MoveRequest) -> Result<(), Failure> {
        let side = color.index();
        if self.player_threads[side].is_none()
            && let Participant::Program(program) = &self.setup.participants[side]
        {
            let context = GameContext { variant: self.game.variant(), seed: self.seed };
            let thread = PlayerThread::start(program.clone(), context, self.reporter.clone());
            self.player_threads[side] = Some(thread.map_err(|error| Failure::Start(error.to_string()))?);
        }
        let asked = self.player_threads[side].as_ref().is_some_and(|thread| thread.ask(request));
        if asked { Ok(()) } else { Err(Failure::Crash("its thread is gone".to_owned())) }
    }

    /// A program that is interrupted is dropped; the next request starts another one of its kind.
    fn cancel_thinking(&mut self) {
        if let Some((_, color)) = self.thinking.take() {
            self.player_threads[color.index()] = None;
        }
    }

    fn replace_by_human(&mut self, color: Color, failure: &Failure) {
        let name = self.participant(color).name().to_owned();
        self.player_threads[color.index()] = None;
        self.setup.participants[color.index()] = Participant::Human;
        self.note(format!("{name} {failure}: you play {color} now"));
    }

    fn decided(&mut self, color: Color, result: Result<Answer, Failure>, now: Instant) {
        let answer = match result {
            Ok(answer) => answer,
            Err(failure) => {
                self.replace_by_human(color, &failure);
                return self.continue_play(now);
            }
        };
        if let Some(choice) = &answer.classic {
            let name = self.participant(color).name();
            self.statistics = Some(format!("{name}: {}", choice.table(self.game.position(), answer.elapsed)));
        }
        let policy = &mut self.draw_policies[color.index()];
        if let Some(score) = answer.thought.score {
            policy.note(score);
        }
        let policy = *policy;
        if self.game.claimable().is_some() && policy.claims() {
            let claimed = self.game.claim_draw().ok();
            return self.ended(claimed, now);
        }
        let resigns = self.setup.programs_resign && policy.resigns();
        match answer.decision {
            Decision::Move(mv) if !resigns => {
                if let Err(error) = self.make_move(mv, now) {
                    self.replace_by_human(color, &Failure::IllegalMove(error.to_string()));
                    return self.continue_play(now);
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

    fn analyse(&mut self, asked: Asked) {
        let id = self.id();
        self.analysis = Some((id, asked));
        let reporter = &self.reporter;
        let analyst = self.analyst.get_or_insert_with(|| Analyst::new(reporter.clone()));
        analyst.ask(id, &self.game, asked);
    }

    fn analysed(&mut self, asked: Asked, update: AnalysisUpdate) {
        let position = Box::new(*self.game.position());
        if asked == Asked::Watch {
            if !update.lines.is_empty() {
                self.lines = update.lines;
                self.events.push(Event::Lines);
            }
            return;
        }
        if !update.is_final {
            return;
        }
        self.analysis = None;
        self.events.push(Event::Analysis { position, lines: update.lines });
        self.watch_again();
    }

    fn advised(&mut self, advice: Advice) {
        match advice {
            Advice::Hint(steps) => {
                self.hint = steps.into();
                self.show_hint();
            }
            Advice::Words(text) => self.events.push(Event::Advice(text)),
        }
        self.watch_again();
    }

    fn show_hint(&mut self) {
        if let Some(step) = self.hint.pop_front() {
            self.events.push(Event::Hint { position: Box::new(*self.game.position()), step });
        }
    }

    fn watch_again(&mut self) {
        if self.watching {
            self.analyse(Asked::Watch);
        }
    }

    /// Does something with the store. If that fails it is reported once, and not tried again.
    fn keep_in_store(&mut self, act: impl FnOnce(&Store) -> Result<(), crate::store::StoreError>) {
        if let Some(store) = &self.store
            && let Err(error) = act(store)
        {
            self.store = None;
            self.note(format!("the game is no longer being saved: {error}"));
        }
    }

    fn archive(&mut self, pgn: &PgnGame) {
        self.keep_in_store(|store| store.archive(pgn));
    }
}
