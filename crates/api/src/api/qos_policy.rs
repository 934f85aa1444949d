//! QoS policies.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{AdaptiveLimits, FixedLimits, Object, QosPolicy, QosRule, SpaceKind};

/// Limits as numbers; sizes in bytes.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = QosFixed)]
pub(super) struct Fixed {
    /// I/O operations a second.
    #[schema(required = true)]
    iops: Option<u64>,
    /// Reads a second.
    #[schema(required = true)]
    read_iops: Option<u64>,
    /// Writes a second.
    #[schema(required = true)]
    write_iops: Option<u64>,
    /// Bytes a second.
    #[schema(required = true)]
    bytes_per_second: Option<u64>,
    /// Bytes read a second.
    #[schema(required = true)]
    read_bytes_per_second: Option<u64>,
    /// Bytes written a second.
    #[schema(required = true)]
    write_bytes_per_second: Option<u64>,
    /// I/O operations a second that shall be there at least.
    #[schema(required = true)]
    least_iops: Option<u64>,
}

/// Limits that grow with what they limit; sizes in bytes.
#[derive(Serialize, ToSchema)]
#[schema(as = QosAdaptive)]
pub(super) struct Adaptive {
    /// I/O operations a second that a TiB may expect.
    expected_iops_per_tib: u64,
    /// I/O operations a second that a TiB has at most.
    peak_iops_per_tib: u64,
    /// I/O operations a second that are there whatever the size.
    #[schema(required = true)]
    least_iops: Option<u64>,
    /// The bytes of one operation by which the limit on bytes follows.
    #[schema(required = true)]
    block_size: Option<u64>,
    /// What the expectation grows with.
    expected_by: SpaceKind,
    /// What the most grows with.
    peak_by: SpaceKind,
}

/// Which limits a policy has.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = QosKind)]
pub(super) enum Kind {
    /// As numbers.
    Fixed,
    /// By the size or the use.
    Adaptive,
    /// One of the levels that the array comes with.
    Level,
}

/// A QoS policy: how much of the array volumes and containers may use.
#[derive(Serialize, ToSchema)]
#[schema(as = QosPolicy)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "silver")]
    name: &'a str,
    /// Whose it is; `null`: everyone's.
    #[schema(required = true, example = json!(null))]
    tenant: Option<&'a str>,
    /// Which limits it has.
    kind: Kind,
    /// Limits as numbers; of a level, what it stands for.
    #[schema(required = true)]
    fixed: Option<Fixed>,
    /// Limits that grow with what they limit.
    #[schema(required = true)]
    adaptive: Option<Adaptive>,
    /// The number of the level.
    #[schema(required = true)]
    level: Option<u32>,
    /// Whether those that use it share its limits.
    shared: bool,
    /// How many volumes and containers use it.
    users: usize,
}

impl From<&FixedLimits> for Fixed {
    fn from(limits: &FixedLimits) -> Fixed {
        Fixed {
            iops: limits.iops,
            read_iops: limits.read_iops,
            write_iops: limits.write_iops,
            bytes_per_second: limits.bytes_per_second.map(|bytes| bytes.get()),
            read_bytes_per_second: limits.read_bytes_per_second.map(|bytes| bytes.get()),
            write_bytes_per_second: limits.write_bytes_per_second.map(|bytes| bytes.get()),
            least_iops: limits.least_iops,
        }
    }
}

impl From<&AdaptiveLimits> for Adaptive {
    fn from(limits: &AdaptiveLimits) -> Adaptive {
        let AdaptiveLimits { expected_iops_per_tib, peak_iops_per_tib, least_iops, block_size, expected_by, peak_by } = *limits;
        Adaptive { expected_iops_per_tib, peak_iops_per_tib, least_iops, block_size: block_size.map(|block| block.get()), expected_by, peak_by }
    }
}

impl Shown for QosPolicy {
    const PLURAL: &'static str = "qos-policies";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        let (kind, fixed, adaptive, level) = match &self.rule {
            QosRule::Fixed(limits) => (Kind::Fixed, Some(limits.into()), None, None),
            QosRule::Adaptive(limits) => (Kind::Adaptive, None, Some(limits.into()), None),
            QosRule::Level(number) => {
                let cap = self.rule.cap(array, crate::units::Bytes::ZERO, crate::units::Bytes::ZERO);
                let fixed = Fixed { iops: cap.iops, bytes_per_second: cap.bytes_per_second.map(|bytes| bytes.get()), ..Fixed::default() };
                (Kind::Level, Some(fixed), None, Some(*number))
            }
        };
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            tenant: self.tenant.map(|tenant| Lens::name(&array.tenants, tenant)),
            kind,
            fixed,
            adaptive,
            level,
            shared: self.shared,
            users: QosPolicy::users(array, self.key()),
        }
    }
}
