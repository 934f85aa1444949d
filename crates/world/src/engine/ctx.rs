//! What comes in from outside with every operation: the time and who asks.

use serde::{Deserialize, Serialize};

use crate::model::{Key, User};
use crate::units::SimTime;

/// The circumstances of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ctx {
    /// Virtual time.
    pub now: SimTime,
    /// Who asks.
    pub actor: Actor,
}

/// Who asks, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// The front that the request came through (`api`, `scenario`).
    pub front: String,
    /// The user.
    pub user: String,
    /// The request in one line, secrets left out (`POST /v1/arrays/lab/volumes`).
    pub request: String,
    /// By whose right.
    #[serde(default, skip_serializing_if = "Authority::is_server")]
    pub authority: Authority,
}

/// By whose right something is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Authority {
    /// The server's user, who may do everything; also what the array does by itself.
    #[default]
    Server,
    /// A user of the array, who may do what its role allows.
    User(Key<User>),
    /// Nobody who is known. Nothing is allowed.
    Nobody,
}

impl Authority {
    /// Whether it is the server's user.
    pub fn is_server(&self) -> bool {
        *self == Authority::Server
    }
}

impl Actor {
    /// An actor with the rights of the server's user.
    pub fn new(front: &str, user: &str, request: impl Into<String>) -> Actor {
        Actor { front: front.to_owned(), user: user.to_owned(), request: request.into(), authority: Authority::Server }
    }
    /// The same with other rights.
    #[must_use]
    pub fn by(self, authority: Authority) -> Actor {
        Actor { authority, ..self }
    }
}
