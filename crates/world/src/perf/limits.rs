//! QoS limits: what the policies of volumes and containers let their streams do.
//!
//! A policy limits each thing that uses it on its own, or all of them together. A workload keeps its mix of reads and writes, so a limit
//! on one of them holds all of it back. What is limited waits in the array, and hosts see that as latency.

use std::collections::BTreeMap;

use super::net;
use super::stream::{Stream, number};
use crate::model::{AdaptiveLimits, Array, Container, Key, Object, QosPolicy, QosRule, Volume};
use crate::units::Bytes;

/// The limits on the streams of a network, and what they are called.
#[derive(Clone, Default)]
pub(super) struct Limits {
    /// As the solver wants them.
    pub(super) net: net::Limits,
    /// In words: those that a stream has for itself, by its number.
    own: BTreeMap<usize, String>,
    /// In words: the shared ones, in their order.
    shared: Vec<String>,
}

/// What is limited together. In order of kind and key; names give the order where keys would show.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    Volume(Key<Volume>),
    Container(Key<Container>),
    Policy(Key<QosPolicy>),
}

/// The most per second of a stream's requests by one of the limits of a rule.
type Most = fn(&Stream<'_>, &Ceiling) -> Option<f64>;

/// What something may do in a second.
#[derive(Clone, Copy, Default)]
struct Ceiling {
    iops: [Option<f64>; 3],
    bytes: [Option<f64>; 3],
}

/// Operations, reads and writes; bytes, bytes read and written.
const KINDS: [Most; 6] = [
    |stream, most| per(most.iops[0], stream.ios()),
    |stream, most| per(most.iops[1], stream.ios() * stream.read_share()),
    |stream, most| per(most.iops[2], stream.ios() * (1.0 - stream.read_share())),
    |stream, most| per(most.bytes[0], stream.ios() * stream.block()),
    |stream, most| per(most.bytes[1], stream.ios() * stream.block() * stream.read_share()),
    |stream, most| per(most.bytes[2], stream.ios() * stream.block() * (1.0 - stream.read_share())),
];

/// Requests per second, where one request takes `each` of what is limited.
fn per(most: Option<f64>, each: f64) -> Option<f64> {
    most.filter(|_| each > 0.0).map(|most| most / each)
}

impl Limits {
    /// Those on the streams of an array.
    pub(super) fn of(array: &Array, streams: &[Stream<'_>]) -> Self {
        let mut held: BTreeMap<(String, Holder), Vec<usize>> = BTreeMap::new();
        for (place, stream) in streams.iter().enumerate() {
            for (policy, holder, name) in holders(array, stream.volume) {
                let policy_name = array.qos_policies[policy].name();
                held.entry((format!("QoS policy {policy_name}{name}"), holder)).or_default().push(place);
            }
        }
        let mut limits = Self::default();
        for ((words, holder), members) in held {
            let ceiling = ceiling(array, holder);
            match members[..] {
                [alone] => limits.hold(alone, KINDS.iter().filter_map(|most| most(&streams[alone], &ceiling)).fold(f64::INFINITY, f64::min), &words),
                _ => limits.share(streams, &members, &ceiling, &words),
            }
        }
        limits
    }

    /// Holds one stream back at so many requests per second, unless it is already held at fewer.
    pub(super) fn hold(&mut self, stream: usize, most: f64, words: &str) {
        if self.net.own.len() <= stream {
            self.net.own.resize(stream + 1, f64::INFINITY);
        }
        if most < self.net.own[stream] {
            self.net.own[stream] = most;
            self.own.insert(stream, words.to_owned());
        }
    }

    fn share(&mut self, streams: &[Stream<'_>], members: &[usize], ceiling: &Ceiling, words: &str) {
        for most in KINDS {
            let each: Vec<(usize, f64)> = members.iter().filter_map(|place| most(&streams[*place], ceiling).map(|most| (*place, 1.0 / most))).collect();
            if !each.is_empty() {
                self.net.shared.push(each);
                self.shared.push(words.to_owned());
            }
        }
    }

    /// The limit that holds a stream back at that throughput, in words.
    pub(super) fn holding(&self, stream: usize, throughput: f64, utilization: &[f64]) -> Option<&str> {
        if self.net.own.get(stream).is_some_and(|most| throughput >= most * REACHED) {
            return self.own.get(&stream).map(String::as_str);
        }
        let busy =
            |limit: &usize| utilization.get(*limit).is_some_and(|rho| *rho >= REACHED) && self.net.shared[*limit].iter().any(|(member, _)| *member == stream);
        (0..self.net.shared.len()).find(busy).map(|limit| self.shared[limit].as_str())
    }
}

/// The share of a limit from which it counts as reached.
const REACHED: f64 = 1.0 - 1e-3;

/// The policies that a volume is under, what each limits together, and how that is called.
fn holders(array: &Array, volume: &Volume) -> Vec<(Key<QosPolicy>, Holder, String)> {
    let container = volume.container().and_then(|key| array.containers.get(key));
    let of_volume = volume.qos_policy.map(|policy| (policy, Holder::Volume(volume.key()), format!(" of volume {}", volume.name())));
    let of_container = container
        .and_then(|container| container.qos_policy.map(|policy| (policy, Holder::Container(container.key()), format!(" of container {}", container.name()))));
    let mut found = Vec::new();
    for (policy, holder, name) in of_volume.into_iter().chain(of_container) {
        let one = match array.qos_policies.get(policy) {
            Some(shared) if shared.shared => (policy, Holder::Policy(policy), String::new()),
            Some(_) => (policy, holder, name),
            None => continue,
        };
        // A volume and its container may share one policy: it counts once.
        if found.iter().all(|(_, known, _)| *known != one.1) {
            found.push(one);
        }
    }
    found
}

fn ceiling(array: &Array, holder: Holder) -> Ceiling {
    let volume = |volume: &Volume| (volume.qos_policy, volume.size, volume.layout.written());
    let container = |container: &Container| (container.qos_policy, container.size, container.used());
    let (policy, size, used) = match holder {
        Holder::Volume(key) => volume(&array.volumes[key]),
        Holder::Container(key) => container(&array.containers[key]),
        Holder::Policy(policy) => {
            let users = array.volumes.iter().map(volume).chain(array.containers.iter().map(container)).filter(|(used, ..)| *used == Some(policy));
            users.fold((Some(policy), Bytes::ZERO, Bytes::ZERO), |(policy, size, used), one| (policy, size + one.1, used + one.2))
        }
    };
    policy.and_then(|policy| array.qos_policies.get(policy)).map(|policy| Ceiling::of(array, &policy.rule, size, used)).unwrap_or_default()
}

impl Ceiling {
    /// Of a rule, for something of that size and use. Nothing is held below one operation a second, so that what is empty can be written.
    fn of(array: &Array, rule: &QosRule, size: Bytes, used: Bytes) -> Self {
        let count = |most: Option<u64>| most.map(|most| most.max(1) as f64);
        let bytes = |most: Option<Bytes>| most.map(|most| number(most).max(LEAST_BYTES));
        let whole = rule.cap(array, size, used);
        let mut ceiling = Self { iops: [count(whole.iops), None, None], bytes: [bytes(whole.bytes_per_second), None, None] };
        match rule {
            QosRule::Fixed(apart) => {
                (ceiling.iops[1], ceiling.iops[2]) = (count(apart.read_iops), count(apart.write_iops));
                (ceiling.bytes[1], ceiling.bytes[2]) = (bytes(apart.read_bytes_per_second), bytes(apart.write_bytes_per_second));
            }
            QosRule::Adaptive(AdaptiveLimits { .. }) | QosRule::Level(_) => {}
        }
        ceiling
    }
}

/// Fewest bytes a second that a limit leaves.
const LEAST_BYTES: f64 = 4096.0;
