//! Which of a model's measurements count for a volume.

use std::collections::BTreeSet;

use super::path::{self, CUSTOM};
use crate::model::{Array, Calibration, Key, Object, Profile, Protocol, RaidLevel, Volume, WorkloadDemand, reach};
use crate::units::PartsPerMillion;

/// The calibration that counts for a volume now: the first variant whose conditions it meets, else the model's own. Without a variant
/// for what a volume is, it is as fast as the model's own says (assumption).
pub(super) fn calibration<'a>(array: &'a Array, volume: &Volume) -> Option<&'a Calibration> {
    let own = array.calibration.as_ref()?;
    if own.variants.is_empty() {
        return Some(own);
    }
    let (protocols, levels) = (reach::volume_protocols(array, volume.key()), levels(array, volume));
    let is_all = |wanted: Protocol| protocols.len() == 1 && protocols.contains(&wanted);
    let lies_in = |level: RaidLevel| levels.len() == 1 && levels.contains(&level);
    let fits = own.variants.iter().find(|variant| variant.protocol.is_none_or(is_all) && variant.raid_level.is_none_or(lies_in));
    Some(fits.map_or(own, |variant| &variant.calibration))
}

fn levels(array: &Array, volume: &Volume) -> BTreeSet<RaidLevel> {
    reach::raid_groups_of(array, volume).into_iter().filter_map(|group| array.raid_groups.get(group)).map(|group| group.level).collect()
}

/// Whether the array's model was measured under a profile of that name, so that a workload of it can run.
#[must_use]
pub fn is_calibrated(array: &Array, profile: &str) -> bool {
    array.calibration.as_ref().is_some_and(|own| profile == CUSTOM || own.workloads.contains_key(profile))
}

/// How many requesters a profile has on a volume of the array when none are asked for, if what was measured implies it.
#[must_use]
pub fn usual_population(array: &Array, profile: &str, volume: Option<Key<Volume>>) -> Option<u64> {
    demand(array, profile, array.volumes.get(volume?)?)?.population
}

fn demand<'a>(array: &'a Array, profile: &str, volume: &Volume) -> Option<&'a WorkloadDemand> {
    calibration(array, volume)?.workloads.get(profile)
}

/// What a request of a profile that nobody measured costs, computed from the corners: rough to about 25 %.
#[must_use]
pub fn computed(calibration: &Calibration, profile: &Profile) -> WorkloadDemand {
    let cost = path::custom_cost(calibration, profile);
    WorkloadDemand {
        controller_demand_ps: (cost.demand * 1e12).round() as u64,
        base_latency_ns: (cost.base_latency * 1e9).round() as u64,
        burstiness_ppm: PartsPerMillion((cost.burstiness * 1e6).round() as u64),
        population: None,
    }
}
