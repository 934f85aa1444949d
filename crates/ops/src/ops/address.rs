//! Internet addresses in requests: text in the usual form, kept in its normal form.

use core::net::{Ipv4Addr, Ipv6Addr};

use crate::model::{Noun, OpError};

/// An IPv4 address that a port can have; empty for none.
pub(super) fn ipv4(noun: Noun, field: &str, text: &str) -> Result<Option<String>, OpError> {
    optional(text, |text| text.parse().ok().filter(usable_ipv4).map(|address| address.to_string()))
        .ok_or_else(|| invalid(noun, field, text, "an IPv4 address of a host, such as 192.168.10.1"))
}

/// An IPv4 network mask; empty for none.
pub(super) fn ipv4_mask(noun: Noun, field: &str, text: &str) -> Result<Option<String>, OpError> {
    let mask = |text: &str| text.parse::<Ipv4Addr>().ok().filter(|mask| (1..=30).contains(&bits(*mask))).map(|mask| mask.to_string());
    optional(text, mask).ok_or_else(|| invalid(noun, field, text, "an IPv4 network mask, such as 255.255.255.0"))
}

/// An IPv6 address that a port can have; empty for none.
pub(super) fn ipv6(noun: Noun, field: &str, text: &str) -> Result<Option<String>, OpError> {
    let usable = |address: &Ipv6Addr| !(address.is_unspecified() || address.is_loopback() || address.is_multicast());
    optional(text, |text| text.parse::<Ipv6Addr>().ok().filter(usable).map(|address| address.to_string()))
        .ok_or_else(|| invalid(noun, field, text, "an IPv6 address of a host, such as 2001:db8::1"))
}

/// Whether two IPv4 addresses lie in one network; what is no address lies in none.
pub(super) fn in_one_network(one: &str, other: &str, mask: &str) -> bool {
    let number = |text: &str| text.parse::<Ipv4Addr>().ok().map(u32::from);
    match (number(one), number(other), number(mask)) {
        (Some(one), Some(other), Some(mask)) => one & mask == other & mask,
        _ => false,
    }
}

fn usable_ipv4(address: &Ipv4Addr) -> bool {
    !(address.is_unspecified() || address.is_loopback() || address.is_multicast() || address.is_broadcast())
}

/// How many bits a mask has; 0 when it is none.
fn bits(mask: Ipv4Addr) -> u32 {
    let mask = u32::from(mask);
    if mask.leading_ones() == mask.count_ones() { mask.count_ones() } else { 0 }
}

/// `Some(None)`: the text is empty. `None`: it is not what it should be.
fn optional(text: &str, read: impl Fn(&str) -> Option<String>) -> Option<Option<String>> {
    if text.is_empty() { Some(None) } else { read(text).map(Some) }
}

fn invalid(noun: Noun, field: &str, value: &str, expected: &str) -> OpError {
    OpError::ValueInvalid { noun, field: field.to_owned(), value: value.to_owned(), expected: expected.into() }
}

#[cfg(test)]
mod tests {
    use super::{in_one_network, ipv4, ipv4_mask, ipv6};
    use crate::model::Noun;

    #[test]
    fn addresses_are_read_into_their_normal_form() {
        let noun = Noun::HostPort;
        assert_eq!(ipv4(noun, "a", "10.0.0.1"), Ok(Some("10.0.0.1".into())));
        assert_eq!(ipv4(noun, "a", ""), Ok(None));
        assert_eq!(ipv6(noun, "a", "2001:DB8:0::1"), Ok(Some("2001:db8::1".into())));
        assert_eq!(ipv4_mask(noun, "a", "255.255.254.0"), Ok(Some("255.255.254.0".into())));
        for bad in ["10.0.0", "10.0.0.256", "127.0.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "a"] {
            assert!(ipv4(noun, "a", bad).is_err(), "{bad}");
        }
        for bad in ["255.0.255.0", "0.0.0.0", "255.255.255.255", "24"] {
            assert!(ipv4_mask(noun, "a", bad).is_err(), "{bad}");
        }
        assert!(ipv6(noun, "a", "::1").is_err() && ipv6(noun, "a", "10.0.0.1").is_err());
    }

    #[test]
    fn networks_are_told_by_their_mask() {
        assert!(in_one_network("10.0.1.1", "10.0.0.254", "255.255.254.0"));
        assert!(!in_one_network("10.0.2.1", "10.0.0.254", "255.255.254.0"));
    }
}
