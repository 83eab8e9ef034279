//! PGN in and out.

use crate::game_review::GameReview;
use crate::openings;
use crate::record::{GameKind, Player, Record, now};
use chess::GameResult;
use chess::pgn::{Date, Eval, EvalScore, Heading, Line, Nag, Node, PgnFault, PgnGame, ReadLimits, Reader};
use coach::Catalogue;
use review::{Judgement, annotate};
use std::time::Duration;

/// The largest PGN that is taken.
pub const MAX_BYTES: usize = 8 << 20;
/// Variations within each other.
pub(crate) const MAX_DEPTH: usize = 30;
/// What is read to be kept.
pub(crate) const IMPORT: Extent =
    Extent { games: 2000, limits: ReadLimits { items: 400_000, depth: MAX_DEPTH } };
/// What is read to be shown as trees, which take more room than games.
pub(crate) const TREES: Extent = Extent { games: 50, limits: ReadLimits { items: 50_000, depth: MAX_DEPTH } };
/// The most faults that are reported.
const MAX_FAULTS: usize = 100;
/// Variations of a review are cut after this many moves.
const MAX_VARIATION: usize = 10;

/// How much of a text is read: this, not the text, decides how much memory it takes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Extent {
    /// The most games.
    pub(crate) games: usize,
    /// The most of everything in them together.
    pub(crate) limits: ReadLimits,
}

/// What is wrong with a game of a text. Games, lines and columns count from 1; 0 where there is no place.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// Which game.
    pub(crate) game: u64,
    /// In which line of the text.
    pub(crate) line: u64,
    /// In which column of it.
    pub(crate) column: u64,
    /// What.
    pub(crate) message: String,
}

impl Fault {
    /// A fault of a game as a whole.
    pub(crate) fn of_game(game: usize, message: impl Into<String>) -> Self {
        Self { game: game as u64, line: 0, column: 0, message: message.into() }
    }
}

impl From<&PgnFault> for Fault {
    fn from(fault: &PgnFault) -> Self {
        Self { game: fault.game, line: fault.line, column: fault.column, message: fault.kind.to_string() }
    }
}

/// The games of a text as far as they can be read, and what is wrong with them.
#[must_use]
pub(crate) fn read(text: &str, extent: Extent) -> (Vec<PgnGame>, Vec<Fault>) {
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    // A text in memory can always be read.
    for game in Reader::new(text.as_bytes()).with_limits(extent.limits).flatten() {
        let most = extent.games;
        if games.len() == most {
            faults.push(Fault::of_game(most + 1, format!("only the first {most} games were read")));
            break;
        }
        let room = MAX_FAULTS.saturating_sub(faults.len());
        faults.extend(game.faults.iter().take(room).map(Fault::from));
        // A text without tags and moves is no game.
        if game.faults.is_empty() || game != (PgnGame { faults: game.faults.clone(), ..PgnGame::default() }) {
            games.push(game);
        }
    }
    (games, faults)
}

/// A kept game as PGN; an imported one as it came.
#[must_use]
pub(crate) fn of_record(record: &Record) -> PgnGame {
    if let Some(text) = &record.pgn
        && let Some(Ok(game)) = Reader::new(text.as_bytes()).next()
    {
        return game;
    }
    let [white, black] = record.players.each_ref().map(Player::name);
    let time_control = record.time_control().map_or_else(|| "-".to_owned(), |control| control.to_string());
    let heading = Heading {
        event: "Casual game",
        site: "Gardez",
        date: Some(date(record.created)),
        round: "-",
        white: &white,
        black: &black,
        time_control: &time_control,
    };
    let mut game = PgnGame::from_game(&record.game, &heading);
    if record.kind == GameKind::Imported {
        game.set_result(GameResult::Unfinished);
    }
    if let Some(opening) = openings::name(&record.game) {
        game.tags.set("ECO", opening.eco);
        game.tags.set("Opening", opening.name);
    }
    game
}

/// Writes a review into its game: evaluations, signs, reasons, and the better lines at errors.
pub(crate) fn annotate(game: &mut PgnGame, review: &GameReview) {
    let catalogue = Catalogue::english();
    let explanations = review.explanations();
    let moves = review.moves.iter().zip(&explanations).enumerate();
    for (node, (index, (reviewed, why))) in game.line.moves.iter_mut().zip(moves) {
        // The game may have been changed since, by a takeback.
        if node.mv != Some(reviewed.mv) {
            break;
        }
        let is_turning_point = review.turning_point == Some(index + 1);
        let words = annotate::words(&catalogue, reviewed.judgement, why.as_ref(), is_turning_point);
        // Mate on the board needs no evaluation.
        let eval = Some(Eval { score: reviewed.after.score, depth: None });
        annotate::set_comment(node, eval.filter(|eval| eval.score != EvalScore::Mate(0)), &words);
        let Some(judgement) = reviewed.judgement else { continue };
        node.nags.retain(|nag| nag.0 > 6);
        node.nags.insert(0, sign(judgement));
        if let Some(better) = &reviewed.better {
            let moves = better.line.iter().take(MAX_VARIATION).map(|&mv| Node::new(Some(mv))).collect();
            node.variations.push(Line { comments: Vec::new(), moves });
        }
    }
}

const fn sign(judgement: Judgement) -> Nag {
    match judgement {
        Judgement::Inaccuracy => Nag(6),
        Judgement::Mistake => Nag(2),
        Judgement::Blunder => Nag(4),
    }
}

fn date(milliseconds: i64) -> Date {
    Date::from_unix_time(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0)))
}

/// A name for a file of games.
#[must_use]
pub fn file_name() -> String {
    format!("gardez-{}.pgn", date(now()).to_string().replace('.', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faulty_games_are_read_up_to_the_fault() {
        let (games, faults) = read("1. e4 e4 *\n\n[White \"B\"]\n\n1. d4 *", IMPORT);
        assert_eq!(games.iter().map(|game| game.moves().count()).collect::<Vec<_>>(), [1, 1]);
        assert_eq!((faults.len(), faults[0].game, faults[0].line), (1, 1, 1));
        let (games, faults) = read("this is no game", IMPORT);
        assert_eq!((games.len(), faults.len()), (0, 4));
    }

    #[test]
    fn no_text_makes_more_than_the_extent_allows() {
        let items = TREES.limits.items;
        for (start, item) in [
            ("1. e4", "(d4)"),
            ("1. e4", "{}"),
            ("1. e4", "(d4 {} $1)"),
            ("1. e4", "$1"),
            ("", "{}"),
            ("", "[A \"\"]"),
            ("", "1. e4 *\n"),
            ("", "[A \"\"] *\n"),
        ] {
            let text = format!("[White \"A\"]\n\n1. e4 *\n\n{start}{}", item.repeat(items));
            let (games, faults) = read(&text, TREES);
            assert!(games.len() <= TREES.games, "{item}");
            assert_eq!(games[0].tags.get("White"), Some("A"), "what comes before is kept: {item}");
            assert!(!faults.is_empty(), "{item}");
        }
        let deep = format!("1. e4 {}", "(d4 ".repeat(MAX_DEPTH + 1));
        assert!(read(&deep, TREES).1[0].message.contains("within each other"));
    }
}
