//! The engine as its callers see it.

use crate::control::Control;
use crate::evaluation::{Evaluation, EvaluationKind};
use crate::event::{Bound, Event, Line, Outcome, SearchError, Sink, Usage};
use crate::handicap::{Handicap, mix};
use crate::level::Level;
use crate::limits::Limits;
use crate::options::{self, Effect, OptionError, Spec};
use crate::own_book::OwnBook;
use crate::pool::{Pool, Recipe, STACK_SIZE};
use crate::score::Score;
use crate::search::params::Params;
use crate::settings::Settings;
use crate::stop::OnStop;
use crate::task::{Driver, Request};
use crate::time::Budget;
use crate::transposition::TranspositionTable;
use book::BookMove;
use chess::{Game, Key, Move, Position};
use nnue::Network;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::Arc;
use tablebase::{RankSource, RootRanking, Tablebases};

/// A chess engine.
///
/// [`search`](Self::search) asks it and waits for the answer:
///
/// ```
/// use chess::Game;
/// use engine::{Engine, Limits};
///
/// let mut engine = Engine::new();
/// let mut game = Game::new();
/// let outcome = engine.search(&game, Limits::nodes(10_000), |_| {})?;
/// let best = outcome.best.expect("the game has just begun");
/// game.play(best)?;
/// println!("{} with {:?}", game.start().san(best).as_str(), outcome.lines[0].score);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Interfaces that have to listen to their user meanwhile start a search with [`go`](Self::go) instead, which
/// returns at once; its events arrive at the [`Sink`] the engine was made with.
pub struct Engine {
    settings: Settings,
    sink: Option<Sink>,
    /// Notes from between searches, if there is no sink: for the next search.
    notes: Vec<String>,
    params: Params,
    position: Position,
    history: Vec<Key>,
    /// The exact key under which books file the position.
    book_key: u64,
    own_book: OwnBook,
    table: Arc<TranspositionTable>,
    tablebases: Option<Arc<Tablebases>>,
    /// The network to evaluate with, if there is one: the one of the file last named, else that built in.
    network: Option<Arc<Network>>,
    /// None while the system has no threads to spare; every search tries again.
    pool: Option<Pool>,
    /// Made when a level below full strength is first chosen.
    weak_side: Option<WeakSide>,
    /// What the errors of a level follow from, unless an option says.
    game_seed: u64,
    /// The search under way, or the last one.
    current: Option<Current>,
    /// Whether searches run on the thread that starts them, as long as there is only one.
    in_place: bool,
    /// Of the threads that search.
    stack_size: usize,
}

/// Whether threads can be started here; otherwise every search runs on the thread that asks for it.
const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// How a search is stopped from outside.
struct Current {
    control: Arc<Control>,
    _stop: Option<OnStop>,
}

/// Where levels below full strength think: with memory of their own, so that neither what full strength
/// knows of the game nor the options of threads and memory change how they play.
struct WeakSide {
    table: Arc<TranspositionTable>,
    pool: Pool,
}

impl WeakSide {
    /// In MiB; emptied before every move.
    const TABLE_SIZE: usize = 2;

    fn new(params: &Params, in_place: bool) -> io::Result<Self> {
        let recipe =
            Recipe { params, evaluation: EvaluationKind::Handcrafted, network: None, stack_size: STACK_SIZE };
        let pool = if in_place { Pool::in_place(&recipe) } else { Pool::new(1, &recipe)? };
        Ok(Self { table: Arc::new(TranspositionTable::new(Self::TABLE_SIZE)?), pool })
    }
}

/// What a search turned out to need.
enum Prepared {
    /// Nothing: the book knows the answer, or the game is over.
    Known(Outcome),
    /// Nothing, but a search that was asked to last has to.
    Wait { outcome: Outcome, control: Arc<Control>, infinite: bool },
    /// All threads, or the one of the weak side.
    Search { request: Box<Request>, is_weak: bool },
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine with default options, to be asked by [`search`](Self::search).
    ///
    /// # Panics
    /// If the system has not even the memory for the smallest table.
    #[must_use]
    pub fn new() -> Self {
        Self::build(None, false)
    }

    /// An engine with default options that reports what it does after [`go`](Self::go) to `sink`.
    ///
    /// # Panics
    /// If the system has not even the memory for the smallest table.
    #[must_use]
    pub fn with_sink(sink: Sink) -> Self {
        Self::build(Some(sink), false)
    }

    /// An engine that searches on the thread which asks it to. For many short searches, which are over before
    /// another thread would be awake, and where there are no threads. The calling thread needs a stack of
    /// [`STACK_SIZE`].
    #[must_use]
    pub fn in_place() -> Self {
        Self::build(None, true)
    }

    fn build(sink: Option<Sink>, in_place: bool) -> Self {
        let settings = Settings::default();
        let in_place = in_place || !HAS_THREADS;
        let mut engine = Self {
            table: Arc::new(TranspositionTable::new(settings.hash).expect("memory for the default table")),
            pool: None,
            settings,
            sink,
            notes: Vec::new(),
            params: Params::default(),
            position: Position::startpos(),
            history: Vec::new(),
            book_key: Position::startpos().polyglot_key(),
            own_book: OwnBook::default(),
            tablebases: None,
            weak_side: None,
            game_seed: fresh_seed(),
            network: nnue::embedded(),
            current: None,
            in_place,
            stack_size: STACK_SIZE,
        };
        engine.pool = engine.new_pool(&engine.settings).ok();
        engine
    }

    fn new_pool(&self, settings: &Settings) -> io::Result<Pool> {
        let recipe = Recipe {
            params: &self.params,
            evaluation: settings.evaluation,
            network: self.network.as_ref(),
            stack_size: self.stack_size,
        };
        match settings.threads {
            1 if self.in_place => Ok(Pool::in_place(&recipe)),
            threads => Pool::new(threads, &recipe),
        }
    }

    fn note(&mut self, text: String) {
        match &self.sink {
            Some(sink) => sink(Event::Note(text)),
            None => self.notes.push(text),
        }
    }

    /// The value of a position for the side to move without a search, in internal units.
    #[must_use]
    pub fn static_evaluation(&self, position: &Position) -> i32 {
        let mut evaluation = Evaluation::new(self.settings.evaluation, self.network.as_ref());
        evaluation.reset(position);
        evaluation.evaluate(position)
    }

    /// What is set.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes settings. A search under way is stopped first.
    ///
    /// # Errors
    /// When a value is out of range, or something cannot be had: memory, threads, a file. The change that failed
    /// and those behind it in the [table of options](options::TABLE) are not made then.
    pub fn configure(&mut self, change: impl FnOnce(&mut Settings)) -> Result<(), OptionError> {
        let mut changed = self.settings.clone();
        change(&mut changed);
        self.finish();
        // A seed begins anew, so that what follows depends on nothing before.
        let begins_anew = |spec: &Spec| spec.effect == Effect::SeedBook && changed.book_seed != 0;
        let is_new = |spec: &&Spec| spec.value(&changed) != spec.value(&self.settings) || begins_anew(spec);
        let specs: Vec<&Spec> = options::TABLE.iter().filter(is_new).collect();
        specs.iter().try_for_each(|spec| spec.check(&changed))?;
        specs.into_iter().try_for_each(|spec| self.take_over(spec, &changed))
    }

    /// Plays at this level from now on.
    ///
    /// # Errors
    /// When the system has no memory or thread for a level below full strength.
    pub fn set_level(&mut self, level: Level) -> Result<(), OptionError> {
        self.configure(|settings| settings.set_level(level))
    }

    /// Finds this many best lines from now on, as many as there are moves at most.
    pub fn set_lines(&mut self, lines: usize) {
        self.finish();
        self.settings.lines = lines.clamp(1, options::MAX_LINES as usize);
    }

    /// Sets an option by name. A search under way is stopped first.
    ///
    /// # Errors
    /// When there is no such option or the value does not fit it; nothing changes then.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        #[cfg(feature = "tuning")]
        if crate::search::params::TUNABLES.iter().any(|tunable| tunable.name == name.trim()) {
            return self.set_tunable(name.trim(), value.trim());
        }
        let mut changed = self.settings.clone();
        let spec = changed.set(name, value)?;
        self.finish();
        // Also when the value is the same: a file may have changed, a seed begins anew.
        self.take_over(spec, &changed)
    }

    /// Takes over one option of changed settings, with everything that follows from it.
    fn take_over(&mut self, spec: &Spec, changed: &Settings) -> Result<(), OptionError> {
        let refused =
            |reason: &dyn ToString| OptionError::Refused { name: spec.name, reason: reason.to_string() };
        match spec.effect {
            Effect::None => {}
            Effect::ResizeTable => self.resize_table(changed.hash).map_err(|error| refused(&error))?,
            Effect::Forget => self.new_game(),
            Effect::StartThreads => {
                self.pool = Some(self.new_pool(changed).map_err(|error| refused(&error))?);
            }
            Effect::ChooseEvaluation => self.choose_evaluation(changed.evaluation),
            Effect::OpenNetwork => {
                let path = &changed.network_file;
                let opened = open_network(path);
                self.network = opened.map_err(|error| refused(&format!("{path}: {error}")))?;
                self.choose_evaluation(changed.evaluation);
            }
            Effect::ChangeLevel => {
                if changed.level() != Level::Full && self.weak_side.is_none() {
                    let weak = WeakSide::new(&self.params, self.in_place);
                    self.weak_side = Some(weak.map_err(|error| refused(&error))?);
                }
                self.own_book.follow_level(changed).map_err(|error| refused(&error))?;
            }
            Effect::OpenTablebases => self.open_tablebases(&changed.syzygy_path),
            Effect::OpenBook => self.own_book.open(changed).map_err(|error| refused(&error))?,
            Effect::SeedBook => self.own_book.seed(changed.book_seed),
        }
        spec.copy(changed, &mut self.settings);
        Ok(())
    }

    #[cfg(feature = "tuning")]
    fn set_tunable(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let tunable = crate::search::params::TUNABLES
            .iter()
            .find(|tunable| tunable.name == name)
            .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let (min, max) = (i64::from(tunable.min), i64::from(tunable.max));
        let error = || OptionError::OutOfRange { name: tunable.name, min, max, value: value.to_owned() };
        let number: i32 = value.parse().map_err(|_| error())?;
        self.finish();
        if !self.params.set(name, number) {
            return Err(error());
        }
        for pool in self.pools() {
            pool.set_params(&self.params);
        }
        Ok(())
    }

    fn resize_table(&mut self, mebibytes: usize) -> io::Result<()> {
        // The old table goes first, or both would have to fit into memory.
        self.table = Arc::new(TranspositionTable::new(1)?);
        match TranspositionTable::new(mebibytes) {
            Ok(table) => {
                self.table = Arc::new(table);
                Ok(())
            }
            Err(error) => {
                if let Ok(table) = TranspositionTable::new(self.settings.hash) {
                    self.table = Arc::new(table);
                }
                Err(error)
            }
        }
    }

    fn choose_evaluation(&mut self, kind: EvaluationKind) {
        if kind == EvaluationKind::Network && self.network.is_none() {
            let note = "there is no network yet: the handcrafted evaluation judges until EvalFile names one";
            self.note(note.to_owned());
        }
        if let Some(pool) = &self.pool {
            pool.set_evaluation(kind, self.network.as_ref());
        }
        self.clear_table();
    }

    fn clear_table(&self) {
        self.table.clear(self.pool.as_ref().map_or(1, Pool::len));
    }

    fn open_tablebases(&mut self, path: &str) {
        self.tablebases = None;
        if path.is_empty() {
            return;
        }
        let (tablebases, notes) = Tablebases::open(path);
        for note in notes {
            self.note(note.to_string());
        }
        if tablebases.max_pieces() > 0 {
            self.tablebases = Some(Arc::new(tablebases));
        }
    }

    /// Forgets everything about the games before. A search under way is stopped first.
    pub fn new_game(&mut self) {
        self.finish();
        self.clear_table();
        if let Some(pool) = &self.pool {
            pool.forget();
        }
        self.game_seed = fresh_seed();
    }

    /// Takes over the position of a game and its history. A search under way is stopped first.
    pub fn set_game(&mut self, game: &Game) {
        self.finish();
        self.position = *game.position();
        self.book_key = game.polyglot_key();
        let keys = game.keys();
        self.history.clear();
        self.history.extend_from_slice(&keys[..keys.len().saturating_sub(1)]);
    }

    /// The position a search would begin at.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Searches a game's position and waits for the end. `on_event` learns on the way what the search finds: every
    /// event but the last, which is what is returned. It is called on the calling thread.
    ///
    /// [`Limits::stop`] ends the search early, also from within `on_event`; that is no error, and what was found
    /// so far is returned.
    ///
    /// The level in the options is for play. Analysis is at full strength: `UCI_AnalyseMode`, a search without
    /// end, and the proof of a mate.
    ///
    /// # Errors
    /// When the search fails, which is a defect, or the system has no thread for it. The engine can be asked again.
    pub fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        mut on_event: impl FnMut(Event),
    ) -> Result<Outcome, SearchError> {
        self.set_game(game);
        for note in std::mem::take(&mut self.notes) {
            on_event(Event::Note(note));
        }
        let result = match self.prepare(limits, &mut on_event)? {
            Prepared::Known(outcome) => Ok(outcome),
            Prepared::Wait { outcome, control, infinite } => {
                control.wait_for_permission(infinite);
                Ok(outcome)
            }
            Prepared::Search { request, is_weak } => self.pool_for(is_weak)?.search(*request, &mut on_event),
        };
        self.current = None;
        result
    }

    /// Starts to search in the background; a search under way is stopped first. The end is reported by
    /// [`Event::Finished`] or [`Event::Failed`], exactly once for each call.
    pub fn go(&mut self, limits: Limits) {
        self.finish();
        let sink = self.sink.clone().unwrap_or_else(|| Arc::new(|_| {}));
        let prepared = self.prepare(limits, &mut |event| sink(event));
        match prepared {
            Ok(Prepared::Known(outcome)) => sink(Event::Finished(outcome)),
            Ok(Prepared::Wait { outcome, control, infinite }) => match self.pool_for(false) {
                Ok(pool) => pool.run(sink, move |_| {
                    control.wait_for_permission(infinite);
                    Ok(outcome)
                }),
                Err(error) => sink(Event::Failed(error)),
            },
            Ok(Prepared::Search { request, is_weak }) => match self.pool_for(is_weak) {
                Ok(pool) => pool.start(*request, sink),
                Err(error) => sink(Event::Failed(error)),
            },
            Err(error) => sink(Event::Failed(error)),
        }
    }

    fn pool_for(&self, is_weak: bool) -> Result<&Pool, SearchError> {
        let pool = if is_weak { self.weak_side.as_ref().map(|weak| &weak.pool) } else { self.pool.as_ref() };
        pool.ok_or(SearchError::ThreadGone)
    }

    /// Makes a search of limits. The book and the tablebases may have something to report already.
    fn prepare(&mut self, limits: Limits, report: &mut dyn FnMut(Event)) -> Result<Prepared, SearchError> {
        if self.pool.is_none() {
            let pool =
                self.new_pool(&self.settings).map_err(|error| SearchError::NoThread(error.to_string()))?;
            self.pool = Some(pool);
        }
        if let Some(outcome) = self.play_from_book(&limits, report) {
            return Ok(Prepared::Known(outcome));
        }
        let handicap = self.handicap(&limits);
        let is_weak = handicap.is_some();
        let lines = self.settings.lines;
        let limits = match &handicap {
            Some(handicap) => handicap.limit(limits, lines),
            None => limits,
        };
        let threads = if is_weak { 1 } else { self.pool.as_ref().map_or(1, Pool::len) };
        let nodes_per_ms = self.settings.nodes_per_ms;
        let control = Arc::new(Control::new(threads, limits.ponder, nodes_per_ms));
        self.make_current(&control, &limits);

        let tablebases = self.tablebases.as_ref().filter(|_| !is_weak);
        let (root_moves, found_in_tablebases) = self.root_moves(&limits, tablebases, report);
        if root_moves.is_empty() {
            let usage = Usage { time: control.elapsed(), ..Usage::default() };
            let outcome = self.game_over(usage, report);
            return Ok(if limits.infinite || limits.ponder {
                Prepared::Wait { outcome, control, infinite: limits.infinite }
            } else {
                Prepared::Known(outcome)
            });
        }
        let table = match &self.weak_side {
            Some(weak) if is_weak => {
                // The answer is to depend on nothing but the game, the level and the seed.
                weak.table.clear(1);
                weak.pool.forget();
                &weak.table
            }
            _ => &self.table,
        };
        table.new_search();
        let overhead = if nodes_per_ms > 0 { 0.0 } else { f64::from(self.settings.move_overhead_ms) };
        let tablebase_men = tablebases.map_or(0, |tablebases| tablebases.max_pieces());
        let request = Box::new(Request {
            root: self.position,
            history: self.history.clone(),
            budget: Budget::new(&self.params, &limits, self.position.turn(), overhead),
            root_moves,
            lines,
            driver: if is_weak { Driver::Pvs } else { self.settings.driver },
            tt: Arc::clone(table),
            tablebases: tablebases.cloned(),
            tablebase_depth: self.settings.syzygy_probe_depth,
            tablebase_men: if found_in_tablebases {
                0
            } else {
                tablebase_men.min(self.settings.syzygy_probe_limit)
            },
            fifty_move_rule: self.settings.syzygy_fifty_move_rule,
            handicap,
            limits,
            control,
        });
        Ok(Prepared::Search { request, is_weak })
    }

    fn make_current(&mut self, control: &Arc<Control>, limits: &Limits) {
        let stop = limits.stop.as_ref().map(|stop| {
            let control = Arc::clone(control);
            stop.on_stop(move || control.stop())
        });
        self.current = Some(Current { control: Arc::clone(control), _stop: stop });
    }

    /// What holds back a search with these limits.
    fn handicap(&self, limits: &Limits) -> Option<Handicap> {
        if limits.infinite || limits.mate.is_some() || self.settings.analyse_mode {
            return None;
        }
        let seed = match self.settings.game_seed {
            0 => self.game_seed,
            chosen => mix(chosen),
        };
        self.settings.level().handicap(seed).map(|handicap| handicap.at(&self.position))
    }

    /// A move of the book, if it is asked for and knows one.
    fn play_from_book(&mut self, limits: &Limits, report: &mut dyn FnMut(Event)) -> Option<Outcome> {
        let is_for_play = !limits.infinite
            && !limits.ponder
            && limits.mate.is_none()
            && limits.search_moves.is_empty()
            && !self.settings.analyse_mode;
        let is_early = self.position.fullmove_number() <= self.settings.book_depth;
        // Books know nothing of repetitions.
        let is_new = !self.history.contains(&self.position.key());
        if !(self.settings.own_book && is_for_play && is_early && is_new) {
            return None;
        }
        let (chosen, note) = self.own_book.choose(self.book_key, &self.position)?;
        report(Event::Note(note));
        Some(Outcome { best: Some(chosen.mv), ponder: None, lines: Vec::new(), usage: Usage::default() })
    }

    /// What the book knows of the position a game stands at, the heaviest move first. It does so whether or
    /// not the engine plays from it.
    #[must_use]
    pub fn book_moves(&self, game: &Game) -> Vec<BookMove> {
        self.own_book.moves(game)
    }

    /// The first moves to search, and whether tablebases of distances chose them: then the search need not ask
    /// the tablebases again.
    fn root_moves(
        &self,
        limits: &Limits,
        tablebases: Option<&Arc<Tablebases>>,
        report: &mut dyn FnMut(Event),
    ) -> (Vec<Move>, bool) {
        let legal = self.position.legal_moves();
        let wanted = |mv: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
        let mut moves: Vec<Move> = legal.iter().copied().filter(wanted).collect();
        if moves.is_empty() {
            moves = legal.to_vec();
        }
        let Some(ranking) = tablebases.and_then(|tablebases| self.rank_by_tablebases(tablebases, report))
        else {
            return (moves, false);
        };
        let best: Vec<Move> =
            ranking.best().map(|ranked| ranked.mv).filter(|mv| moves.contains(mv)).collect();
        if best.is_empty() { (moves, false) } else { (best, ranking.source == RankSource::Dtz) }
    }

    /// What tablebases say of the moves, if they hold the position.
    fn rank_by_tablebases(
        &self,
        tablebases: &Tablebases,
        report: &mut dyn FnMut(Event),
    ) -> Option<RootRanking> {
        let men = self.position.occupied().count() as usize;
        if men > self.settings.syzygy_probe_limit {
            return None;
        }
        let fifty_move_rule = self.settings.syzygy_fifty_move_rule;
        let has_repeated = self.history.iter().enumerate().any(|(i, key)| self.history[..i].contains(key));
        match tablebases.rank_root_moves(&self.position, fifty_move_rule, has_repeated) {
            Ok(ranking) => {
                if let Some(fault) = ranking.as_ref().and_then(|ranking| ranking.fault.as_ref()) {
                    report(Event::Note(fault.to_string()));
                }
                ranking
            }
            Err(fault) => {
                report(Event::Note(fault.to_string()));
                None
            }
        }
    }

    /// There is no move to search: the score is all there is to report.
    fn game_over(&self, usage: Usage, report: &mut dyn FnMut(Event)) -> Outcome {
        let score = if self.position.is_check() { Score::mated_in(0) } else { Score::DRAW };
        let (bound, moves) = (Bound::Exact, Vec::new());
        let lines = vec![Line { rank: 1, depth: 0, selective_depth: 0, score, bound, moves }];
        report(Event::Lines(lines.clone(), usage));
        Outcome { best: None, ponder: None, lines, usage }
    }

    /// Asks the search to end at once; its result is reported as usual.
    pub fn stop(&self) {
        if let Some(current) = &self.current {
            current.control.stop();
        }
    }

    /// The expected move was played: a pondering search becomes a normal one, its clock starting now.
    pub fn ponder_hit(&self) {
        if let Some(current) = &self.current {
            current.control.ponder_hit();
        }
    }

    /// Whether a search is under way.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.pools().any(Pool::is_busy)
    }

    /// Waits until no search is under way. (A search without an end must be stopped first.)
    pub fn wait(&self) {
        self.pools().for_each(Pool::wait);
    }

    fn pools(&self) -> impl Iterator<Item = &Pool> {
        self.pool.iter().chain(self.weak_side.iter().map(|weak| &weak.pool))
    }

    /// Stops a search under way and waits for its end.
    fn finish(&self) {
        self.stop();
        self.wait();
    }
}

/// The network of a file, or the one that is built in if no file is named.
fn open_network(path: &str) -> Result<Option<Arc<Network>>, nnue::NetworkError> {
    if path.is_empty() {
        Ok(nnue::embedded())
    } else {
        Network::open(path).map(|network| Some(Arc::new(network)))
    }
}

/// A seed that cannot be predicted. The standard library seeds its hash maps at random; it needs no better source.
fn fresh_seed() -> u64 {
    RandomState::new().hash_one(())
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.finish();
    }
}

#[cfg(test)]
mod tests;
