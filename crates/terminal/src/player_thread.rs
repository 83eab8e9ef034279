//! Players on threads of their own, so that the game never waits for them.

use crate::analyst::{Advice, AnalysisUpdate};
use crate::participant::{PATIENCE, Program};
use chess::{Game, Variant};
use engine::StopToken;
use players::{Answer, ClockFace, Failure, Limit, Turn};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// Distinguishes the requests to players and analyst, so that late answers can be dropped.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RequestId(pub u64);

/// What comes back from players and analyst.
#[derive(Clone, PartialEq, Debug)]
pub enum Report {
    /// A player has decided, or failed.
    Decided(RequestId, Result<Answer, Failure>),
    /// The analyst has something to say.
    Analysed(RequestId, AnalysisUpdate),
    /// The coach has answered.
    Advised(RequestId, Advice),
}

/// Takes reports, from any thread.
pub(crate) type Reporter = Arc<dyn Fn(Report) + Send + Sync>;

/// A request to a player.
pub(crate) struct MoveRequest {
    pub id: RequestId,
    pub game: Game,
    pub limit: Limit,
    pub clocks: [Option<ClockFace>; 2],
}

/// The game that a player is started for.
#[derive(Copy, Clone, Debug)]
pub(crate) struct GameContext {
    pub variant: Variant,
    /// What chance in this game follows from.
    pub seed: u32,
}

/// A player on its thread. Dropping it interrupts what it thinks; later reports of it are ignored.
pub(crate) struct PlayerThread {
    requests: Sender<MoveRequest>,
    stop: StopToken,
}

impl PlayerThread {
    /// Starts the player of a game.
    pub(crate) fn start(program: Program, context: GameContext, reporter: Reporter) -> std::io::Result<Self> {
        let (sender, requests) = mpsc::channel();
        let stop = StopToken::new();
        let signal = stop.clone();
        std::thread::Builder::new()
            .name("player".to_owned())
            .spawn(move || work(&program, context, &requests, &signal, &reporter))?;
        Ok(Self { requests: sender, stop })
    }

    /// Asks for a move. Returns whether the player is still there to answer.
    pub(crate) fn ask(&self, request: MoveRequest) -> bool {
        self.requests.send(request).is_ok()
    }
}

impl Drop for PlayerThread {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

fn work(
    program: &Program,
    context: GameContext,
    requests: &Receiver<MoveRequest>,
    stop: &StopToken,
    reporter: &Reporter,
) {
    let mut player = program.start(stop.clone(), context.seed).and_then(|mut player| {
        player.new_game(context.variant)?;
        Ok(player)
    });
    while let Ok(request) = requests.recv() {
        let mut promise = Promise { id: request.id, reporter, answer: None };
        promise.answer = Some(match &mut player {
            Err(failure) => Err(failure.clone()),
            Ok(player) => player.choose(&request.turn()),
        });
    }
}

impl MoveRequest {
    fn turn(&self) -> Turn<'_> {
        let side = self.game.position().turn().index();
        // Without clock and time for a move a player may take as long as it likes.
        let allowed = self.clocks[side].map(|face| face.left).or(self.limit.move_time);
        let patience = allowed.map_or(Duration::MAX / 2, |time| time + PATIENCE);
        Turn { game: &self.game, limit: self.limit, clocks: self.clocks, patience }
    }
}

/// Answers a request, even if the player panics.
struct Promise<'a> {
    id: RequestId,
    reporter: &'a Reporter,
    answer: Option<Result<Answer, Failure>>,
}

impl Drop for Promise<'_> {
    fn drop(&mut self) {
        let panicked = || Err(Failure::Crash("it has panicked".to_owned()));
        (self.reporter)(Report::Decided(self.id, self.answer.take().unwrap_or_else(panicked)));
    }
}
