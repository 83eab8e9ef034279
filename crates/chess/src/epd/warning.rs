//! What the EPD reader repairs.

use crate::FenWarning;

/// A repair made while reading a line of EPD.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum EpdWarning {
    #[error("NUL bytes at the end of the line left out: {count}")]
    TrailingNul { count: usize },
    #[error("control characters inside the line read as spaces")]
    ControlCharacters,
    #[error(transparent)]
    Fen(#[from] FenWarning),
    #[error("clocks of a FEN read where operations should begin")]
    ClockFields,
    #[error("semicolon without an operation left out")]
    EmptyOperation,
    #[error("operation {text:?} left out: a name begins with a letter and has letters and digits only")]
    Opcode { text: String },
    #[error("quotation marks around the name of operation {opcode} left out")]
    QuotedOpcode { opcode: String },
    #[error("semicolon added after operation {opcode}")]
    MissingSemicolon { opcode: String },
    #[error("quotation mark added at the end of operation {opcode}")]
    MissingQuote { opcode: String },
    #[error("quotation marks added around {text:?} of operation {opcode}")]
    MissingQuotes { opcode: String, text: String },
    #[error("{suffix:?} of operation {opcode} joined to the move before it")]
    DetachedSuffix { opcode: String, suffix: String },
    #[error("move {text:?} read as {repaired}")]
    MisplacedCapture { text: String, repaired: String },
}
