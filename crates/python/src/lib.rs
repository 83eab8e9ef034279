//! The Python package: rules, engine, coach and tables of analysed games. `python/gardez` has what is written in Python,
//! and the types and documentation of everything.
//!
//! Whatever comes from Python may be wrong and then raises `ValueError`. Work that takes time runs without Python's lock
//! and ends with Ctrl-C.

#![forbid(unsafe_code)]
// The signatures are those of Python: arguments come as values, and names are those of python-chess.
#![allow(clippy::needless_pass_by_value, clippy::too_many_arguments, clippy::wrong_self_convention)]

mod board;
mod books;
mod engines;
mod games;
mod moves;
mod tables;
mod words;
mod work;

use pyo3::prelude::*;

/// The part of the package that is written in Rust.
#[pymodule]
fn _gardez(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<moves::Move>()?;
    module.add_class::<board::Board>()?;
    module.add_class::<board::LegalMoves>()?;
    module.add_class::<board::Outcome>()?;
    module.add_class::<board::Termination>()?;
    module.add_class::<games::Game>()?;
    module.add_class::<games::Games>()?;
    module.add_class::<engines::RawEngine>()?;
    module.add_class::<books::Book>()?;
    module.add_class::<books::Tablebase>()?;
    module.add_class::<tables::Rows>()?;
    module.add_function(wrap_pyfunction!(board::perft, module)?)?;
    module.add_function(wrap_pyfunction!(words::review_game, module)?)?;
    module.add_function(wrap_pyfunction!(words::explain_move, module)?)?;
    module.add_function(wrap_pyfunction!(words::explain_position, module)?)?;
    module.add_function(wrap_pyfunction!(tables::analyse_games, module)?)?;
    module.add_function(wrap_pyfunction!(tables::rows_of_games, module)?)?;
    module.add_function(wrap_pyfunction!(tables::part_count, module)?)?;
    module.add_function(wrap_pyfunction!(tables::part_range, module)?)?;
    module.add_function(wrap_pyfunction!(tables::part_size, module)?)?;
    module.add_function(wrap_pyfunction!(tables::part_name, module)?)?;
    module.add_function(wrap_pyfunction!(tables::analyse_part, module)?)
}
