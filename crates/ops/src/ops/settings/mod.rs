//! Settings of the whole array: what is set once. Each section that people are trusted with apart has an operation of its own.
//!
//! Read first: [`Update`], then [`network`].

pub mod certificate;
pub mod encryption;
pub mod firmware;
pub mod licence;
pub mod network;
pub mod notification;
pub mod thin_provisioning;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, rules};
use crate::model::{Feature, Noun, Object, OpError, OperationMode, Policy, Severity};

/// Changes settings; what is left out stays.
///
/// Refused, in this order: a text that is too long; a time zone or box identifier that is none; automatic QoS that the model does not have;
/// switching data reduction on where the model has none, or without a licence that is needed; switching it off while a pool or container
/// uses it.
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
    /// By which local time its own tools show events: `UTC`, `UTC+09:00` or a place such as `Europe/Berlin`. This API tells all times in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// The identifier by which other arrays know it, up to 40 printable characters without spaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub box_id: Option<String>,
    /// Whether it is being serviced; its status then says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_mode: Option<OperationMode>,
    /// Whether parts that nobody uses save power.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eco_mode: Option<bool>,
    /// Whether the array shares out its speed by the priorities of volumes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automatic_qos: Option<bool>,
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
            rules::text_is_short(Noun::Settings, field, text.as_deref(), most)?;
        }
        form_is_good("time_zone", self.time_zone.as_deref(), is_time_zone, "UTC, UTC+09:00 or a place such as Europe/Berlin")?;
        form_is_good("box_id", self.box_id.as_deref(), is_box_id, "a text of up to 40 printable ASCII characters without spaces")?;
        let rule = &world.array.personality;
        if self.automatic_qos == Some(true) && !rule.offer.qos.automatic {
            return Err(OpError::NotSupported { noun: Noun::Settings, field: "automatic_qos".into(), what: "automatic QoS".into() });
        }
        match self.data_reduction {
            Some(true) if rule.reduction_domain.is_none() => {
                Err(OpError::NotSupported { noun: Noun::Settings, field: "data_reduction".into(), what: "data reduction".into() })
            }
            Some(true) => rules::is_licensed(&world.array, Feature::DataReduction, "data reduction").map(|()| self.clone()),
            Some(false) => reduction_is_unused(world).map(|()| self.clone()),
            None => Ok(self.clone()),
        }
    }

    fn apply(plan: Update, world: &mut World, _: &Ctx) {
        tell_mode(world, plan.operation_mode);
        let settings = &mut world.array.settings;
        settings.system_name = plan.system_name.unwrap_or_else(|| settings.system_name.clone());
        settings.location = plan.location.unwrap_or_else(|| settings.location.clone());
        settings.contact = plan.contact.unwrap_or_else(|| settings.contact.clone());
        settings.description = plan.description.unwrap_or_else(|| settings.description.clone());
        settings.data_reduction = plan.data_reduction.unwrap_or(settings.data_reduction);
        settings.time_zone = plan.time_zone.unwrap_or_else(|| settings.time_zone.clone());
        settings.box_id = plan.box_id.unwrap_or_else(|| settings.box_id.clone());
        settings.operation_mode = plan.operation_mode.unwrap_or(settings.operation_mode);
        settings.eco_mode = plan.eco_mode.unwrap_or(settings.eco_mode);
        settings.automatic_qos = plan.automatic_qos.unwrap_or(settings.automatic_qos);
    }
}

/// Tells an event about the whole array.
fn tell(world: &mut World, code: &str, message: String) {
    let (now, product) = (world.now(), world.array.facts.product.clone());
    world.array.events.tell(now, Severity::Information, code, (Noun::Array, &product), message);
}

fn tell_mode(world: &mut World, mode: Option<OperationMode>) {
    match mode.filter(|mode| *mode != world.array.settings.operation_mode) {
        Some(OperationMode::Maintenance) => tell(world, "maintenance_begun", "the array is being serviced".into()),
        Some(OperationMode::Normal) => tell(world, "maintenance_ended", "the array is no longer being serviced".into()),
        None => {}
    }
}

/// A text must be of a certain form.
fn form_is_good(field: &str, text: Option<&str>, is_good: impl Fn(&str) -> bool, expected: &str) -> Result<(), OpError> {
    match text.filter(|text| !is_good(text)) {
        Some(text) => Err(OpError::ValueInvalid { noun: Noun::Settings, field: field.into(), value: text.into(), expected: expected.into() }),
        None => Ok(()),
    }
}

fn is_time_zone(text: &str) -> bool {
    if let Some(offset) = text.strip_prefix("UTC") {
        let ahead = |rest: &str| {
            let (hours, minutes) = rest.split_once(':')?;
            let whole = hours.len() == 2 && minutes.len() == 2;
            (whole && hours.parse::<u32>().ok()? <= 14 && minutes.parse::<u32>().ok()? < 60).then_some(())
        };
        return offset.is_empty() || offset.strip_prefix(['+', '-']).is_some_and(|rest| ahead(rest).is_some());
    }
    let name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "_-+".contains(c));
    text.len() <= 64 && text.contains('/') && text.split('/').all(name)
}

fn is_box_id(text: &str) -> bool {
    text.len() <= 40 && text.chars().all(|c| c.is_ascii_graphic())
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
