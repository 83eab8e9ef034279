//! Making a book of games.

use crate::{Book, MoveCode};
use chess::pgn::{PgnError, PgnFault, Reader, Visitor};
use chess::{Color, GameResult, Move, Position};
use std::collections::HashMap;
use std::io::Read;
use std::ops::ControlFlow;

/// Which moves come into a book.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BuildSettings {
    /// Moves played in fewer games are left out.
    pub min_games: u32,
    /// Half-moves of each game that count.
    pub max_ply: usize,
    /// Only the moves of one side; `None` for both.
    pub side: Option<Color>,
}

/// What became of the games with one move.
#[derive(Copy, Clone, Default)]
struct MoveScore {
    games: u32,
    /// Two for a win of the side that played it, one for a draw.
    half_points: u64,
}

/// Counts the moves of games. Variations do not count, and of faulty games the moves before the fault.
pub struct Builder {
    settings: BuildSettings,
    scores: HashMap<(u64, MoveCode), MoveScore>,
    game: GameMoves,
    games: u64,
}

/// The moves of the game being read.
struct GameMoves {
    max_ply: usize,
    moves: Vec<(Color, u64, MoveCode)>,
    /// The exact key of the position now, for which the last move has to be known.
    key: u64,
    plies: usize,
    /// How many variations it is within.
    depth: usize,
    result: GameResult,
    faults: Vec<PgnFault>,
}

impl Visitor for GameMoves {
    fn begin_game(&mut self) {
        self.moves.clear();
        self.faults.clear();
        (self.plies, self.depth, self.result) = (0, 0, GameResult::default());
    }

    fn tag(&mut self, name: &str, value: &str) {
        if name == "Result" {
            self.result = value.parse().unwrap_or_default();
        }
    }

    fn begin_moves(&mut self, start: &Position) -> ControlFlow<()> {
        self.key = start.polyglot_key();
        ControlFlow::Continue(())
    }

    fn play(&mut self, before: &Position, mv: Move) {
        if self.depth == 0 && self.plies < self.max_ply {
            self.moves.push((before.turn(), self.key, MoveCode::of(mv)));
            self.key = before.setup_after(mv).polyglot_key();
            self.plies += 1;
        }
    }

    fn pass(&mut self, _before: &Position) {
        // No player passes: what follows is not what was played.
        if self.depth == 0 {
            self.plies = self.max_ply;
        }
    }

    fn begin_variation(&mut self) {
        self.depth += 1;
    }

    fn end_variation(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn fault(&mut self, fault: PgnFault) {
        self.faults.push(fault);
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        self.result = result.filter(|&result| result != GameResult::default()).unwrap_or(self.result);
    }
}

impl Builder {
    /// A builder that has seen no game.
    #[must_use]
    pub fn new(settings: BuildSettings) -> Self {
        let game = GameMoves {
            max_ply: settings.max_ply,
            moves: Vec::new(),
            key: 0,
            plies: 0,
            depth: 0,
            result: GameResult::default(),
            faults: Vec::new(),
        };
        Self { settings, scores: HashMap::new(), game, games: 0 }
    }

    /// What is wrong with the game that was read last.
    #[must_use]
    pub fn faults(&self) -> &[PgnFault] {
        &self.game.faults
    }

    /// Reads one game and counts its moves; `false` means that there is none left. A game without a result
    /// counts as a draw.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read_game<R: Read>(&mut self, games: &mut Reader<R>) -> Result<bool, PgnError> {
        if !games.visit_game(&mut self.game)? {
            return Ok(false);
        }
        self.games += 1;
        for &(color, key, code) in &self.game.moves {
            if self.settings.side.is_some_and(|side| side != color) {
                continue;
            }
            let score = self.scores.entry((key, code)).or_default();
            score.games = score.games.saturating_add(1);
            score.half_points += half_points(self.game.result, color);
        }
        Ok(true)
    }

    /// How many games have been counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many different moves they have, over all positions.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.scores.len()
    }

    /// The book. A move weighs what it scored: twice its wins and once its draws. One that never scored is
    /// left out.
    #[must_use]
    pub fn finish(self) -> Book {
        let enough =
            |score: &MoveScore| score.games >= self.settings.min_games.max(1) && score.half_points > 0;
        let kept = self.scores.into_iter().filter(|(_, score)| enough(score));
        Book::from_scores(kept.map(|((key, code), score)| (key, code, score.half_points)).collect())
    }
}

fn half_points(result: GameResult, color: Color) -> u64 {
    match result {
        GameResult::WhiteWins => 2 * u64::from(color == Color::White),
        GameResult::BlackWins => 2 * u64::from(color == Color::Black),
        _ => 1,
    }
}
