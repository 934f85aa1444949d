//! What is remembered about the users of one array: proven credentials, failed logins, sessions.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use super::digest::{Digest, Digester, Of};
use super::of_server::ServerCredentials;
use super::session::{Opened, Session, SessionFacts, Sessions};
use super::{Denial, Identity};
use crate::model::{Key, Object, OpError, Password, PasswordHash, PasswordPolicy, User};
use crate::ops::{self, Actor, Authority, World, password};
use crate::site::ChangeError;
use crate::site::Hosted;

/// The memory of one array.
#[derive(Default)]
pub(in crate::site) struct ArrayCredentials {
    memory: Mutex<Memory>,
}

#[derive(Default)]
struct Memory {
    proven: BTreeMap<u32, Proven>,
    failures: BTreeMap<u32, u32>,
    sessions: Sessions<Proof>,
}

/// A password that was proven against a secret. It counts only while the user still has that secret.
struct Proven {
    digest: Digest,
    secret: PasswordHash,
}

/// What must still be so for a token to count: the user is the same, and so is its password.
#[derive(Clone, Debug)]
pub(super) struct Proof {
    key: Key<User>,
    password: Password,
}

/// A user that claims to log in, as far as it can be told without hashing.
pub(super) enum Claim {
    /// No user of that name may log in; to find that out must take as long as a wrong password.
    Nobody,
    /// The user is locked.
    Locked,
    /// The password is right.
    Proven { expired: bool, key: Key<User> },
    /// The password must be proven against the secret; without one nothing proves it.
    Unproven { key: Key<User>, secret: Option<PasswordHash> },
}

impl ArrayCredentials {
    /// What can be told without hashing. Asked under the array's lock.
    fn claim(&self, world: &World, user: &str, plain: &str, server: &ServerCredentials) -> Claim {
        let Some(user) = world.array.users.named(user, None).filter(|user| user.enabled) else { return Claim::Nobody };
        if user.lock_at(world.now()).is_some() {
            return Claim::Locked;
        }
        let key = user.key();
        let proven = match &user.password {
            Password::Server if server.is_open() => return Claim::Nobody,
            Password::Server => server.is_password(plain),
            Password::Own(secret) => self.is_proven(key, secret, plain, &server.digester),
        };
        if proven {
            self.memory.lock().failures.remove(&key.raw());
            return Claim::Proven { expired: user.password_is_expired(&world.array.password_policy, world.now()), key };
        }
        let secret = if let Password::Own(secret) = &user.password { Some(secret.clone()) } else { None };
        Claim::Unproven { key, secret }
    }
    fn is_proven(&self, key: Key<User>, secret: &PasswordHash, plain: &str, digester: &Digester) -> bool {
        let memory = self.memory.lock();
        let proven = memory.proven.get(&key.raw()).filter(|proven| proven.secret == *secret);
        proven.is_some_and(|proven| digester.is_of(&proven.digest, Of::Password, plain))
    }
    fn remember(&self, world: &World, key: Key<User>, proven: Proven) {
        let mut memory = self.memory.lock();
        memory.proven.retain(|known, _| world.array.users.contains(Key::from_raw(*known)));
        memory.proven.insert(key.raw(), proven);
    }
    /// Counts a failed login; answers with the number in a row when they are too many.
    fn failed(&self, policy: &PasswordPolicy, key: Key<User>) -> Option<u32> {
        let mut memory = self.memory.lock();
        let failures = memory.failures.entry(key.raw()).or_default();
        *failures += 1;
        if policy.lockout_failures == 0 || *failures < policy.lockout_failures {
            return None;
        }
        memory.failures.remove(&key.raw())
    }
}

/// Whether a session's user is still who it was, and may still log in.
fn lasts(world: &World, session: &Session<Proof>) -> bool {
    let user = world.array.users.get(session.proof.key).filter(|user| user.name() == session.user);
    user.is_some_and(|user| user.enabled && user.lock_at(world.now()).is_none() && user.password == session.proof.password)
}

impl Hosted {
    /// What can be told of a login without hashing.
    pub(super) fn claim(&self, user: &str, plain: &str, server: &ServerCredentials) -> Claim {
        self.read(|world| self.credentials().claim(world, user, plain, server))
    }
    /// Hashes a password to prove it against a secret; remembers it when it is right.
    pub(super) fn prove(&self, key: Key<User>, secret: &PasswordHash, plain: &str, digester: &Digester) -> bool {
        if !password::opens(secret, plain) {
            return false;
        }
        if let Some(digest) = digester.digest(Of::Password, plain) {
            self.read(|world| self.credentials().remember(world, key, Proven { digest, secret: secret.clone() }));
        }
        true
    }
    /// Counts a failed login of a user, and locks it when there are too many in a row.
    pub(super) fn login_failed(&self, key: Key<User>) {
        let (too_many, name) = self.read(|world| {
            let too_many = self.credentials().failed(&world.array.password_policy, key);
            (too_many, world.array.users.get(key).map(|user| user.name().to_owned()))
        });
        let (Some(failures), Some(user)) = (too_many, name) else { return };
        let actor = Actor::new("array", "", format!("{failures} failed logins in a row"));
        match self.execute(actor, ops::user::LockOut { user: user.clone() }, |_, _| ()) {
            Ok(()) => tracing::warn!(array = self.name(), user, "locked after {failures} failed logins in a row"),
            // Another request has locked it, or it is gone: there is nothing left to lock.
            Err(ChangeError::Refused(OpError::WrongState { .. } | OpError::NotFound { .. })) => {}
            Err(refusal) => tracing::error!(array = self.name(), user, %refusal, "it cannot be locked"),
        }
    }
    /// Opens a session for a user of this array.
    pub(super) fn open_session(&self, identity: &Identity, server: &ServerCredentials) -> Result<Opened, Denial> {
        let Authority::User(key) = identity.authority() else { return Err(Denial::Wrong) };
        let password = self.read(|world| world.array.users.get(key).map(|user| user.password.clone())).ok_or(Denial::Wrong)?;
        let (id, token, digest) = server.draw()?;
        let (began, lifetime) = (self.wall(), server.lifetime());
        let session = Session { id, user: identity.user().to_owned(), proof: Proof { key, password }, began, lifetime };
        let facts = session.facts(began);
        self.credentials().memory.lock().sessions.add(digest, session);
        Ok(Opened { facts, token })
    }
    /// Whose token that is.
    pub(super) fn session(&self, digest: &Digest) -> Option<Identity> {
        let now = self.wall();
        self.read(|world| {
            let memory = self.credentials().memory.lock();
            let session = memory.sessions.get(digest, now).filter(|session| lasts(world, session))?;
            Some(Identity::of_array(&session.user, self.name(), Authority::User(session.proof.key)).in_session(session.id))
        })
    }
    /// The sessions of this array's users, oldest first.
    pub(super) fn sessions(&self) -> Vec<SessionFacts> {
        let now = self.wall();
        self.read(|world| {
            let mut memory = self.credentials().memory.lock();
            memory.sessions.keep(|session| lasts(world, session));
            memory.sessions.all(now).into_iter().map(|session| session.facts(now)).collect()
        })
    }
    pub(super) fn close_session(&self, id: u64) {
        self.credentials().memory.lock().sessions.close(id);
    }
}
