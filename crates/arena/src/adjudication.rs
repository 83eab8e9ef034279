//! Ending games whose result is clear.

use chess::pgn::EvalScore;
use chess::{Color, Game, Outcome, Reason};
use std::sync::Arc;
use tablebase::{Tablebases, Wdl};

/// Both sides see a draw.
#[derive(Copy, Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DrawRule {
    /// From this move on.
    pub from_move: u32,
    /// For so many moves of each side in a row.
    pub moves: u32,
    /// Neither side sees more than this many centipawns for anybody.
    pub centipawns: i32,
}

/// A side sees that it is lost.
#[derive(Copy, Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResignRule {
    /// For so many of its moves in a row.
    pub moves: u32,
    /// It sees itself behind by at least this many centipawns.
    pub centipawns: i32,
    /// The other side must see the same; otherwise one opinion is enough.
    pub both: bool,
}

/// When games are ended before their end.
#[derive(Clone, Default)]
pub struct Rules {
    /// Draws.
    pub draw: Option<DrawRule>,
    /// Wins.
    pub resign: Option<ResignRule>,
    /// A game so long, in moves, is drawn.
    pub max_moves: Option<u32>,
    /// Positions in these tables are decided.
    pub tables: Option<Arc<Tablebases>>,
}

/// Follows one game.
#[derive(Clone)]
pub struct Adjudicator {
    rules: Rules,
    /// Half-moves in a row with a score near zero.
    level_plies: u32,
    /// Half-moves in a row by which each side sees itself lost, and sees itself winning.
    lost: [u32; 2],
    winning: [u32; 2],
}

impl Adjudicator {
    /// For a new game.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self { rules: rules.clone(), level_plies: 0, lost: [0; 2], winning: [0; 2] }
    }

    /// Looks at the game after a move and what its player thought. Says how the game ends, if it does.
    pub fn judge(&mut self, game: &Game, mover: Color, score: Option<EvalScore>) -> Option<Outcome> {
        self.judge_by_tables(game)
            .or_else(|| self.judge_win(mover, score))
            .or_else(|| self.judge_draw(game, score))
            .or_else(|| self.judge_length(game))
    }

    fn judge_by_tables(&self, game: &Game) -> Option<Outcome> {
        let tables = self.rules.tables.as_ref()?;
        let position = game.position();
        // The tables count from the last capture or pawn move, so that only there are they certain.
        let applies = position.halfmove_clock() == 0
            && position.occupied().count() as usize <= tables.max_pieces()
            && position.castling_rooks().is_empty();
        let verdict = if applies { tables.probe_wdl(position).ok().flatten()? } else { return None };
        let us = position.turn();
        Some(match verdict {
            Wdl::Win => Outcome::win(us, Reason::Adjudication),
            Wdl::Loss => Outcome::win(!us, Reason::Adjudication),
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => Outcome::draw(Reason::Adjudication),
        })
    }

    fn judge_win(&mut self, mover: Color, score: Option<EvalScore>) -> Option<Outcome> {
        let rule = self.rules.resign?;
        let count = |streak: &mut u32, goes_on: bool| *streak = if goes_on { *streak + 1 } else { 0 };
        let (low, high) = match score {
            Some(EvalScore::Centipawns(value)) => (value <= -rule.centipawns, value >= rule.centipawns),
            Some(EvalScore::Mate(moves)) => (moves <= 0, moves > 0),
            None => (false, false),
        };
        let side = mover.index();
        count(&mut self.lost[side], low);
        count(&mut self.winning[side], high);
        let lost = |color: Color| {
            let agrees = !rule.both || self.winning[(!color).index()] >= rule.moves;
            self.lost[color.index()] >= rule.moves && agrees
        };
        let loser = Color::ALL.into_iter().find(|&color| lost(color))?;
        Some(Outcome::win(!loser, Reason::Adjudication))
    }

    fn judge_draw(&mut self, game: &Game, score: Option<EvalScore>) -> Option<Outcome> {
        let rule = self.rules.draw?;
        let is_level = matches!(score, Some(EvalScore::Centipawns(value)) if value.abs() <= rule.centipawns);
        // A capture or pawn move shows that somebody still tries.
        let goes_on = is_level && game.position().halfmove_clock() > 0;
        self.level_plies = if goes_on { self.level_plies + 1 } else { 0 };
        let late = u32::from(game.position().fullmove_number()) > rule.from_move;
        (late && self.level_plies >= 2 * rule.moves).then_some(Outcome::draw(Reason::Adjudication))
    }

    fn judge_length(&self, game: &Game) -> Option<Outcome> {
        let plies = 2 * self.rules.max_moves? as usize;
        (game.ply() >= plies).then_some(Outcome::draw(Reason::Adjudication))
    }
}
