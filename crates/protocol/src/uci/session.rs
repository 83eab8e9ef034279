//! The engine's side of a conversation in UCI.

use super::command::{Command, Go, Start};
use super::reply::{Info, OptionReply, Reply};
use super::report::Notation;
use crate::backend::Backend;
use crate::host::{Flow, Host, castling_style};
use crate::report::{Report, Reporter};
use crate::text::{message, quote};
use crate::{ENGINE_AUTHOR, ENGINE_NAME};
use chess::{Color, FenStyle, FenWarning, Game, Move, Position, Square, Strictness, UciMoveError};
use engine::options::TABLE;
use engine::{Bound, Clock, Event, Limits, Line, Outcome, Score, wdl};
use std::time::Duration;

/// A conversation in UCI.
#[derive(Debug, Default)]
pub(crate) struct Session {
    game: Game,
    debug: bool,
    /// What the engine reported while it was not searching. Interfaces expect silence then, so it waits for `go`.
    notes: Vec<String>,
    /// The last position was refused, so that there is nothing to think about.
    is_refused: bool,
    /// The answer to `go` in a refused position waits for `stop`, as that to an endless search does.
    owes_no_move: bool,
    search: Option<Search>,
}

/// The search under way.
#[derive(Debug)]
struct Search {
    notation: Notation,
    reporter: Reporter,
    pondering: bool,
}

impl Session {
    /// Prints that something the user or the interface said cannot be done.
    pub(crate) fn complain<B: Backend>(host: &mut Host<B>, text: &str) {
        say(host, Info::string(format!("error: {}", message(text))));
    }

    /// Obeys one line.
    pub(crate) fn line<B: Backend>(&mut self, host: &mut Host<B>, line: &str) -> Flow {
        let first = line.split_whitespace().next();
        if matches!(first, Some("xboard" | "protover")) {
            return if host.quieten() { Flow::Switch } else { Flow::Wait };
        }
        match Command::parse(line) {
            Ok(None) => Flow::Continue,
            Ok(Some(parsed)) => {
                if needs_quiet(&parsed.command) && !host.quieten() {
                    return Flow::Wait;
                }
                if !parsed.skipped.is_empty() {
                    let skipped = quote(&parsed.skipped.join(" "));
                    say(host, Info::string(format!("skipped unknown words '{skipped}'")));
                }
                self.obey(host, parsed.command)
            }
            Err(error) => {
                self.is_refused |= first == Some("position");
                Self::complain(host, &error.to_string());
                Flow::Continue
            }
        }
    }

    fn obey<B: Backend>(&mut self, host: &mut Host<B>, command: Command) -> Flow {
        match command {
            Command::Uci => introduce(host),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => host.output.line(Reply::ReadyOk),
            Command::SetOption { name, value } => set_option(host, &name, value.as_deref().unwrap_or("")),
            // Nothing here is sold.
            Command::Register(_) => {}
            Command::NewGame => {
                self.game = Game::new();
                self.is_refused = false;
                host.backend.new_game();
            }
            Command::Position { start, moves } => self.set_position(host, &start, &moves),
            Command::Go(Go { perft: Some(depth), .. }) | Command::Perft(depth) => {
                let position = *self.game.position();
                let style = castling_style(&position, host.backend.settings().chess960);
                host.start_perft(position, style, depth);
            }
            Command::Go(go) => self.go(host, &go),
            Command::Stop => {
                if self.search.is_some() {
                    host.backend.stop();
                }
                self.write_owed_answer(host);
            }
            Command::PonderHit => {
                self.write_owed_answer(host);
                if let Some(search) = self.search.as_mut().filter(|search| search.pondering) {
                    search.pondering = false;
                    search.reporter.ponder_hit();
                    host.backend.ponder_hit();
                }
            }
            Command::Quit => return Flow::Quit,
            Command::Display => display(host, self.game.position()),
            Command::Eval => show_evaluation(host, self.game.position()),
            Command::Explain(_) if host.is_searching() => {
                Self::complain(host, "explain: a search is under way; stop it first");
            }
            // Another job is left to finish.
            Command::Explain(_) if host.has_job() => return Flow::Wait,
            Command::Explain(text) => host.start_explain(self.game.clone(), text),
            Command::Bench(arguments) => host.start_bench(arguments),
            Command::GroundUp(line) => host.start_ground_up(line),
            Command::Flip => self.game = Game::from_position(self.game.position().mirrored()),
            Command::Help => help(host),
        }
        Flow::Continue
    }

    fn set_position<B: Backend>(&mut self, host: &mut Host<B>, start: &Start, moves: &[String]) {
        match game_from(start, moves) {
            Ok((game, warnings)) => {
                self.game = game;
                self.is_refused = false;
                for warning in warnings {
                    say(host, Info::string(format!("warning: {}", message(&warning.to_string()))));
                }
            }
            Err(reason) => {
                self.is_refused = true;
                Self::complain(host, &format!("{reason}; the position stays as it was"));
            }
        }
    }

    /// Answers that there is no move, if an answer is due.
    fn write_owed_answer<B: Backend>(&mut self, host: &mut Host<B>) {
        if std::mem::take(&mut self.owes_no_move) {
            host.output.line(Reply::BestMove { best: None, ponder: None });
        }
    }

    fn go<B: Backend>(&mut self, host: &mut Host<B>, go: &Go) {
        self.write_owed_answer(host);
        if self.is_refused {
            // A move of another position would be worse than none.
            Self::complain(host, "the last position was refused, so there is nothing to search");
            self.owes_no_move = true;
            if !go.infinite && !go.ponder {
                self.write_owed_answer(host);
            }
            return;
        }
        for note in self.notes.drain(..) {
            say(host, Info::string(note));
        }
        let position = *self.game.position();
        let (search_moves, errors) = read_search_moves(&position, &go.search_moves);
        for error in errors {
            Self::complain(host, &format!("searchmoves: {error}"));
        }
        let limits = limits(go, search_moves);
        if self.debug {
            say(host, Info::string(format!("searching with {limits:?}")));
        }
        let settings = host.backend.settings();
        let notation = Notation::new(position, settings.chess960, settings.show_wdl);
        self.search = Some(Search { notation, reporter: Reporter::new(host.now()), pondering: go.ponder });
        host.backend.set_game(&self.game);
        host.go(limits);
    }

    /// Prints what the engine has found.
    pub(crate) fn event<B: Backend>(&mut self, host: &mut Host<B>, event: Event) {
        let now = host.now();
        let Some(search) = &mut self.search else {
            if let Event::Note(text) = event {
                self.notes.push(text);
            }
            return;
        };
        match event {
            Event::Note(text) => say(host, Info::string(text)),
            Event::Lines(lines, usage) => {
                if let Some(report) = search.reporter.offer(Report::new(lines, usage), now) {
                    search.report(host, &report);
                }
            }
            Event::CurrentMove { depth, mv, number } => {
                if search.reporter.is_long(now) {
                    say(host, search.notation.current_move(depth, mv, number));
                }
            }
            Event::Finished(outcome) => {
                search.finish(host, &outcome);
                self.search = None;
            }
            Event::Failed(error) => {
                Self::complain(host, &error.to_string());
                search.finish_failed(host);
                self.search = None;
            }
        }
    }

    /// When a report that waits may be printed.
    pub(crate) fn deadline(&self) -> Option<Duration> {
        self.search.as_ref().and_then(|search| search.reporter.deadline())
    }

    /// Prints the report that has waited long enough.
    pub(crate) fn tick<B: Backend>(&mut self, host: &mut Host<B>) {
        let now = host.now();
        if let Some(search) = &mut self.search
            && let Some(report) = search.reporter.due(now)
        {
            search.report(host, &report);
        }
    }
}

impl Search {
    fn report<B: Backend>(&self, host: &mut Host<B>, report: &Report) {
        for line in &report.lines {
            say(host, self.notation.line(line, &report.usage));
        }
    }

    /// Interfaces and match programs rely on a score before every move.
    fn finish<B: Backend>(&mut self, host: &mut Host<B>, outcome: &Outcome) {
        match self.reporter.last(outcome) {
            Some(report) => self.report(host, &report),
            None if !self.reporter.has_printed() => {
                let line = scoreless_line(&host.backend, &self.notation.root, outcome.best);
                self.report(host, &Report::new(vec![line], outcome.usage));
            }
            None => {}
        }
        self.write_best_move(host, outcome);
    }

    /// An interface waits for a move whatever happens.
    fn finish_failed<B: Backend>(&self, host: &mut Host<B>) {
        self.write_best_move(host, &self.reporter.salvage(&self.notation.root));
    }

    fn write_best_move<B: Backend>(&self, host: &mut Host<B>, outcome: &Outcome) {
        let mut moves = outcome.best.into_iter().chain(outcome.ponder).collect::<Vec<_>>();
        moves.truncate(if outcome.best.is_some() { 2 } else { 0 });
        let mut moves = self.notation.moves(&moves).into_iter();
        host.output.line(Reply::BestMove { best: moves.next(), ponder: moves.next() });
    }
}

/// The line for a search that found none: the end of the game, or the static evaluation.
fn scoreless_line(backend: &impl Backend, root: &Position, best: Option<Move>) -> Line {
    let score = match best {
        Some(_) => Score::evaluation(backend.static_evaluation(root)),
        None if root.is_checkmate() => Score::mated_in(0),
        None => Score::DRAW,
    };
    Line {
        rank: 1,
        depth: 0,
        selective_depth: 0,
        score,
        bound: Bound::Exact,
        moves: best.into_iter().collect(),
    }
}

/// Whether a command can only be obeyed when no search and no other work is under way.
fn needs_quiet(command: &Command) -> bool {
    match command {
        Command::SetOption { .. }
        | Command::NewGame
        | Command::Go(_)
        | Command::Quit
        | Command::Perft(_)
        | Command::Bench(_)
        | Command::GroundUp(_) => true,
        Command::Uci
        | Command::Debug(_)
        | Command::IsReady
        | Command::Register(_)
        | Command::Position { .. }
        | Command::Stop
        | Command::PonderHit
        | Command::Display
        | Command::Eval
        | Command::Explain(_)
        | Command::Flip
        | Command::Help => false,
    }
}

fn say<B: Backend>(host: &mut Host<B>, info: Info) {
    host.output.line(Reply::Info(info));
}

fn introduce<B: Backend>(host: &mut Host<B>) {
    host.output.line(Reply::Name(ENGINE_NAME.to_owned()));
    host.output.line(Reply::Author(ENGINE_AUTHOR.to_owned()));
    for spec in TABLE {
        host.output.line(Reply::Option(OptionReply::from(spec)));
    }
    #[cfg(feature = "tuning")]
    for tunable in engine::TUNABLES {
        host.output.line(Reply::Option(OptionReply::from(tunable)));
    }
    host.output.line(Reply::UciOk);
}

fn set_option<B: Backend>(host: &mut Host<B>, name: &str, value: &str) {
    if let Err(reason) = crate::host::set_option(host, name, value) {
        Session::complain(host, &reason);
    }
}

/// The game that a command describes, and what had to be repaired of its start.
fn game_from(start: &Start, moves: &[String]) -> Result<(Game, Vec<FenWarning>), String> {
    let (mut game, warnings) = match start {
        Start::Standard => (Game::new(), Vec::new()),
        Start::Fen(fen) => {
            let reading = Position::read_fen(fen, Strictness::Lenient).map_err(|error| error.to_string())?;
            (Game::from_position(reading.position), reading.warnings)
        }
    };
    for (index, text) in moves.iter().enumerate() {
        let position = game.position();
        let mv = match position.parse_uci(text) {
            Err(error @ UciMoveError::Syntax { .. }) => position.parse_san(text).map_err(|_| error),
            read => read,
        };
        let mv = mv.map_err(|error| format!("move {}: {error}", index + 1))?;
        game.replay(mv).map_err(|error| format!("move {}: {error}", index + 1))?;
    }
    Ok((game, warnings))
}

/// The moves to restrict the root to, and what is wrong with the others.
fn read_search_moves(position: &Position, texts: &[String]) -> (Vec<Move>, Vec<String>) {
    let mut moves = Vec::new();
    let mut errors = Vec::new();
    for text in texts {
        match position.parse_uci(text) {
            Ok(mv) if moves.contains(&mv) => {}
            Ok(mv) => moves.push(mv),
            Err(error) => errors.push(error.to_string()),
        }
    }
    (moves, errors)
}

fn limits(go: &Go, search_moves: Vec<Move>) -> Limits {
    let clock = |left: Option<i64>, increment: Option<i64>| {
        left.map(|left_ms| Clock { left_ms, increment_ms: increment.unwrap_or(0) })
    };
    Limits {
        clocks: [clock(go.white_time, go.white_increment), clock(go.black_time, go.black_increment)],
        moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
        move_time: go.move_time.map(|ms| Duration::from_millis(ms.max(0).unsigned_abs())),
        depth: go.depth,
        nodes: go.nodes,
        soft_nodes: None,
        mate: go.mate,
        infinite: go.infinite,
        ponder: go.ponder,
        search_moves,
        stop: None,
        sampler: None,
    }
}

fn display<B: Backend>(host: &mut Host<B>, position: &Position) {
    for rank in (0..8).rev() {
        let piece = |file: usize| position.piece_on(Square::from_index(rank * 8 + file));
        let row: Vec<String> =
            (0..8).map(|file| piece(file).map_or('.', chess::Piece::to_char).to_string()).collect();
        host.output.line(format!("{} {}", rank + 1, row.join(" ")));
    }
    host.output.line("- a b c d e f g h");
    let chess960 = host.backend.settings().chess960;
    let style = if chess960 { FenStyle::Shredder } else { FenStyle::XFen };
    host.output.line(format!("Fen: {}", position.to_fen_with(style)));
    host.output.line(format!("Key: {:016x}", position.key().0));
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    host.output
        .line(format!("Checkers: {}", if checkers.is_empty() { "-".into() } else { checkers.join(" ") }));
}

fn show_evaluation<B: Backend>(host: &mut Host<B>, position: &Position) {
    let units = host.backend.static_evaluation(position);
    let for_white = if position.turn() == Color::White { units } else { -units };
    let pawns = f64::from(wdl::centipawns(for_white)) / 100.0;
    host.output.line(format!("Static evaluation: {pawns:+.2} pawns for White"));
}

fn help<B: Backend>(host: &mut Host<B>) {
    const HELP: &[&str] = &[
        "Gardez speaks UCI and XBoard (say xboard); quit leaves.",
        "position startpos|fen FEN [moves MOVE...]   set the position",
        "go [depth N] [nodes N] [movetime MS] [wtime MS btime MS winc MS binc MS movestogo N]",
        "   [mate N] [searchmoves MOVE...] [infinite] [ponder]   think; stop ends it",
        "setoption name NAME value VALUE   set an option; uci lists them",
        "ucinewgame, isready, ponderhit, debug on|off   as UCI says",
        "explain [MOVE]   say in words how the position stands, or why a move is good or bad",
        "d, eval, flip   show the position, its static evaluation, exchange the colours",
        "perft N, bench [ARGUMENTS]   count move sequences, measure speed",
        "load startpos|FEN, search N   as Ground Up had it: its own position, and its search N plies deep",
    ];
    for line in HELP {
        host.output.line(line.trim_start());
    }
}
