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
    /// For this many moves of each side in a row.
    pub moves: u32,
    /// Neither side sees more than this many centipawns for either.
    pub centipawns: i32,
}

/// A side sees that it is lost.
#[derive(Copy, Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResignRule {
    /// For this many of its moves in a row.
    pub moves: u32,
    /// It sees itself behind by at least this many centipawns.
    pub centipawns: i32,
    /// The other side must see the same; otherwise one opinion is enough.
    pub both: bool,
}

/// When games are decided before their end.
#[derive(Clone, Default)]
pub struct AdjudicationRules {
    /// Draws.
    pub draw: Option<DrawRule>,
    /// Wins.
    pub resign: Option<ResignRule>,
    /// A game that reaches this many moves is drawn.
    pub max_moves: Option<u32>,
    /// Positions in these tablebases are decided.
    pub tablebases: Option<Arc<Tablebases>>,
}

/// Follows one game.
#[derive(Clone)]
pub struct Adjudicator {
    rules: AdjudicationRules,
    /// Half-moves in a row with a score near zero.
    level_plies: u32,
    /// Half-moves in a row by which each side sees itself lost, and sees itself winning.
    lost: [u32; 2],
    winning: [u32; 2],
}

impl Adjudicator {
    /// For a new game.
    #[must_use]
    pub fn new(rules: &AdjudicationRules) -> Self {
        Self { rules: rules.clone(), level_plies: 0, lost: [0; 2], winning: [0; 2] }
    }

    /// Looks at the game after a move and what its player thought. Says how the game ends, if it does.
    pub fn judge(&mut self, game: &Game, mover: Color, score: Option<EvalScore>) -> Option<Outcome> {
        self.judge_by_tablebases(game)
            .or_else(|| self.judge_win(mover, score))
            .or_else(|| self.judge_draw(game, score))
            .or_else(|| self.judge_length(game))
    }

    fn judge_by_tablebases(&self, game: &Game) -> Option<Outcome> {
        let tablebases = self.rules.tablebases.as_ref()?;
        let position = game.position();
        // Tablebases count from the last capture or pawn move, so that they are certain only there.
        let applies = position.halfmove_clock() == 0
            && position.occupied().count() as usize <= tablebases.max_pieces()
            && position.castling_rooks().is_empty();
        let verdict = if applies { tablebases.probe_wdl(position).ok().flatten()? } else { return None };
        let us = position.turn();
        Some(match verdict {
            Wdl::Win => Outcome::win(us, Reason::Adjudication),
            Wdl::Loss => Outcome::win(!us, Reason::Adjudication),
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => Outcome::draw(Reason::Adjudication),
        })
    }

    fn judge_win(&mut self, mover: Color, score: Option<EvalScore>) -> Option<Outcome> {
        let rule = self.rules.resign?;
        let count = |streak: &mut u32, continues: bool| *streak = if continues { *streak + 1 } else { 0 };
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
        // A capture or pawn move shows that a side still tries.
        let continues = is_level && game.position().halfmove_clock() > 0;
        self.level_plies = if continues { self.level_plies + 1 } else { 0 };
        let late = u32::from(game.position().fullmove_number()) > rule.from_move;
        (late && self.level_plies >= 2 * rule.moves).then_some(Outcome::draw(Reason::Adjudication))
    }

    fn judge_length(&self, game: &Game) -> Option<Outcome> {
        let plies = 2 * self.rules.max_moves? as usize;
        (game.ply() >= plies).then_some(Outcome::draw(Reason::Adjudication))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(game: &mut Game, text: &str) -> Color {
        let mover = game.position().turn();
        let mv = game.position().parse_uci(text).expect("legal");
        game.replay(mv).expect("legal");
        mover
    }

    /// Plays knight moves to and fro, with a score for each; returns after which half-move the game ends.
    fn judge(rules: &AdjudicationRules, scores: &[Option<EvalScore>]) -> Option<(usize, Outcome)> {
        let mut game = Game::new();
        let mut adjudicator = Adjudicator::new(rules);
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle();
        for (ply, (mv, &score)) in moves.zip(scores).enumerate() {
            let mover = play(&mut game, mv);
            if let Some(outcome) = adjudicator.judge(&game, mover, score) {
                return Some((ply + 1, outcome));
            }
        }
        None
    }

    fn cp(values: &[i32]) -> Vec<Option<EvalScore>> {
        values.iter().map(|&value| Some(EvalScore::Centipawns(value))).collect()
    }

    #[test]
    fn draws_need_both_sides_for_long_enough() {
        let rule = DrawRule { from_move: 3, moves: 2, centipawns: 10 };
        let rules = AdjudicationRules { draw: Some(rule), ..AdjudicationRules::default() };
        let drawn = Outcome::draw(Reason::Adjudication);
        // Move 3 is complete after six half-moves.
        assert_eq!(judge(&rules, &cp(&[0; 10])), Some((6, drawn)));
        assert_eq!(judge(&rules, &cp(&[0, 0, 0, 11, 0, 0, 0, -10, 0])), Some((8, drawn)));
        assert_eq!(judge(&rules, &cp(&[0, 20, 0, 20, 0, 20, 0, 20])), None);
        assert_eq!(judge(&rules, &[None; 20]), None);
        let mut scores = cp(&[0; 7]);
        scores[5] = Some(EvalScore::Mate(5));
        assert_eq!(judge(&rules, &scores), None);
    }

    #[test]
    fn a_pawn_move_shows_that_a_side_still_tries() {
        let rules = AdjudicationRules {
            draw: Some(DrawRule { from_move: 0, moves: 1, centipawns: 10 }),
            ..AdjudicationRules::default()
        };
        let mut adjudicator = Adjudicator::new(&rules);
        let mut game = Game::new();
        let level = Some(EvalScore::Centipawns(0));
        for (mv, ends) in [("g1f3", false), ("e7e5", false), ("f3g1", false), ("g8f6", true)] {
            let mover = play(&mut game, mv);
            assert_eq!(adjudicator.judge(&game, mover, level).is_some(), ends, "{mv}");
        }
    }

    #[test]
    fn wins_need_the_opinion_of_both_or_of_the_loser() {
        let rule = ResignRule { moves: 2, centipawns: 500, both: true };
        let both = AdjudicationRules { resign: Some(rule), ..AdjudicationRules::default() };
        let alone = AdjudicationRules {
            resign: Some(ResignRule { both: false, ..rule }),
            ..AdjudicationRules::default()
        };
        let white_wins = Outcome::win(Color::White, Reason::Adjudication);
        assert_eq!(judge(&both, &cp(&[600, -600, 600, -500, 0])), Some((4, white_wins)));
        assert_eq!(judge(&both, &cp(&[100, -600, 100, -600, 100, -600])), None);
        assert_eq!(judge(&alone, &cp(&[100, -600, 100, -600])), Some((4, white_wins)));
        assert_eq!(judge(&alone, &cp(&[600, -400, 600, -600, 600])), None);
        let mates = [Some(EvalScore::Mate(-3)), Some(EvalScore::Mate(3))];
        let black_wins = Outcome::win(Color::Black, Reason::Adjudication);
        assert_eq!(judge(&both, &[mates, mates].concat()), Some((4, black_wins)));
    }

    #[test]
    fn long_games_are_drawn() {
        let rules = AdjudicationRules { max_moves: Some(3), ..AdjudicationRules::default() };
        assert_eq!(judge(&rules, &[None; 9]), Some((6, Outcome::draw(Reason::Adjudication))));
        assert_eq!(judge(&AdjudicationRules::default(), &[None; 9]), None);
    }
}
