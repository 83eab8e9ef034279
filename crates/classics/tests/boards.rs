//! The boards of the classics against the rules library: each side vouches for the other.

use chess::random::Random;
use chess::{Move, Position, Variant};
use classics::boards::{BoardKind, ClassicBoard, Mailbox, Ox88, Rays};

/// Positions and their counts from the suite of the rules library, standard chess only.
fn suite() -> Vec<(Position, Vec<u64>)> {
    include_str!("../../chess/tests/perft.epd")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut fields = line.split(';');
            let position = Position::from_fen(fields.next().unwrap()).unwrap();
            let counts = fields.map(|field| field.split_whitespace().nth(1).unwrap().parse().unwrap());
            (position, counts.collect())
        })
        .filter(|(position, _)| Variant::of(position) == Variant::Standard)
        .collect()
}

fn check_perft(kind: BoardKind, most_nodes: u64) {
    for (position, counts) in suite() {
        let Some(depth) = counts.iter().rposition(|&count| count <= most_nodes) else { continue };
        let counted = kind.perft(&position, depth as u32 + 1).unwrap();
        assert_eq!(counted, counts[depth], "{} at depth {} of {position}", kind.name(), depth + 1);
    }
}

#[test]
fn rays_count_the_suite() {
    check_perft(BoardKind::Rays, 300_000);
}

#[test]
fn ox88_counts_the_suite() {
    check_perft(BoardKind::Ox88, 300_000);
}

#[test]
fn the_mailbox_counts_the_suite() {
    check_perft(BoardKind::Mailbox, 100_000);
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort();
    moves
}

#[test]
fn all_find_the_same_moves_in_random_games() {
    const POSITIONS: usize = 20_000;
    let mut random = Random::new(88);
    let starts: Vec<Position> = suite().into_iter().map(|(position, _)| position).collect();
    let mut compared = 0;
    while compared < POSITIONS {
        let mut position =
            if random.below(2) == 0 { Position::startpos() } else { starts[random.below(starts.len())] };
        for _ in 0..100 {
            let legal = position.legal_moves();
            let expected = sorted(legal.to_vec());
            for kind in BoardKind::ALL {
                let found = sorted(kind.legal_moves(&position).unwrap());
                assert_eq!(found, expected, "{} in {position}", kind.name());
            }
            compared += 1;
            if legal.is_empty() {
                break;
            }
            position.play(legal[random.below(legal.len())]);
        }
    }
}

/// The same game on one board of each kind, moves made there and taken back at the end.
fn play_and_take_back<B: ClassicBoard>(moves: &[Move]) {
    let mut position = Position::startpos();
    let mut board = B::set_up(&position).unwrap();
    for &mv in moves {
        let own = board.legal().into_iter().find(|&own| board.translate(own) == mv);
        assert!(board.make(own.unwrap()), "{mv:?} in {position}");
        position.play(mv);
        assert_eq!(board.turn(), position.turn());
        assert_eq!(board.is_check(), position.is_check());
        let found = board.legal().into_iter().map(|mv| board.translate(mv)).collect();
        assert_eq!(sorted(found), sorted(position.legal_moves().to_vec()), "{position}");
    }
    for _ in moves {
        board.unmake();
    }
    assert_eq!(board.perft(3), 8902);
}

#[test]
fn moves_made_are_taken_back() {
    for seed in 0..20 {
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        for ply in 0..120usize {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[(seed * 7919 + ply * ply * 31 + ply) % legal.len()];
            moves.push(mv);
            position.play(mv);
        }
        play_and_take_back::<Rays>(&moves);
        play_and_take_back::<Ox88>(&moves);
        play_and_take_back::<Mailbox>(&moves);
    }
}

#[test]
fn chess960_is_refused() {
    let position =
        Position::from_fen("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9").unwrap();
    for kind in BoardKind::ALL {
        assert!(kind.perft(&position, 1).unwrap_err().to_string().contains("standard chess only"));
    }
}

#[test]
fn unknown_boards_name_the_known_ones() {
    assert_eq!("0x88".parse(), Ok(BoardKind::Ox88));
    let message = "octagon".parse::<BoardKind>().unwrap_err().to_string();
    assert_eq!(message, "no board is called \"octagon\"; there are rays, 0x88 and mailbox");
}
