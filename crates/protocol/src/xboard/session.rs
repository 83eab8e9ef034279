//! The engine's side of a conversation in XBoard's protocol.

use super::command::Command;
use super::features;
use super::reply::{Audience, Details, Reply, Thinking};
use super::timing::Timing;
use crate::backend::Backend;
use crate::host::{Flow, Host, walk};
use crate::report::{Report, Reporter};
use crate::text::{message, quote};
use book::openings;
use chess::{
    CastlingSide, CastlingStyle, Color, FenReading, Game, GameResult, Move, MoveKind, Position, Reason,
    Strictness, Variant,
};
use engine::options::{MAX_HASH, MAX_NODES_PER_MS, MAX_THREADS};
use engine::{DrawPolicy, Event, Limits, Line, Outcome, Usage};
use std::time::Duration;

/// Who moves the pieces.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Mode {
    /// Neither side: moves are only recorded.
    Force,
    /// The engine, for one side.
    Play(Color),
    /// The engine looks at whatever comes.
    Analyse,
}

/// What the search under way is for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Purpose {
    /// The engine's move.
    Think,
    /// The engine's next move, if the opponent plays what it expects.
    Ponder {
        guess: Move,
    },
    Analyse,
    /// Nothing any more: it has been stopped, and its result is of no interest.
    Nothing,
}

#[derive(Debug)]
struct Search {
    purpose: Purpose,
    root: Position,
    limits: Limits,
    begun: Duration,
    reporter: Reporter,
    usage: Usage,
    depth: i32,
    current: Option<(Move, usize)>,
}

/// A conversation in XBoard's protocol.
#[derive(Debug)]
pub(crate) struct Session {
    game: Game,
    mode: Mode,
    chess960: bool,
    post: bool,
    ponder: bool,
    may_resign: bool,
    timing: Timing,
    draw_policy: DrawPolicy,
    /// The move the engine expects in the position now.
    guess: Option<Move>,
    /// First moves that the analysis leaves out.
    excluded: Vec<Move>,
    /// The position now has been analysed to the end, so that there is nothing to begin again.
    analysed: bool,
    /// Whether the engine counts nodes instead of time because the interface wanted it.
    counts_nodes: bool,
    /// The last `setboard` was refused, so that there is nothing to think about.
    is_refused: bool,
    /// Pings that came while the engine was thinking: they are answered after its move.
    pings: Vec<i64>,
    search: Option<Search>,
}

/// What has to be over before a command can be obeyed.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Needs {
    Nothing,
    /// No search; one under way is broken off.
    Quiet,
    /// The same, but a move the engine is thinking about is waited for.
    Move,
}

fn needs(command: &Command) -> Needs {
    match command {
        Command::New
        | Command::Variant(_)
        | Command::Quit
        | Command::Force
        | Command::Go
        | Command::PlayOther
        | Command::Result(_)
        | Command::SetBoard(_)
        | Command::Undo
        | Command::Remove
        | Command::Analyze
        | Command::Exit => Needs::Quiet,
        Command::Memory(_)
        | Command::Cores(_)
        | Command::EndgameTables { .. }
        | Command::SetOption { .. }
        | Command::Include(_)
        | Command::Exclude(_) => Needs::Move,
        _ => Needs::Nothing,
    }
}

impl Default for Session {
    fn default() -> Self {
        Self {
            game: Game::new(),
            mode: Mode::Play(Color::Black),
            chess960: false,
            post: false,
            ponder: false,
            may_resign: true,
            timing: Timing::new(),
            draw_policy: DrawPolicy::default(),
            guess: None,
            excluded: Vec::new(),
            analysed: false,
            counts_nodes: false,
            is_refused: false,
            pings: Vec::new(),
            search: None,
        }
    }
}

impl Session {
    /// Prints that something cannot be done.
    pub(crate) fn complain<B: Backend>(host: &mut Host<B>, text: &str) {
        host.output.line(Reply::Tell(Audience::UserError, message(text)));
    }

    /// Obeys one line.
    pub(crate) fn line<B: Backend>(&mut self, host: &mut Host<B>, line: &str) -> Flow {
        if line.split_whitespace().next() == Some("uci") {
            return if self.is_quiet(host, Needs::Quiet) { Flow::Switch } else { Flow::Wait };
        }
        let command = match Command::parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return Flow::Continue,
            Err(error) => {
                refuse(host, &error.to_string(), line);
                return Flow::Continue;
            }
        };
        if !self.is_quiet(host, needs(&command)) {
            return Flow::Wait;
        }
        let flow = self.obey(host, command, line);
        if flow == Flow::Continue {
            self.resume_analysis(host);
        }
        flow
    }

    /// Whether what a command needs to be over is over; if not, sees to it that it soon will be.
    fn is_quiet<B: Backend>(&mut self, host: &mut Host<B>, needs: Needs) -> bool {
        let thinking = self.purpose() == Some(Purpose::Think);
        match needs {
            Needs::Nothing => return true,
            Needs::Move if thinking => return false,
            Needs::Move | Needs::Quiet => self.break_off(host),
        }
        !host.is_searching() && !host.has_job()
    }

    fn purpose(&self) -> Option<Purpose> {
        self.search.as_ref().map(|search| search.purpose)
    }

    fn break_off<B: Backend>(&mut self, host: &mut Host<B>) {
        if let Some(search) = &mut self.search {
            search.purpose = Purpose::Nothing;
            host.backend.stop();
        }
    }

    fn obey<B: Backend>(&mut self, host: &mut Host<B>, command: Command, line: &str) -> Flow {
        match command {
            Command::Quit => return Flow::Quit,
            Command::Move(text) | Command::BareMove(text) => return self.take_move(host, &text, line),
            Command::ProtocolVersion(_) => {
                features::lines().into_iter().for_each(|reply| host.output.line(reply));
            }
            Command::Ping(number) if self.purpose() == Some(Purpose::Think) => self.pings.push(number),
            Command::Ping(number) => host.output.line(Reply::Pong(number)),
            Command::New => self.new_game(host),
            Command::Variant(name) => match features::VARIANTS.iter().position(|&variant| variant == name) {
                Some(index) => self.chess960 = index == 1,
                None => refuse(host, "unsupported variant", line),
            },
            Command::Force | Command::Result(_) => self.mode = Mode::Force,
            Command::Go => {
                self.mode = Mode::Play(self.game.position().turn());
                self.think(host);
            }
            Command::PlayOther => self.mode = Mode::Play(!self.game.position().turn()),
            Command::SetBoard(fen) => self.set_board(host, &fen),
            Command::Undo => self.take_back(host, 1, line),
            Command::Remove => self.take_back(host, 2, line),
            Command::Analyze => self.mode = Mode::Analyse,
            Command::Exit => {
                if self.mode == Mode::Analyse {
                    self.mode = Mode::Force;
                }
            }
            Command::MoveNow => {
                if self.purpose() == Some(Purpose::Think) {
                    host.backend.stop();
                }
            }
            Command::Draw => {
                if self.draw_policy.accepts(self.game.position().fullmove_number()) {
                    host.output.line(Reply::OfferDraw);
                }
            }
            Command::Level { moves, base, increment } => self.timing.set_sessions(moves, base, increment),
            Command::FixedTime(time) => self.timing.set_fixed(time),
            Command::Depth(depth) => self.timing.set_depth(depth),
            Command::NodeRate(rate) => self.timing.set_node_rate(rate),
            Command::Time(centiseconds) => self.timing.set_own_clock(centiseconds),
            Command::OpponentTime(centiseconds) => self.timing.set_opponent_clock(centiseconds),
            Command::Hard => self.ponder = true,
            Command::Easy => {
                self.ponder = false;
                if matches!(self.purpose(), Some(Purpose::Ponder { .. })) {
                    self.break_off(host);
                }
            }
            Command::Post => self.post = true,
            Command::NoPost => self.post = false,
            Command::Status => self.print_status(host),
            Command::Hint => self.print_hint(host),
            Command::Book => print_book(host, &self.game),
            Command::Memory(mebibytes) => {
                set(host, "Hash", &mebibytes.clamp(1, MAX_HASH.unsigned_abs()).to_string(), line);
            }
            Command::Cores(cores) => {
                set(host, "Threads", &cores.clamp(1, MAX_THREADS.unsigned_abs()).to_string(), line);
            }
            Command::EndgameTables { kind, path } => {
                if kind.eq_ignore_ascii_case("syzygy") {
                    set(host, "SyzygyPath", &path, line);
                } else {
                    refuse(host, "unsupported kind of tables", line);
                }
            }
            Command::SetOption { name, value } => self.set_option(host, &name, value.as_deref(), line),
            Command::Include(text) => self.restrict(host, &text, false, line),
            Command::Exclude(text) => self.restrict(host, &text, true, line),
            Command::Xboard
            | Command::Accepted(_)
            | Command::Rejected(_)
            | Command::Random
            | Command::Name(_)
            | Command::Rating { .. }
            | Command::Computer
            | Command::Ics(_) => {}
        }
        Flow::Continue
    }

    fn new_game<B: Backend>(&mut self, host: &mut Host<B>) {
        host.backend.new_game();
        self.chess960 = false;
        self.timing.new_game();
        self.draw_policy = DrawPolicy::default();
        self.set_game(Game::new());
        if self.mode != Mode::Analyse {
            self.mode = Mode::Play(Color::Black);
        }
    }

    fn set_game(&mut self, game: Game) {
        self.game = game;
        self.is_refused = false;
        self.position_changed();
    }

    fn position_changed(&mut self) {
        self.guess = None;
        self.excluded.clear();
        self.analysed = false;
    }

    fn set_board<B: Backend>(&mut self, host: &mut Host<B>, fen: &str) {
        match Position::read_fen(fen, Strictness::Lenient) {
            Ok(FenReading { position, warnings }) => {
                for warning in warnings {
                    host.output.line(Reply::Tell(Audience::User, message(&warning.to_string())));
                }
                let variant = if self.chess960 { Variant::Chess960 } else { Variant::of(&position) };
                self.set_game(Game::with_variant(position, variant));
            }
            Err(error) => {
                self.is_refused = true;
                Self::complain(host, &format!("Illegal position: {error}"));
            }
        }
    }

    fn take_back<B: Backend>(&mut self, host: &mut Host<B>, plies: usize, line: &str) {
        match self.game.ply().checked_sub(plies) {
            Some(ply) => {
                self.game.goto(ply);
                self.position_changed();
            }
            None => refuse(host, "no move to take back", line),
        }
    }

    fn take_move<B: Backend>(&mut self, host: &mut Host<B>, text: &str, line: &str) -> Flow {
        if self.purpose() == Some(Purpose::Think) {
            refuse(host, "it is not your move", line);
            return Flow::Continue;
        }
        if self.is_refused {
            let reason = Some("the last position was refused".to_owned());
            host.output.line(Reply::IllegalMove { reason, mv: quote(text) });
            return Flow::Continue;
        }
        let position = self.game.position();
        // Squares first: SAN would take bxc3 and b2c3 alike, but squares are what the interface was asked for.
        let mv = match position.parse_uci(text).or_else(|error| position.parse_san(text).map_err(|_| error)) {
            Ok(mv) => mv,
            Err(error) => {
                let reason = match error {
                    chess::UciMoveError::Illegal { reason, .. } => Some(reason.to_string()),
                    _ => None,
                };
                host.output.line(Reply::IllegalMove { reason, mv: quote(text) });
                return Flow::Continue;
            }
        };
        if self.is_expected(mv) {
            return self.play_expected(host, mv);
        }
        if !self.is_quiet(host, Needs::Quiet) {
            return Flow::Wait;
        }
        self.play(mv);
        if self.mode != Mode::Analyse && !matches!(self.mode, Mode::Force) {
            self.mode = Mode::Play(self.game.position().turn());
            self.think(host);
        }
        Flow::Continue
    }

    fn play(&mut self, mv: Move) {
        // Legal moves can always be replayed; interfaces decide themselves when a game is over.
        let played = self.game.replay(mv);
        debug_assert!(played.is_ok(), "{played:?}");
        self.position_changed();
    }

    /// Whether the engine has been thinking about this move, and with limits that still hold.
    fn is_expected(&self, mv: Move) -> bool {
        self.search.as_ref().is_some_and(|search| {
            search.purpose == Purpose::Ponder { guess: mv }
                && self.timing.still_suits(&search.limits, search.root.turn())
        })
    }

    fn play_expected<B: Backend>(&mut self, host: &mut Host<B>, mv: Move) -> Flow {
        self.play(mv);
        if let Some(search) = &mut self.search {
            search.purpose = Purpose::Think;
            search.begun = host.now();
            search.reporter = Reporter::new(host.now());
            host.backend.ponder_hit();
        }
        Flow::Continue
    }

    /// Starts to think about the engine's move, unless the game is over.
    fn think<B: Backend>(&mut self, host: &mut Host<B>) {
        if self.is_refused {
            // A move of another position would be worse than none.
            Self::complain(host, "the last position was refused, so there is nothing to think about");
            return;
        }
        if self.print_result(host) {
            return;
        }
        let limits = self.timing.limits(self.game.position().turn(), &self.game);
        self.start(host, Purpose::Think, &self.game.clone(), limits);
    }

    fn start<B: Backend>(&mut self, host: &mut Host<B>, purpose: Purpose, game: &Game, limits: Limits) {
        self.choose_clock(host);
        self.search = Some(Search {
            purpose,
            root: *game.position(),
            limits: limits.clone(),
            begun: host.now(),
            reporter: Reporter::new(host.now()),
            usage: Usage::default(),
            depth: 0,
            current: None,
        });
        host.backend.set_game(game);
        host.go(limits);
    }

    fn choose_clock<B: Backend>(&mut self, host: &mut Host<B>) {
        let rate = self.timing.nodes_per_millisecond();
        if rate.is_some() || self.counts_nodes {
            self.counts_nodes = rate.is_some();
            let value = rate.unwrap_or(0).min(MAX_NODES_PER_MS.unsigned_abs()).to_string();
            set(host, "nodestime", &value, "nps");
        }
    }

    fn resume_analysis<B: Backend>(&mut self, host: &mut Host<B>) {
        if self.mode != Mode::Analyse || self.search.is_some() || self.analysed || self.is_refused {
            return;
        }
        let mut limits = Limits { infinite: true, ..Limits::default() };
        if !self.excluded.is_empty() {
            let legal = self.game.position().legal_moves();
            limits.search_moves = legal.into_iter().filter(|mv| !self.excluded.contains(mv)).collect();
            if limits.search_moves.is_empty() {
                return;
            }
        }
        self.analysed = true;
        self.start(host, Purpose::Analyse, &self.game.clone(), limits);
    }

    fn restrict<B: Backend>(&mut self, host: &mut Host<B>, text: &str, exclude: bool, line: &str) {
        let position = *self.game.position();
        let moves: Vec<Move> = if text == "all" {
            position.legal_moves().into_iter().collect()
        } else {
            match position.parse_uci(text).ok().or_else(|| position.parse_san(text).ok()) {
                Some(mv) => vec![mv],
                None => return refuse(host, "illegal move", line),
            }
        };
        self.excluded.retain(|mv| !moves.contains(mv));
        if exclude {
            self.excluded.extend(moves);
        }
        self.analysed = false;
    }

    fn set_option<B: Backend>(&mut self, host: &mut Host<B>, name: &str, value: Option<&str>, line: &str) {
        if name.eq_ignore_ascii_case(features::RESIGN) {
            match value {
                Some("1") => self.may_resign = true,
                Some("0") => self.may_resign = false,
                _ => refuse(host, "Resign takes 0 or 1", line),
            }
        } else if let Err(reason) = crate::host::set_option(host, name, value.unwrap_or("")) {
            refuse(host, &reason, line);
        }
        // Whatever the option is, the analysis begins anew with it.
        self.analysed = false;
    }

    fn print_status<B: Backend>(&self, host: &mut Host<B>) {
        let Some(search) = self.search.as_ref().filter(|search| search.purpose == Purpose::Analyse) else {
            return;
        };
        let moves = match search.limits.search_moves.len() {
            0 => search.root.legal_moves().len(),
            restricted => restricted,
        };
        let (current, number) = match search.current {
            Some((mv, number)) => (self.write(&search.root, mv), number),
            None => (self.guess.map(|mv| self.write(&search.root, mv)).unwrap_or_default(), moves),
        };
        host.output.line(Reply::Status {
            time: centiseconds(host.now().saturating_sub(search.begun)),
            nodes: search.usage.nodes,
            depth: search.depth,
            moves_left: moves.saturating_sub(number),
            moves,
            current,
        });
    }

    fn print_hint<B: Backend>(&self, host: &mut Host<B>) {
        if let Some(guess) = self.guess.filter(|&mv| self.game.position().is_legal(mv)) {
            let hint = self.write(self.game.position(), guess);
            host.output.line(Reply::Hint(hint));
        }
    }

    /// Prints the result if the game is over by the rules.
    fn print_result<B: Backend>(&self, host: &mut Host<B>) -> bool {
        let outcome = self.game.position().outcome().or_else(|| self.game.outcome());
        let Some(outcome) = outcome else { return false };
        let comment = match (outcome.reason, outcome.winner) {
            (Reason::Checkmate, Some(winner)) => format!("{winner} mates"),
            (Reason::Stalemate, _) => "Stalemate".to_owned(),
            (reason, _) => format!("Draw by {reason}"),
        };
        host.output.line(Reply::Result { result: GameResult::of(Some(outcome)), comment });
        true
    }

    /// A move as this interface reads it: castling in Chess960 by its old signs, everything else by squares.
    fn write(&self, position: &Position, mv: Move) -> String {
        if mv.kind() == MoveKind::Castling && (self.chess960 || self.game.variant() == Variant::Chess960) {
            let short = CastlingSide::of(mv.from(), mv.to()) == CastlingSide::King;
            return if short { "O-O" } else { "O-O-O" }.to_owned();
        }
        position.to_uci(mv, CastlingStyle::Standard).to_string()
    }

    /// Prints what the engine has found.
    pub(crate) fn event<B: Backend>(&mut self, host: &mut Host<B>, event: Event) {
        let now = host.now();
        match event {
            Event::Note(text) => host.output.line(Reply::Comment(text)),
            Event::Lines(lines, usage) => self.take_lines(host, lines, usage, now),
            Event::CurrentMove { depth, mv, number } => {
                if let Some(search) = &mut self.search {
                    search.depth = depth;
                    search.current = Some((mv, number));
                }
            }
            Event::Finished(outcome) => {
                if let Some(search) = self.search.take() {
                    self.finish(host, search, &outcome, now);
                }
                self.answer_pings(host);
            }
            Event::Failed(error) => {
                Self::complain(host, &error.to_string());
                if let Some(search) = self.search.take() {
                    let salvaged = search.reporter.salvage(&search.root);
                    self.end(host, &search, &salvaged, now);
                }
                self.answer_pings(host);
            }
        }
    }

    fn answer_pings<B: Backend>(&mut self, host: &mut Host<B>) {
        self.pings.drain(..).for_each(|number| host.output.line(Reply::Pong(number)));
    }

    fn take_lines<B: Backend>(&mut self, host: &mut Host<B>, lines: Vec<Line>, usage: Usage, now: Duration) {
        let Some(search) = &mut self.search else { return };
        search.usage = usage;
        if let Some(best) = lines.first() {
            search.depth = best.depth;
            if search.purpose == Purpose::Analyse {
                self.guess = best.moves.first().copied();
            }
        }
        if let Some(report) = search.reporter.offer(Report::new(lines, usage), now) {
            self.report(host, &report);
        }
    }

    fn report<B: Backend>(&self, host: &mut Host<B>, report: &Report) {
        let Some(search) = &self.search else { return };
        self.report_of(host, search, report);
    }

    fn report_of<B: Backend>(&self, host: &mut Host<B>, search: &Search, report: &Report) {
        let prefix = match search.purpose {
            Purpose::Nothing => return,
            Purpose::Ponder { guess } => format!("({}) ", self.write(self.game.position(), guess)),
            Purpose::Think | Purpose::Analyse => String::new(),
        };
        if !self.post {
            return;
        }
        for line in &report.lines {
            let moves: Vec<String> =
                walk(&search.root, &line.moves).map(|(before, mv)| self.write(&before, mv)).collect();
            host.output.line(Reply::Thinking(Thinking {
                depth: line.depth,
                score: line.score.into(),
                time: centiseconds(report.usage.time),
                nodes: report.usage.nodes,
                details: Some(Details {
                    selective_depth: u32::try_from(line.selective_depth).unwrap_or(u32::MAX),
                    nodes_per_second: report.usage.nodes_per_second(),
                    tablebase_hits: report.usage.tablebase_hits,
                }),
                pv: format!("{prefix}{}", moves.join(" ")),
            }));
        }
    }

    fn finish<B: Backend>(
        &mut self,
        host: &mut Host<B>,
        mut search: Search,
        outcome: &Outcome,
        now: Duration,
    ) {
        if search.purpose == Purpose::Nothing {
            return;
        }
        if let Some(report) = search.reporter.last(outcome) {
            self.report_of(host, &search, &report);
        }
        self.end(host, &search, outcome, now);
    }

    fn end<B: Backend>(&mut self, host: &mut Host<B>, search: &Search, outcome: &Outcome, now: Duration) {
        if search.purpose == Purpose::Think {
            self.timing.moved_after(now.saturating_sub(search.begun));
            self.make_move(host, outcome);
        }
    }

    /// Plays the move that was found, with everything that belongs to it, and ponders if it may.
    fn make_move<B: Backend>(&mut self, host: &mut Host<B>, outcome: &Outcome) {
        let position = *self.game.position();
        let Some(best) = outcome.best.filter(|&mv| position.is_legal(mv)) else {
            self.print_result(host);
            return;
        };
        if let Some(line) = outcome.lines.first() {
            self.draw_policy.note(line.score.to_eval());
        }
        if self.may_resign && self.draw_policy.resigns() {
            self.mode = Mode::Force;
            host.output.line(Reply::Resign);
            return;
        }
        let text = self.write(&position, best);
        self.play(best);
        // A draw by repetition or by the fifty-move rule is claimed by an offer that comes with the move.
        if self.game.claimable().is_some() || self.draw_policy.offers(position.fullmove_number()) {
            host.output.line(Reply::OfferDraw);
        }
        host.output.line(Reply::Move(text));
        if self.print_result(host) {
            return;
        }
        self.guess = outcome.ponder.filter(|&mv| self.game.position().is_legal(mv));
        if let Some(guess) = self.guess.filter(|_| self.ponder) {
            self.start_pondering(host, guess);
        }
    }

    fn start_pondering<B: Backend>(&mut self, host: &mut Host<B>, guess: Move) {
        self.print_hint(host);
        let mut expected = self.game.clone();
        let playable = expected.play(guess).is_ok() && !expected.is_over();
        if playable {
            let mut limits = self.timing.limits(expected.position().turn(), &expected);
            limits.ponder = true;
            self.start(host, Purpose::Ponder { guess }, &expected, limits);
        }
    }

    /// When a report that waits may be printed.
    pub(crate) fn deadline(&self) -> Option<Duration> {
        self.search.as_ref().and_then(|search| search.reporter.deadline())
    }

    /// Prints the report that has waited long enough.
    pub(crate) fn tick<B: Backend>(&mut self, host: &mut Host<B>) {
        let now = host.now();
        if let Some(report) = self.search.as_mut().and_then(|search| search.reporter.due(now)) {
            self.report(host, &report);
        }
    }
}

/// Shows what the opening book knows. The protocol wants such lines to begin with white space and an empty
/// line at the end.
fn print_book<B: Backend>(host: &mut Host<B>, game: &Game) {
    let (moves, position) = (host.backend.book_moves(game), game.position());
    for &known in &moves {
        let san = position.san(known.mv);
        let share = book::share(known, &moves);
        let opening = openings::name(&position.after(known.mv));
        let opening = opening.map_or_else(String::new, |opening| format!("  {opening}"));
        host.output.line(format!("\t{:<8}{share:>3.0} %{opening}", san.as_str()));
    }
    if moves.is_empty() {
        host.output.line("\tthe book does not know this position");
    }
    host.output.line("");
}

fn centiseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis() / 10).unwrap_or(u64::MAX)
}

fn refuse<B: Backend>(host: &mut Host<B>, reason: &str, line: &str) {
    // Interfaces look for the closing bracket.
    let reason = message(reason).replace(['(', ')'], "");
    host.output.line(Reply::Error { reason, command: quote(line.trim()) });
}

/// Sets an option that a command stands for.
fn set<B: Backend>(host: &mut Host<B>, name: &str, value: &str, line: &str) {
    if let Err(reason) = crate::host::set_option(host, name, value) {
        refuse(host, &reason, line);
    }
}
