//! Roles of the array.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Object, Policy, Role};

/// A role: what its users may do.
#[derive(Serialize, ToSchema)]
#[schema(as = Role)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "StorageAdmin")]
    name: &'a str,
    /// What it allows.
    policies: Vec<Policy>,
    /// Whether it came with the array, so that it stays as it is.
    built_in: bool,
    /// Whether its users can log in to the web page.
    web_login: bool,
    /// Who has it.
    users: Vec<&'a str>,
}

impl Shown for Role {
    const PLURAL: &'static str = "roles";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            policies: self.policies.iter().collect(),
            built_in: self.built_in,
            web_login: self.web_login,
            users: Lens::names_where(&lens.world().array.users, |user| user.role == self.key()),
        }
    }
}
