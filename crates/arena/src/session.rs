//! A tournament with its files: the games, the state, and what went wrong.

use crate::plan::Plan;
use crate::record::{self, Heading};
use crate::standings::Standings;
use crate::state::{Existing, Files, StateError};
use crate::tournament::{End, Finished, Tournament};
use players::StopSignal;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The files a tournament writes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Paths {
    /// The games.
    pub pgn: Option<PathBuf>,
    /// What is needed to go on.
    pub state: Option<PathBuf>,
    /// The dialogues of games in which something went wrong.
    pub incidents: Option<PathBuf>,
}

impl Paths {
    /// A file of games, and the others beside it.
    #[must_use]
    pub fn beside(pgn: Option<&Path>) -> Self {
        let suffixed = |suffix: &str| {
            pgn.map(|path| {
                let mut name = path.as_os_str().to_owned();
                name.push(suffix);
                name.into()
            })
        };
        Self { pgn: pgn.map(Path::to_owned), state: suffixed(".state"), incidents: suffixed(".incidents") }
    }
}

/// What the observer of a tournament is told after each game.
pub struct News<'a> {
    /// The game.
    pub finished: &'a Finished<'a>,
    /// What went wrong in it, in a line.
    pub incident: Option<String>,
    /// Games finished since the tournament was begun or gone on with.
    pub played_now: usize,
}

/// Plays a tournament and keeps what happens.
///
/// # Errors
/// When the files cannot be written, or belong to another tournament.
pub fn run(
    plan: &Plan,
    tournament: &Tournament,
    paths: &Paths,
    existing: Existing,
    stop: &StopSignal,
    mut observe: impl FnMut(&News<'_>),
) -> Result<(Standings, End), StateError> {
    let identity = plan.identity(tournament);
    let (mut files, games) = Files::open(paths.pgn.as_deref(), paths.state.as_deref(), &identity, existing)?;
    let mut standings = Standings::default();
    for game in games {
        standings.add(game);
    }
    let before = standings.games().len();
    let end = tournament.run(&mut standings, stop, |finished| {
        let players = [finished.fixture.white, finished.fixture.black];
        let heading = Heading {
            event: plan.event.as_deref().unwrap_or("Gardez arena"),
            round: finished.fixture.round + 1,
            names: players.map(|player| &tournament.entrants[player].name[..]),
            limits: players.map(|player| tournament.entrants[player].limit),
            date: SystemTime::now(),
        };
        files.keep(finished.report, &record::to_pgn(finished.played, &heading).to_string())?;
        let incident = incident_line(finished, &heading);
        if let (Some(line), Some(path)) = (&incident, &paths.incidents) {
            log_incident(path, line, finished)?;
        }
        let played_now = finished.standings.games().len() - before;
        observe(&News { finished, incident, played_now });
        Ok(())
    })?;
    Ok((standings, end))
}

fn incident_line(finished: &Finished<'_>, heading: &Heading<'_>) -> Option<String> {
    let incident = finished.played.incident.as_ref()?;
    let number = finished.fixture.number + 1;
    let name = heading.names[incident.color.index()];
    Some(format!("game {number}: {name} ({}) {}", incident.color, incident.text))
}

fn log_incident(path: &Path, line: &str, finished: &Finished<'_>) -> Result<(), StateError> {
    let position = finished.played.game.position().to_fen();
    let dialogue = finished.played.incident.as_ref().map_or("", |incident| &incident.dialogue);
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(format!("{line}\nposition: {position}\n{dialogue}\n").as_bytes()))
        .map_err(|error| StateError::Io { path: path.to_owned(), error })
}
