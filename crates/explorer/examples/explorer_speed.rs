//! How fast games are indexed and positions answered, and how much room a game takes:
//! `cargo run --release -p explorer --example explorer_speed -- GAMES DIRECTORY`. The games are made up, 80 half-moves each, and
//! always the same; early positions come again as often as they do in real games.

use chess::random::Random;
use chess::{Move, Position};
use explorer::{Explorer, Filter, build};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let games: u32 = args.next().ok_or("how many games?")?.parse()?;
    let directory = args.next().ok_or("where to?")?;
    let pgn = Path::new(&directory).join("games.pgn");
    write_games(&pgn, games)?;
    println!("{games} games, {:.1} MB", pgn.metadata()?.len() as f64 / 1e6);
    let index = Path::new(&directory).join("index");
    let begin = Instant::now();
    let summary = build(&[pgn], &index, 40, true, |_| ControlFlow::Continue(()))?;
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "indexed in {seconds:.1} s: {:.0} games a second, {} positions, {:.0} bytes a game",
        f64::from(games) / seconds,
        summary.positions,
        summary.bytes as f64 / f64::from(games)
    );
    let explorer = Explorer::open(&index)?;
    let everyone = Filter::default();
    let some = Filter { player: Some("player 7".to_owned()), least_rating: Some(1800), ..Filter::default() };
    for (name, filter) in [("all games", &everyone), ("with filters", &some)] {
        let mut position = Position::startpos();
        for ply in 0..8 {
            let begin = Instant::now();
            let answer = explorer.ask(&position, filter, 10)?;
            let time = begin.elapsed().as_secs_f64() * 1e3;
            println!("{name}, half-move {ply}: {} games, {time:.2} ms", answer.results.games);
            let Some(found) = answer.moves.first() else { break };
            position.play(found.mv);
        }
    }
    Ok(())
}

fn write_games(path: &Path, games: u32) -> std::io::Result<()> {
    let mut random = Random::new(1);
    let mut file = BufWriter::new(File::create(path)?);
    for _ in 0..games {
        let [white, black] = [random.below(5_000), random.below(5_000)];
        let [better, worse] = [1000 + random.below(1500), 1000 + random.below(1500)];
        let result = ["1-0", "0-1", "1/2-1/2"][random.below(3)];
        let date =
            format!("{}.{:02}.{:02}", 2000 + random.below(26), 1 + random.below(12), 1 + random.below(28));
        writeln!(file, "[White \"Player {white}\"]\n[Black \"Player {black}\"]\n[WhiteElo \"{better}\"]")?;
        writeln!(file, "[BlackElo \"{worse}\"]\n[Date \"{date}\"]\n[Result \"{result}\"]\n")?;
        let mut position = Position::startpos();
        for _ in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Some moves are much more frequent than others.
            let share = random.below(1000) as f64 / 1000.0;
            let mv: Move = moves[(share.powi(4) * moves.len() as f64) as usize];
            write!(file, "{} ", position.san(mv))?;
            position.play(mv);
        }
        writeln!(file, "{result}\n")?;
    }
    file.flush()
}
