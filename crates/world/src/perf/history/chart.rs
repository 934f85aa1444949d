//! Charts: what came together for one thing in each bucket of a window.

use std::collections::BTreeSet;

use super::noise::{Channel, Noise};
use crate::model::{Amounts, Gauge, Key, LoadLog, Noun, RoutePart, Workload};
use crate::units::{SimSpan, SimTime};

/// What a chart is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its kind: the array, a controller, host port, RAID group, pool, container, volume or workload.
    pub noun: Noun,
    /// Its key.
    pub key: u32,
    /// Operations of one answer: of a workload those of one request, of all else 1.
    pub operations: u32,
}

/// A time in buckets; the last one is shorter where it does not come out even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its beginning.
    pub from: SimTime,
    /// Its end, behind its beginning.
    pub to: SimTime,
    /// The length of a bucket, above zero.
    pub step: SimSpan,
}

/// A figure of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the figure that it names")]
pub enum Metric {
    Iops,
    ReadIops,
    WriteIops,
    BytesPerSecond,
    ReadBytesPerSecond,
    WriteBytesPerSecond,
    LatencyMs,
    ReadLatencyMs,
    WriteLatencyMs,
    P99LatencyMs,
    ReadP99LatencyMs,
    WriteP99LatencyMs,
    Utilization,
    Outstanding,
    Tps,
}

/// A piece of time in which everything is as it is, or of which only the sum is known.
struct Piece {
    from: SimTime,
    to: SimTime,
    sum: Amounts,
}

impl Window {
    /// How many buckets there are.
    #[must_use]
    pub fn buckets(&self) -> u64 {
        self.to.since(self.from).0.div_ceil(self.step.0.max(1))
    }
    /// Where the buckets begin, and the end of the last.
    #[must_use]
    pub fn edges(&self) -> Vec<SimTime> {
        (0..self.buckets()).map(|bucket| SimTime(self.from.0 + bucket * self.step.0)).chain([self.to]).collect()
    }
}

/// What came together for `subject` in each bucket, in parts of one (see [`Amounts::PARTS`]).
#[must_use]
pub fn chart(log: &LoadLog, now: SimTime, subject: Subject, window: Window, noise: Option<Noise>) -> Vec<Amounts> {
    let edges = window.edges();
    let mut sums = vec![Amounts::NONE; edges.len() - 1];
    collect(&mut sums, &merged(log, now, subject, window), &edges, |sum| sum);
    let Some(noise) = noise else {
        collect(&mut sums, &kept(log, now, subject, window, None), &edges, |sum| sum);
        return sums;
    };
    for workload in workloads(log) {
        let pieces = kept(log, now, subject, window, Some(Only::Workload(workload)));
        let shifted = |channel| noise.shifted(&edges, window.step, (channel, workload.raw()));
        collect(&mut sums, &pieces, &shifted(Channel::Operations), |sum| sum.of_operations());
        collect(&mut sums, &pieces, &shifted(Channel::Waiting), |sum| sum.of_waiting());
    }
    let work = kept(log, now, subject, window, Some(Only::Work));
    let highest = work.iter().map(|piece| piece.sum.get(Gauge::Busy) / u128::from(piece.to.since(piece.from).0.max(1))).max().unwrap_or(0);
    collect(&mut sums, &work, &noise.below(highest, Amounts::PER_SECOND).shifted(&edges, window.step, (Channel::Work, subject.key)), |sum| sum);
    sums
}

/// Adds what of the pieces lies between each two edges.
fn collect(sums: &mut [Amounts], pieces: &[Piece], edges: &[SimTime], of: impl Fn(Amounts) -> Amounts) {
    let mut first = 0;
    for (sum, edge) in sums.iter_mut().zip(edges.windows(2)) {
        let (from, to) = (edge[0], edge[1]);
        first += pieces[first..].iter().take_while(|piece| piece.to <= from).count();
        for piece in pieces[first..].iter().take_while(|piece| piece.from < to) {
            let mark = |time: SimTime| u128::from(time.clamp(piece.from, piece.to).since(piece.from).0);
            sum.add(&of(piece.sum).between(mark(from), mark(to), piece.to.since(piece.from).0.into()));
        }
    }
}

/// A part of what flows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Only {
    /// The requests of one workload.
    Workload(Key<Workload>),
    /// What parts work.
    Work,
}

/// The pieces of the segments that are kept, as far as they reach into the window.
fn kept(log: &LoadLog, now: SimTime, subject: Subject, window: Window, only: Option<Only>) -> Vec<Piece> {
    let parts = Parts::of(log, subject, only);
    let mut pieces = Vec::new();
    for (from, to, segment) in log.between(window.from, window.to, now) {
        let busy = if matches!(only, Some(Only::Workload(_))) { 0 } else { segment.busy_of(subject.noun, subject.key) };
        let mut rates = Amounts::NONE.with(Gauge::Busy, busy);
        for bundle in &segment.bundles {
            if let Some((part, route)) = parts.get(bundle.route).zip(log.route(bundle.route)) {
                rates.add(&bundle.amounts(route, part));
            }
        }
        if !rates.is_none() {
            pieces.push(Piece { from, to, sum: rates.over(to.since(from)) });
        }
    }
    pieces
}

/// The one piece of which only the tallies tell, if the window reaches into it.
fn merged(log: &LoadLog, now: SimTime, subject: Subject, window: Window) -> Vec<Piece> {
    let Some((from, to)) = log.merged().filter(|(_, to)| window.from < *to) else { return Vec::new() };
    let since = Window { from: to, to: now, step: SimSpan(1) };
    let known = kept(log, now, subject, since, None).into_iter().fold(Amounts::NONE, |mut sum, piece| {
        sum.add(&piece.sum);
        sum
    });
    vec![Piece { from, to, sum: log.tally(subject.noun, subject.key, now).without(&known) }]
}

fn workloads(log: &LoadLog) -> BTreeSet<Key<Workload>> {
    log.routes().map(|(_, route)| route.workload).collect()
}

/// What of each route counts for the subject, looked up once.
struct Parts {
    first: u32,
    parts: Vec<Option<RoutePart>>,
}

impl Parts {
    fn of(log: &LoadLog, subject: Subject, only: Option<Only>) -> Parts {
        let (first, last) = (log.routes().next(), log.routes().next_back());
        let first = first.map_or(0, |(number, _)| number);
        let count = last.map_or(0, |(number, _)| (number - first) as usize + 1);
        let mut parts = vec![None; count];
        for (number, route) in log.routes() {
            if only.is_none_or(|only| only == Only::Workload(route.workload)) {
                parts[(number - first) as usize] = route.part_of(subject.noun, subject.key);
            }
        }
        Parts { first, parts }
    }
    fn get(&self, route: u32) -> Option<RoutePart> {
        self.parts.get(route.checked_sub(self.first)? as usize).copied().flatten()
    }
}

impl Metric {
    /// All, in the order in which they are offered.
    pub const ALL: [Metric; 15] = [
        Metric::Iops,
        Metric::ReadIops,
        Metric::WriteIops,
        Metric::BytesPerSecond,
        Metric::ReadBytesPerSecond,
        Metric::WriteBytesPerSecond,
        Metric::LatencyMs,
        Metric::ReadLatencyMs,
        Metric::WriteLatencyMs,
        Metric::P99LatencyMs,
        Metric::ReadP99LatencyMs,
        Metric::WriteP99LatencyMs,
        Metric::Utilization,
        Metric::Outstanding,
        Metric::Tps,
    ];
    /// Its name, the same as in a report of now.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Iops => "iops",
            Metric::ReadIops => "read_iops",
            Metric::WriteIops => "write_iops",
            Metric::BytesPerSecond => "bytes_per_second",
            Metric::ReadBytesPerSecond => "read_bytes_per_second",
            Metric::WriteBytesPerSecond => "write_bytes_per_second",
            Metric::LatencyMs => "latency_ms",
            Metric::ReadLatencyMs => "read_latency_ms",
            Metric::WriteLatencyMs => "write_latency_ms",
            Metric::P99LatencyMs => "p99_latency_ms",
            Metric::ReadP99LatencyMs => "read_p99_latency_ms",
            Metric::WriteP99LatencyMs => "write_p99_latency_ms",
            Metric::Utilization => "utilization",
            Metric::Outstanding => "outstanding",
            Metric::Tps => "tps",
        }
    }
    /// Whether things of that kind have it.
    #[must_use]
    pub const fn is_of(self, noun: Noun) -> bool {
        match self {
            Metric::Utilization => matches!(noun, Noun::Controller | Noun::HostPort | Noun::RaidGroup),
            Metric::Tps => matches!(noun, Noun::Workload),
            _ => true,
        }
    }
    /// What it was in a time in which `sum` came together; no latency where nothing was done.
    #[must_use]
    pub fn of(self, sum: &Amounts, span: SimSpan, subject: Subject) -> Option<f64> {
        let total = |gauges: &[Gauge]| gauges.iter().map(|gauge| sum.get(*gauge) as f64).sum::<f64>();
        let rate = |gauges: &[Gauge]| Some(total(gauges) / Amounts::PER_SECOND as f64 / span.0 as f64);
        let answers = f64::from(subject.operations.max(1));
        let each =
            |seconds: &[Gauge], operations: &[Gauge]| Some(total(operations)).filter(|done| *done > 0.0).map(|done| 1e3 * answers * total(seconds) / done);
        let (reads, writes, both) = ([Gauge::Reads], [Gauge::Writes], [Gauge::Reads, Gauge::Writes]);
        match self {
            Metric::Iops => rate(&both),
            Metric::ReadIops => rate(&reads),
            Metric::WriteIops => rate(&writes),
            Metric::BytesPerSecond => rate(&[Gauge::ReadBytes, Gauge::WriteBytes]),
            Metric::ReadBytesPerSecond => rate(&[Gauge::ReadBytes]),
            Metric::WriteBytesPerSecond => rate(&[Gauge::WriteBytes]),
            Metric::LatencyMs => each(&[Gauge::ReadWait, Gauge::WriteWait], &both),
            Metric::ReadLatencyMs => each(&[Gauge::ReadWait], &reads),
            Metric::WriteLatencyMs => each(&[Gauge::WriteWait], &writes),
            Metric::P99LatencyMs => each(&[Gauge::ReadTail, Gauge::WriteTail], &both),
            Metric::ReadP99LatencyMs => each(&[Gauge::ReadTail], &reads),
            Metric::WriteP99LatencyMs => each(&[Gauge::WriteTail], &writes),
            Metric::Utilization => rate(&[Gauge::Busy]),
            Metric::Outstanding => rate(&[Gauge::ReadWait, Gauge::WriteWait]),
            Metric::Tps => rate(&both).map(|operations| operations / answers),
        }
    }
}
