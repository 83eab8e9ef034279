//! Claims that only a search can confirm, looked at again with an engine of its own and more nodes.

use super::{Fault, ensure, text};
use chess::{Game, Move, Position};
use engine::{Bound, Engine, Event, Limits};
use mate::MateResult;
use serde_json::Value;

/// How far two searches of different size may differ, in points of the win percentage.
const TOLERANCE: f64 = 10.0;

/// From here on a side wins, in points of the win percentage.
const WINNING: f64 = 75.0;

/// Positions that the proof of a mate may look at.
const PROOF: u64 = 200_000;

pub(crate) struct Searcher {
    engine: Engine,
    nodes: u64,
    /// Mates that were too long to be proved.
    pub(crate) unproved: u32,
}

impl Searcher {
    pub(crate) fn new(nodes: u64) -> Self {
        let mut engine = Engine::new();
        engine.configure(|settings| settings.analyse_mode = true).expect("an option");
        Self { engine, nodes, unproved: 0 }
    }

    /// Checks what a claim says about best play.
    pub(crate) fn check(&mut self, claim: &Value) -> Result<(), Fault> {
        match text(claim, "kind")? {
            "mate" => self.mate(claim),
            "material" => self.material(claim),
            "onlyMove" => {
                let (best, others) = self.first_and_others(claim)?;
                ensure(best - others >= 15.0 - TOLERANCE, format!("{best:.0} against {others:.0}"))
            }
            "best" => {
                let (best, others) = self.first_and_others(claim)?;
                ensure(best - others >= -TOLERANCE, format!("{best:.0} against {others:.0}"))
            }
            "better" => {
                let (better, played) = (self.after_first(&claim["line"])?, self.after_first(&claim["at"])?);
                ensure(better > played - TOLERANCE / 2.0, format!("{better:.0} instead of {played:.0}"))
            }
            "preferred" | "alike" => {
                let (one, other) = (self.after_first(&claim["line"])?, self.after_first(&claim["other"])?);
                let holds = if claim["kind"] == "alike" {
                    (one - other).abs() <= TOLERANCE
                } else {
                    one > other - TOLERANCE / 2.0
                };
                ensure(holds, format!("{one:.0} and {other:.0}"))
            }
            "zugzwang" => {
                let (position, _) = line_end(&claim["line"])?;
                let moving = self.percent(&position, &[]);
                let passing = 100.0 - self.percent(&passed(&position).ok_or("in check")?, &[]);
                ensure(
                    passing - moving >= 15.0 - TOLERANCE,
                    format!("{passing:.0} passing, {moving:.0} moving"),
                )
            }
            "sacrifice" => {
                let kept = self.after_first(&claim["line"])?;
                let is_sound = claim["isSound"] == true;
                ensure(if is_sound { kept >= 50.0 - TOLERANCE } else { kept < 75.0 }, format!("{kept:.0}"))
            }
            "draw" => {
                let (position, _) = line_start(&claim["line"])?;
                let percent = self.percent(&position, &[]);
                ensure((percent - 50.0).abs() <= 2.0 * TOLERANCE, format!("{percent:.0} is no draw"))
            }
            _ => Ok(()),
        }
    }

    /// Every mate is proved with all moves tried, and there is none quicker, as far as the proof gets.
    fn mate(&mut self, claim: &Value) -> Result<(), Fault> {
        let (start, moves) = line_start(&claim["line"])?;
        let wanted =
            u32::try_from(claim["mateIn"].as_u64().ok_or("no number")?).map_err(|error| error.to_string())?;
        if wanted == 0 || moves.len() == 1 {
            return Ok(());
        }
        let mates_first = (start.turn() == chess::Color::White) == (claim["side"] == "white");
        let limits = mate::Limits { nodes: Some(PROOF), table_bytes: 1 << 22, ..mate::Limits::default() };
        let result = if mates_first {
            mate::solve(&start, wanted, limits)
        } else {
            mate::solve_mated(&start, wanted, limits)
        };
        match result {
            MateResult::Mate { moves, .. } => {
                ensure(moves == wanted, format!("mate in {moves}, not in {wanted}"))
            }
            MateResult::NoMate { .. } => Err(format!("there is no mate in {wanted}")),
            MateResult::Stopped { .. } => {
                self.unproved += 1;
                let percent = self.percent(&start, &[]);
                ensure(if mates_first { percent > 99.0 } else { percent < 1.0 }, "no mate is found")
            }
        }
    }

    /// The side that loses material had nothing clearly better along the line.
    fn material(&mut self, claim: &Value) -> Result<(), Fault> {
        let (start, moves) = line_start(&claim["line"])?;
        let winner = if claim["side"] == "white" { chess::Color::White } else { chess::Color::Black };
        let mut positions = vec![start];
        for mv in &moves {
            positions.push(positions[positions.len() - 1].after(*mv));
        }
        let last = positions[positions.len() - 1];
        let for_winner = |searcher: &mut Self, position: &Position| {
            let percent = searcher.percent(position, &[]);
            if position.turn() == winner { percent } else { 100.0 - percent }
        };
        let result = for_winner(self, &last);
        for position in &positions[..positions.len() - 1] {
            if position.turn() != winner {
                let here = for_winner(self, position);
                let holds = here >= (result - 2.0 * TOLERANCE).min(WINNING);
                ensure(holds, format!("{here:.0} at {}, {result:.0} at the end", position.to_fen()))?;
            }
        }
        match text(claim, "occasion")? {
            "threat" => {
                let now = passed(&start).map(|now| 100.0 - self.percent(&now, &[]));
                let gained = now.is_none_or(|now| result > now - TOLERANCE);
                ensure(gained, format!("{result:.0} is no more than {now:?}"))
            }
            "prevented" => {
                let (after, _) = line_end(&claim["at"])?;
                let first = moves.first().copied().filter(|&mv| after.is_legal(mv));
                let Some(first) = first else { return Ok(()) };
                let still = self.percent(&after, &[first]);
                ensure(still <= result + TOLERANCE / 2.0, format!("still {still:.0}, threatened {result:.0}"))
            }
            _ => Ok(()),
        }
    }

    /// The win percentage of the mover after the first move of a line, and after the best of all others.
    fn first_and_others(&mut self, claim: &Value) -> Result<(f64, f64), Fault> {
        let (start, moves) = line_start(&claim["line"])?;
        let first = *moves.first().ok_or("no move")?;
        let others: Vec<Move> = start.legal_moves().into_iter().filter(|&mv| mv != first).collect();
        if others.is_empty() {
            return Ok((100.0, 0.0));
        }
        Ok((self.percent(&start, &[first]), self.percent(&start, &others)))
    }

    /// The win percentage of the mover after the first move of a line.
    fn after_first(&mut self, line: &Value) -> Result<f64, Fault> {
        let (start, moves) = line_start(line)?;
        Ok(self.percent(&start, &moves[..1]))
    }

    /// The win percentage of the side to move, by the curve that Lichess published; only with these moves, if any.
    fn percent(&mut self, position: &Position, moves: &[Move]) -> f64 {
        if position.is_checkmate() {
            return 0.0;
        }
        if !position.has_legal_move() || position.is_insufficient_material() {
            return 50.0;
        }
        self.engine.new_game();
        self.engine.set_lines(1);
        let limits = Limits { search_moves: moves.to_vec(), ..Limits::nodes(self.nodes) };
        let mut score = None;
        let outcome = self.engine.search(&Game::from_position(*position), limits, |event| {
            if let Event::Lines(lines, _) = event
                && let [line] = &lines[..]
                && line.bound == Bound::Exact
            {
                score = Some(line.score);
            }
        });
        let lines = outcome.expect("a search").lines;
        let score = score.unwrap_or_else(|| lines[0].score);
        if score.is_win() {
            100.0
        } else if score.is_loss() {
            0.0
        } else {
            100.0 / (1.0 + (-0.003_68 * f64::from(score.centipawns())).exp())
        }
    }
}

fn passed(position: &Position) -> Option<Position> {
    let mut next = *position;
    (!position.is_check()).then(|| {
        next.play_null();
        next
    })
}

fn line_start(line: &Value) -> Result<(Position, Vec<Move>), Fault> {
    let start: Position = text(line, "fen")?.parse().map_err(|error| format!("{error}"))?;
    let mut position = start;
    let mut moves = Vec::new();
    for word in line["moves"].as_array().ok_or("no moves")? {
        let mv = position.parse_uci(word.as_str().unwrap_or_default()).map_err(|error| format!("{error}"))?;
        position.play(mv);
        moves.push(mv);
    }
    Ok((start, moves))
}

fn line_end(line: &Value) -> Result<(Position, Vec<Move>), Fault> {
    let (start, moves) = line_start(line)?;
    Ok((moves.iter().fold(start, |position, &mv| position.after(mv)), moves))
}
