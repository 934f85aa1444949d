//! Workloads.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Object, Schedule, WorkUnit, Workload, WorkloadState};
use crate::units::{Bytes, PartsPerMillion};

/// A workload: the load that hosts put on volumes.
#[derive(Serialize, ToSchema)]
#[schema(as = Workload)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "oltp")]
    name: &'a str,
    /// What its requests are like: a profile's name, or `custom`.
    #[schema(example = "sqlserver-tpcc")]
    profile: &'a str,
    /// What one request is.
    unit: WorkUnit,
    /// The volumes over which it is spread evenly.
    #[schema(example = json!(["R0", "R1"]))]
    volumes: Vec<&'a str>,
    /// Of transactions: users that each wait for their answer, think, and ask again.
    #[schema(required = true, example = 60_000)]
    users: Option<u64>,
    /// Of I/O operations: requests that are outstanding at a time.
    #[schema(required = true, example = json!(null))]
    outstanding: Option<u64>,
    /// The most requests per second that it makes, if limited.
    #[schema(required = true)]
    rate: Option<u64>,
    /// Whether it runs.
    state: WorkloadState,
    /// Bytes of one I/O operation.
    block_size: u64,
    /// Share of reads among the operations, in percent.
    read_percent: f64,
    /// Share of its reads that the array's cache answers, in percent.
    cache_hit_percent: f64,
    /// Share of random operations, in percent.
    random_percent: f64,
    /// I/O operations of one request.
    operations_per_request: u32,
    /// Time between an answer and the next request.
    think_time_seconds: f64,
    /// When it was made.
    #[schema(format = DateTime)]
    created_at: String,
    /// How its load changes as time passes; `steady` without a schedule.
    schedule: &'a Schedule,
    /// When its schedule began.
    #[schema(required = true, format = DateTime)]
    schedule_began_at: Option<String>,
    /// Requests per second that count as 100 % of its schedule, where that is not its rate or its users.
    #[schema(required = true)]
    schedule_maximum: Option<u64>,
    /// How much of its load is on now, in percent.
    load_percent: f64,
    /// Whether its writes bring in data.
    writes_data: bool,
    /// What it writes to, of all its volumes together; whole volumes without it.
    #[schema(required = true)]
    working_set: Option<u64>,
}

impl Shown for Workload {
    const PLURAL: &'static str = "workloads";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let profile = &self.profile;
        let (users, outstanding) = match profile.unit {
            WorkUnit::Transaction => (Some(self.population), None),
            WorkUnit::Io => (None, Some(self.population)),
        };
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            profile: &profile.name,
            unit: profile.unit,
            volumes: Lens::names(&lens.world().array.volumes, self.volumes.iter().copied()),
            users,
            outstanding,
            rate: self.rate_limit,
            state: self.state,
            block_size: profile.block_size.get(),
            read_percent: percent(profile.read_ppm),
            cache_hit_percent: percent(self.cache_hits_ppm),
            random_percent: 100.0 - percent(profile.sequential_ppm),
            operations_per_request: profile.ios_per_unit,
            think_time_seconds: profile.think.as_seconds(),
            created_at: lens.stamp(self.created),
            schedule: self.timetable.as_ref().map_or(&Schedule::Steady, |timetable| &timetable.schedule),
            schedule_began_at: self.timetable.as_ref().map(|timetable| lens.stamp(timetable.begins)),
            schedule_maximum: self.timetable.as_ref().and_then(|timetable| timetable.maximum),
            load_percent: percent(self.level),
            writes_data: self.writing.is_some(),
            working_set: self.writing.and_then(|writing| writing.working_set).map(Bytes::get),
        }
    }
}

/// A share in percent.
fn percent(share: PartsPerMillion) -> f64 {
    share.factor() * 100.0
}
