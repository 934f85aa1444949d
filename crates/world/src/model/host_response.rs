//! Host responses: how the array answers hosts of one kind of operating system.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Array, Head, Host, HostGroup, Key, Noun, Object};

/// A host response (ONTAP: the operating system type of an igroup).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostResponse {
    /// Identity; the numbers of those that the array comes with are the vendor's.
    pub head: Head,
    /// Whether the array comes with it: it can be neither changed nor deleted.
    pub built_in: bool,
    /// How the array answers.
    pub manners: Manners,
}

/// How the array answers hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = HostResponseManners)]
pub struct Manners {
    /// Which paths it calls the better ones.
    pub alua: AluaMode,
    /// Whether it addresses LUNs flatly, so that numbers above 255 can be given.
    pub flat_space_addressing: bool,
    /// Whether it tells hosts that their LUNs have changed.
    pub report_lun_changes: bool,
    /// Whether it tells hosts that a volume has grown.
    pub report_expansion: bool,
    /// Whether TEST UNIT READY meets another host's reservation as a conflict.
    pub reservation_conflict: bool,
    /// Whether sense data carries the vendor's own codes.
    pub vendor_sense: bool,
    /// The version in byte 2 of standard inquiry data, 3 to 6.
    pub inquiry_version: u8,
    /// Which identifiers the vital product data page 83 holds.
    pub identification: IdentificationPage,
    /// How long a command may take, in seconds, 5 to 255.
    pub command_timeout_seconds: u32,
}

/// Which paths to a volume the array calls the better ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AluaMode {
    /// All alike.
    ActiveActive,
    /// Those through the owning controller.
    #[default]
    PreferredPath,
}

/// What a volume does about [`AluaMode`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Alua {
    /// As the host response says.
    #[default]
    FollowHostResponse,
    /// All paths alike.
    ActiveActive,
    /// Those through the owning controller are better.
    PreferredPath,
}

/// Which identifiers page 83 holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum IdentificationPage {
    /// The vendor's own (type 1).
    Type1,
    /// The registered one (type 3).
    Type3,
    /// Both.
    #[default]
    Type1AndType3,
}

impl Default for Manners {
    fn default() -> Manners {
        Manners {
            alua: AluaMode::PreferredPath,
            flat_space_addressing: false,
            report_lun_changes: true,
            report_expansion: true,
            reservation_conflict: false,
            vendor_sense: false,
            inquiry_version: 5,
            identification: IdentificationPage::Type1AndType3,
            command_timeout_seconds: 25,
        }
    }
}

/// Hosts and host groups that have one host response together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// The hosts.
    pub hosts: BTreeSet<Key<Host>>,
    /// The host groups.
    pub groups: BTreeSet<Key<HostGroup>>,
}

impl HostResponse {
    /// The one that hosts have when nobody says otherwise: that of the lowest number.
    pub fn standard(array: &Array) -> Option<&HostResponse> {
        array.host_responses.iter().next()
    }
    /// The one that a host or host group has.
    pub fn of(array: &Array, named: Option<Key<HostResponse>>) -> Option<&HostResponse> {
        named.map_or_else(|| HostResponse::standard(array), |key| array.host_responses.get(key))
    }
    /// The highest logical unit number that hosts with it see.
    pub fn lun_most(array: &Array, named: Option<Key<HostResponse>>) -> u32 {
        let flat = HostResponse::of(array, named).is_some_and(|response| response.manners.flat_space_addressing);
        if flat { array.lun_most_flat() } else { array.personality.lun_max }
    }
    /// What uses it, first found: its noun and name.
    pub fn user(array: &Array, response: Key<HostResponse>) -> Option<(Noun, &str)> {
        let group = array.host_groups.iter().find(|item| item.host_response == Some(response)).map(|item| (Noun::HostGroup, item.name()));
        group.or_else(|| array.hosts.iter().find(|item| item.host_response == Some(response)).map(|item| (Noun::Host, item.name())))
    }
}

impl Array {
    /// The highest logical unit number under flat space addressing.
    pub fn lun_most_flat(&self) -> u32 {
        self.personality.offer.lun_max_flat.unwrap_or(0).max(self.personality.lun_max)
    }
    /// The highest logical unit number that a LUN group can hold: a number above the ordinary ones needs a host response with flat
    /// space addressing.
    pub fn lun_most(&self) -> u32 {
        let flat = self.host_responses.iter().any(|response| response.manners.flat_space_addressing);
        if flat { self.lun_most_flat() } else { self.personality.lun_max }
    }
}

impl Sharing {
    /// All that must have one host response with these hosts and this group, which has these members then: all members of a group
    /// share its response, and so do all other groups of a member. Where hosts join many groups, each group has its own.
    pub fn with(array: &Array, hosts: &[Key<Host>], group: Option<(Key<HostGroup>, &[Key<Host>])>) -> Sharing {
        let mut found = Sharing { hosts: hosts.iter().copied().collect(), groups: group.iter().map(|(key, _)| *key).collect() };
        if array.personality.offer.hosts_join_many_groups {
            return if found.groups.is_empty() { found } else { Sharing { hosts: BTreeSet::new(), ..found } };
        }
        found.hosts.extend(group.iter().flat_map(|(_, members)| members.iter()));
        loop {
            let before = (found.hosts.len(), found.groups.len());
            for other in array.host_groups.iter().filter(|other| group.is_none_or(|(own, _)| own != other.key())) {
                if other.hosts.iter().any(|host| found.hosts.contains(host)) {
                    found.groups.insert(other.key());
                    found.hosts.extend(&other.hosts);
                }
            }
            if before == (found.hosts.len(), found.groups.len()) {
                return found;
            }
        }
    }
    /// Gives all of them a host response.
    pub fn give(&self, array: &mut Array, response: Option<Key<HostResponse>>) {
        for host in &self.hosts {
            if let Some(host) = array.hosts.get_mut(*host) {
                host.host_response = response;
            }
        }
        for group in &self.groups {
            if let Some(group) = array.host_groups.get_mut(*group) {
                group.host_response = response;
            }
        }
    }
}

impl Object for HostResponse {
    const NOUN: Noun = Noun::HostResponse;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
