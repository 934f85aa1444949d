//! What is fitted otherwise than by a curve: transactions, fio, drives that are the bottleneck, tails.

use super::entry::Entry;
use super::figure::{Figure, Metric, profile_of};
use super::fitting::{Desk, stated};
use super::recipe::{Drives, Tail, TailShape, find, runs_of};
use crate::catalogue::{CatalogueError, Sourced};
use crate::perf::fit::{Fit, closed_loop_latency, controller_factor, one_point, three_points, write_factor};
use crate::perf::fit_runs::{at_capacity, nearest, through_base};

const SYSBENCH: &str = "sysbench";
const TPCC: &str = "sqlserver-tpcc";

fn micro(number: &Sourced<u64>) -> f64 {
    number.value as f64 / 1e6
}

/// Requests per second at the peak of a profile whose figures carry another name: operations, or bytes over the block.
fn rate(desk: &Desk<'_>, profile: &str) -> Result<(f64, &'static Figure), CatalogueError> {
    let run = desk.figures.iter().find(|figure| profile_of(&figure.workload).0 == profile && figure.configuration == desk.recipe.runs[0].configuration);
    let run = run.ok_or_else(|| desk.recipe.fault(format!("{profile} has no figure")))?;
    let figure = find(&desk.figures, &run.workload, Metric::PeakIops).filter(|figure| figure.configuration == run.configuration);
    let bandwidth = || find(&desk.figures, &run.workload, Metric::BandwidthGbpsAtPeak);
    let figure = figure.or_else(bandwidth).ok_or_else(|| desk.recipe.fault(format!("{profile} has no peak")))?;
    let counted = figure.counted_bytes.map_or(1.0, |bytes| 1e9 / bytes as f64);
    Ok((figure.aim() * counted, figure))
}

/// What drives can do: stated, another calibration's, or what the profiles show of which they are the bottleneck.
pub(super) fn drives(desk: &mut Desk<'_>) -> Result<(), CatalogueError> {
    if let Some(name) = &desk.recipe.drives_of {
        desk.fitting.drives = desk.other(name)?.drives.clone();
    }
    let Some(fitted) = &desk.recipe.fitted_drives else { return Ok(()) };
    let count: usize = desk.bench.raid_groups(desk.volumes()).iter().map(|group| group.drives.len()).sum();
    let each = count.max(1) as f64 * micro(&fitted.busy_ppm);
    let shown = |profile: &str, bytes: bool| -> Result<Sourced<u64>, CatalogueError> {
        let block = if bytes { desk.bench.profile(profile)?.block_size.get() as f64 } else { 1.0 };
        let value = (rate(desk, profile)?.0 * block / each).round() as u64;
        Ok(stated(value, desk.says(&format!("peak of {profile}, {count} drives busy {} ppm of the time: {}", fitted.busy_ppm.value, fitted.busy_ppm.source))))
    };
    let drives = Drives {
        drive_type: fitted.drive_type,
        reads_per_second: shown(&fitted.reads, false)?,
        writes_per_second: shown(&fitted.writes, false)?,
        read_bytes_per_second: shown(&fitted.read_bytes, true)?,
        write_bytes_per_second: shown(&fitted.write_bytes, true)?,
    };
    desk.fitting.drives = vec![drives];
    Ok(())
}

/// Runs of fio: all requests are under way all the time, so the peak says the latency.
pub(super) fn fio(desk: &mut Desk<'_>) -> Result<(), CatalogueError> {
    let Some(assumed) = &desk.recipe.fio else { return Ok(()) };
    let fitted = desk.recipe.fitted_drives.as_ref();
    let by_drives = |profile: &str| {
        fitted.is_some_and(|drives| [&drives.reads, &drives.writes, &drives.read_bytes, &drives.write_bytes].iter().any(|name| *name == profile))
    };
    let configuration = &desk.recipe.runs[0].configuration;
    let mut profiles: Vec<String> = Vec::new();
    for figure in desk.figures.iter().filter(|figure| figure.configuration == *configuration) {
        let name = profile_of(&figure.workload).0;
        if name.starts_with("fio-") && !profiles.contains(&name) {
            profiles.push(name);
        }
    }
    for name in profiles {
        let (peak, figure) = rate(desk, &name)?;
        let busy = assumed.drives_busy_ppm.as_ref().filter(|_| by_drives(&name)).unwrap_or(&assumed.busy_ppm);
        desk.bench.load(&name, desk.volumes(), None)?;
        let path = desk.bench.path()?;
        let latency = closed_loop_latency(desk.bench.profile(&name)?.population as f64, 0.0, peak);
        let fit = one_point((peak, latency), micro(&assumed.base_latency_us), peak / micro(busy), &path).map_err(|error| desk.recipe.fault(error))?;
        let how = format!("peak; controller busy {} ppm of the time there, base latency {} us: assumption", busy.value, assumed.base_latency_us.value);
        let source = desk.says(&how);
        desk.fitting.entries.push(Entry::fitted(&name, fit, path, 1.0, source));
        desk.fitting.parameters += 1;
        desk.uses(figure);
    }
    Ok(())
}

/// Sysbench: its threads never think, so transactions per second say the latency.
pub(super) fn sysbench(desk: &mut Desk<'_>) -> Result<(), CatalogueError> {
    let runs = sysbench_runs(desk);
    if runs.is_empty() {
        return Ok(());
    }
    desk.bench.load(SYSBENCH, desk.volumes(), None)?;
    let path = desk.bench.path()?;
    let points: Vec<(f64, f64)> = runs.iter().map(|run| run.1).collect();
    let (fit, how) = match (points.as_slice(), &desk.recipe.sysbench_base_us) {
        ([a, b], Some(base)) => (through_base([*a, *b], micro(base), &path), format!("two runs; base latency of {} us: {}", base.value, base.source)),
        ([a, b, c], _) => (three_points([*a, *b, *c], &path), "4, 8 and 16 virtual machines".to_owned()),
        _ => (nearest(&points, &path), format!("the curve nearest to {} runs", points.len())),
    };
    let fit = fit.map_err(|error| desk.recipe.fault(format!("sysbench: {error}")))?;
    let (reduction, source) = (desk.reduction(SYSBENCH)?, desk.says(&how));
    desk.fitting.entries.push(Entry::fitted(SYSBENCH, fit, path, reduction, source));
    desk.fitting.parameters += runs.len().min(3) as u64;
    runs.into_iter().for_each(|(figure, _)| desk.uses(figure));
    Ok(())
}

/// Transactions per second of every run, with the latency that follows.
pub(super) fn sysbench_runs(desk: &Desk<'_>) -> Vec<(&'static Figure, (f64, f64))> {
    let runs = runs_of(&desk.figures, SYSBENCH).into_iter();
    let run = |(name, threads): (&str, u64)| {
        let figure = find(&desk.figures, name, Metric::Tps)?;
        Some((figure, (figure.aim(), closed_loop_latency(threads as f64, 0.0, figure.aim()))))
    };
    runs.filter_map(run).collect()
}

/// TPC-C: its users think, so the latency says transactions per second.
pub(super) fn tpcc(desk: &mut Desk<'_>) -> Result<(), CatalogueError> {
    let Some(assumed) = &desk.recipe.tpcc else { return Ok(()) };
    let think = desk.bench.profile(TPCC)?.think.as_seconds();
    let mut points = Vec::new();
    for (name, users) in runs_of(&desk.figures, TPCC) {
        let figure = find(&desk.figures, name, Metric::AvgLatencyMs).ok_or_else(|| desk.recipe.fault(format!("{name} has no latency")))?;
        points.push((figure, (users as f64 / (think + figure.aim()), figure.aim())));
    }
    let configuration = points.first().map(|(figure, _)| figure.configuration.as_str()).unwrap_or_default();
    desk.bench.load(TPCC, desk.recipe.volumes(configuration), None)?;
    let path = desk.bench.path()?;
    let like_sql = || desk.entry("sql-80-20").and_then(|entry| entry.fit.as_ref()).map(|(fit, _)| fit.capacity);
    let capacity = match (&assumed.capacity_tps, &assumed.ios) {
        (Some(capacity), _) => Some((capacity.value as f64, format!("capacity of {} TPS: {}", capacity.value, capacity.source))),
        (None, Some(ios)) => like_sql().map(|sql| (sql / ios.value as f64, format!("capacity that of sql-80-20 over {}: {}", ios.value, ios.source))),
        (None, None) => None,
    };
    let (capacity, why) = capacity.ok_or_else(|| desk.recipe.fault("TPC-C has no capacity"))?;
    let base = assumed.base_latency_us.as_ref();
    let (fit, how) = match (points.as_slice(), base) {
        ([(_, a), (_, b)], _) => (at_capacity([*a, *b], capacity, &path), format!("two runs; {why}")),
        ([(_, point)], Some(base)) => {
            (one_point(*point, micro(base), capacity, &path), format!("one run; {why}; base latency of {} us: {}", base.value, base.source))
        }
        _ => return Err(desk.recipe.fault("TPC-C has no run, or more than two")),
    };
    let fit = fit.map_err(|error| desk.recipe.fault(format!("TPC-C: {error}")))?;
    let reduction = if desk.bench.is_reduced(desk.recipe.volumes(configuration)) { desk.reduction(TPCC)? } else { 1.0 };
    let source = desk.says(&how);
    reduced_tpcc(desk, &fit, &path)?;
    desk.fitting.entries.push(Entry::fitted(TPCC, fit, path, reduction, source));
    desk.fitting.parameters += points.len() as u64;
    points.into_iter().for_each(|(figure, _)| desk.uses(figure));
    Ok(())
}

/// What data reduction makes of a write, from the run with it.
fn reduced_tpcc(desk: &mut Desk<'_>, fit: &Fit, path: &crate::perf::fit::Path) -> Result<(), CatalogueError> {
    let Some(aimed) = desk.recipe.tpcc.as_ref().and_then(|tpcc| tpcc.reduced_tps.as_ref()) else { return Ok(()) };
    let run = |figure: &&&Figure| figure.data_reduction == Some(true) && figure.metric == Metric::Tps && profile_of(&figure.workload).0 == TPCC;
    let figure = *desk.figures.iter().find(run).ok_or_else(|| desk.recipe.fault("TPC-C has no run with data reduction"))?;
    let profile = desk.bench.profile(TPCC)?;
    let users = profile_of(&figure.workload).1.unwrap_or(profile.population) as f64;
    let tps = aimed.value as f64;
    let latency = closed_loop_latency(users, profile.think.as_seconds(), tps);
    let factor = controller_factor(fit, tps, latency, path).map_err(|error| desk.recipe.fault(format!("reduced TPC-C: {error}")))?;
    let write = write_factor(factor, profile.read_ppm.factor(), micro(&desk.recipe.reduction.read_ppm));
    let source = desk.says(&format!("TPC-C with data reduction on, aimed at {} TPS: {}", aimed.value, aimed.source));
    desk.fitting.write_ppm = stated((write * 1e6).round() as u64, source);
    desk.fitting.parameters += 1;
    desk.uses(figure);
    Ok(())
}

/// 99th percentiles over means: one number an array, or a line over the utilization.
pub(super) fn tail(desk: &mut Desk<'_>) -> Result<(), CatalogueError> {
    let Tail::Fitted(shape) = desk.recipe.tail else { return Ok(()) };
    let fit = desk.entry(SYSBENCH).and_then(|entry| entry.fit.clone()).ok_or_else(|| desk.recipe.fault("there is no Sysbench for the tail"))?.0;
    let mut points = Vec::new();
    for (figure, (tps, _)) in sysbench_runs(desk) {
        let of = |metric| find(&desk.figures, &figure.workload, metric);
        if let (Some(mean), Some(p99)) = (of(Metric::AvgLatencyMs), of(Metric::P99LatencyMs)) {
            points.push((p99, tps / fit.capacity, p99.plain() / mean.plain()));
        }
    }
    if points.is_empty() {
        return Err(desk.recipe.fault("there are no 99th percentiles"));
    }
    let per_million = |value: f64| (value * 1e6).round().max(0.0) as u64;
    let parameters = if shape == TailShape::Constant {
        let least = points.iter().map(|point| point.2).fold(f64::INFINITY, f64::min);
        let most = points.iter().map(|point| point.2).fold(0.0, f64::max);
        desk.fitting.tail_ppm = stated(per_million((least * most).sqrt()), desk.says("Sysbench 99th percentiles over means, the middle of the runs"));
        1
    } else {
        let (at_rest, rise) = line(&points.iter().map(|point| (point.1, point.2)).collect::<Vec<_>>());
        desk.fitting.tail_ppm = stated(per_million(at_rest), desk.says("Sysbench 99th percentiles over means, a line over the utilization"));
        desk.fitting.tail_rise_ppm = Some(stated(per_million(rise), desk.says("likewise")));
        2
    };
    desk.fitting.parameters += parameters as u64;
    points.into_iter().take(parameters).for_each(|(figure, ..)| desk.uses(figure));
    Ok(())
}

/// The line `a + b x` of the least squares of relative errors.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let (mut ww, mut wx, mut xx, mut w1, mut x1) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (x, y) in points {
        let (w, x) = (1.0 / y, x / y);
        ww += w * w;
        wx += w * x;
        xx += x * x;
        w1 += w;
        x1 += x;
    }
    let determinant = ww * xx - wx * wx;
    ((w1 * xx - x1 * wx) / determinant, (ww * x1 - wx * w1) / determinant)
}
