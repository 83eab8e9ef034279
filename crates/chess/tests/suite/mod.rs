//! The positions of `perft.epd` with their expected counts.

use chess::Position;

/// A position and how many move sequences it allows.
pub(crate) struct Case {
    /// The position as the file writes it.
    pub fen: &'static str,
    /// The position.
    pub position: Position,
    /// Pairs of depth and count, the smallest depth first.
    pub counts: Vec<(u32, u64)>,
}

impl Case {
    /// The greatest depth whose count is known and not above a limit.
    pub(crate) fn deepest_within(&self, most_nodes: u64) -> Option<(u32, u64)> {
        self.counts.iter().copied().take_while(|&(_, nodes)| nodes <= most_nodes).last()
    }
}

/// Every position of the file.
pub(crate) fn cases() -> Vec<Case> {
    include_str!("../perft.epd")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let (fen, counts) = line.split_once(" ;").unwrap_or_else(|| panic!("no counts: {line}"));
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            let counts = counts.split(" ;").map(|field| parse_count(field).expect(line)).collect();
            Case { fen, position, counts }
        })
        .collect()
}

fn parse_count(field: &str) -> Option<(u32, u64)> {
    let (depth, nodes) = field.strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, nodes.parse().ok()?))
}
