//! A UCI engine in another process.

use crate::child::{Child, Program};
use crate::limits::ClockFace;
use crate::player::{Answer, Decision, Failure, Player, StopSignal, Thought, Turn};
use chess::pgn::EvalScore;
use chess::{CastlingStyle, Game, Position, Variant};
use std::fmt::Write;
use std::time::Duration;

/// The player.
pub struct UciPlayer {
    name: String,
    child: Child,
    options: Vec<String>,
    castling: CastlingStyle,
    /// For everything but a move.
    patience: Duration,
}

impl UciPlayer {
    /// Starts the engine and sets its options.
    ///
    /// # Errors
    /// When it does not start, does not speak UCI within `patience`, or lacks an option.
    pub fn start(
        program: &Program,
        options: &[(String, String)],
        patience: Duration,
        stop: StopSignal,
    ) -> Result<Self, (Failure, String)> {
        let child = Child::start(program, stop).map_err(|failure| (failure, String::new()))?;
        let name = program.command[0].rsplit('/').next().unwrap_or_default().to_owned();
        let mut player =
            Self { name, child, options: Vec::new(), castling: CastlingStyle::Standard, patience };
        match player.introduce(options) {
            Ok(()) => Ok(player),
            Err(failure) => Err((failure, player.child.dialogue())),
        }
    }

    fn introduce(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        let asked = self.child.send("uci")?;
        loop {
            let (_, line) = self.child.receive(asked, self.patience)?;
            if line == "uciok" {
                break;
            }
            if let Some(name) = line.strip_prefix("id name ") {
                name.trim().clone_into(&mut self.name);
            } else if let Some(option) = line.strip_prefix("option name ") {
                let name = option.split(" type ").next().unwrap_or(option);
                self.options.push(name.trim().to_owned());
            }
        }
        for (name, value) in options {
            self.set_option(name, value)?;
        }
        self.wait_until_ready()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let known = self.options.iter().find(|known| known.eq_ignore_ascii_case(name));
        let known = known.ok_or_else(|| Failure::Unable(format!("it has no option '{name}'")))?;
        let line = format!("setoption name {known} value {value}");
        self.child.send(&line).map(|_| ())
    }

    fn wait_until_ready(&mut self) -> Result<(), Failure> {
        let asked = self.child.send("isready")?;
        while self.child.receive(asked, self.patience)?.1 != "readyok" {}
        Ok(())
    }

    fn position_command(&self, game: &Game) -> String {
        let start = game.start();
        let mut command = if *start == Position::startpos() && game.variant() == Variant::Standard {
            "position startpos".to_owned()
        } else {
            format!("position fen {}", start.to_fen())
        };
        for (ply, mv) in game.moves().enumerate() {
            if ply == 0 {
                command.push_str(" moves");
            }
            if let Some(position) = game.position_at(ply) {
                let _ = write!(command, " {}", position.to_uci(mv, self.castling));
            }
        }
        command
    }
}

/// The command that starts a search.
fn go_command(turn: &Turn<'_>) -> String {
    let mut command = "go".to_owned();
    let mut add = |name: &str, value: u128| {
        let _ = write!(command, " {name} {value}");
    };
    let sides = [("wtime", "winc"), ("btime", "binc")];
    for (face, (time, increment)) in turn.clocks.iter().zip(sides) {
        if let Some(ClockFace { left, increment: plus, .. }) = face {
            add(time, left.as_millis().max(1));
            add(increment, plus.as_millis());
        }
    }
    let own = turn.clocks[turn.game.position().turn().index()];
    if let Some(moves) = own.and_then(|face| face.moves_to_go) {
        add("movestogo", moves.into());
    }
    let limit = turn.limit;
    if let Some(time) = limit.move_time {
        add("movetime", time.as_millis());
    }
    if let Some(depth) = limit.depth {
        add("depth", depth.into());
    }
    if let Some(nodes) = limit.nodes {
        add("nodes", nodes.into());
    }
    command
}

impl Player for UciPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, variant: Variant) -> Result<(), Failure> {
        let has_chess960 = self.options.iter().any(|name| name == "UCI_Chess960");
        if variant == Variant::Chess960 && !has_chess960 {
            return Err(Failure::Unable("it does not know Chess960".to_owned()));
        }
        if has_chess960 && self.castling != variant.castling_style() {
            self.set_option("UCI_Chess960", &(variant == Variant::Chess960).to_string())?;
            self.castling = variant.castling_style();
        }
        self.child.send("ucinewgame")?;
        self.wait_until_ready()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        self.child.send(&self.position_command(turn.game))?;
        let asked = self.child.send(&go_command(turn))?;
        let mut thought = Thought::default();
        loop {
            let (at, line) = self.child.receive(asked, turn.patience)?;
            if let Some(info) = line.strip_prefix("info ") {
                read_info(info, &mut thought);
            } else if let Some(best) = line.strip_prefix("bestmove") {
                let text = best.split_whitespace().next().unwrap_or_default();
                let mv = turn.game.position().parse_uci(text);
                let mv = mv.map_err(|error| Failure::IllegalMove(error.to_string()))?;
                let elapsed = at.saturating_duration_since(asked);
                return Ok(Answer { decision: Decision::Move(mv), thought, elapsed });
            }
        }
    }

    fn dialogue(&self) -> String {
        self.child.dialogue()
    }
}

/// Takes over what a line of information says. Lines of side variations and of single moves say nothing.
fn read_info(info: &str, thought: &mut Thought) {
    let words: Vec<&str> = info.split_whitespace().collect();
    let value = |name: &str| {
        let place = words.iter().position(|word| *word == name)?;
        words.get(place + 1).copied()
    };
    if words.first() == Some(&"string") || value("multipv").is_some_and(|rank| rank != "1") {
        return;
    }
    let number = |name: &str| value(name)?.parse::<u64>().ok();
    if let Some(nodes) = number("nodes") {
        thought.nodes = Some(nodes);
    }
    if let Some(time) = number("time") {
        thought.time = Some(Duration::from_millis(time));
    }
    let Some(unit) = value("score") else { return };
    let amount = value(unit).and_then(|amount| amount.parse::<i32>().ok());
    thought.score = match (unit, amount) {
        ("cp", Some(amount)) => Some(EvalScore::Centipawns(amount)),
        ("mate", Some(amount)) => Some(EvalScore::Mate(amount)),
        _ => return,
    };
    if let Some(depth) = number("depth") {
        thought.depth = u32::try_from(depth).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limit;

    #[test]
    fn what_the_engine_thinks() {
        let mut thought = Thought::default();
        read_info("depth 9 seldepth 12 multipv 1 score cp -31 nodes 4711 time 25 pv e2e4", &mut thought);
        read_info("depth 9 multipv 2 score cp -90 nodes 4712 time 26 pv d2d4", &mut thought);
        read_info("string depth 99 score cp 1000", &mut thought);
        read_info("depth 10 currmove e2e4 currmovenumber 1", &mut thought);
        let expected = Thought {
            score: Some(EvalScore::Centipawns(-31)),
            depth: Some(9),
            nodes: Some(4711),
            time: Some(Duration::from_millis(25)),
        };
        assert_eq!(thought, expected);
        read_info("depth 11 score mate 3 lowerbound", &mut thought);
        assert_eq!(thought.score, Some(EvalScore::Mate(3)));
    }

    #[test]
    fn clocks_and_limits_are_told() {
        let game = Game::new();
        let face = |left, moves_to_go| {
            Some(ClockFace {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(10),
                moves_to_go,
            })
        };
        let limit: Limit = "40/60+0.01,nodes=500".parse().expect("a limit");
        let clocks = [face(900, Some(7)), face(800, Some(8))];
        let turn = Turn { game: &game, limit, clocks, patience: Duration::ZERO };
        assert_eq!(go_command(&turn), "go wtime 900 winc 10 btime 800 binc 10 movestogo 7 nodes 500");
        let limit: Limit = "depth=3,movetime=50".parse().expect("a limit");
        let turn = Turn { game: &game, limit, clocks: [None; 2], patience: Duration::ZERO };
        assert_eq!(go_command(&turn), "go movetime 50 depth 3");
    }
}
