//! Newton's method on the queueing terms `y`, guarded by the convex dual.
//!
//! One step solves `(diag(drho/dy) + sum beta X^2/N d d^T) dy = -f`. With
//! `dy = sqrt(g') u` the matrix becomes the identity plus a sum of squares, which is well
//! conditioned at any load. The step is taken in `rho`, its headroom cut at most twentyfold.

use super::linear::solve_shifted;
use super::problem::{Balance, Problem, keep};

/// Largest imbalance of a resource, in utilization, that counts as solved.
pub(super) const CLOSED: f64 = 1e-9;
/// Imbalance that is rounding only.
const ROUNDING: f64 = 1e-15;
/// Steps before the caller falls back.
const STEPS: usize = 100;
/// Largest factor by which one step may shrink a utilization or a headroom.
const CUT: f64 = 20.0;
/// Armijo's share of the decrease that the slope promises.
const ARMIJO: f64 = 1e-4;
/// Halvings of a bent step before the straight one is tried.
const BENT: usize = 4;
/// Halvings of the straight step before it is given up.
const HALVINGS: usize = 40;

/// Moves `y` to the equilibrium; false when it did not close in 100 steps.
pub(super) fn close(problem: &Problem, y: &mut Vec<f64>) -> bool {
    let mut balance = problem.balance(y);
    for _ in 0..STEPS {
        if balance.worst <= CLOSED {
            return true;
        }
        let step = direction(problem, y, &balance);
        match search(problem, y, &step, &balance) {
            Some((next, next_balance)) => (*y, balance) = (next, next_balance),
            None => return false,
        }
    }
    balance.worst <= CLOSED
}

/// Takes full steps for as long as each at least halves the imbalance: digits below the
/// tolerance, so that the order of classes does not show.
pub(super) fn polish(problem: &Problem, y: &mut Vec<f64>) {
    let mut balance = problem.balance(y);
    for _ in 0..6 {
        if balance.worst <= ROUNDING {
            return;
        }
        let next = moved(problem, y, &direction(problem, y, &balance), 1.0);
        let next_balance = problem.balance(&next);
        if next_balance.worst >= 0.5 * balance.worst {
            return;
        }
        (*y, balance) = (next, next_balance);
    }
}

/// The Newton step in utilizations.
fn direction(problem: &Problem, y: &[f64], balance: &Balance) -> Vec<f64> {
    let n = problem.size();
    let root: Vec<f64> = y.iter().enumerate().map(|(r, &term)| problem.slope(r, term).sqrt()).collect();
    let mut matrix = vec![0.0; n * n];
    for i in 0..n {
        matrix[i * n + i] = 1.0;
    }
    let mut scaled = Vec::new();
    for (row, &weight) in problem.rows().zip(&balance.weight) {
        if weight <= 0.0 {
            continue;
        }
        scaled.clear();
        scaled.extend(row.demands.iter().map(|&(r, d)| (r, d * root[r])));
        for (k, &(i, a)) in scaled.iter().enumerate() {
            let wa = weight * a;
            for &(j, b) in &scaled[..=k] {
                matrix[j * n + i] += wa * b;
            }
        }
    }
    let mut step: Vec<f64> = root.iter().zip(&balance.excess).map(|(g, f)| -g * f).collect();
    solve_shifted(&mut matrix, &mut step);
    for (value, g) in step.iter_mut().zip(&root) {
        *value /= g;
    }
    step
}

/// The queueing terms after the share `t` of the step, each utilization and headroom cut at
/// most twentyfold.
fn moved(problem: &Problem, y: &[f64], step: &[f64], t: f64) -> Vec<f64> {
    y.iter()
        .zip(step)
        .enumerate()
        .map(|(r, (&term, &change))| {
            let (rho, free) = problem.load(r, term);
            let change = (t * change).clamp(-rho * (1.0 - 1.0 / CUT), free * (1.0 - 1.0 / CUT));
            problem.term(r, rho + change, free - change)
        })
        .collect()
}

/// The longest of the halved steps that makes enough progress; `None` if none does.
///
/// Steps cut resource by resource go far, but are no longer straight: where one resource leaves saturation they may lead astray. Then
/// the straight step is taken, as far as no queueing term shrinks more than twentyfold; on it the dual falls at first for certain.
fn search(problem: &Problem, y: &[f64], step: &[f64], balance: &Balance) -> Option<(Vec<f64>, Balance)> {
    let here = std::cell::OnceCell::new();
    let progress = |next: &[f64], next_balance: &Balance| {
        let along = |f: &[f64]| -> f64 { f.iter().zip(next.iter().zip(y)).map(|(f, (b, a))| f * (b - a)).sum() };
        let promised = along(&balance.excess);
        // Convex: a dual that still falls at the end of the step has fallen all the way.
        next_balance.worst <= 0.5 * balance.worst
            || (promised < 0.0 && (along(&next_balance.excess) <= 0.0 || problem.dual(next) <= *here.get_or_init(|| problem.dual(y)) + ARMIJO * promised))
    };
    let halved = |steps: usize| (0..steps).scan(1.0, |t, _| Some(std::mem::replace(t, *t * 0.5)));
    let bent = halved(BENT).map(|t| moved(problem, y, step, t));
    let rise: Vec<f64> = y.iter().zip(step).enumerate().map(|(r, (&term, &change))| problem.slope(r, term) * change).collect();
    let most = y.iter().zip(&rise).filter(|(_, rise)| **rise < 0.0).map(|(term, rise)| (1.0 / CUT - 1.0) * term / rise).fold(1.0, f64::min);
    let straight = halved(HALVINGS).map(|t| y.iter().zip(&rise).map(|(term, rise)| keep(term + t * most * rise)).collect());
    for next in bent.chain(straight) {
        let next_balance = problem.balance(&next);
        if progress(&next, &next_balance) {
            return Some((next, next_balance));
        }
    }
    None
}
