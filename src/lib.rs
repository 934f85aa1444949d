//! Arrayplane: a stand-in storage array. See ARCHITECTURE.md for the map.

pub mod units;
