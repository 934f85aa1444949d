//! Host affinities.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Affinity, Object};

/// A host affinity: which hosts see which volumes through which ports.
#[derive(Serialize, ToSchema)]
#[schema(as = Affinity)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "HG0-PG0-LG0")]
    name: &'a str,
    /// The hosts.
    #[schema(example = "HG0")]
    host_group: &'a str,
    /// The ports.
    #[schema(example = "PG0")]
    port_group: &'a str,
    /// The volumes.
    #[schema(example = "LG0")]
    lun_group: &'a str,
}

impl Shown for Affinity {
    const PLURAL: &'static str = "affinities";
    const LASTS: bool = true;
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            host_group: Lens::name(&array.host_groups, self.host_group),
            port_group: Lens::name(&array.port_groups, self.port_group),
            lun_group: Lens::name(&array.lun_groups, self.lun_group),
        }
    }
}
