//! What bounds a mate search, and what it reports on its way.

use chess::Move;

/// Reported after each distance that is settled without a mate.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// There is no mate in this many moves or fewer.
    pub none_up_to: u32,
    /// Positions looked at so far.
    pub nodes: u64,
}

/// What bounds a mate search. The default is no bound at all.
pub struct Limits<'a> {
    /// Positions to look at before giving up.
    pub nodes: Option<u64>,
    /// Asked often, some thousand times a second, whether to stop.
    pub stop: &'a dyn Fn() -> bool,
    /// Receives what has been settled.
    pub progress: Option<&'a mut dyn FnMut(Progress)>,
    /// The only moves to try in the position itself; all legal ones if none are named.
    pub root_moves: Option<&'a [Move]>,
    /// Memory for settled positions, in bytes. Less makes the search slower, never wrong.
    pub table_bytes: usize,
}

/// Enough for the mates in five of problem books.
const TABLE_BYTES: usize = 64 << 20;

impl Default for Limits<'_> {
    fn default() -> Self {
        Self { nodes: None, stop: &|| false, progress: None, root_moves: None, table_bytes: TABLE_BYTES }
    }
}
