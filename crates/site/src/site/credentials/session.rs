//! Sessions: a token that stands for a login, for a while of wall time.

use std::collections::BTreeMap;
use std::time::Duration;

use super::digest::Digest;

/// The sessions of the server's user, or of one array's users.
#[derive(Debug)]
pub(super) struct Sessions<T> {
    open: BTreeMap<Digest, Session<T>>,
}

/// A login. Its time is not made longer by use.
#[derive(Clone, Debug)]
pub(super) struct Session<T> {
    pub(super) id: u64,
    pub(super) user: String,
    /// What must still be so for the token to count.
    pub(super) proof: T,
    pub(super) began: Duration,
    pub(super) lifetime: Duration,
}

/// A session as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFacts {
    /// Rising, over all arrays of a server.
    pub id: u64,
    /// Whose it is.
    pub user: String,
    /// How long it lasts in all.
    pub lifetime: Duration,
    /// How long it lasts from now on.
    pub remaining: Duration,
}

/// A session that has just been opened, with its token, which is never shown again.
#[derive(Clone)]
pub struct Opened {
    /// The session.
    pub facts: SessionFacts,
    /// The token.
    pub token: String,
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.facts.fmt(out)
    }
}

impl<T> Default for Sessions<T> {
    fn default() -> Sessions<T> {
        Sessions { open: BTreeMap::new() }
    }
}

impl<T> Session<T> {
    fn remaining(&self, now: Duration) -> Duration {
        (self.began + self.lifetime).saturating_sub(now)
    }
    pub(super) fn facts(&self, now: Duration) -> SessionFacts {
        SessionFacts { id: self.id, user: self.user.clone(), lifetime: self.lifetime, remaining: self.remaining(now) }
    }
}

impl<T> Sessions<T> {
    /// The most that are open at once; the oldest goes when there are more.
    pub(super) const MOST: usize = 1024;

    pub(super) fn add(&mut self, digest: Digest, session: Session<T>) {
        let now = session.began;
        self.open.retain(|_, open| !open.remaining(now).is_zero());
        if self.open.len() >= Self::MOST {
            let oldest = self.open.iter().min_by_key(|(_, open)| open.id).map(|(digest, _)| *digest);
            oldest.and_then(|digest| self.open.remove(&digest));
        }
        self.open.insert(digest, session);
    }
    /// The session of that token, while it lasts.
    pub(super) fn get(&self, digest: &Digest, now: Duration) -> Option<&Session<T>> {
        self.open.get(digest).filter(|session| !session.remaining(now).is_zero())
    }
    /// Those that last, oldest first.
    pub(super) fn all(&self, now: Duration) -> Vec<&Session<T>> {
        let mut all: Vec<&Session<T>> = self.open.values().filter(|session| !session.remaining(now).is_zero()).collect();
        all.sort_by_key(|session| session.id);
        all
    }
    /// Ends one.
    pub(super) fn close(&mut self, id: u64) {
        self.open.retain(|_, session| session.id != id);
    }
    /// Ends all that do not satisfy.
    pub(super) fn keep(&mut self, lasts: impl Fn(&Session<T>) -> bool) {
        self.open.retain(|_, session| lasts(session));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(id: u64, began: u64) -> Session<()> {
        Session { id, user: "bob".into(), proof: (), began: Duration::from_secs(began), lifetime: Duration::from_secs(60) }
    }

    fn digest(number: u64) -> Digest {
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&number.to_be_bytes());
        digest
    }

    #[test]
    fn a_session_lasts_its_time_and_use_makes_it_no_longer() {
        let mut sessions = Sessions::default();
        sessions.add(digest(1), session(1, 100));
        for second in [100, 130, 159] {
            assert!(sessions.get(&digest(1), Duration::from_secs(second)).is_some(), "{second}");
        }
        assert!(sessions.get(&digest(1), Duration::from_secs(160)).is_none());
        assert_eq!(sessions.all(Duration::from_secs(130))[0].facts(Duration::from_secs(130)).remaining, Duration::from_secs(30));
    }

    #[test]
    fn there_are_never_more_than_a_thousand() {
        let mut sessions = Sessions::default();
        for id in 0..2000 {
            sessions.add(digest(id), session(id, 100));
        }
        let open = sessions.all(Duration::from_secs(100));
        assert_eq!((open.len(), open[0].id), (Sessions::<()>::MOST, 2000 - 1024));
        sessions.close(1999);
        assert!(sessions.get(&digest(1999), Duration::from_secs(100)).is_none());
    }
}
