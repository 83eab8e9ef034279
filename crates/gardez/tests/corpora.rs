//! The seeds of the fuzz targets, and inputs that once broke something, as an ordinary test. Those of the rules are in
//! the crate `chess`.

#![allow(missing_docs, unreachable_pub)]

#[path = "../../../fuzz/checks/files.rs"]
mod files;
#[path = "../../../fuzz/checks/games.rs"]
mod games;
#[path = "../../../fuzz/checks/messages.rs"]
mod messages;
#[path = "../../../fuzz/checks/protocols.rs"]
mod protocols;

use std::fs;
use std::path::Path;

fn for_each_seed(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let mut count = 0;
    for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{target}: {error}")) {
        let path = entry.expect("a readable folder").path();
        println!("{}", path.display());
        let bytes = fs::read(&path).expect("a readable file");
        check(&bytes);
        // Cut anywhere, it is as good an input.
        for part in [bytes.len() / 3, bytes.len() / 2, bytes.len().saturating_sub(1)] {
            check(&bytes[..part]);
        }
        count += 1;
    }
    assert!(count > 0, "nothing in {}", folder.display());
}

#[test]
fn files() {
    for_each_seed("network", files::check_network);
    for_each_seed("data", files::check_data);
    for_each_seed("polyglot", files::check_polyglot);
    for_each_seed("tournament", files::check_tournament);
    for_each_seed("state", files::check_state);
    for_each_seed("javachess", files::check_javachess);
}

#[test]
fn sessions() {
    for_each_seed("uci", protocols::check_uci);
    for_each_seed("xboard", protocols::check_xboard);
}

#[test]
fn games() {
    for_each_seed("review", games::check_review);
}

#[test]
fn messages() {
    for_each_seed("http", messages::check_http);
    for_each_seed("websocket", messages::check_websocket);
}

#[test]
fn every_target_has_seeds_and_is_run_here() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (here, rules) = (include_str!("corpora.rs"), root.join("crates/chess/tests/corpus"));
    for entry in fs::read_dir(root.join("fuzz/fuzz_targets")).expect("targets") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let is_run = here.contains(&format!("for_each_seed(\"{name}\""));
        assert!(is_run || rules.join(name).is_dir(), "{name} is not run");
    }
}
