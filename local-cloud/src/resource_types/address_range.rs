//! Ranges of IP addresses in CIDR notation: `10.0.0.0/16`, `fd00::/48`.

use ipnet::IpNet;
use std::net::IpAddr;

/// Why a text is no range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RangeError {
    /// It is not an address, a slash and a length.
    Format,
    /// The address is not the first of a range of this length. Holds the range it is in.
    NotTheFirst(IpNet),
}

/// Reads a range.
pub(super) fn parse(text: &str) -> Result<IpNet, RangeError> {
    let range: IpNet = text.parse().map_err(|_| RangeError::Format)?;
    if range.trunc() == range { Ok(range) } else { Err(RangeError::NotTheFirst(range.trunc())) }
}

/// True when the ranges have an address in common.
pub(super) fn overlap(one: IpNet, other: IpNet) -> bool {
    one.contains(&other) || other.contains(&one)
}

/// The parts of a range, in order, that have room for so many addresses.
pub(super) fn parts(range: IpNet, addresses: u128) -> impl Iterator<Item = IpNet> {
    let bits = addresses.max(1).checked_next_power_of_two().map(u128::trailing_zeros);
    let length = bits.and_then(|bits| range.max_prefix_len().checked_sub(u8::try_from(bits).ok()?));
    length.and_then(|length| range.subnets(length).ok()).into_iter().flatten()
}

/// True for the addresses of a subnet that Azure keeps for itself: the first four and the last.
pub(super) fn reserves(range: IpNet, address: IpAddr) -> bool {
    let first_four = IpNet::new(range.network(), range.max_prefix_len() - 2);
    range.contains(&address)
        && (address == range.broadcast() || first_four.is_ok_and(|first_four| first_four.contains(&address)))
}

/// The addresses of a subnet that can be given away, in order.
pub(super) fn hosts(range: IpNet) -> impl Iterator<Item = IpAddr> {
    range.hosts().filter(move |address| !reserves(range, *address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> IpNet {
        parse(text).unwrap()
    }

    #[test]
    fn reads_what_is_a_range_and_nothing_else() {
        for text in ["10.0.0.0/8", "0.0.0.0/0", "10.1.2.3/32", "fd00::/48", "::/0"] {
            assert_eq!(range(text).to_string(), text);
        }
        for text in ["", "10.0.0.0", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/+8", "10.0.0.0/", "a/8", "::/129", "/8"] {
            assert_eq!(parse(text), Err(RangeError::Format), "{text}");
        }
        assert_eq!(parse("10.10.10.0/16"), Err(RangeError::NotTheFirst(range("10.10.0.0/16"))));
    }

    #[test]
    fn ranges_overlap_where_one_is_in_the_other() {
        assert!(overlap(range("10.0.0.0/24"), range("10.0.0.0/16")));
        assert!(overlap(range("10.0.0.0/16"), range("10.0.0.0/24")));
        assert!(!overlap(range("10.0.0.0/25"), range("10.0.0.128/25")));
        assert!(!overlap(range("::/0"), range("10.0.0.0/8")));
    }

    #[test]
    fn parts_have_room_for_what_is_asked() {
        let shown =
            |text: &str, addresses| parts(range(text), addresses).map(|part| part.to_string()).collect::<Vec<_>>();
        assert_eq!(shown("10.0.0.0/25", 33), ["10.0.0.0/26", "10.0.0.64/26"]);
        assert_eq!(shown("10.0.0.0/25", 128), ["10.0.0.0/25"]);
        assert_eq!(shown("10.0.0.0/31", 0), ["10.0.0.0/32", "10.0.0.1/32"]);
        for too_many in [129, 1 << 32, u128::MAX] {
            assert_eq!(shown("10.0.0.0/25", too_many), [""; 0]);
        }
    }

    #[test]
    fn gives_away_all_but_five_addresses() {
        let hosts: Vec<String> = hosts(range("10.0.0.8/29")).map(|host| host.to_string()).collect();
        assert_eq!(hosts, ["10.0.0.12", "10.0.0.13", "10.0.0.14"]);
        assert!(reserves(range("10.0.0.8/29"), "10.0.0.15".parse().unwrap()));
        assert!(reserves(range("10.0.0.8/29"), "10.0.0.11".parse().unwrap()));
        assert!(!reserves(range("10.0.0.8/29"), "10.0.0.12".parse().unwrap()));
        assert!(!reserves(range("10.0.0.8/29"), "10.0.0.16".parse().unwrap()));
    }
}
