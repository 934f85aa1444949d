//! Keys of requests: a request that is sent twice under one key is done once, and answered twice with the same bytes.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::ChangeError;
use crate::units::{SimSpan, SimTime};

/// An answer that can be given again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// Where the new thing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// The tag of what is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// What is shown; empty for nothing.
    pub body: String,
}

/// A key that a client chose for a request, and what the request was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestKey {
    user: String,
    key: String,
    request: Uuid,
}

/// A key with its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Keyed {
    user: String,
    key: String,
    request: Uuid,
    at: SimTime,
    answer: Answer,
}

/// The keys that are remembered, oldest first.
#[derive(Debug, Default)]
pub(super) struct Keys {
    kept: BTreeMap<(String, String), Keyed>,
    order: VecDeque<(String, String)>,
}

const NAMESPACE: Uuid = Uuid::from_u128(0x7c0a_1f54_90de_4b39_a1c3_55be_20f1_8d06);

impl RequestKey {
    /// The key of a user's request that is made of these parts (method, path, fields).
    pub fn new(user: &str, key: &str, parts: &[&[u8]]) -> RequestKey {
        let mut all = Vec::new();
        for part in parts {
            all.extend_from_slice(&(part.len() as u64).to_le_bytes());
            all.extend_from_slice(part);
        }
        RequestKey { user: user.to_owned(), key: key.to_owned(), request: Uuid::new_v5(&NAMESPACE, &all) }
    }
    /// The key with the answer that was given at `at`.
    pub(super) fn answered(&self, at: SimTime, answer: Answer) -> Keyed {
        Keyed { user: self.user.clone(), key: self.key.clone(), request: self.request, at, answer }
    }
}

impl Keys {
    /// How long a key is remembered.
    pub(super) const KEPT: SimSpan = SimSpan::days(1);
    /// How many are remembered; the oldest go first.
    pub(super) const MOST: usize = 10_000;

    /// The answer that was given under a key, if it is known. The same key for another request is refused.
    pub(super) fn find(&self, asked: &RequestKey, now: SimTime) -> Result<Option<Answer>, ChangeError> {
        let known = self.kept.get(&(asked.user.clone(), asked.key.clone())).filter(|known| !is_old(known, now));
        match known {
            Some(known) if known.request == asked.request => Ok(Some(known.answer.clone())),
            Some(_) => Err(ChangeError::KeyReused { key: asked.key.clone() }),
            None => Ok(None),
        }
    }
    /// Remembers a key.
    pub(super) fn keep(&mut self, keyed: Keyed) {
        let (name, now) = ((keyed.user.clone(), keyed.key.clone()), keyed.at);
        if self.kept.insert(name.clone(), keyed).is_some() {
            self.order.retain(|other| *other != name);
        }
        self.order.push_back(name);
        while let Some(oldest) = self.order.front() {
            if self.order.len() <= Keys::MOST && self.kept.get(oldest).is_some_and(|keyed| !is_old(keyed, now)) {
                return;
            }
            self.kept.remove(oldest);
            self.order.pop_front();
        }
    }
    /// All that need to be remembered at `now`, oldest first.
    pub(super) fn all(&self, now: SimTime) -> Vec<Keyed> {
        self.order.iter().filter_map(|name| self.kept.get(name)).filter(|keyed| !is_old(keyed, now)).cloned().collect()
    }
}

fn is_old(keyed: &Keyed, now: SimTime) -> bool {
    now.since(keyed.at) >= Keys::KEPT
}

impl FromIterator<Keyed> for Keys {
    fn from_iter<I: IntoIterator<Item = Keyed>>(all: I) -> Keys {
        let mut keys = Keys::default();
        all.into_iter().for_each(|keyed| keys.keep(keyed));
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(key: &str, body: &str) -> RequestKey {
        RequestKey::new("admin", key, &[b"POST", body.as_bytes()])
    }

    fn answer(body: &str) -> Answer {
        Answer { status: 201, body: body.to_owned(), ..Answer::default() }
    }

    #[test]
    fn a_key_is_remembered_for_a_day_and_stands_for_one_request() {
        let mut keys = Keys::default();
        keys.keep(asked("a", "1").answered(SimTime(5), answer("one")));
        let later = SimTime(5) + Keys::KEPT;
        assert_eq!(keys.find(&asked("a", "1"), SimTime(later.0 - 1)), Ok(Some(answer("one"))));
        assert_eq!(keys.find(&asked("a", "2"), SimTime(6)), Err(ChangeError::KeyReused { key: "a".into() }));
        assert_eq!(keys.find(&asked("b", "1"), SimTime(6)), Ok(None));
        assert_eq!(keys.find(&asked("a", "2"), later), Ok(None), "by then it is free");
        let other = RequestKey::new("root", "a", &[b"POST", b"2"]);
        assert_eq!(keys.find(&other, SimTime(6)), Ok(None), "every user has keys of his own");
    }

    #[test]
    fn the_oldest_keys_go_when_there_are_too_many_or_a_day_has_passed() {
        let mut keys: Keys = (0..=Keys::MOST).map(|count| asked(&count.to_string(), "").answered(SimTime(1), answer(""))).collect();
        assert_eq!(keys.find(&asked("0", ""), SimTime(1)), Ok(None));
        assert_eq!((keys.find(&asked("1", ""), SimTime(1)), keys.all(SimTime(1)).len()), (Ok(Some(answer(""))), Keys::MOST));
        keys.keep(asked("new", "").answered(SimTime(1) + Keys::KEPT, answer("")));
        assert_eq!((keys.kept.len(), keys.order.len()), (1, 1));
    }
}
