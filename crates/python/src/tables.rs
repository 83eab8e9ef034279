//! Tables of moves, through Arrow's C interface, and parts of files for clusters.

use crate::games::Game;
use crate::work::{failed, interruptible, wrong};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use chess::pgn::PgnGame;
use columns::GameRows;
use columns::analysis::{self, Analysis, AnalysisError};
use columns::part::{Part, Parts};
use columns::reviewers::Reviewers;
use columns::table::{TableBuilder, schema};
use engine::StopToken;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use review::Settings;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Rows that every library of Arrow takes without copying them.
#[pyclass(module = "gardez", frozen)]
pub(crate) struct Rows(RecordBatch);

#[pymethods]
impl Rows {
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Whoever wants another schema casts what it gets, as the interface allows.
        let _ = requested_schema;
        let batches = RecordBatchIterator::new(vec![Ok(self.0.clone())], schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

fn workers(count: usize) -> PyResult<NonZeroUsize> {
    NonZeroUsize::new(count).ok_or_else(|| wrong("workers must be at least 1"))
}

fn rows(rows: impl Iterator<Item = GameRows>) -> PyResult<Rows> {
    let mut table = TableBuilder::new();
    rows.for_each(|game| table.push(&game));
    table.finish().map(Rows).map_err(failed)
}

/// A row for each move of the games, analysed.
#[pyfunction]
pub(crate) fn analyse_games(
    py: Python<'_>,
    games: Vec<Game>,
    nodes: u64,
    depth: Option<i32>,
    options: Vec<(String, String)>,
    workers: usize,
) -> PyResult<Rows> {
    let workers = self::workers(workers)?;
    let stop = StopToken::new();
    interruptible(py, &stop, || {
        let mut reviewers =
            Reviewers::new(&Settings { nodes, depth, options }, workers, &stop).map_err(wrong)?;
        let numbered = games.iter().zip(1_u64..).filter(|(game, _)| game.0.moves().next().is_some());
        let (games, numbers): (Vec<PgnGame>, Vec<u64>) =
            numbered.map(|(game, number)| ((*game.0).clone(), number)).unzip();
        let reviews = reviewers.review(&games, |_| {}).map_err(failed)?;
        let reviewed = games.iter().zip(&reviews).zip(numbers);
        rows(reviewed.map(|((game, review), number)| GameRows::reviewed(number, game, review)))
    })?
}

/// A row for each move of the games, without a judgement.
#[pyfunction]
pub(crate) fn rows_of_games(py: Python<'_>, games: Vec<Game>) -> PyResult<Rows> {
    py.detach(|| rows(games.iter().zip(1..).map(|(game, number)| GameRows::of_game(number, &game.0))))
}

fn unreadable(path: &Path) -> impl Fn(io::Error) -> PyErr {
    |error| match error.raw_os_error() {
        Some(number) => PyOSError::new_err((number, error.to_string(), path.display().to_string())),
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}

fn open(path: &Path, part_bytes: u64) -> PyResult<Parts> {
    Parts::open(path, part_bytes).map_err(unreadable(path))
}

/// How many parts of this size a file has.
#[pyfunction]
pub(crate) fn part_count(path: PathBuf, part_bytes: u64) -> PyResult<u64> {
    Ok(open(&path, part_bytes)?.count())
}

/// The first byte of a part, and the first behind it.
#[pyfunction]
pub(crate) fn part_range(py: Python<'_>, path: PathBuf, part_bytes: u64, index: u64) -> PyResult<(u64, u64)> {
    py.detach(|| {
        let range = open(&path, part_bytes)?.range(index).map_err(unreadable(&path))?;
        Ok((range.start, range.end))
    })
}

/// The games and the lines between two bytes of a file.
#[pyfunction]
pub(crate) fn part_size(py: Python<'_>, path: PathBuf, start: u64, end: u64) -> PyResult<(u64, u64)> {
    py.detach(|| {
        let size = open(&path, 1)?.size(&(start..end)).map_err(unreadable(&path))?;
        Ok((size.games, size.lines))
    })
}

/// The name of the file of a part.
#[pyfunction]
pub(crate) fn part_name(path: PathBuf, index: u64) -> String {
    Analysis::part_name(&path, index)
}

/// A Parquet file, with the numbers of games, games without moves and rows, and what is wrong with the games.
type AnalysedPart<'py> = (Bound<'py, PyBytes>, u64, u64, u64, Vec<String>);

/// Analyses the games between two bytes of a file.
#[pyfunction]
pub(crate) fn analyse_part<'py>(
    py: Python<'py>,
    path: PathBuf,
    range: (u64, u64),
    before: (u64, u64),
    nodes: u64,
    depth: Option<i32>,
    options: Vec<(String, String)>,
    workers: usize,
) -> PyResult<AnalysedPart<'py>> {
    let workers = self::workers(workers)?;
    let stop = StopToken::new();
    let part = Part { range: range.0..range.1, games_before: before.0, lines_before: before.1 };
    let analysed = interruptible(py, &stop, || {
        let mut parts = open(&path, 1)?;
        let mut reviewers =
            Reviewers::new(&Settings { nodes, depth, options }, workers, &stop).map_err(wrong)?;
        let analysed = analysis::analyse_part(&path, &mut parts, &part, &mut reviewers, |_| {});
        analysed.map_err(|error| match error {
            AnalysisError::TooLong { .. } => wrong(error),
            AnalysisError::Input { path, error } => unreadable(&path)(error),
            _ => failed(error),
        })
    })??;
    let faults = analysed.faults.iter().map(ToString::to_string).collect();
    let summary = analysed.summary;
    Ok((PyBytes::new(py, &analysed.file), summary.games, summary.faulty, summary.rows, faults))
}
