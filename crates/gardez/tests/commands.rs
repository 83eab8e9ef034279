//! The manual of commands in the documents is the one the program prints.

#![forbid(unsafe_code)]

use assert_cmd::Command;

#[test]
fn the_manual_of_commands_is_up_to_date() {
    let output = Command::new(env!("CARGO_BIN_EXE_gardez")).arg("commands").assert().success();
    let printed = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/commands.md");
    let written = std::fs::read_to_string(path).expect("the manual");
    assert!(
        printed == written,
        "docs/commands.md is old; gardez commands > docs/commands.md writes it again"
    );
}
