//! Creating volumes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::home::{self, Named, Site};
use super::{names, role};
use crate::model::{
    Allocation, Alua, Array, Dialect, Head, Home, Key, Layout, Noun, OpError, Policy, QosPolicy, QosPriority, Reduction, Slice, Tenant, Usage, Volume,
    VolumeFormat, VolumeRole, placement,
};
use crate::ops::{Ctx, Operation, Output, Reference, World, belonging, room, rules};
use crate::units::{Bytes, Ratio, SimTime};

/// Creates one volume, or several alike with numbered names.
///
/// Refused, in this order: no home or several named; unknown home, or one that this array does not put volumes in; fewer than two
/// different `raid_groups`; RAID group in a pool; a home that is broken; unknown tenant or QoS policy; no tenant where the array wants one; count, start number or digits out of range; a format outside containers; invalid name; name taken; size out of range; an own area of other
/// volumes than snap data volumes; a role that the array, the home or the usage does not go with, or a size out of its range; threshold out of range; allocation that the home
/// does not offer; data reduction that the home, the allocation or the usage does not offer; encryption
/// switched off; a home or a QoS policy of another tenant; too many volumes; the tenant would have too many or too much; too much promised; no space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeCreate, examples(json!({"name": "D0", "pool": "P0", "size": "4TB", "deduplication": true, "compression": true})))]
pub struct Create {
    /// Its name; of several, what comes before the number.
    pub name: String,
    /// The size that hosts see, rounded up to the array's unit.
    pub size: Bytes,
    /// The RAID group that it shall live in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raid_group: Option<String>,
    /// The RAID groups over which it shall be striped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raid_groups: Option<Vec<String>>,
    /// The pool that it shall live in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// The container that it shall live in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
    /// How many; the answer is then a list, even of one. The names of several get numbers, and a number whose name is taken is passed over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// The first number; 0 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_number: Option<u32>,
    /// The least digits of the number, 1 to 5; 1 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digits: Option<u32>,
    /// What it is used for; an `odx` buffer has at most 1 TiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Whether it holds data of hosts (the rule), or is a snap data volume or a snap data pool volume; these live in one RAID group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<VolumeRole>,
    /// Of a snap data volume: how much of its RAID group it gets for itself; a small part of its size if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_area: Option<Bytes>,
    /// Whether it must not become the destination of a copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_protection: Option<bool>,
    /// Whether its data is encrypted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encryption: Option<bool>,
    /// Whether its whole size is set aside: always in RAID groups, otherwise `thin` unless asked (in a container, as that is).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocation: Option<Allocation>,
    /// Whether it is deduplicated; with `compression` exactly what its pool has, or nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deduplication: Option<bool>,
    /// Whether it is compressed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<bool>,
    /// How far the data that hosts will write can be reduced; 1 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reducibility: Option<Ratio>,
    /// Used share in percent at which a thin volume calls for attention, 1 to 100; 80 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attention_percent: Option<u32>,
    /// Whose it is; in a container, its tenant; otherwise of the array itself if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The QoS policy that limits it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qos_policy: Option<String>,
    /// What automatic QoS gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qos_priority: Option<QosPriority>,
    /// Which paths to it the array calls the better ones; as the host response says if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alua: Option<Alua>,
    /// In a container: whether it is for SCSI or for NVMe hosts; for those to whom it is mapped if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<VolumeFormat>,
}

/// What was made: one volume, or, where a count was asked for, a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Made {
    /// One, without a count.
    One(Key<Volume>),
    /// As many as were counted.
    Many(Vec<Key<Volume>>),
}

impl Output for Made {
    fn references(&self, world: &World) -> Vec<Reference> {
        match self {
            Made::One(key) => key.references(world),
            Made::Many(keys) => keys.references(world),
        }
    }
    fn touch(&self, world: &mut World, revision: u64) {
        match self {
            Made::One(key) => key.touch(world, revision),
            Made::Many(keys) => keys.touch(world, revision),
        }
    }
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    names: Vec<String>,
    homes: Vec<Home>,
    size: Bytes,
    allocation: Allocation,
    reduction: Reduction,
    tenant: Option<Key<Tenant>>,
    qos_policy: Option<Key<QosPolicy>>,
    request: Create,
}

impl Operation for Create {
    const NAME: &'static str = "volume.create";
    const POLICY: Policy = Policy::VolumeCreateModify;
    type Plan = CreatePlan;
    type Output = Made;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        let named = Named {
            raid_group: self.raid_group.as_ref(),
            raid_groups: self.raid_groups.as_ref(),
            pool: self.pool.as_ref(),
            container: self.container.as_ref(),
        };
        named.is_one()?;
        let site = named.resolve(array)?;
        let tenant = self.owner(array, &site)?;
        let qos_policy = belonging::qos_policy(array, self.qos_policy.as_deref())?.flatten();
        let count = self.count.unwrap_or(1);
        let numbering = self.numbering(rule.bulk_max)?;
        let scope = if let Site::Container(container) = site { Some(container.raw()) } else { None };
        format_is_offered(self.format, scope)?;
        let names = names::bulk_names(&array.volumes, scope, &self.name, numbering, count, &rule.volume_name)?;
        let size = size_is_allowed(array, self.size, self.usage.unwrap_or_default())?;
        let area = role::space_at_home(array, &site, size, self)?;
        attention_is_allowed(self.attention_percent, 1)?;
        let allocation = home::allocation(array, &site, self.allocation)?;
        let usage = self.usage.unwrap_or_default();
        let reduction = home::reduction(array, &site, &self.name, (self.deduplication, self.compression), (allocation, usage))?;
        rules::encryption_is_on(array, self.encryption)?;
        home::is_open_to(array, &site, tenant)?;
        belonging::policy_is_open(array, qos_policy, tenant)?;
        rules::within_limit(&array.volumes, names.len(), rule.limits.volumes)?;
        let promised = if scope.is_none() { size.times(u64::from(count)) } else { Bytes::ZERO };
        belonging::has_room(array, tenant, names.len(), promised)?;
        let homes = homes(array, &site, area, names.len(), allocation, reduction.is_on())?;
        Ok(CreatePlan { names, homes, size, allocation, reduction, tenant, qos_policy, request: self.clone() })
    }

    fn apply(plan: CreatePlan, world: &mut World, ctx: &Ctx) -> Made {
        let CreatePlan { names, homes, size, allocation, reduction, tenant, qos_policy, request } = plan;
        let array = &mut world.array;
        let mut made = Vec::with_capacity(names.len());
        for (name, home) in names.into_iter().zip(homes) {
            let key = insert(array, name, ctx.now, |blank| Volume {
                home,
                size,
                usage: request.usage.unwrap_or_default(),
                allocation,
                copy_protection: request.copy_protection.unwrap_or(false),
                role: request.role.unwrap_or_default(),
                encryption: request.encryption.unwrap_or(false),
                reduction,
                reducibility: request.reducibility.unwrap_or_default(),
                attention_percent: Some(request.attention_percent.unwrap_or(80)),
                tenant,
                qos_policy,
                qos_priority: request.qos_priority,
                alua: request.alua.unwrap_or_default(),
                format: request.format.unwrap_or_default(),
                ..blank
            });
            placement::move_in(array, key);
            made.push(key);
        }
        match made[..] {
            [one] if request.count.is_none() => Made::One(one),
            _ => Made::Many(made),
        }
    }
}

impl Create {
    /// Whose it shall be: a volume in a container belongs to its tenant when nobody is named.
    fn owner(&self, array: &Array, site: &Site) -> Result<Option<Key<Tenant>>, OpError> {
        match site {
            Site::Container(container) if self.tenant.is_none() => Ok(array.containers[*container].tenant),
            _ => belonging::of_new(array, Noun::Volume, self.tenant.as_deref()),
        }
    }
    /// The numbers of several volumes must be sensible; `None`: one volume without a number.
    fn numbering(&self, bulk_max: u32) -> Result<Option<(u32, usize)>, OpError> {
        rules::in_range(Noun::Volume, "count", u64::from(self.count.unwrap_or(1)), (1, u64::from(bulk_max)))?;
        rules::in_range(Noun::Volume, "start_number", u64::from(self.start_number.unwrap_or(0)), (0, 65_535))?;
        let digits = self.digits.unwrap_or(1);
        rules::in_range(Noun::Volume, "digits", u64::from(digits), (1, 5))?;
        let numbered = self.count.is_some_and(|count| count > 1) || self.start_number.is_some() || self.digits.is_some();
        Ok(numbered.then(|| (self.start_number.unwrap_or(0), usize::try_from(digits).unwrap_or(1))))
    }
}

/// Volumes in containers alone are for hosts of one kind.
fn format_is_offered(format: Option<VolumeFormat>, scope: Option<u32>) -> Result<(), OpError> {
    match (format, scope) {
        (Some(VolumeFormat::Lun | VolumeFormat::Namespace), None) => {
            Err(home::unsupported("format", "volumes outside containers for SCSI or NVMe hosts alone"))
        }
        _ => Ok(()),
    }
}

/// The size, rounded up to the array's unit, must lie in the array's range.
pub(super) fn size_is_allowed(array: &Array, size: Bytes, usage: Usage) -> Result<Bytes, OpError> {
    let rule = &array.personality;
    let most = if usage == Usage::Odx { Bytes::tib(1).min(rule.volume_size_max) } else { rule.volume_size_max };
    let rounded = size.round_up(rule.size_unit);
    if size >= rule.volume_size_min && rounded <= most {
        return Ok(rounded);
    }
    Err(OpError::OutOfRange {
        noun: Noun::Volume,
        field: "size".into(),
        value: size.to_string(),
        least: rule.volume_size_min.to_string(),
        most: most.to_string(),
    })
}

/// The threshold of a thin volume must be a percentage of at least `least`.
pub(super) fn attention_is_allowed(percent: Option<u32>, least: u64) -> Result<(), OpError> {
    percent.map_or(Ok(()), |percent| rules::in_range(Noun::Volume, "attention_percent", u64::from(percent), (least, 100)))
}

fn homes(array: &Array, site: &Site, size: Bytes, count: usize, allocation: Allocation, reduced: bool) -> Result<Vec<Home>, OpError> {
    let many = u64::try_from(count).unwrap_or(u64::MAX);
    match site {
        Site::RaidGroups(groups) => home::slices(array, groups, size, count).map(|all: Vec<Vec<Slice>>| all.into_iter().map(Home::RaidGroups).collect()),
        Site::Pool(key) => {
            let pool = &array.pools[*key];
            home::pool_can_promise(array, pool, size.times(many), reduced)?;
            home::chunks_are_free(pool, reduced, allocation, size, many)?;
            Ok(vec![Home::Pool(*key); count])
        }
        Site::Container(key) => {
            let container = &array.containers[*key];
            let needed = if allocation == Allocation::Thick { size.times(many) } else { Bytes::ZERO };
            room::container_has(container, needed)?;
            Ok(vec![Home::Container(*key); count])
        }
    }
}

/// Inserts a volume that `make` completes.
fn insert(array: &mut Array, name: String, now: SimTime, make: impl FnOnce(Volume) -> Volume) -> Key<Volume> {
    let (dialect, seeds, facts) = (array.personality.dialect, array.identity, array.facts.clone());
    array.generation += 1;
    let generation = array.generation;
    array.volumes.insert(array.identity, name, |head| {
        let (uid, serial_number) = identity(dialect, seeds, &facts.wwn, &head);
        let lineage = u64::from(head.key());
        make(Volume {
            head,
            home: Home::RaidGroups(Vec::new()),
            size: Bytes::ZERO,
            usage: Usage::Block,
            allocation: Allocation::Thin,
            encryption: false,
            reduction: Reduction::NONE,
            reducibility: Ratio::ONE,
            attention_percent: None,
            layout: Layout::default(),
            generation,
            frozen: false,
            lineage,
            uid,
            serial_number,
            copy_protection: false,
            role: VolumeRole::Data,
            migration: None,
            created: now,
            tenant: None,
            qos_policy: None,
            qos_priority: None,
            alua: Alua::FollowHostResponse,
            custom_uid: false,
            format: VolumeFormat::Open,
            online: true,
            relocation: None,
            formatting: false,
        })
    })
}

/// The names by which hosts know a volume: (uid, serial number).
///
/// ETERNUS: NAA 6, Fujitsu's OUI, a part of the system's and the volume number; ONTAP: NetApp's OUI and a serial number of twelve
/// characters. Elsewhere: NAA 6 and digits of our own.
pub(in crate::ops) fn identity(dialect: Dialect, seeds: crate::model::Identity, wwn: &str, head: &Head) -> (String, String) {
    let bits = seeds.bits(&format!("volume-serial:{}", head.key()));
    match dialect {
        Dialect::Eternus => {
            let system = seeds.bits("system") & 0x00ff_ffff_ffff_ffff;
            let uid = format!("600000e00d{system:014x}{:04x}0000", head.number() & 0xffff);
            (uid.clone(), uid[10..].to_owned())
        }
        Dialect::Ontap => {
            const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-+";
            let serial: String =
                (0..12).map(|place| char::from(LETTERS[usize::try_from((seeds.bits(&format!("{bits}:{place}"))) & 63).unwrap_or(0)])).collect();
            let hex: String = serial.bytes().map(|byte| format!("{byte:02x}")).collect();
            (format!("600a0980{hex}"), serial)
        }
        Dialect::Generic => (format!("6{:015x}{bits:016x}", u64::from_str_radix(wwn, 16).unwrap_or(0) & 0x0fff_ffff_ffff_ffff), format!("{bits:016X}")),
    }
}
