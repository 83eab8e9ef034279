//! Reviews of games, and the exercises that come of them.

use super::analysis::Score;
use super::coach::Remark;
use super::position::{MoveName, Position, Variant};
use serde::{Deserialize, Serialize};

/// How bad a move was.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl From<review::Judgement> for Judgement {
    fn from(judgement: review::Judgement) -> Self {
        match judgement {
            review::Judgement::Inaccuracy => Self::Inaccuracy,
            review::Judgement::Mistake => Self::Mistake,
            review::Judgement::Blunder => Self::Blunder,
        }
    }
}

/// A move of the game and what is to be said of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewMove {
    /// 1 for the first move of the game.
    pub ply: usize,
    pub uci: String,
    pub san: String,
    /// After the move.
    pub score: Score,
    /// White's expected score after the move, 0 to 100.
    pub win: f64,
    /// What the move cost its player, in points of `win`.
    pub loss: f64,
    /// 0 to 100.
    pub accuracy: f64,
    pub judgement: Option<Judgement>,
    /// Better play than the move; first move and what follows. Null if the move was the best.
    pub better: Option<Better>,
    /// Why it was an error; none if it was not.
    pub remarks: Vec<Remark>,
}

/// Better play than a move of the game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Better {
    pub score: Score,
    pub win: f64,
    pub moves: Vec<MoveName>,
}

/// How a side has played.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SideReport {
    /// Null without moves.
    pub accuracy: Option<f64>,
    /// In centipawns; null without moves.
    pub average_loss: Option<f64>,
    pub inaccuracies: usize,
    pub mistakes: usize,
    pub blunders: usize,
    /// What the game taught this side: where it turned, what was missed, what to train.
    pub lesson: Vec<Remark>,
}

/// The review of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Review {
    pub game: String,
    /// A higher one can be asked for again.
    pub effort: Effort,
    /// What made it, for example "Gardez 0.1.0, 50000 nodes a move".
    pub by: String,
    /// Of the start position.
    pub start_score: Score,
    pub start_win: f64,
    /// The ply that tipped the game for good, counted from 1.
    pub turning_point: Option<usize>,
    pub moves: Vec<ReviewMove>,
    pub white: SideReport,
    pub black: SideReport,
}

/// How thorough a review is.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    Quick,
    #[default]
    Normal,
    Deep,
}

/// `GET /exercises`, as query.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct ExercisesQuery {
    /// Of one game; without it, of all the visitor's reviewed games.
    pub game: Option<String>,
    /// Without those that the visitor has solved.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub unsolved: bool,
}

/// Mistakes to solve again.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExercisesAnswer {
    pub exercises: Vec<Exercise>,
}

/// A mistake as a question: what should have been played?
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Exercise {
    pub game: String,
    /// The mistake was this move of the game, counted from 1.
    pub ply: usize,
    pub white: String,
    pub black: String,
    pub judgement: Judgement,
    /// What was played.
    pub played: MoveName,
    /// Before the mistake: to be solved from here.
    pub position: Position,
    pub variant: Variant,
    pub solved: bool,
}

/// `POST /exercises/check`
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExerciseAttempt {
    pub game: String,
    pub ply: usize,
    /// Empty: gives up and asks for the solution.
    pub r#move: String,
}

/// How good an attempt was.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExerciseVerdict {
    pub verdict: Verdict,
    /// After the attempt.
    pub score: Score,
    /// The solution; null while the attempts are wrong, unless asked for with `move: ""`.
    pub solution: Option<Vec<MoveName>>,
    /// What the opponent answers to a wrong attempt, from the position after it; empty otherwise.
    pub refutation: Vec<MoveName>,
    /// Why the attempt is wrong, or the solution right.
    pub remarks: Vec<Remark>,
}

/// `best`: the move of the review; `good`: loses next to nothing; `wrong`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Best,
    Good,
    Wrong,
}
