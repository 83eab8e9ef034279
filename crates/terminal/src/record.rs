//! Local games as PGN, and back.

use crate::participant::Participant;
use crate::words::count;
use chess::Game;
use chess::pgn::{self, Date, PgnError, PgnGame, Reader};
use players::TimeControl;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The tags that say who plays, in words that [`Participant`] reads.
const PLAYER_TAGS: [&str; 2] = ["WhitePlayer", "BlackPlayer"];

/// Why there is no game in a file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub(crate) enum LoadError {
    #[error("cannot read {}: {source}", path.display())]
    Open { path: PathBuf, source: std::io::Error },
    #[error("{}: {source}", path.display())]
    Pgn { path: PathBuf, source: PgnError },
    #[error("{} has only {}", path.display(), count(*.games, "game"))]
    TooFew { path: PathBuf, games: usize },
}

/// What is kept of a game in addition to its moves.
pub(crate) struct Heading<'a> {
    /// Who plays White and Black.
    pub participants: &'a [Participant; 2],
    /// The clock.
    pub clock: Option<TimeControl>,
    /// When the game began.
    pub date: SystemTime,
}

/// The game as far as it is played.
pub(crate) fn to_pgn(game: &Game, heading: &Heading<'_>) -> PgnGame {
    let clock = heading.clock.map_or_else(|| "-".to_owned(), |clock| clock.to_string());
    let since_1970 = heading.date.duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut pgn = PgnGame::from_game(
        game,
        &pgn::Heading {
            event: "Casual game",
            date: Some(Date::from_unix_time(since_1970)),
            white: heading.participants[0].name(),
            black: heading.participants[1].name(),
            time_control: &clock,
            ..pgn::Heading::default()
        },
    );
    if let Some(opening) = book::openings::name_of_game(game) {
        pgn.tags.set("ECO", opening.eco);
        pgn.tags.set("Opening", opening.name);
    }
    for (side, name) in PLAYER_TAGS.into_iter().enumerate() {
        pgn.tags.set(name, &heading.participants[side].to_string());
    }
    if let Some(outcome) = game.outcome() {
        pgn.add_last_comment(&outcome.to_string());
    }
    pgn
}

/// Who played, if the tags say it in the words of [`Participant`].
pub(crate) fn participants_of(pgn: &PgnGame) -> Option<[Participant; 2]> {
    let participant = |side: usize| pgn.tags.get(PLAYER_TAGS[side]).and_then(|text| text.parse().ok());
    Some([participant(0)?, participant(1)?])
}

/// The clock of a recorded game.
pub(crate) fn clock_of(pgn: &PgnGame) -> Option<TimeControl> {
    pgn.tags.get("TimeControl").and_then(|text| text.parse().ok())
}

/// Opens a file of games.
pub(crate) fn open(path: &Path) -> Result<Reader<BufReader<File>>, LoadError> {
    let file = File::open(path).map_err(|source| LoadError::Open { path: path.to_owned(), source })?;
    Ok(Reader::new(BufReader::new(file)))
}

/// Reads one game of a file, counted from 1.
pub(crate) fn load(path: &Path, number: usize) -> Result<PgnGame, LoadError> {
    let mut games = 0;
    for pgn in open(path)? {
        games += 1;
        if games == number.max(1) {
            return pgn.map_err(|source| LoadError::Pgn { path: path.to_owned(), source });
        }
    }
    Err(LoadError::TooFew { path: path.to_owned(), games })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn heading(participants: &[Participant; 2]) -> Heading<'_> {
        Heading { participants, clock: "300+3".parse().ok(), date: SystemTime::UNIX_EPOCH }
    }

    #[test]
    fn games_come_back_as_they_were() {
        let participants = [Participant::Human, "piglet".parse().expect("a player")];
        let mut game = crate::StartPosition::Chess960(Some(518)).game();
        for text in ["e4", "e5", "Nf3"] {
            let mv = game.position().parse_san(text).expect("a move");
            game.play(mv).expect("legal");
            game.set_clock(Duration::from_secs(299));
        }
        let text = to_pgn(&game, &heading(&participants)).to_string();
        let pgn = Reader::new(text.as_bytes()).next().expect("a game").expect("without fault");
        assert_eq!(pgn.to_game().expect("playable"), game);
        assert_eq!(clock_of(&pgn), "300+3".parse().ok());
        assert_eq!(
            participants_of(&pgn).map(|participants| participants[1].to_string()),
            Some("piglet".to_owned())
        );
        assert_eq!((pgn.tags.get("White"), pgn.tags.get("Date")), (Some("Player"), Some("1970.01.01")));
    }

    #[test]
    fn only_the_moves_played_are_kept_and_the_end_is_told() {
        let mut game = Game::new();
        for text in ["e4", "e5"] {
            let mv = game.position().parse_san(text).expect("a move");
            game.play(mv).expect("legal");
        }
        game.undo();
        assert_eq!(to_pgn(&game, &heading(&[Participant::Human, Participant::Human])).line.moves.len(), 1);
        game.resign(chess::Color::Black).expect("going on");
        let text = to_pgn(&game, &heading(&[Participant::Human, Participant::Human])).to_string();
        assert!(text.contains("1. e4 {Black resigns} 1-0"), "{text}");
        let pgn = Reader::new(text.as_bytes()).next().expect("a game").expect("without fault");
        assert!(!pgn.playable().is_over(), "one can play on");
    }

    #[test]
    fn missing_files_and_games_are_named() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("games.pgn");
        assert!(load(&path, 1).is_err_and(|error| error.to_string().starts_with("cannot read")));
        std::fs::write(&path, "1. e4 *\n\n1. d4 d5 2. Ke4 *\n").expect("written");
        assert_eq!(load(&path, 1).map(|pgn| pgn.moves().count()).ok(), Some(1));
        let faulty = load(&path, 2).expect("the moves before the fault");
        assert_eq!(faulty.moves().count(), 2);
        assert!(
            faulty.faults[0].to_string().ends_with("a king does not move like that"),
            "{:?}",
            faulty.faults
        );
        assert!(load(&path, 9).is_err_and(|error| error.to_string().ends_with("has only 2 games")));
    }
}
