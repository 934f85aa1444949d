//! Settings of the whole array.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World};
use crate::model::{Noun, Object, OpError, Policy};

/// Changes settings; what is left out stays.
///
/// Refused, in this order: a text that is too long; switching data reduction on where the model has none; switching it off while a
/// pool or container uses it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SettingsUpdate, examples(json!({"data_reduction": true})))]
pub struct Update {
    /// The name of the storage system, up to 64 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_name: Option<String>,
    /// Where it stands, up to 256 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Whom to ask, up to 256 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// Free text, up to 256 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether pools, containers and volumes may use data reduction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_reduction: Option<bool>,
}

impl Operation for Update {
    const NAME: &'static str = "settings.update";
    const POLICY: Policy = Policy::StorageManagement;
    const SINGLETON: Option<Noun> = Some(Noun::Settings);
    type Plan = Update;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Update, OpError> {
        let texts = [
            ("system_name", &self.system_name, 64),
            ("location", &self.location, 256),
            ("contact", &self.contact, 256),
            ("description", &self.description, 256),
        ];
        for (field, text, most) in texts {
            super::rules::text_is_short(Noun::Settings, field, text.as_deref(), most)?;
        }
        match self.data_reduction {
            Some(true) if world.array.personality.reduction_domain.is_none() => {
                Err(OpError::NotSupported { noun: Noun::Settings, field: "data_reduction".into(), what: "data reduction".into() })
            }
            Some(false) => reduction_is_unused(world).map(|()| self.clone()),
            _ => Ok(self.clone()),
        }
    }

    fn apply(plan: Update, world: &mut World, _: &Ctx) {
        let settings = &mut world.array.settings;
        settings.system_name = plan.system_name.unwrap_or_else(|| settings.system_name.clone());
        settings.location = plan.location.unwrap_or_else(|| settings.location.clone());
        settings.contact = plan.contact.unwrap_or_else(|| settings.contact.clone());
        settings.description = plan.description.unwrap_or_else(|| settings.description.clone());
        settings.data_reduction = plan.data_reduction.unwrap_or(settings.data_reduction);
    }
}

/// No pool and no container must use data reduction.
fn reduction_is_unused(world: &World) -> Result<(), OpError> {
    let array = &world.array;
    let pool = array.pools.iter().find(|pool| pool.reduction.is_on()).map(|pool| (Noun::Pool, pool.name()));
    let container = array.containers.iter().find(|container| container.reduction.is_on()).map(|container| (Noun::Container, container.name()));
    match pool.or(container) {
        Some((by, by_name)) => Err(OpError::ReductionInUse { noun: Noun::Array, name: array.facts.product.clone(), by, by_name: by_name.to_owned() }),
        None => Ok(()),
    }
}
