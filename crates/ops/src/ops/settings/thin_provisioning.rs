//! Whether there can be pools, and how large they may be together.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tell;
use crate::model::{Array, Noun, Object, OpError, Policy, ThinProvisioning};
use crate::ops::{Ctx, Operation, World};
use crate::units::Bytes;

/// Switches thin provisioning, or sets the most capacity of all pools, from which the chunk size follows; what is left out stays.
///
/// Refused, in this order: an array on which pools cannot be switched; a capacity that it does not offer; any change while a pool exists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ThinProvisioningUpdate, examples(json!({"maximum_pool_capacity": "1536TiB"})))]
pub struct Update {
    /// Whether pools can be made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// The most capacity of all pools; one of those that the model offers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum_pool_capacity: Option<Bytes>,
}

impl Operation for Update {
    const NAME: &'static str = "thin-provisioning.update";
    const POLICY: Policy = Policy::StorageManagement;
    const SINGLETON: Option<Noun> = Some(Noun::Settings);
    type Plan = ThinProvisioning;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<ThinProvisioning, OpError> {
        let array = &world.array;
        let (present, offered) = (array.settings.thin_provisioning, &array.personality.offer.pool_capacities);
        if offered.is_empty() && (self.enabled == Some(false) || self.maximum_pool_capacity.is_some()) {
            let (field, what) = ("enabled".into(), "switching thin provisioning".into());
            return Err(OpError::NotSupported { noun: Noun::Settings, field, what });
        }
        if let Some(capacity) = self.maximum_pool_capacity.filter(|capacity| !offered.iter().any(|choice| choice.capacity == *capacity)) {
            let expected = format!("one of {}", offered.iter().map(|choice| choice.capacity.to_string()).collect::<Vec<_>>().join(", "));
            let field = "maximum_pool_capacity".into();
            return Err(OpError::ValueInvalid { noun: Noun::Settings, field, value: capacity.to_string(), expected });
        }
        let wanted = ThinProvisioning {
            enabled: self.enabled.unwrap_or(present.enabled),
            maximum_pool_capacity: self.maximum_pool_capacity.or(present.maximum_pool_capacity),
        };
        if wanted != present {
            there_are_no_pools(array)?;
        }
        Ok(wanted)
    }

    fn apply(plan: ThinProvisioning, world: &mut World, _: &Ctx) {
        if world.array.settings.thin_provisioning != plan {
            world.array.settings.thin_provisioning = plan;
            let state = if plan.enabled { "on" } else { "off" };
            tell(world, "thin_provisioning_changed", format!("thin provisioning is {state}, all pools together up to {}", world.array.pool_capacity_most()));
        }
    }
}

fn there_are_no_pools(array: &Array) -> Result<(), OpError> {
    array.pools.iter().next().map_or(Ok(()), |pool| {
        let (name, by_name) = ("thin provisioning".into(), pool.name().to_owned());
        Err(OpError::InUse { noun: Noun::Settings, name, by: Noun::Pool, by_name })
    })
}
