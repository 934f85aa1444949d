//! The native API over a real socket: every noun, every refusal, the acceptance of the first issue.
//!
//! Read first: `server` and `client`, which all tests use; then `nouns`, which holds for every noun; then the families.

mod acceptance;
mod access;
mod arrays;
mod belonging;
mod client;
mod containers;
mod hostile;
mod lists;
mod nouns;
mod parallel;
mod parts;
mod problems;
mod seeds;
mod server;
mod settings;
mod space;
pub(crate) mod walk;
mod whole;
mod work;

pub(crate) use client::{Answer, Client, names};
pub(crate) use server::Server;
