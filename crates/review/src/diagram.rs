//! Positions as pictures, for pages.

use crate::html::escape;
use chess::{CastlingSide, Color, Move, MoveKind, Piece, Position, Role, Square};
use std::fmt::{self, Write};

/// The outlines of the pieces, on a square of 45 by 45: those of the page's flat set.
const OUTLINES: [(Role, &str); 6] = [
    (
        Role::Pawn,
        "M22.5 9a5.5 5.5 0 0 1 3.6 9.7c2.6 1.4 4 4 4 7.3h-3c.4 4 2 6.5 6 8.5V39h-21v-4.5c4-2 5.6-4.5 6-8.5h-3\
         c0-3.3 1.4-5.9 4-7.3A5.5 5.5 0 0 1 22.5 9z",
    ),
    (
        Role::Knight,
        "M14 39c0-9 7-10 7-16-2 1-4 3-6 5-1.5 1.2-3.5.8-4.5-1l-.5-2.5 6-10c.5-3 1-5 .5-7.5 2 .5 3.5 1.5 4.5 3 \
         8 .5 13 8 12.5 18-.3 5-1.5 8-1.5 11z",
    ),
    (
        Role::Bishop,
        "M22.5 6a2.5 2.5 0 0 1 2 4c4.5 3.5 7 8 7 12 0 3-1.5 5-3.5 6.5l1 3.5h4v5h-21v-5h4l1-3.5C15 27 13.5 25 \
         13.5 22c0-4 2.5-8.5 7-12a2.5 2.5 0 0 1 2-4z",
    ),
    (Role::Rook, "M12 10h5v4h3.5v-4h4v4H28v-4h5v9l-3 3v9l3 4v4H12v-4l3-4v-9l-3-3z"),
    (Role::Queen, "M9 12l6 11 2.5-14 5 13 5-13L30 23l6-11-3 18 1 4v5H11v-5l1-4z"),
    (
        Role::King,
        "M21 5h3v3h3v3h-3v4c5-2 12-.5 12 6 0 4-3 7-5 9l1 4v5H13v-5l1-4c-2-2-5-5-5-9 0-6.5 7-8 12-6v-4h-3V8h3z",
    ),
];

/// An arrow on a diagram.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Arrow {
    pub(crate) mv: Move,
    /// As CSS writes it.
    pub(crate) colour: &'static str,
}

/// The pieces, to be put into a page once before its first diagram.
pub(crate) fn symbols() -> String {
    let mut text = "<svg class=\"symbols\" aria-hidden=\"true\">".to_owned();
    for color in Color::ALL {
        let (fill, stroke, width) = match color {
            Color::White => ("#fdfaf2", "#2b2821", 1.6),
            Color::Black => ("#2b2821", "#f0e9da", 1.1),
        };
        for (role, outline) in OUTLINES {
            let id = symbol(Piece::new(color, role));
            // Writing into a string does not fail.
            let _ = write!(
                text,
                "<symbol id=\"{id}\" viewBox=\"0 0 45 45\"><path d=\"{outline}\" fill=\"{fill}\" \
                 stroke=\"{stroke}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"/></symbol>"
            );
        }
    }
    text.push_str("</svg>\n");
    text
}

fn symbol(piece: Piece) -> String {
    let side = if piece.color() == Color::White { "white" } else { "black" };
    format!("{side}-{}", piece.role().name())
}

/// A position as an SVG picture, seen from a side, with arrows.
pub(crate) fn svg(position: &Position, bottom: Color, arrows: &[Arrow], title: &str) -> String {
    let mut text = String::new();
    // Writing into a string does not fail.
    let _ = write_svg(&mut text, position, bottom, arrows, title);
    text
}

fn write_svg(
    out: &mut String,
    position: &Position,
    bottom: Color,
    arrows: &[Arrow],
    title: &str,
) -> fmt::Result {
    let title = escape(title);
    write!(
        out,
        "<svg class=\"diagram\" viewBox=\"0 0 8 8\" role=\"img\" aria-label=\"{title}\"><title>{title}</title>\
         <rect width=\"8\" height=\"8\" fill=\"#eee6d3\"/><path fill=\"#b58d68\" d=\""
    )?;
    for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (x, y))).filter(|(x, y)| (x + y) % 2 == 1) {
        write!(out, "M{x} {y}h1v1h-1z")?;
    }
    out.write_str("\"/>")?;
    for square in position.occupied() {
        let Some(piece) = position.piece_on(square) else { continue };
        let (x, y) = place(square, bottom);
        let id = symbol(piece);
        write!(out, "<use href=\"#{id}\" x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\"/>")?;
    }
    for Arrow { mv, colour } in arrows {
        let to = match mv.kind() {
            MoveKind::Castling => CastlingSide::of(mv.from(), mv.to()).king_target(position.turn()),
            _ => mv.to(),
        };
        write_arrow(out, place(mv.from(), bottom), place(to, bottom), colour)?;
    }
    out.write_str("</svg>")
}

/// The upper left corner of a square.
fn place(square: Square, bottom: Color) -> (usize, usize) {
    let (file, rank) = (square.file().index(), square.rank().index());
    match bottom {
        Color::White => (file, 7 - rank),
        Color::Black => (7 - file, rank),
    }
}

fn write_arrow(out: &mut String, from: (usize, usize), to: (usize, usize), colour: &str) -> fmt::Result {
    let middle = |(x, y): (usize, usize)| (x as f64 + 0.5, y as f64 + 0.5);
    let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
    let length = (x2 - x1).hypot(y2 - y1).max(1.0);
    let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
    // Where the shaft ends and the head begins.
    let (neck_x, neck_y) = (x2 - 0.4 * dx, y2 - 0.4 * dy);
    write!(
        out,
        "<path d=\"M{x1:.2} {y1:.2}L{neck_x:.2} {neck_y:.2}\" stroke=\"{colour}\" stroke-width=\".16\" \
         stroke-linecap=\"round\" opacity=\".8\"/>\
         <path d=\"M{x2:.2} {y2:.2}L{:.2} {:.2}L{:.2} {:.2}Z\" fill=\"{colour}\" opacity=\".8\"/>",
        neck_x - 0.22 * dy,
        neck_y + 0.22 * dx,
        neck_x + 0.22 * dy,
        neck_y - 0.22 * dx,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_its_symbol_and_its_place() {
        let start = Position::startpos();
        let picture = svg(&start, Color::White, &[], "the <start>");
        assert_eq!(picture.matches("<use ").count(), 32);
        assert!(picture.contains("<use href=\"#white-king\" x=\"4\" y=\"7\""));
        assert!(picture.contains("the &lt;start&gt;"));
        let turned = svg(&start, Color::Black, &[], "");
        assert!(turned.contains("<use href=\"#white-king\" x=\"3\" y=\"0\""));
        let symbols = symbols();
        for piece in ["white-pawn", "black-queen", "white-knight"] {
            assert!(symbols.contains(&format!("id=\"{piece}\"")));
        }
    }

    #[test]
    fn arrows_go_from_square_to_square() {
        let castling: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a position");
        let mv = castling.parse_san("O-O").expect("legal");
        let picture = svg(&castling, Color::White, &[Arrow { mv, colour: "green" }], "");
        assert!(picture.contains("M4.50 7.50L") && picture.contains("M6.50 7.50L"), "{picture}");
    }
}
