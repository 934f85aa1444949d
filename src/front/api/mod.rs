//! Our own REST API `/v1`: every noun of an array, and the controls of the emulation.
//!
//! Owns: the wire format of `/v1` (views, lists, problem documents) and its OpenAPI document, which is made of the same routes as
//! the server. Must not know: any rule; a request becomes an operation, a refusal becomes a problem by one table.
//! Read first: [`routes`], the map; then `volume` for a view, `resource` for what all nouns share, `problem` for refusals.

mod affinity;
mod answer;
mod array;
mod body;
mod capacity;
mod catalogue;
mod clock;
mod consistency;
mod container;
mod controller;
mod document;
mod drive;
mod enclosure;
mod event;
mod filter;
mod host;
mod host_group;
mod host_port;
mod job;
mod journal;
mod lens;
mod listing;
mod lun_group;
mod mapping;
mod operations;
mod parameters;
mod part;
mod path;
mod performance;
mod pick;
mod pool;
mod port_group;
mod port_parameters;
mod problem;
mod raid_group;
mod resource;
mod route;
mod scenario_schema;
mod schemas;
mod server;
mod settings;
mod shape;
mod snapshot;
mod volume;
mod workload;

pub use document::{document, text};
pub use problem::{KINDS, Kind, kind};
pub use scenario_schema::scenario_schema;
pub use server::configure;

use actix_web::http::Method;
use actix_web::web::route;

use self::answer::Shown;
use self::route::{NounRoutes, Route};
use crate::engine::Job;
use crate::model::{
    Affinity, Container, Controller, Drive, Enclosure, Host, HostGroup, HostPort, LunGroup, Mapping, Part, Pool, PortGroup, RaidGroup, Snapshot, Volume,
    Workload,
};
use crate::ops::{self, AnyOperation};

/// Everything that answers below `/v1`.
fn routes() -> Vec<Route> {
    let mut map = Vec::new();
    of_server(&mut map);
    of_catalogue(&mut map);
    of_parts(&mut map);
    of_space(&mut map);
    of_access(&mut map);
    of_work(&mut map);
    of_whole(&mut map);
    map
}

fn of_server(map: &mut Vec<Route>) {
    let (list, one) = ("/arrays", "/arrays/{array}");
    let get =
        Route::new(Method::GET, list, || route().to(array::list), ("array_list", "arrays", "Lists arrays\n\nIn order of name unless `sort` says otherwise."));
    map.push(get.lists::<array::View>());
    let text = "Makes an array\n\nFrom a model, with drives and nothing configured, or from a scenario.";
    let create = Route::new(Method::POST, list, || route().to(array::create), ("array_create", "arrays", text));
    map.push(create.takes::<array::NewArray>().gives(201, |schemas| Some(schemas.refer::<array::View>())));
    let get = Route::new(Method::GET, one, || route().to(array::get), ("array_get", "arrays", "Reads an array"));
    map.push(get.shows::<array::View>());
    let text = "Deletes an array\n\nWith all that is in it; requests that are under way see it to their end.";
    map.push(Route::new(Method::DELETE, one, || route().to(array::delete), ("array_delete", "arrays", text)));
}

fn of_catalogue(map: &mut Vec<Route>) {
    let list = Route::new(
        Method::GET,
        "/models",
        || route().to(catalogue::models),
        ("model_list", "models", "Lists hardware models\n\nWith every number and rule, and where it comes from."),
    );
    map.push(list.lists::<catalogue::Model<'static>>());
    let text = "Reads a hardware model";
    let get = Route::new(Method::GET, "/models/{model}", || route().to(catalogue::get_model), ("model_get", "models", text));
    map.push(get.shows::<catalogue::Model<'static>>());
    let list = Route::new(
        Method::GET,
        "/scenarios",
        || route().to(catalogue::scenarios),
        ("scenario_list", "scenarios", "Lists scenarios\n\nWith the operations that make them."),
    );
    map.push(list.lists::<catalogue::Scenario<'static>>());
    let text = "Reads a scenario";
    let get = Route::new(Method::GET, "/scenarios/{scenario}", || route().to(catalogue::get_scenario), ("scenario_get", "scenarios", text));
    map.push(get.shows::<catalogue::Scenario<'static>>());
    let text = "Lists workload profiles\n\nWith the source of every number.";
    let list = Route::new(Method::GET, "/profiles", || route().to(catalogue::profiles), ("profile_list", "profiles", text));
    map.push(list.lists::<catalogue::Profile<'static>>());
}

fn noun<T: Shown>(map: &mut Vec<Route>) -> NounRoutes<'_, T> {
    NounRoutes::begin(map)
}

fn of_parts(map: &mut Vec<Route>) {
    noun::<Enclosure>(map).create::<ops::enclosure::Add>().update::<ops::enclosure::Update>().delete::<ops::enclosure::Remove>();
    noun::<Controller>(map)
        .update::<ops::controller::Update>()
        .action::<ops::controller::GiveBack>("giveback")
        .action::<ops::controller::Fail>("fail")
        .action::<ops::controller::Restore>("restore");
    noun::<HostPort>(map).update::<ops::host_port::Update>().action::<ops::host_port::Fail>("fail").action::<ops::host_port::Restore>("restore");
    noun::<Part>(map).action::<ops::part::Fail>("fail").action::<ops::part::Restore>("restore").action::<ops::part::SetTemperature>("temperature");
    noun::<Drive>(map).create::<ops::drive_install::Install>().update::<ops::drive::Update>();
}

fn of_space(map: &mut Vec<Route>) {
    noun::<RaidGroup>(map).create::<ops::raid_group::Create>().update::<ops::raid_group::Update>().delete::<ops::raid_group::Delete>();
    noun::<Pool>(map).create::<ops::pool::Create>().update::<ops::pool::Update>().delete::<ops::pool::Delete>().action::<ops::pool::Expand>("expand");
    noun::<Container>(map)
        .create::<ops::container::Create>()
        .update::<ops::container::Update>()
        .delete::<ops::container::Delete>()
        .action::<ops::container::Split>("split");
    noun::<Snapshot>(map)
        .create::<ops::snapshot::Create>()
        .update::<ops::snapshot::Update>()
        .delete::<ops::snapshot::Delete>()
        .action::<ops::snapshot::Restore>("restore")
        .makes::<ops::container::Clone>("clone");
    noun::<Volume>(map)
        .create::<ops::volume::Create>()
        .update::<ops::volume::Update>()
        .delete::<ops::volume::Delete>()
        .action::<ops::volume::Expand>("expand")
        .action::<ops::volume::Format>("format")
        .action::<ops::volume::Migrate>("migrate")
        .action::<ops::volume::StopMigration>("migrate/stop")
        .action::<ops::volume::Write>("write")
        .action::<ops::volume::Unmap>("unmap")
        .makes::<ops::volume::Clone>("clone");
    let text = "Lists the paths to a volume\n\nThrough which ports which hosts reach it, under which number, and how well.";
    let list = Route::new(Method::GET, "/arrays/{array}/volumes/{volume}/paths", || route().to(path::list), ("volume_paths", "volumes", text));
    map.push(list.lists::<path::View<'static>>());
}

fn of_access(map: &mut Vec<Route>) {
    noun::<Host>(map).create::<ops::host::Create>().update::<ops::host::Update>().delete::<ops::host::Delete>();
    noun::<HostGroup>(map).create::<ops::host_group::Create>().update::<ops::host_group::Update>().delete::<ops::host_group::Delete>();
    noun::<PortGroup>(map).create::<ops::port_group::Create>().update::<ops::port_group::Update>().delete::<ops::port_group::Delete>();
    noun::<LunGroup>(map).create::<ops::lun_group::Create>().update::<ops::lun_group::Update>().delete::<ops::lun_group::Delete>();
    noun::<Affinity>(map).create::<ops::affinity::Create>().update::<ops::affinity::Update>().delete::<ops::affinity::Delete>();
    noun::<Mapping>(map).create::<ops::mapping::Create>().update::<ops::mapping::Update>().delete::<ops::mapping::Delete>();
}

fn of_work(map: &mut Vec<Route>) {
    noun::<Workload>(map).create::<ops::workload::Create>().update::<ops::workload::Update>().delete::<ops::workload::Delete>();
    noun::<Job<AnyOperation>>(map).create::<ops::job::Submit>().delete::<ops::job::Delete>().action::<ops::job::Cancel>("cancel");
    let (list, one) = ("/arrays/{array}/events", "/arrays/{array}/events/{event}");
    let text = "Lists events\n\nThe newest 10,000 are kept. In order of number, oldest first, unless `sort` says otherwise.";
    map.push(Route::new(Method::GET, list, || route().to(event::list), ("event_list", "events", text)).lists::<event::View<'static>>());
    let read = Route::new(Method::GET, one, || route().to(event::get), ("event_get", "events", "Reads an event"));
    map.push(read.shows::<event::View<'static>>());
}

fn of_whole(map: &mut Vec<Route>) {
    let of = |rest: &str| format!("/arrays/{{array}}/{rest}");
    let text = "Measures the array\n\nThe equilibrium under the workloads that run now; every object appears, also an idle one.";
    map.push(
        Route::new(Method::GET, of("performance"), || route().to(performance::get), ("performance_get", "performance", text)).answers::<performance::View>(),
    );
    let text = "Reads the books of all space\n\nAt every level what there is, what is given out, and what is left.";
    map.push(Route::new(Method::GET, of("capacity"), || route().to(capacity::get), ("capacity_get", "capacity", text)).answers::<capacity::View>());
    let text = "Checks whether the array agrees with itself\n\nUsed and free add up at every level, no reference dangles, and nothing is given out twice.";
    map.push(
        Route::new(Method::GET, of("consistency"), || route().to(consistency::get), ("consistency_get", "consistency", text)).answers::<consistency::View>(),
    );
    let get = Route::new(Method::GET, of("settings"), || route().to(settings::get), ("settings_get", "settings", "Reads the settings"));
    map.push(get.answers::<settings::View>());
    let text = schemas::description::<ops::settings::Update>();
    let update = Route::new(Method::PATCH, of("settings"), || route().to(settings::update), ("settings_update", "settings", &text));
    map.push(update.does::<ops::settings::Update>().answers::<settings::View>());
    let get = Route::new(Method::GET, of("clock"), || route().to(clock::get), ("clock_get", "clock", "Reads the clock"));
    map.push(get.answers::<clock::View>());
    let text = schemas::description::<ops::clock::Set>();
    let set = Route::new(Method::PATCH, of("clock"), || route().to(clock::change::<ops::clock::Set>), ("clock_set", "clock", &text));
    map.push(set.does::<ops::clock::Set>().answers::<clock::View>());
    let text = schemas::description::<ops::clock::Advance>();
    let advance = Route::new(Method::POST, of("clock/advance"), || route().to(clock::change::<ops::clock::Advance>), ("clock_advance", "clock", &text));
    map.push(advance.does::<ops::clock::Advance>().answers::<clock::View>());
    let text = "Does a list of operations, all or nothing\n\nEach is one field that is called like the operation and holds its fields, with the target \
        among them. When one is refused, nothing has happened, and the problem says which one by `index` and `operation`.";
    let run = Route::new(Method::POST, of("operations"), || route().to(operations::run), ("operations_run", "operations", text));
    map.push(run.body(operations::body).gives(200, |schemas| Some(schemas.items::<crate::site::Done>())));
    let text = "Lists the journal\n\nWhat came from outside, in order; refused operations are not in it, nor is what happens by itself.";
    map.push(Route::new(Method::GET, of("journal"), || route().to(journal::list), ("journal_list", "operations", text)).lists::<journal::View<'static>>());
}
