//! Indexes of small files, compared with counting by hand and with replaying the games.

use chess::pgn::Reader;
use chess::random::Random;
use chess::{Color, Game, GameResult, Move, Position};
use explorer::{Answer, BuildSummary, Explorer, ExplorerError, Filter, Speed, build};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

const GAMES: &str = r#"
[White "Anna"] [Black "Bert"] [WhiteElo "1800"] [BlackElo "1600"] [Date "2024.05.01"] [TimeControl "180+2"] [Result "1-0"]
1. d4 Nf6 2. c4 e6 3. Nc3 1-0

[White "Carl"] [Black "Anna"] [WhiteElo "2000"] [Date "2025.??.??"] [TimeControl "5400+30"] [Result "1/2-1/2"]
1. c4 e6 2. d4 (2. e4 d5) Nf6 3. Nc3 Bb4 1/2-1/2

[White "Bert"] [Black "Dora"] [Result "0-1"]
1. d4 d5 2. c4 Qe4 3. Nc3 0-1

[White "Bert"] [Black "Dora"] [Result "*"]
1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 *

[White "Dora"] [Black "Anna"] [SetUp "1"] [FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"] [Result "1-0"]
1. e4 Kd7 1-0
"#;

fn indexed(text: &str, plies: u16) -> (tempfile::TempDir, BuildSummary, Explorer) {
    let directory = tempfile::tempdir().expect("a directory");
    let input = directory.path().join("games.pgn");
    fs::write(&input, text).expect("written");
    let index = directory.path().join("index");
    let proceed = |_| ControlFlow::Continue(());
    let summary = build(&[input], &index, plies, false, proceed).expect("built");
    let explorer = Explorer::open(&index).expect("open");
    (directory, summary, explorer)
}

fn position(moves: &[&str]) -> Position {
    let mut position = Position::startpos();
    for san in moves {
        position.play(position.parse_san(san).expect("legal"));
    }
    position
}

fn moves(position: &Position, answer: &Answer) -> Vec<(String, u32, u32)> {
    let one = |found: &explorer::MoveStatistics| {
        (position.san(found.mv).to_string(), found.results.games, found.reached)
    };
    answer.moves.iter().map(one).collect()
}

#[test]
fn moves_are_counted_and_so_are_positions_reached_otherwise() {
    let (_directory, summary, explorer) = indexed(GAMES, 40);
    assert_eq!((summary.games, summary.cut_short), (5, 1));
    let start = Position::startpos();
    let answer = explorer.ask(&start, &Filter::default(), 10).expect("an answer");
    let named = |san: &str, games, reached| (san.to_owned(), games, reached);
    assert_eq!(moves(&start, &answer).len(), 3);
    assert_eq!(moves(&start, &answer)[0], named("d4", 2, 2));
    // The game of knights comes back to the start and counts once.
    assert_eq!((answer.results.games, answer.games.len()), (4, 4));
    // 1. c4 e6 2. d4 leads to what 1. d4 Nf6 2. c4 e6 reaches a move later.
    let before = position(&["d4", "Nf6", "c4"]);
    let answer = explorer.ask(&before, &Filter::default(), 0).expect("an answer");
    assert_eq!(moves(&before, &answer), [named("e6", 1, 2)]);
    let after = position(&["d4", "Nf6", "c4", "e6"]);
    let answer = explorer.ask(&after, &Filter::default(), 10).expect("an answer");
    assert_eq!(moves(&after, &answer), [named("Nc3", 2, 2)]);
    let found = answer.moves[0];
    assert_eq!((found.results.white, found.results.draws, found.results.black), (1, 1, 0));
    assert_eq!(found.rating, Some(1850));
    assert_eq!(found.last.map(|day| day.to_string()).as_deref(), Some("2025.??.??"));
    assert_eq!(answer.games[0].players, ["Carl", "Anna"]);
    assert_eq!(answer.games[0].ratings, [Some(2000), None]);
    // The last position counts as well.
    let last = position(&["d4", "Nf6", "c4", "e6", "Nc3", "Bb4"]);
    assert_eq!(explorer.ask(&last, &Filter::default(), 0).expect("an answer").results.draws, 1);
}

#[test]
fn filters_choose_games() {
    let (_directory, _, explorer) = indexed(GAMES, 40);
    let ask = |filter: Filter| {
        let answer = explorer.ask(&Position::startpos(), &filter, 10).expect("an answer");
        assert_eq!(answer.results.games as usize, answer.games.len());
        answer.results.games
    };
    let anna = Filter { player: Some("ann".to_owned()), ..Filter::default() };
    assert_eq!(ask(anna.clone()), 2);
    assert_eq!(ask(Filter { color: Some(Color::Black), ..anna.clone() }), 1);
    assert_eq!(ask(Filter { player: Some("Emil".to_owned()), ..Filter::default() }), 0);
    assert_eq!(ask(Filter { least_rating: Some(1700), ..Filter::default() }), 2);
    assert_eq!(ask(Filter { most_rating: Some(1700), ..Filter::default() }), 1);
    assert_eq!(ask(Filter { since: "2024.06".parse().ok(), ..Filter::default() }), 1);
    assert_eq!(ask(Filter { until: "2024".parse().ok(), ..Filter::default() }), 1);
    assert_eq!(ask(Filter { speed: Some(Speed::Blitz), ..Filter::default() }), 1);
}

#[test]
fn games_are_given_back() {
    let (_directory, _, explorer) = indexed(GAMES, 2);
    let written: Vec<Game> =
        Reader::new(GAMES.as_bytes()).map(|game| game.expect("read").playable()).collect();
    for (number, game) in (0..).zip(&written) {
        let found = explorer.game(number).expect("a game");
        assert_eq!(found.start(), game.start());
        assert_eq!(found.moves().collect::<Vec<_>>(), game.moves().collect::<Vec<_>>(), "game {number}");
    }
    assert_eq!(explorer.head(2).expect("a game").result, GameResult::BlackWins);
    assert!(explorer.game(5).is_err());
    // With two half-moves indexed, the positions after them are not.
    let after = position(&["d4", "d5", "c4"]);
    assert_eq!(explorer.ask(&after, &Filter::default(), 1).expect("an answer"), Answer::default());
}

#[test]
fn many_random_games_agree_with_counting() {
    let mut random = Random::new(30);
    let mut text = String::new();
    let mut counts: HashMap<u64, HashMap<u16, u32>> = HashMap::new();
    for _ in 0..2_500 {
        let mut position = Position::startpos();
        let mut seen = HashSet::new();
        for _ in 0..6 {
            let legal = position.legal_moves();
            // Few first moves, so that positions come again.
            let mv: Move = legal[random.below(legal.len().min(4))];
            if seen.insert(position.key()) {
                *counts.entry(position.key().0).or_default().entry(mv.to_bits()).or_default() += 1;
            }
            text.push_str(position.san(mv).as_str());
            text.push(' ');
            position.play(mv);
        }
        text.push_str("*\n\n");
    }
    let (_directory, summary, explorer) = indexed(&text, 6);
    assert_eq!(summary.games, 2_500);
    let mut position = Position::startpos();
    for _ in 0..5 {
        let answer = explorer.ask(&position, &Filter::default(), 3).expect("an answer");
        let expected = &counts[&position.key().0];
        assert_eq!(answer.moves.len(), expected.len());
        for found in &answer.moves {
            assert_eq!(found.results.games, expected[&found.mv.to_bits()]);
        }
        position.play(answer.moves[0].mv);
    }
}

#[test]
fn only_an_index_is_replaced_and_only_if_that_is_wanted() {
    let (directory, _, _) = indexed(GAMES, 40);
    let input = directory.path().join("games.pgn");
    let index = directory.path().join("index");
    let again = |index: &Path, overwrite| {
        build(std::slice::from_ref(&input), index, 4, overwrite, |_| ControlFlow::Continue(()))
    };
    assert!(matches!(again(&index, false), Err(ExplorerError::Exists(_))));
    assert!(matches!(again(directory.path(), true), Err(ExplorerError::NotOurs(_))));
    again(&index, true).expect("built again");
    assert_eq!(Explorer::open(&index).expect("open").plies(), 4);
    // Broken off, the old index stays and nothing else.
    let stopped = build(std::slice::from_ref(&input), &index, 9, true, |_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(ExplorerError::Interrupted)));
    assert_eq!(Explorer::open(&index).expect("open").plies(), 4);
    assert_eq!(fs::read_dir(directory.path()).expect("a directory").count(), 2);
    // A file that has lost its end is noticed.
    fs::write(index.join("games.bin"), b"short").expect("written");
    assert!(matches!(Explorer::open(&index), Err(ExplorerError::Damaged(_))));
}
