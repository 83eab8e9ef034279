//! Games and reviews as JSON, in the browser's database and on the way from there to a server. The names here never
//! change: a browser may bring back what it stored years ago. A new field has a default.

use crate::codes::{Coded, PlayerCode};
use crate::error::{Error, Result};
use crate::game_review::{BetterLine, Effort, GameReview, Judged, ReviewedMove, SideReview};
use crate::notation;
use crate::record::{GameKind, Player, Record, restore_game};
use chess::pgn::EvalScore;
use chess::{Color, Outcome, Position, Reason, Variant};
use players::{Clock, TimeControl};
use review::Judgement;
use review::notation::coordinate_line;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;
use web_time::Instant;

/// No game that has ended by the rules has more plies.
const MAX_PLIES: usize = 20_000;
/// A month, in milliseconds: longer than any clock can be set to.
const MAX_CLOCK: u64 = 31 * 24 * 60 * 60 * 1000;

/// A game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredGame {
    /// Its identifier, the same wherever it is stored.
    pub id: String,
    /// Grows with every change that is written: who changes an older one has not seen the newest.
    pub version: u64,
    /// It was deleted, which can be taken back.
    #[serde(default)]
    pub deleted: bool,
    kind: String,
    variant: String,
    start: String,
    white: StoredPlayer,
    black: StoredPlayer,
    /// In coordinates.
    moves: Vec<String>,
    /// What was left after each move, in milliseconds.
    #[serde(default)]
    clocks: Vec<Option<u64>>,
    #[serde(default)]
    clock: Option<StoredClock>,
    #[serde(default)]
    winner: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    revision: i64,
    created: i64,
    updated: i64,
    #[serde(default)]
    next: Option<String>,
    #[serde(default)]
    human_pace: bool,
    /// In decimal, because numbers of JavaScript have fewer bits.
    seed: String,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    #[serde(default)]
    pgn: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredPlayer {
    kind: String,
    /// The name of a person, the identifier of an engine.
    name: String,
    #[serde(default)]
    seated: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredClock {
    initial: u64,
    increment: u64,
    white: u64,
    black: u64,
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl StoredPlayer {
    fn new(player: &Player) -> Self {
        let (kind, name) = match player {
            Player::Person { name, .. } => (PlayerCode::Person, name),
            Player::Level { id } => (PlayerCode::Level, id),
            Player::Classic { id } => (PlayerCode::Classic, id),
        };
        Self { kind: kind.code().to_owned(), name: name.clone(), seated: player.visitor().is_some() }
    }

    fn read(self, owner: &str) -> Result<Player> {
        Ok(match PlayerCode::from_code(&self.kind)? {
            PlayerCode::Person => {
                Player::Person { name: self.name, visitor: self.seated.then(|| owner.to_owned()) }
            }
            PlayerCode::Level => Player::Level { id: self.name },
            PlayerCode::Classic => Player::Classic { id: self.name },
        })
    }
}

impl StoredGame {
    /// Whether it is no larger than a game can be, for those who do not know who has written it.
    ///
    /// # Errors
    /// When it is.
    pub(crate) fn check_size(&self) -> Result<()> {
        let has_long_clock = self.clock.as_ref().is_some_and(|clock| {
            [clock.initial, clock.increment, clock.white, clock.black].iter().any(|&time| time > MAX_CLOCK)
        });
        let has_long_time = self.clocks.iter().flatten().any(|&left| left > MAX_CLOCK);
        if self.moves.len() > MAX_PLIES || has_long_clock || has_long_time {
            return Err(Error::bad_request("the game is longer than games can be"));
        }
        Ok(())
    }

    /// A game as it is to be stored.
    #[must_use]
    pub fn new(record: &Record, version: u64, now: Instant) -> Self {
        let outcome = record.game.outcome();
        Self {
            id: record.id.clone(),
            version,
            deleted: false,
            kind: record.kind.code().to_owned(),
            variant: record.game.variant().code().to_owned(),
            start: record.game.start().to_fen(),
            white: StoredPlayer::new(record.player(Color::White)),
            black: StoredPlayer::new(record.player(Color::Black)),
            moves: notation::coordinates(&record.game),
            clocks: record.game.plies().iter().map(|ply| ply.clock.map(millis)).collect(),
            clock: StoredClock::new(record, now),
            winner: outcome.and_then(|outcome| outcome.winner).map(|color| color.code().to_owned()),
            reason: outcome.map(|outcome| outcome.reason.code().to_owned()),
            revision: record.revision,
            created: record.created,
            updated: record.updated,
            next: record.next.clone(),
            human_pace: record.human_pace,
            seed: record.seed.to_string(),
            tags: record.tags.clone(),
            pgn: record.pgn.clone(),
        }
    }

    /// The game; its persons with a seat are `owner`.
    ///
    /// # Errors
    /// When it makes no sense.
    pub fn read(self, owner: &str) -> Result<Record> {
        let kind = GameKind::from_code(&self.kind)?;
        let clocks = self.clocks.into_iter().chain(std::iter::repeat(None));
        let moves: Vec<(String, Option<Duration>)> =
            self.moves.into_iter().zip(clocks.map(|left| left.map(Duration::from_millis))).collect();
        let winner = self.winner.as_deref().map(Color::from_code).transpose()?;
        let reason = self.reason.as_deref().map(Reason::from_code).transpose()?;
        let end = reason.map(|reason| Outcome { winner, reason }).filter(|_| kind != GameKind::Imported);
        Ok(Record {
            id: self.id,
            kind,
            players: [self.white.read(owner)?, self.black.read(owner)?],
            game: restore_game(&self.start, Variant::from_code(&self.variant)?, &moves, end)?,
            clock: self.clock.map(StoredClock::read),
            revision: self.revision,
            created: self.created,
            updated: self.updated,
            is_invite_open: false,
            next: self.next,
            human_pace: self.human_pace,
            seed: self.seed.parse().map_err(|_| Error::internal(&"the stored game has no seed"))?,
            tags: self.tags,
            pgn: self.pgn,
            reviewed: false,
        })
    }
}

impl StoredClock {
    /// The clock as it stands now; it runs on when the game is opened again.
    fn new(record: &Record, now: Instant) -> Option<Self> {
        let (clock, control) = (record.clock.as_ref()?, record.time_control()?);
        let left = |color: Color| millis(clock.left(color, now).unwrap_or_default());
        Some(Self {
            initial: millis(control.base),
            increment: millis(control.increment),
            white: left(Color::White),
            black: left(Color::Black),
        })
    }

    fn read(self) -> Clock {
        let control = TimeControl {
            moves: None,
            base: Duration::from_millis(self.initial),
            increment: Duration::from_millis(self.increment),
        };
        let mut clock = Clock::for_both(control);
        clock.set_left(Color::White, Duration::from_millis(self.white));
        clock.set_left(Color::Black, Duration::from_millis(self.black));
        clock
    }
}

/// A review.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredReview {
    game: String,
    variant: String,
    effort: String,
    version: String,
    nodes: u64,
    start: String,
    start_judged: StoredJudged,
    turning_point: Option<usize>,
    moves: Vec<StoredMove>,
    /// Accuracy and average loss of White and Black.
    sides: [[Option<f64>; 2]; 2],
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredJudged {
    cp: Option<i32>,
    mate: Option<i32>,
    win: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredMove {
    uci: String,
    after: StoredJudged,
    loss: f64,
    accuracy: f64,
    judgement: Option<String>,
    better: Option<StoredBetter>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredBetter {
    judged: StoredJudged,
    line: String,
}

impl StoredJudged {
    fn new(judged: &Judged) -> Self {
        let (cp, mate) = match judged.score {
            EvalScore::Centipawns(cp) => (Some(cp), None),
            EvalScore::Mate(moves) => (None, Some(moves)),
        };
        Self { cp, mate, win: judged.win_percent }
    }

    fn read(&self) -> Judged {
        let score = match (self.mate, self.cp) {
            (Some(moves), _) => EvalScore::Mate(moves),
            (None, cp) => EvalScore::Centipawns(cp.unwrap_or_default()),
        };
        Judged { score, win_percent: self.win }
    }
}

impl StoredReview {
    /// A review as it is to be stored.
    #[must_use]
    pub fn new(review: &GameReview) -> Self {
        let start = review.moves.first().map_or_else(Position::startpos, |mv| mv.before);
        let moves = review.moves.iter().map(|mv| StoredMove::new(mv, review.variant)).collect();
        Self {
            game: review.game.clone(),
            variant: review.variant.code().to_owned(),
            effort: review.effort.code().to_owned(),
            version: review.version.clone(),
            nodes: review.nodes,
            start: start.to_fen(),
            start_judged: StoredJudged::new(&review.start),
            turning_point: review.turning_point,
            moves,
            sides: review.sides.map(|side| [side.accuracy, side.average_loss]),
        }
    }

    /// The review.
    ///
    /// # Errors
    /// When it makes no sense.
    pub fn read(self) -> Result<GameReview> {
        let mut position = notation::read_position(&self.start)?.position;
        let mut moves = Vec::with_capacity(self.moves.len());
        for stored in self.moves {
            let reviewed = stored.read(&position)?;
            position.play(reviewed.mv);
            moves.push(reviewed);
        }
        Ok(GameReview {
            game: self.game,
            variant: Variant::from_code(&self.variant)?,
            effort: Effort::from_code(&self.effort)?,
            version: self.version,
            nodes: self.nodes,
            start: self.start_judged.read(),
            turning_point: self.turning_point,
            moves,
            sides: self.sides.map(|[accuracy, average_loss]| SideReview { accuracy, average_loss }),
        })
    }
}

impl StoredMove {
    fn new(reviewed: &ReviewedMove, variant: Variant) -> Self {
        Self {
            uci: notation::uci(&reviewed.before, reviewed.mv, variant),
            after: StoredJudged::new(&reviewed.after),
            loss: reviewed.loss,
            accuracy: reviewed.accuracy,
            judgement: reviewed.judgement.map(|judgement| judgement.code().to_owned()),
            better: reviewed.better.as_ref().map(|better| StoredBetter {
                judged: StoredJudged::new(&better.judged),
                line: coordinate_line(&reviewed.before, &better.line, variant).join(" "),
            }),
        }
    }

    fn read(self, before: &Position) -> Result<ReviewedMove> {
        Ok(ReviewedMove {
            before: *before,
            mv: notation::read_move(before, &self.uci)?,
            after: self.after.read(),
            loss: self.loss,
            accuracy: self.accuracy,
            judgement: self.judgement.as_deref().map(Judgement::from_code).transpose()?,
            better: self.better.map(|better| BetterLine {
                judged: better.judged.read(),
                line: notation::read_line(before, better.line.split_ascii_whitespace()),
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::ReviewJob;
    use chess::{Game, GameResult};

    fn game() -> Game {
        let mut game = Game::new();
        for san in ["f3", "e5", "g4", "Qh4#"] {
            game.play(game.position().parse_san(san).expect("a move")).expect("legal");
        }
        game
    }

    #[test]
    fn games_come_back_as_they_were_stored() {
        let control =
            TimeControl { moves: None, base: Duration::from_secs(60), increment: Duration::from_secs(1) };
        let mut played = game();
        played.set_clock(Duration::from_secs(50));
        let record = Record {
            id: "abc".to_owned(),
            kind: GameKind::Engine,
            players: [
                Player::Person { name: "Judit".to_owned(), visitor: Some("owner".to_owned()) },
                Player::Level { id: "5".to_owned() },
            ],
            game: played,
            clock: Some(Clock::for_both(control)),
            revision: 7,
            created: 1,
            updated: 2,
            is_invite_open: false,
            next: Some("def".to_owned()),
            human_pace: true,
            seed: u64::MAX,
            tags: BTreeMap::from([("Event".to_owned(), "Test".to_owned())]),
            pgn: None,
            reviewed: false,
        };
        let text = serde_json::to_string(&StoredGame::new(&record, 3, Instant::now())).expect("JSON");
        let stored: StoredGame = serde_json::from_str(&text).expect("a game");
        assert_eq!((stored.version, stored.deleted), (3, false));
        let read = stored.read("owner").expect("a game");
        assert_eq!(format!("{read:?}"), format!("{record:?}"));
    }

    #[test]
    fn reviews_come_back_as_they_were_stored() {
        let job = ReviewJob {
            id: "abc".to_owned(),
            game: game(),
            result: GameResult::BlackWins,
            effort: Effort::Quick,
        };
        let review = job.run(&mut |_, _| true).expect("a review");
        let text = serde_json::to_string(&StoredReview::new(&review)).expect("JSON");
        let stored: StoredReview = serde_json::from_str(&text).expect("a review");
        assert_eq!(stored.read(), Ok(review));
    }
}
