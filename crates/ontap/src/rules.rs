//! What values must be besides what the description of the API says: names, ranges, words, and what is set once only. One table for all
//! collections; `schema` puts each rule to its field, `body` asks it.

use serde_json::Value;

use crate::body::Purpose;
use crate::refusal::{Outcome, Refusal};

/// A rule for the values of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    /// Text with one of these words.
    Words(&'static [&'static str]),
    /// One of these numbers.
    Numbers(&'static [i64]),
    /// A number of a range, with the refusals of one that is too small or too large.
    Range(i64, i64, u32, u32),
    /// A name of a form, with the most characters and the refusal.
    Name(Form, usize, u32),
    /// Set in POST only.
    InPost,
    /// Set in PATCH only.
    InPatch,
}

/// What a name is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Letters, digits and `_`, the first of them no digit.
    Word,
    /// Letters, digits, `_`, `-`, `.` and `:`.
    Label,
    /// Whatever can be seen, but no `/`.
    Leaf,
}

/// The most bytes of a LUN or a namespace.
const UNIT_MOST: i64 = 128 << 40;
/// The most bytes of a volume with a large size; the array has the limit of others.
const VOLUME_MOST: i64 = 300 << 40;
/// The least bytes of a volume.
const VOLUME_LEAST: i64 = 20 << 20;

const PERCENT: Rule = Rule::Range(0, 100, BAD_VALUE, BAD_VALUE);
const LUN_SIZE: Rule = Rule::Range(4096, UNIT_MOST, 5_374_124, 5_374_125);
const NAMESPACE_SIZE: Rule = Rule::Range(4096, UNIT_MOST, 72_089_723, 72_089_724);
const VOLUME_SIZE: Rule = Rule::Range(VOLUME_LEAST, VOLUME_MOST, 917_534, BAD_VALUE);
const BAD_VALUE: u32 = 262_185;
const NO_SUCH_WORD: u32 = 262_197;

const FAILOVER: &[&str] = &["home_port_only", "default", "home_node_only", "sfo_partners_only", "broadcast_domain_only"];

/// The rules: path of the collection, field, rule.
pub(crate) const RULES: &[(&str, &str, Rule)] = &[
    ("/network/ip/interfaces", "location.failover", Rule::Words(FAILOVER)),
    ("/network/ip/interfaces", "location.is_home", Rule::InPatch),
    ("/network/ip/interfaces", "name", Rule::Name(Form::Label, 256, BAD_VALUE)),
    ("/network/fc/interfaces", "name", Rule::Name(Form::Label, 256, BAD_VALUE)),
    ("/network/fc/interfaces", "data_protocol", Rule::InPost),
    ("/network/fc/interfaces", "svm", Rule::InPost),
    ("/network/ip/interfaces", "svm", Rule::InPost),
    ("/network/ip/interfaces", "scope", Rule::InPost),
    ("/network/ip/interfaces", "ipspace", Rule::InPost),
    ("/storage/aggregates", "name", Rule::Name(Form::Word, 250, BAD_VALUE)),
    ("/storage/volumes", "name", Rule::Name(Form::Word, 203, BAD_VALUE)),
    ("/storage/volumes", "size", VOLUME_SIZE),
    ("/storage/volumes", "space.size", VOLUME_SIZE),
    ("/storage/volumes", "movement.destination_aggregate", Rule::InPatch),
    ("/storage/volumes", "movement.state", Rule::InPatch),
    ("/storage/volumes", "autosize.grow_threshold", PERCENT),
    ("/storage/volumes", "autosize.shrink_threshold", PERCENT),
    ("/storage/volumes", "space.fractional_reserve", Rule::Numbers(&[0, 100])),
    ("/storage/volumes/{volume.uuid}/snapshots", "name", Rule::Name(Form::Leaf, 255, 1_638_518)),
    ("/storage/luns", "space.size", LUN_SIZE),
    ("/storage/namespaces", "space.size", NAMESPACE_SIZE),
    ("/storage/namespaces", "space.block_size", Rule::Numbers(&[512, 4096])),
    ("/storage/namespaces", "space.block_size", Rule::InPost),
    ("/storage/namespaces", "subsystem_map", Rule::InPost),
    ("/storage/luns", "lun_maps", Rule::InPost),
    ("/storage/luns", "lun_maps.logical_unit_number", Rule::Range(0, 4095, BAD_VALUE, BAD_VALUE)),
    ("/storage/luns", "svm", Rule::InPost),
    ("/storage/namespaces", "svm", Rule::InPost),
    ("/storage/qtrees", "name", Rule::Name(Form::Leaf, 64, BAD_VALUE)),
    ("/storage/qos/policies", "name", Rule::Name(Form::Label, 127, BAD_VALUE)),
    ("/svm/svms", "ip_interfaces", Rule::InPost),
    ("/svm/svms", "fc_interfaces", Rule::InPost),
    ("/svm/svms", "storage.limit_threshold_alert", PERCENT),
    ("/protocols/san/igroups", "name", Rule::Name(Form::Label, 96, BAD_VALUE)),
    ("/protocols/san/igroups", "initiators", Rule::InPost),
    ("/protocols/san/igroups", "igroups", Rule::InPost),
    ("/protocols/san/igroups", "protocol", Rule::InPost),
    ("/protocols/san/igroups", "svm", Rule::InPost),
    ("/protocols/san/portsets", "name", Rule::Name(Form::Label, 96, BAD_VALUE)),
    ("/protocols/san/portsets", "protocol", Rule::InPost),
    ("/protocols/san/portsets", "svm", Rule::InPost),
    ("/protocols/san/iscsi/services", "svm", Rule::InPost),
    ("/protocols/san/fcp/services", "svm", Rule::InPost),
    ("/protocols/nvme/services", "svm", Rule::InPost),
    ("/protocols/san/lun-maps", "logical_unit_number", Rule::Range(0, 4095, BAD_VALUE, BAD_VALUE)),
    ("/protocols/nvme/subsystems", "name", Rule::Name(Form::Label, 64, BAD_VALUE)),
    ("/protocols/nvme/subsystems", "name", Rule::InPost),
    ("/protocols/nvme/subsystems", "os_type", Rule::InPost),
    ("/protocols/nvme/subsystems", "hosts", Rule::InPost),
    ("/protocols/nvme/subsystems", "svm", Rule::InPost),
    ("/application/consistency-groups", "name", Rule::Name(Form::Label, 256, BAD_VALUE)),
    ("/application/consistency-groups", "svm", Rule::InPost),
    ("/application/consistency-groups", "volumes.name", Rule::Name(Form::Word, 203, BAD_VALUE)),
    ("/application/consistency-groups", "volumes.space.size", VOLUME_SIZE),
    ("/application/consistency-groups", "luns.space.size", LUN_SIZE),
    ("/application/consistency-groups", "namespaces.space.size", NAMESPACE_SIZE),
];

impl Rule {
    /// Whether a field may have a value.
    pub(crate) fn allows(self, path: &str, value: &Value, purpose: Purpose) -> Outcome<()> {
        let wrong = |code: u32, expected: &str| Err(Refusal { code, ..Refusal::bad_value(path, value, expected) });
        match (self, value) {
            (_, Value::Null) => Ok(()),
            (Rule::InPost, _) if purpose == Purpose::Change => Err(Refusal::not_here(path, purpose)),
            (Rule::InPatch, _) if purpose == Purpose::Create => Err(Refusal::not_here(path, purpose)),
            (Rule::Numbers(numbers), Value::Number(number)) if number.as_i64().is_none_or(|number| !numbers.contains(&number)) => {
                let shown: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                wrong(NO_SUCH_WORD, &format!("one of: {}", shown.join(", ")))
            }
            (Rule::Range(least, most, low, high), Value::Number(number)) => match number.as_i64() {
                Some(number) if number < least => wrong(low, &format!("a number from {least} to {most}")),
                Some(number) if number <= most => Ok(()),
                _ => wrong(high, &format!("a number from {least} to {most}")),
            },
            (Rule::Name(form, most, code), Value::String(name)) if !name.is_empty() => match form.objection(name, most) {
                Some(expected) => wrong(code, &expected),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

impl Form {
    /// What a name should be, if this is none.
    pub(crate) fn objection(self, name: &str, most: usize) -> Option<String> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (fits, expected) = match self {
            Form::Word => {
                (name.chars().all(is_word) && !name.starts_with(|c: char| c.is_ascii_digit()), "letters, digits and \"_\", the first of them no digit")
            }
            Form::Label => (name.chars().all(|c| is_word(c) || "-.:".contains(c)), "letters, digits, \"_\", \"-\", \".\" and \":\""),
            Form::Leaf => (name.chars().all(|c| c.is_ascii_graphic() && c != '/'), "visible characters without \"/\""),
        };
        (!fits || name.chars().count() > most).then(|| format!("1 to {most} {expected}"))
    }
}

/// The values of a field that its name alone tells: percents.
pub(crate) fn usual(field: &str) -> Option<Rule> {
    let is_percent = field.ends_with("reserve_percent") || field.ends_with("full_threshold_percent") || field == "start_threshold_percent";
    is_percent.then_some(PERCENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::resource;

    #[test]
    fn every_rule_has_its_field() {
        for (path, field, _) in RULES {
            assert!(resource(path).and_then(|resource| resource.fields.at(field)).is_some(), "{path} has no {field}");
        }
    }

    #[test]
    fn names_have_forms() {
        for (form, good, bad) in [
            (Form::Word, &["vol1", "_a", "A_1"][..], &["1vol", "a-b", "a b", "ä"][..]),
            (Form::Label, &["h-1.x_y:z", "1"], &["a b", "a/b"]),
            (Form::Leaf, &["hourly.2026-01-01_0005", "a{b}"], &["a/b", "a b"]),
        ] {
            assert!(good.iter().all(|name| form.objection(name, 203).is_none()), "{good:?}");
            assert!(bad.iter().all(|name| form.objection(name, 203).is_some()), "{bad:?}");
            assert!(form.objection("abcd", 3).is_some());
        }
    }
}
