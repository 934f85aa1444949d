//! The arrays of this server.

use actix_web::{HttpRequest, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Reply;
use super::body;
use super::listing::{self, Listing};
use super::problem::Problem;
use super::resource::{self, Answered, part, site};
use crate::catalogue::{self, BuildOptions, DriveRequest};
use crate::model::{Dialect, Noun, OpError, OperationMode};
use crate::ops::{self, Actor, Ctx, World};
use crate::site::Hosted;

/// How an array is as a whole.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ArrayStatus)]
pub(super) enum Status {
    /// In order.
    Normal,
    /// It is being serviced.
    Maintenance,
}

/// An array.
#[derive(Serialize, ToSchema)]
#[schema(as = Array)]
pub(super) struct View {
    /// Identifier: it follows from the seed.
    id: Uuid,
    /// Its name on this server.
    #[schema(example = "lab")]
    name: String,
    /// The model's name in the catalogue.
    #[schema(example = "eternus-af250")]
    model: String,
    /// Who makes it.
    #[schema(example = "Fujitsu")]
    vendor: String,
    /// What they call it.
    #[schema(example = "ETERNUS AF250")]
    product: String,
    /// Whose words it speaks.
    dialect: Dialect,
    /// Serial number.
    serial_number: String,
    /// World-wide name, 16 hexadecimal digits.
    wwn: String,
    /// Firmware version.
    firmware: String,
    /// How it is as a whole.
    status: Status,
    /// Where its identifiers come from: equal seeds and operations give equal bytes.
    seed: u64,
    /// Whether workloads can run on it.
    calibrated: bool,
    /// How many drives it has.
    drives: usize,
    /// How many volumes it has.
    volumes: usize,
    /// Virtual time.
    #[schema(format = DateTime)]
    now: String,
    /// The path of its nouns.
    #[schema(example = "/v1/arrays/lab")]
    path: String,
}

impl View {
    fn of(hosted: &Hosted) -> View {
        hosted.read(|world| View::at(hosted.name(), world))
    }
    fn at(name: &str, world: &World) -> View {
        let (array, facts) = (&world.array, world.array.facts.clone());
        View {
            id: array.identity.uuid(Noun::Array, 0),
            name: name.to_owned(),
            model: facts.model,
            vendor: facts.vendor,
            product: facts.product,
            dialect: array.personality.dialect,
            serial_number: facts.serial_number,
            wwn: facts.wwn,
            firmware: facts.firmware,
            status: if array.settings.operation_mode == OperationMode::Maintenance { Status::Maintenance } else { Status::Normal },
            seed: array.identity.seed(),
            calibrated: array.calibration.is_some(),
            drives: array.drives.len(),
            volumes: array.volumes.len(),
            now: world.now().stamp(facts.epoch),
            path: format!("/v1/arrays/{name}"),
        }
    }
}

/// Lists arrays, in order of name.
pub(super) async fn list(request: HttpRequest) -> Answered {
    let listing = Listing::read::<View>(request.query_string())?;
    let arrays = site(&request).map(crate::site::Site::arrays).unwrap_or_default();
    let skipped = usize::try_from(listing.after().unwrap_or(0)).unwrap_or(usize::MAX);
    let views = arrays.iter().zip(1..).skip(skipped).map(|(hosted, number)| (number, View::of(hosted)));
    Ok(Reply::json(listing.page(views)).into())
}

/// What a new array shall be: a model as it is delivered, or a scenario.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ArrayCreate, examples(json!({"name": "lab", "model": "eternus-af250", "seed": 7, "clock": {"mode": "manual"}}), json!({"name": "demo", "scenario": "af250"})))]
pub(super) struct NewArray {
    /// Its name on this server: 1 to 63 letters, digits, `-`, `_` and `.`; it begins with a letter or digit.
    name: String,
    /// A model, which comes with drives and nothing configured; or give `scenario`.
    #[serde(default)]
    model: Option<String>,
    /// A scenario: an array that somebody has configured.
    #[serde(default)]
    scenario: Option<String>,
    /// Its drives, if not those of the model or scenario.
    #[serde(default)]
    drives: Option<DriveRequest>,
    /// Where its identifiers come from: equal seeds and operations give equal bytes; the scenario's own seed, or 0, if left out.
    #[serde(default)]
    seed: Option<u64>,
    /// How its clock moves on from the first moment; with the wall clock if left out. On a `manual` clock every byte of every answer is the
    /// same from run to run.
    #[serde(default)]
    clock: Option<ops::clock::Set>,
}

impl NewArray {
    /// The world, its clock set.
    fn build(&self) -> Result<World, Problem> {
        let mut world = self.furnished()?;
        if let Some(clock) = &self.clock {
            let ctx = Ctx { now: world.now(), actor: Actor::new("api", "admin", "POST /v1/arrays") };
            ops::execute(clock, &mut world, &ctx)?;
        }
        Ok(world)
    }
    fn furnished(&self) -> Result<World, Problem> {
        match (&self.model, &self.scenario) {
            (Some(model), None) => {
                let options = BuildOptions { seed: self.seed.unwrap_or_default(), drives: self.drives.clone(), ..BuildOptions::default() };
                Ok(World::new(catalogue::model(model)?.build(&options)?))
            }
            (None, Some(name)) => {
                let scenario = catalogue::scenario(name)?;
                let mut options = scenario.options(self.seed);
                options.drives = self.drives.clone().or(options.drives);
                Ok(scenario.play_with(&options)?)
            }
            (None, None) => {
                let because = "an array is made from a model or a scenario".to_owned();
                Err(OpError::Missing { noun: Noun::Array, field: "model".to_owned(), because }.into())
            }
            (Some(_), Some(_)) => {
                let because = "an array is made from a model or a scenario, and a scenario names its model".to_owned();
                Err(OpError::Conflicting { noun: Noun::Array, fields: vec!["model".to_owned(), "scenario".to_owned()], because }.into())
            }
        }
    }
}

/// Makes an array.
pub(super) async fn create(request: HttpRequest, payload: web::Payload) -> Answered {
    listing::no_query(request.query_string())?;
    let new: NewArray = body::asked(&request, payload).await?;
    let world = new.build()?;
    let made = site(&request).map(|site| site.create(&new.name, world)).transpose()?;
    let reply = made.map_or_else(Reply::nothing, |hosted| Reply::view(201, &View::of(&hosted)).at(format!("/v1/arrays/{}", hosted.name())));
    Ok(reply.into())
}

/// Reads one array.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let hosted = resource::array(&request)?;
    let fields = listing::only_fields::<View>(request.query_string())?;
    let mut json = Vec::new();
    listing::write(&mut json, &View::of(&hosted), &fields);
    Ok(Reply::json(json).into())
}

/// Takes an array out.
pub(super) async fn delete(request: HttpRequest) -> Answered {
    listing::no_query(request.query_string())?;
    let name = part(&request, "array");
    let removed = site(&request).map(|site| site.remove(&name));
    removed.transpose()?;
    Ok(Reply::nothing().into())
}
