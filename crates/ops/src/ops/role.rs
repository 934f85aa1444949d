//! Roles: sets of policies. Those of the array itself stay as they are.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, rules};
use crate::model::{Array, Key, Noun, Object, OpError, Place, Policy, PolicySet, Role};

/// Creates a role.
///
/// Refused, in this order: invalid name; name taken; no policy; the policy `emulation`, which belongs to the server's user; too many
/// roles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RoleCreate, examples(json!({"name": "Mapper", "policies": ["status_display", "host_interface_management"]})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// What it allows, at least one policy.
    #[schema(value_type = Vec<Policy>)]
    pub policies: PolicySet,
    /// Whether its users can log in to the web page; yes if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web_login: Option<bool>,
}

impl Operation for Create {
    const NAME: &'static str = "role.create";
    const POLICY: Policy = Policy::AuthenticationRole;
    type Plan = Create;
    type Output = Key<Role>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Create, OpError> {
        let (array, rules) = (&world.array, &world.array.personality.accounts);
        rules::name_is_valid(Noun::Role, &self.name, &rules.role_name)?;
        rules::name_is_free(&array.roles, &self.name, None, None)?;
        policies_are_valid(self.policies)?;
        let custom = array.roles.iter().filter(|role| !role.built_in).count();
        rules::count_within(Noun::Role, custom + 1, rules.custom_roles, "the array")?;
        Ok(self.clone())
    }

    fn apply(plan: Create, world: &mut World, _: &Ctx) -> Key<Role> {
        let (identity, policies, web_login) = (world.array.identity, plan.policies, plan.web_login.unwrap_or(true));
        world.array.roles.insert(identity, plan.name, |head| Role { head, policies, built_in: false, web_login })
    }
}

/// Changes a role; what is left out stays.
///
/// Refused, in this order: unknown role; a role of the array itself; invalid name; name taken; no policy; the policy `emulation`; nobody
/// would be left who can log in and manage users.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RoleUpdate, examples(json!({"policies": ["status_display", "volume_create_modify"]})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub role: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it allows, at least one policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Policy>>)]
    pub policies: Option<PolicySet>,
    /// Whether its users can log in to the web page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web_login: Option<bool>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<Role>,
    name: Option<String>,
    policies: Option<PolicySet>,
    web_login: Option<bool>,
}

impl Operation for Update {
    const NAME: &'static str = "role.update";
    const POLICY: Policy = Policy::AuthenticationRole;
    type Plan = UpdatePlan;
    type Output = Key<Role>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let role = array.roles.find(&self.role, Place::Target)?;
        is_custom(role, "changing")?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::Role, name, &array.personality.accounts.role_name)?;
            rules::name_is_free(&array.roles, name, None, Some(role.key()))?;
        }
        if let Some(policies) = self.policies {
            policies_are_valid(policies)?;
            another_role_manages(array, role, policies)?;
        }
        Ok(UpdatePlan { key: role.key(), name: self.name.clone(), policies: self.policies, web_login: self.web_login })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<Role> {
        let roles = &mut world.array.roles;
        if let Some(name) = plan.name {
            roles.rename(plan.key, name);
        }
        if let Some(role) = roles.get_mut(plan.key) {
            role.policies = plan.policies.unwrap_or(role.policies);
            role.web_login = plan.web_login.unwrap_or(role.web_login);
        }
        plan.key
    }
}

/// Deletes a role.
///
/// Refused, in this order: unknown role; a role of the array itself; a user has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RoleDelete)]
pub struct Delete {
    /// Which one.
    pub role: String,
}

impl Operation for Delete {
    const NAME: &'static str = "role.delete";
    const POLICY: Policy = Policy::AuthenticationRole;
    type Plan = Key<Role>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Role>, OpError> {
        let array = &world.array;
        let role = array.roles.find(&self.role, Place::Target)?;
        is_custom(role, "deleting")?;
        match array.users.iter().find(|user| user.role == role.key()) {
            Some(user) => Err(OpError::InUse { noun: Noun::Role, name: role.name().to_owned(), by: Noun::User, by_name: user.name().to_owned() }),
            None => Ok(role.key()),
        }
    }

    fn apply(key: Key<Role>, world: &mut World, _: &Ctx) {
        world.array.roles.remove(key);
    }
}

/// Roles of the array itself stay as they are.
fn is_custom(role: &Role, doing: &str) -> Result<(), OpError> {
    if role.built_in {
        return Err(OpError::NotSupported { noun: Noun::Role, field: "role".into(), what: format!("{doing} its own role '{}'", role.name()) });
    }
    Ok(())
}

/// A role has at least one policy, and none that belongs to the server's user.
fn policies_are_valid(policies: PolicySet) -> Result<(), OpError> {
    if policies.is_empty() {
        return Err(OpError::Missing { noun: Noun::Role, field: "policies".into(), because: "a role has at least one policy".into() });
    }
    if policies.has(Policy::Emulation) {
        let expected = "a policy that an array's role can have".into();
        return Err(OpError::ValueInvalid { noun: Noun::Role, field: "policies".into(), value: Policy::Emulation.to_string(), expected });
    }
    Ok(())
}

/// When the role no longer allows to manage users, a user with another role must.
fn another_role_manages(array: &Array, role: &Role, policies: PolicySet) -> Result<(), OpError> {
    let mut managers = array.administrators().peekable();
    let last = managers.peek().copied().filter(|_| !policies.has(Policy::UserManagement));
    match last {
        Some(user) if managers.all(|user| user.role == role.key()) => Err(OpError::LastAdministrator { user: user.name().to_owned() }),
        _ => Ok(()),
    }
}
