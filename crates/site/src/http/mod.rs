//! What every front shares: listeners with and without TLS, who a request comes from, request ids, the access log, limits, health, and the end.
//!
//! Owns: the server, from binding addresses to the last answer. Fronts mount their routes by the function given to [`start`], and may
//! set a default service there; without one, an unknown path is a plain 404.
//! Must not know: any front, any noun of an array, or how a refusal looks.
//! Read first: [`start`], [`Doors`] for addresses of single arrays, then `watch`, through which every request goes, and [`Gate`], which fronts ask whom to answer.

mod authentication;
mod doors;
mod health;
mod limits;
mod request_id;
mod server;
mod signals;
mod stop;
#[cfg(test)]
mod tests;
mod tls;
mod traffic;
mod watch;

pub use authentication::{CHALLENGE, Gate, identity};
pub use doors::{BoundDoor, DoorConfig, DoorError, Doors, Entrance, OpenDoor};
pub use limits::{BODY_BYTES_MAX, HEAD_BYTES_MAX, LargeHead};
pub use request_id::RequestId;
pub use server::{Config, Listener, Running, bind, start};
pub use signals::Signals;
pub use tls::Tls;
pub use traffic::Requests;
