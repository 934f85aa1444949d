//! What the array notices by itself after every change: controllers that lose power or partner, pools that pass a threshold, the state
//! of the whole.

use super::{World, failover, hold, state};
use crate::model::{Key, Noun, Object, Pool, Severity, UsedStatus};

/// Lets controllers and RAID groups find together, and tells what is no longer as it was last told.
pub(super) fn watch<O>(world: &mut World<O>) {
    failover::settle(world);
    hold::follow(world);
    pools(world);
    state::tell(world);
}

/// Tells an event for every pool whose used status is no longer the one last told.
fn pools<O>(world: &mut World<O>) {
    let now = world.now();
    let changed: Vec<(Key<Pool>, UsedStatus)> = world
        .array
        .pools
        .iter()
        .map(|pool| (pool.key(), pool.used_status(), pool.reported))
        .filter(|(_, is, was)| is != was)
        .map(|(key, is, _)| (key, is))
        .collect();
    for (key, status) in changed {
        let Some(pool) = world.array.pools.get_mut(key) else { continue };
        pool.reported = status;
        let (name, percent) = (pool.name().to_owned(), pool.used().percent_of(pool.capacity));
        let (severity, code, message) = match status {
            UsedStatus::Normal => (Severity::Information, "pool_normal", format!("pool '{name}' is below its thresholds again ({percent} % used)")),
            UsedStatus::Attention => (Severity::Warning, "pool_attention", format!("pool '{name}' is at or above its attention threshold ({percent} % used)")),
            UsedStatus::Warning => (Severity::Warning, "pool_warning", format!("pool '{name}' is at or above its warning threshold ({percent} % used)")),
            UsedStatus::Over => (Severity::Error, "pool_over", format!("pool '{name}' has no free chunk left ({percent} % used)")),
        };
        world.array.events.tell(now, severity, code, (Noun::Pool, &name), message);
    }
}
