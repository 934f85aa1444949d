//! How a credential becomes an identity: first the server's user is tried, then the users of the array.
//!
//! [`Site::recognise`] is quick and asked at every request. Where it cannot tell, [`Site::prove`] hashes; whoever calls that limits how
//! many do so at once. A login that fails takes one hash, whether the user exists or not.

use super::digest::Of;
use super::of_array::Claim;
use super::of_server::Compared;
use super::{Credential, Denial, Identity, Opened, Reception, SERVER_USER, SessionFacts};
use crate::model::{Identity as Seed, Key, PasswordHash, User};
use crate::ops::{Authority, password};
use crate::site::{Hosted, Site};

/// What can be told of a credential without hashing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recognition {
    /// Whose it is.
    Known(Identity),
    /// It opens nothing.
    Denied(Denial),
    /// Only a hash can tell.
    Unproven,
}

/// What only a hash can tell.
struct Open<'a> {
    /// What to say if it tells nothing.
    denial: Denial,
    /// Whether it claims to be the server's user.
    claims_server: bool,
    /// Whose secret it may open.
    account: Option<(&'a Hosted, Key<User>, Option<PasswordHash>)>,
}

enum Step<'a> {
    Done(Result<Identity, Denial>),
    Hash(Open<'a>),
}

impl Site {
    /// Gives the server's user a password, which from now on everybody needs; answers whether that was possible.
    pub fn set_password(&self, plain: &str) -> bool {
        self.credentials().set_password(plain)
    }
    /// Sets how long the tokens of new sessions last, in wall time.
    pub fn set_session_lifetime(&self, lifetime: std::time::Duration) {
        self.credentials().set_lifetime(lifetime);
    }
    /// Whether the server's user has no password, so that whoever reaches the server is its user.
    pub fn is_open(&self) -> bool {
        self.credentials().is_open()
    }
    /// Tells whose a credential is, as far as that can be told without hashing. `array` is the one that the request is about.
    pub fn recognise(&self, array: Option<&str>, credential: &Credential) -> Recognition {
        self.recognise_at(Reception::Open, array, credential)
    }
    /// The same at a front that receives in that way.
    pub fn recognise_at(&self, reception: Reception, array: Option<&str>, credential: &Credential) -> Recognition {
        let hosted = array.and_then(|name| self.array(name));
        match self.step(reception, hosted.as_deref(), credential) {
            Step::Done(Ok(identity)) => Recognition::Known(identity),
            Step::Done(Err(denial)) => Recognition::Denied(denial),
            Step::Hash(_) => Recognition::Unproven,
        }
    }
    /// Tells whose a credential is, hashing if need be; takes some milliseconds then. Failed logins count, and lock a user.
    pub fn prove(&self, array: Option<&str>, credential: &Credential) -> Result<Identity, Denial> {
        self.prove_at(Reception::Open, array, credential)
    }
    /// The same at a front that receives in that way.
    pub fn prove_at(&self, reception: Reception, array: Option<&str>, credential: &Credential) -> Result<Identity, Denial> {
        let hosted = array.and_then(|name| self.array(name));
        let open = match self.step(reception, hosted.as_deref(), credential) {
            Step::Done(told) => return told,
            Step::Hash(open) => open,
        };
        let Credential::Basic { password: plain, .. } = credential else { return Err(open.denial) };
        let right = match &open.account {
            Some((hosted, key, Some(secret))) => hosted.prove(*key, secret, plain, &self.credentials().digester),
            _ => {
                // As long as a wrong password takes, so that nobody learns which users exist.
                password::seal(plain, &password::Salt::of(Seed::new(0), ""));
                false
            }
        };
        if right && let Step::Done(told) = self.step(reception, hosted.as_deref(), credential) {
            return told;
        }
        if open.claims_server {
            self.credentials().failed(self.wall());
        }
        if let Some((hosted, key, _)) = open.account {
            hosted.login_failed(key);
        }
        Err(open.denial)
    }

    fn step<'a>(&self, reception: Reception, hosted: Option<&'a Hosted>, credential: &Credential) -> Step<'a> {
        match credential {
            Credential::Nothing if self.is_open() && reception == Reception::Open => Step::Done(Ok(Identity::server())),
            Credential::Nothing => Step::Done(Err(Denial::Missing)),
            Credential::Bearer(token) => Step::Done(self.of_token(hosted, token).ok_or(Denial::TokenInvalid)),
            Credential::Basic { user, password } => self.of_password(reception, hosted, user, password),
        }
    }
    fn of_token(&self, hosted: Option<&Hosted>, token: &str) -> Option<Identity> {
        let digest = self.credentials().digester.digest(Of::Token, token)?;
        let of_server = self.credentials().session(&digest, self.wall()).map(|id| Identity::server().in_session(id));
        of_server.or_else(|| hosted?.session(&digest))
    }
    fn of_password<'a>(&self, reception: Reception, hosted: Option<&'a Hosted>, user: &str, plain: &str) -> Step<'a> {
        let compared = (user == SERVER_USER).then(|| self.credentials().compare(plain, self.wall(), reception));
        if matches!(compared, Some(Compared::Open | Compared::Right)) {
            return Step::Done(Ok(Identity::server()));
        }
        let claim = hosted.map(|hosted| (hosted, hosted.claim(user, plain, self.credentials())));
        let locked = || Denial::Locked { user: user.to_owned() };
        let denial = if compared == Some(Compared::Locked) { locked() } else { Denial::Wrong };
        let claims_server = compared.is_some();
        match claim {
            Some((_, Claim::Locked)) => Step::Done(Err(locked())),
            Some((_, Claim::Proven { expired: true, .. })) => Step::Done(Err(Denial::PasswordExpired { user: user.to_owned() })),
            Some((hosted, Claim::Proven { key, .. })) => Step::Done(Ok(Identity::of_array(user, hosted.name(), Authority::User(key)))),
            Some((hosted, Claim::Unproven { key, secret })) => Step::Hash(Open { denial, claims_server, account: Some((hosted, key, secret)) }),
            Some((_, Claim::Nobody)) | None if compared == Some(Compared::Locked) => Step::Done(Err(denial)),
            Some((_, Claim::Nobody)) | None => Step::Hash(Open { denial, claims_server, account: None }),
        }
    }
}

/// Sessions: those of an array's users belong to the array, those of the server's user to the server.
impl Site {
    /// Opens a session.
    pub fn open_session(&self, identity: &Identity) -> Result<Opened, Denial> {
        match identity.array() {
            None => self.credentials().open_session(self.wall()),
            Some(array) => self.array(array).ok_or(Denial::Wrong)?.open_session(identity, self.credentials()),
        }
    }
    /// Sessions of the users of an array, or of the server's user; oldest first.
    pub fn sessions(&self, array: Option<&str>) -> Vec<SessionFacts> {
        match array {
            None => self.credentials().sessions(self.wall()),
            Some(array) => self.array(array).map(|hosted| hosted.sessions()).unwrap_or_default(),
        }
    }
    /// Ends a session; its token opens nothing any more.
    pub fn close_session(&self, array: Option<&str>, id: u64) {
        match array {
            None => self.credentials().close_session(id),
            Some(array) => drop(self.array(array).map(|hosted| hosted.close_session(id))),
        }
    }
}
