//! What an administrator does (`ops`), the arrays there are (`catalogue`), and the figures behind them (`calibration`).

pub(crate) use arrayplane_world::{chart, engine, model, perf, units};

pub mod calibration;
pub mod catalogue;
pub mod ops;
