//! Doing what somebody at the keyboard wants.

use super::{Event, Table};
use crate::adviser::Effort;
use crate::command::Order;
use crate::demo::Demo;
use crate::record;
use crate::seat::Seat;
use crate::setting::Start;
use crate::store;
use chess::{Color, Game, Move, Outcome, Position, UciMoveError};
use players::{Clock, TimeControl};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

impl Table {
    pub(super) fn follow(&mut self, order: Order, now: Instant) {
        match order {
            Order::Type(text) => self.play_text(&text, now),
            Order::Play(mv) => self.play(mv, now),
            Order::Undo => self.undo(now),
            Order::Redo => self.redo(now),
            Order::Goto(ply) => self.goto(ply, now),
            Order::Hint => self.advise(Effort::Hint),
            Order::Analyse => self.advise(Effort::Analysis),
            Order::Watch(on) => self.watch(on),
            Order::Draw => self.offer_draw(now),
            Order::Accept => self.accept_draw(now),
            Order::Decline => self.decline_draw(),
            Order::Claim => self.claim_draw(now),
            Order::Resign => self.resign(now),
            Order::New(start) => self.new_game(start, now),
            Order::Switch => self.switch(now),
            Order::Sit(color, seat) => self.sit(color, seat, now),
            Order::Opponent(seat) => self.sit(self.opponent(), seat, now),
            Order::Clock(control) => self.set_clock(control, now),
            Order::Pause => self.pause(now),
            Order::Go => self.resume_play(now),
            Order::Save(path) => self.save(&path),
            Order::Load(path, number) => self.load(&path, number, now),
            Order::Demo(path) => self.start_demo(&path, now),
            Order::Pace(pace) => self.set_pace(pace, now),
            Order::Stop => self.stop_demo(),
        }
    }

    /// Why nobody at the keyboard may move now.
    fn objection(&self) -> Option<String> {
        let turn = self.turn();
        if self.demo.is_some() {
            Some("a demonstration is running: stop ends it, and you play on from there".to_owned())
        } else if let Some(outcome) = self.game.outcome() {
            Some(chess::GameOver(outcome).to_string())
        } else if let Seat::Program(_) = self.seat(turn) {
            let hint = if self.paused { ": go lets it move" } else { "" };
            Some(format!("it is {turn}'s move, and {} plays {turn}{hint}", self.seat(turn).name()))
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
        self.setting.seats.iter().any(Seat::is_human)
    }

    /// Whether somebody at the keyboard would be to move at a place of the game.
    fn is_human_at(&self, ply: usize) -> bool {
        self.game.position_at(ply).is_some_and(|position| self.seat(position.turn()).is_human())
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
            self.refuse(format!("the game has only {last} half-moves"));
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
        // A program must not run over moves that one only wants to look at.
        self.paused |= !self.is_human_at(ply) && ply < self.game.line().len();
        self.events.push(Event::Changed);
        self.settle(now);
    }

    fn advise(&mut self, effort: Effort) {
        match self.game.outcome() {
            Some(outcome) => self.refuse(chess::GameOver(outcome).to_string()),
            None => self.consult(effort),
        }
    }

    fn watch(&mut self, on: bool) {
        self.watching = on;
        if on {
            self.consult(Effort::Watch);
        } else {
            self.consultation = None;
            self.lines.clear();
            if let Some(adviser) = &self.adviser {
                adviser.rest();
            }
        }
    }

    /// The side for which somebody at the keyboard speaks.
    fn speaker(&self) -> Option<Color> {
        let turn = self.turn();
        [turn, !turn].into_iter().find(|&color| self.seat(color).is_human())
    }

    /// The side of the program, or else the one that is not to move.
    fn opponent(&self) -> Color {
        match Color::ALL.map(|color| self.seat(color).is_human()) {
            [true, false] => Color::Black,
            [false, true] => Color::White,
            _ => !self.turn(),
        }
    }

    /// Whether the game can be ended by words. If not, says why.
    fn is_going_on(&mut self) -> bool {
        match self.game.outcome() {
            _ if self.demo.is_some() => self.refuse("a demonstration is running"),
            Some(outcome) => self.refuse(chess::GameOver(outcome).to_string()),
            None => return true,
        }
        false
    }

    fn offer_draw(&mut self, now: Instant) {
        if !self.is_going_on() {
            return;
        }
        let Some(speaker) = self.speaker() else { return self.refuse("nobody here plays") };
        if self.game.claimable().is_some() && self.turn() == speaker {
            return self.claim_draw(now);
        }
        if self.offer.is_some_and(|offering| offering != speaker) {
            return self.accept_draw(now);
        }
        match self.seat(!speaker) {
            Seat::Human => {
                self.offer = Some(speaker);
                self.events.push(Event::DrawOffered(speaker));
            }
            Seat::Program(_) => {
                let number = self.game.position().fullmove_number();
                if self.draw_policies[(!speaker).index()].accepts(number) {
                    self.agree(now);
                } else {
                    let name = self.seat(!speaker).name().to_owned();
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
        if !self.is_going_on() {
            return;
        }
        match self.offer {
            Some(_) => self.agree(now),
            None => self.refuse("nobody has offered a draw"),
        }
    }

    fn decline_draw(&mut self) {
        match self.offer.take() {
            Some(offering) => self.note(format!("{} declines the draw", !offering)),
            None => self.refuse("nobody has offered a draw"),
        }
    }

    fn claim_draw(&mut self, now: Instant) {
        if !self.is_going_on() {
            return;
        }
        if !self.seat(self.turn()).is_human() {
            return self.refuse(format!("only {} can claim a draw now: it has the move", self.turn()));
        }
        match self.game.claim_draw() {
            Ok(outcome) => self.ended(Some(outcome), now),
            Err(error) => self.refuse(error.to_string()),
        }
    }

    fn resign(&mut self, now: Instant) {
        if !self.is_going_on() {
            return;
        }
        match self.speaker() {
            Some(loser) => {
                let outcome: Option<Outcome> = self.game.resign(loser).ok();
                self.ended(outcome, now);
            }
            None => self.refuse("nobody here plays"),
        }
    }

    /// Puts the game of before away, if there were moves in it, and another one on the board.
    fn replace_game(&mut self, game: Game) {
        self.cancel_thinking();
        if self.demo.take().is_none() && self.game.ply() > 0 {
            let pgn = self.pgn();
            self.put_away(&pgn);
        }
        // The players forget what they know of that game.
        self.workers = [None, None];
        self.game = game;
        self.began = SystemTime::now();
        self.seed = super::new_seed();
        self.clock = self.setting.clock.map(Clock::for_both);
        self.draw_policies = Default::default();
        self.offer = None;
        self.paused = false;
        self.events.push(Event::Changed);
    }

    fn new_game(&mut self, start: Option<Start>, now: Instant) {
        if let Some(start) = start {
            self.setting.start = start;
        }
        self.replace_game(self.setting.start.game());
        self.settle(now);
    }

    fn switch(&mut self, now: Instant) {
        self.cancel_thinking();
        self.workers = [None, None];
        self.setting.seats.swap(0, 1);
        self.draw_policies.swap(0, 1);
        self.introduce();
        self.settle(now);
    }

    fn sit(&mut self, color: Color, seat: Seat, now: Instant) {
        self.cancel_thinking();
        self.workers[color.index()] = None;
        self.draw_policies[color.index()] = Default::default();
        self.setting.seats[color.index()] = seat;
        self.introduce();
        self.settle(now);
    }

    fn introduce(&mut self) {
        let [white, black] = Color::ALL.map(|color| self.seat(color).name().to_owned());
        self.note(format!("{white} plays White, {black} plays Black"));
    }

    fn set_clock(&mut self, control: Option<TimeControl>, now: Instant) {
        self.setting.clock = control;
        if self.game.ply() == 0 {
            self.cancel_thinking();
            self.clock = control.map(Clock::for_both);
            self.go_on(now);
        } else {
            self.note("the next game will have that clock");
        }
    }

    fn pause(&mut self, now: Instant) {
        match &mut self.demo {
            Some(demo) => demo.hold(),
            None => self.paused = true,
        }
        self.note("paused: go goes on");
        self.go_on(now);
    }

    fn resume_play(&mut self, now: Instant) {
        self.paused = false;
        match &mut self.demo {
            Some(demo) => demo.wind(now),
            None => self.go_on(now),
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
                self.settle(now);
            }
            Err(error) => self.refuse(error.to_string()),
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
                self.events.push(Event::Changed);
                self.settle(now);
            }
        }
    }
}

/// Who played a recorded game, and how it ended.
fn title(pgn: &chess::pgn::PgnGame) -> String {
    let tag = |name| pgn.tags.get(name).unwrap_or("?");
    format!("{} against {}, {} {}, {}", tag("White"), tag("Black"), tag("Event"), tag("Date"), tag("Result"))
}

/// Reads a move, by its squares or in algebraic notation, or says why it is none.
fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    match position.parse_uci(text) {
        Err(UciMoveError::Syntax { .. }) => position.parse_san(text).map_err(|error| error.to_string()),
        read => read.map_err(|error| error.to_string()),
    }
}
