//! `calibrate`: published figures beside the modelled arrays, and the fit behind them.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::FalseyValueParser;

use super::failure::Failure;
use super::tables::print;
use crate::calibration::{self, Report};

/// The arguments.
#[derive(Debug, Args)]
pub(super) struct Calibrate {
    /// Print the report as JSON, as GET /v1/calibration answers it
    #[arg(long, env = "ARRAYPLANE_JSON", value_parser = FalseyValueParser::new())]
    json: bool,
    /// Print the report as Markdown: the same as without options, for pipes that say what they want
    #[arg(long, env = "ARRAYPLANE_MARKDOWN", value_parser = FalseyValueParser::new(), conflicts_with = "json")]
    markdown: bool,
    /// Also write a chart of each array into this directory: the modelled curves, and on them the published points
    #[arg(long, value_name = "DIR", env = "ARRAYPLANE_SVG")]
    svg: Option<PathBuf>,
    /// Fit the law to the published figures again and write calibration/ below --fixtures; the report is not printed
    #[arg(long, env = "ARRAYPLANE_FIT", value_parser = FalseyValueParser::new(), conflicts_with_all = ["json", "markdown", "svg", "check"])]
    fit: bool,
    /// Fail when the calibrations in this program are not what the fit says, or a figure does not come out; the report is not printed
    #[arg(long, env = "ARRAYPLANE_CHECK", value_parser = FalseyValueParser::new())]
    check: bool,
    /// Where --fit writes: the fixtures of a source tree
    #[arg(long, value_name = "DIR", env = "ARRAYPLANE_FIXTURES", default_value = "fixtures")]
    fixtures: PathBuf,
}

/// Does what the arguments say.
pub(super) fn run(arguments: &Calibrate) -> Result<(), Failure> {
    if arguments.fit {
        return fit(&arguments.fixtures);
    }
    let report = calibration::report().map_err(Failure::of_work)?;
    if let Some(folder) = &arguments.svg {
        charts(report, folder)?;
    }
    if arguments.check {
        return check(report);
    }
    if arguments.json {
        let json = serde_json::to_string_pretty(report).map_err(Failure::of_work)?;
        return print(&format!("{json}\n"));
    }
    print(&calibration::markdown(report))
}

fn fit(fixtures: &Path) -> Result<(), Failure> {
    if !fixtures.join("calibration").is_dir() {
        return Err(Failure::of_work(format!("there is no {}: run it in the source tree, or say --fixtures", fixtures.join("calibration").display())));
    }
    for (file, text) in calibration::fitted_texts().map_err(Failure::of_work)? {
        write(&fixtures.join(&file), &text)?;
    }
    print("Written. Build again, then `arrayplane calibrate --check`.\n")
}

fn check(report: &Report) -> Result<(), Failure> {
    let differences = calibration::differences().map_err(Failure::of_work)?;
    if !differences.is_empty() {
        return Err(Failure::of_work(format!("the fixtures are not what the fit says:\n{}\nrun `arrayplane calibrate --fit`", differences.join("\n"))));
    }
    let summary = &report.summary;
    if summary.fail > 0 {
        return Err(Failure::of_work(format!("{} of {} rows fail: see `arrayplane calibrate`", summary.fail, summary.rows)));
    }
    print(&format!("{} rows, {} fail, {} contradictions, {} predicted\n", summary.rows, summary.fail, summary.contradiction, summary.predicted))
}

fn charts(report: &Report, folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|cause| Failure::of_work(format!("{}: {cause}", folder.display())))?;
    for name in calibration::chart_names(report) {
        if let Some(chart) = calibration::chart(report, &name) {
            write(&folder.join(format!("{name}.svg")), &chart.svg())?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|cause| Failure::of_work(format!("{}: {cause}", path.display())))
}
