//! Arrayplane: a stand-in storage array. See ARCHITECTURE.md for the map.

pub use arrayplane_ops::{calibration, catalogue, ops};
pub use arrayplane_site::site;
pub use arrayplane_world::{chart, engine, model, perf, units};

pub mod cli;
pub mod front;
