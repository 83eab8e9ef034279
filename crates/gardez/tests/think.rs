//! `gardez think` as a user runs it.

#![forbid(unsafe_code)]

use assert_cmd::Command;

fn think(arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    let output = command.arg("think").args(arguments).output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn statistics_as_text_and_json() {
    let arguments = ["javachess", "startpos moves d4 Nf6 c4", "--depth", "3"];
    let text = think(&arguments).expect("thinks");
    assert!(text.starts_with("javachess:mtdf: ") && text.contains(" nodes, "), "{text}");
    assert_eq!(text.lines().count(), 3 + 2, "iterations of depth 2 and 3:\n{text}");

    let json = think(&[&arguments[..], &["--json"]].concat()).expect("thinks");
    let record: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&record["source"], &record["resigns"]), (&"search".into(), &false.into()));
    let iterations = record["iterations"].as_array().expect("iterations");
    let part = |iteration: &serde_json::Value, part: &str| iteration[part]["nodes"].as_u64().expect("nodes");
    let nodes = |iteration| part(iteration, "regular") + part(iteration, "quiescence");
    assert_eq!(iterations.iter().map(nodes).sum::<u64>(), record["nodes"].as_u64().expect("nodes"));
    assert!(iterations[1]["regular"]["cutoffs"].as_u64() > Some(0));
    assert!(text.contains(&format!(", {} nodes, ", record["nodes"])), "the same search:\n{text}");
}

#[test]
fn what_is_wrong_is_said() {
    assert!(think(&["gardez"]).expect_err("no classic").contains("gardez is no classic"));
    let error = think(&["chessbin:hard:book=missing.txt"]).expect_err("no book");
    assert!(error.contains("the book missing.txt: "), "{error}");
    let error = think(&["piglet", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]).expect_err("stalemate");
    assert!(error.contains("there is no legal move to choose from"), "{error}");
}
