//! `gardez play`: a board in the terminal for two players who type their moves.

use anyhow::Context;
use chess::{
    CHESS960_POSITIONS, CastlingSide, Color, File, Game, Move, MoveKind, Piece, Position, Rank, Role, Setup,
    Square, UciMoveError, Variant,
};
use clap::builder::RangedU64ValueParser;
use std::fmt::Write as _;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, IsTerminal, Write};
use std::process::ExitCode;

/// Play in the terminal: two players, moves typed as Nf3 or g1f3
#[derive(clap::Args)]
pub struct Args {
    /// Position to start from [default: the start position of standard chess]
    #[arg(long, value_parser = Position::from_fen)]
    fen: Option<Position>,
    /// Play Chess960 from start position N (0 to 959), or from one drawn at random
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        conflicts_with = "fen",
        value_parser = RangedU64ValueParser::<u16>::new().range(..u64::from(CHESS960_POSITIONS))
    )]
    chess960: Option<Option<u16>>,
    /// Draw the pieces as letters
    #[arg(long)]
    ascii: bool,
}

const HELP: &str = "\
Type a move (e4, Nf3, exd5, O-O, e8=Q or e2e4, e7e8q), or
  moves    list the legal moves       score    show the moves played
  undo     take a move back           redo     play it again
  flip     turn the board round       fen      write the position as FEN
  draw     claim a draw               agree    end in a draw, if both agree
  resign   give the game up           new      begin another game
  help     this text                  quit     leave";

/// The width that lists of moves are broken at.
const LINE_WIDTH: usize = 76;

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stdout = anstream::stdout();
    let look = match (args.ascii || !locale_is_utf8(), stdout.current_choice()) {
        (true, _) => Look::Letters,
        (false, anstream::ColorChoice::Never) => Look::Figurines,
        (false, _) => Look::Colored,
    };
    let stdin = std::io::stdin();
    let mut table = Table {
        args,
        game: args.new_game(),
        board: BoardView { look, bottom: Color::White },
        echoes: !stdin.is_terminal(),
        out: stdout.lock(),
    };
    table.sit_down(stdin.lock())?;
    Ok(ExitCode::SUCCESS)
}

/// Whether the environment says that text is UTF-8.
fn locale_is_utf8() -> bool {
    if cfg!(windows) {
        // The old console draws no chess pieces, Windows Terminal does.
        return std::env::var_os("WT_SESSION").is_some();
    }
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
        .is_some_and(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        })
}

impl Args {
    fn new_game(&self) -> Game {
        match (self.chess960, self.fen) {
            (Some(number), _) => {
                let number = number.unwrap_or_else(random_chess960_number);
                let start = Setup::chess960(number).and_then(|setup| Position::from_setup(&setup).ok());
                Game::with_variant(start.unwrap_or_else(Position::startpos), Variant::Chess960)
            }
            (None, Some(start)) => Game::from_position(start),
            (None, None) => Game::new(),
        }
    }
}

/// The standard library seeds its hash maps at random; one number needs no better source.
fn random_chess960_number() -> u16 {
    (RandomState::new().hash_one(()) % u64::from(CHESS960_POSITIONS)) as u16
}

/// How pieces are drawn.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Look {
    Letters,
    /// Chess figurines without colours, White's hollow.
    Figurines,
    /// Full figurines in two colours, on light and dark squares.
    Colored,
}

struct BoardView {
    look: Look,
    bottom: Color,
}

impl BoardView {
    fn draw(&self, position: &Position, last_move: Option<Move>) -> String {
        let mut text = String::new();
        let mut ranks = Rank::ALL;
        let mut files = File::ALL;
        match self.bottom {
            Color::White => ranks.reverse(),
            Color::Black => files.reverse(),
        }
        let last = last_move.map(|mv| [mv.from(), target(mv, !position.turn())]);
        let is_last = |square| last.is_some_and(|squares| squares.contains(&square));
        for rank in ranks {
            let _ = write!(text, "  {rank} ");
            for file in files {
                let square = Square::new(file, rank);
                text.push_str(&self.square(square, position.piece_on(square), is_last(square)));
            }
            text.push('\n');
        }
        text.push_str("    ");
        for file in files {
            let _ = write!(text, " {file} ");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }

    fn square(&self, square: Square, piece: Option<Piece>, is_last: bool) -> String {
        let (left, right) = if is_last { ('[', ']') } else { (' ', ' ') };
        match self.look {
            Look::Letters => format!("{left}{}{right}", piece.map_or('.', Piece::to_char)),
            Look::Figurines => format!("{left}{}{right}", piece.map_or('·', figurine)),
            Look::Colored => {
                let background = match (is_last, square.is_light()) {
                    (true, _) => 143,
                    (false, true) => 180,
                    (false, false) => 137,
                };
                let (foreground, figure) = match piece {
                    // The full figurines show their colour; the hollow ones would be see-through.
                    Some(piece) if piece.color() == Color::White => (231, full_figurine(piece.role())),
                    Some(piece) => (16, full_figurine(piece.role())),
                    None => (16, ' '),
                };
                format!("\x1b[48;5;{background};38;5;{foreground}m {figure} \x1b[0m")
            }
        }
    }
}

/// Where the piece that moved stands now.
fn target(mv: Move, mover: Color) -> Square {
    match mv.kind() {
        MoveKind::Castling => CastlingSide::of(mv.from(), mv.to()).king_target(mover),
        _ => mv.to(),
    }
}

fn figurine(piece: Piece) -> char {
    const HOLLOW: [char; 6] = ['♙', '♘', '♗', '♖', '♕', '♔'];
    match piece.color() {
        Color::White => HOLLOW[piece.role().index()],
        Color::Black => full_figurine(piece.role()),
    }
}

fn full_figurine(role: Role) -> char {
    ['♟', '♞', '♝', '♜', '♛', '♚'][role.index()]
}

/// Two players, a board and what it has seen.
struct Table<'a, W> {
    args: &'a Args,
    game: Game,
    board: BoardView,
    /// Whether typed lines are repeated, for a record that reads well when nobody types.
    echoes: bool,
    out: W,
}

/// Whether to go on after a command.
enum Next {
    Go,
    Quit,
}

impl<W: Write> Table<'_, W> {
    fn sit_down(&mut self, mut input: impl BufRead) -> anyhow::Result<()> {
        writeln!(self.out, "Gardez: two players at one board. Type help for the commands.\n")?;
        self.show_board()?;
        loop {
            self.prompt()?;
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line).context("cannot read what is typed")? == 0 {
                writeln!(self.out)?;
                return Ok(());
            }
            let line = String::from_utf8_lossy(&line);
            let line = line.trim();
            if self.echoes {
                writeln!(self.out, "{line}")?;
            }
            if let Next::Quit = self.obey(line)? {
                return Ok(());
            }
        }
    }

    fn prompt(&mut self) -> std::io::Result<()> {
        let turn = self.game.position().turn();
        if self.game.is_over() {
            write!(self.out, "game over> ")?;
        } else {
            write!(self.out, "{}. {turn}> ", self.game.position().fullmove_number())?;
        }
        self.out.flush()
    }

    fn obey(&mut self, line: &str) -> std::io::Result<Next> {
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => writeln!(self.out, "{HELP}")?,
            "quit" | "exit" => return Ok(Next::Quit),
            "moves" => self.list_moves()?,
            "score" => self.show_score()?,
            "fen" => {
                let fen = self.game.position().to_fen();
                writeln!(self.out, "{fen}")?;
            }
            "flip" => {
                self.board.bottom = !self.board.bottom;
                self.show_board()?;
            }
            "undo" => match self.game.undo() {
                Some(_) => self.show_board()?,
                None => writeln!(self.out, "There is no move to take back.")?,
            },
            "redo" => match self.game.redo() {
                Some(_) => self.show_board()?,
                None => writeln!(self.out, "There is no move to play again.")?,
            },
            "new" => {
                self.game = self.args.new_game();
                self.show_board()?;
            }
            "draw" => {
                let claim = self.game.claim_draw().map_err(|error| error.to_string());
                self.declare(claim.err())?;
            }
            "agree" => {
                let agreement = self.game.agree_draw().map_err(|error| error.to_string());
                self.declare(agreement.err())?;
            }
            "resign" => {
                let resignation =
                    self.game.resign(self.game.position().turn()).map_err(|error| error.to_string());
                self.declare(resignation.err())?;
            }
            _ => self.play(line)?,
        }
        Ok(Next::Go)
    }

    fn play(&mut self, text: &str) -> std::io::Result<()> {
        let played = read_move(self.game.position(), text)
            .and_then(|mv| self.game.play(mv).map_err(|error| error.to_string()));
        match played {
            Ok(()) => self.show_board(),
            Err(reason) => writeln!(self.out, "{}", sentence(&reason)),
        }
    }

    /// After the players wanted to end the game: the result, or why not.
    fn declare(&mut self, objection: Option<String>) -> std::io::Result<()> {
        match objection {
            None => self.show_state(),
            Some(reason) => writeln!(self.out, "{}", sentence(&reason)),
        }
    }

    fn show_board(&mut self) -> std::io::Result<()> {
        let board = self.board.draw(self.game.position(), self.game.last_move());
        writeln!(self.out, "{board}")?;
        self.show_state()
    }

    /// What the players should know besides the board.
    fn show_state(&mut self) -> std::io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return writeln!(self.out, "{} {}", self.game.result(), sentence(&outcome.to_string()));
        }
        if self.game.position().is_check() {
            writeln!(self.out, "Check!")?;
        }
        if let Some(draw) = self.game.claimable() {
            writeln!(self.out, "{} can claim a draw by {}.", self.game.position().turn(), draw.reason)?;
        }
        Ok(())
    }

    fn list_moves(&mut self) -> std::io::Result<()> {
        let position = self.game.position();
        let mut moves: Vec<String> =
            position.legal_moves().into_iter().map(|mv| position.san(mv).to_string()).collect();
        moves.sort_unstable();
        match moves.len() {
            0 => writeln!(self.out, "There is no legal move."),
            _ => write!(self.out, "{}", wrapped(&moves)),
        }
    }

    fn show_score(&mut self) -> std::io::Result<()> {
        let mut words = Vec::new();
        let mut position = *self.game.start();
        for mv in self.game.moves() {
            let number = position.fullmove_number();
            let san = position.san(mv);
            words.push(match position.turn() {
                Color::White => format!("{number}. {san}"),
                Color::Black if words.is_empty() => format!("{number}... {san}"),
                Color::Black => san.to_string(),
            });
            position.play(mv);
        }
        words.push(self.game.result().to_string());
        write!(self.out, "{}", wrapped(&words))
    }
}

/// Reads a move, by its squares or in algebraic notation, or says why it is none.
fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    match position.parse_uci(text) {
        Err(UciMoveError::Syntax { .. }) => position.parse_san(text).map_err(|error| error.to_string()),
        read => read.map_err(|error| error.to_string()),
    }
}

/// A clause with capital letter and full stop. Squares keep their small letter.
fn sentence(clause: &str) -> String {
    let mut chars = clause.chars();
    match chars.next() {
        Some(first) if !chars.as_str().starts_with(|c: char| c.is_ascii_digit()) => {
            format!("{}{}.", first.to_uppercase(), chars.as_str())
        }
        _ => format!("{clause}."),
    }
}

fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > LINE_WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_do_not_capitalise_squares() {
        assert_eq!(sentence("no knight can go to d4"), "No knight can go to d4.");
        assert_eq!(sentence("e2e5 is not legal"), "e2e5 is not legal.");
        assert_eq!(sentence(""), ".");
    }

    #[test]
    fn long_lists_are_broken_between_words() {
        let words = vec!["Nf3".to_owned(); 40];
        let text = wrapped(&words);
        assert!(text.lines().all(|line| line.len() <= LINE_WIDTH && !line.starts_with(' ')));
        assert_eq!(text.split_whitespace().count(), 40);
    }

    #[test]
    fn the_board_can_be_seen_from_both_sides() {
        let start = Position::startpos();
        let draw = |bottom| BoardView { look: Look::Letters, bottom }.draw(&start, None);
        assert!(draw(Color::White).starts_with("  8  r  n  b  q  k  b  n  r \n"));
        assert!(draw(Color::White).ends_with("\n     a  b  c  d  e  f  g  h\n"));
        assert!(draw(Color::Black).starts_with("  1  R  N  B  K  Q  B  N  R \n"));
        assert!(draw(Color::Black).ends_with("\n     h  g  f  e  d  c  b  a\n"));
    }

    #[test]
    fn colours_are_switched_off_again_on_every_square() {
        let view = BoardView { look: Look::Colored, bottom: Color::White };
        let text = view.draw(&Position::startpos(), Some(Move::normal(Square::E2, Square::E4)));
        assert_eq!(text.matches("\x1b[48").count(), 64);
        assert_eq!(text.matches("\x1b[0m").count(), 64);
    }

    #[test]
    fn random_start_positions_exist() {
        for _ in 0..100 {
            assert!(random_chess960_number() < CHESS960_POSITIONS);
        }
    }
}
