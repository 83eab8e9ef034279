//! The line mode: a printed board and typed moves.

use crate::board::{self, BoardView, Look};
use crate::command::{self, Command, Order, Wish};
use crate::setting::Session;
use crate::table::{Event, Table};
use crate::words::{sentence, spoken, wrapped};
use crate::{words, worker::Report};
use book::openings::Opening;
use chess::{Color, Piece, Square};
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

/// How much is said, and how.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Speech {
    /// Whether the board is shown after every move, or only when asked for.
    pub boards: bool,
    /// Whether moves are said in words, for listening.
    pub words: bool,
}

/// How the line mode behaves.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LineMode {
    /// How pieces are drawn.
    pub look: Look,
    /// The side that sits at the bottom.
    pub bottom: Color,
    /// How much is said.
    pub speech: Speech,
    /// Whether somebody sits at the keyboard. If not, a script does: each of its lines waits until the answer to
    /// the one before has come, and is repeated so that the record reads well.
    pub interactive: bool,
}

enum Message {
    Line(String),
    EndOfInput,
    Report(Report),
}

impl LineMode {
    /// Plays until the input ends or says so.
    ///
    /// # Errors
    /// When nothing can be printed any more.
    pub fn run<R, W>(self, session: Session, input: R, out: W) -> io::Result<()>
    where
        R: BufRead + Send + 'static,
        W: Write,
    {
        let (sender, messages) = mpsc::channel();
        let (permits, permitted) = mpsc::channel();
        let to_table = sender.clone();
        let reporter = move |report| {
            let _ = to_table.send(Message::Report(report));
        };
        std::thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || read_lines(input, &permitted, &sender))?;
        let (table, events) = session.table(Arc::new(reporter), Instant::now());
        let view = BoardView { look: self.look, bottom: self.bottom };
        let mut session = Lines {
            table,
            mode: self,
            view,
            out,
            board_due: true,
            opening: None,
            prompted: false,
            waits_for_line: false,
        };
        session.greet()?;
        session.tell(events)?;
        session.converse(&messages, &permits)
    }
}

/// Reads a line for each permit.
fn read_lines(mut input: impl BufRead, permitted: &Receiver<()>, messages: &Sender<Message>) {
    while permitted.recv().is_ok() {
        let mut line = Vec::new();
        let message = match input.read_until(b'\n', &mut line) {
            Ok(1..) => Message::Line(String::from_utf8_lossy(&line).trim().to_owned()),
            Ok(0) | Err(_) => Message::EndOfInput,
        };
        if messages.send(message).is_err() {
            return;
        }
    }
}

struct Lines<W> {
    table: Table,
    mode: LineMode,
    view: BoardView,
    out: W,
    /// Whether the board has changed since it was shown.
    board_due: bool,
    /// The opening named last.
    opening: Option<&'static Opening>,
    /// Whether the prompt is the last thing printed.
    prompted: bool,
    /// Whether the next line is being read.
    waits_for_line: bool,
}

impl<W: Write> Lines<W> {
    fn greet(&mut self) -> io::Result<()> {
        let [white, black] = Color::ALL.map(|color| self.table.seat(color).name());
        writeln!(self.out, "Gardez: {white} plays White, {black} plays Black. Type help for the commands.\n")
    }

    fn converse(&mut self, messages: &Receiver<Message>, permits: &Sender<()>) -> io::Result<()> {
        loop {
            if self.table.is_demo() {
                self.show_news()?;
            }
            if !self.table.is_busy() && !self.prompted {
                self.show_news()?;
                self.prompt()?;
            }
            if !self.waits_for_line && (self.prompted || self.mode.interactive) {
                self.waits_for_line = true;
                let _ = permits.send(());
            }
            let message = match self.table.deadline() {
                None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(time) => messages.recv_timeout(time.saturating_duration_since(Instant::now())),
            };
            let now = Instant::now();
            let events = match message {
                Ok(Message::Report(report)) => self.table.hear(report, now),
                Err(RecvTimeoutError::Timeout) => self.table.tick(now),
                Ok(Message::Line(line)) => {
                    self.waits_for_line = false;
                    self.prompted = false;
                    if !self.mode.interactive {
                        writeln!(self.out, "{line}")?;
                    }
                    match self.obey(&line)? {
                        Some(events) => events,
                        None => return self.leave(),
                    }
                }
                Ok(Message::EndOfInput) | Err(RecvTimeoutError::Disconnected) => {
                    writeln!(self.out)?;
                    return self.leave();
                }
            };
            if self.prompted && !events.is_empty() {
                // Something happens while somebody is about to type.
                writeln!(self.out)?;
                self.prompted = false;
            }
            self.tell(events)?;
        }
    }

    fn leave(&mut self) -> io::Result<()> {
        let events = self.table.leave();
        self.tell(events)?;
        self.out.flush()
    }

    fn prompt(&mut self) -> io::Result<()> {
        let position = self.table.game().position();
        if self.table.game().is_over() {
            write!(self.out, "game over> ")?;
        } else {
            write!(self.out, "{}. {}> ", position.fullmove_number(), position.turn())?;
        }
        self.prompted = true;
        self.out.flush()
    }

    /// Does what a line says. Returns nothing if that is to leave.
    fn obey(&mut self, line: &str) -> io::Result<Option<Vec<Event>>> {
        if line.is_empty() {
            return Ok(Some(Vec::new()));
        }
        match command::parse(line) {
            Ok(Command::Order(Order::Watch(_))) => {
                writeln!(self.out, "Lines run along on the full-screen board; here analyse shows them.")?;
            }
            Ok(Command::Order(order)) => return Ok(Some(self.table.obey(order, Instant::now()))),
            Ok(Command::Wish(Wish::Quit)) => return Ok(None),
            Ok(Command::Wish(wish)) => self.grant(&wish)?,
            Err(error) => writeln!(self.out, "{}", sentence(&error.to_string()))?,
        }
        Ok(Some(Vec::new()))
    }

    fn grant(&mut self, wish: &Wish) -> io::Result<()> {
        let position = *self.table.game().position();
        match wish {
            Wish::Board => self.show_board()?,
            Wish::Flip => {
                self.view.bottom = !self.view.bottom;
                self.show_board()?;
            }
            Wish::Boards(on) => self.mode.speech.boards = *on,
            Wish::Words(on) => self.mode.speech.words = *on,
            Wish::Pieces => {
                for color in Color::ALL {
                    writeln!(self.out, "{}", board::pieces_in_words(&position, color))?;
                }
            }
            Wish::Square(square) => self.describe_square(*square, position.piece_on(*square))?,
            Wish::Moves => self.list_moves()?,
            Wish::Score => {
                let game = self.table.game();
                let mut words = words::numbered(game.start(), game.moves());
                words.push(game.result().to_string());
                write!(self.out, "{}", wrapped(&words))?;
            }
            Wish::Fen => writeln!(self.out, "{}", position.to_fen())?,
            Wish::Clocks => self.show_clocks()?,
            Wish::Players => {
                let [white, black] = Color::ALL.map(|color| self.table.seat(color).name());
                writeln!(self.out, "{white} plays White, {black} plays Black.")?;
            }
            Wish::Opening => match self.table.opening() {
                Some(opening) => writeln!(self.out, "{opening}.")?,
                None => writeln!(self.out, "This opening has no name here.")?,
            },
            Wish::Bar => writeln!(self.out, "The bar is on the full-screen board; analyse shows the score.")?,
            Wish::Help => write!(self.out, "{}", command::manual())?,
            Wish::Quit => {}
        }
        Ok(())
    }

    fn describe_square(&mut self, square: Square, piece: Option<Piece>) -> io::Result<()> {
        match piece {
            Some(piece) => {
                let color = piece.color().to_string().to_lowercase();
                writeln!(self.out, "{square}: {color} {}.", piece.role().name())
            }
            None => writeln!(self.out, "{square}: empty."),
        }
    }

    fn list_moves(&mut self) -> io::Result<()> {
        let position = self.table.game().position();
        let mut moves: Vec<String> =
            position.legal_moves().into_iter().map(|mv| position.san(mv).to_string()).collect();
        moves.sort_unstable();
        match moves.len() {
            0 => writeln!(self.out, "There is no legal move."),
            _ => write!(self.out, "{}", wrapped(&moves)),
        }
    }

    fn show_clocks(&mut self) -> io::Result<()> {
        let now = Instant::now();
        match Color::ALL.map(|color| self.table.time_left(color, now)) {
            [Some(white), Some(black)] => {
                writeln!(self.out, "White has {}, Black has {}.", words::time(white), words::time(black))
            }
            _ => writeln!(self.out, "There is no clock."),
        }
    }

    fn tell(&mut self, events: Vec<Event>) -> io::Result<()> {
        for event in events {
            match event {
                Event::Moved { before, mv } => {
                    self.board_due = true;
                    let text = match self.mode.speech.words {
                        true => spoken(&before, mv),
                        false => before.san(mv).to_string(),
                    };
                    writeln!(self.out, "{} plays {text}.", before.turn())?;
                    self.name_opening()?;
                }
                Event::Changed => {
                    self.board_due = true;
                    self.opening = None;
                }
                Event::Over(_) => self.board_due = true,
                Event::Refused(clause) | Event::Note(clause) => writeln!(self.out, "{}", sentence(&clause))?,
                Event::DrawOffered(color) => {
                    writeln!(self.out, "{color} offers a draw: accept or decline.")?;
                }
                Event::Hint { position, line } => {
                    let best = line.moves.first().map(|&mv| match self.mode.speech.words {
                        true => spoken(&position, mv),
                        false => position.san(mv).to_string(),
                    });
                    let best = best.unwrap_or_default();
                    writeln!(self.out, "Hint: {best}. {}", line.text(&position, 8))?;
                }
                Event::Analysis { position, lines } => {
                    for (number, line) in lines.iter().enumerate() {
                        writeln!(self.out, "{}) {}", number + 1, line.text(&position, 10))?;
                    }
                }
                Event::Lines => {}
            }
        }
        Ok(())
    }

    fn name_opening(&mut self) -> io::Result<()> {
        let opening = self.table.opening();
        if let Some(name) = opening.filter(|_| opening != self.opening) {
            writeln!(self.out, "Opening: {name}.")?;
            self.opening = opening;
        }
        Ok(())
    }

    /// The board, if it has changed, and what the players should know besides.
    fn show_news(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.board_due) {
            return Ok(());
        }
        if self.mode.speech.boards {
            self.show_board()?;
        }
        let game = self.table.game();
        if let Some(outcome) = game.outcome() {
            return writeln!(self.out, "{} {}", game.result(), sentence(&outcome.to_string()));
        }
        if game.position().is_check() {
            writeln!(self.out, "Check!")?;
        }
        if let Some(draw) = game.claimable() {
            writeln!(self.out, "{} can claim a draw by {}.", game.position().turn(), draw.reason)?;
        }
        Ok(())
    }

    fn show_board(&mut self) -> io::Result<()> {
        let game = self.table.game();
        let board = self.view.draw(game.position(), game.last_move());
        writeln!(self.out, "{board}")
    }
}
