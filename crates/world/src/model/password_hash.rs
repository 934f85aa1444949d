//! Passwords as an array keeps them: never the text itself.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A password that nobody can read any more: its hash with salt and cost, in the PHC string format (`$argon2id$v=19$..`).
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PasswordHash(String);

/// What a password policy asks of a password, noted before it was hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traits {
    /// How many characters it has.
    pub characters: u32,
    /// Whether a letter is among them.
    pub letter: bool,
    /// Whether a digit is among them.
    pub digit: bool,
}

impl PasswordHash {
    /// From its text.
    pub const fn new(text: String) -> PasswordHash {
        PasswordHash(text)
    }
    /// Its text.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("********")
    }
}

impl Traits {
    /// Those of a password.
    pub fn of(plain: &str) -> Traits {
        Traits {
            characters: u32::try_from(plain.chars().count()).unwrap_or(u32::MAX),
            letter: plain.chars().any(char::is_alphabetic),
            digit: plain.chars().any(|character| character.is_ascii_digit()),
        }
    }
}
