//! `gardez lab` as a user runs it.

use assert_cmd::Command;

fn gardez(arguments: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("gardez").expect("the binary is built");
    command.arg("lab").args(arguments).output().expect("the binary starts")
}

#[test]
fn lists_the_experiments() {
    let output = gardez(&[]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), lab::EXPERIMENTS.len() + 1);
    for (line, experiment) in text.lines().zip(lab::EXPERIMENTS) {
        assert!(line.starts_with(experiment.name) && line.ends_with(experiment.title), "{line}");
    }
}

#[test]
fn unknown_names_list_the_known_ones() {
    let output = gardez(&["generators", "alchemy"]);
    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("alchemy") && text.contains("mtdf"), "{text}");
    assert!(output.stdout.is_empty(), "nothing is measured in vain");
}

#[test]
fn an_unusable_directory_is_named_before_any_work() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let output = gardez(&["all", "--svg", path]);
    assert!(!output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().contains(path));
}
