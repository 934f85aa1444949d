//! The integration tests: one binary, so that everything is linked once.

mod data_path;
mod given;
mod golden;
mod properties;
mod refusals;
mod scripts;
