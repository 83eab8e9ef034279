//! Finds the network to build in: the file that `EVALFILE` names, else `networks/default.gzn` if it is there.
//! With one, `cfg(embedded_network)` is set and `GARDEZ_NETWORK` holds its path.

use std::path::{Path, PathBuf};

const DEFAULT: &str = "networks/default.gzn";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=networks");

    let crate_directory = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let network = match std::env::var_os("EVALFILE").filter(|name| !name.is_empty()) {
        Some(name) => Some(wanted(&crate_directory, Path::new(&name))),
        None => Some(crate_directory.join(DEFAULT)).filter(|path| path.exists()),
    };
    if let Some(path) = network {
        println!("cargo::rerun-if-changed={}", path.display());
        println!("cargo::rustc-env=GARDEZ_NETWORK={}", path.display());
        println!("cargo::rustc-cfg=embedded_network");
    }
}

/// The path of a file that was asked for. Whoever runs `make` means it from the root of the workspace.
fn wanted(crate_directory: &Path, name: &Path) -> PathBuf {
    let path = crate_directory.join("../..").join(name);
    path.canonicalize().unwrap_or_else(|error| {
        println!("cargo::error=EVALFILE={}: {error}", name.display());
        path
    })
}
