//! Arrayplane: a stand-in storage array. See ARCHITECTURE.md for the map.

pub mod calibration;
pub mod catalogue;
pub mod chart;
pub mod cli;
pub mod engine;
pub mod front;
pub mod model;
pub mod ops;
pub mod perf;
pub mod site;
pub mod units;
