//! The acceptance of the whole: every figure comes out as published, and the fixtures are what the fit says.

use std::collections::{BTreeMap, BTreeSet};

use super::figure::{MEASUREMENTS, figures};
use super::recipe::{FITS, recipes};
use super::{Report, Row, Verdict, chart, chart_names, differences, markdown, report};

fn made() -> &'static Report {
    report().expect("the report can be made")
}

#[test]
fn the_fixtures_are_what_the_fit_says() {
    assert_eq!(differences().expect("the fits are readable"), Vec::<String>::new(), "run `arrayplane calibrate --fit`");
}

#[test]
fn every_published_figure_comes_out_of_the_modelled_arrays() {
    let summary = &made().summary;
    let failed: Vec<&Row> = made().rows.iter().filter(|row| row.verdict == Verdict::Fail).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!((summary.rows, summary.pass, summary.fail, summary.not_modelled), (278, 278 - summary.contradiction, 0, 20));
    assert!((1..=4).contains(&summary.contradiction), "{}", summary.contradiction);
    assert!(made().rows.iter().all(|row| !row.reason.is_empty() && row.modelled.is_finite()));
}

#[test]
fn predictions_come_first_and_within_their_bar() {
    let (rows, summary) = (&made().rows, &made().summary);
    let predicted = rows.iter().take_while(|row| row.predicted).count();
    assert_eq!((predicted as u64, rows.iter().filter(|row| row.predicted).count()), (summary.predicted, predicted));
    assert!((57..=63).contains(&predicted), "{predicted}");
    let worst = summary.worst_predicted.as_ref().expect("something is predicted");
    assert!(worst.error.abs() <= worst.tolerance && worst.tolerance <= 0.05, "{worst:?}");
    let of = |metric: &str| rows.iter().filter(|row| row.predicted && row.metric.word() == metric).count();
    let words = ["latency_at_peak_ms", "tps", "avg_latency_ms", "p99_latency_ms", "iops_at_1ms", "bandwidth_gbps_at_peak", "bandwidth_gbps_at_1ms"];
    assert_eq!(words.map(of), [19, 3, 13 + 1 + 4, 6, 1, 8, 4]);
}

#[test]
fn what_was_used_and_what_was_predicted_add_up() {
    let summary = &made().summary;
    assert_eq!(summary.figures_used + summary.predicted, summary.rows);
    assert!(summary.parameters <= summary.figures_used);
    let sum = |of: fn(&super::Counts) -> u64| summary.arrays.values().map(of).sum::<u64>();
    assert_eq!((sum(|counts| counts.rows), sum(|counts| counts.predicted)), (summary.rows, summary.predicted));
    assert_eq!((sum(|counts| counts.parameters), sum(|counts| counts.figures_used)), (summary.parameters, summary.figures_used));
    assert_eq!(summary.inferred_populations, 45);
}

#[test]
fn what_a_fit_is_not_shown_is_told_honestly() {
    let report = made();
    let errors: Vec<f64> = report.left_out_runs.iter().map(|run| (1000.0 * run.error.abs()).round() / 10.0).collect();
    assert_eq!(report.left_out_runs.len(), 4);
    assert!(errors.iter().zip([9.5, 3.0, 2.0, 3.0]).all(|(error, most)| *error <= most), "{errors:?}");
    assert_eq!(report.left_out_middle_points.len(), 57);
    assert!(report.summary.left_out_median < 0.06, "{}", report.summary.left_out_median);
}

#[test]
fn every_curve_is_drawn_with_its_published_points() {
    let names = chart_names(made());
    let wanted = ["af250", "af250-transactions", "af250s2", "aff-a250-fc", "aff-a250-nvme", "aff-a200", "flachesan1l-d"];
    assert!(wanted.iter().all(|name| names.iter().any(|known| known == name)), "{names:?}");
    for name in &names {
        let chart = chart(made(), name).expect("a chart");
        assert!(!chart.lines.is_empty() && chart.lines.iter().all(|line| line.points.len() > 8), "{name}");
        assert!(chart.marks.len() >= chart.lines.len(), "{name}: {} marks on {} lines", chart.marks.len(), chart.lines.len());
    }
    assert!(chart(made(), "nothing").is_none());
}

#[test]
fn the_page_tells_predictions_before_what_was_fitted() {
    let page = markdown(made());
    let at = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words} is missing"));
    assert!(at("are **predicted**") < at("## Predicted") && at("## Predicted") < at("## Fitted") && at("## Fitted") < at("## Not modelled"));
    assert!(page.contains("Sysbench runs, each predicted") && page.contains("## Contradictions"));
}

#[test]
fn every_file_of_figures_and_fits_is_embedded_and_has_sources() {
    for (folder, embedded) in [("measurements", MEASUREMENTS.map(|file| file.0).to_vec()), ("fits", FITS.map(|file| file.0).to_vec())] {
        let path = format!("{}/../../fixtures/{folder}", env!("CARGO_MANIFEST_DIR"));
        let found: BTreeSet<String> =
            std::fs::read_dir(&path).expect(&path).map(|entry| entry.expect(&path).file_name().to_string_lossy().into_owned()).collect();
        assert_eq!(found, embedded.iter().map(|name| format!("{name}.yaml")).collect(), "{folder}");
    }
    let files = figures().expect("figures");
    let counts: BTreeMap<&str, usize> = files.iter().map(|(_, file)| (file.key.as_str(), file.figures.len())).collect();
    let wanted = [("af250", 155), ("aff-a200", 34), ("aff-a250-fc", 145), ("aff-a250-nvme", 79), ("af250s2", 98), ("flachesan1l-d", 26)];
    assert!(wanted.iter().all(|(key, count)| counts[key] == *count), "{counts:?}");
    assert_eq!((counts.values().sum::<usize>(), counts.len()), (542, 8));
    assert_eq!(files.iter().flat_map(|(_, file)| &file.figures).filter(|figure| figure.is_measured()).count(), 298);
    assert!(files.iter().flat_map(|(_, file)| &file.figures).all(|figure| !figure.source.is_empty()));
    assert_eq!(recipes().expect("recipes").len(), FITS.len());
}

#[test]
fn making_the_report_twice_gives_the_same_bytes() {
    let first = serde_json::to_string(made()).expect("text");
    let again = serde_json::to_string(&super::report::make().expect("a report")).expect("text");
    assert_eq!(first, again);
}
