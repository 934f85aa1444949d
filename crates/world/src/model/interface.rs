//! Interfaces: addresses under which the array, or a tenant, answers.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Array, Controller, ControllerState, Head, HostPort, IpSetup, Key, Noun, Object, PortProtocol, Protocol, Tenant, TenantState, reach};

/// An interface (ONTAP: LIF).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interface {
    /// Identity.
    pub head: Head,
    /// Whose it is.
    pub tenant: Option<Key<Tenant>>,
    /// What it is for.
    pub services: Vec<Service>,
    /// Where it belongs.
    pub home: Seat,
    /// Where it is now.
    pub seat: Seat,
    /// Its address.
    pub address: InterfaceAddress,
    /// Whether an administrator has enabled it.
    pub enabled: bool,
}

/// What an interface is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// SCSI over Fibre Channel.
    Fc,
    /// NVMe over Fibre Channel.
    NvmeFc,
    /// iSCSI.
    Iscsi,
    /// NVMe over TCP.
    NvmeTcp,
    /// Administration.
    Management,
}

/// Where an interface is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seat {
    /// On a host port.
    Port(Key<HostPort>),
    /// On the management port of a controller.
    Controller(Key<Controller>),
}

/// The address of an interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterfaceAddress {
    /// Of the Internet Protocol.
    Ip(IpSetup),
    /// World-wide names of port and node, 16 hexadecimal digits each.
    Wwn {
        /// The port's.
        port: String,
        /// The node's.
        node: String,
    },
}

impl Service {
    /// Whether it is addressed by world-wide names.
    pub const fn by_wwn(self) -> bool {
        matches!(self, Service::Fc | Service::NvmeFc)
    }
    /// What hosts speak that use it; `None` for administration.
    pub const fn protocol(self) -> Option<Protocol> {
        match self {
            Service::Fc => Some(Protocol::Fc),
            Service::Iscsi => Some(Protocol::Iscsi),
            Service::NvmeFc | Service::NvmeTcp => Some(Protocol::Nvme),
            Service::Management => None,
        }
    }
    /// What a host port must speak to carry it.
    pub const fn carriers(self) -> &'static [PortProtocol] {
        match self {
            Service::Fc => &[PortProtocol::Fc, PortProtocol::Fcoe],
            Service::NvmeFc => &[PortProtocol::Fc],
            Service::Iscsi | Service::NvmeTcp => &[PortProtocol::Iscsi],
            Service::Management => &[PortProtocol::Ethernet, PortProtocol::Iscsi],
        }
    }
}

impl Interface {
    /// Whether it is where it belongs.
    pub fn is_home(&self) -> bool {
        self.home == self.seat
    }
    /// Whether hosts reach volumes through it.
    pub fn carries_data(&self) -> bool {
        self.services.iter().any(|service| service.protocol().is_some())
    }
    /// Whether hosts of that protocol reach volumes through it.
    pub fn speaks(&self, protocol: Protocol) -> bool {
        self.services.iter().any(|service| service.protocol() == Some(protocol))
    }
    /// The host port on which it is, if it is on one.
    pub const fn port(&self) -> Option<Key<HostPort>> {
        if let Seat::Port(port) = self.seat { Some(port) } else { None }
    }
    /// The address under which it answers.
    pub fn address(&self) -> &str {
        match &self.address {
            InterfaceAddress::Ip(setup) => &setup.address,
            InterfaceAddress::Wwn { port, .. } => port,
        }
    }
    /// Whether it answers now: enabled, its tenant running, its port up.
    pub fn is_up(&self, array: &Array) -> bool {
        let carried = match self.seat {
            Seat::Port(port) => reach::is_up(array, port),
            Seat::Controller(controller) => array.controllers[controller].state == ControllerState::Online,
        };
        let served = self.tenant.is_none_or(|tenant| array.tenants[tenant].state == TenantState::Running);
        self.enabled && carried && served
    }
}

impl Array {
    /// The interfaces of a tenant, or of the array itself, in order of number.
    pub fn interfaces_of(&self, tenant: Option<Key<Tenant>>) -> impl Iterator<Item = &Interface> {
        self.interfaces.iter().filter(move |interface| interface.tenant == tenant)
    }
}

impl fmt::Display for Service {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Service::Fc => "fc",
            Service::NvmeFc => "nvme_fc",
            Service::Iscsi => "iscsi",
            Service::NvmeTcp => "nvme_tcp",
            Service::Management => "management",
        })
    }
}

impl Object for Interface {
    const NOUN: Noun = Noun::Interface;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
    fn scope(&self) -> Option<u32> {
        self.tenant.map(Key::raw)
    }
    fn owner(&self) -> Option<u32> {
        self.tenant.map(Key::raw)
    }
}
