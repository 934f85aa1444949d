//! Who is who: passwords, failed logins, and tokens. Everything here is in memory only and dies with the process.
//!
//! Owns: the server's user and its password, the digests of credentials that have been proven, the count of failed logins, sessions.
//! Must not know: HTTP, or what a user may do (`ops::permission`).
//! Read first: [`Credential`] and [`Identity`], then `login` for how the one becomes the other.
//!
//! A password of an array's user is proven by its hash once; later requests are compared with a keyed digest of what was proven, which
//! takes a microsecond. The digest counts only as long as the user still has the very secret that it was proven against, so a new
//! password, a restored or a new array makes it worthless by itself.

mod denial;
mod digest;
mod identity;
mod login;
mod of_array;
mod of_server;
mod session;

pub use denial::Denial;
pub use identity::{Credential, Identity};
pub use login::Recognition;
pub(super) use of_array::ArrayCredentials;
pub(super) use of_server::ServerCredentials;
pub use of_server::{Reception, SERVER_USER, VENDOR_PASSWORD};
pub use session::{Opened, SessionFacts};
