//! The mate search against one that tries everything and remembers nothing.

mod common;

use chess::random::Random;
use common::{is_mated_by_force, mate_of, random_position, shortest_by_force, small_table, solve_checked};
use mate::{Limits, solve_mated};

/// Compares N random positions, and gives the number of mates of each length among them.
fn compare(seed: u64, count: usize, up_to: u32) -> Vec<usize> {
    let mut random = Random::new(seed);
    let mut mates = vec![0; up_to as usize + 1];
    for _ in 0..count {
        let position = random_position(&mut random);
        let expected = shortest_by_force(&position, up_to);
        let fen = position.to_fen();
        for limits in [Limits { table_bytes: 1 << 20, ..Limits::default() }, small_table()] {
            let found = solve_checked(&position, up_to, limits).map(|(moves, _)| moves);
            assert_eq!(found, expected, "{fen}");
        }
        let mated = mate_of(solve_mated(&position, up_to - 1, small_table())).map(|(moves, _)| moves);
        assert_eq!(mated, (0..up_to).find(|&moves| is_mated_by_force(&position, moves)), "{fen}");
        mates[expected.unwrap_or(0) as usize] += 1;
    }
    mates
}

#[test]
fn agrees_on_mates_in_one_and_two() {
    let mates = compare(0x0bad_cafe_5eed_0001, 3_000, 2);
    assert!(mates[1] > 50 && mates[2] > 50, "too few mates to mean much: {mates:?}");
}

#[test]
fn agrees_on_mates_in_three() {
    let mates = compare(0x0bad_cafe_5eed_0002, 500, 3);
    assert!(mates[3] > 10, "too few mates to mean much: {mates:?}");
}
