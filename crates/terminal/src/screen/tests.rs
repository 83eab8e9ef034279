//! The screen without a terminal.

use super::*;
use crate::game_setup::{GameSetup, StartPosition};
use crate::participant::Participant;
use chess::Position;
use crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

fn view(fen: &str, ascii: bool, color: bool) -> View {
    let start = StartPosition::Position(Box::new(Position::from_fen(fen).expect("a position").into()));
    let setup = GameSetup {
        start,
        participants: [Participant::Human, Participant::Human],
        clock: None,
        programs_resign: false,
    };
    let local_game = LocalGame::new(setup, None, Arc::new(|_| {}));
    View::new(Screen { ascii, color, bottom: Color::White, bar: false }, local_game)
}

fn plain() -> View {
    view(chess::START_FEN, true, false)
}

fn draw(view: &mut View, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal.draw(|frame| view.draw(frame, Instant::now())).expect("drawn");
    terminal.backend().buffer().clone()
}

fn text(view: &mut View, width: u16, height: u16) -> String {
    let buffer = draw(view, width, height);
    let row = |y: u16| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(row).collect::<Vec<_>>().join("\n")
}

fn press(view: &mut View, code: KeyCode) {
    view.receive(Message::Input(Input::Key(KeyEvent::new(code, KeyModifiers::NONE))));
}

fn type_line(view: &mut View, line: &str) {
    line.chars().for_each(|c| press(view, KeyCode::Char(c)));
    press(view, KeyCode::Enter);
}

fn click(view: &mut View, square: Square, kind: MouseEventKind) {
    draw(view, 80, 24);
    let layout = view.layout.expect("drawn");
    let places = (0..80).flat_map(|x| (0..24).map(move |y| (x, y)));
    let mut places = places.filter(|&(x, y)| layout.square_at(x, y, view.bottom) == Some(square));
    let (column, row) = places.next().expect("a place of the square");
    view.receive(Message::Input(Input::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    })));
}

const DOWN: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
const UP: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

#[test]
fn the_usual_window_shows_everything() {
    let mut view = plain();
    type_line(&mut view, "e4");
    type_line(&mut view, "d5");
    type_line(&mut view, "e4d5");
    let screen = text(&mut view, 80, 24);
    for part in ["Gardez", "F1 help", "> Black", "Moves", "1. e4       d5", "2. exd5", "White plays exd5."] {
        assert!(screen.contains(part), "{part}:\n{screen}");
    }
    assert!(screen.contains("White  p +1"), "what was taken:\n{screen}");
    assert!(screen.contains("(P)") && screen.contains("(.)"), "the last move is marked:\n{screen}");
    assert!(screen.is_ascii(), "{screen}");
}

#[test]
fn small_and_odd_windows_are_drawn_too() {
    for (width, height) in [(0, 0), (1, 1), (19, 13), (20, 14), (30, 14), (50, 16), (80, 24), (200, 60)] {
        let mut view = plain();
        view.popup = Some(Popup::Help(500));
        draw(&mut view, width, height);
        view.popup = Some(Popup::Promotion { from: Square::E7, to: Square::E8 });
        draw(&mut view, width, height);
    }
    assert!(text(&mut plain(), 20, 14).contains("R"));
    assert!(text(&mut plain(), 40, 9).contains("A board needs 20 columns and 14 rows"));
}

#[test]
fn pieces_are_moved_by_keys() {
    let mut view = plain();
    press(&mut view, KeyCode::Enter);
    assert_eq!(view.chosen, Some(Square::E2));
    assert_eq!(text(&mut view, 80, 24).matches(" *").count(), 2, "e3 and e4");
    press(&mut view, KeyCode::Up);
    press(&mut view, KeyCode::Up);
    press(&mut view, KeyCode::Char(' '));
    assert_eq!(view.message, "White plays e4.");
    press(&mut view, KeyCode::F(8));
    assert_eq!(view.local_game.game().ply(), 0);
    press(&mut view, KeyCode::F(9));
    assert_eq!(view.local_game.game().ply(), 1);
    press(&mut view, KeyCode::F(5));
    let before = view.cursor;
    press(&mut view, KeyCode::Up);
    assert_eq!(view.cursor, before.offset(0, -1).expect("on the board"), "up is down for Black");
}

#[test]
fn wrong_moves_are_explained() {
    let mut view = plain();
    type_line(&mut view, "Ke3");
    assert_eq!(view.message, "A king does not move like that.");
    type_line(&mut view, "goto nowhere");
    assert_eq!(view.message, "Write goto N.");
    click(&mut view, Square::E5, DOWN);
    assert_eq!(view.message, "White has no piece on e5.");
    click(&mut view, Square::A1, DOWN);
    click(&mut view, Square::A5, DOWN);
    assert_eq!(view.message, "The way from a1 to a5 is blocked on a2.");
    assert_eq!(view.chosen, None);
}

#[test]
fn pieces_are_clicked_and_dragged() {
    let mut view = plain();
    click(&mut view, Square::E2, DOWN);
    click(&mut view, Square::E2, UP);
    click(&mut view, Square::E4, DOWN);
    assert_eq!(view.local_game.game().ply(), 1);
    click(&mut view, Square::G8, DOWN);
    click(&mut view, Square::F6, UP);
    assert_eq!(view.local_game.game().ply(), 2);
    click(&mut view, Square::A2, DOWN);
    click(&mut view, Square::B1, DOWN);
    assert_eq!(view.chosen, Some(Square::B1), "another piece");
    press(&mut view, KeyCode::Esc);
    assert_eq!(view.chosen, None);
}

#[test]
fn a_pawn_asks_what_to_become() {
    let mut view = view("8/4P3/8/8/8/8/k6P/4K3 w - - 0 1", true, false);
    click(&mut view, Square::E7, DOWN);
    click(&mut view, Square::E8, DOWN);
    assert!(text(&mut view, 80, 24).contains("n knight"));
    press(&mut view, KeyCode::Char('x'));
    assert!(view.popup.is_some(), "no such piece");
    press(&mut view, KeyCode::Char('n'));
    assert_eq!(view.message, "White plays e8=N.");
}

#[test]
fn castling_is_made_by_either_square() {
    for target in [Square::G1, Square::H1] {
        let mut view = view("4k3/8/8/8/8/8/8/4K2R w K - 0 1", true, false);
        click(&mut view, Square::E1, DOWN);
        click(&mut view, target, DOWN);
        assert_eq!(view.message, "White plays O-O.");
    }
}

#[test]
fn colours_mark_what_matters() {
    let mut view = view("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", false, true);
    let screen = text(&mut view, 80, 24);
    assert!(screen.contains('♚') && screen.contains('♜'), "{screen}");
    let backgrounds = |view: &mut View| {
        let buffer = draw(view, 80, 24);
        let layout = view.layout.expect("drawn");
        let king = layout.cell(4, 7);
        let rook = layout.cell(4, 6);
        (buffer[(king.x, king.y)].bg, buffer[(rook.x, rook.y)].bg)
    };
    let (check, usual) = backgrounds(&mut view);
    assert_ne!(check, usual);
    click(&mut view, Square::E1, DOWN);
    let (chosen, target) = backgrounds(&mut view);
    assert!(chosen != check && target != usual, "the chosen piece and what it may take");
}

#[test]
fn help_scrolls_and_closes_and_quit_leaves() {
    let mut view = plain();
    press(&mut view, KeyCode::Char('?'));
    assert!(text(&mut view, 80, 24).contains("F8 or Ctrl-Z"));
    press(&mut view, KeyCode::PageDown);
    press(&mut view, KeyCode::PageDown);
    assert!(text(&mut view, 80, 24).contains("resign"));
    press(&mut view, KeyCode::Esc);
    assert_eq!(view.popup, None);
    type_line(&mut view, "quit");
    assert_eq!(view.leaving, Some(Leave::Wanted));
}

#[test]
fn bar_and_lines_are_switched_by_themselves() {
    let mut view = plain();
    let shown = |view: &View| (view.bar, view.analysis, view.local_game.is_watching());
    press(&mut view, KeyCode::F(6));
    assert_eq!(shown(&view), (true, false, true));
    press(&mut view, KeyCode::F(4));
    assert_eq!(shown(&view), (true, true, true));
    assert!(text(&mut view, 80, 24).contains("Analysis"));
    press(&mut view, KeyCode::F(4));
    assert_eq!(shown(&view), (true, false, true), "the bar stays");
    assert!(!text(&mut view, 80, 24).contains("Analysis"));
    type_line(&mut view, "watch on");
    press(&mut view, KeyCode::F(6));
    assert_eq!(shown(&view), (false, true, true), "the lines stay");
    type_line(&mut view, "watch off");
    assert_eq!(shown(&view), (false, false, false));
}

#[test]
fn statistics_are_shown_until_a_key() {
    let mut view = plain();
    press(&mut view, KeyCode::F(11));
    assert!(text(&mut view, 80, 24).contains("No classic has thought yet"));
    press(&mut view, KeyCode::Char('x'));
    assert!(view.popup.is_none() && view.typed.is_empty());
    type_line(&mut view, "statistics");
    assert_eq!(view.popup, Some(Popup::Statistics));
}
