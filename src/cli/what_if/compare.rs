//! `--compare KEY=VALUE,VALUE`: which variants are compared.

use std::str::FromStr;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

use crate::model::RaidLevel;
use crate::ops::what_if::Variant;

/// One key with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Compare {
    key: String,
    values: Vec<String>,
}

const KEYS: &str = "data_reduction, data_reduction:POOL, raid_level, drives, ports and controllers";

impl FromStr for Compare {
    type Err = String;

    fn from_str(text: &str) -> Result<Compare, String> {
        let (key, values) = text.split_once('=').ok_or_else(|| format!("give KEY=VALUE,VALUE; what can be compared: {KEYS}"))?;
        let compare = Compare { key: key.trim().to_owned(), values: values.split(',').map(|value| value.trim().to_owned()).collect() };
        for value in &compare.values {
            compare.set(&mut Variant::default(), value)?;
        }
        Ok(compare)
    }
}

impl Compare {
    /// Sets one value in a variant.
    fn set(&self, variant: &mut Variant, value: &str) -> Result<(), String> {
        match self.key.as_str() {
            "data_reduction" => variant.data_reduction = Some(on_or_off(value)?),
            "raid_level" => variant.raid_level = Some(level(value)?),
            "drives" => variant.drives = Some(number(value)?),
            "ports" => variant.ports = Some(number(value)?),
            "controllers" => variant.controllers = Some(number(value)?),
            other => match other.strip_prefix("data_reduction:").filter(|pool| !pool.is_empty()) {
                Some(pool) => drop(variant.pool_reduction.insert(pool.to_owned(), on_or_off(value)?)),
                None => return Err(format!("'{other}' cannot be compared; what can: {KEYS}")),
            },
        }
        Ok(())
    }
}

/// All combinations of all values; none without a comparison.
pub(super) fn variants(comparisons: &[Compare]) -> Result<Vec<Variant>, String> {
    let mut variants = vec![Variant::default()];
    for compare in comparisons {
        let mut more = Vec::with_capacity(variants.len() * compare.values.len());
        for known in &variants {
            for value in &compare.values {
                let mut variant = known.clone();
                compare.set(&mut variant, value)?;
                let name = format!("{} {}={value}", known.name, compare.key);
                variant.name = name.trim_start().to_owned();
                more.push(variant);
            }
        }
        variants = more;
    }
    Ok(if comparisons.is_empty() { Vec::new() } else { variants })
}

fn on_or_off(value: &str) -> Result<bool, String> {
    match value {
        "on" | "true" => Ok(true),
        "off" | "false" => Ok(false),
        other => Err(format!("'{other}' is neither on or off")),
    }
}

fn number(value: &str) -> Result<u32, String> {
    value.parse().map_err(|_| format!("'{value}' is no whole number"))
}

fn level(value: &str) -> Result<RaidLevel, String> {
    let text: StrDeserializer<'_, Error> = value.into_deserializer();
    RaidLevel::deserialize(text).map_err(|_| {
        let levels: Vec<&str> = RaidLevel::ALL.iter().map(|level| level.name()).collect();
        format!("'{value}' is no RAID level; there are {}", levels.join(", "))
    })
}
