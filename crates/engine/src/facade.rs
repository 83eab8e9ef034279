//! The engine as front ends see it.

use crate::control::Control;
use crate::evaluation::Evaluation;
use crate::event::{Event, Line, Outcome, Sink, Usage};
use crate::handicap::{Handicap, mix};
use crate::level::Level;
use crate::limits::Limits;
use crate::options::{self, Id, OptionError, Options};
use crate::own_book::OwnBook;
use crate::pool::Pool;
use crate::score::Score;
use crate::search::params::Params;
use crate::search::{Driver, Task};
use crate::time::Budget;
use crate::transposition::TranspositionTable;
use book::BookMove;
use chess::{Game, Key, Move, Position};
use nnue::Network;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use tablebase::{RankSource, RootRanking, Tablebases};

/// A chess engine that runs in the background.
pub struct Engine {
    options: Options,
    sink: Sink,
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
    pool: Pool,
    /// Made when a level below full strength is first chosen.
    weak_side: Option<WeakSide>,
    /// What the errors of a level follow from, unless an option says.
    game_seed: u64,
    control: Option<Arc<Control>>,
    /// Whether searches run on the thread that starts them, as long as there is only one.
    in_place: bool,
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

    fn new(params: &Params) -> Result<Self, std::io::Error> {
        Ok(Self {
            table: Arc::new(TranspositionTable::new(Self::TABLE_SIZE)?),
            pool: Pool::new(1, params, "handcrafted", None),
        })
    }
}

impl Engine {
    /// An engine with default options that tells its events to `sink`.
    ///
    /// # Panics
    /// If the system has not even the memory for the smallest table.
    #[must_use]
    pub fn new(sink: Sink) -> Self {
        let options = Options::default();
        let params = Params::default();
        let mebibytes = options.spin(Id::Hash) as usize;
        let network = nnue::embedded();
        let threads = options.spin(Id::Threads) as usize;
        Self {
            table: Arc::new(TranspositionTable::new(mebibytes).expect("memory for the default table")),
            pool: Pool::new(threads, &params, options.text(Id::Evaluation), network.as_ref()),
            options,
            sink,
            params,
            position: Position::startpos(),
            history: Vec::new(),
            book_key: Position::startpos().polyglot_key(),
            own_book: OwnBook::default(),
            tablebases: None,
            weak_side: None,
            game_seed: fresh_seed(),
            network,
            control: None,
            in_place: false,
        }
    }

    /// An engine with default options, and its events in the order they come.
    #[must_use]
    pub fn with_events() -> (Self, Receiver<Event>) {
        let (sender, events) = channel();
        let sink: Sink = Arc::new(move |event| {
            // Nobody listens any more only while the engine is being dropped.
            let _ = sender.send(event);
        });
        (Self::new(sink), events)
    }

    /// An engine that searches on the thread which tells it to: [`go`](Self::go) returns when the search has ended.
    /// For many short searches, which are over before another thread would be awake. The thread needs a stack of
    /// [`STACK_SIZE`](crate::STACK_SIZE).
    #[must_use]
    pub fn in_place(sink: Sink) -> Self {
        let mut engine = Self::new(sink);
        engine.in_place = true;
        engine.pool = engine.new_pool(&engine.options);
        engine
    }

    fn new_pool(&self, options: &Options) -> Pool {
        let (evaluation, network) = (options.text(Id::Evaluation), self.network.as_ref());
        match options.spin(Id::Threads) {
            1 if self.in_place => Pool::in_place(&self.params, evaluation, network),
            threads => Pool::new(threads as usize, &self.params, evaluation, network),
        }
    }

    /// What a position is worth to the side to move without a search, in internal units.
    #[must_use]
    pub fn static_evaluation(&self, position: &Position) -> i32 {
        let mut evaluation = Evaluation::by_name(self.options.text(Id::Evaluation), self.network.as_ref());
        evaluation.reset(position);
        evaluation.evaluate(position)
    }

    /// The current options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Plays at this level from now on. (The same as setting the options of strength.)
    ///
    /// # Errors
    /// Never, as long as the options go as far as the levels.
    pub fn set_level(&mut self, level: Level) -> Result<(), OptionError> {
        if let Some(elo) = level.elo() {
            self.set_option("UCI_Elo", &elo.to_string())?;
            self.set_option("UCI_LimitStrength", "true")
        } else {
            self.set_option("Skill Level", &Level::MAX_SKILL.to_string())?;
            self.set_option("UCI_LimitStrength", "false")
        }
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
        let mut changed = self.options.clone();
        let id = changed.set(name, value)?;
        self.finish();
        match id {
            Id::Hash => self.resize_table(changed.spin(Id::Hash) as usize)?,
            Id::ClearHash => self.new_game(),
            Id::Threads => self.pool = self.new_pool(&changed),
            Id::Evaluation => self.choose_evaluation(changed.text(Id::Evaluation)),
            Id::EvalFile => {
                self.network = open_network(changed.text(Id::EvalFile))?;
                self.choose_evaluation(changed.text(Id::Evaluation));
            }
            Id::LimitStrength | Id::Elo | Id::SkillLevel => {
                if changed.level() != Level::Full && self.weak_side.is_none() {
                    self.weak_side = Some(WeakSide::new(&self.params).map_err(|error| refused(id, &error))?);
                }
                self.own_book.follow(id, &changed)?;
            }
            Id::SyzygyPath => self.open_tablebases(changed.text(Id::SyzygyPath)),
            _ => self.own_book.follow(id, &changed)?,
        }
        self.options = changed;
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
        self.pool.set_params(&self.params);
        if let Some(weak) = &self.weak_side {
            weak.pool.set_params(&self.params);
        }
        Ok(())
    }

    fn resize_table(&mut self, mebibytes: usize) -> Result<(), OptionError> {
        // The old table goes first, or both would have to fit into memory.
        let old = self.options.spin(Id::Hash) as usize;
        let smallest = TranspositionTable::new(1).map_err(|error| refused(Id::Hash, &error))?;
        self.table = Arc::new(smallest);
        match TranspositionTable::new(mebibytes) {
            Ok(table) => {
                self.table = Arc::new(table);
                Ok(())
            }
            Err(error) => {
                if let Ok(table) = TranspositionTable::new(old) {
                    self.table = Arc::new(table);
                }
                Err(refused(Id::Hash, &error))
            }
        }
    }

    fn choose_evaluation(&mut self, name: &str) {
        if name == "network" && self.network.is_none() {
            let note = "there is no network yet: the handcrafted evaluation judges until EvalFile names one";
            (self.sink)(Event::Note(note.to_owned()));
        }
        self.pool.set_evaluation(name, self.network.as_ref());
        self.table.clear(self.pool.len());
    }

    fn open_tablebases(&mut self, path: &str) {
        self.tablebases = None;
        if path.is_empty() {
            return;
        }
        let (tablebases, notes) = Tablebases::open(path);
        for note in notes {
            (self.sink)(Event::Note(note.to_string()));
        }
        if tablebases.max_pieces() > 0 {
            self.tablebases = Some(Arc::new(tablebases));
        }
    }

    /// Forgets everything about the games before. A search under way is stopped first.
    pub fn new_game(&mut self) {
        self.finish();
        self.table.clear(self.pool.len());
        self.pool.forget();
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

    /// Starts to search in the background; a search under way is stopped first. The end is told by
    /// [`Event::Finished`], exactly once for each call.
    ///
    /// The level in the options is for play. Analysis is at full strength: `UCI_AnalyseMode`, a search without
    /// end, and the proof of a mate.
    pub fn go(&mut self, limits: Limits) {
        self.finish();
        if self.play_from_book(&limits) {
            return;
        }
        let handicap = self.handicap(&limits);
        let lines = self.options.spin(Id::MultiPv) as usize;
        let limits = match &handicap {
            Some(handicap) => handicap.limit(limits, lines),
            None => limits,
        };
        let threads = if handicap.is_some() { 1 } else { self.pool.len() };
        let nodes_per_ms = self.options.spin(Id::NodesTime) as u64;
        let control = Arc::new(Control::new(Arc::clone(&self.sink), threads, limits.ponder, nodes_per_ms));
        self.control = Some(Arc::clone(&control));

        let tablebases = self.tablebases.as_ref().filter(|_| handicap.is_none());
        let (root_moves, found_in_tables) = self.root_moves(&limits, tablebases);
        if root_moves.is_empty() {
            return self.tell_game_over(&control, &limits);
        }
        let (table, pool) = match (&self.weak_side, handicap) {
            (Some(weak), Some(_)) => {
                // The answer is to depend on nothing but the game, the level and the seed.
                weak.table.clear(1);
                weak.pool.forget();
                (&weak.table, &weak.pool)
            }
            _ => (&self.table, &self.pool),
        };
        let overhead = if nodes_per_ms > 0 { 0.0 } else { self.options.spin(Id::MoveOverhead) as f64 };
        let table_men = tablebases.map_or(0, |tables| tables.max_pieces());
        let is_mtdf = handicap.is_none() && self.options.text(Id::Search) == "mtdf";
        let task = Task {
            root: self.position,
            history: self.history.clone(),
            budget: Budget::new(&self.params, &limits, self.position.turn(), overhead),
            root_moves,
            lines,
            driver: if is_mtdf { Driver::Mtdf } else { Driver::Pvs },
            tt: Arc::clone(table),
            tablebases: tablebases.cloned(),
            tablebase_depth: self.options.spin(Id::SyzygyProbeDepth) as i32,
            tablebase_men: if found_in_tables {
                0
            } else {
                table_men.min(self.options.spin(Id::SyzygyProbeLimit) as usize)
            },
            fifty_move_rule: self.options.check(Id::Syzygy50MoveRule),
            handicap,
            limits,
            control,
        };
        table.new_search();
        pool.search(task);
    }

    /// What holds back a search with these limits.
    fn handicap(&self, limits: &Limits) -> Option<Handicap> {
        if limits.infinite || limits.mate.is_some() || self.options.check(Id::AnalyseMode) {
            return None;
        }
        let seed = match self.options.spin(Id::GameSeed) {
            0 => self.game_seed,
            chosen => mix(chosen.unsigned_abs()),
        };
        self.options.level().handicap(seed).map(|handicap| handicap.at(&self.position))
    }

    /// Plays a move of the book, if it is asked for and knows one.
    fn play_from_book(&mut self, limits: &Limits) -> bool {
        let is_for_play = !limits.infinite
            && !limits.ponder
            && limits.mate.is_none()
            && limits.search_moves.is_empty()
            && !self.options.check(Id::AnalyseMode);
        let is_early = i64::from(self.position.fullmove_number()) <= self.options.spin(Id::BookDepth);
        // Books know nothing of repetitions.
        let is_new = !self.history.contains(&self.position.key());
        if !(self.options.check(Id::OwnBook) && is_for_play && is_early && is_new) {
            return false;
        }
        let Some((chosen, note)) = self.own_book.choose(self.book_key, &self.position) else { return false };
        (self.sink)(Event::Note(note));
        (self.sink)(Event::Finished(Outcome {
            best: Some(chosen.mv),
            ponder: None,
            lines: Vec::new(),
            usage: Usage::default(),
        }));
        true
    }

    /// What the book knows of the position a game stands at, the heaviest move first. It does so whether or
    /// not the engine plays from it.
    #[must_use]
    pub fn book_moves(&self, game: &Game) -> Vec<BookMove> {
        self.own_book.moves(game)
    }

    /// The first moves to search, and whether tables of distances chose them: then the search need not ask
    /// the tables again.
    fn root_moves(&self, limits: &Limits, tables: Option<&Arc<Tablebases>>) -> (Vec<Move>, bool) {
        let legal = self.position.legal_moves();
        let wanted = |mv: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
        let mut moves: Vec<Move> = legal.iter().copied().filter(wanted).collect();
        if moves.is_empty() {
            moves = legal.to_vec();
        }
        let Some(ranking) = tables.and_then(|tables| self.rank_by_tablebases(tables)) else {
            return (moves, false);
        };
        let best: Vec<Move> =
            ranking.best().map(|ranked| ranked.mv).filter(|mv| moves.contains(mv)).collect();
        if best.is_empty() { (moves, false) } else { (best, ranking.source == RankSource::Dtz) }
    }

    /// What end game tables say of the moves, if they hold the position.
    fn rank_by_tablebases(&self, tables: &Tablebases) -> Option<RootRanking> {
        let men = self.position.occupied().count() as i64;
        if men > self.options.spin(Id::SyzygyProbeLimit) {
            return None;
        }
        let fifty_move_rule = self.options.check(Id::Syzygy50MoveRule);
        let has_repeated = self.history.iter().enumerate().any(|(i, key)| self.history[..i].contains(key));
        match tables.rank_root_moves(&self.position, fifty_move_rule, has_repeated) {
            Ok(ranking) => {
                if let Some(fault) = ranking.as_ref().and_then(|ranking| ranking.fault.as_ref()) {
                    (self.sink)(Event::Note(fault.to_string()));
                }
                ranking
            }
            Err(fault) => {
                (self.sink)(Event::Note(fault.to_string()));
                None
            }
        }
    }

    /// There is no move to search: the score is all there is to tell.
    fn tell_game_over(&self, control: &Arc<Control>, limits: &Limits) {
        let score = if self.position.is_check() { Score::mated_in(0) } else { Score::DRAW };
        let line = Line {
            rank: 1,
            depth: 0,
            selective_depth: 0,
            score,
            bound: crate::event::Bound::Exact,
            moves: Vec::new(),
        };
        let lines = vec![line];
        let usage = Usage { time: control.elapsed(), ..Usage::default() };
        (self.sink)(Event::Lines(lines.clone(), usage));
        let finished = Event::Finished(Outcome { best: None, ponder: None, lines, usage });
        if limits.infinite || limits.ponder {
            let (control, infinite) = (Arc::clone(control), limits.infinite);
            self.pool.run(move |_| {
                control.wait_for_permission(infinite);
                control.tell(finished);
            });
        } else {
            (self.sink)(finished);
        }
    }

    /// Asks the search to end at once; its result is told as usual.
    pub fn stop(&self) {
        if let Some(control) = &self.control {
            control.stop();
        }
    }

    /// The expected move was played: a pondering search goes on as a normal one, its clock starting now.
    pub fn ponder_hit(&self) {
        if let Some(control) = &self.control {
            control.ponder_hit();
        }
    }

    /// Whether a search is under way.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.pool.is_busy() || self.weak_side.as_ref().is_some_and(|weak| weak.pool.is_busy())
    }

    /// Waits until no search is under way. (A search without an end must be stopped first.)
    pub fn wait(&self) {
        self.pool.wait();
        if let Some(weak) = &self.weak_side {
            weak.pool.wait();
        }
    }

    /// Stops a search under way and waits for its end.
    fn finish(&self) {
        self.stop();
        self.wait();
    }
}

/// The network of a file, or the one that is built in if no file is named.
fn open_network(path: &str) -> Result<Option<Arc<Network>>, OptionError> {
    if path.is_empty() {
        return Ok(nnue::embedded());
    }
    match Network::open(path) {
        Ok(network) => Ok(Some(Arc::new(network))),
        Err(error) => Err(refused(Id::EvalFile, &format!("{path}: {error}"))),
    }
}

fn refused(id: Id, reason: &impl ToString) -> OptionError {
    OptionError::Refused { name: options::TABLE[id as usize].name, reason: reason.to_string() }
}

/// A seed nobody can foresee. The standard library seeds its hash maps at random; it needs no better source.
fn fresh_seed() -> u64 {
    RandomState::new().hash_one(())
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.finish();
    }
}
