//! What an experiment finds, in a form that can be printed, stored and drawn.

use crate::Scale;
use serde::Serialize;

/// The result of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The experiment's name on the command line.
    pub name: &'static str,
    /// What it finds out.
    pub title: &'static str,
    /// How it was measured.
    pub method: String,
    /// How much work it was.
    pub scale: Scale,
    /// What the positions were chosen by.
    pub seed: u64,
    /// How long it took.
    pub seconds: f64,
    /// What the documents say, and what was measured.
    pub claims: Vec<Claim>,
    /// The figures behind it.
    pub tables: Vec<ReportTable>,
    /// The figures as pictures.
    pub plots: Vec<Plot>,
}

/// What an experiment hands over; the rest of the report is the same for all.
pub(crate) struct Findings {
    pub method: String,
    pub claims: Vec<Claim>,
    pub tables: Vec<ReportTable>,
    pub plots: Vec<Plot>,
}

/// Something a document says, and what was measured here.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Claim {
    /// What it is about.
    pub what: String,
    /// The program whose document says it.
    pub source: &'static str,
    /// What the document says.
    pub document: String,
    /// What was measured.
    pub measured: String,
}

impl Claim {
    pub(crate) fn new(source: &'static str, what: &str, document: &str, measured: String) -> Self {
        Self { what: what.to_owned(), source, document: document.to_owned(), measured }
    }
}

/// A table of figures.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReportTable {
    /// What it shows.
    pub title: String,
    /// The heads of its columns.
    pub head: Vec<String>,
    /// Its rows, each as long as the head.
    pub rows: Vec<Vec<Cell>>,
}

impl ReportTable {
    pub(crate) fn new<const N: usize>(title: &str, head: [&str; N]) -> Self {
        Self { title: title.to_owned(), head: head.map(str::to_owned).to_vec(), rows: Vec::new() }
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [Cell; N]) {
        debug_assert_eq!(N, self.head.len());
        self.rows.push(Vec::from(cells));
    }
}

/// A field of a table. As JSON, a text or a plain number.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A name.
    Text(String),
    /// Something counted.
    Count(u64),
    /// Something measured.
    Number(f64),
    /// A part of a hundred.
    Percent(f64),
    /// A time.
    Seconds(f64),
    /// Nothing to say.
    Empty,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<u32> for Cell {
    fn from(count: u32) -> Self {
        Self::Count(count.into())
    }
}

/// One picture.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// One axis of a picture.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// Whether equal steps are equal factors.
    pub logarithmic: bool,
    /// Names for 0, 1, 2 and so on, if these are things and not numbers; they are drawn as bars.
    pub names: Vec<String>,
}

impl Axis {
    pub(crate) fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), ..Self::default() }
    }

    pub(crate) fn logarithmic(label: &str) -> Self {
        Self { logarithmic: true, ..Self::linear(label) }
    }

    pub(crate) fn of_names(names: impl IntoIterator<Item = String>) -> Self {
        Self { names: names.into_iter().collect(), ..Self::default() }
    }
}

/// Points that belong together.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Series {
    /// What they are.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    pub(crate) fn new(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { name: name.to_owned(), points: points.into_iter().collect() }
    }

    /// One value for each name of the axis.
    pub(crate) fn of_values(name: &str, values: impl IntoIterator<Item = f64>) -> Self {
        Self::new(name, values.into_iter().enumerate().map(|(place, value)| (place as f64, value)))
    }
}

/// The part of the whole in percent; 0 of nothing.
pub(crate) fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

/// How much less `with` is than `without`, in percent.
pub(crate) fn saved(with: u64, without: u64) -> f64 {
    if without == 0 { 0.0 } else { 100.0 - percent(with, without) }
}

/// The quotient; 0 where there is none.
pub(crate) fn ratio(dividend: f64, divisor: f64) -> f64 {
    if divisor > 0.0 { dividend / divisor } else { 0.0 }
}
