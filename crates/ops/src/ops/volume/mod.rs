//! Volumes: create (one or many, in RAID groups, pools or containers), change, expand, format, migrate, write, unmap, clone, snapshot, delete.
//!
//! Read first: [`create`], then [`write`].

mod clone;
mod create;
mod delete;
mod expand;
mod format;
mod home;
mod migrate;
mod names;
mod relocation;
mod role;
mod snapshot;
mod update;
mod write;

pub use clone::Clone;
pub use create::{Create, Made};
pub use delete::Delete;
pub use expand::Expand;
pub use format::Format;
pub use migrate::{Migrate, StopMigration};
pub use relocation::Move;
pub use role::Initialize;
pub use snapshot::{Resync, RotateSnapshots, Snapshot};
pub use update::Update;
pub use write::{Unmap, Write};

pub(super) use create::identity;
pub(super) use delete::can_go;
