//! Why a site refuses to add or find an array.

use std::fmt;

use super::ChangeError;

/// A refusal about an array as a whole. What happens inside an array is refused by [`crate::model::OpError`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteError {
    /// An array of that name exists.
    ArrayExists {
        /// The name.
        name: String,
    },
    /// The name breaks the rule for names of arrays.
    ArrayNameInvalid {
        /// The name.
        name: String,
    },
    /// No array has that name.
    NoSuchArray {
        /// The name.
        name: String,
    },
    /// Files of an array of that name are in the data directory, and were left as they are.
    FilesExist {
        /// The name.
        name: String,
    },
    /// It is no longer as the client has seen it.
    Changed {
        /// How.
        cause: Box<ChangeError>,
    },
    /// It cannot be written to the data directory.
    NotWritten {
        /// The array's name.
        name: String,
        /// Why.
        cause: String,
    },
}

impl SiteError {
    /// The longest name of an array.
    pub const NAME_LENGTH_MAX: usize = 63;

    /// One sentence that says what to do.
    pub fn cure(&self) -> &'static str {
        match self {
            SiteError::Changed { .. } => "read the array again, see what has changed, and repeat the request with its present ETag",
            SiteError::ArrayExists { .. } => "choose another name, or delete the other array first",
            SiteError::ArrayNameInvalid { .. } => "choose a name such as 'lab' or 'team-1.dev'",
            SiteError::NoSuchArray { .. } => "list the arrays and use a name from there, or create it first",
            SiteError::FilesExist { .. } => "choose another name, or start without --skip-array for that name",
            SiteError::NotWritten { .. } => "make room on the server's disk, and see to it that the server may write there",
        }
    }
}

impl fmt::Display for SiteError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SiteError::ArrayExists { name } => write!(out, "an array named '{name}' exists already"),
            SiteError::ArrayNameInvalid { name } => write!(
                out,
                "'{name}' is no name for an array: a name has 1 to {} letters, digits, '-', '_' and '.', and begins with a letter or digit",
                SiteError::NAME_LENGTH_MAX
            ),
            SiteError::NoSuchArray { name } => write!(out, "no array is called '{name}'"),
            SiteError::Changed { cause } => cause.fmt(out),
            SiteError::FilesExist { name } => write!(out, "files of an array named '{name}' are in the data directory and were left as they are"),
            SiteError::NotWritten { name, cause } => write!(out, "the array '{name}' cannot be written to the server's disk: {cause}"),
        }
    }
}
impl std::error::Error for SiteError {}

/// The name must have 1 to 63 letters, digits, `-`, `_` and `.`, and begin with a letter or digit, so that it can stand in a URL.
pub(super) fn name_is_valid(name: &str) -> Result<(), SiteError> {
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let begins = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    if begins && name.len() <= SiteError::NAME_LENGTH_MAX && name.bytes().all(letters) {
        Ok(())
    } else {
        Err(SiteError::ArrayNameInvalid { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn array_names_can_stand_in_a_url() {
        for name in ["a", "0", "af250", "team-1.dev_B", &"x".repeat(63)] {
            assert_eq!(name_is_valid(name), Ok(()), "{name}");
        }
        for name in ["", "-a", ".a", "_a", "a b", "a/b", "ü", "a%20", &"x".repeat(64)] {
            assert!(name_is_valid(name).is_err(), "{name}");
        }
    }
}
