//! Odd files of every kind, and what is said about faulty ones.

use super::*;
use crate::{Color, Game, GameResult, Move, Outcome, Position, Reason, Square, Variant};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::time::Duration;

fn read(text: impl AsRef<[u8]>) -> Vec<Result<PgnGame, PgnError>> {
    Reader::new(text.as_ref()).collect()
}

/// The only game of a text, which may have faults.
fn faulty_game(text: impl AsRef<[u8]>) -> PgnGame {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap()
}

/// The only game of a text.
fn game(text: impl AsRef<[u8]>) -> PgnGame {
    let game = faulty_game(text);
    assert_eq!(game.faults, []);
    game
}

/// The moves of a line, variations in parentheses.
fn moves(line: &Line, start: &Position) -> String {
    let mut position = *start;
    let mut words = Vec::new();
    for node in &line.moves {
        words.push(node.mv.map_or("--".to_owned(), |mv| position.san(mv).to_string()));
        for variation in &node.variations {
            words.push(format!("({})", moves(variation, &position)));
        }
        match node.mv {
            Some(mv) => position.play(mv),
            None => position.play_null(),
        }
    }
    words.join(" ")
}

fn moves_of(text: impl AsRef<[u8]>) -> String {
    let game = game(text);
    moves(&game.line, &game.start)
}

fn first_error(text: impl AsRef<[u8]>) -> String {
    read(text).into_iter().flatten().find_map(|game| game.faults.into_iter().next()).unwrap().to_string()
}

#[test]
fn reads_a_game_with_everything() {
    let game = game(
        "[Event \"Casual \\\"blitz\\\" C:\\\\games\"]\n[White \"Réti\"]\n[Opening \"?\"]\n[Result \"1-0\"]\n\n\
         {before} 1. e4! $14 {first} ; second\n(1. d4 {queen's pawn} d5 (1... Nf6 2. c4) 2. c4) (1. c4) 1... e5\n\
         2. Nf3 Nc6 ?! 3. Bb5 1-0\n",
    );
    assert_eq!(game.tags.get("Event"), Some("Casual \"blitz\" C:\\games"));
    assert_eq!(game.tags.get("White"), Some("Réti"));
    assert_eq!(game.tags.get("Black"), Some("?"));
    assert_eq!(game.tags.get("Opening"), Some("?"));
    assert_eq!(game.result(), GameResult::WhiteWins);
    assert_eq!(game.line.comments, [Comment::from_text("before")]);
    assert_eq!(moves(&game.line, &game.start), "e4 (d4 d5 (Nf6 c4) c4) (c4) e5 Nf3 Nc6 Bb5");
    let first = &game.line.moves[0];
    assert_eq!(first.nags, [Nag(1), Nag(14)]);
    assert_eq!(first.comments, [Comment::from_text("first"), Comment::from_text("second")]);
    assert_eq!(first.variations[0].moves[0].comments, [Comment::from_text("queen's pawn")]);
    assert_eq!(game.line.moves[3].nags, [Nag(6)]);
}

#[test]
fn numbers_and_blanks_do_not_matter() {
    for text in
        ["1. e4 e5 2. Nf3", "1.e4 e5 2.Nf3", "e4 e5 Nf3", "1 e4 1... e5 2 Nf3", "1.\ne4\r\n\te5 2 Nf3"]
    {
        assert_eq!(moves_of(text), "e4 e5 Nf3", "{text}");
    }
    assert_eq!(moves_of("1. e4 1... e5 2.Nf3 2...Nc6 *"), "e4 e5 Nf3 Nc6");
}

#[test]
fn byte_order_marks_line_ends_and_escapes_are_skipped() {
    assert_eq!(
        moves_of(b"\xef\xbb\xbf[White \"A\"]\r\n\r\n1. e4 e5\r\n% hidden ) } [ \r\n2. Nf3 *\r\n\x1a"),
        "e4 e5 Nf3"
    );
    assert_eq!(moves_of("% first line\n%\n1. e4 *"), "e4");
    assert_eq!(read("[White \"A\"]\n\n*\n\u{feff}[White \"B\"]\n\n*\n").len(), 2);
    // Elsewhere than at the beginning of a line it has no meaning.
    assert!(first_error("1. e4 % e5 *").contains("'%' has no meaning here"));
}

#[test]
fn latin_1_is_read_where_utf_8_fails() {
    let game = game(b"[White \"Gr\xfcnfeld\"]\n[Black \"S\xc3\xa4misch\"]\n\n1. d4 {sch\xf6n} *");
    assert_eq!(game.tags.get("White"), Some("Grünfeld"));
    assert_eq!(game.tags.get("Black"), Some("Sämisch"));
    assert_eq!(game.line.moves[0].comments[0].text, "schön");
}

#[test]
fn sloppy_tags_are_understood() {
    let game = game(
        "[Event \"a\"][ Site  \"b\" ]\n[White \"the \"best\" one\"]\n[Black\n\"c\"]\n[Path \"C:\\dir\"]\n\n*",
    );
    assert_eq!(game.tags.get("Event"), Some("a"));
    assert_eq!(game.tags.get("Site"), Some("b"));
    assert_eq!(game.tags.get("White"), Some("the \"best\" one"));
    assert_eq!(game.tags.get("Black"), Some("c"));
    assert_eq!(game.tags.get("Path"), Some("C:\\dir"));
}

#[test]
fn games_may_lack_tags_or_results() {
    let games = read(
        "1. e4 e5 1-0\n1. d4 d5 1/2-1/2\n\n[Event \"x\"]\n\n1. c4\n\n[Event \"y\"]\n[Event \"z\"]\n[Result \"0-1\"]\n\n1. f4",
    );
    let games: Vec<_> = games.into_iter().map(Result::unwrap).collect();
    let summary: Vec<_> =
        games.iter().map(|game| (moves(&game.line, &game.start), game.result().as_str())).collect();
    let expected = [("e4 e5", "1-0"), ("d4 d5", "1/2-1/2"), ("c4", "*"), ("", "*"), ("f4", "0-1")];
    assert_eq!(summary, expected.map(|(moves, result)| (moves.to_owned(), result)));
    assert!(read("").is_empty());
    assert!(read(" \n\n% only this\n").is_empty());
    assert!(read("{a comment on nothing}").is_empty());
}

#[test]
fn a_comment_after_the_result_makes_no_game() {
    assert_eq!(read("1. e4 1-0 {White wins}\n\n[Event \"x\"]\n\n{now} 1. d4 *").len(), 2);
    let second = read("1. e4 1-0 {White wins}\n\n[Event \"x\"]\n\n{now} 1. d4 *").remove(1).unwrap();
    assert_eq!(second.line.comments, [Comment::from_text("now")]);
    assert_eq!(game("{before} 1. e4 *").line.comments, [Comment::from_text("before")]);
}

#[test]
fn games_start_from_any_position() {
    let game = game("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 20\"]\n\n20... Kd7 21. e4 *");
    assert_eq!(game.start.to_fen(), "4k3/8/8/8/8/8/4P3/4K3 b - - 5 20");
    assert_eq!(game.tags.get("FEN"), None);
    assert!(
        game.to_string()
            .contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 20\"]\n\n20... Kd7 21. e4 *")
    );
    for variant in ["Chess960", "Fischerandom", "chess 960", "Fischer Random", "Standard", "From Position"] {
        let text = format!("[Variant \"{variant}\"]\n[FEN \"4k3/8/8/8/8/8/8/R4K1R w HA - 0 1\"]\n\n1. O-O *");
        assert_eq!(moves_of(&text), "O-O");
        let game = self::game(&text);
        assert_eq!(self::game(game.to_string()), game);
    }
}

#[test]
fn a_game_of_chess960_says_so() {
    let start = Position::from_fen("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1").unwrap();
    assert_eq!(PgnGame::from_position(start).tags.get("Variant"), Some("Chess960"));
    assert_eq!(PgnGame::from_position(Position::startpos()), PgnGame::default());
}

#[test]
fn many_hands_write_moves() {
    assert_eq!(
        moves_of("1. e2-e4 e7e5 2. Ng1f3 Nb8-c6 3. Bb5 a6?! 4. Bxc6+ dxc6! 5. 0-0 Qd4?? 6. Nxd4 exd4 *"),
        "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Qd4 Nxd4 exd4"
    );
    let promotion = "[FEN \"8/4P3/8/8/8/8/k7/4K3 w - - 0 1\"]\n\n";
    for text in ["1. e8=Q", "1. e8(Q)", "1. e8(Q)+", "1. e8Q", "1. e8/Q"] {
        assert_eq!(moves_of(format!("{promotion}{text} *")), "e8=Q", "{text}");
    }
    let en_passant = "[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2\"]\n\n";
    for text in ["2. exd6", "2. exd6e.p.", "2. exd6 e.p. Kd8", "2. exd6ep", "2. ed6 +"] {
        assert!(moves_of(format!("{en_passant}{text} *")).starts_with("exd6"), "{text}");
    }
}

#[test]
fn signs_stand_for_annotations() {
    let game = game("1. e4 = e5 += 2. Nf3 +/- Nc6 -+ 3. Bb5 !! a6 N 4. Ba4 $255 b5 ∞ *");
    let nags: Vec<_> = game.line.moves.iter().map(|node| node.nags[0].0).collect();
    assert_eq!(nags, [10, 14, 16, 19, 3, 146, 255, 13]);
}

#[test]
fn a_passed_move_is_kept() {
    let text = "1. e4 e5 (1... -- 2. d4 Z0 3. d5) 2. Nf3 *";
    assert_eq!(moves_of(text), "e4 e5 (-- d4 -- d5) Nf3");
    assert_eq!(game(game(text).to_string()), game(text));
    assert_eq!(game("1. e4 -- 2. d4").moves().count(), 1);
    assert!(first_error("1. e4 f5 2. Qh5+ --").contains("passes the move"));
}

#[test]
fn results_inside_variations_are_skipped() {
    assert_eq!(moves_of("1. e4 e5 (1... f5 2. exf5 1-0) 2. Nf3 0-1"), "e4 e5 (f5 exf5) Nf3");
}

#[test]
fn clocks_and_evaluations_are_found() {
    let game = game("1. e4 { [%eval 0.17] [%clk 0:00:30] } e5 { [%eval #-3] book }*");
    let [first, second] = &game.line.moves[..] else { panic!("two moves") };
    assert_eq!(first.comments[0].eval, Some(Eval { score: EvalScore::Centipawns(17), depth: None }));
    assert_eq!(first.comments[0].clock, Some(Duration::from_secs(30)));
    assert_eq!(second.comments[0].eval, Some(Eval { score: EvalScore::Mate(-3), depth: None }));
    assert_eq!(second.comments[0].text, "book");
}

#[test]
fn errors_name_the_place() {
    for (text, error) in [
        ("1. e4 e5\n2. Nf3 Nd4", "game 1, line 2, column 8: no knight can go to d4"),
        ("1. e4 *\n\n\r\n1. e5 *", "game 2, line 4, column 4: no pawn can go to e5"),
        ("1. e4 {a\nb\n} Ke2", "game 1, line 3, column 3: a king does not move like that"),
        ("1. e4 (1. d4", "game 1, line 1, column 13: a variation is not closed by )"),
        ("1. e4 )", "game 1, line 1, column 7: a ) that closes no variation"),
        ("1. (e4)", "game 1, line 1, column 4: a variation before any move that it could replace"),
        ("1. e4 {open", "game 1, line 1, column 7: the comment is not closed by }"),
        ("1. e4 }", "game 1, line 1, column 7: '}' has no meaning here"),
        ("1. e4 $256", "game 1, line 1, column 7: annotations go from $0 to $255"),
        ("1. e4 $", "game 1, line 1, column 7: annotations go from $0 to $255"),
        ("[White \"open\n\n1. e4", "game 1, line 1, column 1: a tag is written like [White \"Capablanca\"]"),
        ("[White]\n\n1. e4", "game 1, line 1, column 1: a tag is written like [White \"Capablanca\"]"),
        ("[Whi-te \"x\"]\n\n1. e4", "game 1, line 1, column 1: a tag is written like [White \"Capablanca\"]"),
        ("1. e4 [+0.3] e5", "game 1, line 1, column 7: a tag is written like [White \"Capablanca\"]"),
        (
            "\u{feff}[Variant \"Atomic\"]",
            "game 1, line 1, column 1: the variant \"Atomic\" is not standard chess or Chess960",
        ),
        ("hello", "game 1, line 1, column 1: \"hello\" is not a move, and left out"),
        (
            "1. Sf3",
            "game 1, line 1, column 4: \"Sf3\" is not a move: write it like e4, Nf3, exd5, O-O or e8=Q",
        ),
    ] {
        assert_eq!(first_error(text), error, "{text}");
    }
    assert!(
        first_error("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*")
            .starts_with("game 1, line 1, column 1: the FEN tag: ")
    );
}

#[test]
fn a_fault_costs_the_rest_of_its_line_at_most() {
    for (text, kept) in [
        ("1. e4 e5 2. Nf3 Nd4 3. c3 1-0", "e4 e5 Nf3"),
        ("1. e4 e5 (1... c5 2. Nf9 d6) 2. Nf3 1-0", "e4 e5 (c5) Nf3"),
        ("1. e4 e5 (1... c5 2. Ke3 (2. d4) d6) 2. Nf3 1-0", "e4 e5 (c5) Nf3"),
        ("1. e4 e5 (1... c5 2. Nf3 1-0", "e4 e5 (c5 Nf3)"),
        ("(1. d4) 1. e4 e5 1-0", "e4 e5"),
        ("1. e4 ) e5 } 2. Nf3 $999 Nc6 1-0", "e4 e5 Nf3 Nc6"),
        ("1. e4 e5 \0\0 2. Nf3\0Nc6 1-0", "e4 e5 Nf3 Nc6"),
        ("1. e4 hello e5 <b>2.</b> Nf3 1-0", "e4 e5 Nf3"),
        ("1. e4 e5 2. Sf3 Sc6 3. a3 1-0", "e4 e5"),
        ("1. e4 [x] e5 2. Nf3 1-0", "e4 e5 Nf3"),
        ("1. e4 f5 2. Qh5+ -- 3. Qxf5 1-0", "e4 f5 Qh5"),
        ("1. e4 {never closed e5 1-0", "e4"),
        ("1. e4 f5 2. Qh5+ Kf7 1-0", "e4 f5 Qh5"),
    ] {
        let game = faulty_game(text);
        assert_eq!(moves(&game.line, &game.start), kept.replace("Qh5", "Qh5+"), "{text}");
        assert!(!game.faults.is_empty(), "{text}");
        assert_eq!(
            game.result() == GameResult::WhiteWins,
            !text.contains("(1... c5 2. Nf3 1-0") && !text.contains('{'),
            "{text}"
        );
        // What is written has no fault.
        let again = self::game(game.to_string());
        assert_eq!((&again.line, again.result()), (&game.line, game.result()), "{text}");
    }
    assert!(faulty_game("1. e4 e4 *").is_cut_short());
    assert!(!faulty_game("1. e4 $999 *").is_cut_short());
}

#[test]
fn games_whose_start_is_not_known_keep_their_tags_and_result() {
    for tag in ["[FEN \"nonsense\"]", "[Variant \"Atomic\"]"] {
        let game = faulty_game(format!("[White \"A\"]\n{tag}\n[Black \"B\"]\n\n1. e4 (1. d4 0-1) 1-0"));
        assert_eq!((game.tags.get("White"), game.tags.get("Black")), (Some("A"), Some("B")));
        assert_eq!((game.line.moves.len(), game.result()), (0, GameResult::WhiteWins));
        assert!(game.is_cut_short());
    }
    let game = faulty_game("[FEN \"4k3/8/8/8/8/8/8/4K2R w KQ - 0 0\"]\n\n1. O-O *");
    assert_eq!((moves(&game.line, &game.start), game.faults.len()), ("O-O".to_owned(), 2));
}

#[test]
fn nested_braces_are_one_comment_where_they_match() {
    assert_eq!(moves_of("1. e4 {a {b} c {d}} e5 {e} 2. Nf3 *"), "e4 e5 Nf3");
    assert_eq!(game("1. e4 {a {b} c} e5 *").line.moves[0].comments[0].text, "a {b} c");
    let smile = game("1. e4 {:-{ } e5 {fine} 2. Nf3 *\n\n");
    assert_eq!(moves(&smile.line, &smile.start), "e4 e5 Nf3");
    assert_eq!(smile.line.moves[0].comments[0].text, ":-{");
}

#[test]
fn commands_outside_of_comments_are_understood() {
    let game = game("1. e4 [%eval 0.17] [%clk 0:00:30] e5 [%csl Ra1] 2. Nf3 *");
    assert_eq!(moves(&game.line, &game.start), "e4 e5 Nf3");
    assert_eq!(game.line.moves[0].comments[1].clock, Some(Duration::from_secs(30)));
}

#[test]
fn long_comments_and_tags_are_cut_off() {
    let long = "é".repeat(MAX_TOKEN_BYTES);
    for text in [
        format!("[White \"{long}\"]\n[Black \"B\"]\n\n1. e4 e5 1-0"),
        format!("[Black \"B\"]\n\n1. e4 {{{long}}} e5 1-0"),
        format!("[Black \"B\"]\n\n1. e4 ;{long}\n e5 1-0"),
    ] {
        let game = faulty_game(&text);
        assert_eq!(moves(&game.line, &game.start), "e4 e5");
        assert_eq!((game.tags.get("Black"), game.result()), (Some("B"), GameResult::WhiteWins));
        let faults: Vec<_> = game.faults.iter().map(|fault| fault.kind.to_string()).collect();
        assert_eq!(faults, ["longer than 65536 bytes"]);
        let kept = match game.line.moves[0].comments.first() {
            Some(comment) => &comment.text,
            None => game.tags.get("White").unwrap(),
        };
        assert!(kept.len() > MAX_TOKEN_BYTES / 2 && kept.chars().all(|c| c == 'é'));
    }
    let unclosed = format!("1. e4 {{{long}\n[Event \"next\"]\n\n1. d4 *");
    assert_eq!(read(unclosed).len(), 2);
}

#[test]
fn utf_16_is_read_with_its_mark() {
    let text = "[White \"Réti 𝄞\"]\n\n1. ♘f3 {schön} d5 2. c4 1/2-1/2\n";
    let little: Vec<u8> =
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> =
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        for size in [1, 3, 5000] {
            let games: Vec<_> = Reader::new(Pieces(&bytes, size)).map(Result::unwrap).collect();
            assert_eq!(games, [game(text)], "{size}");
        }
    }
    assert_eq!(game(text).tags.get("White"), Some("Réti 𝄞"));
}

#[test]
fn printed_moves_are_read() {
    assert_eq!(
        moves_of("1.♘f3 ♞f6 2. ♙g3 g6 3. ♗g2 ♝g7 4. O–O 0–0 5. ♖e1 ½–½"),
        "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O Re1"
    );
    assert_eq!(game("1. e4 e5 1–0").result(), GameResult::WhiteWins);
    assert_eq!(game("1. e4 e5 ½-½").result(), GameResult::Draw);
    assert_eq!(moves_of("1. e4 d5 2. e×d5 ♕×d5 *"), "e4 d5 exd5 Qxd5");
}

#[test]
fn after_a_fault_the_next_game_is_read() {
    let next = "[Event \"next\"]\n[White \"W\"]\n\n1. e4 {fine} e5 1-0\n";
    for faulty in [
        "[Event \"x\"]\n\n1. e4 e5 2. Nd4 Nf6 (2... d5 1-0) 1-0",
        "[Event \"x\"]\n\n1. e4 (1. d4",
        "[Event \"x\"]\n\n1. e4 {unclosed 1-0",
        "[Event \"x\"]\n\n1. e4 } e5",
        "[Event \"x\"]\n[Broken \"\n[Site \"y\"]\n\n1. e4 *",
        "[Event \"x\"]\n[FEN \"nonsense\"]\n[Site \"y\"]\n\n1. e4 *",
        "[Variant \"Atomic\"]\n[White \"y\"]\n\n1. e4 *",
        "1. e9 *",
    ] {
        for between in ["\n\n", "\n"] {
            let games: Vec<_> =
                read(format!("{faulty}{between}{next}")).into_iter().map(Result::unwrap).collect();
            assert_eq!(games.len(), 2, "{faulty}: {games:?}");
            assert!(
                games[0].faults.iter().all(|fault| fault.game == 1) && !games[0].faults.is_empty(),
                "{faulty}"
            );
            assert_eq!(games[1].tags.get("White"), Some("W"), "{faulty}");
            assert_eq!((games[1].line.moves.len(), games[1].faults.len()), (2, 0), "{faulty}");
        }
    }
    let games: Vec<_> =
        read("1. e4 e4 1-0 1. d4 d5 1/2-1/2 1. c4 c4 *").into_iter().map(Result::unwrap).collect();
    assert_eq!(games.iter().map(|game| game.line.moves.len()).collect::<Vec<_>>(), [1, 2, 1]);
}

#[test]
fn rubbish_before_a_game_is_no_game() {
    for rubbish in ["rubbish all over\nthe place", "<html>", "Game 12: Anna against Bert", "= = =", "\0\0"] {
        let game = faulty_game(format!("{rubbish}\n[White \"W\"]\n\n1. e4 e5 1-0 \n\n{rubbish}\n"));
        assert_eq!((game.tags.get("White"), game.line.moves.len()), (Some("W"), 2), "{rubbish}");
        assert_eq!(game.faults[0].line, 1);
        // But a file of nothing else is reported.
        assert!(!faulty_game(rubbish).faults.is_empty());
    }
}

#[test]
fn limits_hold() {
    let deep = |depth: usize| format!("1. e4 {} *", "(1. d4 ".repeat(depth) + &")".repeat(depth));
    assert_eq!(game(deep(MAX_DEPTH)).faults, []);
    assert!(first_error(deep(MAX_DEPTH + 1)).ends_with("more than 256 variations within each other"));
    let tags = |count: usize| (0..count).map(|n| format!("[T{n} \"x\"]\n")).collect::<String>() + "\n*";
    assert_eq!(game(tags(MAX_TAGS)).faults, []);
    assert!(first_error(tags(MAX_TAGS + 1)).ends_with("more than 1000 tags"));
    let comment = |length: usize| format!("1. e4 {{{}}} *", "x".repeat(length));
    assert_eq!(game(comment(MAX_TOKEN_BYTES - 2)).faults, []);
    assert!(first_error(comment(3 * MAX_TOKEN_BYTES)).ends_with("longer than 65536 bytes"));
    assert!(first_error(format!("1. {} *", "N".repeat(300))).ends_with("longer than 255 bytes"));
    let long_game = format!("1. e4 {}", "{0123456789abcdef} ".repeat(1 << 20));
    assert!(first_error(long_game).ends_with("the game is longer than 16777216 bytes"));
}

/// Gives a text in pieces of N bytes.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

#[test]
fn the_size_of_pieces_does_not_matter() {
    let text =
        "\u{feff}[White \"a \\\" b\\\\\"]\n\n1. e4 (1. d4 $10) {[%clk 0:01] x} e5 ; y\n%z\n2. Nf3 1/2-1/2\n"
            .repeat(20);
    let whole: Vec<_> = Reader::new(text.as_bytes()).map(Result::unwrap).collect();
    assert_eq!(whole.len(), 20);
    for size in [1, 2, 3, 7, 64] {
        let pieces: Vec<_> = Reader::new(Pieces(text.as_bytes(), size)).map(Result::unwrap).collect();
        assert_eq!(pieces, whole, "{size}");
    }
}

#[test]
fn the_text_of_each_game_is_kept() {
    struct Ignore;
    impl Visitor for Ignore {}
    let games = [
        "[White \"a\"]\n\n1. e4 (1. d4) {x}\n e5 1-0",
        "1. c4 2. rubbish *",
        "[White \"b\"]\n[Black \"c\"]\n\n1. e4 e4 (1. d4",
        "[White \"d\"]\n\n{long}1. d4 0-1",
    ];
    let games = games.map(|game| game.replace("long", &format!("{{{}}}", "x".repeat(MAX_TOKEN_BYTES))));
    let text = format!("junk {}\n{} \n\n{}\n\n{}\n", games[0], games[1], games[2], games[3]);
    for size in [1, 7, 100_000] {
        let mut reader = Reader::keeping_text(Pieces(text.as_bytes(), size));
        for game in &games {
            assert!(reader.visit_game(&mut Ignore).unwrap());
            assert_eq!(reader.game_text().map(String::from_utf8_lossy), Some(game.as_str().into()), "{size}");
        }
        assert!(!reader.visit_game(&mut Ignore).unwrap());
        assert_eq!(reader.game_text(), None);
    }
}

#[test]
fn a_failing_source_ends_the_file() {
    struct Failing(&'static [u8]);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(io::Error::other("the disk is gone")),
                count => Ok(count),
            }
        }
    }
    let games: Vec<_> = Reader::new(Failing(b"1. e4 ")).collect();
    assert_eq!(games.len(), 1);
    let error = games[0].as_ref().unwrap_err().to_string();
    assert_eq!(error, "game 1, line 1, column 7: the file cannot be read: the disk is gone");
}

#[test]
fn a_visitor_may_leave_out_the_moves() {
    #[derive(Default)]
    struct Names(Vec<String>, usize);
    impl Visitor for Names {
        fn tag(&mut self, _: &str, value: &str) {
            self.0.push(value.to_owned());
        }
        fn begin_moves(&mut self, _: &Position) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
        fn play(&mut self, _: &Position, _: Move) {
            self.1 += 1;
        }
    }
    let mut reader = Reader::new("[White \"A\"]\n\n1. nonsense {1-0} (x 0-1) 1-0 [White \"B\"] *".as_bytes());
    let mut names = Names::default();
    while reader.visit_game(&mut names).unwrap() {}
    assert_eq!(names.0, ["A", "B"]);
    assert_eq!(names.1, 0);
}

#[test]
fn hostile_texts_come_to_an_end() {
    for unit in [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "[a",
        "[a\n",
        "[a \"",
        "[a \"\\",
        "\"",
        "$",
        "$9",
        "1-",
        "1.",
        "1/2",
        "%",
        ";",
        "N",
        "\\",
        "\n[Event \"",
        "{\n[Event \"",
        "e4 ",
        "e4(",
        "e4(Q",
        "\u{feff}",
        "é",
        "\0",
        "--",
        " ",
        "\n",
        "* ",
        "1-0 e4\n",
        "[a \"b\"]",
        "[Event \"b\"]",
        "{}",
    ] {
        let text = unit.repeat((1 << 18) / unit.len());
        let count = read(&text).len();
        assert!(count <= text.len(), "{unit}");
    }
}

#[test]
fn export_format_has_the_roster_first_and_short_lines() {
    let mut text = String::from("[Annotator \"me\"]\n[Black \"B\"]\n[White \"W\"]\n\n");
    text.push_str(
        "1. e4 $1 {a comment that goes on and on, so that it does not fit into one line of text at all} e5 ",
    );
    text.push_str("(1... c5 2. Nf3 {and} d6 (2... Nc6) 3. d4) 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 1/2-1/2");
    let expected = "\
[Event \"?\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"W\"]
[Black \"B\"]
[Result \"1/2-1/2\"]
[Annotator \"me\"]

1. e4 $1 {a comment that goes on and on, so that it does not fit into one line
of text at all} 1... e5 (1... c5 2. Nf3 {and} 2... d6 (2... Nc6) 3. d4) 2. Nf3
Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 1/2-1/2

";
    assert_eq!(game(text).to_string(), expected);
}

#[test]
fn what_braces_cannot_hold_is_written_otherwise() {
    for text in ["a } b", "%x", "{", "", "; x", "[Event \"x\"]", "$1 (", "\\", "[%csl Ra1] }"] {
        let mut game = PgnGame::default();
        let mut node = Node::new(Some(Move::normal(Square::E2, Square::E4)));
        node.comments =
            vec![Comment::from_text(text), Comment::from_text(&"word ".repeat(40)), Comment::from_text(text)];
        game.line.comments.push(Comment::from_text(text));
        game.line.moves = vec![node];
        assert_eq!(self::game(game.to_string()), game, "{text}");
    }
}

#[test]
fn a_tree_made_by_hand_cannot_break_the_writer() {
    let mut game = PgnGame::default();
    game.line.moves = vec![Node::new(Some(Move::normal(Square::E2, Square::E5)))];
    assert!(game.to_string().ends_with("\n\n*\n\n"));
    game.tags.set("Odd name!", "line\nend \"quoted\" \\");
    game.tags.set("", "nothing");
    game.tags.set("Result", "White");
    game.tags.set("FEN", "none");
    assert_eq!(game.tags.get("Oddname"), Some("line end \"quoted\" \\"));
    assert_eq!(game.tags.iter().count(), 8);
    game.line.moves.clear();
    assert_eq!(self::game(game.to_string()), game);
}

fn main_line_error(text: &str) -> MainLineError {
    game(text).to_game().expect_err("not playable")
}

#[test]
fn the_main_line_becomes_a_game() {
    let text =
        "[Variant \"Fischerandom\"]\n\n1. e4 {[%clk 0:03:00]} e5 (1... c5) 2. Nf3 {[%clk 0:02:58]} 1-0";
    let pgn = game(text);
    let played = pgn.to_game().expect("playable");
    assert_eq!(played.variant(), Variant::Chess960);
    assert_eq!(played.moves().collect::<Vec<_>>(), pgn.moves().collect::<Vec<_>>());
    assert_eq!(played.clock(Color::White), Some(Duration::from_secs(178)));
    assert_eq!(played.clock(Color::Black), None);
    assert!(!played.is_over(), "one can play on");
    assert_eq!(game("1. e4 *").variant(), Variant::Standard);
    let start = "[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n*";
    assert_eq!(game(start).variant(), Variant::Chess960);
}

#[test]
fn a_main_line_that_cannot_be_played_says_which_move_and_why() {
    let passed = main_line_error("1. e4 -- 2. d4 *");
    assert_eq!(passed.to_string(), "1... --: a move is passed, which chess does not allow");
    assert_eq!(passed.game.ply(), 1);
    assert_eq!(game("1. e4 -- 2. d4 *").playable().ply(), 1);

    let mut by_hand = game("1. e4 e5 *");
    by_hand.line.moves.push(Node::new(Some(Move::normal(Square::A1, Square::A5))));
    let illegal = by_hand.to_game().expect_err("illegal");
    assert_eq!(illegal.to_string(), "2. a1a5: the way from a1 to a5 is blocked on a2");
}

#[test]
fn a_game_becomes_pgn_and_comes_back() {
    let start = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 3 20").expect("a position");
    let mut played = Game::with_variant(start, Variant::Chess960);
    for text in ["O-O", "Ke7", "Re1+"] {
        let mv = played.position().parse_san(text).expect("a move");
        played.play(mv).expect("legal");
        played.set_clock(Duration::from_secs(60));
    }
    played.undo();
    played.flag(Color::White).expect("going on");
    let heading = Heading {
        event: "Casual game",
        date: Some(Date { year: 2026, month: 11, day: 8 }),
        time_control: "60+1",
        ..Heading::default()
    };
    let mut pgn = PgnGame::from_game(&played, &heading);
    pgn.add_last_comment("the end");
    assert_eq!(
        pgn.to_string(),
        "[Event \"Casual game\"]\n[Site \"?\"]\n[Date \"2026.11.08\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
         [Result \"1/2-1/2\"]\n[Variant \"Chess960\"]\n[TimeControl \"60+1\"]\n[Termination \"time forfeit\"]\n\
         [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 3 20\"]\n\n\
         20. O-O {[%clk 0:01:00]} 20... Ke7 {[%clk 0:01:00]} {the end} 1/2-1/2\n\n"
    );
    let again = game(pgn.to_string()).to_game().expect("playable");
    assert_eq!(again.plies(), played.plies());
    assert_eq!((again.start(), again.variant()), (played.start(), played.variant()));
}

#[test]
fn ends_in_the_words_of_the_standard() {
    let termination = |end: Option<Outcome>| {
        let mut game = Game::new();
        if let Some(outcome) = end {
            game.end(outcome).expect("going on");
        }
        PgnGame::from_game(&game, &Heading::default()).tags.get("Termination").map(str::to_owned)
    };
    assert_eq!(termination(None), None);
    for (reason, expected) in [
        (Reason::Resignation, "normal"),
        (Reason::TimeForfeit, "time forfeit"),
        (Reason::Adjudication, "adjudication"),
        (Reason::IllegalMove, "rules infraction"),
        (Reason::Abandoned, "abandoned"),
    ] {
        assert_eq!(termination(Some(Outcome::win(Color::White, reason))).as_deref(), Some(expected));
    }
}
