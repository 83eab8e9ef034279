//! Jobs for engine workers and their answers, as they are written on the way.

use backend::codes::Coded;
use backend::engines::{
    Choice, CoachAnswer, CoachJob, CoachQuestion, LineJob, MoveJob, ReviewJob, Studied, StudyJob,
};
use backend::game_review::Effort;
use backend::record::{Player, restore_game};
use backend::stored::StoredReview;
use backend::{Error, Result, notation};
use chess::{Color, Game, Move, Variant};
use engine::{Bound, Line, Score, Usage};
use players::ClockFace;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A job.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Job {
    Choose { id: String, player: WrittenPlayer, game: WrittenGame, clocks: [Option<[u64; 2]>; 2], seed: u64 },
    BestLine { game: WrittenGame, nodes: u64, is_fresh: bool },
    Coach { game: WrittenGame, question: CoachQuestion },
    Study { game: WrittenGame, lines: usize, depth: Option<i32>, nodes: Option<u64>, milliseconds: u64 },
    Review { id: String, game: WrittenGame, result: String, effort: String },
}

/// What is answered.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    Move(u16),
    Resign,
    Line(Option<WrittenLine>),
    Coach(CoachAnswer),
    Studied(WrittenStudy),
    Review(Box<StoredReview>),
}

/// What is said on the way to an answer.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    Lines(WrittenStudy),
    Progress(usize, usize),
}

/// Writes something as JSON.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::internal(&error))
}

/// Reads what [`to_json`] has written.
pub(crate) fn from_json<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Error::internal(&error))
}

/// A player that is an engine.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum WrittenPlayer {
    Level(String),
    Classic(String),
}

impl WrittenPlayer {
    fn new(player: &Player) -> Result<Self> {
        match player {
            Player::Level { id } => Ok(Self::Level(id.clone())),
            Player::Classic { id } => Ok(Self::Classic(id.clone())),
            Player::Person { .. } => Err(Error::internal(&"a person is no engine")),
        }
    }

    fn read(self) -> Player {
        match self {
            Self::Level(id) => Player::Level { id },
            Self::Classic(id) => Player::Classic { id },
        }
    }
}

/// A game: where it starts and what was played.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WrittenGame {
    start: String,
    variant: String,
    moves: Vec<String>,
}

impl WrittenGame {
    fn new(game: &Game) -> Self {
        Self {
            start: game.start().to_fen(),
            variant: game.variant().code().to_owned(),
            moves: notation::coordinates(game),
        }
    }

    fn read(self) -> Result<Game> {
        let moves: Vec<(String, Option<Duration>)> = self.moves.into_iter().map(|mv| (mv, None)).collect();
        restore_game(&self.start, Variant::from_code(&self.variant)?, &moves, None)
    }
}

/// Lines and what they have cost.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WrittenStudy {
    lines: Vec<WrittenLine>,
    nodes: u64,
    microseconds: u64,
    hash_full: u32,
    is_interrupted: bool,
}

impl WrittenStudy {
    pub(crate) fn new(lines: &[Line], usage: &Usage, is_interrupted: bool) -> Self {
        Self {
            lines: lines.iter().map(WrittenLine::new).collect(),
            nodes: usage.nodes,
            microseconds: u64::try_from(usage.time.as_micros()).unwrap_or(u64::MAX),
            hash_full: usage.hash_full,
            is_interrupted,
        }
    }

    pub(crate) fn read(self) -> Studied {
        Studied {
            lines: self.lines.into_iter().map(WrittenLine::read).collect(),
            usage: Usage {
                nodes: self.nodes,
                time: Duration::from_micros(self.microseconds),
                hash_full: self.hash_full,
                tablebase_hits: 0,
            },
            is_interrupted: self.is_interrupted,
        }
    }
}

/// A line; its score as the transposition table has it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WrittenLine {
    rank: usize,
    depth: i32,
    selective_depth: usize,
    score: i16,
    bound: u8,
    moves: Vec<u16>,
}

impl WrittenLine {
    pub(crate) fn new(line: &Line) -> Self {
        Self {
            rank: line.rank,
            depth: line.depth,
            selective_depth: line.selective_depth,
            score: line.score.to_tt(0),
            bound: match line.bound {
                Bound::Exact => 0,
                Bound::Lower => 1,
                Bound::Upper => 2,
            },
            moves: line.moves.iter().map(|mv| mv.to_bits()).collect(),
        }
    }

    pub(crate) fn read(self) -> Line {
        Line {
            rank: self.rank,
            depth: self.depth,
            selective_depth: self.selective_depth,
            score: Score::from_tt(self.score, 0, 0),
            bound: match self.bound {
                1 => Bound::Lower,
                2 => Bound::Upper,
                _ => Bound::Exact,
            },
            moves: self.moves.into_iter().filter_map(Move::from_bits).collect(),
        }
    }
}

impl Job {
    pub(crate) fn choose(job: &MoveJob) -> Result<Self> {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Ok(Self::Choose {
            id: job.id.clone(),
            player: WrittenPlayer::new(&job.player)?,
            game: WrittenGame::new(&job.game),
            clocks: job.clocks.map(|face| face.map(|face| [millis(face.left), millis(face.increment)])),
            seed: job.seed,
        })
    }

    pub(crate) fn best_line(job: &LineJob) -> Self {
        Self::BestLine { game: WrittenGame::new(&job.game), nodes: job.nodes, is_fresh: job.is_fresh }
    }

    pub(crate) fn coach(job: &CoachJob) -> Self {
        Self::Coach { game: WrittenGame::new(&job.game), question: job.question }
    }

    pub(crate) fn study(job: &StudyJob) -> Self {
        Self::Study {
            game: WrittenGame::new(&job.game),
            lines: job.lines,
            depth: job.depth,
            nodes: job.nodes,
            milliseconds: u64::try_from(job.time.as_millis()).unwrap_or(u64::MAX),
        }
    }

    pub(crate) fn review(job: &ReviewJob) -> Self {
        Self::Review {
            id: job.id.clone(),
            game: WrittenGame::new(&job.game),
            result: job.result.to_string(),
            effort: job.effort.code().to_owned(),
        }
    }
}

/// A job that was read.
pub(crate) enum ReadJob {
    Choose(MoveJob),
    BestLine(LineJob),
    Coach(CoachJob),
    Study(StudyJob),
    Review(ReviewJob),
}

impl Job {
    pub(crate) fn read(self) -> Result<ReadJob> {
        Ok(match self {
            Self::Choose { id, player, game, clocks, seed } => ReadJob::Choose(MoveJob {
                id,
                player: player.read(),
                game: game.read()?,
                clocks: clocks.map(|clock| {
                    clock.map(|[left, increment]| ClockFace {
                        left: Duration::from_millis(left),
                        increment: Duration::from_millis(increment),
                        moves_to_go: None,
                    })
                }),
                seed,
                classic: None,
            }),
            Self::BestLine { game, nodes, is_fresh } => {
                ReadJob::BestLine(LineJob { game: game.read()?, nodes, is_fresh })
            }
            Self::Coach { game, question } => ReadJob::Coach(CoachJob { game: game.read()?, question }),
            Self::Study { game, lines, depth, nodes, milliseconds } => ReadJob::Study(StudyJob {
                game: game.read()?,
                lines,
                depth,
                nodes,
                time: Duration::from_millis(milliseconds),
            }),
            Self::Review { id, game, result, effort } => ReadJob::Review(ReviewJob {
                id,
                game: game.read()?,
                result: result.parse().unwrap_or_default(),
                effort: Effort::from_code(&effort)?,
            }),
        })
    }
}

impl Answer {
    pub(crate) fn of_choice(choice: Choice) -> Self {
        match choice {
            Choice::Move(mv) => Self::Move(mv.to_bits()),
            Choice::Resign => Self::Resign,
        }
    }
}

/// The seat of an engine in a game, for what a classic remembers.
pub(crate) fn seat(id: &str, color: Color) -> String {
    format!("{id} {}", color.code())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        let mut game = Game::new();
        for san in ["e4", "e5", "Nf3"] {
            game.play(game.position().parse_san(san).expect("a move")).expect("legal");
        }
        game
    }

    #[test]
    fn jobs_survive_the_way() {
        let clocks = [
            Some(ClockFace { left: Duration::from_secs(9), increment: Duration::ZERO, moves_to_go: None }),
            None,
        ];
        let player = Player::Level { id: "8".to_owned() };
        let job =
            MoveJob { id: "x".to_owned(), player, game: game(), clocks, seed: u64::MAX - 1, classic: None };
        let text = to_json(&Job::choose(&job).expect("an engine")).expect("JSON");
        let ReadJob::Choose(read) = from_json::<Job>(&text).and_then(Job::read).expect("a job") else {
            panic!("{text}");
        };
        assert_eq!((read.seed, read.clocks, read.player), (job.seed, job.clocks, job.player));
        assert_eq!(read.game.keys(), job.game.keys());
    }

    #[test]
    fn lines_survive_the_way() {
        let mv = game().position().parse_san("Nc6").expect("a move");
        for score in [Score::evaluation(-123), Score::mate_in(5), Score::mated_in(4), Score::DRAW] {
            let line =
                Line { rank: 2, depth: 9, selective_depth: 14, score, bound: Bound::Lower, moves: vec![mv] };
            let text = to_json(&WrittenLine::new(&line)).expect("JSON");
            assert_eq!(from_json::<WrittenLine>(&text).expect("a line").read(), line);
        }
    }
}
