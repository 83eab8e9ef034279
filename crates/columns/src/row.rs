//! What the columns say of a move.

use chess::pgn::{Comment, EvalScore, Node, PgnGame};
use chess::{Color, GameResult, Position};
use coach::{ErrorKind, Fact, MoveExplanation};
use review::opening::Opening;
use review::{Evaluation, Judgement, MoveReview, Review};
use std::time::Duration;

/// The moves of a game, with what is known of the game as a whole.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRows {
    /// Its number in the file, from 1.
    pub game: u64,
    /// The name of White.
    pub white: Option<String>,
    /// The name of Black.
    pub black: Option<String>,
    /// The rating of White.
    pub white_elo: Option<i32>,
    /// The rating of Black.
    pub black_elo: Option<i32>,
    /// The result.
    pub result: GameResult,
    /// When it was played, as PGN writes it.
    pub date: Option<String>,
    /// The opening, if it has a name.
    pub opening: Option<Opening>,
    /// The moves.
    pub moves: Vec<MoveRow>,
}

/// A move of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveRow {
    /// The half-move, from 1.
    pub ply: usize,
    /// Who moves.
    pub side: Color,
    /// The position before the move.
    pub fen: String,
    /// The move by its squares.
    pub uci: String,
    /// The move in algebraic notation.
    pub san: String,
    /// How the position after it is judged: by the review, or else by the comments of the file.
    pub score: Option<Scored>,
    /// What the review says of the move, if there is one.
    pub judged: Option<Judged>,
    /// What the player's clock showed after the move.
    pub clock: Option<Duration>,
}

/// The value of a position.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Scored {
    /// Seen from White.
    pub score: EvalScore,
    /// How many per cent of the point White may expect, if that was worked out.
    pub win_percent: Option<f64>,
}

/// What a review says of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The best move by its squares; none where the game was over.
    pub best: Option<String>,
    /// How that is judged.
    pub best_score: Scored,
    /// Points of the win percentage given away.
    pub loss: f64,
    /// Centipawns given away.
    pub centipawn_loss: i32,
    /// From 0 to 100.
    pub accuracy: f64,
    /// Whether the move was an error.
    pub judgement: Option<Judgement>,
    /// What kind of error.
    pub error: Option<ErrorKind>,
    /// The motifs that explain the error, by their stable names.
    pub motifs: Vec<&'static str>,
}

impl GameRows {
    /// The rows of a reviewed game with its number in the file.
    #[must_use]
    pub fn reviewed(number: u64, game: &PgnGame, review: &Review) -> Self {
        let explanations = review.explanations();
        let mut rows = Self::of_game(number, game);
        rows.opening.clone_from(&review.opening);
        for ((row, review), why) in rows.moves.iter_mut().zip(&review.moves).zip(&explanations) {
            row.score = Some((&review.evaluation).into());
            row.judged = Some(Judged::new(review, why.as_ref(), game));
        }
        rows
    }

    /// The rows of a game that nobody has reviewed, with its number in the file.
    #[must_use]
    pub fn of_game(number: u64, game: &PgnGame) -> Self {
        let tag = |name| game.tags.get(name).filter(|value| !value.is_empty() && *value != "?");
        let text = |name| tag(name).map(str::to_owned);
        let rating = |name| tag(name).and_then(|value| value.parse().ok()).filter(|elo| *elo > 0);
        let date = text("Date").or_else(|| text("UTCDate")).filter(|date| date != "????.??.??");
        let style = game.variant().castling_style();
        let mut position = game.start;
        let mut moves = Vec::new();
        for (mv, node) in game.moves().zip(&game.line.moves) {
            moves.push(MoveRow {
                ply: moves.len() + 1,
                side: position.turn(),
                fen: position.to_fen(),
                uci: position.to_uci(mv, style).to_string(),
                san: position.san(mv).to_string(),
                score: noted_score(node),
                judged: None,
                clock: noted(node, |comment| comment.clock),
            });
            position.play(mv);
        }
        Self {
            game: number,
            white: text("White"),
            black: text("Black"),
            white_elo: rating("WhiteElo"),
            black_elo: rating("BlackElo"),
            result: game.result(),
            date,
            opening: Opening::of(&game.playable()),
            moves,
        }
    }
}

fn noted<T>(node: &Node, find: impl FnMut(&Comment) -> Option<T>) -> Option<T> {
    node.comments.iter().find_map(find)
}

fn noted_score(node: &Node) -> Option<Scored> {
    let score = noted(node, |comment| comment.eval)?.score;
    Some(Scored { score, win_percent: None })
}

impl From<&Evaluation> for Scored {
    fn from(evaluation: &Evaluation) -> Self {
        Self { score: evaluation.score, win_percent: Some(evaluation.win_percent) }
    }
}

impl Judged {
    fn new(review: &MoveReview, why: Option<&MoveExplanation>, game: &PgnGame) -> Self {
        let style = game.variant().castling_style();
        let uci = |position: &Position, mv| position.to_uci(mv, style).to_string();
        Self {
            best: review.best_line.first().map(|&mv| uci(&review.before, mv)),
            best_score: (&review.best_evaluation).into(),
            loss: review.loss,
            centipawn_loss: review.centipawn_loss,
            accuracy: review.accuracy,
            judgement: review.judgement,
            error: why.and_then(|why| why.kind),
            motifs: why.map(motifs).unwrap_or_default(),
        }
    }
}

/// The motifs of an explanation, each once, the most important first.
fn motifs(why: &MoveExplanation) -> Vec<&'static str> {
    let mut found = Vec::new();
    for claim in &why.claims {
        if let Fact::Motif { motif, .. } = &claim.fact
            && !found.contains(&motif.code())
        {
            found.push(motif.code());
        }
    }
    found
}
