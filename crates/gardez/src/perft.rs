//! `gardez perft`: counts the move tree, to check the rules and to measure their speed.

use crate::interrupt;
use crate::{numbers, positions};
use anyhow::{Context, ensure};
use chess::perft::{PerftTable, perft, perft_with};
use chess::{CastlingStyle, Move, Position, Variant};
use clap::ValueEnum;
use classics::NotStandard;
use classics::boards::BoardKind;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Count the positions of the move tree
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Length of the move sequences to count
    #[arg(value_parser = numbers::from_to(0, MAX_DEPTH))]
    depth: u32,
    /// Position as FEN, or `startpos` [default: startpos]
    #[arg(long, value_parser = positions::readable)]
    fen: Option<String>,
    #[command(flatten)]
    reading: positions::Reading,
    /// Write castling as the king's move to its rook
    #[arg(long)]
    chess960: bool,
    /// Print the count of each first move
    #[arg(long)]
    divide: bool,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::from_to(1_u16, 1024))]
    threads: u16,
    /// Memory of a table of counts in MiB, so that no position is counted twice; 0 for none
    #[arg(long, value_name = "MiB", default_value_t = 0, value_parser = numbers::from_to(0_u32, 1 << 20))]
    hash: u32,
    /// Board that finds the moves; those of the classics know standard chess only
    #[arg(long, value_enum, default_value_t)]
    board: BoardChoice,
}

/// The boards that can count.
#[derive(Copy, Clone, PartialEq, Eq, Default, ValueEnum)]
enum BoardChoice {
    /// Gardez's own
    #[default]
    Bitboard,
    /// JavaChess's: sets of squares, and rays made in advance
    Rays,
    /// Piglet's and Ground Up's: 128 squares, half of them off the board
    #[value(name = "0x88")]
    Ox88,
    /// ChessBin's: 64 squares and boards of attacks
    Mailbox,
}

impl BoardChoice {
    /// The board, if it is not Gardez's own.
    const fn classic(self) -> Option<BoardKind> {
        match self {
            Self::Bitboard => None,
            Self::Rays => Some(BoardKind::Rays),
            Self::Ox88 => Some(BoardKind::Ox88),
            Self::Mailbox => Some(BoardKind::Mailbox),
        }
    }

    fn legal_moves(self, position: &Position) -> Result<Vec<Move>, NotStandard> {
        match self.classic() {
            None => Ok(position.legal_moves().to_vec()),
            Some(board) => board.legal_moves(position),
        }
    }

    fn perft(self, position: &Position, depth: u32) -> Result<u64, NotStandard> {
        match self.classic() {
            None => Ok(perft(position, depth)),
            Some(board) => board.perft(position, depth),
        }
    }
}

/// Beyond any count that ends, and short enough for the stack.
const MAX_DEPTH: u32 = 100;

/// Plies from the start to the positions that the threads share out among them: with two, a few hundred
/// to a few thousand.
const SPLIT_PLIES: u32 = 2;

/// A position to count, and which of the first moves led to it.
struct Subtree {
    first_move: usize,
    position: Position,
}

/// What the threads work on.
struct Work {
    board: BoardChoice,
    subtrees: Vec<Subtree>,
    next: AtomicUsize,
    /// Depth to count each subtree to.
    depth: u32,
    table: Option<PerftTable>,
}

impl Work {
    fn new(
        board: BoardChoice,
        start: &Position,
        depth: u32,
        table: Option<PerftTable>,
    ) -> Result<Self, NotStandard> {
        let split = depth.min(SPLIT_PLIES);
        let mut subtrees = vec![Subtree { first_move: 0, position: *start }];
        for ply in 0..split {
            let mut next = Vec::new();
            for subtree in &subtrees {
                for (index, mv) in board.legal_moves(&subtree.position)?.into_iter().enumerate() {
                    let first_move = if ply == 0 { index } else { subtree.first_move };
                    next.push(Subtree { first_move, position: subtree.position.after(mv) });
                }
            }
            subtrees = next;
        }
        Ok(Self { board, subtrees, next: AtomicUsize::new(0), depth: depth - split, table })
    }

    /// Takes subtrees until none is left or the counts are not wanted any more.
    fn run(&self, events: &Sender<Event>) {
        while let Some(subtree) = self.subtrees.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let nodes = match &self.table {
                Some(table) => Ok(perft_with(table, &subtree.position, self.depth)),
                None => self.board.perft(&subtree.position, self.depth),
            };
            // Moves give no new castling rights, so a position of standard chess stays one.
            let Ok(nodes) = nodes else { return };
            if events.send(Event::Counted { first_move: subtree.first_move, nodes }).is_err() {
                return;
            }
        }
    }
}

enum Event {
    Counted { first_move: usize, nodes: u64 },
    Interrupted,
}

/// The counts that have come in.
struct Counts {
    first_moves: Vec<Move>,
    by_first_move: Vec<u64>,
    /// Sums stop at the largest number rather than start again from zero.
    nodes: u64,
    subtrees_done: usize,
    subtrees: usize,
    started: Instant,
}

impl Counts {
    fn add(&mut self, first_move: usize, nodes: u64) {
        let count = &mut self.by_first_move[first_move];
        *count = count.saturating_add(nodes);
        self.nodes = self.nodes.saturating_add(nodes);
        self.subtrees_done += 1;
    }

    fn nodes_per_second(&self, elapsed: Duration) -> f64 {
        self.nodes as f64 / elapsed.as_secs_f64().max(1e-9)
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let start = args.reading.position(args.fen.as_deref().unwrap_or("startpos"))?;
    ensure!(
        args.hash == 0 || args.board == BoardChoice::Bitboard,
        "a table of counts serves the bitboard only; leave out --hash or --board"
    );
    let first_moves = args.board.legal_moves(&start)?;
    let table = match args.hash {
        0 => None,
        megabytes => Some(
            PerftTable::new(megabytes as usize)
                .with_context(|| format!("there is no memory for a table of {megabytes} MiB"))?,
        ),
    };
    let (sender, events) = mpsc::channel();
    let on_interrupt = sender.clone();
    interrupt::on_first(move || {
        let _ = on_interrupt.send(Event::Interrupted);
    })?;

    let started = Instant::now();
    let work = Arc::new(Work::new(args.board, &start, args.depth, table)?);
    let mut counts = Counts {
        by_first_move: vec![0; first_moves.len().max(1)],
        first_moves,
        nodes: 0,
        subtrees_done: 0,
        subtrees: work.subtrees.len(),
        started,
    };
    // Not joined: when interrupted, the end of the program ends them.
    for _ in 0..args.threads {
        let (work, sender) = (Arc::clone(&work), sender.clone());
        std::thread::Builder::new().spawn(move || work.run(&sender)).context("cannot start the threads")?;
    }
    let completed = collect(&events, &mut counts);
    report(args, &start, &counts, completed)?;
    Ok(if completed { ExitCode::SUCCESS } else { interrupt::exit_code() })
}

/// Adds up what the threads count. Returns whether they came to the end.
fn collect(events: &Receiver<Event>, counts: &mut Counts) -> bool {
    const REFRESH: Duration = Duration::from_millis(100);
    let mut progress = Progress::new();
    while counts.subtrees_done < counts.subtrees {
        match events.recv_timeout(REFRESH) {
            Ok(Event::Counted { first_move, nodes }) => counts.add(first_move, nodes),
            Ok(Event::Interrupted) | Err(RecvTimeoutError::Disconnected) => return false,
            Err(RecvTimeoutError::Timeout) => {}
        }
        progress.show(counts);
    }
    true
}

/// Tells on standard error how far a long run has come: a bar on a terminal, else now and then a line.
struct Progress {
    is_terminal: bool,
    bar: Option<ProgressBar>,
    /// The running time at which to show something next.
    next: Duration,
}

impl Progress {
    const FIRST: Duration = Duration::from_secs(1);
    const LINES_APART: Duration = Duration::from_secs(60);

    fn new() -> Self {
        Self { is_terminal: std::io::stderr().is_terminal(), bar: None, next: Self::FIRST }
    }

    fn show(&mut self, counts: &Counts) {
        let elapsed = counts.started.elapsed();
        if elapsed < self.next {
            return;
        }
        let speed = counts.nodes_per_second(elapsed) / 1e6;
        if self.is_terminal {
            let bar = self.bar.get_or_insert_with(|| new_bar(counts));
            bar.set_position(counts.subtrees_done as u64);
            bar.set_message(format!("{speed:.0} Mnodes/s"));
            bar.tick();
        } else {
            // A closed progress output is no reason to stop counting.
            let _ = writeln!(
                std::io::stderr(),
                "{:.0} s: {} of {} positions at ply {SPLIT_PLIES} counted, {} nodes, {speed:.0} Mnodes/s",
                elapsed.as_secs_f64(),
                counts.subtrees_done,
                counts.subtrees,
                counts.nodes
            );
            // Twice as long each time, so that a log stays short.
            self.next = elapsed + elapsed.min(Self::LINES_APART);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(counts: &Counts) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{elapsed_precise} [{bar:40}] {percent:>3} %  {msg}  {eta} left");
    let bar = ProgressBar::new(counts.subtrees as u64).with_elapsed(counts.started.elapsed());
    match style {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}

fn report(args: &Args, start: &Position, counts: &Counts, completed: bool) -> anyhow::Result<()> {
    let elapsed = counts.started.elapsed();
    let mut out = std::io::stdout().lock();
    if !completed {
        writeln!(
            out,
            "interrupted: {} of {} positions at ply {SPLIT_PLIES} counted",
            counts.subtrees_done, counts.subtrees
        )?;
    } else if args.divide && args.depth > 0 {
        let is_chess960 = args.chess960 || Variant::of(start) == Variant::Chess960;
        let style = if is_chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        for (&mv, nodes) in counts.first_moves.iter().zip(&counts.by_first_move) {
            writeln!(out, "{}: {nodes}", start.to_uci(mv, style))?;
        }
        writeln!(out)?;
    }
    let or_more = if counts.nodes == u64::MAX { " or more" } else { "" };
    writeln!(out, "nodes    {}{or_more}", counts.nodes)?;
    writeln!(out, "time     {:.3} s", elapsed.as_secs_f64())?;
    writeln!(out, "nodes/s  {:.0}", counts.nodes_per_second(elapsed))?;
    Ok(())
}
