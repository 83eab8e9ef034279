//! The bench of the program, to compare with.

use engine::{Engine, bench};
use wasm_bindgen::prelude::wasm_bindgen;

/// Searches the positions of the bench and returns the number of nodes and the milliseconds that they took.
///
/// # Errors
/// When a search fails.
#[wasm_bindgen(js_name = bench)]
pub fn run(depth: Option<i32>) -> Result<Vec<f64>, String> {
    let result = bench::run(&mut Engine::new(), depth.unwrap_or(bench::DEFAULT_DEPTH), |_, _| {});
    let result = result.map_err(|error| error.to_string())?;
    Ok(vec![result.nodes as f64, result.time.as_secs_f64() * 1000.0])
}
