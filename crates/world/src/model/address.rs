//! Addresses of the Internet Protocol, as administrators write them. Only the text is kept; no network is touched.

use core::net::IpAddr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An address with the length of its network's prefix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IpSetup {
    /// The address, IPv4 or IPv6, in its normal form.
    #[schema(example = "192.168.1.1")]
    pub address: String,
    /// How many leading bits name the network.
    #[schema(example = 24)]
    pub prefix_length: u8,
    /// Where packets for other networks go.
    #[schema(example = "192.168.1.254")]
    pub gateway: Option<String>,
}

/// An address in its normal form, if the text is one that a single machine can have: not all zero, no multicast, no broadcast.
pub fn ip_address(text: &str) -> Option<String> {
    let address: IpAddr = text.parse().ok()?;
    let broadcast = matches!(address, IpAddr::V4(four) if four.is_broadcast());
    (!address.is_unspecified() && !address.is_multicast() && !broadcast).then(|| address.to_string())
}

/// The most bits that a prefix of that address has: 32 or 128.
pub fn prefix_most(address: &str) -> u8 {
    if address.contains(':') { 128 } else { 32 }
}

/// Whether both addresses lie in one network of that prefix.
pub fn one_network(one: &str, other: &str, prefix_length: u8) -> bool {
    match (bits(one), bits(other)) {
        (Some((one, most)), Some((other, same))) if most == same => masked(one, prefix_length, most) == masked(other, prefix_length, most),
        _ => false,
    }
}

/// A network such as `192.168.1.0/24` in its normal form; all bits behind the prefix must be zero.
pub fn ip_network(text: &str) -> Option<String> {
    let (address, prefix) = text.split_once('/')?;
    let (whole, most) = bits(address)?;
    let prefix: u8 = prefix.parse().ok().filter(|prefix| *prefix <= most)?;
    let address: IpAddr = address.parse().ok()?;
    (masked(whole, prefix, most) == whole).then(|| format!("{address}/{prefix}"))
}

/// The name of a machine: labels of letters, digits and hyphens, joined by dots, at most 253 characters; or an address.
pub fn is_machine(text: &str) -> bool {
    let label = |label: &str| (1..=63).contains(&label.len()) && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') && !label.starts_with('-');
    ip_address(text).is_some() || (text.len() <= 253 && text.split('.').all(label) && !text.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// The bits of an address, and how many there are.
fn bits(text: &str) -> Option<(u128, u8)> {
    Some(match text.parse().ok()? {
        IpAddr::V4(four) => (u128::from(u32::from(four)), 32),
        IpAddr::V6(six) => (u128::from(six), 128),
    })
}

fn masked(bits: u128, prefix: u8, most: u8) -> u128 {
    let behind = u32::from(most.saturating_sub(prefix));
    if behind >= 128 { 0 } else { bits >> behind << behind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_normal_form() {
        assert_eq!(ip_address("192.168.1.1").as_deref(), Some("192.168.1.1"));
        assert_eq!(ip_address("2001:DB8:0:0::1").as_deref(), Some("2001:db8::1"));
        for bad in ["", "192.168.1", "192.168.1.256", "0.0.0.0", "255.255.255.255", "224.0.0.1", "::", "ff02::1", "fe80::1%eth0", "1.2.3.4/24"] {
            assert_eq!(ip_address(bad), None, "{bad}");
        }
    }

    #[test]
    fn networks_begin_where_their_prefix_says() {
        assert_eq!(ip_network("10.0.0.0/8").as_deref(), Some("10.0.0.0/8"));
        assert_eq!(ip_network("2001:db8::/32").as_deref(), Some("2001:db8::/32"));
        assert_eq!(ip_network("0.0.0.0/0").as_deref(), Some("0.0.0.0/0"));
        for bad in ["10.0.0.1/8", "10.0.0.0", "10.0.0.0/33", "10.0.0.0/x", "::1/64"] {
            assert_eq!(ip_network(bad), None, "{bad}");
        }
        assert!(one_network("192.168.1.1", "192.168.1.254", 24) && !one_network("192.168.1.1", "192.168.2.1", 24));
        assert!(!one_network("192.168.1.1", "2001:db8::1", 0) && one_network("2001:db8::1", "2001:db8::2", 64));
    }

    #[test]
    fn machines_are_named_or_numbered() {
        for good in ["mail", "mail.example.com", "10.1.2.3", "2001:db8::1", "a-1.b"] {
            assert!(is_machine(good), "{good}");
        }
        for bad in ["", "a..b", "-a", "a b", "1.2.3", &"a".repeat(64)] {
            assert!(!is_machine(bad), "{bad}");
        }
    }
}
