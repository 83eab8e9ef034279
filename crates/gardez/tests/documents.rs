//! Documents that are generated from the program or its scripts agree with them.

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn testing_lists_the_steps_of_make_test_in_order() {
    let script = read("scripts/test.sh");
    let steps: Vec<&str> = script
        .lines()
        .filter_map(|line| line.strip_prefix("step \""))
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert!(steps.len() > 5, "the steps of scripts/test.sh were not found");

    let document = read("docs/testing.md");
    let listed: Vec<&str> = document
        .lines()
        .filter_map(|line| line.split_once(". "))
        .filter(|(number, _)| number.parse::<u32>().is_ok_and(|number| number > 0))
        .map(|(_, step)| step)
        .collect();
    assert_eq!(listed, steps, "docs/testing.md lists other steps than scripts/test.sh has");
}

#[test]
fn links_between_documents_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut documents = vec![root.join("README.md"), root.join("ARCHITECTURE.md")];
    for directory in ["docs", "docs/experiments"] {
        let entries = fs::read_dir(root.join(directory)).unwrap();
        documents.extend(entries.map(|entry| entry.unwrap().path()));
    }
    documents.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    assert!(documents.len() > 10);
    let mut broken = Vec::new();
    for path in &documents {
        let text = fs::read_to_string(path).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            if !path.with_file_name(target).exists() {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn paths_in_documents_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut missing = Vec::new();
    let mut paths = 0;
    for document in ["docs/glossary.md", "ARCHITECTURE.md", "docs/testing.md"] {
        let text = read(document);
        for path in text.split('`').skip(1).step_by(2).filter(|code| code.starts_with("crates/")) {
            paths += 1;
            if !path.contains('*') && !root.join(path).exists() {
                missing.push(format!("{document}: {path}"));
            }
        }
    }
    assert!(paths > 60);
    assert!(missing.is_empty(), "paths that do not exist:\n{}", missing.join("\n"));
}

/// The workspace crates that a crate depends on, by its manifest.
fn dependencies(root: &Path, crate_name: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root.join("crates").join(crate_name).join("Cargo.toml")).unwrap();
    let section = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    let names = section.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
    let mut names: Vec<String> = names
        .filter(|name| !name.is_empty() && root.join("crates").join(name).exists())
        .map(str::to_owned)
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn arrows_in_the_architecture_are_those_of_the_manifests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = read("ARCHITECTURE.md");
    let mut crates = 0;
    for (name, listed) in document.lines().filter_map(|line| line.strip_prefix("    ")?.split_once(" -> ")) {
        let name = name.trim();
        let listed: Vec<String> =
            listed.split(", ").filter(|name| *name != "nothing").map(|name| name.trim().to_owned()).collect();
        assert_eq!(listed, dependencies(&root, name), "ARCHITECTURE.md: the arrows of {name}");
        crates += 1;
    }
    let there = fs::read_dir(root.join("crates")).unwrap().count();
    assert_eq!(crates, there, "ARCHITECTURE.md lists the arrows of {crates} crates of {there}");
}
