//! Addresses as ONTAP writes them.

use std::net::IpAddr;

use serde_json::{Value, json};

use crate::body::Body;
use crate::refusal::{Outcome, Refusal};

/// `ipv4` or `ipv6`.
pub(crate) fn family(address: &str) -> &'static str {
    if address.contains(':') { "ipv6" } else { "ipv4" }
}

/// How many bits name the network: from a length, or from a mask.
pub(crate) fn prefix(text: &str) -> Option<u8> {
    if let Ok(length) = text.parse::<u8>() {
        return (length <= 128).then_some(length);
    }
    match text.parse::<IpAddr>().ok()? {
        IpAddr::V4(mask) => {
            let bits = u32::from(mask);
            (bits.leading_ones() + bits.trailing_zeros().min(32) >= 32).then(|| u8::try_from(bits.leading_ones()).unwrap_or(32))
        }
        IpAddr::V6(mask) => {
            let bits = u128::from(mask);
            (bits.leading_ones() + bits.trailing_zeros() >= 128).then(|| u8::try_from(bits.leading_ones()).unwrap_or(128))
        }
    }
}

/// The same of a field.
pub(crate) fn prefix_at(body: &Body, path: &str) -> Outcome<Option<u8>> {
    let Some(text) = body.text(path) else { return Ok(None) };
    prefix(text).map(Some).ok_or_else(|| Refusal::bad_value(path, &json!(text), "the length of a prefix or a network mask"))
}

/// An address with its network, as a client gives it and as it is shown.
pub(crate) fn network(body: &Body, path: &str) -> Outcome<Option<Value>> {
    let Some(address) = body.text(&format!("{path}.address")) else { return Ok(None) };
    let (at, mask) = (format!("{path}.address"), format!("{path}.netmask"));
    let parsed: IpAddr = address.parse().map_err(|_| Refusal::bad_value(&at, &json!(address), "an IPv4 or IPv6 address"))?;
    let length = prefix_at(body, &mask)?.unwrap_or(if parsed.is_unspecified() { 0 } else { most(&parsed) });
    Ok(Some(json!({"address": parsed.to_string(), "netmask": length.to_string(), "family": family(address)})))
}

const fn most(address: &IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

/// An address as a number, to walk through ranges.
pub(crate) fn number(text: &str) -> Option<u128> {
    match text.parse().ok()? {
        IpAddr::V4(address) => Some(u128::from(u32::from(address))),
        IpAddr::V6(address) => Some(u128::from(address)),
    }
}

/// The address of a number, of the family of another address.
pub(crate) fn address(number: u128, like: &str) -> String {
    if family(like) == "ipv6" {
        return std::net::Ipv6Addr::from(number).to_string();
    }
    u32::try_from(number).map_or_else(|_| String::new(), |number| std::net::Ipv4Addr::from(number).to_string())
}

/// Sixteen hexadecimal digits with colons between the bytes.
pub(crate) fn wwn(digits: &str) -> String {
    let pairs: Vec<&str> = (0..digits.len() / 2).filter_map(|pair| digits.get(2 * pair..2 * pair + 2)).collect();
    pairs.join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_have_lengths() {
        for (text, length) in
            [("24", Some(24)), ("255.255.255.0", Some(24)), ("255.255.0.255", None), ("0.0.0.0", Some(0)), ("64", Some(64)), ("ffff::", Some(16)), ("x", None)]
        {
            assert_eq!(prefix(text), length, "{text}");
        }
        assert_eq!(wwn("200000a098000001"), "20:00:00:a0:98:00:00:01");
        assert_eq!(number("10.0.0.1").map(|number| address(number + 1, "10.0.0.1")), Some("10.0.0.2".to_owned()));
    }
}
