//! Target services of tenants: create, change, delete.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, interface_rules, rules};
use crate::model::{Array, InterfaceAddress, Key, Noun, Object, OpError, Place, Policy, Protocol, TargetService, Tenant, TenantState};

/// Creates a target service: from then on a tenant serves hosts by a protocol. Its name is `tenant/protocol`; under which name hosts find it
/// comes from the array.
///
/// Refused, in this order: an array whose tenants are no targets of their own; unknown tenant; a protocol that the tenant may not use, or
/// that has no licence; an alias over another protocol than iSCSI, or too long; the tenant is stopped; it has the service already.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ServiceCreate, examples(json!({"tenant": "finance", "protocol": "iscsi"})))]
pub struct Create {
    /// The tenant by id, number or name.
    pub tenant: String,
    /// What it shall speak.
    pub protocol: Protocol,
    /// Whether it serves; it does if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// A second name, up to 128 characters, over iSCSI; the tenant's if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    tenant: Key<Tenant>,
    protocol: Protocol,
    enabled: bool,
    alias: String,
}

impl Operation for Create {
    const NAME: &'static str = "service.create";
    const POLICY: Policy = Policy::StorageManagement;
    type Plan = CreatePlan;
    type Output = Key<TargetService>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let array = &world.array;
        tenants_are_targets(array)?;
        let tenant = array.tenants.find(&self.tenant, Place::field("tenant"))?;
        let name = TargetService::name_for(tenant.name(), self.protocol);
        tenant_may_speak(tenant, &name, self.protocol)?;
        rules::is_licensed(array, self.protocol.feature(), &format!("a target service for {}", self.protocol))?;
        alias_is_good(self.protocol, self.alias.as_deref())?;
        tenant_runs(tenant)?;
        if array.service(tenant.key(), self.protocol).is_some() {
            return Err(OpError::NameTaken { noun: Noun::Service, name });
        }
        let usual = if self.protocol == Protocol::Iscsi { tenant.name() } else { "" };
        let alias = self.alias.clone().unwrap_or_else(|| usual.to_owned());
        Ok(CreatePlan { tenant: tenant.key(), protocol: self.protocol, enabled: self.enabled.unwrap_or(true), alias })
    }

    fn apply(CreatePlan { tenant, protocol, enabled, alias }: CreatePlan, world: &mut World, ctx: &Ctx) -> Key<TargetService> {
        let array = &mut world.array;
        let (target, name) = (target_name(array, tenant, protocol), TargetService::name_for(array.tenants[tenant].name(), protocol));
        let created = ctx.now;
        array.services.insert(array.identity, name, |head| TargetService { head, tenant, protocol, enabled, target, alias, created })
    }
}

/// Changes a target service. While it is disabled, no I/O to the tenant's volumes gets through by its protocol.
///
/// Refused, in this order: unknown service; an alias over another protocol than iSCSI, or too long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ServiceUpdate, examples(json!({"enabled": false})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub service: String,
    /// Whether it serves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Its new second name; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
}

impl Operation for Update {
    const NAME: &'static str = "service.update";
    const POLICY: Policy = Policy::StorageManagement;
    type Plan = (Key<TargetService>, Update);
    type Output = Key<TargetService>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let service = world.array.services.find(&self.service, Place::Target)?;
        alias_is_good(service.protocol, self.alias.as_deref())?;
        Ok((service.key(), self.clone()))
    }

    fn apply((key, request): Self::Plan, world: &mut World, _: &Ctx) -> Key<TargetService> {
        if let Some(service) = world.array.services.get_mut(key) {
            service.enabled = request.enabled.unwrap_or(service.enabled);
            service.alias = request.alias.unwrap_or_else(|| service.alias.clone());
        }
        key
    }
}

/// Deletes a target service.
///
/// Refused, in this order: unknown service; it is enabled; of NVMe, a host group or an interface of the tenant needs it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ServiceDelete)]
pub struct Delete {
    /// Which one.
    pub service: String,
}

impl Operation for Delete {
    const NAME: &'static str = "service.delete";
    const POLICY: Policy = Policy::StorageManagement;
    type Plan = Key<TargetService>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<TargetService>, OpError> {
        let service = world.array.services.find(&self.service, Place::Target)?;
        if service.enabled {
            let (name, state, expected) = (service.name().to_owned(), "enabled".to_owned(), "disabled".to_owned());
            return Err(OpError::WrongState { noun: Noun::Service, name, state, expected });
        }
        nothing_needs_it(&world.array, service)?;
        Ok(service.key())
    }

    fn apply(key: Key<TargetService>, world: &mut World, _: &Ctx) {
        world.array.services.remove(key);
    }
}

/// Not on every array tenants are targets of their own.
fn tenants_are_targets(array: &Array) -> Result<(), OpError> {
    if array.personality.offer.tenants_serve {
        return Ok(());
    }
    Err(OpError::NotSupported { noun: Noun::Service, field: "tenant".into(), what: "target services of tenants".into() })
}

/// The tenant may use the protocol.
fn tenant_may_speak(tenant: &Tenant, name: &str, protocol: Protocol) -> Result<(), OpError> {
    if tenant.protocols.contains(&protocol) {
        return Ok(());
    }
    let expected = tenant.protocols.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
    Err(OpError::ProtocolMismatch { noun: Noun::Service, name: name.to_owned(), protocol: protocol.to_string(), expected })
}

/// Only iSCSI services have a second name.
fn alias_is_good(protocol: Protocol, alias: Option<&str>) -> Result<(), OpError> {
    if alias.is_some() && protocol != Protocol::Iscsi {
        let because = "only iSCSI services have a second name".into();
        return Err(OpError::Conflicting { noun: Noun::Service, fields: vec!["alias".into(), "protocol".into()], because });
    }
    rules::text_is_short(Noun::Service, "alias", alias, 128)
}

/// The tenant's hosts must be served.
fn tenant_runs(tenant: &Tenant) -> Result<(), OpError> {
    if tenant.state == TenantState::Running {
        return Ok(());
    }
    let (name, state, expected) = (tenant.name().to_owned(), "stopped".to_owned(), "running".to_owned());
    Err(OpError::WrongState { noun: Noun::Tenant, name, state, expected })
}

/// NVMe host groups and interfaces do not stay behind without their service.
fn nothing_needs_it(array: &Array, service: &TargetService) -> Result<(), OpError> {
    if service.protocol != Protocol::Nvme {
        return Ok(());
    }
    let own = Some(service.tenant);
    let group = array.host_groups.iter().find(|group| group.tenant == own && group.protocol.takes(Protocol::Nvme));
    let interface = || array.interfaces_of(own).find(|interface| interface.speaks(Protocol::Nvme)).map(|found| (Noun::Interface, found.name()));
    match group.map(|found| (Noun::HostGroup, found.name())).or_else(interface) {
        Some((by, by_name)) => Err(OpError::InUse { noun: Noun::Service, name: service.name().to_owned(), by, by_name: by_name.to_owned() }),
        None => Ok(()),
    }
}

/// Under which name hosts find it: an iSCSI name made of the tenant's identifier, or the world-wide name that its interfaces have as their
/// node's.
fn target_name(array: &Array, tenant: Key<Tenant>, protocol: Protocol) -> Option<String> {
    match protocol {
        Protocol::Iscsi => Some(format!("iqn.1992-08.com.netapp:sn.{}:vs.{}", array.tenants[tenant].id().simple(), tenant.raw() + 1)),
        Protocol::Fc => match interface_rules::wwn(array, array.interfaces.next_key(), Some(tenant)) {
            InterfaceAddress::Wwn { node, .. } => Some(node),
            InterfaceAddress::Ip(_) => None,
        },
        Protocol::Nvme => None,
    }
}
