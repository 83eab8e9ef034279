//! What people meet after installing: version, completions, manual pages, and the check of a machine.

use assert_cmd::Command;
use std::net::TcpListener;
use std::path::Path;

fn gardez(arguments: &[&str]) -> (String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_gardez")).args(arguments).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.success())
}

#[test]
fn the_version_names_commit_target_processor_and_network() {
    let (long, _) = gardez(&["--version"]);
    let version = env!("CARGO_PKG_VERSION");
    assert!(long.starts_with(&format!("gardez {version} (commit ")), "{long}");
    for part in [std::env::consts::ARCH, "\nprocessor: network by ", "sliding attacks by ", "\nnetwork: "] {
        assert!(long.contains(part), "{part}: {long}");
    }
    assert_eq!(gardez(&["-V"]).0, format!("gardez {version}\n"));
}

#[test]
fn every_shell_gets_completions_of_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (script, is_success) = gardez(&["completions", shell]);
        assert!(is_success);
        for command in ["analyse", "explain", "serve", "doctor"] {
            assert!(script.contains(command), "{command} for {shell}");
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let directory = tempfile::tempdir().unwrap();
    let (printed, is_success) = gardez(&["man", "--output", directory.path().to_str().unwrap()]);
    assert!(is_success);
    let pages = std::fs::read_dir(directory.path()).unwrap().count();
    assert!(printed.starts_with(&format!("{pages} manual pages")), "{printed}");
    for page in ["gardez.1", "gardez-serve.1", "gardez-book-build.1"] {
        let text = std::fs::read_to_string(directory.path().join(page)).unwrap();
        assert!(text.contains(".SH NAME") && text.contains(".SH SYNOPSIS"), "{page}");
    }
    assert_eq!(gardez(&["man"]).0, std::fs::read_to_string(directory.path().join("gardez.1")).unwrap());
}

fn doctor(data: &Path, more: &[&str]) -> (String, bool) {
    let mut arguments = vec!["doctor", "--data", data.to_str().unwrap()];
    arguments.extend(more);
    gardez(&arguments)
}

#[test]
fn the_doctor_finds_what_is_there_and_what_is_wrong() {
    let directory = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let (report, is_healthy) = doctor(directory.path(), &["--port", &port]);
    assert!(is_healthy, "{report}");
    assert!(report.contains("can be written to"), "{report}");
    assert!(report.contains(&format!("note     port            {port}: ")), "{report}");
    assert!(report.contains("ok       engine"), "{report}");

    let file = directory.path().join("file");
    std::fs::write(&file, "not a directory").unwrap();
    let (report, is_healthy) = doctor(&file, &[]);
    assert!(!is_healthy);
    assert!(report.contains("problem  data directory"), "{report}");
    let (report, is_healthy) = doctor(directory.path(), &["--syzygy", directory.path().to_str().unwrap()]);
    assert!(!is_healthy);
    assert!(report.contains("problem  tablebases      none found"), "{report}");
}
