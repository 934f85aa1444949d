//! The data-path law: how fast an array is, configured like this, under this load.
//!
//! It owns the queueing network ([`net`]), its equilibrium ([`solve`]), the law of one
//! curve ([`law`]), the demands of one request ([`demand`]), the fit of published figures
//! ([`fit`]), custom workloads ([`custom`]) and the load generator's steps ([`sweep`]).
//! It must not know what an array is: everything here is plain numbers, pure functions,
//! no clock, no randomness, no input or output. Units are seconds, bytes and operations
//! per second throughout.
//!
//! Read [`law`] first, then [`net`] and [`solve`].

pub mod custom;
pub mod demand;
pub mod fit;
pub mod law;
pub mod net;
pub mod solve;
pub mod sweep;

mod descent;
mod linear;
mod newton;
mod problem;

#[cfg(test)]
mod calibration_check;
#[cfg(test)]
mod fixture_reader;
#[cfg(test)]
mod solve_properties;
