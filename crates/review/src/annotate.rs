//! A review written into its game.

use crate::judge::Judgement;
use crate::report::{Evaluation, MoveReview, Review};
use chess::Move;
use chess::pgn::{Comment, Eval, EvalScore, Line, Nag, Node, PgnGame};
use coach::{Catalogue, MoveExplanation};

/// Variations are cut after this many half-moves: what comes later is hardly ever played.
const MAX_VARIATION: usize = 12;

/// How the tag `Annotator` begins in games that Gardez has reviewed.
pub const ANNOTATOR: &str = "Gardez";

/// What is said of the move that tipped the game for good.
const TURNING_POINT: &str = "The turning point.";

/// What is written, and what becomes of what was there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// The best line next to every move that the engine would not have played, not only next to errors.
    pub all_lines: bool,
    /// Comments and variations of the game are left out first. Clocks stay.
    pub clean: bool,
    /// What the tag `Annotator` says.
    pub annotator: String,
}

/// Writes a review into the game it is of.
///
/// Comments, clocks, variations and signs of the game stay; evaluations are replaced, and where the review
/// sees an error, its sign replaces the one that was there. (With [`Style::clean`] only clocks stay.) What an earlier
/// review by Gardez has written is replaced, so that a game can be reviewed again, and deeper.
pub fn annotate(game: &mut PgnGame, review: &Review, style: &Style) {
    if style.clean {
        clean(&mut game.line);
    } else if game.tags.get("Annotator").is_some_and(|name| name.starts_with(ANNOTATOR)) {
        game.line.moves.iter_mut().for_each(remove_earlier_review);
    }
    let tags = &mut game.tags;
    if let Some(opening) = &review.opening {
        tags.set("ECO", &opening.eco);
        tags.set("Opening", &opening.name);
    }
    for (color, player) in ["White", "Black"].into_iter().zip(&review.players) {
        if player.moves > 0 {
            tags.set(&format!("{color}Accuracy"), &format!("{:.1}", player.accuracy));
            tags.set(&format!("{color}AverageLoss"), &format!("{:.0}", player.average_loss));
        }
    }
    if !style.annotator.is_empty() {
        tags.set("Annotator", &style.annotator);
    }
    let catalogue = Catalogue::english();
    let explanations = review.explanations();
    for (index, (node, review_of_move)) in game.line.moves.iter_mut().zip(&review.moves).enumerate() {
        let is_turning_point = review.turning_point == Some(index);
        let why = explanations[index].as_ref();
        let words = words(&catalogue, review_of_move.judgement, why, is_turning_point);
        annotate_move(node, review_of_move, &words, style);
    }
}

fn clean(line: &mut Line) {
    line.comments.clear();
    for node in &mut line.moves {
        node.variations.clear();
        node.nags.clear();
        for comment in &mut node.comments {
            comment.text.clear();
        }
        node.comments.retain(|comment| comment.clock.is_some() || comment.elapsed.is_some());
    }
}

/// Takes out what a review has written next to a move: words, sign and better line.
fn remove_earlier_review(node: &mut Node) {
    let is_ours = |comment: &Comment| {
        let judged = |judgement: &Judgement| comment.text.starts_with(&format!("{judgement}."));
        comment.text.starts_with(TURNING_POINT) || Judgement::ALL.iter().any(judged)
    };
    let is_better_line = |line: &Line| {
        line.moves.first().and_then(|node| node.comments.first()).is_some_and(|comment| {
            comment.eval.is_some() && *comment == Comment { eval: comment.eval, ..Comment::default() }
        })
    };
    node.variations.retain(|line| !is_better_line(line));
    if node.comments.iter().any(is_ours) {
        node.nags.retain(|nag| !is_sign_of_move(*nag));
    }
    for comment in node.comments.iter_mut().filter(|comment| is_ours(comment)) {
        comment.text.clear();
    }
}

fn annotate_move(node: &mut Node, review: &MoveReview, words: &str, style: &Style) {
    if let Some(judgement) = review.judgement {
        node.nags.retain(|nag| !is_sign_of_move(*nag));
        node.nags.splice(..0, Nag::from_sign(judgement.sign().as_bytes()));
    }
    set_comment(node, eval_of(&review.evaluation), words);
    let wants_line = review.judgement.is_some() || style.all_lines && !review.is_best();
    if wants_line && !has_variation(node, review.best_line.first()) {
        node.variations.push(variation(review));
    }
}

/// Writes an evaluation and words next to a move, in comments that are there if they have room.
pub fn set_comment(node: &mut Node, eval: Option<Eval>, words: &str) {
    for comment in &mut node.comments {
        comment.eval = None;
    }
    node.comments.retain(|comment| *comment != Comment::default());
    let takes_words = |comment: &Comment| comment.text.is_empty() || comment.text == words;
    if eval.is_some() && node.comments.is_empty() {
        node.comments.push(Comment::default());
    }
    if let Some(first) = node.comments.first_mut() {
        first.eval = eval;
    }
    if !words.is_empty() {
        match node.comments.iter_mut().find(|comment| takes_words(comment)) {
            Some(comment) => words.clone_into(&mut comment.text),
            None => node.comments.push(Comment::from_text(words)),
        }
    }
}

/// From `!` to `?!`.
fn is_sign_of_move(nag: Nag) -> bool {
    (1..=6).contains(&nag.0)
}

/// What is written about a move: its judgement, why, and whether the game turned here.
#[must_use]
pub fn words(
    catalogue: &Catalogue,
    judgement: Option<Judgement>,
    explanation: Option<&MoveExplanation>,
    is_turning_point: bool,
) -> String {
    let mut words = Vec::new();
    if let Some(judgement) = judgement {
        words.push(format!("{judgement}."));
        words.extend(explanation.map(|explanation| catalogue.paragraph(&explanation.claims)));
    }
    if is_turning_point {
        words.push(TURNING_POINT.to_owned());
    }
    words.join(" ")
}

/// Mate on the board needs no evaluation, nor could one be written that says who has mated. That a mate was
/// confirmed to a great depth says nothing.
fn eval_of(evaluation: &Evaluation) -> Option<Eval> {
    let depth = match evaluation.score {
        EvalScore::Mate(0) => return None,
        EvalScore::Mate(_) => None,
        EvalScore::Centipawns(_) => u16::try_from(evaluation.depth).ok().filter(|&depth| depth > 0),
    };
    Some(Eval { score: evaluation.score, depth })
}

/// Whether a variation or, when a game is annotated for the second time, this very one is there.
fn has_variation(node: &Node, first: Option<&Move>) -> bool {
    first.is_none_or(|&first| {
        node.variations.iter().any(|line| line.moves.first().is_some_and(|node| node.mv == Some(first)))
    })
}

fn variation(review: &MoveReview) -> Line {
    let mut moves: Vec<Node> =
        review.best_line.iter().take(MAX_VARIATION).map(|&mv| Node::new(Some(mv))).collect();
    if let Some(first) = moves.first_mut() {
        let eval = eval_of(&review.best_evaluation);
        first.comments.push(Comment { eval, ..Comment::default() });
    }
    Line { comments: Vec::new(), moves }
}
