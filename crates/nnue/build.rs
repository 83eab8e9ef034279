//! Finds the network to build in: the file that `EVALFILE` names, else `networks/default.gzn` if it is there.
//! With one, `cfg(embedded_network)` is set and `GARDEZ_NETWORK` holds its path. Its width is the width of all networks
//! that this build plays with (`GARDEZ_HIDDEN`).

use std::path::{Path, PathBuf};

const DEFAULT: &str = "networks/default.gzn";

/// The width of a build without a network.
const DEFAULT_HIDDEN: u32 = 128;

/// Where the header of a network file has the number of neurons: after the magic number, the version and the inputs.
const HIDDEN_AT: usize = 16;

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
    let hidden = network.as_deref().map_or(DEFAULT_HIDDEN, width);
    println!("cargo::rustc-env=GARDEZ_HIDDEN={hidden}");
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

/// The neurons of a network.
fn width(path: &Path) -> u32 {
    let header = std::fs::read(path).unwrap_or_default();
    let Some(bytes) = header.get(HIDDEN_AT..).and_then(|rest| rest.first_chunk()) else {
        println!("cargo::error={}: it is not a network of Gardez", path.display());
        return DEFAULT_HIDDEN;
    };
    u32::from_le_bytes(*bytes)
}
