//! Fits of several runs of one closed loop: transactions and other loads of which a review states whole runs instead of a curve.

use super::fit::{Fit, FitError, Path};

/// The curve through two points `(throughput, latency)`, rising, with a known base latency in seconds.
///
/// # Errors
///
/// [`FitError`] when the points have no curve.
pub fn through_base(points: [(f64, f64); 2], base_latency: f64, path: &Path) -> Result<Fit, FitError> {
    let [low, high] = points;
    if !(low.0 > 0.0 && high.0 > low.0 && low.1 > base_latency && high.1 > low.1) {
        return Err(FitError::NotRising);
    }
    let wanted = (high.1 - base_latency) / (low.1 - base_latency);
    let excess = |capacity: f64| path.queue(high.0, capacity) - wanted * path.queue(low.0, capacity);
    let capacity = falling(high.0, excess)?;
    Ok(Fit { base_latency, capacity, burstiness: (high.1 - base_latency) / path.queue(high.0, capacity) })
}

/// The curve through two points `(throughput, latency)`, rising, with a known capacity.
///
/// # Errors
///
/// [`FitError`] when the points have no curve.
pub fn at_capacity(points: [(f64, f64); 2], capacity: f64, path: &Path) -> Result<Fit, FitError> {
    let [low, high] = points.map(|(throughput, latency)| (path.queue(throughput, capacity), latency));
    let burstiness = (high.1 - low.1) / (high.0 - low.0);
    let base_latency = low.1 - burstiness * low.0;
    let sound = burstiness.is_finite() && burstiness > 0.0 && base_latency > 0.0;
    if sound { Ok(Fit { base_latency, capacity, burstiness }) } else { Err(FitError::NoCapacity) }
}

/// The curve nearest to more points `(throughput, latency)` than it has parameters: the least squares of the latencies' relative errors.
///
/// # Errors
///
/// [`FitError::NotRising`] for fewer than three points, [`FitError::NoCapacity`] when no capacity does.
pub fn nearest(points: &[(f64, f64)], path: &Path) -> Result<Fit, FitError> {
    if points.len() < 3 || points.iter().any(|&(x, l)| !(x > 0.0 && l > 0.0)) {
        return Err(FitError::NotRising);
    }
    let highest = points.iter().map(|point| point.0).fold(0.0, f64::max);
    let capacity = |logarithm: f64| highest * (1.0 + logarithm.exp());
    let misses = |logarithm: f64| linear(points, capacity(logarithm), path).map_or(f64::INFINITY, |fit| squares(points, &fit, path));
    let steps = (-600..=300_i32).map(|step| f64::from(step) / 50.0);
    let best = steps.min_by(|a, b| misses(*a).total_cmp(&misses(*b))).ok_or(FitError::NoCapacity)?;
    let (mut low, mut high) = (best - 0.02, best + 0.02);
    for _ in 0..60 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if misses(a) > misses(b) { low = a } else { high = b }
    }
    linear(points, capacity(0.5 * (low + high)), path)
}

/// Base latency and burstiness of the least squares at a known capacity.
fn linear(points: &[(f64, f64)], capacity: f64, path: &Path) -> Result<Fit, FitError> {
    let (mut ww, mut wq, mut qq, mut w1, mut q1) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for &(throughput, latency) in points {
        let (weight, queue) = (1.0 / latency, path.queue(throughput, capacity) / latency);
        ww += weight * weight;
        wq += weight * queue;
        qq += queue * queue;
        w1 += weight;
        q1 += queue;
    }
    let determinant = ww * qq - wq * wq;
    let base_latency = (w1 * qq - q1 * wq) / determinant;
    let burstiness = (ww * q1 - wq * w1) / determinant;
    let sound = base_latency.is_finite() && base_latency > 0.0 && burstiness > 0.0;
    if sound { Ok(Fit { base_latency, capacity, burstiness }) } else { Err(FitError::NoCapacity) }
}

fn squares(points: &[(f64, f64)], fit: &Fit, path: &Path) -> f64 {
    points.iter().map(|&(throughput, latency)| (fit.latency(throughput, path) / latency - 1.0).powi(2)).sum()
}

/// The capacity above `highest` at which `excess`, which falls, is 0.
fn falling(highest: f64, excess: impl Fn(f64) -> f64) -> Result<f64, FitError> {
    let capacity = |logarithm: f64| highest * (1.0 + logarithm.exp());
    let (mut low, mut high) = (-25.0_f64, 7.0_f64);
    if excess(capacity(low)) <= 0.0 || excess(capacity(high)) > 0.0 {
        return Err(FitError::NoCapacity);
    }
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if excess(capacity(middle)) > 0.0 { low = middle } else { high = middle }
    }
    Ok(capacity(0.5 * (low + high)))
}

#[cfg(test)]
mod tests {
    use super::{at_capacity, nearest, through_base};
    use crate::perf::fit::{Fit, Other, Path};

    const TRUTH: Fit = Fit { base_latency: 0.016, capacity: 12_000.0, burstiness: 17.0 };

    fn is_truth(fit: &Fit) -> bool {
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-5;
        near(fit.base_latency, TRUTH.base_latency) && near(fit.capacity, TRUTH.capacity) && near(fit.burstiness, TRUTH.burstiness)
    }

    #[test]
    fn every_fit_finds_the_curve_that_made_the_runs() {
        let path = Path { controllers: 2.0, others: vec![Other { demand: 2e-5, share: 0.5 }] };
        let [a, b, c, d] = [4_000.0, 7_000.0, 10_000.0, 11_500.0].map(|x| (x, TRUTH.latency(x, &path)));
        assert!(is_truth(&through_base([b, d], 0.016, &path).expect("two runs")));
        assert!(is_truth(&at_capacity([a, c], 12_000.0, &path).expect("two runs")));
        assert!(is_truth(&nearest(&[a, b, c, d], &path).expect("four runs")));
    }

    #[test]
    fn runs_without_a_curve_are_refused() {
        let path = Path { controllers: 1.0, others: Vec::new() };
        assert!(through_base([(10.0, 0.01), (20.0, 0.02)], 0.02, &path).is_err());
        assert!(at_capacity([(10.0, 0.02), (20.0, 0.01)], 30.0, &path).is_err());
        assert!(nearest(&[(10.0, 0.02), (20.0, 0.01)], &path).is_err());
    }
}
