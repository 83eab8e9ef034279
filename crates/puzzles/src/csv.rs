//! Puzzles as text, in the columns of Lichess's puzzle database.

use crate::puzzle::{self, Puzzle};
use chess::{CastlingStyle, Move, Position};
use coach::Line;

/// The first line of a file.
pub const HEADING: &str =
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n";

/// How far the rating of a new puzzle may be off: the standard deviation of the estimate.
const RATING_DEVIATION: i32 = 390;

/// Letters of an identifier.
const ID_LETTERS: usize = 8;

/// A puzzle as a line of a file. The game's address is kept if it has one.
#[must_use]
pub fn line(puzzle: &Puzzle, game_url: Option<&str>) -> String {
    let fen = puzzle.before.to_fen();
    let moves = uci_moves(puzzle);
    let themes: Vec<&str> = puzzle.themes.iter().copied().collect();
    let url = game_url.map(|url| format!("{}#{}", field(url), puzzle.ply)).unwrap_or_default();
    let opening = puzzle.opening.map(|opening| opening_tags(opening.name)).unwrap_or_default();
    format!(
        "{},{fen},{moves},{},{RATING_DEVIATION},0,0,{},{url},{opening}\n",
        id(&fen, &moves),
        puzzle.rating,
        themes.join(" ")
    )
}

fn uci_moves(puzzle: &Puzzle) -> String {
    let mut position = puzzle.before;
    let mut words = Vec::new();
    for mv in std::iter::once(puzzle.mistake).chain(puzzle.solution.iter().copied()) {
        words.push(position.to_uci(mv, CastlingStyle::Standard).to_string());
        position.play(mv);
    }
    words.join(" ")
}

/// What identifies a puzzle: the same in every file, and hardly that of another.
fn id(fen: &str, moves: &str) -> String {
    const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    // FNV-1a.
    let mut number = fen
        .bytes()
        .chain(moves.bytes())
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let letters = (0..ID_LETTERS).map(|_| {
        let letter = ALPHABET[(number % 62) as usize];
        number /= 62;
        char::from(letter)
    });
    letters.collect()
}

/// The family of an opening and, if it has one, the variation: `Italian_Game Italian_Game_Two_Knights`.
fn opening_tags(name: &str) -> String {
    let tag = |text: &str| {
        let words: Vec<String> = text
            .split_whitespace()
            .map(|word| word.chars().filter(|letter| letter.is_alphanumeric() || *letter == '-').collect())
            .collect();
        words.join("_")
    };
    match name.split_once(':') {
        Some((family, _)) => format!("{} {}", tag(family), tag(name)),
        None => tag(name),
    }
}

/// A text without what would end a field.
fn field(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control() && !matches!(letter, ',' | '"')).collect()
}

/// A puzzle that was read, from this program or from Lichess.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its identifier, if the file has any.
    pub id: String,
    /// The solution after the mistake.
    pub line: Line,
    /// How hard it is, if the file says.
    pub rating: Option<i32>,
    /// What it is about, if the file says.
    pub themes: Vec<String>,
}

/// What can be known of a line without reading the puzzle.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Glance<'a> {
    /// Its identifier, if the file has any.
    pub id: &'a str,
    /// How hard it is, if the file says.
    pub rating: Option<i32>,
    /// What it is about, if the file says, with blanks between.
    pub themes: &'a str,
}

/// Why a line of a file is no puzzle.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RowError {
    #[error("the heading has no column {0}")]
    NoColumn(&'static str),
    #[error("the line has no field {0}")]
    NoField(&'static str),
    #[error(transparent)]
    Fen(#[from] chess::FenError),
    #[error(transparent)]
    Move(#[from] chess::UciMoveError),
    #[error("there is no solution after the first move")]
    NoSolution,
}

/// Which columns a file has, by its first line. All but the position and the moves may be missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    id: Option<usize>,
    fen: usize,
    moves: usize,
    rating: Option<usize>,
    themes: Option<usize>,
}

impl Columns {
    /// Reads the first line.
    ///
    /// # Errors
    /// When it names neither positions nor moves.
    pub fn read(heading: &str) -> Result<Self, RowError> {
        let place = |name| heading.trim().split(',').position(|column| column == name);
        let needed = |name| place(name).ok_or(RowError::NoColumn(name));
        Ok(Self {
            id: place("PuzzleId"),
            fen: needed("FEN")?,
            moves: needed("Moves")?,
            rating: place("Rating"),
            themes: place("Themes"),
        })
    }

    /// What a line says, without looking at the puzzle itself.
    #[must_use]
    pub fn glance<'a>(&self, line: &'a str) -> Glance<'a> {
        let mut glance = Glance { id: "", rating: None, themes: "" };
        for (place, text) in line.trim_end().split(',').enumerate() {
            match Some(place) {
                place if place == self.id => glance.id = text,
                place if place == self.rating => glance.rating = text.parse().ok(),
                place if place == self.themes => glance.themes = text,
                _ => {}
            }
        }
        glance
    }

    /// Reads another line.
    ///
    /// # Errors
    /// When it is no puzzle.
    pub fn row(&self, line: &str) -> Result<Row, RowError> {
        let fields: Vec<&str> = line.trim_end().split(',').collect();
        let field = |place: Option<usize>| place.and_then(|place| fields.get(place).copied());
        let before: Position = field(Some(self.fen)).ok_or(RowError::NoField("FEN"))?.parse()?;
        let mut position = before;
        let mut moves: Vec<Move> = Vec::new();
        for word in field(Some(self.moves)).ok_or(RowError::NoField("Moves"))?.split_whitespace() {
            let mv = position.parse_uci(word)?;
            moves.push(mv);
            position.play(mv);
        }
        let [mistake, solution @ ..] = &moves[..] else { return Err(RowError::NoSolution) };
        if solution.is_empty() {
            return Err(RowError::NoSolution);
        }
        Ok(Row {
            id: field(self.id).unwrap_or_default().to_owned(),
            line: puzzle::line(before, *mistake, solution),
            rating: field(self.rating).and_then(|text| text.parse().ok()),
            themes: field(self.themes).unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn puzzle() -> Puzzle {
        let before: Position =
            "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3".parse().expect("a position");
        let mistake = before.parse_uci("g8f6").expect("legal");
        let solution = vec![before.after(mistake).parse_uci("h5f7").expect("legal")];
        let themes = BTreeSet::from(["mateIn1", "oneMove"]);
        let opening = book::openings::all().iter().find(|opening| opening.name.contains(": "));
        Puzzle { before, mistake, solution, themes, rating: 600, ply: 6, opening }
    }

    #[test]
    fn what_is_written_is_read() {
        let puzzle = puzzle();
        let text = line(&puzzle, Some("https://games.example/1,2"));
        let fields: Vec<&str> = text.trim_end().split(',').collect();
        assert_eq!(fields.len(), HEADING.split(',').count());
        assert_eq!(fields[2], "g8f6 h5f7");
        assert_eq!(fields[8], "https://games.example/12#6");
        assert_eq!(fields[9].split(' ').count(), 2, "{}", fields[9]);
        let row = Columns::read(HEADING).and_then(|columns| columns.row(&text)).expect("a puzzle");
        assert_eq!(row.line.moves(), puzzle.solution);
        assert_eq!(row.line.lead_in().map(|step| step.mv), Some(puzzle.mistake));
        assert_eq!((row.rating, row.id.len()), (Some(600), ID_LETTERS));
        assert_eq!(row.themes, ["mateIn1", "oneMove"]);
    }

    #[test]
    fn what_is_no_puzzle_is_an_error() {
        assert_eq!(Columns::read("Name,Moves"), Err(RowError::NoColumn("FEN")));
        let columns = Columns::read("FEN,Moves").expect("all that is needed");
        for line in ["", "8/8/8/8/8/8/8/8 w - - 0 1,e2e4", chess::START_FEN] {
            assert!(columns.row(line).is_err(), "{line}");
        }
        let only_a_mistake = format!("{},e2e4", chess::START_FEN);
        assert_eq!(columns.row(&only_a_mistake).err(), Some(RowError::NoSolution));
        assert!(columns.row(&format!("{},e2e5 e7e5", chess::START_FEN)).is_err());
    }
}
