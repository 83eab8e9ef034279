//! The course of a game as a picture.

use crate::html::escape;
use crate::judge::Judgement;
use crate::report::{MoveReview, Review};
use std::fmt::{self, Write};

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 200.0;

/// The graph of a reviewed game as an SVG picture: White's part of the point from below, errors as dots with
/// their move as a tooltip, the turning point as a line.
#[must_use]
pub fn svg(review: &Review, title: &str) -> String {
    let mut text = String::new();
    // Writing into a string does not fail.
    let _ = write_svg(&mut text, review, title, None);
    text
}

/// The same with a link at every move, to where `address` says that it is described.
#[must_use]
pub fn linked_svg(review: &Review, title: &str, address: &dyn Fn(usize) -> String) -> String {
    let mut text = String::new();
    // Writing into a string does not fail.
    let _ = write_svg(&mut text, review, title, Some(address));
    text
}

/// Where a move, an index of the moves of a review, is described.
type Address<'a> = &'a dyn Fn(usize) -> String;

fn write_svg(out: &mut String, review: &Review, title: &str, address: Option<Address<'_>>) -> fmt::Result {
    let last = review.moves.len().max(1) as f64;
    let x = |ply: usize| WIDTH * ply as f64 / last;
    let y = |percent: f64| HEIGHT * (1.0 - percent / 100.0);
    let title = escape(title);
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"{title}\"><title>{title}</title>\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#444\"/>"
    )?;
    write!(out, "<path fill=\"#eee\" d=\"M0 {HEIGHT}")?;
    for (ply, evaluation) in review.evaluations().enumerate() {
        write!(out, "L{:.1} {:.1}", x(ply), y(evaluation.win_percent))?;
    }
    write!(out, "L{:.1} {HEIGHT}Z\"/>", x(review.moves.len()))?;
    let middle = HEIGHT / 2.0;
    write!(out, "<path stroke=\"#888\" stroke-dasharray=\"4\" d=\"M0 {middle}H{WIDTH}\"/>")?;
    if let Some(index) = review.turning_point {
        let x = x(index + 1);
        write!(out, "<path stroke=\"#36c\" stroke-width=\"2\" d=\"M{x:.1} 0V{HEIGHT}\"/>")?;
    }
    for (index, review) in review.moves.iter().enumerate() {
        let Some(judgement) = review.judgement else { continue };
        let (x, y) = (x(index + 1), y(review.evaluation.win_percent));
        write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{}\" stroke=\"#222\"><title>{}</title></circle>",
            colour(judgement),
            escape(&name(review)),
        )?;
    }
    if let Some(address) = address {
        // Each move has a strip of the picture, so that it is easy to hit.
        let width = WIDTH / last;
        for (index, review) in review.moves.iter().enumerate() {
            let left = (x(index + 1) - width / 2.0).min(WIDTH - width);
            write!(
                out,
                "<a href=\"{}\"><rect x=\"{left:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" \
                 fill-opacity=\"0\"><title>{}</title></rect></a>",
                escape(&address(index)),
                escape(&name(review)),
            )?;
        }
    }
    out.write_str("</svg>")
}

/// A move with its sign and what it led to.
fn name(review: &MoveReview) -> String {
    let sign = review.judgement.map_or("", Judgement::sign);
    format!("{}{sign} {}", review.numbered_san(), review.value())
}

/// The colour that errors of a kind have in graphs and pages.
#[must_use]
pub const fn colour(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "#e6b800",
        Judgement::Mistake => "#e67300",
        Judgement::Blunder => "#d00000",
    }
}
