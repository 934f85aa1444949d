//! Interfaces.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Array, Interface, InterfaceAddress, Object, Seat, Service};

/// Where an interface is: on a host port, or at a controller's management port.
#[derive(Serialize, ToSchema)]
#[schema(as = InterfacePlace)]
pub(super) struct Place<'a> {
    /// The controller.
    #[schema(example = "CM0")]
    controller: &'a str,
    /// The host port; `null`: the management port.
    #[schema(required = true, example = json!(null))]
    port: Option<&'a str>,
}

/// Whether an interface answers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = InterfaceStatus)]
pub(super) enum Status {
    /// It does.
    Up,
    /// It is disabled, its tenant is stopped, or its port or controller is down.
    Down,
}

/// An interface: an address under which the array, or a tenant, answers.
#[derive(Serialize, ToSchema)]
#[schema(as = Interface)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "mgmt")]
    name: &'a str,
    /// Whose it is; `null`: the array's own.
    #[schema(required = true, example = json!(null))]
    tenant: Option<&'a str>,
    /// What it is for.
    services: &'a [Service],
    /// Where it belongs.
    home: Place<'a>,
    /// Where it is now.
    location: Place<'a>,
    /// Whether it is where it belongs.
    is_home: bool,
    /// Its address; of Fibre Channel, the world-wide name of its port.
    #[schema(example = "192.168.1.10")]
    address: &'a str,
    /// How many leading bits name the network.
    #[schema(required = true, example = 24)]
    prefix_length: Option<u8>,
    /// Where packets for other networks go.
    #[schema(required = true)]
    gateway: Option<&'a str>,
    /// The world-wide name of its node, over Fibre Channel.
    #[schema(required = true)]
    node_wwn: Option<&'a str>,
    /// Whether an administrator has enabled it.
    enabled: bool,
    /// Whether it answers now.
    status: Status,
}

impl<'a> Place<'a> {
    fn of(array: &'a Array, seat: Seat) -> Place<'a> {
        match seat {
            Seat::Controller(controller) => Place { controller: Lens::name(&array.controllers, controller), port: None },
            Seat::Port(port) => {
                let port = &array.host_ports[port];
                Place { controller: Lens::name(&array.controllers, port.controller), port: Some(port.name()) }
            }
        }
    }
}

impl Shown for Interface {
    const PLURAL: &'static str = "interfaces";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        let (prefix_length, gateway, node_wwn) = match &self.address {
            InterfaceAddress::Ip(setup) => (Some(setup.prefix_length), setup.gateway.as_deref(), None),
            InterfaceAddress::Wwn { node, .. } => (None, None, Some(node.as_str())),
        };
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            tenant: self.tenant.map(|tenant| Lens::name(&array.tenants, tenant)),
            services: &self.services,
            home: Place::of(array, self.home),
            location: Place::of(array, self.seat),
            is_home: self.is_home(),
            address: self.address(),
            prefix_length,
            gateway,
            node_wwn,
            enabled: self.enabled,
            status: if self.is_up(array) { Status::Up } else { Status::Down },
        }
    }
}
