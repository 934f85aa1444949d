//! What a request brings, and who it turns out to come from.

use std::borrow::Cow;
use std::fmt;

use crate::ops::{Actor, Authority};

use super::SERVER_USER;

/// What a request brings to prove where it comes from.
#[derive(Clone, PartialEq, Eq)]
pub enum Credential {
    /// Nothing.
    Nothing,
    /// A name and a password.
    Basic {
        /// The name.
        user: String,
        /// The password.
        password: String,
    },
    /// A token of a session.
    Bearer(String),
}

impl fmt::Debug for Credential {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Credential::Nothing => out.write_str("Nothing"),
            Credential::Basic { user, .. } => write!(out, "Basic({user:?})"),
            Credential::Bearer(_) => out.write_str("Bearer"),
        }
    }
}

/// Who a request comes from: the server's user, or a user of one array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    user: Cow<'static, str>,
    array: Option<String>,
    authority: Authority,
    session: Option<u64>,
}

impl Identity {
    /// The server's user.
    pub fn server() -> Identity {
        Identity { user: Cow::Borrowed(SERVER_USER), array: None, authority: Authority::Server, session: None }
    }
    pub(super) fn of_array(user: &str, array: &str, authority: Authority) -> Identity {
        Identity { user: Cow::Owned(user.to_owned()), array: Some(array.to_owned()), authority, session: None }
    }
    pub(super) fn in_session(self, session: u64) -> Identity {
        Identity { session: Some(session), ..self }
    }
    /// The user's name.
    pub fn user(&self) -> &str {
        &self.user
    }
    /// By whose right it acts.
    pub const fn authority(&self) -> Authority {
        self.authority
    }
    /// Whether it is the server's user.
    pub fn is_server(&self) -> bool {
        self.authority.is_server()
    }
    /// The session by whose token it came, if it came by one.
    pub const fn session(&self) -> Option<u64> {
        self.session
    }
    /// Whether it means anything to an array: the server's user does to all, a user of an array to that one.
    pub fn belongs_to(&self, array: &str) -> bool {
        self.array.as_deref().is_none_or(|own| own == array)
    }
    /// The array that it is a user of; `None` of the server's user.
    pub fn array(&self) -> Option<&str> {
        self.array.as_deref()
    }
    /// The same as the actor of a request.
    pub fn actor(&self, front: &str, request: String) -> Actor {
        Actor::new(front, &self.user, request).by(self.authority)
    }
}
