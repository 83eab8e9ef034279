//! A server that strangers can reach: who owns it, what it lets in, and what it keeps.

#![allow(missing_docs)]

mod support;

use serde_json::{Value, json};
use std::sync::Barrier;
use support::{Settings, TestServer, full, plies, you};
use web::{Config, Limits};

fn exposed(limits: Limits) -> Settings {
    Settings { exposed: true, behind_proxy: true, limits, ..Settings::default() }
}

fn board() -> Value {
    json!({"white": you(), "black": you()})
}

fn limited(set: &[&str]) -> Limits {
    let mut limits = Limits::default();
    set.iter().for_each(|text| limits.set(text).expect("a limit"));
    limits
}

#[test]
fn behind_a_proxy_nobody_is_the_owner_by_being_on_this_machine() {
    let local = TestServer::start(Settings::default());
    let (first, second) = (local.visitor(), local.visitor());
    let game = first.new_game(&board());
    assert_eq!(second.get("/games").1["total"], 1, "all browsers of this machine are the owner");
    let id = game["id"].as_str().expect("a name");
    for header in ["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-proto"] {
        let (status, answer) = second.get_with(&format!("/games/{id}"), &[(header, "192.0.2.7")]);
        assert_eq!(status, 403, "{header}: {answer}");
        assert!(answer["message"].as_str().is_some_and(|text| text.contains("--trusted-proxy")), "{answer}");
    }

    let data = tempfile::tempdir().expect("a directory");
    let address = ([127, 0, 0, 1], 0).into();
    for config in [
        Config { names: vec!["chess.test".to_owned()], ..Config::new(address, data.path().to_owned()) },
        Config {
            proxies: vec!["127.0.0.1".parse().expect("an address")],
            ..Config::new(address, data.path().to_owned())
        },
    ] {
        let server = TestServer::start_with(config);
        let (first, second) = (server.visitor(), server.visitor());
        let game = first.new_game(&board());
        assert_eq!(second.get("/games").1["total"], 0);
        assert_eq!(second.get(&format!("/games/{}", game["id"].as_str().expect("a name"))).0, 404);
        assert_eq!(second.get("/info").1["exposed"], true);
    }
}

#[test]
fn cookies_are_secure_where_the_browser_uses_https() {
    let server = TestServer::start(exposed(Limits::default()));
    let cookie =
        |proto: &str| server.fresh_cookie(&[("x-forwarded-for", "192.0.2.1"), ("x-forwarded-proto", proto)]);
    assert!(cookie("https").contains("; Secure"));
    assert!(!cookie("http").contains("Secure"));
}

#[test]
fn the_owner_shows_a_token_once() {
    let data = tempfile::tempdir().expect("a directory");
    let config = |new_owner_token| Config {
        names: vec!["chess.test".to_owned()],
        password: Some("Philidor".to_owned()),
        new_owner_token,
        ..Config::new(([127, 0, 0, 1], 0).into(), data.path().to_owned())
    };
    let mut server = TestServer::start_with(config(true));
    let token = server.owner_token.clone().expect("a token");
    let stranger = server.visitor();
    assert_eq!(stranger.post("/login", &json!({"password": "Philidor"})).0, 204);
    stranger.new_game(&board());
    let owner = server.visitor();
    assert_eq!(owner.claim("wrong"), 403);
    assert_eq!(owner.get("/games").0, 401);
    assert_eq!(owner.claim(&token), 303, "to the page");
    assert_eq!(owner.get("/games").1["total"], 1, "without a password, games of all");
    server.stop();
    let text = std::fs::read(data.path().join("gardez.sqlite")).expect("the file");
    assert!(!contains(&text, token.as_bytes()), "only its hash is kept");

    let mut server = TestServer::start_with(config(false));
    assert_eq!(server.owner_token, None);
    let again = server.visitor_with(&owner.cookie);
    assert_eq!(again.get("/games").1["total"], 1, "a browser stays the owner's");
    server.stop();
    let server = TestServer::start_with(config(true));
    let again = server.visitor_with(&owner.cookie);
    assert_eq!(again.get("/games").1["total"], 0, "until there is a new token");
    assert_eq!(again.claim(&token), 403);
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[test]
fn requests_and_messages_of_a_network_are_counted() {
    let server = TestServer::start(exposed(limited(&["requests=30", "messages=20"])));
    let visitor = server.visitor();
    // Each time another cookie, and addresses of one IPv6 network.
    let ask = |address: String| server.fresh_status(&[("x-forwarded-for", &address)]);
    let statuses: Vec<u16> = (0..40).map(|host| ask(format!("2001:db8:1:2::{host:x}"))).collect();
    assert_eq!(statuses[..30], [200; 30]);
    assert!(statuses[30..].contains(&429), "{statuses:?}");
    assert_eq!(ask("2001:db8:1:3::1".to_owned()), 200, "another network");
    let (status, answer) = visitor.get_with("/info", &[("x-forwarded-for", "2001:db8:1:2::1")]);
    assert!(status == 200 || answer["retryAfter"].as_u64().is_some_and(|seconds| seconds > 0), "{answer}");

    // Pings count as messages do.
    let mut socket = visitor.socket_from("192.0.2.9");
    let mut other = visitor.socket_from("192.0.2.9");
    for _ in 0..30 {
        socket.ping();
    }
    // Answered when all of them have been heard.
    socket.ask(json!({"type": "ping"}));
    let refused = other.ask(json!({"type": "ping"}));
    assert_eq!((&refused["type"], &refused["error"]["code"]), (&json!("error"), &json!("too_many")));
    let mut elsewhere = visitor.socket_from("192.0.2.10");
    assert_eq!(elsewhere.ask(json!({"type": "ping"}))["type"], "pong");
}

#[test]
fn a_visitor_cannot_fill_the_disk() {
    let server = TestServer::start(exposed(limited(&["visitor-games=5", "new-games=12"])));
    let from = |number: u8| server.visitor_from(&format!("192.0.2.{number}"));
    let visitor = from(1);
    let statuses: Vec<u16> = (0..7).map(|_| visitor.post("/games", &board()).0).collect();
    assert_eq!(statuses, [201, 201, 201, 201, 201, 429, 429], "so many of one visitor");
    let pgn = "1. e4 *\n\n".repeat(6);
    assert_eq!(visitor.post("/import", &json!({"pgn": pgn})).0, 429);
    // With another cookie more, but not more than the network may.
    let other = from(1);
    let statuses: Vec<u16> = (0..5).map(|_| other.post("/games", &board()).0).collect();
    assert_eq!(statuses, [201; 5]);
    let third = from(1);
    let statuses: Vec<u16> = (0..3).map(|_| third.post("/games", &board()).0).collect();
    assert_eq!(statuses, [201, 201, 429]);
    assert_eq!(from(2).post("/games", &board()).0, 201, "others are not concerned");
}

#[test]
fn on_a_full_disk_games_are_finished_and_nothing_begun() {
    let data = tempfile::tempdir().expect("a directory");
    let mut server = TestServer::start_in(data.path(), Settings::default());
    let visitor = server.visitor();
    let game = visitor.new_game(&board());
    server.stop();
    for limit in ["free-disk=1000000000G", "total-bytes=1"] {
        let settings = Settings { limits: limited(&[limit]), ..Settings::default() };
        let mut server = TestServer::start_in(data.path(), settings);
        let visitor = server.visitor_with(&visitor.cookie);
        assert_eq!(visitor.post("/games", &board()).0, 503, "{limit}");
        assert_eq!(visitor.post("/import", &json!({"pgn": "1. e4 *"})).0, 503, "{limit}");
        let mut socket = visitor.socket();
        let state = socket.watch(&game["id"]);
        socket.play(&game["id"], plies(&state), ["Nf3", "Nf6"][plies(&state)]);
        server.stop();
    }
    let server = TestServer::start_in(data.path(), Settings::default());
    assert_eq!(plies(&server.visitor_with(&visitor.cookie).socket().watch(&game["id"])), 2);
}

#[test]
fn guessing_locks_out_the_guesser_and_not_the_owner() {
    let settings = Settings { password: Some("Philidor".to_owned()), ..exposed(limited(&["logins=5"])) };
    let server = TestServer::start(settings);
    let owner = server.visitor_from("192.0.2.1");
    assert_eq!(owner.post("/login", &json!({"password": "Philidor"})).0, 204);
    // From another network, then from that of the owner.
    for network in ["203.0.113.5", "192.0.2.1"] {
        let guesses: Vec<u16> = (0..8)
            .map(|guess| {
                server.visitor_from(network).post("/login", &json!({"password": guess.to_string()})).0
            })
            .collect();
        assert_eq!(guesses, [401, 401, 401, 401, 401, 429, 429, 429]);
    }
    assert_eq!(owner.post("/logout", &json!({})).0, 204);
    assert_eq!(owner.get("/games").0, 401);
    assert_eq!(owner.post("/login", &json!({"password": "Philidor"})).0, 204, "a browser that has known it");
    let elsewhere = server.visitor_from("192.0.2.2");
    assert_eq!(elsewhere.post("/login", &json!({"password": "Philidor"})).0, 204);
}

#[test]
fn a_log_out_ends_open_connections() {
    let settings = Settings { password: Some("Philidor".to_owned()), ..exposed(Limits::default()) };
    let server = TestServer::start(settings);
    let visitor = server.visitor();
    assert_eq!(visitor.post("/login", &json!({"password": "Philidor"})).0, 204);
    let game = visitor.new_game(&board());
    let mut socket = visitor.socket();
    socket.watch(&game["id"]);
    let other = server.visitor();
    assert_eq!(other.post("/login", &json!({"password": "Philidor"})).0, 204);
    let mut others = other.socket();
    assert_eq!(visitor.post("/logout", &json!({})).0, 204);
    while socket.try_receive().is_some() {}
    assert_eq!(others.ask(json!({"type": "ping"}))["type"], "pong", "others stay");
}

#[test]
fn of_twenty_who_follow_an_invitation_one_gets_the_seat_and_the_others_are_told() {
    let server = TestServer::start(exposed(Limits::default()));
    let host = server.visitor();
    let game = host.new_game(&json!({"white": you(), "black": {"kind": "friend"}}));
    let invite = game["links"]["invite"].as_str().expect("a link").replace("/join/", "/links/");
    let start = Barrier::new(20);
    let answers: Vec<(u16, Value)> = std::thread::scope(|scope| {
        let guests: Vec<_> = (0..20)
            .map(|_| {
                scope.spawn(|| {
                    let guest = server.visitor();
                    start.wait();
                    guest.post(&invite, &json!({}))
                })
            })
            .collect();
        guests.into_iter().map(|guest| guest.join().expect("no panic")).collect()
    });
    assert_eq!(answers.iter().filter(|(status, _)| *status == 200).count(), 1, "{answers:?}");
    for (status, answer) in answers.iter().filter(|(status, _)| *status != 200) {
        assert!(matches!(status, 404 | 409), "{answer}");
    }
}

#[test]
fn watchers_watch_and_guests_are_guests() {
    let server = TestServer::start(exposed(Limits::default()));
    let (host, guest, watcher) = (server.visitor(), server.visitor(), server.visitor());
    let follow = |visitor: &support::Visitor, link: &Value| {
        let path = link.as_str().expect("a link").replace("/join/", "/links/").replace("/watch/", "/links/");
        assert_eq!(visitor.post(&path, &json!({})).0, 200);
    };
    let engines = host.new_game(&json!({"white": full(), "black": full()}));
    follow(&watcher, &engines["links"]["watch"]);
    let mut socket = watcher.socket();
    socket.watch(&engines["id"]);
    for request in ["rematch", "hint", "pause"] {
        let message = json!({"type": request, "game": engines["id"], "paused": true});
        assert_eq!(socket.ask_error(message), "forbidden", "{request}");
    }

    let game = host.new_game(&json!({"white": you(), "black": {"kind": "friend"}}));
    follow(&guest, &game["links"]["invite"]);
    follow(&watcher, &game["links"]["watch"]);
    let (id, path) = (&game["id"], format!("/games/{}", game["id"].as_str().expect("a name")));
    for visitor in [&host, &guest, &watcher] {
        let mut socket = visitor.socket();
        socket.watch(id);
        assert_eq!(socket.ask_error(json!({"type": "hint", "game": id})), "forbidden", "between people");
    }
    assert_eq!(watcher.delete(&path), 403);
    assert_eq!(guest.delete(&path), 204);
    assert_eq!(guest.get(&path).0, 404, "it is gone for the guest");
    assert_eq!(guest.get("/games").1["total"], 0);
    assert_eq!(host.get(&path).0, 200, "and there for the host");
    assert_eq!(guest.post(&format!("{path}/restore"), &json!({})).0, 200);
    assert_eq!(guest.get("/games").1["total"], 1);
    assert_eq!(host.delete(&path), 204);
    assert_eq!(guest.get(&path).0, 404, "the host deletes it for both");
}

#[cfg(unix)]
#[test]
fn files_are_the_users_own_and_hold_no_secrets_of_links() {
    use std::os::unix::fs::PermissionsExt;
    let data = tempfile::tempdir().expect("a directory");
    let directory = data.path().join("new").join("games");
    std::fs::create_dir_all(data.path().join("new")).expect("a directory");
    let mut server = TestServer::start_in(&directory, exposed(Limits::default()));
    let host = server.visitor();
    let game = host.new_game(&json!({"white": you(), "black": {"kind": "friend", "name": "\u{202e}nimda"}}));
    assert_eq!(game["black"]["name"], "nimda");
    let mode = |path: &std::path::Path| path.metadata().expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    let files: Vec<_> =
        std::fs::read_dir(&directory).expect("files").map(|file| file.expect("a file").path()).collect();
    assert!(files.iter().any(|path| path.ends_with("gardez.sqlite-wal")), "{files:?}");
    for path in &files {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(path), expected, "{}", path.display());
    }
    server.stop();
    let database = std::fs::read(directory.join("gardez.sqlite")).expect("the file");
    for link in ["invite", "watch"] {
        let token = game["links"][link].as_str().and_then(|link| link.rsplit('/').next()).expect("a token");
        assert!(!contains(&database, token.as_bytes()), "{link}");
    }
    // The links are good nevertheless, and shown again.
    let server = TestServer::start_in(&directory, exposed(Limits::default()));
    let host = server.visitor_with(&host.cookie);
    let path = format!("/games/{}", game["id"].as_str().expect("a name"));
    assert_eq!(host.get(&path).1["links"], game["links"]);
    let invite = game["links"]["invite"].as_str().expect("a link").replace("/join/", "/links/");
    assert_eq!(server.visitor().post(&invite, &json!({})).0, 200);
}

#[test]
fn a_stalled_upload_is_given_up() {
    use std::io::{Read, Write};
    let limits = Limits { body_seconds: 1, ..Limits::default() };
    let server = TestServer::start(Settings { limits, ..Settings::default() });
    for path in ["/games", "/import", "/links/abc"] {
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
        let head = format!(
            "POST /api/v1{path} HTTP/1.1\r\nhost: localhost:{}\r\ncontent-type: application/json\r\n\
             content-length: 1000\r\nconnection: close\r\n\r\n{{",
            server.port
        );
        stream.write_all(head.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 408"), "{path}: {answer}");
    }
}

#[test]
fn an_export_has_every_game_in_order() {
    let server = TestServer::start(Settings::default());
    let visitor = server.visitor();
    let comment = "x".repeat(2000);
    let pgn: String = (0..150)
        .map(|number| format!("[White \"Player {number}\"]\n\n1. e4 {{{comment}}} e5 *\n\n"))
        .collect();
    assert_eq!(visitor.post("/import", &json!({"pgn": pgn})).0, 200);
    let text = visitor.get_text("/games.pgn");
    assert_eq!(text.matches("[White \"Player ").count(), 150);
    assert!(text.trim_end().ends_with("e5 *"));
}
