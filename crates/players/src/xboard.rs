//! An XBoard engine in another process.

use crate::child::{Child, Program};
use crate::player::{Answer, Decision, Failure, Player, Thought, Turn};
use crate::uci::score_of;
use chess::{CastlingStyle, Color, Game, GameResult, Move, MoveKind, Position, Variant};
use engine::StopToken;
use protocol::xboard::{Audience, Command, FeatureValue, Reply, Thinking};
use std::time::Duration;
use web_time::Instant;

/// How long to wait for features of an engine that may know nothing of them.
const FEATURE_PATIENCE: Duration = Duration::from_secs(2);

/// What the engine wants, as it was before engines could say.
#[derive(Clone, Debug)]
struct Features {
    ping: bool,
    set_board: bool,
    user_move: bool,
    san: bool,
    colors: bool,
    reuse: bool,
    memory: bool,
    smp: bool,
    variants: Vec<String>,
    options: Vec<String>,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            ping: false,
            set_board: false,
            user_move: false,
            san: false,
            colors: true,
            reuse: true,
            memory: false,
            smp: false,
            variants: vec!["normal".to_owned()],
            options: Vec::new(),
        }
    }
}

/// The player.
pub struct XboardPlayer {
    name: String,
    program: Program,
    settings: Vec<(String, String)>,
    child: Child,
    stop: StopToken,
    features: Features,
    /// For everything but a move.
    patience: Duration,
    pings: i64,
    used: bool,
    /// The game as the engine knows it; none before it is set up.
    known: Option<Known>,
}

struct Known {
    start: Position,
    plies: usize,
    /// Whether it answers moves by itself.
    playing: bool,
}

impl XboardPlayer {
    /// Starts the engine and sets its options.
    ///
    /// # Errors
    /// When it does not start or lacks an option.
    pub fn start(
        program: &Program,
        options: &[(String, String)],
        patience: Duration,
        stop: StopToken,
    ) -> Result<Self, (Failure, String)> {
        let child = Child::start(program, stop.clone()).map_err(|failure| (failure, String::new()))?;
        let mut player = Self {
            name: program.command[0].rsplit('/').next().unwrap_or_default().to_owned(),
            program: program.clone(),
            settings: options.to_vec(),
            child,
            stop,
            features: Features::default(),
            patience,
            pings: 0,
            used: false,
            known: None,
        };
        match player.introduce() {
            Ok(()) => Ok(player),
            Err(failure) => Err((failure, player.child.dialogue())),
        }
    }

    fn introduce(&mut self) -> Result<(), Failure> {
        self.send(&Command::Xboard)?;
        let asked = self.send(&Command::ProtocolVersion(2))?;
        let mut patience = FEATURE_PATIENCE.min(self.patience);
        loop {
            match self.receive(asked, patience) {
                Ok((_, Some(Reply::Features(features)))) => match self.take_features(&features)? {
                    Some(true) => break,
                    Some(false) => patience = self.patience,
                    None => {}
                },
                // An engine of the first version of the protocol says this, or nothing.
                Ok((_, Some(Reply::Error { command, .. }))) if command.contains("protover") => break,
                Ok(_) => {}
                Err(Failure::Hang(_)) if patience <= FEATURE_PATIENCE => break,
                Err(failure) => return Err(failure),
            }
        }
        for (name, value) in self.settings.clone() {
            self.set_option(&name, &value)?;
        }
        Ok(())
    }

    fn send(&mut self, command: &Command) -> Result<Instant, Failure> {
        self.child.send(&command.to_string())
    }

    /// The next line, if it is one that an engine says.
    fn receive(&mut self, since: Instant, patience: Duration) -> Result<(Instant, Option<Reply>), Failure> {
        let (at, line) = self.child.receive(since, patience)?;
        Ok((at, understand(&line)))
    }

    /// Notes the features of a line. Returns the value of `done` if it is among them.
    fn take_features(&mut self, line: &[(String, FeatureValue)]) -> Result<Option<bool>, Failure> {
        let mut done = None;
        for (name, value) in line {
            let is_known = match value {
                FeatureValue::Number(number) if name == "done" => {
                    done = Some(*number == 1);
                    true
                }
                FeatureValue::Number(number) => self.take_switch(name, *number == 1),
                FeatureValue::Text(text) => self.take_text(name, text),
            };
            let answer = if is_known { Command::Accepted } else { Command::Rejected };
            self.send(&answer(name.clone()))?;
        }
        Ok(done)
    }

    fn take_switch(&mut self, name: &str, on: bool) -> bool {
        let features = &mut self.features;
        let place = match name {
            "ping" => &mut features.ping,
            "setboard" => &mut features.set_board,
            "usermove" => &mut features.user_move,
            "san" => &mut features.san,
            "colors" => &mut features.colors,
            "reuse" => &mut features.reuse,
            "memory" => &mut features.memory,
            "smp" => &mut features.smp,
            // Wishes that are granted or make no difference here.
            "time" | "draw" | "sigint" | "sigterm" | "analyze" | "playother" | "name" | "nps" | "debug" => {
                return true;
            }
            _ => return false,
        };
        *place = on;
        true
    }

    fn take_text(&mut self, name: &str, text: &str) -> bool {
        match name {
            "myname" => text.clone_into(&mut self.name),
            "variants" => {
                self.features.variants = text.split(',').map(|name| name.trim().to_owned()).collect();
            }
            "option" => {
                let option = text.split(" -").next().unwrap_or(text);
                self.features.options.push(option.to_owned());
            }
            _ => return false,
        }
        true
    }

    /// Memory and cores have commands of their own in this protocol.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let known = self.features.options.iter().find(|known| known.eq_ignore_ascii_case(name));
        let number = value.parse().ok();
        let command = match (known, &name.to_ascii_lowercase()[..], number) {
            (Some(known), _, _) => Command::SetOption { name: known.clone(), value: Some(value.to_owned()) },
            (None, "hash" | "memory", Some(number)) if self.features.memory => Command::Memory(number),
            (None, "threads" | "cores", Some(number)) if self.features.smp => Command::Cores(number),
            _ => return Err(Failure::Unable(format!("it has no option '{name}', or not with this value"))),
        };
        self.send(&command).map(|_| ())
    }

    /// Waits until the engine has done everything it was asked to do, if it can say so.
    fn synchronise(&mut self) -> Result<(), Failure> {
        if !self.features.ping {
            return Ok(());
        }
        self.pings += 1;
        let asked = self.send(&Command::Ping(self.pings))?;
        while self.receive(asked, self.patience)?.1 != Some(Reply::Pong(self.pings)) {}
        Ok(())
    }

    /// Tells the engine the position a game began with, the engine not playing yet.
    fn set_up(&mut self, game: &Game) -> Result<(), Failure> {
        let start = *game.start();
        self.send(&Command::New)?;
        if game.variant() == Variant::Chess960 {
            self.send(&Command::Variant("fischerandom".to_owned()))?;
        }
        for command in [Command::Force, Command::Easy, Command::Post] {
            self.send(&command)?;
        }
        if start != Position::startpos() {
            if !self.features.set_board {
                return Err(Failure::Unable("it cannot set up a position".to_owned()));
            }
            self.send(&Command::SetBoard(start.to_fen()))?;
        }
        self.known = Some(Known { start, plies: 0, playing: false });
        Ok(())
    }

    fn tell_limits(&mut self, turn: &Turn<'_>) -> Result<(), Failure> {
        let limit = turn.limit;
        if limit.nodes.is_some() || limit.node_rate.is_some() {
            return Err(Failure::Unable("XBoard knows no limit of nodes".to_owned()));
        }
        if let Some(control) = limit.clock {
            let moves = control.moves.unwrap_or(0);
            self.send(&Command::Level { moves, base: control.base, increment: control.increment })?;
        }
        if let Some(time) = limit.move_time {
            self.send(&Command::FixedTime(time))?;
        }
        if let Some(depth) = limit.depth {
            self.send(&Command::Depth(i32::try_from(depth).unwrap_or(i32::MAX)))?;
        }
        Ok(())
    }

    fn tell_clocks(&mut self, turn: &Turn<'_>) -> Result<(), Failure> {
        let centiseconds = |side: Color| {
            let face = turn.clocks[side.index()]?;
            // No time at all would mean to some engines that there is no clock.
            Some(i64::try_from(face.left.as_millis() / 10).unwrap_or(i64::MAX).max(1))
        };
        let own = turn.game.position().turn();
        if let Some(time) = centiseconds(own) {
            self.send(&Command::Time(time))?;
        }
        if let Some(time) = centiseconds(!own) {
            self.send(&Command::OpponentTime(time))?;
        }
        Ok(())
    }

    fn tell_move(&mut self, game: &Game, ply: usize) -> Result<Instant, Failure> {
        let text = match (game.position_at(ply), game.line().get(ply)) {
            (Some(position), Some(played)) => self.spell(position, played.mv, game.variant()),
            _ => String::new(),
        };
        let command = if self.features.user_move { Command::Move(text) } else { Command::BareMove(text) };
        self.send(&command)
    }

    fn spell(&self, position: &Position, mv: Move, variant: Variant) -> String {
        if self.features.san || (variant == Variant::Chess960 && mv.kind() == MoveKind::Castling) {
            return position.san(mv).to_string().trim_end_matches(['+', '#']).to_owned();
        }
        position.to_uci(mv, CastlingStyle::Standard).to_string()
    }

    /// Brings the engine to the position and lets it think. Returns when it could begin.
    fn ask(&mut self, turn: &Turn<'_>) -> Result<Instant, Failure> {
        let game = turn.game;
        let now = game.ply();
        let fits = |known: &Known| known.start == *game.start() && known.plies <= now;
        if !self.known.as_ref().is_some_and(fits) {
            self.set_up(game)?;
            self.tell_limits(turn)?;
        }
        let (sent, playing) = self.known.as_ref().map_or((0, false), |known| (known.plies, known.playing));
        let answers_itself = playing && sent + 1 == now;
        let before = if answers_itself { sent } else { now };
        if !answers_itself {
            if playing {
                self.send(&Command::Force)?;
            }
            for ply in sent..before {
                self.tell_move(game, ply)?;
            }
            self.synchronise()?;
        }
        self.tell_clocks(turn)?;
        let asked = if answers_itself {
            self.tell_move(game, now - 1)?
        } else {
            // A wish of old engines that the protocol's newer version has no command for.
            if self.features.colors {
                let own = if game.position().turn() == Color::White { "white" } else { "black" };
                self.child.send(own)?;
            }
            self.send(&Command::Go)?
        };
        self.known = Some(Known { start: *game.start(), plies: now, playing: true });
        Ok(asked)
    }
}

/// What a line says; also a move as the oldest engines write it, `1. ... e7e5`.
fn understand(line: &str) -> Option<Reply> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let [number, "...", mv] = words[..] {
        let digits = number.strip_suffix('.').unwrap_or(number);
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Reply::Move(mv.to_owned()));
        }
    }
    line.parse().ok()
}

fn thought_of(thinking: &Thinking) -> Thought {
    Thought {
        score: Some(score_of(thinking.score)),
        depth: u32::try_from(thinking.depth).ok(),
        nodes: Some(thinking.nodes),
        time: Some(Duration::from_millis(thinking.time.saturating_mul(10))),
    }
}

impl Player for XboardPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, variant: Variant) -> Result<(), Failure> {
        if self.used && !self.features.reuse {
            let started = Self::start(&self.program, &self.settings, self.patience, self.stop.clone());
            *self = started.map_err(|(failure, _)| failure)?;
        }
        self.used = true;
        self.known = None;
        let plays_it =
            variant == Variant::Standard || self.features.variants.iter().any(|name| name == "fischerandom");
        if plays_it { Ok(()) } else { Err(Failure::Unable("it does not know Chess960".to_owned())) }
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        // What it said on the opponent's time, such as a comment on the end of the last game.
        while self.child.try_receive().is_some() {}
        let asked = self.ask(turn)?;
        let position = turn.game.position();
        let mut thought = Thought::default();
        loop {
            let (at, reply) = self.receive(asked, turn.patience)?;
            let elapsed = at.saturating_duration_since(asked);
            let resigns = || Answer { decision: Decision::Resign, thought, elapsed, classic: None };
            match reply {
                Some(Reply::Move(text)) => {
                    let mv = position.parse_uci(text.trim()).or_else(|_| position.parse_san(text.trim()));
                    let mv = mv.map_err(|error| Failure::IllegalMove(error.to_string()))?;
                    if let Some(known) = &mut self.known {
                        known.plies += 1;
                    }
                    return Ok(Answer { decision: Decision::Move(mv), thought, elapsed, classic: None });
                }
                Some(Reply::Resign) => return Ok(resigns()),
                Some(Reply::Tell(Audience::Ics, text)) if text == "resign" => return Ok(resigns()),
                Some(Reply::Result { result, .. }) if result == won_by(!position.turn()) => {
                    return Ok(resigns());
                }
                // The arena ends games by itself as soon as the rules do.
                Some(claim @ (Reply::Result { .. } | Reply::IllegalMove { .. })) => {
                    return Err(Failure::FalseClaim(claim.to_string()));
                }
                Some(Reply::Thinking(thinking)) => thought = thought_of(&thinking),
                _ => {}
            }
        }
    }

    fn game_over(&mut self, game: &Game) {
        let comment = game.outcome().map(|outcome| outcome.to_string()).unwrap_or_default();
        // An engine that is gone will be noticed when it is to play again.
        let _ = self.send(&Command::Force);
        let _ = self.send(&Command::Result(format!("{} {{{comment}}}", game.result())));
        self.known = None;
    }

    fn dialogue(&self) -> String {
        self.child.dialogue()
    }
}

const fn won_by(color: Color) -> GameResult {
    match color {
        Color::White => GameResult::WhiteWins,
        Color::Black => GameResult::BlackWins,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_move() {
        for line in ["move e2e4", "1. ... e2e4", "1 ... e2e4", "My move is: e2e4", "My move is : e2e4"] {
            assert_eq!(understand(line), Some(Reply::Move("e2e4".to_owned())), "{line}");
        }
        for line in ["", "... e2e4", "e2e4", "x. ... e2e4"] {
            assert!(!matches!(understand(line), Some(Reply::Move(_))), "{line}");
        }
    }
}
