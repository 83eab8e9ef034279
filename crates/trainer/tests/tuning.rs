//! The tuner finds what it is made to find, with the right sign, whatever the number of threads.

#![forbid(unsafe_code)]

use chess::random::Random;
use chess::{Color, Position, Role};
use data::{Sample, Verdict};
use eval::{Term, WEIGHT_COUNT};
use trainer::{Problem, Samples, TuneSettings, Weight, probability, start_weights, tune, with_threads};

const SCALE: f32 = 150.0;

/// Positions along random games in which captures are preferred, so that material gets out of balance.
fn positions(games: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for game in 0..games {
        let mut random = Random::stream(11, game);
        let mut position = Position::startpos();
        for ply in 0..120 {
            let moves = position.legal_moves();
            let captures: Vec<_> = moves.iter().copied().filter(|&mv| position.is_capture(mv)).collect();
            let choice = if random.below(3) == 0 && !captures.is_empty() { &captures } else { &moves[..] };
            if choice.is_empty() || position.outcome().is_some() {
                break;
            }
            position.play(choice[random.below(choice.len())]);
            if ply > 6 && random.below(3) == 0 {
                positions.push(position);
            }
        }
    }
    positions
}

/// Samples whose results follow by chance from what an evaluation with these weights predicts, and whose
/// scores are that evaluation.
fn samples(positions: &[Position], weights: &[Weight], seed: u64) -> Samples {
    let mut random = Random::stream(seed, 0);
    let mut samples = Samples::default();
    for position in positions {
        let value = eval::trace(position).value(weights).clamp(-3_000.0, 3_000.0);
        let wins = (random.below(1 << 20) as f32) < probability(value, SCALE) * (1 << 20) as f32;
        let verdict = if wins { Verdict::WhiteWins } else { Verdict::BlackWins };
        samples.push(&Sample {
            position: *position,
            white_score: value.round() as i16,
            verdict: Some(verdict),
        });
    }
    samples
}

fn quick() -> TuneSettings {
    TuneSettings {
        epochs: 40,
        batch: 1024,
        rate: 4.0,
        result_share: 0.0,
        pull: 0.0,
        ..TuneSettings::default()
    }
}

#[test]
fn known_weights_are_recovered() {
    let truth = start_weights();
    let knight = Term::Material.offset() + Role::Knight.index();
    let mut wrong = truth.clone();
    wrong[knight] = [100.0, 90.0];
    wrong[knight + 2][0] += 150.0;
    wrong[Term::Tempo.offset()] = [60.0, 60.0];
    wrong[Term::KnightMobility.offset()..Term::Isolated.offset()].fill([0.0, 0.0]);
    let positions = positions(400);
    let (training, held_out) = positions.split_at(positions.len() * 9 / 10);
    let (training, held_out) = (samples(training, &truth, 1), samples(held_out, &truth, 2));
    let (mut losses, mut scales) = (Vec::new(), [0.0; 2]);
    let tuned = tune(&wrong, [&training, &held_out], &quick(), |epoch| {
        losses.push(epoch.held_out);
        scales = epoch.scales;
        true
    })
    .unwrap();
    assert_eq!(losses.len(), 41);
    assert!(tuned.held_out < losses[0] / 20.0, "{losses:?}");

    // Tuning keeps the scale of the weights it began with, so the truth is found in that measure. Single
    // weights can stand in for each other, evaluations cannot.
    let measure = scales[0] / scales[1];
    let weights: Vec<Weight> =
        tuned.weights.iter().map(|weight| [weight.0.into(), weight.1.into()]).collect();
    let mean_error = |weights: &[Weight], measure: f32| {
        let mut trace = Samples::empty_trace();
        let mut sum = 0.0;
        for index in 0..held_out.len() {
            held_out.load(index, &mut trace);
            let (value, wanted) = (trace.value(weights), measure * trace.value(&truth));
            sum += (value.clamp(-400.0, 400.0) - wanted.clamp(-400.0, 400.0)).abs();
        }
        sum / held_out.len() as f32
    };
    let (before, after) = (mean_error(&wrong, 1.0), mean_error(&weights, measure));
    assert!(before > 50.0 && after < 12.0, "{before} before, {after} after, measure {measure}");

    let knight_up = "r1bqkb1r/pppppppp/2n5/8/8/2N2N2/PPPPPPPP/R1BQKB1R w KQkq - 0 1";
    let trace = eval::trace(&Position::from_fen(knight_up).unwrap());
    let (found, wanted) = (trace.value(&weights), measure * trace.value(&truth));
    assert!((found - wanted).abs() < 40.0, "{found} for {wanted}, {} before", trace.value(&wrong));
}

#[test]
fn slopes_are_those_of_the_loss() {
    let weights = start_weights();
    let samples = samples(&positions(20), &weights, 3);
    let problem = Problem::new(&samples, 0.7, SCALE, 120.0);
    let all: Vec<u32> = (0..samples.len() as u32).collect();
    let (loss, slopes) = problem.gradient(&all, &weights);
    assert!((loss - problem.loss(&all, &weights)).abs() < 1e-9);
    let mut steep = 0;
    for index in (0..WEIGHT_COUNT).filter(|index| index % 7 == 0 || *index < 40 || *index > WEIGHT_COUNT - 40)
    {
        for half in 0..2 {
            let moved = |by: f32| {
                let mut moved = weights.clone();
                moved[index][half] += by;
                problem.loss(&all, &moved)
            };
            // Wide enough that the rounding of single values does not show.
            let measured = moved(0.5) - moved(-0.5);
            let slope = f64::from(slopes[index][half]);
            let (term, at) = Term::of_weight(index);
            let tolerance = 2e-6 + 0.05 * slope.abs();
            assert!((measured - slope).abs() < tolerance, "{term:?} {at} {half}: {measured} {slope}");
            steep += usize::from(slope.abs() > 1e-5);
        }
    }
    assert!(steep > 20, "{steep}");
}

#[test]
fn winning_with_a_queen_raises_its_value() {
    let queen = Term::Material.offset() + Role::Queen.index();
    let weights = start_weights();
    let slope = |fen: &str, verdict: Verdict| {
        let position = Position::from_fen(fen).unwrap();
        let mut samples = Samples::default();
        samples.push(&Sample { position, white_score: 0, verdict: Some(verdict) });
        Problem::new(&samples, 1.0, 600.0, 600.0).gradient(&[0], &weights).1[queen][0]
    };
    // Descent goes against the slope, so a negative one raises the weight. Whose queen it is and who is to
    // move makes no difference.
    for turn in ["w", "b"] {
        let white = format!("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {turn} - - 0 20");
        let black = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR {turn} - - 0 20");
        assert!(slope(&white, Verdict::WhiteWins) < 0.0);
        assert!(slope(&black, Verdict::BlackWins) < 0.0);
        assert!(slope(&white, Verdict::BlackWins) > 0.0);
        assert!(slope(&black, Verdict::WhiteWins) > 0.0);
        assert!(slope(&white, Verdict::Draw) > 0.0);
        assert_eq!(Position::from_fen(&white).unwrap().turn() == Color::White, turn == "w");
    }
}

#[test]
fn mirrored_samples_teach_the_same() {
    let weights = start_weights();
    let positions = positions(4);
    let plain = samples(&positions, &weights, 5);
    let mut mirrored = Samples::default();
    for (index, position) in
        positions.iter().filter(|position| eval::trace(position).exact.is_none()).enumerate()
    {
        let verdict = if plain.white_points(index) > 0.5 { Verdict::BlackWins } else { Verdict::WhiteWins };
        let white_score = -plain.white_score(index) as i16;
        mirrored.push(&Sample { position: position.mirrored(), white_score, verdict: Some(verdict) });
    }
    assert_eq!(plain.len(), mirrored.len());
    let all: Vec<u32> = (0..plain.len() as u32).collect();
    let slopes = |samples: &Samples| Problem::new(samples, 0.5, SCALE, SCALE).gradient(&all, &weights).1;
    for (one, other) in slopes(&plain).iter().zip(slopes(&mirrored)) {
        assert!((0..2).all(|half| (one[half] - other[half]).abs() < 1e-6), "{one:?} {other:?}");
    }
}

#[test]
fn traces_survive_packing() {
    let weights = start_weights();
    let positions = positions(20);
    let samples = samples(&positions, &weights, 6);
    let mut trace = Samples::empty_trace();
    let judged = positions.iter().map(eval::trace).filter(|trace| trace.exact.is_none());
    let mut count = 0;
    for (index, original) in judged.enumerate() {
        samples.load(index, &mut trace);
        let (packed, plain) = (trace.value(&weights), original.value(&weights));
        assert!((packed - plain).abs() < 0.01, "{packed} {plain}");
        count += 1;
    }
    assert_eq!(count, samples.len());
}

#[test]
fn threads_make_no_difference() {
    let weights = start_weights();
    let positions = positions(60);
    let (training, held_out) = positions.split_at(positions.len() * 4 / 5);
    let (training, held_out) = (samples(training, &weights, 7), samples(held_out, &weights, 8));
    let run = |threads, seed| {
        let settings = TuneSettings { epochs: 2, result_share: 1.0, seed, ..quick() };
        let mut epochs = Vec::new();
        let mut work = || {
            tune(&weights, [&training, &held_out], &settings, |epoch| {
                epochs.push(epoch);
                true
            })
        };
        let tuned = with_threads(threads, &mut work).unwrap();
        (tuned.unwrap(), epochs)
    };
    let one = run(1, 1);
    assert_eq!(run(2, 1), one);
    assert_eq!(run(5, 1), one);
    assert_ne!(run(1, 2), one);
}

#[test]
fn it_can_be_stopped_and_wants_something_to_learn_from() {
    let weights = start_weights();
    let samples = samples(&positions(20), &weights, 9);
    let mut seen = 0;
    let tuned = tune(&weights, [&samples, &samples], &quick(), |_| {
        seen += 1;
        seen < 3
    });
    assert!(tuned.is_ok_and(|tuned| tuned.epoch <= 2));
    assert_eq!(seen, 3);
    assert!(tune(&weights, [&Samples::default(), &samples], &quick(), |_| true).is_err());
}
