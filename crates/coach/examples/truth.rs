//! Explains moves of games, puzzles and openings and checks every claim again by other means.
//!
//!     cargo run --release -p coach --example truth -- NODES MOVES FILE.pgn FILE.csv openings
//!
//! prints how often each kind of claim was made, those that are false, and answers that contradict their score. With
//! `--sentences` it prints sentences of each kind instead. Puzzles are files of `FEN,Moves,...` or `Id,FEN,Moves,...`.

#[path = "../tests/checker/mod.rs"]
mod checker;

use checker::survey::Survey;
use chess::{Game, Move, Position, pgn};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let as_sentences = words.iter().any(|word| word == "--sentences");
    words.retain(|word| word != "--sentences");
    let [nodes, most, sources @ ..] = &words[..] else { return Err("NODES MOVES SOURCE...".into()) };
    let (mut survey, most) = (Survey::new(nodes.parse()?), most.parse::<u32>()?);
    let share = most / sources.len().max(1) as u32;
    for (index, source) in sources.iter().enumerate() {
        let goal = share * (index as u32 + 1);
        for moves in games_of(source)? {
            if survey.moves >= goal {
                break;
            }
            explain(&mut survey, moves, goal)?;
        }
    }
    if as_sentences {
        print_sentences(&survey);
    } else {
        print_counts(&survey);
    }
    Ok(())
}

type Played = (Position, Vec<Move>);

fn games_of(source: &str) -> Result<Vec<Played>, Box<dyn Error>> {
    if source == "openings" {
        // Every third line, for variety.
        let lines = book::openings::all().iter().step_by(3);
        return lines
            .map(|opening| {
                let mut game = Game::new();
                for word in opening.moves.split_whitespace().filter(|word| !word.ends_with('.')) {
                    game.replay(game.position().parse_san(word)?)?;
                }
                Ok((*game.start(), game.moves().collect()))
            })
            .collect();
    }
    let text = std::fs::read_to_string(source)?;
    if source.ends_with(".pgn") {
        return pgn::Reader::new(text.as_bytes())
            .map(|game| {
                let game = game?.to_game()?;
                Ok((*game.start(), game.moves().collect()))
            })
            .collect();
    }
    text.lines().skip(1).map(read_puzzle).collect()
}

fn read_puzzle(row: &str) -> Result<Played, Box<dyn Error>> {
    let fields: Vec<&str> = row.split(',').collect();
    let at = fields.iter().position(|field| field.contains('/')).ok_or("no FEN")?;
    let start: Position = fields[at].parse()?;
    let mut game = Game::from_position(start);
    for word in fields.get(at + 1).ok_or("no moves")?.split_whitespace() {
        game.replay(game.position().parse_uci(word)?)?;
    }
    Ok((start, game.moves().collect()))
}

fn explain(survey: &mut Survey, (start, moves): Played, goal: u32) -> Result<(), Box<dyn Error>> {
    let mut game = Game::from_position(start);
    for (ply, mv) in moves.into_iter().enumerate() {
        if survey.moves >= goal {
            return Ok(());
        }
        if game.is_over() {
            break;
        }
        survey.position(&game);
        survey.mv(&game, mv);
        if ply % 10 == 0 {
            survey.hint(&game);
            let other = game.position().legal_moves()[0];
            if other != mv {
                survey.compare(&game, [mv, other]);
            }
        }
        game.replay(mv)?;
    }
    survey.position(&game);
    Ok(())
}

fn print_sentences(survey: &Survey) {
    for (kind, sentences) in &survey.sentences {
        println!("\n### {kind}\n");
        for sentence in sentences.iter().take(4) {
            println!("- {sentence}");
        }
    }
}

fn print_counts(survey: &Survey) {
    for (kind, count) in &survey.counts {
        println!("{kind:40} {count:>6}");
    }
    let claims: u32 = survey.counts.values().sum();
    let [errors, explained] = survey.errors;
    println!("\n{} moves, {claims} claims", survey.moves);
    println!("{errors} mistakes and blunders, {} without a reason", errors - explained);
    println!("{} false claims", survey.faults.len());
    println!("{} contradictions", survey.contradictions.len());
    println!("{} claims that a search with twice the nodes does not confirm", survey.unconfirmed.len());
    for fault in survey.faults.iter().chain(&survey.contradictions).chain(&survey.unconfirmed) {
        println!("{fault}");
    }
}
