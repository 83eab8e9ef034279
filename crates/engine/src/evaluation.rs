//! What the search asks of an evaluation.

use crate::MAX_PLY;
use chess::{Move, Position, Role};
use nnue::{Accumulators, Network};
use std::sync::Arc;

/// Judges positions for the search, one instance for each thread.
///
/// The search tells it of every move it plays and takes back, so that an evaluation may keep sums along
/// the line; the handcrafted one has no need to.
pub trait Evaluation: Send {
    /// The worth of a position for the side to move, in internal units.
    fn evaluate(&mut self, position: &Position) -> i32;

    /// A search begins at this position.
    fn reset(&mut self, _root: &Position) {}

    /// Plays a move on the board, listening to what changes if it cares.
    #[inline]
    fn play(&mut self, position: &mut Position, mv: Move) {
        position.play(mv);
    }

    /// A null move was played: the side to move changed and nothing else.
    fn play_null(&mut self) {}

    /// The last move, null or not, was taken back.
    fn undo(&mut self) {}
}

/// The handcrafted evaluation.
impl Evaluation for eval::Evaluator {
    fn evaluate(&mut self, position: &Position) -> i32 {
        Self::evaluate(self, position)
    }
}

/// Material and piece-square tables alone, the yardstick for every other evaluation.
pub struct MaterialAndTables;

impl Evaluation for MaterialAndTables {
    fn evaluate(&mut self, position: &Position) -> i32 {
        eval::material_and_tables(position)
    }
}

/// A network, with its sums kept along the line.
pub struct NetworkEvaluation {
    sums: Accumulators,
    /// What the network corrects, if it does not stand alone.
    corrected: Option<Box<eval::Evaluator>>,
}

impl NetworkEvaluation {
    /// An evaluation with this network.
    #[must_use]
    pub fn new(network: Arc<Network>) -> Self {
        let corrected = network.is_correction().then(Box::default);
        Self { sums: Accumulators::new(network, MAX_PLY + 8), corrected }
    }
}

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

/// The fading towards the fifty-move rule is the search's, for every evaluation alike.
impl Evaluation for NetworkEvaluation {
    fn evaluate(&mut self, position: &Position) -> i32 {
        let within = |value: i32| value.clamp(-eval::MAX_EVALUATION, eval::MAX_EVALUATION);
        let Some(corrected) = &mut self.corrected else {
            return scaled_by_material(within(self.sums.evaluate(position)), position);
        };
        match corrected.judge(position) {
            (value, true) => value,
            (value, false) => within(value + self.sums.evaluate(position)),
        }
    }

    fn reset(&mut self, root: &Position) {
        self.sums.reset(root);
    }

    fn play(&mut self, position: &mut Position, mv: Move) {
        self.sums.play(position, mv);
    }

    fn play_null(&mut self) {
        self.sums.play_null();
    }

    fn undo(&mut self) {
        self.sums.undo();
    }
}

/// The evaluation an option names. Without a network, the handcrafted one stands in for it.
#[must_use]
pub fn by_name(name: &str, network: Option<&Arc<Network>>) -> Box<dyn Evaluation> {
    match (name, network) {
        ("tables", _) => Box::new(MaterialAndTables),
        ("network", Some(network)) => Box::new(NetworkEvaluation::new(Arc::clone(network))),
        _ => Box::<eval::Evaluator>::default(),
    }
}
