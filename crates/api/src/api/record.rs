//! Records.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Object, OpError, Place, Record, RecordKind};
use crate::ops::World;

/// A record: configuration that has a name and is referred to, and from which nothing in the array follows. What it says stands in its notes.
#[derive(Serialize, ToSchema)]
#[schema(as = Record)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "hourly")]
    name: &'a str,
    /// What kind of thing it is.
    kind: RecordKind,
    /// Whose it is; `null`: the array's own.
    #[schema(required = true, example = json!(null))]
    tenant: Option<&'a str>,
}

impl Shown for Record {
    const PLURAL: &'static str = "records";
    const LASTS: bool = true;
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            kind: self.kind,
            tenant: self.tenant.map(|tenant| Lens::name(&lens.world().array.tenants, tenant)),
        }
    }
    fn find<'a>(world: &'a World, reference: &str) -> Result<&'a Record, OpError> {
        world.array.find_record(reference, Place::Target)
    }
}
