//! Rules of space that many operations share: what a pool or container can still give, hold and promise, and whether it may reduce data.

use crate::model::{Array, Container, Noun, Object, OpError, Pool, Reduction, ReductionDomain, Savings, space};
use crate::units::Bytes;

/// The pool must have that much free.
pub(super) fn pool_has(pool: &Pool, needed: Bytes) -> Result<(), OpError> {
    if needed <= pool.free() { Ok(()) } else { Err(OpError::PoolFull { pool: pool.name().to_owned(), needed, free: pool.free() }) }
}

/// The container must have that much free.
pub(super) fn container_has(container: &Container, needed: Bytes) -> Result<(), OpError> {
    if needed <= container.free() {
        return Ok(());
    }
    Err(OpError::ContainerFull { container: container.name().to_owned(), needed, free: container.free() })
}

/// The pool must hold its books after a change; a change that takes no more than before always passes.
pub(super) fn pool_holds(pool: &Pool, allocated: Bytes, savings: Savings) -> Result<(), OpError> {
    pool.holds(allocated, savings)
}

/// Its pools must hold what a container costs them after a change.
pub(super) fn pools_hold_container(array: &Array, before: &Container, after: &Container) -> Result<(), OpError> {
    space::pools_hold(array, before, after)
}

/// The pools of a container must be able to promise what they have not promised to it yet.
pub(super) fn pools_may_promise(array: &Array, before: &Container, after: &Container) -> Result<(), OpError> {
    let claims = before.claims();
    after.claims().into_iter().try_for_each(|claim| {
        let promised = claims.iter().filter(|before| before.pool == claim.pool).map(|before| before.promised).sum::<Bytes>();
        pool_may_promise(&array.pools[claim.pool], claim.promised - promised)
    })
}

/// The pool must be able to promise `more` within its own limit.
pub(super) fn pool_may_promise(pool: &Pool, more: Bytes) -> Result<(), OpError> {
    promise_is_within(pool, pool.provisioning_limit(), more)
}

/// What the pool has promised, and `more`, must stay within a limit.
pub(super) fn promise_is_within(pool: &Pool, limit: Option<Bytes>, more: Bytes) -> Result<(), OpError> {
    let provisioned = pool.provisioned + more;
    match limit.filter(|limit| *limit < provisioned) {
        Some(limit) => Err(OpError::OverProvisioned { pool: pool.name().to_owned(), provisioned, limit }),
        None => Ok(()),
    }
}

/// If any reduction is wanted, things of that kind must be able to reduce data on this array, and its switch, if it has one, must be on.
pub(super) fn reduction_is_offered(array: &Array, wanted: Reduction, domain: ReductionDomain, noun: Noun) -> Result<(), OpError> {
    if !wanted.is_on() {
        return Ok(());
    }
    let field = if wanted.deduplication { "deduplication" } else { "compression" };
    if array.personality.reduction_domain != Some(domain) {
        return Err(OpError::NotSupported { noun, field: field.into(), what: format!("data reduction of {}", noun.plural()) });
    }
    if array.personality.reduction_switch && !array.settings.data_reduction {
        return Err(OpError::ReductionOff { field: field.into() });
    }
    Ok(())
}
