//! Tables as Parquet files. The same rows always give the same bytes.

use crate::row::GameRows;
use crate::table::{TableBuilder, schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;
use std::io::Write;

/// Rows that are handed over to the file at a time.
const BATCH_ROWS: usize = 8192;

/// Writes the moves of games into a Parquet file.
pub struct Writer<W: Write + Send> {
    file: ArrowWriter<W>,
    rows: TableBuilder,
    total: u64,
}

impl<W: Write + Send> Writer<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(target: W) -> Result<Self, ParquetError> {
        let properties = WriterProperties::builder()
            .set_created_by(concat!("Gardez ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::SNAPPY)
            // Hardly any position comes twice.
            .set_column_dictionary_enabled(ColumnPath::from("fen"), false)
            .build();
        let file = ArrowWriter::try_new(target, schema(), Some(properties))?;
        Ok(Self { file, rows: TableBuilder::new(), total: 0 })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn push(&mut self, game: &GameRows) -> Result<(), ParquetError> {
        self.rows.push(game);
        if self.rows.len() >= BATCH_ROWS {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        self.total += self.rows.len() as u64;
        self.file.write(&self.rows.finish()?)
    }

    /// Ends the file and returns what it was written to, with the number of rows.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(mut self) -> Result<(W, u64), ParquetError> {
        self.flush()?;
        Ok((self.file.into_inner()?, self.total))
    }
}
