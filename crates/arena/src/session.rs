//! A tournament with its files: the games, the state, and what went wrong.

use crate::plan::Plan;
use crate::record::{self, Heading};
use crate::standings::Standings;
use crate::tournament::{End, Finished, Tournament};
use engine::StopToken;
pub use journal::{Existing, JournalError};
use journal::{Journal, Output};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The files a tournament writes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Paths {
    /// The games.
    pub pgn: Option<PathBuf>,
    /// What is needed to resume.
    pub state: Option<PathBuf>,
    /// The dialogues of games in which something went wrong.
    pub incidents: Option<PathBuf>,
}

impl Paths {
    /// A file of games, and the others next to it.
    #[must_use]
    pub fn next_to(pgn: Option<&Path>) -> Self {
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

/// What the observer of a tournament learns after each game.
pub struct News<'a> {
    /// The game.
    pub finished: &'a Finished<'a>,
    /// What went wrong in it, in a line.
    pub incident: Option<String>,
    /// Games finished since the tournament was started or resumed.
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
    stop: &StopToken,
    mut observe: impl FnMut(&News<'_>),
) -> Result<(Standings, End), JournalError> {
    let mut standings = Standings::default();
    let mut journal = open_journal(&plan.work(tournament), paths, existing, &mut standings)?;
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
        if let Some(journal) = &mut journal {
            let game = record::to_pgn(finished.played, &heading).to_string();
            let texts = paths.pgn.as_ref().map(|_| game.as_str());
            journal.append(texts.as_slice(), finished.report)?;
        }
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

/// Opens the file of games and its state, if there are any, and adds up the games that are there already.
fn open_journal(
    work: &[(&str, String)],
    paths: &Paths,
    existing: Existing,
    standings: &mut Standings,
) -> Result<Option<Journal>, JournalError> {
    let Some(state) = &paths.state else { return Ok(None) };
    let pgn = paths.pgn.as_deref().map(|path| Output { path, beginning: "" });
    let plan = journal::Plan { outputs: pgn.as_slice(), state, work, existing };
    let (journal, _) = Journal::open(&plan, |game| standings.add(game))?;
    Ok(Some(journal))
}

fn incident_line(finished: &Finished<'_>, heading: &Heading<'_>) -> Option<String> {
    let incident = finished.played.incident.as_ref()?;
    let number = finished.fixture.number + 1;
    let name = heading.names[incident.color.index()];
    Some(format!("game {number}: {name} ({}) {}", incident.color, incident.text))
}

fn log_incident(path: &Path, line: &str, finished: &Finished<'_>) -> Result<(), JournalError> {
    let position = finished.played.game.position().to_fen();
    let dialogue = finished.played.incident.as_ref().map_or("", |incident| &incident.dialogue);
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(format!("{line}\nposition: {position}\n{dialogue}\n").as_bytes()))
        .map_err(|error| JournalError::Io { path: path.to_owned(), error })
}
