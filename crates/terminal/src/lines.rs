//! The line mode: a printed board and typed moves.

use crate::board::{self, BoardView, Look};
use crate::command::{self, Command, GameCommand, ViewCommand};
use crate::game_setup::Session;
use crate::local_game::{Event, LocalGame};
use crate::words::{sentence, spoken, wrapped};
use crate::{player_thread::Report, words};
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
    /// Whether a person sits at the keyboard. If not, a script is read: each of its lines waits until the answer to
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
        let to_game = sender.clone();
        let reporter = move |report| {
            let _ = to_game.send(Message::Report(report));
        };
        std::thread::Builder::new().name("reader".to_owned()).spawn(move || {
            read_lines(input, &permitted, |line| {
                sender.send(line.map_or(Message::EndOfInput, Message::Line)).is_ok()
            });
        })?;
        let (local_game, events) = session.start(Arc::new(reporter), Instant::now());
        let view = BoardView { look: self.look, bottom: self.bottom };
        let mut session = Lines {
            local_game,
            mode: self,
            view,
            out,
            board_due: true,
            opening: None,
            prompted: false,
            waits_for_line: false,
        };
        session.greet()?;
        session.report(events)?;
        session.converse(&messages, &permits)
    }
}

/// Reads a line for each permit; after the last one comes nothing. Ends when what it delivers is no longer taken.
pub(crate) fn read_lines(
    mut input: impl BufRead,
    permitted: &Receiver<()>,
    deliver: impl Fn(Option<String>) -> bool,
) {
    while permitted.recv().is_ok() {
        let mut line = Vec::new();
        let read = match input.read_until(b'\n', &mut line) {
            Ok(1..) => Some(String::from_utf8_lossy(&line).trim().to_owned()),
            Ok(0) | Err(_) => None,
        };
        if !deliver(read) {
            return;
        }
    }
}

struct Lines<W> {
    local_game: LocalGame,
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
        let [white, black] = Color::ALL.map(|color| self.local_game.participant(color).name());
        writeln!(self.out, "Gardez: {white} plays White, {black} plays Black. Type help for the commands.\n")
    }

    fn converse(&mut self, messages: &Receiver<Message>, permits: &Sender<()>) -> io::Result<()> {
        loop {
            if self.local_game.is_demo() {
                self.show_news()?;
            }
            if !self.local_game.is_busy() && !self.prompted {
                self.show_news()?;
                self.prompt()?;
            }
            if !self.waits_for_line && (self.prompted || self.mode.interactive) {
                self.waits_for_line = true;
                let _ = permits.send(());
            }
            let message = match self.local_game.deadline() {
                None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(time) => messages.recv_timeout(time.saturating_duration_since(Instant::now())),
            };
            let now = Instant::now();
            let events = match message {
                Ok(Message::Report(report)) => self.local_game.take_report(report, now),
                Err(RecvTimeoutError::Timeout) => self.local_game.tick(now),
                Ok(Message::Line(line)) => {
                    self.waits_for_line = false;
                    self.prompted = false;
                    if !self.mode.interactive {
                        writeln!(self.out, "{line}")?;
                    }
                    match self.execute(&line)? {
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
                // Something happens while a person is about to type.
                writeln!(self.out)?;
                self.prompted = false;
            }
            self.report(events)?;
        }
    }

    fn leave(&mut self) -> io::Result<()> {
        let events = self.local_game.leave();
        self.report(events)?;
        self.out.flush()
    }

    fn prompt(&mut self) -> io::Result<()> {
        let position = self.local_game.game().position();
        if self.local_game.game().is_over() {
            write!(self.out, "game over> ")?;
        } else {
            write!(self.out, "{}. {}> ", position.fullmove_number(), position.turn())?;
        }
        self.prompted = true;
        self.out.flush()
    }

    /// Does what a line says. Returns nothing if that is to leave.
    fn execute(&mut self, line: &str) -> io::Result<Option<Vec<Event>>> {
        if line.is_empty() {
            return Ok(Some(Vec::new()));
        }
        match command::parse(line) {
            Ok(Command::Game(GameCommand::Watch(_))) => {
                writeln!(self.out, "Lines run along on the full-screen board; here analyse shows them.")?;
            }
            Ok(Command::Game(command)) => return Ok(Some(self.local_game.execute(command, Instant::now()))),
            Ok(Command::View(ViewCommand::Quit)) => return Ok(None),
            Ok(Command::View(command)) => self.grant(&command)?,
            Err(error) => writeln!(self.out, "{}", sentence(&error.to_string()))?,
        }
        Ok(Some(Vec::new()))
    }

    fn grant(&mut self, command: &ViewCommand) -> io::Result<()> {
        let position = *self.local_game.game().position();
        match command {
            ViewCommand::Board => self.show_board()?,
            ViewCommand::Flip => {
                self.view.bottom = !self.view.bottom;
                self.show_board()?;
            }
            ViewCommand::Boards(on) => self.mode.speech.boards = *on,
            ViewCommand::Words(on) => self.mode.speech.words = *on,
            ViewCommand::Pieces => {
                for color in Color::ALL {
                    writeln!(self.out, "{}", board::pieces_in_words(&position, color))?;
                }
            }
            ViewCommand::Square(square) => self.describe_square(*square, position.piece_on(*square))?,
            ViewCommand::Moves => self.list_moves()?,
            ViewCommand::Score => {
                let game = self.local_game.game();
                let mut words = words::numbered(game.start(), game.moves());
                words.push(game.result().to_string());
                write!(self.out, "{}", wrapped(&words))?;
            }
            ViewCommand::Fen => writeln!(self.out, "{}", position.to_fen())?,
            ViewCommand::Clocks => self.show_clocks()?,
            ViewCommand::Players => {
                let [white, black] = Color::ALL.map(|color| self.local_game.participant(color).name());
                writeln!(self.out, "{white} plays White, {black} plays Black.")?;
            }
            ViewCommand::Opening => match self.local_game.opening() {
                Some(opening) => writeln!(self.out, "{opening}.")?,
                None => writeln!(self.out, "This opening has no name here.")?,
            },
            ViewCommand::Statistics => writeln!(self.out, "{}", self.local_game.statistics().trim_end())?,
            ViewCommand::Bar => {
                writeln!(self.out, "The bar is on the full-screen board; analyse shows the score.")?;
            }
            ViewCommand::Help => write!(self.out, "{}", command::manual())?,
            ViewCommand::Quit => {}
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
        let position = self.local_game.game().position();
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
        match Color::ALL.map(|color| self.local_game.time_left(color, now)) {
            [Some(white), Some(black)] => {
                writeln!(self.out, "White has {}, Black has {}.", words::time(white), words::time(black))
            }
            _ => writeln!(self.out, "There is no clock."),
        }
    }

    fn report(&mut self, events: Vec<Event>) -> io::Result<()> {
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
                Event::Hint { position, step } => match step.mv.filter(|_| self.mode.speech.words) {
                    Some(mv) => writeln!(self.out, "Hint: {}.", spoken(&position, mv))?,
                    None => writeln!(self.out, "Hint: {}", step.text)?,
                },
                Event::Advice(text) => {
                    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
                    write!(self.out, "{}", wrapped(&words))?;
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
        let opening = self.local_game.opening();
        if let Some(name) = opening.filter(|_| opening != self.opening) {
            writeln!(self.out, "Opening: {name}.")?;
            self.opening = opening;
        }
        Ok(())
    }

    /// The board, if it has changed, and what else the players should know.
    fn show_news(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.board_due) {
            return Ok(());
        }
        if self.mode.speech.boards {
            self.show_board()?;
        }
        let game = self.local_game.game();
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
        let game = self.local_game.game();
        let board = self.view.draw(game.position(), game.last_move());
        writeln!(self.out, "{board}")
    }
}
