//! Explains moves of games, puzzles and openings and checks every claim again by other means.
//!
//!     cargo run --release -p coach --example truth -- NODES MOVES FILE.pgn FILE.csv openings
//!
//! prints how often each kind of claim was made, those that are false, and answers that contradict their score. With
//! `--sentences` it prints sentences of each kind too, with `--cost` what explanations cost. Puzzles are files of `FEN,Moves,...` or `Id,FEN,Moves,...`.

#[path = "../tests/checker/mod.rs"]
mod checker;

use checker::survey::Survey;
use chess::{Game, Move, Position, pgn};
use coach::{Catalogue, Coach, Look, MoveQuestion};
use engine::{Engine, Limits};
use std::error::Error;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let as_sentences = take_flag(&mut words, "--sentences");
    let only_cost = take_flag(&mut words, "--cost");
    let [nodes, most, sources @ ..] = &words[..] else { return Err("NODES MOVES SOURCE...".into()) };
    if only_cost {
        return print_cost(nodes.parse()?, most.parse()?, sources);
    }
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
    print_counts(&survey);
    if as_sentences {
        print_sentences(&survey);
    }
    Ok(())
}

fn take_flag(words: &mut Vec<String>, flag: &str) -> bool {
    let before = words.len();
    words.retain(|word| word != flag);
    words.len() < before
}

/// Explains moves twice: what the searches were allowed, what the rules took, and whether both answers are the same.
fn print_cost(nodes: u64, most: usize, sources: &[String]) -> Result<(), Box<dyn Error>> {
    let mut games = Vec::new();
    for source in sources {
        games.extend(games_of(source)?);
    }
    let mut coach = Coach::new(nodes)?;
    let mut engine = Engine::new();
    let catalogue = Catalogue::english();
    let (mut moves, mut same, mut rules) = (0, 0, Vec::new());
    for (start, played) in games {
        let mut game = Game::from_position(start);
        for mv in played {
            // Every seventh move, so that all phases of games are there.
            if game.ply() % 7 == 3 && moves < most {
                let explanation = coach.mv(&game, mv)?;
                moves += 1;
                same += usize::from(coach.mv(&game, mv)? == explanation);
                rules.extend(time_of_rules(&mut engine, nodes, &game, mv, &catalogue)?);
            }
            game.replay(mv)?;
        }
    }
    rules.sort_unstable();
    let asked = coach.nodes_asked() / (2 * moves.max(1) as u64);
    println!("{moves} moves at {nodes} nodes, {same} explained the same again");
    println!(
        "{asked} nodes a move allowed, {} of them beyond the positions before and after",
        asked - 2 * nodes
    );
    let at = |share: usize| rules.get(rules.len() * share / 100).copied().unwrap_or_default();
    println!("rules and words, without searches: median {:?}, 99 % within {:?}", at(50), at(99));
    Ok(())
}

/// The least of several times that everything but the searches takes, with the lines that these searches find.
fn time_of_rules(
    engine: &mut Engine,
    nodes: u64,
    game: &Game,
    mv: Move,
    catalogue: &Catalogue,
) -> Result<Option<Duration>, Box<dyn Error>> {
    let mut after = game.clone();
    after.replay(mv)?;
    if after.is_over() {
        return Ok(None);
    }
    let mut look = |game: &Game, nodes: u64, lines: usize| -> Result<Vec<Look>, Box<dyn Error>> {
        engine.set_lines(lines);
        let found = coach::completed_lines(engine, game, Limits::nodes(nodes))?;
        Ok(found.iter().map(Look::from).collect())
    };
    let best = look(game, nodes, 2)?;
    let reply = look(&after, nodes, 1)?;
    let mut if_passed = |position: &Position| -> Result<Option<Look>, Box<dyn Error>> {
        let passed = coach::facts::passed(position).filter(|passed| passed.has_legal_move());
        let looks = passed.map(|passed| look(&Game::from_position(passed), nodes / 4, 1)).transpose()?;
        Ok(looks.and_then(|looks| looks.into_iter().next()))
    };
    let (danger, threat) = (if_passed(game.position())?, if_passed(after.position())?);
    let question = MoveQuestion {
        before: game.position(),
        mv,
        lead_in: None,
        best: &best,
        reply: reply.first().ok_or("no line")?,
        danger: danger.as_ref(),
        threat: threat.as_ref(),
    };
    let runs = (0..5).map(|_| {
        let begin = Instant::now();
        let mut explanation = coach::explain::mv(&question);
        explanation.claims.extend(coach::theory::of_move(game, mv));
        std::hint::black_box(catalogue.paragraph(&explanation.claims));
        begin.elapsed()
    });
    Ok(runs.min())
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
        for sentence in sentences.iter().take(3) {
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
