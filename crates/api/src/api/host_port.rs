//! Host ports.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use super::port_parameters::{FcView, IscsiView, sfp_type};
use crate::model::{HostPort, Object, PartFault, PortProtocol, PortRole, PortState, reach};

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
    /// It does not: `state` says why.
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
    /// Whether it carries host I/O now.
    status: Status,
    /// How it stands.
    state: PortState,
    /// What it is for.
    role: PortRole,
    /// Whether hosts see through it only what an affinity gives them.
    host_affinity: bool,
    /// The highest speed in its present protocol, in Gbit/s.
    #[schema(example = 16)]
    max_speed_gbit: u64,
    /// The speed of its link in Gbit/s; 0 while it has none.
    #[schema(example = 16)]
    link_speed_gbit: u64,
    /// The type of its transceiver.
    #[schema(required = true, example = "16G_SWL_SFP_Plus")]
    sfp_type: Option<String>,
    /// How often its link went down by a fault.
    link_failures: u64,
    /// World-wide name, 16 hexadecimal digits.
    wwn: &'a str,
    /// iSCSI name, when it can speak iSCSI.
    #[schema(required = true)]
    iscsi_name: Option<&'a str>,
    /// MAC address.
    mac_address: &'a str,
    /// The port groups that it is in.
    port_groups: Vec<&'a str>,
    /// How it is set when it speaks Fibre Channel; absent when it cannot, or when this array has no such settings.
    #[schema(required = true)]
    fc: Option<FcView>,
    /// How it is set when it speaks iSCSI; absent when it cannot, or when this array has no such settings.
    #[schema(required = true)]
    iscsi: Option<IscsiView<'a>>,
}

impl Shown for HostPort {
    const PLURAL: &'static str = "host-ports";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let (array, key) = (&lens.world().array, self.key());
        let (rules, state) = (&array.personality.parts, array.port_state(self));
        let linked = matches!(state, PortState::Normal | PortState::Unused);
        let can = |protocol| self.modes.iter().any(|(mode, _)| *mode == protocol);
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
            state,
            role: self.role,
            host_affinity: array.has_host_affinity(key),
            max_speed_gbit: self.highest_gbit(self.protocol),
            link_speed_gbit: if linked { self.link_gbit() } else { 0 },
            sfp_type: array.transceiver(key).filter(|part| part.fault != Some(PartFault::Missing)).map(|_| sfp_type(self)),
            link_failures: self.link_failures,
            wwn: &self.wwn,
            iscsi_name: self.iscsi_name.as_deref(),
            mac_address: &self.mac_address,
            port_groups: Lens::names_where(&array.port_groups, |group| group.ports.contains(&key)),
            fc: (rules.fc_parameters && can(PortProtocol::Fc)).then(|| FcView::of(&self.fc)),
            iscsi: (rules.iscsi_parameters && can(PortProtocol::Iscsi)).then(|| IscsiView::of(&self.iscsi)),
        }
    }
}
