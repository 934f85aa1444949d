//! Where vendors and models differ on a rule, the difference is data here, set by the catalogue.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{PasswordPolicy, PolicySet, RaidLevel};
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
    /// The longest that `advance until idle` goes.
    pub idle_limit: SimSpan,
    /// How many of each there may be.
    pub limits: Limits,
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
