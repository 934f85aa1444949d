//! The server's user: one name, one password, which is known from the start and therefore never hashed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use super::Denial;
use super::digest::{self, Digest, Digester, Of};
use super::session::{Opened, Session, SessionFacts, Sessions};

/// The name of the server's user.
pub const SERVER_USER: &str = "admin";
/// The password of that user at the fronts of vendors while the server has none: their clients always bring one.
pub const VENDOR_PASSWORD: &str = "netapp1!";
/// After how many failed logins in a row the server's user is locked.
const FAILURES_MAX: u32 = 10;
/// For how long of wall time: short, so that nobody can keep the administrator out, yet too long for guessing.
const LOCK: Duration = Duration::from_secs(60);
/// How long a token lasts unless told otherwise.
const LIFETIME: Duration = Duration::from_secs(30 * 60);

/// What the server knows about its own user.
pub(in crate::site) struct ServerCredentials {
    pub(super) digester: Digester,
    sessions_made: AtomicU64,
    state: Mutex<State>,
}

struct State {
    password: Option<Digest>,
    lifetime: Duration,
    failures: u32,
    locked_until: Duration,
    sessions: Sessions<()>,
}

/// How a front receives who comes to a server without a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception {
    /// Our own: whoever comes is the server's user.
    Open,
    /// As a vendor's array does: with a name and a password, which is [`VENDOR_PASSWORD`] for the server's user.
    Vendor,
}

/// How a password compares with the server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compared {
    /// The server has none: whoever claims to be its user is.
    Open,
    Right,
    Wrong,
    Locked,
}

impl ServerCredentials {
    pub(in crate::site) fn new() -> ServerCredentials {
        let state = State { password: None, lifetime: LIFETIME, failures: 0, locked_until: Duration::ZERO, sessions: Sessions::default() };
        ServerCredentials { digester: Digester::new(), sessions_made: AtomicU64::new(0), state: Mutex::new(state) }
    }
    /// From now on the server has this password.
    pub(in crate::site) fn set_password(&self, plain: &str) -> bool {
        let digest = self.digester.digest(Of::Password, plain);
        self.state.lock().password = digest;
        digest.is_some()
    }
    /// From now on tokens last that long.
    pub(in crate::site) fn set_lifetime(&self, lifetime: Duration) {
        self.state.lock().lifetime = lifetime;
    }
    pub(super) fn lifetime(&self) -> Duration {
        self.state.lock().lifetime
    }
    /// Whether it has no password.
    pub(in crate::site) fn is_open(&self) -> bool {
        self.state.lock().password.is_none()
    }
    /// Whether this is the server's password; whether somebody may use it is another question.
    pub(super) fn is_password(&self, plain: &str) -> bool {
        let password = self.state.lock().password;
        password.is_some_and(|digest| self.digester.is_of(&digest, Of::Password, plain))
    }
    /// Compares what somebody says who claims to be the server's user. A right answer forgets the failures.
    pub(super) fn compare(&self, plain: &str, now: Duration, reception: Reception) -> Compared {
        let right = match reception {
            Reception::Open if self.is_open() => return Compared::Open,
            Reception::Vendor if self.is_open() => plain == VENDOR_PASSWORD,
            Reception::Open | Reception::Vendor => self.is_password(plain),
        };
        let mut state = self.state.lock();
        if now < state.locked_until {
            return Compared::Locked;
        }
        if right {
            state.failures = 0;
        }
        if right { Compared::Right } else { Compared::Wrong }
    }
    /// Counts a failed login; too many in a row lock the user.
    pub(super) fn failed(&self, now: Duration) {
        let mut state = self.state.lock();
        if now < state.locked_until {
            return;
        }
        state.failures += 1;
        if state.failures >= FAILURES_MAX {
            state.failures = 0;
            state.locked_until = now + LOCK;
            tracing::warn!("the server's user is locked for {} seconds after {FAILURES_MAX} failed logins in a row", LOCK.as_secs());
        }
    }
    /// A number and a token for a new session, here or at an array.
    pub(super) fn draw(&self) -> Result<(u64, String, Digest), Denial> {
        let token = digest::token().ok_or(Denial::Busy)?;
        let digest = self.digester.digest(Of::Token, &token).ok_or(Denial::Busy)?;
        Ok((self.sessions_made.fetch_add(1, Ordering::Relaxed) + 1, token, digest))
    }
    pub(super) fn open_session(&self, now: Duration) -> Result<Opened, Denial> {
        let (id, token, digest) = self.draw()?;
        let mut state = self.state.lock();
        let session = Session { id, user: SERVER_USER.to_owned(), proof: (), began: now, lifetime: state.lifetime };
        let facts = session.facts(now);
        state.sessions.add(digest, session);
        Ok(Opened { facts, token })
    }
    pub(super) fn session(&self, digest: &Digest, now: Duration) -> Option<u64> {
        self.state.lock().sessions.get(digest, now).map(|session| session.id)
    }
    pub(super) fn sessions(&self, now: Duration) -> Vec<SessionFacts> {
        self.state.lock().sessions.all(now).into_iter().map(|session| session.facts(now)).collect()
    }
    pub(super) fn close_session(&self, id: u64) {
        self.state.lock().sessions.close(id);
    }
}
