//! What the search asks of an evaluation.

use chess::{Move, Position};

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

/// The evaluation an option names.
#[must_use]
pub fn by_name(name: &str) -> Box<dyn Evaluation> {
    match name {
        "tables" => Box::new(MaterialAndTables),
        _ => Box::<eval::Evaluator>::default(),
    }
}
