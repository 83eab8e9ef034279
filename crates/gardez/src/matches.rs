//! `gardez match`: games between engines.

use crate::interrupt;
use crate::numbers;
use crate::progress::Progress;
use arena::plan::{Plan, PlannedPlayer};
use arena::report::{self, Summary};
use arena::schedule::Format;
use arena::session::{self, Existing, Paths};
use arena::stats::sprt::Sprt;
use arena::tournament::End;
use players::{DrawRule, Limit, PlayerSpec, ResignRule, SpecError, TimeControl};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Play games between engines
///
/// A player is `gardez`, `gardez:Option=value,...`, `uci:PROGRAM [ARGUMENTS][:Option=value,...]`,
/// `xboard:PROGRAM [ARGUMENTS][:...]`, one of the classics, such as `chessbin:hard` or `javachess:mtdf:book=FILE`, or
/// `random` or `greedy`. `gardez:level=8` plays at a level. Quotes and backslashes protect blanks, colons and commas.
/// Options that begin with @ are for the arena: @name, @dir, and @tc, @movetime, @depth, @nodes, @nodestime for a limit of
/// the player's own.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The players, two or more
    #[arg(value_name = "PLAYER", required_unless_present = "tournament", value_parser = checked_spec)]
    players: Vec<String>,
    /// Read the tournament from a TOML file; what is given here as well comes first
    #[arg(long, value_name = "FILE")]
    tournament: Option<PathBuf>,
    /// Games between every two opponents [default: 100]
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Games at a time [default: 1]
    #[arg(long, value_name = "N", value_parser = numbers::at_least(NonZeroUsize::MIN))]
    concurrency: Option<NonZeroUsize>,
    /// The first player against each of the others instead of every player against every other
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
    /// Seed of the order of openings [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Play the openings as they stand in the file
    #[arg(long, conflicts_with = "seed")]
    in_order: bool,
    #[command(flatten)]
    watch: WatchArgs,
    /// End when the results are clear: Elo of both hypotheses, and the probabilities of either error
    #[arg(long, num_args = 4, value_names = ["ELO0", "ELO1", "ALPHA", "BETA"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Write the games into this file, and next to it the state of the match and what goes wrong
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Resume an interrupted match
    #[arg(long, conflicts_with = "overwrite")]
    resume: bool,
    /// Start again even if the files exist
    #[arg(long)]
    overwrite: bool,
    /// Name of the match
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct LimitArgs {
    /// Clock in seconds: 60+0.5, or 40/60+0.5 for 40 moves
    #[arg(long, value_name = "TC")]
    tc: Option<TimeControl>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", value_parser = numbers::at_least(1_u64))]
    movetime: Option<u64>,
    /// Depth of every search
    #[arg(long, value_name = "N", value_parser = numbers::at_least(1_u32))]
    depth: Option<u32>,
    /// Nodes a move
    #[arg(long, value_name = "N", value_parser = numbers::at_least(1_u64))]
    nodes: Option<u64>,
    /// Nodes that count as a millisecond of the clock
    #[arg(long, value_name = "N", value_parser = numbers::at_least(1_u64), requires = "tc")]
    nodestime: Option<u64>,
}

#[derive(clap::Args)]
struct WatchArgs {
    /// Milliseconds by which the clock may be exceeded [default: 20]
    #[arg(long, value_name = "MS")]
    margin: Option<u64>,
    /// Milliseconds beyond its time after which an engine counts as hanging [default: 10000]
    #[arg(long, value_name = "MS")]
    hang: Option<u64>,
    /// Draw games from move FROM on, after MOVES moves within CP centipawns
    #[arg(long, num_args = 3, value_names = ["FROM", "MOVES", "CP"])]
    draw: Option<Vec<u32>>,
    /// Decide games after MOVES moves beyond CP centipawns
    #[arg(long, num_args = 2, value_names = ["MOVES", "CP"])]
    resign: Option<Vec<u32>>,
    /// Take the loser's opinion alone for that
    #[arg(long, requires = "resign")]
    resign_alone: bool,
    /// Draw games that reach N moves
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// Decide games by the Syzygy tablebases of these directories
    #[arg(long, alias = "tables", value_name = "PATH")]
    tablebases: Option<String>,
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
    fn draw(&self) -> Option<DrawRule> {
        match *self.draw.as_deref()? {
            [from_move, moves, cp] => Some(DrawRule { from_move, moves, centipawns: signed(cp) }),
            _ => None,
        }
    }

    fn resign(&self) -> Option<ResignRule> {
        match *self.resign.as_deref()? {
            [moves, cp] => Some(ResignRule { moves, centipawns: signed(cp), both: !self.resign_alone }),
            _ => None,
        }
    }
}

fn signed(value: u32) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

impl Args {
    /// The plan of the file, if there is one, with everything that the command line says.
    fn plan(&self) -> anyhow::Result<Plan> {
        let mut plan = self.tournament.as_deref().map(Plan::read).transpose()?.unwrap_or_default();
        plan.players.extend(self.players.iter().map(|spec| PlannedPlayer::from_spec(spec)));
        for (player, limit) in plan.players.iter_mut().zip([self.limit_a, self.limit_b]) {
            player.limit = limit.or(player.limit);
        }
        if self.gauntlet {
            plan.format = Format::Gauntlet;
        }
        if self.seed.is_some() || self.in_order {
            plan.in_order = self.in_order;
        }
        let Args { watch, .. } = self;
        override_with(&mut plan.event, self.event.clone());
        override_with(&mut plan.games, self.games);
        override_with(&mut plan.concurrency, self.concurrency);
        override_with(&mut plan.limit, self.limit.limit());
        override_with(&mut plan.openings, self.openings.clone());
        override_with(&mut plan.plies, self.plies);
        override_with(&mut plan.seed, self.seed);
        override_with(&mut plan.margin, watch.margin);
        override_with(&mut plan.hang, watch.hang);
        override_with(&mut plan.draw, watch.draw());
        override_with(&mut plan.resign, watch.resign());
        override_with(&mut plan.max_moves, watch.max_moves);
        override_with(&mut plan.tablebases, watch.tablebases.clone());
        override_with(&mut plan.pgn, self.pgn.clone());
        if let Some(&[elo0, elo1, alpha, beta]) = self.sprt.as_deref() {
            plan.sprt = Some(Sprt::new(elo0, elo1, alpha, beta)?);
        }
        Ok(plan)
    }

    const fn existing(&self) -> Existing {
        match (self.resume, self.overwrite) {
            (true, _) => Existing::Resume,
            (_, true) => Existing::Overwrite,
            _ => Existing::Refuse,
        }
    }
}

/// A spec that can be read.
fn checked_spec(text: &str) -> Result<String, SpecError> {
    text.parse::<PlayerSpec>().map(|_| text.to_owned())
}

fn override_with<T>(place: &mut Option<T>, value: Option<T>) {
    if value.is_some() {
        *place = value;
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let plan = args.plan()?;
    let stop = interrupt::stop_token()?;
    let tournament = plan.prepare(&stop)?;
    let paths = Paths::next_to(plan.pgn.as_deref());
    let mut progress = Progress::new();
    let (standings, end) = session::run(&plan, &tournament, &paths, args.existing(), &stop, |news| {
        if let Some(incident) = &news.incident {
            progress.say(incident);
        }
        let standings = news.finished.standings;
        progress.show(|elapsed| report::progress_line(&tournament, standings, elapsed, news.played_now));
    })?;
    drop(progress);
    let summary = Summary::new(&tournament, &standings);
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &summary)?;
        writeln!(out)?;
    } else {
        write!(out, "{summary}")?;
        if tournament.entrants.len() == 2 {
            writeln!(out, "{}", report::match_line(&standings.encounter(0, 1), tournament.sprt.as_ref()))?;
        }
        if let (End::Decided(verdict), Some(sprt)) = (end, &tournament.sprt) {
            writeln!(out, "{}", report::show_verdict(sprt, verdict))?;
        }
    }
    if end == End::Interrupted {
        let done = standings.games().len();
        let hint = if plan.pgn.is_some() { "; --resume continues" } else { "" };
        writeln!(io::stderr(), "interrupted after {done} games{hint}")?;
        return Ok(interrupt::exit_code());
    }
    Ok(ExitCode::SUCCESS)
}
