//! Fits the weights of the estimated rating to puzzles that people have rated, by least squares. Prints them, and how well
//! they predict puzzles that they were not fitted to.
//!
//! `cargo run --profile checked -p puzzles --example fit_rating -- FILE`, where the file has the columns FEN, Moves and
//! Rating.

use engine::StopToken;
use puzzles::csv::Columns;
use puzzles::rating::{FEATURES, Rater};

/// One part in this many is not fitted to but predicted.
const PARTS: usize = 5;

type Sample = ([f64; FEATURES], f64);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a file of puzzles")?;
    let text = std::fs::read_to_string(path)?;
    let mut rows = text.lines();
    let columns = Columns::read(rows.next().unwrap_or_default())?;
    let mut rater = Rater::new(&StopToken::new())?;
    let mut samples: Vec<Sample> = Vec::new();
    for row in rows {
        let row = columns.row(row)?;
        let rating = row.rating.ok_or("a puzzle has no rating")?;
        samples.push((rater.features(&row.line)?, f64::from(rating)));
    }
    let mut errors = Vec::new();
    for part in 0..PARTS {
        let is_left_out = |index: &usize| index % PARTS == part;
        let fitted = (0..samples.len()).filter(|index| !is_left_out(index)).map(|index| &samples[index]);
        let weights = fit(fitted);
        let left_out = (0..samples.len()).filter(is_left_out).map(|index| &samples[index]);
        errors.extend(left_out.map(|(features, rating)| predict(features, &weights) - rating));
    }
    let mean = samples.iter().map(|(_, rating)| rating).sum::<f64>() / samples.len() as f64;
    let deviations: Vec<f64> = samples.iter().map(|(_, rating)| rating - mean).collect();
    println!("{} puzzles", samples.len());
    println!("standard deviation of the ratings {:.0}", root_mean_square(&deviations));
    println!("standard deviation of the error   {:.0}", root_mean_square(&errors));
    println!("{:.1?}", fit(samples.iter()));
    Ok(())
}

fn predict(features: &[f64; FEATURES], weights: &[f64; FEATURES]) -> f64 {
    features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}

fn root_mean_square(numbers: &[f64]) -> f64 {
    (numbers.iter().map(|number| number * number).sum::<f64>() / numbers.len() as f64).sqrt()
}

/// Solves the normal equations by elimination.
fn fit<'a>(samples: impl Iterator<Item = &'a Sample>) -> [f64; FEATURES] {
    let mut rows = [[0.0; FEATURES + 1]; FEATURES];
    for (features, rating) in samples {
        for (row, feature) in rows.iter_mut().zip(features) {
            for (cell, other) in row.iter_mut().zip(features.iter().chain([rating])) {
                *cell += feature * other;
            }
        }
    }
    for place in 0..FEATURES {
        let pivot = rows[place];
        for (_, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != place) {
            let factor = row[place] / pivot[place];
            row.iter_mut().zip(pivot).for_each(|(cell, above)| *cell -= factor * above);
        }
    }
    std::array::from_fn(|place| rows[place][FEATURES] / rows[place][place])
}
