//! What a review says, put together from what the engine found in each position.

use crate::judge::{self, Judgement, WINNING_PERCENT};
use crate::notation;
use crate::opening::Opening;
use chess::pgn::EvalScore;
use chess::{Color, Game, GameResult, Move, Position, Variant};
use coach::claim::Ended;
use engine::{Line, Score};

/// Moves whose loss of win percentage differs by no more than this are equally good answers.
const SOLUTION_MARGIN: f64 = 2.0;

/// How a position is judged.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// Seen from White. Mate in 0 is mate on the board.
    pub score: EvalScore,
    /// How many per cent of the point White may expect.
    pub win_percent: f64,
    /// Full plies searched.
    pub depth: i32,
}

/// A move of the game and what is to be said of it.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview {
    /// The move.
    pub mv: Move,
    /// The position it was played in.
    pub before: Position,
    /// How the position after it is judged.
    pub evaluation: Evaluation,
    /// The best line instead, from the position before; it may begin with the move itself.
    pub best_line: Vec<Move>,
    /// How that line is judged.
    pub best_evaluation: Evaluation,
    /// Points of the win percentage that the move has given away.
    pub loss: f64,
    /// Centipawns that it has given away, all beyond ten pawns left out.
    pub centipawn_loss: i32,
    /// How exact it was, from 0 to 100.
    pub accuracy: f64,
    /// Whether it was an error.
    pub judgement: Option<Judgement>,
}

impl MoveReview {
    /// Whether the engine would have played it too.
    #[must_use]
    pub fn is_best(&self) -> bool {
        self.best_line.first() == Some(&self.mv)
    }

    /// What the move has led to: a score, or how it has ended the game.
    #[must_use]
    pub fn value(&self) -> String {
        match coach::explain::ended(&self.before.after(self.mv)) {
            Some(Ended::Checkmate(_)) => "Checkmate".to_owned(),
            Some(Ended::Stalemate(_)) => "Stalemate".to_owned(),
            Some(Ended::DeadPosition) => "Draw".to_owned(),
            None => notation::show_score(self.evaluation.score),
        }
    }

    /// The move with its number: `12... Nf6`.
    #[must_use]
    pub fn numbered_san(&self) -> String {
        notation::san_line(&self.before, &[self.mv])
    }
}

/// How a side has played.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct PlayerReview {
    /// Moves played.
    pub moves: usize,
    /// The mean accuracy of the moves, from 0 to 100; 100 without moves.
    pub accuracy: f64,
    /// The mean loss in centipawns.
    pub average_loss: f64,
    /// How many inaccuracies, mistakes and blunders.
    pub errors: [usize; 3],
}

impl PlayerReview {
    fn of<'a>(moves: impl Iterator<Item = &'a MoveReview>) -> Self {
        let mut player = Self::default();
        let (mut accuracy, mut loss) = (0.0, 0);
        for review in moves {
            player.moves += 1;
            accuracy += review.accuracy;
            loss += i64::from(review.centipawn_loss);
            if let Some(judgement) = review.judgement {
                player.errors[judgement as usize] += 1;
            }
        }
        let count = player.moves.max(1) as f64;
        player.accuracy = if player.moves == 0 { 100.0 } else { accuracy / count };
        player.average_loss = loss as f64 / count;
        player
    }

    /// How many errors of this kind.
    #[must_use]
    pub const fn count(&self, judgement: Judgement) -> usize {
        self.errors[judgement as usize]
    }
}

/// An error as a question: what should have been played here?
#[derive(Clone, PartialEq, Debug)]
pub struct Exercise {
    /// The number of the half-move in the game, from 1.
    pub ply: usize,
    /// The position before the error.
    pub position: Position,
    /// The error.
    pub played: Move,
    /// How bad it was.
    pub judgement: Judgement,
    /// The right answers, best first; at least one.
    pub solutions: Vec<Solution>,
}

/// A right answer to an exercise.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// How it continues; the answer is the first move.
    pub line: Vec<Move>,
    /// How it is judged.
    pub evaluation: Evaluation,
}

/// A reviewed game.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// Which chess was played.
    pub variant: Variant,
    /// The opening, if it has a name.
    pub opening: Option<Opening>,
    /// How the first position is judged.
    pub start: Evaluation,
    /// The moves.
    pub moves: Vec<MoveReview>,
    /// White and Black.
    pub players: [PlayerReview; 2],
    /// The move that tipped the game for good, as an index of `moves`.
    pub turning_point: Option<usize>,
    /// The errors as exercises.
    pub exercises: Vec<Exercise>,
}

/// What the engine found in a position: its best lines, at least one.
pub(crate) type Finding = Vec<Line>;

/// The score of a position for the side to move.
pub(crate) fn score_of(finding: &Finding) -> Score {
    finding.first().map_or(Score::DRAW, |line| line.score)
}

/// The win percentage that a move gives away, by what was found before and after it. The engine's own
/// choice gives away nothing: if the next search sees more, that is not the player's fault.
pub(crate) fn loss_of(mv: Move, before: &Finding, after: &Finding) -> f64 {
    if is_best(mv, before) {
        return 0.0;
    }
    (judge::win_percent(score_of(before)) - judge::win_percent(-score_of(after))).max(0.0)
}

fn is_best(mv: Move, before: &Finding) -> bool {
    before.first().and_then(|line| line.moves.first()) == Some(&mv)
}

fn evaluation(score: Score, turn: Color, depth: i32) -> Evaluation {
    let percent = judge::win_percent(score);
    let win_percent = if turn == Color::White { percent } else { 100.0 - percent };
    Evaluation { score: score.for_white(turn), win_percent, depth }
}

fn evaluation_of(finding: &Finding, turn: Color) -> Evaluation {
    evaluation(score_of(finding), turn, finding.first().map_or(0, |line| line.depth))
}

impl Review {
    /// Puts the review together. There is a finding for each position of the game, the first and the last
    /// included.
    pub(crate) fn new(game: &Game, result: GameResult, findings: &[Finding]) -> Self {
        let moves: Vec<MoveReview> = game
            .moves()
            .enumerate()
            .zip(findings.windows(2))
            .filter_map(|((ply, mv), pair)| {
                game.position_at(ply).map(|before| review_move(mv, before, &pair[0], &pair[1]))
            })
            .collect();
        let exercises = moves
            .iter()
            .enumerate()
            .filter_map(|(index, review)| exercise(index + 1, review, &findings[index]))
            .collect();
        let of_color = |color| moves.iter().filter(move |review| review.before.turn() == color);
        let players = [Color::White, Color::Black].map(|color| PlayerReview::of(of_color(color)));
        let start = findings.first().map_or_else(
            || evaluation(Score::DRAW, Color::White, 0),
            |first| evaluation_of(first, game.start().turn()),
        );
        let turning_point = turning_point(start, &moves, result);
        let opening = Opening::of(game);
        Self { variant: game.variant(), opening, start, moves, players, turning_point, exercises }
    }

    /// How all positions are judged, the first and the last included.
    pub fn evaluations(&self) -> impl Iterator<Item = Evaluation> {
        std::iter::once(self.start).chain(self.moves.iter().map(|review| review.evaluation))
    }
}

fn review_move(mv: Move, before: &Position, found: &Finding, found_after: &Finding) -> MoveReview {
    let turn = before.turn();
    let loss = loss_of(mv, found, found_after);
    let centipawn_loss = if is_best(mv, found) {
        0
    } else {
        let kept = judge::capped_centipawns(-score_of(found_after));
        (judge::capped_centipawns(score_of(found)) - kept).max(0)
    };
    MoveReview {
        mv,
        before: *before,
        evaluation: evaluation_of(found_after, !turn),
        best_line: found.first().map(|line| line.moves.clone()).unwrap_or_default(),
        best_evaluation: evaluation_of(found, turn),
        loss,
        centipawn_loss,
        accuracy: judge::accuracy(loss),
        judgement: Judgement::of_loss(loss),
    }
}

fn exercise(ply: usize, review: &MoveReview, found: &Finding) -> Option<Exercise> {
    let judgement = review.judgement?;
    let best = judge::win_percent(score_of(found));
    let turn = review.before.turn();
    let is_solution = |line: &&Line| {
        best - judge::win_percent(line.score) <= SOLUTION_MARGIN
            && line.moves.first().is_some_and(|&mv| mv != review.mv)
    };
    let solutions = found
        .iter()
        .filter(is_solution)
        .map(|line| Solution {
            line: line.moves.clone(),
            evaluation: evaluation(line.score, turn, line.depth),
        })
        .collect();
    Some(Exercise { ply, position: review.before, played: review.mv, judgement, solutions })
}

/// Who is winning, if anybody.
fn leader(evaluation: &Evaluation) -> Option<Color> {
    if evaluation.win_percent >= WINNING_PERCENT {
        Some(Color::White)
    } else if evaluation.win_percent <= 100.0 - WINNING_PERCENT {
        Some(Color::Black)
    } else {
        None
    }
}

/// The move after which the position was for good what the game became: won for the winner, or balanced
/// if it was drawn. There is none if that was so from the beginning, or not even at the end.
fn turning_point(start: Evaluation, moves: &[MoveReview], result: GameResult) -> Option<usize> {
    let last = moves.last()?;
    let became = match result {
        GameResult::WhiteWins => Some(Color::White),
        GameResult::BlackWins => Some(Color::Black),
        GameResult::Draw => None,
        GameResult::Unfinished => leader(&last.evaluation),
    };
    let run = moves.iter().rev().take_while(|review| leader(&review.evaluation) == became).count();
    let first = moves.len().checked_sub(run)?;
    let was_so_before = first == 0 && leader(&start) == became;
    (run > 0 && !was_so_before).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Bound, wdl};

    fn finding(centipawns: i32, best: &[Move]) -> Finding {
        vec![Line {
            rank: 1,
            depth: 5,
            selective_depth: 5,
            score: Score::evaluation(wdl::units(centipawns)),
            bound: Bound::Exact,
            moves: best.to_vec(),
        }]
    }

    /// A game of these moves; scores seen from the side to move, and best moves, for each position.
    fn review(sans: &[&str], found: &[(i32, &str)], result: GameResult) -> Review {
        let mut game = Game::new();
        let mut findings = Vec::new();
        for (index, (score, best)) in found.iter().enumerate() {
            let best: Vec<Move> = game.position().parse_san(best).into_iter().collect();
            findings.push(finding(*score, &best));
            if let Some(san) = sans.get(index) {
                let mv = game.position().parse_san(san).expect("legal");
                game.play(mv).expect("legal");
            }
        }
        Review::new(&game, result, &findings)
    }

    #[test]
    fn losses_are_the_movers() {
        let found = [(20, "e4"), (-20, "e5"), (30, "Nf3"), (-30, "e5")];
        let review = review(&["e4", "a6", "d4"], &found, GameResult::Unfinished);
        assert!(review.moves[0].is_best());
        assert_eq!(review.moves[0].loss, 0.0);
        assert!(review.moves[1].loss > 0.0);
        assert_eq!(review.moves[1].centipawn_loss, 10);
        assert_eq!(review.moves[1].evaluation.score, EvalScore::Centipawns(30));
        assert_eq!(review.moves[2].loss, 0.0);
        assert_eq!(review.players[0].accuracy.round(), 100.0);
        assert_eq!(review.players[1].average_loss, 10.0);
        assert_eq!(review.exercises, []);
    }

    #[test]
    fn an_error_is_an_exercise() {
        let review = review(
            &["f3", "e5", "g4"],
            &[(20, "e4"), (40, "e5"), (-50, "e3"), (900, "Qh4")],
            GameResult::BlackWins,
        );
        assert_eq!(review.moves[2].judgement, Some(Judgement::Blunder));
        assert_eq!(review.players[0].count(Judgement::Blunder), 1);
        let exercise = review.exercises.last().expect("an exercise");
        assert_eq!((exercise.ply, exercise.judgement), (3, Judgement::Blunder));
        assert_eq!(exercise.solutions.len(), 1);
        assert_eq!(review.turning_point, Some(2));
    }

    #[test]
    fn a_game_turns_when_it_becomes_what_it_ends_as() {
        let turning = |scores: [i32; 4], result| {
            let found = scores.map(|score| (score, ""));
            review(&["e4", "e5", "Nf3"], &found, result).turning_point
        };
        // All scores are of the side to move.
        assert_eq!(turning([0, -400, 400, -400], GameResult::WhiteWins), Some(0));
        assert_eq!(turning([400, -400, 400, -400], GameResult::WhiteWins), None);
        assert_eq!(turning([0, -400, 0, -400], GameResult::WhiteWins), Some(2));
        // Lost on time in a good position.
        assert_eq!(turning([0, -400, 400, -400], GameResult::BlackWins), None);
        assert_eq!(turning([0, -400, 0, 0], GameResult::Draw), Some(1));
        assert_eq!(turning([0, 0, 0, 0], GameResult::Draw), None);
        assert_eq!(turning([0, 0, 0, 400], GameResult::Unfinished), Some(2));
    }
}
