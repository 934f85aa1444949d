//! The process: what every Prometheus client tells of one, and the requests of this server. What the system does not tell is left out.

use std::fs;

use super::page::Page;
use crate::http::Requests;

/// Ticks a second in which Linux tells the time that a process has used; the same on every machine since it is told to programs.
const TICKS: f64 = 100.0;

/// Tells of the process.
pub(super) fn tell(page: &mut Page, requests: Requests) {
    let version = [("version", env!("CARGO_PKG_VERSION"))];
    page.gauge("arrayplane_build_info", "The program; always 1.", &version, 1.0);
    page.counter("arrayplane_http_requests_total", "Requests that have begun, this one included.", &[], requests.begun as f64);
    page.gauge("arrayplane_http_requests_in_progress", "Requests that are being answered, this one included.", &[], requests.in_progress() as f64);
    if let Some(status) = read("/proc/self/status") {
        let field = |name: &str| {
            status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok())
        };
        gauge(page, "process_resident_memory_bytes", "Resident memory size in bytes.", field("VmRSS").map(kibibytes));
        gauge(page, "process_virtual_memory_bytes", "Virtual memory size in bytes.", field("VmSize").map(kibibytes));
        gauge(page, "process_threads", "Threads of the process.", field("Threads"));
    }
    if let Some(facts) = read("/proc/self/stat").as_deref().and_then(Stat::read) {
        page.counter("process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", &[], facts.cpu / TICKS);
        let started = booted().map(|boot| boot + facts.started / TICKS);
        gauge(page, "process_start_time_seconds", "Start time of the process since unix epoch in seconds.", started);
    }
    let open = fs::read_dir("/proc/self/fd").ok().map(|files| files.count() as f64);
    gauge(page, "process_open_fds", "Number of open file descriptors.", open);
}

/// What is read of `/proc/self/stat`, in ticks.
#[derive(Debug, PartialEq)]
struct Stat {
    cpu: f64,
    started: f64,
}

impl Stat {
    /// The fields behind the name of the program, which may hold anything; the first of them is the third of the line.
    fn read(text: &str) -> Option<Stat> {
        let (_, rest) = text.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
        Some(Stat { cpu: number(14)? + number(15)?, started: number(22)? })
    }
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}

fn kibibytes(count: f64) -> f64 {
    count * 1024.0
}

/// When the machine was started, in seconds since 1970.
fn booted() -> Option<f64> {
    read("/proc/stat")?.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()
}

fn gauge(page: &mut Page, name: &'static str, help: &'static str, value: Option<f64>) {
    if let Some(value) = value {
        page.gauge(name, help, &[], value);
    }
}

#[cfg(test)]
mod tests {
    use super::Stat;

    #[test]
    fn the_name_of_the_program_may_hold_anything() {
        let line = "7 (a) b) c) S 1 7 7 0 -1 4194560 100 0 0 0 150 50 0 0 20 0 5 0 4711 1000 200";
        assert_eq!(Stat::read(line), Some(Stat { cpu: 200.0, started: 4711.0 }));
        assert_eq!(Stat::read("nothing"), None);
    }
}
