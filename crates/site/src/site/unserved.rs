//! What clients asked a vendor's front for although it is not served: counted, so that users see what they miss.

use std::collections::BTreeMap;

use super::Hosted;

/// How many different calls are counted; others are let go.
const MOST: usize = 1_000;

/// Calls that were not served, by method and path.
pub(super) type Unserved = BTreeMap<(String, String), u64>;

impl Hosted {
    /// Counts a call that is not served.
    pub fn count_unserved(&self, method: &str, path: &str) {
        let mut unserved = self.unserved.lock();
        let key = (method.to_owned(), path.to_owned());
        if unserved.len() < MOST || unserved.contains_key(&key) {
            *unserved.entry(key).or_default() += 1;
        }
    }
    /// The calls that were not served: method, path, how often; in order of paths.
    pub fn unserved(&self) -> Vec<(String, String, u64)> {
        let mut all: Vec<_> = self.unserved.lock().iter().map(|((method, path), count)| (method.clone(), path.clone(), *count)).collect();
        all.sort_by(|one, other| (&one.1, &one.0).cmp(&(&other.1, &other.0)));
        all
    }
}
