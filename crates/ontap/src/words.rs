//! ONTAP's words for what the house calls otherwise: of whatever the array says, this is the one place that puts it so.

use crate::model::OpError;

/// What the array calls a thing, in the singular, and what ONTAP calls it.
type Word = (&'static str, &'static str);

/// Everywhere. Of words that begin alike, the longer ones come first.
const WORDS: [Word; 40] = [
    ("host affinity", "LUN map"),
    ("host affinities", "LUN maps"),
    ("host response", "operating system type"),
    ("host_response", "os_type"),
    ("host port", "port"),
    ("port group", "portset"),
    ("port_group", "portset"),
    ("LUN group", "set of LUNs"),
    ("copy session", "copy operation"),
    ("copy capacity", "capacity for copies"),
    ("data reduction", "storage efficiency"),
    ("data_reduction", "storage efficiency"),
    ("reduced", "deduplicated"),
    ("password policies", "password rules"),
    ("password policy", "password rule"),
    ("target service", "SAN service"),
    ("affinity", "LUN map"),
    ("affinities", "LUN maps"),
    ("array", "cluster"),
    ("container", "FlexVol volume"),
    ("controller", "node"),
    ("home_controller", "location.home_node"),
    ("home_port", "location.home_port"),
    ("drive", "disk"),
    ("drive_count", "disk_count"),
    ("prefix_length", "ip.netmask"),
    ("enclosure", "shelf"),
    ("enclosures", "shelves"),
    ("licence", "license"),
    ("pool", "aggregate"),
    ("tenant", "SVM"),
    ("user", "account"),
    ("wwn", "WWPN"),
    ("iscsi_name", "initiator"),
    ("over_provisioning_percent", "over-provisioning limit"),
    ("with_volumes", "force"),
    ("fixed.least_iops", "min_throughput_iops"),
    ("fixed.bytes_per_second", "max_throughput_mbps"),
    ("fixed.iops", "max_throughput_iops"),
    ("record", "object"),
];

/// Of SCSI.
const SAN: [Word; 6] =
    [("host group", "initiator group"), ("host_group", "igroup"), ("host", "initiator"), ("volume group", "LUN"), ("volume", "LUN"), ("mapping", "LUN map")];

/// Of NVMe.
const NVME: [Word; 4] = [("host group", "NVMe subsystem"), ("host_group", "subsystem"), ("volume", "namespace"), ("mapping", "subsystem map")];

/// What the array says, in ONTAP's words, about the collection with that path. What stands in quotes is somebody's name and stays.
pub(crate) fn said(text: &str, path: &str) -> String {
    let is_nvme = path.starts_with("/protocols/nvme") || path.starts_with("/storage/namespaces");
    let own: &[Word] = if is_nvme { &NVME } else { &SAN };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let begins = !out.ends_with(is_inside);
        let taken = match first {
            '\'' if begins => quoted(rest),
            _ if begins => match translated(rest, own) {
                Some((length, word)) => {
                    put(&mut out, &word);
                    rest = &rest[length..];
                    continue;
                }
                None => first.len_utf8(),
            },
            _ => first.len_utf8(),
        };
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    out
}

/// The name of a field, of the same words.
pub(crate) fn field(name: &str, path: &str) -> String {
    let said = said(name, path);
    if said == name { said } else { said.to_lowercase().replace(' ', "_") }
}

/// Whether a character continues a word; the parts of a field's name are words.
fn is_inside(character: char) -> bool {
    character.is_alphanumeric()
}

/// How long the quotation is with which a text begins.
fn quoted(text: &str) -> usize {
    let ends = |(at, _): &(usize, &str)| !text[at + 1..].starts_with(is_inside);
    text.match_indices('\'').skip(1).find(ends).map_or(1, |(at, _)| at + 1)
}

/// The word with which a text begins: how long it is, and what ONTAP says instead.
fn translated(text: &str, own: &[Word]) -> Option<(usize, String)> {
    let fits = |word: &str| text.get(..word.len()).is_some_and(|begin| begin.replace('-', " ").eq_ignore_ascii_case(word));
    let ends = |length: usize| !text[length..].starts_with(is_inside);
    let found = own.iter().chain(&WORDS).filter_map(|(word, instead)| {
        let plural = word.len() + 1;
        if !fits(word) {
            None
        } else if ends(word.len()) {
            Some((word.len(), (*instead).to_owned()))
        } else {
            (text[word.len()..].starts_with('s') && ends(plural)).then(|| (plural, format!("{instead}s")))
        }
    });
    found.max_by_key(|(length, _)| *length)
}

/// Adds a word with the article that it takes.
fn put(out: &mut String, word: &str) {
    let is_vowel = word.starts_with(['a', 'e', 'i', 'o', 'u']) || word.starts_with("SVM");
    if let Some(before) = out.strip_suffix("an ").or_else(|| out.strip_suffix("a "))
        && !before.ends_with(is_inside)
    {
        out.truncate(before.len());
        out.push_str(if is_vowel { "an " } else { "a " });
    }
    out.push_str(word);
}

/// A refusal in ONTAP's words: what is wrong, and what to do where a client of ONTAP can do it.
pub(crate) fn refusal(cause: &OpError, path: &str, target: Option<&str>) -> String {
    match cause {
        OpError::Busy { noun, name, .. } => return sentences(&[said(&format!("the {noun} '{name}' is busy"), path)]),
        OpError::Forbidden { user, role, .. } => {
            return format!("User is not authorized. The role \"{role}\" of \"{user}\" is not authorized for that command.");
        }
        _ => {}
    }
    let text = cause.to_string();
    let after = cause.field().and_then(|field| text.strip_prefix(field)).filter(|rest| rest.starts_with([':', ' ']));
    let wrong = match (after, target) {
        (Some(rest), Some(target)) => format!("{target}{}", said(rest, path)),
        _ => said(&text, path),
    };
    let cure = is_of_use(cause).then(|| said(&cause.cure(), path));
    sentences(&[vec![wrong], cure.into_iter().collect()].concat())
}

/// Whether what to do about a refusal is something that a client of ONTAP can do.
fn is_of_use(cause: &OpError) -> bool {
    let is_ours = matches!(
        cause,
        OpError::NotFound { .. }
            | OpError::Ambiguous { .. }
            | OpError::Missing { .. }
            | OpError::NotSupported { .. }
            | OpError::LimitReached { .. }
            | OpError::NotRunning { .. }
            | OpError::InUse { .. }
            | OpError::OverProvisioned { .. }
            | OpError::DriveNotFree { .. }
            | OpError::CopyCapacity { .. }
            | OpError::ReductionOff { .. }
            | OpError::NotMapped { .. }
            | OpError::PathTaken { .. }
            | OpError::TenantFull { .. }
            | OpError::LunTooHigh { .. }
            | OpError::SwitchedOff { .. }
            | OpError::LicenceMissing { .. }
            | OpError::NotCalibrated { .. }
            | OpError::LastAdministrator { .. }
            | OpError::OwnUser { .. }
    );
    !is_ours
}

fn sentences(texts: &[String]) -> String {
    let sentence = |text: &String| {
        let mut characters = text.trim_end_matches('.').chars();
        characters.next().map(|first| first.to_uppercase().chain(characters).collect::<String>()).unwrap_or_default() + "."
    };
    texts.iter().map(sentence).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that a client of ONTAP must not meet.
    const NATIVE: [&str; 19] = [
        "container",
        "containers",
        "pool",
        "pools",
        "tenant",
        "tenants",
        "host group",
        "host groups",
        "port group",
        "port groups",
        "host response",
        "affinity",
        "drive",
        "drives",
        "controller",
        "controllers",
        "enclosure",
        "array",
        "licence",
    ];

    /// The native words in a text, outside of quotes.
    fn native(text: &str) -> Vec<&'static str> {
        let mut plain = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = if first == '\'' && !plain.ends_with(is_inside) { quoted(rest) } else { first.len_utf8() };
            plain.push_str(if length > 1 && first == '\'' { "''" } else { &rest[..length] });
            rest = &rest[length..];
        }
        let words = format!(" {} ", plain.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " "));
        NATIVE.into_iter().filter(|word| words.contains(&format!(" {word} "))).collect()
    }

    #[test]
    fn what_the_array_says_is_put_into_the_words_of_ontap() {
        for (text, path, expected) in [
            ("the pool 'pool one' is in use by a container", "", "the aggregate 'pool one' is in use by a FlexVol volume"),
            ("an array, a pool, a tenant and an enclosure", "", "a cluster, an aggregate, an SVM and a shelf"),
            ("no host group is called 'X'", "/protocols/san/lun-maps", "no initiator group is called 'X'"),
            ("a volume of the host group", "/protocols/nvme/subsystem-maps", "a namespace of the NVMe subsystem"),
            ("the array's limit of 2 volumes", "", "the cluster's limit of 2 LUNs"),
            ("spool and containerised", "", "spool and containerised"),
        ] {
            assert_eq!(said(text, path), expected);
        }
    }

    #[test]
    fn no_refusal_of_the_house_has_a_word_of_its_own() {
        let golden = include_str!("../../../tests/refusals/refusals.golden");
        let lines = golden.lines().filter_map(|line| line.strip_prefix("      ")).filter(|line| !line.contains("GET /v1"));
        let texts: Vec<&str> = lines.filter(|line| !["api:", "value:"].iter().any(|mark| line.starts_with(mark))).collect();
        assert!(texts.len() > 1000);
        for text in texts {
            for path in ["/storage/luns", "/storage/namespaces"] {
                assert_eq!(native(&said(text, path)), Vec::<&str>::new(), "{text} -> {}", said(text, path));
            }
        }
    }

    #[test]
    fn no_field_of_the_house_is_named() {
        assert_eq!([field("controller", ""), field("snapshot_policy", ""), field("host_group", "")], ["node", "snapshot_policy", "igroup"]);
        let golden = include_str!("../../../tests/refusals/refusals.golden");
        let heads = golden.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
        let fields: std::collections::BTreeSet<&str> = heads.filter_map(|head| head.split_whitespace().nth(2)).collect();
        assert!(fields.len() > 50);
        for name in fields {
            assert_eq!(native(&field(name, "/storage/luns")), Vec::<&str>::new(), "{name}");
        }
    }

    #[test]
    fn no_noun_of_the_house_is_left_in_a_refusal() {
        use crate::model::{Noun, Place};
        let nouns =
            [Noun::Controller, Noun::Drive, Noun::Pool, Noun::Container, Noun::Host, Noun::HostGroup, Noun::PortGroup, Noun::Tenant, Noun::HostResponse];
        for noun in nouns {
            let name = || "name".to_owned();
            let refusals = [
                OpError::NotFound { noun, reference: name(), place: Place::Target },
                OpError::NameTaken { noun, name: name() },
                OpError::InUse { noun, name: name(), by: noun, by_name: name() },
                OpError::LimitReached { noun, limit: 3, within: "the array".into() },
                OpError::WrongState { noun, name: name(), state: "off".into(), expected: "on".into() },
                OpError::Busy { noun, name: name(), doing: "container.split".into(), job: 1 },
            ];
            for error in refusals {
                let text = refusal(&error, "/storage/volumes", None);
                assert_eq!(native(&text), Vec::<&str>::new(), "{text}");
            }
        }
    }
}
