//! What a new array can be: models, scenarios, and the profiles of workloads.

use std::collections::BTreeMap;

use actix_web::HttpRequest;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::Reply;
use super::listing::{self, Listing};
use super::masked::Masked;
use super::problem::{NOT_FOUND, Problem};
use super::resource::{Answered, part};
use crate::catalogue::{self, DriveRequest, Fact, NewDrives, WorkloadProfile};
use crate::model::{Dialect, DriveType, RaidLevel, WorkUnit};

/// A hardware model.
#[derive(Serialize, ToSchema)]
#[schema(as = Model)]
pub(super) struct Model<'a> {
    /// Its name in the catalogue.
    #[schema(example = "eternus-af250")]
    name: &'a str,
    /// Who makes it.
    #[schema(example = "Fujitsu")]
    vendor: &'a str,
    /// What they call it.
    #[schema(example = "ETERNUS AF250")]
    product: &'a str,
    /// Whose words it speaks.
    dialect: Dialect,
    /// Whether workloads can run on it.
    calibrated: bool,
    /// Its controllers.
    #[schema(example = json!(["CM0", "CM1"]))]
    controllers: &'a [String],
    /// How many drives it holds with every enclosure that can be added.
    bays: u32,
    /// The drives of a new array when nothing else is asked for.
    drives: Vec<ModelDrives>,
    /// Levels that a RAID group can have.
    raid_levels: &'a [RaidLevel],
    /// Levels that a pool can have.
    pool_levels: &'a [RaidLevel],
    /// Whether it can reduce data.
    data_reduction: bool,
    /// Whether it has containers and snapshots.
    containers: bool,
    /// Every number and rule with its source.
    facts: &'a [Fact],
}

/// Drives of one kind in a new array.
#[derive(Serialize, ToSchema)]
pub(super) struct ModelDrives {
    /// How many.
    count: u32,
    /// What kind of drive they are.
    drive_type: DriveType,
    /// Capacity as sold, in bytes.
    capacity: u64,
    /// Whether they encrypt themselves.
    self_encrypting: bool,
}

/// A furnished array.
#[derive(Serialize, ToSchema)]
#[schema(as = Scenario)]
pub(super) struct Scenario<'a> {
    /// Its name.
    #[schema(example = "af250")]
    name: &'a str,
    /// What it is, in a few words.
    title: &'a str,
    /// What is in it and what it is good for.
    description: &'a str,
    /// Where the layout comes from.
    source: &'a str,
    /// Its model.
    #[schema(example = "eternus-af250")]
    model: &'a str,
    /// Its seed when none is asked for.
    #[schema(required = true)]
    seed: Option<u64>,
    /// Its drives, if they are not the model's own.
    #[schema(required = true)]
    drives: Option<&'a DriveRequest>,
    /// What the administrator has done, in order.
    #[schema(value_type = Vec<Object>)]
    operations: Vec<Masked>,
}

/// What a workload can be like.
#[derive(Serialize, ToSchema)]
#[schema(as = WorkloadProfile)]
pub(super) struct Profile<'a> {
    /// Its name, by which workloads ask for it.
    #[schema(example = "sqlserver-tpcc")]
    name: &'a str,
    /// What it stands for.
    description: &'a str,
    /// What one request is.
    unit: WorkUnit,
    /// I/O operations of one request.
    operations_per_request: u32,
    /// Bytes of one I/O operation.
    block_size: u64,
    /// Share of reads among the operations, in percent.
    read_percent: f64,
    /// Share of random operations, in percent.
    random_percent: f64,
    /// Time between an answer and the next request.
    think_time_seconds: f64,
    /// Users or outstanding requests when none are asked for.
    population: u64,
    /// Where each of these numbers comes from.
    sources: BTreeMap<&'static str, &'a str>,
}

fn drives(drives: &NewDrives) -> ModelDrives {
    ModelDrives { count: drives.count, drive_type: drives.drive_type, capacity: drives.capacity.get(), self_encrypting: drives.self_encrypting }
}

fn model(model: &catalogue::Model) -> Model<'_> {
    let rules = &model.personality;
    Model {
        name: &model.name,
        vendor: &model.vendor,
        product: &model.product,
        dialect: rules.dialect,
        calibrated: model.is_calibrated(),
        controllers: &model.controllers.value,
        bays: model.bays_most(),
        drives: model.drives.new.iter().map(drives).collect(),
        raid_levels: &rules.raid_levels,
        pool_levels: &rules.pool_levels,
        data_reduction: rules.reduction_domain.is_some(),
        containers: rules.container_size_min.is_some(),
        facts: &model.facts,
    }
}

fn scenario(scenario: &catalogue::Scenario) -> Scenario<'_> {
    Scenario {
        name: &scenario.name,
        title: &scenario.title,
        description: &scenario.description,
        source: &scenario.source,
        model: &scenario.model,
        seed: scenario.seed,
        drives: scenario.drives.as_ref(),
        operations: scenario.operations.iter().map(Masked::of).collect(),
    }
}

fn profile(profile: &WorkloadProfile) -> Profile<'_> {
    let plain = profile.profile();
    Profile {
        name: &profile.name,
        description: &profile.description,
        unit: profile.unit,
        operations_per_request: plain.ios_per_unit,
        block_size: plain.block_size.get(),
        read_percent: plain.read_ppm.factor() * 100.0,
        random_percent: 100.0 - plain.sequential_ppm.factor() * 100.0,
        think_time_seconds: plain.think.as_seconds(),
        population: plain.population,
        sources: BTreeMap::from([
            ("operations_per_request", profile.ios_per_unit.source.as_str()),
            ("block_size", &profile.block_size.source),
            ("read_percent", &profile.read_ppm.source),
            ("random_percent", &profile.sequential_ppm.source),
            ("think_time_seconds", &profile.think_us.source),
            ("population", &profile.population.source),
        ]),
    }
}

/// One page of things that stay as they are.
fn page<V: Serialize + ToSchema>(request: &HttpRequest, all: impl IntoIterator<Item = V>) -> Answered {
    let listing = Listing::read::<V>(request.query_string())?;
    let skipped = usize::try_from(listing.after().unwrap_or(0)).unwrap_or(usize::MAX);
    Ok(Reply::json(listing.page((1..).zip(all).skip(skipped))).into())
}

/// One thing that stays as it is.
fn one<V: Serialize + ToSchema>(request: &HttpRequest, view: &V) -> Answered {
    let fields = listing::only_fields::<V>(request.query_string())?;
    let mut json = Vec::new();
    listing::write(&mut json, view, &fields);
    Ok(Reply::json(json).tagged(concat!("\"", env!("CARGO_PKG_VERSION"), "\"")).into())
}

/// Nothing is called that.
fn unknown(request: &HttpRequest, noun: &'static str) -> Problem {
    let name = part(request, noun);
    Problem::new(NOT_FOUND, format!("no {noun} is called '{name}'")).value(name).cure(format!("use a name from GET /v1/{noun}s"))
}

/// Lists models.
pub(super) async fn models(request: HttpRequest) -> Answered {
    page(&request, catalogue::models().into_iter().map(model))
}

/// Reads a model.
pub(super) async fn get_model(request: HttpRequest) -> Answered {
    let known = catalogue::model(&part(&request, "model")).map_err(|_| unknown(&request, "model"))?;
    one(&request, &model(known))
}

/// Lists scenarios.
pub(super) async fn scenarios(request: HttpRequest) -> Answered {
    page(&request, catalogue::scenarios().into_iter().map(scenario))
}

/// Reads a scenario.
pub(super) async fn get_scenario(request: HttpRequest) -> Answered {
    let known = catalogue::scenario(&part(&request, "scenario")).map_err(|_| unknown(&request, "scenario"))?;
    one(&request, &scenario(known))
}

/// Lists profiles.
pub(super) async fn profiles(request: HttpRequest) -> Answered {
    page(&request, catalogue::profiles().into_iter().map(profile))
}
