//! Games over real connections.

#![allow(missing_docs)]

mod support;

use serde_json::json;
use support::{Settings, TestServer, full, plies, you};

#[test]
fn two_people_at_one_board() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let game = visitor.new_game(&json!({"white": you(), "black": you()}));
    assert_eq!((game["kind"].as_str(), game["you"].as_str()), (Some("local"), Some("both")));
    assert_eq!(game["position"]["dests"]["e2"], json!(["e3", "e4"]));
    let mut socket = visitor.socket();
    let id = &game["id"];
    assert_eq!(socket.ask_error(json!({"type": "move", "game": id, "ply": 0, "move": "e4"})), "illegal");
    socket.watch(id);
    for (ply, mv) in ["f3", "e7e5", "g4"].into_iter().enumerate() {
        socket.play(id, ply, mv);
    }
    assert_eq!(socket.ask_error(json!({"type": "move", "game": id, "ply": 3, "move": "e5"})), "illegal");
    assert_eq!(socket.ask_error(json!({"type": "move", "game": id, "ply": 9, "move": "Qh4"})), "illegal");
    socket.play(id, 3, "Qh4#");
    // Sent again, as after a lost connection.
    socket.play(id, 3, "d8h4");
    assert_eq!(socket.ask_error(json!({"type": "move", "game": id, "ply": 3, "move": "a7a6"})), "illegal");
    let end = socket.state(id, |state| !state["outcome"].is_null());
    assert_eq!(end["outcome"]["text"], "White is checkmated");
    assert_eq!(end["position"]["check"], "e1");
    assert_eq!(end["moves"][3]["san"], "Qh4#");
    assert_eq!(end["position"]["lastMove"], json!(["d8", "h4"]));
    assert_eq!(socket.ask_error(json!({"type": "move", "game": id, "ply": 4, "move": "a3"})), "illegal");

    // A mate can be taken back at one's own board.
    socket.ask_ok(json!({"type": "takeback", "game": id}));
    let back = socket.state(id, |state| plies(state) == 3 && state["outcome"].is_null());
    assert!(back["position"]["dests"]["d8"].as_array().is_some_and(|targets| targets.contains(&json!("h4"))));
    socket.ask_ok(json!({"type": "resign", "game": id}));
    let end = socket.state(id, |state| !state["outcome"].is_null());
    assert_eq!(end["outcome"]["text"], "Black resigns");
    // The resignation is taken back with the move, and the move can be played again.
    socket.ask_ok(json!({"type": "takeback", "game": id}));
    socket.play(id, 2, "g4");
    socket.state(id, |state| plies(state) == 3 && state["outcome"].is_null());
}

#[test]
fn the_engine_answers_takes_back_and_gives_hints() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let mut socket = visitor.socket();
    // White mates with Ra8.
    let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let game = visitor.new_game(&json!({"white": you(), "black": full(), "fen": fen}));
    let id = &game["id"];
    socket.watch(id);
    let hint = socket.ask(json!({"type": "hint", "game": id}));
    assert_eq!((hint["san"].as_str(), hint["uci"].as_str()), (Some("Ra8#"), Some("a1a8")));
    assert_eq!(game["canTakeback"], false);
    assert_eq!(socket.ask_error(json!({"type": "takeback", "game": id})), "illegal");
    socket.play(id, 0, "h3");
    let answered = socket.state(id, |state| plies(state) == 2);
    assert_eq!((&answered["thinking"], &answered["canTakeback"]), (&json!(null), &json!(true)));
    socket.ask_ok(json!({"type": "takeback", "game": id}));
    let back = socket.state(id, |state| plies(state) == 0);
    assert_eq!(back["position"]["fen"], fen);
    socket.play(id, 0, "Ra8#");
    let end = socket.state(id, |state| !state["outcome"].is_null());
    assert_eq!(end["outcome"]["result"], "1-0");

    let answer = socket.ask(json!({"type": "rematch", "game": id}));
    let next = &answer["game"];
    assert_eq!(next["you"], "black");
    let again = socket.ask(json!({"type": "rematch", "game": id}));
    assert_eq!(again["game"]["id"], next["id"], "one rematch only");
    socket.watch(&next["id"]);
    socket.state(&next["id"], |state| plies(state) == 1);
}

#[test]
fn the_engine_thinks_only_while_it_is_watched() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let game = visitor.new_game(&json!({"white": full(), "black": you()}));
    let (_, state) = visitor.get(&format!("/games/{}", game["id"].as_str().expect("an id")));
    assert_eq!((plies(&state), &state["thinking"]), (0, &json!(null)));
    let mut socket = visitor.socket();
    let state = socket.watch(&game["id"]);
    assert_eq!(state["thinking"], "white");
    drop(socket);
    // The engine plays as soon as its player is back, and not twice.
    let mut socket = visitor.socket();
    socket.watch(&game["id"]);
    let state = socket.state(&game["id"], |state| plies(state) == 1);
    assert_eq!(state["position"]["turn"], "black");
}

#[test]
fn two_people_by_link() {
    let server = TestServer::start(Settings { exposed: true, ..Settings::default() });
    let (host, guest, stranger) = (server.visitor(), server.visitor(), server.visitor());
    let request = json!({"white": {"kind": "you", "name": "Anna"}, "black": {"kind": "friend", "name": "Ben"},
        "clock": {"initial": 600_000, "increment": 5000}});
    let game = host.new_game(&request);
    let id = &game["id"];
    let path = format!("/games/{}", id.as_str().expect("an id"));
    assert_eq!((&game["you"], &game["black"]["seated"]), (&json!("white"), &json!(false)));
    let invite = game["links"]["invite"].as_str().expect("an invitation").trim_start_matches("/join/");
    let watch = game["links"]["watch"].as_str().expect("a link").trim_start_matches("/watch/");

    let mut white = host.socket();
    white.watch(id);
    assert_eq!(white.ask_error(json!({"type": "move", "game": id, "ply": 0, "move": "e4"})), "illegal");
    assert_eq!(guest.get(&path).0, 404, "it is not known to others yet");
    let (status, joined) = guest.post(&format!("/links/{invite}"), &json!({"name": " Bea\n"}));
    assert_eq!((status, &joined["game"]["you"]), (200, &json!("black")));
    assert_eq!(joined["game"]["black"]["name"], "Bea", "the guest says who comes");
    assert_eq!(stranger.post(&format!("/links/{invite}"), &json!({})).0, 404, "the seat is taken");
    white.state(id, |state| state["black"]["seated"] == true);

    let mut black = guest.socket();
    black.watch(id);
    white.state(id, |state| state["black"]["present"] == true);
    white.play(id, 0, "e4");
    assert_eq!(white.ask_error(json!({"type": "move", "game": id, "ply": 1, "move": "e5"})), "illegal");
    black.state(id, |state| plies(state) == 1);
    black.play(id, 1, "e5");
    let state = white.state(id, |state| plies(state) == 2);
    assert_eq!(state["clock"]["running"], "white");
    assert!(
        state["clock"]["white"].as_u64().is_some_and(|left| left <= 600_000),
        "no increment for free moves"
    );

    // Who only watches sees all and can do nothing.
    let (status, watched) = stranger.post(&format!("/links/{watch}"), &json!({}));
    assert_eq!(
        (status, &watched["game"]["you"], &watched["game"]["links"]),
        (200, &json!(null), &json!(null))
    );
    let mut looking = stranger.socket();
    looking.watch(id);
    for command in ["resign", "takeback", "draw", "claim", "rematch"] {
        assert_eq!(looking.ask_error(json!({"type": command, "game": id})), "forbidden");
    }
    assert_eq!(stranger.delete(&path), 403);

    // Offers: a takeback declined, one accepted, a draw, a rematch.
    white.play(id, 2, "Ke2");
    white.ask_ok(json!({"type": "takeback", "game": id}));
    black.state(id, |state| state["offers"]["takeback"] == "white");
    black.ask_ok(json!({"type": "answer", "game": id, "to": "takeback", "accept": false}));
    white.wait_for(|message| message["type"] == "declined" && message["offer"] == "takeback");
    white.ask_ok(json!({"type": "takeback", "game": id}));
    black.ask_ok(json!({"type": "answer", "game": id, "to": "takeback", "accept": true}));
    white.state(id, |state| plies(state) == 2 && state["offers"]["takeback"].is_null());
    assert_eq!(
        white.ask_error(json!({"type": "answer", "game": id, "to": "draw", "accept": true})),
        "illegal"
    );
    assert_eq!(white.ask_error(json!({"type": "claim", "game": id})), "illegal");
    black.ask_ok(json!({"type": "draw", "game": id}));
    white.state(id, |state| state["offers"]["draw"] == "black");
    white.ask_ok(json!({"type": "answer", "game": id, "to": "draw", "accept": true}));
    let end = looking.state(id, |state| !state["outcome"].is_null());
    assert_eq!(end["outcome"]["text"], "draw by agreement");
    white.ask_ok(json!({"type": "rematch", "game": id}));
    black.state(id, |state| state["offers"]["rematch"] == "white");
    let next = black.ask(json!({"type": "answer", "game": id, "to": "rematch", "accept": true}));
    assert_eq!(next["game"]["you"], "white");
    let old = white.state(id, |state| !state["next"].is_null());
    assert_eq!(white.watch(&old["next"])["you"], "black");
    assert_eq!(looking.ask_error(json!({"type": "watch", "game": old["next"]})), "not_found");
}

#[test]
fn visitors_see_their_own_games_when_exposed_and_all_at_home() {
    for exposed in [true, false] {
        let server = TestServer::start(Settings { exposed, ..Settings::default() });
        let (one, other) = (server.visitor(), server.visitor());
        let game = one.new_game(&json!({"white": you(), "black": you()}));
        let path = format!("/games/{}", game["id"].as_str().expect("an id"));
        let expected = if exposed { 404 } else { 200 };
        assert_eq!(other.get(&path).0, expected);
        assert_eq!(other.get("/games").1["total"], i64::from(!exposed));
        assert_eq!(one.get("/games").1["total"], 1);
        let mut socket = other.socket();
        let answer = socket.ask(json!({"type": "watch", "game": game["id"]}));
        assert_eq!(answer["type"], if exposed { "error" } else { "game" });
        let answer = socket.ask(json!({"type": "review", "game": game["id"]}));
        assert_eq!(answer["error"]["code"], if exposed { "not_found" } else { "illegal" });
        if exposed {
            assert_eq!(other.get(&format!("{path}/pgn?review=true")).0, 404);
            assert_eq!(other.delete(&path), 404);
        }
    }
}

#[test]
fn a_flag_falls_and_clocks_stand_still_while_no_player_is_there() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let request = json!({"white": you(), "black": you(), "clock": {"initial": 1000, "increment": 0},
        "moves": ["e4", "e5"]});
    let game = visitor.new_game(&request);
    assert_eq!(game["clock"]["running"], json!(null));
    let mut socket = visitor.socket();
    let state = socket.watch(&game["id"]);
    assert_eq!(state["clock"]["running"], "white");
    let end = socket.state(&game["id"], |state| !state["outcome"].is_null());
    assert_eq!(end["outcome"]["text"], "White loses on time");
    assert_eq!(end["clock"]["white"], 0);
}

#[test]
fn engines_play_each_other_and_can_be_paused() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    // A mate in one, so that it is over soon.
    let request = json!({"white": full(), "black": {"kind": "classic", "classic": "piglet"},
        "fen": "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"});
    let game = visitor.new_game(&request);
    let mut socket = visitor.socket();
    let state = socket.watch(&game["id"]);
    assert_eq!(
        (&state["kind"], &state["you"], &state["thinking"]),
        (&json!("engines"), &json!(null), &json!("white"))
    );
    socket.ask_ok(json!({"type": "pause", "game": game["id"], "paused": true}));
    let state = socket.state(&game["id"], |state| state["paused"] == true);
    assert_eq!(state["thinking"], json!(null));
    socket.ask_ok(json!({"type": "pause", "game": game["id"], "paused": false}));
    let end = socket.state(&game["id"], |state| !state["outcome"].is_null());
    assert_eq!(end["outcome"]["text"], "Black is checkmated");
}

#[test]
fn the_last_search_of_a_classic_can_be_read() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let mut socket = visitor.socket();
    let request = json!({"white": you(), "black": {"kind": "classic", "classic": "groundup:1"}});
    let game = visitor.new_game(&request);
    assert_eq!(socket.watch(&game["id"])["search"], json!(null));
    socket.play(&game["id"], 0, "e4");
    let state = socket.state(&game["id"], |state| plies(state) == 2);
    let search = state["search"].as_str().expect("a table");
    let reply = state["moves"][1]["san"].as_str().expect("a move");
    assert!(search.starts_with(&format!("groundup:1: {reply}, score ")), "{search}");
    assert!(search.contains("full-width") && search.contains("cutoffs"), "{search}");
}

#[test]
fn a_draw_is_agreed_with_an_engine_that_does_not_stand_better() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let mut socket = visitor.socket();
    let game = visitor.new_game(&json!({"white": you(), "black": full()}));
    socket.watch(&game["id"]);
    socket.ask_ok(json!({"type": "draw", "game": game["id"]}));
    socket.wait_for(|message| message["type"] == "declined");

    let knights = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let moves: Vec<&str> = knights.iter().cycle().take(40).copied().collect();
    let refused = visitor.post("/games", &json!({"white": you(), "black": you(), "moves": moves}));
    assert_eq!(refused.0, 400, "a fivefold repetition is the end");
    let request = json!({"white": you(), "black": full(), "moves": moves[..10]});
    let game = visitor.new_game(&request);
    assert_eq!(game["position"]["claimable"], "threefold");
    socket.watch(&game["id"]);
    socket.ask_ok(json!({"type": "claim", "game": game["id"]}));
    let end = socket.state(&game["id"], |state| !state["outcome"].is_null());
    assert_eq!(end["outcome"]["text"], "draw by threefold repetition");
}

#[test]
fn chess960_and_its_castling() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let request = json!({"white": you(), "black": you(), "variant": "chess960",
        "fen": "1r2k2r/8/8/8/8/8/8/1R2K2R w BHbh - 0 1"});
    let game = visitor.new_game(&request);
    let mut socket = visitor.socket();
    socket.watch(&game["id"]);
    socket.play(&game["id"], 0, "e1h1");
    let state = socket.state(&game["id"], |state| plies(state) == 1);
    assert_eq!((&state["moves"][0]["san"], &state["moves"][0]["uci"]), (&json!("O-O"), &json!("e1h1")));
    let random = visitor.new_game(&json!({"white": you(), "black": you(), "variant": "chess960"}));
    assert_eq!(random["variant"], "chess960");
}

/// A game as the page stores it on a device.
fn stored(id: &str, moves: &[&str]) -> serde_json::Value {
    json!({
        "id": id, "version": moves.len() + 1, "kind": "engine", "variant": "standard",
        "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "white": {"kind": "person", "name": "Judit", "seated": true},
        "black": {"kind": "level", "name": "500", "seated": false},
        "moves": moves, "revision": 5, "created": 1, "updated": 2, "seed": "18446744073709551615",
    })
}

#[test]
fn games_of_a_device_are_taken_over_once() {
    let server = TestServer::start(Settings { exposed: true, ..Settings::default() });
    let (visitor, other) = (server.visitor(), server.visitor());
    let path = "/games/abcdefghjkmn";
    let put = |moves: &[&str]| visitor.put(path, &stored("abcdefghjkmn", moves));
    assert_eq!(put(&["e2e4", "e7e5"]), 204);
    // The answer was lost, so it is sent again; and later with more moves.
    assert_eq!(put(&["e2e4", "e7e5"]), 204);
    assert_eq!(put(&["e2e4", "e7e5", "g1f3", "b8c6"]), 204);
    assert_eq!(put(&["e2e4"]), 204);
    let (_, game) = visitor.get(path);
    assert_eq!((plies(&game), game["you"].as_str()), (4, Some("white")), "{game}");
    assert_eq!(visitor.get("/games").1["total"], 1);
    // Played on differently here and there: nothing is overwritten.
    assert_eq!(put(&["e2e4", "c7c5"]), 409);
    assert_eq!(plies(&visitor.get(path).1), 4);
    // The game of another.
    assert_eq!(other.put(path, &stored("abcdefghjkmn", &["e2e4"])), 404);
    // Deleted here, it stays so.
    assert_eq!(visitor.delete(path), 204);
    assert_eq!(put(&["e2e4", "e7e5"]), 204);
    assert_eq!(visitor.get("/games").1["total"], 0);
}

#[test]
fn what_is_no_game_is_not_taken_over() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let id = "abcdefghjkmn";
    let with = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut game = stored(id, &["e2e4"]);
        change(&mut game);
        visitor.put(&format!("/games/{id}"), &game)
    };
    assert_eq!(with(&|game| game["id"] = json!("otherotherot")), 400);
    assert_eq!(with(&|game| game["moves"] = json!(["e2e5"])), 400);
    assert_eq!(with(&|game| game["moves"] = json!(vec!["e2e4"; 30_000])), 400);
    assert_eq!(with(&|game| game["start"] = json!("8/8/8/8/8/8/8/8 w - - 0 1")), 400);
    assert_eq!(with(&|game| game["kind"] = json!("friend")), 400);
    assert_eq!(with(&|game| game["black"]["name"] = json!("no level")), 400);
    assert_eq!(with(&|game| game["white"]["name"] = json!("x".repeat(100))), 400);
    assert_eq!(with(&|game| game["seed"] = json!("x")), 400);
    let clock = json!({"initial": u64::MAX, "increment": 0, "white": u64::MAX, "black": 1});
    assert_eq!(with(&|game| game["clock"] = clock.clone()), 400);
    assert_eq!(visitor.put("/games/no-id", &stored("no-id", &[])), 400);
    assert_eq!(visitor.get("/games").1["total"], 0);
}
