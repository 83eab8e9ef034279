//! Plays one game after the other.

use crate::opening;
use chess::random::Random;
use chess::{Color, Game, PlayError, Position};
use data::{Filter, GameRecord, RecordError, ScoredMove, Verdict};
use engine::{Engine, Limits, OptionError, PositionSampler, Score, SearchError};
use players::{AdjudicationRules, Adjudicator, DrawRule, ResignRule};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Openings beyond this score are dropped: they are decided and teach little.
const MAX_OPENING_SCORE: i32 = 350;

/// The nodes of the search that finds out.
const OPENING_NODES: u64 = 2_000;

/// Games whose result is clear are ended, so that time goes into positions that teach something. A draw counts only
/// from this move on: before it, scores near zero are common and mean little.
const DRAW: DrawRule = DrawRule { from_move: 45, moves: 6, centipawns: 3 };
const RESIGN: ResignRule = ResignRule { moves: 3, centipawns: 500, both: true };

/// A search may go this much beyond the soft limit to finish its iteration.
const HARD_LIMIT: u64 = 4;

/// How games are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What the random openings follow from.
    pub seed: u64,
    /// Nodes a move; the iteration under way is finished if that takes no more than four times as many.
    pub nodes: u64,
    /// The engine's transposition table in MiB.
    pub hash: u32,
    /// The percentage of games that begin from start positions of double Chess960, where each side has a back rank of
    /// its own.
    pub chess960_percent: u8,
    /// Directories of Syzygy tablebases; none if empty.
    pub tablebases: String,
    /// Other options of the engine, by name and value.
    pub options: Vec<(String, String)>,
    /// Games to start near, a random move or two away from one of their positions, instead of random openings.
    pub perturbed: Arc<[GameRecord]>,
    /// After this many half-moves a game is broken off, without a result.
    pub max_plies: Option<usize>,
    /// One of this many positions evaluated inside the searches is recorded too, if it is quiet, with the score of a
    /// search of its own.
    pub sample_every: Option<NonZeroU64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            nodes: 400,
            hash: 8,
            chess960_percent: 10,
            tablebases: String::new(),
            options: Vec::new(),
            perturbed: [].into(),
            max_plies: None,
            sample_every: None,
        }
    }
}

/// A game and what came with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The game.
    pub game: GameRecord,
    /// Positions from inside its searches.
    pub samples: Vec<GameRecord>,
}

/// Why no game could be played.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SelfPlayError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("game {0}: the engine gave no move")]
    NoMove(u64),
    #[error("game {game}: {source}")]
    Search { game: u64, source: SearchError },
    #[error("game {game}: {source}")]
    Move { game: u64, source: PlayError },
    #[error("game {game}: {source}")]
    Record { game: u64, source: RecordError },
    #[error("a thread that plays games has ended unexpectedly")]
    Thread,
}

/// One engine that plays both sides.
pub struct Player {
    engine: Engine,
    settings: Settings,
}

impl Player {
    /// A player with an engine of its own, which searches on the thread that plays: it needs a stack of
    /// [`engine::STACK_SIZE`].
    ///
    /// # Errors
    /// When the engine cannot be had with these settings.
    pub fn new(settings: &Settings) -> Result<Self, SelfPlayError> {
        let mut engine = Engine::in_place();
        engine.configure(|engine| {
            engine.hash = settings.hash as usize;
            engine.syzygy_path.clone_from(&settings.tablebases);
        })?;
        for (name, value) in &settings.options {
            engine.set_option(name, value)?;
        }
        Ok(Self { engine, settings: settings.clone() })
    }

    /// Plays game number `index`, or gives up when `stop` is set.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn play(&mut self, index: u64, stop: &AtomicBool) -> Result<Option<Played>, SelfPlayError> {
        let mut random = Random::stream(self.settings.seed, index);
        let start = opening::Start::draw(&mut random, self.settings.chess960_percent);
        loop {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if !self.settings.perturbed.is_empty() {
                let Some(start) = opening::perturbed(&mut random, &self.settings.perturbed) else { continue };
                self.engine.new_game();
                return self.play_from(index, Game::from_position(start), stop);
            }
            let Some(opening) = opening::draw(&mut random, start) else { continue };
            self.engine.new_game();
            let game = Game::with_variant(*opening.position(), opening.variant());
            if self.is_balanced(index, &game)? {
                return self.play_from(index, game, stop);
            }
        }
    }

    /// Whether both sides have chances in an opening.
    fn is_balanced(&mut self, index: u64, opening: &Game) -> Result<bool, SelfPlayError> {
        let limits = Limits { nodes: Some(OPENING_NODES), ..Limits::default() };
        let (_, score) = self.search(index, opening, limits)?;
        Ok(score.units().abs() <= MAX_OPENING_SCORE)
    }

    fn play_from(
        &mut self,
        index: u64,
        mut game: Game,
        stop: &AtomicBool,
    ) -> Result<Option<Played>, SelfPlayError> {
        let sampler = self.settings.sample_every.map(PositionSampler::every);
        let mut moves = Vec::new();
        let rules =
            AdjudicationRules { draw: Some(DRAW), resign: Some(RESIGN), ..AdjudicationRules::default() };
        let mut adjudicator = Adjudicator::new(&rules);
        let verdict = loop {
            if let Some(outcome) = game.outcome().or_else(|| game.claimable()) {
                break Some(Verdict::of_winner(outcome.winner));
            }
            if self.settings.max_plies.is_some_and(|plies| moves.len() >= plies) {
                break None;
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let limits = Limits { sampler: sampler.clone(), ..self.move_limits() };
            let (mv, score) = self.search(index, &game, limits)?;
            let turn = game.position().turn();
            let white_score = if turn == Color::White { score.units() } else { -score.units() };
            moves.push(ScoredMove { mv, white_score: white_score as i16 });
            game.play(mv).map_err(|source| SelfPlayError::Move { game: index, source })?;
            if let Some(clear) = adjudicator.judge(&game, turn, Some(score.to_eval())) {
                // A game that has just ended by the rules is judged by them.
                break Some(Verdict::of_winner(game.outcome().unwrap_or(clear).winner));
            }
        };
        let game = GameRecord::new(*game.start(), moves, verdict)
            .map_err(|source| SelfPlayError::Record { game: index, source })?;
        let mut samples = Vec::new();
        for position in sampler.map_or(Vec::new(), |sampler| sampler.take()) {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            samples.extend(self.sample(index, position)?);
        }
        Ok(Some(Played { game, samples }))
    }

    /// The record of a position from inside a search, unless it is over or not quiet.
    fn sample(&mut self, index: u64, position: Position) -> Result<Option<GameRecord>, SelfPlayError> {
        if !position.has_legal_move() {
            return Ok(None);
        }
        let (mv, score) = self.search(index, &Game::from_position(position), self.move_limits())?;
        let white_score = if position.turn() == Color::White { score.units() } else { -score.units() };
        let scored = ScoredMove { mv, white_score: white_score as i16 };
        if !Filter::default().accepts(&position, scored) {
            return Ok(None);
        }
        GameRecord::sample(position, scored)
            .map(Some)
            .map_err(|source| SelfPlayError::Record { game: index, source })
    }

    /// The game with new scores: every position that could be learnt from is searched again. Moves and result
    /// stay, and so do the scores of all other positions. Gives up when `stop` is set.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn rescore(
        &mut self,
        index: u64,
        record: &GameRecord,
        stop: &AtomicBool,
    ) -> Result<Option<GameRecord>, SelfPlayError> {
        let wanted = Filter { after_ply: 0, max_score: i16::MAX, clock_below: u16::MAX, ..Filter::default() };
        self.engine.new_game();
        let mut game = Game::from_position(*record.start());
        let mut moves = record.moves().to_vec();
        for scored in &mut moves {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if wanted.accepts(game.position(), *scored) {
                let (_, score) = self.search(index, &game, self.move_limits())?;
                let turn = game.position().turn();
                let white_score = if turn == Color::White { score.units() } else { -score.units() };
                scored.white_score = white_score as i16;
            }
            game.play(scored.mv).map_err(|source| SelfPlayError::Move { game: index, source })?;
        }
        let scores: Vec<i16> = moves.iter().map(|scored| scored.white_score).collect();
        Ok(Some(record.with_scores(&scores)))
    }

    /// The limits of the search for a move.
    fn move_limits(&self) -> Limits {
        let nodes = self.settings.nodes;
        Limits { soft_nodes: Some(nodes), nodes: Some(nodes.saturating_mul(HARD_LIMIT)), ..Limits::default() }
    }

    /// The engine's move and its score for the side to move.
    fn search(
        &mut self,
        index: u64,
        game: &Game,
        limits: Limits,
    ) -> Result<(chess::Move, Score), SelfPlayError> {
        let outcome = self.engine.search(game, limits, |_| {});
        let outcome = outcome.map_err(|source| SelfPlayError::Search { game: index, source })?;
        let mv = outcome.best.ok_or(SelfPlayError::NoMove(index))?;
        let line = outcome.lines.first().ok_or(SelfPlayError::NoMove(index))?;
        Ok((mv, line.score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_begin_balanced() {
        let settings = Settings {
            seed: 9,
            nodes: 50,
            hash: 1,
            chess960_percent: 50,
            max_plies: Some(1),
            ..Settings::default()
        };
        let play = move || {
            let mut player = Player::new(&settings).unwrap();
            for index in 0..20 {
                let record = player.play(index, &AtomicBool::new(false)).unwrap().unwrap().game;
                player.engine.new_game();
                let game = Game::from_position(*record.start());
                assert!(player.is_balanced(index, &game).unwrap(), "{record:?}");
            }
            player.engine.new_game();
            let queen_up: Position =
                "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse().unwrap();
            assert!(!player.is_balanced(0, &Game::from_position(queen_up)).unwrap());
        };
        let thread = std::thread::Builder::new().stack_size(engine::STACK_SIZE).spawn(play).unwrap();
        thread.join().unwrap();
    }
}
