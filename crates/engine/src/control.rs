//! What the threads of a search share: when to stop, and how much was done.

use crate::event::Usage;
use crate::stop::StopToken;
use crate::task::Task;
use crate::time::Budget;
use crate::transposition::TranspositionTable;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};
use std::time::Duration;
use web_time::Instant;

/// After this long, the move being searched is reported.
const LONG_SEARCH: Duration = Duration::from_secs(3);

/// Several threads take a node limit in this many shares each. What is left of the last shares when the first thread ends
/// is not searched.
const NODE_SHARES: u64 = 64;

/// Stop flag, counters and clock of one search.
pub(crate) struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    nodes: AtomicU64,
    /// Nodes of the limit that were granted to threads.
    granted_nodes: AtomicU64,
    tablebase_hits: AtomicU64,
    started: Instant,
    /// When the engine's own time began to run: at the start, or at the ponder hit.
    clock_started: Mutex<Instant>,
    /// Nodes that count as a millisecond; 0 for real time.
    nodes_per_ms: u64,
    threads: usize,
    /// Wakes a thread that waits for the end or the ponder hit.
    changed: Condvar,
}

impl Control {
    /// The control of a search that begins now.
    #[must_use]
    pub(crate) fn new(threads: usize, pondering: bool, nodes_per_ms: u64) -> Self {
        let now = Instant::now();
        Self {
            threads,
            changed: Condvar::new(),
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            nodes: AtomicU64::new(0),
            granted_nodes: AtomicU64::new(0),
            tablebase_hits: AtomicU64::new(0),
            started: now,
            clock_started: Mutex::new(now),
            nodes_per_ms,
        }
    }

    /// Ends the search.
    pub(crate) fn stop(&self) {
        let _clock = self.clock_started.lock();
        self.stop.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// Waits until the search may report its result: at once, unless it has to last until it is stopped.
    pub(crate) fn wait_for_permission(&self, infinite: bool) {
        let Ok(mut clock) = self.clock_started.lock() else { return };
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            match self.changed.wait(clock) {
                Ok(guard) => clock = guard,
                Err(_) => return,
            }
        }
    }

    /// Whether the search was asked to end.
    #[must_use]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Continues as a normal search whose clock starts now.
    pub(crate) fn ponder_hit(&self) {
        if let Ok(mut clock) = self.clock_started.lock() {
            *clock = Instant::now();
            self.pondering.store(false, Relaxed);
            self.changed.notify_all();
        }
    }

    /// Whether the search runs on the opponent's time.
    #[must_use]
    pub(crate) fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Adds what a thread has done.
    pub(crate) fn add(&self, nodes: u64, tablebase_hits: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
        self.tablebase_hits.fetch_add(tablebase_hits, Relaxed);
    }

    /// Grants a thread its next share of this node limit; 0 when all nodes are granted. One thread alone gets the whole
    /// limit at once.
    #[must_use]
    pub(crate) fn grant_nodes(&self, limit: u64) -> u64 {
        let share = match self.threads as u64 {
            ..=1 => limit,
            threads => limit / (threads * NODE_SHARES),
        };
        let share = share.max(1);
        let granted = self.granted_nodes.fetch_add(share, Relaxed);
        share.min(limit.saturating_sub(granted))
    }

    /// Nodes of all threads, as far as they were added.
    #[must_use]
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Real time since the start.
    #[must_use]
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time on the engine's own clock.
    #[must_use]
    pub(crate) fn clock(&self) -> Duration {
        if let Some(ms) = self.nodes().checked_div(self.nodes_per_ms) {
            return Duration::from_millis(ms);
        }
        self.clock_started.lock().map_or(Duration::ZERO, |clock| clock.elapsed())
    }

    /// Time since the start, the opponent's included, as the engine's clock counts it.
    #[must_use]
    pub(crate) fn thinking_time(&self) -> Duration {
        if self.nodes_per_ms > 0 { self.clock() } else { self.elapsed() }
    }

    /// Whether the search has lasted so long that its progress is reported.
    #[must_use]
    pub(crate) fn is_long_search(&self) -> bool {
        self.elapsed() >= LONG_SEARCH
    }

    /// What was used so far.
    #[must_use]
    pub(crate) fn usage(&self, table: &TranspositionTable) -> Usage {
        Usage {
            nodes: self.nodes(),
            time: self.elapsed(),
            hash_full: table.fullness(),
            tablebase_hits: self.tablebase_hits.load(Relaxed),
        }
    }

    /// Asked by every thread now and then. The first thread alone looks at clock and counters.
    #[must_use]
    pub(crate) fn must_stop(&self, task: &Task<'_>, thread: usize) -> bool {
        if self.is_stopped() {
            return true;
        }
        if thread != 0 {
            return false;
        }
        let is_cancelled = task.limits.stop.as_ref().is_some_and(StopToken::is_stopped);
        let out_of_time = !self.is_pondering() && task.budget.is_some_and(|budget| self.is_past(&budget));
        let ends = out_of_time || is_cancelled;
        if ends {
            self.stop();
        }
        ends
    }

    fn is_past(&self, budget: &Budget) -> bool {
        self.clock().as_secs_f64() * 1000.0 >= budget.hard_ms
    }
}
