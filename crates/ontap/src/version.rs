//! Which release of ONTAP is played.

use std::fmt;
use std::str::FromStr;

/// A release of ONTAP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    generation: u32,
    major: u32,
    minor: u32,
    /// The patch, 0 for none.
    patch: u32,
}

impl Version {
    /// The one that is played unless another is wished.
    pub const DEFAULT: Version = Version::new(9, 16, 1);
    /// The oldest and the newest that clients branch on.
    const RANGE: (Version, Version) = (Version::new(9, 12, 1), Version::new(9, 17, 1));
    /// Those of the reviewed systems.
    const REVIEWED: [&str; 2] = ["9.8P2", "9.9.1"];

    const fn new(generation: u32, major: u32, minor: u32) -> Version {
        Version { generation, major, minor, patch: 0 }
    }
    /// The three numbers that clients read.
    pub(crate) const fn numbers(self) -> (u32, u32, u32) {
        (self.generation, self.major, self.minor)
    }
    /// Whether it is this release or a later one.
    pub(crate) fn is_at_least(self, major: u32, minor: u32) -> bool {
        (self.major, self.minor) >= (major, minor)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.generation, self.major)?;
        if self.minor > 0 {
            write!(out, ".{}", self.minor)?;
        }
        if self.patch > 0 { write!(out, "P{}", self.patch) } else { Ok(()) }
    }
}

impl FromStr for Version {
    type Err = String;
    fn from_str(text: &str) -> Result<Version, String> {
        let refuse = || format!("'{text}' is no release that is played: give 9.12.1 to 9.17.1, such as {}, or 9.8P2 or 9.9.1", Version::DEFAULT);
        let (numbers, patch) = text.split_once(['P', 'p']).unwrap_or((text, "0"));
        let numbers: Vec<u32> = numbers.split('.').map(str::parse).collect::<Result<_, _>>().map_err(|_| refuse())?;
        let patch = patch.parse().map_err(|_| refuse())?;
        let version = match numbers[..] {
            [generation, major, minor] => Version { patch, ..Version::new(generation, major, minor) },
            [generation, major] => Version { patch, ..Version::new(generation, major, 0) },
            _ => return Err(refuse()),
        };
        let plain = Version { patch: 0, ..version };
        let is_played = (Version::RANGE.0..=Version::RANGE.1).contains(&plain) || Version::REVIEWED.contains(&text.to_uppercase().as_str());
        if is_played { Ok(version) } else { Err(refuse()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_releases_that_clients_branch_on_are_played() {
        for text in ["9.12.1", "9.16.1", "9.17.1", "9.16.1P3", "9.8P2", "9.9.1"] {
            assert_eq!(text.parse::<Version>().map(|version| version.to_string()).as_deref(), Ok(text));
        }
        for text in ["9.11.1", "9.18.1", "9.7", "10.1.1", "nine", "9.16.1P", "9.8", ""] {
            assert!(text.parse::<Version>().is_err(), "{text}");
        }
        assert_eq!("9.8P2".parse::<Version>().expect("reviewed").numbers(), (9, 8, 0));
        assert!(Version::DEFAULT.is_at_least(16, 0) && !Version::DEFAULT.is_at_least(17, 0));
    }
}
