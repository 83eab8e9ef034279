//! Ablation: what each heuristic of the search gains, measured by Gardez against itself without it.

use crate::plan::{Plan, PlanError, PlannedPlayer};
use crate::report::show_elo;
use crate::session::{self, Existing, JournalError, News, Paths};
use crate::standings::{Encounter, Standings};
use crate::tournament::{End, Tournament};
use engine::StopToken;
use players::{DrawRule, Limit, ResignRule};
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Whether this build can switch heuristics off.
pub const IS_AVAILABLE: bool = cfg!(feature = "tuning");

/// Games that both sides take for decided are not played to the end: more games in the same time show more about a
/// heuristic than the rest of these would.
const DRAW: DrawRule = DrawRule { from_move: 40, moves: 8, centipawns: 10 };
const RESIGN: ResignRule = ResignRule { moves: 4, centipawns: 450, both: true };

/// The flags of all heuristics, in the order of their declaration.
pub fn heuristics() -> impl Iterator<Item = &'static str> {
    engine::TUNABLES.iter().map(|tunable| tunable.name).filter(|name| name.starts_with("use_"))
}

/// How the matches are played.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Games of each match.
    pub games: usize,
    /// Nodes a move.
    pub nodes: u64,
    /// A file of openings.
    pub openings: String,
    /// The seed of their order.
    pub seed: u64,
    /// Games at a time.
    pub concurrency: NonZeroUsize,
    /// Where the state of each match is kept, so that it can resume.
    pub directory: PathBuf,
}

/// What a heuristic gains.
#[derive(Clone, PartialEq, Debug)]
pub struct Ablation {
    /// Its flag.
    pub name: String,
    /// The match, seen by Gardez with it.
    pub encounter: Encounter,
    /// Nodes per second with it, relative to those without it.
    pub speed: f64,
    /// Whether all games were played.
    pub complete: bool,
}

/// Why a match could not be played.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum AblationError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{}: {error}", path.display())]
    Directory { path: PathBuf, error: std::io::Error },
}

/// Plays the match of one heuristic, or what is left of it.
///
/// # Errors
/// When there is no such heuristic, or the results cannot be kept.
pub fn measure(
    name: &str,
    settings: &Settings,
    stop: &StopToken,
    mut observe: impl FnMut(&Tournament, &News<'_>),
) -> Result<Ablation, AblationError> {
    let directory = &settings.directory;
    std::fs::create_dir_all(directory)
        .map_err(|error| AblationError::Directory { path: directory.clone(), error })?;
    let plan = Plan {
        players: vec![
            PlannedPlayer::from_spec("gardez"),
            PlannedPlayer::from_spec(&format!("gardez:{name}=0,@name=Gardez without {name}")),
        ],
        games: Some(settings.games),
        limit: Some(Limit { nodes: Some(settings.nodes), ..Limit::default() }),
        openings: Some(settings.openings.clone()),
        seed: Some(settings.seed),
        concurrency: Some(settings.concurrency),
        draw: Some(DRAW),
        resign: Some(RESIGN),
        ..Plan::default()
    };
    let tournament = plan.prepare(stop)?;
    let paths = Paths { state: Some(directory.join(format!("{name}.state"))), ..Paths::default() };
    let (standings, end) = session::run(&plan, &tournament, &paths, Existing::Resume, stop, |news| {
        observe(&tournament, news);
    })?;
    Ok(Ablation::new(name, &standings, end == End::Complete))
}

impl Ablation {
    fn new(name: &str, standings: &Standings, complete: bool) -> Self {
        let [with, without] = [0, 1].map(|player| standings.effort(player).nodes_per_second());
        Self {
            name: name.to_owned(),
            encounter: standings.encounter(0, 1),
            speed: if without > 0.0 { with / without } else { 1.0 },
            complete,
        }
    }
}

/// The results as a table in Markdown.
#[must_use]
pub fn table(ablations: &[Ablation]) -> String {
    let mut text = "| heuristic | games | won-drawn-lost | Elo | speed |\n|---|---|---|---|---|\n".to_owned();
    for Ablation { name, encounter, speed, complete } in ablations {
        let tally = encounter.tally;
        let mark = if *complete { "" } else { " (unfinished)" };
        let _ = writeln!(
            text,
            "| `{name}` | {}{mark} | {}-{}-{} | {} | x{speed:.2} |",
            tally.games(),
            tally.wins,
            tally.draws,
            tally.losses,
            show_elo(encounter.estimate())
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Pairs, Tally};

    #[test]
    fn every_flag_is_a_heuristic() {
        let names: Vec<_> = heuristics().collect();
        assert!(names.contains(&"use_lmr") && !names.contains(&"lmr_history"));
    }

    #[test]
    fn a_table_in_markdown() {
        let ablation = Ablation {
            name: "use_lmr".to_owned(),
            encounter: Encounter {
                tally: Tally { wins: 3, draws: 2, losses: 1 },
                pairs: Pairs([0, 0, 2, 0, 1]),
            },
            speed: 0.987,
            complete: false,
        };
        let text = table(&[ablation]);
        let row = text.lines().nth(2).unwrap_or_default();
        assert!(row.starts_with("| `use_lmr` | 6 (unfinished) | 3-2-1 | +120.4 ± "), "{row}");
        assert!(row.ends_with(" | x0.99 |"), "{row}");
    }
}
