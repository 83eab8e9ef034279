//! The game without a terminal. Programs are scripts; time is whatever the test says.

use super::*;
use crate::StartPosition;
use crate::store::Slot;
use chess::pgn::{EvalScore, Reader};
use chess::{Reason, Variant};
use engine::StopToken;
use players::{Player, Thought, Turn};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

/// Plays the moves it was given, and reports the same score for each.
struct Script {
    moves: Vec<&'static str>,
    score: Option<EvalScore>,
    stop: StopToken,
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
                if self.stop.is_stopped() {
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
        Ok(Answer { decision, thought, elapsed: Duration::ZERO, classic: None })
    }
}

fn script(moves: &'static str, score: Option<i32>) -> Participant {
    Participant::custom("script", move |stop| {
        let moves = moves.split_whitespace().collect();
        Box::new(Script { moves, score: score.map(EvalScore::Centipawns), stop })
    })
}

/// A game, the reports for it, and the time there.
struct Fixture {
    local_game: LocalGame,
    reports: Receiver<Report>,
    now: Instant,
}

fn setup(white: Participant, black: Participant) -> GameSetup {
    GameSetup {
        start: StartPosition::Standard,
        participants: [white, black],
        clock: None,
        programs_resign: false,
    }
}

impl Fixture {
    fn new(setup: GameSetup, store: Option<Store>) -> Self {
        let (sender, reports) = mpsc::channel();
        let reporter = Arc::new(move |report| {
            let _ = sender.send(report);
        });
        let mut fixture =
            Self { local_game: LocalGame::new(setup, store, reporter), reports, now: Instant::now() };
        fixture.local_game.begin(fixture.now);
        fixture
    }

    fn humans() -> Self {
        Self::new(setup(Participant::Human, Participant::Human), None)
    }

    fn execute(&mut self, command: GameCommand) -> Vec<Event> {
        self.local_game.execute(command, self.now)
    }

    fn play(&mut self, moves: &str) -> Vec<Event> {
        moves.split_whitespace().flat_map(|text| self.execute(GameCommand::Type(text.to_owned()))).collect()
    }

    /// Waits for the next report that leads to something.
    fn wait(&mut self) -> Vec<Event> {
        loop {
            let report = self.reports.recv().expect("a report");
            let events = self.local_game.take_report(report, self.now);
            if !events.is_empty() {
                return events;
            }
        }
    }

    fn later(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
    }

    fn moves(&self) -> String {
        crate::words::numbered(self.local_game.game().start(), self.local_game.game().moves()).join(" ")
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
    let mut fixture = Fixture::humans();
    let events = fixture.play("f3 e5 g4 Qh4");
    assert_eq!(outcome(&events), Outcome::win(Color::Black, Reason::Checkmate));
    assert_eq!(fixture.moves(), "1. f3 e5 2. g4 Qh4#");
    assert_eq!(refusal(&fixture.play("e4")), "the game is over: White is checkmated");
    assert_eq!(fixture.execute(GameCommand::Undo), [Event::Changed]);
    assert!(!fixture.local_game.game().is_over());
}

#[test]
fn wrong_moves_get_a_reason() {
    let fen = "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1";
    let start = StartPosition::Position(Box::new(Position::from_fen(fen).expect("a position").into()));
    let mut fixture =
        Fixture::new(GameSetup { start, ..setup(Participant::Human, Participant::Human) }, None);
    assert_eq!(refusal(&fixture.play("Nf3")), "the knight on d2 is pinned to the king");
    assert_eq!(refusal(&fixture.play("e1e3")), "e1e3 is not legal: a king does not move like that");
    let illegal = GameCommand::Play(Move::normal(chess::Square::A1, chess::Square::A2));
    assert!(refusal(&fixture.execute(illegal)).contains("illegal"));
    assert_eq!(fixture.local_game.game().ply(), 0);
}

#[test]
fn a_program_answers_and_waits_its_turn() {
    let mut fixture = Fixture::new(setup(Participant::Human, script("e5 Nc6", None)), None);
    assert!(!fixture.local_game.is_busy());
    fixture.play("e4");
    assert_eq!(fixture.local_game.thinking(), Some(Color::Black));
    assert_eq!(refusal(&fixture.play("e5")), "it is Black's move, and script plays Black");
    assert!(matches!(fixture.wait()[..], [Event::Moved { .. }]));
    fixture.play("Nf3");
    fixture.wait();
    assert_eq!(fixture.moves(), "1. e4 e5 2. Nf3 Nc6");
}

#[test]
fn undo_goes_back_to_the_human_and_redo_forward() {
    let mut fixture = Fixture::new(setup(Participant::Human, script("e5 Nc6", None)), None);
    assert_eq!(refusal(&fixture.execute(GameCommand::Undo)), "there is no move to take back");
    fixture.play("e4");
    fixture.wait();
    fixture.play("Nf3");
    fixture.wait();
    fixture.execute(GameCommand::Undo);
    assert_eq!(fixture.moves(), "1. e4 e5");
    fixture.execute(GameCommand::Redo);
    assert_eq!(fixture.moves(), "1. e4 e5 2. Nf3 Nc6");
    assert_eq!(refusal(&fixture.execute(GameCommand::Redo)), "there is no move to play again");
    fixture.execute(GameCommand::Undo);
    fixture.execute(GameCommand::Undo);
    assert_eq!((fixture.moves(), fixture.local_game.is_busy()), (String::new(), false));
    // While the program thinks, undo interrupts it and takes back what it thinks about.
    fixture.play("d4");
    fixture.execute(GameCommand::Undo);
    assert_eq!((fixture.local_game.thinking(), fixture.local_game.game().ply()), (None, 0));
}

#[test]
fn an_interrupted_program_says_nothing_more() {
    let mut fixture = Fixture::new(setup(Participant::Human, script("wait", None)), None);
    fixture.play("e4");
    fixture.execute(GameCommand::New(None));
    fixture.play("d4");
    let stale = fixture.reports.recv().expect("the interrupted search");
    assert!(fixture.local_game.take_report(stale, fixture.now).is_empty());
    assert_eq!(fixture.local_game.thinking(), Some(Color::Black), "the new search continues");
}

#[test]
fn the_first_move_of_a_program_cannot_be_taken_back_by_its_opponent() {
    let mut fixture = Fixture::new(setup(script("e4 Nf3", None), Participant::Human), None);
    fixture.wait();
    assert_eq!(refusal(&fixture.execute(GameCommand::Undo)), "there is no move to take back");
    assert_eq!(fixture.moves(), "1. e4");
}

#[test]
fn programs_play_each_other_until_somebody_pauses() {
    let mut fixture = Fixture::new(setup(script("e4 Nf3 Bb5", None), script("e5 Nc6 wait", None)), None);
    for _ in 0..4 {
        fixture.wait();
    }
    fixture.execute(GameCommand::Undo);
    assert!(fixture.local_game.is_paused() && !fixture.local_game.is_busy());
    assert_eq!(fixture.moves(), "1. e4 e5 2. Nf3");
    fixture.execute(GameCommand::Go);
    fixture.wait();
    assert_eq!(fixture.moves(), "1. e4 e5 2. Nf3 Nc6");
    fixture.execute(GameCommand::Pause);
    assert!(!fixture.local_game.is_busy());
    assert_eq!(refusal(&fixture.execute(GameCommand::Resign)), "no person plays here");
}

#[test]
fn a_program_that_fails_hands_its_side_over() {
    for (moves, reason) in [("crash", "it fell over"), ("panic", "it has panicked")] {
        let mut fixture = Fixture::new(setup(Participant::Human, script(moves, None)), None);
        fixture.play("e4");
        let events = fixture.wait();
        assert!(has_note(&events, reason) && has_note(&events, "you play Black now"), "{events:?}");
        fixture.play("e5");
        assert_eq!(fixture.moves(), "1. e4 e5");
    }
    let chess960 = GameSetup {
        start: StartPosition::Chess960(Some(0)),
        ..setup(script("e4", None), Participant::Human)
    };
    let mut fixture = Fixture::new(chess960, None);
    assert!(has_note(&fixture.wait(), "does not know Chess960"));
}

#[test]
fn programs_may_resign() {
    let mut fixture = Fixture::new(setup(Participant::Human, script("resign", None)), None);
    fixture.play("e4");
    assert_eq!(outcome(&fixture.wait()), Outcome::win(Color::White, Reason::Resignation));
    let mut resigning = setup(Participant::Human, script("a6 b6 c6 d6 e6", Some(-2000)));
    resigning.programs_resign = true;
    let mut fixture = Fixture::new(resigning, None);
    for text in ["a3", "b3", "c3"] {
        fixture.play(text);
        fixture.wait();
    }
    fixture.play("d3");
    assert_eq!(outcome(&fixture.wait()), Outcome::win(Color::White, Reason::Resignation));
}

#[test]
fn draws_are_offered_declined_accepted_and_claimed() {
    let mut fixture = Fixture::humans();
    assert_eq!(refusal(&fixture.execute(GameCommand::Accept)), "there is no draw offer");
    assert_eq!(fixture.execute(GameCommand::Draw), [Event::DrawOffered(Color::White)]);
    assert_eq!(fixture.local_game.offer(), Some(Color::White));
    fixture.play("e4");
    assert_eq!(fixture.local_game.offer(), Some(Color::White), "an offer stands until it is answered");
    fixture.play("e5");
    assert_eq!(fixture.local_game.offer(), None, "a move declines it");
    fixture.execute(GameCommand::Draw);
    assert!(has_note(&fixture.execute(GameCommand::Decline), "Black declines"));
    assert!(refusal(&fixture.execute(GameCommand::Claim)).starts_with("no draw to claim"));
    fixture.play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    let claimed = outcome(&fixture.execute(GameCommand::Draw));
    assert_eq!(claimed.reason, Reason::ThreefoldRepetition);
}

#[test]
fn a_program_accepts_a_draw_by_its_score() {
    for (score, accepts) in [(Some(-300), true), (Some(100), false), (Some(0), false), (None, false)] {
        let mut fixture = Fixture::new(setup(Participant::Human, script("e5", score)), None);
        fixture.play("e4");
        fixture.wait();
        let events = fixture.execute(GameCommand::Draw);
        assert_eq!(fixture.local_game.game().is_over(), accepts, "{score:?}");
        assert_eq!(has_note(&events, "script declines the draw"), !accepts);
    }
}

#[test]
fn a_program_that_is_not_better_claims_a_draw() {
    let mut fixture = Fixture::new(setup(Participant::Human, script("Nf6 Ng8 Nf6 Ng8 Nf6", Some(0))), None);
    for text in ["Nf3", "Ng1", "Nf3", "Ng1"] {
        fixture.play(text);
        fixture.wait();
    }
    // The start position stands for the third time, and the human may claim; after its next move the program may.
    assert!(fixture.local_game.game().claimable().is_some());
    fixture.play("Nf3");
    assert_eq!(outcome(&fixture.wait()).reason, Reason::ThreefoldRepetition);
}

#[test]
fn clocks_run_from_the_second_move_and_flags_fall() {
    let mut timed = setup(Participant::Human, Participant::Human);
    timed.clock = crate::parse_clock("1+2").expect("a clock");
    let mut fixture = Fixture::new(timed, None);
    fixture.later(100);
    let left = |fixture: &Fixture, color| {
        fixture.local_game.time_left(color, fixture.now).expect("a clock").as_secs()
    };
    assert_eq!((left(&fixture, Color::White), fixture.local_game.deadline()), (60, None));
    fixture.play("e4");
    fixture.later(100);
    assert_eq!((left(&fixture, Color::Black), fixture.local_game.deadline()), (60, None));
    fixture.play("e5");
    fixture.later(10);
    assert_eq!((left(&fixture, Color::White), left(&fixture, Color::Black)), (50, 60));
    fixture.play("Nf3");
    assert_eq!(left(&fixture, Color::White), 52);
    fixture.later(20);
    fixture.execute(GameCommand::Pause);
    fixture.later(1000);
    assert_eq!(left(&fixture, Color::Black), 40);
    fixture.execute(GameCommand::Undo);
    assert_eq!(
        (left(&fixture, Color::White), left(&fixture, Color::Black)),
        (60, 60),
        "as it was after 1. e4 e5"
    );
    fixture.play("Nc3");
    assert_eq!(fixture.local_game.deadline(), Some(fixture.now + Duration::from_secs(60)));
    fixture.later(60);
    let events = fixture.local_game.tick(fixture.now);
    assert_eq!(outcome(&events), Outcome::win(Color::White, Reason::TimeForfeit));
    assert_eq!(fixture.local_game.deadline(), None);
}

#[test]
fn a_move_after_the_flag_fell_comes_too_late() {
    let mut timed = setup(Participant::Human, script("e5 Nc6", None));
    timed.clock = crate::parse_clock("1").expect("a clock");
    let mut fixture = Fixture::new(timed, None);
    fixture.play("e4");
    fixture.wait();
    fixture.play("Nf3");
    fixture.later(60);
    let events = fixture.wait();
    assert_eq!(outcome(&events), Outcome::win(Color::White, Reason::TimeForfeit));
    assert_eq!(fixture.moves(), "1. e4 e5 2. Nf3");
}

#[test]
fn sides_and_players_are_changed() {
    let mut fixture = Fixture::new(setup(Participant::Human, script("e5 Nf3 wait", None)), None);
    fixture.play("e4");
    fixture.wait();
    fixture.execute(GameCommand::Switch);
    fixture.wait();
    assert_eq!(fixture.moves(), "1. e4 e5 2. Nf3");
    assert!(fixture.local_game.participant(Color::Black).is_human());
    fixture.execute(GameCommand::Opponent(Participant::Human));
    fixture.play("Nc6 Bb5");
    assert_eq!(fixture.moves(), "1. e4 e5 2. Nf3 Nc6 3. Bb5");
    fixture.execute(GameCommand::SetPlayer(Color::Black, script("x x a6", None)));
    fixture.wait();
    assert_eq!(fixture.moves(), "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6");
}

#[test]
fn hints_and_analysis_are_of_full_strength_and_belong_to_the_position() {
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    let start = StartPosition::Position(Box::new(Position::from_fen(fen).expect("a position").into()));
    let mut fixture =
        Fixture::new(GameSetup { start, ..setup(Participant::Human, Participant::Human) }, None);
    fixture.execute(GameCommand::Hint);
    assert!(fixture.local_game.is_busy());
    let step = |events: &[Event]| match events {
        [Event::Hint { step, .. }] => step.clone(),
        other => panic!("no hint: {other:?}"),
    };
    assert!(step(&fixture.wait()).square.is_some(), "the first step says what to look at");
    let idea = step(&fixture.execute(GameCommand::Hint));
    assert_eq!((&idea.text[..], idea.mv), ("There is a mate in one.", None));
    let answer = step(&fixture.execute(GameCommand::Hint));
    let san = answer.mv.map(|mv| fixture.local_game.game().position().san(mv).to_string());
    assert_eq!(san.as_deref(), Some("Ra8#"));
    fixture.execute(GameCommand::Analyse);
    let [Event::Analysis { lines, .. }] = &fixture.wait()[..] else { panic!("no analysis") };
    assert_eq!(lines.len(), 3);
    fixture.execute(GameCommand::Hint);
    fixture.play("Ra8");
    assert!(!fixture.local_game.is_busy(), "the hint is no longer needed");
    assert!(refusal(&fixture.execute(GameCommand::Hint)).starts_with("the game is over"));
}

#[test]
fn the_coach_explains_moves_and_threats() {
    let mut fixture = Fixture::humans();
    let advice = |events: Vec<Event>| match &events[..] {
        [Event::Advice(text)] => text.clone(),
        other => panic!("no advice: {other:?}"),
    };
    fixture.play("e4 e5 Bc4 Nc6 Qh5");
    fixture.execute(GameCommand::Threat);
    assert_eq!(advice(fixture.wait()), "White threatens mate with 4. Qxf7#.");
    fixture.execute(GameCommand::Why(Some("Nf6".to_owned())));
    let why = advice(fixture.wait());
    assert!(why.starts_with("Nf6 is a blunder. This allows mate at once: 4. Qxf7#."), "{why}");
    assert!(!refusal(&fixture.execute(GameCommand::Why(Some("Nf3".to_owned())))).is_empty());
    fixture.play("Nf6 Qxf7");
    // The move that has ended the game can be asked about; what comes next cannot.
    fixture.execute(GameCommand::Why(None));
    assert_eq!(advice(fixture.wait()), "Qxf7# is a good move. It is checkmate.");
    assert!(refusal(&fixture.execute(GameCommand::Threat)).starts_with("the game is over"));
}

#[test]
fn the_analysis_follows_the_game() {
    let mut fixture = Fixture::humans();
    fixture.execute(GameCommand::Watch(true));
    assert_eq!(fixture.wait(), [Event::Lines]);
    assert!(!fixture.local_game.is_busy(), "no answer is awaited");
    fixture.play("e4");
    assert!(fixture.local_game.lines().is_empty(), "old lines are gone");
    fixture.wait();
    let first =
        fixture.local_game.lines().first().and_then(|line| line.moves.first().copied()).expect("a line");
    assert!(fixture.local_game.game().position().is_legal(first));
    fixture.execute(GameCommand::Watch(false));
    assert!(fixture.local_game.lines().is_empty() && !fixture.local_game.is_watching());
}

fn unfinished(directory: &Path) -> (Store, Option<PgnGame>) {
    Store::open(directory, Slot::Resume).expect("a store")
}

#[test]
fn a_broken_off_game_is_resumed_as_it_was() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut timed = setup(Participant::Human, "piglet".parse().expect("a player"));
    timed.participants[1] = Participant::Human;
    timed.clock = crate::parse_clock("5+3").expect("a clock");
    let (store, none) = unfinished(directory.path());
    assert_eq!(none, None);
    let mut fixture = Fixture::new(timed, Some(store));
    fixture.play("e4 e5 Nf3");
    fixture.later(7);
    fixture.play("Nc6 Bb5");
    // No farewell: as after a crash.
    drop(fixture);

    let (store, game) = unfinished(directory.path());
    let mut fixture = Fixture::new(setup(script("wait", None), Participant::Human), None);
    fixture.local_game.store = Some(store);
    fixture.local_game.resume(&game.expect("an unfinished game"));
    assert!(has_note(&fixture.local_game.begin(fixture.now), "your unfinished game is resumed"));
    assert_eq!(fixture.moves(), "1. e4 e5 2. Nf3 Nc6 3. Bb5");
    assert!(fixture.local_game.participant(Color::White).is_human());
    assert_eq!(fixture.local_game.time_left(Color::Black, fixture.now), Some(Duration::from_secs(296)));
    fixture.later(500);
    assert_eq!(
        fixture.local_game.time_left(Color::Black, fixture.now),
        Some(Duration::from_secs(296)),
        "paused"
    );
    fixture.play("a6");
    fixture.execute(GameCommand::Resign);
    fixture.local_game.leave();
    drop(fixture);

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
    let mut fixture = Fixture::humans();
    fixture.play("e4 e5");
    assert!(has_note(&fixture.execute(GameCommand::Save(path.clone())), "saved to"));
    fixture.execute(GameCommand::New(Some(StartPosition::Chess960(Some(0)))));
    assert_eq!(fixture.local_game.game().variant(), Variant::Chess960);
    fixture.play("c4");
    fixture.execute(GameCommand::Save(path.clone()));
    fixture.execute(GameCommand::Load(path.clone(), 1));
    assert_eq!(fixture.moves(), "1. e4 e5");
    fixture.execute(GameCommand::Load(path.clone(), 2));
    assert_eq!(fixture.moves(), "1. c4");
    assert!(refusal(&fixture.execute(GameCommand::Load(path, 3))).ends_with("has only 2 games"));
    assert!(refusal(&fixture.execute(GameCommand::Save("/dev/null/x".into()))).starts_with("cannot write"));
    assert_eq!(fixture.moves(), "1. c4", "a failed load changes nothing");
    fixture.execute(GameCommand::Goto(0));
    assert_eq!(fixture.moves(), "");
    assert_eq!(refusal(&fixture.execute(GameCommand::Goto(2))), "the game has only 1 half-move");
}

#[test]
fn a_demonstration_replays_all_games_of_a_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("games.pgn");
    std::fs::write(&path, "[White \"Anderssen\"]\n\n1. e4 e5 1-0\n\n1. d4 Ke4 *\n\n1. c4 *\n")
        .expect("written");
    let mut fixture = Fixture::new(setup(Participant::Human, script("wait", None)), None);
    fixture.execute(GameCommand::Pace(Duration::from_secs(5)));
    assert!(has_note(&fixture.execute(GameCommand::Demo(path)), "Anderssen against"));
    assert!(refusal(&fixture.play("e4")).contains("a demonstration is running"));
    assert!(fixture.local_game.tick(fixture.now).is_empty(), "not yet");
    for expected in ["1. e4", "1. e4 e5"] {
        fixture.now = fixture.local_game.deadline().expect("a move to come");
        fixture.local_game.tick(fixture.now);
        assert_eq!(fixture.moves(), expected);
    }
    fixture.execute(GameCommand::Undo);
    assert_eq!((fixture.moves().as_str(), fixture.local_game.deadline()), ("1. e4", None), "held");
    fixture.execute(GameCommand::Go);
    let mut events = Vec::new();
    while fixture.local_game.is_demo() {
        fixture.now = fixture.local_game.deadline().expect("a move to come");
        events.extend(fixture.local_game.tick(fixture.now));
    }
    let faulty = |event: &Event| matches!(event, Event::Note(note) if note.contains("a king does not move"));
    assert!(events.iter().any(faulty), "the faulty game is named: {events:?}");
    assert!(has_note(&events, "that was the last game"));
    assert_eq!(fixture.moves(), "1. c4");
    assert_eq!(refusal(&fixture.play("e5")), "it is Black's move, and script plays Black: go lets it move");
}
