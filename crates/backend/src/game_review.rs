//! What is kept of the review of a game.

use chess::pgn::EvalScore;
use chess::{Color, Move, Position, Variant};
use coach::{Claim, MoveExplanation};
use review::why::{self, JudgedMove};
use review::{Evaluation, Judgement, MoveReview, PlayerReview};

/// How thorough a review is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Effort {
    /// To get an idea.
    Quick,
    /// To trust it.
    #[default]
    Normal,
    /// To study the game.
    Deep,
}

impl Effort {
    /// Nodes for each position.
    #[must_use]
    pub const fn nodes(self) -> u64 {
        match self {
            Self::Quick => 10_000,
            Self::Normal => 50_000,
            Self::Deep => 400_000,
        }
    }
}

/// A reviewed game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameReview {
    /// The game.
    pub game: String,
    /// Which chess was played.
    pub variant: Variant,
    /// How thorough it is.
    pub effort: Effort,
    /// The version of Gardez that made it.
    pub version: String,
    /// Nodes for each position.
    pub nodes: u64,
    /// How the first position is judged.
    pub start: Judged,
    /// The ply that tipped the game for good, counted from 1.
    pub turning_point: Option<usize>,
    /// The moves.
    pub moves: Vec<ReviewedMove>,
    /// White and Black.
    pub sides: [SideReview; 2],
}

/// How a position is judged, from White's view.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Judged {
    /// The score.
    pub score: EvalScore,
    /// How many per cent of the point White may expect.
    pub win_percent: f64,
}

/// A move of the game and what is to be said of it.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedMove {
    /// The position it was played in.
    pub before: Position,
    /// The move.
    pub mv: Move,
    /// How the position after it is judged.
    pub after: Judged,
    /// Points of the win percentage that the move has given away.
    pub loss: f64,
    /// How exact it was, from 0 to 100.
    pub accuracy: f64,
    /// Whether it was an error.
    pub judgement: Option<Judgement>,
    /// What was better; none if the move was the best.
    pub better: Option<BetterLine>,
}

/// Better play than a move of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct BetterLine {
    /// Where it leads.
    pub judged: Judged,
    /// The moves, from the position before.
    pub line: Vec<Move>,
}

/// How a side has played; nothing without moves.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct SideReview {
    /// The mean accuracy of its moves, from 0 to 100.
    pub accuracy: Option<f64>,
    /// The mean loss in centipawns.
    pub average_loss: Option<f64>,
}

impl GameReview {
    /// What is kept of a review.
    pub fn new(game: &str, effort: Effort, review: &review::Review) -> Self {
        Self {
            game: game.to_owned(),
            variant: review.variant,
            effort,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            nodes: effort.nodes(),
            start: Judged::new(&review.start),
            turning_point: review.turning_point.map(|index| index + 1),
            moves: review.moves.iter().map(ReviewedMove::new).collect(),
            sides: review.players.each_ref().map(SideReview::new),
        }
    }

    /// How many errors of a kind a side has made.
    #[must_use]
    pub fn count(&self, color: Color, judgement: Judgement) -> usize {
        let fits = |mv: &&ReviewedMove| mv.before.turn() == color && mv.judgement == Some(judgement);
        self.moves.iter().filter(fits).count()
    }

    /// Why each error was one; none for moves that were not errors.
    pub(crate) fn explanations(&self) -> Vec<Option<MoveExplanation>> {
        let judged: Vec<JudgedMove<'_>> = self.moves.iter().map(ReviewedMove::judged).collect();
        let explain =
            |(index, mv): (usize, &ReviewedMove)| mv.judgement.and_then(|_| why::of_move(&judged, index));
        self.moves.iter().enumerate().map(explain).collect()
    }

    /// What the game taught a side, from the explanations of its errors.
    pub(crate) fn lesson(&self, color: Color, explanations: &[Option<MoveExplanation>]) -> Vec<Claim> {
        let errors = self.moves.iter().zip(explanations);
        let own = errors.filter(|(mv, _)| mv.before.turn() == color).filter_map(|(_, why)| why.as_ref());
        let turn = self.turning_point.and_then(|ply| self.moves.get(ply.checked_sub(1)?));
        coach::lesson::of_game(color, own, turn.map(|mv| why::single_move(mv.before, mv.mv)))
    }

    /// Errors that teach something, with their plies counted from 1: inaccuracies are left out.
    pub fn mistakes(&self) -> impl Iterator<Item = Mistake<'_>> {
        self.moves.iter().enumerate().filter_map(|(index, mv)| {
            let judgement = mv.judgement.filter(|&judgement| judgement != Judgement::Inaccuracy)?;
            Some(Mistake { ply: index + 1, mv, judgement, better: mv.better.as_ref()? })
        })
    }
}

/// An error of a review.
#[derive(Copy, Clone, Debug)]
pub struct Mistake<'a> {
    /// Which move of the game, counted from 1.
    pub ply: usize,
    /// The move.
    pub mv: &'a ReviewedMove,
    /// How bad it was.
    pub judgement: Judgement,
    /// What was better.
    pub better: &'a BetterLine,
}

impl Judged {
    fn new(evaluation: &Evaluation) -> Self {
        Self { score: evaluation.score, win_percent: rounded(evaluation.win_percent) }
    }
}

impl ReviewedMove {
    fn new(review: &MoveReview) -> Self {
        let better = (!review.is_best() && !review.best_line.is_empty()).then(|| BetterLine {
            judged: Judged::new(&review.best_evaluation),
            line: review.best_line.clone(),
        });
        Self {
            before: review.before,
            mv: review.mv,
            after: Judged::new(&review.evaluation),
            loss: rounded(review.loss),
            accuracy: rounded(review.accuracy),
            judgement: review.judgement,
            better,
        }
    }
}

impl ReviewedMove {
    /// As its explanation needs it.
    fn judged(&self) -> JudgedMove<'_> {
        let better = self.better.as_ref();
        JudgedMove {
            before: &self.before,
            mv: self.mv,
            best_line: better.map(|better| &better.line[..]).unwrap_or_default(),
            best_score: better.map_or(self.after.score, |better| better.judged.score),
            score: self.after.score,
        }
    }
}

impl SideReview {
    fn new(player: &PlayerReview) -> Self {
        let has_moves = player.moves > 0;
        Self {
            accuracy: has_moves.then(|| rounded(player.accuracy)),
            average_loss: has_moves.then(|| rounded(player.average_loss)),
        }
    }
}

/// Two decimals are enough.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
