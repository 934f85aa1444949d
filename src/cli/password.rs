//! Passwords on the command line: never shown, and better given by the environment or a file.

use std::convert::Infallible;
use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use super::failure::Failure;

/// A password as somebody gave it. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Password(String);

impl Password {
    /// The password itself.
    pub(super) fn plain(&self) -> &str {
        &self.0
    }
}

impl FromStr for Password {
    type Err = Infallible;
    fn from_str(text: &str) -> Result<Password, Infallible> {
        Ok(Password(text.to_owned()))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("********")
    }
}

/// The password that was given, or the first line of the file that was given instead. An empty one is a mistake.
pub(super) fn given(password: Option<&Password>, file: Option<&Path>) -> Result<Option<Password>, Failure> {
    let password = match (password, file) {
        (Some(password), _) => Some(password.clone()),
        (None, Some(file)) => Some(first_line(file)?),
        (None, None) => None,
    };
    match password {
        Some(password) if password.0.is_empty() => Err(Failure::arguments("the password is empty; leave --password out to have none")),
        other => Ok(other),
    }
}

fn first_line(file: &Path) -> Result<Password, Failure> {
    let text = fs::read_to_string(file).map_err(|cause| Failure::arguments(format!("--password-file {}: {cause}", file.display())))?;
    Ok(Password(text.lines().next().unwrap_or_default().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_comes_from_the_argument_or_the_first_line_of_a_file_and_is_never_shown() {
        let file = std::env::temp_dir().join(format!("arrayplane-password-{}", std::process::id()));
        fs::write(&file, "from the file\nsecond line\n").expect("a place for files");
        let (argument, none) = (Password("from the argument".to_owned()), None);
        assert_eq!(given(Some(&argument), none).expect("one").map(|password| password.0).as_deref(), Some("from the argument"));
        assert_eq!(given(None, Some(&file)).expect("one").map(|password| password.0).as_deref(), Some("from the file"));
        assert_eq!(given(None, none).expect("none"), None);
        fs::write(&file, "\n").expect("a place for files");
        assert!(given(None, Some(&file)).expect_err("it is empty").message.contains("empty"));
        fs::remove_file(&file).expect("it was there");
        assert!(given(None, Some(&file)).expect_err("it is gone").message.contains("--password-file"));
        assert_eq!(format!("{argument:?}"), "********");
    }
}
