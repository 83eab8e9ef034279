//! `gardez match`: games between engines.

use anyhow::{Context, bail};
use arena::adjudication::{DrawRule, ResignRule, Rules};
use arena::game_runner::Watch;
use arena::limits::{Limit, TimeControl};
use arena::openings::{Openings, Order, Source};
use arena::player::StopSignal;
use arena::record::{self, Heading};
use arena::report;
use arena::schedule::Format;
use arena::spec::Spec;
use arena::standings::Standings;
use arena::state::{Existing, Files};
use arena::stats::sprt::Sprt;
use arena::tournament::{self, End, Finished, Tournament};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

/// Play games between engines
///
/// A player is `gardez`, `gardez:Option=value,...`, `uci:PROGRAM [ARGUMENTS][:Option=value,...]` or
/// `xboard:PROGRAM [ARGUMENTS][:...]`. Quotes and backslashes protect blanks, colons and commas. Options
/// that begin with @ are for the arena: @name, @dir, and @tc, @movetime, @depth, @nodes, @nodestime for a
/// limit of the player's own.
#[derive(clap::Args)]
pub struct Args {
    /// The players, two or more
    #[arg(value_name = "PLAYER", required = true, num_args = 2.., value_parser = str::parse::<Spec>)]
    players: Vec<Spec>,
    /// Games between every two opponents
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// Games at a time
    #[arg(long, value_name = "K", default_value = "1")]
    concurrency: NonZeroUsize,
    /// The first player against each of the others instead of everybody against everybody
    #[arg(long)]
    gauntlet: bool,
    #[command(flatten)]
    limit: LimitArgs,
    /// Limit of the first player only, such as tc=1+0.01 or nodes=5000
    #[arg(long, value_name = "LIMIT")]
    limit_a: Option<Limit>,
    /// Limit of the second player only
    #[arg(long, value_name = "LIMIT")]
    limit_b: Option<Limit>,
    /// File of openings, PGN or EPD; or chess960, or dfrc for double Chess960
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
    /// Half-moves of each opening to play [default: all]
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Seed of the order of openings
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Play the openings as they stand in the file
    #[arg(long, conflicts_with = "seed")]
    in_order: bool,
    #[command(flatten)]
    watch: WatchArgs,
    /// End when the results are clear: Elo of both hypotheses, and the probabilities of either error
    #[arg(long, num_args = 4, value_names = ["ELO0", "ELO1", "ALPHA", "BETA"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Write the games into this file, and beside it the state of the match
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Go on with an interrupted match
    #[arg(long, requires = "pgn", conflicts_with = "overwrite")]
    resume: bool,
    /// Begin again even if the files exist
    #[arg(long)]
    overwrite: bool,
    /// Name of the match
    #[arg(long, value_name = "NAME", default_value = "Gardez arena")]
    event: String,
}

#[derive(clap::Args)]
struct LimitArgs {
    /// Clock in seconds: 60+0.5, or 40/60+0.5 for 40 moves
    #[arg(long, value_name = "TC")]
    tc: Option<TimeControl>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Depth of every search
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Nodes that count as a millisecond of the clock
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "tc")]
    nodestime: Option<u64>,
}

#[derive(clap::Args)]
struct WatchArgs {
    /// Milliseconds by which the clock may be exceeded
    #[arg(long, value_name = "MS", default_value_t = 20)]
    margin: u64,
    /// Milliseconds beyond its time after which an engine counts as hanging
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    hang: u64,
    /// Draw games from this move on, after so many moves within so many centipawns
    #[arg(long, num_args = 3, value_names = ["FROM", "MOVES", "CP"])]
    draw: Option<Vec<u32>>,
    /// Decide games after so many moves beyond so many centipawns
    #[arg(long, num_args = 2, value_names = ["MOVES", "CP"])]
    resign: Option<Vec<u32>>,
    /// For that the loser's opinion is enough
    #[arg(long, requires = "resign")]
    resign_alone: bool,
    /// Draw games so many moves long
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// Decide games by the Syzygy tables of these directories
    #[arg(long, value_name = "PATH")]
    tables: Option<String>,
}

impl LimitArgs {
    fn limit(&self) -> Option<Limit> {
        let limit = Limit {
            clock: self.tc,
            move_time: self.movetime.map(Duration::from_millis),
            depth: self.depth,
            nodes: self.nodes,
            node_rate: self.nodestime,
        };
        limit.check().ok()
    }
}

impl WatchArgs {
    fn watch(&self) -> Watch {
        let signed = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
        let draw = self.draw.as_deref().and_then(|numbers| match *numbers {
            [from_move, moves, cp] => Some(DrawRule { from_move, moves, centipawns: signed(cp) }),
            _ => None,
        });
        let both = !self.resign_alone;
        let resign = self.resign.as_deref().and_then(|numbers| match *numbers {
            [moves, cp] => Some(ResignRule { moves, centipawns: signed(cp), both }),
            _ => None,
        });
        let tables = self.tables.as_deref().map(|path| tablebase::Tablebases::open(path).0.into());
        Watch {
            rules: Rules { draw, resign, max_moves: self.max_moves, tables },
            margin: Duration::from_millis(self.margin),
            patience: Duration::from_millis(self.hang),
        }
    }
}

/// What a program that Ctrl-C has ended returns to a Unix shell.
const EXIT_INTERRUPTED: u8 = 130;

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = StopSignal::default();
    let on_interrupt = stop.clone();
    ctrlc::set_handler(move || {
        // Whoever asks twice does not want to wait.
        if on_interrupt.is_set() {
            std::process::exit(EXIT_INTERRUPTED.into());
        }
        on_interrupt.stop();
    })
    .context("cannot listen to Ctrl-C")?;
    let tournament = prepare(args, &stop)?;
    play(args, &tournament, &stop)
}

fn prepare(args: &Args, stop: &StopSignal) -> anyhow::Result<Tournament> {
    let mut specs = args.players.clone();
    for (index, limit) in [args.limit_a, args.limit_b].into_iter().enumerate() {
        specs[index].limit = limit.or(specs[index].limit);
    }
    let order = if args.in_order { Order::Sequential } else { Order::Random(args.seed) };
    let source = match args.openings.as_deref() {
        None => Source::Start,
        Some("chess960") => Source::Chess960,
        Some("dfrc") => Source::DoubleChess960,
        Some(path) => Source::File(path.into()),
    };
    let sprt = match args.sprt.as_deref() {
        Some(&[elo0, elo1, alpha, beta]) => Some(Sprt::new(elo0, elo1, alpha, beta)?),
        _ => None,
    };
    if sprt.is_some() && specs.len() > 2 {
        bail!("--sprt is for a match of two");
    }
    let watch = args.watch.watch();
    let patience = watch.patience;
    let entrants = tournament::register(specs, args.limit.limit(), patience, stop)?;
    Ok(Tournament {
        entrants,
        format: if args.gauntlet { Format::Gauntlet } else { Format::RoundRobin },
        games_each: args.games,
        openings: Openings::load(&source, args.plies, order)?,
        watch,
        patience,
        concurrency: args.concurrency,
        sprt,
    })
}

/// Everything that decides which games are played, so that a match goes on only as itself.
fn plan(args: &Args, tournament: &Tournament) -> String {
    let players: Vec<String> =
        tournament.entrants.iter().map(|entrant| format!("{} ({})", entrant.name, entrant.limit)).collect();
    let order = if args.in_order { "in order".to_owned() } else { format!("seed {}", args.seed) };
    let openings = args.openings.as_deref().unwrap_or("the start position");
    let plies = args.plies.map_or_else(|| "all".to_owned(), |plies| plies.to_string());
    format!("{:?} of {}; {openings}, {plies} plies, {order}", tournament.format, players.join(", "))
}

fn play(args: &Args, tournament: &Tournament, stop: &StopSignal) -> anyhow::Result<ExitCode> {
    let existing = match (args.resume, args.overwrite) {
        (true, _) => Existing::Resume,
        (_, true) => Existing::Overwrite,
        _ => Existing::Refuse,
    };
    let state = args.pgn.as_ref().map(|path| with_suffix(path, ".state"));
    let incidents = args.pgn.as_ref().map(|path| with_suffix(path, ".incidents"));
    let (mut files, games) =
        Files::open(args.pgn.as_deref(), state.as_deref(), &plan(args, tournament), existing)?;
    let mut standings = Standings::default();
    for game in games {
        standings.add(game);
    }
    let before = standings.games().len();
    let mut progress = Progress::new();
    let end = tournament.run(&mut standings, stop, |finished| {
        let names = [finished.fixture.white, finished.fixture.black];
        let heading = Heading {
            event: &args.event,
            round: finished.fixture.round + 1,
            names: names.map(|player| &tournament.entrants[player].name[..]),
            limits: names.map(|player| tournament.entrants[player].limit),
            date: SystemTime::now(),
        };
        files.keep(finished.report, &record::to_pgn(finished.played, &heading).to_string())?;
        report_incident(&mut progress, &heading, finished, incidents.as_deref())?;
        let played_now = finished.standings.games().len() - before;
        progress.show(|elapsed| report::progress_line(tournament, finished.standings, elapsed, played_now));
        anyhow::Ok(())
    })?;
    drop(progress);
    summarise(tournament, &standings, end)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn report_incident(
    progress: &mut Progress,
    heading: &Heading<'_>,
    finished: &Finished<'_>,
    file: Option<&Path>,
) -> anyhow::Result<()> {
    let Some(incident) = &finished.played.incident else { return Ok(()) };
    let number = finished.fixture.number + 1;
    let name = heading.names[incident.color.index()];
    let line = format!("game {number}: {name} ({}) {}", incident.color, incident.text);
    progress.say(&line);
    if let Some(path) = file {
        let fen = finished.played.game.position().to_fen();
        let text = format!("{line}\nposition: {fen}\n{}\n", incident.dialogue);
        let mut log = OpenOptions::new().append(true).create(true).open(path)?;
        log.write_all(text.as_bytes()).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn summarise(tournament: &Tournament, standings: &Standings, end: End) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    write!(out, "{}", report::table(tournament, standings))?;
    if tournament.entrants.len() == 2 {
        writeln!(out, "{}", report::match_line(&standings.encounter(0, 1), tournament.sprt.as_ref()))?;
    }
    match (end, &tournament.sprt) {
        (End::Interrupted, _) => {
            writeln!(out, "interrupted after {} games", standings.games().len())?;
            Ok(ExitCode::from(EXIT_INTERRUPTED))
        }
        (End::Decided(verdict), Some(sprt)) => {
            writeln!(out, "{}", report::show_verdict(sprt, verdict))?;
            Ok(ExitCode::SUCCESS)
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Tells on standard error how far a match has come: one line that changes on a terminal, else a line now
/// and then.
struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    /// The running time at which to print a line next.
    next: Duration,
}

impl Progress {
    const LINES_APART: Duration = Duration::from_secs(60);

    fn new() -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            match ProgressStyle::with_template("{elapsed_precise} {wide_msg}") {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        });
        Self { bar, started: Instant::now(), next: Duration::from_secs(1) }
    }

    fn show(&mut self, line: impl FnOnce(Duration) -> String) {
        let elapsed = self.started.elapsed();
        if let Some(bar) = &self.bar {
            bar.set_message(line(elapsed));
            bar.tick();
        } else if elapsed >= self.next {
            // Nobody reading the progress is no reason to stop the match.
            let _ = writeln!(io::stderr(), "{}", line(elapsed));
            // Twice as long each time, so that a log stays short.
            self.next = elapsed + elapsed.min(Self::LINES_APART);
        }
    }

    fn say(&mut self, line: &str) {
        if let Some(bar) = &self.bar {
            bar.println(line);
        } else {
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
