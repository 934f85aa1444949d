//! QoS policies: how much of the array volumes and containers may use.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Array, Head, Key, Noun, Object, Tenant};
use crate::units::Bytes;

/// A QoS policy. Volumes and containers refer to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QosPolicy {
    /// Identity.
    pub head: Head,
    /// Whose it is; what has no tenant may be used by all.
    pub tenant: Option<Key<Tenant>>,
    /// Whether those that use it share its limits; otherwise each has them for itself.
    pub shared: bool,
    /// The limits.
    pub rule: QosRule,
}

/// How a policy says its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QosRule {
    /// As numbers.
    Fixed(FixedLimits),
    /// By the size or the use of what it limits.
    Adaptive(AdaptiveLimits),
    /// As the number of one of the levels that the array comes with.
    Level(u32),
}

/// Limits as numbers; what is left out is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = QosFixedLimits, examples(json!({"iops": 5000, "bytes_per_second": "200MB"})))]
pub struct FixedLimits {
    /// I/O operations a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iops: Option<u64>,
    /// Reads a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_iops: Option<u64>,
    /// Writes a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_iops: Option<u64>,
    /// Bytes a second, rounded up to the array's unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<Bytes>,
    /// Bytes read a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_bytes_per_second: Option<Bytes>,
    /// Bytes written a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_bytes_per_second: Option<Bytes>,
    /// I/O operations a second that shall be there at least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_iops: Option<u64>,
}

/// Limits that grow with what they limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = QosAdaptiveLimits, examples(json!({"expected_iops_per_tib": 2048, "peak_iops_per_tib": 4096})))]
pub struct AdaptiveLimits {
    /// I/O operations a second that a TiB may expect.
    pub expected_iops_per_tib: u64,
    /// I/O operations a second that a TiB has at most.
    pub peak_iops_per_tib: u64,
    /// I/O operations a second that are there whatever the size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_iops: Option<u64>,
    /// The bytes of one operation by which the limit on bytes follows; otherwise there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_size: Option<Bytes>,
    /// What the expectation grows with; `allocated` if left out.
    #[serde(default)]
    pub expected_by: SpaceKind,
    /// What the most grows with; `used` if left out.
    #[serde(default = "SpaceKind::used")]
    pub peak_by: SpaceKind,
}

/// Which space adaptive limits grow with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = QosSpaceKind)]
pub enum SpaceKind {
    /// The size.
    #[default]
    Allocated,
    /// What is written.
    Used,
}

/// What automatic QoS gives a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum QosPriority {
    /// Before others.
    High,
    /// Between.
    Middle,
    /// After others.
    Low,
    /// As much as there is.
    Unlimited,
}

/// What one thing may do under a policy now; `None`: as much as there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QosCap {
    /// I/O operations a second.
    pub iops: Option<u64>,
    /// Bytes a second.
    pub bytes_per_second: Option<Bytes>,
}

impl SpaceKind {
    const fn used() -> SpaceKind {
        SpaceKind::Used
    }
    fn of(self, size: Bytes, used: Bytes) -> Bytes {
        match self {
            SpaceKind::Allocated => size,
            SpaceKind::Used => used,
        }
    }
}

impl QosRule {
    /// How the kind is called: the field that sets it.
    pub const fn kind(&self) -> &'static str {
        match self {
            QosRule::Fixed(_) => "fixed",
            QosRule::Adaptive(_) => "adaptive",
            QosRule::Level(_) => "level",
        }
    }
    /// The most that something of that size and use may do in all.
    pub fn cap(&self, array: &Array, size: Bytes, used: Bytes) -> QosCap {
        match self {
            QosRule::Fixed(limits) => QosCap { iops: limits.iops, bytes_per_second: limits.bytes_per_second },
            QosRule::Level(number) => {
                let level = array.personality.offer.qos.levels.iter().find(|level| level.number == *number);
                level.map_or_else(QosCap::default, |level| QosCap { iops: Some(level.iops), bytes_per_second: Some(level.bytes_per_second) })
            }
            QosRule::Adaptive(limits) => {
                let space = u128::from(limits.peak_by.of(size, used).get());
                let by_space = u64::try_from((space * u128::from(limits.peak_iops_per_tib)) >> 40).unwrap_or(u64::MAX);
                let iops = by_space.max(limits.least_iops.unwrap_or(0));
                QosCap { iops: Some(iops), bytes_per_second: limits.block_size.map(|block| block.times(iops)) }
            }
        }
    }
}

impl QosPolicy {
    /// What uses it, first found: its noun and name.
    pub fn user(array: &Array, policy: Key<QosPolicy>) -> Option<(Noun, &str)> {
        let volume = array.volumes.iter().find(|item| item.qos_policy == Some(policy)).map(|item| (Noun::Volume, item.name()));
        volume.or_else(|| array.containers.iter().find(|item| item.qos_policy == Some(policy)).map(|item| (Noun::Container, item.name())))
    }
    /// How many use it.
    pub fn users(array: &Array, policy: Key<QosPolicy>) -> usize {
        let volumes = array.volumes.iter().filter(|item| item.qos_policy == Some(policy)).count();
        volumes + array.containers.iter().filter(|item| item.qos_policy == Some(policy)).count()
    }
}

impl Object for QosPolicy {
    const NOUN: Noun = Noun::QosPolicy;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
