//! The header of a file: how its games came about.

use crate::checksum::crc32;
use crate::error::FileError;
use crate::packed::Bytes;

const MAGIC: [u8; 8] = *b"GARDEZ\r\n";
/// The version that is written.
pub(crate) const VERSION: u32 = 2;
/// The oldest version that can be read.
const OLDEST_VERSION: u32 = 1;
pub(crate) const HEADER_LENGTH: usize = 40;

/// How the games of a file came about. With the same engine they can be played again from it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The percentage of games that begin from start positions of double Chess960. Whether a game is one of them
    /// shows in its start position; readers need not ask.
    pub chess960_percent: u8,
    /// The seed of the random openings.
    pub seed: u64,
    /// The soft limit of nodes a move.
    pub nodes: u64,
    /// The size of the engine's transposition table in MiB.
    pub hash: u32,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { chess960_percent, seed, nodes, hash } = self;
        write!(f, "seed {seed}, {nodes} nodes a move, {hash} MiB, {chess960_percent} % Chess960")
    }
}

impl Origin {
    pub(crate) fn encode(&self) -> [u8; HEADER_LENGTH] {
        let fields: [&[u8]; 6] = [
            &MAGIC,
            &VERSION.to_le_bytes(),
            &u32::from(self.chess960_percent).to_le_bytes(),
            &self.seed.to_le_bytes(),
            &self.nodes.to_le_bytes(),
            &self.hash.to_le_bytes(),
        ];
        let checksum = crc32(&fields).to_le_bytes();
        let mut header = [0; HEADER_LENGTH];
        for (to, from) in header.iter_mut().zip(fields.into_iter().flatten().chain(&checksum)) {
            *to = *from;
        }
        header
    }

    /// The origin and the version of the format.
    pub(crate) fn decode(header: &[u8]) -> Result<(Self, u32), FileError> {
        let mut bytes = Bytes(header);
        if bytes.take() != Some(MAGIC) {
            return Err(FileError::NotGames);
        }
        let version = bytes.u32().ok_or(FileError::Header)?;
        if !(OLDEST_VERSION..=VERSION).contains(&version) {
            return Err(FileError::Version(version));
        }
        let mut fields = || {
            let chess960_percent = match (version, bytes.u32()?) {
                // Version 1 only said whether all games are Chess960.
                (1, all @ 0..=1) => 100 * all as u8,
                (2.., percent @ 0..=100) => percent as u8,
                _ => return None,
            };
            let origin =
                Self { chess960_percent, seed: bytes.u64()?, nodes: bytes.u64()?, hash: bytes.u32()? };
            let checksum = bytes.u32()?;
            (checksum == crc32(&[&header[..HEADER_LENGTH - 4]])).then_some((origin, version))
        };
        fields().ok_or(FileError::Header)
    }
}
