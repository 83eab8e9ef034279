//! Carrying out what the person at the keyboard wants.

use super::{Event, LocalGame};
use crate::analyst::{Asked, CoachQuestion};
use crate::command::{GameCommand, read_move};
use crate::demo::Demo;
use crate::game_setup::StartPosition;
use crate::participant::Participant;
use crate::record;
use crate::store;
use chess::pgn::PgnGame;
use chess::{Color, Game, Move, Outcome};
use players::{Clock, TimeControl};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

impl LocalGame {
    pub(super) fn run(&mut self, command: GameCommand, now: Instant) {
        match command {
            GameCommand::Type(text) => self.play_text(&text, now),
            GameCommand::Play(mv) => self.play(mv, now),
            GameCommand::Undo => self.undo(now),
            GameCommand::Redo => self.redo(now),
            GameCommand::Goto(ply) => self.goto(ply, now),
            GameCommand::Hint => self.hint(),
            GameCommand::Why(text) => self.why(text.as_deref()),
            GameCommand::Threat => self.advise(Asked::Coach(CoachQuestion::Threat)),
            GameCommand::Analyse => self.advise(Asked::Analysis),
            GameCommand::Watch(on) => self.watch(on),
            GameCommand::Draw => self.offer_draw(now),
            GameCommand::Accept => self.accept_draw(now),
            GameCommand::Decline => self.decline_draw(),
            GameCommand::Claim => self.claim_draw(now),
            GameCommand::Resign => self.resign(now),
            GameCommand::New(start) => self.new_game(start, now),
            GameCommand::Switch => self.switch(now),
            GameCommand::SetPlayer(color, participant) => self.set_player(color, participant, now),
            GameCommand::Opponent(participant) => self.set_player(self.opponent(), participant, now),
            GameCommand::Clock(control) => self.set_clock(control, now),
            GameCommand::Pause => self.pause(now),
            GameCommand::Go => self.resume_play(now),
            GameCommand::Save(path) => self.save(&path),
            GameCommand::Load(path, number) => self.load(&path, number, now),
            GameCommand::Demo(path) => self.start_demo(&path, now),
            GameCommand::Pace(pace) => self.set_pace(pace, now),
            GameCommand::Stop => self.stop_demo(),
        }
    }

    /// Why the person at the keyboard may not move now.
    fn objection(&self) -> Option<String> {
        let turn = self.turn();
        if self.demo.is_some() {
            Some("a demonstration is running: stop ends it, and you play on from there".to_owned())
        } else if let Some(outcome) = self.game.outcome() {
            Some(chess::GameOver(outcome).to_string())
        } else if let Participant::Program(_) = self.participant(turn) {
            let hint = if self.paused { ": go lets it move" } else { "" };
            Some(format!("it is {turn}'s move, and {} plays {turn}{hint}", self.participant(turn).name()))
        } else {
            None
        }
    }

    fn play_text(&mut self, text: &str, now: Instant) {
        let read = match self.objection() {
            Some(reason) => Err(reason),
            None => read_move(self.game.position(), text),
        };
        match read {
            Ok(mv) => self.play(mv, now),
            Err(reason) => self.refuse(reason),
        }
    }

    fn play(&mut self, mv: Move, now: Instant) {
        if let Some(reason) = self.objection() {
            self.refuse(reason);
        } else if let Err(error) = self.make_move(mv, now) {
            self.refuse(error.to_string());
        }
    }

    fn has_human(&self) -> bool {
        self.setup.participants.iter().any(Participant::is_human)
    }

    /// Whether the person at the keyboard is to move at a place of the game.
    fn is_human_at(&self, ply: usize) -> bool {
        self.game.position_at(ply).is_some_and(|position| self.participant(position.turn()).is_human())
    }

    /// Takes back to where a human is to move again; without humans, one move, and the programs wait.
    fn undo(&mut self, now: Instant) {
        let played = (0..self.game.ply()).rev();
        let own_turn = |ply: &usize| !self.has_human() || self.demo.is_some() || self.is_human_at(*ply);
        match played.into_iter().find(own_turn) {
            Some(ply) => self.move_to(ply, now),
            None => self.refuse("there is no move to take back"),
        }
    }

    fn redo(&mut self, now: Instant) {
        let last = self.game.line().len();
        let mut rest = self.game.ply() + 1..=last;
        let own_turn = |ply: &usize| !self.has_human() || self.demo.is_some() || self.is_human_at(*ply);
        match rest.find(own_turn).or((self.game.ply() < last).then_some(last)) {
            Some(ply) => self.move_to(ply, now),
            None => self.refuse("there is no move to play again"),
        }
    }

    fn goto(&mut self, ply: usize, now: Instant) {
        let last = self.game.line().len();
        if ply <= last {
            self.move_to(ply, now);
        } else {
            self.refuse(format!("the game has only {}", crate::words::count(last, "half-move")));
        }
    }

    fn move_to(&mut self, ply: usize, now: Instant) {
        self.cancel_thinking();
        self.game.goto(ply);
        self.offer = None;
        self.draw_policies = Default::default();
        if let Some(clock) = &mut self.clock {
            clock.restore(&self.game);
        }
        if let Some(demo) = &mut self.demo {
            demo.hold();
        }
        // A program must not overwrite moves that a person only looks at.
        self.paused |= !self.is_human_at(ply) && ply < self.game.line().len();
        self.events.push(Event::Changed);
        self.settle(now);
    }

    fn advise(&mut self, asked: Asked) {
        match self.game.outcome() {
            Some(outcome) => self.refuse(chess::GameOver(outcome).to_string()),
            None => self.analyse(asked),
        }
    }

    /// The next step of the hint for this position, or the first of a new one.
    fn hint(&mut self) {
        if self.hint.is_empty() {
            self.advise(Asked::Coach(CoachQuestion::Hint));
        } else {
            self.show_hint();
        }
    }

    fn why(&mut self, text: Option<&str>) {
        let asked = |mv| Asked::Coach(CoachQuestion::Why(mv));
        match text.map(|text| read_move(self.game.position(), text)) {
            Some(Err(reason)) => self.refuse(reason),
            Some(Ok(mv)) => self.advise(asked(Some(mv))),
            // What has ended the game can be asked about too.
            None if self.game.ply() > 0 => self.analyse(asked(None)),
            None => self.advise(asked(None)),
        }
    }

    fn watch(&mut self, on: bool) {
        self.watching = on;
        if on {
            self.analyse(Asked::Watch);
        } else {
            self.analysis = None;
            self.lines.clear();
            if let Some(analyst) = &self.analyst {
                analyst.stop();
            }
        }
    }

    /// The side of the person at the keyboard.
    fn person(&self) -> Option<Color> {
        let turn = self.turn();
        [turn, !turn].into_iter().find(|&color| self.participant(color).is_human())
    }

    /// The side of the program, or else the one that is not to move.
    fn opponent(&self) -> Color {
        match Color::ALL.map(|color| self.participant(color).is_human()) {
            [true, false] => Color::Black,
            [false, true] => Color::White,
            _ => !self.turn(),
        }
    }

    /// Whether the game can be ended by words. If not, says why.
    fn is_in_progress(&mut self) -> bool {
        match self.game.outcome() {
            _ if self.demo.is_some() => self.refuse("a demonstration is running"),
            Some(outcome) => self.refuse(chess::GameOver(outcome).to_string()),
            None => return true,
        }
        false
    }

    fn offer_draw(&mut self, now: Instant) {
        if !self.is_in_progress() {
            return;
        }
        let Some(person) = self.person() else { return self.refuse("no person plays here") };
        if self.game.claimable().is_some() && self.turn() == person {
            return self.claim_draw(now);
        }
        if self.offer.is_some_and(|offering| offering != person) {
            return self.accept_draw(now);
        }
        match self.participant(!person) {
            Participant::Human => {
                self.offer = Some(person);
                self.events.push(Event::DrawOffered(person));
            }
            Participant::Program(_) => {
                let number = self.game.position().fullmove_number();
                if self.draw_policies[(!person).index()].accepts(number) {
                    self.agree(now);
                } else {
                    let name = self.participant(!person).name().to_owned();
                    self.note(format!("{name} declines the draw"));
                }
            }
        }
    }

    fn agree(&mut self, now: Instant) {
        let outcome = self.game.agree_draw().ok();
        self.ended(outcome, now);
    }

    fn accept_draw(&mut self, now: Instant) {
        if !self.is_in_progress() {
            return;
        }
        match self.offer {
            Some(_) => self.agree(now),
            None => self.refuse("there is no draw offer"),
        }
    }

    fn decline_draw(&mut self) {
        match self.offer.take() {
            Some(offering) => self.note(format!("{} declines the draw", !offering)),
            None => self.refuse("there is no draw offer"),
        }
    }

    fn claim_draw(&mut self, now: Instant) {
        if !self.is_in_progress() {
            return;
        }
        if !self.participant(self.turn()).is_human() {
            return self.refuse(format!("only {} can claim a draw now: it has the move", self.turn()));
        }
        match self.game.claim_draw() {
            Ok(outcome) => self.ended(Some(outcome), now),
            Err(error) => self.refuse(error.to_string()),
        }
    }

    fn resign(&mut self, now: Instant) {
        if !self.is_in_progress() {
            return;
        }
        match self.person() {
            Some(loser) => {
                let outcome: Option<Outcome> = self.game.resign(loser).ok();
                self.ended(outcome, now);
            }
            None => self.refuse("no person plays here"),
        }
    }

    /// Archives the game, if there were moves in it, and puts another one on the board.
    fn replace_game(&mut self, game: Game) {
        self.cancel_thinking();
        if self.demo.take().is_none() && self.game.ply() > 0 {
            let pgn = self.pgn();
            self.archive(&pgn);
        }
        // Players of the last game would remember it.
        self.player_threads = [None, None];
        self.game = game;
        self.began = SystemTime::now();
        self.seed = super::new_seed();
        self.clock = self.setup.clock.map(Clock::for_both);
        self.draw_policies = Default::default();
        self.offer = None;
        self.paused = false;
        self.events.push(Event::Changed);
    }

    fn new_game(&mut self, start: Option<StartPosition>, now: Instant) {
        if let Some(start) = start {
            self.setup.start = start;
        }
        self.note_repairs();
        self.replace_game(self.setup.start.game());
        self.settle(now);
    }

    fn switch(&mut self, now: Instant) {
        self.cancel_thinking();
        self.player_threads = [None, None];
        self.setup.participants.swap(0, 1);
        self.draw_policies.swap(0, 1);
        self.announce_players();
        self.settle(now);
    }

    fn set_player(&mut self, color: Color, participant: Participant, now: Instant) {
        self.cancel_thinking();
        self.player_threads[color.index()] = None;
        self.draw_policies[color.index()] = Default::default();
        self.setup.participants[color.index()] = participant;
        self.announce_players();
        self.settle(now);
    }

    fn announce_players(&mut self) {
        let [white, black] = Color::ALL.map(|color| self.participant(color).name().to_owned());
        self.note(format!("{white} plays White, {black} plays Black"));
    }

    fn set_clock(&mut self, control: Option<TimeControl>, now: Instant) {
        self.setup.clock = control;
        if self.game.ply() == 0 {
            self.cancel_thinking();
            self.clock = control.map(Clock::for_both);
            self.continue_play(now);
        } else {
            self.note("the next game will have that clock");
        }
    }

    fn pause(&mut self, now: Instant) {
        match &mut self.demo {
            Some(demo) => demo.hold(),
            None => self.paused = true,
        }
        self.note("paused: go resumes");
        self.continue_play(now);
    }

    fn resume_play(&mut self, now: Instant) {
        self.paused = false;
        match &mut self.demo {
            Some(demo) => demo.wind(now),
            None => self.continue_play(now),
        }
    }

    fn save(&mut self, path: &Path) {
        match store::append(path, &self.pgn()) {
            Ok(()) => self.note(format!("saved to {}", path.display())),
            Err(error) => self.refuse(error.to_string()),
        }
    }

    fn load(&mut self, path: &Path, number: usize, now: Instant) {
        match record::load(path, number) {
            Ok(pgn) => {
                self.replace_game(pgn.playable());
                self.note(title(&pgn));
                self.note_faults(&pgn);
                self.settle(now);
            }
            Err(error) => self.refuse(error.to_string()),
        }
    }

    /// Says what had to be repaired of the position that games start from.
    pub(super) fn note_repairs(&mut self) {
        let notes: Vec<String> = self.setup.start.warnings().iter().map(ToString::to_string).collect();
        notes.into_iter().for_each(|note| self.note(note));
    }

    /// Says what is missing of a recorded game.
    fn note_faults(&mut self, pgn: &PgnGame) {
        for fault in &pgn.faults {
            self.note(fault.to_string());
        }
    }

    fn start_demo(&mut self, path: &Path, now: Instant) {
        match Demo::open(path, self.pace) {
            Ok(demo) => {
                self.replace_game(Game::new());
                self.demo = Some(demo);
                self.show_next_game(now);
            }
            Err(error) => self.refuse(error.to_string()),
        }
    }

    fn set_pace(&mut self, pace: Duration, now: Instant) {
        self.pace = pace;
        if let Some(demo) = &mut self.demo {
            demo.set_pace(pace);
            demo.wind(now);
        }
    }

    fn stop_demo(&mut self) {
        match self.demo.take() {
            Some(_) => {
                self.paused = true;
                self.note("the demonstration has ended: play on from here, or go, or new");
            }
            None => self.refuse("there is no demonstration"),
        }
    }

    pub(super) fn step_demo(&mut self, now: Instant) {
        let before = Box::new(*self.game.position());
        let Some(mv) = self.game.redo() else { return self.show_next_game(now) };
        self.events.push(Event::Moved { before, mv });
        if let Some(demo) = &mut self.demo {
            demo.wind(now);
        }
        self.settle(now);
    }

    fn show_next_game(&mut self, now: Instant) {
        let Some(demo) = &mut self.demo else { return };
        match demo.next_game() {
            None => {
                self.demo = None;
                self.paused = true;
                self.note("that was the last game: play on from here, or go, or new");
            }
            Some(Err(error)) => {
                demo.wind(now);
                self.refuse(error.to_string());
            }
            Some(Ok(pgn)) => {
                demo.wind(now);
                let mut game = pgn.playable();
                game.goto(0);
                self.game = game;
                self.note(title(&pgn));
                self.note_faults(&pgn);
                self.events.push(Event::Changed);
                self.settle(now);
            }
        }
    }
}

/// Who played a recorded game, and how it ended.
fn title(pgn: &PgnGame) -> String {
    let tag = |name| pgn.tags.get(name).unwrap_or("?");
    format!("{} against {}, {} {}, {}", tag("White"), tag("Black"), tag("Event"), tag("Date"), tag("Result"))
}
