//! Sums kept along a line equal sums computed from scratch, and all ways to a value agree.

#![forbid(unsafe_code)]

use chess::{Position, Setup};
use nnue::{Accumulators, HIDDEN, Kernels, Network, NetworkFile};
use proptest::prelude::*;
use std::sync::Arc;

/// Plays random legal moves, now and then a null move, goes back now and then, and evaluates now and then, as a
/// search does. Each choice is a number that is taken modulo what there is to choose from.
fn wander(start: Position, file: &NetworkFile, kernels: Kernels, choices: &[(u8, u16)]) {
    let network = Arc::new(Network::try_from(file).unwrap().with_kernels(kernels));
    let mut accumulators = Accumulators::new(Arc::clone(&network), 10);
    accumulators.reset(&start);
    let mut line = vec![start];
    for &(kind, choice) in choices {
        let mut position = *line.last().unwrap();
        let moves = position.legal_moves();
        if kind % 8 == 0 && line.len() > 1 || moves.is_empty() {
            accumulators.undo();
            line.pop();
            if line.is_empty() {
                break;
            }
        } else if kind % 8 == 1 && !position.is_check() {
            position.play_null();
            accumulators.play_null();
            line.push(position);
        } else {
            // Kings wander more than they do in games, so that they cross the middle.
            let king = position.king(position.turn());
            let mv = if kind % 8 < 5 { moves.iter().find(|mv| mv.from() == king) } else { None };
            let mv = *mv.unwrap_or(&moves[usize::from(choice) % moves.len()]);
            accumulators.play(&mut position, mv);
            line.push(position);
        }
        if kind & 16 != 0 {
            let position = line.last().unwrap();
            let value = accumulators.evaluate(position);
            assert_eq!(value, network.evaluate(position), "{}", position.to_fen());
            assert_eq!(value, file.evaluate(position), "{}", position.to_fen());
            assert_eq!(value, network.evaluate(&position.mirrored()), "{}", position.to_fen());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn kept_sums_equal_recomputed_ones(
        seed in any::<u64>(),
        number in 0..chess::CHESS960_POSITIONS,
        choices in proptest::collection::vec(any::<(u8, u16)>(), 300),
    ) {
        let start = Position::from_setup(&Setup::chess960(number).unwrap()).unwrap();
        let file = NetworkFile::random(HIDDEN, seed);
        for kernels in Kernels::available() {
            wander(start, &file, kernels, &choices);
        }
    }
}

#[test]
fn castling_en_passant_and_promotion_are_followed() {
    let file = NetworkFile::random(HIDDEN, 1);
    let network = Arc::new(Network::try_from(&file).unwrap());
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2KR2 w Bg - 0 1",
    ] {
        let root = Position::from_fen(fen).unwrap();
        let mut accumulators = Accumulators::new(Arc::clone(&network), 4);
        accumulators.reset(&root);
        for mv in root.legal_moves() {
            let mut next = root;
            accumulators.play(&mut next, mv);
            for reply in next.legal_moves() {
                let mut last = next;
                accumulators.play(&mut last, reply);
                assert_eq!(accumulators.evaluate(&last), file.evaluate(&last), "{fen} {mv:?} {reply:?}");
                accumulators.undo();
            }
            accumulators.undo();
        }
    }
}

#[test]
fn a_network_of_another_width_is_refused() {
    let error = Network::decode(&NetworkFile::random(HIDDEN + 32, 1).encode()).unwrap_err();
    let wanted = format!("it has {} neurons, and this program plays with {HIDDEN}", HIDDEN + 32);
    assert_eq!(error.to_string(), wanted);
}

#[test]
fn a_file_longer_than_any_network_is_refused_unread() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("long.gzn");
    std::fs::write(&path, NetworkFile::random(HIDDEN, 1).encode()).unwrap();
    assert!(Network::open(&path).is_ok());
    // A file of holes: a tebibyte that takes no room.
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    assert!(matches!(Network::open(&path), Err(nnue::NetworkError::TooLong { .. })));
}
