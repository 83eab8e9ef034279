//! `gardez options`.

use std::process::Command;

fn options(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_gardez"))
        .arg("options")
        .args(arguments)
        .output()
        .expect("the program runs");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_page_of_the_manual_is_what_the_program_prints() {
    let page = include_str!("../../../docs/options.md");
    let printed = options(&["--markdown"]);
    assert_eq!(page, printed, "run: gardez options --markdown > docs/options.md");
}

#[test]
fn every_option_is_listed_with_its_help() {
    let printed = options(&[]);
    for spec in engine::options::TABLE {
        assert!(printed.contains(&format!("{} (", spec.name)), "{}", spec.name);
        assert!(printed.contains(spec.help), "{}", spec.name);
    }
    assert!(printed.contains("Threads (1 to 512)\n    default: 1\n"), "{printed}");
}
