//! Where games begin.

use chess::pgn;
use chess::random::Random;
use chess::{CHESS960_POSITIONS, Epd, Game, Move, Position, Setup, Variant};
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;

/// A position to play from, and the moves that lead there from one that every engine knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The first position.
    pub start: Position,
    /// How the game is to be written.
    pub variant: Variant,
    /// The moves played for both sides.
    pub moves: Vec<Move>,
}

/// Where openings come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Source {
    /// Always the start position.
    #[default]
    Start,
    /// A file of games (`.pgn`) or of positions (anything else).
    File(std::path::PathBuf),
    /// The starts of Chess960.
    Chess960,
    /// Starts of Chess960 that differ for White and Black.
    DoubleChess960,
}

/// In which order openings are played.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// As they stand.
    Sequential,
    /// Shuffled with this seed.
    Random(u64),
}

/// Why openings could not be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum OpeningError {
    #[error("{path}: {error}")]
    Io { path: String, error: io::Error },
    #[error("{path}: {error}")]
    Pgn { path: String, error: PgnReadError },
    #[error("{path}, line {line}: {error}")]
    Epd { path: String, line: usize, error: chess::FenError },
    #[error("{path}: there is no opening from which a game can be played")]
    Nothing { path: String },
}

/// Why there is no opening to be had from a game.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PgnReadError {
    #[error(transparent)]
    File(#[from] pgn::PgnError),
    /// An opening that ends too early would change what a match measures.
    #[error(transparent)]
    Fault(#[from] pgn::PgnFault),
}

/// Openings in the order they are played; after the last comes the first again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Openings(Vec<Opening>);

/// How many double Chess960 starts to draw: more than any match plays.
const DOUBLE_STARTS: usize = 50_000;

impl Opening {
    /// The start position.
    #[must_use]
    pub fn start() -> Self {
        Self { start: Position::startpos(), variant: Variant::Standard, moves: Vec::new() }
    }

    fn from_position(start: Position, variant: Variant) -> Self {
        Self { start, variant, moves: Vec::new() }
    }

    /// The game as it stands when the players begin.
    #[must_use]
    pub fn to_game(&self) -> Game {
        let mut game = Game::with_variant(self.start, self.variant);
        for &mv in &self.moves {
            // Repetitions within an opening do not end it.
            if game.replay(mv).is_err() {
                break;
            }
        }
        game
    }
}

impl Openings {
    /// Reads openings and brings them into order. Of each game up to `plies` half-moves are played, or
    /// all. Openings after which the game would be over are left out.
    ///
    /// # Errors
    /// When the file cannot be read, or nothing in it can be played.
    pub fn load(source: &Source, plies: Option<usize>, order: Order) -> Result<Self, OpeningError> {
        let mut openings = match source {
            Source::Start => vec![Opening::start()],
            Source::File(path) => read(path, plies)?,
            Source::Chess960 => (0..CHESS960_POSITIONS).filter_map(|n| chess960_start(n, n)).collect(),
            Source::DoubleChess960 => double_starts(order),
        };
        openings.retain(|opening| {
            let game = opening.to_game();
            !game.is_over() && game.claimable().is_none()
        });
        if openings.is_empty() {
            let path =
                if let Source::File(path) = source { path.display().to_string() } else { String::new() };
            return Err(OpeningError::Nothing { path });
        }
        if let Order::Random(seed) = order {
            Random::new(seed).shuffle(&mut openings);
        }
        Ok(Self(openings))
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The opening of a round.
    #[must_use]
    pub fn get(&self, round: usize) -> &Opening {
        &self.0[round % self.0.len()]
    }
}

impl From<Opening> for Openings {
    fn from(opening: Opening) -> Self {
        Self(vec![opening])
    }
}

fn chess960_start(white: u16, black: u16) -> Option<Opening> {
    let setup = Setup::double_chess960(white, black)?;
    let position = Position::from_setup(&setup).ok()?;
    Some(Opening::from_position(position, Variant::Chess960))
}

fn double_starts(order: Order) -> Vec<Opening> {
    let seed = if let Order::Random(seed) = order { seed } else { 0 };
    let mut random = Random::new(seed);
    let mut number = || u16::try_from(random.below(usize::from(CHESS960_POSITIONS))).unwrap_or(0);
    (0..DOUBLE_STARTS).filter_map(|_| chess960_start(number(), number())).collect()
}

fn read(path: &Path, plies: Option<usize>) -> Result<Vec<Opening>, OpeningError> {
    let name = path.display().to_string();
    let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    let io_error = |error| OpeningError::Io { path: name.clone(), error };
    if is_pgn {
        let file = BufReader::new(File::open(path).map_err(io_error)?);
        read_pgn(file, plies).map_err(|error| OpeningError::Pgn { path: name.clone(), error })
    } else {
        let text = fs::read_to_string(path).map_err(io_error)?;
        read_epd(&text).map_err(|(line, error)| OpeningError::Epd { path: name.clone(), line, error })
    }
}

fn read_pgn(source: impl io::Read, plies: Option<usize>) -> Result<Vec<Opening>, PgnReadError> {
    let mut openings = Vec::new();
    for game in pgn::Reader::new(source) {
        let mut game = game?;
        if let Some(index) = game.faults.iter().position(pgn::PgnFault::costs_moves) {
            return Err(game.faults.swap_remove(index).into());
        }
        let moves = game.moves().take(plies.unwrap_or(usize::MAX)).collect();
        openings.push(Opening { start: game.start, variant: game.variant(), moves });
    }
    Ok(openings)
}

/// Of a book of Chess960 some positions could be of standard chess as well; in one book all are played as
/// one variant.
fn read_epd(text: &str) -> Result<Vec<Opening>, (usize, chess::FenError)> {
    let mut positions = Vec::new();
    for (line, epd) in Epd::parse_lines(text) {
        positions.push(epd.map_err(|error| (line, error))?.position);
    }
    let is_chess960 = positions.iter().any(|position| Variant::of(position) == Variant::Chess960);
    let variant = if is_chess960 { Variant::Chess960 } else { Variant::Standard };
    Ok(positions.into_iter().map(|position| Opening::from_position(position, variant)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_played_to_their_end_or_to_a_ply() {
        let text = "[Event \"?\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"?\"]\n\n1. d4 *\n";
        let whole = read_pgn(text.as_bytes(), None).expect("good games");
        assert_eq!(whole.iter().map(|opening| opening.moves.len()).collect::<Vec<_>>(), [3, 1]);
        assert_eq!(whole[0].to_game().ply(), 3);
        let cut = read_pgn(text.as_bytes(), Some(2)).expect("good games");
        assert_eq!(cut.iter().map(|opening| opening.moves.len()).collect::<Vec<_>>(), [2, 1]);
        assert!(read_pgn(&b"1. e5 *\n"[..], None).is_err());
    }

    #[test]
    fn one_variant_for_a_book() {
        let book = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1\n\
                    nnrkqrbb/pppppppp/8/8/8/8/PPPPPPPP/RQBBKNNR w HAfc - 0 1\n";
        let openings = read_epd(book).expect("good positions");
        assert!(openings.iter().all(|opening| opening.variant == Variant::Chess960));
        assert_eq!(read_epd("8/8/8/8/8/8/8/8 w - - 0 1\n").unwrap_err().0, 1);
    }

    #[test]
    fn chess960_starts() {
        let all = Openings::load(&Source::Chess960, None, Order::Sequential).expect("starts");
        assert_eq!(all.count(), 960);
        let shuffled = Openings::load(&Source::Chess960, None, Order::Random(1)).expect("starts");
        assert_ne!(all, shuffled);
        assert_eq!(Openings::load(&Source::Chess960, None, Order::Random(1)).expect("starts"), shuffled);
        let double = Openings::load(&Source::DoubleChess960, None, Order::Random(1)).expect("starts");
        assert!(double.get(0).start.to_setup().double_chess960_numbers().is_some());
    }

    #[test]
    fn after_the_last_opening_comes_the_first() {
        let openings = Openings::from(Opening::start());
        assert_eq!(openings.get(0), openings.get(5));
    }
}
