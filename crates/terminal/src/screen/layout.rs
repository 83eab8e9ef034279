//! Where everything is drawn, for any size of the window.

use crate::board::{BoardView, Look};
use chess::{Color, Square};
use ratatui::layout::Rect;

/// The parts of the screen.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    pub title: Rect,
    pub upper_player: Rect,
    /// The 64 squares alone.
    pub squares: Rect,
    /// Columns and rows of a square.
    pub size: (u16, u16),
    pub bar: Option<Rect>,
    pub lower_player: Rect,
    /// Moves and lines, if there is room for them.
    pub side: Option<Rect>,
    pub message: Rect,
    pub prompt: Rect,
}

/// Columns for the names of the ranks.
const RANK_NAMES: u16 = 2;
/// Columns for the evaluation bar and the gap before it.
const BAR: u16 = 2;
/// The narrowest list of moves.
const SIDE: u16 = 24;
/// Rows other than the squares: title, two players, names of the files, message, prompt.
const OTHER_ROWS: u16 = 6;
/// The sizes of a square, the best first: about twice as wide as high, as letters are high.
const SIZES: [(u16, u16); 6] = [(10, 5), (8, 4), (6, 3), (4, 2), (3, 1), (2, 1)];

impl Layout {
    /// The best layout for a window, or none if it is too small for a board.
    pub(super) fn new(area: Rect, with_bar: bool) -> Option<Self> {
        let bar = if with_bar { BAR } else { 0 };
        let width = |size: (u16, u16)| RANK_NAMES + 8 * size.0 + bar;
        let fits = |size: &(u16, u16), side: u16| {
            8 * size.1 + OTHER_ROWS <= area.height && width(*size) + side <= area.width
        };
        let with_side = SIZES.into_iter().find(|size| size.0 > 2 && fits(size, SIDE + 2));
        let size = with_side.or_else(|| SIZES.into_iter().find(|size| fits(size, 0)))?;
        let row = |y: u16, height: u16| Rect::new(area.x, area.y + y, area.width, height);
        let board_width = width(size);
        let narrow = |y: u16| Rect { width: board_width, ..row(y, 1) };
        let board_height = 8 * size.1;
        // Whatever is left goes to the message, which may be long.
        let spare = area.height - board_height - OTHER_ROWS;
        let message_height = 1 + spare.min(2);
        let squares = Rect::new(area.x + RANK_NAMES, area.y + 2, 8 * size.0, board_height);
        let side = with_side.map(|_| Rect {
            x: area.x + board_width + 2,
            width: area.width - board_width - 2,
            ..row(1, board_height + 3)
        });
        Some(Self {
            title: row(0, 1),
            upper_player: narrow(1),
            squares,
            size,
            bar: with_bar.then(|| Rect { x: squares.right() + 1, width: 1, ..squares }),
            lower_player: narrow(board_height + 3),
            side,
            message: row(board_height + 4, message_height),
            prompt: row(board_height + 4 + message_height, 1),
        })
    }

    /// The square at a place of the window.
    pub(super) fn square_at(&self, column: u16, row: u16, bottom: Color) -> Option<Square> {
        let x = usize::from(column.checked_sub(self.squares.x)? / self.size.0);
        let y = usize::from(row.checked_sub(self.squares.y)? / self.size.1);
        let (ranks, files) = BoardView { look: Look::Letters, bottom }.command();
        Some(Square::new(*files.get(x)?, *ranks.get(y)?))
    }

    /// The area of the square in this column and row of the board.
    pub(super) const fn cell(&self, x: u16, y: u16) -> Rect {
        let (width, height) = self.size;
        Rect { x: self.squares.x + x * width, y: self.squares.y + y * height, width, height }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_window_gets_what_fits_or_nothing() {
        for width in 0..200 {
            for height in 0..70 {
                let area = Rect::new(0, 0, width, height);
                for with_bar in [false, true] {
                    let Some(layout) = Layout::new(area, with_bar) else {
                        assert!(width < 20 || height < 14, "{width}x{height}");
                        continue;
                    };
                    let parts =
                        [layout.title, layout.squares, layout.lower_player, layout.message, layout.prompt];
                    for part in parts.into_iter().chain(layout.side).chain(layout.bar) {
                        assert_eq!(part.intersection(area), part, "{width}x{height}: {layout:?}");
                    }
                    assert!(layout.message.bottom() <= layout.prompt.y);
                    assert!(layout.side.is_none_or(|side| side.x >= layout.squares.right()));
                }
            }
        }
    }

    #[test]
    fn the_usual_window_has_large_squares_and_a_list() {
        let layout = Layout::new(Rect::new(0, 0, 80, 24), true).expect("a layout");
        assert_eq!(layout.size, (4, 2));
        assert!(layout.side.is_some_and(|side| side.width >= 36));
    }

    #[test]
    fn squares_are_found_where_they_are_drawn() {
        let layout = Layout::new(Rect::new(0, 0, 80, 24), false).expect("a layout");
        let corner = layout.cell(0, 0);
        assert_eq!(layout.square_at(corner.x, corner.y, Color::White), Some(Square::A8));
        assert_eq!(layout.square_at(corner.x + 3, corner.y + 1, Color::Black), Some(Square::H1));
        let e4 = layout.cell(4, 4);
        assert_eq!(layout.square_at(e4.x + 1, e4.y + 1, Color::White), Some(Square::E4));
        assert_eq!(layout.square_at(0, 0, Color::White), None);
        assert_eq!(layout.square_at(79, 10, Color::White), None);
    }
}
