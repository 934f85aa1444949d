//! The data-path law: how fast an array is, configured like this, under this load.
//!
//! It owns two halves. Plain numbers: the queueing network ([`net`]), its equilibrium ([`solve`]), the law of one curve
//! ([`law`]), the demands of one request ([`demand`]), the fit of published figures ([`fit`]), custom workloads ([`custom`]) and
//! the load generator's steps ([`sweep`]); seconds, bytes and operations per second throughout. And the only files that know
//! what an array is: the way from an array and its workloads to a network ([`path`]) and back to samples ([`report`]).
//! It must not know what changes an array, or time passing: pure functions, no clock, no randomness, no input or output,
//! nothing stored.
//!
//! Read [`law`] first, then [`net`] and [`solve`], then [`path`].

pub mod curve;
pub mod custom;
pub mod demand;
pub mod fit;
pub mod fit_runs;
pub mod history;
pub mod law;
pub mod net;
pub mod path;
pub mod report;
pub mod solve;
pub mod sweep;

mod automatic;
mod background;
mod copies;
mod descent;
mod flow;
mod inside;
mod limits;
mod linear;
mod measured;
mod newton;
mod problem;
mod resources;
mod stream;

#[cfg(test)]
mod arrays;
#[cfg(test)]
mod fixture_reader;
#[cfg(test)]
mod knobs_check;
#[cfg(test)]
mod limits_check;
#[cfg(test)]
mod report_check;
#[cfg(test)]
mod report_properties;
#[cfg(test)]
mod rig;
#[cfg(test)]
mod solve_properties;
