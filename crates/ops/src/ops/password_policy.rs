//! The password policy: what an array demands of passwords, and when it locks a user.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, rules};
use crate::model::{Noun, OpError, Policy, User};

/// Changes the password policy; what is left out stays. Passwords that were set before are not looked at again, except for their age.
///
/// Refused, in this order: a value out of its range, in the order of the fields.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PasswordPolicyUpdate, examples(json!({"length_min": 12, "lockout_failures": 3, "lockout_minutes": 60})))]
pub struct Update {
    /// The fewest characters of a password, from 1 to as many as the array takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_min: Option<u32>,
    /// Whether a letter must be among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letter_required: Option<bool>,
    /// Whether a digit must be among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digit_required: Option<bool>,
    /// After how many days of virtual time a password no longer opens anything, up to 3650; 0: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub age_days_max: Option<u32>,
    /// How many of a user's last passwords, the present one included, must not come again, up to 24; 0: any may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<u32>,
    /// After how many failed logins in a row a user is locked, up to 100; 0: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lockout_failures: Option<u32>,
    /// How many minutes of virtual time a locked user stays locked, up to 10080; 0: until somebody unlocks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lockout_minutes: Option<u32>,
}

impl Operation for Update {
    const NAME: &'static str = "password-policy.update";
    const POLICY: Policy = Policy::AuthenticationRole;
    const SINGLETON: Option<Noun> = Some(Noun::PasswordPolicy);
    type Plan = Update;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Update, OpError> {
        let longest = u64::from(world.array.personality.accounts.password_length_max);
        let ranges = [
            ("length_min", self.length_min, (1, longest)),
            ("age_days_max", self.age_days_max, (0, 3650)),
            ("history", self.history, (0, User::FORMER as u64)),
            ("lockout_failures", self.lockout_failures, (0, 100)),
            ("lockout_minutes", self.lockout_minutes, (0, 10_080)),
        ];
        for (field, value, range) in ranges {
            value.map_or(Ok(()), |value| rules::in_range(Noun::User, field, value.into(), range))?;
        }
        Ok(self.clone())
    }

    fn apply(plan: Update, world: &mut World, _: &Ctx) {
        let policy = &mut world.array.password_policy;
        policy.length_min = plan.length_min.unwrap_or(policy.length_min);
        policy.letter_required = plan.letter_required.unwrap_or(policy.letter_required);
        policy.digit_required = plan.digit_required.unwrap_or(policy.digit_required);
        policy.age_days_max = plan.age_days_max.unwrap_or(policy.age_days_max);
        policy.history = plan.history.unwrap_or(policy.history);
        policy.lockout_failures = plan.lockout_failures.unwrap_or(policy.lockout_failures);
        policy.lockout_minutes = plan.lockout_minutes.unwrap_or(policy.lockout_minutes);
    }
}
