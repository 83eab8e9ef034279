//! End games from both sides against a weak and a strong opponent, as JavaChess's author played them against
//! Chessmaster 3000. Gardez at a low level and at full strength stands in for it.

use crate::report::{Axis, Cell, Claim, Findings, Plot, ReportTable, Series};
use crate::workbench::{Interrupted, Workbench};
use crate::{Experiment, positions};
use chess::{Color, Game, GameResult, Position};
use classics::javachess::{Agent, Book, JavaChess};
use classics::{Budget, Classic};
use engine::{Engine, Level, Limits};

pub(crate) const EXPERIMENT: Experiment =
    Experiment { name: "endgames", title: "End games against a weak and a strong opponent", measure };

/// As many as JavaChess's author kept on disk.
const POSITIONS: usize = 4;
/// Games that last longer are drawn.
const MOST_PLIES: usize = 200;
/// What Gardez searches at full strength.
const NODES: u64 = 20_000;

/// An opponent in the place of a setting of Chessmaster.
struct Opponent {
    name: &'static str,
    level: Level,
    /// The setting, and how JavaChess fared against it.
    claim: Option<(&'static str, &'static str)>,
}

const OPPONENTS: [Opponent; 3] = [
    Opponent {
        name: "Gardez, 600 Elo",
        level: Level::Elo(600),
        claim: Some(("a beginner", "7 won, 1 drawn, 0 lost")),
    },
    Opponent { name: "Gardez, 1200 Elo", level: Level::Elo(1200), claim: None },
    Opponent {
        name: "Gardez",
        level: Level::Full,
        claim: Some(("the highest setting", "1 won, 3 drawn, 4 lost")),
    },
];

/// Games of JavaChess by result.
#[derive(Default)]
struct Score {
    won: u64,
    drawn: u64,
    lost: u64,
}

impl Score {
    fn add(&mut self, result: GameResult, javachess: Color) {
        match (result, javachess) {
            (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => self.won += 1,
            (GameResult::WhiteWins, Color::Black) | (GameResult::BlackWins, Color::White) => self.lost += 1,
            (GameResult::Draw | GameResult::Unfinished, _) => self.drawn += 1,
        }
    }

    fn percent(&self) -> f64 {
        let games = (self.won + self.drawn + self.lost).max(1) as f64;
        100.0 * (self.won as f64 + 0.5 * self.drawn as f64) / games
    }
}

/// A game from a position, up to its end or for as long as games last.
struct Match<'a> {
    gardez: Engine,
    /// Nodes at which JavaChess begins no other iteration.
    effort: u64,
    most_plies: usize,
    budget: Budget<'a>,
}

impl Match<'_> {
    fn play(&mut self, start: Position, javachess: Color) -> GameResult {
        let mut program = JavaChess::with_book(Agent::Mtdf, Book::default()).with_effort(self.effort);
        let mut game = Game::from_position(start);
        self.gardez.new_game();
        for _ in 0..self.most_plies {
            if game.is_over() || game.claimable().is_some() {
                break;
            }
            let mover = game.position().turn();
            let mv = if mover == javachess {
                program.think(&game, &self.budget).ok().and_then(|choice| choice.mv())
            } else {
                self.gardez.search(&game, Limits::nodes(NODES), |_| {}).ok().and_then(|outcome| outcome.best)
            };
            // Who has no move to play here resigns.
            let is_played = mv.is_some_and(|mv| game.play(mv).is_ok());
            if !is_played {
                let _ = game.resign(mover);
            }
        }
        game.result()
    }
}

fn measure(bench: &mut Workbench<'_>) -> Result<Findings, Interrupted> {
    let count = bench.pick(1, POSITIONS, 4 * POSITIONS);
    let effort = bench.pick(200, 20_000, 50_000);
    bench.plan(1 + 2 * count * OPPONENTS.len());
    bench.step("choosing positions")?;
    let positions = positions::end_games(bench, count)?;
    let mut table = ReportTable::new(
        &format!("JavaChess in {} end games from both sides", positions.len()),
        ["opponent", "won", "drawn", "lost", "score"],
    );
    let (mut claims, mut scores) = (Vec::new(), Vec::new());
    for Opponent { name, level, claim } in OPPONENTS {
        let mut gardez = Engine::new();
        // A seed of its own, so that the same games are played again.
        let is_set = gardez.set_level(level).is_ok() && gardez.set_option("Game Seed", "1").is_ok();
        debug_assert!(is_set, "{name}");
        let most_plies = bench.pick(20, MOST_PLIES, MOST_PLIES);
        let mut games = Match { gardez, effort, most_plies, budget: bench.budget() };
        let mut score = Score::default();
        for (number, &position) in positions.iter().enumerate() {
            for javachess in Color::ALL {
                bench.step(&format!("{name}, position {}", number + 1))?;
                score.add(games.play(position, javachess), javachess);
                bench.go_on()?;
            }
        }
        table.row([
            name.into(),
            Cell::Count(score.won),
            Cell::Count(score.drawn),
            Cell::Count(score.lost),
            Cell::Percent(score.percent()),
        ]);
        if let Some((setting, document)) = claim {
            let measured =
                format!("{} won, {} drawn, {} lost against {name}", score.won, score.drawn, score.lost);
            claims.push(Claim::new("JavaChess", &format!("end games against {setting}"), document, measured));
        }
        scores.push(score.percent());
    }
    let plot = Plot {
        title: "JavaChess in end games".to_owned(),
        x: Axis::of_names(OPPONENTS.map(|opponent| opponent.name.to_owned())),
        y: Axis::linear("score in percent"),
        series: vec![Series::of_values("score", scores)],
    };
    Ok(Findings {
        method: format!(
            "End games by seed with up to nine men and neither side far ahead, each played with both colours. JavaChess \
             begins another iteration until one passes {effort} nodes; Gardez at full strength searches {NODES} nodes a \
             move. Its levels stand in for the settings of Chessmaster 3000, which cannot be had."
        ),
        claims,
        tables: vec![table],
        plots: vec![plot],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_javachess() {
        let mut score = Score::default();
        score.add(GameResult::WhiteWins, Color::White);
        score.add(GameResult::WhiteWins, Color::Black);
        score.add(GameResult::BlackWins, Color::Black);
        score.add(GameResult::Unfinished, Color::Black);
        assert_eq!((score.won, score.drawn, score.lost), (2, 1, 1));
        assert!((score.percent() - 62.5).abs() < 1e-9);
    }
}
