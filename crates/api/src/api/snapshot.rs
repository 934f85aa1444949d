//! Snapshots.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Object, OpError, Place, Snapshot};
use crate::ops::World;

/// A volume as it was.
#[derive(Serialize, ToSchema)]
#[schema(as = SnapshotVolume)]
pub(super) struct Image<'a> {
    /// Its name then.
    #[schema(example = "V1")]
    name: &'a str,
    /// Its size then, in bytes.
    size: u64,
    /// Bytes written then.
    written: u64,
}

/// A snapshot: a container as it was, with its volumes.
#[derive(Serialize, ToSchema)]
#[schema(as = Snapshot)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "before-upgrade")]
    name: &'a str,
    /// The container that it is of.
    #[schema(example = "C0")]
    container: &'a str,
    /// Free text.
    comment: &'a str,
    /// The volumes as they were.
    volumes: Vec<Image<'a>>,
    /// The containers that were cloned from it and still share its blocks; while there are any it cannot be deleted.
    clones: Vec<&'a str>,
    /// When it was taken.
    #[schema(format = DateTime)]
    created_at: String,
}

impl Shown for Snapshot {
    const PLURAL: &'static str = "snapshots";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let (array, key) = (&lens.world().array, self.key());
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            container: Lens::name(&array.containers, self.container),
            comment: &self.comment,
            volumes: self.images.iter().map(|image| Image { name: image.name(), size: image.size.get(), written: image.layout.written().get() }).collect(),
            clones: Lens::names_where(&array.containers, |container| container.clone.is_some_and(|clone| clone.snapshot == key)),
            created_at: lens.stamp(self.created),
        }
    }
    fn find<'a>(world: &'a World, reference: &str) -> Result<&'a Snapshot, OpError> {
        world.array.find_snapshot(reference, Place::Target)
    }
}
