//! What a client sees: one folder a front, each in the same shape.
//!
//! Owns: wire formats, status codes, routes. A front decides nothing: no capacity, limit, state or name rule is here.
//! Must not know: another front; what a rule says.
//! Read first: [`http`], then a front such as [`api`].

pub mod api;
pub mod http;
