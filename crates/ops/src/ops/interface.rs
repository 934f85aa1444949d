//! Interfaces: create, change, move, take home, delete.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::interface_rules::{self as own, Wish};
use super::{Ctx, Operation, World, belonging, rules};
use crate::model::{Interface, InterfaceAddress, IpSetup, Key, Noun, Object, OpError, Place, Policy, Seat, Service, Severity, Tenant};

/// Creates an interface. World-wide names come from the array.
///
/// Where the array finds places for interfaces, a home controller stands for one of its ports when the interface carries data, and without
/// a home the array chooses: the place that carries the services and has the fewest interfaces.
///
/// Refused, in this order: neither a home port nor a home controller, where the array finds no places, or both; unknown tenant, port or
/// controller; no service, one named twice, or some that do not go together; a service that the array does not offer; invalid name; name
/// taken; a protocol that the tenant may not use; a home that does not carry the services, or no place that does; an address for world-wide names, or none for others; invalid address,
/// prefix or gateway; too many interfaces; address taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = InterfaceCreate, examples(json!({"name": "mgmt", "services": ["management"], "home_controller": "CM0", "address": "192.168.1.10", "prefix_length": 24})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// Whose it is; of the array itself if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// What it is for: one of `fc` and `nvme_fc`, or any of the others.
    pub services: Vec<Service>,
    /// The host port where it belongs; or give `home_controller`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home_port: Option<String>,
    /// The controller at whose management port it belongs, or on one of whose ports; or give `home_port`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home_controller: Option<String>,
    /// Its address, IPv4 or IPv6; not for Fibre Channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// How many leading bits name the network, 1 to 32 or 128.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix_length: Option<u8>,
    /// Where packets for other networks go: an address in its network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gateway: Option<String>,
    /// Whether it is enabled; it is if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    tenant: Option<Key<Tenant>>,
    services: Vec<Service>,
    home: Seat,
    setup: Option<IpSetup>,
    enabled: bool,
}

impl Create {
    fn wish(&self) -> Wish<'_> {
        Wish { port: ("home_port", self.home_port.as_deref()), controller: ("home_controller", self.home_controller.as_deref()) }
    }
}

impl Operation for Create {
    const NAME: &'static str = "interface.create";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = CreatePlan;
    type Output = Key<Interface>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        if !rule.offer.interface_placement || !self.wish().is_empty() {
            self.wish().is_one()?;
        }
        let tenant = belonging::of_new(array, Noun::Interface, self.tenant.as_deref())?;
        let asked = if self.wish().is_empty() { None } else { Some(self.wish().resolve(array)?) };
        let services = own::services(array, &self.services)?;
        rules::name_is_valid(Noun::Interface, &self.name, &rule.short_name)?;
        rules::name_is_free_for(array, &array.interfaces, &self.name, tenant, None)?;
        own::tenant_speaks(array, tenant, &self.name, &services)?;
        let home = own::placed(array, asked, &services)?;
        own::seat_carries(array, home, &services)?;
        let asked = own::Asked { address: self.address.as_deref(), prefix_length: self.prefix_length, gateway: self.gateway.as_deref() };
        let setup = own::address(asked, None, &services)?;
        rules::within_limit(&array.interfaces, 1, rule.limits.interfaces)?;
        setup.as_ref().map_or(Ok(()), |setup| own::address_is_free(array, &setup.address, None))?;
        Ok(CreatePlan { name: self.name.clone(), tenant, services, home, setup, enabled: self.enabled.unwrap_or(true) })
    }

    fn apply(plan: CreatePlan, world: &mut World, _: &Ctx) -> Key<Interface> {
        let array = &mut world.array;
        let CreatePlan { name, tenant, services, home, setup, enabled } = plan;
        let key = array.interfaces.next_key();
        let address = setup.map_or_else(|| own::wwn(array, key, tenant), InterfaceAddress::Ip);
        array.interfaces.insert(array.identity, name, |head| Interface { head, tenant, services, home, seat: home, address, enabled })
    }
}

/// Changes an interface; what is left out stays. One that is at home moves with its home.
///
/// Refused, in this order: a home port and a home controller; unknown interface, port or controller; invalid name; name taken; services
/// that are none, do not go together, are not offered or are addressed otherwise; it is in a port group for which they are none; a protocol that the tenant may not use; a home that does not carry the services; an interface that moves only while it is disabled; an address for world-wide names; invalid
/// address, prefix or gateway; address taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = InterfaceUpdate, examples(json!({"address": "192.168.1.11", "enabled": false})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub interface: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The host port where it shall belong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home_port: Option<String>,
    /// The controller at whose management port it shall belong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home_controller: Option<String>,
    /// Its new address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// How many leading bits name the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix_length: Option<u8>,
    /// Where packets for other networks go; empty for nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gateway: Option<String>,
    /// Whether it is enabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// What it shall be for; an interface with world-wide names keeps its service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub services: Option<Vec<Service>>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<Interface>,
    services: Option<Vec<Service>>,
    name: Option<String>,
    home: Seat,
    setup: Option<IpSetup>,
    enabled: Option<bool>,
}

impl Operation for Update {
    const NAME: &'static str = "interface.update";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = UpdatePlan;
    type Output = Key<Interface>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let wish = Wish { port: ("home_port", self.home_port.as_deref()), controller: ("home_controller", self.home_controller.as_deref()) };
        wish.is_no_more_than_one()?;
        let interface = array.interfaces.find(&self.interface, Place::Target)?;
        let key = interface.key();
        let home = if wish.is_empty() { interface.home } else { own::placed(array, Some(wish.resolve(array)?), &interface.services)? };
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::Interface, name, &array.personality.short_name)?;
            rules::name_is_free_for(array, &array.interfaces, name, interface.tenant, Some(key))?;
        }
        let services = self.services.as_ref().map(|asked| own::services(array, asked)).transpose()?;
        let after = services.as_deref().unwrap_or(&interface.services);
        if let Some(services) = &services {
            own::keeps_its_kind(interface, services)?;
            own::suits_its_groups(array, interface, services)?;
            own::tenant_speaks(array, interface.tenant, interface.name(), services)?;
            own::seat_carries(array, home, services)?;
            own::seat_carries(array, interface.seat, services)?;
        }
        if home != interface.home {
            own::seat_carries(array, home, after)?;
            if interface.is_home() && self.enabled != Some(false) {
                own::may_move(array, interface)?;
            }
        }
        let asked = own::Asked { address: self.address.as_deref(), prefix_length: self.prefix_length, gateway: self.gateway.as_deref() };
        let setup = own::address(asked, Some(&interface.address), &interface.services)?;
        setup.as_ref().map_or(Ok(()), |setup| own::address_is_free(array, &setup.address, Some(key)))?;
        Ok(UpdatePlan { key, services, name: self.name.clone(), home, setup, enabled: self.enabled })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<Interface> {
        let interfaces = &mut world.array.interfaces;
        if let Some(name) = plan.name {
            interfaces.rename(plan.key, name);
        }
        if let Some(interface) = interfaces.get_mut(plan.key) {
            if interface.is_home() {
                interface.seat = plan.home;
            }
            interface.home = plan.home;
            interface.services = plan.services.unwrap_or_else(|| interface.services.clone());
            interface.enabled = plan.enabled.unwrap_or(interface.enabled);
            if let Some(setup) = plan.setup {
                interface.address = InterfaceAddress::Ip(setup);
            }
        }
        plan.key
    }
}

/// Moves an interface to another port or controller; its home stays.
///
/// Refused, in this order: neither a port nor a controller, or both; unknown interface, port or controller; a place that does not carry
/// the services; an interface that moves only while it is disabled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = InterfaceMigrate, examples(json!({"controller": "CM1"})))]
pub struct Migrate {
    /// Which one.
    #[schema(ignore)]
    pub interface: String,
    /// To this host port.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    /// To the management port of this controller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<String>,
}

impl Operation for Migrate {
    const NAME: &'static str = "interface.migrate";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = (Key<Interface>, Seat);
    type Output = Key<Interface>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let array = &world.array;
        let wish = Wish { port: ("port", self.port.as_deref()), controller: ("controller", self.controller.as_deref()) };
        wish.is_one()?;
        let interface = array.interfaces.find(&self.interface, Place::Target)?;
        let seat = wish.resolve(array)?;
        own::seat_carries(array, seat, &interface.services)?;
        own::may_move(array, interface)?;
        Ok((interface.key(), seat))
    }

    fn apply((key, seat): Self::Plan, world: &mut World, ctx: &Ctx) -> Key<Interface> {
        take_to(world, key, seat, ctx);
        key
    }
}

/// Takes an interface back to where it belongs.
///
/// Refused, in this order: unknown interface; it is there; an interface that moves only while it is disabled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = InterfaceRevert)]
pub struct Revert {
    /// Which one.
    #[schema(ignore)]
    pub interface: String,
}

impl Operation for Revert {
    const NAME: &'static str = "interface.revert";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = (Key<Interface>, Seat);
    type Output = Key<Interface>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let interface = world.array.interfaces.find(&self.interface, Place::Target)?;
        if interface.is_home() {
            return Err(OpError::NotRunning { noun: Noun::Interface, name: interface.name().to_owned(), what: "way home: it is there".into() });
        }
        own::may_move(&world.array, interface)?;
        Ok((interface.key(), interface.home))
    }

    fn apply((key, home): Self::Plan, world: &mut World, ctx: &Ctx) -> Key<Interface> {
        take_to(world, key, home, ctx);
        key
    }
}

/// Puts an interface elsewhere, and tells of it.
fn take_to(world: &mut World, key: Key<Interface>, seat: Seat, ctx: &Ctx) {
    let Some(interface) = world.array.interfaces.get_mut(key).filter(|interface| interface.seat != seat) else { return };
    interface.seat = seat;
    let name = interface.name().to_owned();
    let place = match seat {
        Seat::Port(port) => world.array.host_ports.get(port).map(|port| format!("host port '{}'", port.name())),
        Seat::Controller(controller) => world.array.controllers.get(controller).map(|controller| format!("controller '{}'", controller.name())),
    };
    let message = format!("interface '{name}' is on {} now", place.unwrap_or_default());
    world.array.events.tell(ctx.now, Severity::Information, "interface_migrated", (Noun::Interface, &name), message);
}

/// Deletes an interface.
///
/// Refused, in this order: unknown interface; it is in a port group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = InterfaceDelete)]
pub struct Delete {
    /// Which one.
    pub interface: String,
}

impl Operation for Delete {
    const NAME: &'static str = "interface.delete";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = Key<Interface>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Interface>, OpError> {
        let array = &world.array;
        let interface = array.interfaces.find(&self.interface, Place::Target)?;
        match array.port_groups.iter().find(|group| group.interfaces.contains(&interface.key())) {
            Some(group) => {
                let (name, by_name) = (interface.name().to_owned(), group.name().to_owned());
                Err(OpError::InUse { noun: Noun::Interface, name, by: Noun::PortGroup, by_name })
            }
            None => Ok(interface.key()),
        }
    }

    fn apply(key: Key<Interface>, world: &mut World, _: &Ctx) {
        world.array.interfaces.remove(key);
    }
}
