//! The running arrays (`site`), and what every front shares (`http`).

#[cfg(test)]
pub(crate) use arrayplane_ops::catalogue;
pub(crate) use arrayplane_ops::ops;
pub(crate) use arrayplane_world::{engine, model, units};

pub mod http;
pub mod site;
