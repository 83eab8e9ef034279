//! What the search asks of an evaluation.

use crate::MAX_PLY;
use chess::{Move, Position, Role};
use nnue::{Accumulators, Network};
use std::sync::Arc;

/// Which evaluation judges positions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum EvaluationKind {
    /// The network; the handcrafted evaluation while there is none.
    Network,
    /// The handcrafted evaluation.
    Handcrafted,
    /// Material and piece-square tables alone, the yardstick for every other evaluation.
    PieceSquare,
    /// Panics after this many evaluations.
    #[cfg(test)]
    Faulty(u32),
}

/// Judges positions for the search, one instance for each thread.
///
/// The search reports to it every move it plays and takes back, so that an evaluation may keep sums along
/// the line; the handcrafted one has no need to. An enum and no trait object, so that the compiler can put playing a move
/// together with what the search does about it.
pub(crate) enum Evaluation {
    /// Material and piece-square tables alone.
    PieceSquare,
    /// The handcrafted evaluation.
    Handcrafted(Box<eval::Evaluator>),
    /// A network.
    Network(Box<NetworkEvaluation>),
    /// Panics after this many evaluations.
    #[cfg(test)]
    Faulty(u32),
}

impl Evaluation {
    /// The evaluation of this kind. Without a network, the handcrafted one stands in for it.
    #[must_use]
    pub(crate) fn new(kind: EvaluationKind, network: Option<&Arc<Network>>) -> Self {
        match (kind, network) {
            (EvaluationKind::PieceSquare, _) => Self::PieceSquare,
            (EvaluationKind::Network, Some(network)) => {
                Self::Network(Box::new(NetworkEvaluation::new(Arc::clone(network))))
            }
            (EvaluationKind::Network, None) | (EvaluationKind::Handcrafted, _) => {
                Self::Handcrafted(Box::default())
            }
            #[cfg(test)]
            (EvaluationKind::Faulty(left), _) => Self::Faulty(left),
        }
    }

    /// The same evaluation as when it was new.
    #[must_use]
    pub(crate) fn renewed(&self) -> Self {
        match self {
            Self::PieceSquare => Self::PieceSquare,
            Self::Handcrafted(_) => Self::Handcrafted(Box::default()),
            Self::Network(network) => {
                Self::Network(Box::new(NetworkEvaluation::new(Arc::clone(&network.network))))
            }
            #[cfg(test)]
            Self::Faulty(left) => Self::Faulty(*left),
        }
    }

    /// The value of a position for the side to move, in internal units.
    pub(crate) fn evaluate(&mut self, position: &Position) -> i32 {
        match self {
            Self::PieceSquare => eval::baseline(position),
            Self::Handcrafted(evaluator) => evaluator.evaluate(position),
            Self::Network(network) => network.evaluate(position),
            #[cfg(test)]
            Self::Faulty(left) => {
                *left = left.checked_sub(1).expect("the evaluation is faulty");
                eval::baseline(position)
            }
        }
    }

    /// A search begins at this position.
    pub(crate) fn reset(&mut self, root: &Position) {
        if let Self::Network(network) = self {
            network.sums.reset(root);
        }
    }

    /// Plays a move on the board, listening to what changes if it cares.
    #[inline]
    pub(crate) fn play(&mut self, position: &mut Position, mv: Move) {
        match self {
            Self::Network(network) => network.sums.play(position, mv),
            _ => position.play(mv),
        }
    }

    /// A null move was played: the side to move changed and nothing else.
    #[inline]
    pub(crate) fn play_null(&mut self) {
        if let Self::Network(network) = self {
            network.sums.play_null();
        }
    }

    /// The last move, null or not, was taken back.
    #[inline]
    pub(crate) fn undo(&mut self) {
        if let Self::Network(network) = self {
            network.sums.undo();
        }
    }
}

/// A network, with its sums kept along the line.
pub(crate) struct NetworkEvaluation {
    network: Arc<Network>,
    sums: Accumulators,
    /// What the network corrects, or, if it stands alone, what knows the endings.
    handcrafted: Box<eval::Evaluator>,
}

impl NetworkEvaluation {
    /// An evaluation with this network.
    #[must_use]
    pub(crate) fn new(network: Arc<Network>) -> Self {
        let sums = Accumulators::new(Arc::clone(&network), MAX_PLY + 8);
        Self { sums, network, handcrafted: Box::default() }
    }

    /// The fading towards the fifty-move rule is the search's, for every evaluation alike.
    fn evaluate(&mut self, position: &Position) -> i32 {
        let within = |value: i32| value.clamp(-eval::MAX_EVALUATION, eval::MAX_EVALUATION);
        if self.network.is_correction() {
            return match self.handcrafted.judge(position) {
                (value, true) => value,
                (value, false) => within(value + self.sums.evaluate(position)),
            };
        }
        let value = scaled_by_material(within(self.sums.evaluate(position)), position);
        if position.occupied().count() > MEN_OF_ENDINGS {
            return value;
        }
        self.handcrafted.with_known_endings(position, value)
    }
}

/// Endings with more men than this are left to the network alone.
const MEN_OF_ENDINGS: u32 = 10;

/// The points of a full set of pieces, and what is added to those on the board to weigh a value with: without any,
/// three quarters of it are left.
const ALL_PIECES: i32 = 62;
const BARE_WEIGHT: i32 = 3 * ALL_PIECES;

/// The network's value, faded as pieces go: with few left, the same advantage is harder to win with.
fn scaled_by_material(value: i32, position: &Position) -> i32 {
    let count = |role| position.role(role).count() as i32;
    let minors = count(Role::Knight) + count(Role::Bishop);
    let pieces = 3 * minors + 5 * count(Role::Rook) + 9 * count(Role::Queen);
    value * (BARE_WEIGHT + pieces) / (BARE_WEIGHT + ALL_PIECES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnue::{HIDDEN, NetworkFile};

    #[test]
    fn endings_are_known_around_a_network_that_stands_alone() {
        for seed in 1..20 {
            let file = NetworkFile { is_correction: false, ..NetworkFile::random(HIDDEN, seed) };
            let network = Arc::new(Network::try_from(&file).unwrap());
            let mut evaluation = Evaluation::new(EvaluationKind::Network, Some(&network));
            let mut value = |fen: &str| {
                let position = Position::from_fen(fen).unwrap();
                evaluation.reset(&position);
                evaluation.evaluate(&position)
            };
            // The wrong bishop, whichever side the network likes better: Black has nothing to win with.
            assert_eq!(value("k7/8/1K6/8/8/P7/8/4B3 w - - 0 1"), 0);
            assert_eq!(value("k7/8/1K6/P7/P7/8/8/4B3 w - - 0 1"), 0);
            assert_eq!(value("8/8/3k4/8/4n3/8/2K5/7B b - - 0 1"), 0);
            assert!(value("8/8/3k4/8/8/2NB4/2K5/8 w - - 0 1") > 5_000);
            assert!(value("8/8/3k4/8/8/2BB4/2K5/8 b - - 0 1") < -5_000);
        }
    }
}
