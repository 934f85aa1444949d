//! Who may do what: the one place where rights are looked up. `site` asks it before every operation, and fronts before every reading.

use super::{Actor, AnyOperation, Operation, World};
use crate::engine::Authority;
use crate::model::{Object, OpError, Policy, PolicySet};

/// The actor must be allowed to do the operation.
pub fn permit<O: Operation>(operation: &O, world: &World, actor: &Actor) -> Result<(), OpError> {
    if actor.authority.is_server() { Ok(()) } else { allows_all(world, actor, operation.demands(world, actor), O::NAME) }
}

/// The same of any operation.
pub fn permit_any(operation: &AnyOperation, world: &World, actor: &Actor) -> Result<(), OpError> {
    if actor.authority.is_server() { Ok(()) } else { allows_all(world, actor, operation.demands(world, actor), operation.name()) }
}

/// The actor must have every policy that is demanded.
pub fn allows_all(world: &World, actor: &Actor, demanded: PolicySet, doing: &str) -> Result<(), OpError> {
    match policies(world, actor).lacks(demanded) {
        Some(policy) => Err(forbidden(world, actor, policy, doing)),
        None => Ok(()),
    }
}

/// The actor must have one of these policies.
pub fn allows_one(world: &World, actor: &Actor, enough: PolicySet, doing: &str) -> Result<(), OpError> {
    if policies(world, actor).meets(enough) {
        return Ok(());
    }
    Err(forbidden(world, actor, enough.iter().next().unwrap_or(Policy::Emulation), doing))
}

/// What an actor may do. A user that is gone, disabled or locked may do nothing any more.
pub fn policies(world: &World, actor: &Actor) -> PolicySet {
    match actor.authority {
        Authority::Server => Policy::ALL.into_iter().collect(),
        Authority::User(key) => {
            let user = world.array.users.get(key).filter(|user| user.enabled && user.lock_at(world.now()).is_none());
            user.map_or(PolicySet::EMPTY, |user| world.array.policies_of(user))
        }
        Authority::Nobody => PolicySet::EMPTY,
    }
}

fn forbidden(world: &World, actor: &Actor, policy: Policy, doing: &str) -> OpError {
    let key = if let Authority::User(key) = actor.authority { Some(key) } else { None };
    let role = key.and_then(|key| world.array.users.get(key)).and_then(|user| world.array.roles.get(user.role));
    let role = role.map_or("none", Object::name).to_owned();
    OpError::Forbidden { user: actor.user.clone(), role, policy, doing: doing.to_owned() }
}
