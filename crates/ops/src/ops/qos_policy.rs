//! QoS policies: create, change, delete.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, belonging, rules};
use crate::model::{AdaptiveLimits, Array, FixedLimits, Key, Noun, Object, OpError, Place, Policy, QosPolicy, QosRule, Tenant};
use crate::units::Bytes;

/// Creates a QoS policy: fixed or adaptive limits, or one of the array's levels.
///
/// Refused, in this order: none or several kinds of limits; unknown tenant; a kind, or a limit, that the array does not offer; invalid
/// name; name taken; no limit; a limit out of range, a level that does not exist; least above most; sharing that the array does not
/// offer; too many policies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = QosPolicyCreate, examples(json!({"name": "silver", "level": 6}), json!({"name": "gold", "fixed": {"iops": 20000, "bytes_per_second": "800MB"}})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// Whose it is; everyone's if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// Limits as numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<FixedLimits>,
    /// Limits that grow with what they limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<AdaptiveLimits>,
    /// The number of one of the levels that the array comes with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// Whether those that use it share its limits; not if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<bool>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    tenant: Option<Key<Tenant>>,
    rule: QosRule,
    shared: bool,
}

/// The kinds of limits that were given.
fn kinds(fixed: Option<FixedLimits>, adaptive: Option<AdaptiveLimits>, level: Option<u32>) -> Result<Option<QosRule>, OpError> {
    let given: Vec<QosRule> = fixed.map(QosRule::Fixed).into_iter().chain(adaptive.map(QosRule::Adaptive)).chain(level.map(QosRule::Level)).collect();
    if given.len() > 1 {
        let fields = given.iter().map(|rule| rule.kind().to_owned()).collect();
        return Err(OpError::Conflicting { noun: Noun::QosPolicy, fields, because: "a policy has one kind of limits".into() });
    }
    Ok(given.first().copied())
}

impl Operation for Create {
    const NAME: &'static str = "qos-policy.create";
    const POLICY: Policy = Policy::VolumeCreateModify;
    type Plan = CreatePlan;
    type Output = Key<QosPolicy>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        let Some(asked) = kinds(self.fixed, self.adaptive, self.level)? else {
            let (field, because) = (first_kind(array).to_owned(), "a policy limits something (fixed, adaptive or level)".to_owned());
            return Err(OpError::Missing { noun: Noun::QosPolicy, field, because });
        };
        let tenant = belonging::of_new(array, Noun::QosPolicy, self.tenant.as_deref())?;
        is_offered(array, &asked)?;
        rules::name_is_valid(Noun::QosPolicy, &self.name, &rule.short_name)?;
        rules::name_is_free(&array.qos_policies, &self.name, None, None)?;
        let limits = in_range(array, asked)?;
        sharing_is_offered(array, self.shared)?;
        rules::within_limit(&array.qos_policies, 1, rule.limits.qos_policies)?;
        Ok(CreatePlan { name: self.name.clone(), tenant, rule: limits, shared: self.shared.unwrap_or(false) })
    }

    fn apply(CreatePlan { name, tenant, rule, shared }: CreatePlan, world: &mut World, _: &Ctx) -> Key<QosPolicy> {
        let array = &mut world.array;
        array.qos_policies.insert(array.identity, name, |head| QosPolicy { head, tenant, shared, rule })
    }
}

/// Changes a QoS policy's name or limits. The kind of limits stays; limits that are given replace all that it has.
///
/// Refused, in this order: several kinds of limits; unknown policy; another kind than it has; a limit that the array does not offer;
/// invalid name; name taken; no limit; a limit out of range, a level that does not exist; least above most; sharing that the array does
/// not offer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = QosPolicyUpdate, examples(json!({"level": 4})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub qos_policy: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Limits as numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<FixedLimits>,
    /// Limits that grow with what they limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<AdaptiveLimits>,
    /// The number of one of the levels that the array comes with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// Whether those that use it share its limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<bool>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<QosPolicy>,
    name: Option<String>,
    rule: Option<QosRule>,
    shared: Option<bool>,
}

impl Operation for Update {
    const NAME: &'static str = "qos-policy.update";
    const POLICY: Policy = Policy::VolumeCreateModify;
    type Plan = UpdatePlan;
    type Output = Key<QosPolicy>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let asked = kinds(self.fixed, self.adaptive, self.level)?;
        let policy = array.qos_policies.find(&self.qos_policy, Place::Target)?;
        if let Some(other) = asked.filter(|asked| asked.kind() != policy.rule.kind()) {
            let because = format!("the limits of '{}' are of the kind '{}'", policy.name(), policy.rule.kind());
            return Err(OpError::Conflicting { noun: Noun::QosPolicy, fields: vec![other.kind().into()], because });
        }
        asked.as_ref().map_or(Ok(()), |asked| is_offered(array, asked))?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::QosPolicy, name, &array.personality.short_name)?;
            rules::name_is_free(&array.qos_policies, name, None, Some(policy.key()))?;
        }
        let rule = asked.map(|asked| in_range(array, asked)).transpose()?;
        sharing_is_offered(array, self.shared)?;
        Ok(UpdatePlan { key: policy.key(), name: self.name.clone(), rule, shared: self.shared })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<QosPolicy> {
        let policies = &mut world.array.qos_policies;
        if let Some(name) = plan.name {
            policies.rename(plan.key, name);
        }
        if let Some(policy) = policies.get_mut(plan.key) {
            policy.rule = plan.rule.unwrap_or(policy.rule);
            policy.shared = plan.shared.unwrap_or(policy.shared);
        }
        plan.key
    }
}

/// Deletes a QoS policy.
///
/// Refused, in this order: unknown policy; a volume or a container uses it (without `force`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = QosPolicyDelete)]
pub struct Delete {
    /// Which one.
    #[schema(ignore)]
    pub qos_policy: String,
    /// Whether it is taken away from what uses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
}

impl Operation for Delete {
    const NAME: &'static str = "qos-policy.delete";
    const POLICY: Policy = Policy::VolumeCreateModify;
    type Plan = Key<QosPolicy>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<QosPolicy>, OpError> {
        let policy = world.array.qos_policies.find(&self.qos_policy, Place::Target)?;
        match QosPolicy::user(&world.array, policy.key()).filter(|_| !self.force.unwrap_or(false)) {
            Some((by, by_name)) => Err(OpError::InUse { noun: Noun::QosPolicy, name: policy.name().to_owned(), by, by_name: by_name.to_owned() }),
            None => Ok(policy.key()),
        }
    }

    fn apply(key: Key<QosPolicy>, world: &mut World, _: &Ctx) {
        let array = &mut world.array;
        array.qos_policies.remove(key);
        let volumes: Vec<_> = array.volumes.iter().filter(|volume| volume.qos_policy == Some(key)).map(Object::key).collect();
        for volume in volumes {
            if let Some(volume) = array.volumes.get_mut(volume) {
                volume.qos_policy = None;
            }
        }
        let containers: Vec<_> = array.containers.iter().filter(|container| container.qos_policy == Some(key)).map(Object::key).collect();
        for container in containers {
            if let Some(container) = array.containers.get_mut(container) {
                container.qos_policy = None;
            }
        }
        forget_in_snapshots(array, key);
    }
}

/// A volume that comes back from a snapshot does not bring back a policy that is gone.
fn forget_in_snapshots(array: &mut Array, policy: Key<QosPolicy>) {
    let uses = |snapshot: &&crate::model::Snapshot| snapshot.images.iter().any(|image| image.qos_policy == Some(policy));
    let snapshots: Vec<_> = array.snapshots.iter().filter(uses).map(Object::key).collect();
    for key in snapshots {
        let images = array.snapshots.get_mut(key).into_iter().flat_map(|snapshot| &mut snapshot.images);
        images.filter(|image| image.qos_policy == Some(policy)).for_each(|image| image.qos_policy = None);
    }
}

/// The field of the kind of limits that the array offers first.
fn first_kind(array: &Array) -> &'static str {
    let offer = &array.personality.offer.qos;
    if offer.fixed {
        "fixed"
    } else if offer.levels.is_empty() {
        "adaptive"
    } else {
        "level"
    }
}

/// The array must offer that kind of limits, and each limit.
fn is_offered(array: &Array, rule: &QosRule) -> Result<(), OpError> {
    let offer = &array.personality.offer.qos;
    let refuse = |field: &str, what: &str| Err(OpError::NotSupported { noun: Noun::QosPolicy, field: field.into(), what: what.into() });
    match rule {
        QosRule::Fixed(_) if !offer.fixed => refuse("fixed", "limits as numbers"),
        QosRule::Adaptive(_) if !offer.adaptive => refuse("adaptive", "limits that grow with the size"),
        QosRule::Level(_) if offer.levels.is_empty() => refuse("level", "levels of QoS"),
        QosRule::Fixed(limits) => {
            let apart = [
                ("fixed.read_iops", limits.read_iops.is_some()),
                ("fixed.write_iops", limits.write_iops.is_some()),
                ("fixed.read_bytes_per_second", limits.read_bytes_per_second.is_some()),
                ("fixed.write_bytes_per_second", limits.write_bytes_per_second.is_some()),
            ];
            match apart.into_iter().find(|(_, given)| *given && !offer.split) {
                Some((field, _)) => refuse(field, "limits of reads and writes apart"),
                None if limits.least_iops.is_some() && !offer.least => refuse("fixed.least_iops", "promises of what is there at least"),
                None => Ok(()),
            }
        }
        QosRule::Adaptive(_) | QosRule::Level(_) => Ok(()),
    }
}

fn sharing_is_offered(array: &Array, shared: Option<bool>) -> Result<(), OpError> {
    if shared == Some(true) && !array.personality.offer.qos.shared {
        return Err(OpError::NotSupported { noun: Noun::QosPolicy, field: "shared".into(), what: "limits that several volumes share".into() });
    }
    Ok(())
}

/// All limits must lie in the array's ranges; answers with them, bytes rounded up to the array's unit.
fn in_range(array: &Array, rule: QosRule) -> Result<QosRule, OpError> {
    match rule {
        QosRule::Fixed(limits) => fixed_in_range(array, limits).map(QosRule::Fixed),
        QosRule::Adaptive(limits) => adaptive_in_range(array, limits).map(QosRule::Adaptive),
        QosRule::Level(number) => {
            let levels = &array.personality.offer.qos.levels;
            if levels.iter().any(|level| level.number == number) {
                return Ok(rule);
            }
            let (least, most) = (levels.first().map_or(0, |level| level.number), levels.last().map_or(0, |level| level.number));
            rules::in_range(Noun::QosPolicy, "level", u64::from(number), (u64::from(least), u64::from(most))).map(|()| rule)
        }
    }
}

fn fixed_in_range(array: &Array, limits: FixedLimits) -> Result<FixedLimits, OpError> {
    let offer = &array.personality.offer.qos;
    if limits == FixedLimits::default() {
        return Err(OpError::Missing { noun: Noun::QosPolicy, field: "fixed.iops".into(), because: "a policy limits something".into() });
    }
    let counts =
        [("fixed.iops", limits.iops), ("fixed.read_iops", limits.read_iops), ("fixed.write_iops", limits.write_iops), ("fixed.least_iops", limits.least_iops)];
    for (field, count) in counts {
        count.map_or(Ok(()), |count| rules::in_range(Noun::QosPolicy, field, count, (1, offer.iops_max)))?;
    }
    let rate = |field: &str, bytes: Option<Bytes>| {
        let Some(bytes) = bytes else { return Ok(None) };
        let rounded = bytes.round_up(offer.bytes_unit);
        if (offer.bytes_unit..=offer.bytes_max).contains(&rounded) {
            return Ok(Some(rounded));
        }
        let (least, most) = (offer.bytes_unit.to_string(), offer.bytes_max.to_string());
        Err(OpError::OutOfRange { noun: Noun::QosPolicy, field: field.into(), value: bytes.to_string(), least, most })
    };
    let bytes_per_second = rate("fixed.bytes_per_second", limits.bytes_per_second)?;
    let read_bytes_per_second = rate("fixed.read_bytes_per_second", limits.read_bytes_per_second)?;
    let write_bytes_per_second = rate("fixed.write_bytes_per_second", limits.write_bytes_per_second)?;
    if let (Some(least), Some(most)) = (limits.least_iops, limits.iops) {
        rules::in_range(Noun::QosPolicy, "fixed.least_iops", least, (1, most))?;
    }
    Ok(FixedLimits { bytes_per_second, read_bytes_per_second, write_bytes_per_second, ..limits })
}

fn adaptive_in_range(array: &Array, limits: AdaptiveLimits) -> Result<AdaptiveLimits, OpError> {
    let most = array.personality.offer.qos.iops_max;
    rules::in_range(Noun::QosPolicy, "adaptive.expected_iops_per_tib", limits.expected_iops_per_tib, (1, most))?;
    rules::in_range(Noun::QosPolicy, "adaptive.peak_iops_per_tib", limits.peak_iops_per_tib, (limits.expected_iops_per_tib, most))?;
    limits.least_iops.map_or(Ok(()), |least| rules::in_range(Noun::QosPolicy, "adaptive.least_iops", least, (1, most)))?;
    let block = limits.block_size.map_or(4096, Bytes::get);
    rules::in_range(Noun::QosPolicy, "adaptive.block_size", block, (4096, 1 << 20))?;
    Ok(limits)
}
