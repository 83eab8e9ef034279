//! The types of the page, generated from those of the server.

use super::*;
use crate::error::{Code, Error};
use ts_rs::{Config, TS};

/// Where they are, from the root of the crate.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/generated/wire.ts");
/// Set to write the file instead of comparing it.
const WRITE: &str = "GARDEZ_WRITE_TYPES";

const HEAD: &str = "\
// Generated from crates/backend/src/wire; do not edit. To write it again:
//
//     GARDEZ_WRITE_TYPES=1 cargo test --profile checked -p backend --lib typescript
//
// docs/api.md says what the messages mean and when they come. Scores and chances are always from White's view.
// Times are milliseconds; moments are milliseconds since 1970. Moves are written as UCI does (\"e2e4\", \"e7e8q\",
// castling \"e1g1\"; in Chess960 \"e1h1\"). Where the page sends a move, SAN is understood as well.
";

/// The declaration of a type, with its comments.
fn declaration<T: TS + 'static>(config: &Config) -> String {
    let text = format!("\n{}export {}\n", T::docs().unwrap_or_default(), T::decl(config));
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

macro_rules! declarations {
    ($config:expr; $($name:ty),* $(,)?) => { [$(declaration::<$name>($config)),*].concat() };
}

fn generated() -> String {
    let config = &Config::new().with_large_int("number");
    let types = declarations![config;
        Error, Code,
        Info, Level, Classic, Login, ExportQuery, OptionsAnswer, EngineOption, OptionKind,
        Color, Variant, Position, Claim, Opening, Outcome, GameResult, Reason, Move, MoveName,
        PositionRequest, PositionAnswer,
        NewGame, Seat, TimeControl, GameKind, You, Player, PlayerKind, PlayedMove, Clock, GameState, Offers,
        Offer, Links, Guest, LinkAnswer, GameSummary, GamesQuery, Status, ResultFilter, GamesAnswer,
        PgnText, ImportAnswer, ImportError, Tree, TreeMove, PgnReadAnswer, PgnWriteRequest, PgnWriteMove,
        Score, Line, Bound, Analysis, AnalyseRequest,
        Remark, RemarkLine, Explanation, ExplainedMove, Terms, TermGroup, TermItem, PieceValue,
        Judgement, ReviewMove, Better, SideReport, Review, Effort,
        ExercisesQuery, ExercisesAnswer, Exercise, ExerciseAttempt, ExerciseVerdict, Verdict,
        Request, Command, Envelope,
    ];
    format!("{HEAD}{types}")
}

#[test]
fn the_types_of_the_page_are_up_to_date() {
    let generated = generated();
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(FILE, generated).expect("the file is written");
        return;
    }
    let committed = std::fs::read_to_string(FILE).unwrap_or_default();
    let first_difference = generated
        .lines()
        .zip(committed.lines().chain(std::iter::repeat("")))
        .position(|(new, old)| new != old)
        .map_or_else(|| "at the end".to_owned(), |index| format!("in line {}", index + 1));
    assert!(
        generated == committed,
        "web/src/generated/wire.ts differs from the types of the server {first_difference}; write it again with\n    \
         {WRITE}=1 cargo test --profile checked -p backend --lib typescript"
    );
}
