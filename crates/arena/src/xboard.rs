//! An XBoard engine in another process.

use crate::child::{Child, Program};
use crate::player::{Answer, Decision, Failure, Player, StopSignal, Thought, Turn};
use chess::pgn::EvalScore;
use chess::{CastlingStyle, Color, Game, GameResult, Move, MoveKind, Position, Variant};
use std::time::{Duration, Instant};

/// How long to wait for features of an engine that may know nothing of them.
const FEATURE_PATIENCE: Duration = Duration::from_secs(2);
/// Beyond this, scores are mates.
const MATE_SCORE: i32 = 100_000;

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
    stop: StopSignal,
    features: Features,
    /// For everything but a move.
    patience: Duration,
    pings: u32,
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
        stop: StopSignal,
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
        self.child.send("xboard")?;
        let asked = self.child.send("protover 2")?;
        let mut patience = FEATURE_PATIENCE.min(self.patience);
        loop {
            match self.child.receive(asked, patience) {
                Ok((_, line)) => match line.strip_prefix("feature ") {
                    Some(features) => match self.take_features(features)? {
                        Some(true) => break,
                        Some(false) => patience = self.patience,
                        None => {}
                    },
                    // An engine of the first version of the protocol says this, or nothing.
                    None if line.starts_with("Error") && line.contains("protover") => break,
                    None => {}
                },
                Err(Failure::Hang(_)) if patience <= FEATURE_PATIENCE => break,
                Err(failure) => return Err(failure),
            }
        }
        for (name, value) in self.settings.clone() {
            self.set_option(&name, &value)?;
        }
        Ok(())
    }

    /// Notes the features of a line. Returns the value of `done` if it is among them.
    fn take_features(&mut self, line: &str) -> Result<Option<bool>, Failure> {
        let mut done = None;
        for (name, value) in parse_features(line) {
            let on = value == "1";
            let features = &mut self.features;
            let known = match name {
                "ping" => set(&mut features.ping, on),
                "setboard" => set(&mut features.set_board, on),
                "usermove" => set(&mut features.user_move, on),
                "san" => set(&mut features.san, on),
                "colors" => set(&mut features.colors, on),
                "reuse" => set(&mut features.reuse, on),
                "memory" => set(&mut features.memory, on),
                "smp" => set(&mut features.smp, on),
                "done" => {
                    done = Some(on);
                    true
                }
                "myname" => {
                    value.clone_into(&mut self.name);
                    true
                }
                "variants" => {
                    features.variants = value.split(',').map(|name| name.trim().to_owned()).collect();
                    true
                }
                "option" => {
                    let option = value.split(" -").next().unwrap_or(value);
                    features.options.push(option.to_owned());
                    true
                }
                "time" | "draw" | "sigint" | "sigterm" | "analyze" | "playother" | "name" | "nps"
                | "debug" => true,
                _ => false,
            };
            self.child.send(&format!("{} {name}", if known { "accepted" } else { "rejected" }))?;
        }
        Ok(done)
    }

    /// Memory and cores have commands of their own in this protocol.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let known = self.features.options.iter().find(|known| known.eq_ignore_ascii_case(name));
        let line = match (known, name.to_ascii_lowercase().as_str()) {
            (Some(known), _) => format!("option {known}={value}"),
            (None, "hash" | "memory") if self.features.memory => format!("memory {value}"),
            (None, "threads" | "cores") if self.features.smp => format!("cores {value}"),
            _ => return Err(Failure::Unable(format!("it has no option '{name}'"))),
        };
        self.child.send(&line).map(|_| ())
    }

    /// Waits until the engine has done everything it was told, if it can say so.
    fn synchronise(&mut self) -> Result<(), Failure> {
        if !self.features.ping {
            return Ok(());
        }
        self.pings += 1;
        let asked = self.child.send(&format!("ping {}", self.pings))?;
        let pong = format!("pong {}", self.pings);
        while self.child.receive(asked, self.patience)?.1.trim() != pong {}
        Ok(())
    }

    /// Tells the engine the position a game began with, the engine not playing yet.
    fn set_up(&mut self, game: &Game) -> Result<(), Failure> {
        let start = *game.start();
        self.child.send("new")?;
        if game.variant() == Variant::Chess960 {
            self.child.send("variant fischerandom")?;
        }
        self.child.send("force")?;
        self.child.send("easy")?;
        self.child.send("post")?;
        if start != Position::startpos() {
            if !self.features.set_board {
                return Err(Failure::Unable("it cannot set up a position".to_owned()));
            }
            self.child.send(&format!("setboard {}", start.to_fen()))?;
        }
        self.known = Some(Known { start, plies: 0, playing: false });
        Ok(())
    }

    fn tell_limits(&mut self, turn: &Turn<'_>) -> Result<(), Failure> {
        if let Some(control) = turn.limit.clock {
            let (minutes, seconds) = (control.base.as_secs() / 60, control.base.as_secs() % 60);
            let increment = control.increment.as_secs_f64();
            // Many engines read only whole numbers here; `time` before each move tells them better.
            self.child
                .send(&format!("level {} {minutes}:{seconds:02} {increment}", control.moves.unwrap_or(0)))?;
        }
        if let Some(time) = turn.limit.move_time {
            self.child.send(&format!("st {}", time.as_secs_f64()))?;
        }
        if let Some(depth) = turn.limit.depth {
            self.child.send(&format!("sd {depth}"))?;
        }
        if turn.limit.nodes.is_some() || turn.limit.node_rate.is_some() {
            return Err(Failure::Unable("XBoard knows no limit of nodes".to_owned()));
        }
        Ok(())
    }

    fn tell_clocks(&mut self, turn: &Turn<'_>) -> Result<(), Failure> {
        let own = turn.game.position().turn();
        for (name, side) in [("time", own), ("otim", !own)] {
            if let Some(face) = turn.clocks[side.index()] {
                self.child.send(&format!("{name} {}", (face.left.as_millis() / 10).max(1)))?;
            }
        }
        Ok(())
    }

    fn tell_move(&mut self, game: &Game, ply: usize) -> Result<Instant, Failure> {
        let text = match (game.position_at(ply), game.line().get(ply)) {
            (Some(position), Some(played)) => self.spell(position, played.mv, game.variant()),
            _ => String::new(),
        };
        let prefix = if self.features.user_move { "usermove " } else { "" };
        self.child.send(&format!("{prefix}{text}"))
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
        let (told, playing) = self.known.as_ref().map_or((0, false), |known| (known.plies, known.playing));
        let answers_itself = playing && told + 1 == now;
        let before = if answers_itself { told } else { now };
        if !answers_itself {
            if playing {
                self.child.send("force")?;
            }
            for ply in told..before {
                self.tell_move(game, ply)?;
            }
            self.synchronise()?;
        }
        self.tell_clocks(turn)?;
        let asked = if answers_itself {
            self.tell_move(game, now - 1)?
        } else {
            if self.features.colors {
                let own = if game.position().turn() == Color::White { "white" } else { "black" };
                self.child.send(own)?;
            }
            self.child.send("go")?
        };
        self.known = Some(Known { start: *game.start(), plies: now, playing: true });
        Ok(asked)
    }
}

fn set(place: &mut bool, value: bool) -> bool {
    *place = value;
    true
}

/// Takes `ping=1 myname="A b" done=1` apart.
fn parse_features(mut text: &str) -> Vec<(&str, &str)> {
    let mut features = Vec::new();
    while let Some((name, rest)) = text.split_once('=') {
        let (value, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        features.push((name.trim(), value));
        text = after;
    }
    features
}

/// What a line of the engine means to a game.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Said {
    Move(String),
    Resign,
    Claim(GameResult),
    IllegalMove,
    Thought(i32, u32, u64, u64),
    Nothing,
}

fn understand(line: &str) -> Said {
    let line = line.trim();
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    let word = |text: Option<&str>| text.unwrap_or_default().to_owned();
    match first {
        "move" => return Said::Move(word(words.next())),
        "resign" => return Said::Resign,
        "tellics" if words.next() == Some("resign") => return Said::Resign,
        "1-0" => return Said::Claim(GameResult::WhiteWins),
        "0-1" => return Said::Claim(GameResult::BlackWins),
        "1/2-1/2" => return Said::Claim(GameResult::Draw),
        _ => {}
    }
    let lower = line.to_ascii_lowercase();
    if lower.starts_with("illegal move") {
        return Said::IllegalMove;
    }
    // Two ways to tell a move that are older than `move`.
    if lower.starts_with("my move is") {
        return Said::Move(word(line.split_whitespace().next_back()));
    }
    let is_number = |text: &str| text.strip_suffix('.').unwrap_or(text).bytes().all(|b| b.is_ascii_digit());
    if is_number(first) && line.split_whitespace().nth(1) == Some("...") {
        return Said::Move(word(line.split_whitespace().nth(2)));
    }
    let digits = first.trim_end_matches(|c: char| !c.is_ascii_digit());
    let numbers = (
        digits.parse(),
        words.next().map(str::parse),
        words.next().map(str::parse),
        words.next().map(str::parse),
    );
    match numbers {
        (Ok(depth), Some(Ok(score)), Some(Ok(time)), Some(Ok(nodes))) => {
            Said::Thought(score, depth, time, nodes)
        }
        _ => Said::Nothing,
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
            let (at, line) = self.child.receive(asked, turn.patience)?;
            let elapsed = at.saturating_duration_since(asked);
            match understand(&line) {
                Said::Move(text) => {
                    let by_name = |_| position.parse_san(&text);
                    let mv = position.parse_uci(&text).or_else(by_name);
                    let mv = mv.map_err(|error| Failure::IllegalMove(error.to_string()))?;
                    if let Some(known) = &mut self.known {
                        known.plies += 1;
                    }
                    return Ok(Answer { decision: Decision::Move(mv), thought, elapsed });
                }
                Said::Resign => return Ok(Answer { decision: Decision::Resign, thought, elapsed }),
                Said::Claim(result) if result == won_by(!position.turn()) => {
                    return Ok(Answer { decision: Decision::Resign, thought, elapsed });
                }
                Said::Claim(_) | Said::IllegalMove => return Err(Failure::FalseClaim(line)),
                Said::Thought(score, depth, time, nodes) => {
                    let mate = |moves: i32| EvalScore::Mate(moves);
                    thought = Thought {
                        score: Some(match score.abs() - MATE_SCORE {
                            moves if moves > 0 => mate(moves * score.signum()),
                            _ => EvalScore::Centipawns(score),
                        }),
                        depth: Some(depth),
                        nodes: Some(nodes),
                        time: Some(Duration::from_millis(time.saturating_mul(10))),
                    };
                }
                Said::Nothing => {}
            }
        }
    }

    fn game_over(&mut self, game: &Game) {
        let comment = game.outcome().map(|outcome| outcome.to_string()).unwrap_or_default();
        let _ = self.child.send("force");
        let _ = self.child.send(&format!("result {} {{{comment}}}", game.result()));
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
    fn features_with_and_without_quotes() {
        let line = "ping=1 myname=\"Fairy-Max 5.0\" variants=\"normal,fischerandom\"  done=1";
        let expected =
            [("ping", "1"), ("myname", "Fairy-Max 5.0"), ("variants", "normal,fischerandom"), ("done", "1")];
        assert_eq!(parse_features(line), expected);
        assert_eq!(parse_features("option=\"Depth -spin 4 1 9\" done=1")[1], ("done", "1"));
        assert!(parse_features("nothing here").is_empty());
        assert_eq!(parse_features("myname=\"open"), [("myname", "open")]);
    }

    #[test]
    fn every_way_to_move() {
        for line in ["move e2e4", "1. ... e2e4", "1 ... e2e4", "My move is: e2e4", "My move is : e2e4"] {
            assert_eq!(understand(line), Said::Move("e2e4".to_owned()), "{line}");
        }
        assert_eq!(understand("tellics resign"), Said::Resign);
        assert_eq!(understand("1/2-1/2 {Draw by repetition}"), Said::Claim(GameResult::Draw));
        assert_eq!(understand("Illegal move (no such piece): e2e4"), Said::IllegalMove);
        assert_eq!(understand(" 12. 34 56 7890 e2e4 e7e5"), Said::Thought(34, 12, 56, 7890));
        assert_eq!(understand("9  -100012 56 7890"), Said::Thought(-100_012, 9, 56, 7890));
        for line in ["", "# e2e4", "tellics kibitz hello", "Hint: e2e4", "12 34"] {
            assert_eq!(understand(line), Said::Nothing, "{line}");
        }
    }
}
