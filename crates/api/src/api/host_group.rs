//! Host groups.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{GroupProtocol, HostGroup, HostResponse, Object};

/// A host group: hosts that are treated as one.
#[derive(Serialize, ToSchema)]
#[schema(as = HostGroup)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "HG0")]
    name: &'a str,
    /// The protocol of all its hosts; `mixed`: Fibre Channel and iSCSI.
    protocol: GroupProtocol,
    /// Its hosts.
    #[schema(example = json!(["H0"]))]
    hosts: Vec<&'a str>,
    /// Whose it is; `null`: the array's own.
    #[schema(required = true, example = json!(null))]
    tenant: Option<&'a str>,
    /// How the array answers its hosts.
    #[schema(required = true, example = "Default")]
    host_response: Option<&'a str>,
    /// The groups in it, whose hosts are its hosts, too.
    #[schema(example = json!([]))]
    groups: Vec<&'a str>,
    /// The port group through which its hosts reach what is mapped to it; `null`: all ports that serve them.
    #[schema(required = true, example = json!(null))]
    port_group: Option<&'a str>,
}

impl Shown for HostGroup {
    const PLURAL: &'static str = "host-groups";
    const LASTS: bool = true;
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            protocol: self.protocol,
            hosts: Lens::names(&array.hosts, self.hosts.iter().copied()),
            tenant: self.tenant.map(|tenant| Lens::name(&array.tenants, tenant)),
            host_response: HostResponse::of(array, self.host_response).map(Object::name),
            groups: Lens::names(&array.host_groups, self.groups.iter().copied()),
            port_group: self.port_group.map(|group| Lens::name(&array.port_groups, group)),
        }
    }
}
