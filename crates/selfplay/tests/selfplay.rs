//! Games against itself, the same however they are made.

#![forbid(unsafe_code)]

use data::{Filter, GameRecord, Verdict};
use selfplay::{SelfPlayError, Settings, generate};
use std::collections::HashSet;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

fn settings(seed: u64, chess960_percent: u8) -> Settings {
    Settings { seed, nodes: 60, hash: 1, chess960_percent, ..Settings::default() }
}

fn games(settings: &Settings, numbers: Range<u64>, threads: usize) -> Vec<GameRecord> {
    let mut games = Vec::new();
    generate(settings, numbers, threads, &AtomicBool::new(false), |_, played| {
        games.push(played.game);
        Ok::<_, SelfPlayError>(())
    })
    .unwrap();
    games
}

#[test]
fn games_depend_on_seed_and_number_alone() {
    let settings_1 = settings(1, 0);
    let one = games(&settings_1, 0..12, 1);
    assert_eq!(one.len(), 12);
    assert_eq!(games(&settings_1, 0..12, 3), one);
    assert_eq!(games(&settings_1, 5..9, 2), one[5..9]);
    assert_ne!(games(&settings(2, 0), 0..2, 1), one[..2]);
    for (i, game) in one.iter().enumerate() {
        assert!(one[..i].iter().all(|other| other.start() != game.start()));
    }
}

#[test]
fn results_fit_scores_and_final_positions() {
    for game in games(&settings(3, 50), 0..30, 2) {
        assert!(!game.moves().is_empty());
        assert!((7..=9).contains(&(2 * (game.start().fullmove_number() - 1) + game.start().turn() as u16)));
        let (last, scored) = game.positions().last().unwrap();
        let end = last.after(scored.mv);
        if let Some(outcome) = end.outcome() {
            assert_eq!(game.verdict(), Some(Verdict::of_winner(outcome.winner)), "{game:?}");
        }
        // The sign: whoever is far ahead in the end wins.
        match game.verdict().expect("it was played to its end") {
            Verdict::WhiteWins => assert!(scored.white_score > 0, "{game:?}"),
            Verdict::BlackWins => assert!(scored.white_score < 0, "{game:?}"),
            Verdict::Draw => assert!(scored.white_score.abs() < 900, "{game:?}"),
        }
    }
}

#[test]
fn perturbed_games_begin_a_move_or_two_away_and_are_broken_off() {
    let others = games(&settings(6, 0), 0..1, 1);
    let mut near = HashSet::new();
    for (position, _) in others[0].positions() {
        for &first in &position.legal_moves() {
            let after_one = position.after(first);
            near.insert(after_one.key());
            near.extend(after_one.legal_moves().iter().map(|&second| after_one.after(second).key()));
        }
    }
    let perturbed = Settings { perturbed: others.into(), max_plies: Some(3), ..settings(7, 0) };
    let short = games(&perturbed, 0..40, 2);
    assert_eq!(games(&perturbed, 10..20, 1), short[10..20]);
    for game in &short {
        assert!(near.contains(&game.start().key()), "{game:?}");
        let (last, scored) = game.positions().last().unwrap();
        if last.after(scored.mv).outcome().is_none() {
            assert_eq!((game.moves().len(), game.verdict()), (3, None), "{game:?}");
        }
    }
}

#[test]
fn it_stops_when_told() {
    let stop = AtomicBool::new(false);
    let mut count = 0;
    generate(&settings(4, 0), 0..u64::MAX, 2, &stop, |_, _| {
        count += 1;
        stop.store(count >= 3, Ordering::Relaxed);
        Ok::<_, SelfPlayError>(())
    })
    .unwrap();
    assert!(count >= 3);
}

#[test]
fn an_error_of_the_receiver_ends_it() {
    let result = generate(&settings(5, 0), 0..u64::MAX, 2, &AtomicBool::new(false), |number, _| {
        if number == 2 { Err(SelfPlayError::NoMove(number)) } else { Ok(()) }
    });
    assert!(matches!(result, Err(SelfPlayError::NoMove(2))));
}

#[test]
fn quiet_positions_from_inside_the_searches_come_with_the_games() {
    let sampling = Settings { sample_every: NonZero::new(100), ..settings(8, 50) };
    let play = |threads| {
        let mut all = Vec::new();
        generate(&sampling, 0..6, threads, &AtomicBool::new(false), |_, played| {
            all.push(played);
            Ok::<_, SelfPlayError>(())
        })
        .unwrap();
        all
    };
    let all = play(1);
    assert_eq!(play(3), all);
    // Collecting positions does not change the games.
    assert_eq!(
        games(&settings(8, 50), 0..6, 1),
        all.iter().map(|played| played.game.clone()).collect::<Vec<_>>()
    );
    let samples: Vec<_> = all.iter().flat_map(|played| &played.samples).collect();
    assert!(samples.len() > 30, "{}", samples.len());
    for sample in &samples {
        assert!(sample.is_sample() && sample.verdict().is_none() && sample.moves().len() == 1);
        assert_eq!(Filter::default().choose(sample, 0).len(), 1, "{sample:?}");
    }
    let played: HashSet<_> =
        all.iter().flat_map(|played| played.game.positions()).map(|(position, _)| position.key()).collect();
    let new = samples.iter().filter(|sample| !played.contains(&sample.start().key())).count();
    assert!(new > samples.len() / 2, "{new} of {}", samples.len());
}
