//! Solves the mates of an EPD file and prints the time and the nodes of each.
//!
//!     cargo run --release -p mate --example solve_suite -- mates.epd [moves at most]
//!
//! Where a line says how long its mate is (`dm 3`, `ce +M3`), the proof must agree. Any difference makes
//! the program fail.

use anyhow::{Context, ensure};
use chess::{Epd, EpdScore, Move, Position};
use mate::{Limits, MateResult, solve};
use std::time::{Duration, Instant};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().context("name an EPD file")?;
    let max_moves: u32 = match arguments.next() {
        Some(text) => text.parse().with_context(|| format!("{text:?} is no number of moves"))?,
        None => 8,
    };
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
    let (mut count, mut proved, mut total_nodes) = (0, 0, 0);
    let (mut total, mut slowest) = (Duration::ZERO, Duration::ZERO);
    for (number, epd) in Epd::parse_lines(&text) {
        let epd = epd.with_context(|| format!("{path}, line {number}"))?;
        let expected = expected_mate(&epd);
        let start = Instant::now();
        let result = solve(&epd.position, expected.unwrap_or(max_moves), Limits::default());
        let time = start.elapsed();
        let (found, nodes, line) = match result {
            MateResult::Mate { moves, line, nodes } => (Some(moves), nodes, in_san(&epd.position, &line)),
            MateResult::NoMate { nodes, .. } | MateResult::Stopped { nodes, .. } => {
                (None, nodes, String::new())
            }
        };
        let verdict = match (found, expected) {
            (Some(moves), Some(expected)) if moves != expected => format!("mate in {moves}, not {expected}"),
            (Some(moves), _) => format!("mate in {moves}"),
            (None, _) => "no mate".to_owned(),
        };
        println!("{number:4} {:9.1} ms {nodes:10} nodes  {verdict}: {line}", time.as_secs_f64() * 1e3);
        count += 1;
        proved += usize::from(found.is_some() && (expected.is_none() || found == expected));
        total_nodes += nodes;
        total += time;
        slowest = slowest.max(time);
    }
    println!("{proved} of {count} proved, {total_nodes} nodes in {total:.2?}, the slowest in {slowest:.2?}");
    ensure!(proved == count, "{} positions not as expected", count - proved);
    Ok(())
}

fn expected_mate(epd: &Epd) -> Option<u32> {
    epd.direct_mate().or_else(|| match epd.evaluation()? {
        EpdScore::Mate(moves) => u32::try_from(moves).ok(),
        EpdScore::Centipawns(_) => None,
    })
}

fn in_san(position: &Position, line: &[Move]) -> String {
    let mut position = *position;
    let mut words = Vec::new();
    for &mv in line {
        words.push(position.san(mv).to_string());
        position.play(mv);
    }
    words.join(" ")
}
