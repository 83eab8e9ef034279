//! Trains tiny networks.

#![forbid(unsafe_code)]

use chess::random::Random;
use chess::{Color, Position, Role};
use data::{Filter, Sample, Verdict};
use std::sync::atomic::AtomicBool;
use trainer::network::{
    Checkpoint, CheckpointError, DataLoader, Example, LoaderSettings, Schedule, TrainSettings, Training,
    export, train,
};
use trainer::with_threads;

const VALUES: [(Role, i32); 5] =
    [(Role::Pawn, 100), (Role::Knight, 320), (Role::Bishop, 330), (Role::Rook, 500), (Role::Queen, 900)];

fn white_material(position: &Position) -> i32 {
    let of = |color| -> i32 {
        VALUES.iter().map(|&(role, value)| value * position.pieces(color, role).count() as i32).sum()
    };
    of(Color::White) - of(Color::Black)
}

/// A position of a random game in which the side that has more material wins.
fn sample(position: Position) -> Sample {
    let material = white_material(&position);
    let verdict = match material {
        150.. => Verdict::WhiteWins,
        -149..150 => Verdict::Draw,
        _ => Verdict::BlackWins,
    };
    Sample { position, white_score: material as i16, verdict: Some(verdict) }
}

/// Positions of random games, from all phases.
fn samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut random = Random::stream(seed, 0);
    let mut samples = Vec::with_capacity(count);
    let mut position = Position::startpos();
    while samples.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || position.halfmove_clock() >= 50 || position.occupied().count() < 4 {
            position = Position::startpos();
            continue;
        }
        position.play(moves[random.below(moves.len())]);
        samples.push(sample(position));
    }
    samples
}

fn reading() -> LoaderSettings {
    LoaderSettings {
        filter: Filter::default(),
        lambda: 0.0,
        is_correction: false,
        augmentation: 0,
        seed: 1,
        memory: usize::MAX,
        batch: 1024,
        skip_damaged: false,
    }
}

fn loader(count: usize) -> DataLoader {
    let examples = |count, seed| samples(count, seed).iter().map(Example::new).collect();
    DataLoader::from_examples(examples(count, 1), examples(2_000, 2), reading()).unwrap()
}

fn settings() -> TrainSettings {
    TrainSettings {
        hidden: 32,
        epochs: 2,
        rates: [5e-3, 1e-5],
        scale: Some(300.0),
        ..TrainSettings::default()
    }
}

fn run(loader: &DataLoader, settings: &TrainSettings) -> (Training, Vec<f64>) {
    let mut training = Training::new(settings, loader);
    let mut losses = vec![training.loss(loader.held_out(), settings.result_share.first)];
    train(&mut training, loader, settings, &AtomicBool::new(false), |_, report| {
        losses.push(report.held_out);
    })
    .unwrap();
    (training, losses)
}

#[test]
fn a_tiny_network_learns_material() {
    let loader = loader(100_000);
    let settings = settings();
    let (training, losses) = run(&loader, &settings);
    let (first, last) = (losses[0], losses[losses.len() - 1]);
    assert!(last < first / 20.0, "{losses:?}");

    let exported = export(&training, 1, 0.0, false, loader.held_out());
    assert!(exported.mean_error < 10.0, "{}", exported.mean_error);
    assert!(exported.loss < last * 1.2, "{} after {last}", exported.loss);
    let value = |fen: &str| exported.file.evaluate(&fen.parse().unwrap());
    let (up, down) =
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    assert!(value(&format!("{up} w KQkq - 0 1")).abs() < 150);
    assert!(value(&format!("{down} w KQkq - 0 1")) > 500, "a queen up, and to move");
    assert!(value(&format!("{down} b KQkq - 0 1")) < -500, "a queen down, and to move");
}

#[test]
fn a_correction_learns_what_is_missing() {
    // What is to be corrected takes queens for rooks.
    let without_queens = |sample: &Sample| {
        let count = |color| sample.position.pieces(color, Role::Queen).count() as i32;
        i32::from(sample.mover_score())
            - 400 * (count(sample.position.turn()) - count(!sample.position.turn()))
    };
    let examples = |count, seed| -> Vec<Example> {
        let samples = samples(count, seed);
        samples.iter().map(|sample| Example::new(sample).on_top_of(without_queens(sample))).collect()
    };
    let loader = DataLoader::from_examples(examples(100_000, 1), examples(2_000, 2), reading()).unwrap();
    let (training, losses) = run(&loader, &settings());
    assert!(losses[losses.len() - 1] < losses[0] / 10.0, "{losses:?}");
    let file = export(&training, 1, 0.0, true, loader.held_out()).file;
    assert!(file.is_correction);
    let value = |fen: &str| file.evaluate(&fen.parse().unwrap());
    assert!(value(chess::START_FEN).abs() < 60);
    let queen_up = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((250..550).contains(&queen_up), "{queen_up}");
    let rook_up = value("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1");
    assert!(rook_up.abs() < queen_up / 2, "{rook_up} and {queen_up}");
}

#[test]
fn another_scale_does_not_change_the_values_to_begin_with() {
    let loader = loader(10_000);
    let (training, _) = run(&loader, &settings());
    let before = export(&training, 1, 0.0, false, loader.held_out()).file;
    for scale in [200.0, 300.0, 450.0] {
        let other = TrainSettings { scale: Some(scale), ..settings() };
        let after = export(&Training::from_network(&other, &before), 1, 0.0, false, loader.held_out()).file;
        assert_eq!(after.scale, scale as i32);
        for sample in samples(200, 3) {
            let values = [&before, &after].map(|file| file.evaluate(&sample.position));
            assert!((values[0] - values[1]).abs() <= 10, "{values:?} with {scale}");
        }
    }
}

#[test]
fn threads_change_nothing() {
    let loader = loader(10_000);
    let settings = TrainSettings { hidden: 96, average: 0.5, ..settings() };
    let on = |threads| with_threads(threads, || run(&loader, &settings)).unwrap();
    let one = on(1);
    for threads in [2, 3] {
        let many = on(threads);
        assert!(one.0 == many.0, "{threads} threads");
        assert_eq!(one.1, many.1);
    }
}

#[test]
fn an_interrupted_training_resumes_as_if_nothing_had_been() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("checkpoint");
    assert!(Checkpoint::read(&path).unwrap().is_none());
    let loader = loader(10_000);
    let read = || Checkpoint::read(&path).unwrap().unwrap();
    // Before and after the first model has gone into the average.
    for stop_at in [7, 17] {
        let result_share = Schedule { first: 0.2, last: 0.4 };
        let settings = TrainSettings { superbatch: stop_at, result_share, average: 0.5, ..settings() };
        let expected = run(&loader, &settings).0;
        let stop = AtomicBool::new(false);
        let mut training = Training::new(&settings, &loader);
        train(&mut training, &loader, &settings, &stop, |_, report| {
            stop.store(report.steps[0] == stop_at, std::sync::atomic::Ordering::Relaxed);
        })
        .unwrap();
        assert_eq!(training.step, stop_at);
        Checkpoint::write(&path, &training, &settings, &loader, &reading()).unwrap();
        let mut resumed = read().resume(&settings, &loader, &reading()).unwrap();
        assert!(resumed == training);
        train(&mut resumed, &loader, &settings, &AtomicBool::new(false), |_, _| {}).unwrap();
        assert!(resumed == expected);
    }

    let other = TrainSettings { result_share: Schedule::constant(0.9), ..settings() };
    let error = read().resume(&other, &loader, &reading()).unwrap_err();
    assert!(matches!(error, CheckpointError::OtherTraining { .. }), "{error}");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[300] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    assert!(matches!(Checkpoint::read(&path), Err(CheckpointError::Damaged)));
}

#[test]
fn the_average_of_the_last_models_is_what_is_exported() {
    let loader = loader(20_000);
    let plain = run(&loader, &settings()).0;
    let averaged = run(&loader, &TrainSettings { average: 0.6, ..settings() }).0;
    let file = |training: &Training| export(training, 1, 0.0, false, loader.held_out()).file;
    assert_ne!(file(&plain), file(&averaged));
    // Averaging changes what is exported, not how the training goes on.
    let losses = [&plain, &averaged].map(|training| training.loss(loader.held_out(), 0.0));
    assert!(losses[1] < 1.3 * losses[0], "{losses:?}");
}
