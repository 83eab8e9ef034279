//! An engine that behaves well or in one of many bad ways, for the tests of the arena.
//!
//! `fake-engine PROTOCOL BEHAVIOUR [AFTER]`: the bad behaviour begins after this many good moves.

use chess::{CastlingStyle, Game, Position};
use std::io::{self, BufRead, Write};
use std::process;
use std::thread;
use std::time::Duration;

/// Longer than any clock that the tests give to an engine that is to exceed it.
const SLOW: Duration = Duration::from_millis(30);

struct Engine {
    behaviour: String,
    good_moves: usize,
    game: Game,
    /// In XBoard's protocol: whether moves are answered.
    playing: bool,
}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        process::exit(1);
    }
}

/// Reads and forgets until the input ends.
fn fall_silent() -> ! {
    for _ in io::stdin().lines() {}
    process::exit(0)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |index: usize| arguments.get(index).cloned().unwrap_or_default();
    let mut engine = Engine {
        behaviour: argument(1),
        good_moves: argument(2).parse().unwrap_or(0),
        game: Game::new(),
        playing: false,
    };
    match &engine.behaviour[..] {
        "dead" => {
            eprintln!("no licence found");
            process::exit(7);
        }
        "mute" => fall_silent(),
        _ => {}
    }
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        if line == "quit" {
            return;
        }
        if argument(0) == "uci" {
            engine.hear_uci(&line);
        } else {
            engine.hear_xboard(&line);
        }
    }
}

impl Engine {
    fn hear_uci(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => {
                say("id name Fake");
                say("option name Hash type spin default 1 min 1 max 9");
                say("uciok");
            }
            Some("isready") => say("readyok"),
            Some("position") => self.set_position(line),
            Some("go") => {
                if self.behaves_well() {
                    let mv = self.first_move();
                    say(&format!("info depth 2 score cp 12 nodes 34 time 5 pv {mv}"));
                    say(&format!("bestmove {mv}"));
                } else {
                    self.misbehave("bestmove");
                }
            }
            _ => {}
        }
    }

    fn set_position(&mut self, line: &str) {
        let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let start = match start.strip_prefix("position fen ") {
            Some(fen) => Position::from_fen(fen).expect("the arena sends legal positions"),
            None => Position::startpos(),
        };
        self.game = Game::from_position(start);
        for mv in moves.split_whitespace() {
            self.play(mv);
        }
    }

    fn play(&mut self, text: &str) {
        let mv = self.game.position().parse_uci(text).expect("the arena sends legal moves");
        self.game.replay(mv).expect("legal");
    }

    fn first_move(&self) -> String {
        let position = self.game.position();
        let mv = *position.legal_moves().first().expect("the arena ends games that are over");
        position.to_uci(mv, CastlingStyle::Standard).to_string()
    }

    fn hear_xboard(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("protover") if self.behaviour == "old" => say("Error (unknown command): protover"),
            Some("protover") => {
                say("feature done=0");
                say(
                    "feature ping=1 setboard=1 usermove=1 myname=\"Fake X\" colors=0 variants=\"normal\" done=1",
                );
            }
            Some("ping") => say(&format!("pong {}", words.next().unwrap_or_default())),
            Some("new") => {
                self.game = Game::new();
                self.playing = true;
            }
            Some("force") => self.playing = false,
            Some("setboard") => {
                let fen = line.trim_start_matches("setboard ");
                self.game = Game::from_position(Position::from_fen(fen).expect("legal positions"));
            }
            Some("go") => {
                self.playing = true;
                self.answer();
            }
            Some("usermove") => self.take(words.next().unwrap_or_default()),
            Some(word) if self.behaviour == "old" && self.game.position().parse_uci(word).is_ok() => {
                self.take(word);
            }
            _ => {}
        }
    }

    fn take(&mut self, mv: &str) {
        self.play(mv);
        if self.playing {
            self.answer();
        }
    }

    fn answer(&mut self) {
        let mv = self.first_move();
        if self.behaviour == "old" {
            say(&format!("1. ... {mv}"));
        } else if self.behaves_well() {
            say(&format!("2 12 0 34 {mv}\nmove {mv}"));
        } else {
            return match &self.behaviour[..] {
                "claim" => say("1/2-1/2 {Draw by repetition}"),
                "refuse" => say("Illegal move: e2e4"),
                "resign" => say("resign"),
                _ => self.misbehave("move"),
            };
        }
        self.play(&mv);
    }

    fn behaves_well(&mut self) -> bool {
        if self.behaviour == "good" {
            return true;
        }
        let well = self.good_moves > 0;
        self.good_moves = self.good_moves.saturating_sub(1);
        well
    }

    fn misbehave(&self, prefix: &str) {
        match &self.behaviour[..] {
            "silent" => fall_silent(),
            "slow" => {
                thread::sleep(SLOW);
                say(&format!("{prefix} {}", self.first_move()));
            }
            "illegal" => say(&format!("{prefix} a1h8")),
            "nonsense" => say(&format!("{prefix} castle!")),
            "null" => say(&format!("{prefix} 0000")),
            "crash" => {
                eprintln!("about to divide by zero");
                process::exit(3);
            }
            "abort" => process::abort(),
            "flood" => loop {
                say("info string I think, therefore I am");
            },
            // A great deal to say, but in the end a move.
            "talk" => {
                for _ in 0..20_000 {
                    say("info depth 1 score cp 1 nodes 1 time 1 pv a2a3 a7a6");
                }
                say(&format!("{prefix} {}", self.first_move()));
            }
            other => {
                eprintln!("unknown behaviour {other}");
                process::exit(2);
            }
        }
    }
}
