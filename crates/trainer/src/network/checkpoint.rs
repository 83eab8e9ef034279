//! Trainings on the disk, to resume after an interruption.

use super::model::{Row, TILE};
use super::train::{TrainSettings, Training};
use super::{DataLoader, LoaderSettings};
use nnue::checksum;
use std::fs;
use std::io;
use std::path::Path;

const MAGIC: [u8; 8] = *b"GZTRAIN\n";
const VERSION: u32 = 3;

/// Why a training cannot be resumed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum CheckpointError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is no checkpoint of this version of Gardez")]
    NotACheckpoint,
    #[error("it is damaged")]
    Damaged,
    #[error("it belongs to a training with other settings or data: {found} instead of {wanted}")]
    OtherTraining { found: String, wanted: String },
}

/// A training as it was when it was written.
#[derive(Debug)]
pub struct Checkpoint {
    settings: String,
    /// How much of each data file is read.
    pub lengths: Vec<u64>,
    step: u64,
    positions: u64,
    scale: f32,
    /// How many models went into the average, if there is one.
    averaged: u64,
    numbers: Vec<f32>,
}

/// Those parts of two descriptions in which they differ.
fn differing_parts(found: &str, wanted: &str) -> (String, String) {
    let plain = |part: &str| {
        let part = part.rsplit_once("{ ").map_or(part, |(_, field)| field);
        part.trim_end_matches([' ', '}']).to_owned()
    };
    let pairs = found.split(", ").zip(wanted.split(", ")).filter(|(one, other)| one != other);
    let (found, wanted): (Vec<String>, Vec<String>) =
        pairs.map(|(one, other)| (plain(one), plain(other))).unzip();
    (found.join(", "), wanted.join(", "))
}

/// Everything the result depends on.
fn describe(settings: &TrainSettings, loader: &DataLoader, reading: &LoaderSettings) -> String {
    let settings = TrainSettings { superbatch: 0, ..settings.clone() };
    format!("{settings:?}, {reading:?}, {} positions", loader.len())
}

/// Takes numbers off the front.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], CheckpointError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        self.take(N)?.try_into().map_err(|_| CheckpointError::Damaged)
    }

    fn u64(&mut self) -> Result<u64, CheckpointError> {
        self.array().map(u64::from_le_bytes)
    }

    fn f32(&mut self) -> Result<f32, CheckpointError> {
        self.array().map(f32::from_le_bytes)
    }
}

impl Checkpoint {
    /// Replaces the file as a whole, so that there is always a whole checkpoint.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(
        path: &Path,
        training: &Training,
        settings: &TrainSettings,
        loader: &DataLoader,
        reading: &LoaderSettings,
    ) -> Result<(), CheckpointError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let described = describe(settings, loader, reading);
        bytes.extend((described.len() as u64).to_le_bytes());
        bytes.extend(described.as_bytes());
        let lengths = loader.lengths();
        bytes.extend((lengths.len() as u64).to_le_bytes());
        bytes.extend(lengths.into_iter().flat_map(u64::to_le_bytes));
        bytes.extend(training.step.to_le_bytes());
        bytes.extend(training.positions.to_le_bytes());
        bytes.extend(training.scale.to_le_bytes());
        bytes.extend(training.average.as_ref().map_or(0, |(_, count)| *count).to_le_bytes());
        let rows = [&training.model.rows, &training.optimiser.means, &training.optimiser.squares];
        let rows = rows.into_iter().chain(training.average.as_ref().map(|(average, _)| &average.rows));
        bytes.extend(rows.flatten().flat_map(|row| row.0).flat_map(f32::to_le_bytes));
        bytes.extend(checksum(&bytes).to_le_bytes());
        Ok(journal::replace(path, &bytes)?)
    }

    /// Reads a checkpoint; none if there is no such file.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub fn read(path: &Path) -> Result<Option<Self>, CheckpointError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        Self::decode(&bytes).map(Some)
    }

    fn decode(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let (content, sum) = bytes.split_last_chunk::<8>().ok_or(CheckpointError::NotACheckpoint)?;
        let mut rest = Bytes(content);
        if !content.starts_with(&MAGIC) {
            return Err(CheckpointError::NotACheckpoint);
        }
        rest.take(MAGIC.len())?;
        if rest.array()? != VERSION.to_le_bytes() {
            return Err(CheckpointError::NotACheckpoint);
        }
        if checksum(content).to_le_bytes() != *sum {
            return Err(CheckpointError::Damaged);
        }
        let count = rest.u64()? as usize;
        let settings = String::from_utf8_lossy(rest.take(count)?).into_owned();
        let lengths = (0..rest.u64()?).map(|_| rest.u64()).collect::<Result<_, _>>()?;
        let (step, positions, scale) = (rest.u64()?, rest.u64()?, rest.f32()?);
        let averaged = rest.u64()?;
        let numbers = rest.0.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        Ok(Self { settings, lengths, step, positions, scale, averaged, numbers })
    }

    /// The training to resume.
    ///
    /// # Errors
    /// When it belongs to other settings or data.
    pub fn resume(
        self,
        settings: &TrainSettings,
        loader: &DataLoader,
        reading: &LoaderSettings,
    ) -> Result<Training, CheckpointError> {
        let wanted = describe(settings, loader, reading);
        if self.settings != wanted {
            let (found, wanted) = differing_parts(&self.settings, &wanted);
            return Err(CheckpointError::OtherTraining { found, wanted });
        }
        let mut training = Training::new(settings, loader);
        let rows = training.model.rows.len();
        let (numbers, rest) = self.numbers.as_chunks::<TILE>();
        let parts = if self.averaged > 0 { 4 } else { 3 };
        if numbers.len() != parts * rows || !rest.is_empty() {
            return Err(CheckpointError::Damaged);
        }
        let take = |part: usize| -> Vec<Row> {
            numbers[part * rows..][..rows].iter().map(|&row| Row(row)).collect()
        };
        if self.averaged > 0 {
            let mut average = training.model.clone();
            average.rows = take(3);
            training.average = Some((average, self.averaged));
        }
        training.model.rows = take(0);
        training.optimiser.means = take(1);
        training.optimiser.squares = take(2);
        training.step = self.step;
        training.positions = self.positions;
        training.scale = self.scale;
        Ok(training)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_named() {
        let settings = |rate: &str, positions: u32| {
            format!(
                "TrainSettings {{ hidden: 64, rate: {rate} }}, LoaderSettings {{ seed: 1 }}, {positions} positions"
            )
        };
        let parts = differing_parts(&settings("0.1", 9), &settings("0.2", 10));
        assert_eq!(parts, ("rate: 0.1, 9 positions".to_owned(), "rate: 0.2, 10 positions".to_owned()));
    }
}
