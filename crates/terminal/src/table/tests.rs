//! The table without a terminal. Programs are scripts; time is whatever the test says.

use super::*;
use crate::Start;
use crate::store::Slot;
use chess::pgn::{EvalScore, Reader};
use chess::{Reason, Variant};
use players::{Player, StopSignal, Thought, Turn};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

/// Plays the moves it was given, and thinks of each what it was told.
struct Script {
    moves: Vec<&'static str>,
    score: Option<EvalScore>,
    stop: StopSignal,
}

impl Player for Script {
    fn name(&self) -> &'static str {
        "script"
    }

    fn new_game(&mut self, variant: Variant) -> Result<(), Failure> {
        match variant {
            Variant::Standard => Ok(()),
            Variant::Chess960 => Err(Failure::Unable("it does not know Chess960".to_owned())),
        }
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        let text = self.moves.get(turn.game.ply() / 2).copied().unwrap_or("wait");
        let decision = match text {
            // Thinks until it is interrupted.
            "wait" => loop {
                if self.stop.is_set() {
                    return Err(Failure::Interrupted);
                }
                std::thread::yield_now();
            },
            "resign" => Decision::Resign,
            "panic" => panic!("a program with a fault"),
            "crash" => return Err(Failure::Crash("it fell over".to_owned())),
            text => Decision::Move(turn.game.position().parse_san(text).expect("a move of the script")),
        };
        let thought = Thought { score: self.score, ..Thought::default() };
        Ok(Answer { decision, thought, elapsed: Duration::ZERO })
    }
}

fn script(moves: &'static str, score: Option<i32>) -> Seat {
    Seat::custom("script", move |stop| {
        let moves = moves.split_whitespace().collect();
        Box::new(Script { moves, score: score.map(EvalScore::Centipawns), stop })
    })
}

/// A table, the reports for it, and the time there.
struct Room {
    table: Table,
    reports: Receiver<Report>,
    now: Instant,
}

fn setting(white: Seat, black: Seat) -> Setting {
    Setting { start: Start::Standard, seats: [white, black], clock: None, programs_resign: false }
}

impl Room {
    fn new(setting: Setting, store: Option<Store>) -> Self {
        let (sender, reports) = mpsc::channel();
        let reporter = Arc::new(move |report| {
            let _ = sender.send(report);
        });
        let mut room = Self { table: Table::new(setting, store, reporter), reports, now: Instant::now() };
        room.table.begin(room.now);
        room
    }

    fn humans() -> Self {
        Self::new(setting(Seat::Human, Seat::Human), None)
    }

    fn obey(&mut self, order: Order) -> Vec<Event> {
        self.table.obey(order, self.now)
    }

    fn play(&mut self, moves: &str) -> Vec<Event> {
        moves.split_whitespace().flat_map(|text| self.obey(Order::Type(text.to_owned()))).collect()
    }

    /// Waits for the next report that leads to something.
    fn wait(&mut self) -> Vec<Event> {
        loop {
            let report = self.reports.recv().expect("a report");
            let events = self.table.hear(report, self.now);
            if !events.is_empty() {
                return events;
            }
        }
    }

    fn later(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
    }

    fn moves(&self) -> String {
        crate::words::numbered(self.table.game().start(), self.table.game().moves()).join(" ")
    }
}

fn refusal(events: &[Event]) -> &str {
    match events {
        [Event::Refused(reason)] => reason,
        other => panic!("not refused: {other:?}"),
    }
}

fn outcome(events: &[Event]) -> Outcome {
    let mut ends = events.iter().rev().filter_map(|event| match event {
        Event::Over(outcome) => Some(*outcome),
        _ => None,
    });
    ends.next().unwrap_or_else(|| panic!("not over: {events:?}"))
}

fn has_note(events: &[Event], part: &str) -> bool {
    events.iter().any(|event| matches!(event, Event::Note(note) if note.contains(part)))
}

#[test]
fn two_people_play_to_mate() {
    let mut room = Room::humans();
    let events = room.play("f3 e5 g4 Qh4");
    assert_eq!(outcome(&events), Outcome::win(Color::Black, Reason::Checkmate));
    assert_eq!(room.moves(), "1. f3 e5 2. g4 Qh4#");
    assert_eq!(refusal(&room.play("e4")), "the game is over: White is checkmated");
    assert_eq!(room.obey(Order::Undo), [Event::Changed]);
    assert!(!room.table.game().is_over());
}

#[test]
fn wrong_moves_get_a_reason() {
    let fen = "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1";
    let start = Start::Position(Box::new(Position::from_fen(fen).expect("a position")));
    let mut room = Room::new(Setting { start, ..setting(Seat::Human, Seat::Human) }, None);
    assert_eq!(refusal(&room.play("Nf3")), "the knight on d2 is pinned to the king");
    assert_eq!(refusal(&room.play("e1e3")), "e1e3 is not legal: a king does not move like that");
    let illegal = Order::Play(Move::normal(chess::Square::A1, chess::Square::A2));
    assert!(refusal(&room.obey(illegal)).contains("illegal"));
    assert_eq!(room.table.game().ply(), 0);
}

#[test]
fn a_program_answers_and_waits_its_turn() {
    let mut room = Room::new(setting(Seat::Human, script("e5 Nc6", None)), None);
    assert!(!room.table.is_busy());
    room.play("e4");
    assert_eq!(room.table.thinking(), Some(Color::Black));
    assert_eq!(refusal(&room.play("e5")), "it is Black's move, and script plays Black");
    assert!(matches!(room.wait()[..], [Event::Moved { .. }]));
    room.play("Nf3");
    room.wait();
    assert_eq!(room.moves(), "1. e4 e5 2. Nf3 Nc6");
}

#[test]
fn undo_goes_back_to_the_human_and_redo_forward() {
    let mut room = Room::new(setting(Seat::Human, script("e5 Nc6", None)), None);
    assert_eq!(refusal(&room.obey(Order::Undo)), "there is no move to take back");
    room.play("e4");
    room.wait();
    room.play("Nf3");
    room.wait();
    room.obey(Order::Undo);
    assert_eq!(room.moves(), "1. e4 e5");
    room.obey(Order::Redo);
    assert_eq!(room.moves(), "1. e4 e5 2. Nf3 Nc6");
    assert_eq!(refusal(&room.obey(Order::Redo)), "there is no move to play again");
    room.obey(Order::Undo);
    room.obey(Order::Undo);
    assert_eq!((room.moves(), room.table.is_busy()), (String::new(), false));
    // While the program thinks, undo interrupts it and takes back what it thinks about.
    room.play("d4");
    room.obey(Order::Undo);
    assert_eq!((room.table.thinking(), room.table.game().ply()), (None, 0));
}

#[test]
fn an_interrupted_program_says_nothing_more() {
    let mut room = Room::new(setting(Seat::Human, script("wait", None)), None);
    room.play("e4");
    room.obey(Order::New(None));
    room.play("d4");
    let stale = room.reports.recv().expect("the interrupted search");
    assert!(room.table.hear(stale, room.now).is_empty());
    assert_eq!(room.table.thinking(), Some(Color::Black), "the new search goes on");
}

#[test]
fn the_first_move_of_a_program_cannot_be_taken_back_by_its_opponent() {
    let mut room = Room::new(setting(script("e4 Nf3", None), Seat::Human), None);
    room.wait();
    assert_eq!(refusal(&room.obey(Order::Undo)), "there is no move to take back");
    assert_eq!(room.moves(), "1. e4");
}

#[test]
fn programs_play_each_other_until_somebody_pauses() {
    let mut room = Room::new(setting(script("e4 Nf3 Bb5", None), script("e5 Nc6 wait", None)), None);
    for _ in 0..4 {
        room.wait();
    }
    room.obey(Order::Undo);
    assert!(room.table.is_paused() && !room.table.is_busy());
    assert_eq!(room.moves(), "1. e4 e5 2. Nf3");
    room.obey(Order::Go);
    room.wait();
    assert_eq!(room.moves(), "1. e4 e5 2. Nf3 Nc6");
    room.obey(Order::Pause);
    assert!(!room.table.is_busy());
    assert_eq!(refusal(&room.obey(Order::Resign)), "nobody here plays");
}

#[test]
fn a_program_that_fails_hands_its_side_over() {
    for (moves, reason) in [("crash", "it fell over"), ("panic", "it has panicked")] {
        let mut room = Room::new(setting(Seat::Human, script(moves, None)), None);
        room.play("e4");
        let events = room.wait();
        assert!(has_note(&events, reason) && has_note(&events, "you play Black now"), "{events:?}");
        room.play("e5");
        assert_eq!(room.moves(), "1. e4 e5");
    }
    let chess960 = Setting { start: Start::Chess960(Some(0)), ..setting(script("e4", None), Seat::Human) };
    let mut room = Room::new(chess960, None);
    assert!(has_note(&room.wait(), "does not know Chess960"));
}

#[test]
fn programs_may_resign() {
    let mut room = Room::new(setting(Seat::Human, script("resign", None)), None);
    room.play("e4");
    assert_eq!(outcome(&room.wait()), Outcome::win(Color::White, Reason::Resignation));
    let mut polite = setting(Seat::Human, script("a6 b6 c6 d6 e6", Some(-2000)));
    polite.programs_resign = true;
    let mut room = Room::new(polite, None);
    for text in ["a3", "b3", "c3"] {
        room.play(text);
        room.wait();
    }
    room.play("d3");
    assert_eq!(outcome(&room.wait()), Outcome::win(Color::White, Reason::Resignation));
}

#[test]
fn draws_are_offered_declined_accepted_and_claimed() {
    let mut room = Room::humans();
    assert_eq!(refusal(&room.obey(Order::Accept)), "nobody has offered a draw");
    assert_eq!(room.obey(Order::Draw), [Event::DrawOffered(Color::White)]);
    assert_eq!(room.table.offer(), Some(Color::White));
    room.play("e4");
    assert_eq!(room.table.offer(), Some(Color::White), "an offer stands until it is answered");
    room.play("e5");
    assert_eq!(room.table.offer(), None, "a move declines it");
    room.obey(Order::Draw);
    assert!(has_note(&room.obey(Order::Decline), "Black declines"));
    assert!(refusal(&room.obey(Order::Claim)).starts_with("no draw to claim"));
    room.play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    let claimed = outcome(&room.obey(Order::Draw));
    assert_eq!(claimed.reason, Reason::ThreefoldRepetition);
}

#[test]
fn a_program_accepts_a_draw_by_its_score() {
    for (score, accepts) in [(Some(-300), true), (Some(100), false), (Some(0), false), (None, false)] {
        let mut room = Room::new(setting(Seat::Human, script("e5", score)), None);
        room.play("e4");
        room.wait();
        let events = room.obey(Order::Draw);
        assert_eq!(room.table.game().is_over(), accepts, "{score:?}");
        assert_eq!(has_note(&events, "script declines the draw"), !accepts);
    }
}

#[test]
fn a_program_that_is_not_better_claims_a_draw() {
    let mut room = Room::new(setting(Seat::Human, script("Nf6 Ng8 Nf6 Ng8 Nf6", Some(0))), None);
    for text in ["Nf3", "Ng1", "Nf3", "Ng1"] {
        room.play(text);
        room.wait();
    }
    // The start position stands for the third time, and the human may claim; having gone on, the program may.
    assert!(room.table.game().claimable().is_some());
    room.play("Nf3");
    assert_eq!(outcome(&room.wait()).reason, Reason::ThreefoldRepetition);
}

#[test]
fn clocks_run_from_the_second_move_and_flags_fall() {
    let mut timed = setting(Seat::Human, Seat::Human);
    timed.clock = crate::parse_clock("1+2").expect("a clock");
    let mut room = Room::new(timed, None);
    room.later(100);
    let left = |room: &Room, color| room.table.time_left(color, room.now).expect("a clock").as_secs();
    assert_eq!((left(&room, Color::White), room.table.deadline()), (60, None));
    room.play("e4");
    room.later(100);
    assert_eq!((left(&room, Color::Black), room.table.deadline()), (60, None));
    room.play("e5");
    room.later(10);
    assert_eq!((left(&room, Color::White), left(&room, Color::Black)), (50, 60));
    room.play("Nf3");
    assert_eq!(left(&room, Color::White), 52);
    room.later(20);
    room.obey(Order::Pause);
    room.later(1000);
    assert_eq!(left(&room, Color::Black), 40);
    room.obey(Order::Undo);
    assert_eq!((left(&room, Color::White), left(&room, Color::Black)), (60, 60), "as it was after 1. e4 e5");
    room.play("Nc3");
    assert_eq!(room.table.deadline(), Some(room.now + Duration::from_secs(60)));
    room.later(60);
    let events = room.table.tick(room.now);
    assert_eq!(outcome(&events), Outcome::win(Color::White, Reason::TimeForfeit));
    assert_eq!(room.table.deadline(), None);
}

#[test]
fn a_move_after_the_flag_fell_comes_too_late() {
    let mut timed = setting(Seat::Human, script("e5 Nc6", None));
    timed.clock = crate::parse_clock("1").expect("a clock");
    let mut room = Room::new(timed, None);
    room.play("e4");
    room.wait();
    room.play("Nf3");
    room.later(60);
    let events = room.wait();
    assert_eq!(outcome(&events), Outcome::win(Color::White, Reason::TimeForfeit));
    assert_eq!(room.moves(), "1. e4 e5 2. Nf3");
}

#[test]
fn sides_and_players_are_changed() {
    let mut room = Room::new(setting(Seat::Human, script("e5 Nf3 wait", None)), None);
    room.play("e4");
    room.wait();
    room.obey(Order::Switch);
    room.wait();
    assert_eq!(room.moves(), "1. e4 e5 2. Nf3");
    assert!(room.table.seat(Color::Black).is_human());
    room.obey(Order::Opponent(Seat::Human));
    room.play("Nc6 Bb5");
    assert_eq!(room.moves(), "1. e4 e5 2. Nf3 Nc6 3. Bb5");
    room.obey(Order::Sit(Color::Black, script("x x a6", None)));
    room.wait();
    assert_eq!(room.moves(), "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6");
}

#[test]
fn hints_and_analysis_are_of_full_strength_and_belong_to_the_position() {
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    let start = Start::Position(Box::new(Position::from_fen(fen).expect("a position")));
    let mut room = Room::new(Setting { start, ..setting(Seat::Human, Seat::Human) }, None);
    room.obey(Order::Hint);
    assert!(room.table.is_busy());
    let [Event::Hint { position, line }] = &room.wait()[..] else { panic!("no hint") };
    assert_eq!(line.moves.first().map(|&mv| position.san(mv).to_string()), Some("Ra8#".to_owned()));
    assert_eq!(line.score, EvalScore::Mate(1));
    room.obey(Order::Analyse);
    let [Event::Analysis { lines, .. }] = &room.wait()[..] else { panic!("no analysis") };
    assert_eq!(lines.len(), 3);
    room.obey(Order::Hint);
    room.play("Ra8");
    assert!(!room.table.is_busy(), "nobody needs the hint any more");
    assert!(refusal(&room.obey(Order::Hint)).starts_with("the game is over"));
}

#[test]
fn the_analysis_follows_the_game() {
    let mut room = Room::humans();
    room.obey(Order::Watch(true));
    assert_eq!(room.wait(), [Event::Lines]);
    assert!(!room.table.is_busy(), "nobody waits for it");
    room.play("e4");
    assert!(room.table.lines().is_empty(), "old lines are gone");
    room.wait();
    let first = room.table.lines().first().and_then(|line| line.moves.first().copied()).expect("a line");
    assert!(room.table.game().position().is_legal(first));
    room.obey(Order::Watch(false));
    assert!(room.table.lines().is_empty() && !room.table.is_watching());
}

fn unfinished(directory: &Path) -> (Store, Option<PgnGame>) {
    Store::open(directory, Slot::Resume).expect("a store")
}

#[test]
fn a_broken_off_game_is_resumed_as_it_was() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut timed = setting(Seat::Human, "piglet".parse().expect("a seat"));
    timed.seats[1] = Seat::Human;
    timed.clock = crate::parse_clock("5+3").expect("a clock");
    let (store, none) = unfinished(directory.path());
    assert_eq!(none, None);
    let mut room = Room::new(timed, Some(store));
    room.play("e4 e5 Nf3");
    room.later(7);
    room.play("Nc6 Bb5");
    // No farewell: as after a crash.
    drop(room);

    let (store, game) = unfinished(directory.path());
    let mut room = Room::new(setting(script("wait", None), Seat::Human), None);
    room.table.store = Some(store);
    room.table.resume(&game.expect("an unfinished game"));
    assert!(has_note(&room.table.begin(room.now), "your unfinished game goes on"));
    assert_eq!(room.moves(), "1. e4 e5 2. Nf3 Nc6 3. Bb5");
    assert!(room.table.seat(Color::White).is_human());
    assert_eq!(room.table.time_left(Color::Black, room.now), Some(Duration::from_secs(296)));
    room.later(500);
    assert_eq!(room.table.time_left(Color::Black, room.now), Some(Duration::from_secs(296)), "paused");
    room.play("a6");
    room.obey(Order::Resign);
    room.table.leave();
    drop(room);

    let (_store, none) = unfinished(directory.path());
    assert_eq!(none, None);
    let archive = std::fs::read_to_string(directory.path().join("games.pgn")).expect("an archive");
    let game = Reader::new(archive.as_bytes()).next().expect("a game").expect("without fault");
    assert_eq!((game.moves().count(), game.result()), (6, chess::GameResult::BlackWins));
}

#[test]
fn games_are_saved_and_loaded() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("games/mine.pgn");
    let mut room = Room::humans();
    room.play("e4 e5");
    assert!(has_note(&room.obey(Order::Save(path.clone())), "saved to"));
    room.obey(Order::New(Some(Start::Chess960(Some(0)))));
    assert_eq!(room.table.game().variant(), Variant::Chess960);
    room.play("c4");
    room.obey(Order::Save(path.clone()));
    room.obey(Order::Load(path.clone(), 1));
    assert_eq!(room.moves(), "1. e4 e5");
    room.obey(Order::Load(path.clone(), 2));
    assert_eq!(room.moves(), "1. c4");
    assert!(refusal(&room.obey(Order::Load(path, 3))).ends_with("has only 2 games"));
    assert!(refusal(&room.obey(Order::Save("/dev/null/x".into()))).starts_with("cannot write"));
    assert_eq!(room.moves(), "1. c4", "a failed load changes nothing");
    room.obey(Order::Goto(0));
    assert_eq!(room.moves(), "");
    assert_eq!(refusal(&room.obey(Order::Goto(2))), "the game has only 1 half-moves");
}

#[test]
fn a_demonstration_replays_all_games_of_a_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("games.pgn");
    std::fs::write(&path, "[White \"Anderssen\"]\n\n1. e4 e5 1-0\n\n1. d4 Ke4 *\n\n1. c4 *\n")
        .expect("written");
    let mut room = Room::new(setting(Seat::Human, script("wait", None)), None);
    room.obey(Order::Pace(Duration::from_secs(5)));
    assert!(has_note(&room.obey(Order::Demo(path)), "Anderssen against"));
    assert!(refusal(&room.play("e4")).contains("a demonstration is running"));
    assert!(room.table.tick(room.now).is_empty(), "not yet");
    for expected in ["1. e4", "1. e4 e5"] {
        room.now = room.table.deadline().expect("a move to come");
        room.table.tick(room.now);
        assert_eq!(room.moves(), expected);
    }
    room.obey(Order::Undo);
    assert_eq!((room.moves().as_str(), room.table.deadline()), ("1. e4", None), "held");
    room.obey(Order::Go);
    let mut told = Vec::new();
    while room.table.is_demo() {
        room.now = room.table.deadline().expect("a move to come");
        told.extend(room.table.tick(room.now));
    }
    let faulty =
        |event: &Event| matches!(event, Event::Refused(reason) if reason.contains("a king does not move"));
    assert!(told.iter().any(faulty), "the faulty game is named: {told:?}");
    assert!(has_note(&told, "that was the last game"));
    assert_eq!(room.moves(), "1. c4");
    assert_eq!(refusal(&room.play("e5")), "it is Black's move, and script plays Black: go lets it move");
}
