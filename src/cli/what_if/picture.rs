//! The answer as a chart: a line for every variant, and beside them what was published.

use super::table::{latency, unit};
use super::{Kind, load_words, product, reduced};
use crate::calibration::published;
use crate::chart::{Axis, Chart, Line, Mark, Scale, Stroke, number};
use crate::ops::World;
use crate::ops::what_if::{Answer, Outcome, Question};
use crate::perf::curve::{Loading, Point};

/// Latencies that differ more than so many times are drawn on a logarithmic axis.
const WIDE: f64 = 20.0;

/// What is on the axes of a chart.
struct Axes {
    loading: Loading,
    kind: Kind,
}

/// The chart of an answer.
pub(super) fn chart(world: &World, question: &Question, answer: &Answer, kind: Kind, title: Option<&str>) -> Chart {
    let axes = Axes { loading: answer.loading, kind: kind.of(answer.loading) };
    let line = |(place, outcome): (usize, &Outcome)| Line {
        name: outcome.name.clone(),
        points: outcome.curve.iter().filter_map(|point| axes.place(point)).collect(),
        stroke: if place.is_multiple_of(2) { Stroke::Solid } else { Stroke::Dashed },
    };
    let lines: Vec<Line> = answer.variants.iter().enumerate().map(line).collect();
    let (marks, sources) = marks(world, question, answer, &axes);
    let computed = "Lines: computed.";
    let note = if sources.is_empty() { computed.to_owned() } else { format!("{computed} Points: published by {}.", sources.join("; ")) };
    Chart {
        title: title.map_or_else(|| format!("{} under {}", product(world), load_words(answer)), str::to_owned),
        x: axes.x(answer),
        y: axes.y(answer, &lines, &marks),
        lines,
        marks,
        note: Some(note),
    }
}

impl Kind {
    fn of(self, loading: Loading) -> Kind {
        match (self, loading) {
            (Kind::Auto, Loading::Rate) => Kind::Curve,
            (Kind::Auto, Loading::Users) => Kind::Latency,
            (kind, _) => kind,
        }
    }
}

impl Axes {
    fn load(&self, users: f64, offered: f64) -> f64 {
        if self.loading == Loading::Users { users } else { offered }
    }
    fn place(&self, point: &Point) -> Option<(f64, f64)> {
        let load = self.load(point.users as f64, point.offered);
        Some(match self.kind {
            Kind::Throughput => (load, point.throughput),
            Kind::Latency => (load, point.latency_ms?),
            Kind::Auto | Kind::Curve => (point.throughput, point.latency_ms?),
        })
    }
    fn x(&self, answer: &Answer) -> Axis {
        match (self.kind, self.loading) {
            (Kind::Auto | Kind::Curve, _) => Axis::linear("Throughput", unit(answer.unit)),
            (_, Loading::Users) => Axis::linear("Users", ""),
            (_, Loading::Rate) => Axis::linear("Offered", unit(answer.unit)),
        }
    }
    fn y(&self, answer: &Answer, lines: &[Line], marks: &[Mark]) -> Axis {
        if self.kind == Kind::Throughput {
            return Axis::linear("Throughput", unit(answer.unit));
        }
        let all = || lines.iter().flat_map(|line| line.points.iter().map(|point| point.1)).chain(marks.iter().map(|mark| mark.y)).filter(|value| *value > 0.0);
        let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        Axis { scale: if most > WIDE * least { Scale::Log } else { Scale::Linear }, ..Axis::linear("Latency", "ms") }
    }
}

/// The published points of all variants that the picture holds, and who has published them.
fn marks(world: &World, question: &Question, answer: &Answer, axes: &Axes) -> (Vec<Mark>, Vec<&'static str>) {
    let (mut marks, mut sources): (Vec<Mark>, Vec<&'static str>) = (Vec::new(), Vec::new());
    let [workload] = &answer.workloads[..] else { return (marks, sources) };
    let most = answer.variants.iter().flat_map(|outcome| outcome.curve.iter().map(|point| point.users)).max().unwrap_or(0);
    for place in 0..answer.variants.len() {
        let Some(reduced) = reduced(world, question, place) else { continue };
        for point in published(&answer.model, &workload.profile, reduced).iter().filter(|point| point.users.is_none_or(|users| users <= most)) {
            let load = axes.load(point.users.unwrap_or(workload.users) as f64, point.throughput);
            let (x, y, label) = match axes.kind {
                Kind::Throughput => (load, point.throughput, format!("{} {}", number(point.throughput, 0), unit(answer.unit))),
                Kind::Latency => (load, point.latency_ms, latency(point.latency_ms)),
                Kind::Auto | Kind::Curve => {
                    (point.throughput, point.latency_ms, format!("{} {} at {}", number(point.throughput, 0), unit(answer.unit), latency(point.latency_ms)))
                }
            };
            marks.push(Mark { label, x, y, line: Some(place) });
            if !sources.contains(&point.source) {
                sources.push(point.source);
            }
        }
    }
    (marks, sources)
}
