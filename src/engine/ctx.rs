//! What comes in from outside with every operation: the time and who asks.

use serde::{Deserialize, Serialize};

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
}

impl Actor {
    /// An actor.
    pub fn new(front: &str, user: &str, request: impl Into<String>) -> Actor {
        Actor { front: front.to_owned(), user: user.to_owned(), request: request.into() }
    }
}
