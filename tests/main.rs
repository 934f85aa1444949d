//! The integration tests: one binary, so that everything is linked once.

mod api;
mod charts;
mod compat;
mod data_path;
mod durability;
mod folder;
mod given;
mod golden;
mod ontap_listeners;
mod openapi;
mod process;
mod properties;
mod refusals;
mod scripts;
mod tidy;
