//! Single mappings: one volume for one host or host group, under one logical unit number.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, belonging, default_name, paths, rules};
use crate::model::reach::{self, Way};
use crate::model::{Array, HostResponse, Key, Mapping, Noun, Object, OpError, Party, Place, Policy, PortGroup, Protocol, Volume, VolumeFormat};

/// Maps a volume to a host or a host group.
///
/// Refused, in this order: both or neither of host and host group; unknown volume, host, host group or port group; snap data pool volume; one for SCSI hosts that are NVMe hosts, or the other way round; invalid name;
/// name taken; ports that do not serve the hosts' protocol; a volume or ports of another tenant than the hosts'; number out of range (by
/// their host response); too many mappings; the volume is mapped to them
/// already, or, where NVMe host groups are subsystems, to another; a host sees the volume already, where hosts join many groups; a host
/// sees the number already, or no number is free; a port would serve too many hosts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MappingCreate, examples(json!({"volume": "R0", "host": "H0", "lun": 0})))]
pub struct Create {
    /// Its name; otherwise the volume's and the host's or host group's, joined by a hyphen, cut and numbered where needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The volume by id, number or name.
    pub volume: String,
    /// The host; or give `host_group`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The host group; or give `host`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_group: Option<String>,
    /// The ports; otherwise those to which the host group is bound, or all that serve the hosts' protocol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port_group: Option<String>,
    /// The logical unit number; otherwise the lowest that none of the hosts sees. In an NVMe subsystem numbers begin at 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lun: Option<u32>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    volume: Key<Volume>,
    party: Party,
    port_group: Option<Key<PortGroup>>,
    lun: u32,
}

impl Create {
    fn names_one_party(&self) -> Result<(), OpError> {
        let fields = || vec!["host".to_owned(), "host_group".to_owned()];
        match (&self.host, &self.host_group) {
            (Some(_), Some(_)) => {
                Err(OpError::Conflicting { noun: Noun::Mapping, fields: fields(), because: "a volume is mapped to a host or to a host group".into() })
            }
            (None, None) => Err(OpError::Missing {
                noun: Noun::Mapping,
                field: "host".into(),
                because: "a volume is mapped to a host or to a host group (host_group)".into(),
            }),
            _ => Ok(()),
        }
    }
    fn party(&self, array: &Array) -> Result<Party, OpError> {
        match (&self.host, &self.host_group) {
            (_, Some(group)) => array.host_groups.find(group, Place::field("host_group")).map(|group| Party::HostGroup(group.key())),
            (host, None) => array.hosts.find(host.as_deref().unwrap_or_default(), Place::field("host")).map(|host| Party::Host(host.key())),
        }
    }
}

impl Operation for Create {
    const NAME: &'static str = "mapping.create";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = CreatePlan;
    type Output = Key<Mapping>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        self.names_one_party()?;
        let volume = array.find_volume(&self.volume, Place::field("volume"))?;
        let party = self.party(array)?;
        let port_group = self.port_group.as_deref().map(|named| array.port_groups.find(named, Place::field("port_group"))).transpose()?.map(Object::key);
        rules::is_for_hosts(volume, "volume")?;
        format_goes_with(array, volume, party)?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::Mapping, name, &rule.short_name)?;
            rules::name_is_free(&array.mappings, name, None, None)?;
        }
        port_group.map_or(Ok(()), |ports| paths::ports_serve(array, ports, reach::party_protocols(array, party)))?;
        belong_together(array, volume, party, port_group)?;
        self.lun.map_or(Ok(()), |lun| paths::lun_is_in_range(Noun::Mapping, lun, luns(array, party)))?;
        rules::within_limit(&array.mappings, 1, rule.limits.mappings)?;
        is_not_mapped(array, volume, party)?;
        is_in_no_subsystem(array, volume, party)?;
        let lun = self.lun.map_or_else(|| lowest_lun(array, party), Ok)?;
        is_sound(array, array.mappings.next_key(), (volume.key(), lun), party, port_group)?;
        let made = || default_name::joined(&array.mappings, &rule.short_name, volume.name(), paths::party_name(array, party));
        Ok(CreatePlan { name: self.name.clone().unwrap_or_else(made), volume: volume.key(), party, port_group, lun })
    }

    fn apply(CreatePlan { name, volume, party, port_group, lun }: CreatePlan, world: &mut World, _: &Ctx) -> Key<Mapping> {
        let array = &mut world.array;
        array.mappings.insert(array.identity, name, |head| Mapping { head, volume, party, port_group, lun })
    }
}

/// Changes a mapping's name, number or ports.
///
/// Refused, in this order: unknown mapping or port group; invalid name; name taken; ports that do not serve the hosts' protocol, or of
/// another tenant; number out of range (by the hosts' host response); a host sees the number already; a port would serve too many hosts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MappingUpdate, examples(json!({"lun": 7, "port_group": "PG0"})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub mapping: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its new logical unit number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lun: Option<u32>,
    /// Its new ports; empty for all that serve the hosts' protocol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port_group: Option<String>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<Mapping>,
    name: Option<String>,
    lun: u32,
    port_group: Option<Key<PortGroup>>,
}

impl Update {
    fn ports(&self, array: &Array, mapping: &Mapping) -> Result<Option<Key<PortGroup>>, OpError> {
        match self.port_group.as_deref() {
            None => Ok(mapping.port_group),
            Some("") => Ok(None),
            Some(named) => array.port_groups.find(named, Place::field("port_group")).map(|group| Some(group.key())),
        }
    }
}

impl Operation for Update {
    const NAME: &'static str = "mapping.update";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = UpdatePlan;
    type Output = Key<Mapping>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let mapping = array.mappings.find(&self.mapping, Place::Target)?;
        let (key, party) = (mapping.key(), mapping.party);
        let port_group = self.ports(array, mapping)?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::Mapping, name, &array.personality.short_name)?;
            rules::name_is_free(&array.mappings, name, None, Some(key))?;
        }
        port_group.map_or(Ok(()), |ports| paths::ports_serve(array, ports, reach::party_protocols(array, party)))?;
        belong_together(array, &array.volumes[mapping.volume], party, port_group)?;
        let lun = self.lun.unwrap_or(mapping.lun);
        paths::lun_is_in_range(Noun::Mapping, lun, luns(array, party))?;
        is_sound(array, key, (mapping.volume, lun), party, port_group)?;
        Ok(UpdatePlan { key, name: self.name.clone(), lun, port_group })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<Mapping> {
        let mappings = &mut world.array.mappings;
        if let Some(name) = plan.name {
            mappings.rename(plan.key, name);
        }
        if let Some(mapping) = mappings.get_mut(plan.key) {
            mapping.lun = plan.lun;
            mapping.port_group = plan.port_group;
        }
        plan.key
    }
}

/// Deletes a mapping; the hosts no longer see the volume by it.
///
/// Refused: unknown mapping.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MappingDelete)]
pub struct Delete {
    /// Which one.
    pub mapping: String,
}

impl Operation for Delete {
    const NAME: &'static str = "mapping.delete";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = Key<Mapping>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Mapping>, OpError> {
        Ok(world.array.mappings.find(&self.mapping, Place::Target)?.key())
    }

    fn apply(key: Key<Mapping>, world: &mut World, _: &Ctx) {
        world.array.mappings.remove(key);
    }
}

/// A LUN is for SCSI hosts, a namespace for NVMe hosts.
fn format_goes_with(array: &Array, volume: &Volume, party: Party) -> Result<(), OpError> {
    let protocol = match party {
        Party::Host(host) => array.hosts[host].initiator.protocol().to_string(),
        Party::HostGroup(group) => array.host_groups[group].protocol.to_string(),
    };
    let expected = match (volume.format, protocol == Protocol::Nvme.to_string()) {
        (VolumeFormat::Lun, true) => "fc or iscsi".to_owned(),
        (VolumeFormat::Namespace, false) => Protocol::Nvme.to_string(),
        _ => return Ok(()),
    };
    Err(OpError::ProtocolMismatch { noun: Noun::Volume, name: volume.name().to_owned(), protocol, expected })
}

/// A volume is mapped to a party once.
fn is_not_mapped(array: &Array, volume: &Volume, party: Party) -> Result<(), OpError> {
    if array.mappings_of(volume.key()).any(|mapping| mapping.party == party) {
        let within = format!("the {}s of {}", Noun::Mapping, paths::party_text(array, party));
        return Err(OpError::AlreadyMapped { volume: volume.name().to_owned(), within });
    }
    Ok(())
}

/// Where NVMe host groups are subsystems, a volume is mapped to one.
fn is_in_no_subsystem(array: &Array, volume: &Volume, party: Party) -> Result<(), OpError> {
    let is_subsystem = |party: Party| reach::target_of(array, party).subsystem.is_some();
    let other = array.mappings_of(volume.key()).find(|mapping| is_subsystem(party) && is_subsystem(mapping.party));
    other.map_or(Ok(()), |mapping| {
        let within = format!("the {}s of {}", Noun::Mapping, paths::party_text(array, mapping.party));
        Err(OpError::AlreadyMapped { volume: volume.name().to_owned(), within })
    })
}

/// A mapping joins what belongs to one tenant; the ports may be everyone's.
fn belong_together(array: &Array, volume: &Volume, party: Party, port_group: Option<Key<PortGroup>>) -> Result<(), OpError> {
    let tenant = reach::party_tenant(array, party);
    belonging::is_of(array, (Noun::Volume, volume.name()), volume.tenant, tenant)?;
    let Some(ports) = port_group.map(|key| &array.port_groups[key]) else { return Ok(()) };
    belonging::is_open_to(array, (Noun::PortGroup, ports.name()), ports.tenant, tenant)
}

/// The lowest number that there is for a party, and the highest that its host response allows.
fn luns(array: &Array, party: Party) -> (u32, u32) {
    let response = match party {
        Party::Host(host) => array.hosts[host].host_response,
        Party::HostGroup(group) => array.host_groups[group].host_response,
    };
    (u32::from(reach::target_of(array, party).subsystem.is_some()), HostResponse::lun_most(array, response))
}

/// The lowest number that none of the party's hosts sees.
fn lowest_lun(array: &Array, party: Party) -> Result<u32, OpError> {
    let counts = array.personality.offer.hosts_join_many_groups;
    let own = array.mappings.iter().filter(|mapping| counts && mapping.party == party).map(|mapping| mapping.lun);
    let seen = paths::luns_seen(array, &reach::hosts_of(array, party), reach::target_of(array, party), |_| true);
    paths::lowest_lun(luns(array, party), &seen.into_iter().chain(own).collect(), &format!("what {} sees", paths::party_text(array, party)))
}

/// Judges what a mapping would open.
fn is_sound(array: &Array, mapping: Key<Mapping>, seen: (Key<Volume>, u32), party: Party, port_group: Option<Key<PortGroup>>) -> Result<(), OpError> {
    let (volume, lun) = seen;
    let luns = Cow::Owned(BTreeMap::from([(lun, volume)]));
    paths::are_sound(array, &reach::party_links(array, Way::Mapping(mapping), party, port_group, luns, None).collect::<Vec<_>>())?;
    number_is_free(array, mapping, lun, party)
}

/// Where hosts join many groups, a number stands for one volume in a group, whether it has hosts or not.
fn number_is_free(array: &Array, own: Key<Mapping>, lun: u32, party: Party) -> Result<(), OpError> {
    let is_other = |mapping: &&Mapping| mapping.key() != own && mapping.party == party && mapping.lun == lun;
    match array.mappings.iter().find(|mapping| array.personality.offer.hosts_join_many_groups && is_other(mapping)) {
        Some(other) => {
            let (within, by) = (format!("what {} sees", paths::party_text(array, party)), array.volumes[other.volume].name().to_owned());
            Err(OpError::LunTaken { lun, within, by })
        }
        None => Ok(()),
    }
}
