//! Many clients at once: how long moves take to be acknowledged and answered, and what memory it costs.
//!
//!     cargo run --release -p web --example load -- [CLIENTS] [MOVES] [LEVEL] [ROUNDS] [SEARCHES] [GAMES]
//!
//! Each client plays a game of its own against a level over its own WebSocket, with random legal moves. Meanwhile
//! SEARCHES others search the list of games all the time, among GAMES that were imported before.

use chess::random::Random;
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};
use web::{Config, Server};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// For each move how long until it was on disk, and until the engine had answered.
type Times = Vec<(Duration, Option<Duration>)>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let clients: usize = arguments.next().map_or(Ok(200), |text| text.parse())?;
    let moves: usize = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let level = arguments.next().unwrap_or_else(|| "500".to_owned());
    let rounds: usize = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let searches: usize = arguments.next().map_or(Ok(0), |text| text.parse())?;
    let games: usize = arguments.next().map_or(Ok(0), |text| text.parse())?;
    let port = start_server()?;
    import(port, games)?;
    println!("{clients} clients, {moves} moves each, level {level}; memory {} at first", memory());
    for number in 1..=rounds {
        let started = Instant::now();
        let is_over = AtomicBool::new(false);
        let (times, mut searched) = thread::scope(|scope| -> Result<_, Failure> {
            let searching: Vec<_> = (0..searches).map(|_| scope.spawn(|| search(port, &is_over))).collect();
            let times = round(port, clients, moves, &level);
            is_over.store(true, Ordering::Relaxed);
            let mut searched = Vec::new();
            for thread in searching {
                searched.extend(thread.join().map_err(|_| "a search panicked")??);
            }
            Ok((times?, searched))
        })?;
        let mut acknowledged: Vec<_> = times.iter().map(|(first, _)| *first).collect();
        let mut answered: Vec<_> = times.iter().filter_map(|(_, second)| *second).collect();
        let seconds = started.elapsed().as_secs_f64();
        println!("round {number}: {seconds:.1} s; memory of server and clients {}", memory());
        report("move on disk", &mut acknowledged);
        report("engine's answer", &mut answered);
        if searches > 0 {
            report("search", &mut searched);
        }
    }
    Ok(())
}

/// All clients play a new game each, over a new connection.
fn round(port: u16, clients: usize, moves: usize, level: &str) -> Result<Times, Failure> {
    let begin = Arc::new(Barrier::new(clients));
    let threads: Vec<_> = (0..clients)
        .map(|number| {
            let (begin, level) = (Arc::clone(&begin), level.to_owned());
            thread::spawn(move || {
                let client = Client::sit_down(port, &level, number as u64);
                // Whoever found no seat must not keep the others waiting.
                begin.wait();
                client.and_then(|mut client| client.play(moves))
            })
        })
        .collect();
    let mut times = Times::new();
    for thread in threads {
        times.extend(thread.join().map_err(|_| "a client panicked")??);
    }
    Ok(times)
}

/// Puts games into the database, as many at once as may be.
fn import(port: u16, games: usize) -> Result<(), Failure> {
    for first in (0..games).step_by(2000) {
        let pgn: String = (first..games.min(first + 2000))
            .map(|number| {
                format!("[White \"White {number}\"]\n[Black \"Black {number}\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n")
            })
            .collect();
        ureq::post(format!("http://127.0.0.1:{port}/api/v1/import")).send_json(json!({"pgn": pgn}))?;
    }
    Ok(())
}

/// Searches for names that are rare, until it is over. Returns how long each search took.
fn search(port: u16, is_over: &AtomicBool) -> Result<Vec<Duration>, Failure> {
    let mut times = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        let began = Instant::now();
        let url = format!("http://127.0.0.1:{port}/api/v1/games?text=Black%20{}7", times.len() % 100);
        ureq::get(url).call()?.body_mut().read_to_string()?;
        times.push(began.elapsed());
    }
    Ok(times)
}

fn start_server() -> Result<u16, Failure> {
    let data = std::env::temp_dir().join(format!("gardez-load-{}", std::process::id()));
    let (sender, receiver) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Runtime::new() else { return };
        runtime.block_on(async {
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
            let config = Config::new(address, data);
            match Server::start(config).await {
                Ok(server) => {
                    let _ = sender.send(Ok(server.address().port()));
                    let _ = server.run(std::future::pending()).await;
                }
                Err(error) => drop(sender.send(Err(error.to_string()))),
            }
        });
    });
    Ok(receiver.recv()??)
}

fn report(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |thousandth: usize| {
        let index = (times.len() * thousandth / 1000).min(times.len().saturating_sub(1));
        times.get(index).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    println!(
        "{what:>16}: p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms, of {}",
        at(500),
        at(990),
        at(1000),
        times.len()
    );
}

/// Resident memory, where the system reports it.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kibibytes.map_or_else(|| "unknown".to_owned(), |kibibytes| format!("{} MiB", kibibytes / 1024))
}

struct Client {
    socket: WebSocket<TcpStream>,
    game: Value,
    state: Value,
    random: Random,
}

impl Client {
    fn sit_down(port: u16, level: &str, number: u64) -> Result<Self, Failure> {
        let request =
            json!({"white": {"kind": "you"}, "black": {"kind": "level", "level": level}, "seed": number});
        let mut answer = ureq::post(format!("http://127.0.0.1:{port}/api/v1/games")).send_json(&request)?;
        let state: Value = answer.body_mut().read_json()?;
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        let request = format!("ws://127.0.0.1:{port}/api/v1/ws").into_client_request()?;
        let (socket, _) = tungstenite::client(request, stream)?;
        let mut client = Self { socket, game: state["id"].clone(), state, random: Random::new(number) };
        client.send(&json!({"id": 0, "type": "watch", "game": client.game}))?;
        client.wait(|message| message["re"] == 0)?;
        Ok(client)
    }

    fn send(&mut self, message: &Value) -> Result<(), Failure> {
        Ok(self.socket.send(Message::text(message.to_string()))?)
    }

    /// Reads until a message fits, keeping the latest state.
    fn wait(&mut self, fits: impl Fn(&Value) -> bool) -> Result<(), Failure> {
        loop {
            let Message::Text(text) = self.socket.read()? else { continue };
            let mut message: Value = serde_json::from_str(&text)?;
            let is_it = fits(&message);
            if message["type"] == "error" {
                return Err(message.to_string().into());
            }
            if message["type"] == "game" {
                self.state = message["game"].take();
            }
            if is_it {
                return Ok(());
            }
        }
    }

    fn play(&mut self, moves: usize) -> Result<Times, Failure> {
        let mut times = Vec::with_capacity(moves);
        for _ in 0..moves {
            let Some(mv) = self.random_move() else { break };
            let ply = plies(&self.state);
            let began = Instant::now();
            self.send(&json!({"id": 1, "type": "move", "game": self.game, "ply": ply, "move": mv}))?;
            self.wait(|message| message["re"] == 1)?;
            let on_disk = began.elapsed();
            while plies(&self.state) < ply + 2 && self.state["outcome"].is_null() {
                self.wait(|message| message["type"] == "game")?;
            }
            let answered = (plies(&self.state) == ply + 2).then(|| began.elapsed());
            times.push((on_disk, answered));
            if !self.state["outcome"].is_null() {
                break;
            }
        }
        Ok(times)
    }

    fn random_move(&mut self) -> Option<String> {
        let dests = self.state["position"]["dests"].as_object()?;
        let mut moves: Vec<String> = Vec::new();
        for (from, targets) in dests {
            for to in targets.as_array()? {
                let to = to.as_str()?;
                let promotes = to.ends_with('8') && is_pawn(&self.state, from);
                moves.push(format!("{from}{to}{}", if promotes { "q" } else { "" }));
            }
        }
        let index = self.random.below(moves.len());
        moves.into_iter().nth(index)
    }
}

fn plies(state: &Value) -> usize {
    state["moves"].as_array().map_or(0, Vec::len)
}

/// Whether a white pawn stands on a square of the seventh rank.
fn is_pawn(state: &Value, square: &str) -> bool {
    let Some(fen) = state["position"]["fen"].as_str() else { return false };
    let Some(rank) = fen.split('/').nth(1).filter(|_| square.ends_with('7')) else { return false };
    let mut file = b'a';
    for letter in rank.bytes() {
        if letter.is_ascii_digit() {
            file += letter - b'0';
        } else {
            if file == square.as_bytes()[0] {
                return letter == b'P';
            }
            file += 1;
        }
    }
    false
}
