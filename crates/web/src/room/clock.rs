//! Clocks: they run while somebody who plays is there, from the second move on.

use super::Room;
use super::table::Table;
use chess::Color;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Moves that are made before the clocks start.
const FREE_PLIES: usize = 2;

impl Table {
    /// Takes off the time that has passed. Returns whether the time of this side is over.
    pub fn charge(&mut self, color: Color) -> bool {
        if let Some((running, since)) = self.running {
            let left = &mut self.record.left[running.index()];
            *left = left.saturating_sub(since.elapsed().as_millis() as u64);
            self.running = Some((running, Instant::now()));
        }
        self.running.is_some_and(|(running, _)| running == color) && self.record.left[color.index()] == 0
    }

    /// What a side has left after a move made now, if there is a clock.
    pub fn left_after_move(&self, color: Color) -> Option<u64> {
        let setting = self.record.clock?;
        let left = self.record.left[color.index()];
        Some(if self.running.is_some() { left.saturating_add(setting.increment) } else { left })
    }

    /// Sets the right clock going, or none.
    pub fn run_clock(&mut self, at_home: bool) {
        let game = &self.record.game;
        let turn = game.position().turn();
        let runs = self.record.clock.is_some()
            && game.ply() >= FREE_PLIES
            && !game.is_over()
            && !self.is_paused
            && self.is_attended(at_home);
        self.charge(turn);
        self.running = runs.then(|| (turn, Instant::now()));
    }
}

impl Room {
    /// Wakes up when the running clock comes to its end.
    pub(super) fn set_flag_timer(self: &Arc<Self>, table: &mut Table) {
        if let Some(timer) = table.flag_timer.take() {
            timer.abort();
        }
        let Some((color, _)) = table.running else { return };
        let left = Duration::from_millis(table.record.left[color.index()]);
        let (room, generation) = (Arc::downgrade(self), table.generation);
        let timer = tokio::spawn(async move {
            tokio::time::sleep(left).await;
            let Some(room) = room.upgrade() else { return };
            // In a task of its own, because this one is aborted when the game goes on.
            tokio::spawn(async move {
                let mut table = room.table.lock().await;
                if table.generation == generation
                    && table.running.is_some_and(|(running, _)| running == color)
                    && table.charge(color)
                    && let Err(error) = room.flag(&mut table, color).await
                {
                    tracing::warn!("a fallen flag: {error}");
                }
            });
        });
        table.flag_timer = Some(timer.abort_handle());
    }
}
