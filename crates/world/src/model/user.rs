//! Users: who may log in to an array, and what for.

use serde::{Deserialize, Serialize};

use super::{Head, Key, Noun, Object, PasswordHash, PasswordPolicy, Role};
use crate::units::{SimSpan, SimTime};

/// A user of an array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// Identity.
    pub head: Head,
    /// What it may do.
    pub role: Key<Role>,
    /// Whether it may log in at all.
    pub enabled: bool,
    /// How it proves who it is.
    pub password: Password,
    /// When its password was set.
    pub password_changed: SimTime,
    /// The passwords before that, newest first, at most [`User::FORMER`].
    pub former: Vec<PasswordHash>,
    /// The last lock, unless somebody has lifted it; it may be over, see [`User::lock_at`].
    pub lock: Option<Lock>,
}

/// How a user proves who it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Password {
    /// By the password of the server that plays the array. Where that has none, nobody can log in as this user. The value does not
    /// hold it, so an array is the same under any password of its server.
    Server,
    /// By its own.
    Own(PasswordHash),
}

/// A lock that failed logins or an administrator brought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// From when.
    pub since: SimTime,
    /// Until when; `None`: until somebody unlocks it.
    pub until: Option<SimTime>,
}

impl User {
    /// How many former passwords are kept.
    pub const FORMER: usize = 24;

    /// The lock that holds at `now`, if one does.
    pub fn lock_at(&self, now: SimTime) -> Option<Lock> {
        self.lock.filter(|lock| lock.until.is_none_or(|until| now < until))
    }
    /// When its password stops to open anything; one of the server's never does.
    pub fn password_expires(&self, policy: &PasswordPolicy) -> Option<SimTime> {
        let ages = policy.age_days_max > 0 && matches!(self.password, Password::Own(_));
        ages.then(|| self.password_changed + SimSpan::days(policy.age_days_max.into()))
    }
    /// Whether its password has stopped to open anything.
    pub fn password_is_expired(&self, policy: &PasswordPolicy, now: SimTime) -> bool {
        self.password_expires(policy).is_some_and(|expires| expires <= now)
    }
    /// Whether `secret` is one of its last `count` passwords, the present one included.
    pub fn has_used(&self, secret: &PasswordHash, count: u32) -> bool {
        let present = if let Password::Own(present) = &self.password { Some(present) } else { None };
        let last = usize::try_from(count).unwrap_or(usize::MAX);
        present.into_iter().chain(&self.former).take(last).any(|used| used == secret)
    }
    /// Gives it another password.
    pub fn set_password(&mut self, secret: PasswordHash, now: SimTime) {
        let before = std::mem::replace(&mut self.password, Password::Own(secret));
        if let Password::Own(before) = before {
            self.former.insert(0, before);
            self.former.truncate(User::FORMER);
        }
        self.password_changed = now;
    }
}

impl Object for User {
    const NOUN: Noun = Noun::User;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
