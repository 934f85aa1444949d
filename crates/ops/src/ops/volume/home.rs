//! Where a volume is to live: resolving the reference, and what each kind of home allows.

use std::collections::BTreeSet;

use crate::model::{
    Allocation, Array, Container, Key, Noun, Object, OpError, Place, Pool, RaidGroup, Reduction, ReductionDomain, Slice, Tenant, Usage, placement, space,
};
use crate::ops::{belonging, health_rules, room};
use crate::units::Bytes;

/// A resolved home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// One or several RAID groups.
    RaidGroups(Vec<Key<RaidGroup>>),
    /// A pool.
    Pool(Key<Pool>),
    /// A container.
    Container(Key<Container>),
}

/// The ways in which a request can name a home.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Named<'a> {
    pub(super) raid_group: Option<&'a String>,
    pub(super) raid_groups: Option<&'a Vec<String>>,
    pub(super) pool: Option<&'a String>,
    pub(super) container: Option<&'a String>,
}

impl Named<'_> {
    /// Exactly one home must be named.
    pub(super) fn is_one(&self) -> Result<(), OpError> {
        let given = [
            ("raid_group", self.raid_group.is_some()),
            ("raid_groups", self.raid_groups.is_some()),
            ("pool", self.pool.is_some()),
            ("container", self.container.is_some()),
        ];
        let named: Vec<String> = given.iter().filter(|(_, given)| *given).map(|(field, _)| (*field).to_owned()).collect();
        match named.len() {
            1 => Ok(()),
            0 => Err(OpError::Missing {
                noun: Noun::Volume,
                field: "pool".into(),
                because: "a volume lives in a pool, a container, a RAID group or several RAID groups".into(),
            }),
            _ => Err(OpError::Conflicting { noun: Noun::Volume, fields: named, because: "a volume lives in one place".into() }),
        }
    }

    /// What is named, which must exist, be of a kind that this array has, and not be broken.
    pub(super) fn resolve(&self, array: &Array) -> Result<Site, OpError> {
        let site = self.site(array)?;
        match &site {
            Site::RaidGroups(groups) => groups.iter().try_for_each(|group| health_rules::group_serves(array, &array.raid_groups[*group]))?,
            Site::Pool(pool) => health_rules::pool_serves(array, &array.pools[*pool])?,
            Site::Container(container) => health_rules::container_serves(array, *container)?,
        }
        Ok(site)
    }
    fn site(&self, array: &Array) -> Result<Site, OpError> {
        let rule = &array.personality;
        if let Some(pool) = self.pool {
            let pool = array.pools.find(pool, Place::field("pool"))?.key();
            return if rule.volumes_in_pools { Ok(Site::Pool(pool)) } else { Err(unsupported("pool", "volumes directly in a pool; they live in containers")) };
        }
        if let Some(container) = self.container {
            return array.containers.find(container, Place::field("container")).map(|container| Site::Container(container.key()));
        }
        let (field, named) = match (self.raid_group, self.raid_groups) {
            (Some(one), _) => ("raid_group", std::slice::from_ref(one)),
            (None, several) => ("raid_groups", several.map(Vec::as_slice).unwrap_or_default()),
        };
        let groups: Vec<Key<RaidGroup>> =
            named.iter().map(|group| array.raid_groups.find(group, Place::field(field)).map(Object::key)).collect::<Result<_, _>>()?;
        if !rule.volumes_in_raid_groups {
            return Err(unsupported(field, "volumes directly in RAID groups"));
        }
        let distinct: BTreeSet<_> = groups.iter().collect();
        if field == "raid_groups" && (groups.len() < 2 || distinct.len() != groups.len()) {
            let expected = "two or more different RAID groups".into();
            return Err(OpError::ValueInvalid { noun: Noun::Volume, field: field.into(), value: named.join(", "), expected });
        }
        groups_are_open(array, &groups)?;
        Ok(Site::RaidGroups(groups))
    }
}

/// This array's volumes cannot do that.
pub(super) fn unsupported(field: &str, what: &str) -> OpError {
    OpError::NotSupported { noun: Noun::Volume, field: field.into(), what: what.into() }
}

/// RAID groups of a pool hold no volumes of their own.
fn groups_are_open(array: &Array, groups: &[Key<RaidGroup>]) -> Result<(), OpError> {
    for group in groups.iter().map(|key| &array.raid_groups[*key]) {
        if let Some(pool) = group.pool {
            return Err(OpError::RaidGroupInPool { raid_group: group.name().to_owned(), pool: array.pools[pool].name().to_owned() });
        }
    }
    Ok(())
}

/// What belongs to a tenant lives in its pools, or in its containers.
pub(super) fn is_open_to(array: &Array, site: &Site, tenant: Option<Key<Tenant>>) -> Result<(), OpError> {
    match site {
        Site::RaidGroups(_) if tenant.is_some() => Err(unsupported("tenant", "volumes of tenants in RAID groups; they live in pools")),
        Site::RaidGroups(_) => Ok(()),
        Site::Pool(pool) => belonging::pool_is_open(array, &array.pools[*pool], tenant),
        Site::Container(container) => {
            let container = &array.containers[*container];
            belonging::is_of(array, (Noun::Container, container.name()), container.tenant, tenant)
        }
    }
}

/// How a volume's space is allocated there when nothing, or this, is asked for.
pub(super) fn allocation(array: &Array, site: &Site, asked: Option<Allocation>) -> Result<Allocation, OpError> {
    match (site, asked) {
        (Site::RaidGroups(_), Some(Allocation::Thin)) => Err(unsupported("allocation", "thin volumes in RAID groups")),
        (Site::RaidGroups(_), _) => Ok(Allocation::Thick),
        (Site::Pool(_), asked) => Ok(asked.unwrap_or(Allocation::Thin)),
        (Site::Container(container), asked) => Ok(asked.unwrap_or(match array.containers[*container].guarantee {
            crate::model::Guarantee::Thick => Allocation::Thick,
            crate::model::Guarantee::Thin => Allocation::Thin,
        })),
    }
}

/// Which reductions a volume has there; `volume` is its name for the refusal.
///
/// In a pool it must be exactly what the pool has, or none, and reduced volumes are thin and no buffers for offloaded data transfer. In a
/// container the container's setting counts.
pub(super) fn reduction(
    array: &Array,
    site: &Site,
    volume: &str,
    (deduplication, compression): (Option<bool>, Option<bool>),
    (allocation, usage): (Allocation, Usage),
) -> Result<Reduction, OpError> {
    let wanted = Reduction { deduplication: deduplication.unwrap_or(false), compression: compression.unwrap_or(false) };
    let field = if deduplication == Some(true) { "deduplication" } else { "compression" };
    if !wanted.is_on() {
        return Ok(Reduction::NONE);
    }
    let Site::Pool(pool) = site else {
        let what = if matches!(site, Site::Container(_)) {
            "data reduction of a volume in a container; it is set on the container"
        } else {
            "data reduction in RAID groups"
        };
        return Err(unsupported(field, what));
    };
    room::reduction_is_offered(array, wanted, ReductionDomain::Pool, Noun::Volume)?;
    let pool = &array.pools[*pool];
    if wanted != pool.reduction {
        return Err(OpError::ReductionMismatch {
            volume: volume.to_owned(),
            wanted: wanted.to_string(),
            pool: pool.name().to_owned(),
            offered: pool.reduction.to_string(),
        });
    }
    if allocation == Allocation::Thick {
        return Err(unsupported("allocation", "thick volumes with data reduction"));
    }
    if usage == Usage::Odx {
        return Err(unsupported("usage", "buffers for offloaded data transfer with data reduction"));
    }
    Ok(wanted)
}

/// The pool must be able to promise `more`, in all and for reduced volumes.
pub(super) fn pool_can_promise(array: &Array, pool: &Pool, more: Bytes, reduced: bool) -> Result<(), OpError> {
    room::pool_may_promise(pool, more)?;
    let rule = &array.personality;
    if reduced {
        let (promised, limit) = (pool.provisioned_reduced + more, pool.capacity.times(rule.reduction_promise_times));
        return if promised <= limit { Ok(()) } else { Err(OpError::ReductionPromise { pool: pool.name().to_owned(), promised, limit }) };
    }
    let plain = array.pools.iter().map(|pool| pool.provisioned - pool.provisioned_reduced).sum::<Bytes>() + more;
    let limit = array.pool_capacity_most();
    if plain <= limit { Ok(()) } else { Err(OpError::OverProvisioned { pool: "all pools together".into(), provisioned: plain, limit }) }
}

/// Areas for one volume after another in the same RAID groups.
pub(super) fn slices(array: &Array, groups: &[Key<RaidGroup>], size: Bytes, count: usize) -> Result<Vec<Vec<Slice>>, OpError> {
    let mut ahead: Vec<RaidGroup> = groups.iter().map(|key| array.raid_groups[*key].clone()).collect();
    let mut planned = Vec::with_capacity(count);
    for _ in 0..count {
        let fit = placement::fit(&ahead.iter().collect::<Vec<_>>(), size, array.personality.size_unit);
        let areas = fit.map_err(|full| {
            let group = &ahead[full];
            let needed = size.divided(u64::try_from(ahead.len()).unwrap_or(1));
            OpError::NoSpace { raid_group: group.name().to_owned(), needed, largest_free_area: group.largest_free_area() }
        })?;
        for (index, area) in &areas {
            ahead[*index].take(*area);
        }
        planned.push(areas.into_iter().map(|(index, area)| Slice { raid_group: groups[index], area }).collect());
    }
    Ok(planned)
}

/// Chunks that new volumes take from a pool at once must be free.
pub(super) fn chunks_are_free(pool: &Pool, reduced: bool, allocation: Allocation, size: Bytes, count: u64) -> Result<(), OpError> {
    let needed = space::allocation_of(pool, reduced, allocation, size, Bytes::ZERO).times(count);
    room::pool_has(pool, needed)
}
