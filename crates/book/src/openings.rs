//! The table of named openings: what a position is called, and a book of all their moves.
//!
//! Names belong to positions, so that it does not matter by which moves they were reached.
//!
//! ```
//! use chess::{Game, Position};
//! use book::openings;
//!
//! let mut game = Game::new();
//! for san in ["c4", "e6", "Nc3", "d5", "d4"] {
//!     game.play(game.position().parse_san(san)?)?;
//! }
//! let opening = openings::name_of_game(&game).expect("it has a name");
//! assert_eq!(opening.to_string(), "D31 Queen's Gambit Declined: 3.Nc3");
//! assert_eq!(openings::name(&Position::startpos()), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{Book, MoveCode, Soundness, Variety};
use chess::{Game, Position, SanError};
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

/// The table as text; how it is written is said at its top.
const TEXT: &str = include_str!("../openings.tsv");

/// A line that has a name.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings, such as `B90`.
    pub eco: &'static str,
    /// The name.
    pub name: &'static str,
    /// The usual moves, numbered, with marks of soundness.
    pub moves: &'static str,
}

/// Code and name.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// A move of the table.
#[derive(Copy, Clone, Debug)]
struct TableMove {
    /// How many lines go this way.
    lines: u32,
    soundness: Soundness,
}

struct OpeningTable {
    openings: Vec<Opening>,
    /// The places of openings by the key of their last position.
    places: HashMap<chess::Key, usize>,
    /// By Polyglot key.
    moves: HashMap<(u64, MoveCode), TableMove>,
}

static TABLE: LazyLock<OpeningTable> =
    LazyLock::new(|| OpeningTable::read(TEXT).unwrap_or_else(|error| panic!("the opening table: {error}")));

/// What is wrong with the table.
#[derive(Debug, thiserror::Error)]
enum OpeningTableError {
    #[error("line {line} has not three columns")]
    Columns { line: usize },
    #[error("line {line}: {error}")]
    Move { line: usize, error: SanError },
}

impl OpeningTable {
    fn read(text: &'static str) -> Result<Self, OpeningTableError> {
        let mut table = Self { openings: Vec::new(), places: HashMap::new(), moves: HashMap::new() };
        for (index, row) in text.lines().enumerate().filter(|(_, row)| !row.starts_with('#')) {
            let line = index + 1;
            let mut columns = row.split('\t');
            let (Some(eco), Some(name), Some(moves), None) =
                (columns.next(), columns.next(), columns.next(), columns.next())
            else {
                return Err(OpeningTableError::Columns { line });
            };
            let end = table.add_moves(moves).map_err(|error| OpeningTableError::Move { line, error })?;
            table.places.insert(end.key(), table.openings.len());
            table.openings.push(Opening { eco, name, moves });
        }
        Ok(table)
    }

    /// Takes note of the moves of a line and gives its last position.
    fn add_moves(&mut self, moves: &str) -> Result<Position, SanError> {
        let mut position = Position::startpos();
        let mut key = position.polyglot_key();
        for word in sans(moves) {
            let mv = position.parse_san(word)?;
            let marked = soundness(word);
            let known = self
                .moves
                .entry((key, MoveCode::of(mv)))
                .or_insert(TableMove { lines: 0, soundness: marked });
            known.lines += 1;
            known.soundness = known.soundness.max(marked);
            key = position.setup_after(mv).polyglot_key();
            position.play(mv);
        }
        Ok(position)
    }
}

/// The moves of a line, without their numbers.
fn sans(moves: &str) -> impl Iterator<Item = &str> {
    moves.split_whitespace().filter(|word| !word.ends_with('.'))
}

fn soundness(san: &str) -> Soundness {
    match san {
        _ if san.ends_with("!?") => Soundness::Offbeat,
        _ if san.ends_with("?!") => Soundness::Dubious,
        _ if san.ends_with('?') => Soundness::Mistake,
        _ => Soundness::Main,
    }
}

/// All openings, sorted by code.
#[must_use]
pub fn all() -> &'static [Opening] {
    &TABLE.openings
}

/// What a position is called, if it has a name of its own.
#[must_use]
pub fn name(position: &Position) -> Option<&'static Opening> {
    TABLE.places.get(&position.key()).map(|&place| &TABLE.openings[place])
}

/// What a game is called, up to the position it stands at.
#[must_use]
pub fn name_of_game(game: &Game) -> Option<&'static Opening> {
    (0..=game.ply()).rev().filter_map(|ply| game.position_at(ply)).find_map(name)
}

/// The table as a book. A move weighs the more, the more lines go that way and the sounder it is. With more
/// variety the number of lines counts for less, so that rare moves are really seen.
#[must_use]
pub fn book(variety: Variety) -> Book {
    let admitted = TABLE.moves.iter().filter(|(_, known)| variety.admits(known.soundness));
    let score = |known: &TableMove| {
        let factor = match known.soundness {
            Soundness::Main => 4,
            Soundness::Offbeat => 2,
            Soundness::Dubious | Soundness::Mistake => 1,
        };
        let lines = match variety {
            Variety::Best | Variety::Main => u64::from(known.lines),
            Variety::Wide | Variety::All => (100 * u64::from(known.lines)).isqrt(),
        };
        lines * factor
    };
    Book::from_scores(admitted.map(|(&(key, code), known)| (key, code, score(known))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(sans: &str) -> Position {
        sans.split_whitespace().fold(Position::startpos(), |position, san| {
            position.after(position.parse_san(san).unwrap_or_else(|error| panic!("{sans}: {error}")))
        })
    }

    fn called(sans: &str) -> String {
        name(&position(sans)).map(ToString::to_string).unwrap_or_default()
    }

    #[test]
    fn faults_are_found() {
        let fault = |text| OpeningTable::read(text).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(fault("# words\nB00\tno moves"), "line 2 has not three columns");
        assert_eq!(fault("B00\ttoo\tmuch\tof it"), "line 1 has not three columns");
        assert!(fault("B00\tking\t1. Ke2").starts_with("line 1: "));
        assert_eq!(fault(TEXT), "");
    }

    #[test]
    fn lines_are_written_properly() {
        for opening in all() {
            let mut position = Position::startpos();
            let mut written = Vec::new();
            for (index, word) in sans(opening.moves).enumerate() {
                if index % 2 == 0 {
                    written.push(format!("{}.", index / 2 + 1));
                }
                let mv = position.parse_san(word).expect("legal");
                let mark = &word[word.trim_end_matches(['!', '?']).len()..];
                assert!(matches!(mark, "" | "!?" | "?!" | "?"), "{opening}: {word}");
                written.push(format!("{}{mark}", position.san(mv).as_str()));
                position.play(mv);
            }
            assert_eq!(written.join(" "), opening.moves, "{opening}");
        }
    }

    #[test]
    fn codes_are_valid_and_sorted_names_and_positions_unique() {
        assert!(all().len() >= 300);
        assert!(all().is_sorted_by_key(|opening| opening.eco));
        for opening in all() {
            let code = opening.eco.as_bytes();
            assert!(matches!(code, [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']), "{opening}");
            assert_eq!(opening.name.trim(), opening.name);
            assert!(!opening.name.is_empty());
        }
        let mut names: Vec<_> = all().iter().map(|opening| opening.name.to_lowercase()).collect();
        names.sort_unstable();
        assert_eq!(names.windows(2).find(|pair| pair[0] == pair[1]), None);
        let mut ends: HashMap<_, &Opening> = HashMap::new();
        for opening in all() {
            let words: Vec<&str> = sans(opening.moves).collect();
            if let Some(other) = ends.insert(position(&words.join(" ")).key(), opening) {
                panic!("{opening} and {other} are the same position");
            }
        }
    }

    #[test]
    fn all_parts_of_the_encyclopaedia_are_there() {
        for volume in ["A", "B", "C", "D", "E"] {
            for decade in 0..10 {
                let start = format!("{volume}{decade}");
                let found = all().iter().any(|opening| opening.eco.starts_with(&start));
                assert!(found, "{start}");
            }
        }
    }

    #[test]
    fn well_known_openings_are_found_by_any_move_order() {
        assert_eq!(called("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"), "B90 Sicilian Defence: Najdorf Variation");
        assert_eq!(called("Nf3 c5 e4 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"), "B90 Sicilian Defence: Najdorf Variation");
        assert_eq!(called("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7"), "C84 Ruy Lopez: Closed");
        assert_eq!(called("c4 Nf6 Nc3 e6 d4 Bb4"), "E20 Nimzo-Indian Defence");
        assert_eq!(called("d4 e6 e4 d5"), "C00 French Defence: Normal Variation");
        assert_eq!(called(""), "");
    }

    #[test]
    fn a_game_keeps_its_last_name() {
        let mut game = Game::new();
        for san in ["e4", "c6", "d4", "d5", "e5", "Bf5", "a3"] {
            game.play(game.position().parse_san(san).expect("legal")).expect("playable");
        }
        let name = "Caro-Kann Defence: Advance Variation";
        assert_eq!(name_of_game(&game).map(|opening| opening.name), Some(name));
        game.goto(1);
        assert_eq!(name_of_game(&game).map(|opening| opening.name), Some("King's Pawn Opening"));
    }

    #[test]
    fn the_book_of_the_table_varies() {
        let knows = |variety, line: &str, san: &str| {
            let position = position(line);
            let moves = book(variety).probe(position.polyglot_key(), &position);
            let mv = position.parse_san(san).expect("legal");
            moves.iter().any(|known| known.mv == mv && known.weight > 0)
        };
        let expected = [
            ("", "e4", [true; 4]),
            ("e4 e5", "Nf3", [true; 4]),
            ("e4 e5", "f4", [false, false, true, true]),
            ("d4", "e5", [false, false, false, true]),
            // The answer to a dubious move is known all the same.
            ("d4 d5 c4 e5", "dxe5", [true; 4]),
            ("e4 e5 Nf3", "f6", [false; 4]),
        ];
        for (line, san, played) in expected {
            for ((name, variety), played) in Variety::NAMES.into_iter().zip(played) {
                assert_eq!(knows(variety, line, san), played, "{san} after {line:?}, {name}");
            }
        }
        let start = Position::startpos();
        let moves = book(Variety::Main).probe(start.polyglot_key(), &start);
        let order: Vec<String> = moves.iter().map(|known| start.san(known.mv).as_str().to_owned()).collect();
        assert_eq!(order, ["e4", "d4", "c4", "Nf3"]);
        let adventurous = book(Variety::All).probe(start.polyglot_key(), &start);
        assert_eq!(adventurous.len(), 19);
        let rare: f64 = adventurous[4..].iter().map(|&known| crate::share(known, &adventurous)).sum();
        assert!((5.0..20.0).contains(&rare), "{rare} %");
    }

    #[test]
    fn the_book_goes_on_after_every_mistake_but_never_makes_one() {
        let all = book(Variety::All);
        for opening in super::all() {
            let mut position = Position::startpos();
            let mut key = position.polyglot_key();
            for word in sans(opening.moves) {
                let mv = position.parse_san(word).expect("legal");
                let known = all.probe(key, &position).iter().any(|known| known.mv == mv);
                assert!(known || soundness(word) == Soundness::Mistake, "{opening}: {word}");
                key = position.setup_after(mv).polyglot_key();
                position.play(mv);
            }
        }
    }
}
