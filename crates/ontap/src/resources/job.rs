//! `/cluster/jobs`: jobs, those that a call became and those that the array has by itself.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View};
use crate::engine::{Job, JobStatus, Work};
use crate::fields::Want;
use crate::job;
use crate::model::{Key, Object};
use crate::ops::{self, AnyOperation};
use crate::query::Asked;
use crate::refusal::{Outcome, Refusal};
use crate::refusals;
use crate::resources::by_uuid_or_name;
use crate::table::{self, Place};
use crate::words;

/// The jobs.
pub(crate) struct Jobs;

impl Collection for Jobs {
    fn path(&self) -> &'static str {
        "/cluster/jobs"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Update]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.world.jobs.iter().map(|job| Row(job.key().raw(), 0)).collect())
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        let by_id = asked.filters.iter().any(|(path, _)| path == "uuid");
        by_id.then(|| by_uuid_or_name(&view.world.jobs, asked)).flatten()
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let id = keys.first().and_then(|key| key.parse().ok());
        Ok(id.and_then(|id| view.world.jobs.key_of(id)).map(|key| Row(key.raw(), 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(job) = view.world.jobs.get(Key::<Job<AnyOperation>>::from_raw(row.0)) else { return json!({}) };
        let state = match job.status {
            JobStatus::Running if job.held.is_some() => "paused",
            JobStatus::Queued => "queued",
            JobStatus::Running => "running",
            JobStatus::Succeeded => "success",
            JobStatus::Failed | JobStatus::Canceled => "failure",
        };
        let description = description(job);
        let mut record =
            json!({"uuid": job.id(), "state": state, "message": state, "code": 0, "description": description, "start_time": view.stamp(job.starts)});
        if let Some(node) = view.array.controllers.iter().next() {
            record["node"] = json!({"name": view.node_name(node)});
        }
        let svm = job.note(job::SVM).and_then(Value::as_str).and_then(|id| view.array.tenants.key_of(id.parse().ok()?));
        if let Some(svm) = svm.and_then(|key| view.array.tenants.get(key)) {
            record["svm"] = json!({"name": svm.name(), "uuid": svm.id()});
        }
        if let Some(ended) = job.ended {
            record["end_time"] = json!(view.stamp(ended));
        }
        if let Some(error) = failure(job, &description) {
            record["code"] = json!(error["code"].as_str().and_then(|code| code.parse::<u32>().ok()));
            record["message"] = error["message"].clone();
            record["error"] = error;
        }
        record
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let action = call.query.get("action").or(body.text("action"));
        match action {
            Some("cancel") => {
                let job = call.read(|view| view.world.jobs.get(Key::<Job<AnyOperation>>::from_raw(row.0)).map_or_else(String::new, |job| job.id().to_string()));
                call.run(vec![ops::job::Cancel { job }.into()]).map(drop)
            }
            Some("pause" | "resume") => Err(Refusal::conflict(262_190, "The jobs of this cluster cannot be paused.")),
            Some(other) => Err(Refusal::bad_value("action", &json!(other), "one of: cancel, pause, resume")),
            None => Err(Refusal::required("action")),
        }
    }
}

/// Why a job did not do what it should.
fn failure(job: &Job<AnyOperation>, description: &str) -> Option<Value> {
    if let Some(error) = job::errors(job).first() {
        return Some(error.clone());
    }
    match (&job.error, job.status) {
        (Some(error), _) => Some(refusals::of(error, collection_of(description)).error()),
        (None, JobStatus::Canceled) => Some(json!({"code": "4915232", "message": "The job was cancelled."})),
        (None, JobStatus::Failed) => Some(json!({"code": "2", "message": "The job failed."})),
        _ => None,
    }
}

/// What was asked for, where a call became the job; else what the array does.
pub(crate) fn description(job: &Job<AnyOperation>) -> String {
    if let Work::Request(text) = &job.work {
        return text.clone();
    }
    let noted = job.note(job::DESCRIPTION).and_then(Value::as_str).map(str::to_owned);
    noted.unwrap_or_else(|| format!("{} {}", words::said(&job.name().replace(['.', '-'], " "), ""), job.target))
}

/// The collection that a call was about: its numbers tell why a job failed.
fn collection_of(description: &str) -> &'static str {
    let own = description.split_once(" /api").map_or("", |(_, path)| path);
    let segments: Vec<String> = own.split('/').filter(|segment| !segment.is_empty()).map(str::to_owned).collect();
    match table::find(&segments) {
        Some(Place::All(collection, _) | Place::One(collection, ..)) => collection.path(),
        None => "/cluster/jobs",
    }
}
