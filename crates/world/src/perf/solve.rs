//! The equilibrium of a network: everybody's throughput, latency and the load of everything.
//!
//! `rho_r = sum_i X_i d_ir`, `L_i = L0_i + beta_i sum_r d_ir g(rho_r)` and
//! `N_i = X_i (L_i + Z_i)`, or less where a cap binds. The equilibrium is unique and does not
//! depend on order (performance model, section 4). Newton's method finds it in about ten
//! steps; where that does not close, coordinate descent does.

use super::net::{Limits, Net, Solution};
use super::problem::Problem;
use super::{descent, newton};

/// The equilibrium of `net`, every resource balanced to 1e-9 of its time or better.
///
/// Total: never panics, never answers NaN or infinity. What is out of range is moved into it:
/// NaN and negative numbers count as 0, a burstiness below 1e-6 as 1e-6, a population above
/// 1e15 as 1e15, answer plus think time below a picosecond as one; demands that are not positive
/// or name no resource are ignored. A class with population 0 or cap 0 has throughput 0 and
/// the latency that a single request would see.
#[must_use]
pub fn solve(net: &Net) -> Solution {
    solve_within(net, &Limits::default())
}

/// The same where the array holds classes back.
///
/// A limit that one class has for itself is exact. A shared one is one more resource, whose queue is as good as none until it is all but
/// always busy; so the equilibrium is unique with it as well, and no limit is ever passed.
#[must_use]
pub fn solve_within(net: &Net, limits: &Limits) -> Solution {
    let problem = Problem::of(net, limits);
    let mut y = problem.start();
    if !newton::close(&problem, &mut y) {
        descent::finish(&problem, &mut y);
    }
    newton::polish(&problem, &mut y);
    problem.answer(&y)
}
