//! What the tests of the tables share.

#![allow(dead_code)]

use chess::random::Random;
use chess::{Color, Piece, Position, Role, Setup, Square};
use std::path::{Path, PathBuf};
use tablebase::Tablebases;

/// The directory of the tables for three and four men.
pub(crate) fn tables_directory() -> PathBuf {
    let data = std::env::var_os("GARDEZ_TEST_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/test-data"), PathBuf::from);
    let directory = data.join("syzygy");
    assert!(
        directory.join("KQvK.rtbw").is_file(),
        "no Syzygy tables in {}: run scripts/fetch-syzygy.sh",
        directory.display()
    );
    directory
}

pub(crate) fn open(directory: &Path) -> Tablebases {
    Tablebases::open(directory.to_str().expect("a path in UTF-8")).0
}

pub(crate) fn tables() -> Tablebases {
    open(&tables_directory())
}

/// An empty directory for one test.
pub(crate) fn scratch_directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // What an earlier run left behind, if anything.
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a directory for the test");
    directory
}

/// Copies the tables whose file names pass.
pub(crate) fn copy_tables(to: &Path, wanted: impl Fn(&str) -> bool) {
    for entry in std::fs::read_dir(tables_directory()).expect("the tables") {
        let path = entry.expect("a directory entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a file name");
        if wanted(name) {
            std::fs::copy(&path, to.join(name)).expect("a copy of a table");
        }
    }
}

pub(crate) fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Random positions, the same everywhere.
pub(crate) struct RandomPositions(Random);

impl RandomPositions {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// A random legal position with these men.
    pub(crate) fn position_of(&mut self, men: &[Piece]) -> Position {
        loop {
            let mut setup = Setup::empty();
            if self.below(2) == 0 {
                setup.turn = Color::Black;
            }
            for &piece in men {
                let square = self.below(64);
                if piece.role() != Role::Pawn || (8..56).contains(&square) {
                    setup.board[square] = Some(piece);
                }
            }
            let complete = setup.board.iter().flatten().count() == men.len();
            if let Ok(position) = Position::from_setup(&setup)
                && complete
            {
                return position;
            }
        }
    }

    /// A random legal position of three or four men.
    pub(crate) fn position(&mut self) -> Position {
        let mut men = vec![Piece::WhiteKing, Piece::BlackKing];
        for _ in 0..1 + self.below(2) {
            let role = Role::ALL[self.below(5)];
            men.push(Piece::new(Color::ALL[self.below(2)], role));
        }
        self.position_of(&men)
    }

    /// A random legal position of two kings and two pawns, one of which can take the other en passant.
    pub(crate) fn en_passant(&mut self) -> Position {
        loop {
            let mut setup = Setup::empty();
            let (file, east) = (self.below(7), self.below(2));
            setup.board[32 + file + east] = Some(Piece::WhitePawn);
            setup.board[33 + file - east] = Some(Piece::BlackPawn);
            setup.en_passant = Some(Square::from_index(41 + file - east));
            setup.board[self.below(64)] = Some(Piece::WhiteKing);
            setup.board[self.below(64)] = Some(Piece::BlackKing);
            match Position::from_setup(&setup) {
                Ok(position) if position.en_passant().is_some() => return position,
                _ => {}
            }
        }
    }
}
