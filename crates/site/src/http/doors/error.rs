//! Why a door is not opened.

use std::fmt;
use std::net::SocketAddr;

/// Why a door is not opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DoorError {
    /// Others than this machine could come in, and nobody would ask them for a password.
    NotForEverybody {
        /// The address.
        address: SocketAddr,
    },
    /// Somebody listens there already.
    Taken {
        /// The address.
        address: SocketAddr,
    },
    /// The system does not let the server listen there.
    Unusable {
        /// The address.
        address: SocketAddr,
        /// Why.
        cause: String,
    },
    /// What all doors need is not there.
    NotReady {
        /// Why.
        cause: String,
    },
}

impl DoorError {
    /// The address that it is about.
    pub const fn address(&self) -> Option<SocketAddr> {
        match self {
            DoorError::NotForEverybody { address } | DoorError::Taken { address } | DoorError::Unusable { address, .. } => Some(*address),
            DoorError::NotReady { .. } => None,
        }
    }
    /// One sentence that says what to do.
    pub const fn cure(&self) -> &'static str {
        match self {
            DoorError::NotForEverybody { .. } => "use a loopback address, or start the server with --password-file, or with --open",
            DoorError::Taken { .. } => "use another port, or 0 for a free one",
            DoorError::Unusable { .. } => "use an address of this machine, and a port that the server's user may listen on (from 1024 up, or 0 for a free one)",
            DoorError::NotReady { .. } => "see the server's log",
        }
    }
}

impl fmt::Display for DoorError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DoorError::NotForEverybody { address } => write!(out, "without a password only loopback addresses are served, and {address} is none"),
            DoorError::Taken { address } => write!(out, "cannot listen on {address}: it is in use"),
            DoorError::Unusable { address, cause } => write!(out, "cannot listen on {address}: {cause}"),
            DoorError::NotReady { cause } => write!(out, "no address can be opened: {cause}"),
        }
    }
}
impl std::error::Error for DoorError {}
