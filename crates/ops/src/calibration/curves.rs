//! The curves of VDBench: start, crossing of 1 ms, and peak.

use super::entry::Entry;
use super::figure::{Figure, Metric, Qualifier};
use super::fitting::Desk;
use super::recipe::find;
use crate::catalogue::CatalogueError;
use crate::model::WorkUnit;
use crate::perf::fit::{Fit, Path, Published, curve};

/// What of the profile's nominal population a published peak may miss and still lie on it.
const ON_NOMINAL: f64 = 0.015;

/// One curve as it is published, and what one of its requests passes.
pub(super) struct Stated {
    pub(super) profile: String,
    pub(super) published: Published,
    pub(super) path: Path,
    /// The population where the peak does not lie on the nominal one.
    inferred: Option<u64>,
    start_is_stated: bool,
    used: Vec<&'static Figure>,
}

/// Fits the curves of all profiles whose peak is published.
pub(super) fn fit(desk: &mut Desk<'_>) -> Result<(), CatalogueError> {
    let curves = stated(desk)?;
    let mut known = Vec::new();
    for stated in curves.iter().filter(|stated| stated.published.at_1ms.is_some()) {
        let fit = curve(&stated.published, None, &stated.path).map_err(|error| desk.recipe.fault(format!("{}: {error}", stated.profile)))?;
        known.push(fit.burstiness);
    }
    known.sort_by(f64::total_cmp);
    let median = known.get(known.len() / 2).copied();
    desk.fitting.median_burstiness = median;
    for stated in curves {
        let fit = curve(&stated.published, median, &stated.path).map_err(|error| desk.recipe.fault(format!("{}: {error}", stated.profile)))?;
        let source = desk.says(&words(&stated, desk, known.len()));
        push(desk, &stated, fit, source)?;
    }
    Ok(())
}

fn push(desk: &mut Desk<'_>, stated: &Stated, fit: Fit, source: String) -> Result<(), CatalogueError> {
    let reduction = desk.reduction(&stated.profile)?;
    let mut entry = Entry::fitted(&stated.profile, fit, stated.path.clone(), reduction, source);
    entry.demand.population = stated.inferred;
    desk.fitting.entries.push(entry);
    desk.fitting.parameters += stated.used.len() as u64;
    stated.used.iter().for_each(|figure| desk.uses(figure));
    Ok(())
}

fn words(stated: &Stated, desk: &Desk<'_>, known: usize) -> String {
    let crossing = stated.published.at_1ms.is_some();
    let mut words = match (stated.start_is_stated, crossing) {
        (true, true) => "start, 1 ms and peak".to_owned(),
        (true, false) => "start and peak".to_owned(),
        (false, true) => "1 ms and peak".to_owned(),
        (false, false) => "peak".to_owned(),
    };
    if let Some(moved) = desk.recipe.degenerate.get(&stated.profile) {
        words += &format!(", 1 ms at {}: {}", moved.value, moved.source);
    }
    if let Some(start) = desk.recipe.start_latency_us.get(&stated.profile).filter(|_| !stated.start_is_stated) {
        words += &format!("; start latency of {} us: {}", start.value, start.source);
    }
    if !crossing {
        words += &format!("; burstiness: assumption, the median of the array's {known} other curves");
    }
    words
}

/// The curves that are published of the configuration that is fitted.
pub(super) fn stated(desk: &mut Desk<'_>) -> Result<Vec<Stated>, CatalogueError> {
    let names: Vec<String> = desk.bench.profiles().filter(|profile| profile.unit == WorkUnit::Io).map(|profile| profile.name.clone()).collect();
    let mut curves = Vec::new();
    for name in names {
        let of = |metric| find(&desk.figures, &name, metric);
        let (Some(peak), Some(peak_latency)) = (of(Metric::PeakIops), of(Metric::LatencyAtPeakMs)) else { continue };
        let (start, crossing) = (of(Metric::StartLatencyMs), of(Metric::IopsAt1ms).filter(|figure| figure.qualifier != Qualifier::NeverAbove));
        desk.bench.load(&name, desk.volumes(), None)?;
        let path = desk.bench.path()?;
        let nominal = desk.bench.profile(&name)?.population as f64;
        let is_nominal = (peak.plain() * peak_latency.plain() / nominal - 1.0).abs() <= ON_NOMINAL;
        let assumed = || desk.recipe.start_latency_us.get(&name).map(|start| start.value as f64 / 1e6);
        let start_latency = start.map(Figure::plain).or_else(assumed).ok_or_else(|| desk.recipe.fault(format!("{name} has no start latency")))?;
        let moved = desk.recipe.degenerate.get(&name).map(|moved| moved.value as f64);
        let published = Published {
            start_latency,
            at_1ms: crossing.map(|figure| moved.unwrap_or_else(|| figure.aim())),
            peak: peak.aim(),
            peak_latency: if is_nominal { nominal / peak.aim() } else { peak_latency.aim() },
        };
        let inferred = (!is_nominal).then(|| (published.peak * published.peak_latency).round() as u64);
        let used = [start, crossing, Some(peak), Some(peak_latency).filter(|_| !is_nominal)].into_iter().flatten().collect();
        curves.push(Stated { profile: name, published, path, inferred, start_is_stated: start.is_some(), used });
    }
    Ok(curves)
}
