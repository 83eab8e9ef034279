//! Looking for puzzles in a game.

use crate::only_move::{Aim, Bounds};
use crate::puzzle::{self, Puzzle};
use crate::rating::Rater;
use book::openings;
use chess::{Game, Move, Position};
use coach::{Coach, completed_lines};
use engine::{Engine, Limits, Line, OptionError, Score, SearchError, StopToken};

/// The first look at every position of a game has this part of the nodes.
const SCAN_SHARE: u64 = 20;
/// The first proof of a puzzle has this part; most candidates fail already here.
const TRIAL_SHARE: u64 = 4;
/// Longer solutions end here.
const MOST_MOVES: usize = 10;
/// Puzzles that begin later than this have no opening any more, in half-moves.
const OPENING_PLIES: usize = 40;

/// Why a game has no puzzles.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FindError {
    /// They were not wanted any more.
    #[error("the search for puzzles was cancelled")]
    Cancelled,
    /// The engine failed.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// Finds puzzles in one game after the other, in each as if it were the first.
///
/// ```
/// use chess::pgn::Reader;
/// use engine::StopToken;
/// use puzzles::Finder;
///
/// let text = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. d3 Nxh5 0-1";
/// let game = Reader::new(text.as_bytes()).next().unwrap()?.playable();
/// let found = Finder::new(10_000, &StopToken::new())?.find(&game)?;
/// let puzzle = &found[0];
/// assert_eq!(puzzle.line().start().san(puzzle.solution[0]).as_str(), "Qxf7#");
/// assert!(puzzle.themes.contains("mateIn1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Finder {
    engine: Engine,
    coach: Coach,
    rater: Rater,
    nodes: u64,
    stop: StopToken,
}

/// A mistake that may have made a puzzle.
struct Candidate {
    /// The number of the mistake among the half-moves, from 1.
    ply: usize,
    aim: Aim,
}

impl Finder {
    /// A finder that proves each move of a solution with this many nodes, until the token is stopped.
    ///
    /// # Errors
    /// When the engine does not take its options.
    pub fn new(nodes: u64, stop: &StopToken) -> Result<Self, OptionError> {
        let mut engine = Engine::new();
        engine.configure(|settings| settings.analyse_mode = true)?;
        Ok(Self {
            engine,
            coach: Coach::new(nodes)?.until(stop),
            rater: Rater::new(stop)?,
            nodes,
            stop: stop.clone(),
        })
    }

    /// The puzzles of a game, in its order.
    ///
    /// # Errors
    /// When the token ends it, or the engine fails.
    pub fn find(&mut self, game: &Game) -> Result<Vec<Puzzle>, FindError> {
        self.engine.new_game();
        let mut puzzles = Vec::new();
        for candidate in self.candidates(game)? {
            puzzles.extend(self.puzzle(game, &candidate)?);
        }
        Ok(puzzles)
    }

    /// The moves that seem to have changed who wins.
    fn candidates(&mut self, game: &Game) -> Result<Vec<Candidate>, FindError> {
        let mut game = game.clone();
        let last = game.ply();
        let mut scores = vec![Score::DRAW; last + 1];
        // Backwards, because the table then knows already what the move played leads to.
        for ply in (0..=last).rev() {
            game.goto(ply);
            if game.position().has_legal_move() {
                let lines = self.look(&game, self.nodes / SCAN_SHARE, 1)?;
                scores[ply] = lines.first().map_or(Score::DRAW, |line| line.score);
            } else if game.position().is_check() {
                scores[ply] = Score::mated_in(0);
            }
        }
        let bounds = Bounds::DEFINITION;
        let changed =
            |ply: usize, aim| bounds.misses(aim, -scores[ply - 1]) && bounds.reaches(aim, scores[ply]);
        let aim = |ply| [Aim::Win, Aim::Save].into_iter().find(|&aim| changed(ply, aim));
        Ok((1..=last).filter_map(|ply| Some(Candidate { ply, aim: aim(ply)? })).collect())
    }

    fn puzzle(&mut self, game: &Game, candidate: &Candidate) -> Result<Option<Puzzle>, FindError> {
        let &Candidate { ply, aim } = candidate;
        let (Some(before), Some(mistake)) = (game.position_at(ply - 1), game.moves().nth(ply - 1)) else {
            return Ok(None);
        };
        // Who solves the puzzle does not know the game, so that its repetitions do not count.
        let mut start = Game::from_position(*before);
        if start.replay(mistake).is_err() || start.position().count_legal_moves() < 2 {
            return Ok(None);
        }
        let solution = self.solution(start.clone(), aim)?;
        let Some(&first) = solution.first() else { return Ok(None) };
        if solution.len() == 1 && is_plain_recapture(start.position(), mistake, first) {
            return Ok(None);
        }
        let line = puzzle::line(*before, mistake, &solution);
        let themes = self.coach.themes(&line)?;
        let rating = self.rater.rate(&line)?;
        if self.stop.is_stopped() {
            return Err(FindError::Cancelled);
        }
        let mut opening = game.clone();
        opening.goto(ply);
        let opening = Some(opening).filter(|game| game.ply() <= OPENING_PLIES);
        let opening = opening.and_then(|game| openings::name_of_game(&game));
        Ok(Some(Puzzle { before: *before, mistake, solution, themes, rating, ply, opening }))
    }

    /// The moves that are the only ones, with the best defence; none if not even the first is.
    fn solution(&mut self, mut game: Game, aim: Aim) -> Result<Vec<Move>, FindError> {
        let mut moves = Vec::new();
        let mut proved = 0;
        while moves.len() < 2 * MOST_MOVES && !game.is_over() {
            let Some(mv) = self.only_move(&game, aim, moves.is_empty())? else { break };
            let is_forced = game.position().count_legal_moves() == 1;
            moves.push(mv);
            if game.replay(mv).is_err() {
                break;
            }
            // A move that must be played anyway is no end.
            if !is_forced || game.position().is_checkmate() {
                proved = moves.len();
            }
            if game.is_over() {
                break;
            }
            let defence = self.look(&game, self.nodes, 1)?;
            let Some(&reply) = defence.first().and_then(|line| line.moves.first()) else { break };
            moves.push(reply);
            if game.replay(reply).is_err() {
                break;
            }
        }
        moves.truncate(proved);
        Ok(moves)
    }

    /// The only move that reaches the aim, if there is one. Of several mates in one each is right; only the first move of
    /// a puzzle must be without equal.
    fn only_move(&mut self, game: &Game, aim: Aim, is_first: bool) -> Result<Option<Move>, FindError> {
        let position = game.position();
        let mates: Vec<Move> =
            position.legal_moves().iter().copied().filter(|&mv| position.after(mv).is_checkmate()).collect();
        if let (Aim::Win, Some(&mate)) = (aim, mates.first()) {
            return Ok(Some(mate).filter(|_| mates.len() == 1 || !is_first));
        }
        for nodes in [self.nodes / TRIAL_SHARE, self.nodes] {
            let lines = self.look(game, nodes, 2)?;
            let Some(best) = lines.first() else { return Ok(None) };
            let second = lines.get(1).map(|line| line.score);
            if !Bounds::CLEAR.is_only_move(aim, best.score, second) {
                return Ok(None);
            }
            if nodes == self.nodes {
                return Ok(best.moves.first().copied());
            }
        }
        Ok(None)
    }

    fn look(&mut self, game: &Game, nodes: u64, lines: usize) -> Result<Vec<Line>, FindError> {
        self.engine.set_lines(lines);
        let limits = Limits::nodes(nodes.max(1)).until(&self.stop);
        let lines = completed_lines(&mut self.engine, game, limits)?;
        if self.stop.is_stopped() {
            return Err(FindError::Cancelled);
        }
        Ok(lines)
    }
}

/// Whether a move only takes back what the mistake put there.
fn is_plain_recapture(position: &Position, mistake: Move, mv: Move) -> bool {
    mv.to() == mistake.to() && position.is_capture(mv)
}
