//! Dates as PGN writes them.

use std::fmt;
use std::time::Duration;

/// A day of the Gregorian calendar. Prints as `2026.11.18`, as the tag `Date` does.
///
/// ```
/// use chess::pgn::Date;
/// use std::time::Duration;
///
/// let date = Date::from_unix_time(Duration::from_secs(951_782_400));
/// assert_eq!(date.to_string(), "2000.02.29");
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    /// The year, such as 2026.
    pub year: u32,
    /// The month, from 1 to 12.
    pub month: u8,
    /// The day of the month, from 1 to 31.
    pub day: u8,
}

/// 1 March of the year 0, counted back from 1 January 1970.
const DAYS_BEFORE_1970: u64 = 719_468;
const DAYS_IN_400_YEARS: u64 = 146_097;

impl Date {
    /// The day of a moment in universal time, given by the time since the beginning of 1970.
    #[must_use]
    pub fn from_unix_time(since_1970: Duration) -> Self {
        // Years that begin in March have the leap day at their end, and repeat every 400 years.
        let days = since_1970.as_secs() / (24 * 60 * 60) + DAYS_BEFORE_1970;
        let (era, day_of_era) = (days / DAYS_IN_400_YEARS, days % DAYS_IN_400_YEARS);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = era * 400 + year_of_era + u64::from(month <= 2);
        Self { year: u32::try_from(year).unwrap_or(u32::MAX), month: month as u8, day: day as u8 }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}.{:02}.{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days() {
        const DAY: u64 = 24 * 60 * 60;
        let date = |seconds| Date::from_unix_time(Duration::from_secs(seconds)).to_string();
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(59 * DAY), "1970.03.01");
        assert_eq!(date(951_782_400), "2000.02.29");
        assert_eq!(date(951_868_799), "2000.02.29");
        assert_eq!(date(951_868_800), "2000.03.01");
        assert_eq!(date(1_735_689_599), "2024.12.31");
        assert_eq!(date(1_798_761_599), "2026.12.31");
    }

    #[test]
    fn a_day_lasts_one_day() {
        let mut last = Date::from_unix_time(Duration::ZERO);
        for day in 1..60_000 {
            let date = Date::from_unix_time(Duration::from_secs(day * 24 * 60 * 60));
            let is_next_day = date.day == last.day + 1 && (date.month, date.year) == (last.month, last.year);
            let is_next_month = date.day == 1 && date > last;
            assert!(is_next_day || is_next_month, "{last} is followed by {date}");
            last = date;
        }
    }
}
