//! Reviews as pages for the browser. They are complete in themselves: no script, nothing to fetch.

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
         .better{{display:block;margin:0 0 .3rem 1.5rem;opacity:.8}}{}</style></head>\n\
         <body><h1>{title}</h1>\n",
        colours.concat()
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
    writeln!(out, "{}", graph::svg(review, &format!("Evaluation of {heading}")))?;
    let catalogue = Catalogue::english();
    let explanations = review.explanations();
    for side in Color::ALL {
        let lesson = catalogue.paragraph(&review.lesson(side, &explanations));
        if !lesson.is_empty() {
            writeln!(out, "<p>{}</p>", escape(&lesson))?;
        }
    }
    out.write_str("<p>")?;
    for (index, (review, why)) in review.moves.iter().zip(&explanations).enumerate() {
        let words = why.as_ref().map(|why| catalogue.paragraph(&why.claims)).unwrap_or_default();
        write_move(out, review, &words, index == 0)?;
    }
    writeln!(out, "{}</p></section>", escape(game.tags.get("Result").unwrap_or("*")))
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

fn write_move(out: &mut String, review: &MoveReview, words: &str, is_first: bool) -> fmt::Result {
    let before = &review.before;
    if before.turn() == Color::White || is_first {
        write!(out, "{} ", move_number(before))?;
    }
    let score = show_score(review.evaluation.score);
    let best = san_line(before, &review.best_line[..review.best_line.len().min(MAX_LINE)]);
    let san = before.san(review.mv);
    let Some(judgement) = review.judgement else {
        return write!(out, "<span title=\"{score}; best {}\">{san}</span> ", escape(&best));
    };
    write!(
        out,
        "<b class=\"{}\" title=\"{score}\">{san}{}</b>\n<span class=\"better\">{judgement} ({score}, best {}). {}</span> ",
        class(judgement),
        judgement.sign(),
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
