//! Which commit and which target `gardez --version` names: `GARDEZ_COMMIT` and `GARDEZ_TARGET`.
//!
//! The commit comes from the environment (a package is built without a repository), else from git.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=GARDEZ_COMMIT");
    for path in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", path]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = std::env::var("GARDEZ_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = commit.or_else(|| git(&["rev-parse", "--short=10", "HEAD"]));
    println!("cargo::rustc-env=GARDEZ_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=GARDEZ_TARGET={target}");
}

/// What git prints, if there is git and a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
