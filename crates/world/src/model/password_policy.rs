//! What an array demands of passwords, and how it deals with failed logins.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Traits;

/// The password policy of an array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordPolicy {
    /// The fewest characters of a password.
    pub length_min: u32,
    /// Whether a letter must be among them.
    pub letter_required: bool,
    /// Whether a digit must be among them.
    pub digit_required: bool,
    /// After how many days of virtual time a password no longer opens anything; 0: never.
    pub age_days_max: u32,
    /// How many of a user's last passwords, the present one included, must not come again; 0: any may.
    pub history: u32,
    /// After how many failed logins in a row a user is locked; 0: never.
    pub lockout_failures: u32,
    /// How many minutes of virtual time a locked user stays locked; 0: until somebody unlocks it.
    pub lockout_minutes: u32,
}

impl Default for PasswordPolicy {
    fn default() -> PasswordPolicy {
        PasswordPolicy { length_min: 8, letter_required: true, digit_required: true, age_days_max: 0, history: 0, lockout_failures: 5, lockout_minutes: 15 }
    }
}

impl PasswordPolicy {
    /// What a password must be, when one with these traits is not; at most `most` characters are taken.
    pub fn objection(&self, traits: Traits, most: u32) -> Option<String> {
        let long_enough = (self.length_min..=most).contains(&traits.characters);
        let fits = long_enough && (traits.letter || !self.letter_required) && (traits.digit || !self.digit_required);
        (!fits).then(|| self.words(most))
    }
    fn words(&self, most: u32) -> String {
        let among = match (self.letter_required, self.digit_required) {
            (true, true) => " with a letter and a digit",
            (true, false) => " with a letter",
            (false, true) => " with a digit",
            (false, false) => "",
        };
        format!("a password of {} to {most} characters{among}", self.length_min)
    }
}

#[cfg(test)]
mod tests {
    use super::{PasswordPolicy, Traits};

    #[test]
    fn a_password_has_eight_characters_with_a_letter_and_a_digit_unless_told_otherwise() {
        let objection = |policy: &PasswordPolicy, plain| policy.objection(Traits::of(plain), 16).is_some();
        let usual = PasswordPolicy::default();
        assert!(!objection(&usual, "letters1") && !objection(&usual, "ächtung7"));
        for weak in ["", "letter1", "letters!", "12345678", "seventeen letters"] {
            assert!(objection(&usual, weak), "{weak}");
        }
        let lax = PasswordPolicy { length_min: 1, letter_required: false, digit_required: false, ..PasswordPolicy::default() };
        assert!(!objection(&lax, "!") && objection(&lax, ""));
        assert_eq!(usual.objection(Traits::of("x"), 64).as_deref(), Some("a password of 8 to 64 characters with a letter and a digit"));
    }
}
