//! The engine as a front end sees it.

use chess::{Game, Move, Position, Setup, Square};
use engine::{Bound, Clock, Engine, Event, Limits, Line, Outcome, Score};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Long enough for the slowest machine; nothing here waits for it unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(60);

struct Subject {
    engine: Engine,
    events: Receiver<Event>,
}

impl Subject {
    fn new(fen: &str) -> Self {
        let (sender, events) = channel();
        let mut engine = Engine::with_sink(Arc::new(move |event| {
            let _ = sender.send(event);
        }));
        engine.set_game(&Game::from_position(position(fen)));
        Self { engine, events }
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.engine.set_option(name, value).unwrap();
        self
    }

    fn go(&mut self, limits: Limits) -> (Vec<Vec<Line>>, Outcome) {
        self.engine.go(limits);
        self.finish()
    }

    fn finish(&mut self) -> (Vec<Vec<Line>>, Outcome) {
        let mut told = Vec::new();
        loop {
            match self.events.recv_timeout(PATIENCE).expect("an answer") {
                Event::Lines(lines, _) => told.push(lines),
                Event::Finished(outcome) => return (told, outcome),
                Event::Failed(error) => panic!("{error}"),
                Event::Note(_) | Event::CurrentMove { .. } => {}
            }
        }
    }

    fn has_finished(&self) -> bool {
        self.events.try_iter().any(|event| matches!(event, Event::Finished(_)))
    }
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap()
}

const START: &str = chess::START_FEN;
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MATE_IN_TWO: &str = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1";

fn assert_legal(root: &str, lines: &[Line]) {
    for line in lines {
        assert!(!line.moves.is_empty());
        let mut position = position(root);
        for &mv in &line.moves {
            assert!(position.is_legal(mv), "{mv:?} in {:?}", line.moves);
            position.play(mv);
        }
    }
}

#[test]
fn finds_mate_by_zugzwang() {
    // Morphy's problem: after 1. Ra6 the bishop has to leave the rook's square, or the pawn to take.
    let (_, outcome) = Subject::new("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1").go(Limits::nodes(100_000));
    assert_eq!(outcome.best, Some(Move::normal(Square::A1, Square::A6)));
    assert_eq!(outcome.lines[0].score.mate_moves(), Some(2));
}

#[test]
fn finds_a_mate_and_tells_the_whole_line() {
    for driver in ["pvs", "mtdf"] {
        let (told, outcome) = Subject::new(MATE_IN_TWO).with("Search", driver).go(Limits::depth(8));
        let best = told.last().unwrap();
        assert_eq!(best[0].score.mate_moves(), Some(2), "{driver}");
        assert_eq!(best[0].moves.len(), 3, "{driver}: {:?}", best[0].moves);
        assert_legal(MATE_IN_TWO, best);
        assert_eq!(outcome.best, Some(best[0].moves[0]));
        assert_eq!(outcome.ponder, Some(best[0].moves[1]));
    }
}

#[test]
fn a_search_by_nodes_repeats_itself_exactly() {
    let run = || {
        let (told, outcome) = Subject::new(KIWIPETE).go(Limits::nodes(30_000));
        let told: Vec<_> = told.into_iter().flatten().map(|line| (line.score, line.moves)).collect();
        (told, outcome.best, outcome.usage.nodes)
    };
    let first = run();
    assert_eq!(first, run());
    assert_eq!(first.2, 30_000);
}

#[test]
fn searching_in_place_finds_the_same() {
    let (_, elsewhere) = Subject::new(KIWIPETE).go(Limits::nodes(30_000));
    let search = || {
        let mut engine = Engine::in_place();
        engine.set_option("Threads", "1").unwrap();
        let mut depths = Vec::new();
        let outcome =
            engine.search(&Game::from_position(position(KIWIPETE)), Limits::nodes(30_000), |event| {
                if let Event::Lines(lines, _) = event {
                    depths.push(lines[0].depth);
                }
            });
        assert!(!engine.is_searching());
        assert!(depths.len() > 3 && depths.is_sorted(), "{depths:?}");
        outcome
    };
    let thread = std::thread::Builder::new().stack_size(engine::STACK_SIZE).spawn(search).unwrap();
    let here = thread.join().unwrap().expect("a result");
    assert_eq!((here.best, here.usage.nodes), (elsewhere.best, elsewhere.usage.nodes));
    assert_eq!(here.lines[0].moves, elsewhere.lines[0].moves);
}

#[test]
fn even_one_node_gives_a_move_with_a_score() {
    for nodes in [1, 2, 3, 10, 50] {
        let (told, outcome) = Subject::new(KIWIPETE).go(Limits::nodes(nodes));
        assert!(!told.is_empty(), "{nodes}");
        let best = outcome.best.unwrap();
        assert!(position(KIWIPETE).is_legal(best));
        assert_eq!(told.last().unwrap()[0].moves[0], best);
    }
}

#[test]
fn several_lines_come_together_sorted_and_distinct() {
    let (told, outcome) = Subject::new(KIWIPETE).with("MultiPV", "4").go(Limits::depth(7));
    for lines in &told {
        assert_eq!(lines.len(), 4);
        assert_legal(KIWIPETE, lines);
        let firsts: Vec<Move> = lines.iter().map(|line| line.moves[0]).collect();
        for (i, line) in lines.iter().enumerate() {
            assert_eq!(line.rank, i + 1);
            assert!(!firsts[..i].contains(&line.moves[0]));
            assert!(i == 0 || lines[i - 1].score >= line.score);
        }
    }
    assert_eq!(outcome.best, Some(told.last().unwrap()[0].moves[0]));
}

#[test]
fn more_lines_than_moves_is_no_harm() {
    let fen = "7k/8/8/8/8/8/r7/7K w - - 0 1";
    let (told, _) = Subject::new(fen).with("MultiPV", "200").go(Limits::depth(4));
    assert_eq!(told.last().unwrap().len(), position(fen).legal_moves().len());
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let wanted = position(START).parse_uci("a2a3").unwrap();
    let limits = Limits { search_moves: vec![wanted], ..Limits::depth(6) };
    let (told, outcome) = Subject::new(START).go(limits);
    assert_eq!(outcome.best, Some(wanted));
    assert!(told.iter().flatten().all(|line| line.moves[0] == wanted));
}

#[test]
fn an_infinite_search_ends_when_it_is_stopped() {
    // A position with one legal move and nothing to find: the search is through at once and has to wait.
    let mut subject = Subject::new("7k/8/8/8/8/8/r7/7K w - - 0 1");
    subject.engine.go(Limits { infinite: true, ..Limits::depth(3) });
    while !matches!(subject.events.recv_timeout(PATIENCE), Ok(Event::Lines(lines, _)) if lines[0].depth == 3)
    {
    }
    assert!(!subject.has_finished() && subject.engine.is_searching());
    subject.engine.stop();
    assert!(subject.finish().1.best.is_some());
    subject.engine.wait();
    assert!(!subject.engine.is_searching());
}

#[test]
fn a_pondering_search_waits_for_the_hit() {
    let mut subject = Subject::new(START);
    let clock = Some(Clock { left_ms: 1, increment_ms: 0 });
    subject.engine.go(Limits { ponder: true, clocks: [clock; 2], ..Limits::depth(5) });
    while !matches!(subject.events.recv_timeout(PATIENCE), Ok(Event::Lines(lines, _)) if lines[0].depth == 5)
    {
    }
    assert!(!subject.has_finished());
    subject.engine.ponder_hit();
    assert!(subject.finish().1.best.is_some());
}

#[test]
fn every_go_is_answered_once_even_when_they_come_too_fast() {
    let mut subject = Subject::new(START);
    for _ in 0..20 {
        subject.engine.go(Limits { infinite: true, ..Limits::default() });
    }
    subject.engine.stop();
    subject.engine.wait();
    let finished = subject.events.try_iter().filter(|event| matches!(event, Event::Finished(_))).count();
    assert_eq!(finished, 20);
}

#[test]
fn a_finished_game_has_no_move() {
    let mate = "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1";
    let (told, outcome) = Subject::new(mate).go(Limits::depth(5));
    assert_eq!(outcome.best, None);
    assert_eq!(told[0][0].score, Score::mated_in(0));
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let (told, outcome) = Subject::new(stalemate).go(Limits::depth(5));
    assert_eq!((outcome.best, told[0][0].score), (None, Score::DRAW));
}

#[test]
fn several_threads_find_the_same_mate() {
    let mut subject = Subject::new(MATE_IN_TWO).with("Threads", "3");
    let (told, outcome) = subject.go(Limits::depth(8));
    assert_eq!(told.last().unwrap()[0].score.mate_moves(), Some(2));
    assert!(outcome.best.is_some());
    // The threads are used again, and their number can change.
    subject.engine.set_option("Threads", "2").unwrap();
    assert!(subject.go(Limits::nodes(20_000)).1.best.is_some());
}

#[test]
fn several_threads_keep_to_a_node_limit() {
    for threads in [2, 4, 8] {
        let mut subject = Subject::new(KIWIPETE).with("Threads", &threads.to_string());
        for nodes in [1, 100, 5_000, 50_000] {
            let used = subject.go(Limits::nodes(nodes)).1.usage.nodes;
            // The first node of each thread comes before anything is asked.
            let slack = nodes / 20 + threads;
            assert!(used.abs_diff(nodes) <= slack, "{used} of {nodes} nodes with {threads} threads");
        }
    }
}

#[test]
fn the_clock_may_have_run_out() {
    for left_ms in [0, -5000, 1] {
        let clock = Some(Clock { left_ms, increment_ms: 0 });
        let limits = Limits { clocks: [clock; 2], ..Limits::default() };
        assert!(Subject::new(KIWIPETE).go(limits).1.best.is_some());
    }
}

#[test]
fn nodes_can_stand_for_time() {
    let clock = Some(Clock { left_ms: 1000, increment_ms: 0 });
    let limits = Limits { clocks: [clock; 2], ..Limits::default() };
    let nodes = |per_ms: &str| {
        let mut subject = Subject::new(KIWIPETE).with("nodestime", per_ms);
        subject.go(limits.clone()).1.usage.nodes
    };
    assert_eq!(nodes("100"), nodes("100"));
    assert!(nodes("100") < 100_000);
}

#[test]
fn a_lost_side_heads_for_the_repetition() {
    // White is hopelessly lost except for the perpetual check Qe8+ Kh7 Qh5+.
    let fen = "6k1/6p1/8/7Q/8/1q6/1r4PP/6K1 w - - 0 1";
    let (told, outcome) = Subject::new(fen).go(Limits::depth(12));
    assert_eq!(outcome.best, Some(position(fen).parse_uci("h5e8").unwrap()));
    let score = told.last().unwrap()[0].score;
    assert!(score.units().abs() <= 1, "{score:?}");
}

#[test]
fn castling_in_chess960_is_searched_and_played() {
    for number in [0, 100, 518, 700, 959] {
        let setup = Setup::chess960(number).unwrap();
        let fen = Position::from_setup(&setup).unwrap().to_fen();
        let (told, outcome) = Subject::new(&fen).go(Limits::nodes(5_000));
        assert_legal(&fen, told.last().unwrap());
        assert!(outcome.best.is_some());
    }
    let setup = Setup::double_chess960(17, 801).unwrap();
    let fen = Position::from_setup(&setup).unwrap().to_fen();
    assert!(Subject::new(&fen).go(Limits::nodes(5_000)).1.best.is_some());
}

#[test]
fn both_drivers_agree_on_what_is_winning() {
    let fen = "4k3/8/8/8/8/8/4P3/Q3K3 w - - 0 1";
    for driver in ["pvs", "mtdf"] {
        let (told, _) = Subject::new(fen).with("Search", driver).go(Limits::depth(9));
        let line = &told.last().unwrap()[0];
        assert!(line.score.units() > 500 && line.bound == Bound::Exact, "{driver} {line:?}");
    }
}

#[test]
fn bad_options_change_nothing() {
    let mut subject = Subject::new(START);
    assert!(subject.engine.set_option("Hash", "99999999999").is_err());
    assert!(subject.engine.set_option("Threads", "0").is_err());
    assert!(subject.engine.set_option("Nonsense", "1").is_err());
    assert!(subject.go(Limits::depth(4)).1.best.is_some());
}

#[test]
fn the_table_can_be_resized_and_cleared_between_searches() {
    let mut subject = Subject::new(START);
    for hash in ["1", "33", "7"] {
        subject.engine.set_option("Hash", hash).unwrap();
        assert!(subject.go(Limits::nodes(5_000)).1.best.is_some());
    }
    subject.engine.set_option("Clear Hash", "").unwrap();
    assert!(subject.go(Limits::nodes(5_000)).1.best.is_some());
}

#[test]
fn dropping_the_engine_ends_a_search() {
    let mut subject = Subject::new(START).with("Threads", "2");
    subject.engine.go(Limits { infinite: true, ..Limits::default() });
    drop(subject);
}

#[test]
fn a_mate_search_proves_the_shortest_mate() {
    let (told, outcome) = Subject::new(MATE_IN_TWO).go(Limits { mate: Some(5), ..Limits::default() });
    let line = &told.last().unwrap()[0];
    assert_eq!(line.score.mate_moves(), Some(2));
    assert_eq!(line.moves.len(), 3);
    assert_legal(MATE_IN_TWO, std::slice::from_ref(line));
    assert_eq!(outcome.best, Some(line.moves[0]));
}

#[test]
fn a_mate_search_without_a_mate_still_gives_a_move() {
    let mut subject = Subject::new(KIWIPETE);
    subject.engine.go(Limits { mate: Some(1), ..Limits::default() });
    let mut notes = Vec::new();
    let outcome = loop {
        match subject.events.recv_timeout(PATIENCE).unwrap() {
            Event::Note(note) => notes.push(note),
            Event::Finished(outcome) => break outcome,
            Event::Failed(error) => panic!("{error}"),
            Event::Lines(..) | Event::CurrentMove { .. } => {}
        }
    };
    assert_eq!(notes, ["no mate in 1"]);
    assert!(outcome.best.is_some());
}

#[test]
fn missing_tablebases_are_told_and_play_goes_on() {
    let mut subject = Subject::new("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1");
    subject.engine.set_option("SyzygyPath", "/no/such/directory").unwrap();
    let note = subject.events.try_iter().find(|event| matches!(event, Event::Note(_)));
    assert!(note.is_some());
    subject.engine.set_game(&Game::from_position(position("8/8/8/8/8/4k3/4p3/K7 w - - 0 1")));
    assert!(subject.go(Limits::depth(4)).1.best.is_some());
}

#[test]
fn another_evaluation_is_another_opinion() {
    let nodes = |name: &str| {
        let mut subject = Subject::new(KIWIPETE).with("Evaluation", name);
        subject.go(Limits::depth(6)).1.usage.nodes
    };
    assert_ne!(nodes("tables"), nodes("handcrafted"));
    let mut subject = Subject::new(KIWIPETE).with("Evaluation", "tables").with("Evaluation", "handcrafted");
    assert_eq!(subject.go(Limits::depth(6)).1.usage.nodes, nodes("handcrafted"), "and back again");

    let position: Position = KIWIPETE.parse().unwrap();
    assert_eq!(subject.engine.static_evaluation(&position), eval::Evaluator::new().evaluate(&position));
    let subject = subject.with("Evaluation", "tables");
    assert_eq!(subject.engine.static_evaluation(&position), eval::baseline(&position));
}

#[test]
fn a_network_is_loaded_and_a_bad_one_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let save = |name: &str, bytes: &[u8]| std::fs::write(path(name), bytes).unwrap();
    let good = nnue::NetworkFile::random(nnue::HIDDEN, 1).encode();
    save("good", &good);
    save("other", &nnue::NetworkFile::random(nnue::HIDDEN, 2).encode());
    save("wide", &nnue::NetworkFile::random(nnue::HIDDEN * 2, 1).encode());
    save("short", &good[..good.len() - 10]);
    let nodes = |subject: &mut Subject| {
        subject.engine.new_game();
        subject.go(Limits::depth(6)).1.usage.nodes
    };
    let with = |name: &str| {
        let mut subject = Subject::new(KIWIPETE)
            .with("Evaluation", "network")
            .with("EvalFile", &path(name))
            .with("Threads", "1");
        nodes(&mut subject)
    };
    let expected = with("good");
    assert_ne!(with("other"), expected);

    let mut subject = Subject::new(KIWIPETE).with("EvalFile", &path("good")).with("Evaluation", "network");
    assert_eq!(nodes(&mut subject), expected, "the order of the options does not matter");
    for (name, reason) in [("wide", "neurons"), ("short", "too short"), ("missing", "missing")] {
        let error = subject.engine.set_option("EvalFile", &path(name)).unwrap_err().to_string();
        assert!(error.starts_with("option EvalFile: ") && error.contains(reason), "{error}");
        assert_eq!(nodes(&mut subject), expected, "the old network stays");
    }
    let handcrafted = nodes(&mut Subject::new(KIWIPETE).with("Evaluation", "handcrafted"));
    let correction = |file: nnue::NetworkFile| nnue::NetworkFile { is_correction: true, ..file }.encode();
    save("nothing to correct", &correction(nnue::NetworkFile::zero(nnue::HIDDEN)));
    save("correction", &correction(nnue::NetworkFile::random(nnue::HIDDEN, 1)));
    assert_eq!(with("nothing to correct"), handcrafted);
    assert!(![handcrafted, expected].contains(&with("correction")));
    subject.engine.set_option("Evaluation", "handcrafted").unwrap();
    assert_eq!(nodes(&mut subject), handcrafted, "a network that is not asked for changes nothing");
}
