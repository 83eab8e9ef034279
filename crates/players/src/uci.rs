//! A UCI engine in another process.

use crate::child::{Child, Program};
use crate::player::{Answer, Decision, Failure, Player, Thought, Turn};
use chess::pgn::EvalScore;
use chess::{CastlingStyle, Game, Position, Variant};
use engine::StopToken;
use protocol::uci::{Command, Go, Info, Reply, Start, Value};
use std::time::Duration;
use web_time::Instant;

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
        stop: StopToken,
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
        let asked = self.send(&Command::Uci)?;
        loop {
            match self.receive(asked, self.patience)?.1 {
                Some(Reply::Name(name)) => self.name = name,
                Some(Reply::Option(option)) => self.options.push(option.name),
                Some(Reply::UciOk) => break,
                _ => {}
            }
        }
        for (name, value) in options {
            self.set_option(name, value)?;
        }
        self.wait_until_ready()
    }

    fn send(&mut self, command: &Command) -> Result<Instant, Failure> {
        self.child.send(&command.to_string())
    }

    /// The next line, if it is one that a UCI engine says.
    fn receive(&mut self, since: Instant, patience: Duration) -> Result<(Instant, Option<Reply>), Failure> {
        let (at, line) = self.child.receive(since, patience)?;
        Ok((at, line.parse().ok()))
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let known = self.options.iter().find(|known| known.eq_ignore_ascii_case(name));
        let name = known.ok_or_else(|| Failure::Unable(format!("it has no option '{name}'")))?.clone();
        self.send(&Command::SetOption { name, value: Some(value.to_owned()) }).map(|_| ())
    }

    fn wait_until_ready(&mut self) -> Result<(), Failure> {
        let asked = self.send(&Command::IsReady)?;
        while self.receive(asked, self.patience)?.1 != Some(Reply::ReadyOk) {}
        Ok(())
    }

    fn position_command(&self, game: &Game) -> Command {
        let first = game.start();
        let is_standard = *first == Position::startpos() && game.variant() == Variant::Standard;
        let start = if is_standard { Start::Standard } else { Start::Fen(first.to_fen()) };
        let spell = |(ply, mv)| Some(game.position_at(ply)?.to_uci(mv, self.castling).to_string());
        Command::Position { start, moves: game.moves().enumerate().filter_map(spell).collect() }
    }
}

/// The limits of a search.
fn go(turn: &Turn<'_>) -> Go {
    let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    let [white, black] = turn.clocks;
    Go {
        // No time at all would mean to some engines that there is no clock.
        white_time: white.map(|face| ms(face.left).max(1)),
        black_time: black.map(|face| ms(face.left).max(1)),
        white_increment: white.map(|face| ms(face.increment)),
        black_increment: black.map(|face| ms(face.increment)),
        moves_to_go: turn.own_clock().and_then(|face| face.moves_to_go),
        depth: turn.limit.depth.map(|depth| i32::try_from(depth).unwrap_or(i32::MAX)),
        nodes: turn.limit.nodes,
        move_time: turn.limit.move_time.map(ms),
        ..Go::default()
    }
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
        self.send(&Command::NewGame)?;
        self.wait_until_ready()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        self.send(&self.position_command(turn.game))?;
        let asked = self.send(&Command::Go(go(turn)))?;
        let mut thought = Thought::default();
        loop {
            match self.receive(asked, turn.patience)? {
                (_, Some(Reply::Info(info))) => take_info(&info, &mut thought),
                (at, Some(Reply::BestMove { best, .. })) => {
                    let text = best.ok_or_else(|| Failure::IllegalMove("it sees no move".to_owned()))?;
                    let mv = turn.game.position().parse_uci(&text);
                    let mv = mv.map_err(|error| Failure::IllegalMove(error.to_string()))?;
                    let elapsed = at.saturating_duration_since(asked);
                    return Ok(Answer { decision: Decision::Move(mv), thought, elapsed, classic: None });
                }
                _ => {}
            }
        }
    }

    fn dialogue(&self) -> String {
        self.child.dialogue()
    }
}

/// Takes over what a line of information says. Lines of side variations say nothing about the move.
fn take_info(info: &Info, thought: &mut Thought) {
    if info.multi_pv.is_some_and(|rank| rank != 1) {
        return;
    }
    thought.nodes = info.nodes.or(thought.nodes);
    thought.time = info.time.map(Duration::from_millis).or(thought.time);
    if let Some(score) = info.score {
        thought.score = Some(score_of(score.value));
        thought.depth = info.depth.and_then(|depth| u32::try_from(depth).ok()).or(thought.depth);
    }
}

/// A score of either protocol.
pub(crate) const fn score_of(value: Value) -> EvalScore {
    match value {
        Value::Centipawns(centipawns) => EvalScore::Centipawns(centipawns),
        Value::Mate(moves) => EvalScore::Mate(moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ClockFace;
    use crate::limits::Limit;

    #[test]
    fn what_the_engine_thinks() {
        let mut thought = Thought::default();
        let read_info = |line: &str, thought: &mut Thought| {
            let Ok(Reply::Info(info)) = format!("info {line}").parse() else { panic!("{line}") };
            take_info(&info, thought);
        };
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
        assert_eq!(go(&turn).to_string(), "go wtime 900 btime 800 winc 10 binc 10 movestogo 7 nodes 500");
        let limit: Limit = "depth=3,movetime=50".parse().expect("a limit");
        let turn = Turn { game: &game, limit, clocks: [None; 2], patience: Duration::ZERO };
        assert_eq!(go(&turn).to_string(), "go movetime 50 depth 3");
    }
}
