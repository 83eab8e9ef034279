//! Reports as text, in columns.

use crate::report::{Cell, Report, ReportTable};
use std::fmt;

/// A number with a comma between thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with about three digits that count.
pub(crate) fn short(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => {
            let sign = if number < 0.0 { "-" } else { "" };
            format!("{sign}{}", grouped(size.round() as u64))
        }
        size if size >= 10.0 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => grouped(*count),
            Self::Number(number) => short(*number),
            Self::Percent(percent) => format!("{percent:.1} %"),
            Self::Seconds(seconds) if *seconds < 10.0 => format!("{seconds:.3} s"),
            Self::Seconds(seconds) => format!("{seconds:.1} s"),
            Self::Empty => "-".to_owned(),
        };
        f.pad(&text)
    }
}

impl Report {
    /// The report for reading.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{}: {}\n{}\n", self.name, self.title, self.method);
        if !self.claims.is_empty() {
            let mut claims = ReportTable::new("", ["", "from", "document", "measured"]);
            for claim in &self.claims {
                claims.row([
                    claim.what.clone().into(),
                    claim.source.into(),
                    claim.document.clone().into(),
                    claim.measured.clone().into(),
                ]);
            }
            text.push('\n');
            write_columns(&mut text, &claims);
        }
        for table in &self.tables {
            text.push_str(&format!("\n{}\n", table.title));
            write_columns(&mut text, table);
        }
        text.push_str(&format!("\nseed {}, {:.1} s\n", self.seed, self.seconds));
        text
    }
}

/// Names to the left, figures to the right.
fn write_columns(text: &mut String, table: &ReportTable) {
    let rows: Vec<Vec<String>> =
        table.rows.iter().map(|row| row.iter().map(Cell::to_string).collect()).collect();
    let widths: Vec<usize> = (0..table.head.len())
        .map(|column| {
            let cells = rows.iter().map(|row| &row[column]).chain([&table.head[column]]);
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let is_text = |column: usize| table.rows.iter().any(|row| matches!(row[column], Cell::Text(_)));
    for row in std::iter::once(&table.head).chain(&rows) {
        let mut line = String::from(" ");
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            let padded =
                if is_text(column) { format!(" {cell:<width$} ") } else { format!(" {cell:>width$} ") };
            line.push_str(&padded);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(119_060_324), "119,060,324");
        assert_eq!(short(478.503), "479");
        assert_eq!(short(12.34), "12.3");
        assert_eq!(short(-1234.5), "-1,235");
        assert_eq!(short(0.126), "0.13");
        assert_eq!(Cell::Percent(33.333).to_string(), "33.3 %");
        assert_eq!(Cell::Seconds(1.5).to_string(), "1.500 s");
    }

    #[test]
    fn columns_stand_under_their_heads() {
        let mut table = ReportTable::new("", ["board", "moves"]);
        table.row(["0x88".into(), 1_000_u64.into()]);
        table.row(["rays".into(), 7_u64.into()]);
        let mut text = String::new();
        write_columns(&mut text, &table);
        assert_eq!(text, "  board  moves\n  0x88   1,000\n  rays       7\n");
    }
}
