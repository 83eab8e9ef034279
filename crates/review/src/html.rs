//! Reviews as pages for the browser. They are complete in themselves: no script, nothing to fetch.

use crate::diagram::{self, Arrow};
use crate::graph;
use crate::judge::Judgement;
use crate::notation::{move_number, san_line, show_score};
use crate::report::{MoveReview, PlayerReview, Review};
use chess::Color;
use chess::pgn::PgnGame;
use coach::Catalogue;
use std::fmt::{self, Write};

/// Lines in the list of moves are cut after this many half-moves.
const MAX_LINE: usize = 8;
/// The arrows of what was played, and of what was better.
const PLAYED: &str = "#c33";
const BETTER: &str = "#283";

/// A text with everything escaped that HTML and XML would take for markup.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML has no place for control characters, not even escaped.
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The beginning of a page.
#[must_use]
pub fn head(title: &str) -> String {
    let title = escape(title);
    let colours = Judgement::ALL.map(|judgement| {
        format!(".{}{{border-bottom:3px solid {}}}", class(judgement), graph::colour(judgement))
    });
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/><title>{title}</title>\n\
         <style>:root{{color-scheme:light dark}}body{{font:1rem/1.6 system-ui,sans-serif;max-width:50rem;\
         margin:auto;padding:1rem}}svg{{width:100%;height:auto;border:1px solid #888}}\
         table{{border-collapse:collapse}}td,th{{padding:.1rem .8rem .1rem 0;text-align:left}}\
         .moves{{width:100%}}.moves td{{width:46%;vertical-align:top}}.moves small{{opacity:.7;margin-left:.5rem}}\
         .moves td:target{{background:#fd06}}.symbols{{display:none}}.diagram{{max-width:15rem;float:left;\
         margin:.3rem 1rem .5rem 0}}.why td{{padding-bottom:1rem}}{}</style></head>\n\
         <body><h1>{title}</h1>\n{}",
        colours.concat(),
        diagram::symbols()
    )
}

/// The end of a page, with the numbers of games.
#[must_use]
pub fn foot(games: u64, faulty: u64) -> String {
    let faults = if faulty > 0 { format!(", {faulty} that could not be read") } else { String::new() };
    let noun = if games == 1 { "game" } else { "games" };
    format!("<p>Reviewed by Gardez: {games} {noun}{faults}.</p>\n</body></html>\n")
}

/// The names of the players and the result.
#[must_use]
pub fn heading(game: &PgnGame) -> String {
    let tag = |name| game.tags.get(name).unwrap_or("?");
    format!("{} – {}, {}", tag("White"), tag("Black"), tag("Result"))
}

/// A game: its names, how both sides played, the graph and the moves.
#[must_use]
pub fn section(number: u64, game: &PgnGame, review: &Review) -> String {
    let mut text = String::new();
    // Writing into a string does not fail.
    let _ = write_section(&mut text, number, game, review);
    text
}

/// A line about a game in the list of a directory, with a link to its page.
#[must_use]
pub fn index_line(number: u64, game: &PgnGame, review: &Review, page: &str) -> String {
    let [white, black] = &review.players;
    let opening = review.opening.as_ref().map_or(String::new(), |opening| format!(", {}", opening.name));
    format!(
        "<p>{number}. <a href=\"{}\">{}</a>{}; accuracy {:.1} and {:.1}</p>\n",
        escape(page),
        escape(&heading(game)),
        escape(&opening),
        white.accuracy,
        black.accuracy
    )
}

/// What is said of a game that cannot be read.
#[must_use]
pub fn fault(reason: &str) -> String {
    format!("<p>Left out: {}</p>\n", escape(reason))
}

/// What is wrong with a game that was reviewed all the same.
#[must_use]
pub fn fault_note(reason: &str) -> String {
    format!("<p>In the next game: {}</p>\n", escape(reason))
}

fn write_section(out: &mut String, number: u64, game: &PgnGame, review: &Review) -> fmt::Result {
    let heading = heading(game);
    writeln!(out, "<section id=\"game-{number}\"><h2>{}</h2>", escape(&heading))?;
    let tag = |name| game.tags.get(name).filter(|value| !value.starts_with('?'));
    let facts: Vec<&str> = [tag("Event"), tag("Date")].into_iter().flatten().collect();
    let opening = review.opening.as_ref().map(|opening| format!("{} {}", opening.eco, opening.name));
    let facts: Vec<String> = facts.into_iter().map(str::to_owned).chain(opening).collect();
    if !facts.is_empty() {
        writeln!(out, "<p>{}</p>", escape(&facts.join(", ")))?;
    }
    writeln!(
        out,
        "<table><tr><th></th><th>accuracy</th><th>average loss</th><th>inaccuracies</th><th>mistakes</th>\
         <th>blunders</th></tr>"
    )?;
    for (color, player) in ["White", "Black"].into_iter().zip(&review.players) {
        let name = game.tags.get(color).unwrap_or("?");
        write_player(out, name, player)?;
    }
    out.write_str("</table>\n")?;
    let anchor = |index: usize| format!("#{}", anchor(number, index));
    writeln!(out, "{}", graph::linked_svg(review, &format!("Evaluation of {heading}"), &anchor))?;
    let catalogue = Catalogue::english();
    let explanations = review.explanations();
    // Where the game turned is the same for both sides.
    let mut lessons: Vec<String> = Vec::new();
    for claim in Color::ALL.into_iter().flat_map(|side| review.lesson(side, &explanations)) {
        let sentence = catalogue.sentence(&claim);
        if !lessons.contains(&sentence) {
            lessons.push(sentence);
        }
    }
    if !lessons.is_empty() {
        writeln!(out, "<h3>What this game taught</h3><p>{}</p>", escape(&lessons.join(" ")))?;
    }
    let words = |index: usize| {
        let why = explanations[index].as_ref().map(|why| catalogue.paragraph(&why.claims));
        let turn = (review.turning_point == Some(index)).then(|| "The turning point.".to_owned());
        why.into_iter().chain(turn).collect::<Vec<_>>().join(" ")
    };
    write_moves(out, number, &review.moves, &words)?;
    writeln!(out, "<p>{}</p></section>", escape(game.tags.get("Result").unwrap_or("*")))
}

/// The name of the place where a move is described.
fn anchor(game: u64, index: usize) -> String {
    format!("game-{game}-move-{}", index + 1)
}

fn write_player(out: &mut String, name: &str, player: &PlayerReview) -> fmt::Result {
    let [inaccuracies, mistakes, blunders] = player.errors;
    writeln!(
        out,
        "<tr><th>{}</th><td>{:.1} %</td><td>{:.0}</td><td>{inaccuracies}</td><td>{mistakes}</td>\
         <td>{blunders}</td></tr>",
        escape(name),
        player.accuracy,
        player.average_loss
    )
}

/// The moves with their evaluations, a row for each of both sides, and after it what is to be said of its errors.
fn write_moves(
    out: &mut String,
    game: u64,
    moves: &[MoveReview],
    words: &dyn Fn(usize) -> String,
) -> fmt::Result {
    out.write_str("<table class=\"moves\">\n")?;
    let mut index = 0;
    while let Some(first) = moves.get(index) {
        let is_black = first.before.turn() == Color::Black;
        let count = if is_black { 1 } else { 2 };
        let end = (index + count).min(moves.len());
        write!(out, "<tr><th>{}</th>", move_number(&first.before))?;
        if is_black {
            out.write_str("<td></td>")?;
        }
        for (offset, review) in moves[index..end].iter().enumerate() {
            write_move(out, &anchor(game, index + offset), review)?;
        }
        out.write_str("</tr>\n")?;
        for (offset, review) in moves[index..end].iter().enumerate() {
            write_error(out, review, &words(index + offset))?;
        }
        index = end;
    }
    out.write_str("</table>\n")
}

fn write_move(out: &mut String, anchor: &str, review: &MoveReview) -> fmt::Result {
    let before = &review.before;
    let best = san_line(before, &review.best_line[..review.best_line.len().min(MAX_LINE)]);
    let (class, sign) = review.judgement.map_or(("", ""), |judgement| (class(judgement), judgement.sign()));
    write!(
        out,
        "<td id=\"{anchor}\"><span class=\"{class}\" title=\"best {}\">{}{sign}</span><small>{}</small></td>",
        escape(&best),
        before.san(review.mv),
        review.value(),
    )
}

/// A diagram of the position before an error, with what was played and what was better, and why.
fn write_error(out: &mut String, review: &MoveReview, words: &str) -> fmt::Result {
    let before = &review.before;
    let Some(judgement) = review.judgement else {
        if !words.is_empty() {
            writeln!(out, "<tr class=\"why\"><th></th><td colspan=\"2\">{}</td></tr>", escape(words))?;
        }
        return Ok(());
    };
    let mut arrows = vec![Arrow { mv: review.mv, colour: PLAYED }];
    arrows.extend(review.best_line.first().map(|&mv| Arrow { mv, colour: BETTER }));
    let better = san_line(before, &review.best_line[..review.best_line.len().min(1)]);
    let title = format!("Before {}; better is {better}", review.numbered_san());
    writeln!(
        out,
        "<tr class=\"why\"><th></th><td colspan=\"2\">{}<b>{}{}</b> {judgement} ({}, best {}). {}</td></tr>",
        diagram::svg(before, before.turn(), &arrows, &title),
        escape(&review.numbered_san()),
        judgement.sign(),
        review.value(),
        show_score(review.best_evaluation.score),
        escape(words),
    )
}

const fn class(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "inaccuracy",
        Judgement::Mistake => "mistake",
        Judgement::Blunder => "blunder",
    }
}
