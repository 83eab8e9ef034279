//! `gardez analyse`: one position live, or a file of games.

mod columns;
mod games;
mod live;

use crate::{numbers, positions};
use ::columns::analysis::Shard;
use anyhow::bail;
use chess::Game;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Analyse a position, or every game of a file
///
/// A position is `startpos` or a FEN, and may be followed by `moves` and moves in either notation. Its best
/// lines are shown until a limit is reached, or until Ctrl-C. Scores are seen from White.
///
/// The games of a PGN file are written with evaluations, better lines, judgements and summaries. The same
/// command resumes where it was interrupted. With --parquet they become tables instead, with a row for each move.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A FEN, startpos, or a PGN file
    #[arg(value_name = "FEN|startpos|FILE", required = true, num_args = 1..)]
    subject: Vec<String>,
    /// Nodes for each position [default: 20000 for the positions of games, no limit for a single one]
    #[arg(long, value_name = "N", value_parser = numbers::at_least(1_u64))]
    nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_name = "N", value_parser = numbers::at_least(1_i32))]
    depth: Option<i32>,
    /// Memory of the transposition table in MiB
    #[arg(long, value_name = "MiB")]
    hash: Option<u32>,
    /// Option of the engine, such as SyzygyPath=tables; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = crate::suite::name_and_value)]
    option: Vec<(String, String)>,
    /// Print JSON for each new set of lines; for games, write a line of JSON for each into a file, or - for
    /// standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    json: Option<PathBuf>,
    #[command(flatten)]
    reading: positions::Reading,
    #[command(flatten)]
    live: LiveArgs,
    #[command(flatten)]
    games: GamesArgs,
}

#[derive(clap::Args)]
#[command(next_help_heading = "For a position")]
struct LiveArgs {
    /// Number of best lines to show
    #[arg(long, value_name = "N")]
    multipv: Option<u32>,
    /// Milliseconds to think
    #[arg(long, value_name = "MS", value_parser = numbers::at_least(1_u64))]
    movetime: Option<u64>,
    /// Number of threads
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
    /// Show moves by their squares, such as e2e4
    #[arg(long)]
    coordinates: bool,
}

#[derive(clap::Args)]
#[command(next_help_heading = "For games")]
struct GamesArgs {
    /// Where to write the games
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Games at a time [default: 1]
    #[arg(long, value_name = "N", value_parser = numbers::at_least(NonZeroUsize::MIN))]
    concurrency: Option<NonZeroUsize>,
    /// Write a report: one page if the name ends in .html, else a directory with a page for each game
    #[arg(long, value_name = "DIR|FILE.html")]
    report: Option<PathBuf>,
    /// Write the best line next to every move that is not best, not only next to errors
    #[arg(long)]
    all_lines: bool,
    /// Leave out comments, signs and variations that the games have
    #[arg(long)]
    clean: bool,
    /// Start again even if the files exist
    #[arg(long)]
    overwrite: bool,
    /// Write tables, as Parquet files in a directory
    #[arg(long, value_name = "DIR", conflicts_with_all = ["output", "json", "report", "all_lines", "clean"])]
    parquet: Option<PathBuf>,
    /// Analyse one of N equal shares of the games; whatever N is, all shares together write the same files
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Bytes of games for each file [default: 262144]
    #[arg(long, value_name = "N", value_parser = numbers::at_least(1_u64))]
    part_bytes: Option<u64>,
}

/// What is to be analysed.
enum Subject {
    Position(Box<Game>),
    Games(PathBuf),
}

impl Args {
    fn subject(&self) -> anyhow::Result<Subject> {
        let text = self.subject.join(" ");
        if self.subject.len() == 1 && Path::new(&text).is_file() {
            return Ok(Subject::Games(text.into()));
        }
        let looks_like_fen = text.matches('/').count() >= 7 && text.contains(' ');
        if !text.trim_start().starts_with("startpos") && !looks_like_fen {
            bail!("{text}: there is no such file, and it is no FEN either");
        }
        let game = self.reading.game(&text)?;
        Ok(Subject::Position(Box::new(game)))
    }

    /// Options of the engine, those with a name of their own included.
    fn options(&self) -> Vec<(String, String)> {
        let own = [("Hash", self.hash), ("Threads", self.live.threads), ("MultiPV", self.live.multipv)];
        let own = own.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.to_string())));
        own.chain(self.option.iter().cloned()).collect()
    }

    /// The first argument that does not go with the subject.
    fn misplaced(&self, subject: &Subject) -> Option<&'static str> {
        let Self { live, games, .. } = self;
        let arguments: &[(&'static str, bool)] = match subject {
            Subject::Position(_) => &[
                ("--output", games.output.is_some()),
                ("--concurrency", games.concurrency.is_some()),
                ("--report", games.report.is_some()),
                ("--all-lines", games.all_lines),
                ("--clean", games.clean),
                ("--overwrite", games.overwrite),
                ("--parquet", games.parquet.is_some()),
            ],
            // A game analysed with a clock, or by several threads, would come out differently each time.
            Subject::Games(_) => &[
                ("--multipv", live.multipv.is_some() || self.has_option("MultiPV")),
                ("--movetime", live.movetime.is_some()),
                ("--threads", live.threads.is_some() || self.has_option("Threads")),
                ("--coordinates", live.coordinates),
                ("--option nodestime", self.has_option("nodestime")),
                ("--option Ponder", self.has_option("Ponder")),
            ],
        };
        arguments.iter().find(|(_, given)| *given).map(|(name, _)| *name)
    }

    fn has_option(&self, name: &str) -> bool {
        self.option.iter().any(|(given, _)| given.eq_ignore_ascii_case(name))
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let subject = args.subject()?;
    if let Some(name) = args.misplaced(&subject) {
        let kind = match subject {
            Subject::Position(_) => "the analysis of a file of games, not of a position",
            Subject::Games(_) => "the analysis of a position, not of a file of games",
        };
        bail!("{name} is for {kind}");
    }
    match subject {
        Subject::Position(game) => live::run(args, &game),
        Subject::Games(path) => match &args.games.parquet {
            Some(directory) => columns::run(args, path, directory.clone()),
            None => games::run(args, path),
        },
    }
}
