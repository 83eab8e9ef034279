use super::*;
use crate::boards::Mailbox;
use crate::groundup::evaluate;
use crate::javachess;
use chess::Position;

const POSITIONS: [&str; 4] = [
    chess::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1",
];

fn found(fen: &str, method: &Method, depth: u32) -> Found<crate::boards::ox88::Move32> {
    let board = Ox88::set_up(&Position::from_fen(fen).unwrap()).unwrap();
    search(&board, evaluate, method, depth, &Budget::default())
}

#[test]
fn pruning_and_ordering_change_the_work_but_not_the_score() {
    let exact = [
        Method::NEGAMAX,
        Method::ALPHA_BETA,
        Method::MVV_LVA,
        Method::FULL_EVALUATION,
        Method::HISTORY,
        Method { deepening: true, ..Method::HISTORY },
        Method { table_bits: Some(12), ..Method::HISTORY },
        Method { table_bits: Some(12), deepening: true, ..Method::HISTORY },
        Method { quiescence: false, ..Method::MTDF },
    ];
    for fen in POSITIONS {
        let plain = found(fen, &Method::MINIMAX, 3);
        for method in exact {
            let other = found(fen, &method, 3);
            assert_eq!(other.score, plain.score, "{method:?} in {fen}");
            assert_eq!(other.depth, 3);
        }
        assert_eq!(found(fen, &Method::NEGAMAX, 3).nodes(), plain.nodes());
        assert!(found(fen, &Method::ALPHA_BETA, 3).nodes() < plain.nodes());
    }
}

#[test]
fn quiescence_agrees_whatever_the_driver() {
    for fen in POSITIONS {
        let alone = found(fen, &Method::QUIESCENCE, 3);
        for method in [Method::TABLE, Method::DEEPENING, Method::PVS, Method::MTDF] {
            assert_eq!(found(fen, &method, 3).score, alone.score, "{method:?} in {fen}");
        }
    }
}

#[test]
fn minimax_visits_the_whole_tree() {
    let nodes = found(chess::START_FEN, &Method::MINIMAX, 3).nodes();
    assert_eq!(nodes, 1 + 20 + 400 + 8902);
}

#[test]
fn every_method_finds_the_mate() {
    let scholars_mate = POSITIONS[3];
    let position = Position::from_fen(scholars_mate).unwrap();
    for (name, method) in Method::FAMILY {
        let found = found(scholars_mate, &method, 2);
        assert_eq!(found.score, MATE - 1, "{name}");
        let board = Ox88::set_up(&position).unwrap();
        assert!(position.after(board.translate(found.best.unwrap())).is_checkmate(), "{name}");
    }
}

#[test]
fn quiescence_sees_that_the_pawn_is_guarded() {
    let guarded = "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1";
    let greedy = found(guarded, &Method::ALPHA_BETA, 1);
    let calm = found(guarded, &Method::QUIESCENCE, 1);
    assert!(calm.score < greedy.score);
    assert_ne!(calm.best, greedy.best);
    assert!(calm.iterations[0].statistics.quiescence.nodes > 0);
}

#[test]
fn the_check_extension_looks_one_ply_beyond() {
    // Qg7 is mate, but at depth 1 only an extension notices that Black has no reply.
    let fen = "6k1/1Q6/5K2/8/8/8/8/8 w - - 0 1";
    assert!(!is_mate(found(fen, &Method::QUIESCENCE, 1).score));
    assert_eq!(found(fen, &Method::CHECK_EXTENSION, 1).score, MATE - 1);
}

#[test]
fn tables_and_history_save_nodes() {
    let fen = POSITIONS[2];
    let ordered = found(fen, &Method::QUIESCENCE, 5);
    let with_table = found(fen, &Method::TABLE, 5);
    assert!(with_table.nodes() < ordered.nodes());
    let counts = with_table.iterations[0].statistics.regular;
    assert!(counts.recurring >= counts.table_hits && counts.table_hits > 0 && counts.cutoffs > 0);
}

#[test]
fn the_null_move_saves_nodes_and_keeps_the_mate() {
    let plain = found(POSITIONS[1], &Method::PVS, 5);
    let passing = found(POSITIONS[1], &Method::NULL_MOVE, 5);
    assert!(passing.nodes() < plain.nodes());
    // King and pawns alone never pass.
    let zugzwang = "8/8/8/8/8/1pk5/1P6/1K6 b - - 0 1";
    assert_eq!(found(zugzwang, &Method::NULL_MOVE, 5).score, found(zugzwang, &Method::PVS, 5).score);
}

#[test]
fn passing_changes_the_side_and_nothing_else() {
    for fen in POSITIONS {
        let position = Position::from_fen(fen).unwrap();
        let board = Ox88::set_up(&position).unwrap();
        assert_eq!(board.passed().key(), Ox88::set_up(&passed(&position)).unwrap().key(), "{fen}");
        assert_eq!(board.passed().passed().key(), board.key(), "{fen}");
        let board = Rays::set_up(&position).unwrap();
        assert_eq!(board.passed().key(), Rays::set_up(&passed(&position)).unwrap().key(), "{fen}");
        let board = Mailbox::set_up(&position).unwrap();
        assert_eq!(board.passed().key(), Mailbox::set_up(&passed(&position)).unwrap().key(), "{fen}");
    }
}

fn passed(position: &Position) -> Position {
    let setup = chess::Setup { turn: !position.turn(), ..position.to_setup() };
    Position::from_setup(&setup).unwrap()
}

#[test]
fn grains_round_scores_down() {
    for grain in [2, 8, 16] {
        let found = found(POSITIONS[1], &Method { grain, ..Method::MTDF }, 2);
        assert_eq!(found.score.rem_euclid(grain), 0, "grain {grain}");
    }
}

#[test]
fn boards_are_interchangeable() {
    let position = Position::from_fen(POSITIONS[1]).unwrap();
    let board = Rays::set_up(&position).unwrap();
    let scores = [Method::NEGAMAX, Method::HISTORY]
        .map(|method| search(&board, javachess::evaluate, &method, 2, &Budget::default()).score);
    assert_eq!(scores[0], scores[1]);
    let board = Mailbox::set_up(&position).unwrap();
    let judge = |board: &Mailbox| crate::chessbin::evaluate(board, &board.survey());
    let scores = [Method::NEGAMAX, Method::HISTORY]
        .map(|method| search(&board, judge, &method, 2, &Budget::default()).score);
    assert_eq!(scores[0], scores[1]);
}

#[test]
fn helpers_that_only_order_and_guess_keep_the_score() {
    for fen in [
        chess::START_FEN,
        "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let board = Ox88::set_up(&Position::from_fen(fen).unwrap()).unwrap();
        let run = |method: &Method| search(&board, evaluate, method, 4, &Budget::default());
        let plain = Method { deepening: true, ..Method::QUIESCENCE };
        let expected = run(&plain).score;
        for method in [
            Method { killers: true, ..plain },
            Method { aspiration: Some(1), ..plain },
            Method { aspiration: Some(40), ..plain },
        ] {
            assert_eq!(run(&method).score, expected, "{fen} {method:?}");
        }
    }
}

#[test]
fn checks_in_quiescence_and_singular_extensions_see_more() {
    // Mate in two by checks alone, which one ply sees only if quiescence looks at checks.
    let mate = "5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1";
    let board = Ox88::set_up(&Position::from_fen(mate).unwrap()).unwrap();
    let score = |method: &Method| search(&board, evaluate, method, 1, &Budget::default()).score;
    assert!(!is_mate(score(&Method::QUIESCENCE)));
    assert_eq!(score(&Method { quiescence_checks: 2, ..Method::QUIESCENCE }), MATE - 3);

    let fen = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6";
    let board = Ox88::set_up(&Position::from_fen(fen).unwrap()).unwrap();
    let nodes = |method: &Method| search(&board, evaluate, method, 5, &Budget::default()).nodes();
    assert!(nodes(&Method { singular: Some(50), ..Method::DEEPENING }) > nodes(&Method::DEEPENING));
}
