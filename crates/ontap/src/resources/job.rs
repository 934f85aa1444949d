//! `/cluster/jobs`: jobs, those that a call became and those that the array has by itself.

use serde_json::{Value, json};

use crate::collection::{Collection, Row, View};
use crate::engine::{Job, JobStatus};
use crate::fields::Want;
use crate::model::{Key, Object};
use crate::ops::AnyOperation;
use crate::refusal::Outcome;

/// The jobs.
pub(crate) struct Jobs;

impl Collection for Jobs {
    fn path(&self) -> &'static str {
        "/cluster/jobs"
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.world.jobs.iter().map(|job| Row(job.key().raw(), 0)).collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let id = keys.first().and_then(|key| key.parse().ok());
        Ok(id.and_then(|id| view.world.jobs.key_of(id)).map(|key| Row(key.raw(), 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(job) = view.world.jobs.get(Key::<Job<AnyOperation>>::from_raw(row.0)) else { return json!({}) };
        let state = match job.status {
            JobStatus::Queued => "queued",
            JobStatus::Running => "running",
            JobStatus::Succeeded => "success",
            JobStatus::Failed | JobStatus::Canceled => "failure",
        };
        json!({"uuid": job.id(), "state": state, "message": state, "code": 0, "start_time": view.stamp(job.starts)})
    }
}
