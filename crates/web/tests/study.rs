//! Analysis, explanation, review, exercises, PGN and the list of games.

#![allow(missing_docs)]

mod support;

use serde_json::{Value, json};
use support::{Settings, TestServer, Visitor, full, plies, you};

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

#[test]
fn positions_are_described() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let (status, answer) = visitor.post("/position", &json!({"moves": ["e4", "e7e5", "Nf3"]}));
    assert_eq!(status, 200);
    let sans: Vec<&Value> = answer["moves"].as_array().expect("moves").iter().map(|mv| &mv["san"]).collect();
    assert_eq!(sans, ["e4", "e5", "Nf3"]);
    assert_eq!(answer["position"]["turn"], "black");
    let (_, answer) = visitor.post("/position", &json!({"fen": MATE_IN_ONE, "moves": ["Ra8"]}));
    assert_eq!(answer["position"]["outcome"]["reason"], "checkmate");
}

/// The sentences of a list of remarks.
fn texts(remarks: &Value) -> String {
    let remarks = remarks.as_array().expect("remarks").iter();
    remarks.map(|remark| remark["text"].as_str().expect("a sentence")).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_coach_explains_positions_moves_and_threats() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let (status, explained) = visitor.post("/explain", &json!({"fen": MATE_IN_ONE}));
    assert_eq!((status, &explained["lastMove"]), (200, &json!(null)));
    assert!(texts(&explained["position"]).contains("White mates at once with 1. Ra8#."), "{explained}");
    let mate = &explained["position"][1];
    assert_eq!((&mate["claim"]["kind"], &mate["line"]["fen"]), (&json!("mate"), &json!(MATE_IN_ONE)));
    assert_eq!(mate["line"]["moves"], json!([{"uci": "a1a8", "san": "Ra8#"}]));
    // The static evaluation comes apart from the words.
    assert!(explained["terms"]["total"].as_i64().expect("a number") > 300, "a rook up");
    assert!(explained["terms"]["groups"].as_array().is_some_and(|groups| !groups.is_empty()));
    let pieces = explained["terms"]["pieces"].as_array().expect("pieces");
    assert!(pieces.iter().any(|piece| piece["square"] == "a1"));

    let moves = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6"];
    let (_, explained) = visitor.post("/explain", &json!({"moves": moves}));
    let last = &explained["lastMove"];
    assert_eq!((&last["san"], &last["judgement"]), (&json!("Nf6"), &json!("blunder")));
    assert_eq!(last["verdict"], "Nf6 is a blunder.");
    assert!(texts(&last["remarks"]).contains("This allows mate at once: 4. Qxf7#."), "{explained}");
    let (_, explained) = visitor.post("/explain", &json!({"moves": moves[..5]}));
    assert_eq!(explained["threat"]["text"], "White threatens mate with 4. Qxf7#.");
    // A finished game is called one.
    let (_, explained) = visitor.post("/explain", &json!({"fen": MATE_IN_ONE, "moves": ["Ra8"]}));
    assert_eq!(texts(&explained["position"]), "Black is checkmated: White has won.");
    assert_eq!((&explained["threat"], &explained["lastMove"]["judgement"]), (&json!(null), &json!(null)));
}

#[test]
fn a_hint_leads_to_the_move_in_three_steps() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let game = visitor.new_game(&json!({"white": you(), "black": you(), "fen": MATE_IN_ONE}));
    let mut socket = visitor.socket();
    socket.watch(&game["id"]);
    let hint = socket.ask(json!({"type": "hint", "game": game["id"]}));
    assert_eq!((&hint["uci"], &hint["san"]), (&json!("a1a8"), &json!("Ra8#")));
    let steps = hint["steps"].as_array().expect("steps");
    let kinds: Vec<&Value> = steps.iter().map(|step| &step["claim"]["kind"]).collect();
    assert_eq!(kinds, ["lookAt", "idea", "answer"]);
    assert_eq!(steps[0]["squares"].as_array().map(Vec::len), Some(1));
    assert!(steps[..2].iter().all(|step| !step["text"].as_str().expect("a sentence").contains("Ra8")));
}

#[test]
fn the_options_of_the_engine_are_listed() {
    let server = TestServer::start(Settings::default());
    let (status, answer) = server.visitor().get("/options");
    assert_eq!(status, 200);
    let options = answer["options"].as_array().expect("options");
    assert_eq!(options.len(), engine::options::TABLE.len());
    let find = |name: &str| options.iter().find(|option| option["name"] == name).expect("an option");
    let hash = find("Hash");
    assert_eq!((&hash["kind"], &hash["min"]), (&json!("spin"), &json!(1)));
    assert!(hash["help"].as_str().is_some_and(|help| !help.is_empty()));
    assert!(find("Search")["choices"].as_array().is_some_and(|choices| choices.contains(&json!("pvs"))));
}

#[test]
fn a_position_is_analysed_over_http() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let (status, answer) =
        visitor.post("/analyse", &json!({"fen": MATE_IN_ONE, "depth": 4, "lines": 3, "threat": true}));
    assert_eq!((status, &answer["done"]), (200, &json!(true)));
    let lines = answer["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["score"], &lines[0]["moves"][0]["san"]), (&json!({"mate": 1}), &json!("Ra8#")));
    assert_eq!(lines[0]["wdl"], json!([1000, 0, 0]));
    assert!(answer["threat"]["moves"].as_array().is_some_and(|moves| !moves.is_empty()));
    // The same from Black's side: White's view stays.
    let (_, answer) =
        visitor.post("/analyse", &json!({"fen": "r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "depth": 4}));
    assert_eq!(answer["lines"][0]["score"], json!({"mate": -1}));
    let (status, _) = visitor.post("/analyse", &json!({"lines": 6}));
    assert_eq!(status, 400);
}

#[test]
fn analysis_goes_on_until_it_is_stopped_and_gives_way() {
    // One engine for all: everything that happens here is a matter of taking turns.
    let server = TestServer::start(Settings { engines: 1, ..Settings::default() });
    let (one, other) = (server.visitor(), server.visitor());
    let mut first = one.socket();
    let id = first.send(json!({"type": "analyse", "lines": 2}));
    let analysis = first.wait_for(|message| {
        message["type"] == "analysis" && message["analysis"]["depth"].as_i64() >= Some(4)
    });
    assert_eq!((&analysis["re"], &analysis["analysis"]["done"]), (&json!(id), &json!(false)));
    // Another visitor is answered all the same, with an analysis and with a move.
    let mut second = other.socket();
    let answer = second.ask(json!({"type": "analyse", "fen": MATE_IN_ONE, "depth": 3}));
    assert_eq!(answer["type"], "analysis");
    let game =
        other.new_game(&json!({"white": you(), "black": {"kind": "classic", "classic": "groundup:1"}}));
    second.watch(&game["id"]);
    second.play(&game["id"], 0, "e4");
    second.state(&game["id"], |state| plies(state) == 2);
    // And the first continues: a new position replaces the old one.
    let id = first.send(json!({"type": "analyse", "moves": ["e4"]}));
    first.wait_for(|message| message["re"] == id && message["type"] == "analysis");
    first.ask_ok(json!({"type": "stop"}));
    let end = first.ask(json!({"type": "analyse", "fen": MATE_IN_ONE, "depth": 2}));
    assert_eq!(end["type"], "analysis");
}

const GAME: &str = "[Event \"Test\"]\n[White \"Adams\"]\n[Black \"Baker\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 {oh} (3... g6 4. Qf3) 4. Qxf7# 1-0\n";

fn import(visitor: &Visitor) -> String {
    let (status, answer) = visitor.post("/import", &json!({"pgn": GAME}));
    assert_eq!((status, &answer["errors"]), (200, &json!([])));
    answer["games"][0]["id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_game_is_imported_reviewed_and_its_mistakes_solved() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let id = import(&visitor);
    assert_eq!(visitor.get(&format!("/games/{id}/review")).0, 404);
    let mut socket = visitor.socket();
    let request = socket.send(json!({"type": "review", "game": id, "effort": "quick"}));
    let progress = socket.wait_for(|message| message["re"] == request);
    assert_eq!((&progress["type"], &progress["total"]), (&json!("reviewing"), &json!(8)));
    let review = socket.wait_for(|message| message["type"] == "review")["review"].clone();
    let blunder = &review["moves"][5];
    assert_eq!((&blunder["san"], &blunder["judgement"]), (&json!("Nf6"), &json!("blunder")));
    assert!(blunder["better"]["moves"].as_array().is_some_and(|moves| !moves.is_empty()));
    assert!(texts(&blunder["remarks"]).contains("This allows mate at once: 4. Qxf7#."), "{blunder}");
    assert_eq!((&review["effort"], &review["moves"][0]["remarks"]), (&json!("quick"), &json!([])));
    assert!(texts(&review["black"]["lesson"]).starts_with("The game turned with 3... Nf6."), "{review}");
    assert_eq!((&review["black"]["blunders"], &review["moves"][6]["win"]), (&json!(1), &json!(100.0)));
    // It is kept: the same again, at once.
    assert_eq!(visitor.get(&format!("/games/{id}/review")).1, review);
    let again = socket.ask(json!({"type": "review", "game": id, "effort": "quick"}));
    assert_eq!(again["review"], review);

    let (_, answer) = visitor.get(&format!("/exercises?game={id}"));
    let exercises = answer["exercises"].as_array().expect("exercises");
    let exercise = exercises.iter().find(|exercise| exercise["ply"] == 6).expect("the blunder");
    assert_eq!((&exercise["played"]["san"], &exercise["position"]["turn"]), (&json!("Nf6"), &json!("black")));
    let attempt = |mv: &str| visitor.post("/exercises/check", &json!({"game": id, "ply": 6, "move": mv})).1;
    let wrong = attempt("Nf6");
    assert_eq!((&wrong["verdict"], &wrong["solution"]), (&json!("wrong"), &json!(null)));
    assert_eq!(wrong["refutation"], json!([{"uci": "h5f7", "san": "Qxf7#"}]));
    assert_eq!(texts(&wrong["remarks"]), "This allows mate at once: 4. Qxf7#.");
    assert!(attempt("")["solution"].is_array());
    let best = blunder["better"]["moves"][0]["uci"].as_str().expect("a move");
    let solved = attempt(best);
    assert_eq!((&solved["verdict"], &solved["refutation"]), (&json!("best"), &json!([])));
    let (_, answer) = visitor.get("/exercises?unsolved=true");
    let unsolved = answer["exercises"].as_array().expect("exercises");
    assert!(unsolved.iter().all(|exercise| exercise["ply"] != 6));

    // Where lines are broken depends on the evaluations.
    let pgn = visitor.get_text(&format!("/games/{id}/pgn?review=true")).replace('\n', " ");
    for part in ["[%eval", "oh}", "$4", "Blunder. This allows mate at once: 4. Qxf7#.", "(3... g6 4. Qf3)"] {
        assert!(pgn.contains(part), "{part} in {pgn}");
    }
}

#[test]
fn reviews_are_cancelled() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let id = import(&visitor);
    let mut socket = visitor.socket();
    let request = socket.send(json!({"type": "review", "game": id, "effort": "deep"}));
    socket.wait_for(|message| message["type"] == "reviewing");
    socket.ask_ok(json!({"type": "cancel", "game": id}));
    let end = socket.wait_for(|message| message["re"] == request && message["type"] != "reviewing");
    assert!(end["type"] == "error" || end["type"] == "review", "{end}");
}

#[test]
fn abandoned_reviews_keep_nobody_waiting() {
    let server = TestServer::start(Settings { engines: 1, ..Settings::default() });
    let busy = server.visitor();
    let long = format!("1. Nf3 {} *", "Nf6 Ng1 Ng8 Nf3 ".repeat(40));
    let mut socket = busy.socket();
    let mut refused = 0;
    for _ in 0..6 {
        let (_, answer) = busy.post("/import", &json!({"pgn": long}));
        let id = &answer["games"][0]["id"];
        let request = socket.send(json!({"type": "review", "game": id, "effort": "deep"}));
        let first = socket.wait_for(|message| message["re"] == request);
        if first["type"] == "error" {
            assert_eq!(first["error"]["code"], "too_many");
            assert!(first["error"]["retryAfter"].as_u64().is_some(), "{first}");
            refused += 1;
        }
    }
    assert_eq!(refused, 2, "4 of one visitor at most");
    // One runs and three wait; when their visitor leaves, all of them end.
    drop(socket);
    let quick = server.visitor();
    let id = import(&quick);
    let mut socket = quick.socket();
    let request = socket.send(json!({"type": "review", "game": id, "effort": "quick"}));
    let review = socket.wait_for(|message| message["re"] == request && message["type"] != "reviewing");
    assert_eq!(review["type"], "review", "{review}");
    // They are not waiting any more either: there is room for as many again.
    let mut socket = busy.socket();
    let (_, games) = busy.get("/games?kind=imported");
    let ids: Vec<&Value> = games["games"].as_array().expect("games").iter().map(|game| &game["id"]).collect();
    for id in ids.iter().filter(|id| ***id != json!(review["review"]["game"])).take(4) {
        let request = socket.send(json!({"type": "review", "game": id, "effort": "deep"}));
        assert_eq!(socket.wait_for(|message| message["re"] == request)["type"], "reviewing");
    }
}

#[test]
fn the_list_of_games_is_filtered_paged_exported_and_deleted_from() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let imported = import(&visitor);
    for _ in 0..3 {
        visitor.new_game(&json!({"white": {"kind": "you", "name": "Čeněk 100%"}, "black": full()}));
    }
    let ids = |query: &str| -> Vec<String> {
        let (status, answer) = visitor.get(&format!("/games{query}"));
        assert_eq!(status, 200, "{answer}");
        let games = answer["games"].as_array().expect("games");
        games.iter().map(|game| game["id"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!(ids("").len(), 4);
    assert_eq!(ids("?kind=imported"), [imported.as_str()]);
    assert_eq!(ids("?status=running").len(), 3);
    assert_eq!(ids("?text=baker"), [imported.as_str()]);
    assert_eq!(ids("?text=100%25").len(), 3);
    assert_eq!(ids("?text=1_0").len(), 0);
    assert_eq!(ids("?result=won").len(), 0);
    // Pages follow each other without gaps.
    let (_, first) = visitor.get("/games?limit=3");
    assert_eq!((first["games"].as_array().map(Vec::len), &first["total"]), (Some(3), &json!(4)));
    let rest = ids(&format!("?limit=3&before={}", first["next"].as_str().expect("more")));
    assert_eq!(rest.len(), 1);
    assert!(first["games"].as_array().expect("games").iter().all(|game| game["id"] != rest[0].as_str()));

    // A lost game is found as such.
    let game = &ids("?status=running")[0];
    let mut socket = visitor.socket();
    socket.watch(&json!(game));
    socket.ask_ok(json!({"type": "resign", "game": game}));
    assert_eq!(ids("?result=lost"), [game.as_str()]);

    let text = visitor.get_text("/games.pgn");
    assert_eq!(text.matches("[White ").count(), 4);
    let (_, read) = visitor.post("/pgn/read", &json!({"pgn": text}));
    assert_eq!((read["games"].as_array().map(Vec::len), &read["errors"]), (Some(4), &json!([])));

    assert_eq!(visitor.delete(&format!("/games/{imported}")), 204);
    assert_eq!(visitor.delete(&format!("/games/{imported}")), 404);
    assert_eq!(visitor.get(&format!("/games/{imported}")).0, 404);
    assert_eq!(ids("").len(), 3);
    let (status, restored) = visitor.post(&format!("/games/{imported}/restore"), &json!({}));
    assert_eq!((status, plies(&restored)), (200, 7));
    assert_eq!(ids("").len(), 4);
    assert_eq!(visitor.delete(&format!("/games/{game}")), 204);
    socket.wait_for(|message| message["type"] == "gone");
}

#[test]
fn trees_are_read_and_written() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let (_, read) = visitor.post("/pgn/read", &json!({"pgn": format!("{GAME}\n1. e5 *")}));
    assert_eq!(read["errors"].as_array().map(Vec::len), Some(1));
    let tree = &read["games"][0];
    assert_eq!(tree["line"][5]["variations"][0][0]["san"], "g6");
    let text = visitor.post_text("/pgn/write", tree);
    let (_, again) = visitor.post("/pgn/read", &json!({"pgn": text}));
    assert_eq!(again["games"][0]["line"], tree["line"]);
    assert_eq!(again["games"][0]["tags"]["White"], "Adams");
}

#[test]
fn games_survive_a_restart() {
    let data = tempfile::tempdir().expect("a directory");
    let mut server = TestServer::start_in(data.path(), Settings::default());
    let visitor = server.visitor();
    let request = json!({"white": you(), "black": you(), "clock": {"initial": 60_000, "increment": 1000}});
    let game = visitor.new_game(&request);
    let path = format!("/games/{}", game["id"].as_str().expect("an id"));
    let mut socket = visitor.socket();
    socket.watch(&game["id"]);
    for (ply, mv) in ["e4", "c5", "Nf3"].into_iter().enumerate() {
        socket.play(&game["id"], ply, mv);
    }
    socket.ask_ok(json!({"type": "resign", "game": game["id"], "color": "white"}));
    let before = socket.state(&game["id"], |state| !state["outcome"].is_null());
    server.stop();
    socket.wait_for(|message| message["type"] == "bye");

    let server = TestServer::start_in(data.path(), Settings::default());
    let mut again = Visitor::new(server.port);
    again.cookie.clone_from(&visitor.cookie);
    let (_, after) = again.get(&path);
    for part in ["moves", "outcome", "position", "white", "kind", "you", "start", "created"] {
        let (mut before, mut after) = (before[part].clone(), after[part].clone());
        if part == "white" {
            (before["present"], after["present"]) = (json!(null), json!(null));
        }
        assert_eq!(before, after, "{part}");
    }
}
