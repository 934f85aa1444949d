//! Users of the array: who may log in, with which role.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::password::{self, Password, Salt};
use super::{Actor, Ctx, Operation, World, rules};
use crate::engine::Authority;
use crate::model::{Array, Key, Lock, Noun, Object, OpError, PasswordHash, Place, Policy, PolicySet, Role, Severity, User};
use crate::units::SimSpan;

/// Creates a user.
///
/// Refused, in this order: unknown role; invalid name; name taken; a password that breaks the array's password policy; too many users.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = UserCreate, examples(json!({"name": "mona", "role": "Monitor", "password": "watch-0nly"})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: String,
    /// Its password; no answer ever shows it.
    #[schema(value_type = String, format = Password, write_only)]
    pub password: Password,
    /// Whether it may log in; yes if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    role: Key<Role>,
    secret: PasswordHash,
    enabled: bool,
}

impl Operation for Create {
    const NAME: &'static str = "user.create";
    const POLICY: Policy = Policy::UserManagement;
    type Plan = CreatePlan;
    type Output = Key<User>;

    fn carries_plain_text(&self) -> bool {
        self.password.is_plain()
    }
    fn salt(&self, world: &World) -> Salt {
        Salt::of(world.array.identity, &self.name)
    }
    fn sealed(self, salt: &Salt) -> Create {
        Create { password: self.password.sealed(salt), ..self }
    }

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rules) = (&world.array, &world.array.personality.accounts);
        let role = array.roles.find(&self.role, Place::field("role"))?.key();
        rules::name_is_valid(Noun::User, &self.name, &rules.user_name)?;
        rules::name_is_free(&array.users, &self.name, None, None)?;
        let secret = self.password.accepted(world, &self.name)?;
        rules::within_limit(&array.users, 1, rules.users)?;
        Ok(CreatePlan { name: self.name.clone(), role, secret, enabled: self.enabled.unwrap_or(true) })
    }

    fn apply(plan: CreatePlan, world: &mut World, ctx: &Ctx) -> Key<User> {
        let CreatePlan { name, role, secret, enabled } = plan;
        let (identity, password) = (world.array.identity, crate::model::Password::Own(secret));
        let user = |head| User { head, role, enabled, password, password_changed: ctx.now, former: Vec::new(), lock: None };
        world.array.users.insert(identity, name, user)
    }
}

/// Changes a user; what is left out stays. Every user may change its own password.
///
/// Refused, in this order: unknown user; unknown role; a password that breaks the array's password policy; a password that the user
/// had before, as far as the policy's history goes; `locked` other than false; nobody would be left who can log in and manage users.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = UserUpdate, examples(json!({"role": "StorageAdmin", "locked": false})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub user: String,
    /// Its role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Its password; no answer ever shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Password, write_only)]
    pub password: Option<Password>,
    /// Whether it may log in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// False lifts a lock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked: Option<bool>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<User>,
    role: Option<Key<Role>>,
    secret: Option<PasswordHash>,
    enabled: Option<bool>,
    unlock: bool,
}

impl Operation for Update {
    const NAME: &'static str = "user.update";
    const POLICY: Policy = Policy::UserManagement;
    const DEMANDS_DEPEND: bool = true;
    type Plan = UpdatePlan;
    type Output = Key<User>;

    fn demands(&self, world: &World, actor: &Actor) -> PolicySet {
        let only_password = self.role.is_none() && self.enabled.is_none() && self.locked.is_none();
        let own = world.array.users.find(&self.user, Place::Target).is_ok_and(|user| actor.authority == Authority::User(user.key()));
        if own && only_password { PolicySet::EMPTY } else { PolicySet::of(Self::POLICY) }
    }
    fn carries_plain_text(&self) -> bool {
        self.password.as_ref().is_some_and(Password::is_plain)
    }
    fn salt(&self, world: &World) -> Salt {
        password::salt(world, &self.user)
    }
    fn sealed(self, salt: &Salt) -> Update {
        Update { password: self.password.map(|password| password.sealed(salt)), ..self }
    }

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let user = array.users.find(&self.user, Place::Target)?;
        let role = self.role.as_deref().map(|role| array.roles.find(role, Place::field("role"))).transpose()?;
        let secret = self.password.as_ref().map(|password| password.accepted(world, user.name())).transpose()?;
        secret.as_ref().map_or(Ok(()), |secret| is_new(array, user, secret))?;
        if self.locked == Some(true) {
            let expected = "false, which lifts a lock".into();
            return Err(OpError::ValueInvalid { noun: Noun::User, field: "locked".into(), value: "true".into(), expected });
        }
        let manages = role.map_or(array.policies_of(user), |role| role.policies).has(Policy::UserManagement);
        if !(manages && self.enabled.unwrap_or(user.enabled)) {
            another_manages(array, user)?;
        }
        Ok(UpdatePlan { key: user.key(), role: role.map(Object::key), secret, enabled: self.enabled, unlock: self.locked == Some(false) })
    }

    fn apply(plan: UpdatePlan, world: &mut World, ctx: &Ctx) -> Key<User> {
        let Some(user) = world.array.users.get_mut(plan.key) else { return plan.key };
        user.role = plan.role.unwrap_or(user.role);
        user.enabled = plan.enabled.unwrap_or(user.enabled);
        if let Some(secret) = plan.secret {
            user.set_password(secret, ctx.now);
        }
        let was_locked = user.lock_at(ctx.now).is_some();
        if plan.unlock {
            user.lock = None;
        }
        let name = user.name().to_owned();
        if plan.unlock && was_locked {
            tell(world, ctx, Severity::Information, "user_unlocked", &name, format!("user '{name}' is no longer locked"));
        }
        plan.key
    }
}

/// Locks a user, as the array does by itself after too many failed logins in a row: for the time of the password policy, or until
/// somebody unlocks it.
///
/// Refused, in this order: unknown user; it is locked already.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = UserLock)]
pub struct LockOut {
    /// Which one.
    #[schema(ignore)]
    pub user: String,
}

impl Operation for LockOut {
    const NAME: &'static str = "user.lock";
    const POLICY: Policy = Policy::UserManagement;
    type Plan = Key<User>;
    type Output = Key<User>;

    fn check(&self, world: &World, ctx: &Ctx) -> Result<Key<User>, OpError> {
        let user = world.array.users.find(&self.user, Place::Target)?;
        if user.lock_at(ctx.now).is_some() {
            return Err(OpError::WrongState { noun: Noun::User, name: user.name().to_owned(), state: "locked".into(), expected: "unlocked".into() });
        }
        Ok(user.key())
    }

    fn apply(key: Key<User>, world: &mut World, ctx: &Ctx) -> Key<User> {
        let minutes = u64::from(world.array.password_policy.lockout_minutes);
        let until = (minutes > 0).then(|| ctx.now + SimSpan::seconds(60 * minutes));
        let Some(user) = world.array.users.get_mut(key) else { return key };
        user.lock = Some(Lock { since: ctx.now, until });
        let name = user.name().to_owned();
        let end = until.map_or_else(|| "somebody unlocks it".to_owned(), |until| until.stamp(world.array.facts.epoch));
        let message = format!("user '{name}' is locked until {end} ({})", ctx.actor.request);
        tell(world, ctx, Severity::Warning, "user_locked", &name, message);
        key
    }
}

/// Deletes a user.
///
/// Refused, in this order: unknown user; it is the one who asks; nobody would be left who can log in and manage users.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = UserDelete)]
pub struct Delete {
    /// Which one.
    pub user: String,
}

impl Operation for Delete {
    const NAME: &'static str = "user.delete";
    const POLICY: Policy = Policy::UserManagement;
    type Plan = Key<User>;
    type Output = ();

    fn check(&self, world: &World, ctx: &Ctx) -> Result<Key<User>, OpError> {
        let user = world.array.users.find(&self.user, Place::Target)?;
        if ctx.actor.authority == Authority::User(user.key()) {
            return Err(OpError::OwnUser { user: user.name().to_owned() });
        }
        another_manages(&world.array, user)?;
        Ok(user.key())
    }

    fn apply(key: Key<User>, world: &mut World, _: &Ctx) {
        world.array.users.remove(key);
    }
}

/// The user must not have had that password lately.
fn is_new(array: &Array, user: &User, secret: &PasswordHash) -> Result<(), OpError> {
    let history = array.password_policy.history;
    if user.has_used(secret, history) { Err(password::refused(format!("a password that differs from the last {history}"))) } else { Ok(()) }
}

/// Another user than this one must be able to log in and manage users.
fn another_manages(array: &Array, user: &User) -> Result<(), OpError> {
    let last = array.administrators().any(|manager| manager.key() == user.key()) && array.administrators().count() == 1;
    if last { Err(OpError::LastAdministrator { user: user.name().to_owned() }) } else { Ok(()) }
}

fn tell(world: &mut World, ctx: &Ctx, severity: Severity, code: &str, name: &str, message: String) {
    world.array.events.tell(ctx.now, severity, code, (Noun::User, name), message);
}
