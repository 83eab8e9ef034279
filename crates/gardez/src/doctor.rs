//! `gardez doctor`: what Gardez finds on this machine.

use crate::{serve, version};
use anyhow::Result;
use engine::Engine;
use std::fmt;
use std::io::{self, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tablebase::Tablebases;

/// Check what Gardez finds on this machine: processor, memory, network, page, data directory, port, tablebases
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directories of Syzygy tablebases to look into
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    /// Directory for games and reviews [default: the user's data directory]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Port that `gardez serve` would listen on
    #[arg(long, default_value_t = 8080)]
    port: u16,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Health {
    Good,
    Note,
    Bad,
}

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Good => "ok",
            Self::Note => "note",
            Self::Bad => "problem",
        })
    }
}

type Finding = (&'static str, Health, String);

/// Runs the subcommand. The exit code is 1 if there is a problem.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut findings = vec![
        ("version", Health::Good, format!("{}, commit {}", env!("CARGO_PKG_VERSION"), env!("GARDEZ_COMMIT"))),
        processor(),
        memory(),
        search(),
        page(),
        data_directory(args.data.as_deref()),
        port(args.port),
    ];
    findings.push(tablebases(args.syzygy.as_deref()));
    let mut out = io::stdout().lock();
    for (name, health, text) in &findings {
        writeln!(out, "{health:<8} {name:<15} {text}")?;
    }
    let is_bad = findings.iter().any(|(_, health, _)| *health == Health::Bad);
    Ok(if is_bad { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn processor() -> Finding {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cores = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    ("processor", Health::Good, format!("{cores}; {}", version::processor()))
}

/// Memory, where the system has it in a file.
fn memory() -> Finding {
    let available = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    });
    match available.map(|kibibytes| kibibytes / 1024) {
        Some(mebibytes) if mebibytes < 256 => {
            ("memory", Health::Note, format!("{mebibytes} MiB free; use a small Hash"))
        }
        Some(mebibytes) => ("memory", Health::Good, format!("{mebibytes} MiB free")),
        None => ("memory", Health::Note, "how much is free is not known on this system".to_owned()),
    }
}

/// Whether the engine searches, with which network.
fn search() -> Finding {
    let game = chess::Game::new();
    match Engine::new().search(&game, engine::Limits::nodes(1_000), |_| {}) {
        Ok(outcome) if outcome.best.is_some() => {
            ("engine", Health::Good, format!("network {}", version::network()))
        }
        Ok(_) => ("engine", Health::Bad, "a search of the start position found no move".to_owned()),
        Err(error) => ("engine", Health::Bad, format!("a search failed: {error}")),
    }
}

fn page() -> Finding {
    if web::has_page() {
        ("page", Health::Good, "built in".to_owned())
    } else {
        ("page", Health::Note, "not built in: `make play` builds it where Node is installed".to_owned())
    }
}

fn data_directory(wanted: Option<&Path>) -> Finding {
    let name = "data directory";
    let directory = match serve::data_directory(wanted) {
        Ok(directory) => directory,
        Err(error) => return (name, Health::Bad, error.to_string()),
    };
    let shown = directory.display();
    if !directory.exists() {
        return (name, Health::Good, format!("{shown}, made when first needed"));
    }
    let probe = directory.join(".doctor");
    match std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe)) {
        Ok(()) => (name, Health::Good, format!("{shown}, can be written to")),
        Err(error) => (name, Health::Bad, format!("{shown}: {error}")),
    }
}

fn port(port: u16) -> Finding {
    match TcpListener::bind(("127.0.0.1", port)) {
        Ok(_) => ("port", Health::Good, format!("{port} is free")),
        Err(error) => {
            ("port", Health::Note, format!("{port}: {error}; `gardez serve --port 0` takes a free one"))
        }
    }
}

fn tablebases(path: Option<&str>) -> Finding {
    let name = "tablebases";
    let Some(path) = path else {
        return (name, Health::Note, "none asked for; --syzygy PATH looks into a directory".to_owned());
    };
    let (tablebases, notes) = Tablebases::open(path);
    let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    match tablebases.max_pieces() {
        0 => (name, Health::Bad, format!("none found in {path}{}", joined(&notes))),
        men => (name, Health::Good, format!("up to {men} men{}", joined(&notes))),
    }
}

fn joined(notes: &[String]) -> String {
    if notes.is_empty() { String::new() } else { format!("; {}", notes.join("; ")) }
}
