//! The network as numbers only: classes of requesters, and the resources that they share.
//!
//! It knows nothing of volumes, ports or controllers; whoever maps an array onto it decides
//! what resource number 3 is.

/// One stream of requests: a population that waits, thinks and asks again.
///
/// The solver is total: values outside the stated ranges are moved to the nearest sensible
/// one (see [`super::solve::solve`]), never refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Requesters (threads, users) of the stream, `N`; at least 0. Nobody: no throughput.
    pub population: f64,
    /// Think time between an answer and the next request, `Z`, in seconds; at least 0.
    pub think: f64,
    /// Latency with no load anywhere, `L0`, in seconds; at least 0.
    pub base_latency: f64,
    /// Burstiness, `beta`, without dimension; above 0. Scales the time spent in queues.
    pub burstiness: f64,
    /// Limit of the throughput in operations per second; `f64::INFINITY` if there is none.
    pub cap: f64,
    /// `(resource index, seconds of that resource one operation uses)`, sorted by resource,
    /// without duplicates.
    pub demands: Vec<(usize, f64)>,
}

/// A network: how many resources there are, and who uses them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Net {
    /// Number of resources; demands name them `0 .. resources`.
    pub resources: usize,
    /// The streams. Their order moves results by rounding only; sort them by a stable
    /// identifier to get equal bits.
    pub classes: Vec<Class>,
}

/// What the array lets nobody pass, beside what its resources can do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// The most throughput of each class, in the order of [`Net::classes`]; classes without an entry have no limit. Unlike with
    /// [`Class::cap`], which the requesters keep to by themselves, requests wait in the array for their turn: that is part of their latency.
    pub own: Vec<f64>,
    /// Limits on several classes together: `(class index, seconds)` of each member. All members' throughput times their seconds stays
    /// below 1; how long each waits for its turn is in proportion to its seconds and its burstiness.
    pub shared: Vec<Vec<(usize, f64)>>,
}

/// The equilibrium of a [`Net`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// Operations per second of each class, in the order of [`Net::classes`].
    pub throughput: Vec<f64>,
    /// Mean latency of each class in seconds, think time not included, in the same order.
    pub latency: Vec<f64>,
    /// Share of the time that each resource is busy, from 0 to just below 1, by index.
    pub utilization: Vec<f64>,
    /// The same of each of [`Limits::shared`].
    pub limit_utilization: Vec<f64>,
}
