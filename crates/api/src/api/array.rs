//! The arrays of this server.

use actix_web::{HttpRequest, web};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Reply;
use super::body;
use super::listing::{self, Listing};
use super::ontap;
use super::problem::Problem;
use super::resource::{self, Answered, actor, part, site};
use super::terms::{self, tag_of_array};
use crate::catalogue::{self, BuildOptions, DriveRequest};
use crate::model::{Condition, Contribution, Detail, Dialect, Noun, OpError, WriteThrough, array_status};
use crate::ops::{self, Actor, Ctx, World};
use crate::site::{Door, Hosted, Site, Tag};

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
    /// Where its identifiers come from: equal seeds and operations give equal bytes.
    seed: u64,
    /// Whether workloads can run on it.
    calibrated: bool,
    /// How it stands: the worst of `conditions`.
    status: Condition,
    /// What the status comes from.
    status_detail: Detail,
    /// Everything that keeps it from being normal.
    conditions: Vec<Cause>,
    /// Whether it can be operated: one of its controllers runs.
    ready: bool,
    /// Whether writes go to drives before they are answered.
    write_through: bool,
    /// Why they do.
    write_through_reasons: Vec<WriteThrough>,
    /// What it draws on average.
    power_watts: u64,
    /// How many drives it has.
    drives: usize,
    /// How many volumes it has.
    volumes: usize,
    /// How often it was put back to an earlier state, by restoring a checkpoint or by a reset.
    epoch: u32,
    /// Virtual time.
    #[schema(format = DateTime)]
    now: String,
    /// The path of its nouns.
    #[schema(example = "/v1/arrays/lab")]
    path: String,
    /// Where it answers ONTAP's own clients; null where it does not.
    #[schema(required = true)]
    ontap: Option<ontap::Address>,
}

/// Something that keeps an array from being normal.
#[derive(Serialize, ToSchema)]
#[schema(as = ArrayCondition)]
pub(super) struct Cause {
    /// How bad it is.
    status: Condition,
    /// What it is.
    detail: Detail,
    /// The kind of thing that it is about.
    #[schema(value_type = String, example = "part")]
    noun: Noun,
    /// The name of that.
    #[schema(example = "CE-PSU#0")]
    name: String,
}

impl Cause {
    fn of(one: Contribution<'_>) -> Cause {
        Cause { status: one.status, detail: one.detail, noun: one.noun, name: one.name.to_owned() }
    }
}

impl View {
    fn of(hosted: &Hosted) -> View {
        hosted.read(|world| View::at(hosted, world))
    }
    /// The answer with an array as it is.
    pub(super) fn reply(status: u16, hosted: &Hosted, world: &World) -> Reply {
        Reply::view(status, &View::at(hosted, world)).tagged(Tag::of_array(world))
    }
    fn at(hosted: &Hosted, world: &World) -> View {
        let name = hosted.name();
        let (array, facts) = (&world.array, world.array.facts.clone());
        let ((status, status_detail), write_through_reasons) = (array_status::of(array), array.write_through_reasons());
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
            seed: array.identity.seed(),
            calibrated: array.calibration.is_some(),
            status,
            status_detail,
            conditions: array_status::contributions(array).map(Cause::of).collect(),
            ready: array.is_ready(),
            write_through: !write_through_reasons.is_empty(),
            write_through_reasons,
            power_watts: array.power_watts(),
            drives: array.drives.len(),
            volumes: array.volumes.len(),
            epoch: world.revisions.epoch,
            now: world.now().stamp(facts.epoch),
            path: format!("/v1/arrays/{name}"),
            ontap: ontap::Address::of(hosted),
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
#[schema(as = ArrayCreate, examples(json!({"name": "lab", "model": "eternus-af250", "seed": 7, "clock": {"mode": "manual"}}), json!({"name": "demo", "scenario": "af250"}), json!({"name": "netapp", "model": "aff-a250", "ontap": {"port": 0}})))]
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
    /// Where it shall answer ONTAP's own clients, if it is an ONTAP array; it does not if left out.
    #[serde(default)]
    ontap: Option<ontap::Wanted>,
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
    let fields = Value::Object(body::fields(&request, payload).await?);
    let key = terms::key(&request, &actor(&request).user, &fields)?;
    let new: NewArray = body::read(&fields, "")?;
    let make = |site: &Site| {
        let world = new.build()?;
        let door = new.ontap.as_ref().map(|wanted| wanted.bind(&request, &world)).transpose()?;
        let hosted = site.create(&new.name, world)?;
        if let Some(door) = door {
            hosted.set_door(Box::new(door.open(hosted.name())?));
            site.keep_door(hosted.name(), hosted.door(Door::address));
        }
        let reply = hosted.read(|world| View::reply(201, &hosted, world));
        Ok::<_, Problem>(reply.at(format!("/v1/arrays/{}", hosted.name())).into())
    };
    let made = site(&request).map(|site| site.once(key.as_ref(), || make(site))).transpose()?;
    Ok(made.map_or_else(Reply::nothing, Reply::from).into())
}

/// Reads one array.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let hosted = resource::array(&request)?;
    let fields = listing::only_fields::<View>(request.query_string())?;
    let mut json = Vec::new();
    let tag = hosted.read(|world| {
        listing::write(&mut json, &View::at(&hosted, world), &fields);
        Tag::of_array(world)
    });
    Ok(if terms::has_it(&request, tag)? { Reply::not_modified() } else { Reply::json(json) }.tagged(tag).into())
}

/// Takes an array out.
pub(super) async fn delete(request: HttpRequest) -> Answered {
    listing::no_query(request.query_string())?;
    let terms = terms::of(&request, &Value::Null, (tag_of_array, String::new()))?;
    let name = part(&request, "array");
    let remove = |site: &Site| site.remove_if(&name, terms.condition.as_ref()).map(|_| Reply::nothing().into()).map_err(Problem::from);
    let removed = site(&request).map(|site| site.once(terms.key.as_ref(), || remove(site))).transpose()?;
    Ok(removed.map_or_else(Reply::nothing, Reply::from).into())
}
