//! Ratings of many players from all their games.
//!
//! The ratings are those under which the results are likeliest when a score follows the Elo curve and a
//! draw is half a win and half a loss. The errors come from the curvature of the likelihood and from how
//! much the results really spread, so that draws and paired games have their proper weight.

use super::elo::{CONFIDENCE, score_of};
use crate::standings::Encounter;
use std::f64::consts::LN_10;

/// The rating of a player, against the mean of all players.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Rating {
    /// In Elo.
    pub elo: f64,
    /// Half the width of the interval of 95 %.
    pub error: f64,
}

/// The steepness of the Elo curve: the logarithm of the odds grows by this for each Elo.
const STEEPNESS: f64 = LN_10 / 400.0;
/// Players who have won or lost everything would be infinitely strong or weak. When there are such, every
/// player is given this many draws against an average one.
const PRIOR_GAMES: f64 = 1.0;
/// Far more than a method with quadratic convergence needs.
const MAX_STEPS: usize = 500;
/// The longest step, in Elo: beyond, the curve is too flat to be trusted.
const MAX_STEP: f64 = 200.0;

/// What the results of two players say, seen by the first.
struct Link {
    first: usize,
    second: usize,
    games: f64,
    points: f64,
    /// The variance of the sum of points.
    variance: f64,
}

/// The ratings of all players. A player without games gets none.
#[must_use]
pub fn ratings(
    players: usize,
    encounters: impl Iterator<Item = ((usize, usize), Encounter)>,
) -> Vec<Option<Rating>> {
    let links: Vec<Link> = encounters.filter_map(link).collect();
    let active: Vec<usize> =
        (0..players).filter(|&p| links.iter().any(|link| link.first == p || link.second == p)).collect();
    let place = |player: usize| active.iter().position(|&other| other == player);
    let links: Vec<Link> = links
        .into_iter()
        .filter_map(|link| Some(Link { first: place(link.first)?, second: place(link.second)?, ..link }))
        .collect();
    let mut result = vec![None; players];
    if active.is_empty() {
        return result;
    }
    let model = Model {
        count: active.len(),
        prior: if is_connected(active.len(), &links) { 0.0 } else { PRIOR_GAMES },
        links,
    };
    let elos = model.solve();
    let errors = model.errors(&elos);
    for (index, &player) in active.iter().enumerate() {
        result[player] = Some(Rating { elo: elos[index], error: errors[index] });
    }
    result
}

fn link(((first, second), encounter): ((usize, usize), Encounter)) -> Option<Link> {
    let estimate = encounter.estimate()?;
    let games = encounter.tally.games() as f64;
    let points = encounter.tally.points();
    Some(Link { first, second, games, points, variance: (estimate.deviation * games).powi(2) })
}

/// Whether every player has scored against every other over some chain of players, without which there are no
/// likeliest ratings.
fn is_connected(count: usize, links: &[Link]) -> bool {
    let scored = |from: usize, to: usize| {
        links.iter().any(|link| {
            (link.first == from && link.second == to && link.points > 0.0)
                || (link.second == from && link.first == to && link.points < link.games)
        })
    };
    let reaches_all = |step: &dyn Fn(usize, usize) -> bool| {
        let mut reached = vec![false; count];
        let mut open = vec![0];
        while let Some(from) = open.pop() {
            if !std::mem::replace(&mut reached[from], true) {
                open.extend((0..count).filter(|&to| step(from, to)));
            }
        }
        reached.into_iter().all(|reached| reached)
    };
    reaches_all(&scored) && reaches_all(&|from, to| scored(to, from))
}

struct Model {
    count: usize,
    prior: f64,
    links: Vec<Link>,
}

type Matrix = Vec<Vec<f64>>;

impl Model {
    /// The likeliest ratings, by Newton's method.
    fn solve(&self) -> Vec<f64> {
        let mut elos = vec![0.0; self.count];
        for _ in 0..MAX_STEPS {
            let gradient = self.gradient(&elos);
            let inverse = invert(self.curvature(&elos));
            let step = multiply(&inverse, &gradient);
            let longest = step.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
            let shortened = if longest > MAX_STEP { MAX_STEP / longest } else { 1.0 };
            for (elo, part) in elos.iter_mut().zip(&step) {
                *elo += shortened * part;
            }
            if longest < 1e-9 {
                break;
            }
        }
        elos
    }

    fn gradient(&self, elos: &[f64]) -> Vec<f64> {
        let mut gradient: Vec<f64> =
            elos.iter().map(|&elo| STEEPNESS * self.prior * (0.5 - score_of(elo))).collect();
        for link in &self.links {
            let surplus = link.points - link.games * score_of(elos[link.first] - elos[link.second]);
            gradient[link.first] += STEEPNESS * surplus;
            gradient[link.second] -= STEEPNESS * surplus;
        }
        gradient
    }

    /// The negative second derivatives. The likelihood does not change when all ratings rise together;
    /// the constant added here keeps their mean at zero.
    fn curvature(&self, elos: &[f64]) -> Matrix {
        let mut matrix = vec![vec![1.0 / self.count as f64; self.count]; self.count];
        let bend = |score: f64| STEEPNESS.powi(2) * score * (1.0 - score);
        for link in &self.links {
            let score = score_of(elos[link.first] - elos[link.second]);
            add_link(&mut matrix, link, link.games * bend(score));
        }
        for (player, &elo) in elos.iter().enumerate() {
            matrix[player][player] += self.prior * bend(score_of(elo));
        }
        matrix
    }

    fn errors(&self, elos: &[f64]) -> Vec<f64> {
        let inverse = invert(self.curvature(elos));
        let mut spread = vec![vec![0.0; self.count]; self.count];
        for link in &self.links {
            add_link(&mut spread, link, STEEPNESS.powi(2) * link.variance);
        }
        for (player, row) in spread.iter_mut().enumerate() {
            row[player] += STEEPNESS.powi(2) * self.prior / 4.0;
        }
        inverse
            .iter()
            .map(|row| {
                let weighted = multiply(&spread, row);
                let variance: f64 = row.iter().zip(&weighted).map(|(a, b)| a * b).sum();
                CONFIDENCE * variance.max(0.0).sqrt()
            })
            .collect()
    }
}

fn add_link(matrix: &mut Matrix, link: &Link, value: f64) {
    matrix[link.first][link.first] += value;
    matrix[link.second][link.second] += value;
    matrix[link.first][link.second] -= value;
    matrix[link.second][link.first] -= value;
}

fn multiply(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

/// By Gauss and Jordan; the matrices here are positive definite.
fn invert(mut matrix: Matrix) -> Matrix {
    let count = matrix.len();
    let mut inverse: Matrix =
        (0..count).map(|i| (0..count).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..count {
        let pivot = (column..count)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))
            .unwrap_or(column);
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let divisor = matrix[column][column];
        for entry in matrix[column].iter_mut().chain(&mut inverse[column]) {
            *entry /= divisor;
        }
        for row in (0..count).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for index in 0..count {
                matrix[row][index] -= factor * matrix[column][index];
                inverse[row][index] -= factor * inverse[column][index];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Tally;
    use crate::stats::elo::Estimate;

    fn encounter(wins: u64, draws: u64, losses: u64) -> Encounter {
        Encounter { tally: Tally { wins, draws, losses }, ..Encounter::default() }
    }

    fn elos(players: usize, results: &[((usize, usize), Encounter)]) -> Vec<Rating> {
        ratings(players, results.iter().copied()).into_iter().flatten().collect()
    }

    /// The worked example of the article on the Bradley-Terry model in Wikipedia.
    #[test]
    fn four_players_as_published() {
        let results = [
            ((0, 1), encounter(2, 0, 3)),
            ((0, 3), encounter(1, 0, 4)),
            ((1, 2), encounter(5, 0, 3)),
            ((2, 3), encounter(1, 0, 3)),
        ];
        let published = [0.640f64, 1.043, 0.660, 2.270];
        for (rating, strength) in elos(4, &results).iter().zip(published) {
            assert!((rating.elo - 400.0 * strength.log10()).abs() < 0.3, "{rating:?} {strength}");
        }
    }

    #[test]
    fn two_players_are_as_far_apart_as_their_score_says() {
        let tally = Tally { wins: 300, draws: 500, losses: 200 };
        let rated = elos(2, &[((0, 1), Encounter { tally, ..Encounter::default() })]);
        let estimate = Estimate::of_games(&tally).expect("games");
        assert!((rated[0].elo - rated[1].elo - estimate.elo()).abs() < 1e-6);
        // Each lies half the difference from the mean, and so does its error.
        let error = estimate.error().expect("a spread");
        assert!((2.0 * rated[0].error - error).abs() < 0.05, "{rated:?} {error}");
    }

    #[test]
    fn whitewashes_stay_finite() {
        let rated = elos(3, &[((0, 1), encounter(10, 0, 0)), ((1, 2), encounter(5, 0, 5))]);
        assert!(rated.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
        assert!(rated[0].elo > rated[2].elo + 100.0);
    }

    #[test]
    fn players_without_games_have_no_rating() {
        let rated = ratings(3, [((0, 2), encounter(1, 1, 1))].into_iter());
        assert!(rated[0].is_some() && rated[1].is_none() && rated[2].is_some());
        assert_eq!(ratings(2, std::iter::empty()), [None, None]);
    }
}
