//! What an array is (`model`), the law of its data path (`perf`), and what happens by itself (`engine`).

pub mod chart;
pub mod engine;
pub mod model;
pub mod perf;
pub mod units;
