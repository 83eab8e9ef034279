//! Searches that go wrong, and searches that are ended from elsewhere.

use super::*;
use crate::stop::StopToken;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longer than anything here takes; nothing waits for it unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(60);

/// An engine and its events in the order they come.
fn with_events() -> (Engine, Receiver<Event>) {
    let (sender, events) = channel();
    let sink: Sink = Arc::new(move |event| {
        // The receiver is gone only while the engine is being dropped.
        let _ = sender.send(event);
    });
    (Engine::with_sink(sink), events)
}

/// An engine whose evaluation panics after some positions, and its events.
fn faulty(threads: usize, evaluations: u32) -> (Engine, Receiver<Event>) {
    let (mut engine, events) = with_events();
    engine.configure(|settings| settings.threads = threads).unwrap();
    engine.choose_evaluation(EvaluationKind::Faulty(evaluations));
    (engine, events)
}

fn last(events: &Receiver<Event>) -> Event {
    loop {
        let event = events.recv_timeout(PATIENCE).expect("the search reports its end");
        if event.is_last() {
            return event;
        }
    }
}

fn is_panic(error: &SearchError) -> bool {
    matches!(error, SearchError::Panic(reason) if reason.contains("faulty"))
}

#[test]
fn a_panic_ends_the_search_with_an_error_and_the_engine_can_search_again() {
    for (threads, evaluations) in [(1, 0), (1, 500), (3, 500)] {
        let (mut engine, events) = faulty(threads, evaluations);
        for _ in 0..2 {
            engine.go(Limits { infinite: true, ..Limits::default() });
            assert!(matches!(last(&events), Event::Failed(error) if is_panic(&error)));
            engine.wait();
            assert!(!engine.is_searching());
        }
        engine.choose_evaluation(EvaluationKind::Handcrafted);
        engine.go(Limits::depth(5));
        assert!(matches!(last(&events), Event::Finished(outcome) if outcome.best.is_some()));
    }
}

#[test]
fn a_panic_is_returned_to_whoever_waits() {
    let game = Game::new();
    let (mut engine, _events) = faulty(2, 500);
    let error = engine.search(&game, Limits::depth(20), |_| {}).unwrap_err();
    assert!(is_panic(&error), "{error}");
    engine.choose_evaluation(EvaluationKind::PieceSquare);
    assert!(engine.search(&game, Limits::depth(4), |_| {}).unwrap().best.is_some());

    let here = move || {
        let mut engine = Engine::in_place();
        engine.choose_evaluation(EvaluationKind::Faulty(500));
        let error = engine.search(&Game::new(), Limits::depth(20), |_| {}).unwrap_err();
        assert!(is_panic(&error), "{error}");
        engine.choose_evaluation(EvaluationKind::PieceSquare);
        assert!(engine.search(&Game::new(), Limits::depth(4), |_| {}).unwrap().best.is_some());
    };
    std::thread::Builder::new().stack_size(STACK_SIZE).spawn(here).unwrap().join().unwrap();
}

#[test]
fn a_panic_in_a_helping_thread_ends_the_search_too() {
    let (mut engine, events) = with_events();
    engine.configure(|settings| settings.threads = 2).unwrap();
    engine.pool.as_ref().unwrap().set_evaluation_of_helpers(EvaluationKind::Faulty(100));
    engine.go(Limits { infinite: true, ..Limits::default() });
    assert!(matches!(last(&events), Event::Failed(error) if is_panic(&error)));
}

#[test]
fn a_thread_that_cannot_be_started_is_an_error() {
    let (mut engine, events) = with_events();
    // More than there are addresses for.
    engine.stack_size = 1 << 50;
    let error = engine.configure(|settings| settings.threads = 2).unwrap_err();
    assert!(error.to_string().starts_with("option Threads: "), "{error}");
    assert_eq!(engine.settings().threads, 1);
    engine.go(Limits::depth(3));
    assert!(matches!(last(&events), Event::Finished(_)), "the thread there was is still there");

    engine.pool = None;
    engine.go(Limits::depth(3));
    assert!(matches!(last(&events), Event::Failed(SearchError::NoThread(_))));
    let result = engine.search(&Game::new(), Limits::depth(3), |_| {});
    assert!(matches!(result, Err(SearchError::NoThread(_))));
    engine.stack_size = STACK_SIZE;
    assert!(engine.search(&Game::new(), Limits::depth(3), |_| {}).is_ok());
}

#[test]
fn one_token_ends_the_searches_of_several_engines() {
    let stop = StopToken::new();
    let endless = Limits { infinite: true, ..Limits::default() }.until(&stop);
    let searches: Vec<_> = (0..2)
        .map(|_| {
            let limits = endless.clone();
            std::thread::spawn(move || Engine::new().search(&Game::new(), limits, |_| {}))
        })
        .collect();
    let (mut engine, events) = with_events();
    engine.go(endless.clone());
    stop.stop();
    for search in searches {
        assert!(search.join().unwrap().unwrap().best.is_some());
    }
    assert!(matches!(last(&events), Event::Finished(_)));
    // What begins after the end was asked for still has an answer.
    assert!(engine.search(&Game::new(), endless, |_| {}).unwrap().best.is_some());
}

#[test]
fn a_token_ends_a_search_from_within_and_by_its_condition() {
    let stop = StopToken::new();
    let mut engine = Engine::new();
    let mut depths = Vec::new();
    let outcome = engine.search(&Game::new(), Limits::default().until(&stop), |event| {
        if let Event::Lines(lines, _) = event {
            depths.push(lines[0].depth);
            if lines[0].depth == 6 {
                stop.stop();
            }
        }
    });
    assert_eq!(depths.first(), Some(&1));
    assert!(depths.contains(&6) && outcome.is_ok());

    let begun = std::time::Instant::now();
    let soon = StopToken::new().or_when(move || begun.elapsed() > Duration::from_millis(20));
    assert!(engine.search(&Game::new(), Limits::default().until(&soon), |_| {}).is_ok());
}

#[test]
fn a_finished_game_is_waited_for_if_the_search_has_no_end() {
    let stop = StopToken::new();
    let mate: Position = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
    let game = Game::from_position(mate);
    let mut engine = Engine::new();
    let limits = Limits { infinite: true, ..Limits::default() }.until(&stop);
    let outcome = engine.search(&game, limits, |event| {
        assert!(matches!(event, Event::Lines(..)));
        stop.stop();
    });
    assert_eq!(outcome.map(|outcome| outcome.best), Ok(None));
}

#[test]
fn notes_wait_for_the_next_search() {
    let mut engine = Engine::new();
    engine.set_option("SyzygyPath", "/no/such/directory").unwrap();
    let mut notes = || {
        let mut notes = Vec::new();
        let keep = |event| {
            if let Event::Note(note) = event {
                notes.push(note);
            }
        };
        engine.search(&Game::new(), Limits::depth(2), keep).unwrap();
        notes
    };
    assert!(notes().iter().any(|note| note.contains("/no/such/directory")));
    assert!(notes().is_empty());
}
