//! Host ports.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{HostPort, Object, PortProtocol, reach};

/// What a port can be set to speak.
#[derive(Serialize, ToSchema)]
#[schema(as = HostPortMode)]
pub(super) struct Mode {
    /// The protocol.
    protocol: PortProtocol,
    /// Bytes per second and direction that it then carries.
    line_rate: u64,
}

/// Whether a port carries I/O.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = HostPortStatus)]
pub(super) enum Status {
    /// It does.
    Up,
    /// It is disabled, or its controller is offline.
    Down,
}

/// A host port: a connector through which hosts reach volumes.
#[derive(Serialize, ToSchema)]
#[schema(as = HostPort)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "CM0-CA0-P0")]
    name: &'a str,
    /// The controller that it belongs to.
    #[schema(example = "CM0")]
    controller: &'a str,
    /// What it speaks.
    protocol: PortProtocol,
    /// Bytes per second and direction that it carries.
    line_rate: u64,
    /// What it can be set to speak.
    modes: Vec<Mode>,
    /// Whether an administrator has enabled it.
    enabled: bool,
    /// Whether it carries I/O now.
    status: Status,
    /// World-wide name, 16 hexadecimal digits.
    wwn: &'a str,
    /// iSCSI name, when it can speak iSCSI.
    #[schema(required = true)]
    iscsi_name: Option<&'a str>,
    /// The port groups that it is in.
    port_groups: Vec<&'a str>,
}

impl Shown for HostPort {
    const PLURAL: &'static str = "host-ports";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let (array, key) = (&lens.world().array, self.key());
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            controller: Lens::name(&array.controllers, self.controller),
            protocol: self.protocol,
            line_rate: self.line_rate().get(),
            modes: self.modes.iter().map(|(protocol, rate)| Mode { protocol: *protocol, line_rate: rate.get() }).collect(),
            enabled: self.enabled,
            status: if reach::is_up(array, key) { Status::Up } else { Status::Down },
            wwn: &self.wwn,
            iscsi_name: self.iscsi_name.as_deref(),
            port_groups: Lens::names_where(&array.port_groups, |group| group.ports.contains(&key)),
        }
    }
}
