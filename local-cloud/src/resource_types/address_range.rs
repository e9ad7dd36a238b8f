//! Ranges of IP addresses in CIDR notation: `10.0.0.0/16`, `fd00::/48`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A range of addresses of one family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AddressRange {
    version_6: bool,
    first: u128,
    prefix_length: u8,
}

/// Why a text is no range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RangeError {
    /// It is not an address, a slash and a length.
    Format,
    /// The address is not the first of a range of this length. Holds the range it is in.
    NotTheFirst(AddressRange),
}

impl AddressRange {
    /// Reads a range.
    pub(super) fn parse(text: &str) -> Result<AddressRange, RangeError> {
        let (address, length) = text.split_once('/').ok_or(RangeError::Format)?;
        let address: IpAddr = address.parse().map_err(|_| RangeError::Format)?;
        if length.is_empty() || !length.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(RangeError::Format);
        }
        let prefix_length: u8 = length.parse().map_err(|_| RangeError::Format)?;
        let (version_6, number) = number_of(address);
        let range = AddressRange { version_6, first: 0, prefix_length };
        if prefix_length > range.bits() {
            return Err(RangeError::Format);
        }
        let first = number & !range.mask();
        let range = AddressRange { first, ..range };
        if first == number { Ok(range) } else { Err(RangeError::NotTheFirst(range)) }
    }

    fn bits(self) -> u8 {
        if self.version_6 { 128 } else { 32 }
    }

    /// The bits that differ within the range.
    fn mask(self) -> u128 {
        let free = u32::from(self.bits() - self.prefix_length);
        1_u128.checked_shl(free).map_or(u128::MAX, |size| size - 1)
    }

    fn last(self) -> u128 {
        self.first | self.mask()
    }

    /// The number after the slash.
    pub(super) fn prefix_length(self) -> u8 {
        self.prefix_length
    }

    /// True for IPv6.
    pub(super) fn is_version_6(self) -> bool {
        self.version_6
    }

    /// True when every address of the other range is in this one.
    pub(super) fn contains(self, other: AddressRange) -> bool {
        self.version_6 == other.version_6 && self.first <= other.first && other.last() <= self.last()
    }

    /// The parts of the range, in order, that have room for so many addresses.
    pub(super) fn parts(self, addresses: u128) -> impl Iterator<Item = AddressRange> {
        let size = addresses.max(1).next_power_of_two();
        let bits = u8::try_from(size.trailing_zeros()).unwrap_or(u8::MAX);
        let prefix_length = self.bits().saturating_sub(bits).max(self.prefix_length);
        let count = if size > self.mask().saturating_add(1) { 0 } else { (self.mask() / size).saturating_add(1) };
        (0..count).map(move |index| AddressRange { first: self.first + index * size, prefix_length, ..self })
    }

    /// True when the ranges have an address in common.
    pub(super) fn overlaps(self, other: AddressRange) -> bool {
        self.version_6 == other.version_6 && self.first <= other.last() && other.first <= self.last()
    }

    /// True when an address is in the range.
    pub(super) fn holds(self, address: IpAddr) -> bool {
        let (version_6, number) = number_of(address);
        self.version_6 == version_6 && (self.first..=self.last()).contains(&number)
    }

    /// True for the addresses of a subnet that Azure keeps for itself: the first four and the last.
    pub(super) fn reserves(self, address: IpAddr) -> bool {
        let (_, number) = number_of(address);
        self.holds(address) && (number - self.first < 4 || number == self.last())
    }

    /// The addresses of a subnet that can be given away, in order.
    pub(super) fn hosts(self) -> impl Iterator<Item = IpAddr> {
        (self.first.saturating_add(4)..self.last()).map(move |number| self.address(number))
    }

    fn address(self, number: u128) -> IpAddr {
        match u32::try_from(number) {
            Ok(number) if !self.version_6 => IpAddr::V4(Ipv4Addr::from_bits(number)),
            _ => IpAddr::V6(Ipv6Addr::from_bits(number)),
        }
    }
}

impl std::fmt::Display for AddressRange {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}/{}", self.address(self.first), self.prefix_length)
    }
}

fn number_of(address: IpAddr) -> (bool, u128) {
    match address {
        IpAddr::V4(address) => (false, u128::from(address.to_bits())),
        IpAddr::V6(address) => (true, address.to_bits()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> AddressRange {
        AddressRange::parse(text).unwrap()
    }

    #[test]
    fn reads_what_is_a_range_and_nothing_else() {
        for text in ["10.0.0.0/8", "0.0.0.0/0", "10.1.2.3/32", "fd00::/48", "::/0"] {
            assert_eq!(range(text).to_string(), text);
        }
        for text in ["", "10.0.0.0", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/+8", "10.0.0.0/", "a/8", "::/129", "/8"] {
            assert_eq!(AddressRange::parse(text), Err(RangeError::Format), "{text}");
        }
        assert_eq!(AddressRange::parse("10.10.10.0/16"), Err(RangeError::NotTheFirst(range("10.10.0.0/16"))));
    }

    #[test]
    fn compares_ranges() {
        assert!(range("10.0.0.0/16").contains(range("10.0.255.0/24")));
        assert!(!range("10.0.0.0/16").contains(range("10.1.0.0/24")));
        assert!(!range("10.0.0.0/24").contains(range("10.0.0.0/16")));
        assert!(!range("::/0").contains(range("10.0.0.0/8")));
        assert!(range("10.0.0.0/24").overlaps(range("10.0.0.0/16")));
        assert!(!range("10.0.0.0/25").overlaps(range("10.0.0.128/25")));
    }

    #[test]
    fn gives_away_all_but_five_addresses() {
        let hosts: Vec<String> = range("10.0.0.8/29").hosts().map(|host| host.to_string()).collect();
        assert_eq!(hosts, ["10.0.0.12", "10.0.0.13", "10.0.0.14"]);
        assert!(range("10.0.0.8/29").reserves("10.0.0.15".parse().unwrap()));
        assert!(range("10.0.0.8/29").reserves("10.0.0.11".parse().unwrap()));
        assert!(!range("10.0.0.8/29").reserves("10.0.0.12".parse().unwrap()));
        assert!(!range("10.0.0.8/29").reserves("10.0.0.16".parse().unwrap()));
    }
}
