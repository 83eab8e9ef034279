//! `bindgen INPUT.wasm DIRECTORY`: writes the module and its JavaScript for the web into the directory.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, directory] = arguments.as_slice() else {
        eprintln!("bindgen INPUT.wasm DIRECTORY");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    let written = bindgen
        .input_path(input)
        .web(true)
        .and_then(|bindgen| bindgen.typescript(true).out_name("gardez").generate(directory));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
