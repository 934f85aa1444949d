//! The native API over a real socket: every noun, every refusal, the acceptance of the first issue.
//!
//! Read first: `server` and `client`, which all tests use; then `nouns`, which holds for every noun; then the families.

mod acceptance;
mod access;
mod arrays;
mod auth;
mod auth_roles;
mod auth_secrets;
mod auth_tokens;
mod belonging;
mod calibration;
mod checkpoints;
mod client;
mod containers;
mod copies;
mod failures;
mod history;
mod hostile;
mod listeners;
mod lists;
mod metrics;
mod nouns;
mod parallel;
mod parts;
mod problems;
mod records;
mod safe_change;
mod seeds;
mod server;
mod settings;
mod space;

mod unserved;
pub(crate) mod walk;
mod what_if;
mod whole;
mod work;

pub(crate) use client::{Answer, Client, basic, names};
pub(crate) use server::Server;
