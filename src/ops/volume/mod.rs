//! Volumes: create (one or many, in RAID groups, pools or containers), change, expand, format, migrate, write, unmap, clone, delete.
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
mod update;
mod write;

pub use clone::Clone;
pub use create::{Create, Made};
pub use delete::Delete;
pub use expand::Expand;
pub use format::Format;
pub use migrate::{Migrate, StopMigration};
pub use update::Update;
pub use write::{Unmap, Write};

pub(super) use create::identity;
pub(super) use delete::can_go;
