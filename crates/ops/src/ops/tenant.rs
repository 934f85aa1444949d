//! Tenants: create, change, delete.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::members::Members;
use super::{Ctx, Operation, World, record, rules};
use crate::model::{Array, Key, Noun, Object, OpError, Place, Policy, Pool, Protocol, Record, TargetService, Tenant, TenantState};
use crate::units::Bytes;

/// Creates a tenant.
///
/// Refused, in this order: unknown pool; a pool named twice; invalid name; name taken; comment too long; no protocol, one named twice
/// or one that the array's hosts cannot speak; too many tenants.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TenantCreate, examples(json!({"name": "finance", "pools": ["P0"], "capacity_limit": "10TB"})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// Free text, up to 255 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// What its hosts may speak; everything that the array speaks if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocols: Option<Vec<Protocol>>,
    /// The pools in which its volumes and containers may live, by id, number or name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pools: Option<Vec<String>>,
    /// The most that its containers, and volumes outside containers, may promise together; 0 or left out for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity_limit: Option<Bytes>,
    /// The most volumes that it may have; 0 or left out for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume_limit: Option<u64>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    request: Create,
    protocols: Vec<Protocol>,
    pools: Vec<Key<Pool>>,
}

const fn members<'a>(all: Option<&'a [String]>, more: Option<&'a [String]>, less: Option<&'a [String]>) -> Members<'a> {
    Members { noun: Noun::Tenant, all: ("pools", all), more: ("add_pools", more), less: ("remove_pools", less) }
}

impl Operation for Create {
    const NAME: &'static str = "tenant.create";
    const POLICY: Policy = Policy::StorageManagement;
    type Plan = CreatePlan;
    type Output = Key<Tenant>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        let members = members(Some(self.pools.as_deref().unwrap_or_default()), None, None);
        let named = members.resolve(&array.pools, &[])?.unwrap_or_default();
        let pools = members.once_each(&array.pools, &named)?;
        rules::name_is_valid(Noun::Tenant, &self.name, &rule.short_name)?;
        rules::name_is_free(&array.tenants, &self.name, None, None)?;
        rules::text_is_short(Noun::Tenant, "comment", self.comment.as_deref(), 255)?;
        let protocols = self.protocols.as_ref().map_or_else(|| Ok(rule.offer.host_protocols.clone()), |asked| protocols(array, asked))?;
        rules::within_limit(&array.tenants, 1, rule.limits.tenants)?;
        Ok(CreatePlan { request: self.clone(), protocols, pools })
    }

    fn apply(CreatePlan { request, protocols, pools }: CreatePlan, world: &mut World, ctx: &Ctx) -> Key<Tenant> {
        let array = &mut world.array;
        array.tenants.insert(array.identity, request.name, |head| Tenant {
            head,
            state: TenantState::Running,
            comment: request.comment.unwrap_or_default(),
            protocols,
            pools,
            capacity_limit: request.capacity_limit.filter(|limit| !limit.is_zero()),
            volume_limit: request.volume_limit.filter(|limit| *limit > 0),
            created: ctx.now,
        })
    }
}

/// Changes a tenant; what is left out stays. `pools` replaces all, `add_pools` and `remove_pools` change some. A stopped tenant's hosts are
/// not served. Limits count for what comes from then on.
///
/// Refused, in this order: all pools and some named together; unknown tenant; unknown pool, or a pool to be removed that is not
/// assigned; a pool that would be assigned twice; invalid name; name taken; comment too long; no protocol, one named twice or one that
/// the array's hosts cannot speak; a host, a host group, an interface or a target service speaks a protocol that goes; a volume or a container lives in a pool that
/// goes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TenantUpdate, examples(json!({"state": "stopped", "add_pools": ["P1"]})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub tenant: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its new comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Whether its hosts are served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<TenantState>,
    /// What its hosts may speak.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocols: Option<Vec<Protocol>>,
    /// All the pools that it shall have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pools: Option<Vec<String>>,
    /// Pools that shall be assigned to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add_pools: Option<Vec<String>>,
    /// Pools that shall no longer be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove_pools: Option<Vec<String>>,
    /// The most that it may promise; 0 for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity_limit: Option<Bytes>,
    /// The most volumes that it may have; 0 for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume_limit: Option<u64>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<Tenant>,
    request: Update,
    protocols: Option<Vec<Protocol>>,
    pools: Option<Vec<Key<Pool>>>,
}

impl Operation for Update {
    const NAME: &'static str = "tenant.update";
    const POLICY: Policy = Policy::StorageManagement;
    type Plan = UpdatePlan;
    type Output = Key<Tenant>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let members = members(self.pools.as_deref(), self.add_pools.as_deref(), self.remove_pools.as_deref());
        members.is_one_way()?;
        let tenant = array.tenants.find(&self.tenant, Place::Target)?;
        let named = members.resolve(&array.pools, &tenant.pools)?;
        let pools = named.map(|named| members.once_each(&array.pools, &named)).transpose()?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::Tenant, name, &array.personality.short_name)?;
            rules::name_is_free(&array.tenants, name, None, Some(tenant.key()))?;
        }
        rules::text_is_short(Noun::Tenant, "comment", self.comment.as_deref(), 255)?;
        let protocols = self.protocols.as_ref().map(|asked| protocols(array, asked)).transpose()?;
        let kept = protocols.as_deref().unwrap_or(&tenant.protocols);
        nobody_speaks_others(array, tenant, kept)?;
        pools.as_ref().map_or(Ok(()), |pools| nothing_lives_elsewhere(array, tenant, pools))?;
        Ok(UpdatePlan { key: tenant.key(), request: self.clone(), protocols, pools })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<Tenant> {
        let UpdatePlan { key, request, protocols, pools } = plan;
        if let Some(name) = request.name {
            let own: Vec<(Key<TargetService>, Protocol)> = world.array.services.owned_by(key.raw()).map(|service| (service.key(), service.protocol)).collect();
            for (service, protocol) in own {
                world.array.services.rename(service, TargetService::name_for(&name, protocol));
            }
            world.array.tenants.rename(key, name);
        }
        if let Some(tenant) = world.array.tenants.get_mut(key) {
            tenant.comment = request.comment.unwrap_or_else(|| tenant.comment.clone());
            tenant.state = request.state.unwrap_or(tenant.state);
            tenant.protocols = protocols.unwrap_or_else(|| tenant.protocols.clone());
            tenant.pools = pools.unwrap_or_else(|| tenant.pools.clone());
            tenant.capacity_limit = request.capacity_limit.map_or(tenant.capacity_limit, |limit| Some(limit).filter(|limit| !limit.is_zero()));
            tenant.volume_limit = request.volume_limit.map_or(tenant.volume_limit, |limit| Some(limit).filter(|limit| *limit > 0));
        }
        key
    }
}

/// Deletes a tenant with its records; with its contents, its hosts, host groups, port groups, LUN groups, affinities, interfaces, QoS policies and
/// target services go, too, but never a volume or a container.
///
/// Refused, in this order: unknown tenant; a volume, container, host, host group, port group, LUN group, interface, QoS policy or target service
/// belongs to it; with its contents: a volume or a container does; a note of something else refers to one of its records.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TenantDelete)]
pub struct Delete {
    /// Which one.
    pub tenant: String,
    /// Whether what belongs to it goes with it, all but volumes and containers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with_contents: Option<bool>,
}

impl Operation for Delete {
    const NAME: &'static str = "tenant.delete";
    const POLICY: Policy = Policy::StorageManagement;
    type Plan = Key<Tenant>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Tenant>, OpError> {
        let tenant = world.array.tenants.find(&self.tenant, Place::Target)?;
        let contents = |by: Noun| self.with_contents == Some(true) && !matches!(by, Noun::Volume | Noun::Container);
        match Tenant::belongings(&world.array, tenant.key()).filter(|(by, _)| !contents(*by)) {
            Some((by, by_name)) => Err(OpError::InUse { noun: Noun::Tenant, name: tenant.name().to_owned(), by, by_name: by_name.to_owned() }),
            None => {
                let records: Vec<Uuid> = world.array.records_of(tenant.key()).map(Object::id).collect();
                record::nobody_refers_to(world, &records, |user| user.id == tenant.id())?;
                Ok(tenant.key())
            }
        }
    }

    fn apply(key: Key<Tenant>, world: &mut World, _: &Ctx) {
        let array = &mut world.array;
        let records: Vec<(Key<Record>, Uuid)> = array.records_of(key).map(|record| (record.key(), record.id())).collect();
        for (record, _) in &records {
            array.records.remove(*record);
        }
        array.forget_in_images(&records.into_iter().map(|(_, id)| id).collect::<Vec<_>>());
        remove_contents(array, key);
        array.tenants.remove(key);
    }
}

/// Takes away what belongs to a tenant, what others are used by first. It has no volumes, so it has no mappings.
fn remove_contents(array: &mut Array, tenant: Key<Tenant>) {
    let own = Some(tenant);
    let groups: BTreeSet<_> = array.host_groups.iter().filter(|item| item.tenant == own).map(Object::key).collect();
    array.affinities.remove_where(|item| groups.contains(&item.host_group));
    array.host_groups.remove_where(|item| item.tenant == own);
    array.hosts.remove_where(|item| item.tenant == own);
    array.port_groups.remove_where(|item| item.tenant == own);
    array.lun_groups.remove_where(|item| item.tenant == own);
    array.interfaces.remove_where(|item| item.tenant == own);
    array.qos_policies.remove_where(|item| item.tenant == own);
    array.services.remove_where(|item| item.tenant == tenant);
}

/// The protocols must be some of the array's, each once; answers with them in the array's order.
fn protocols(array: &Array, asked: &[Protocol]) -> Result<Vec<Protocol>, OpError> {
    let offered = &array.personality.offer.host_protocols;
    if asked.is_empty() {
        return Err(OpError::Missing { noun: Noun::Tenant, field: "protocols".into(), because: "a tenant's hosts speak at least one".into() });
    }
    if let Some(place) = (1..asked.len()).find(|place| asked[..*place].contains(&asked[*place])) {
        let because = format!("{} is named twice", asked[place]);
        return Err(OpError::Conflicting { noun: Noun::Tenant, fields: vec!["protocols".into()], because });
    }
    if let Some(other) = asked.iter().find(|protocol| !offered.contains(protocol)) {
        return Err(OpError::NotSupported { noun: Noun::Tenant, field: "protocols".into(), what: format!("hosts that speak {other}") });
    }
    Ok(offered.iter().copied().filter(|protocol| asked.contains(protocol)).collect())
}

/// No host, no interface and no target service of the tenant must speak another protocol, and no host group others only.
fn nobody_speaks_others(array: &Array, tenant: &Tenant, kept: &[Protocol]) -> Result<(), OpError> {
    let own = Some(tenant.key());
    let host = array.hosts.iter().find(|host| host.tenant == own && !kept.contains(&host.initiator.protocol())).map(|host| (Noun::Host, host.name()));
    let group = || {
        array
            .host_groups
            .iter()
            .find(|group| group.tenant == own && !group.protocol.protocols().iter().any(|protocol| kept.contains(protocol)))
            .map(|group| (Noun::HostGroup, group.name()))
    };
    let speaks = |service: &crate::model::Service| service.protocol().is_some_and(|protocol| !kept.contains(&protocol));
    let interface = || array.interfaces_of(own).find(|interface| interface.services.iter().any(speaks)).map(|interface| (Noun::Interface, interface.name()));
    let served =
        || array.services.owned_by(tenant.key().raw()).find(|service| !kept.contains(&service.protocol)).map(|service| (Noun::Service, service.name()));
    match host.or_else(group).or_else(interface).or_else(served) {
        Some((by, by_name)) => Err(OpError::InUse { noun: Noun::Tenant, name: tenant.name().to_owned(), by, by_name: by_name.to_owned() }),
        None => Ok(()),
    }
}

/// No volume and no container of the tenant must live in another pool.
fn nothing_lives_elsewhere(array: &Array, tenant: &Tenant, pools: &[Key<Pool>]) -> Result<(), OpError> {
    let (own, after) = (Some(tenant.key()), Tenant { pools: pools.to_vec(), ..tenant.clone() });
    let outside = |pool: Key<Pool>| !after.may_use(array, pool);
    let volume = array.volumes.iter().filter(|volume| volume.tenant == own).find(|volume| {
        let coming = volume.migration.iter().map(|migration| &migration.target);
        std::iter::once(&volume.home).chain(coming).any(|home| matches!(home, crate::model::Home::Pool(pool) if outside(*pool)))
    });
    let container = || array.containers.iter().find(|container| container.tenant == own && container.pools().any(outside));
    let found = volume.map(|volume| (Noun::Volume, volume.name())).or_else(|| container().map(|container| (Noun::Container, container.name())));
    match found {
        Some((by, by_name)) => Err(OpError::InUse { noun: Noun::Tenant, name: tenant.name().to_owned(), by, by_name: by_name.to_owned() }),
        None => Ok(()),
    }
}
