//! RAID levels: how many drives they take and what they leave.

use std::fmt;

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
    fn data_drives_follow_the_level() {
        for (level, drives, data) in
            [(Raid0, 4, 4), (Raid1, 2, 1), (Raid10, 12, 6), (Raid5, 4, 3), (Raid50, 8, 6), (Raid6, 8, 6), (RaidDp, 6, 4), (RaidTec, 8, 5)]
        {
            assert_eq!(level.data_drives(drives), data, "{level}");
        }
    }
}
