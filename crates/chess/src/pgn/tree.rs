//! A game with its variations in memory.

use super::{Comment, Nag, PgnFault, Tags, Visitor};
use crate::{GameResult, Move, Position, Variant};
use std::ops::ControlFlow;

/// A game with everything its text says. It prints itself in PGN export format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// Who played, where and when.
    pub tags: Tags,
    /// The position before the first move.
    pub start: Position,
    /// The moves that were played.
    pub line: Line,
    /// What could not be read, and is missing here or was repaired.
    pub faults: Vec<PgnFault>,
}

/// A sequence of moves: the game itself or a variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// Comments before the first move.
    pub comments: Vec<Comment>,
    /// The moves, each legal after the ones before it.
    pub moves: Vec<Node>,
}

/// A move with what is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The move; `None` passes it, which only annotators do, to show a threat.
    pub mv: Option<Move>,
    /// Its annotations.
    pub nags: Vec<Nag>,
    /// Comments after it.
    pub comments: Vec<Comment>,
    /// What could have been played in its place.
    pub variations: Vec<Line>,
}

impl Node {
    /// A move, or a passed one, without any comment.
    #[must_use]
    pub const fn new(mv: Option<Move>) -> Self {
        Self { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl Default for PgnGame {
    fn default() -> Self {
        Self { tags: Tags::default(), start: Position::startpos(), line: Line::default(), faults: Vec::new() }
    }
}

impl PgnGame {
    /// A game without moves from a position. One of Chess960 says so in its tags, because other programs rely
    /// on it.
    #[must_use]
    pub fn from_position(start: Position) -> Self {
        let mut game = Self { start, ..Self::default() };
        if Variant::of(&start) == Variant::Chess960 {
            game.tags.set("Variant", "Chess960");
        }
        game
    }

    /// Whether moves of the text are missing because they could not be read.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.faults.iter().any(PgnFault::costs_moves)
    }

    /// The result, which is also the tag of that name.
    #[must_use]
    pub fn result(&self) -> GameResult {
        self.tags.result()
    }

    /// Sets the result.
    pub fn set_result(&mut self, result: GameResult) {
        self.tags.set("Result", result.as_str());
    }

    /// The moves of the game itself, without variations, as far as chess was played: up to a passed move
    /// if there is one.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.line.moves.iter().map_while(|node| node.mv)
    }
}

/// Builds the tree of one game.
#[derive(Default)]
pub(super) struct TreeBuilder {
    game: PgnGame,
    /// The open lines within the main line, the innermost last.
    variations: Vec<Line>,
}

impl TreeBuilder {
    pub(crate) fn finish(self) -> PgnGame {
        self.game
    }

    fn line(&mut self) -> &mut Line {
        self.variations.last_mut().unwrap_or(&mut self.game.line)
    }
}

impl Visitor for TreeBuilder {
    fn tag(&mut self, name: &str, value: &str) {
        self.game.tags.set(name, value);
    }

    fn begin_moves(&mut self, start: &Position) -> ControlFlow<()> {
        self.game.start = *start;
        ControlFlow::Continue(())
    }

    fn play(&mut self, _before: &Position, mv: Move) {
        self.line().moves.push(Node::new(Some(mv)));
    }

    fn pass(&mut self, _before: &Position) {
        self.line().moves.push(Node::new(None));
    }

    fn nag(&mut self, nag: Nag) {
        if let Some(node) = self.line().moves.last_mut() {
            node.nags.push(nag);
        }
    }

    fn comment(&mut self, text: &str) {
        let comment = Comment::parse(text);
        let line = self.line();
        match line.moves.last_mut() {
            Some(node) => node.comments.push(comment),
            None => line.comments.push(comment),
        }
    }

    fn begin_variation(&mut self) {
        self.variations.push(Line::default());
    }

    fn end_variation(&mut self) {
        if let Some(variation) = self.variations.pop()
            && let Some(node) = self.line().moves.last_mut()
        {
            node.variations.push(variation);
        }
    }

    fn fault(&mut self, fault: PgnFault) {
        self.game.faults.push(fault);
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        // A star behind the moves does not take back what the tag says.
        let known = result.filter(|&result| result != GameResult::Unfinished);
        self.game.set_result(known.unwrap_or(self.game.result()));
    }
}
