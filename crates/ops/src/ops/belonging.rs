//! Whose things are: the rules about tenants that all nouns share.
//!
//! Hosts, host groups, LUN groups, volumes and containers belong to one tenant or to the array itself, and go together only when they
//! belong to the same. Port groups and QoS policies without a tenant are for everyone. Pools are assigned to tenants.

use super::rules;
use crate::model::{Array, Key, Noun, Object, OpError, Place, Pool, QosPolicy, Tenant};
use crate::units::Bytes;

/// The tenant that a new thing shall belong to. Refused: unknown; none named where the array wants one.
pub(super) fn of_new(array: &Array, noun: Noun, asked: Option<&str>) -> Result<Option<Key<Tenant>>, OpError> {
    match asked {
        Some(named) => array.tenants.find(named, Place::field("tenant")).map(|tenant| Some(tenant.key())),
        None if array.personality.offer.tenant_required && matches!(noun, Noun::Container | Noun::Volume) => {
            Err(OpError::Missing { noun, field: "tenant".into(), because: format!("on this array a {noun} belongs to a tenant") })
        }
        None => Ok(None),
    }
}

/// A tenant, or the array itself, in running text.
pub(super) fn words(array: &Array, tenant: Option<Key<Tenant>>) -> String {
    tenant.map_or_else(|| "the array itself".to_owned(), |key| format!("the tenant '{}'", array.tenants[key].name()))
}

/// A thing must belong to the same tenant as what it goes together with.
pub(super) fn is_of(array: &Array, (noun, name): (Noun, &str), owner: Option<Key<Tenant>>, expected: Option<Key<Tenant>>) -> Result<(), OpError> {
    if owner == expected {
        return Ok(());
    }
    Err(OpError::TenantMismatch { noun, name: name.to_owned(), owner: words(array, owner), expected: words(array, expected) })
}

/// A thing without a tenant is for everyone; otherwise it must belong to the same.
pub(super) fn is_open_to(array: &Array, (noun, name): (Noun, &str), owner: Option<Key<Tenant>>, user: Option<Key<Tenant>>) -> Result<(), OpError> {
    owner.map_or(Ok(()), |_| is_of(array, (noun, name), owner, user))
}

/// What belongs to a tenant lives in its pools only.
pub(super) fn pool_is_open(array: &Array, pool: &Pool, tenant: Option<Key<Tenant>>) -> Result<(), OpError> {
    let Some(key) = tenant else { return Ok(()) };
    if array.tenants[key].may_use(array, pool.key()) {
        return Ok(());
    }
    let others: Vec<String> = array.tenants.iter().filter(|other| other.pools.contains(&pool.key())).map(|other| format!("'{}'", other.name())).collect();
    let owner = match others.as_slice() {
        [] => "no tenant".to_owned(),
        [one] => format!("the tenant {one}"),
        several => format!("the tenants {}", several.join(", ")),
    };
    Err(OpError::TenantMismatch { noun: Noun::Pool, name: pool.name().to_owned(), owner, expected: words(array, tenant) })
}

/// The tenant must stay within its limits with so many volumes and so much promised more. Refused, in this order: volumes; capacity.
pub(super) fn has_room(array: &Array, tenant: Option<Key<Tenant>>, volumes: usize, more: Bytes) -> Result<(), OpError> {
    let Some(key) = tenant else { return Ok(()) };
    let tenant = &array.tenants[key];
    if let Some(limit) = tenant.volume_limit.filter(|_| volumes > 0) {
        rules::count_within(Noun::Volume, Tenant::volumes(array, key) + volumes, limit, &format!("the {} '{}'", Noun::Tenant, tenant.name()))?;
    }
    if let Some(limit) = tenant.capacity_limit.filter(|_| !more.is_zero()) {
        let promised = Tenant::promised(array, key) + more;
        if promised > limit {
            return Err(OpError::TenantFull { tenant: tenant.name().to_owned(), promised, limit });
        }
    }
    Ok(())
}

/// The QoS policy that is asked for, by id, number or name; an empty text stands for none. `None`: nothing is asked for.
pub(super) fn qos_policy(array: &Array, asked: Option<&str>) -> Result<Option<Option<Key<QosPolicy>>>, OpError> {
    match asked {
        None => Ok(None),
        Some("") => Ok(Some(None)),
        Some(named) => array.qos_policies.find(named, Place::field("qos_policy")).map(|policy| Some(Some(policy.key()))),
    }
}

/// A QoS policy is for its tenant, or for everyone.
pub(super) fn policy_is_open(array: &Array, policy: Option<Key<QosPolicy>>, tenant: Option<Key<Tenant>>) -> Result<(), OpError> {
    let Some(policy) = policy.map(|key| &array.qos_policies[key]) else { return Ok(()) };
    is_open_to(array, (Noun::QosPolicy, policy.name()), policy.tenant, tenant)
}
