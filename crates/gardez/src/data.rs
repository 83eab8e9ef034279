//! `gardez data`: looks into files of games.

use anyhow::{Context, Result, ensure};
use chess::random::Random;
use clap::Subcommand;
use data::{Filter, GameReader, Sample, Stats, Verdict};
use eval::Evaluator;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Look into files of games that datagen wrote
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Count games, results, phases and scores, and check a sample
    ///
    /// Where a file is damaged it prints the offset, skips to the next whole game and fails at the end. A torn end,
    /// as a killed or running writer leaves it, is reported and is no failure.
    Stats {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    Rescore(crate::rescore::Args),
}

/// How many positions to compare with the static evaluation.
const SAMPLE: usize = 20_000;

/// With fewer positions than this a correlation says nothing.
const ENOUGH: usize = 500;

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let files = match &args.command {
        Command::Stats { files } => files,
        Command::Rescore(args) => return crate::rescore::run(args),
    };
    let filter = Filter::default();
    let (mut stats, mut sample) = (Stats::default(), Reservoir::new());
    let mut damaged = 0;
    for path in files {
        damaged +=
            read(path, &filter, &mut stats, &mut sample).with_context(|| format!("{}", path.display()))?;
    }
    show(&stats)?;
    check(&stats, &sample.kept)?;
    ensure!(damaged == 0, "damaged places in the files: {damaged}");
    Ok(ExitCode::SUCCESS)
}

/// A fair choice of positions from a stream whose length is not known.
struct Reservoir {
    kept: Vec<Sample>,
    seen: usize,
    random: Random,
}

impl Reservoir {
    fn new() -> Self {
        Self { kept: Vec::new(), seen: 0, random: Random::stream(0, 0) }
    }

    fn offer(&mut self, sample: Sample) {
        self.seen += 1;
        if self.kept.len() < SAMPLE {
            self.kept.push(sample);
        } else if let Some(place) = self.kept.get_mut(self.random.below(self.seen)) {
            *place = sample;
        }
    }
}

/// Counts the games of a file and returns the number of places where it is damaged.
fn read(path: &Path, filter: &Filter, stats: &mut Stats, sample: &mut Reservoir) -> Result<usize> {
    let mut reader = GameReader::open(path)?.skip_damaged(true);
    let origin = reader.origin();
    let first = stats.games;
    for game in reader.by_ref() {
        let game = game?;
        stats.add(&game, filter);
        for chosen in filter.choose(&game, stats.games + stats.samples) {
            sample.offer(chosen);
        }
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {} games, {origin}", path.display(), stats.games - first)?;
    for damage in reader.skipped() {
        writeln!(out, "  damaged at byte {}: {} bytes skipped", damage.offset, damage.length)?;
    }
    if let Some(offset) = reader.torn_at() {
        writeln!(out, "  torn at byte {offset}: its writer was killed or is still writing")?;
    }
    Ok(reader.skipped().len())
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / (whole as f64).max(1.0)
}

fn show(stats: &Stats) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let ended = stats.verdicts.iter().sum();
    let [black, draws, white] = stats.verdicts.map(|count| percent(count, ended));
    let per_game = stats.positions as f64 / (stats.games as f64).max(1.0);
    writeln!(
        out,
        "\ngames      {:>11}  White wins {white:.1} %, draws {draws:.1} %, Black wins {black:.1} %",
        stats.games
    )?;
    if ended < stats.games {
        writeln!(out, "broken off {:>11}  without a result", stats.games - ended)?;
    }
    writeln!(
        out,
        "by rule    {:>11}  ended by mate, stalemate or material; the others by repetition, fifty moves or adjudication",
        stats.ended_by_rules
    )?;
    writeln!(
        out,
        "positions  {:>11}  {per_game:.1} a game, {} in the longest",
        stats.positions, stats.longest
    )?;
    if stats.samples > 0 {
        writeln!(out, "inside     {:>11}  of them from inside searches", stats.samples)?;
    }
    writeln!(
        out,
        "decisive   {:>11}  {:.1} % with a proof of a win",
        stats.decisive,
        percent(stats.decisive, stats.positions)
    )?;
    writeln!(
        out,
        "accepted   {:>11}  {:.1} % quiet, not in check, after move 8, clock below 80, score within 2,000",
        stats.accepted,
        percent(stats.accepted, stats.positions)
    )?;
    writeln!(out, "\naccepted positions by phase (24: all pieces, 0: pawns only)")?;
    for (from, phases) in stats.phases.chunks(4).enumerate().rev() {
        let (first, last) = (4 * from, 4 * from + phases.len() - 1);
        bar(&mut out, &format!("{first}-{last}"), phases.iter().sum(), stats.accepted)?;
    }
    writeln!(out, "\naccepted positions by score for White")?;
    for (index, &count) in stats.scores.iter().enumerate() {
        let beyond = if index == 0 || index + 1 == stats.scores.len() { ".." } else { "" };
        bar(&mut out, &format!("{:+}{beyond}", Stats::bar_score(index)), count, stats.accepted)?;
    }
    Ok(())
}

fn bar(out: &mut impl Write, name: &str, count: u64, whole: u64) -> io::Result<()> {
    let share = percent(count, whole);
    writeln!(out, "{name:>8} {share:>6.2} % {}", "#".repeat(share.round() as usize))
}

/// Every move was legal, or reading would have failed. Whether scores make sense shows in comparison with the static
/// evaluation and the results.
fn check(stats: &Stats, sample: &[Sample]) -> Result<()> {
    let mut evaluator = Evaluator::new();
    let pairs: Vec<(f64, f64)> = sample
        .iter()
        .map(|sample| (f64::from(sample.mover_score()), f64::from(evaluator.evaluate(&sample.position))))
        .collect();
    let same = correlation(&pairs);
    let points: Vec<(f64, f64)> = sample
        .iter()
        .filter_map(|sample| {
            Some((f64::from(sample.white_score.clamp(-500, 500)), f64::from(sample.white_points()?)))
        })
        .collect();
    let predicts = correlation(&points);
    let mut out = io::stdout().lock();
    writeln!(out, "\nall {} moves are legal", stats.positions)?;
    writeln!(
        out,
        "{} positions: score and static evaluation correlate by {same:.3}, score and result by {predicts:.3}",
        sample.len()
    )?;
    writeln!(
        out,
        "the side with the better score makes {:.1} % of the points",
        100.0 * stats.agreement_share()
    )?;
    let decided = stats.verdicts[Verdict::WhiteWins as usize] + stats.verdicts[Verdict::BlackWins as usize];
    if sample.len() >= ENOUGH && decided > 0 {
        ensure!(same > 0.5, "scores have little to do with the positions: a wrong sign or a broken search");
        // Games that were broken off predict nothing.
        ensure!(
            points.len() < ENOUGH || predicts > 0.1,
            "scores have little to do with the results: a wrong sign"
        );
    }
    Ok(())
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / (pairs.len() as f64).max(1.0);
    let (mean_x, mean_y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in pairs.iter().map(|pair| (pair.0 - mean_x, pair.1 - mean_y)) {
        xy += x * y;
        xx += x * x;
        yy += y * y;
    }
    xy / (xx * yy).sqrt().max(f64::MIN_POSITIVE)
}
