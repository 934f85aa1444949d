//! What the law says of points that it was not shown.

use super::curves;
use super::fitting::{Desk, Fitting, fittings};
use super::report::LeftOut;
use super::special::sysbench_runs;
use crate::catalogue::CatalogueError;
use crate::perf::fit::two_points;
use crate::perf::fit_runs::nearest;

/// Both kinds: the 1 ms points of all curves, each curve fitted without its own and with the array's median burstiness; and the runs of
/// Sysbench where there are more than the law has parameters, each predicted from the others.
pub(super) fn left_out() -> Result<(Vec<LeftOut>, Vec<LeftOut>), CatalogueError> {
    let (mut middles, mut runs) = (Vec::new(), Vec::new());
    for fitting in fittings()? {
        let Some(median) = fitting.median_burstiness else { continue };
        let mut desk = Desk::again(fitting)?;
        for stated in curves::stated(&mut desk)? {
            let Some(published) = stated.published.at_1ms else { continue };
            let points = [(0.1 * stated.published.peak, stated.published.start_latency), (stated.published.peak, stated.published.peak_latency)];
            let Ok(fit) = two_points(points, median, &stated.path) else { continue };
            middles.push(LeftOut::new(fitting.recipe.key()?, &stated.profile, published, fit.throughput_at(1e-3, &stated.path)));
        }
        runs.extend(sysbench(fitting, &desk)?);
    }
    Ok((middles, runs))
}

fn sysbench(fitting: &Fitting, desk: &Desk<'_>) -> Result<Vec<LeftOut>, CatalogueError> {
    let runs = sysbench_runs(desk);
    let entry = fitting.entries.iter().find(|entry| entry.profile == "sysbench").and_then(|entry| entry.fit.as_ref());
    let Some((_, path)) = entry.filter(|_| runs.len() > 3) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for (at, (figure, (tps, latency))) in runs.iter().enumerate() {
        let others: Vec<(f64, f64)> = runs.iter().enumerate().filter(|(number, _)| *number != at).map(|(_, run)| run.1).collect();
        let fit = nearest(&others, path).map_err(|error| fitting.recipe.fault(error))?;
        found.push(LeftOut::new(fitting.recipe.key()?, &figure.workload, *tps, fit.closed_loop(tps * latency, 0.0, path).0));
    }
    Ok(found)
}
