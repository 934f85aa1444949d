//! The calibration: what reviews published, how the law is fitted to it, and how far the modelled arrays come out as published.
//!
//! Owns: published figures, recipes of fits, the calibration fixtures made of both, and the report that compares them with arrays that
//! are built, loaded and measured like any other. Must not know: files, servers, or wall time; the texts are embedded, `cli` writes them.
//! Read first: [`report()`], then `fitting` for where parameters come from and `bench` for where modelled figures come from.

mod bench;
mod charts;
mod curves;
mod entry;
mod figure;
mod fitting;
mod fixture;
mod left_out;
mod markdown;
mod published;
mod recipe;
mod report;
mod rows;
mod special;

#[cfg(test)]
mod acceptance;

pub use charts::{chart, chart_names};
pub use figure::{Metric, Qualifier};
pub use fixture::{differences, fitted_texts};
pub use markdown::markdown;
pub use published::{Published, published};
pub use report::{Assumption, Counts, LeftOut, NotModelled, Report, Summary, report};
pub use rows::{Row, Verdict};
