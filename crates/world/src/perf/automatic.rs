//! Automatic QoS: the array holds volumes of less priority back for as long as that makes those of more faster.
//!
//! The manuals give no formula; that the limits are found like this is an assumption. First the volumes of low priority are held back
//! evenly, down to a share of what they would do; then those of middle priority as well. Each is held back no further than it takes for
//! every workload on volumes of more priority to be nearly as fast as it could become.

use std::collections::BTreeSet;

use super::net::Solution;
use super::path::Network;
use super::solve::solve_within;
use crate::model::{Array, AutomaticQos, QosPriority};

/// Halvings by which a share is found: to a thousandth.
const HALVINGS: u32 = 10;

/// The equilibrium of a network, with the limits that automatic QoS adds.
pub(super) fn equilibrium(array: &Array, network: &mut Network<'_>) -> Solution {
    let free = solve_within(&network.net, &network.limits.net);
    if !array.settings.automatic_qos {
        return free;
    }
    let rule = array.personality.offer.qos.automatic_rule;
    let mut now = free.clone();
    for (lower, floor) in [(QosPriority::Low, rule.low_percent), (QosPriority::Middle, rule.middle_percent)] {
        let held = held_back(network, lower);
        let better = (0..network.streams.len()).filter(|stream| priority(network, *stream) > rank(lower)).collect();
        let better = meeting(network, better, &held);
        if held.is_empty() || better.is_empty() {
            continue;
        }
        now = hold_back(network, (&held, &better), (&free, now), (rule, f64::from(floor) / 100.0));
    }
    now
}

/// Holds streams back by the largest share that leaves the better ones nearly as fast as the smallest share would.
fn hold_back(
    network: &mut Network<'_>,
    (held, better): (&[usize], &[usize]),
    (free, now): (&Solution, Solution),
    (rule, floor): (AutomaticQos, f64),
) -> Solution {
    let before = network.limits.clone();
    let with = |share: f64| {
        let mut limits = before.clone();
        held.iter().for_each(|stream| limits.hold(*stream, share * free.throughput[*stream], "automatic QoS"));
        let solution = solve_within(&network.net, &limits.net);
        (limits, solution)
    };
    let best = with(floor);
    let slack = 1.0 + f64::from(rule.slack_percent) / 100.0;
    let good = |solution: &Solution| better.iter().all(|stream| solution.latency[*stream] <= slack * best.1.latency[*stream]);
    if good(&now) {
        return now;
    }
    let (mut low, mut high, mut found) = (floor, 1.0, best.clone());
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        let tried = with(middle);
        if good(&tried.1) {
            (low, found) = (middle, tried);
        } else {
            high = middle;
        }
    }
    network.limits = found.0;
    found.1
}

/// High before middle before low; volumes without a priority, and unlimited ones, are left alone and ask for nothing.
fn priority(network: &Network<'_>, stream: usize) -> u8 {
    network.streams[stream].volume.qos_priority.map_or(0, rank)
}

const fn rank(priority: QosPriority) -> u8 {
    match priority {
        QosPriority::Unlimited => 0,
        QosPriority::Low => 1,
        QosPriority::Middle => 2,
        QosPriority::High => 3,
    }
}

/// The streams of that priority that share a resource with one of more.
fn held_back(network: &Network<'_>, lower: QosPriority) -> Vec<usize> {
    let of = |wanted: &dyn Fn(u8) -> bool| -> Vec<usize> { (0..network.streams.len()).filter(|stream| wanted(priority(network, *stream))).collect() };
    meeting(network, of(&|own| own == rank(lower)), &of(&|own| own > rank(lower)))
}

/// Those streams that use a resource that one of the others uses too.
fn meeting(network: &Network<'_>, streams: Vec<usize>, others: &[usize]) -> Vec<usize> {
    let uses = |stream: usize| network.net.classes[stream].demands.iter().map(|(resource, _)| *resource);
    let theirs: BTreeSet<usize> = others.iter().flat_map(|other| uses(*other)).collect();
    streams.into_iter().filter(|stream| uses(*stream).any(|resource| theirs.contains(&resource))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::limits::Limits;

    #[test]
    fn the_lower_of_two_limits_holds() {
        let mut limits = Limits::default();
        limits.hold(1, 200.0, "one");
        limits.hold(1, 300.0, "other");
        assert_eq!(limits.net.own, vec![f64::INFINITY, 200.0]);
        assert_eq!(limits.holding(1, 200.0, &[]), Some("one"));
        assert_eq!((limits.holding(1, 100.0, &[]), limits.holding(0, 100.0, &[])), (None, None));
    }
}
