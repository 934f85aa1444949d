//! Parts fail, are restored, and get warm, on demand.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World};
use crate::engine::{JobStatus, NewJob, Work};
use crate::model::{Key, Noun, Object, OpError, Part, PartFault, PartKind, PartStatus, Place, Policy, Severity};

/// Lets a part fail: by default it does not work; `warning` is a part that should be replaced soon.
///
/// Refused, in this order: unknown part; it has that fault already.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PartFail, examples(json!({"state": "error"})))]
pub struct Fail {
    /// Which one.
    #[schema(ignore)]
    pub part: String,
    /// What is wrong with it; `error` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<PartFault>,
}

impl Operation for Fail {
    const NAME: &'static str = "part.fail";
    const POLICY: Policy = Policy::Emulation;
    type Plan = (Key<Part>, PartFault);
    type Output = Key<Part>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let part = world.array.parts.find(&self.part, Place::Target)?;
        let fault = self.state.unwrap_or(PartFault::Error);
        if part.fault == Some(fault) {
            return Err(wrong_state(part, &format!("in the state '{}' already", fault.name()), "in order"));
        }
        Ok((part.key(), fault))
    }

    fn apply((key, fault): Self::Plan, world: &mut World, ctx: &Ctx) -> Key<Part> {
        break_part(world, key, fault, ctx);
        key
    }
}

/// Breaks a part and tells of it. A battery is charged no more.
pub(super) fn break_part(world: &mut World, key: Key<Part>, fault: PartFault, ctx: &Ctx) {
    stop_charging(world, key);
    let Some(part) = world.array.parts.get_mut(key) else { return };
    part.fault = Some(fault);
    let (name, words) = (part.name().to_owned(), part.kind.words());
    let (severity, code, what) = match fault {
        PartFault::Warning => (Severity::Warning, "part_warning", "should be replaced"),
        PartFault::Error => (Severity::Error, "part_failed", "has failed"),
        PartFault::Maintenance => (Severity::Information, "part_maintenance", "is under maintenance"),
        PartFault::Missing => (Severity::Error, "part_missing", "is missing"),
    };
    world.array.events.tell(ctx.now, severity, code, (Noun::Part, &name), format!("the {words} '{name}' {what}"));
}

/// Mends or replaces a part: nothing is wrong with it any more, and a sensor shows its usual temperature. A battery that has failed is
/// replaced by an empty one, which is charged.
///
/// Refused, in this order: unknown part; nothing is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PartRestore)]
pub struct Restore {
    /// Which one.
    #[schema(ignore)]
    pub part: String,
}

impl Operation for Restore {
    const NAME: &'static str = "part.restore";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Key<Part>;
    type Output = Key<Part>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let part = world.array.parts.find(&self.part, Place::Target)?;
        let unusual = part.temperature.is_some_and(|temperature| temperature.celsius != temperature.usual);
        if part.fault.is_none() && !unusual {
            return Err(wrong_state(part, "in order", "broken"));
        }
        Ok(part.key())
    }

    fn apply(key: Self::Plan, world: &mut World, ctx: &Ctx) -> Key<Part> {
        mend(world, key, ctx);
        key
    }
}

/// Mends a part and tells of it.
pub(super) fn mend(world: &mut World, key: Key<Part>, ctx: &Ctx) {
    let Some(part) = world.array.parts.get_mut(key) else { return };
    let charge = part.kind == PartKind::Battery && !part.works();
    part.fault = None;
    part.charging = charge;
    if let Some(temperature) = &mut part.temperature {
        temperature.celsius = temperature.usual;
    }
    let (name, words) = (part.name().to_owned(), part.kind.words());
    world.array.events.tell(ctx.now, Severity::Information, "part_restored", (Noun::Part, &name), format!("the {words} '{name}' is in order again"));
    if charge {
        let span = world.array.personality.parts.battery_charge_time;
        world.start_job(NewJob { kind: "part.charge", work: Work::Charge(key), target: (Noun::Part, &name) }, span, &ctx.actor);
    }
}

fn stop_charging(world: &mut World, key: Key<Part>) {
    let charging = world.job_on(|work| matches!(work, Work::Charge(charged) if *charged == key)).map(Object::key);
    if let Some(job) = charging {
        world.end_job(job, JobStatus::Canceled, None);
    }
    if let Some(part) = world.array.parts.get_mut(key) {
        part.charging = false;
    }
}

/// Sets what a temperature sensor measures. Thresholds of the model make warnings and errors of it.
///
/// Refused, in this order: unknown part; it is no sensor; it does not work; a temperature out of range.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PartSetTemperature, examples(json!({"celsius": 46})))]
pub struct SetTemperature {
    /// Which one.
    #[schema(ignore)]
    pub part: String,
    /// Degrees Celsius, -40 to 125.
    pub celsius: i32,
}

impl Operation for SetTemperature {
    const NAME: &'static str = "part.set-temperature";
    const POLICY: Policy = Policy::Emulation;
    type Plan = (Key<Part>, i32);
    type Output = Key<Part>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let part = world.array.parts.find(&self.part, Place::Target)?;
        if part.temperature.is_none() {
            let (field, value, expected) = ("part".into(), part.name().to_owned(), "a temperature sensor".into());
            return Err(OpError::ValueInvalid { noun: Noun::Part, field, value, expected });
        }
        if !part.works() {
            return Err(wrong_state(part, &format!("in the state '{}'", part.condition().name()), "working"));
        }
        if !(-40..=125).contains(&self.celsius) {
            let (least, most) = ("-40".into(), "125".into());
            return Err(OpError::OutOfRange { noun: Noun::Part, field: "celsius".into(), value: self.celsius.to_string(), least, most });
        }
        Ok((part.key(), self.celsius))
    }

    fn apply((key, celsius): Self::Plan, world: &mut World, ctx: &Ctx) -> Key<Part> {
        let Some(part) = world.array.parts.get_mut(key) else { return key };
        let name = part.name().to_owned();
        let Some(temperature) = part.temperature.as_mut() else { return key };
        let before = temperature.status();
        temperature.celsius = celsius;
        let now_is = temperature.status();
        if now_is != before {
            let (severity, code, what) = match now_is {
                PartStatus::Error => (Severity::Error, "temperature_error", format!(": {} °C or more", temperature.error)),
                PartStatus::Warning => (Severity::Warning, "temperature_warning", format!(": {} °C or more", temperature.warning)),
                _ => (Severity::Information, "temperature_normal", " again: it is in its usual range".to_owned()),
            };
            world.array.events.tell(ctx.now, severity, code, (Noun::Part, &name), format!("the sensor '{name}' measures {celsius} °C{what}"));
        }
        key
    }
}

fn wrong_state(part: &Part, state: &str, expected: &str) -> OpError {
    OpError::WrongState { noun: Noun::Part, name: part.name().to_owned(), state: state.into(), expected: expected.into() }
}
