//! How much visitors may ask for and keep. One table has all limits; docs/serve.md shows it.

use crate::networks::Network;
use backend::{Code, Error, Result};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// Declares the limits: their fields, and the table of names, defaults and meanings.
macro_rules! limits {
    ($($field:ident, $name:literal, $default:expr, $help:literal;)*) => {
        /// The limits of a server. A visitor is a cookie, and a network an address (of IPv6, its 64-bit network);
        /// those of the network do not apply to this machine itself, nor any but the last two to an owner.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Limits {
            $(#[doc = $help] pub $field: u64,)*
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl Limits {
            /// Names, values and meanings.
            fn rows(&self) -> Vec<(&'static str, u64, &'static str)> {
                vec![$(($name, self.$field, $help),)*]
            }

            fn field(&mut self, name: &str) -> Option<&mut u64> {
                match name {
                    $($name => Some(&mut self.$field),)*
                    _ => None,
                }
            }
        }
    };
}

limits! {
    requests, "requests", 600, "HTTP requests of a network in a minute";
    messages, "messages", 2400, "WebSocket messages of a network in a minute, pings included";
    new_games, "new-games", 3000, "games that a network may create or import in an hour";
    new_bytes, "new-bytes", 64 * MIB, "bytes that a network may import in an hour";
    logins, "logins", 20, "wrong passwords of a network in an hour";
    connections, "connections", 512, "open connections of a network";
    sockets, "sockets", 4096, "open WebSockets of all";
    network_sockets, "network-sockets", 256, "open WebSockets of a network";
    visitor_sockets, "visitor-sockets", 16, "open WebSockets of a visitor";
    reviews, "reviews", 64, "reviews that run and wait, of all";
    network_reviews, "network-reviews", 8, "reviews that run and wait, of a network";
    visitor_reviews, "visitor-reviews", 4, "reviews that run and wait, of a visitor";
    body_seconds, "body-seconds", 30, "seconds within which the body of a request has to come";
    write_seconds, "write-seconds", 30, "seconds that a client may leave an answer unread";
    visitor_games, "visitor-games", 20_000, "games that a visitor keeps";
    visitor_bytes, "visitor-bytes", 256 * MIB, "bytes of games that a visitor keeps";
    total_bytes, "total-bytes", 8 * GIB, "size of the database; beyond it games are only finished";
    free_disk, "free-disk", 256 * MIB, "bytes left free on the disk; below them games are only finished";
}

/// Why a limit cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum LimitError {
    #[error("{0:?} is not of the form NAME=VALUE")]
    Form(String),
    #[error("there is no limit {0:?}; docs/serve.md lists them")]
    Name(String),
    #[error("{0:?} is no number, nor one with K, M or G behind it")]
    Value(String),
}

impl Limits {
    /// Sets a limit, given as `NAME=VALUE`; the value may end with `K`, `M` or `G`.
    ///
    /// # Errors
    /// When there is no such limit, or the value is no number.
    pub fn set(&mut self, text: &str) -> std::result::Result<(), LimitError> {
        let (name, value) = text.split_once('=').ok_or_else(|| LimitError::Form(text.to_owned()))?;
        let field = self.field(name).ok_or_else(|| LimitError::Name(name.to_owned()))?;
        *field = read_amount(value).ok_or_else(|| LimitError::Value(value.to_owned()))?;
        Ok(())
    }

    /// The table as it stands in docs/serve.md.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = String::from("| limit | default | what |\n|---|---:|---|\n");
        for (name, value, help) in self.rows() {
            let _ = writeln!(text, "| `{name}` | {} | {help} |", write_amount(value));
        }
        text
    }
}

fn read_amount(text: &str) -> Option<u64> {
    let (digits, unit) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(digits) => (
            digits,
            match text.as_bytes().last()? {
                b'K' => KIB,
                b'M' => MIB,
                _ => GIB,
            },
        ),
        None => (text, 1),
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

fn write_amount(amount: u64) -> String {
    for (unit, letter) in [(GIB, 'G'), (MIB, 'M'), (KIB, 'K')] {
        if amount >= unit && amount.is_multiple_of(unit) {
            return format!("{}{letter}", amount / unit);
        }
    }
    amount.to_string()
}

/// Networks remembered by a rate.
const MAX_NETWORKS: usize = 20_000;

/// A rate that each network has for itself: a bucket of tokens, which fills again within the period.
pub(crate) struct Rate<K = Network> {
    amount: f64,
    seconds: f64,
    /// What is left, and when it was counted.
    buckets: Mutex<HashMap<K, (f64, Instant)>>,
}

impl Rate<Network> {
    /// Takes tokens of a network, unless it is this machine.
    ///
    /// # Errors
    /// When there are not enough; the error says when there will be.
    pub(crate) fn take(&self, network: Network, cost: u64, what: &str) -> Result<()> {
        if network.is_this_machine() { Ok(()) } else { self.take_of(network, cost, what) }
    }
}

impl<K: Eq + Hash> Rate<K> {
    /// This amount within so many seconds.
    #[must_use]
    pub(crate) fn new(amount: u64, seconds: u32) -> Self {
        Self { amount: amount as f64, seconds: seconds.into(), buckets: Mutex::default() }
    }

    /// Takes tokens, whoever asks.
    ///
    /// # Errors
    /// When there are not enough; the error says when there will be.
    pub(crate) fn take_of(&self, key: K, cost: u64, what: &str) -> Result<()> {
        self.take_at(key, cost, what, Instant::now())
    }

    /// Gives tokens back that were taken for nothing.
    pub(crate) fn give_back(&self, key: &K, cost: u64) {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((left, _)) = buckets.get_mut(key) {
            *left = (*left + cost as f64).min(self.amount);
        }
    }

    fn take_at(&self, key: K, cost: u64, what: &str, now: Instant) -> Result<()> {
        let per_second = self.amount / self.seconds;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let filled = |(left, since): (f64, Instant)| {
            (left + now.saturating_duration_since(since).as_secs_f64() * per_second).min(self.amount)
        };
        if buckets.len() >= MAX_NETWORKS && !buckets.contains_key(&key) {
            buckets.retain(|_, bucket| filled(*bucket) < self.amount);
            if buckets.len() >= MAX_NETWORKS {
                // More networks than that at once are an attack that no bucket stops.
                return Err(Error::retry(Code::Busy, "the server has too much to do", 60));
            }
        }
        let left = buckets.get(&key).map_or(self.amount, |bucket| filled(*bucket));
        let cost = cost as f64;
        if left < cost {
            buckets.insert(key, (left, now));
            let seconds = ((cost.min(self.amount) - left) / per_second).ceil().max(1.0) as u32;
            return Err(Error::retry(Code::TooMany, what, seconds));
        }
        buckets.insert(key, (left - cost, now));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;
    use std::time::Duration;

    #[test]
    fn limits_are_set_by_name() {
        let mut limits = Limits::default();
        assert_eq!(limits.set("requests=7"), Ok(()));
        assert_eq!(limits.set("free-disk=2G"), Ok(()));
        assert_eq!((limits.requests, limits.free_disk), (7, 2 * GIB));
        assert_eq!(limits.set("requests"), Err(LimitError::Form("requests".to_owned())));
        assert_eq!(limits.set("moves=1"), Err(LimitError::Name("moves".to_owned())));
        assert_eq!(limits.set("requests=x"), Err(LimitError::Value("x".to_owned())));
        assert!(limits.set("requests=99999999999999999G").is_err());
    }

    #[test]
    fn the_document_has_the_table() {
        let text = include_str!("../../../docs/serve.md");
        assert!(
            text.contains(&Limits::default().to_markdown()),
            "put into docs/serve.md:\n{}",
            Limits::default().to_markdown()
        );
    }

    #[test]
    fn a_rate_is_refilled_with_time_and_says_when() {
        let rate = Rate::new(60, 60);
        let (one, other) = ([192, 0, 2, 1], [192, 0, 2, 2]);
        let [one, other] = [one, other].map(|address| Network::of(IpAddr::from(address)));
        let begin = Instant::now();
        let later = |seconds| begin + Duration::from_secs(seconds);
        assert_eq!(rate.take_at(one, 60, "slow", begin), Ok(()));
        let refused = rate.take_at(one, 10, "slow", begin).expect_err("it is empty");
        assert_eq!((refused.code, refused.retry_after), (Code::TooMany, Some(10)));
        assert_eq!(rate.take_at(other, 1, "slow", begin), Ok(()), "others have their own");
        assert!(rate.take_at(one, 10, "slow", later(9)).is_err());
        assert_eq!(rate.take_at(one, 10, "slow", later(10)), Ok(()));
        let here = Network::of(IpAddr::from([127, 0, 0, 1]));
        assert_eq!(rate.take(here, 1000, "slow"), Ok(()), "the owner needs none");
    }
}
