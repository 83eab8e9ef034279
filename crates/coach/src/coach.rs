//! The coach with an engine: asks for the searches that its answers need.

use crate::claim::{Claim, DrawKind, Ended, Fact, Occasion, Variation};
use crate::endings::Ending;
use crate::exchange::{Deal, quiet_end};
use crate::explain::{self, MoveExplanation, MoveQuestion};
use crate::facts;
use crate::hint;
use crate::judge::win_percent;
use crate::line::Line;
use crate::reason::{Course, Look};
use crate::{themes, theory};
use chess::{Color, Game, Move, Position};
use engine::{Bound, Engine, Event, Limits, OptionError, Score, SearchError, StopToken};
use std::collections::BTreeSet;
use tablebase::{Tablebases, Wdl};

/// The lines compared to see whether there is only one good move.
const LINES: usize = 2;

/// What a search for a threat may use, in parts of the nodes of a full one.
const THREAT_SHARE: u64 = 4;

/// What the search of a line's end may use, in parts of the nodes of the line's own.
const DOUBT_SHARE: u64 = 8;

/// By this many points of the win percentage the end of a line may differ from its beginning.
const DOUBT: f64 = 8.0;

/// Two moves that differ by fewer points of the win percentage are about equally good.
const ALIKE: f64 = 2.0;

/// A side that has this much less material, in pawns, and holds, has a fortress.
const FORTRESS: i32 = 3;
/// The score, in centipawns, up to which it holds.
const HOLDS: i32 = 15;

/// Two moves compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The better of both, or the first if they are alike.
    pub better: Move,
    /// The points of the win percentage between them.
    pub difference: f64,
    /// What makes the difference, the verdict first.
    pub claims: Vec<Claim>,
}

/// Answers questions about positions and moves.
///
/// ```
/// use coach::{Catalogue, Coach};
///
/// let hanging = "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3".parse().unwrap();
/// let mut coach = Coach::new(10_000)?;
/// let claims = coach.position(&chess::Game::from_position(hanging))?;
/// let text = Catalogue::english().paragraph(&claims);
/// assert!(text.contains("White wins a queen with 3. Nxg5."), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Coach {
    engine: Engine,
    nodes: u64,
    stop: StopToken,
    tables: Option<Tablebases>,
    nodes_asked: u64,
}

impl Coach {
    /// A coach that looks at each position with this many nodes.
    ///
    /// # Errors
    /// When the engine does not take its options.
    pub fn new(nodes: u64) -> Result<Self, OptionError> {
        let mut engine = Engine::new();
        engine.configure(|settings| settings.analyse_mode = true)?;
        Ok(Self { engine, nodes, stop: StopToken::new(), tables: None, nodes_asked: 0 })
    }

    /// The same, but every search ends when the token is stopped.
    #[must_use]
    pub fn until(self, stop: &StopToken) -> Self {
        Self { stop: stop.clone(), ..self }
    }

    /// The same with the Syzygy tables of these directories.
    ///
    /// # Errors
    /// When the engine does not take them.
    pub fn with_tablebases(mut self, path: &str) -> Result<Self, OptionError> {
        self.engine.set_option("SyzygyPath", path)?;
        Ok(Self { tables: Some(Tablebases::open(path).0), ..self })
    }

    /// The nodes that all searches so far were allowed: what answers cost besides their rules.
    #[must_use]
    pub const fn nodes_asked(&self) -> u64 {
        self.nodes_asked
    }

    /// How is this position?
    ///
    /// # Errors
    /// When a search fails.
    pub fn position(&mut self, game: &Game) -> Result<Vec<Claim>, SearchError> {
        self.engine.new_game();
        let position = game.position();
        let looks =
            if explain::ended(position).is_some() { Vec::new() } else { self.look(game, self.nodes, LINES)? };
        let Some(best) = looks.first() else { return Ok(explain::position(position, &looks, None)) };
        let danger = self.if_passed(position, THREAT_SHARE)?;
        let mut claims = explain::position(position, &looks, danger.as_ref());
        let special = match self.table_claim(position) {
            Some(ending) => Some(ending),
            None => self.zugzwang(position, best.score)?.or(self.fortress(position, best)?),
        };
        if let Some(claim) = special {
            let is_draw = matches!(claim.fact, Fact::Ending(ending) if ending.is_draw());
            if is_draw {
                claims.retain(|other| !matches!(other.fact, Fact::Verdict { .. } | Fact::Ending(_)));
            }
            claims.insert(usize::from(!is_draw), claim);
        }
        claims.extend(theory::of_position(game));
        Ok(claims)
    }

    /// What the tables say.
    fn table_claim(&self, position: &Position) -> Option<Claim> {
        let tables = self.tables.as_ref()?;
        let turn = position.turn();
        let ending = match tables.probe_wdl(position).ok()?? {
            Wdl::Win => Ending::TableWin(turn),
            Wdl::Loss => Ending::TableWin(!turn),
            _ => Ending::TableDraw,
        };
        Some(Claim::new(Occasion::Position, Fact::Ending(ending)))
    }

    /// Whether the side to move would rather pass.
    fn zugzwang(&mut self, position: &Position, score: Score) -> Result<Option<Claim>, SearchError> {
        if facts::officers(position, position.turn()).count() > 1 {
            return Ok(None);
        }
        let passing = self.if_passed(position, 1)?;
        let is_there = passing.is_some_and(|passing| explain::is_zugzwang(position, score, -passing.score));
        Ok(is_there.then(|| {
            let variation = Variation { start: *position, moves: Vec::new() };
            Claim::new(Occasion::Position, Fact::Zugzwang { side: position.turn(), variation })
        }))
    }

    /// Whether a side that is far behind in material holds, now and at the end of the best line.
    fn fortress(&mut self, position: &Position, best: &Look) -> Result<Option<Claim>, SearchError> {
        let behind = |position: &Position| {
            Color::ALL.into_iter().find(|&side| facts::balance(position, side) <= -FORTRESS)
        };
        let (Some(side), true) = (behind(position), best.score.centipawns().abs() <= HOLDS) else {
            return Ok(None);
        };
        let line = Line::new(*position, best.moves.iter().copied());
        let is_quiet = line.steps().all(|step| step.captured().is_none() && !step.mv.is_promotion());
        if line.moves().is_empty() || !is_quiet || line.steps().any(|step| step.gives_check()) {
            return Ok(None);
        }
        if explain::ended(line.end()).is_some() || self.score_after(&line)?.centipawns().abs() > HOLDS {
            return Ok(None);
        }
        let variation = Variation::of(&line, line.moves().len().min(6));
        let fact = Fact::Draw { side, how: DrawKind::Fortress, variation };
        Ok(Some(Claim::new(Occasion::Position, fact)))
    }

    /// Which of two moves is better, and why?
    ///
    /// # Errors
    /// When a search fails.
    pub fn compare(&mut self, game: &Game, moves: [Move; 2]) -> Result<Comparison, SearchError> {
        self.engine.new_game();
        let before = *game.position();
        let mut looks = Vec::with_capacity(2);
        for mv in moves {
            looks.push((mv, self.after_move(game, mv)?));
        }
        looks.sort_by_key(|(_, reply)| reply.score);
        let [better, worse] = [&looks[0], &looks[1]].map(|(mv, reply)| Look::of_move(*mv, reply));
        let difference = win_percent(better.score) - win_percent(worse.score);
        let short = |look: &Look| Course::new(&before, &look.moves, look.score, None).variation();
        let (variation, other) = (short(&better), short(&worse));
        let mut claims = Vec::new();
        if difference < ALIKE {
            claims.push(Claim::new(Occasion::Played, Fact::Alike { variation, other }));
        } else {
            claims.push(Claim::new(Occasion::Played, Fact::Preferred { variation, other }));
            claims.extend(explain::difference(&before, &better, &worse));
        }
        let better = if difference < ALIKE { moves[0] } else { looks[0].0 };
        Ok(Comparison { better, difference, claims })
    }

    /// The opponent's best line after a move.
    fn after_move(&mut self, game: &Game, mv: Move) -> Result<Look, SearchError> {
        let mut after = game.clone();
        let ended = |score| Look { score, moves: Vec::new() };
        if after.replay(mv).is_err() {
            return Ok(ended(Score::DRAW));
        }
        match explain::ended(after.position()) {
            Some(Ended::Checkmate(_)) => Ok(ended(Score::mated_in(0))),
            Some(_) => Ok(ended(Score::DRAW)),
            None => {
                let looks = self.look(&after, self.nodes, 1)?;
                Ok(looks.into_iter().next().unwrap_or_else(|| ended(Score::DRAW)))
            }
        }
    }

    /// What a solution is about, in the words of Lichess's themes.
    ///
    /// # Errors
    /// When a search fails.
    pub fn themes(&mut self, line: &Line) -> Result<BTreeSet<&'static str>, SearchError> {
        self.engine.new_game();
        let mut found = themes::of(line, Some(self.score_after(line)?));
        for step in line.hero_steps() {
            if explain::ended(step.after).is_some() || !themes::may_be_zugzwang(step.after) {
                continue;
            }
            let looks = self.look(&Game::from_position(*step.after), self.nodes, 1)?;
            let Some(moving) = looks.first().map(|look| look.score) else { continue };
            if self.zugzwang(step.after, moving)?.is_some() {
                found.insert("zugzwang");
                break;
            }
        }
        Ok(found)
    }

    /// Why is this move good, bad or best?
    ///
    /// # Errors
    /// When a search fails.
    pub fn mv(&mut self, game: &Game, mv: Move) -> Result<MoveExplanation, SearchError> {
        self.engine.new_game();
        let before = *game.position();
        let best = self.look(game, self.nodes, LINES)?;
        let mut after = game.clone();
        if after.replay(mv).is_err() {
            return Ok(MoveExplanation { loss: 0.0, judgement: None, kind: None, claims: Vec::new() });
        }
        let reply = self.after_move(game, mv)?;
        let danger = self.if_passed(&before, THREAT_SHARE)?;
        let threat = self.if_passed(after.position(), THREAT_SHARE)?;
        let lead_in =
            game.ply().checked_sub(1).and_then(|ply| Some((*game.position_at(ply)?, game.last_move()?)));
        let mut explanation = explain::mv(&MoveQuestion {
            before: &before,
            mv,
            lead_in,
            best: &best,
            reply: &reply,
            danger: danger.as_ref(),
            threat: threat.as_ref(),
        });
        explanation.claims.extend(theory::of_move(game, mv));
        Ok(explanation)
    }

    /// What does the opponent threaten?
    ///
    /// # Errors
    /// When a search fails.
    pub fn threat(&mut self, game: &Game) -> Result<Option<Claim>, SearchError> {
        let position = game.position();
        let (Some(look), Some(passed)) = (self.if_passed(position, THREAT_SHARE)?, facts::passed(position))
        else {
            return Ok(None);
        };
        let now = self.look(game, (self.nodes / THREAT_SHARE).max(1), 1)?;
        let course = Course::new(&passed, &look.moves, look.score, None);
        let is_real = now.first().is_some_and(|now| explain::is_real(look.score, -now.score));
        Ok(explain::threat_claim(&course, Occasion::Threat).filter(|_| is_real))
    }

    /// Three steps of a hint: what to look at, the idea, the move.
    ///
    /// # Errors
    /// When a search fails.
    pub fn hint(&mut self, game: &Game) -> Result<Vec<Claim>, SearchError> {
        self.engine.new_game();
        let looks = self.look(game, self.nodes, 1)?;
        let danger = self.if_passed(game.position(), THREAT_SHARE)?;
        Ok(looks.first().map(|best| hint::steps(game.position(), best, danger.as_ref())).unwrap_or_default())
    }

    /// The score of the end of a line for the side that moves first in it.
    ///
    /// # Errors
    /// When a search fails.
    pub fn score_after(&mut self, line: &Line) -> Result<Score, SearchError> {
        self.line_end_score(line, self.nodes)
    }

    fn line_end_score(&mut self, line: &Line, nodes: u64) -> Result<Score, SearchError> {
        let end = line.end();
        let score = match explain::ended(end) {
            Some(Ended::Checkmate(_)) => Score::mated_in(0),
            Some(_) => Score::DRAW,
            None => {
                let found = self.search(&Game::from_position(*end), nodes, 1)?;
                found.first().map_or(Score::DRAW, |line| line.score)
            }
        };
        Ok(if end.turn() == line.hero() { score } else { -score })
    }

    /// The best line of the other side if the side to move passed, with a share of the nodes.
    fn if_passed(&mut self, position: &Position, share: u64) -> Result<Option<Look>, SearchError> {
        let Some(passed) = facts::passed(position).filter(|passed| passed.has_legal_move()) else {
            return Ok(None);
        };
        let looks = self.look(&Game::from_position(passed), (self.nodes / share).max(1), 1)?;
        Ok(looks.into_iter().next())
    }

    /// The best lines of a position, the best first.
    fn look(&mut self, game: &Game, nodes: u64, lines: usize) -> Result<Vec<Look>, SearchError> {
        let found = self.search(game, nodes, lines)?;
        let mut looks: Vec<Look> = found.iter().map(Look::from).collect();
        if let Some(best) = looks.first_mut() {
            self.cut_doubtful_end(game.position(), best, nodes)?;
        }
        Ok(looks)
    }

    fn search(&mut self, game: &Game, nodes: u64, lines: usize) -> Result<Vec<engine::Line>, SearchError> {
        self.engine.set_lines(lines);
        self.nodes_asked += nodes;
        completed_lines(&mut self.engine, game, Limits::nodes(nodes).until(&self.stop))
    }

    /// The farther a line goes, the less a search has looked at it. Where material changes hands, the quiet end of the
    /// line is searched too, and what does not agree with the score of the whole is cut off.
    fn cut_doubtful_end(&mut self, start: &Position, look: &mut Look, nodes: u64) -> Result<(), SearchError> {
        while !look.score.is_decisive() && look.moves.len() > 1 {
            let line = Line::new(*start, look.moves.iter().copied());
            let end = quiet_end(&line);
            if Deal::along(&line, line.hero(), end).balance() == 0 {
                break;
            }
            let shown = Line::new(*start, look.moves.iter().copied().take(end));
            let score = self.line_end_score(&shown, (nodes / DOUBT_SHARE).max(1))?;
            if (win_percent(score) - win_percent(look.score)).abs() <= DOUBT {
                break;
            }
            look.moves.truncate(end.max(2) - 1);
        }
        Ok(())
    }
}

/// The lines of the last iteration that a search completed, the best first: where nodes end in the middle of one, scores
/// are bounds, or of different depths.
///
/// # Errors
/// When the search fails.
pub fn completed_lines(
    engine: &mut Engine,
    game: &Game,
    limits: Limits,
) -> Result<Vec<engine::Line>, SearchError> {
    let mut completed = None;
    let outcome = engine.search(game, limits, |event| match event {
        Event::Lines(lines, _) if lines.iter().all(|line| line.bound == Bound::Exact) => {
            completed = Some(lines);
        }
        _ => {}
    })?;
    let mut lines = completed.unwrap_or(outcome.lines);
    lines.sort_by_key(|line| line.rank);
    Ok(lines)
}
