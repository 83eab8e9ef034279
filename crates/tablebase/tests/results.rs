//! What the tables say, against what is known without them.

mod common;

use chess::{Color, Game, Move, Piece, Position};
use common::{RandomPositions, copy_tables, open, position, scratch_directory, tables};
use tablebase::{RankSource, RootRanking, Tablebases, Wdl};

fn wdl(tables: &Tablebases, position: &Position) -> Wdl {
    let result = tables.probe_wdl(position).expect("sound tables");
    result.unwrap_or_else(|| panic!("{} is not covered", position.to_fen()))
}

fn ranking(tables: &Tablebases, position: &Position, fifty_move_rule: bool) -> RootRanking {
    let ranking = tables.rank_root_moves(position, fifty_move_rule, false).expect("sound tables");
    ranking.unwrap_or_else(|| panic!("{} is not covered", position.to_fen()))
}

#[test]
fn textbook_endgames_have_their_results() {
    let tables = tables();
    assert_eq!(tables.max_pieces(), 4);
    let cases = [
        ("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", Wdl::Win),
        ("8/8/8/4k3/8/8/8/KQ6 b - - 0 1", Wdl::Loss),
        ("8/8/8/4k3/8/8/8/KR6 w - - 0 1", Wdl::Win),
        ("8/8/8/4k3/8/8/8/KBN5 w - - 0 1", Wdl::Win),
        ("8/8/8/4k3/8/8/8/KNN5 w - - 0 1", Wdl::Draw),
        // The king in front of its pawn has the opposition, or has not.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Wdl::Win),
        ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", Wdl::Draw),
        ("k7/8/1K6/P7/8/8/8/8 w - - 0 1", Wdl::Draw),
        // Stalemate, and mate.
        ("k7/2Q5/8/2K5/8/8/8/8 b - - 0 1", Wdl::Draw),
        ("k7/1Q6/2K5/8/8/8/8/8 b - - 0 1", Wdl::Loss),
        // The queen against a pawn on the seventh: a rook's pawn draws, a centre pawn does not.
        ("7K/8/8/8/8/8/p3Q3/1k6 w - - 0 1", Wdl::Draw),
        ("7K/8/8/8/8/8/3pQ3/2k5 w - - 0 1", Wdl::Win),
    ];
    for (fen, expected) in cases {
        let position = position(fen);
        assert_eq!(wdl(&tables, &position), expected, "{fen}");
        assert_eq!(wdl(&tables, &position.mirrored()), expected, "{fen} mirrored");
    }
}

#[test]
fn too_little_material_is_drawn() {
    let tables = tables();
    let mut random = RandomPositions::new(0x5eed_0001);
    let mut seen = 0;
    while seen < 300 {
        let position = random.position();
        if position.is_insufficient_material() {
            assert_eq!(wdl(&tables, &position), Wdl::Draw, "{}", position.to_fen());
            seen += 1;
        }
    }
}

/// The result by one move of search and the tables of the positions after it.
fn wdl_by_moves(tables: &Tablebases, position: &Position) -> Wdl {
    let moves = position.legal_moves();
    let best = moves.iter().map(|&mv| -wdl(tables, &position.after(mv))).max();
    best.unwrap_or(if position.is_check() { Wdl::Loss } else { Wdl::Draw })
}

#[test]
fn a_position_has_the_value_of_its_best_move() {
    let tables = tables();
    let mut random = RandomPositions::new(0x5eed_0002);
    for _ in 0..2_000 {
        let position = random.position();
        assert_eq!(wdl(&tables, &position), wdl_by_moves(&tables, &position), "{}", position.to_fen());
    }
    for _ in 0..300 {
        let position = random.en_passant();
        assert_eq!(wdl(&tables, &position), wdl_by_moves(&tables, &position), "{}", position.to_fen());
    }
}

#[test]
fn the_best_moves_keep_the_result() {
    let tables = tables();
    let mut random = RandomPositions::new(0x5eed_0003);
    for round in 0..500 {
        let position = if round % 5 == 0 { random.en_passant() } else { random.position() };
        if position.legal_moves().is_empty() {
            continue;
        }
        let expected = wdl(&tables, &position);
        let ranking = ranking(&tables, &position, true);
        assert_eq!(ranking.source, RankSource::Dtz);
        assert_eq!(ranking.moves.len(), position.legal_moves().len());
        for best in ranking.best() {
            assert_eq!(best.wdl, expected, "{:?} in {}", best.mv, position.to_fen());
            assert_eq!(-wdl(&tables, &position.after(best.mv)), expected);
        }
        assert!(ranking.moves.is_sorted_by(|a, b| a.rank >= b.rank && a.wdl >= b.wdl));
    }
}

#[test]
fn distances_to_mate_are_those_of_a_mate_search() {
    let tables = tables();
    // The queen may not be lost, so the distance is that to mate: in 5 moves, in 9.
    for (fen, plies) in [("8/8/3k4/8/3K4/8/8/7Q w - - 0 1", 9), ("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", 17)] {
        let dtz = tables.probe_dtz(&position(fen)).expect("sound tables").expect("covered");
        assert!((plies - 1..=plies).contains(&dtz), "{fen}: {dtz}");
    }
}

/// The defence that lasts longest, as the tables see it.
fn longest_defence(tables: &Tablebases, position: &Position) -> Move {
    let moves = ranking(tables, position, true).moves;
    let best = moves.iter().min_by_key(|root| (root.wdl != Wdl::Loss, root.dtz)).expect("a legal move");
    best.mv
}

/// Plays a won position out, the winner choosing at random among the best moves.
fn play_out(tables: &Tablebases, start: Position, random: &mut RandomPositions) -> Game {
    let winner = start.turn();
    let mut game = Game::from_position(start);
    while !game.is_over() && game.position().halfmove_clock() < 100 {
        let position = *game.position();
        let mv = if position.turn() == winner {
            let keys = game.keys();
            let has_repeated = (1..keys.len()).any(|index| keys[..index].contains(&keys[index]));
            let ranking = tables.rank_root_moves(&position, true, has_repeated);
            let ranking = ranking.expect("sound tables").expect("covered");
            let best: Vec<_> = ranking.best().collect();
            best[random.below(best.len())].mv
        } else {
            longest_defence(tables, &position)
        };
        game.play(mv).expect("a legal move");
    }
    game
}

#[test]
fn bishop_and_knight_mate_within_fifty_moves() {
    let tables = tables();
    let mut random = RandomPositions::new(0x5eed_0004);
    let men = [Piece::WhiteKing, Piece::WhiteBishop, Piece::WhiteKnight, Piece::BlackKing];
    let mut played = 0;
    while played < 6 {
        let start = random.position_of(&men);
        if start.turn() == Color::White && wdl(&tables, &start) == Wdl::Win {
            let game = play_out(&tables, start, &mut random);
            assert!(
                game.position().is_checkmate(),
                "{} ends in {}",
                start.to_fen(),
                game.position().to_fen()
            );
            played += 1;
        }
    }
}

#[test]
fn other_endgames_are_won_too() {
    let tables = tables();
    let mut random = RandomPositions::new(0x5eed_0005);
    let mut played = 0;
    while played < 40 {
        let start = random.position();
        if wdl(&tables, &start) == Wdl::Win {
            let game = play_out(&tables, start, &mut random);
            assert!(
                game.position().is_checkmate(),
                "{} ends in {}",
                start.to_fen(),
                game.position().to_fen()
            );
            played += 1;
        }
    }
}

#[test]
fn the_moves_counted_so_far_matter() {
    let tables = tables();
    let at = |clock: u16| position(&format!("8/8/8/4k3/8/8/8/KBN5 w - - {clock} 80"));
    let dtz = tables.probe_dtz(&at(0)).expect("sound tables").expect("covered");
    assert!((50..=70).contains(&dtz), "{dtz}");

    let late = at(90);
    assert_eq!(ranking(&tables, &late, true).moves[0].wdl, Wdl::CursedWin);
    assert_eq!(ranking(&tables, &late, false).moves[0].wdl, Wdl::Win);

    // When there is just time enough, only the fastest moves will do.
    let in_a_hurry = at(u16::try_from(99 - dtz).expect("a small number"));
    let urgent = ranking(&tables, &in_a_hurry, true);
    let relaxed = ranking(&tables, &at(0), true);
    assert_eq!(urgent.moves[0].wdl, Wdl::Win);
    assert!(urgent.best().count() < relaxed.best().count());
    let game = play_out(&tables, in_a_hurry, &mut RandomPositions::new(0x5eed_0006));
    assert!(game.position().is_checkmate());
}

#[test]
fn a_repetition_leaves_only_the_fastest_moves() {
    let tables = tables();
    let start = position("8/8/8/4k3/8/8/8/KQ6 w - - 8 80");
    let ranking = tables.rank_root_moves(&start, true, true).expect("sound tables").expect("covered");
    let fastest = ranking.moves.iter().filter(|root| root.wdl == Wdl::Win).filter_map(|root| root.dtz).min();
    assert!(ranking.best().all(|best| best.dtz == fastest));
}

#[test]
fn without_tables_of_distances_the_results_decide() {
    let directory = scratch_directory("wdl-only");
    copy_tables(&directory, |name| name.ends_with(".rtbw"));
    let tables = open(&directory);
    let start = position("8/8/8/4k3/8/8/8/KBN5 w - - 0 1");
    let ranking = ranking(&tables, &start, true);
    assert_eq!(ranking.source, RankSource::Wdl);
    assert!(ranking.fault.is_none());
    assert!(ranking.best().all(|best| best.wdl == Wdl::Win && best.dtz.is_none()));
    for root in &ranking.moves {
        assert_eq!(root.wdl, -wdl(&tables, &start.after(root.mv)));
    }
}

#[test]
fn what_tables_do_not_cover_is_unknown() {
    let tables = tables();
    for fen in [chess::START_FEN, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "8/8/8/4k3/8/8/8/KQRR4 w - - 0 1"] {
        let position = position(fen);
        assert_eq!(tables.probe_wdl(&position).expect("no table is read"), None, "{fen}");
        assert_eq!(tables.probe_dtz(&position).expect("no table is read"), None, "{fen}");
        assert!(tables.rank_root_moves(&position, true, false).expect("no table is read").is_none(), "{fen}");
    }
}

#[test]
fn threads_share_the_tables() {
    let tables = tables();
    let mut random = RandomPositions::new(0x5eed_0007);
    let positions: Vec<_> = (0..500).map(|_| random.position()).collect();
    let results = || positions.iter().map(|position| wdl(&tables, position)).collect::<Vec<_>>();
    let by_thread: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(results)).collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).collect()
    });
    assert!(by_thread.iter().all(|results| *results == by_thread[0]));
}
