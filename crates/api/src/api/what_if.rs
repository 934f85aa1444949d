//! What if: how fast an array would be, configured otherwise or under another load. Nothing is changed.

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::answer::Reply;
use super::body;
use super::listing::no_query;
use super::problem::{DEFECT, Problem};
use super::resource::{Answered, site};
use crate::catalogue::{self, BuildOptions};
use crate::model::{Noun, OpError};
use crate::ops::what_if::{Answer, Load, Others, Question, Refusal, Variant, answer};
use crate::ops::{AnyOperation, World};
use crate::site::SiteError;

/// How an answer looks.
pub(super) type View = Answer;

/// What shall be found out: these workloads, on that array after these operations, in these variants.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WhatIf, examples(
    json!({"model": "eternus-af250", "workloads": [{"profile": "sqlserver-tpcc", "users": 60000}],
        "compare": [{"name": "plain", "data_reduction": false}, {"name": "reduced", "data_reduction": true}]})
))]
pub(super) struct WhatIf {
    /// An array of this server, as it is now; or give `model` or `scenario`.
    #[serde(default)]
    array: Option<String>,
    /// A model, with the layout of its review where there is one.
    #[serde(default)]
    model: Option<String>,
    /// A scenario.
    #[serde(default)]
    scenario: Option<String>,
    /// Operations that are done first, at most 1,000; each is one field that is called like the operation and holds its fields.
    #[serde(default)]
    #[schema(value_type = Vec<Object>)]
    operations: Vec<AnyOperation>,
    /// The workloads, at most 16. Without any, those that the array has.
    #[serde(default)]
    workloads: Vec<Load>,
    /// What the array's own workloads do beside them; if left out, those of an array of this server go on, and those of a model or
    /// scenario keep still.
    #[serde(default)]
    others: Option<Others>,
    /// The variants that are compared, at most 16; without any, the array as it is.
    #[serde(default)]
    compare: Vec<Variant>,
    /// Points of each curve, a multiple of 12 up to 120, of all curves together at most 480; 12 if left out: 10, 20 .. 120 % of the load.
    #[serde(default)]
    steps: Option<u32>,
}

/// Answers a question.
pub(super) async fn ask(request: HttpRequest, payload: web::Payload) -> Answered {
    no_query(request.query_string())?;
    let asked: WhatIf = body::asked(&request, payload).await?;
    let world = asked.world(&request)?;
    let question = asked.question();
    let found = web::block(move || answer(&world, &question)).await;
    let found = found.map_err(|cause| Problem::new(DEFECT, format!("the answer was not found: {cause}")))?;
    Ok(Reply::view(200, &found?).into())
}

impl WhatIf {
    /// A copy of the array that it is about.
    fn world(&self, request: &HttpRequest) -> Result<World, Problem> {
        match (&self.array, &self.model, &self.scenario) {
            (Some(name), None, None) => {
                let hosted = site(request).and_then(|site| site.array(name));
                let hosted = hosted.ok_or_else(|| Problem::from(SiteError::NoSuchArray { name: name.clone() }).field("array"))?;
                Ok(hosted.read(World::clone))
            }
            (None, Some(model), None) => match catalogue::reference(model) {
                Some(scenario) => Ok(scenario.play(None)?),
                None => Ok(World::new(catalogue::model(model)?.build(&BuildOptions::default())?)),
            },
            (None, None, Some(name)) => Ok(catalogue::scenario(name)?.play(None)?),
            (None, None, None) => {
                let because = "a question is about an array, a model or a scenario".to_owned();
                Err(OpError::Missing { noun: Noun::Array, field: "array".to_owned(), because }.into())
            }
            _ => {
                let because = "a question is about one array, one model or one scenario".to_owned();
                let fields = ["array", "model", "scenario"].map(str::to_owned).to_vec();
                Err(OpError::Conflicting { noun: Noun::Array, fields, because }.into())
            }
        }
    }

    fn question(self) -> Question {
        let usual = if self.array.is_some() { Others::Keep } else { Others::Pause };
        let WhatIf { operations, workloads, others, compare, steps, .. } = self;
        Question { operations, workloads, others: Some(others.unwrap_or(usual)), compare, steps }
    }
}

impl From<Refusal> for Problem {
    fn from(Refusal { variant, cause }: Refusal) -> Problem {
        let Some(number) = variant else { return cause.into() };
        let field = cause.field().map_or_else(|| format!("compare[{number}]"), |field| format!("compare[{number}].{field}"));
        Problem::from(cause).field(field)
    }
}
