//! The performance of the past: charts of any window and resolution.

use actix_web::HttpRequest;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Reply;
use super::listing::pairs;
use super::performance_subject::{self as subject, Measured};
use super::problem::{INVALID_PARAMETER, OUT_OF_RANGE, Problem, UNKNOWN_FIELD};
use super::resource::{Answered, array};
use crate::ops::World;
use crate::perf::history::{Metric, Noise, Window, chart};
use crate::units::{SimSpan, SimTime};

/// Charts of the past.
#[derive(Serialize, ToSchema)]
#[schema(as = PerformanceHistory)]
pub(super) struct View {
    /// The beginning of the first bucket.
    #[schema(format = DateTime)]
    from: String,
    /// The end of the last bucket.
    #[schema(format = DateTime)]
    to: String,
    /// The length of a bucket in seconds; the last one is shorter where it does not come out even.
    step_seconds: f64,
    /// The epoch: a restore or reset begins another one, with the history of the value that was put back.
    epoch: u32,
    /// Up to when only the mean is known, because the changes before are no longer kept.
    #[schema(required = true, format = DateTime)]
    mean_until: Option<String>,
    /// The beginnings of the buckets.
    #[schema(example = json!(["2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z"]))]
    times: Vec<String>,
    /// One for each object and metric.
    series: Vec<Series>,
}

/// One line of a chart.
#[derive(Serialize, ToSchema)]
#[schema(as = PerformanceSeries)]
pub(super) struct Series {
    /// The kind of the object.
    #[schema(example = "volume")]
    noun: &'static str,
    /// Its identifier.
    id: Uuid,
    /// Its number.
    number: u32,
    /// Its name.
    #[schema(example = "V0")]
    name: String,
    /// The metric.
    #[schema(example = "iops")]
    metric: &'static str,
    /// Its value in each bucket; null where nothing was done that could have a latency.
    values: Vec<Option<f64>>,
}

/// The most values of one answer.
pub(super) const POINTS_MAX: u64 = 10_000;
/// Buckets of a window without a step.
const USUAL_BUCKETS: u64 = 300;

/// What is asked for.
#[derive(Default)]
struct Asked {
    objects: Vec<String>,
    metrics: Vec<Metric>,
    from: Option<Instant>,
    to: Option<Instant>,
    step: Option<SimSpan>,
    noise_ppm: u64,
    seed: Option<u64>,
}

/// An instant as it is asked for.
enum Instant {
    At(String),
    Ago(SimSpan),
}

/// Draws charts.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let asked = Asked::read(request.query_string())?;
    let view = array.read(|world| asked.view(world))?;
    Ok(Reply::view(200, &view).into())
}

impl Asked {
    /// Refused, parameter by parameter: an unknown one, a value that cannot be read.
    fn read(query: &str) -> Result<Asked, Problem> {
        let mut asked = Asked::default();
        for (name, value) in pairs(query)? {
            match name.as_str() {
                "object" => asked.objects.push(value),
                "metric" => asked.metrics.extend(value.split(',').map(metric).collect::<Result<Vec<_>, _>>()?),
                "from" => asked.from = Some(instant(&name, value)?),
                "to" => asked.to = Some(instant(&name, value)?),
                "step" => asked.step = Some(span(&name, &value)?),
                "noise" => asked.noise_ppm = noise(&value)?,
                "seed" => asked.seed = Some(value.parse().map_err(|_| unreadable("seed", &value, "a whole number from 0"))?),
                _ => {
                    let cure = "use object, metric, from, to, step, noise or seed";
                    return Err(Problem::new(UNKNOWN_FIELD, format!("this request takes no query parameter '{name}'")).field(name).cure(cure));
                }
            }
        }
        if asked.objects.is_empty() {
            asked.objects.push("array".to_owned());
        }
        if asked.metrics.is_empty() {
            asked.metrics = vec![Metric::Iops, Metric::LatencyMs];
        }
        Ok(asked)
    }
    /// Refused, in this order: an instant that is none, an empty window; an unknown object; a metric that the object has not; too many values.
    fn view(&self, world: &World) -> Result<View, Problem> {
        let window = self.window(world)?;
        let objects = subject::find_all(world, &self.objects)?;
        for object in &objects {
            if let Some(metric) = self.metrics.iter().find(|metric| !metric.is_of(object.subject.noun)) {
                return Err(has_not(object, *metric));
            }
        }
        let asked = window.buckets().saturating_mul((objects.len() * self.metrics.len()) as u64);
        if asked > POINTS_MAX {
            let detail = format!("{asked} values are asked for, {POINTS_MAX} at most are given at once");
            return Err(Problem::new(OUT_OF_RANGE, detail)
                .field("step")
                .value(asked.to_string())
                .limit(POINTS_MAX.to_string())
                .cure("ask for a longer step, a shorter window, or fewer objects or metrics"));
        }
        let amplitude = Noise { seed: self.seed.unwrap_or(0) ^ world.array.identity.seed(), amplitude_ppm: self.noise_ppm };
        let noise = (self.noise_ppm > 0).then_some(amplitude);
        Ok(self.answer(world, window, &objects, noise))
    }
    fn answer(&self, world: &World, window: Window, objects: &[Measured], noise: Option<Noise>) -> View {
        let edges = window.edges();
        let spans: Vec<SimSpan> = edges.windows(2).map(|edge| edge[1].since(edge[0])).collect();
        let stamp = |time: SimTime| time.stamp(world.array.facts.epoch);
        let mut series = Vec::with_capacity(objects.len() * self.metrics.len());
        for object in objects {
            let sums = chart(&world.load, world.now(), object.subject, window, noise);
            series.extend(self.metrics.iter().map(|metric| Series {
                noun: object.subject.noun.name(),
                id: object.id,
                number: object.number,
                name: object.name.clone(),
                metric: metric.name(),
                values: sums.iter().zip(&spans).map(|(sum, span)| metric.of(sum, *span, object.subject)).collect(),
            }));
        }
        View {
            from: stamp(window.from),
            to: stamp(window.to),
            step_seconds: window.step.as_seconds(),
            epoch: world.revisions.epoch,
            mean_until: world.load.merged().map(|(_, until)| stamp(until)),
            times: edges.iter().take(spans.len()).map(|time| stamp(*time)).collect(),
            series,
        }
    }
    /// What lies outside of the array's time is left out; an empty window is only refused when it is asked for.
    fn window(&self, world: &World) -> Result<Window, Problem> {
        let now = world.now();
        let to = self.to.as_ref().map_or(Ok(now), |to| to.of("to", world))?;
        let from = self.from.as_ref().map_or(Ok(SimTime(to.min(now).0.saturating_sub(SimSpan::seconds(3600).0))), |from| from.of("from", world))?;
        if from >= to && self.from.is_some() {
            let detail = "from: the window ends before it begins";
            return Err(Problem::new(INVALID_PARAMETER, detail).field("from").cure("give a 'from' that lies before 'to', which is now if left out"));
        }
        let (from, to) = (from.min(now), to.min(now));
        let second = SimSpan::seconds(1).0;
        let usual = SimSpan(to.since(from).0.div_ceil(USUAL_BUCKETS).next_multiple_of(second).max(second));
        Ok(Window { from, to, step: self.step.unwrap_or(usual) })
    }
}

fn has_not(object: &Measured, metric: Metric) -> Problem {
    let (noun, name) = (object.subject.noun, &object.name);
    let fitting: Vec<&str> = Metric::ALL.iter().filter(|metric| metric.is_of(noun)).map(|metric| metric.name()).collect();
    Problem::new(INVALID_PARAMETER, format!("metric: the {noun} '{name}' has no '{}'", metric.name()))
        .field("metric")
        .value(metric.name())
        .cure(format!("use one of {}", fitting.join(", ")))
}

fn unreadable(name: &str, value: &str, expected: &str) -> Problem {
    Problem::new(INVALID_PARAMETER, format!("{name}: '{value}' is not {expected}")).field(name).value(value).cure(format!("give {expected}"))
}

fn metric(name: &str) -> Result<Metric, Problem> {
    let known = Metric::ALL.map(Metric::name);
    let found = Metric::ALL.into_iter().find(|metric| metric.name() == name);
    found.ok_or_else(|| unreadable("metric", name, &format!("one of {}", known.join(", "))))
}

fn span(name: &str, value: &str) -> Result<SimSpan, Problem> {
    let seconds = || value.parse::<f64>().ok().filter(|seconds| (0.0..1e12).contains(seconds)).map(|seconds| SimSpan((seconds * 1e6).round() as u64));
    let found = value.parse::<SimSpan>().ok().or_else(seconds).filter(|span| span.0 > 0);
    found.ok_or_else(|| unreadable(name, value, "a span above zero, such as \"1m\", or a number of seconds"))
}

fn instant(name: &str, value: String) -> Result<Instant, Problem> {
    let ago = value.strip_prefix('-').map(|ago| span(name, ago)).transpose()?;
    Ok(ago.map_or(Instant::At(value), Instant::Ago))
}

/// Percent, with a fraction if need be.
fn noise(value: &str) -> Result<u64, Problem> {
    let percent = value.parse::<f64>().ok().filter(|percent| (0.0..=50.0).contains(percent));
    percent.map(|percent| (percent * 1e4).round() as u64).ok_or_else(|| unreadable("noise", value, "a number of percent from 0 to 50"))
}

impl Instant {
    fn of(&self, name: &str, world: &World) -> Result<SimTime, Problem> {
        match self {
            Instant::Ago(span) => Ok(SimTime(world.now().0.saturating_sub(span.0))),
            Instant::At(text) => SimTime::from_stamp(text, world.array.facts.epoch)
                .ok_or_else(|| unreadable(name, text, "an instant such as \"2026-01-01T10:00:00Z\", or a span before now such as \"-24h\"")),
        }
    }
}
