//! The guaranteed fallback: coordinate descent on the convex dual, each line searched exactly.
//!
//! Slow and certain. Each resource in turn is brought into balance with all others held
//! still; the dual falls every time, and its only stationary point is the equilibrium.

use super::newton::{self, CLOSED};
use super::problem::Problem;

/// Sweeps after which the result is taken as it stands; never seen to be needed.
const SWEEPS: usize = 100_000;
/// How often Newton's method is tried again meanwhile.
const ROUNDS: usize = 1000;

/// Moves `y` to the equilibrium. Between sweeps Newton's method may take over as soon as it can; both only ever go down.
pub(super) fn finish(problem: &Problem, y: &mut Vec<f64>) {
    for _ in 0..ROUNDS {
        if sweep(problem, y, SWEEPS / ROUNDS) || newton::close(problem, y) {
            return;
        }
    }
}

/// Moves `y` to the equilibrium by descent alone.
#[cfg(test)]
pub(super) fn close(problem: &Problem, y: &mut [f64]) {
    sweep(problem, y, SWEEPS);
}

/// So many sweeps, or fewer if they close; tells whether they did.
fn sweep(problem: &Problem, y: &mut [f64], sweeps: usize) -> bool {
    let users = users(problem);
    for _ in 0..sweeps {
        let mut queues: Vec<f64> = problem.rows().map(|row| row.queue(y)).collect();
        for (r, using) in users.iter().enumerate() {
            let old = y[r];
            let excess = |term: f64| {
                let taken: f64 = using
                    .iter()
                    .map(|&(row, i, d)| {
                        let q = (queues[i] + d * (term - old)).max(0.0);
                        row.throughput(q).0 * d
                    })
                    .sum();
                problem.load(r, term).0 - taken
            };
            let new = problem.bisect(r, excess);
            for &(_, i, d) in using {
                queues[i] = (queues[i] + d * (new - old)).max(0.0);
            }
            y[r] = new;
        }
        if problem.balance(y).worst <= CLOSED {
            return true;
        }
    }
    false
}

/// A class that uses a resource: the class, its place among the active ones, and its demand.
type User<'a> = (&'a super::problem::Row, usize, f64);

/// The users of each resource.
fn users(problem: &Problem) -> Vec<Vec<User<'_>>> {
    let mut users = vec![Vec::new(); problem.size()];
    for (i, row) in problem.rows().enumerate() {
        for &(r, d) in &row.demands {
            users[r].push((row, i, d));
        }
    }
    users
}
