//! Results for people and programs.

use crate::standings::{Encounter, Standings};
use crate::stats::elo::Estimate;
use crate::stats::sprt::{Sprt, Verdict};
use crate::tournament::Tournament;
use std::fmt::Write;
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

/// How far a tournament has come, in one line. `elapsed` and `played_now` tell the speed.
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

/// The players with their results and what they used.
#[must_use]
pub fn table(tournament: &Tournament, standings: &Standings) -> String {
    let names: Vec<&str> = tournament.entrants.iter().map(|entrant| &entrant.name[..]).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("player".len());
    let mut text = format!(
        "{:width$} {:>7} {:>6} {:>6} {:>6} {:>7} {:>7} {:>10} {:>9}\n",
        "player", "games", "won", "drawn", "lost", "score", "depth", "nodes/s", "incidents"
    );
    for (player, name) in names.iter().enumerate() {
        let tally = standings.tally(player);
        let effort = standings.effort(player);
        let score = 100.0 * tally.points() / tally.games().max(1) as f64;
        let _ = writeln!(
            text,
            "{name:width$} {:>7} {:>6} {:>6} {:>6} {score:>5.1} % {:>7.1} {:>10.0} {:>9}",
            tally.games(),
            tally.wins,
            tally.draws,
            tally.losses,
            effort.mean_depth(),
            effort.nodes_per_second(),
            standings.incidents(player)
        );
    }
    text
}
