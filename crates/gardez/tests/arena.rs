//! Drives `gardez match`, `gardez suite` and `gardez ablation` as a user would.

#![forbid(unsafe_code)]

use assert_cmd::Command;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const GARDEZ: &str = env!("CARGO_BIN_EXE_gardez");

fn gardez(args: &[&str]) -> Command {
    let mut command = Command::new(GARDEZ);
    command.args(args);
    command
}

fn output_of(args: &[&str]) -> String {
    let assert = gardez(args).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

fn path(directory: &TempDir, name: &str) -> String {
    directory.path().join(name).to_str().expect("UTF-8").to_owned()
}

/// A book for each format: the English for JavaChess as `gardez javachess` writes it, and for ChessBin as pairs.
fn write_books(directory: &TempDir) -> [String; 2] {
    let lines = path(directory, "lines.txt");
    fs::write(&lines, "c4 e5 Nc3 Nf6\n").expect("written");
    let book = output_of(&["javachess", "write-book", &lines]);
    let pairs = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;",
        " rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq c3 0 1\n",
        "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq c3 0 1;",
        " rnbqkbnr/pppp1ppp/8/4p3/2P5/8/PP1PPPPP/RNBQKBNR w KQkq e6 0 2\n",
    ];
    [("english.book", book), ("english.txt", pairs.concat())].map(|(name, text)| {
        let file = path(directory, name);
        fs::write(&file, text).expect("written");
        file
    })
}

#[test]
fn classics_play_from_the_books_they_are_given() {
    let directory = TempDir::new().expect("a directory");
    let pgn = path(&directory, "games.pgn");
    let [lines, pairs] = write_books(&directory);
    let players = [format!("javachess:mtdf:book={lines}"), format!("chessbin:hard:book={pairs}")];
    let args = ["match", &players[0], &players[1], "--games", "2", "--pgn", &pgn, "--json"];
    let limits = ["--nodes", "300", "--max-moves", "4"];
    let summary = output_of(&[&args[..], &limits].concat());
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    assert_eq!(summary["incidents"], serde_json::json!([]));
    let text = fs::read_to_string(&pgn).expect("games");
    let games: Vec<_> = chess::pgn::Reader::new(text.as_bytes()).map(|game| game.expect("a game")).collect();
    assert_eq!(games.len(), 2);
    for game in &games {
        let game = game.playable();
        let position = game.position_at(2).expect("two half-moves");
        assert!(position.to_fen().starts_with("rnbqkbnr/pppp1ppp/8/4p3/2P5/8/PP1PPPPP/RNBQKBNR w"), "{text}");
    }

    // A book that is wrong ends the match before it begins.
    fs::write(&lines, "1\n50 34 12 34 END\n").expect("written");
    let failed = gardez(&[&args[..], &limits].concat()).arg("--overwrite").assert().failure();
    let message = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(
        message.contains("english.book: line 2: move 2 of line of play 1: 12 34 is not legal"),
        "{message}"
    );
}

#[test]
fn levels_are_given_from_weak_to_strong() {
    let failed = gardez(&["calibrate", "--from", "5", "--to", "3"]).assert().failure();
    let message = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(message.contains("there are no levels from 5 to 3"), "{message}");
}

fn count_games(pgn: &str) -> usize {
    let text = fs::read_to_string(pgn).expect("a file of games");
    chess::pgn::Reader::new(text.as_bytes()).filter(Result::is_ok).count()
}

#[test]
fn gardez_plays_itself_in_process_and_through_both_protocols() {
    let directory = TempDir::new().expect("a directory");
    let pgn = path(&directory, "games.pgn");
    let (uci, xboard) = (format!("uci:'{GARDEZ}':@name=U"), format!("xboard:'{GARDEZ}':@name=X"));
    // A clock that cannot be exceeded and a depth that ends every search at once.
    let limits = [
        "--tc",
        "600+10",
        "--depth",
        "2",
        "--max-moves",
        "12",
        "--concurrency",
        "2",
        "--openings",
        "chess960",
    ];
    let args =
        [&["match", "gardez", &uci, &xboard, "--games", "2", "--pgn", &pgn, "--json"], &limits[..]].concat();
    let summary: serde_json::Value = serde_json::from_str(&output_of(&args)).expect("JSON");
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["incidents"], serde_json::json!([]));
    let names: Vec<_> = summary["players"].as_array().expect("players").iter().map(|p| &p["name"]).collect();
    assert_eq!(names, ["Gardez", "U", "X"]);
    assert_eq!(count_games(&pgn), 6);
    let again = gardez(&args).assert().failure();
    let message = String::from_utf8_lossy(&again.get_output().stderr).into_owned();
    assert!(message.contains("--resume continues it, --overwrite starts again"), "{message}");
}

#[test]
fn a_tournament_from_a_file() {
    let directory = TempDir::new().expect("a directory");
    let file = path(&directory, "cup.toml");
    let text = "format = \"gauntlet\"\ngames = 2\nlimit = \"nodes=50\"\nopenings = \"book.epd\"\nmax-moves = 5\n\
                pgn = \"cup.pgn\"\n[[player]]\nengine = \"gardez\"\n[[player]]\nengine = \"gardez\"\n\
                name = \"small\"\noptions = { Hash = 1 }\n[[player]]\nengine = \"gardez\"\nlimit = \"depth=1\"\n";
    fs::write(&file, text).expect("written");
    fs::write(path(&directory, "book.epd"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n")
        .expect("written");
    let table = output_of(&["match", "--tournament", &file]);
    for name in ["Gardez ", "small ", "Gardez (2) ", "Gardez - small: "] {
        assert!(table.contains(name), "{name} in {table}");
    }
    assert_eq!(count_games(&path(&directory, "cup.pgn")), 4);
}

#[test]
fn wrong_arguments_are_explained() {
    for (args, words) in [
        (&["match", "gardez"][..], "needs two players or more, not 1"),
        (
            &["match", "gardez", "stockfish", "--depth", "1"],
            "a player is gardez, uci:PROGRAM, xboard:PROGRAM, a classic",
        ),
        (&["match", "gardez", "gardez"], "has no limit"),
        (&["match", "gardez", "gardez", "--tc", "fast"], "a time control is written like"),
        (&["match", "gardez", "gardez:Colour=red", "--depth", "1"], "there is no option 'Colour'"),
        (&["match", "gardez", "gardez", "--depth", "1", "--openings", "/nowhere.pgn"], "/nowhere.pgn"),
        (
            &["match", "gardez", "gardez", "--depth", "1", "--sprt", "5", "0", "0.05", "0.05"],
            "elo0 must be below elo1",
        ),
        (&["suite", "/nowhere.epd"], "/nowhere.epd"),
        (&["suite", "x.epd", "--at-least", "most"], "write a number of points, or a percentage like 80%"),
        (&["ablation", "--list", "--games", "x"], "invalid value 'x'"),
    ] {
        let assert = gardez(args).assert().failure().stdout("");
        let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(message.contains(words), "{args:?}: {message}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_can_go_on() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let directory = TempDir::new().expect("a directory");
    let pgn = path(&directory, "games.pgn");
    let args = [
        "match",
        "gardez",
        "gardez",
        "--nodes",
        "20",
        "--max-moves",
        "5",
        "--openings",
        "chess960",
        "--pgn",
        &pgn,
    ];
    let mut child = Command::new(GARDEZ)
        .args(args)
        .args(["--games", "100000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // Its first line of progress tells that games have been played.
    let mut progress = String::new();
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    stderr.read_line(&mut progress).expect("a line");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let played = count_games(&pgn);
    assert!(played > 0, "{progress}");
    let games = (played + 3).to_string();
    output_of(&[&args[..], &["--games", &games, "--resume"]].concat());
    assert_eq!(count_games(&pgn), played + 3);
}

fn write_suite(directory: &TempDir) -> String {
    let file = path(directory, "mates.epd");
    let text = "6k1/5ppp/8/8/8/8/8/R5K1 w - - dm 1; id \"found\";\n6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8; id \"missed\";\n\
                nonsense\n";
    fs::write(Path::new(&file), text).expect("written");
    file
}

#[test]
fn suites_are_scored() {
    let directory = TempDir::new().expect("a directory");
    let file = write_suite(&directory);
    let table = output_of(&["suite", &file, "--depth", "4", "--at-least", "1"]);
    assert!(table.ends_with("1 of 2 solved, 1 of 2 points\n"), "{table}");
    let assert = gardez(&["suite", &file, "--depth", "4", "--at-least", "51%"]).assert().code(1);
    let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(message.contains("line 3: left out: "), "{message}");
    let json = output_of(&["suite", &file, "--nodes", "1000", "--json", "--concurrency", "2"]);
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(report["solved"], 1);
    assert_eq!(report["attempts"][0]["best"], "Ra8#");
    assert_eq!(report["remarks"][0]["line"], 3);
}

#[test]
fn heuristics_are_listed() {
    let list = output_of(&["ablation", "--list"]);
    assert!(list.lines().any(|name| name == "use_null_move"), "{list}");
    assert_eq!(output_of(&["worth", "--list"]), list, "the earlier name of the command");
    let table = output_of(&["ablation", "--list", "--markdown"]);
    assert!(table.contains("| 11 | Null move pruning | "), "{table}");
}
