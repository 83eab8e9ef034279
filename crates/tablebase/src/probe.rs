//! Asking the tables about a position.

use crate::convert::{material_key, material_name, to_shakmaty};
use crate::{OpenNote, ProbeError, TableFault, Wdl, open};
use chess::Position;
use shakmaty::Chess;
use shakmaty_syzygy::{SyzygyError, Tablebase};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

/// A collection of Syzygy tables, to be shared by threads.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    failed_wdl: FailedMaterial,
    failed_dtz: FailedMaterial,
}

impl Tablebases {
    /// Looks for tables in the directories of a list, separated as in the system's `PATH`. The notes say
    /// what was found and what could not be used; an empty list has none. No table is read yet.
    #[must_use]
    pub fn open(path_list: &str) -> (Self, Vec<OpenNote>) {
        let (tables, notes) = open::open(path_list);
        (Self { tables, failed_wdl: FailedMaterial::default(), failed_dtz: FailedMaterial::default() }, notes)
    }

    /// The most men, kings included, that any table has; 0 without tables.
    #[must_use]
    pub fn max_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    /// The result of a position, if its fifty moves begin here: the halfmove clock is not looked at.
    /// None when the tables do not cover it: too many men, castling rights, tables missing or known to be
    /// broken.
    ///
    /// # Errors
    /// When a table needed cannot be used, the first time it is needed for this material.
    pub fn probe_wdl(&self, position: &Position) -> Result<Option<Wdl>, ProbeError> {
        let wdl = self.probe(position, &self.failed_wdl, Tablebase::probe_wdl_after_zeroing)?;
        Ok(wdl.map(Wdl::from))
    }

    /// Half-moves until the next capture, pawn move or mate on the way to the result, negative when lost,
    /// 0 when drawn, beyond 100 either way when the fifty-move rule spoils the result. May be one too low.
    ///
    /// # Errors
    /// As [`probe_wdl`](Self::probe_wdl).
    pub fn probe_dtz(&self, position: &Position) -> Result<Option<i32>, ProbeError> {
        let dtz = self.probe(position, &self.failed_dtz, Tablebase::probe_dtz)?;
        Ok(dtz.map(|dtz| dtz.ignore_rounding().0))
    }

    fn probe<T>(
        &self,
        position: &Position,
        failed: &FailedMaterial,
        ask: impl FnOnce(&Tablebase<Chess>, &Chess) -> Result<T, SyzygyError>,
    ) -> Result<Option<T>, ProbeError> {
        if position.occupied().count() as usize > self.max_pieces() || failed.has(position) {
            return Ok(None);
        }
        let Some(converted) = to_shakmaty(position) else { return Ok(None) };
        // The library checks what it reads and has not been seen to panic on damaged tables, but it has
        // assertions and unchecked arithmetic on what they say; a file must never end the game.
        let answer = catch_unwind(AssertUnwindSafe(|| ask(&self.tables, &converted)));
        let error = match answer {
            Ok(Ok(value)) => return Ok(Some(value)),
            Ok(Err(error)) => ProbeError::from_syzygy(error),
            Err(_) => Some(ProbeError { table: material_name(position), fault: TableFault::Damaged }),
        };
        match error {
            Some(error) => {
                failed.add(position);
                Err(error)
            }
            None => Ok(None),
        }
    }
}

/// The material for which a table has failed. Mostly there is none, which the flag shows at less cost.
#[derive(Default)]
struct FailedMaterial {
    any: AtomicBool,
    keys: RwLock<HashSet<u64>>,
}

impl FailedMaterial {
    fn has(&self, position: &Position) -> bool {
        self.any.load(Ordering::Relaxed)
            && self.keys.read().unwrap_or_else(PoisonError::into_inner).contains(&material_key(position))
    }

    fn add(&self, position: &Position) {
        self.keys.write().unwrap_or_else(PoisonError::into_inner).insert(material_key(position));
        self.any.store(true, Ordering::Relaxed);
    }
}
