//! What moves: the clock, workloads, jobs, the agenda.

use arrayplane::engine::{Actor, Agenda, Authority, Clock, Due, Entry, Job, Work};
use arrayplane::model::{Array, Profile, Restoration, Workload};
use arrayplane::ops::{AnyOperation, World};
use arrayplane::perf::report::{Sample, measure};

use super::{exact, named, names, or_none, time, title, word};

pub(super) fn clock(clock: &Clock) -> Vec<String> {
    let Clock { now, mode, factor } = clock;
    vec![format!("at {}, {}, factor {} ppm", time(*now), word(mode), factor.0)]
}

pub(super) fn workload(array: &Array, workload: &Workload) -> Vec<String> {
    let Workload { head: _, profile: kind, volumes, population, rate_limit, cache_hits_ppm, state, created, timetable, level, writing } = workload;
    let (rate, volumes) = (or_none(*rate_limit), names(&array.volumes, volumes));
    let hits = if cache_hits_ppm.0 == 0 { String::new() } else { format!(", cache hits {} ppm", cache_hits_ppm.0) };
    let course = timetable.as_ref().map(|timetable| format!("    timetable {timetable:?}, at {} ppm", level.0));
    let writing = writing.map(|writing| format!("    writes data to {}", or_none(writing.working_set.map(exact))));
    let mut lines = vec![
        format!("{}: {}, population {population}, rate limit {rate}{hits}, made at {}", title(workload), word(state), time(*created)),
        format!("    {}", profile(kind)),
        format!("    volumes {volumes}"),
    ];
    lines.extend(course.into_iter().chain(writing));
    lines
}

/// What the workloads do, rounded: the last digits are the mathematics library's.
pub(super) fn performance(world: &World) -> Vec<String> {
    let report = measure(&world.array, &world.workloads);
    let line = |sample: &Sample| {
        let latency = or_none(sample.latency_ms.map(|latency| format!("{latency:.4} ms")));
        let busiest = or_none(sample.bottleneck.as_ref());
        format!("{}: {:.0} IOPS, {latency}, {:.1} MB/s, {busiest}", sample.name, sample.iops, sample.bytes_per_second / 1e6)
    };
    let parts = report.controllers.iter().chain(&report.ports).filter(|sample| sample.iops > 0.0);
    report.workloads.iter().chain(parts).map(line).collect()
}

pub(super) fn profile(profile: &Profile) -> String {
    let Profile { name, unit, ios_per_unit, block_size, read_ppm, sequential_ppm, think, population } = profile;
    let (read, sequential, unit) = (read_ppm.0, sequential_ppm.0, word(unit));
    format!("{name}: {unit} of {ios_per_unit} x {}, read {read} ppm, sequential {sequential} ppm, think {think}, population {population}", exact(*block_size))
}

pub(super) fn job(array: &Array, job: &Job<AnyOperation>) -> Vec<String> {
    let Job { head: _, work, noun, target, status, created, starts, ends, held, ended, error, actor } = job;
    let Actor { front, user, request, authority } = actor;
    let ended = or_none(ended.map(time));
    let held = held.map(|since| format!(", held since {}", time(since))).unwrap_or_default();
    vec![
        format!("{}: {}, {noun} '{target}', {}", title(job), word(status), work_of(array, work)),
        format!("    made at {}, starts at {}, ends at {}, over at {ended}{held}", time(*created), time(*starts), time(*ends)),
        format!("    asked by {front} {user} '{request}'{}, error {}", right(*authority), or_none(error.as_ref())),
    ]
}

/// By whose right, if not the server's.
fn right(authority: Authority) -> String {
    if authority.is_server() { String::new() } else { format!(" by the right of {}", word(&authority)) }
}

fn work_of(array: &Array, work: &Work<AnyOperation>) -> String {
    match work {
        Work::Format(volume) => format!("formats {}", named(&array.volumes, *volume)),
        Work::Migrate(volume) => format!("migrates {}", named(&array.volumes, *volume)),
        Work::MigrateContainer(container, pool) => format!("migrates {} to {}", named(&array.containers, *container), named(&array.pools, *pool)),
        Work::Split(container) => format!("splits {}", named(&array.containers, *container)),
        Work::Boot(controller) => format!("starts {}", named(&array.controllers, *controller)),
        Work::TakeOver(controller) => format!("takes over {}", named(&array.controllers, *controller)),
        Work::GiveBack(controller) => format!("gives back to {}", named(&array.controllers, *controller)),
        Work::Charge(part) => format!("charges {}", named(&array.parts, *part)),
        Work::Copy(session) => format!("copies for {}", named(&array.copy_sessions, *session)),
        Work::Restore(Restoration { kind, raid_group, slot, target }) => {
            format!("{} of slot {slot} of {} to {}", word(kind), named(&array.raid_groups, *raid_group), named(&array.drives, *target))
        }
        Work::Expand(group) => format!("expands {}", named(&array.raid_groups, *group)),
        Work::MoveOwner(group) => format!("changes the owner of {}", named(&array.raid_groups, *group)),
        Work::Balance(pool) => format!("balances {}", named(&array.pools, *pool)),
        Work::Firmware(version) => format!("applies firmware {version}"),
        Work::Request(text) => format!("request: {text}"),
        Work::Operation(operation) => crate::given::written(operation),
    }
}

pub(super) fn agenda(agenda: &Agenda) -> Vec<String> {
    agenda.iter().map(entry).collect()
}

fn entry(entry: &Entry) -> String {
    let Entry { time: at, sequence, due } = entry;
    match due {
        Due::JobStarts(job) => format!("{sequence} at {}: job #{job} starts", time(*at)),
        Due::JobEnds(job) if *at == Agenda::NEVER => format!("{sequence}: job #{job} is held"),
        Due::JobEnds(job) => format!("{sequence} at {}: job #{job} ends", time(*at)),
        Due::WorkloadTurns(workload) => format!("{sequence} at {}: workload #{workload} turns", time(*at)),
        Due::DataArrives => format!("{sequence} at {}: data arrives", time(*at)),
    }
}
