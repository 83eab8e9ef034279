//! The full-screen board.

mod draw;
mod guard;
mod input;
mod layout;
mod square;
#[cfg(test)]
mod tests;

use crate::board;
use crate::command::{Command, GameCommand, ViewCommand};
use crate::game_setup::Session;
use crate::local_game::{Event, LocalGame};
use crate::player_thread::Report;
use crate::words::sentence;
use chess::{Color, Square};
use guard::Guard;
use layout::Layout;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How the full-screen board looks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Screen {
    /// Whether pieces are letters, and lines plain characters.
    pub ascii: bool,
    /// Whether there are colours.
    pub color: bool,
    /// The side that sits at the bottom.
    pub bottom: Color,
    /// Whether the evaluation bar is shown.
    pub bar: bool,
}

enum Message {
    Input(crossterm::event::Event),
    Report(Report),
    Leave(Leave),
}

/// Why the screen was left.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Leave {
    /// The user wants to, or the input has ended.
    Wanted,
    /// A signal ends the program.
    Signal,
}

/// How often clocks are drawn.
const CLOCK_TICK: Duration = Duration::from_millis(100);

impl Screen {
    /// Plays until the user leaves or a signal ends the program. The terminal is then as it was before.
    ///
    /// # Errors
    /// When the terminal cannot be used.
    pub fn run(self, session: Session) -> io::Result<Leave> {
        let (sender, messages) = mpsc::channel();
        let to_game = sender.clone();
        let reporter = move |report| {
            let _ = to_game.send(Message::Report(report));
        };
        let on_signal = sender.clone();
        // Without a handler signals only end the program less politely: the game is saved after every move.
        let _ = ctrlc::set_handler(move || {
            let _ = on_signal.send(Message::Leave(Leave::Signal));
        });
        let (local_game, events) = session.start(Arc::new(reporter), Instant::now());
        let guard = Guard::enter()?;
        std::thread::Builder::new().name("input".to_owned()).spawn(move || {
            while let Ok(event) = crossterm::event::read() {
                if sender.send(Message::Input(event)).is_err() {
                    return;
                }
            }
            let _ = sender.send(Message::Leave(Leave::Wanted));
        })?;
        let mut terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        let mut view = View::new(self, local_game);
        view.report(events);
        if self.bar {
            view.command(GameCommand::Watch(true));
        }
        let result = view.live(&mut terminal, &messages);
        view.local_game.leave();
        drop(guard);
        result
    }
}

/// What is shown next to the board.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Popup {
    /// The manual, from this line on.
    Help(u16),
    /// What the last search of a classic did.
    Statistics,
    /// Which piece a pawn becomes.
    Promotion { from: Square, to: Square },
}

/// The state of the screen.
struct View {
    screen: Screen,
    local_game: LocalGame,
    bottom: Color,
    bar: bool,
    /// Whether the lines of the analysis are shown. They are there for the bar alone, too.
    analysis: bool,
    cursor: Square,
    /// The square of the piece to be moved.
    chosen: Option<Square>,
    /// Where the mouse button went down.
    pressed: Option<Square>,
    /// What the hint points at.
    hint: Vec<Square>,
    /// What the coach has said.
    advice: String,
    typed: String,
    message: String,
    popup: Option<Popup>,
    /// Where things were drawn last, to find what the mouse points at.
    layout: Option<Layout>,
    leaving: Option<Leave>,
}

impl View {
    fn new(screen: Screen, local_game: LocalGame) -> Self {
        Self {
            screen,
            local_game,
            bottom: screen.bottom,
            bar: screen.bar,
            analysis: screen.bar,
            cursor: if screen.bottom == Color::White { Square::E2 } else { Square::E7 },
            chosen: None,
            pressed: None,
            hint: Vec::new(),
            advice: String::new(),
            typed: String::new(),
            message: String::new(),
            popup: None,
            layout: None,
            leaving: None,
        }
    }

    fn live<B>(&mut self, terminal: &mut Terminal<B>, messages: &Receiver<Message>) -> io::Result<Leave>
    where
        B: ratatui::backend::Backend<Error = io::Error>,
    {
        loop {
            if let Some(why) = self.leaving {
                return Ok(why);
            }
            terminal.draw(|frame| self.draw(frame, Instant::now()))?;
            match messages.recv_timeout(self.patience()) {
                Ok(message) => self.receive(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Leave::Wanted),
            }
            // What has come in the meantime is shown together.
            while let Ok(message) = messages.try_recv() {
                self.receive(message);
            }
            let events = self.local_game.tick(Instant::now());
            self.report(events);
        }
    }

    /// How long the screen can stay as it is.
    fn patience(&self) -> Duration {
        const LONG: Duration = Duration::from_secs(60);
        let now = Instant::now();
        let deadline = self.local_game.deadline().map(|time| time.saturating_duration_since(now));
        let has_clock = self.local_game.time_left(Color::White, now).is_some();
        deadline.unwrap_or(LONG).min(if has_clock { CLOCK_TICK } else { LONG })
    }

    fn receive(&mut self, message: Message) {
        match message {
            Message::Input(event) => {
                for command in self.handle(&event) {
                    self.execute(command);
                }
            }
            Message::Report(report) => {
                let events = self.local_game.take_report(report, Instant::now());
                self.report(events);
            }
            Message::Leave(why) => self.leaving = Some(why),
        }
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Game(GameCommand::Watch(on)) => {
                self.analysis = on;
                self.watch();
            }
            Command::Game(command) => self.command(command),
            Command::View(command) => self.grant(&command),
        }
    }

    fn command(&mut self, command: GameCommand) {
        self.message.clear();
        if matches!(command, GameCommand::Hint | GameCommand::Why(_) | GameCommand::Threat) {
            "The coach looks at the position…".clone_into(&mut self.message);
        }
        let events = self.local_game.execute(command, Instant::now());
        self.report(events);
    }

    /// Keeps the analysis running while lines or bar need it.
    fn watch(&mut self) {
        let wanted = self.analysis || self.bar;
        if wanted != self.local_game.is_watching() {
            self.command(GameCommand::Watch(wanted));
        }
    }

    fn grant(&mut self, command: &ViewCommand) {
        let position = self.local_game.game().position();
        self.message = match command {
            ViewCommand::Flip => {
                self.bottom = !self.bottom;
                String::new()
            }
            ViewCommand::Bar => {
                self.bar = !self.bar;
                self.watch();
                String::new()
            }
            ViewCommand::Statistics => {
                self.popup = Some(Popup::Statistics);
                String::new()
            }
            ViewCommand::Help => {
                self.popup = Some(Popup::Help(0));
                String::new()
            }
            ViewCommand::Quit => {
                self.leaving = Some(Leave::Wanted);
                String::new()
            }
            ViewCommand::Fen => position.to_fen(),
            ViewCommand::Square(square) => {
                self.cursor = *square;
                String::new()
            }
            ViewCommand::Moves => {
                let moves: Vec<String> =
                    position.legal_moves().into_iter().map(|mv| position.san(mv).to_string()).collect();
                moves.join(" ")
            }
            ViewCommand::Opening => match self.local_game.opening() {
                Some(opening) => opening.to_string(),
                None => "This opening has no name here.".to_owned(),
            },
            // Everything else is on the screen all the time.
            ViewCommand::Board
            | ViewCommand::Boards(_)
            | ViewCommand::Words(_)
            | ViewCommand::Pieces
            | ViewCommand::Score
            | ViewCommand::Clocks
            | ViewCommand::Players => String::new(),
        };
    }

    fn report(&mut self, events: Vec<Event>) {
        for event in events {
            match event {
                Event::Moved { before, mv } => {
                    self.forget_choice();
                    self.message = format!("{} plays {}.", before.turn(), before.san(mv));
                }
                Event::Changed => self.forget_choice(),
                Event::Over(outcome) => {
                    let result = outcome.result();
                    self.message =
                        format!("{result} {} F2 or new: another game.", sentence(&outcome.to_string()));
                }
                Event::Refused(clause) | Event::Note(clause) => self.message = sentence(&clause),
                Event::DrawOffered(color) => {
                    self.message = format!("{color} offers a draw: type accept or decline.");
                }
                Event::Hint { position, step } => {
                    let squares = step.mv.map(|mv| vec![mv.from(), board::target(mv, position.turn())]);
                    if let Some(squares) = squares.or(step.square.map(|square| vec![square])) {
                        self.hint = squares;
                    }
                    let more = if step.mv.is_some() { "" } else { " (F3: more)" };
                    self.message = format!("Hint: {}{more}", step.text);
                }
                Event::Advice(text) => {
                    self.message.clear();
                    self.advice = text;
                }
                Event::Analysis { position, lines } => {
                    let lines: Vec<String> = lines.iter().map(|line| line.text(&position, 8)).collect();
                    self.message = lines.join("\n");
                }
                Event::Lines => {}
            }
        }
    }

    fn forget_choice(&mut self) {
        self.chosen = None;
        self.hint.clear();
        self.advice.clear();
        if matches!(self.popup, Some(Popup::Promotion { .. })) {
            self.popup = None;
        }
    }
}
