//! The report: every modelled figure against the published one, what was predicted, and what was assumed.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::figure::{Figure, Metric, Qualifier, figures};
use super::fitting::{Fitting, fittings};
use super::left_out::left_out;
use super::recipe::{FITS, Recipe};
use super::rows::{Drawn, Row, Verdict, rows};
use crate::catalogue::{CatalogueError, calibration_text, profiles};

/// Published figures beside those of the modelled arrays.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CalibrationReport)]
pub struct Report {
    /// What it comes to.
    pub summary: Summary,
    /// One a modelled figure: first those that were predicted.
    pub rows: Vec<Row>,
    /// Published figures that the model does not have.
    pub not_modelled: Vec<NotModelled>,
    /// Sysbench runs, each predicted from the others of its array.
    pub left_out_runs: Vec<LeftOut>,
    /// The 1 ms points of curves that were fitted without them.
    pub left_out_middle_points: Vec<LeftOut>,
    /// What no source gives.
    pub assumptions: Vec<Assumption>,
    #[serde(skip)]
    pub(super) drawn: Vec<Drawn>,
}

/// What the report comes to.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CalibrationSummary)]
pub struct Summary {
    /// Figures that were not used in any fit: only these say that the model is right.
    pub predicted: u64,
    /// The predicted figure that comes nearest to its tolerance, or goes furthest beyond it; contradictions left out.
    pub worst_predicted: Option<Row>,
    /// Parameters that were fitted.
    pub parameters: u64,
    /// Figures that were used for them: passing these says no more than that the law can take their shape.
    pub figures_used: u64,
    /// Rows.
    pub rows: u64,
    /// Rows within their tolerance.
    pub pass: u64,
    /// Rows outside of it.
    pub fail: u64,
    /// Rows outside of it because their source contradicts itself.
    pub contradiction: u64,
    /// Figures that are not modelled.
    pub not_modelled: u64,
    /// Numbers that are assumed.
    pub assumptions: u64,
    /// Populations that are inferred from peaks.
    pub inferred_populations: u64,
    /// Of the 1 ms points of curves that were fitted without them: the median of the errors, as a fraction.
    pub left_out_median: f64,
    /// The error that nine of ten stay below.
    pub left_out_p90: f64,
    /// The largest error.
    pub left_out_worst: f64,
    /// The same by array.
    pub arrays: BTreeMap<&'static str, Counts>,
}

/// The counts of one array.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
#[schema(as = CalibrationCounts)]
pub struct Counts {
    /// Rows.
    pub rows: u64,
    /// Rows that were not used in any fit.
    pub predicted: u64,
    /// Parameters that were fitted.
    pub parameters: u64,
    /// Figures that were used for them.
    pub figures_used: u64,
    /// Rows outside their tolerance.
    pub fail: u64,
    /// Rows that contradict their own source.
    pub contradiction: u64,
}

/// A published figure that the model does not have.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = NotModelledFigure)]
pub struct NotModelled {
    /// The array, and how hosts reach it.
    pub array: &'static str,
    /// How it was set up.
    pub configuration: &'static str,
    /// The run.
    pub workload: &'static str,
    /// What was measured.
    pub metric: Metric,
    /// The published figure.
    pub published: f64,
    /// How the source qualifies it.
    pub qualifier: Qualifier,
    /// Why the model does not have it.
    pub reason: &'static str,
}

/// A point that a fit was not shown.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = LeftOutPoint)]
pub struct LeftOut {
    /// The array.
    pub array: &'static str,
    /// The run.
    pub workload: String,
    /// The published throughput.
    pub published: f64,
    /// What the law says without it.
    pub predicted: f64,
    /// Predicted over published, less 1.
    pub error: f64,
}

/// A number that no source gives.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CalibrationAssumption)]
pub struct Assumption {
    /// Where it stands.
    #[schema(example = "fits/eternus-af250.yaml: reduction.read_ppm")]
    pub item: String,
    /// The number.
    pub value: Value,
    /// What is said of it.
    pub source: String,
}

impl LeftOut {
    pub(super) fn new(array: &'static str, workload: &str, published: f64, predicted: f64) -> LeftOut {
        LeftOut { array, workload: workload.to_owned(), published, predicted, error: predicted / published - 1.0 }
    }
}

/// The report, made when it is first asked for.
pub fn report() -> Result<&'static Report, CatalogueError> {
    static KEPT: OnceLock<Result<Report, CatalogueError>> = OnceLock::new();
    KEPT.get_or_init(make).as_ref().map_err(Clone::clone)
}

pub(super) fn make() -> Result<Report, CatalogueError> {
    let (mut all, mut drawn) = (Vec::new(), Vec::new());
    for (_, file) in figures()? {
        for fitting in fittings()?.iter().filter(|fitting| fitting.recipe.measurements.is_some()) {
            if fitting.recipe.key()? == file.key {
                let (mut some, mut curves) = rows(fitting)?;
                all.append(&mut some);
                drawn.append(&mut curves);
            }
        }
    }
    all.sort_by_key(|row| !row.predicted);
    let (middles, runs) = left_out()?;
    let not_modelled = not_modelled()?;
    let assumptions = assumptions();
    let summary = summary(&all, fittings()?, &not_modelled, &middles, &assumptions)?;
    Ok(Report { summary, rows: all, not_modelled, left_out_runs: runs, left_out_middle_points: middles, assumptions, drawn })
}

fn summary(
    rows: &[Row],
    fittings: &[Fitting],
    not_modelled: &[NotModelled],
    middles: &[LeftOut],
    assumptions: &[Assumption],
) -> Result<Summary, CatalogueError> {
    let count = |of: &dyn Fn(&&Row) -> bool| rows.iter().filter(of).count() as u64;
    let with = |verdict: Verdict| count(&|row: &&Row| row.verdict == verdict);
    let mut arrays: BTreeMap<&'static str, Counts> = BTreeMap::new();
    for row in rows {
        let counts = arrays.entry(row.array).or_default();
        counts.rows += 1;
        counts.predicted += u64::from(row.predicted);
        counts.fail += u64::from(row.verdict == Verdict::Fail);
        counts.contradiction += u64::from(row.verdict == Verdict::Contradiction);
    }
    for fitting in fittings.iter().filter(|fitting| fitting.recipe.measurements.is_some() && fitting.parameters > 0) {
        let counts = arrays.entry(fitting.recipe.key()?).or_default();
        counts.parameters += fitting.parameters;
        counts.figures_used += fitting.used.len() as u64;
    }
    let judged = rows.iter().filter(|row| row.predicted && row.verdict != Verdict::Contradiction);
    let worst = judged.max_by(|one, other| (one.error.abs() / one.tolerance).total_cmp(&(other.error.abs() / other.tolerance)));
    let mut errors: Vec<f64> = middles.iter().map(|point| point.error.abs()).collect();
    errors.sort_by(f64::total_cmp);
    let at = |share: f64| errors.get((share * errors.len() as f64) as usize).or(errors.last()).copied().unwrap_or(0.0);
    let inferred = |assumption: &&Assumption| assumption.source.contains("inferred from peak");
    let inferred_populations = assumptions.iter().filter(inferred).count() as u64;
    Ok(Summary {
        predicted: count(&|row: &&Row| row.predicted),
        worst_predicted: worst.cloned(),
        parameters: fittings.iter().map(|fitting| fitting.parameters).sum(),
        figures_used: fittings.iter().map(|fitting| fitting.used.len() as u64).sum(),
        rows: rows.len() as u64,
        pass: with(Verdict::Pass),
        fail: with(Verdict::Fail),
        contradiction: with(Verdict::Contradiction),
        not_modelled: not_modelled.len() as u64,
        assumptions: assumptions.len() as u64 - inferred_populations,
        inferred_populations,
        left_out_median: at(0.5),
        left_out_p90: at(0.9),
        left_out_worst: at(1.0),
        arrays,
    })
}

fn not_modelled() -> Result<Vec<NotModelled>, CatalogueError> {
    let of = |key: &'static str, figure: &'static Figure| {
        let reason = figure.metric.why_not_modelled().filter(|_| figure.is_measured())?;
        let Figure { configuration, workload, metric, qualifier, .. } = figure;
        Some(NotModelled { array: key, configuration, workload, metric: *metric, published: figure.printed(), qualifier: *qualifier, reason })
    };
    Ok(figures()?.iter().flat_map(|(_, file)| file.figures.iter().filter_map(|figure| of(&file.key, figure))).collect())
}

/// Every number of the recipes, the calibrations made of them and the profiles whose source says that it is assumed, inferred or a bound.
fn assumptions() -> Vec<Assumption> {
    let mut found = Vec::new();
    for (name, text) in FITS {
        if let Ok(document) = serde_saphyr::from_str::<Value>(text) {
            collect(&document, &format!("fits/{name}.yaml: "), &mut found);
        }
        if let Some(Ok(document)) = calibration_text(name).map(serde_saphyr::from_str::<Value>) {
            collect(document.get("workloads").unwrap_or(&Value::Null), &format!("calibration/{name}.yaml: workloads."), &mut found);
        }
    }
    for profile in profiles() {
        if let Ok(document) = serde_json::to_value(profile) {
            collect(&document, &format!("profile {}: ", profile.name), &mut found);
        }
    }
    found
}

fn collect(part: &Value, place: &str, found: &mut Vec<Assumption>) {
    match part {
        Value::Object(entries) => {
            if let Some(source) = entries.get("source").and_then(Value::as_str).filter(|source| is_assumed(source)) {
                let value = entries.get("value").or_else(|| entries.get("workload")).cloned();
                let value =
                    value.unwrap_or_else(|| Value::Object(entries.iter().filter(|(key, _)| *key != "source").map(|(k, v)| (k.clone(), v.clone())).collect()));
                found.push(Assumption { item: place.trim_end_matches('.').to_owned(), value, source: source.to_owned() });
            }
            entries.iter().for_each(|(key, inner)| collect(inner, &format!("{place}{key}."), found));
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                let name = inner.get("workload").and_then(Value::as_str).map_or_else(|| index.to_string(), str::to_owned);
                collect(inner, &format!("{place}{name}."), found);
            }
        }
        _ => {}
    }
}

fn is_assumed(source: &str) -> bool {
    ["assumption", "inferred from peak", "bound:", "derived"].iter().any(|word| source.contains(word))
}

impl Recipe {
    /// How reports call its array.
    pub(super) fn key(&self) -> Result<&'static str, CatalogueError> {
        Ok(self.file()?.map_or("", |file| file.key.as_str()))
    }
}
