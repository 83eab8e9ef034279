//! Rows as an Arrow table. The names of the columns and the words in them are stable.

use crate::row::{GameRows, Judged, MoveRow, Scored};
use arrow_array::builder::{Float64Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use chess::Color;
use chess::pgn::EvalScore;
use review::Judgement;
use std::sync::Arc;

macro_rules! columns {
    ($($name:ident: $builder:ident, $type:expr, $nullable:literal;)*) => {
        /// Collects rows.
        #[derive(Debug, Default)]
        pub struct TableBuilder {
            rows: usize,
            $($name: $builder),*
        }

        /// The columns of every table.
        #[must_use]
        pub fn schema() -> SchemaRef {
            Arc::new(Schema::new(vec![$(Field::new(stringify!($name).trim_start_matches("r#"), $type, $nullable)),*]))
        }

        impl TableBuilder {
            /// The rows collected so far, which are then forgotten.
            ///
            /// # Errors
            /// Never, since all columns have the same length and the types of the schema.
            pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
                self.rows = 0;
                let columns: Vec<ArrayRef> = vec![$(Arc::new(self.$name.finish())),*];
                RecordBatch::try_new(schema(), columns)
            }
        }
    };
}

/// A list of texts.
type TextList = ListBuilder<StringBuilder>;

fn text_list() -> DataType {
    DataType::List(Arc::new(Field::new("item", DataType::Utf8, true)))
}

columns! {
    game: Int64Builder, DataType::Int64, false;
    ply: Int32Builder, DataType::Int32, false;
    white: StringBuilder, DataType::Utf8, true;
    black: StringBuilder, DataType::Utf8, true;
    white_elo: Int32Builder, DataType::Int32, true;
    black_elo: Int32Builder, DataType::Int32, true;
    result: StringBuilder, DataType::Utf8, false;
    date: StringBuilder, DataType::Utf8, true;
    eco: StringBuilder, DataType::Utf8, true;
    opening: StringBuilder, DataType::Utf8, true;
    side: StringBuilder, DataType::Utf8, false;
    fen: StringBuilder, DataType::Utf8, false;
    r#move: StringBuilder, DataType::Utf8, false;
    san: StringBuilder, DataType::Utf8, false;
    score: Int32Builder, DataType::Int32, true;
    mate: Int32Builder, DataType::Int32, true;
    win_percent: Float64Builder, DataType::Float64, true;
    best_move: StringBuilder, DataType::Utf8, true;
    best_score: Int32Builder, DataType::Int32, true;
    best_mate: Int32Builder, DataType::Int32, true;
    loss: Float64Builder, DataType::Float64, true;
    centipawn_loss: Int32Builder, DataType::Int32, true;
    accuracy: Float64Builder, DataType::Float64, true;
    judgement: StringBuilder, DataType::Utf8, true;
    error: StringBuilder, DataType::Utf8, true;
    motifs: TextList, text_list(), true;
    clock: Float64Builder, DataType::Float64, true;
}

impl TableBuilder {
    /// A builder without rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many rows there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Adds the moves of a game.
    pub fn push(&mut self, game: &GameRows) {
        for row in &game.moves {
            self.push_game(game);
            self.push_move(row);
            self.push_judged(row.judged.as_ref());
            self.rows += 1;
        }
    }

    fn push_game(&mut self, game: &GameRows) {
        self.game.append_value(i64::try_from(game.game).unwrap_or(i64::MAX));
        self.white.append_option(game.white.as_deref());
        self.black.append_option(game.black.as_deref());
        self.white_elo.append_option(game.white_elo);
        self.black_elo.append_option(game.black_elo);
        self.result.append_value(game.result.as_str());
        self.date.append_option(game.date.as_deref());
        self.eco.append_option(game.opening.as_ref().map(|opening| &opening.eco));
        self.opening.append_option(game.opening.as_ref().map(|opening| &opening.name));
    }

    fn push_move(&mut self, row: &MoveRow) {
        self.ply.append_value(i32::try_from(row.ply).unwrap_or(i32::MAX));
        self.side.append_value(match row.side {
            Color::White => "white",
            Color::Black => "black",
        });
        self.fen.append_value(&row.fen);
        self.r#move.append_value(&row.uci);
        self.san.append_value(&row.san);
        let (score, mate) = numbers(row.score);
        self.score.append_option(score);
        self.mate.append_option(mate);
        self.win_percent.append_option(row.score.and_then(|score| score.win_percent));
        self.clock.append_option(row.clock.map(|clock| clock.as_secs_f64()));
    }

    fn push_judged(&mut self, judged: Option<&Judged>) {
        let (score, mate) = numbers(judged.map(|judged| judged.best_score));
        self.best_move.append_option(judged.and_then(|judged| judged.best.as_deref()));
        self.best_score.append_option(score);
        self.best_mate.append_option(mate);
        self.loss.append_option(judged.map(|judged| judged.loss));
        self.centipawn_loss.append_option(judged.map(|judged| judged.centipawn_loss));
        self.accuracy.append_option(judged.map(|judged| judged.accuracy));
        self.judgement.append_option(judged.and_then(|judged| judged.judgement).map(judgement_code));
        self.error.append_option(judged.and_then(|judged| judged.error).map(coach::ErrorKind::code));
        for motif in judged.iter().flat_map(|judged| &judged.motifs) {
            self.motifs.values().append_value(motif);
        }
        self.motifs.append(judged.is_some());
    }
}

/// Centipawns, or moves to mate.
const fn numbers(scored: Option<Scored>) -> (Option<i32>, Option<i32>) {
    match scored {
        Some(Scored { score: EvalScore::Centipawns(value), .. }) => (Some(value), None),
        Some(Scored { score: EvalScore::Mate(moves), .. }) => (None, Some(moves)),
        None => (None, None),
    }
}

const fn judgement_code(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "inaccuracy",
        Judgement::Mistake => "mistake",
        Judgement::Blunder => "blunder",
    }
}
