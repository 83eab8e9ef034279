//! `gardez calibrate`: how strong the levels are.

use crate::interrupt;
use crate::numbers;
use crate::progress::Progress;
use anyhow::bail;
use arena::calibration::{self, Anchor, Calibration};
use arena::plan::Plan;
use arena::report;
use arena::session::{self, Existing, Paths};
use arena::tournament::End;
use players::{DrawRule, ResignRule};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Measure the strength of the levels
///
/// Every level plays the next two above, with a random and a greedy mover below and engines of known rating in
/// between. Prints a table in Markdown.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A player of known rating: RATING=PLAYER, with PLAYER as in `gardez match`
    #[arg(long = "anchor", value_name = "ANCHOR")]
    anchors: Vec<Anchor>,
    /// The weakest level to measure
    #[arg(long, value_name = "LEVEL", default_value_t = 1)]
    from: usize,
    /// The strongest one
    #[arg(long, value_name = "LEVEL", default_value_t = engine::Level::COUNT - 1)]
    to: usize,
    /// Games between every two opponents
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// Games at a time [default: 1]
    #[arg(long, value_name = "N", value_parser = numbers::at_least(NonZeroUsize::MIN))]
    concurrency: Option<NonZeroUsize>,
    /// File of openings, PGN or EPD
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
    /// Half-moves of each opening to play [default: all]
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Write the games into this file, and next to it the state of the calibration
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Resume an interrupted calibration
    #[arg(long, conflicts_with = "overwrite", requires = "pgn")]
    resume: bool,
    /// Start again even if the files exist
    #[arg(long)]
    overwrite: bool,
}

/// For how long both sides must agree that a game is decided: weak levels misjudge, so the bounds are wide.
const RESIGN: ResignRule = ResignRule { moves: 5, centipawns: 1100, both: true };
const DRAW: DrawRule = DrawRule { from_move: 80, moves: 10, centipawns: 8 };
/// Two weak players may shuffle for ever.
const MAX_MOVES: u32 = 250;

impl Args {
    fn plan(&self) -> Plan {
        Plan {
            games: Some(self.games),
            concurrency: self.concurrency,
            openings: self.openings.clone(),
            plies: self.plies,
            pgn: self.pgn.clone(),
            resign: Some(RESIGN),
            draw: Some(DRAW),
            max_moves: Some(MAX_MOVES),
            ..Plan::default()
        }
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.from > args.to {
        bail!("there are no levels from {} to {}: --from is the weaker one", args.from, args.to);
    }
    let rungs = calibration::ladder(args.from..=args.to, &args.anchors);
    let plan = calibration::plan(&rungs, args.plan());
    let existing = match (args.resume, args.overwrite) {
        (true, _) => Existing::Resume,
        (_, true) => Existing::Overwrite,
        _ => Existing::Refuse,
    };
    let stop = interrupt::stop_token()?;
    let tournament = plan.prepare(&stop)?;
    let paths = Paths::next_to(plan.pgn.as_deref());
    let mut progress = Progress::new();
    let (standings, end) = session::run(&plan, &tournament, &paths, existing, &stop, |news| {
        if let Some(incident) = &news.incident {
            progress.say(incident);
        }
        let standings = news.finished.standings;
        progress.show(|elapsed| report::progress_line(&tournament, standings, elapsed, news.played_now));
    })?;
    drop(progress);
    let names: Vec<String> = tournament.entrants.iter().map(|entrant| entrant.name.clone()).collect();
    write!(io::stdout().lock(), "{}", Calibration::new(&rungs, &names, &standings))?;
    if end == End::Interrupted {
        let hint = if plan.pgn.is_some() { "; --resume continues" } else { "" };
        writeln!(io::stderr(), "interrupted after {} games{hint}", standings.games().len())?;
        return Ok(interrupt::exit_code());
    }
    Ok(ExitCode::SUCCESS)
}
