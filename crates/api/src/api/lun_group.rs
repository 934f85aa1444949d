//! LUN groups.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{LunGroup, Object};

/// A volume under its number.
#[derive(Serialize, ToSchema)]
#[schema(as = Lun)]
pub(super) struct Lun<'a> {
    /// The logical unit number.
    lun: u32,
    /// The volume.
    #[schema(example = "V1")]
    volume: &'a str,
}

/// A LUN group: volumes under the numbers by which hosts see them.
#[derive(Serialize, ToSchema)]
#[schema(as = LunGroup)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "LG0")]
    name: &'a str,
    /// Volumes by logical unit number.
    luns: Vec<Lun<'a>>,
    /// Whose it is; `null`: the array's own.
    #[schema(required = true, example = json!(null))]
    tenant: Option<&'a str>,
}

impl Shown for LunGroup {
    const PLURAL: &'static str = "lun-groups";
    const LASTS: bool = true;
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        let volumes = &array.volumes;
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            luns: self.luns.iter().map(|(lun, volume)| Lun { lun: *lun, volume: Lens::name(volumes, *volume) }).collect(),
            tenant: self.tenant.map(|tenant| Lens::name(&array.tenants, tenant)),
        }
    }
}
