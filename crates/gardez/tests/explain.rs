//! Drives `gardez explain` as a user would.

#![forbid(unsafe_code)]

use assert_cmd::Command;
use serde_json::Value;

fn gardez(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    command.args(args);
    command
}

fn printed(args: &[&str]) -> String {
    String::from_utf8(gardez(args).assert().success().get_output().stdout.clone()).unwrap()
}

const MIDDLE_GAME: &str = "r2q1rk1/ppp2ppp/2n1bn2/2bpp3/4P3/2PP1N2/PPBN1PPP/R1BQ1RK1 w - - 0 9";

#[test]
fn terms_pieces_phase_and_words_are_shown() {
    let text = printed(&["explain", "--static", MIDDLE_GAME]);
    for expected in
        ["MATERIAL", "rook mobility", "phase  24 of 24", "scale  ", "total  ", "\nWhite  ", "Qd1 "]
    {
        assert!(text.contains(expected), "{expected} is missing in {text}");
    }
    assert!(printed(&["explain", "--static", "startpos"]).contains("phase  24 of 24"));
}

#[test]
fn json_says_the_same() {
    let json: Value =
        serde_json::from_str(&printed(&["explain", "--static", MIDDLE_GAME, "--json"])).unwrap();
    assert_eq!(json["fen"], MIDDLE_GAME);
    assert_eq!(json["phase"]["value"], 24);
    assert_eq!(json["pieces"].as_array().unwrap().len(), 30);
    let total = json["centipawns_for_white"].as_i64().unwrap();
    assert!(
        printed(&["explain", "--static", MIDDLE_GAME])
            .contains(&format!("total  {total:+} centipawns for White"))
    );
    assert!(json["words"].as_str().unwrap().ends_with('.'));
    assert!(json["groups"][0]["sides"]["white"]["middle_game"].is_i64());
}

#[test]
fn a_network_is_asked_for_its_opinion() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("random.gzn");
    let file = file.to_str().unwrap();
    printed(&["net", "random", "--out", file]);
    let text = printed(&["explain", "--static", MIDDLE_GAME, "--network", file]);
    assert!(text.contains("The value of each piece to the network.\nWhite  "), "{text}");
    let json: Value =
        serde_json::from_str(&printed(&["explain", "--static", MIDDLE_GAME, "--network", file, "--json"]))
            .unwrap();
    let total = json["network"]["centipawns_for_white"].as_i64().unwrap();
    assert!(text.contains(&format!("network {total:+} centipawns for White")), "{text}");
    assert_eq!(json["network"]["pieces"].as_array().unwrap().len(), 30);

    printed(&["net", "random", "--correction", "--out", file]);
    let text = printed(&["explain", "--static", MIDDLE_GAME, "--network", file]);
    let json: Value =
        serde_json::from_str(&printed(&["explain", "--static", MIDDLE_GAME, "--network", file, "--json"]))
            .unwrap();
    let total = json["centipawns_for_white"].as_i64().unwrap();
    let (network, own) = (&json["network"], json["network"]["correction"].as_i64().unwrap());
    assert_eq!(network["centipawns_for_white"], total + own);
    assert!(text.contains(&format!(": it corrects the total by {own:+}")), "{text}");
    let mut values: Vec<i64> = network["pieces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|piece| piece["centipawns"].as_i64().unwrap())
        .collect();
    values.sort_unstable();
    // The least half are pawns.
    let (pawn, queen) = (values[7], values[values.len() - 1]);
    assert!(queen > 400 && queen > 5 * pawn && pawn > 0, "a queen is still a queen: {text}");
    gardez(&["explain", "--static", "startpos", "--network", "/nonexistent/net"]).assert().failure();
}

#[test]
fn a_game_that_is_over_has_no_total() {
    let text = printed(&["explain", "--static", "R3k3/8/4K3/8/8/8/8/8 b - - 0 1"]);
    assert!(text.contains("Black is checkmated") && !text.contains("total"), "{text}");
}

#[test]
fn bad_positions_are_refused_with_the_reason() {
    let refused = |args: &[&str]| {
        String::from_utf8(gardez(args).assert().failure().get_output().stderr.clone()).unwrap()
    };
    let message = refused(&["explain", "4k3/8/8/8/8/8/8/8 w - - 0 1"]);
    assert!(message.contains("White has 0 kings"), "{message}");
    assert!(refused(&["explain"]).contains("FEN"));
}

#[test]
fn weights_are_printed_as_tables() {
    let text = printed(&["explain", "--weights"]);
    assert!(text.contains("#### Material") && text.contains("| `tempo` |"), "{text}");
}

#[test]
fn the_documented_weights_are_those_of_the_program() {
    let page = include_str!("../../../docs/weights.md");
    let table = printed(&["explain", "--weights"]);
    let begin = "<!-- weights: gardez explain --weights -->\n\n";
    let documented =
        page.split_once(begin).and_then(|(_, rest)| rest.split_once("\n<!-- end of weights -->"));
    let (documented, _) = documented.expect("the page marks the section");
    assert!(documented == table, "replace the section by what `gardez explain --weights` prints");
}

#[test]
fn a_position_is_explained_by_a_search() {
    let hanging = "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1";
    let text = printed(&["explain", hanging]);
    assert!(text.contains("White wins a queen with 1. Nxg5."), "{text}");
    let json: Value = serde_json::from_str(&printed(&["explain", hanging, "--json"])).unwrap();
    let claims = json["claims"].as_array().unwrap();
    let material = claims.iter().find(|claim| claim["kind"] == "material").expect("material is won");
    assert_eq!(material["gained"], serde_json::json!(["queen"]));
    assert_eq!(material["line"]["moves"][0], "f3g5");
    assert!(text.contains(material["text"].as_str().unwrap()));
}

#[test]
fn a_move_is_explained() {
    let text = printed(&["explain", "startpos moves e4 e5 Qh5 Nc6 Bc4", "--move", "Nf6"]);
    assert!(text.starts_with("Nf6 is a blunder. This allows mate at once: 4. Qxf7#."), "{text}");
    let message =
        gardez(&["explain", "startpos", "--move", "Ke2"]).assert().failure().get_output().stderr.clone();
    let message = String::from_utf8(message).unwrap();
    assert!(message.contains("the move Ke2"), "{message}");
}

#[test]
fn positions_are_read_from_standard_input() {
    let output = gardez(&["explain", "-", "--nodes", "5000"])
        .write_stdin("startpos\n\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\n")
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let text = String::from_utf8(output).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.lines().nth(1).unwrap().contains("mates at once with 1. Rd8#"), "{text}");
    let message = gardez(&["explain", "-"]).write_stdin("startpos\n8/8 w\n").assert().failure();
    let message = String::from_utf8(message.get_output().stderr.clone()).unwrap();
    assert!(message.contains("line 2"), "{message}");
}

#[test]
fn threats_hints_and_two_moves_are_explained() {
    let game = "startpos moves e4 e5 Qh5 Nc6 Bc4";
    assert_eq!(printed(&["explain", game, "--threat"]), "White threatens mate with 4. Qxf7#.\n");
    assert_eq!(
        printed(&["explain", "startpos", "--threat", "--nodes", "2000"]),
        "There is nothing to say.\n"
    );
    let text = printed(&["explain", game, "--move", "g6", "--versus", "Nf6"]);
    assert!(
        text.starts_with("3... g6 is better than 3... Nf6. This allows mate at once: 4. Qxf7#."),
        "{text}"
    );
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let hints = [1, 2, 3].map(|steps: u8| printed(&["explain", mate, "--hint", &steps.to_string()]));
    assert!(hints[0].starts_with("Look at ") && !hints[0].contains("mate"), "{hints:?}");
    assert!(hints[1].contains("mate in one") && !hints[1].contains("Rd8"), "{hints:?}");
    assert!(hints[2].contains("The move is 1. Rd8#."), "{hints:?}");
    let drawn = printed(&["explain", "k7/8/1K6/P7/8/8/8/8 w - - 0 1"]);
    assert_eq!(drawn, "The game is drawn: Black's king holds the pawn.\n");
}
