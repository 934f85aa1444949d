//! The report as a page.

use std::fmt::Write as _;

use super::report::{LeftOut, Report};
use super::rows::{Row, Verdict};

/// The report as Markdown: predictions first, then what was fitted.
pub fn markdown(report: &Report) -> String {
    let summary = &report.summary;
    let mut page = String::from("# Calibration: published figures beside the modelled arrays\n\n");
    let _ = writeln!(
        page,
        "{} figures are **predicted**: no fit has used them, and only they say that the model is right. {} figures were used for {} parameters: passing \
         them says that the law can take their shape, no more. {} numbers are assumed, {} populations inferred from peaks.\n",
        summary.predicted, summary.figures_used, summary.parameters, summary.assumptions, summary.inferred_populations
    );
    let _ = writeln!(
        page,
        "{} rows: {} pass, {} fail, {} contradict their own source. {} figures are not modelled.\n",
        summary.rows, summary.pass, summary.fail, summary.contradiction, summary.not_modelled
    );
    if let Some(worst) = &summary.worst_predicted {
        let _ = writeln!(
            page,
            "Worst predicted: {} {} {}: {:+.1} % of {:.1} % allowed.\n",
            worst.array,
            worst.workload,
            worst.metric.word(),
            100.0 * worst.error,
            100.0 * worst.tolerance
        );
    }
    arrays(&mut page, report);
    let (predicted, fitted): (Vec<&Row>, Vec<&Row>) = report.rows.iter().partition(|row| row.predicted);
    table(&mut page, "Predicted", &predicted);
    contradictions(&mut page, report);
    left_out(&mut page, report);
    table(&mut page, "Fitted, and read back from the network", &fitted);
    page += "## Not modelled\n\n| array | configuration | workload | metric | published | why |\n|---|---|---|---|---:|---|\n";
    for figure in &report.not_modelled {
        let metric = figure.metric.word();
        let _ = writeln!(page, "| {} | {} | {} | {metric} | {} | {} |", figure.array, figure.configuration, figure.workload, figure.published, figure.reason);
    }
    page += "\n## Assumptions\n\n| where | value | what is said of it |\n|---|---|---|\n";
    for assumption in &report.assumptions {
        let value = assumption.value.as_str().map_or_else(|| assumption.value.to_string(), str::to_owned);
        let _ = writeln!(page, "| {} | {} | {} |", assumption.item, value.replace('|', "/"), assumption.source.replace('|', "/"));
    }
    page
}

fn arrays(page: &mut String, report: &Report) {
    *page += "| array | predicted | parameters | figures used | rows | fail | contradiction |\n|---|---:|---:|---:|---:|---:|---:|\n";
    for (array, counts) in &report.summary.arrays {
        let _ = writeln!(
            page,
            "| {array} | {} | {} | {} | {} | {} | {} |",
            counts.predicted, counts.parameters, counts.figures_used, counts.rows, counts.fail, counts.contradiction
        );
    }
    page.push('\n');
}

fn table(page: &mut String, title: &str, rows: &[&Row]) {
    let _ = writeln!(page, "## {title}: {} rows\n", rows.len());
    *page += "| array | configuration | workload | metric | published | modelled | error | allowed | verdict |\n|---|---|---|---|---:|---:|---:|---:|---|\n";
    for row in rows {
        let (word, qualifier) = (verdict(row.verdict), qualifier(row));
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {qualifier}{} | {} | {:+.2} % | {:.1} % | {word} |",
            row.array,
            row.configuration,
            row.workload,
            row.metric.word(),
            row.published,
            number(row.modelled),
            100.0 * row.error,
            100.0 * row.tolerance,
        );
    }
    page.push('\n');
}

fn contradictions(page: &mut String, report: &Report) {
    *page += "## Contradictions of the sources\n\n";
    for row in report.rows.iter().filter(|row| row.verdict == Verdict::Contradiction) {
        let metric = row.metric.word();
        let modelled = number(row.modelled);
        let _ = writeln!(page, "* {} {} {metric}: published {}, modelled {modelled}: {}", row.array, row.workload, row.published, row.reason);
    }
    page.push('\n');
}

fn left_out(page: &mut String, report: &Report) {
    let summary = &report.summary;
    *page += "## Left out\n\nSysbench runs, each predicted from the others of its array:\n\n";
    points(page, &report.left_out_runs);
    let _ = writeln!(
        page,
        "The 1 ms points of {} curves that were fitted without them, with the array's median burstiness: median error {:.1} %, nine of ten below {:.1} %, \
         worst {:.1} %.\n",
        report.left_out_middle_points.len(),
        100.0 * summary.left_out_median,
        100.0 * summary.left_out_p90,
        100.0 * summary.left_out_worst
    );
    points(page, &report.left_out_middle_points);
}

fn points(page: &mut String, points: &[LeftOut]) {
    *page += "| array | workload | published | predicted | error |\n|---|---|---:|---:|---:|\n";
    for point in points {
        let (published, predicted) = (number(point.published), number(point.predicted));
        let _ = writeln!(page, "| {} | {} | {published} | {predicted} | {:+.1} % |", point.array, point.workload, 100.0 * point.error);
    }
    page.push('\n');
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "FAIL",
        Verdict::Contradiction => "contradiction",
    }
}

fn qualifier(row: &Row) -> &'static str {
    use super::figure::Qualifier;
    match row.qualifier {
        Qualifier::Exact => "",
        Qualifier::About => "about ",
        Qualifier::Over => "over ",
        Qualifier::JustUnder => "just under ",
        Qualifier::NeverAbove => "never above 1 ms: ",
    }
}

/// With as many digits as say something.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
