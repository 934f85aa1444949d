//! Tenants: parts of the array that belong to somebody.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Array, Head, Key, Noun, Object, Pool, Protocol};
use crate::units::{Bytes, SimTime};

/// A tenant (ONTAP: SVM). An array may have none; what has no tenant belongs to the array itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tenant {
    /// Identity.
    pub head: Head,
    /// Whether its hosts are served.
    pub state: TenantState,
    /// Free text.
    pub comment: String,
    /// What its hosts and interfaces may speak.
    pub protocols: Vec<Protocol>,
    /// The pools in which its volumes and containers may live, in order of number.
    pub pools: Vec<Key<Pool>>,
    /// The most that its containers, and volumes outside containers, may promise together.
    pub capacity_limit: Option<Bytes>,
    /// The most volumes that it may have.
    pub volume_limit: Option<u64>,
    /// When it was made.
    pub created: SimTime,
}

/// Whether a tenant's hosts are served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TenantState {
    /// They are.
    #[default]
    Running,
    /// No I/O to its volumes gets through.
    Stopped,
}

impl Tenant {
    /// What its containers, and volumes outside containers, promise.
    pub fn promised(array: &Array, tenant: Key<Tenant>) -> Bytes {
        let containers: Bytes = array.containers.iter().filter(|container| container.tenant == Some(tenant)).map(|container| container.size).sum();
        let direct = array.volumes.iter().filter(|volume| volume.tenant == Some(tenant) && volume.container().is_none());
        containers + direct.map(|volume| volume.size).sum()
    }
    /// How many volumes it has.
    pub fn volumes(array: &Array, tenant: Key<Tenant>) -> usize {
        array.volumes.iter().filter(|volume| volume.tenant == Some(tenant)).count()
    }
    /// Whether a pool is open to it.
    pub fn may_use(&self, array: &Array, pool: Key<Pool>) -> bool {
        self.pools.contains(&pool) || (self.pools.is_empty() && array.personality.offer.tenants_without_pools_use_all)
    }
    /// What belongs to it, first found: its noun and name.
    pub fn belongings(array: &Array, tenant: Key<Tenant>) -> Option<(Noun, &str)> {
        let of = Some(tenant);
        let volume = array.volumes.iter().find(|item| item.tenant == of).map(|item| (Noun::Volume, item.name()));
        let container = || array.containers.iter().find(|item| item.tenant == of).map(|item| (Noun::Container, item.name()));
        let host = || array.hosts.iter().find(|item| item.tenant == of).map(|item| (Noun::Host, item.name()));
        let host_group = || array.host_groups.iter().find(|item| item.tenant == of).map(|item| (Noun::HostGroup, item.name()));
        let port_group = || array.port_groups.iter().find(|item| item.tenant == of).map(|item| (Noun::PortGroup, item.name()));
        let lun_group = || array.lun_groups.iter().find(|item| item.tenant == of).map(|item| (Noun::LunGroup, item.name()));
        let interface = || array.interfaces.iter().find(|item| item.tenant == of).map(|item| (Noun::Interface, item.name()));
        let policy = || array.qos_policies.iter().find(|item| item.tenant == of).map(|item| (Noun::QosPolicy, item.name()));
        let service = || array.services.iter().find(|item| item.tenant == tenant).map(|item| (Noun::Service, item.name()));
        volume.or_else(container).or_else(host).or_else(host_group).or_else(port_group).or_else(lun_group).or_else(interface).or_else(policy).or_else(service)
    }
}

impl Object for Tenant {
    const NOUN: Noun = Noun::Tenant;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
