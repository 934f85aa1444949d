//! Users of the array.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Object, Password, User};

/// A user of the array. No answer shows its password.
#[derive(Serialize, ToSchema)]
#[schema(as = User)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to the number.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "mona")]
    name: &'a str,
    /// Its role.
    #[schema(example = "Monitor")]
    role: &'a str,
    /// Whether it may log in.
    enabled: bool,
    /// Whether it is locked now, after failed logins or by an administrator.
    locked: bool,
    /// When the lock ends; null when it is not locked, or locked until somebody unlocks it.
    #[schema(required = true, format = DateTime)]
    locked_until: Option<String>,
    /// Whether it has a password of its own; otherwise it has that of the server, and cannot log in where the server has none.
    own_password: bool,
    /// When its password was set.
    #[schema(format = DateTime)]
    password_changed_at: String,
    /// When its password opens nothing any more; null: never.
    #[schema(required = true, format = DateTime)]
    password_expires_at: Option<String>,
    /// Whether its password opens nothing any more.
    password_expired: bool,
}

impl Shown for User {
    const PLURAL: &'static str = "users";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let (array, now) = (&lens.world().array, lens.now());
        let lock = self.lock_at(now);
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            role: Lens::name(&array.roles, self.role),
            enabled: self.enabled,
            locked: lock.is_some(),
            locked_until: lock.and_then(|lock| lock.until).map(|until| lens.stamp(until)),
            own_password: matches!(self.password, Password::Own(_)),
            password_changed_at: lens.stamp(self.password_changed),
            password_expires_at: self.password_expires(&array.password_policy).map(|expires| lens.stamp(expires)),
            password_expired: self.password_is_expired(&array.password_policy, now),
        }
    }
}
