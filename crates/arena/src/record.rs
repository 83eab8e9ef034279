//! What is kept of a game: a few numbers for the statistics, and the game itself as PGN.

use crate::game_runner::{IncidentKind, MoveNote, Played};
use crate::schedule::Fixture;
use chess::pgn::{self, Comment, Date, Eval, PgnGame};
use chess::{Color, GameResult};
use players::Limit;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The numbers of a finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameReport {
    /// The number of the game, from 0.
    pub number: usize,
    /// The pair of games it belongs to.
    pub pair: usize,
    /// The players of White and Black.
    pub players: [usize; 2],
    /// Half points of White: 2, 1 or 0.
    pub white_half_points: u8,
    /// How it ended, in words.
    pub ending: String,
    /// Half-moves, those of the opening included.
    pub plies: usize,
    /// What White and Black used.
    pub effort: [Effort; 2],
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub incident: Option<IncidentReport>,
}

/// Something that went wrong in a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct IncidentReport {
    /// Who did it.
    pub player: usize,
    /// What it did.
    pub kind: IncidentKind,
    /// In words.
    pub text: String,
}

/// What a player used for its moves.
#[derive(Copy, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// Moves it chose.
    pub moves: u64,
    /// Positions it visited, as it says.
    pub nodes: u64,
    /// Seconds the arena measured.
    pub seconds: f64,
    /// The sum of the depths of its searches.
    pub depths: u64,
    /// Seconds that its clock still showed at the end, if it had one.
    #[serde(default)]
    pub seconds_left: f64,
}

impl Effort {
    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.seconds += other.seconds;
        self.depths += other.depths;
        self.seconds_left += other.seconds_left;
    }

    /// Nodes a second.
    #[must_use]
    pub fn nodes_per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.nodes as f64 / self.seconds } else { 0.0 }
    }

    /// The part of its time that it used, if it had a clock: the rest was still there when its games ended.
    #[must_use]
    pub fn clock_used(&self) -> Option<f64> {
        (self.seconds_left > 0.0).then(|| self.seconds / (self.seconds + self.seconds_left))
    }

    /// The mean depth of a search.
    #[must_use]
    pub fn mean_depth(&self) -> f64 {
        if self.moves > 0 { self.depths as f64 / self.moves as f64 } else { 0.0 }
    }
}

impl GameReport {
    /// The report of a game.
    #[must_use]
    pub fn new(fixture: &Fixture, played: &Played) -> Self {
        let mut effort = [Effort::default(); 2];
        for (color, note) in notes_with_colors(played) {
            effort[color.index()].add(&Effort {
                moves: 1,
                nodes: note.thought.nodes.unwrap_or(0),
                seconds: note.elapsed.as_secs_f64(),
                depths: note.thought.depth.unwrap_or(0).into(),
                seconds_left: 0.0,
            });
            effort[color.index()].seconds_left = note.clock.map_or(0.0, |left| left.as_secs_f64());
        }
        let players = [fixture.white, fixture.black];
        let white_half_points = match played.outcome.result() {
            GameResult::WhiteWins => 2,
            GameResult::BlackWins => 0,
            GameResult::Draw | GameResult::Unfinished => 1,
        };
        Self {
            number: fixture.number,
            pair: fixture.pair,
            players,
            white_half_points,
            ending: played.outcome.to_string(),
            plies: played.game.ply(),
            effort,
            incident: played.incident.as_ref().map(|incident| IncidentReport {
                player: players[incident.color.index()],
                kind: incident.kind,
                text: incident.text.clone(),
            }),
        }
    }
}

fn notes_with_colors(played: &Played) -> impl Iterator<Item = (Color, &MoveNote)> {
    let first =
        played.game.position_at(played.opening_plies).map_or(Color::White, |position| position.turn());
    let colors = [first, !first].into_iter().cycle();
    colors.zip(&played.notes)
}

/// What the tags of a game say.
#[derive(Clone, Debug)]
pub struct Heading<'a> {
    /// The name of the match.
    pub event: &'a str,
    /// The round, from 1.
    pub round: usize,
    /// The names of White and Black.
    pub names: [&'a str; 2],
    /// Their limits.
    pub limits: [Limit; 2],
    /// When the game was finished.
    pub date: SystemTime,
}

/// The game with evaluation, depth, clock, time and nodes of every move.
#[must_use]
pub fn to_pgn(played: &Played, heading: &Heading<'_>) -> PgnGame {
    let round = heading.round.to_string();
    let [white, black] = heading.limits.map(time_control);
    let since_1970 = heading.date.duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut game = PgnGame::from_game(
        &played.game,
        &pgn::Heading {
            event: heading.event,
            date: Some(Date::from_unix_time(since_1970)),
            round: &round,
            white: heading.names[0],
            black: heading.names[1],
            time_control: if white == black { &white } else { "" },
            ..pgn::Heading::default()
        },
    );
    if white != black {
        game.tags.set("WhiteTimeControl", &white);
        game.tags.set("BlackTimeControl", &black);
    }
    game.tags.set("PlyCount", &played.game.ply().to_string());
    let nodes = &mut game.line.moves[played.opening_plies..];
    for ((color, note), node) in notes_with_colors(played).zip(nodes) {
        node.comments = vec![comment(color, note)];
    }
    let mut ending = played.outcome.to_string();
    if let Some(incident) = &played.incident {
        ending = format!("{ending}: it {}", incident.text);
    }
    game.add_last_comment(&ending);
    game
}

fn comment(color: Color, note: &MoveNote) -> Comment {
    let depth = note.thought.depth.and_then(|depth| u16::try_from(depth).ok());
    let eval = note.thought.score.map(|score| Eval { score: score.viewed_by(color), depth });
    let text = note.thought.nodes.map(|nodes| format!("{nodes} nodes")).unwrap_or_default();
    // A clock is written in milliseconds; what it shows below that is of no use.
    let whole_ms =
        |time: Duration| Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    Comment { text, eval, clock: note.clock.map(whole_ms), elapsed: Some(whole_ms(note.elapsed)) }
}

/// As the PGN standard wants it where it knows the limit.
fn time_control(limit: Limit) -> String {
    match limit.clock {
        Some(clock) if limit.node_rate.is_none() => {
            let base = match clock.moves {
                Some(moves) => format!("{moves}/{}", clock.base.as_secs_f64()),
                None => clock.base.as_secs_f64().to_string(),
            };
            if clock.increment.is_zero() { base } else { format!("{base}+{}", clock.increment.as_secs_f64()) }
        }
        // A classic that thinks to its own depth has no limit, which PGN writes so.
        _ if limit == Limit::default() => "-".to_owned(),
        _ => limit.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_as_pgn_writes_them() {
        for (text, expected) in [
            ("1+0.01", "1+0.01"),
            ("40/60", "40/60"),
            ("nodes=5000", "nodes=5000"),
            ("8,nodestime=5", "tc=8+0,nodestime=5"),
        ] {
            assert_eq!(time_control(text.parse().expect("a limit")), expected);
        }
        assert_eq!(time_control(Limit::default()), "-");
    }
}
