//! All games of a match or tournament, several at a time.

use crate::game_runner::{self, GameConditions, Interrupted, Played};
use crate::openings::Openings;
use crate::record::GameReport;
use crate::schedule::{Fixture, Format, Schedule};
use crate::standings::Standings;
use crate::stats::sprt::{Sprt, Verdict};
use engine::StopToken;
use players::{Failure, Limit, Player, PlayerKind, PlayerSpec};
use std::collections::{HashMap, HashSet, VecDeque};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

/// A player of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// How to start it.
    pub spec: PlayerSpec,
    /// What it is called; no other player of the tournament is called so.
    pub name: String,
    /// What it may use.
    pub limit: Limit,
}

/// A player could not take part.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum EntryError {
    #[error("player {number} {failure}{}", show_dialogue(.dialogue))]
    Start { number: usize, failure: Failure, dialogue: String },
    #[error("player {number} has no limit: give one to it or to all players")]
    NoLimit { number: usize },
}

fn show_dialogue(dialogue: &str) -> String {
    if dialogue.is_empty() { String::new() } else { format!("\nwhat was said:\n{dialogue}") }
}

/// Starts each player once, so that what cannot be started is known before the first game, and gives all
/// of them a name.
///
/// # Errors
/// When a player cannot be started or has no limit.
pub fn register(
    specs: Vec<PlayerSpec>,
    limit: Option<Limit>,
    patience: Duration,
    stop: &StopToken,
) -> Result<Vec<Entrant>, EntryError> {
    let mut entrants: Vec<Entrant> = Vec::new();
    for (index, mut spec) in specs.into_iter().enumerate() {
        let number = index + 1;
        let own = spec.limits_itself().then(Limit::default);
        let limit = spec.limit.or(limit).or(own).ok_or(EntryError::NoLimit { number })?;
        let settings = spec.settings();
        // An engine whose clock counts nodes must do the same, or it would misjudge its time.
        if let Some(rate) = limit.node_rate
            && !matches!(spec.kind, PlayerKind::Classic(_) | PlayerKind::Mover(..))
        {
            spec.options.push(("nodestime".to_owned(), rate.to_string()));
        }
        let player = spec.start(patience, stop.clone()).map_err(|(failure, dialogue)| EntryError::Start {
            number,
            failure,
            dialogue,
        })?;
        let wanted = match (&spec.name, &spec.kind) {
            (Some(name), _) => name.clone(),
            (None, PlayerKind::Gardez | PlayerKind::Classic(_)) if !settings.is_empty() => {
                format!("{} {settings}", player.name())
            }
            _ => player.name().to_owned(),
        };
        let is_taken = |name: &str| entrants.iter().any(|other| other.name == name);
        let mut name = wanted.clone();
        let mut copy = 1;
        while is_taken(&name) {
            copy += 1;
            name = format!("{wanted} ({copy})");
        }
        entrants.push(Entrant { spec, name, limit });
    }
    Ok(entrants)
}

/// A match of two, or a tournament of more.
pub struct Tournament {
    /// The players.
    pub entrants: Vec<Entrant>,
    /// How they meet.
    pub format: Format,
    /// Games between every two opponents.
    pub games_each: usize,
    /// Where the games begin.
    pub openings: Openings,
    /// The conditions of each game.
    pub conditions: GameConditions,
    /// How long a player may take to start, or to get ready for a game.
    pub patience: Duration,
    /// Games at a time.
    pub concurrency: NonZeroUsize,
    /// Ends a match of two as soon as the results are clear.
    pub sprt: Option<Sprt>,
}

/// Why a tournament has ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// All games are played.
    Complete,
    /// The test has come to a result.
    Decided(Verdict),
    /// A stop was asked for, or the results could not be kept.
    Interrupted,
}

/// A game that has just been finished.
pub struct Finished<'a> {
    /// Which one.
    pub fixture: Fixture,
    /// Its numbers.
    pub report: &'a GameReport,
    /// The game.
    pub played: &'a Played,
    /// All results, this one included.
    pub standings: &'a Standings,
}

impl Tournament {
    /// All games.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.format, self.entrants.len(), self.games_each)
    }

    /// What the test says, if there is one.
    #[must_use]
    pub fn verdict(&self, standings: &Standings) -> Verdict {
        self.sprt.map_or(Verdict::Open, |sprt| sprt.verdict(&standings.encounter(0, 1).pairs))
    }

    /// Plays all games that are not in the standings yet. Every finished game is reported to `observe`; when
    /// that fails, the tournament ends.
    ///
    /// # Errors
    /// With the error of `observe`.
    pub fn run<E>(
        &self,
        standings: &mut Standings,
        stop: &StopToken,
        mut observe: impl FnMut(&Finished<'_>) -> Result<(), E>,
    ) -> Result<End, E> {
        let verdict = self.verdict(standings);
        if verdict != Verdict::Open {
            return Ok(End::Decided(verdict));
        }
        let done: HashSet<usize> = standings.games().iter().map(|game| game.number).collect();
        let schedule = self.schedule();
        let open = (0..schedule.games()).filter(|number| !done.contains(number));
        let open: VecDeque<Fixture> = open.filter_map(|number| schedule.fixture(number)).collect();
        let queue = Mutex::new(open);
        let (sender, results) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.get() {
                let worker =
                    GameWorker { tournament: self, queue: &queue, stop: stop.clone(), seats: HashMap::new() };
                let sender = sender.clone();
                scope.spawn(move || worker.run(&sender));
            }
            drop(sender);
            let mut end = End::Complete;
            for (fixture, played) in results {
                // Games that end after the decision would change it.
                if end != End::Complete {
                    continue;
                }
                let report = GameReport::new(&fixture, &played);
                standings.add(report.clone());
                let observed = observe(&Finished { fixture, report: &report, played: &played, standings });
                if let Err(error) = observed {
                    stop.stop();
                    return Err(error);
                }
                let verdict = self.verdict(standings);
                if verdict != Verdict::Open {
                    end = End::Decided(verdict);
                    stop.stop();
                }
            }
            Ok(if end == End::Complete && stop.is_stopped() { End::Interrupted } else { end })
        })
    }
}

/// Plays games one after the other.
struct GameWorker<'a> {
    tournament: &'a Tournament,
    queue: &'a Mutex<VecDeque<Fixture>>,
    stop: StopToken,
    /// The players that are running.
    seats: HashMap<usize, Box<dyn Player>>,
}

impl GameWorker<'_> {
    fn run(mut self, results: &Sender<(Fixture, Played)>) {
        while !self.stop.is_stopped() {
            let next = self.queue.lock().ok().and_then(|mut queue| queue.pop_front());
            let Some(fixture) = next else { return };
            let Ok(played) = self.play(&fixture) else { return };
            if results.send((fixture, played)).is_err() {
                return;
            }
        }
    }

    fn play(&mut self, fixture: &Fixture) -> Result<Played, Interrupted> {
        let tournament = self.tournament;
        let numbers = [fixture.white, fixture.black];
        // Players that do not play now are dropped, or a large tournament would fill the memory.
        self.seats.retain(|player, _| numbers.contains(player));
        let mut players =
            numbers.map(|number| self.seats.remove(&number).unwrap_or_else(|| self.start(number)));
        let [white, black] = &mut players;
        let limits = numbers.map(|number| tournament.entrants[number].limit);
        let opening = tournament.openings.get(fixture.round);
        let played =
            game_runner::play([&mut **white, &mut **black], limits, opening, &tournament.conditions)?;
        let failed = played.incident.as_ref().map(|incident| numbers[incident.color.index()]);
        for (number, player) in numbers.into_iter().zip(players) {
            // A player that has failed is started again for its next game.
            if Some(number) != failed {
                self.seats.insert(number, player);
            }
        }
        Ok(played)
    }

    fn start(&self, number: usize) -> Box<dyn Player> {
        let entrant = &self.tournament.entrants[number];
        entrant.spec.start(self.tournament.patience, self.stop.clone()).unwrap_or_else(
            |(failure, dialogue)| Box::new(Absent { name: entrant.name.clone(), failure, dialogue }),
        )
    }
}

/// A player that could not be started and loses its game.
struct Absent {
    name: String,
    failure: Failure,
    dialogue: String,
}

impl Player for Absent {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _variant: chess::Variant) -> Result<(), Failure> {
        Err(self.failure.clone())
    }

    fn choose(&mut self, _turn: &players::Turn<'_>) -> Result<players::Answer, Failure> {
        Err(self.failure.clone())
    }

    fn dialogue(&self) -> String {
        self.dialogue.clone()
    }
}
