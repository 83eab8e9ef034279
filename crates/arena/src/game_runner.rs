//! One game from the opening to the result.

use crate::openings::Opening;
use chess::{Color, Game, Outcome, Reason};
use players::{
    AdjudicationRules, Adjudicator, Answer, Clock, Decision, Failure, Limit, Player, Thought, Turn,
};
use std::time::{Duration, Instant};

/// The conditions under which a game is played.
#[derive(Clone)]
pub struct GameConditions {
    /// When clear games are ended.
    pub rules: AdjudicationRules,
    /// Exceeding the clock by up to this much is forgiven: it is the arena's own delay.
    pub margin: Duration,
    /// A player that exceeds its time by this much counts as hanging.
    pub patience: Duration,
}

/// What is known of a move that was played.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct MoveNote {
    /// What its player thought.
    pub thought: Thought,
    /// How long it took.
    pub elapsed: Duration,
    /// What its player's clock showed afterwards.
    pub clock: Option<Duration>,
}

/// Something that must not happen in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incident {
    /// Who did it.
    pub color: Color,
    /// What it did.
    pub kind: IncidentKind,
    /// In words, to be read after the name of the player.
    pub text: String,
    /// What was said between it and the arena.
    pub dialogue: String,
}

/// The kinds of incidents.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum IncidentKind {
    TimeForfeit,
    IllegalMove,
    FalseClaim,
    Hang,
    Crash,
    Unable,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// How many of its moves belong to the opening.
    pub opening_plies: usize,
    /// The moves after the opening.
    pub notes: Vec<MoveNote>,
    /// How it ended.
    pub outcome: Outcome,
    /// What went wrong, if something did.
    pub incident: Option<Incident>,
}

/// The match was to end before the game did.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// Plays a game between the players of White and Black.
///
/// # Errors
/// When the match is interrupted.
pub fn play<'a>(
    players: [&'a mut dyn Player; 2],
    limits: [Limit; 2],
    opening: &Opening,
    conditions: &'a GameConditions,
) -> Result<Played, Interrupted> {
    let game = opening.to_game();
    let runner = Runner {
        opening_plies: game.ply(),
        game,
        players,
        limits,
        clock: Clock::new(limits),
        adjudicator: Adjudicator::new(&conditions.rules),
        conditions,
        notes: Vec::new(),
        incident: None,
    };
    runner.run()
}

struct Runner<'a> {
    game: Game,
    opening_plies: usize,
    players: [&'a mut dyn Player; 2],
    limits: [Limit; 2],
    clock: Clock,
    adjudicator: Adjudicator,
    conditions: &'a GameConditions,
    notes: Vec<MoveNote>,
    incident: Option<Incident>,
}

impl Runner<'_> {
    fn run(mut self) -> Result<Played, Interrupted> {
        let variant = self.game.variant();
        for color in Color::ALL {
            if let Err(failure) = self.players[color.index()].new_game(variant) {
                let outcome = self.fail(color, &failure)?;
                return Ok(self.finish(outcome));
            }
        }
        let outcome = loop {
            if let Some(outcome) = self.turn()? {
                break outcome;
            }
        };
        Ok(self.finish(outcome))
    }

    fn finish(mut self, outcome: Outcome) -> Played {
        // A game that the rules have ended needs no declaration.
        let _ = self.game.end(outcome);
        let gone = self.incident.as_ref().map(|incident| incident.color);
        for color in Color::ALL {
            if gone != Some(color) {
                self.players[color.index()].game_over(&self.game);
            }
        }
        Played {
            game: self.game,
            opening_plies: self.opening_plies,
            notes: self.notes,
            outcome,
            incident: self.incident,
        }
    }

    /// One move. Returns how the game ended, if it did.
    fn turn(&mut self) -> Result<Option<Outcome>, Interrupted> {
        let color = self.game.position().turn();
        let side = color.index();
        // The players' answers say how long they took, so that the clock never runs by itself.
        let now = Instant::now();
        let clocks = Color::ALL.map(|color| self.clock.face(color, now));
        let limit = self.limits[side];
        let allowed = self.clock.allowance(color).unwrap_or_default();
        let patience =
            allowed.saturating_add(self.conditions.margin).saturating_add(self.conditions.patience);
        let turn = Turn { game: &self.game, limit, clocks, patience };
        let answer = match self.players[side].choose(&turn) {
            Ok(answer) => answer,
            Err(failure) => return self.fail(color, &failure).map(Some),
        };
        if let Some(outcome) = self.press_clock(color, &answer) {
            return Ok(Some(outcome));
        }
        let mv = match answer.decision {
            Decision::Resign => return Ok(Some(Outcome::win(!color, Reason::Resignation))),
            Decision::Move(mv) => mv,
        };
        if let Err(error) = self.game.replay(mv) {
            return self.fail(color, &Failure::IllegalMove(error.to_string())).map(Some);
        }
        let clock = self.clock.left(color, now);
        self.notes.push(MoveNote { thought: answer.thought, elapsed: answer.elapsed, clock });
        // Mate comes before every draw.
        let by_rule = self.game.outcome().or_else(|| self.game.claimable());
        Ok(by_rule.or_else(|| self.adjudicator.judge(&self.game, color, answer.thought.score)))
    }

    /// Counts the time of an answer. Returns the end of the game if there was not enough of it.
    fn press_clock(&mut self, color: Color, answer: &Answer) -> Option<Outcome> {
        let spent = self.clock.spend(color, answer.elapsed, answer.thought.nodes, self.conditions.margin);
        let by = spent.err()?.by;
        let text = format!("exceeded its time by {:.1} ms", by.as_secs_f64() * 1e3);
        self.note_incident(color, IncidentKind::TimeForfeit, text);
        let winner = Some(!color).filter(|&winner| self.game.position().can_mate(winner));
        Some(Outcome { winner, reason: Reason::TimeForfeit })
    }

    fn fail(&mut self, color: Color, failure: &Failure) -> Result<Outcome, Interrupted> {
        let (kind, reason) = match failure {
            Failure::Interrupted => return Err(Interrupted),
            Failure::Hang(_) => (IncidentKind::Hang, Reason::Abandoned),
            Failure::Start(_) | Failure::Crash(_) => (IncidentKind::Crash, Reason::Abandoned),
            Failure::IllegalMove(_) => (IncidentKind::IllegalMove, Reason::IllegalMove),
            Failure::FalseClaim(_) => (IncidentKind::FalseClaim, Reason::Abandoned),
            Failure::Unable(_) => (IncidentKind::Unable, Reason::Abandoned),
        };
        self.note_incident(color, kind, failure.to_string());
        Ok(Outcome::win(!color, reason))
    }

    fn note_incident(&mut self, color: Color, kind: IncidentKind, text: String) {
        let dialogue = self.players[color.index()].dialogue();
        self.incident = Some(Incident { color, kind, text, dialogue });
    }
}
