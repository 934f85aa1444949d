//! Single mappings.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Mapping, Object, Party};

/// A mapping: one volume for one host or host group, under one number.
#[derive(Serialize, ToSchema)]
#[schema(as = Mapping)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "V1-H0")]
    name: &'a str,
    /// What is mapped.
    #[schema(example = "V1")]
    volume: &'a str,
    /// To which host; or to a host group.
    #[schema(required = true, example = "H0")]
    host: Option<&'a str>,
    /// To which host group.
    #[schema(required = true, example = json!(null))]
    host_group: Option<&'a str>,
    /// Through which ports; null: all that serve the protocol.
    #[schema(required = true, example = json!(null))]
    port_group: Option<&'a str>,
    /// Under which logical unit number.
    lun: u32,
}

impl Shown for Mapping {
    const PLURAL: &'static str = "mappings";
    const LASTS: bool = true;
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        let (host, host_group) = match self.party {
            Party::Host(host) => (Some(Lens::name(&array.hosts, host)), None),
            Party::HostGroup(group) => (None, Some(Lens::name(&array.host_groups, group))),
        };
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            volume: Lens::name(&array.volumes, self.volume),
            host,
            host_group,
            port_group: self.port_group.map(|group| Lens::name(&array.port_groups, group)),
            lun: self.lun,
        }
    }
}
