//! Published against modelled, figure by figure.

use serde::Serialize;
use utoipa::ToSchema;

use super::bench::Bench;
use super::figure::{Figure, Metric, Qualifier, profile_of};
use super::fitting::Fitting;
use super::recipe::{find, runs_of};
use crate::catalogue::CatalogueError;
use crate::model::WorkUnit;
use crate::perf::sweep::{Step, peak};

/// How a figure came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Within its tolerance.
    Pass,
    /// Outside of it.
    Fail,
    /// Outside of it, because the source contradicts itself.
    Contradiction,
}

/// One published figure, and what the modelled array shows.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CalibrationRow)]
pub struct Row {
    /// The array, and how hosts reach it.
    #[schema(example = "aff-a250-nvme")]
    pub array: &'static str,
    /// The model of the catalogue.
    #[schema(example = "aff-a250")]
    pub model: &'static str,
    /// How it was set up.
    pub configuration: &'static str,
    /// The run.
    #[schema(example = "4k-random-read")]
    pub workload: &'static str,
    /// What was measured.
    pub metric: Metric,
    /// The published figure: per second, milliseconds, or the review's GB/s.
    pub published: f64,
    /// How the source qualifies it.
    pub qualifier: Qualifier,
    /// What the modelled array shows.
    pub modelled: f64,
    /// Modelled over published, less 1.
    pub error: f64,
    /// By how much the two may differ, as a fraction.
    pub tolerance: f64,
    /// Whether that is within the tolerance.
    pub verdict: Verdict,
    /// Whether the figure was not used in any fit.
    pub predicted: bool,
    /// Why the figure comes out as it does.
    pub reason: String,
    /// Who published it.
    pub source: &'static str,
    /// Why the source may be wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<&'static str>,
}

/// One profile on one configuration, drawn as a curve.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) array: &'static str,
    pub(super) label: String,
    pub(super) source: &'static str,
    /// Whether its requests are transactions.
    pub(super) transactions: bool,
    /// Throughput per second and latency in seconds.
    pub(super) curve: Vec<(f64, f64)>,
    /// The same as published.
    pub(super) points: Vec<(f64, f64)>,
}

/// A configuration and a workload.
type RunName = (&'static str, &'static str);

/// What one run shows.
enum Shown {
    Curve { steps: Vec<Step>, crossing: Option<f64> },
    Run { throughput: f64, latency: f64, p99: f64 },
}

/// The rows of one calibration, in the order of its figures, and its curves.
pub(super) fn rows(fitting: &'static Fitting) -> Result<(Vec<Row>, Vec<Drawn>), CatalogueError> {
    let recipe = fitting.recipe;
    let figures: Vec<&'static Figure> = recipe.figures()?.into_iter().filter(|figure| figure.metric.why_not_modelled().is_none()).collect();
    let mut bench = Bench::of(recipe)?;
    let (mut rows, mut drawn) = (Vec::new(), Vec::new());
    let mut shown: Vec<(RunName, Shown)> = Vec::new();
    for figure in figures {
        let run = (figure.configuration.as_str(), figure.workload.as_str());
        if !shown.iter().any(|(known, _)| *known == run) {
            shown.push((run, show(&mut bench, recipe.volumes(run.0), run.1)?));
        }
        let Some((_, seen)) = shown.iter().find(|(known, _)| *known == run) else { continue };
        rows.push(row(fitting, figure, seen)?);
    }
    for ((configuration, workload), _) in shown {
        drawn.extend(draw(fitting, &mut bench, (configuration, workload))?);
    }
    Ok((rows, drawn))
}

/// Shares of the most throughput, or of the most requesters, at which curves are drawn.
const SHARES: [f64; 16] = [0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.94, 0.97, 0.985, 0.995, 1.0];

/// The curve of a run; of runs of one profile that differ in their population only, one curve, drawn for the largest.
fn draw(fitting: &'static Fitting, bench: &mut Bench, (configuration, workload): (&'static str, &'static str)) -> Result<Option<Drawn>, CatalogueError> {
    let recipe = fitting.recipe;
    let of_it: Vec<&'static Figure> = recipe.figures()?.into_iter().filter(|figure| figure.configuration == configuration).collect();
    let (profile, _) = profile_of(workload);
    let siblings = runs_of(&of_it, &profile);
    if siblings.last().is_some_and(|(last, _)| *last != workload) {
        return Ok(None);
    }
    let known = bench.profile(&profile)?;
    let transactions = known.unit == WorkUnit::Transaction;
    let mut curve = Vec::new();
    let volumes = recipe.volumes(configuration);
    let most = profile_of(workload).1;
    bench.load(&profile, volumes, most)?;
    let highest = bench.run(None)?.throughput;
    for share in SHARES {
        let run = if transactions {
            bench.load(&profile, volumes, most.map(|most| ((share * most as f64) as u64).max(1)))?;
            bench.run(None)?
        } else {
            bench.run(Some(share * highest))?
        };
        curve.push((run.throughput, run.latency));
    }
    let several = recipe.runs.len() > 1;
    let label = if several { format!("{profile}, {configuration}") } else { profile };
    let mut points: Vec<(f64, f64)> = siblings.iter().flat_map(|(name, _)| points(&of_it, name)).collect();
    if points.is_empty() {
        points.extend(without_latency(&of_it, workload, most.unwrap_or(known.population)));
    }
    let source = of_it.first().map_or("", |figure| figure.source.as_str());
    Ok(Some(Drawn { array: recipe.key()?, label, source, transactions, curve, points }))
}

/// VDBench steps through loads; everything else is one run of a fixed population.
fn show(bench: &mut Bench, volumes: &[String], workload: &str) -> Result<Shown, CatalogueError> {
    let (name, population) = profile_of(workload);
    bench.load(&name, volumes, population)?;
    if bench.profile(&name)?.unit == WorkUnit::Io && !name.starts_with("fio-") {
        let steps = bench.sweep()?;
        let crossing = bench.crossing(1e-3, &steps)?;
        return Ok(Shown::Curve { steps, crossing });
    }
    let run = bench.run(None)?;
    Ok(Shown::Run { throughput: run.throughput, latency: run.latency, p99: run.p99 })
}

fn points(figures: &[&'static Figure], workload: &str) -> Vec<(f64, f64)> {
    let of = |metric| find(figures, workload, metric).map(Figure::plain);
    let peak = of(Metric::PeakIops);
    let start = peak.zip(of(Metric::StartLatencyMs)).map(|(peak, latency)| (0.1 * peak, latency));
    let crossing = find(figures, workload, Metric::IopsAt1ms).filter(|figure| figure.qualifier != Qualifier::NeverAbove);
    let crossing = crossing.map(|figure| (figure.plain(), 1e-3));
    let counted = find(figures, workload, Metric::PeakIops).or_else(|| find(figures, workload, Metric::Tps)).map(Figure::plain);
    let run = counted.zip(of(Metric::AvgLatencyMs));
    [start, crossing, peak.zip(of(Metric::LatencyAtPeakMs)), run].into_iter().flatten().collect()
}

/// A run of which only the throughput is published: its latency follows from the requests under way.
fn without_latency(figures: &[&'static Figure], workload: &str, population: u64) -> Option<(f64, f64)> {
    let bytes = |figure: &'static Figure| figure.counted_bytes.map(|bytes| figure.plain() * 1e9 / bytes as f64);
    let peak = find(figures, workload, Metric::PeakIops).map(Figure::plain);
    let peak = peak.or_else(|| find(figures, workload, Metric::BandwidthGbpsAtPeak).and_then(bytes))?;
    Some((peak, population as f64 / peak))
}

fn row(fitting: &'static Fitting, figure: &'static Figure, seen: &Shown) -> Result<Row, CatalogueError> {
    let recipe = fitting.recipe;
    let modelled = modelled(figure, seen).ok_or_else(|| recipe.fault(format!("{} has no {}", figure.workload, figure.metric.word())))?;
    let published = figure.printed();
    let predicted = !fitting.used.contains(&figure.place());
    let (error, tolerance) = (modelled / published - 1.0, tolerance(figure, predicted));
    let within = match figure.qualifier {
        Qualifier::Exact | Qualifier::About => error.abs() <= tolerance,
        Qualifier::Over => (0.0..=tolerance).contains(&error),
        Qualifier::JustUnder => (-tolerance..=0.0).contains(&error),
        Qualifier::NeverAbove => matches!(seen, Shown::Curve { crossing: None, .. }) && error.abs() <= tolerance,
    };
    let verdict = match (&figure.contradiction, within) {
        (_, true) => Verdict::Pass,
        (Some(_), false) => Verdict::Contradiction,
        (None, false) => Verdict::Fail,
    };
    Ok(Row {
        array: recipe.key()?,
        model: &recipe.model,
        configuration: &figure.configuration,
        workload: &figure.workload,
        metric: figure.metric,
        published,
        qualifier: figure.qualifier,
        modelled,
        error,
        tolerance,
        verdict,
        predicted,
        reason: figure.contradiction.clone().filter(|_| verdict == Verdict::Contradiction).unwrap_or_else(|| reason(fitting, figure, predicted)),
        source: &figure.source,
        doubt: figure.doubt.as_deref(),
    })
}

/// In the units in which the figure is printed.
fn modelled(figure: &Figure, seen: &Shown) -> Option<f64> {
    let bandwidth = |iops: f64| figure.counted_bytes.map(|bytes| iops * bytes as f64 / 1e9);
    match seen {
        Shown::Curve { steps, crossing } => {
            let top = peak(steps)?;
            match figure.metric {
                Metric::StartLatencyMs => steps.first().map(|step| 1e3 * step.latency),
                Metric::IopsAt1ms => Some(crossing.unwrap_or(top.throughput)),
                Metric::PeakIops => Some(top.throughput),
                Metric::LatencyAtPeakMs => Some(1e3 * top.latency),
                Metric::BandwidthGbpsAt1ms => bandwidth(crossing.unwrap_or(top.throughput)),
                Metric::BandwidthGbpsAtPeak => bandwidth(top.throughput),
                _ => None,
            }
        }
        Shown::Run { throughput, latency, p99 } => match figure.metric {
            Metric::Tps | Metric::PeakIops => Some(*throughput),
            Metric::AvgLatencyMs => Some(1e3 * latency),
            Metric::P99LatencyMs => Some(1e3 * p99),
            Metric::BandwidthGbpsAtPeak => bandwidth(*throughput),
            _ => None,
        },
    }
}

/// Exact: 1 % or half of the last printed digit; otherwise 5 %. Predicted: 3 % or that, whichever is wider; 99th percentiles 5 %.
fn tolerance(figure: &Figure, predicted: bool) -> f64 {
    let own = match figure.qualifier {
        Qualifier::Exact => (0.5 * figure.digit() / figure.printed()).max(0.01),
        Qualifier::About | Qualifier::Over | Qualifier::JustUnder | Qualifier::NeverAbove => 0.05,
    };
    let least = match (figure.metric, predicted) {
        (Metric::P99LatencyMs, _) => 0.05,
        (_, true) => 0.03,
        (_, false) => 0.0,
    };
    own.max(least)
}

fn reason(fitting: &Fitting, figure: &Figure, predicted: bool) -> String {
    let profile = profile_of(&figure.workload).0;
    let source = fitting.entries.iter().find(|entry| entry.profile == profile).map(|entry| entry.source.as_str()).unwrap_or_default();
    if !predicted {
        let population = figure.metric == Metric::LatencyAtPeakMs;
        let inferred = if population { "; read back: the population was inferred from this peak" } else { "" };
        return format!("{source}{inferred}");
    }
    match figure.metric {
        Metric::LatencyAtPeakMs => "predicted: the generator's threads over the peak; this latency was not used".to_owned(),
        Metric::AvgLatencyMs if profile == "sqlserver-tpcc" => "predicted: users over transactions per second, less the think time".to_owned(),
        Metric::AvgLatencyMs => "predicted: requests under way over throughput".to_owned(),
        Metric::Tps => "predicted: users over think time and latency".to_owned(),
        Metric::P99LatencyMs => "predicted: the tail of the array's other runs".to_owned(),
        Metric::BandwidthGbpsAt1ms | Metric::BandwidthGbpsAtPeak => "predicted: operations times the bytes that the review counts".to_owned(),
        Metric::IopsAt1ms => "predicted: the latency stays below 1 ms".to_owned(),
        _ => "predicted".to_owned(),
    }
}
