//! Where visitors come from.

use backend::Visitor;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

/// Visitors that are remembered.
const MAX_VISITORS: usize = 50_000;

/// An address as limits count it. One visitor has 2⁶⁴ addresses of IPv6, so these count by their network.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Network(IpAddr);

impl Network {
    /// The network of an address.
    #[must_use]
    pub(crate) fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) if !address.is_loopback() => {
                let [a, b, c, d, ..] = address.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
            address => address,
        })
    }

    /// Whether it is this machine itself, whose owner needs no limits.
    #[must_use]
    pub(crate) const fn is_this_machine(self) -> bool {
        self.0.is_loopback()
    }
}

/// Where each visitor was seen last. A visitor is a cookie, and cookies cost nothing; networks do.
#[derive(Default)]
pub(crate) struct Networks(Mutex<HashMap<Visitor, Network>>);

impl Networks {
    /// A visitor has asked for something.
    pub(crate) fn note(&self, visitor: &Visitor, network: Network) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= MAX_VISITORS && !seen.contains_key(visitor) {
            // Those who are still there are soon known again.
            seen.clear();
        }
        seen.insert(Visitor::clone(visitor), network);
    }

    /// Where a visitor was seen last; those not seen yet are in one place together.
    #[must_use]
    pub(crate) fn of(&self, visitor: &str) -> Network {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.get(visitor).copied().unwrap_or(Network(Ipv6Addr::UNSPECIFIED.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_ipv6_count_by_their_network() {
        let of = |text: &str| Network::of(text.parse().expect("an address"));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("192.0.2.1"), of("::ffff:192.0.2.1"));
        assert!(of("::1").is_this_machine() && of("127.0.0.1").is_this_machine());
        assert!(!of("2001:db8::1").is_this_machine());
    }
}
