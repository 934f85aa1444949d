//! Why somebody is not let in.

use std::fmt;

/// Why a request is not let in. Nothing here tells whether a user exists, except that it is locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denial {
    /// The request brings no credentials, and some are needed.
    Missing,
    /// What it brings cannot be read as credentials.
    Malformed,
    /// There is no such user, or it has another password, or it may not log in.
    Wrong,
    /// The user is locked after failed logins, or by an administrator.
    Locked {
        /// Its name.
        user: String,
    },
    /// The password is right, but too old.
    PasswordExpired {
        /// The user's name.
        user: String,
    },
    /// The token is unknown, or its time is over.
    TokenInvalid,
    /// Too many passwords are being checked at this moment.
    Busy,
}

impl Denial {
    /// One sentence that says what to do.
    pub const fn cure(&self) -> &'static str {
        match self {
            Denial::Missing => "send credentials: HTTP Basic, or a bearer token from POST .../sessions",
            Denial::Malformed => "send 'Authorization: Basic' with user:password in base64, or 'Authorization: Bearer' with a token",
            Denial::Wrong => "use the name and the password of the server's user, or of a user of this array",
            Denial::Locked { .. } => "wait until the lock is over; for a user of the array, a user with user_management may also set locked to false",
            Denial::PasswordExpired { .. } => "let a user with user_management set another password",
            Denial::TokenInvalid => "log in again: POST .../sessions",
            Denial::Busy => "try again",
        }
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Denial::Missing => out.write_str("this server answers nobody without credentials"),
            Denial::Malformed => out.write_str("the credentials cannot be read"),
            Denial::Wrong => out.write_str("no user has this name and this password here"),
            Denial::Locked { user } => write!(out, "the user '{user}' is locked"),
            Denial::PasswordExpired { user } => write!(out, "the password of the user '{user}' is too old"),
            Denial::TokenInvalid => out.write_str("the token is unknown, or its time is over"),
            Denial::Busy => out.write_str("too many passwords are being checked"),
        }
    }
}
impl std::error::Error for Denial {}
