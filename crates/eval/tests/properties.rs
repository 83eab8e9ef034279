//! What must hold for every position, tried on positions along random games.

use chess::random::Random;
use chess::{Color, Position};
use eval::{Evaluator, MAX_EVALUATION, WEIGHT_COUNT, WEIGHTS};

/// Positions along random games from the start position and from some end games, always the same ones.
fn positions() -> Vec<Position> {
    const STARTS: [&str; 7] = [
        chess::START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r2q1rk1/ppp2ppp/2n1bn2/2bpp3/4P3/2PP1N2/PPBN1PPP/R1BQ1RK1 w - - 0 9",
        "2r3k1/1p3ppp/p2b4/3P4/1P2B3/P5P1/5P1P/3R2K1 b - - 0 30",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/5k2/8/2P5/5p2/8/1K4P1/8 w - - 0 1",
        "8/8/3k4/8/8/2BNK3/8/8 w - - 0 1",
    ];
    let mut random = Random::stream(42, 0);
    let mut positions = Vec::new();
    for start in STARTS {
        for _ in 0..25 {
            let mut position = Position::from_fen(start).unwrap();
            for _ in 0..100 {
                positions.push(position);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.below(moves.len())]);
            }
        }
    }
    positions
}

#[test]
fn mirrored_colours_give_mirrored_scores() {
    let (mut evaluator, mut other) = (Evaluator::new(), Evaluator::new());
    for position in positions() {
        assert_eq!(
            evaluator.evaluate(&position),
            other.evaluate(&position.mirrored()),
            "{}",
            position.to_fen()
        );
        let mirrored = position.mirrored();
        assert_eq!(eval::baseline(&position), eval::baseline(&mirrored));
    }
}

#[test]
fn evaluations_stay_within_bounds() {
    let mut evaluator = Evaluator::new();
    let extreme = [
        "QQQQQQQQ/Q7/8/8/8/8/8/K2k4 b - - 0 1",
        "7k/8/8/8/8/8/qqqqqqqq/q6K w - - 0 1",
        "RBNQKNBR/8/QQQQQQQQ/8/8/7k/pppppppp/8 w - - 0 1",
    ];
    let extreme = extreme.iter().filter_map(|fen| Position::from_fen(fen).ok());
    for position in positions().into_iter().chain(extreme) {
        assert!(evaluator.evaluate(&position).abs() <= MAX_EVALUATION, "{}", position.to_fen());
    }
}

#[test]
fn the_trace_says_what_the_evaluation_says() {
    let weights = WEIGHTS.flatten();
    let real: Vec<_> = weights.iter().map(|weight| [f32::from(weight.0), f32::from(weight.1)]).collect();
    let mut evaluator = Evaluator::new();
    for position in positions() {
        let trace = eval::trace(&position);
        let evaluation = evaluator.evaluate(&position);
        assert_eq!(trace.evaluation(&weights), evaluation, "{}", position.to_fen());
        let white_view = if position.turn() == Color::White { evaluation } else { -evaluation };
        // Only rounding may differ.
        assert!((trace.value(&real) - white_view as f32).abs() < 4.0, "{}", position.to_fen());
    }
}

#[test]
fn what_is_remembered_does_not_change_the_evaluation() {
    let mut remembering = Evaluator::new();
    for position in positions().into_iter().step_by(7) {
        let first = remembering.evaluate(&position);
        assert_eq!(remembering.evaluate(&position), first);
        assert_eq!(Evaluator::new().evaluate(&position), first, "{}", position.to_fen());
    }
}

#[test]
fn the_gradient_is_the_slope_of_the_value() {
    // Away from whole numbers, so that few sums lie on an edge.
    let mut weights: Vec<_> = WEIGHTS
        .flatten()
        .iter()
        .map(|weight| [f32::from(weight.0) + 0.37, f32::from(weight.1) + 0.21])
        .collect();
    for position in positions().into_iter().step_by(97) {
        let trace = eval::trace(&position);
        let mut gradient = Vec::new();
        trace.gradient(&weights, |index, slope| gradient.push((index, slope)));
        for (index, slope) in gradient {
            assert!(index < WEIGHT_COUNT);
            for half in 0..2 {
                let step = 0.05;
                let here = trace.value(&weights);
                weights[index][half] += step;
                let above = (trace.value(&weights) - here) / step;
                weights[index][half] -= 2.0 * step;
                let below = (here - trace.value(&weights)) / step;
                weights[index][half] += step;
                // Where a bound sets in, the slope may be that of either side.
                let (least, most) = (above.min(below), above.max(below));
                let tolerance = 0.02 + 0.05 * most.abs().max(least.abs());
                assert!(
                    (least - tolerance..=most + tolerance).contains(&slope[half]),
                    "weight {index}: {below} to {above}, {slope:?}"
                );
            }
        }
    }
}

#[test]
fn an_explanation_adds_up() {
    let mut evaluator = Evaluator::new();
    // Here the initiative takes away all of Black's lead.
    let evened_out = Position::from_fen("6R1/2p5/1P6/1K1p4/r7/8/3k4/8 b - - 8 19").unwrap();
    for position in positions().into_iter().step_by(11).chain([evened_out]) {
        let explanation = eval::explain(&position);
        let evaluation = evaluator.evaluate(&position);
        let white_view = if position.turn() == Color::White { evaluation } else { -evaluation };
        assert_eq!(explanation.white_view, white_view);
        let kings = 2;
        assert_eq!(explanation.pieces.len(), position.occupied().count() as usize - kings);
        if !explanation.is_known {
            let sum: i32 =
                explanation.groups.iter().map(|group| group.sides[0].here - group.sides[1].here).sum();
            let roundings = 2 * explanation.groups.len() as i32;
            assert!((sum - white_view).abs() <= roundings, "{sum} {white_view} {}", position.to_fen());
        }
    }
}
