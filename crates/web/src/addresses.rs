//! The addresses at which other devices reach a server.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// Documentation addresses: nothing is ever sent to them.
const ELSEWHERE: [IpAddr; 2] =
    [IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1))];

/// Where others in the network find a server that listens on an address, as `http://192.168.1.7:8080`; none when
/// only this machine can reach it.
#[must_use]
pub fn addresses(listening: SocketAddr) -> Vec<String> {
    let url = |ip: IpAddr| format!("http://{}", SocketAddr::new(ip, listening.port()));
    let ip = listening.ip();
    if ip.is_loopback() {
        return Vec::new();
    }
    if !ip.is_unspecified() {
        return vec![url(ip)];
    }
    // Who listens on all addresses of IPv6 listens on those of IPv4 too.
    let reached = |elsewhere: &&IpAddr| elsewhere.is_ipv4() || ip.is_ipv6();
    ELSEWHERE.iter().filter(reached).filter_map(|elsewhere| own_address(*elsewhere)).map(url).collect()
}

/// The address of this machine from which it would reach another one. Nothing is sent.
fn own_address(elsewhere: IpAddr) -> Option<IpAddr> {
    let any: IpAddr =
        if elsewhere.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect((elsewhere, 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_others_can_reach_are_given() {
        for local in ["127.0.0.1:8080", "127.0.0.2:80", "[::1]:8080"] {
            assert!(addresses(local.parse().expect("an address")).is_empty(), "{local}");
        }
        assert_eq!(addresses(([192, 168, 7, 7], 8080).into()), ["http://192.168.7.7:8080"]);
        assert_eq!(addresses("[2001:db8::7]:80".parse().expect("an address")), ["http://[2001:db8::7]:80"]);
        for found in addresses(([0, 0, 0, 0], 8080).into()) {
            assert!(
                found.ends_with(":8080") && !found.contains("0.0.0.0") && !found.contains("127."),
                "{found}"
            );
        }
    }
}
