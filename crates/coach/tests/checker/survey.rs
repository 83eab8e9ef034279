//! Explains moves and positions, checks all that is said, and keeps count.

use super::search::Searcher;
use super::{check, contradicts, contradicts_move};
use chess::{Game, Move};
use coach::claim::Variation;
use coach::{Catalogue, Claim, Coach, Fact, MoveExplanation};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What was said of many moves, and what was wrong with it.
pub(crate) struct Survey {
    coach: Coach,
    searcher: Searcher,
    catalogue: Catalogue,
    /// How often each kind of claim was made.
    pub(crate) counts: BTreeMap<String, u32>,
    /// The first sentences of each kind.
    pub(crate) sentences: BTreeMap<String, Vec<String>>,
    /// Claims that are false.
    pub(crate) faults: Vec<String>,
    /// Claims about best play that a search with twice the nodes does not confirm.
    pub(crate) unconfirmed: Vec<String>,
    /// Answers that contradict their score.
    pub(crate) contradictions: Vec<String>,
    /// Moves that were explained.
    pub(crate) moves: u32,
    /// Mistakes and blunders, and those of them for which there was a reason.
    pub(crate) errors: [u32; 2],
}

/// How many sentences of each kind are kept.
const KEPT: usize = 12;

fn kind(claim: &Claim) -> String {
    let detail = match &claim.fact {
        Fact::Motif { motif, .. } => motif.code(),
        Fact::Feature { feature, .. } => feature.code(),
        Fact::Trend { trend, .. } => trend.code(),
        Fact::Ending(ending) => ending.code(),
        Fact::Draw { how, .. } => how.code(),
        _ => "",
    };
    format!("{} {} {detail}", claim.occasion.code(), claim.fact.code()).trim_end().to_owned()
}

/// The score of the position, in centipawns for the side to move: what its verdict shows.
fn shown_score(claims: &[Claim], turn: chess::Color) -> Option<i64> {
    claims.iter().find_map(|claim| {
        let Fact::Verdict { score, .. } = claim.fact else { return None };
        let white = match score {
            chess::pgn::EvalScore::Centipawns(value) => i64::from(value),
            chess::pgn::EvalScore::Mate(moves) => 100_000 * i64::from(moves.signum()),
        };
        Some(if turn == chess::Color::White { white } else { -white })
    })
}

/// The line of the claim about mate or material that a motif explains.
fn whole_line(earlier: &[Value], claim: &Value) -> Value {
    let explained = |other: &&Value| {
        other["occasion"] == claim["occasion"] && (other["kind"] == "mate" || other["kind"] == "material")
    };
    earlier.iter().rev().find(explained).map_or(Value::Null, |other| other["line"].clone())
}

impl Survey {
    pub(crate) fn new(nodes: u64) -> Self {
        Self {
            coach: Coach::new(nodes).expect("an engine"),
            searcher: Searcher::new(2 * nodes),
            catalogue: Catalogue::english(),
            counts: BTreeMap::new(),
            sentences: BTreeMap::new(),
            faults: Vec::new(),
            unconfirmed: Vec::new(),
            contradictions: Vec::new(),
            moves: 0,
            errors: [0; 2],
        }
    }

    fn check_all(&mut self, claims: &[Claim], at: &Variation) -> Vec<Value> {
        let mut records = Vec::new();
        for claim in claims {
            let mut record = serde_json::to_value(claim).expect("JSON");
            record["at"] = json!(at);
            record["whole"] = whole_line(&records, &record);
            let kind = kind(claim);
            *self.counts.entry(kind.clone()).or_default() += 1;
            let sentence = self.catalogue.sentence(claim);
            let report = |fault| format!("{kind}: {fault}\n    {sentence}\n    {record}");
            match check(&record) {
                Err(fault) => self.faults.push(report(fault)),
                Ok(()) => self.unconfirmed.extend(self.searcher.check(&record).err().map(report)),
            }
            let kept = self.sentences.entry(kind).or_default();
            if kept.len() < KEPT && !kept.contains(&sentence) {
                kept.push(sentence);
            }
            records.push(record);
        }
        records
    }

    /// Asks how the position of a game is.
    pub(crate) fn position(&mut self, game: &Game) -> Vec<Claim> {
        let position = *game.position();
        let mut claims = self.coach.position(game).expect("a search");
        let at = Variation { start: position, moves: Vec::new() };
        let records = self.check_all(&claims, &at);
        let turn = coach::claim::side_code(position.turn());
        if let Some(score) = shown_score(&claims, position.turn())
            && let Some(fault) = contradicts(&records, score, turn)
        {
            self.contradictions.push(fault);
        }
        if !game.is_over() {
            let threat: Vec<Claim> = self.coach.threat(game).expect("a search").into_iter().collect();
            self.check_all(&threat, &at);
            claims.extend(threat);
        }
        claims
    }

    /// Asks about a move.
    pub(crate) fn mv(&mut self, game: &Game, mv: Move) -> MoveExplanation {
        let at = Variation { start: *game.position(), moves: vec![mv] };
        let explanation = self.coach.mv(game, mv).expect("a search");
        let records = self.check_all(&explanation.claims, &at);
        let mover = coach::claim::side_code(game.position().turn());
        self.contradictions.extend(contradicts_move(&records, explanation.loss, mover));
        self.moves += 1;
        if explanation.loss >= 10.0 {
            self.errors[0] += 1;
            self.errors[1] += u32::from(explanation.claims.iter().any(Claim::is_reason));
        }
        explanation
    }

    /// Asks for a hint.
    pub(crate) fn hint(&mut self, game: &Game) {
        let at = Variation { start: *game.position(), moves: Vec::new() };
        let claims = self.coach.hint(game).expect("a search");
        self.check_all(&claims, &at);
    }

    /// Asks which of two moves is better.
    pub(crate) fn compare(&mut self, game: &Game, moves: [Move; 2]) {
        let at = Variation { start: *game.position(), moves: Vec::new() };
        let comparison = self.coach.compare(game, moves).expect("a search");
        self.check_all(&comparison.claims, &at);
    }
}
