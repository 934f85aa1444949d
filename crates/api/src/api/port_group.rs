//! Port groups.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Object, PortGroup, PortGroupProtocol};

/// A port group: host ports that are used together.
#[derive(Serialize, ToSchema)]
#[schema(as = PortGroup)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "PG0")]
    name: &'a str,
    /// The protocol of all its ports; `mixed`: Fibre Channel and iSCSI.
    protocol: PortGroupProtocol,
    /// Its ports; of a group of interfaces, those on which they are.
    #[schema(example = json!(["CM0-CA0-P0", "CM1-CA0-P0"]))]
    ports: Vec<&'a str>,
    /// Whose it is; `null`: everyone's.
    #[schema(required = true, example = json!(null))]
    tenant: Option<&'a str>,
    /// Its interfaces; empty in a group of ports.
    #[schema(example = json!([]))]
    interfaces: Vec<&'a str>,
}

impl Shown for PortGroup {
    const PLURAL: &'static str = "port-groups";
    const LASTS: bool = true;
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            protocol: self.protocol,
            ports: Lens::names(&array.host_ports, self.all_ports(array).iter().copied()),
            tenant: self.tenant.map(|tenant| Lens::name(&array.tenants, tenant)),
            interfaces: Lens::names(&array.interfaces, self.interfaces.iter().copied()),
        }
    }
}
