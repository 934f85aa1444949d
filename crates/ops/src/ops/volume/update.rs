//! Changing volumes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::create::{attention_is_allowed, identity, size_is_allowed};
use super::home::{self, Site};
use crate::model::{
    Allocation, Alua, Array, Dialect, Home, Key, Noun, Object, OpError, Place, Policy, QosPolicy, QosPriority, Severity, Usage, Volume, VolumeRole, copying,
    space,
};
use crate::ops::{Ctx, Operation, World, belonging, room, rules};
use crate::units::Ratio;

/// Changes a volume; what is left out stays. While it is offline, hosts do not reach it; mappings stay.
///
/// Refused, in this order: unknown volume; a job works on it; unknown QoS policy; invalid name; name taken; usage of a volume for snapshots or in a copy session,
/// size too large for the usage, or data reduction that it does not go with; encryption switched off; protection of a copy's destination; threshold out of range; a QoS policy of another tenant; a uid that is
/// none, is kept for the array or is in use; allocation that its home does not offer, or for which there is no space; taking offline what lives in no container.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeUpdate, examples(json!({"name": "Database"})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it is used for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Whether its data is encrypted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encryption: Option<bool>,
    /// Whether it must not become the destination of a copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_protection: Option<bool>,
    /// Whether its whole size is set aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocation: Option<Allocation>,
    /// How far the data that hosts write from now on can be reduced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reducibility: Option<Ratio>,
    /// Used share in percent at which a thin volume calls for attention; 0 for never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attention_percent: Option<u32>,
    /// The QoS policy that limits it; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qos_policy: Option<String>,
    /// What automatic QoS gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qos_priority: Option<QosPriority>,
    /// Which paths to it the array calls the better ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alua: Option<Alua>,
    /// The name that hosts know it by, 32 hexadecimal digits; empty for the array's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
    /// Whether hosts are let in; only volumes in containers can be taken offline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub online: Option<bool>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<Volume>,
    qos_policy: Option<Key<QosPolicy>>,
    uid: Option<(String, bool)>,
    request: Update,
}

impl Operation for Update {
    const NAME: &'static str = "volume.update";
    const POLICY: Policy = Policy::VolumeCreateModify;
    type Plan = UpdatePlan;
    type Output = Key<Volume>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let array = &world.array;
        let volume = array.find_volume(&self.volume, Place::Target)?;
        rules::volume_not_busy(world, volume)?;
        let qos_policy = belonging::qos_policy(array, self.qos_policy.as_deref())?.unwrap_or(volume.qos_policy);
        if let Some(name) = &self.name {
            rules::volume_name_is_valid(array, name, volume.scope())?;
            rules::name_is_free(&array.volumes, name, volume.scope(), Some(volume.key()))?;
        }
        if let Some(usage) = self.usage {
            may_be_used_otherwise(world, volume, usage)?;
            size_is_allowed(array, volume.size, usage)?;
            usage_is_allowed(volume, usage)?;
        }
        rules::encryption_is_on(array, self.encryption)?;
        if self.copy_protection == Some(true)
            && let Some(session) = copying::into(array, volume.key())
        {
            return Err(rules::used_by_session(volume, session));
        }
        attention_is_allowed(self.attention_percent, 0)?;
        belonging::policy_is_open(array, qos_policy, volume.tenant)?;
        let uid = self.uid.as_deref().map(|asked| uid(array, volume, asked)).transpose()?;
        if let Some(allocation) = self.allocation.filter(|allocation| *allocation != volume.allocation) {
            can_be_allocated(array, volume, allocation)?;
        }
        if self.online == Some(false) && volume.container().is_none() {
            return Err(home::unsupported("online", "volumes outside containers that are offline"));
        }
        Ok(UpdatePlan { key: volume.key(), qos_policy, uid, request: self.clone() })
    }

    fn apply(plan: UpdatePlan, world: &mut World, ctx: &Ctx) -> Key<Volume> {
        let UpdatePlan { key, qos_policy, uid, request: change } = plan;
        if let Some(name) = change.name {
            world.array.volumes.rename(key, name);
        }
        if let Some(allocation) = change.allocation {
            allocate(&mut world.array, key, allocation);
        }
        if let Some(volume) = world.array.volumes.get_mut(key) {
            volume.usage = change.usage.unwrap_or(volume.usage);
            volume.qos_policy = qos_policy;
            volume.qos_priority = change.qos_priority.or(volume.qos_priority);
            volume.alua = change.alua.unwrap_or(volume.alua);
            (volume.uid, volume.custom_uid) = uid.unwrap_or_else(|| (volume.uid.clone(), volume.custom_uid));
            volume.copy_protection = change.copy_protection.unwrap_or(volume.copy_protection);
            volume.encryption = change.encryption.unwrap_or(volume.encryption);
            volume.reducibility = change.reducibility.unwrap_or(volume.reducibility);
            volume.attention_percent = match change.attention_percent {
                Some(0) => None,
                Some(percent) => Some(percent),
                None => volume.attention_percent,
            };
        }
        change.online.into_iter().for_each(|online| turn(&mut world.array, key, online, ctx));
        key
    }
}

/// Takes a volume offline or online, and tells of it.
fn turn(array: &mut Array, key: Key<Volume>, online: bool, ctx: &Ctx) {
    let Some(volume) = array.volumes.get_mut(key).filter(|volume| volume.online != online) else { return };
    volume.online = online;
    let (severity, code, state) = if online { (Severity::Information, "volume_online", "online") } else { (Severity::Warning, "volume_offline", "offline") };
    let name = volume.name().to_owned();
    array.events.tell(ctx.now, severity, code, (Noun::Volume, &name), format!("volume '{name}' was brought {state}"));
}

/// The uid as it would be, and whether it is not the array's own. No other volume, and no image of one, must have it.
fn uid(array: &Array, volume: &Volume, asked: &str) -> Result<(String, bool), OpError> {
    let (own, _) = identity(array.personality.dialect, array.identity, &array.facts.wwn, volume.head());
    if asked.is_empty() || asked.eq_ignore_ascii_case(&own) {
        return Ok((own, false));
    }
    let refuse = |expected: &str| Err(OpError::ValueInvalid { noun: Noun::Volume, field: "uid".into(), value: asked.into(), expected: expected.into() });
    let uid = asked.to_ascii_lowercase();
    if uid.len() != 32 || !uid.bytes().all(|digit| digit.is_ascii_hexdigit()) || uid.bytes().all(|digit| digit == b'0') {
        return refuse("32 hexadecimal digits, not all zero");
    }
    if array.personality.dialect == Dialect::Eternus && uid[..24] == own[..24] {
        return refuse("a uid outside those that the array gives by number");
    }
    let images = array.snapshots.iter().flat_map(|snapshot| &snapshot.images);
    match array.volumes.iter().chain(images).find(|other| other.uid == uid && other.key() != volume.key()) {
        Some(other) => Err(OpError::AddressTaken { field: "uid".into(), address: uid, noun: Noun::Volume, by: other.name().to_owned() }),
        None => Ok((uid, true)),
    }
}

/// Volumes for snapshots have no other use, and what is copied keeps its own.
fn may_be_used_otherwise(world: &World, volume: &Volume, usage: Usage) -> Result<(), OpError> {
    if usage == volume.usage {
        return Ok(());
    }
    if volume.role != VolumeRole::Data {
        return Err(home::unsupported("usage", "another usage of volumes for snapshots"));
    }
    rules::volume_not_copied(world, volume)
}

/// Buffers for offloaded data transfer are not reduced.
fn usage_is_allowed(volume: &Volume, usage: Usage) -> Result<(), OpError> {
    if usage == Usage::Odx && volume.reduction.is_on() {
        return Err(home::unsupported("usage", "buffers for offloaded data transfer with data reduction"));
    }
    Ok(())
}

/// The home must offer the allocation and have the space for it.
fn can_be_allocated(array: &Array, volume: &Volume, allocation: Allocation) -> Result<(), OpError> {
    let site = match &volume.home {
        Home::RaidGroups(_) => Site::RaidGroups(Vec::new()),
        Home::Pool(pool) => Site::Pool(*pool),
        Home::Container(container) => Site::Container(*container),
    };
    home::allocation(array, &site, Some(allocation))?;
    let reduction = (Some(volume.reduction.deduplication), Some(volume.reduction.compression));
    home::reduction(array, &site, volume.name(), reduction, (allocation, volume.usage))?;
    match volume.home {
        Home::Pool(pool) if allocation == Allocation::Thick => {
            let pool = &array.pools[pool];
            let needed = pool.chunks(volume.size) - space::pool_allocation(pool, volume);
            room::pool_has(pool, needed)
        }
        Home::Container(container) if allocation == Allocation::Thick => {
            let (container, needed) = (&array.containers[container], volume.size - volume.layout.written());
            room::container_has(container, needed)
        }
        _ => Ok(()),
    }
}

fn allocate(array: &mut Array, key: Key<Volume>, allocation: Allocation) {
    let before = array.volumes[key].clone();
    let after = Volume { allocation, ..before.clone() };
    match before.home {
        Home::Pool(pool) => {
            if let Some(pool) = array.pools.get_mut(pool) {
                pool.allocated = pool.allocated + space::pool_allocation(pool, &after) - space::pool_allocation(pool, &before);
            }
        }
        Home::Container(container) => {
            if let Some(container) = array.containers.get_mut(container) {
                container.reserved = container.reserved + after.reservation() - before.reservation();
            }
        }
        Home::RaidGroups(_) => {}
    }
    if let Some(volume) = array.volumes.get_mut(key) {
        volume.allocation = allocation;
    }
}
