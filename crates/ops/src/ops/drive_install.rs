//! Putting new drives into empty bays.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, rules};
use crate::model::{Array, Drive, DriveModel, DriveType, Enclosure, Key, Noun, Object, OpError, Place, Policy, Severity};
use crate::units::Bytes;

/// Puts new drives into empty bays of an enclosure: into those that are named, or so many from the lowest on. What is not said of their
/// kind is as with the model's usual drive.
///
/// Refused, in this order: bays both named and counted, or neither; unknown enclosure; no drive, or more than an enclosure has bays; a
/// drive that the model does not take; a bay that the enclosure does not have; one named twice; one in which a drive sits; too few empty
/// bays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DriveInstall, examples(json!({"enclosure": "DE01", "count": 12, "type": "sas_ssd", "capacity": "3.84TB"})))]
pub struct Install {
    /// The enclosure by id, number or name.
    pub enclosure: String,
    /// The bays, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bays: Option<Vec<u32>>,
    /// How many, into the lowest empty bays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// What kind of drives they are.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub drive_type: Option<DriveType>,
    /// Capacity as sold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Bytes>,
    /// Whether they encrypt themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_encrypting: Option<bool>,
}

/// What [`Install`] found out.
#[derive(Debug)]
pub struct InstallPlan {
    enclosure: Key<Enclosure>,
    bays: Vec<u32>,
    model: DriveModel,
}

impl Operation for Install {
    const NAME: &'static str = "drive.install";
    const POLICY: Policy = Policy::MaintenanceOperation;
    type Plan = InstallPlan;
    type Output = Vec<Key<Drive>>;

    fn check(&self, world: &World, _: &Ctx) -> Result<InstallPlan, OpError> {
        let array = &world.array;
        let asked = match (&self.bays, self.count) {
            (Some(_), Some(_)) => {
                let because = "bays are either named or counted".into();
                return Err(OpError::Conflicting { noun: Noun::Drive, fields: vec!["bays".into(), "count".into()], because });
            }
            (None, None) => {
                return Err(OpError::Missing { noun: Noun::Drive, field: "count".into(), because: "bays are either named (bays) or counted".into() });
            }
            (Some(bays), None) => u32::try_from(bays.len()).unwrap_or(u32::MAX),
            (None, Some(count)) => count,
        };
        let enclosure = array.enclosures.find(&self.enclosure, Place::field("enclosure"))?;
        let field = if self.bays.is_some() { "bays" } else { "count" };
        rules::in_range(Noun::Drive, field, u64::from(asked), (1, u64::from(enclosure.bays)))?;
        let model = self.model(array)?;
        let empty = array.empty_bays(enclosure);
        let bays = match &self.bays {
            Some(bays) => named_bays(array, enclosure, bays)?,
            None => lowest_bays(enclosure, empty, asked)?,
        };
        Ok(InstallPlan { enclosure: enclosure.key(), bays, model })
    }

    fn apply(plan: InstallPlan, world: &mut World, ctx: &Ctx) -> Vec<Key<Drive>> {
        let array = &mut world.array;
        let (name, count) = (array.enclosures[plan.enclosure].name().to_owned(), plan.bays.len());
        let made = plan.bays.into_iter().map(|bay| {
            let again = format!(":{}", array.drives.next_key().raw());
            array.add_drive(plan.enclosure, bay, plan.model, &again)
        });
        let made = made.collect();
        let message = format!("{count} drives of {} {} were put into enclosure '{name}'", plan.model.drive_type, plan.model.capacity);
        world.array.events.tell(ctx.now, Severity::Information, "drives_installed", (Noun::Enclosure, &name), message);
        made
    }
}

impl Install {
    /// The drive that is asked for must be one that fits.
    fn model(&self, array: &Array) -> Result<DriveModel, OpError> {
        let known = &array.hardware.drives;
        let asked = known.first().map(|usual| DriveModel {
            drive_type: self.drive_type.unwrap_or(usual.drive_type),
            capacity: self.capacity.unwrap_or(usual.capacity),
            self_encrypting: self.self_encrypting.unwrap_or(usual.self_encrypting),
        });
        if let Some(model) = asked.filter(|asked| known.contains(asked)) {
            return Ok(model);
        }
        let what = match asked {
            None => "adding drives".to_owned(),
            Some(asked) => {
                let known: Vec<String> = known.iter().map(words).collect();
                format!("a drive of {}; it takes {}", words(&asked), known.join(", "))
            }
        };
        Err(OpError::NotSupported { noun: Noun::Drive, field: "capacity".into(), what })
    }
}

fn words(drive: &DriveModel) -> String {
    format!("{} {}{}", drive.drive_type, drive.capacity, if drive.self_encrypting { " (self-encrypting)" } else { "" })
}

/// The named bays must exist, each once, and be empty.
fn named_bays(array: &Array, enclosure: &Enclosure, named: &[u32]) -> Result<Vec<u32>, OpError> {
    let last = u64::from(enclosure.bays.saturating_sub(1));
    named.iter().try_for_each(|bay| rules::in_range(Noun::Drive, "bays", u64::from(*bay), (0, last)))?;
    let mut bays = BTreeSet::new();
    if let Some(twice) = named.iter().find(|bay| !bays.insert(**bay)) {
        let expected = "named once only".into();
        return Err(OpError::ValueInvalid { noun: Noun::Drive, field: "bays".into(), value: twice.to_string(), expected });
    }
    let taken = |drive: &&Drive| drive.enclosure == enclosure.key() && bays.contains(&drive.bay);
    match array.drives.iter().find(taken) {
        Some(drive) => Err(OpError::InUse { noun: Noun::Enclosure, name: enclosure.name().to_owned(), by: Noun::Drive, by_name: drive.name().to_owned() }),
        None => Ok(bays.into_iter().collect()),
    }
}

/// There must be that many empty bays.
fn lowest_bays(enclosure: &Enclosure, empty: Vec<u32>, count: u32) -> Result<Vec<u32>, OpError> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if empty.len() < count {
        let within = format!("the enclosure '{}'", enclosure.name());
        return Err(OpError::LimitReached { noun: Noun::Drive, limit: u64::from(enclosure.bays), within });
    }
    Ok(empty.into_iter().take(count).collect())
}
