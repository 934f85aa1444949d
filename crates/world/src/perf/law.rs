//! The law of one curve: `L(X) = L0 + w * g(X / C)` with `g(rho) = rho^2 / (1 - rho)`.
//!
//! `g` is the queueing term of one resource; `y` names its value everywhere in this room.
//! Close to saturation `1 - rho` loses its digits, `y` does not: carry `y`, and take
//! [`utilization`] and [`headroom`] from it in closed form.

/// The queueing term of a resource that is busy the share `rho` of the time.
///
/// 0 for nothing or less, infinite at 1 and above.
#[must_use]
pub fn g(rho: f64) -> f64 {
    if rho >= 1.0 {
        f64::INFINITY
    } else if rho > 0.0 {
        rho * rho / (1.0 - rho)
    } else {
        0.0
    }
}

/// The utilization `rho` at which [`g`] has the value `y`: the inverse of `g`.
///
/// From 0 to 1; it rounds to 1 only above about `1e16`.
#[must_use]
pub fn utilization(y: f64) -> f64 {
    if y > 0.0 { 2.0 / (1.0 + (1.0 + 4.0 / y).sqrt()) } else { 0.0 }
}

/// `1 - rho` at the queueing term `y`, without the loss of digits of the subtraction.
#[must_use]
pub fn headroom(y: f64) -> f64 {
    if y > 0.0 {
        let rho = utilization(y);
        (rho / y) * rho
    } else {
        1.0
    }
}

/// Latency against throughput of one workload on one bottleneck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Latency with no load, `L0`, in seconds.
    pub base_latency: f64,
    /// Throughput at which the bottleneck is always busy, `C`, in operations per second.
    pub capacity: f64,
    /// Queueing scale, `w`, in seconds.
    pub queueing: f64,
}

impl Curve {
    /// Latency in seconds at `throughput` operations per second; infinite from the capacity on.
    #[must_use]
    pub fn latency(&self, throughput: f64) -> f64 {
        if throughput <= 0.0 || self.queueing <= 0.0 {
            return self.base_latency;
        }
        self.base_latency + self.queueing * g(throughput / self.capacity)
    }

    /// Throughput in operations per second at which the latency is `latency` seconds; 0 when
    /// that is not above the base latency.
    #[must_use]
    pub fn throughput_at(&self, latency: f64) -> f64 {
        if latency <= self.base_latency {
            return 0.0;
        }
        self.capacity * utilization((latency - self.base_latency) / self.queueing)
    }

    /// Throughput and latency of `population` requesters that think `think` seconds between an
    /// answer and the next request: the one point where `N = X * (L + Z)`.
    ///
    /// `(0, base latency)` when nobody asks or the capacity is 0.
    #[must_use]
    pub fn closed_loop(&self, population: f64, think: f64) -> (f64, f64) {
        if !(population > 0.0 && self.capacity > 0.0) {
            return (0.0, self.base_latency);
        }
        let unloaded = self.base_latency + think.max(0.0);
        let held = |y: f64| self.capacity * utilization(y) * (unloaded + self.queueing.max(0.0) * y);
        let y = bisect_logistic(|y| held(y) - population);
        let throughput = self.capacity * utilization(y);
        (throughput, self.base_latency + self.queueing.max(0.0) * y)
    }
}

/// The `y` at which an increasing function of the queueing term changes its sign.
///
/// Bisects the log-odds of the utilization, so both ends keep all their digits. Without a
/// change of sign the nearer end is the answer.
pub(super) fn bisect_logistic(excess: impl Fn(f64) -> f64) -> f64 {
    let term = |odds: f64| {
        let rho = 1.0 / (1.0 + (-odds).exp());
        rho * rho * (1.0 + odds.exp())
    };
    let (mut low, mut high) = (-90.0_f64, 90.0_f64);
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if excess(term(middle)) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    term(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::{Curve, g, headroom, utilization};

    #[test]
    fn the_inverse_undoes_the_queueing_term() {
        for rho in [0.0, 1e-9, 0.1, 0.5, 0.9, 0.999_999] {
            assert!((utilization(g(rho)) - rho).abs() <= 1e-12 * (1.0 + rho));
        }
    }

    #[test]
    fn headroom_keeps_its_digits_where_subtraction_has_none() {
        let y = 1e20;
        assert!((headroom(y) * y - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_closed_loop_obeys_littles_law_and_stays_below_the_capacity() {
        let curve = Curve { base_latency: 0.000_28, capacity: 163_000.0, queueing: 0.000_1 };
        for population in [1.0, 32.0, 4096.0, 1e9] {
            let (throughput, latency) = curve.closed_loop(population, 0.001);
            assert!((throughput * (latency + 0.001) / population - 1.0).abs() < 1e-9);
            assert!(throughput <= curve.capacity);
            assert!((curve.throughput_at(latency) / throughput - 1.0).abs() < 1e-9);
        }
    }
}
