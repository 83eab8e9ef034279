//! JavaChess's own table: a printed board, squares typed as numbers, and its files, as its guide describes them.

use super::{Agent, Book, JavaChess, read_position, write_position};
use crate::boards::lists::square;
use crate::{Budget, Choice, Classic, Decision, Source, ThinkError};
use chess::{Color, Game, Move, Position, Role, Setup, Square};
use std::io::{self, BufRead, Write};
use std::path::Path;

/// A game of JavaChess between people and its MTD(f) agent, over lines of text.
pub struct Table<R, W> {
    game: Game,
    /// The square that a pawn passed before the first move, which a position knows only where a capture is legal.
    passed: Option<Square>,
    computer: JavaChess,
    is_computer: [bool; 2],
    input: R,
    out: W,
}

/// What a person wants to do.
enum Wish {
    Play(Move),
    Resign,
    Leave,
    /// Another position was loaded.
    Again,
}

impl<R: BufRead, W: Write> Table<R, W> {
    /// A table with this position on the board and this book.
    ///
    /// # Errors
    /// When the position is no legal one.
    pub fn new(start: &Setup, book: Book, input: R, out: W) -> Result<Self, chess::PositionError> {
        let mut table = Self {
            game: Game::new(),
            passed: None,
            computer: JavaChess::with_book(Agent::Mtdf, book),
            is_computer: [false; 2],
            input,
            out,
        };
        table.set_up(start)?;
        Ok(table)
    }

    fn set_up(&mut self, start: &Setup) -> Result<(), chess::PositionError> {
        self.game = Game::from_position(Position::from_setup(start)?);
        self.passed = start.en_passant;
        self.computer.new_game();
        Ok(())
    }

    /// Asks who plays, and plays until the game or the input ends.
    ///
    /// # Errors
    /// When nothing can be read or written any more.
    pub fn run(mut self) -> io::Result<()> {
        writeln!(
            self.out,
            "JavaChess. A move is two squares, 00 for a8 to 63 for h1: 52 36. RESIG resigns,"
        )?;
        writeln!(self.out, "SAVE FILE and LOAD FILE keep and fetch a position, QUIT leaves.")?;
        for color in Color::ALL {
            let Some(is_computer) = self.ask_who_plays(color)? else { return Ok(()) };
            self.is_computer[color.index()] = is_computer;
        }
        loop {
            self.print_board()?;
            if let Some(outcome) = self.game.outcome() {
                return writeln!(self.out, "Game over: {outcome}. {}", self.game.result());
            }
            let color = self.game.position().turn();
            let wish = if self.is_computer[color.index()] {
                self.let_computer_think()?
            } else {
                self.ask_for_move()?
            };
            match wish {
                Wish::Play(mv) => {
                    writeln!(self.out, "{} plays {}", capitals(color), self.written(mv))?;
                    // The move was found among the legal ones.
                    let _ = self.game.play(mv);
                }
                Wish::Resign => {
                    writeln!(self.out, "{} resigns.", capitals(color))?;
                    let _ = self.game.resign(color);
                }
                Wish::Again => {}
                Wish::Leave => return Ok(()),
            }
        }
    }

    /// The next line, unless the input has ended.
    fn read_line(&mut self) -> io::Result<Option<String>> {
        self.out.flush()?;
        let mut line = Vec::new();
        let length = self.input.read_until(b'\n', &mut line)?;
        Ok((length > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
    }

    fn ask_who_plays(&mut self, color: Color) -> io::Result<Option<bool>> {
        loop {
            writeln!(self.out, "Who plays {color}: [H]uman or [C]omputer?")?;
            let Some(line) = self.read_line()? else { return Ok(None) };
            match line.chars().next().map(|letter| letter.to_ascii_uppercase()) {
                Some('H') => return Ok(Some(false)),
                Some('C') => return Ok(Some(true)),
                _ => {}
            }
        }
    }

    fn print_board(&mut self) -> io::Result<()> {
        let position = *self.game.position();
        write!(self.out, "\n{}", board_text(&position))?;
        writeln!(self.out, "Next move: {}", capitals(position.turn()))
    }

    fn let_computer_think(&mut self) -> io::Result<Wish> {
        let choice = match self.computer.think(&self.game, &Budget::default()) {
            Ok(choice) => choice,
            Err(error @ (ThinkError::NoMoves | ThinkError::NotStandard(_))) => {
                writeln!(self.out, "It cannot move: {error}.")?;
                return Ok(Wish::Leave);
            }
        };
        self.print_statistics(&choice)?;
        match choice.decision {
            Decision::Play(mv) => Ok(Wish::Play(mv)),
            Decision::Resign => {
                self.print_continuation()?;
                Ok(Wish::Resign)
            }
        }
    }

    /// What JavaChess prints after every iteration.
    fn print_statistics(&mut self, choice: &Choice) -> io::Result<()> {
        if choice.source == Source::Book {
            return writeln!(self.out, "From the opening book.");
        }
        for iteration in &choice.iterations {
            let best = iteration.best.map_or_else(|| "none".to_owned(), |mv| self.written(mv));
            let (regular, quiet) = (iteration.statistics.regular, iteration.statistics.quiescence);
            writeln!(self.out, "Iteration of depth {}; best move = {best}", iteration.depth)?;
            writeln!(
                self.out,
                " --> table hits, regular nodes: {} of {}",
                regular.table_hits, regular.nodes
            )?;
            writeln!(self.out, " --> table hits, quiescence nodes: {} of {}", quiet.table_hits, quiet.nodes)?;
            writeln!(self.out, " --> cutoffs, regular nodes: {}", regular.cutoffs)?;
            writeln!(self.out, " --> cutoffs, quiescence nodes: {}", quiet.cutoffs)?;
        }
        Ok(())
    }

    /// How the game would have ended, in the opinion of the side that resigns.
    fn print_continuation(&mut self) -> io::Result<()> {
        let line = self.computer.continuation(self.game.position());
        let mut position = *self.game.position();
        write!(self.out, "It expected:")?;
        for mv in line {
            write!(self.out, " {}", position.san(mv))?;
            position.play(mv);
        }
        writeln!(self.out)
    }

    fn ask_for_move(&mut self) -> io::Result<Wish> {
        loop {
            writeln!(self.out, "Your move, {}?", capitals(self.game.position().turn()))?;
            let Some(line) = self.read_line()? else { return Ok(Wish::Leave) };
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            match (word.to_ascii_uppercase().as_str(), rest.trim()) {
                ("", _) => {}
                ("RESIG", "") => return Ok(Wish::Resign),
                ("QUIT", "") => return Ok(Wish::Leave),
                ("SAVE", file) => self.save(file)?,
                ("LOAD", file) => {
                    if self.load(file)? {
                        return Ok(Wish::Again);
                    }
                }
                (from, to) => {
                    if let Some(mv) = self.read_move(from, to)? {
                        return Ok(Wish::Play(mv));
                    }
                }
            }
        }
    }

    fn read_move(&mut self, from: &str, to: &str) -> io::Result<Option<Move>> {
        let read = |text: &str| text.parse().ok().filter(|&number: &u8| number < 64).map(square);
        let (Some(from), Some(to)) = (read(from), read(to)) else {
            writeln!(self.out, "Sorry, a move is two squares from 00 to 63, like 60 62.")?;
            return Ok(None);
        };
        let position = *self.game.position();
        let found = match position.find_move(from, to, None) {
            Err(_) if position.find_move(from, to, Some(Role::Queen)).is_ok() => {
                let Some(role) = self.ask_for_promotion()? else { return Ok(None) };
                position.find_move(from, to, Some(role))
            }
            found => found,
        };
        match found {
            Ok(mv) => Ok(Some(mv)),
            Err(reason) => {
                writeln!(self.out, "Sorry, that is not legal: {reason}.")?;
                Ok(None)
            }
        }
    }

    fn ask_for_promotion(&mut self) -> io::Result<Option<Role>> {
        loop {
            writeln!(self.out, "Promote the pawn to [K]night, [R]ook, [B]ishop or [Q]ueen?")?;
            let Some(line) = self.read_line()? else { return Ok(None) };
            match line.chars().next().map(|letter| letter.to_ascii_uppercase()) {
                Some('K' | 'N') => return Ok(Some(Role::Knight)),
                Some('R') => return Ok(Some(Role::Rook)),
                Some('B') => return Ok(Some(Role::Bishop)),
                Some('Q') => return Ok(Some(Role::Queen)),
                _ => {}
            }
        }
    }

    /// The position with the square that a pawn has just passed, as JavaChess's files have it.
    fn setup(&self) -> Setup {
        let before = self.game.ply().checked_sub(1).and_then(|ply| self.game.position_at(ply));
        match (before, self.game.last_move()) {
            (Some(before), Some(mv)) => before.setup_after(mv),
            _ => Setup { en_passant: self.passed, ..self.game.position().to_setup() },
        }
    }

    fn save(&mut self, file: &str) -> io::Result<()> {
        let path = Path::new(file);
        if file.is_empty() {
            return writeln!(self.out, "Sorry, save to which file? SAVE FILE.");
        }
        if path.exists() {
            return writeln!(self.out, "Sorry, {file} is there already.");
        }
        let saved = write_position(&self.setup()).map_err(|error| error.to_string());
        match saved.and_then(|text| std::fs::write(path, text).map_err(|error| error.to_string())) {
            Ok(()) => writeln!(self.out, "Saved to {file}."),
            Err(error) => writeln!(self.out, "Sorry, {file}: {error}."),
        }
    }

    /// Returns whether another position stands on the board.
    fn load(&mut self, file: &str) -> io::Result<bool> {
        let text = std::fs::read(file).map_err(|error| error.to_string());
        let setup = text.and_then(|bytes| {
            read_position(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string())
        });
        match setup.and_then(|setup| self.set_up(&setup).map_err(|error| error.to_string())) {
            Ok(()) => Ok(true),
            Err(error) => {
                writeln!(self.out, "Sorry, {file}: {error}.")?;
                Ok(false)
            }
        }
    }

    /// The move as JavaChess prints it: the piece and both squares.
    fn written(&self, mv: Move) -> String {
        let position = self.game.position();
        let (from, to) = super::book::squares(position, mv);
        let piece = position.piece_on(mv.from()).map(super::position_file::token).unwrap_or_default();
        format!("{piece} [{from:02}, {to:02}]")
    }
}

fn capitals(color: Color) -> String {
    color.to_string().to_uppercase()
}

/// The board as JavaChess draws it, Black's side above, each piece by two letters.
fn board_text(position: &Position) -> String {
    let rule = format!("{}\n", "-".repeat(8 * 5 + 1));
    let mut text = rule.clone();
    for row in 0..8 {
        for file in 0..8 {
            let piece = position.piece_on(square(row * 8 + file));
            let token = piece.map_or_else(|| "  ".to_owned(), super::position_file::token);
            text.push_str(&format!("| {token} "));
        }
        text.push_str("|\n");
        text.push_str(&rule);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(start: &Setup, input: &str) -> String {
        let mut out = Vec::new();
        Table::new(start, Book::ruy_lopez(), input.as_bytes(), &mut out).unwrap().run().unwrap();
        String::from_utf8(out).unwrap()
    }

    fn setup(fen: &str) -> Setup {
        Setup::from_fen(fen).unwrap()
    }

    #[test]
    fn a_person_castles_by_numbers_and_the_computer_answers_from_its_book() {
        let text = run(&Setup::startpos(), "x\nH\nc\n52 36\n62 45\n61 25\n60 62\nRESIG\n");
        assert!(text.contains("| BR | BN | BB | BQ | BK | BB | BN | BR |"), "{text}");
        assert!(text.matches("Who plays White").count() == 2, "asked again:\n{text}");
        for line in ["From the opening book.\nBLACK plays BP [12, 28]", "WHITE plays WK [60, 62]"] {
            assert!(text.contains(line), "{line}:\n{text}");
        }
        assert!(
            text.contains("| WR | WN | WB | WQ |    | WR | WK |    |"),
            "the rook moves by itself:\n{text}"
        );
        assert!(text.contains("WHITE resigns.") && text.trim_end().ends_with("0-1"), "{text}");
    }

    #[test]
    fn illegal_moves_are_explained_and_pawns_promoted() {
        let text = run(&setup("7k/P7/8/8/8/8/8/K7 w - - 0 1"), "H\nH\n8 9\n99 00\ne4\n08 00\nz\nN\nQUIT\n");
        assert!(text.contains("Sorry, that is not legal: "), "{text}");
        assert_eq!(text.matches("two squares from 00 to 63").count(), 2, "{text}");
        assert_eq!(text.matches("[K]night").count(), 2, "{text}");
        assert!(text.contains("| WN |    |"), "{text}");
    }

    #[test]
    fn the_computer_prints_statistics_and_why_it_resigns() {
        let text = run(&setup("7k/R7/1R6/8/8/8/8/K7 b - - 0 1"), "H\nC\n");
        assert!(text.contains("Iteration of depth 2; best move = BK [07, 06]"), "{text}");
        assert!(text.contains(" --> table hits, quiescence nodes: "), "{text}");
        assert!(text.contains("It expected: Kg8 Rb8#\nBLACK resigns.\n"), "{text}");
        assert!(text.trim_end().ends_with("1-0"), "{text}");
    }

    #[test]
    fn positions_are_saved_with_every_double_step_and_loaded() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("game.pos");
        let name = file.display();
        let text = run(&Setup::startpos(), &format!("H\nH\n52 36\nSAVE {name}\nsave {name}\nQUIT\n"));
        assert!(text.contains("Saved to") && text.contains("is there already"), "{text}");
        let saved = std::fs::read_to_string(&file).unwrap();
        assert!(saved.starts_with("BLACK\n32\n") && saved.trim_end().ends_with(&(1_u64 << 44).to_string()));
        assert_eq!(read_position(&saved).unwrap().en_passant, Some(Square::E3));
        assert_eq!(crate::boards::lists::number(Square::E3), 44);
        let again = directory.path().join("again.pos");
        let input = format!("H\nH\nLOAD missing\nLOAD {name}\nSAVE {}\nQUIT\n", again.display());
        let text = run(&Setup::startpos(), &input);
        assert!(text.contains("Sorry, missing: ") && text.contains("Next move: BLACK"), "{text}");
        assert_eq!(std::fs::read_to_string(again).unwrap(), saved, "the square outlives loading");
    }
}
