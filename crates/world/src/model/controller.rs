//! Controllers: the halves of the array that own RAID groups and do the work.
//!
//! A RAID group names the controller that shall own it. Which one acts for it now follows from what has become of that controller:
//! [`Array::acting_owner`].

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Array, Enclosure, Head, Key, Noun, Object, RaidGroup};

/// A controller (ETERNUS: CM; ONTAP: node).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Controller {
    /// Identity; the name is the vendor's (`CM0`).
    pub head: Head,
    /// Where it sits.
    pub enclosure: Key<Enclosure>,
    /// Serial number.
    pub serial_number: String,
    /// Whether it runs.
    #[serde(default)]
    pub state: ControllerState,
    /// Who has its RAID groups.
    #[serde(default)]
    pub possession: Possession,
    /// Whether it gets its RAID groups back by itself when it runs again.
    #[serde(default = "yes")]
    pub auto_giveback: bool,
    /// Whether its identification light is on.
    pub locate: bool,
}

const fn yes() -> bool {
    true
}

/// Whether a controller runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ControllerState {
    /// It takes part in the work.
    #[default]
    Online,
    /// It starts.
    Starting,
    /// It is sound, but has no power.
    Off,
    /// It is broken.
    Failed,
}

/// Who has the RAID groups that a controller shall own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Possession {
    /// The controller itself.
    #[default]
    Own,
    /// Nobody: its partner is about to take them over.
    Leaving,
    /// Its partner.
    Away,
    /// Its partner, which is about to give them back.
    Returning,
}

impl ControllerState {
    /// In one word.
    pub const fn name(self) -> &'static str {
        match self {
            ControllerState::Online => "online",
            ControllerState::Starting => "starting",
            ControllerState::Off => "off",
            ControllerState::Failed => "failed",
        }
    }
}

impl Controller {
    /// Whether it takes part in the work.
    pub const fn is_online(&self) -> bool {
        matches!(self.state, ControllerState::Online)
    }
    /// Whether its RAID groups are changing hands.
    pub const fn is_changing_hands(&self) -> bool {
        matches!(self.possession, Possession::Leaving | Possession::Returning)
    }
}

impl Array {
    /// The controller that works for a RAID group now: its owner, or the partner that has taken over. `None`: nobody does, and its
    /// I/O stands still.
    pub fn acting_owner(&self, group: &RaidGroup) -> Option<Key<Controller>> {
        let owner = self.controllers.get(group.controller)?;
        match owner.possession {
            Possession::Own => owner.is_online().then(|| owner.key()),
            Possession::Leaving => None,
            Possession::Away | Possession::Returning => self.partner_of(owner.key()),
        }
    }
    /// The controller that stands in for another one: the next by number that runs, beginning anew after the last.
    pub fn partner_of(&self, controller: Key<Controller>) -> Option<Key<Controller>> {
        let number = self.controllers.get(controller)?.number();
        let runs = |other: &&Controller| other.is_online() && other.key() != controller;
        let later = self.controllers.after(Some(number)).find(runs);
        later.or_else(|| self.controllers.iter().find(runs)).map(Object::key)
    }
    /// Whether any controller runs. Without one the array answers, but does nothing.
    pub fn is_ready(&self) -> bool {
        self.controllers.is_empty() || self.controllers.iter().any(Controller::is_online)
    }
}

impl Object for Controller {
    const NOUN: Noun = Noun::Controller;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
