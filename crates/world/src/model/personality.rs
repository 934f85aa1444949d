//! Where vendors and models differ on a rule, the difference is data here, set by the catalogue.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CopyKind, CopyPriority, Offer, PartRules, PasswordPolicy, PolicySet, RaidLevel, Sparing};
use crate::units::{Bytes, SimSpan};

/// The rules by which an array decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Personality {
    /// Whose words it speaks.
    pub dialect: Dialect,
    /// Sizes are rounded up to this.
    pub size_unit: Bytes,
    /// The smallest volume.
    pub volume_size_min: Bytes,
    /// The largest volume.
    pub volume_size_max: Bytes,
    /// The smallest container; `None`: this array has none.
    pub container_size_min: Option<Bytes>,
    /// The largest container.
    pub container_size_max: Bytes,
    /// Names of volumes.
    pub volume_name: NameRule,
    /// Names of RAID groups, pools, hosts, groups and all the rest.
    pub short_name: NameRule,
    /// Levels that a RAID group can have.
    pub raid_levels: Vec<RaidLevel>,
    /// Levels that a pool can have.
    pub pool_levels: Vec<RaidLevel>,
    /// Chunk sizes that a pool can have, smallest first; the first is the default.
    pub chunk_sizes: Vec<Bytes>,
    /// Whether volumes can live in RAID groups directly.
    pub volumes_in_raid_groups: bool,
    /// Whether volumes can live in pools directly.
    pub volumes_in_pools: bool,
    /// Whether data reduction must be switched on for the array first.
    pub reduction_switch: bool,
    /// What keeps the books of data reduction, if the array can reduce data at all.
    pub reduction_domain: Option<ReductionDomain>,
    /// How many times a pool's capacity its reduced volumes may promise together.
    pub reduction_promise_times: u64,
    /// The highest logical unit number.
    pub lun_max: u32,
    /// How many volumes one request may create.
    pub bulk_max: u32,
    /// Bytes per second of a full format.
    pub format_rate: Bytes,
    /// Bytes per second of a migration or of the copying that makes a clone independent.
    pub copy_rate: Bytes,
    /// Copies between volumes; `None`: this array has none.
    #[serde(default)]
    pub copy: Option<CopyRules>,
    /// The longest that `advance until idle` goes.
    pub idle_limit: SimSpan,
    /// What parts, controllers and ports do.
    #[serde(default)]
    pub parts: PartRules,
    /// What it does about failing drives.
    #[serde(default)]
    pub sparing: Sparing,
    /// How many of each there may be.
    pub limits: Limits,
    /// What it offers besides space.
    #[serde(default)]
    pub offer: Offer,
    /// Users, roles and passwords.
    #[serde(default)]
    pub accounts: Accounts,
}

/// The rules of users, roles and passwords.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accounts {
    /// Names of users.
    pub user_name: NameRule,
    /// Names of roles.
    pub role_name: NameRule,
    /// How many users there may be.
    pub users: u64,
    /// How many roles there may be besides those of the array itself.
    pub custom_roles: u64,
    /// The most characters of a password.
    pub password_length_max: u32,
    /// The roles of the array itself.
    pub roles: Vec<RoleRule>,
    /// The users of a new array; they have the password of the server that plays it.
    pub initial_users: Vec<InitialUser>,
    /// What a new array demands of passwords.
    pub password_policy: PasswordPolicy,
}

/// A role of the array itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleRule {
    /// Its name.
    pub name: String,
    /// What it allows.
    pub policies: PolicySet,
    /// Whether its users can log in to the web page.
    pub web_login: bool,
}

/// A user of a new array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitialUser {
    /// Its name.
    pub name: String,
    /// The name of its role.
    pub role: String,
}

/// Whose words an array speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Fujitsu ETERNUS AF and DX.
    Eternus,
    /// NetApp ONTAP.
    Ontap,
    /// Nobody's in particular.
    Generic,
}

/// What keeps the books of data reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReductionDomain {
    /// Pools: reduced volumes live directly in them.
    Pool,
    /// Containers.
    Container,
}

/// What a name may be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameRule {
    /// The most characters.
    pub max: usize,
    /// Characters that it must not have, besides control characters and what lies outside ASCII.
    pub forbidden: String,
    /// Beginnings that the array keeps for itself.
    pub reserved: Vec<String>,
}

/// How many of each there may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each field is the noun in the plural that it limits")]
pub struct Limits {
    pub raid_groups: u64,
    pub pools: u64,
    /// Pools that use data reduction.
    pub reduction_pools: u64,
    /// Capacity of all pools together.
    pub pool_capacity: Bytes,
    pub containers: u64,
    pub snapshots_per_container: u64,
    pub volumes: u64,
    pub hosts: u64,
    pub host_groups: u64,
    pub hosts_per_group: u64,
    pub hosts_per_port: u64,
    pub port_groups: u64,
    pub lun_groups: u64,
    pub luns_per_group: u64,
    pub affinities: u64,
    pub mappings: u64,
    pub workloads: u64,
    #[serde(default)]
    pub tenants: u64,
    #[serde(default)]
    pub interfaces: u64,
    #[serde(default)]
    pub qos_policies: u64,
    /// Those that the array does not come with.
    #[serde(default)]
    pub host_responses: u64,
    #[serde(default = "Limits::records")]
    pub records: u64,
}

impl Limits {
    /// How many records there may be where nothing says otherwise.
    const fn records() -> u64 {
        10_000
    }
}

/// The rules of copies between volumes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyRules {
    /// The kinds that there are.
    pub kinds: Vec<CopyKind>,
    /// How fast sessions copy, in percent of the copy rate.
    pub rate_percent: CopyRates,
    /// The most that may be copied at the same time; each session counts its source's size.
    pub capacity: Bytes,
    /// Sessions of the array.
    pub sessions: u64,
    /// Sessions of one source, generations of snapshots left out.
    pub sessions_per_source: u64,
    /// Generations of snapshots of one source.
    pub generations: u64,
    /// Sessions in a row.
    pub cascade: u64,
    /// The least own area of a snap data volume...
    pub snap_data_base: Bytes,
    /// ... and what its size adds to that, in millionths.
    pub snap_data_ppm: u64,
    /// The snap data pool gives out whole elements of this size.
    pub snap_pool_element: Bytes,
    /// The largest snap data pool volume.
    pub snap_pool_volume_max: Bytes,
    /// Used share of the snap data pool, in percent, at which it calls for attention.
    pub snap_pool_attention_percent: u64,
    /// Used share of the snap data pool, in percent, at which it warns.
    pub snap_pool_warning_percent: u64,
}

/// How fast sessions copy, in percent of the copy rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each field is the priority")]
pub struct CopyRates {
    pub low: u64,
    pub middle: u64,
    pub high: u64,
}

impl CopyRates {
    /// That of a priority.
    pub const fn of(self, priority: CopyPriority) -> u64 {
        match priority {
            CopyPriority::Low => self.low,
            CopyPriority::Middle => self.middle,
            CopyPriority::High => self.high,
        }
    }
}

impl CopyRules {
    /// The least own area of a snap data volume of that size, before it is rounded up to the array's unit.
    pub fn own_area(&self, size: Bytes) -> Bytes {
        self.snap_data_base + size.scaled(self.snap_data_ppm, 1_000_000)
    }
}

impl Personality {
    /// Bytes per second that a session copies with a priority.
    pub fn session_rate(&self, priority: CopyPriority) -> Bytes {
        self.copy_rate.scaled(self.copy.as_ref().map_or(100, |rule| rule.rate_percent.of(priority)), 100)
    }
}

impl NameRule {
    /// Why `name` is none, if it is none.
    pub fn objection(&self, name: &str) -> Option<String> {
        let characters = name.chars().count();
        if characters == 0 {
            return Some(format!("it must have 1 to {} characters", self.max));
        }
        if characters > self.max {
            return Some(format!("it has {characters} characters; the most is {}", self.max));
        }
        if let Some(bad) = name.chars().find(|c| !(c.is_ascii_graphic() || *c == ' ') || self.forbidden.contains(*c)) {
            return Some(format!("it must not contain {bad:?}; printable ASCII{} is accepted", Self::without(&self.forbidden)));
        }
        if name.starts_with(' ') || name.ends_with(' ') {
            return Some("it must not begin or end with a space".to_owned());
        }
        self.reserved.iter().find(|start| name.starts_with(*start)).map(|start| format!("names that begin with '{start}' belong to the array"))
    }
    fn without(forbidden: &str) -> String {
        if forbidden.is_empty() { String::new() } else { format!(" without {}", forbidden.chars().map(|c| format!("'{c}'")).collect::<Vec<_>>().join(" ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::NameRule;

    #[test]
    fn names_follow_the_rule() {
        let rule = NameRule { max: 16, forbidden: ",?".into(), reserved: vec!["$SYSVOL".into()] };
        for good in ["a", "Volume#1", "sixteen-letters!", "with space"] {
            assert_eq!(rule.objection(good), None, "{good}");
        }
        for bad in ["", "seventeen letters", "a,b", "what?", "tab\t", "naïve", "$SYSVOL1", " a", "a "] {
            assert!(rule.objection(bad).is_some(), "{bad}");
        }
    }
}
