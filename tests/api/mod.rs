//! The native API over a real socket: every noun, every refusal, the acceptance of the first issue.
//!
//! Read first: `server`, the server and client of all tests; then `nouns`, which holds for every noun; then the families.

mod acceptance;
mod access;
mod arrays;
mod containers;
mod hostile;
mod lists;
mod nouns;
mod parallel;
mod parts;
mod problems;
mod seeds;
mod server;
mod space;
pub(crate) mod walk;
mod whole;
mod work;

pub(crate) use server::{Answer, Server, names};
