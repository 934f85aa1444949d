//! What things did: `metric`, `statistics`, and the `/metrics` collections, computed from the array's log of load.
//!
//! `metric` is the mean of the last whole 15 seconds; `statistics` are raw counters that only rise, of which clients make rates by the
//! time between two samples. Operations that neither read nor write are not part of the model, so `other` is 0.

use serde_json::{Map, Value, json};

use crate::collection::{Row, View};
use crate::fields::Want;
use crate::model::{Amounts, Array, Container, Controller, HostPort, Interface, Key, Noun, Object, Pool, RaidGroup, Record, Service, Tenant, Volume};
use crate::perf::history::{Metric, Subject as One, Window, chart, counters};
use crate::schema;
use crate::units::{SimSpan, SimTime};

/// The fields that a resource's figures have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Operations, latency and bytes.
    Whole,
    /// The same; bytes are only those of reads and writes.
    Protocol,
    /// Bytes alone.
    Traffic,
    /// The work of a node's processors.
    Processor,
}

/// What is measured: one thing, or several together.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    shape: Shape,
    noun: Noun,
    keys: Vec<u32>,
}

/// How long nodes have run when virtual time begins: counters of time are never 0.
pub(crate) const BEFORE: SimSpan = SimSpan::seconds(3600);

/// The share of a processor that a node takes for itself, in parts of 100; an assumption.
const OWN_WORK: u64 = 1;

impl Subject {
    fn of(shape: Shape, noun: Noun, keys: Vec<u32>) -> Subject {
        Subject { shape, noun, keys }
    }
    /// The whole array.
    pub(crate) fn cluster() -> Subject {
        Subject::of(Shape::Whole, Noun::Array, vec![0])
    }
    /// A node.
    pub(crate) fn node(key: Key<Controller>) -> Subject {
        Subject::of(Shape::Processor, Noun::Controller, vec![key.raw()])
    }
    /// An aggregate.
    pub(crate) fn aggregate(key: Key<Pool>) -> Subject {
        Subject::of(Shape::Whole, Noun::Pool, vec![key.raw()])
    }
    /// A FlexVol volume.
    pub(crate) fn volume(key: Key<Container>) -> Subject {
        Subject::of(Shape::Whole, Noun::Container, vec![key.raw()])
    }
    /// A LUN.
    pub(crate) fn lun(key: Key<Volume>) -> Subject {
        Subject::of(Shape::Whole, Noun::Volume, vec![key.raw()])
    }
    /// A namespace.
    pub(crate) fn namespace(key: Key<Volume>) -> Subject {
        Subject::of(Shape::Protocol, Noun::Volume, vec![key.raw()])
    }
    /// A consistency group, as the FlexVol volumes in it.
    pub(crate) fn consistency_group(volumes: &[Key<Container>]) -> Subject {
        Subject::of(Shape::Whole, Noun::Container, volumes.iter().map(|key| key.raw()).collect())
    }
    /// A qtree. Blocks do not lie in qtrees, so it has done nothing.
    pub(crate) fn qtree() -> Subject {
        Subject::of(Shape::Whole, Noun::Container, Vec::new())
    }
    /// A Fibre Channel port.
    pub(crate) fn fc_port(key: Key<HostPort>) -> Subject {
        Subject::of(Shape::Protocol, Noun::HostPort, vec![key.raw()])
    }
    /// An Ethernet port.
    pub(crate) fn ethernet_port(key: Key<HostPort>) -> Subject {
        Subject::of(Shape::Traffic, Noun::HostPort, vec![key.raw()])
    }
    /// Several ports together.
    pub(crate) fn ports(keys: impl Iterator<Item = Key<HostPort>>) -> Subject {
        Subject::of(Shape::Protocol, Noun::HostPort, keys.map(Key::raw).collect())
    }
    /// The drives of a RAID group.
    pub(crate) fn raid_group(key: Key<RaidGroup>) -> Subject {
        Subject::of(Shape::Whole, Noun::RaidGroup, vec![key.raw()])
    }
    /// An interface. Traffic is known by port: where several carry data on one port, it is taken for that of the first.
    pub(crate) fn interface(array: &Array, interface: &Interface) -> Subject {
        let shape = if interface.services.iter().any(|service| service.by_wwn()) { Shape::Protocol } else { Shape::Traffic };
        let port = interface.port().filter(|_| interface.carries_data());
        let is_first = |port: &Key<HostPort>| {
            let first = array.interfaces.iter().find(|other| other.port() == Some(*port) && other.carries_data());
            first.is_some_and(|first| first.key() == interface.key())
        };
        Subject::of(shape, Noun::HostPort, port.filter(is_first).map(Key::raw).into_iter().collect())
    }
    /// A service of an SVM: what went through its interfaces for it. Over NVMe there are two kinds of interfaces.
    pub(crate) fn services(array: &Array, tenant: Key<Tenant>, services: &[Service]) -> Subject {
        let carriers = array.interfaces_of(Some(tenant)).filter(|interface| interface.services.iter().any(|service| services.contains(service)));
        Subject::of(Shape::Protocol, Noun::HostPort, carriers.flat_map(|interface| Subject::interface(array, interface).keys).collect())
    }
}

/// What a record of a collection is measured as.
fn subject(view: &View<'_>, path: &str, row: Row) -> Option<Subject> {
    let array = view.array;
    Some(match path {
        "/cluster" => Subject::cluster(),
        "/cluster/nodes" => Subject::node(Key::from_raw(row.0)),
        "/storage/aggregates" => Subject::aggregate(Key::from_raw(row.0)),
        "/storage/volumes" => Subject::volume(Key::from_raw(row.0)),
        "/storage/luns" => Subject::lun(Key::from_raw(row.0)),
        "/storage/namespaces" => Subject::namespace(Key::from_raw(row.0)),
        "/storage/qtrees" => Subject::qtree(),
        "/application/consistency-groups" => {
            let record = array.records.get(Key::from_raw(row.0))?;
            Subject::consistency_group(&members(array, record))
        }
        "/network/ethernet/ports" if row.1 == 0 => Subject::ethernet_port(Key::from_raw(row.0)),
        "/network/ethernet/ports" => Subject::of(Shape::Traffic, Noun::HostPort, Vec::new()),
        "/network/fc/ports" => Subject::fc_port(Key::from_raw(row.0)),
        "/network/ip/interfaces" | "/network/fc/interfaces" => Subject::interface(array, array.interfaces.get(Key::from_raw(row.0))?),
        "/protocols/san/iscsi/services" => Subject::services(array, array.services.get(Key::from_raw(row.0))?.tenant, &[Service::Iscsi]),
        "/protocols/san/fcp/services" => Subject::services(array, array.services.get(Key::from_raw(row.0))?.tenant, &[Service::Fc]),
        "/protocols/nvme/services" => Subject::services(array, array.services.get(Key::from_raw(row.0))?.tenant, &[Service::NvmeFc, Service::NvmeTcp]),
        _ => return None,
    })
}

/// The volumes of a consistency group, which its notes name.
pub(crate) fn members(array: &Array, group: &Record) -> Vec<Key<Container>> {
    let named = group.note("volumes").and_then(Value::as_array).into_iter().flatten();
    named.filter_map(|id| array.containers.key_of(id.as_str()?.parse().ok()?)).collect()
}

/// Adds what somebody wants to know of the past to a record that does not say it itself.
pub(crate) fn add(view: &View<'_>, path: &str, row: Row, want: &Want, record: &mut Value) {
    let lacks = |record: &Value, name: &str| want.has(name) && record.get(name).is_none();
    let Some(subject) = (lacks(record, "metric") || lacks(record, "statistics")).then(|| subject(view, path, row)).flatten() else { return };
    if lacks(record, "metric") {
        record["metric"] = metric(view, &subject, path);
    }
    if lacks(record, "statistics") {
        record["statistics"] = statistics(view, &subject);
    }
}

/// What a collection of metrics covers: the length of a sample, as ONTAP writes it, and how many there are.
pub(crate) struct Interval {
    length: SimSpan,
    word: &'static str,
    count: u64,
}

impl Interval {
    /// The interval of that name in a collection; an hour if none is named. What has no samples of 15 seconds, as qtrees, has some of 4 minutes.
    pub(crate) fn named(name: Option<&str>, path: &str) -> Option<Interval> {
        let duration = schema::resource(path).and_then(|resource| resource.fields.at("duration").or_else(|| resource.fields.at("metric.duration")));
        let is_fine = duration.is_none_or(|field| field.words.iter().any(|word| word == "PT15S"));
        let (seconds, word, count) = match name.unwrap_or("1h") {
            "1h" | "" if is_fine => (15, "PT15S", 240),
            "1h" | "" => (240, "PT4M", 15),
            "1d" => (300, "PT5M", 288),
            "1w" => (1_800, "PT30M", 336),
            "1m" => (7_200, "PT2H", 372),
            "1y" => (86_400, "P1D", 365),
            _ => return None,
        };
        Some(Interval { length: SimSpan::seconds(seconds), word, count })
    }
    /// The ends of its samples, newest first. Before the array's time there is nothing.
    pub(crate) fn ends(&self, now: SimTime) -> Vec<SimTime> {
        let last = now.0 - now.0 % self.length.0;
        (0..self.count).map_while(|back| last.checked_sub(back * self.length.0)).map(SimTime).collect()
    }
}

/// The last whole sample, for a record of a collection.
pub(crate) fn metric(view: &View<'_>, subject: &Subject, path: &str) -> Value {
    let Some(interval) = Interval::named(None, path) else { return json!({}) };
    let end = interval.ends(view.now()).first().copied().unwrap_or_default();
    let mut record = sample(view, subject, &interval, end);
    if subject.shape == Shape::Processor
        && let Some(node) = subject.keys.first().and_then(|key| view.array.controllers.get(Key::from_raw(*key)))
    {
        record["uuid"] = json!(node.id());
    }
    record
}

/// The sample that ends at an instant.
pub(crate) fn sample(view: &View<'_>, subject: &Subject, interval: &Interval, end: SimTime) -> Value {
    let mut record = json!({"timestamp": view.stamp(end), "duration": interval.word, "status": "ok"});
    let mut sum = Amounts::NONE;
    let window = Window { from: SimTime(end.0.saturating_sub(interval.length.0)), to: end, step: interval.length };
    if window.to > window.from {
        for key in &subject.keys {
            let one = One { noun: subject.noun, key: *key, operations: 1 };
            chart(&view.world.load, view.now(), one, window, None).iter().for_each(|part| sum.add(part));
        }
    }
    let one = One { noun: subject.noun, key: 0, operations: 1 };
    let of = |metric: Metric, factor: f64| metric.of(&sum, interval.length, one).map_or(0, |value| whole(value * factor));
    if subject.shape == Shape::Processor {
        let busy = of(Metric::Utilization, 100.0) + OWN_WORK;
        record["processor_utilization"] = json!(busy.min(100));
        return record;
    }
    let (reads, writes) = (of(Metric::ReadBytesPerSecond, 1.0), of(Metric::WriteBytesPerSecond, 1.0));
    record["throughput"] = figures(subject.shape == Shape::Whole, reads, writes, reads + writes);
    if subject.shape != Shape::Traffic {
        let (reads, writes) = (of(Metric::ReadIops, 1.0), of(Metric::WriteIops, 1.0));
        record["iops"] = figures(true, reads, writes, reads + writes);
        record["latency"] = figures(true, of(Metric::ReadLatencyMs, 1e3), of(Metric::WriteLatencyMs, 1e3), of(Metric::LatencyMs, 1e3));
    }
    record
}

/// The raw counters.
pub(crate) fn statistics(view: &View<'_>, subject: &Subject) -> Value {
    let mut record = json!({"timestamp": view.stamp(view.now()), "status": "ok"});
    let raw = Raw::of(view, subject);
    if subject.shape == Shape::Processor {
        record["processor_utilization_raw"] = json!(raw.busy);
        record["processor_utilization_base"] = json!(raw.elapsed);
        return record;
    }
    record["throughput_raw"] = figures(subject.shape == Shape::Whole, raw.read_bytes, raw.write_bytes, raw.bytes());
    if subject.shape != Shape::Traffic {
        record["iops_raw"] = figures(true, raw.reads, raw.writes, raw.operations());
        record["latency_raw"] = figures(true, raw.read_wait, raw.write_wait, raw.read_wait + raw.write_wait);
    }
    record
}

/// What something has done since time began.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Raw {
    pub(crate) reads: u64,
    pub(crate) writes: u64,
    pub(crate) read_bytes: u64,
    pub(crate) write_bytes: u64,
    /// Microseconds that reads took together.
    pub(crate) read_wait: u64,
    /// Microseconds that writes took together.
    pub(crate) write_wait: u64,
    /// Microseconds of work, with what a node does for itself.
    pub(crate) busy: u64,
    /// Microseconds that have passed.
    pub(crate) elapsed: u64,
}

impl Raw {
    pub(crate) fn of(view: &View<'_>, subject: &Subject) -> Raw {
        let elapsed = view.now().0 + BEFORE.0;
        let own = if subject.noun == Noun::Controller { elapsed / 100 * OWN_WORK } else { 0 };
        let mut raw = Raw { elapsed, busy: own, ..Raw::default() };
        for key in &subject.keys {
            let one = counters(&view.world.load, view.now(), subject.noun, *key);
            raw.reads += one.operations.read;
            raw.writes += one.operations.write;
            raw.read_bytes += one.bytes.read;
            raw.write_bytes += one.bytes.write;
            raw.read_wait += one.latency_microseconds.read;
            raw.write_wait += one.latency_microseconds.write;
            raw.busy += one.busy_microseconds.unwrap_or(0);
        }
        raw
    }
    /// The part of one of so many that do all in equal parts: each is busy all the time that all are.
    pub(crate) const fn of_one_in(self, count: u64) -> Raw {
        let count = if count == 0 { 1 } else { count };
        Raw {
            reads: self.reads / count,
            writes: self.writes / count,
            read_bytes: self.read_bytes / count,
            write_bytes: self.write_bytes / count,
            read_wait: self.read_wait / count,
            write_wait: self.write_wait / count,
            ..self
        }
    }
    pub(crate) const fn operations(&self) -> u64 {
        self.reads + self.writes
    }
    pub(crate) const fn bytes(&self) -> u64 {
        self.read_bytes + self.write_bytes
    }
}

fn figures(with_other: bool, read: u64, write: u64, total: u64) -> Value {
    let mut all = Map::new();
    all.insert("read".into(), json!(read));
    all.insert("write".into(), json!(write));
    if with_other {
        all.insert("other".into(), json!(0));
    }
    all.insert("total".into(), json!(total));
    Value::Object(all)
}

/// A cast saturates.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded, not negative, and saturating")]
fn whole(value: f64) -> u64 {
    value.round() as u64
}
