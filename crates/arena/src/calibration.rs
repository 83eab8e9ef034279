//! How strong the levels are, from games between neighbours.
//!
//! The levels stand on a ladder with the simplest players below and, if given, engines of known rating in
//! between. Each player meets the next two above. The likeliest ratings of all are then shifted as a whole to
//! where the engines of known rating are.

use crate::plan::{Plan, PlannedPlayer};
use crate::schedule::Format;
use crate::standings::Standings;
use crate::stats::ratings::{Rating, ratings};
use engine::Level;
use players::{PlayerSpec, SpecError};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A player whose rating is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Anchor {
    /// The rating.
    pub elo: u16,
    /// The player.
    pub spec: String,
}

/// Why a text is no anchor.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum AnchorError {
    #[error("an anchor is written RATING=PLAYER, such as 1500=uci:PROGRAM:@nodes=1000, not '{0}'")]
    Form(String),
    #[error(transparent)]
    Spec(#[from] SpecError),
}

impl FromStr for Anchor {
    type Err = AnchorError;

    fn from_str(text: &str) -> Result<Self, AnchorError> {
        let form = || AnchorError::Form(text.to_owned());
        let (elo, spec) = text.split_once('=').ok_or_else(form)?;
        let elo = elo.trim().parse().map_err(|_| form())?;
        spec.parse::<PlayerSpec>()?;
        Ok(Self { elo, spec: spec.to_owned() })
    }
}

/// A place on the ladder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rung {
    /// One of the simplest players.
    Floor(&'static str),
    /// A level.
    Level(Level),
    /// A player of known rating.
    Anchor(Anchor),
}

impl Rung {
    /// The rating it should have.
    fn aim(&self) -> Option<u16> {
        match self {
            Self::Floor(_) => None,
            Self::Level(level) => level.elo(),
            Self::Anchor(anchor) => Some(anchor.elo),
        }
    }

    fn player(&self) -> PlannedPlayer {
        match self {
            Self::Floor(spec) => PlannedPlayer::from_spec(spec),
            Self::Level(level) => PlannedPlayer {
                name: Some(format!("level {}", level.number())),
                ..PlannedPlayer::from_spec(&format!("gardez:level={level}"))
            },
            Self::Anchor(anchor) => PlannedPlayer::from_spec(&anchor.spec),
        }
    }
}

/// The ladder of these levels (by number), weakest first. The simplest players are below level 1.
#[must_use]
pub fn ladder(levels: RangeInclusive<usize>, anchors: &[Anchor]) -> Vec<Rung> {
    let mut rungs = Vec::new();
    if levels.contains(&1) {
        rungs.extend([Rung::Floor("random"), Rung::Floor("greedy")]);
    }
    let numbered = Level::ALL.into_iter().filter(|level| levels.contains(&level.number()));
    rungs.extend(numbered.filter(|&level| level != Level::Full).map(Rung::Level));
    rungs.extend(anchors.iter().cloned().map(Rung::Anchor));
    rungs.sort_by_key(Rung::aim);
    rungs
}

/// A tournament of the ladder; what else a plan says is left as it is.
#[must_use]
pub fn plan(rungs: &[Rung], rest: Plan) -> Plan {
    Plan {
        event: Some("Calibration of levels".to_owned()),
        format: Format::Ladder,
        players: rungs.iter().map(Rung::player).collect(),
        ..rest
    }
}

/// What the games say.
#[derive(Clone, PartialEq, Debug)]
pub struct Calibration {
    rows: Vec<Row>,
}

#[derive(Clone, PartialEq, Debug)]
struct Row {
    name: String,
    rung: Rung,
    measured: Option<Rating>,
    games: u64,
    /// What the level did against the next one: Elo by which that one is stronger, and the error.
    step: Option<(f64, Option<f64>)>,
}

impl Calibration {
    /// The result of a tournament of these rungs, under the names they played with.
    #[must_use]
    pub fn new(rungs: &[Rung], names: &[String], standings: &Standings) -> Self {
        let mut ratings = ratings(rungs.len(), standings.encounters());
        let shift = shift(rungs, &ratings);
        for rating in ratings.iter_mut().flatten() {
            rating.elo += shift;
        }
        let is_level = |index: &usize| matches!(rungs[*index], Rung::Level(_));
        let rows =
            rungs.iter().zip(names).zip(ratings).enumerate().map(|(index, ((rung, name), measured))| {
                let next = (index + 1..rungs.len()).find(is_level).filter(|_| is_level(&index));
                let estimate = next.and_then(|next| standings.encounter(next, index).estimate());
                Row {
                    name: name.clone(),
                    rung: rung.clone(),
                    measured,
                    games: standings.tally(index).games(),
                    step: estimate.map(|estimate| (estimate.elo(), estimate.error())),
                }
            });
        Self { rows: rows.collect() }
    }
}

/// What to add to ratings whose mean is zero: what brings the anchors to their ratings on average, or
/// without anchors the levels.
fn shift(rungs: &[Rung], ratings: &[Option<Rating>]) -> f64 {
    let has_anchor = rungs.iter().any(|rung| matches!(rung, Rung::Anchor(_)));
    let known = rungs.iter().zip(ratings).filter_map(|(rung, rating)| {
        let counts = matches!(rung, Rung::Anchor(_)) == has_anchor;
        let aim = rung.aim().filter(|_| counts)?;
        rating.map(|rating| f64::from(aim) - rating.elo)
    });
    let (sum, count) = known.fold((0.0, 0.0), |(sum, count), part| (sum + part, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// A Markdown table, weakest first.
impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| Player | Elo aimed at | Elo measured | Games | To the next level | Nodes | Error | Overlooked |"
        )?;
        writeln!(f, "|---|--:|--:|--:|--:|--:|--:|--:|")?;
        for row in &self.rows {
            let aim = row.rung.aim().map_or_else(String::new, |elo| elo.to_string());
            let measured = row
                .measured
                .map_or_else(|| "?".to_owned(), |rating| format!("{:.0} ± {:.0}", rating.elo, rating.error));
            let step = match row.step {
                Some((elo, Some(error))) => format!("{elo:+.0} ± {error:.0}"),
                Some((elo, None)) => format!("{elo:+.0}"),
                None => String::new(),
            };
            let (name, handicap) = match &row.rung {
                Rung::Level(level) => (format!("{}, {}", row.name, level.name()), level.handicap(0)),
                _ => (row.name.clone(), None),
            };
            let handicap = handicap.map_or_else(
                || " | | ".to_owned(),
                |handicap| {
                    let overlooked = 100 * handicap.blindness / engine::handicap::EVERYTHING;
                    format!("{} | {} | {overlooked} %", handicap.nodes, handicap.noise)
                },
            );
            writeln!(f, "| {name} | {aim} | {measured} | {} | {step} | {handicap} |", row.games)?;
        }
        Ok(())
    }
}
