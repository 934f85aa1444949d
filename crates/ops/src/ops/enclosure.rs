//! Enclosures: drive enclosures can be added, and removed while they are empty; identification lights can be switched.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World};
use crate::model::{Drive, Enclosure, EnclosureKind, EnclosureModel, Key, Noun, Object, OpError, Place, Policy, Severity};

/// Switches the identification light.
///
/// Refused: unknown enclosure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = EnclosureUpdate, examples(json!({"locate": true})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub enclosure: String,
    /// Whether its identification light is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locate: Option<bool>,
}

impl Operation for Update {
    const NAME: &'static str = "enclosure.update";
    const POLICY: Policy = Policy::MaintenanceOperation;
    type Plan = (Key<Enclosure>, Option<bool>);
    type Output = Key<Enclosure>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        Ok((world.array.enclosures.find(&self.enclosure, Place::Target)?.key(), self.locate))
    }

    fn apply((key, locate): Self::Plan, world: &mut World, _: &Ctx) -> Key<Enclosure> {
        if let (Some(part), Some(locate)) = (world.array.enclosures.get_mut(key), locate) {
            part.locate = locate;
        }
        key
    }
}

/// Adds an empty drive enclosure of the array's model.
///
/// Refused, in this order: the model has no drive enclosures; as many as there can be are there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = EnclosureAdd)]
pub struct Add {}

impl Operation for Add {
    const NAME: &'static str = "enclosure.add";
    const POLICY: Policy = Policy::MaintenanceOperation;
    type Plan = EnclosureModel;
    type Output = Key<Enclosure>;

    fn check(&self, world: &World, _: &Ctx) -> Result<EnclosureModel, OpError> {
        let array = &world.array;
        let model = array.hardware.enclosure(EnclosureKind::Drive).filter(|model| model.most > 0);
        let refusal = || OpError::NotSupported { noun: Noun::Enclosure, field: "kind".into(), what: "drive enclosures".into() };
        let model = model.ok_or_else(refusal)?;
        let there = array.enclosures.iter().filter(|enclosure| enclosure.kind == EnclosureKind::Drive).count();
        if u64::try_from(there).unwrap_or(u64::MAX) >= u64::from(model.most) {
            return Err(OpError::LimitReached { noun: Noun::Enclosure, limit: u64::from(model.most), within: "the array that hold only drives".into() });
        }
        Ok(model.clone())
    }

    fn apply(model: EnclosureModel, world: &mut World, ctx: &Ctx) -> Key<Enclosure> {
        let key = world.array.add_enclosure(&model);
        let name = world.array.enclosures[key].name().to_owned();
        let message = format!("enclosure '{name}' was added: {} bays", model.bays);
        world.array.events.tell(ctx.now, Severity::Information, "enclosure_added", (Noun::Enclosure, &name), message);
        key
    }
}

/// Removes an empty drive enclosure.
///
/// Refused, in this order: unknown enclosure; it holds the controllers; drives are in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = EnclosureRemove)]
pub struct Remove {
    /// Which one.
    pub enclosure: String,
}

impl Operation for Remove {
    const NAME: &'static str = "enclosure.remove";
    const POLICY: Policy = Policy::MaintenanceOperation;
    type Plan = Key<Enclosure>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Enclosure>, OpError> {
        let array = &world.array;
        let enclosure = array.enclosures.find(&self.enclosure, Place::Target)?;
        let (noun, name) = (Noun::Enclosure, enclosure.name().to_owned());
        if let Some(controller) = array.controllers.iter().find(|controller| controller.enclosure == enclosure.key()) {
            return Err(OpError::InUse { noun, name, by: Noun::Controller, by_name: controller.name().to_owned() });
        }
        match array.drives.iter().find(|drive: &&Drive| drive.enclosure == enclosure.key()) {
            Some(drive) => Err(OpError::InUse { noun, name, by: Noun::Drive, by_name: drive.name().to_owned() }),
            None => Ok(enclosure.key()),
        }
    }

    fn apply(key: Key<Enclosure>, world: &mut World, ctx: &Ctx) {
        let name = world.array.enclosures[key].name().to_owned();
        world.array.remove_enclosure(key);
        world.array.events.tell(ctx.now, Severity::Information, "enclosure_removed", (Noun::Enclosure, &name), format!("enclosure '{name}' was removed"));
    }
}
