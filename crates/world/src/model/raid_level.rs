//! RAID levels: how many drives they take and what they leave.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A RAID level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
pub enum RaidLevel {
    /// Striping without protection.
    #[serde(rename = "raid0")]
    Raid0,
    /// One mirrored pair.
    #[serde(rename = "raid1")]
    Raid1,
    /// Striped mirrors.
    #[serde(rename = "raid1+0")]
    Raid10,
    /// One parity drive's worth.
    #[serde(rename = "raid5")]
    Raid5,
    /// Two striped RAID 5 halves.
    #[serde(rename = "raid5+0")]
    Raid50,
    /// Two parity drives' worth.
    #[serde(rename = "raid6")]
    Raid6,
    /// NetApp double parity.
    #[serde(rename = "raid-dp")]
    RaidDp,
    /// NetApp triple parity.
    #[serde(rename = "raid-tec")]
    RaidTec,
}

/// What protection a RAID group has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Redundancy {
    /// All that its level gives.
    Full,
    /// Some, but less.
    Partial,
    /// None: the next failure breaks it.
    Exposed,
    /// More is missing than it bears.
    Broken,
}

impl RaidLevel {
    /// Every level.
    pub const ALL: [RaidLevel; 8] =
        [RaidLevel::Raid0, RaidLevel::Raid1, RaidLevel::Raid10, RaidLevel::Raid5, RaidLevel::Raid50, RaidLevel::Raid6, RaidLevel::RaidDp, RaidLevel::RaidTec];

    /// Its name in requests and answers.
    pub const fn name(self) -> &'static str {
        match self {
            RaidLevel::Raid0 => "raid0",
            RaidLevel::Raid1 => "raid1",
            RaidLevel::Raid10 => "raid1+0",
            RaidLevel::Raid5 => "raid5",
            RaidLevel::Raid50 => "raid5+0",
            RaidLevel::Raid6 => "raid6",
            RaidLevel::RaidDp => "raid-dp",
            RaidLevel::RaidTec => "raid-tec",
        }
    }
    /// The fewest and the most drives of one group.
    ///
    /// Source: ETERNUS Web GUI help, Create RAID Group (RAID 1+0, 5, 6, 1); RAID 0 and the upper end of RAID 5+0 are background knowledge;
    /// RAID-DP and RAID-TEC: three (five) drives at least; the most, 28 and 29, is an assumption.
    pub const fn drive_limits(self) -> (u32, u32) {
        match self {
            RaidLevel::Raid0 => (2, 16),
            RaidLevel::Raid1 => (2, 2),
            RaidLevel::Raid10 => (4, 32),
            RaidLevel::Raid5 => (3, 16),
            RaidLevel::Raid50 => (6, 32),
            RaidLevel::Raid6 => (5, 16),
            RaidLevel::RaidDp => (3, 28),
            RaidLevel::RaidTec => (5, 29),
        }
    }
    /// Whether the number of drives must be even.
    pub const fn needs_pairs(self) -> bool {
        matches!(self, RaidLevel::Raid1 | RaidLevel::Raid10 | RaidLevel::Raid50)
    }
    /// Whether a group of that many drives can be made.
    pub const fn accepts(self, drives: u32) -> bool {
        let (least, most) = self.drive_limits();
        drives >= least && drives <= most && (!self.needs_pairs() || drives.is_multiple_of(2))
    }
    /// In words, which numbers of drives are accepted.
    pub fn accepted_counts(self) -> String {
        let (least, most) = self.drive_limits();
        match (least == most, self.needs_pairs()) {
            (true, _) => format!("exactly {least}"),
            (false, true) => format!("an even number from {least} to {most}"),
            (false, false) => format!("{least} to {most}"),
        }
    }
    /// What a refusal says of a level that is not among those offered for `what`.
    pub fn refused(self, what: &str, offered: &[RaidLevel]) -> String {
        let offered: Vec<&str> = offered.iter().map(|level| level.name()).collect();
        format!("{what} of {self}; it has {}", offered.join(", "))
    }
    /// The sets of members that protect one another, and how many of each can be missing.
    ///
    /// RAID 1+0: members 0 and 1 mirror one another, 2 and 3, and so on (assumption). RAID 5+0: two halves.
    fn sets(self, drives: u32) -> Vec<(Range<u32>, u32)> {
        match self {
            RaidLevel::Raid10 => (0..drives / 2).map(|pair| (2 * pair..2 * pair + 2, 1)).collect(),
            RaidLevel::Raid50 => vec![(0..drives / 2, 1), (drives / 2..drives, 1)],
            _ => vec![(0..drives, self.bears())],
        }
    }
    /// How many members can be missing, wherever they are.
    pub const fn bears(self) -> u32 {
        match self {
            RaidLevel::Raid0 => 0,
            RaidLevel::Raid1 | RaidLevel::Raid10 | RaidLevel::Raid5 | RaidLevel::Raid50 => 1,
            RaidLevel::Raid6 | RaidLevel::RaidDp => 2,
            RaidLevel::RaidTec => 3,
        }
    }
    /// What protection is left of `drives` members while those of these places are missing: in the set that is hit worst.
    pub fn redundancy(self, drives: u32, missing: &[u32]) -> Redundancy {
        let of_set = |(set, bears): (Range<u32>, u32)| {
            let gone = u32::try_from(missing.iter().filter(|place| set.contains(place)).count()).unwrap_or(u32::MAX);
            match gone.cmp(&bears) {
                _ if gone == 0 => Redundancy::Full,
                Ordering::Less => Redundancy::Partial,
                Ordering::Equal => Redundancy::Exposed,
                Ordering::Greater => Redundancy::Broken,
            }
        };
        self.sets(drives).into_iter().map(of_set).max().unwrap_or(Redundancy::Full)
    }
    /// How many other members are read to make the data of a missing one anew.
    pub fn read_for_rebuild(self, drives: u32) -> u32 {
        match self {
            RaidLevel::Raid0 | RaidLevel::Raid1 | RaidLevel::Raid10 => 1,
            RaidLevel::Raid50 => (drives / 2).saturating_sub(1),
            RaidLevel::Raid5 => drives.saturating_sub(1),
            RaidLevel::Raid6 | RaidLevel::RaidDp | RaidLevel::RaidTec => self.data_drives(drives),
        }
    }
    /// How many of `drives` carry data; the others carry mirrors or parity.
    pub const fn data_drives(self, drives: u32) -> u32 {
        match self {
            RaidLevel::Raid0 => drives,
            RaidLevel::Raid1 | RaidLevel::Raid10 => drives / 2,
            RaidLevel::Raid5 => drives.saturating_sub(1),
            RaidLevel::Raid50 | RaidLevel::Raid6 | RaidLevel::RaidDp => drives.saturating_sub(2),
            RaidLevel::RaidTec => drives.saturating_sub(3),
        }
    }
}

impl fmt::Display for RaidLevel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::RaidLevel::*;

    #[test]
    fn levels_take_the_drive_counts_of_the_manual() {
        let accepted = |level: super::RaidLevel| (0..40).filter(|n| level.accepts(*n)).collect::<Vec<_>>();
        assert_eq!(accepted(Raid1), [2]);
        assert_eq!(accepted(Raid10), (4..=32).step_by(2).collect::<Vec<_>>());
        assert_eq!(accepted(Raid5), (3..=16).collect::<Vec<_>>());
        assert_eq!(accepted(Raid50), (6..=32).step_by(2).collect::<Vec<_>>());
        assert_eq!(accepted(Raid6), (5..=16).collect::<Vec<_>>());
    }

    #[test]
    fn protection_is_counted_by_pairs_and_halves() {
        use super::Redundancy::{Broken, Exposed, Full, Partial};
        for (level, drives, missing, left) in [
            (Raid0, 4, &[][..], Full),
            (Raid0, 4, &[0], Broken),
            (Raid1, 2, &[1], Exposed),
            (Raid1, 2, &[0, 1], Broken),
            (Raid10, 6, &[0, 2, 5], Exposed),
            (Raid10, 6, &[2, 3], Broken),
            (Raid10, 6, &[1, 2], Exposed),
            (Raid5, 4, &[3], Exposed),
            (Raid5, 4, &[0, 3], Broken),
            (Raid50, 6, &[2, 3], Exposed),
            (Raid50, 6, &[0, 2], Broken),
            (Raid6, 5, &[4], Partial),
            (Raid6, 5, &[0, 4], Exposed),
            (Raid6, 5, &[0, 1, 4], Broken),
            (RaidDp, 3, &[0, 1], Exposed),
            (RaidTec, 5, &[0, 1], Partial),
            (RaidTec, 5, &[0, 1, 2], Exposed),
        ] {
            assert_eq!(level.redundancy(drives, missing), left, "{level} of {drives} without {missing:?}");
        }
    }

    #[test]
    fn data_drives_follow_the_level() {
        for (level, drives, data) in
            [(Raid0, 4, 4), (Raid1, 2, 1), (Raid10, 12, 6), (Raid5, 4, 3), (Raid50, 8, 6), (Raid6, 8, 6), (RaidDp, 6, 4), (RaidTec, 8, 5)]
        {
            assert_eq!(level.data_drives(drives), data, "{level}");
        }
    }
}
