//! Which release of ONTAP is played.

use std::fmt;
use std::str::FromStr;

/// A version of ONTAP: 9.16.1, 9.8P2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// 9.
    generation: u8,
    /// 16 of 9.16.1.
    major: u8,
    /// 1 of 9.16.1; 0 of 9.8P2.
    minor: u8,
    /// 2 of 9.8P2; 0 without a patch.
    patch: u8,
}

impl Version {
    /// What is reported unless somebody says otherwise.
    pub const DEFAULT: Version = Version::new(16, 1, 0);
    /// Those of the reviewed arrays.
    const REVIEWED: [Version; 2] = [Version::new(8, 0, 2), Version::new(9, 1, 0)];

    const fn new(major: u8, minor: u8, patch: u8) -> Version {
        Version { generation: 9, major, minor, patch }
    }
    /// The three numbers that clients read.
    pub(crate) const fn numbers(self) -> (u8, u8, u8) {
        (self.generation, self.major, self.minor)
    }
    fn is_known(self) -> bool {
        let within = self.generation == 9 && (12..=17).contains(&self.major) && self.minor >= 1 && (self.major < 17 || self.minor == 1);
        within || Version::REVIEWED.contains(&self)
    }
    fn read(text: &str) -> Option<Version> {
        let (numbers, patch) = match text.split_once('P') {
            Some((numbers, patch)) => (numbers, number(patch).filter(|patch| *patch > 0)?),
            None => (text, 0),
        };
        let mut parts = numbers.split('.').map(number);
        let (generation, major) = (parts.next()??, parts.next()??);
        let minor = parts.next().map_or(Some(0), |minor| minor.filter(|minor| *minor > 0))?;
        parts.next().is_none().then_some(Version { generation, major, minor, patch })
    }
}

fn number(text: &str) -> Option<u8> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| plain)
}

impl Default for Version {
    fn default() -> Version {
        Version::DEFAULT
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.generation, self.major)?;
        if self.minor > 0 {
            write!(out, ".{}", self.minor)?;
        }
        if self.patch > 0 {
            write!(out, "P{}", self.patch)?;
        }
        Ok(())
    }
}

impl FromStr for Version {
    type Err = String;
    fn from_str(text: &str) -> Result<Version, String> {
        let known = Version::read(text).filter(|version| version.is_known());
        known.ok_or_else(|| "give a version from 9.12.1 to 9.17.1, perhaps with a patch as in 9.16.1P2, or 9.8P2 or 9.9.1".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_of_ontap_are_read_as_they_are_written() {
        for text in ["9.12.1", "9.13.1", "9.16.1", "9.16.1P4", "9.17.1", "9.17.1P12", "9.8P2", "9.9.1", "9.14.2"] {
            assert_eq!(text.parse::<Version>().map(|version| version.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "", "9", "9.16", "9.11.1", "9.18.1", "9.17.2", "9.8", "9.8P3", "9.9.1P1", "9.16.1P", "9.16.1P0", "9.16.1.0", "9.16.01", "9.+16.1", "v9.16.1",
            "10.1.1",
        ] {
            assert!(text.parse::<Version>().is_err_and(|cure| cure.contains("9.12.1 to 9.17.1")), "{text}");
        }
        let version = |text: &str| text.parse::<Version>().expect("known");
        assert!(version("9.8P2") < version("9.9.1") && version("9.9.1") < version("9.12.1") && version("9.16.1") < version("9.16.1P4"));
    }
}
