//! How one square looks.

use super::Screen;
use crate::board::{figurine, full_figurine};
use chess::{Color as Side, Piece, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

/// What a square shows in addition to its piece.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Marks {
    pub cursor: bool,
    pub chosen: bool,
    /// The chosen piece may go there.
    pub target: bool,
    pub last_move: bool,
    pub check: bool,
    pub hint: bool,
}

const LIGHT: Color = Color::Indexed(180);
const DARK: Color = Color::Indexed(137);
const LAST_LIGHT: Color = Color::Indexed(186);
const LAST_DARK: Color = Color::Indexed(143);
const CHOSEN: Color = Color::Indexed(110);
const TARGET: Color = Color::Indexed(108);
const CHECK: Color = Color::Indexed(167);
const HINT: Color = Color::Indexed(74);
const WHITE_PIECE: Color = Color::Indexed(231);
const BLACK_PIECE: Color = Color::Indexed(16);

impl Marks {
    fn background(self, is_light: bool, has_piece: bool) -> Color {
        match self {
            Self { chosen: true, .. } => CHOSEN,
            Self { target: true, .. } if has_piece => TARGET,
            Self { check: true, .. } => CHECK,
            Self { hint: true, .. } => HINT,
            Self { last_move: true, .. } if is_light => LAST_LIGHT,
            Self { last_move: true, .. } => LAST_DARK,
            _ if is_light => LIGHT,
            _ => DARK,
        }
    }

    /// The characters on both sides of the piece. With colours only the cursor needs them.
    const fn brackets(self, color: bool, has_piece: bool) -> Option<(char, char)> {
        match self {
            Self { cursor: true, .. } => Some(('[', ']')),
            _ if color => None,
            Self { chosen: true, .. } => Some(('<', '>')),
            Self { check: true, .. } => Some(('!', '!')),
            Self { target: true, .. } if has_piece => Some(('*', '*')),
            Self { hint: true, .. } => Some(('{', '}')),
            Self { last_move: true, .. } => Some(('(', ')')),
            _ => None,
        }
    }
}

/// Draws a square.
pub(super) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    screen: Screen,
    square: Square,
    piece: Option<Piece>,
    marks: Marks,
) {
    let base = match screen.color {
        true => Style::new().bg(marks.background(square.is_light(), piece.is_some())),
        false => Style::new(),
    };
    buffer.set_style(area, base);
    let middle = area.y + area.height / 2;
    let column = area.x + (area.width - 1) / 2;
    let symbol = match piece {
        Some(piece) if screen.ascii => piece.to_char(),
        Some(piece) if screen.color => full_figurine(piece.role()),
        Some(piece) => figurine(piece),
        None if marks.target => {
            if screen.ascii {
                '*'
            } else {
                '•'
            }
        }
        None if screen.color => ' ',
        None => {
            if square.is_light() {
                '.'
            } else {
                ':'
            }
        }
    };
    let style = match piece {
        _ if !screen.color => Style::new(),
        Some(piece) if piece.color() == Side::White => base.fg(WHITE_PIECE),
        _ => base.fg(BLACK_PIECE),
    };
    let mut put = |x: u16, symbol: char, style: Style| {
        if let Some(cell) = buffer.cell_mut((x, middle)).filter(|_| x < area.right()) {
            cell.set_char(symbol).set_style(style);
        }
    };
    put(column, symbol, style.add_modifier(Modifier::BOLD));
    if let Some((left, right)) = marks.brackets(screen.color, piece.is_some()) {
        let style = if screen.color { base.fg(BLACK_PIECE) } else { base };
        // In the smallest squares there is room for one of them.
        if column > area.x {
            put(column - 1, left, style.add_modifier(Modifier::BOLD));
        }
        put(column + 1, right, style.add_modifier(Modifier::BOLD));
    }
}
