//! A whole tournament as plain settings, from the command line or from a file.
//!
//! ```toml
//! event = "Gardez and the classics"
//! format = "gauntlet"                 # the first against the others; or "round-robin", "ladder"
//! games = 100                         # between every two opponents
//! concurrency = 2
//! limit = "tc=1+0.01"
//! openings = "8moves_v3.pgn"          # PGN or EPD; or "chess960", "dfrc"
//! seed = 1                            # or in-order = true
//! pgn = "gauntlet.pgn"
//! draw = { from-move = 40, moves = 8, centipawns = 10 }
//! resign = { moves = 4, centipawns = 600, both = true }
//!
//! [[player]]
//! engine = "gardez"
//! options = { Hash = 64 }
//!
//! [[player]]
//! engine = "uci:/usr/games/stockfish"
//! name = "Stockfish at 20,000 nodes"
//! limit = "nodes=20000"
//! ```
//!
//! Paths in a file are seen from the directory of the file.

use crate::game_runner::GameConditions;
use crate::openings::{OpeningError, Openings, Order, Source};
use crate::schedule::Format;
use crate::stats::sprt::{Sprt, SprtError};
use crate::tournament::{self, EntryError, Tournament};
use engine::StopToken;
use players::{AdjudicationRules, DrawRule, Limit, PlayerSpec, ResignRule, SpecError};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, fs, io};
use tablebase::Tablebases;

/// The settings of a tournament. What is absent has its default.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Plan {
    /// The name of the tournament.
    pub event: Option<String>,
    /// How the players meet.
    pub format: Format,
    /// Games between every two opponents.
    pub games: Option<usize>,
    /// Games at a time.
    pub concurrency: Option<NonZeroUsize>,
    /// What every player without a limit of its own may use.
    pub limit: Option<Limit>,
    /// A file of openings, or `chess960`, or `dfrc`.
    pub openings: Option<String>,
    /// Half-moves of each opening to play.
    pub plies: Option<usize>,
    /// The seed of the order of openings.
    pub seed: Option<u64>,
    /// Play the openings as they stand.
    pub in_order: bool,
    /// Milliseconds by which a clock may be exceeded.
    pub margin: Option<u64>,
    /// Milliseconds beyond its time after which a player counts as hanging.
    pub hang: Option<u64>,
    /// When games are drawn.
    pub draw: Option<DrawRule>,
    /// When games are won.
    pub resign: Option<ResignRule>,
    /// After how many moves games are drawn.
    pub max_moves: Option<u32>,
    /// Directories of Syzygy tablebases that decide games.
    #[serde(alias = "tables")]
    pub tablebases: Option<String>,
    /// When a match of two is decided.
    pub sprt: Option<Sprt>,
    /// Where the games are written.
    pub pgn: Option<PathBuf>,
    /// The players.
    #[serde(rename = "player")]
    pub players: Vec<PlannedPlayer>,
}

/// A player of a plan.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct PlannedPlayer {
    /// A [spec](players::PlayerSpec).
    pub engine: String,
    /// What it is called.
    pub name: Option<String>,
    /// What it may use.
    pub limit: Option<Limit>,
    /// Options of the engine.
    pub options: BTreeMap<String, OptionValue>,
}

/// The value of an option as it stands in a file.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum OptionValue {
    Check(bool),
    Number(i64),
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(on) => on.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Why a plan cannot be carried out.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PlanError {
    #[error("{}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("{}: {error}", path.display())]
    Syntax { path: PathBuf, error: toml::de::Error },
    #[error("player {number}: {error}")]
    Spec { number: usize, error: SpecError },
    #[error("a match needs two players or more, not {0}")]
    TooFewPlayers(usize),
    #[error("the sequential test is for a match of two")]
    TestOfMany,
    #[error("{path}: no tablebases are found there")]
    NoTablebases { path: String },
    #[error(transparent)]
    Sprt(#[from] SprtError),
    #[error(transparent)]
    Entry(#[from] EntryError),
    #[error(transparent)]
    Openings(#[from] OpeningError),
}

const DEFAULT_GAMES: usize = 100;
const DEFAULT_SEED: u64 = 1;
const DEFAULT_MARGIN: u64 = 20;
const DEFAULT_HANG: u64 = 10_000;

impl PlannedPlayer {
    /// A player given by its spec alone.
    #[must_use]
    pub fn from_spec(spec: &str) -> Self {
        Self { engine: spec.to_owned(), ..Self::default() }
    }

    fn to_spec(&self) -> Result<PlayerSpec, SpecError> {
        let mut spec: PlayerSpec = self.engine.parse()?;
        spec.name = self.name.clone().or(spec.name);
        spec.limit = self.limit.or(spec.limit);
        for (name, value) in &self.options {
            spec.set(name, &value.to_string())?;
        }
        Ok(spec)
    }
}

impl Plan {
    /// Reads a plan from a TOML file.
    ///
    /// # Errors
    /// When it cannot be read or is no plan.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let text =
            fs::read_to_string(path).map_err(|error| PlanError::Read { path: path.to_owned(), error })?;
        Self::parse(&text, path)
    }

    /// Reads a plan from the text of a file.
    ///
    /// # Errors
    /// When it is no plan.
    pub fn parse(text: &str, path: &Path) -> Result<Self, PlanError> {
        let mut plan: Self =
            toml::from_str(text).map_err(|error| PlanError::Syntax { path: path.to_owned(), error })?;
        let directory = path.parent().unwrap_or(Path::new(""));
        if let Source::File(book) = plan.source() {
            plan.openings = Some(directory.join(book).to_string_lossy().into_owned());
        }
        plan.pgn = plan.pgn.map(|pgn| directory.join(pgn));
        Ok(plan)
    }

    /// Where the openings come from.
    #[must_use]
    pub fn source(&self) -> Source {
        match self.openings.as_deref() {
            None => Source::Start,
            Some("chess960") => Source::Chess960,
            Some("dfrc") => Source::DoubleChess960,
            Some(path) => Source::File(path.into()),
        }
    }

    const fn order(&self) -> Order {
        match self.seed {
            _ if self.in_order => Order::Sequential,
            Some(seed) => Order::Random(seed),
            None => Order::Random(DEFAULT_SEED),
        }
    }

    /// The players.
    ///
    /// # Errors
    /// When one cannot be understood.
    pub fn specs(&self) -> Result<Vec<PlayerSpec>, PlanError> {
        let specs = self.players.iter().enumerate().map(|(index, player)| {
            player.to_spec().map_err(|error| PlanError::Spec { number: index + 1, error })
        });
        specs.collect()
    }

    /// Starts every player once and reads the openings.
    ///
    /// # Errors
    /// When a player or the openings are not as they should be.
    pub fn prepare(&self, stop: &StopToken) -> Result<Tournament, PlanError> {
        let specs = self.specs()?;
        match specs.len() {
            0 | 1 => return Err(PlanError::TooFewPlayers(specs.len())),
            2 => {}
            _ if self.sprt.is_some() => return Err(PlanError::TestOfMany),
            _ => {}
        }
        let sprt =
            self.sprt.map(|test| Sprt::new(test.elo0, test.elo1, test.alpha, test.beta)).transpose()?;
        let openings = Openings::load(&self.source(), self.plies, self.order())?;
        let tablebases = self.tablebases.as_deref().map(open_tablebases).transpose()?;
        let patience = Duration::from_millis(self.hang.unwrap_or(DEFAULT_HANG));
        Ok(Tournament {
            entrants: tournament::register(specs, self.limit, patience, stop)?,
            format: self.format,
            games_each: self.games.unwrap_or(DEFAULT_GAMES),
            openings,
            conditions: GameConditions {
                rules: AdjudicationRules {
                    draw: self.draw,
                    resign: self.resign,
                    max_moves: self.max_moves,
                    tablebases,
                },
                margin: Duration::from_millis(self.margin.unwrap_or(DEFAULT_MARGIN)),
                patience,
            },
            patience,
            concurrency: self.concurrency.unwrap_or(NonZeroUsize::MIN),
            sprt,
        })
    }

    /// Names and values of everything that decides which games are played, so that only the same tournament
    /// is resumed. How many games there are may change.
    #[must_use]
    pub fn work(&self, tournament: &Tournament) -> Vec<(&'static str, String)> {
        let players = tournament.entrants.iter().map(|entrant| {
            let settings = entrant.spec.settings();
            format!("{} [{settings}] at {}", entrant.name, entrant.limit)
        });
        let order = match self.order() {
            Order::Sequential => "as in the file".to_owned(),
            Order::Random(seed) => format!("random with seed {seed}"),
        };
        vec![
            ("format", self.format.to_string()),
            ("players", players.collect::<Vec<_>>().join(", ")),
            ("openings", self.openings.as_deref().unwrap_or("the start position").to_owned()),
            ("plies", self.plies.map_or_else(|| "all".to_owned(), |plies| plies.to_string())),
            ("order", order),
        ]
    }
}

fn open_tablebases(path: &str) -> Result<Arc<Tablebases>, PlanError> {
    let (tablebases, _) = Tablebases::open(path);
    if tablebases.max_pieces() == 0 {
        return Err(PlanError::NoTablebases { path: path.to_owned() });
    }
    Ok(Arc::new(tablebases))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_it_all() {
        let text = r#"
            format = "gauntlet"
            games = 4
            limit = "tc=1+0.01"
            openings = "dfrc"
            draw = { from-move = 40, moves = 8, centipawns = 10 }
            sprt = { elo0 = 0, elo1 = 5, alpha = 0.05, beta = 0.05 }
            [[player]]
            engine = "gardez"
            options = { Hash = 8, Search = "mtdf", Ponder = false }
            [[player]]
            engine = "gardez"
            name = "half the nodes"
            limit = "nodes=100"
        "#;
        let plan: Plan = toml::from_str(text).expect("a good plan");
        let tournament = plan.prepare(&StopToken::new()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(tournament.schedule().games(), 4);
        assert_eq!(tournament.conditions.rules.draw.map(|rule| rule.from_move), Some(40));
        let names: Vec<_> = tournament.entrants.iter().map(|entrant| &entrant.name[..]).collect();
        assert_eq!(names, ["Gardez Hash=8,Ponder=false,Search=mtdf", "half the nodes"]);
        assert_eq!(tournament.entrants[1].limit.to_string(), "nodes=100");
        let work = plan.work(&tournament);
        assert_eq!(work[0], ("format", "gauntlet".to_owned()));
        assert!(work[1].1.ends_with(", half the nodes [] at nodes=100"), "{work:?}");
        let rest = [("openings", "dfrc"), ("plies", "all"), ("order", "random with seed 1")];
        assert_eq!(work[2..], rest.map(|(name, value)| (name, value.to_owned())));
    }

    #[test]
    fn tablebases_must_be_there() {
        let plan = Plan {
            players: vec![PlannedPlayer::from_spec("gardez"); 2],
            limit: "depth=1".parse().ok(),
            tablebases: Some("/nowhere".to_owned()),
            ..Plan::default()
        };
        let error = plan.prepare(&StopToken::new()).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(error, Err("/nowhere: no tablebases are found there".into()));
    }

    #[test]
    fn faulty_plans_are_refused() {
        assert!(toml::from_str::<Plan>("gmaes = 4").is_err());
        assert!(toml::from_str::<Plan>("limit = \"fast\"").is_err());
        let prepare = |plan: Plan| plan.prepare(&StopToken::new()).map(|_| ()).map_err(|e| e.to_string());
        assert_eq!(prepare(Plan::default()), Err("a match needs two players or more, not 0".into()));
        let players = vec![PlannedPlayer::from_spec("gardez"), PlannedPlayer::from_spec("gradez")];
        let plan = Plan { players, ..Plan::default() };
        assert_eq!(
            prepare(plan),
            Err("player 2: a player is gardez, uci:PROGRAM, xboard:PROGRAM, a classic like chessbin:hard, \
                 random or greedy, not 'gradez'"
                .into())
        );
        let players = vec![PlannedPlayer::from_spec("gardez"); 2];
        let plan = Plan { players, ..Plan::default() };
        assert_eq!(prepare(plan), Err("player 1 has no limit: give one to it or to all players".into()));
    }
}
