//! Keys and mouse.

use super::{Popup, View};
use crate::command::{self, Command, GameCommand, ViewCommand};
use crate::words::sentence;
use chess::{Color, IllegalReason, Role, Square};
use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// What the keys do, for the manual.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("arrows, Enter", "choose a piece and its square on the board"),
    ("letters, Enter", "type a move or a command"),
    ("mouse", "click or drag pieces"),
    ("Esc", "leave off"),
    ("F1 or ?", "help"),
    ("F2", "new game"),
    ("F3", "hint; again for more"),
    ("Ctrl-W", "why the last move is good or bad"),
    ("Ctrl-T", "what the opponent threatens"),
    ("F4", "analysis on and off"),
    ("F5", "flip the board"),
    ("F6", "evaluation bar on and off"),
    ("F7", "switch sides"),
    ("F8 or Ctrl-Z", "undo"),
    ("F9 or Ctrl-Y", "redo"),
    ("F11", "what the last search of a classic did"),
    ("Home, End", "go to the beginning or the end of the game"),
    ("F10 or Ctrl-C", "quit; an unfinished game is kept for next time"),
];

/// The longest line a person types on purpose.
const MAX_TYPED: usize = 300;

const PROMOTIONS: [(char, Role); 4] =
    [('q', Role::Queen), ('r', Role::Rook), ('b', Role::Bishop), ('n', Role::Knight)];

impl View {
    /// What a key or the mouse wants done.
    pub(super) fn handle(&mut self, event: &Event) -> Vec<Command> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key).into_iter().collect(),
            Event::Mouse(mouse) => self.mouse(*mouse).into_iter().collect(),
            // The next drawing finds the new size by itself.
            _ => Vec::new(),
        }
    }

    fn key(&mut self, key: KeyEvent) -> Option<Command> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return self.control_key(key.code);
        }
        match self.popup.clone() {
            Some(Popup::Help(top)) => return self.help_key(key.code, top),
            Some(Popup::Promotion { from, to }) => return self.promotion_key(key.code, from, to),
            Some(Popup::Statistics) => {
                self.popup = None;
                return None;
            }
            None => {}
        }
        match key.code {
            KeyCode::Char('?') if self.typed.is_empty() => Some(Command::View(ViewCommand::Help)),
            KeyCode::Char(' ') | KeyCode::Enter if self.typed.is_empty() => self.choose(self.cursor),
            KeyCode::Char(c) => {
                if self.typed.len() < MAX_TYPED {
                    self.typed.push(c);
                }
                None
            }
            KeyCode::Backspace => {
                self.typed.pop();
                None
            }
            KeyCode::Enter => self.enter(),
            KeyCode::Esc => {
                self.typed.clear();
                self.message.clear();
                self.forget_choice();
                None
            }
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::Up => self.move_cursor(0, 1),
            KeyCode::Down => self.move_cursor(0, -1),
            KeyCode::Home => Some(Command::Game(GameCommand::Goto(0))),
            KeyCode::End => Some(Command::Game(GameCommand::Goto(self.local_game.game().line().len()))),
            KeyCode::F(number) => self.function_key(number),
            _ => None,
        }
    }

    fn control_key(&mut self, code: KeyCode) -> Option<Command> {
        match code {
            KeyCode::Char('c' | 'd' | 'q') => Some(Command::View(ViewCommand::Quit)),
            KeyCode::Char('w') => Some(Command::Game(GameCommand::Why(None))),
            KeyCode::Char('t') => Some(Command::Game(GameCommand::Threat)),
            KeyCode::Char('z') => Some(Command::Game(GameCommand::Undo)),
            KeyCode::Char('y') => Some(Command::Game(GameCommand::Redo)),
            KeyCode::Char('u') => {
                self.typed.clear();
                None
            }
            _ => None,
        }
    }

    fn function_key(&self, number: u8) -> Option<Command> {
        Some(match number {
            1 => Command::View(ViewCommand::Help),
            2 => Command::Game(GameCommand::New(None)),
            3 => Command::Game(GameCommand::Hint),
            4 => Command::Game(GameCommand::Watch(!self.analysis)),
            5 => Command::View(ViewCommand::Flip),
            6 => Command::View(ViewCommand::Bar),
            7 => Command::Game(GameCommand::Switch),
            8 => Command::Game(GameCommand::Undo),
            9 => Command::Game(GameCommand::Redo),
            10 => Command::View(ViewCommand::Quit),
            11 => Command::View(ViewCommand::Statistics),
            _ => return None,
        })
    }

    fn help_key(&mut self, code: KeyCode, top: u16) -> Option<Command> {
        self.popup = match code {
            KeyCode::Down => Some(Popup::Help(top.saturating_add(1))),
            KeyCode::Up => Some(Popup::Help(top.saturating_sub(1))),
            KeyCode::PageDown | KeyCode::Char(' ') => Some(Popup::Help(top.saturating_add(10))),
            KeyCode::PageUp => Some(Popup::Help(top.saturating_sub(10))),
            _ => None,
        };
        None
    }

    fn promotion_key(&mut self, code: KeyCode, from: Square, to: Square) -> Option<Command> {
        let role = match code {
            KeyCode::Enter => Some(Role::Queen),
            KeyCode::Char(c) => {
                let wanted = PROMOTIONS.iter().find(|(letter, _)| c.eq_ignore_ascii_case(letter));
                Some(wanted.map(|&(_, role)| role)?)
            }
            _ => None,
        };
        self.forget_choice();
        let mv = self.local_game.game().position().find_move(from, to, Some(role?)).ok()?;
        Some(Command::Game(GameCommand::Play(mv)))
    }

    fn enter(&mut self) -> Option<Command> {
        let line = std::mem::take(&mut self.typed);
        match command::parse(&line) {
            Ok(command) => Some(command),
            Err(error) => {
                self.message = sentence(&error.to_string());
                None
            }
        }
    }

    fn move_cursor(&mut self, right: i8, up: i8) -> Option<Command> {
        let sign = if self.bottom == Color::White { 1 } else { -1 };
        if let Some(square) = self.cursor.offset(right * sign, up * sign) {
            self.cursor = square;
        }
        None
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Option<Command> {
        if matches!(self.popup, Some(Popup::Help(_) | Popup::Statistics)) {
            if matches!(mouse.kind, MouseEventKind::Down(_)) {
                self.popup = None;
            }
            return None;
        }
        let square =
            self.layout.as_ref().and_then(|layout| layout.square_at(mouse.column, mouse.row, self.bottom));
        match (mouse.kind, square) {
            (MouseEventKind::Down(MouseButton::Left), Some(square)) => {
                self.pressed = Some(square);
                self.cursor = square;
                self.choose(square)
            }
            (MouseEventKind::Up(MouseButton::Left), Some(square)) => {
                let dragged = self.pressed.take().is_some_and(|pressed| pressed != square);
                if dragged && self.chosen.is_some() {
                    self.cursor = square;
                    return self.choose(square);
                }
                None
            }
            (MouseEventKind::Down(MouseButton::Right), _) => {
                self.forget_choice();
                None
            }
            _ => None,
        }
    }

    /// Chooses the piece on a square, or where the chosen one goes.
    fn choose(&mut self, square: Square) -> Option<Command> {
        let position = self.local_game.game().position();
        let is_own = position.piece_on(square).is_some_and(|piece| piece.color() == position.turn());
        let Some(from) = self.chosen else {
            if is_own {
                self.chosen = Some(square);
                self.message.clear();
            } else {
                self.message = format!("{} has no piece on {square}.", position.turn());
            }
            return None;
        };
        match position.find_move(from, square, None) {
            Ok(mv) => {
                self.chosen = None;
                return Some(Command::Game(GameCommand::Play(mv)));
            }
            Err(IllegalReason::MustPromote { .. })
                if position.find_move(from, square, Some(Role::Queen)).is_ok() =>
            {
                self.popup = Some(Popup::Promotion { from, to: square });
            }
            Err(_) if from == square => self.chosen = None,
            Err(_) if is_own => self.chosen = Some(square),
            Err(reason) => {
                self.chosen = None;
                self.message = sentence(&reason.to_string());
            }
        }
        None
    }
}
