//! Moves and games written and read back, and texts that chance has damaged.

use chess::pgn::{Comment, Line, Nag, Node, PgnGame, Reader};
use chess::random::Random;
use chess::{CastlingStyle, GameResult, Move, Position};
use proptest::prelude::*;
use std::collections::HashSet;

/// Starts with every kind of move near: castling of both chesses, promotions, en passant, many rivals.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "rkbbnrqn/p3pppp/2pp4/1p6/8/3P4/PPPBPPPP/RK1BNRQN w FAfa - 0 1",
    "4k3/8/8/1N3N2/8/1N3N2/8/QQQ1K1QQ w - - 0 1",
];

/// Positions that random moves lead to, and the moves there.
fn walk(start: &str, choices: &[u16], mut each: impl FnMut(&Position, Move)) {
    let mut position = Position::from_fen(start).expect("the starts are legal");
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[choice as usize % moves.len()];
        each(&position, mv);
        position.play(mv);
    }
}

/// One step of the making of a random game.
#[derive(Clone, Debug)]
enum Step {
    Move(u16),
    Pass,
    Nag(u8),
    Comment(String),
    Open,
    Close,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => any::<u16>().prop_map(Step::Move),
        1 => Just(Step::Pass),
        1 => any::<u8>().prop_map(Step::Nag),
        1 => any::<String>().prop_map(Step::Comment),
        1 => "(\\[%(eval|clk|emt|csl) #?-?[0-9:.,]{1,6}\\]|[a-z}{;%\\[\\]$() \n]{0,3}){0,12}".prop_map(Step::Comment),
        1 => Just(Step::Open),
        2 => Just(Step::Close),
    ]
}

/// A line of moves; ends where a variation is closed.
fn build_line(position: &Position, steps: &mut std::slice::Iter<'_, Step>, depth: usize) -> Line {
    let mut line = Line::default();
    let mut before = *position;
    let mut position = *position;
    while let Some(step) = steps.next() {
        match step {
            Step::Move(choice) => {
                let moves = position.legal_moves();
                if !moves.is_empty() {
                    before = position;
                    let mv = moves[*choice as usize % moves.len()];
                    position.play(mv);
                    line.moves.push(Node::new(Some(mv)));
                }
            }
            Step::Pass if !position.is_check() => {
                before = position;
                position.play_null();
                line.moves.push(Node::new(None));
            }
            Step::Nag(number) => {
                if let Some(node) = line.moves.last_mut() {
                    node.nags.push(Nag(*number));
                }
            }
            Step::Comment(text) => {
                let comments = match line.moves.last_mut() {
                    Some(node) => &mut node.comments,
                    None => &mut line.comments,
                };
                comments.push(Comment::parse(text));
            }
            Step::Open if !line.moves.is_empty() => {
                let variation = build_line(&before, steps, depth + 1);
                if let Some(node) = line.moves.last_mut() {
                    node.variations.push(variation);
                }
            }
            Step::Close if depth > 0 => break,
            // What makes no sense here: passing in check, replacing no move, closing nothing.
            Step::Pass | Step::Open | Step::Close => {}
        }
    }
    line
}

proptest! {
    #[test]
    fn every_legal_move_is_read_back(
        start in 0..STARTS.len(),
        choices in prop::collection::vec(any::<u16>(), 1..60),
    ) {
        walk(STARTS[start], &choices, |position, _| {
            let mut texts = HashSet::new();
            for mv in position.legal_moves() {
                let san = position.san(mv);
                assert_eq!(position.parse_san(san.as_str()), Ok(mv), "{} {san}", position.to_fen());
                assert!(texts.insert(san), "{san} has two meanings in {}", position.to_fen());
                let long = format!("{}-{}", mv.from(), mv.to());
                if !mv.is_promotion() {
                    assert_eq!(position.parse_san(&long), Ok(mv), "{} {long}", position.to_fen());
                }
                let chess960 = position.to_uci(mv, CastlingStyle::Chess960).to_string();
                assert_eq!(position.parse_uci(&chess960), Ok(mv), "{} {chess960}", position.to_fen());
            }
        });
    }

    #[test]
    fn no_shorter_text_would_do(
        start in 0..STARTS.len(),
        choices in prop::collection::vec(any::<u16>(), 1..40),
    ) {
        walk(STARTS[start], &choices, |position, mv| {
            let san = position.san(mv).to_string();
            let piece = san.starts_with(['N', 'B', 'R', 'Q']);
            let squares = san.trim_end_matches(['+', '#']).replace('x', "");
            if piece && squares.len() > 3 {
                let bare = format!("{}{}", &squares[..1], &squares[squares.len() - 2..]);
                assert!(position.parse_san(&bare).is_err(), "{san} in {}", position.to_fen());
            }
        });
    }

    #[test]
    fn any_text_is_a_legal_move_or_an_error(
        start in 0..STARTS.len(),
        text in "[a-h1-8NBRQKPOox0=+#.() -]{0,9}",
        odd in any::<String>(),
    ) {
        let position = Position::from_fen(STARTS[start]).expect("the starts are legal");
        for text in [text, odd] {
            if let Ok(mv) = position.parse_san(&text) {
                prop_assert!(position.is_legal(mv), "{text}");
            }
            if let Ok(mv) = position.parse_uci(&text) {
                prop_assert!(position.is_legal(mv), "{text}");
            }
        }
    }

    #[test]
    fn games_are_read_as_they_were_written(
        start in 0..STARTS.len(),
        steps in prop::collection::vec(step(), 0..120),
        tags in prop::collection::vec(("[A-Za-z0-9_]{1,12}", any::<String>()), 0..5),
        result in 0..4_usize,
    ) {
        let mut game = PgnGame::default();
        for (name, value) in &tags {
            game.tags.set(name, value);
        }
        let results =
            [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unfinished];
        game.set_result(results[result]);
        game.start = Position::from_fen(STARTS[start]).expect("the starts are legal");
        game.line = build_line(&game.start, &mut steps.iter(), 0);
        let text = format!("{game}{game}");
        let read: Vec<PgnGame> =
            Reader::new(text.as_bytes()).map(|game| game.unwrap_or_else(|error| panic!("{error}\n{text}"))).collect();
        prop_assert_eq!(read, vec![game.clone(), game], "{}", text);
    }
}

const SAMPLE: &str = r#"[Event "Casual \"game\""]
[Site "Vienna"]
[White "Réti, Richard"]
[Result "1-0"]

1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 {[%clk 0:05:00] Bold.} 5. Qd3 $6 e5?!
(5... Nxe4 6. Qxe4 (6. Qf3 Nd6)) 6. dxe5 Qa5+ 7. Bd2 Qxe5 8. O-O-O! Nxe4 ; greedy
9. Qd8+!! Kxd8 10. Bg5+ Kc7 11. Bd8# 1-0

[Event "Odds"]
[SetUp "1"]
[FEN "r3k2r/pP6/8/4pP2/8/8/8/R3K2R w KQkq e6 0 20"]

20. fxe6 e.p. (20. b8=Q+) 20... O-O 21. bxa8=N Rf1+ *
"#;

/// Pieces of text that matter to a reader, to be put where they do not belong.
const SPLINTERS: [&[u8]; 30] = [
    b"(",
    b")",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b";",
    b"%",
    b"\n",
    b"\r",
    b"$",
    b"$999",
    b"*",
    b"1-0",
    b"0-0",
    b"1/2",
    b"...",
    b"\xff",
    b"\0",
    b"e8=Q",
    b"(Q)",
    b"--",
    b"\n\n[Event \"",
    b"[%eval #1]",
    b"+",
    b"!?",
    b"e.p.",
    b"\xef\xbb\xbf",
];

fn mutate(text: &[u8], most: usize, random: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=random.below(most) {
        let at = random.below(text.len());
        match random.below(6) {
            0 => text[at] = random.below(256) as u8,
            1 => drop(text.remove(at)),
            2 => drop(text.drain(at..at + random.below(30).min(text.len() - at))),
            3 => {
                let end = at + random.below(30).min(text.len() - at);
                let copy = text[at..end].to_vec();
                let to = random.below(text.len());
                text.splice(to..to, copy);
            }
            _ => {
                let splinter = SPLINTERS[random.below(SPLINTERS.len())];
                text.splice(at..at, splinter.iter().copied());
            }
        }
        if text.is_empty() {
            break;
        }
    }
    text
}

#[test]
fn damaged_games_are_errors_or_games_that_can_be_written() {
    let mut random = Random::new(0x6172_6465_7a21_7067);
    let mut read = 0;
    for _ in 0..20_000 {
        let text = mutate(SAMPLE.as_bytes(), 6, &mut random);
        let shown = || String::from_utf8_lossy(&text).into_owned();
        for (index, game) in Reader::new(text.as_slice()).enumerate() {
            assert!(index <= text.len(), "{}", shown());
            let game = PgnGame { faults: Vec::new(), ..game.expect("readable") };
            read += 1;
            let written = game.to_string();
            let again: Vec<_> = Reader::new(written.as_bytes()).collect();
            let [Ok(again)] = &again[..] else { panic!("{}\n---\n{written}\n{again:?}", shown()) };
            assert_eq!(again, &game, "{}\n---\n{written}", shown());
        }
    }
    assert!(read > 10_000, "only {read} games survived");
}

#[test]
fn damaged_moves_are_errors_or_legal() {
    let mut random = Random::new(0x6761_7264_657a_7361);
    let mut legal = 0;
    for _ in 0..2_000 {
        let start = STARTS[random.below(STARTS.len())];
        let choices: Vec<u16> = (0..20).map(|_| random.below(1 << 16) as u16).collect();
        walk(start, &choices, |position, mv| {
            let text = mutate(position.san(mv).as_str().as_bytes(), 2, &mut random);
            if let Ok(mv) = position.parse_san(&String::from_utf8_lossy(&text)) {
                legal += 1;
                assert!(position.is_legal(mv), "{} {text:?}", position.to_fen());
            }
        });
    }
    assert!(legal > 1_000, "only {legal} moves survived");
}
