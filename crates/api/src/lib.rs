//! Our own REST API (`api`) and what Prometheus scrapes (`metrics`).

pub(crate) use arrayplane_ops::{calibration, catalogue, ops};
pub(crate) use arrayplane_site::{http, site};
pub(crate) use arrayplane_world::{engine, model, perf, units};

pub mod api;
pub mod metrics;
