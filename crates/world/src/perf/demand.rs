//! What one request costs each kind of resource, in seconds of that resource.
//!
//! Small pure functions over plain numbers; the mapping from an array to a network calls them
//! for any layout. The formulas are those of the performance model, section 3; the rates of
//! drives and links are assumptions unless said otherwise. All bytes are per request, all
//! shares run from 0 to 1, all rates are per second.

/// Line rate of a 16 Gbit/s Fibre Channel port in bytes per second (performance model, section 3).
pub const FC_16: f64 = 1.6e9;
/// Line rate of a 32 Gbit/s Fibre Channel port in bytes per second (performance model, section 3).
pub const FC_32: f64 = 3.2e9;
/// Useful rate of a 10 Gbit/s iSCSI port in bytes per second (performance model, section 3).
pub const ISCSI_10: f64 = 1.15e9;
/// SAS 12 Gbit/s, four lanes wide: bytes per second of one controller's back end (assumption).
pub const SAS_12_X4: f64 = 4.8e9;

/// What a RAID level makes of writes. `parity` counts the parity members of the whole group
/// (RAID5+0 of two sub-groups: 2); for the mirrors half of the members are copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteCost {
    /// RAID0: each write once.
    Striped,
    /// RAID1 and RAID1+0: each write twice.
    Mirrored,
    /// RAID5 and RAID5+0: a random write reads and writes data and one parity.
    SingleParity {
        /// Drives in the group.
        members: u32,
        /// Drives' worth of parity in the group.
        parity: u32,
    },
    /// RAID6: a random write reads and writes data and two parities.
    DoubleParity {
        /// Drives in the group.
        members: u32,
        /// Drives' worth of parity in the group.
        parity: u32,
    },
    /// RAID-DP and RAID-TEC below a file system that only ever writes full stripes.
    LogStructured {
        /// Drives in the group.
        members: u32,
        /// Drives' worth of parity in the group.
        parity: u32,
    },
}

impl WriteCost {
    /// Drive operations that one random write costs: 1, 2, 4, 6 or `n / (n - p)`.
    #[must_use]
    pub fn random(self) -> f64 {
        match self {
            Self::SingleParity { .. } => 4.0,
            Self::DoubleParity { .. } => 6.0,
            Self::Striped | Self::Mirrored | Self::LogStructured { .. } => self.full_stripe(),
        }
    }

    /// Bytes written to drives per byte of a full-stripe sequential write: `n / (n - p)`.
    ///
    /// A group without a data member counts as one with a single data member.
    #[must_use]
    pub fn full_stripe(self) -> f64 {
        match self {
            Self::Striped => 1.0,
            Self::Mirrored => 2.0,
            Self::SingleParity { members, parity } | Self::DoubleParity { members, parity } | Self::LogStructured { members, parity } => {
                f64::from(members.max(1)) / f64::from(members.saturating_sub(parity).max(1))
            }
        }
    }

    /// Whether a random write must wait for a read of what it replaces.
    #[must_use]
    pub const fn reads_before_it_writes(self) -> bool {
        matches!(self, Self::SingleParity { .. } | Self::DoubleParity { .. })
    }

    /// Drive reads that one read costs on average while `failed` of the group's drives are
    /// missing: `n - 1` for what lay on a failed member of a parity group (RAID5+0: of its half),
    /// 1 for all else (a mirror's partner answers alone).
    #[must_use]
    pub fn degraded_read(self, failed: u32) -> f64 {
        match self {
            Self::Striped | Self::Mirrored => 1.0,
            Self::SingleParity { members, parity } => Self::degraded(members, members / parity.max(1), failed),
            Self::DoubleParity { members, .. } | Self::LogStructured { members, .. } => Self::degraded(members, members, failed),
        }
    }

    /// By how much a random write's drive operations change while `failed` of the group's `members` are missing.
    ///
    /// Nothing is written to what is missing. In a parity group, what lay on a failed member is read together from the others and written
    /// as parity (`n - 1` operations), where the parity itself is missing only the rest of the write is left, and all else is as before;
    /// this is the mean over the members. Drives that are left are never less busy than those of a whole group.
    #[must_use]
    pub fn degraded_write(self, members: u32, failed: u32) -> f64 {
        let (n, f) = (f64::from(members.max(1)), f64::from(failed.min(members)));
        let operations = match self {
            Self::Striped => return 1.0,
            Self::Mirrored | Self::LogStructured { .. } => 0.0,
            Self::SingleParity { members, parity } => 4.0 + f * (f64::from(members / parity.max(1)) - 8.0) / n,
            Self::DoubleParity { .. } => 6.0 + f * (n - 11.0) / n,
        };
        (operations / self.random()).max(self.degraded_stripe(members, failed))
    }

    /// The same for a full-stripe write: the pieces for missing members are left out.
    #[must_use]
    pub fn degraded_stripe(self, members: u32, failed: u32) -> f64 {
        if self == Self::Striped { 1.0 } else { 1.0 - f64::from(failed.min(members)) / f64::from(members.max(1)) }
    }

    /// The mean over the members, of which what lay on the failed ones costs the rest of a set of `width`.
    fn degraded(members: u32, width: u32, failed: u32) -> f64 {
        let missing = f64::from(failed.min(members)) / f64::from(members.max(1));
        1.0 - missing + missing * (f64::from(width) - 1.0).max(1.0)
    }
}

/// One request, averaged over its workload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Io {
    /// Bytes of the request.
    pub bytes: f64,
    /// Share of requests that read.
    pub read_share: f64,
    /// Share of requests, reads and writes alike, that continue a sequential stream.
    pub sequential_share: f64,
}

/// What one drive can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveRates {
    /// Random reads per second.
    pub reads: f64,
    /// Random writes per second.
    pub writes: f64,
    /// Bytes read per second.
    pub read_bytes: f64,
    /// Bytes written per second.
    pub write_bytes: f64,
}

/// A SAS SSD (assumption: performance model, section 3).
pub const SAS_SSD: DriveRates = DriveRates { reads: 120e3, writes: 32e3, read_bytes: 1.0e9, write_bytes: 0.85e9 };
/// An NVMe SSD (assumption: performance model, section 3).
pub const NVME_SSD: DriveRates = DriveRates { reads: 400e3, writes: 45e3, read_bytes: 3.0e9, write_bytes: 1.0e9 };

/// How a request's traffic behind the controllers differs from the request itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Behind {
    /// Share of reads that a cache answers; they cost drives and back end nothing.
    pub read_hits: f64,
    /// Drive reads per read: 1, or [`WriteCost::degraded_read`].
    pub read_cost: f64,
    /// Drive operations of a random write, over those of a whole group: 1, or [`WriteCost::degraded_write`].
    pub write_cost: f64,
    /// The same of a full-stripe write: 1, or [`WriteCost::degraded_stripe`].
    pub stripe_cost: f64,
    /// Bytes and operations that reach the drives per one that the host sent: 1, or less with
    /// data reduction (its inverse ratio).
    pub physical_share: f64,
}

impl Behind {
    /// Nothing cached, nothing failed, nothing reduced.
    pub const PLAIN: Self = Self { read_hits: 0.0, read_cost: 1.0, write_cost: 1.0, stripe_cost: 1.0, physical_share: 1.0 };

    /// A group of `members`, `failed` of which are missing.
    #[must_use]
    pub fn degraded(write: WriteCost, members: u32, failed: u32) -> Self {
        let (write_cost, stripe_cost) = (write.degraded_write(members, failed), write.degraded_stripe(members, failed));
        Self { read_cost: write.degraded_read(failed), write_cost, stripe_cost, ..Self::PLAIN }
    }
}

/// Seconds of each of `ports` host ports that one request of `bytes` uses, the volume being
/// mapped through all of them. Nothing without ports or with a line rate that is not positive.
#[must_use]
pub fn port(bytes: f64, line_rate: f64, ports: u32) -> f64 {
    per(bytes, line_rate) / f64::from(ports.max(1))
}

/// Seconds that one drive takes for one random operation: the longer of `1 / rate` and `bytes / bandwidth`.
#[must_use]
pub fn one_operation(bytes: f64, rate: f64, bandwidth: f64) -> f64 {
    per(1.0, rate).max(per(bytes, bandwidth))
}

/// Seconds of a group of `drives` working drives that one request uses.
///
/// A random operation takes the longer of `1 / rate` and `bytes / bandwidth`, a random write
/// [`WriteCost::random`] of them; sequential requests are coalesced into full stripes and cost
/// their bytes only, a write [`WriteCost::full_stripe`] of them (assumption).
#[must_use]
pub fn drives(io: &Io, rates: &DriveRates, drives: u32, write: WriteCost, behind: &Behind) -> f64 {
    let read_bytes = per(io.bytes, rates.read_bytes);
    let write_bytes = per(io.bytes, rates.write_bytes);
    let random_read = per(1.0, rates.reads).max(read_bytes);
    let random_write = per(1.0, rates.writes).max(write_bytes) * write.random() * behind.write_cost;
    let mix = |random: f64, sequential: f64| random + io.sequential_share * (sequential - random);
    let read = mix(random_read, read_bytes) * (1.0 - behind.read_hits) * behind.read_cost;
    let written = mix(random_write, write_bytes * write.full_stripe() * behind.stripe_cost);
    behind.physical_share * (io.read_share * read + (1.0 - io.read_share) * written) / f64::from(drives.max(1))
}

/// Seconds of one controller's back-end link that one request uses: its physical bytes over
/// the link rate (bytes per second).
#[must_use]
pub fn back_end(io: &Io, link_rate: f64, write: WriteCost, behind: &Behind) -> f64 {
    let read = (1.0 - behind.read_hits) * behind.read_cost;
    let (random, stripe) = (write.random() * behind.write_cost, write.full_stripe() * behind.stripe_cost);
    let written = random + io.sequential_share * (stripe - random);
    let copies = io.read_share * read + (1.0 - io.read_share) * written;
    per(behind.physical_share * io.bytes * copies, link_rate)
}

/// Factor by which data reduction multiplies the controllers' demand of a request: reads by
/// `read`, writes by `write`. Never below 1.
#[must_use]
pub fn reduction(read_share: f64, read: f64, write: f64) -> f64 {
    (read_share * read + (1.0 - read_share) * write).max(1.0)
}

/// `amount / rate`; 0 where the rate is not positive.
pub(super) fn per(amount: f64, rate: f64) -> f64 {
    if rate > 0.0 { amount / rate } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::{Behind, FC_16, Io, NVME_SSD, SAS_12_X4, SAS_SSD, WriteCost, back_end, drives, port, reduction};

    const READ: Io = Io { bytes: 4096.0, read_share: 1.0, sequential_share: 0.0 };
    const WRITE: Io = Io { read_share: 0.0, ..READ };
    const STREAM: Io = Io { bytes: 65_536.0, read_share: 0.0, sequential_share: 1.0 };
    const RAID5: WriteCost = WriteCost::SingleParity { members: 5, parity: 1 };

    fn same(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * b.abs()
    }

    #[test]
    fn raid_levels_cost_what_the_table_says() {
        let raid6 = WriteCost::DoubleParity { members: 8, parity: 2 };
        let raid_dp = WriteCost::LogStructured { members: 12, parity: 2 };
        let random = [WriteCost::Striped, WriteCost::Mirrored, RAID5, raid6, raid_dp].map(WriteCost::random);
        assert_eq!(random, [1.0, 2.0, 4.0, 6.0, 1.2]);
        assert_eq!(RAID5.full_stripe(), 1.25);
        assert_eq!(WriteCost::DoubleParity { members: 2, parity: 2 }.full_stripe(), 2.0);
    }

    #[test]
    fn a_read_from_a_failed_member_costs_the_others() {
        assert!(same(RAID5.degraded_read(1), 0.8 + 0.2 * 4.0));
        assert_eq!(RAID5.degraded_read(0), 1.0);
        assert_eq!(WriteCost::Mirrored.degraded_read(1), 1.0);
    }

    #[test]
    fn a_write_to_a_degraded_group_never_makes_the_drives_that_are_left_less_busy() {
        for n in 3..16 {
            let parity = |members, parity| (WriteCost::SingleParity { members, parity }, WriteCost::DoubleParity { members, parity });
            for (write, failed) in [(parity(n, 1).0, 1), (parity(n, 2).1, 1), (parity(n, 2).1, 2), (WriteCost::Mirrored, 1)] {
                let per_drive = |failed: u32| write.random() * write.degraded_write(n, failed) / f64::from(n - failed);
                assert!(per_drive(failed) >= per_drive(0) * (1.0 - 1e-12), "{write:?} without {failed}");
            }
        }
        // Of nine, one ninth of the writes lay on the missing member and costs eight, one ninth had its parity there and costs one.
        let nine = WriteCost::SingleParity { members: 9, parity: 1 };
        assert!(same(4.0 * nine.degraded_write(9, 1), (8.0 + 1.0 + 7.0 * 4.0) / 9.0));
        let eight = WriteCost::DoubleParity { members: 8, parity: 2 };
        assert!(same(6.0 * eight.degraded_write(8, 1), (7.0 + 2.0 * 4.0 + 5.0 * 6.0) / 8.0));
        assert!(same(WriteCost::Mirrored.degraded_write(12, 1), 11.0 / 12.0) && WriteCost::Striped.degraded_write(12, 0) == 1.0);
    }

    #[test]
    fn ports_share_the_bytes() {
        assert!(same(port(65_536.0, FC_16, 4), 65_536.0 / 6.4e9));
        assert_eq!(port(65_536.0, 0.0, 0), 0.0);
    }

    #[test]
    fn drives_pay_for_operations_or_bytes_whichever_is_longer() {
        let at = |io: &Io, write| drives(io, &SAS_SSD, 12, write, &Behind::PLAIN);
        assert!(same(at(&READ, RAID5), 1.0 / 120e3 / 12.0));
        assert!(same(at(&WRITE, WriteCost::Mirrored), 2.0 / 32e3 / 12.0));
        assert!(same(at(&STREAM, WriteCost::Mirrored), 2.0 * 65_536.0 / 0.85e9 / 12.0));
        let large = Io { bytes: 1e6, ..READ };
        assert!(same(at(&large, RAID5), 1e6 / 1e9 / 12.0));
        assert!(drives(&READ, &NVME_SSD, 12, RAID5, &Behind::PLAIN) < at(&READ, RAID5));
    }

    #[test]
    fn cache_hits_cost_the_back_end_nothing_and_reduction_saves_bytes() {
        let hit = Behind { read_hits: 1.0, ..Behind::PLAIN };
        assert_eq!(drives(&READ, &SAS_SSD, 12, RAID5, &hit), 0.0);
        assert_eq!(back_end(&READ, SAS_12_X4, RAID5, &hit), 0.0);
        let halved = Behind { physical_share: 0.5, ..Behind::PLAIN };
        assert!(same(back_end(&WRITE, SAS_12_X4, RAID5, &halved), 0.5 * 4.0 * 4096.0 / 4.8e9));
    }

    #[test]
    fn data_reduction_never_lowers_the_demand() {
        assert!(same(reduction(0.8, 1.5, 4.15), 2.03));
        assert_eq!(reduction(0.5, 0.1, 0.2), 1.0);
    }
}
