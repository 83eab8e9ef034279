//! The board as lines of text, and in words.

use chess::{CastlingSide, Color, File, Move, MoveKind, Piece, Position, Rank, Role, Square};
use std::fmt::Write as _;

/// How pieces are drawn.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Look {
    /// As letters, White's large.
    Letters,
    /// Chess figurines without colours, White's hollow.
    Figurines,
    /// Full figurines in two colours, on light and dark squares.
    Colored,
}

/// The board as it is shown.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct BoardView {
    pub look: Look,
    /// The side that sits at the bottom.
    pub bottom: Color,
}

impl BoardView {
    /// Ranks from top to bottom and files from left to right.
    pub(crate) fn command(&self) -> ([Rank; 8], [File; 8]) {
        let (mut ranks, mut files) = (Rank::ALL, File::ALL);
        match self.bottom {
            Color::White => ranks.reverse(),
            Color::Black => files.reverse(),
        }
        (ranks, files)
    }

    /// The board in eight lines, with its names below and the last move marked.
    pub(crate) fn draw(&self, position: &Position, last_move: Option<Move>) -> String {
        let mut text = String::new();
        let (ranks, files) = self.command();
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

/// A board in letters, seen from one side, with the last move marked.
#[must_use]
pub fn board_text(position: &Position, bottom: Color, last_move: Option<Move>) -> String {
    BoardView { look: Look::Letters, bottom }.draw(position, last_move)
}

/// Where the piece that moved stands now.
pub(crate) fn target(mv: Move, mover: Color) -> Square {
    match mv.kind() {
        MoveKind::Castling => CastlingSide::of(mv.from(), mv.to()).king_target(mover),
        _ => mv.to(),
    }
}

/// A figurine that shows its colour without the help of the terminal.
pub(crate) fn figurine(piece: Piece) -> char {
    const HOLLOW: [char; 6] = ['♙', '♘', '♗', '♖', '♕', '♔'];
    match piece.color() {
        Color::White => HOLLOW[piece.role().index()],
        Color::Black => full_figurine(piece.role()),
    }
}

/// A figurine to be coloured.
pub(crate) const fn full_figurine(role: Role) -> char {
    ['♟', '♞', '♝', '♜', '♛', '♚'][role.index()]
}

const NOBLE_FIRST: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// Where a side's pieces stand, in words.
pub(crate) fn pieces_in_words(position: &Position, color: Color) -> String {
    let of_role = |role: Role| {
        let squares: Vec<String> =
            position.pieces(color, role).into_iter().map(|square| square.to_string()).collect();
        let plural = if squares.len() > 1 { "s" } else { "" };
        (!squares.is_empty()).then(|| format!("{}{plural} {}", role.name(), squares.join(" ")))
    };
    let pieces: Vec<String> = NOBLE_FIRST.into_iter().filter_map(of_role).collect();
    format!("{color}: {}.", pieces.join(", "))
}

/// What a side has lost against the full set, most valuable first. With promoted pieces on the board the pawns
/// they came from count as lost, as they are.
pub(crate) fn captured(position: &Position, start: &Position, color: Color) -> Vec<Role> {
    let count = |position: &Position, role| position.pieces(color, role).count();
    let missing = |role: Role| count(start, role).saturating_sub(count(position, role)) as usize;
    NOBLE_FIRST[1..].iter().flat_map(|&role| std::iter::repeat_n(role, missing(role))).collect()
}

/// How many points a side has more on the board than the other, by the usual count.
pub(crate) fn material_lead(position: &Position, color: Color) -> i32 {
    const PIECE_VALUES: [i32; 6] = [1, 3, 3, 5, 9, 0];
    let sum = |color| -> i32 {
        Role::ALL
            .into_iter()
            .map(|role| position.pieces(color, role).count() as i32 * PIECE_VALUES[role.index()])
            .sum()
    };
    sum(color) - sum(!color)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn pieces_are_said_and_counted() {
        let position = Position::from_fen("4k3/8/8/8/8/8/PP6/Q3K3 w - - 0 1").expect("a position");
        assert_eq!(pieces_in_words(&position, Color::White), "White: king e1, queen a1, pawns a2 b2.");
        assert_eq!(pieces_in_words(&position, Color::Black), "Black: king e8.");
        assert_eq!(material_lead(&position, Color::White), 11);
        let lost = captured(&position, &Position::startpos(), Color::White);
        assert_eq!(lost.len(), 2 + 2 + 2 + 6);
        assert_eq!((lost[0], lost[11]), (Role::Rook, Role::Pawn));
    }
}
