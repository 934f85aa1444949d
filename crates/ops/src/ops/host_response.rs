//! Host responses: create, change, delete, and what giving one to hosts brings along.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, rules};
use crate::model::reach;
use crate::model::{AluaMode, Array, HostResponse, IdentificationPage, Key, Manners, Noun, Object, OpError, Place, Policy, Sharing};

/// How the array shall answer; what is left out stays, or is as the array answers when nobody says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostResponseWanted, examples(json!({"alua": "active_active", "flat_space_addressing": true})))]
pub struct Wanted {
    /// Which paths the array calls the better ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alua: Option<AluaMode>,
    /// Whether it addresses LUNs flatly, so that numbers above the ordinary ones can be given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flat_space_addressing: Option<bool>,
    /// Whether it tells hosts that their LUNs have changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report_lun_changes: Option<bool>,
    /// Whether it tells hosts that a volume has grown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report_expansion: Option<bool>,
    /// Whether TEST UNIT READY meets another host's reservation as a conflict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reservation_conflict: Option<bool>,
    /// Whether sense data carries the vendor's own codes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vendor_sense: Option<bool>,
    /// The version in byte 2 of standard inquiry data, 3 to 6.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inquiry_version: Option<u8>,
    /// Which identifiers the vital product data page 83 holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identification: Option<IdentificationPage>,
    /// How long a command may take, in seconds, 5 to 255.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_timeout_seconds: Option<u32>,
}

impl Wanted {
    fn over(&self, present: Manners) -> Manners {
        Manners {
            alua: self.alua.unwrap_or(present.alua),
            flat_space_addressing: self.flat_space_addressing.unwrap_or(present.flat_space_addressing),
            report_lun_changes: self.report_lun_changes.unwrap_or(present.report_lun_changes),
            report_expansion: self.report_expansion.unwrap_or(present.report_expansion),
            reservation_conflict: self.reservation_conflict.unwrap_or(present.reservation_conflict),
            vendor_sense: self.vendor_sense.unwrap_or(present.vendor_sense),
            inquiry_version: self.inquiry_version.unwrap_or(present.inquiry_version),
            identification: self.identification.unwrap_or(present.identification),
            command_timeout_seconds: self.command_timeout_seconds.unwrap_or(present.command_timeout_seconds),
        }
    }
}

/// Creates a host response.
///
/// Refused, in this order: invalid name; name taken; inquiry version or command timeout out of range; flat space addressing that the
/// array does not have; too many host responses besides those that the array comes with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostResponseCreate, examples(json!({"name": "linux-flat", "manners": {"flat_space_addressing": true}})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// How the array shall answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manners: Option<Wanted>,
}

impl Operation for Create {
    const NAME: &'static str = "host-response.create";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = (String, Manners);
    type Output = Key<HostResponse>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        rules::name_is_valid(Noun::HostResponse, &self.name, &rule.short_name)?;
        rules::name_is_free(&array.host_responses, &self.name, None, None)?;
        let manners = self.manners.clone().unwrap_or_default().over(Manners::default());
        are_good(array, manners)?;
        let own = array.host_responses.iter().filter(|response| !response.built_in).count();
        rules::count_within(Noun::HostResponse, own + 1, rule.limits.host_responses, "the array besides those that it comes with")?;
        Ok((self.name.clone(), manners))
    }

    fn apply((name, manners): Self::Plan, world: &mut World, _: &Ctx) -> Key<HostResponse> {
        let array = &mut world.array;
        array.host_responses.insert(array.identity, name, |head| HostResponse { head, built_in: false, manners })
    }
}

/// Changes a host response, and so how the array answers all hosts that have it.
///
/// Refused, in this order: unknown host response; one that the array comes with; invalid name; name taken; inquiry version or command
/// timeout out of range; flat space addressing that the array does not have, or that LUNs need which hosts see.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostResponseUpdate, examples(json!({"manners": {"command_timeout_seconds": 60}})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub host_response: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How the array shall answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manners: Option<Wanted>,
}

impl Operation for Update {
    const NAME: &'static str = "host-response.update";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = (Key<HostResponse>, Option<String>, Manners);
    type Output = Key<HostResponse>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let array = &world.array;
        let response = array.host_responses.find(&self.host_response, Place::Target)?;
        let key = response.key();
        if response.built_in && (self.name.is_some() || self.manners.is_some()) {
            return Err(belongs_to_the_array(response, "changes of"));
        }
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::HostResponse, name, &array.personality.short_name)?;
            rules::name_is_free(&array.host_responses, name, None, Some(key))?;
        }
        let manners = self.manners.as_ref().map_or(response.manners, |wanted| wanted.over(response.manners));
        are_good(array, manners)?;
        if response.manners.flat_space_addressing && !manners.flat_space_addressing {
            flat_space_is_unused(array, response)?;
        }
        Ok((key, self.name.clone(), manners))
    }

    fn apply((key, name, manners): Self::Plan, world: &mut World, _: &Ctx) -> Key<HostResponse> {
        let responses = &mut world.array.host_responses;
        if let Some(name) = name {
            responses.rename(key, name);
        }
        if let Some(response) = responses.get_mut(key) {
            response.manners = manners;
        }
        key
    }
}

/// Deletes a host response.
///
/// Refused, in this order: unknown host response; one that the array comes with; a host group or host has it; a LUN group holds numbers
/// that only its flat space addressing allows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostResponseDelete)]
pub struct Delete {
    /// Which one.
    pub host_response: String,
}

impl Operation for Delete {
    const NAME: &'static str = "host-response.delete";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = Key<HostResponse>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<HostResponse>, OpError> {
        let array = &world.array;
        let response = array.host_responses.find(&self.host_response, Place::Target)?;
        if response.built_in {
            return Err(belongs_to_the_array(response, "deleting"));
        }
        if let Some((by, by_name)) = HostResponse::user(array, response.key()) {
            let name = response.name().to_owned();
            return Err(OpError::InUse { noun: Noun::HostResponse, name, by, by_name: by_name.to_owned() });
        }
        if response.manners.flat_space_addressing {
            flat_space_is_unused(array, response)?;
        }
        Ok(response.key())
    }

    fn apply(key: Key<HostResponse>, world: &mut World, _: &Ctx) {
        world.array.host_responses.remove(key);
    }
}

fn belongs_to_the_array(response: &HostResponse, what: &str) -> OpError {
    let what = format!("{what} the host response '{}', which it comes with", response.name());
    OpError::NotSupported { noun: Noun::HostResponse, field: "host_response".into(), what }
}

fn are_good(array: &Array, manners: Manners) -> Result<(), OpError> {
    rules::in_range(Noun::HostResponse, "manners.inquiry_version", u64::from(manners.inquiry_version), (3, 6))?;
    rules::in_range(Noun::HostResponse, "manners.command_timeout_seconds", u64::from(manners.command_timeout_seconds), (5, 255))?;
    if manners.flat_space_addressing && array.personality.offer.lun_max_flat.is_none() {
        let (field, what) = ("manners.flat_space_addressing".into(), "flat space addressing".into());
        return Err(OpError::NotSupported { noun: Noun::HostResponse, field, what });
    }
    Ok(())
}

/// No host with that response must see a number above the ordinary ones; and when no other response allows them, no LUN group holds one.
fn flat_space_is_unused(array: &Array, response: &HostResponse) -> Result<(), OpError> {
    let (key, most) = (response.key(), array.personality.lun_max);
    let hosts = array.hosts.iter().filter(|host| host.host_response == Some(key)).map(Object::key);
    let groups = array.host_groups.iter().filter(|group| group.host_response == Some(key)).map(Object::key);
    let sharing = Sharing { hosts: hosts.collect(), groups: groups.collect() };
    luns_are_low(array, &sharing, most, response.name())?;
    if array.host_responses.iter().any(|other| other.key() != key && other.manners.flat_space_addressing) {
        return Ok(());
    }
    let group = array.lun_groups.iter().find_map(|group| group.luns.keys().find(|lun| **lun > most).map(|lun| (group, *lun)));
    group.map_or(Ok(()), |(group, lun)| {
        let within = format!("the {} '{}'", Noun::LunGroup, group.name());
        Err(OpError::LunTooHigh { lun, within, response: response.name().to_owned(), limit: most })
    })
}

/// None of these hosts and groups must see a number above `most`.
fn luns_are_low(array: &Array, sharing: &Sharing, most: u32, response: &str) -> Result<(), OpError> {
    let refuse = |lun: u32, within: String| Err(OpError::LunTooHigh { lun, within, response: response.to_owned(), limit: most });
    for host in &sharing.hosts {
        if let Some(lun) = reach::initiator_luns(array, *host).into_keys().map(|(_, lun)| lun).filter(|lun| *lun > most).min() {
            return refuse(lun, format!("what the {} '{}' sees", Noun::Host, array.hosts[*host].name()));
        }
    }
    for group in &sharing.groups {
        let seen = reach::links_of_host_group(array, *group).flat_map(|link| link.luns.keys().copied().collect::<Vec<_>>());
        if let Some(lun) = seen.filter(|lun| *lun > most).min() {
            return refuse(lun, format!("what the {} '{}' sees", Noun::HostGroup, array.host_groups[*group].name()));
        }
    }
    Ok(())
}

/// The host response that a request names; the standard one is kept as none. `None`: none is named.
pub(super) fn named(array: &Array, asked: Option<&str>) -> Result<Option<Option<Key<HostResponse>>>, OpError> {
    let Some(asked) = asked else { return Ok(None) };
    let found = array.host_responses.find(asked, Place::field("host_response"))?.key();
    let standard = HostResponse::standard(array).map(Object::key);
    Ok(Some(Some(found).filter(|found| Some(*found) != standard)))
}

/// All of these hosts and groups must be able to have that response with the LUNs that they see.
pub(super) fn can_be_given(array: &Array, sharing: &Sharing, response: Option<Key<HostResponse>>) -> Result<(), OpError> {
    let others = sharing.hosts.iter().any(|host| array.hosts[*host].host_response != response)
        || sharing.groups.iter().any(|group| array.host_groups[*group].host_response != response);
    if !others {
        return Ok(());
    }
    let name = HostResponse::of(array, response).map_or("", Object::name);
    luns_are_low(array, sharing, HostResponse::lun_most(array, response), name)
}

/// The numbers must be within what the response of the hosts allows.
pub(super) fn allows(array: &Array, response: Option<Key<HostResponse>>, luns: impl IntoIterator<Item = u32>, within: &str) -> Result<(), OpError> {
    let most = HostResponse::lun_most(array, response);
    luns.into_iter().find(|lun| *lun > most).map_or(Ok(()), |lun| {
        let response = HostResponse::of(array, response).map_or("", Object::name).to_owned();
        Err(OpError::LunTooHigh { lun, within: within.to_owned(), response, limit: most })
    })
}
