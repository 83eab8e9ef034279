//! Crashes, full and failing disks, power failures, clocks that jump: nothing acknowledged is lost, and the same
//! command gets the same result in the end.
//!
//! `make crash` runs the long form, in which a fault happens at every step; the tests of `make test` choose a few.

#![cfg(target_os = "linux")]
#![allow(missing_docs, unreachable_pub)]

#[path = "faults/client.rs"]
mod client;
#[path = "faults/mod.rs"]
mod faults;

use client::{Player, Server};
use faults::{Disk, Kind};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Whether a fault happens at every step.
fn is_long() -> bool {
    std::env::var("GARDEZ_CRASH").is_ok_and(|form| form == "long")
}

/// The steps at which faults happen, out of all.
fn chosen(steps: usize, few: usize) -> Vec<usize> {
    let few = if is_long() { steps } else { few.min(steps) };
    // From the first step to the last.
    (0..few).map(|number| 1 + number * (steps - 1) / few.saturating_sub(1).max(1)).collect()
}

const GAMES: &str = "[White \"One\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n\
    [White \"Two\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"Three\"]\n\n1. d4 d5 2. c4 *\n\n";

/// Work with files that can be interrupted and resumed by the same command.
struct Work {
    name: &'static str,
    /// What it reads, made once.
    input: Option<(&'static str, Vec<u8>)>,
    args: Vec<&'static str>,
    outputs: &'static [&'static str],
}

impl Work {
    fn command(&self, directory: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
        // Paths are whole, so that the faults know them.
        let place = |argument: &str| argument.replace("DIR", directory.to_str().expect("UTF-8"));
        command.args(self.args.iter().map(|argument| place(argument))).current_dir(directory);
        command
    }

    fn disk(&self) -> Disk {
        let disk = Disk::new();
        if let Some((name, bytes)) = &self.input {
            fs::write(disk.path().join(name), bytes).expect("written");
        }
        disk
    }

    /// What it has written, in which times do not count; nothing as long as a file is missing.
    fn results(&self, directory: &Path) -> Option<Vec<Vec<u8>>> {
        let read =
            |name: &&str| fs::read(directory.join(name)).ok().map(|bytes| self.what_counts(name, bytes));
        self.outputs.iter().map(read).collect()
    }

    fn what_counts(&self, name: &str, bytes: Vec<u8>) -> Vec<u8> {
        if self.name != "match" || !name.ends_with(".pgn") {
            return bytes;
        }
        let mut text = String::new();
        for game in chess::pgn::Reader::new(&bytes[..]) {
            let game = game.expect("a game");
            text += &format!("{:?} {}\n", game.moves().collect::<Vec<_>>(), game.result());
        }
        text.into_bytes()
    }

    /// Lets every kind of fault happen at the chosen steps; afterwards the same command gets the same result.
    fn survive(&self) {
        let disk = self.disk();
        let mut command = self.command(disk.path());
        disk.count(&mut command);
        assert_success(&command.output().expect("it runs"), self.name);
        let (expected, steps) = (self.results(disk.path()), disk.steps());
        assert!(expected.is_some(), "{}", self.name);
        let mut faults = 0;
        for kind in Kind::ALL {
            for step in chosen(steps, 3) {
                let what = format!("{} {kind:?} at step {step} of {steps}", self.name);
                let disk = self.disk();
                let mut command = self.command(disk.path());
                disk.fail(&mut command, kind, step);
                let output = command.output().expect("it runs");
                assert_no_panic(&output, &what);
                // How often it syncs depends on the time, so that it may have ended before.
                let is_done = output.status.success() && self.results(disk.path()) == expected;
                if kind.is_end() && !is_done {
                    assert_eq!(output.status.signal(), Some(9), "{what}: {}", errors(&output));
                }
                if kind == Kind::Power {
                    disk.lose_power(|name| self.input.as_ref().is_some_and(|(input, _)| *input == name));
                }
                // In the last steps all is done already.
                if self.results(disk.path()) != expected {
                    let again = self.command(disk.path()).output().expect("it runs");
                    assert_success(&again, &what);
                }
                assert!(self.results(disk.path()) == expected, "{what}: another result");
                faults += 1;
            }
        }
        println!("{}: {faults} faults at {steps} steps", self.name);
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn assert_no_panic(output: &Output, what: &str) {
    assert!(!errors(output).contains("panicked"), "{what}: {}", errors(output));
}

fn assert_success(output: &Output, what: &str) {
    assert!(output.status.success(), "{what}: {}", errors(output));
}

fn games_for_training() -> Vec<u8> {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("games");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    command.args(["datagen", "--nodes", "20", "--hash", "1", "--games", "40", "--output"]).arg(&file);
    assert_success(&command.output().expect("it runs"), "datagen");
    fs::read(file).expect("games")
}

#[test]
fn datagen_resumes_after_every_fault() {
    let args = vec!["datagen", "--nodes", "60", "--hash", "1", "--games", "5", "--output", "DIR/games"];
    Work { name: "datagen", input: None, args, outputs: &["games"] }.survive();
}

#[test]
fn training_resumes_after_every_fault() {
    let args = "train --data DIR/games --output DIR/net --hidden 32 --epochs 2 --batch 64 --superbatch 25";
    let input = Some(("games", games_for_training()));
    Work { name: "train", input, args: args.split(' ').collect(), outputs: &["net"] }.survive();
}

#[test]
fn an_analysis_resumes_after_every_fault() {
    let args = "analyse DIR/games.pgn --nodes 300 --hash 1 --output DIR/out.pgn --json DIR/out.json";
    let input = Some(("games.pgn", GAMES.as_bytes().to_vec()));
    let outputs = &["out.pgn", "out.json"];
    Work { name: "analyse", input, args: args.split(' ').collect(), outputs }.survive();
}

#[test]
fn a_match_resumes_after_every_fault() {
    let args = "match gardez gardez:Hash=1 --games 4 --nodes 20 --max-moves 8 --pgn DIR/out.pgn --resume";
    Work { name: "match", input: None, args: args.split(' ').collect(), outputs: &["out.pgn"] }.survive();
}

#[test]
fn a_course_of_tuning_and_a_book_are_whole_or_not_there() {
    let args = "book build DIR/games.pgn --min-games 1 --overwrite --output DIR/book.bin";
    let input = Some(("games.pgn", GAMES.as_bytes().to_vec()));
    Work { name: "book", input, args: args.split(' ').collect(), outputs: &["book.bin"] }.survive();
    let args = "pgn clean DIR/games.pgn --overwrite --output DIR/out.pgn";
    let input = Some(("games.pgn", GAMES.as_bytes().to_vec()));
    Work { name: "pgn", input, args: args.split(' ').collect(), outputs: &["out.pgn"] }.survive();
}

/// The moves of a game in the terminal that are on disk.
fn kept_moves(directory: &Path) -> usize {
    let files = fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path());
    let unfinished = files.filter(|path| path.extension().is_some_and(|ending| ending == "pgn"));
    let moves = |path: std::path::PathBuf| {
        let text = fs::read(&path).expect("a file");
        let game = chess::pgn::Reader::new(&text[..]).next().expect("a game").expect("a game");
        assert!(game.faults.is_empty(), "{}: {:?}", path.display(), game.faults);
        game.moves().count()
    };
    unfinished.map(moves).max().unwrap_or(0)
}

#[test]
fn a_game_in_the_terminal_loses_no_move() {
    let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"];
    let play = |disk: &Disk, fault: Option<(Kind, usize)>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
        command.args(["play", "--plain", "--opponent", "human", "--data"]).arg(disk.path());
        match fault {
            Some((kind, step)) => disk.fail(&mut command, kind, step),
            None => disk.count(&mut command),
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        // It may have ended before it has read everything.
        let _ = std::io::Write::write_all(
            &mut child.stdin.take().expect("its input"),
            format!("{}\nquit\n", moves.join("\n")).as_bytes(),
        );
        child.wait_with_output().expect("it ends")
    };
    let disk = Disk::new();
    assert_success(&play(&disk, None), "play");
    assert_eq!(kept_moves(disk.path()), moves.len());
    let (steps, mut faults) = (disk.steps(), 0);
    for kind in Kind::ALL {
        let mut before = 0;
        for step in chosen(steps, 5) {
            let disk = Disk::new();
            let output = play(&disk, Some((kind, step)));
            assert_no_panic(&output, &format!("play {kind:?} at step {step}"));
            if kind == Kind::Power {
                disk.lose_power(|_| false);
            }
            // What is kept never becomes less, and a fault costs one move at most.
            let kept = kept_moves(disk.path());
            let what = format!("{kind:?} at step {step} of {steps}: {kept} moves, {before} before");
            assert!(kept >= before, "{what}");
            assert!(kept + 2 >= step * moves.len() / steps, "{what}");
            before = if kind == Kind::Error { 0 } else { kept };
            faults += 1;
        }
    }
    println!("play: {faults} faults at {steps} steps");
}

/// Plays until the server ends or all is played; then it is started again, and everything acknowledged is there.
#[test]
fn the_server_loses_nothing_acknowledged_whatever_fails() {
    let disk = Disk::new();
    let mut server = Server::start(disk.path(), |command| disk.count(command)).expect("it starts");
    let mut player = Player::new(1, 12);
    player.play(&server);
    assert_eq!(player.acknowledged(), 12);
    assert!(server.stop().contains("all games are saved"));
    let (steps, mut faults) = (disk.steps(), 0);
    for kind in Kind::ALL {
        for step in chosen(steps, 6) {
            let what = format!("{kind:?} at step {step} of {steps}");
            let disk = Disk::new();
            let mut player = Player::new(step as u64, 12);
            let started = Server::start(disk.path(), |command| disk.fail(command, kind, step));
            if let Some(mut server) = started {
                player.play(&server);
                let words = server.stop();
                assert!(!words.contains("panicked"), "{what}: {words}");
                let claims = words.contains("all games are saved");
                assert!(!(claims && player.was_refused()), "{what}: {words}");
            }
            if kind == Kind::Power {
                disk.lose_power(|_| false);
            }
            let mut server = Server::start(disk.path(), |_| {}).unwrap_or_else(|| panic!("{what}: no start"));
            player.check(&server, &what);
            player.play(&server);
            server.stop();
            let mut check = Command::new(env!("CARGO_BIN_EXE_gardez"));
            check.args(["games", "check", "--data"]).arg(disk.path());
            let output = check.output().expect("it runs");
            assert!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&output.stdout));
            faults += 1;
        }
    }
    println!("serve: {faults} faults at {steps} steps");
}

/// Many play at once while the server is ended again and again.
fn end_under_load(rounds: usize, players: usize, moves: usize, is_kill: bool) {
    let disk = Disk::new();
    let (mut all, mut ends) = (0, 0);
    for round in 0..rounds {
        let mut server = Server::start(disk.path(), |_| {}).expect("it starts");
        let mut team: Vec<Player> =
            (0..players).map(|number| Player::new((round * players + number) as u64, moves)).collect();
        let acknowledged = AtomicUsize::new(0);
        let enough = players * moves / 2;
        std::thread::scope(|scope| {
            for player in &mut team {
                let (server, acknowledged) = (&server, &acknowledged);
                scope.spawn(move || {
                    player.play_with(server, || {
                        // The player of the middle move ends the server, in the midst of all the others.
                        if acknowledged.fetch_add(1, Ordering::Relaxed) + 1 == enough {
                            server.signal(if is_kill { "KILL" } else { "TERM" });
                        }
                    });
                });
            }
        });
        let words = server.wait();
        assert!(is_kill || words.contains("all games are saved"), "{words}");
        ends += 1;
        let mut server = Server::start(disk.path(), |_| {}).expect("it starts");
        for player in &team {
            player.check(&server, &format!("round {round}"));
            all += player.acknowledged();
        }
        server.stop();
    }
    println!(
        "{ends} ends by {}: {all} moves acknowledged, none lost",
        if is_kill { "kill -9" } else { "SIGTERM" }
    );
}

#[test]
fn a_server_killed_under_load_loses_nothing_acknowledged() {
    end_under_load(if is_long() { 100 } else { 3 }, 8, 24, true);
}

#[test]
fn a_server_stopped_under_load_has_saved_everything() {
    end_under_load(if is_long() { 30 } else { 2 }, 8, 24, false);
}

#[test]
fn clocks_on_the_wall_that_jump_decide_no_game() {
    let disk = Disk::new();
    let mut server = Server::start(disk.path(), faults::break_clock).expect("it starts");
    let mut player = Player::with_clock(5, 40);
    player.play(&server);
    assert_eq!(player.acknowledged(), 40);
    player.check(&server, "a jumping clock");
    server.stop();
    let mut command = Command::new(env!("CARGO_BIN_EXE_gardez"));
    command.args(["match", "gardez", "greedy", "--games", "2", "--tc", "20+1", "--max-moves", "6"]);
    faults::break_clock(&mut command);
    let output = command.output().expect("it runs");
    assert_success(&output, "match");
    let words = String::from_utf8_lossy(&output.stdout).into_owned() + &errors(&output);
    assert!(!words.contains("time forfeit") && !words.contains("loses on time"), "{words}");
}
