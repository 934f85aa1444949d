//! Whether writes are answered from the cache of both controllers (write-back) or only when they are on drives (write-through).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Array, Controller, PartKind, PartPlace, health};

/// Why writes go to drives before they are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WriteThrough {
    /// No partner keeps a second copy of the cache.
    PartnerMissing,
    /// RAID groups change hands between controllers.
    ChangingController,
    /// A battery of a controller that runs does not work.
    BatteryFailed,
    /// A battery of a controller that runs is not charged yet.
    BatteryCharging,
}

impl WriteThrough {
    /// All of them.
    pub const ALL: [WriteThrough; 4] =
        [WriteThrough::PartnerMissing, WriteThrough::ChangingController, WriteThrough::BatteryFailed, WriteThrough::BatteryCharging];

    /// In running text.
    pub const fn words(self) -> &'static str {
        match self {
            WriteThrough::PartnerMissing => "a controller does not run",
            WriteThrough::ChangingController => "RAID groups change hands between controllers",
            WriteThrough::BatteryFailed => "a battery does not work",
            WriteThrough::BatteryCharging => "a battery is not charged yet",
        }
    }
}

impl Array {
    /// Why writes go to drives before they are answered, each reason once; none while both controllers keep them, or where the
    /// array does not do so. An array that was
    /// built with a single controller never had a partner and is not slowed down by that.
    pub fn write_through_reasons(&self) -> Vec<WriteThrough> {
        let batteries = || {
            let running = self.controllers.iter().filter(|controller| controller.is_online());
            running.flat_map(|controller| self.batteries_of(controller))
        };
        let applies = |reason: &WriteThrough| match reason {
            WriteThrough::PartnerMissing => self.controllers.len() > 1 && !self.controllers.iter().all(Controller::is_online),
            WriteThrough::ChangingController => self.controllers.iter().any(Controller::is_changing_hands) || health::an_owner_changes(self),
            WriteThrough::BatteryFailed => batteries().any(|battery| !battery.works()),
            WriteThrough::BatteryCharging => batteries().any(|battery| battery.works() && battery.charging),
        };
        WriteThrough::ALL.into_iter().filter(|reason| self.personality.parts.write_through.contains(reason) && applies(reason)).collect()
    }
    /// Whether writes go to drives before they are answered.
    pub fn is_write_through(&self) -> bool {
        !self.write_through_reasons().is_empty()
    }
    fn batteries_of(&self, controller: &Controller) -> impl Iterator<Item = &super::Part> {
        self.parts_at(PartPlace::Controller(super::Object::key(controller))).filter(|part| part.kind == PartKind::Battery)
    }
}
