//! The load generator's steps: VDBench offers 10, 20 .. 120 % of a maximum and the review
//! quotes the first step with the highest throughput.

/// One step of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Offered load in operations per second.
    pub offered: f64,
    /// Completed operations per second; at most [`Step::offered`].
    pub throughput: f64,
    /// Mean latency in seconds.
    pub latency: f64,
}

/// Throughputs that differ by less than this share of themselves are the same throughput.
const SAME: f64 = 1e-6;

/// Runs the twelve steps 10, 20 .. 120 % of `maximum` (operations per second), in order.
///
/// `run` answers, for an offered load, throughput in operations per second and latency in
/// seconds: the closed loop with the offered load as its cap.
pub fn sweep(maximum: f64, mut run: impl FnMut(f64) -> (f64, f64)) -> Vec<Step> {
    (1..=12)
        .map(|tenth| {
            let offered = maximum * f64::from(tenth) / 10.0;
            let (throughput, latency) = run(offered);
            Step { offered, throughput, latency }
        })
        .collect()
}

/// The first step with the highest throughput; `None` without steps.
#[must_use]
pub fn peak(steps: &[Step]) -> Option<&Step> {
    let highest = steps.iter().map(|step| step.throughput).fold(0.0, f64::max);
    steps.iter().find(|step| step.throughput >= highest * (1.0 - SAME))
}

#[cfg(test)]
mod tests {
    use super::{peak, sweep};

    #[test]
    fn the_peak_is_the_first_of_equal_steps() {
        let steps = sweep(100.0, |offered| (offered.min(95.0), 1.0));
        assert_eq!(steps.len(), 12);
        assert_eq!(peak(&steps).map(|step| step.offered), Some(100.0));
        assert_eq!(peak(&[]), None);
    }
}
