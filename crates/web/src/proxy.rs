//! Proxies in front of the server: whom to believe, and who is behind them.

use axum::http::{HeaderMap, HeaderName};
use std::net::IpAddr;
use std::str::FromStr;

/// Headers that proxies add. A request with one of them did not come from a browser directly.
const FORWARDED: [&str; 6] =
    ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];
const CLIENTS: HeaderName = HeaderName::from_static("x-forwarded-for");
const SCHEME: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Addresses of a proxy: one, or all with the same first bits.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TrustedProxy {
    address: IpAddr,
    bits: u8,
}

/// The text is no address, nor one with a number of bits.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no address like 127.0.0.1, nor a network like 10.0.0.0/8")]
pub struct ProxyError(String);

impl FromStr for TrustedProxy {
    type Err = ProxyError;

    fn from_str(text: &str) -> Result<Self, ProxyError> {
        let wrong = || ProxyError(text.to_owned());
        let (address, bits) =
            text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), str::parse).map_err(|_| wrong())?;
        if bits > most { Err(wrong()) } else { Ok(Self { address, bits }) }
    }
}

impl TrustedProxy {
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        let shift = |width: u8| u32::from(width - self.bits);
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                (own.to_bits() ^ other.to_bits()).checked_shr(shift(32)).unwrap_or(0) == 0
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                (own.to_bits() ^ other.to_bits()).checked_shr(shift(128)).unwrap_or(0) == 0
            }
            _ => false,
        }
    }
}

/// Where a request comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    /// The address of the client.
    pub(crate) address: IpAddr,
    /// The browser uses HTTPS.
    pub(crate) is_secure: bool,
    /// A proxy that is not trusted has passed it on.
    pub(crate) is_untold: bool,
}

/// Finds the client of a request, which a connection from `peer` has brought. Only what trusted proxies have added to
/// the headers is believed: the last address that is not theirs.
#[must_use]
pub(crate) fn origin(proxies: &[TrustedProxy], peer: IpAddr, headers: &HeaderMap) -> Origin {
    let is_trusted = |address: IpAddr| proxies.iter().any(|proxy| proxy.contains(address));
    let is_forwarded = FORWARDED.iter().any(|name| headers.contains_key(*name));
    if !is_trusted(peer) {
        return Origin { address: peer, is_secure: false, is_untold: is_forwarded };
    }
    let texts = |name: HeaderName| headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    let chain: Vec<&str> = texts(CLIENTS).flat_map(|value| value.split(',')).map(str::trim).collect();
    let mut address = peer;
    for hop in chain.iter().rev() {
        // What is not an address was not added by a trusted proxy.
        let Ok(hop) = hop.parse::<IpAddr>() else { break };
        address = hop.to_canonical();
        if !is_trusted(address) {
            break;
        }
    }
    let is_secure =
        texts(SCHEME).next_back().is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https"));
    Origin { address, is_secure, is_untold: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn origin_of(peer: &str, headers: &[(&'static str, &'static str)]) -> Origin {
        let proxies = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"].map(|text| text.parse().expect("a proxy"));
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        origin(&proxies, peer.parse().expect("an address"), &map)
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let address = |peer: &str, chain: &'static str| {
            origin_of(peer, &[("x-forwarded-for", chain)]).address.to_string()
        };
        assert_eq!(address("127.0.0.1", "192.0.2.7"), "192.0.2.7");
        assert_eq!(address("127.0.0.1", "203.0.113.9, 192.0.2.7"), "192.0.2.7", "the first was made up");
        assert_eq!(address("127.0.0.1", "192.0.2.7, 10.1.2.3"), "192.0.2.7", "two proxies");
        assert_eq!(address("127.0.0.1", "nonsense, 192.0.2.7"), "192.0.2.7");
        assert_eq!(address("127.0.0.1", "192.0.2.7, nonsense"), "127.0.0.1");
        assert_eq!(address("::ffff:127.0.0.1", "2001:db8::1"), "2001:db8::1");
        assert_eq!(address("fd12::1", "2001:db8::1"), "2001:db8::1");
        assert_eq!(address("192.0.2.1", "127.0.0.1"), "192.0.2.1", "no proxy of ours");
        assert!(origin_of("192.0.2.1", &[("x-forwarded-for", "127.0.0.1")]).is_untold);
        assert!(!origin_of("192.0.2.1", &[]).is_untold);
    }

    #[test]
    fn https_is_what_a_trusted_proxy_says() {
        assert!(origin_of("127.0.0.1", &[("x-forwarded-proto", "https")]).is_secure);
        assert!(!origin_of("127.0.0.1", &[("x-forwarded-proto", "http")]).is_secure);
        assert!(!origin_of("192.0.2.1", &[("x-forwarded-proto", "https")]).is_secure);
    }

    #[test]
    fn proxies_are_addresses_or_networks() {
        let is_proxy = |text: &str| text.parse::<TrustedProxy>().is_ok();
        assert!(is_proxy("127.0.0.1") && is_proxy("10.0.0.0/8") && is_proxy("::1") && is_proxy("0.0.0.0/0"));
        for text in ["", "localhost", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1"] {
            assert!(!is_proxy(text), "{text}");
        }
    }
}
