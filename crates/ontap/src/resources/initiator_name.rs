//! What initiators and hosts are called: iSCSI qualified names, EUIs, world-wide port names, NVMe qualified names; and what is wrong with others.

use crate::model::{GroupProtocol, Protocol};
use crate::refusal::{Outcome, Refusal};

/// What an initiator speaks, by the form of its name; an igroup may take those of one protocol only.
pub(crate) fn protocol_of(name: &str, group: GroupProtocol) -> Outcome<Protocol> {
    let lower = name.to_lowercase();
    let (objection, protocol) = if let Some(rest) = lower.strip_prefix("iqn.") {
        (iqn(rest), Protocol::Iscsi)
    } else if let Some(digits) = lower.strip_prefix("eui.") {
        (eui(digits), Protocol::Iscsi)
    } else if looks_like_a_wwn(&lower) {
        (wwn(&lower), Protocol::Fc)
    } else {
        (Some((5_374_040, "neither an FC WWPN nor the name of an iSCSI initiator")), Protocol::Iscsi)
    };
    let other = match (group, protocol) {
        (GroupProtocol::Fc, Protocol::Iscsi) => Some((5_374_038, "no FC WWPN, and the igroup takes no others")),
        (GroupProtocol::Iscsi, Protocol::Fc) => Some((5_374_039, "no name of an iSCSI initiator, and the igroup takes no others")),
        _ => None,
    };
    match objection.or(other) {
        Some((code, what)) => Err(Refusal::bad(code, format!("The initiator name \"{name}\" is invalid: it is {what}.")).at("initiators.name")),
        None => Ok(protocol),
    }
}

/// A number of ONTAP with what is wrong.
type Objection = Option<(u32, &'static str)>;

/// What follows `iqn.`: a year and a month, a naming authority, and perhaps a colon with anything behind it.
fn iqn(rest: &str) -> Objection {
    if rest.is_empty() {
        return Some((5_373_969, "an IQN with nothing behind its prefix"));
    }
    let (date, rest) = rest.split_once('.').unwrap_or((rest, ""));
    if !is_month(date) {
        return Some((5_373_977, "an IQN whose date is not of the form yyyy-mm"));
    }
    let (authority, _) = rest.split_once(':').unwrap_or((rest, ""));
    if authority.is_empty() {
        return Some((5_373_978, "an IQN without a naming authority"));
    }
    if authority.split('.').any(str::is_empty) {
        return Some((5_373_992, "an IQN with a period too many in its naming authority"));
    }
    let is_open = |c: char| c.is_ascii_alphanumeric() || ".:-_".contains(c);
    (!rest.chars().all(is_open)).then_some((5_373_993, "an IQN with characters that it must not have"))
}

fn is_month(text: &str) -> bool {
    let Some((year, month)) = text.split_once('-') else { return false };
    let is_number = |text: &str, digits: usize| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number(year, 4) && is_number(month, 2) && month.parse::<u8>().is_ok_and(|month| (1..=12).contains(&month))
}

/// What follows `eui.`.
fn eui(digits: &str) -> Objection {
    if digits.len() != 16 {
        return Some((5_373_971, "an EUI without 16 digits"));
    }
    (!digits.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some((5_373_972, "an EUI with other characters than hexadecimal digits"))
}

fn looks_like_a_wwn(lower: &str) -> bool {
    lower.starts_with(|first: char| first.is_ascii_hexdigit()) && (lower.contains(':') || lower.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Sixteen hexadecimal digits, or eight pairs of them with colons between.
fn wwn(lower: &str) -> Objection {
    let digits = lower.bytes().filter(|byte| *byte != b':').count();
    if digits != 16 {
        return Some((5_373_982, "a WWN without 16 digits"));
    }
    let in_pairs = lower.split(':').all(|pair| pair.len() == 2) || !lower.contains(':');
    let fits = in_pairs && lower.bytes().all(|byte| byte == b':' || byte.is_ascii_hexdigit());
    (!fits).then_some((5_373_983, "a WWN that is not written in pairs of hexadecimal digits"))
}

/// An NVMe host has a qualified name of a year, a month and a domain.
pub(crate) fn is_nqn(nqn: &str) -> Outcome<()> {
    let rest = nqn.strip_prefix("nqn.");
    let date = rest.and_then(|rest| rest.get(..7)).unwrap_or_default();
    let named = rest.and_then(|rest| rest.get(7..)).is_some_and(|rest| rest.starts_with('.') && rest.len() > 1);
    let objection = if rest.is_none() {
        Some((72_089_771, "it must begin with \"nqn.\""))
    } else if nqn.len() > 223 {
        Some((72_089_772, "it has more than 223 characters"))
    } else {
        (!is_month(date) || !named).then_some((72_089_773, "a date of the form yyyy-mm and a domain follow \"nqn.\""))
    };
    match objection {
        Some((code, what)) => Err(Refusal::bad(code, format!("The NQN \"{nqn}\" is invalid: {what}.")).at("nqn")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_apart() {
        let said = |name: &str, group| protocol_of(name, group).map_err(|refusal| refusal.code);
        for (name, expected) in [
            ("iqn.1994-05.com.example:h1", Ok(Protocol::Iscsi)),
            ("iqn.1994-05.com.example", Ok(Protocol::Iscsi)),
            ("eui.0123456789abcdef", Ok(Protocol::Iscsi)),
            ("10:00:00:90:FA:11:22:33", Ok(Protocol::Fc)),
            ("10000090fa112233", Ok(Protocol::Fc)),
            ("iqn.", Err(5_373_969)),
            ("iqn.94-05.com.example:h", Err(5_373_977)),
            ("iqn.1994-13.com.example:h", Err(5_373_977)),
            ("iqn.1994-05.:h", Err(5_373_978)),
            ("iqn.1994-05.com..example:h", Err(5_373_992)),
            ("iqn.1994-05.com.example:h 1", Err(5_373_993)),
            ("eui.0123", Err(5_373_971)),
            ("eui.0123456789abcdeg", Err(5_373_972)),
            ("10:00:00:90:fa:11:22", Err(5_373_982)),
            ("1:000:00:90:fa:11:22:33", Err(5_373_983)),
            ("10:00:00:90:fa:11:22:zz", Err(5_373_983)),
            ("nonsense", Err(5_374_040)),
        ] {
            assert_eq!(said(name, GroupProtocol::Mixed), expected, "{name}");
        }
        assert_eq!(said("iqn.1994-05.com.example:h1", GroupProtocol::Fc), Err(5_374_038));
        assert_eq!(said("10000090fa112233", GroupProtocol::Iscsi), Err(5_374_039));
        let nqn = |text: &str| is_nqn(text).map_err(|refusal| refusal.code);
        assert_eq!(nqn("nqn.2014-08.org.nvmexpress:uuid:00000000-0000-4000-8000-000000000001"), Ok(()));
        assert_eq!(
            (nqn("iqn.x"), nqn("nqn.2014.org"), nqn(&format!("nqn.2014-08.org:{}", "x".repeat(220)))),
            (Err(72_089_771), Err(72_089_773), Err(72_089_772))
        );
    }
}
