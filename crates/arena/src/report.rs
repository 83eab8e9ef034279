//! Results for people and programs.

use crate::record::IncidentReport;
use crate::standings::{Encounter, Standings};
use crate::stats::elo::Estimate;
use crate::stats::ratings::ratings;
use crate::stats::sprt::{Sprt, Verdict};
use crate::stats::{Pairs, Tally};
use crate::tournament::Tournament;
use players::Limit;
use serde::Serialize;
use std::fmt::{self, Write};
use std::time::Duration;

/// `+12.3 ± 4.5`, as far as it is known.
#[must_use]
pub fn show_elo(estimate: Option<Estimate>) -> String {
    let Some(estimate) = estimate else { return "?".to_owned() };
    let elo = estimate.elo();
    let value = if elo.is_finite() { format!("{elo:+.1}") } else { format!("{elo:+}") };
    match estimate.error() {
        Some(error) if elo.is_finite() => format!("{value} ± {error:.1}"),
        _ => value,
    }
}

fn show_sprt(sprt: &Sprt, encounter: &Encounter) -> String {
    let (lower, upper) = sprt.bounds();
    format!("LLR {:.2} ({lower:.2}, {upper:.2}) [{}, {}]", sprt.llr(&encounter.pairs), sprt.elo0, sprt.elo1)
}

/// A match of two in one line.
#[must_use]
pub fn match_line(encounter: &Encounter, sprt: Option<&Sprt>) -> String {
    let tally = encounter.tally;
    let estimate = encounter.estimate();
    let mut line = format!(
        "{}-{}-{} [{}]  Elo {}  LOS {:.1} %",
        tally.wins,
        tally.draws,
        tally.losses,
        encounter.pairs.0.map(|count| count.to_string()).join(" "),
        show_elo(estimate),
        100.0 * estimate.map_or(0.5, |estimate| estimate.superiority())
    );
    if let Some(sprt) = sprt {
        let _ = write!(line, "  {}", show_sprt(sprt, encounter));
    }
    line
}

/// How far a tournament has come, in one line. `elapsed` and `played_now` give the speed.
#[must_use]
pub fn progress_line(
    tournament: &Tournament,
    standings: &Standings,
    elapsed: Duration,
    played_now: usize,
) -> String {
    let (done, total) = (standings.games().len(), tournament.schedule().games());
    let mut line = format!("{done}/{total}");
    if tournament.entrants.len() == 2 {
        let _ = write!(line, "  {}", match_line(&standings.encounter(0, 1), tournament.sprt.as_ref()));
    }
    if played_now > 0 {
        let left = elapsed.as_secs_f64() / played_now as f64 * total.saturating_sub(done) as f64;
        let _ = write!(line, "  {} left", show_time(Duration::from_secs_f64(left)));
    }
    line
}

/// `1:02:03`, or `2:03` when it is shorter.
#[must_use]
pub fn show_time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// What a test has come to.
#[must_use]
pub fn show_verdict(sprt: &Sprt, verdict: Verdict) -> String {
    match verdict {
        Verdict::Open => "no decision yet".to_owned(),
        Verdict::Null => format!("H0 accepted: Elo is {} rather than {}", sprt.elo0, sprt.elo1),
        Verdict::Alternative => format!("H1 accepted: Elo is {} rather than {}", sprt.elo1, sprt.elo0),
    }
}

/// A whole tournament, for programs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// Whether all games were played, or the test decided.
    pub complete: bool,
    /// The players.
    pub players: Vec<PlayerSummary>,
    /// What every two opponents did to each other.
    pub encounters: Vec<EncounterSummary>,
    /// The sequential test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
    /// What went wrong.
    pub incidents: Vec<IncidentReport>,
}

/// A player's results.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerSummary {
    /// What it is called.
    pub name: String,
    /// What it could use.
    pub limit: Limit,
    /// Its games.
    #[serde(flatten)]
    pub tally: Tally,
    /// Its rating against the mean of all players, and half the interval of 95 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<[f64; 2]>,
    /// The mean depth of its searches.
    pub depth: f64,
    /// Its nodes a second.
    pub nodes_per_second: f64,
    /// The part of its time that it used, if it had a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_used: Option<f64>,
    /// How often it went wrong.
    pub incidents: usize,
}

/// What two opponents did to each other, seen by the first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EncounterSummary {
    /// Their places in the list of players.
    pub players: [usize; 2],
    /// The games.
    #[serde(flatten)]
    pub tally: Tally,
    /// The pairs of games by their half points.
    pub pairs: Pairs,
    /// The Elo difference, if it is finite.
    pub elo: Option<f64>,
    /// Half its interval of 95 %.
    pub error: Option<f64>,
    /// The difference in units of the spread of results.
    pub normalised_elo: Option<f64>,
    /// The likelihood that the first is stronger.
    pub superiority: Option<f64>,
}

/// A sequential test and what it says.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtSummary {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where it ends.
    pub bounds: (f64, f64),
    /// What it says.
    pub verdict: Verdict,
}

impl Summary {
    /// The summary of a tournament.
    #[must_use]
    pub fn new(tournament: &Tournament, standings: &Standings) -> Self {
        let count = tournament.entrants.len();
        let ratings = ratings(count, standings.encounters());
        let players =
            tournament.entrants.iter().zip(ratings).enumerate().map(|(index, (entrant, rating))| {
                let effort = standings.effort(index);
                PlayerSummary {
                    name: entrant.name.clone(),
                    limit: entrant.limit,
                    tally: standings.tally(index),
                    rating: rating.map(|rating| [rating.elo, rating.error]),
                    depth: effort.mean_depth(),
                    nodes_per_second: effort.nodes_per_second(),
                    clock_used: effort.clock_used(),
                    incidents: standings.incidents(index),
                }
            });
        let mut encounters: Vec<EncounterSummary> = standings.encounters().map(summarise).collect();
        encounters.sort_by_key(|encounter| encounter.players);
        let pairs = standings.encounter(0, 1).pairs;
        let verdict = tournament.verdict(standings);
        Self {
            complete: standings.games().len() >= tournament.schedule().games() || verdict != Verdict::Open,
            players: players.collect(),
            encounters,
            sprt: tournament.sprt.map(|test| SprtSummary {
                test,
                llr: test.llr(&pairs),
                bounds: test.bounds(),
                verdict,
            }),
            incidents: standings.games().iter().filter_map(|game| game.incident.clone()).collect(),
        }
    }
}

fn summarise(((first, second), encounter): ((usize, usize), Encounter)) -> EncounterSummary {
    let estimate = encounter.estimate();
    EncounterSummary {
        players: [first, second],
        tally: encounter.tally,
        pairs: encounter.pairs,
        elo: estimate.map(|estimate| estimate.elo()).filter(|elo| elo.is_finite()),
        error: estimate.and_then(|estimate| estimate.error()),
        normalised_elo: estimate.and_then(|estimate| estimate.normalised_elo()),
        superiority: estimate.map(|estimate| estimate.superiority()),
    }
}

/// The table and, of a match of two, its line; with more players the best comes first and a second table
/// lists the matches between every two.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        let rating = |player: usize| self.players[player].rating.map_or(f64::NEG_INFINITY, |[elo, _]| elo);
        if order.len() > 2 {
            order.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
        }
        let width = self.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max(6);
        writeln!(
            f,
            "{:width$} {:>15} {:>6} {:>5} {:>5} {:>5} {:>7} {:>6} {:>9} {:>6} {:>9}",
            "player",
            "rating",
            "games",
            "won",
            "drawn",
            "lost",
            "score",
            "depth",
            "nodes/s",
            "clock",
            "incidents"
        )?;
        for &player in &order {
            let PlayerSummary { name, tally, rating, depth, nodes_per_second, clock_used, incidents, .. } =
                &self.players[player];
            let clock = clock_used.map_or_else(String::new, |part| format!("{:.0} %", 100.0 * part));
            // Between two players there is only a difference, which has a line of its own.
            let rating = rating.filter(|_| self.players.len() > 2);
            let rating = rating.map_or_else(String::new, |[elo, error]| format!("{elo:+.1} ± {error:.1}"));
            let score = 100.0 * tally.points() / tally.games().max(1) as f64;
            writeln!(
                f,
                "{name:width$} {rating:>15} {:>6} {:>5} {:>5} {:>5} {score:>5.1} % {depth:>6.1} {nodes_per_second:>9.0} {clock:>6} {incidents:>9}",
                tally.games(),
                tally.wins,
                tally.draws,
                tally.losses,
            )?;
        }
        if self.players.len() > 2 {
            writeln!(f)?;
            for encounter in &self.encounters {
                let [first, second] = encounter.players.map(|player| &self.players[player].name);
                let line = match_line(&Encounter { tally: encounter.tally, pairs: encounter.pairs }, None);
                writeln!(f, "{first} - {second}: {line}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_in_a_line() {
        let encounter =
            Encounter { tally: Tally { wins: 30, draws: 50, losses: 20 }, pairs: Pairs([2, 8, 22, 14, 4]) };
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05).expect("a test");
        let line = match_line(&encounter, Some(&sprt));
        assert!(line.starts_with("30-50-20 [2 8 22 14 4]  Elo +34.9 ± "), "{line}");
        assert!(line.contains("LLR ") && line.ends_with("(-2.94, 2.94) [0, 10]"), "{line}");
        assert!(match_line(&Encounter::default(), None).contains("Elo ?"));
        let won = Encounter { tally: Tally { wins: 1, draws: 0, losses: 0 }, pairs: Pairs::default() };
        assert!(match_line(&won, None).contains("Elo +inf  LOS 100.0 %"));
    }

    #[test]
    fn times() {
        assert_eq!(show_time(Duration::from_secs(59)), "0:59");
        assert_eq!(show_time(Duration::from_secs(3723)), "1:02:03");
    }
}
