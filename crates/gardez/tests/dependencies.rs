//! What the program is made of: licences, sources and versions of every package, of Rust and of the page. The lists
//! are those of deny.toml, which cargo-deny reads too.

#![forbid(unsafe_code)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The texts of a list in deny.toml.
fn list(name: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("deny.toml")).expect("deny.toml");
    let start = text.find(&format!("\n{name} = [")).unwrap_or_else(|| panic!("{name} in deny.toml"));
    let list = text[start..].split(']').next().expect("the end of a list");
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether a licence, written as SPDX or with slashes, can be chosen from those that are allowed.
fn is_allowed(licence: &str, allowed: &[String]) -> bool {
    let licence = licence.replace('/', " OR ").replace(['(', ')'], "");
    let may = |one: &str| allowed.iter().any(|allowed| allowed == one.trim());
    // Every part of an AND needs one of its choices.
    licence.split(" AND ").all(|part| part.split(" OR ").any(may))
}

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform"])
        .arg(format!("{}-unknown-linux-gnu", std::env::consts::ARCH))
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    metadata["packages"].as_array().expect("packages").clone()
}

/// The licence of a crate whose manifest names only the file of it.
fn licence_of_file(name: &str) -> Option<&'static str> {
    (name == "rs-fsrs").then_some("MIT")
}

#[test]
fn every_crate_may_be_used_and_comes_from_the_registry_once() {
    let (allowed, twice) = (list("allow"), list("skip"));
    let mut versions: BTreeMap<String, usize> = BTreeMap::new();
    let packages = packages();
    assert!(packages.len() > 100);
    for package in &packages {
        let name = package["name"].as_str().expect("a name");
        *versions.entry(name.to_owned()).or_default() += 1;
        let licence = package["license"].as_str().or_else(|| licence_of_file(name));
        let licence = licence.unwrap_or_else(|| panic!("{name} has no licence"));
        assert!(is_allowed(licence, &allowed), "{name}: {licence}");
        let source = package["source"].as_str();
        let is_known =
            source.is_none_or(|source| source == "registry+https://github.com/rust-lang/crates.io-index");
        assert!(is_known, "{name} comes from {source:?}");
    }
    for (name, count) in versions {
        assert!(count == 1 || twice.contains(&name), "{count} versions of {name}");
    }
}

#[test]
fn every_package_of_the_page_may_be_used_and_is_what_it_was() {
    let allowed = list("allow");
    let text = fs::read_to_string(root().join("web/package-lock.json")).expect("the lock");
    let lock: Value = serde_json::from_str(&text).expect("JSON");
    let packages = lock["packages"].as_object().expect("packages");
    assert!(packages.len() > 20);
    for (name, package) in packages.iter().filter(|(name, _)| !name.is_empty()) {
        let licence = package["license"].as_str().unwrap_or_else(|| panic!("{name} has no licence"));
        assert!(is_allowed(licence, &allowed), "{name}: {licence}");
        assert!(package["hasInstallScript"].is_null(), "{name} runs a program when it is installed");
        // Those for other systems are optional, and their contents are not known here.
        let integrity = package["integrity"].as_str().unwrap_or_default();
        let is_optional = package["optional"] == true || package["devOptional"] == true;
        assert!(integrity.starts_with("sha512-") || is_optional, "{name} has no checksum");
    }
}

#[test]
fn licences_are_read_as_they_are_meant() {
    let allowed = ["MIT".to_owned(), "Unicode-3.0".to_owned()];
    assert!(is_allowed("MIT/Apache-2.0", &allowed) && is_allowed("Apache-2.0 OR MIT", &allowed));
    assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0", &allowed));
    assert!(!is_allowed("(MIT OR Apache-2.0) AND Proprietary", &allowed));
    assert!(!is_allowed("GPL-2.0-only", &allowed));
}
