//! Noise on a chart, for those who want it to look like a measured one.
//!
//! The edges between buckets are shifted a little, by a hash of the seed, the workload and the instant, so that one bucket has a little more
//! and its neighbour a little less. Everything that was done is still done, once: the sum over the window stays, and at every edge all
//! things are shifted alike for one workload, so the sums over things stay, too. Waiting is shifted otherwise than operations, so that
//! latencies move as well. Nothing is random: the same question has the same answer.

use crate::units::{SimSpan, SimTime};

/// How much noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noise {
    /// Where it comes from.
    pub seed: u64,
    /// By how much a bucket may differ at most, in millionths of what it would be; half at most.
    pub amplitude_ppm: u64,
}

/// What is shifted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    /// Operations and bytes.
    Operations,
    /// What answers take.
    Waiting,
    /// What parts work.
    Work,
}

impl Noise {
    /// The most.
    pub const AMPLITUDE_MAX_PPM: u64 = 500_000;

    /// So little that what is at most `highest` stays below `limit`.
    pub(super) fn below(self, highest: u128, limit: u128) -> Noise {
        let room = (limit.saturating_sub(highest) * 1_000_000).checked_div(highest).unwrap_or(0);
        Noise { amplitude_ppm: self.amplitude_ppm.min(u64::try_from(room).unwrap_or(u64::MAX)), ..self }
    }
    /// The edges of buckets of that length, shifted; the first and the last stay.
    pub(super) fn shifted(self, edges: &[SimTime], step: SimSpan, (channel, key): (Channel, u32)) -> Vec<SimTime> {
        let most = u128::from(step.0) * u128::from(self.amplitude_ppm.min(Noise::AMPLITUDE_MAX_PPM)) / 2_000_000;
        let most = u64::try_from(most).unwrap_or(u64::MAX / 4);
        let last = edges.len().saturating_sub(1);
        let shift = |(place, edge): (usize, &SimTime)| {
            if place == 0 || place == last || most == 0 {
                return *edge;
            }
            let hash = [channel as u64, u64::from(key), edge.0].into_iter().fold(self.seed, |hash, word| mixed(hash ^ word));
            SimTime((edge.0 + hash % (2 * most + 1)).saturating_sub(most)).clamp(edges[0], edges[last])
        };
        edges.iter().enumerate().map(shift).collect()
    }
}

/// One step of SplitMix64.
const fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
