//! From published figures to the law's parameters, with every other resource inside the fit.
//!
//! At the reference layout `n` balanced controllers carry the work: one request costs `n / C`
//! seconds of its owner, which is busy the share `X / C` of the time. The time in queues is
//! `beta * G(X)` with `G(x) = (n / C) g(x / C) + sum over the others of d g(x d share)`
//! (performance model, sections 1 and 3). Because the others stand inside, the fitted curve
//! passes through its points in the whole network, not only alone.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::law::g;

/// Another resource on the path of one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Other {
    /// Seconds of this one resource that one request going through it uses.
    pub demand: f64,
    /// Share of the whole workload that loads it: 1 for a port through which everything is
    /// spread (its demand being divided already), 0.5 for one of two drive groups.
    pub share: f64,
}

/// What one request passes at the reference layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// How many controllers carry the work in balance.
    pub controllers: f64,
    /// Everything else.
    pub others: Vec<Other>,
}

impl Path {
    /// Seconds of its owner controller that one operation uses, where `capacity` operations per second keep all of them busy.
    #[must_use]
    pub fn controller_demand(&self, capacity: f64) -> f64 {
        self.controllers / capacity
    }

    /// `G(x)`: weighted queueing term at the throughput `x`, in seconds.
    #[must_use]
    pub fn queue(&self, throughput: f64, capacity: f64) -> f64 {
        let controllers = self.controller_demand(capacity) * g(throughput / capacity);
        self.others.iter().fold(controllers, |sum, other| sum + other.demand * g(throughput * other.demand * other.share))
    }
}

/// What a review states of one workload. Latencies in seconds, throughput per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// Latency at the 10 % step of the load, that is at a tenth of `peak`.
    pub start_latency: f64,
    /// Throughput at which the latency passes 1 ms; `None` where the curve has no crossing.
    pub at_1ms: Option<f64>,
    /// Highest throughput.
    pub peak: f64,
    /// Latency at the highest throughput.
    pub peak_latency: f64,
}

/// The parameters of one workload on one array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Latency with no load, `L0`, in seconds.
    pub base_latency: f64,
    /// Throughput that keeps the balanced controllers always busy, `C`, in operations per second.
    pub capacity: f64,
    /// Burstiness, `beta`, without dimension.
    pub burstiness: f64,
}

impl Fit {
    /// Latency in seconds at `throughput` operations per second.
    #[must_use]
    pub fn latency(&self, throughput: f64, path: &Path) -> f64 {
        self.base_latency + self.burstiness * path.queue(throughput, self.capacity)
    }

    /// The throughput at which the latency is `latency` seconds; 0 when that is not above the base latency.
    #[must_use]
    pub fn throughput_at(&self, latency: f64, path: &Path) -> f64 {
        root_below(self.capacity, |x| self.latency(x, path) - latency)
    }

    /// Throughput and latency of `population` requesters that think `think` seconds.
    #[must_use]
    pub fn closed_loop(&self, population: f64, think: f64, path: &Path) -> (f64, f64) {
        let throughput = root_below(self.capacity, |x| x * (self.latency(x, path) + think) - population);
        (throughput, self.latency(throughput, path))
    }
}

/// Where a rising function of the throughput passes 0, below the capacity.
fn root_below(capacity: f64, excess: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, capacity);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 { high = middle } else { low = middle }
    }
    low
}

/// Why points have no curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitError {
    /// Throughputs or latencies of the points do not rise, or are not positive numbers.
    NotRising,
    /// No capacity makes the law pass through the points: they bend less than the other
    /// resources alone, or more than the law can.
    NoCapacity,
    /// Another resource is more than fully used at the highest point.
    OtherSaturated,
}

impl std::fmt::Display for FitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotRising => "the points of the curve must be positive and rise in throughput and latency",
            Self::NoCapacity => "no capacity makes the law pass through these points",
            Self::OtherSaturated => "a resource other than the controllers is saturated at the highest point",
        })
    }
}

impl std::error::Error for FitError {}

/// How a source qualifies a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Qualifier {
    /// Stated as it is.
    Exact,
    /// "About", "roughly".
    About,
    /// "Over", "more than".
    Over,
    /// "Just under", "nearly".
    JustUnder,
    /// A bound that the curve stays below.
    NeverAbove,
}

/// The figure to fit: 1 % inside a one-sided qualifier (performance model, section 8).
#[must_use]
pub fn aim(value: f64, qualifier: Qualifier) -> f64 {
    match qualifier {
        Qualifier::Exact | Qualifier::About | Qualifier::NeverAbove => value,
        Qualifier::Over => value * 1.01,
        Qualifier::JustUnder => value * 0.99,
    }
}

/// Largest capacity tried, as a multiple of the highest throughput.
const WIDEST: f64 = 1e3;

/// The curve of a review: start, crossing of 1 ms and peak; without a crossing the burstiness
/// is `assumed_burstiness` (the median of the array's other curves is the project's choice).
///
/// # Errors
///
/// [`FitError`] when the points have no curve; [`FitError::NoCapacity`] also when neither a
/// crossing nor a burstiness is given.
pub fn curve(published: &Published, assumed_burstiness: Option<f64>, path: &Path) -> Result<Fit, FitError> {
    let start = (0.1 * published.peak, published.start_latency);
    let peak = (published.peak, published.peak_latency);
    match (published.at_1ms, assumed_burstiness) {
        (Some(crossing), _) => three_points([start, (crossing, 1e-3), peak], path),
        (None, Some(burstiness)) => two_points([start, peak], burstiness, path),
        (None, None) => Err(FitError::NoCapacity),
    }
}

/// The curve through three points `(throughput, latency)`, rising.
///
/// Base latency and burstiness stand linearly in the law and are eliminated; the capacity is
/// found by bisection where the ratio of the two latency steps is right.
///
/// # Errors
///
/// [`FitError`] when the points have no curve.
pub fn three_points(points: [(f64, f64); 3], path: &Path) -> Result<Fit, FitError> {
    let [low, middle, high] = points;
    check_points(&points, path)?;
    let wanted = (high.1 - low.1) / (middle.1 - low.1);
    let capacity = falling_root(high.0, |capacity| {
        let [a, b, c] = points.map(|(x, _)| path.queue(x, capacity));
        (c - a) - wanted * (b - a)
    })?;
    let burstiness = (high.1 - low.1) / (path.queue(high.0, capacity) - path.queue(low.0, capacity));
    let base_latency = low.1 - burstiness * path.queue(low.0, capacity);
    if base_latency > 0.0 && burstiness > 0.0 { Ok(Fit { base_latency, capacity, burstiness }) } else { Err(FitError::NoCapacity) }
}

/// The curve through two points `(throughput, latency)`, rising, with a known burstiness.
///
/// # Errors
///
/// [`FitError`] when the points have no curve.
pub fn two_points(points: [(f64, f64); 2], burstiness: f64, path: &Path) -> Result<Fit, FitError> {
    let [low, high] = points;
    check_points(&points, path)?;
    let capacity = falling_root(high.0, |capacity| burstiness * (path.queue(high.0, capacity) - path.queue(low.0, capacity)) - (high.1 - low.1))?;
    let base_latency = low.1 - burstiness * path.queue(low.0, capacity);
    if base_latency > 0.0 && burstiness > 0.0 { Ok(Fit { base_latency, capacity, burstiness }) } else { Err(FitError::NoCapacity) }
}

/// The curve through one point `(throughput, latency)` with base latency (s) and capacity known.
///
/// # Errors
///
/// [`FitError::NotRising`] when the point is not above the base latency or not below the capacity.
pub fn one_point(point: (f64, f64), base_latency: f64, capacity: f64, path: &Path) -> Result<Fit, FitError> {
    let queue = path.queue(point.0, capacity);
    if point.1 > base_latency && queue > 0.0 && queue.is_finite() {
        Ok(Fit { base_latency, capacity, burstiness: (point.1 - base_latency) / queue })
    } else {
        Err(FitError::NotRising)
    }
}

/// The factor on the controllers' demand with which `fit` has the latency `latency` (s) at
/// `throughput`: what data reduction costs, the other resources unchanged.
///
/// # Errors
///
/// [`FitError::NoCapacity`] when no factor from 1 up to saturation does it.
pub fn controller_factor(fit: &Fit, throughput: f64, latency: f64, path: &Path) -> Result<f64, FitError> {
    let excess = |capacity: f64| fit.base_latency + fit.burstiness * path.queue(throughput, capacity) - latency;
    if excess(fit.capacity) > 0.0 {
        return Err(FitError::NoCapacity);
    }
    falling_root(throughput, excess).map(|capacity| fit.capacity / capacity)
}

/// The factor on writes, when reads (a share `read_share` of requests) are multiplied by
/// `read_factor` and both together by `factor`: `factor = r * m_r + (1 - r) * m_w`.
/// `factor` itself when nothing writes.
#[must_use]
pub fn write_factor(factor: f64, read_share: f64, read_factor: f64) -> f64 {
    if read_share < 1.0 { (factor - read_share * read_factor) / (1.0 - read_share) } else { factor }
}

/// Latency in seconds at which `population` requesters that think `think` seconds complete
/// `throughput` per second: `N / X - Z`.
#[must_use]
pub fn closed_loop_latency(population: f64, think: f64, throughput: f64) -> f64 {
    population / throughput - think
}

fn check_points(points: &[(f64, f64)], path: &Path) -> Result<(), FitError> {
    let positive = points.iter().all(|&(x, l)| x > 0.0 && l > 0.0 && x.is_finite() && l.is_finite());
    let rising = points.windows(2).all(|pair| pair[1].0 > pair[0].0 && pair[1].1 > pair[0].1);
    if !(positive && rising) {
        return Err(FitError::NotRising);
    }
    let highest = points.last().map_or(0.0, |point| point.0);
    if path.others.iter().any(|other| highest * other.demand * other.share >= 1.0) {
        return Err(FitError::OtherSaturated);
    }
    Ok(())
}

/// The capacity above `highest` at which `excess`, infinite at `highest` and falling, is 0.
/// Bisects the logarithm of the headroom `C / x - 1`.
fn falling_root(highest: f64, excess: impl Fn(f64) -> f64) -> Result<f64, FitError> {
    let capacity = |logarithm: f64| highest * (1.0 + logarithm.exp());
    let (mut low, mut high) = (-25.0_f64, WIDEST.ln());
    if excess(capacity(low)) <= 0.0 || excess(capacity(high)) > 0.0 {
        return Err(FitError::NoCapacity);
    }
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if excess(capacity(middle)) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(capacity(0.5 * (low + high)))
}

#[cfg(test)]
mod tests {
    use super::{Fit, Qualifier, one_point, two_points};
    use super::{FitError, Other, Path, Published, aim, curve, three_points};

    const TRUTH: Fit = Fit { base_latency: 0.000_3, capacity: 150_000.0, burstiness: 7.0 };

    fn path() -> Path {
        Path { controllers: 2.0, others: vec![Other { demand: 2e-6, share: 1.0 }, Other { demand: 5e-6, share: 0.5 }] }
    }

    fn latency(x: f64) -> f64 {
        TRUTH.latency(x, &path())
    }

    fn is_truth(fit: &Fit) -> bool {
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-6;
        near(fit.base_latency, TRUTH.base_latency) && near(fit.capacity, TRUTH.capacity) && near(fit.burstiness, TRUTH.burstiness)
    }

    #[test]
    fn every_fit_finds_the_curve_that_made_the_points() {
        let [a, b, c] = [14_000.0, 110_000.0, 140_000.0].map(|x| (x, latency(x)));
        assert!(is_truth(&three_points([a, b, c], &path()).expect("three points")));
        assert!(is_truth(&two_points([a, c], 7.0, &path()).expect("two points")));
        assert!(is_truth(&one_point(b, 0.000_3, 150_000.0, &path()).expect("one point")));
    }

    #[test]
    fn points_without_a_curve_are_refused() {
        let nothing = Path { controllers: 2.0, others: Vec::new() };
        let published = Published { start_latency: 0.002, at_1ms: Some(5.0), peak: 10.0, peak_latency: 0.01 };
        assert_eq!(curve(&published, None, &nothing), Err(FitError::NotRising));
        let straight = [(10.0, 0.001), (20.0, 0.002), (30.0, 0.002_1)];
        assert_eq!(three_points(straight, &nothing), Err(FitError::NoCapacity));
        let busy = Path { controllers: 2.0, others: vec![Other { demand: 1.0, share: 1.0 }] };
        assert_eq!(three_points([(10.0, 0.001), (20.0, 0.002), (30.0, 0.02)], &busy), Err(FitError::OtherSaturated));
    }

    #[test]
    fn one_sided_figures_are_aimed_at_from_inside() {
        assert!((aim(142_000.0, Qualifier::Over) - 143_420.0).abs() < 1e-6);
        assert!((aim(94_000.0, Qualifier::JustUnder) - 93_060.0).abs() < 1e-6);
        assert_eq!(aim(158_000.0, Qualifier::About), 158_000.0);
    }
}
