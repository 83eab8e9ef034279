//! How fast PGN is read with every move checked, and in how much memory:
//! `cargo run --release --example pgn_speed [FILE.pgn]`. Without a file it reads games it makes up.

use chess::pgn::{Node, PgnError, PgnFault, PgnGame, Reader, Visitor};
use chess::random::Random;
use chess::{Move, Position};
use std::fs::File;
use std::io::{self, Read};
use std::time::Instant;

const SYNTHETIC_BYTES: usize = 50 << 20;
const SYNTHETIC_GAMES: usize = 200;
const RUNS: usize = 5;

#[derive(Default)]
struct Count {
    games: u64,
    plies: u64,
    faults: u64,
}

impl Visitor for Count {
    fn begin_game(&mut self) {
        self.games += 1;
    }

    fn play(&mut self, _: &Position, _: Move) {
        self.plies += 1;
    }

    fn fault(&mut self, fault: PgnFault) {
        self.faults += 1;
        if self.faults <= 10 {
            eprintln!("{fault}");
        }
    }
}

/// A text over and over again, up to a length in all, without holding more than one copy.
struct Repeated<'a> {
    text: &'a [u8],
    at: usize,
    left: usize,
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.text[self.at..];
        let count = rest.len().min(buffer.len()).min(self.left);
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at = (self.at + count) % self.text.len();
        self.left -= count;
        Ok(count)
    }
}

/// Games of random moves, always the same.
fn random_games() -> String {
    let mut random = Random::new(1);
    let mut games = String::new();
    for _ in 0..SYNTHETIC_GAMES {
        let mut game = PgnGame::default();
        let mut position = game.start;
        for _ in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            game.line.moves.push(Node::new(Some(mv)));
            position.play(mv);
        }
        games.push_str(&game.to_string());
    }
    games
}

/// The most memory this process has used, where the system reports it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map(|value| value.trim().to_owned())
}

fn measure(source: impl Read) -> Result<(Count, u64, f64), PgnError> {
    let mut reader = Reader::new(source);
    let mut count = Count::default();
    let begin = Instant::now();
    while reader.visit_game(&mut count)? {}
    Ok((count, reader.bytes_read(), begin.elapsed().as_secs_f64()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1);
    let synthetic = if file.is_none() { random_games() } else { String::new() };
    for _ in 0..RUNS {
        let (count, bytes, seconds) = match &file {
            Some(path) => measure(File::open(path)?)?,
            None => {
                let whole = SYNTHETIC_BYTES / synthetic.len() * synthetic.len();
                measure(Repeated { text: synthetic.as_bytes(), at: 0, left: whole })?
            }
        };
        println!(
            "{} games, {} plies, {:.1} MB in {seconds:.3} s: {:.1} MB/s, {:.2} million plies/s",
            count.games,
            count.plies,
            bytes as f64 / 1e6,
            bytes as f64 / 1e6 / seconds,
            count.plies as f64 / 1e6 / seconds,
        );
    }
    if let Some(memory) = peak_memory() {
        println!("most memory used: {memory}");
    }
    Ok(())
}
