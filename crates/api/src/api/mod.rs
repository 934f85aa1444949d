//! Our own REST API `/v1`: every noun of an array, and the controls of the emulation.
//!
//! Owns: the wire format of `/v1` (views, lists, problem documents) and its OpenAPI document, which is made of the same routes as
//! the server. Must not know: any rule; a request becomes an operation, a refusal becomes a problem by one table.
//! Read first: [`routes`], the map; then `volume` for a view, `resource` for what all nouns share, `problem` for refusals.

mod admission;
mod affinity;
mod answer;
mod array;
mod body;
mod calibration;
mod capacity;
mod catalogue;
mod checkpoint;
mod clock;
mod consistency;
mod container;
mod controller;
mod copy_session;
mod document;
mod drive;
mod enclosure;
mod event;
mod filter;
mod host;
mod host_group;
mod host_port;
mod host_response;
mod interface;
mod job;
mod journal;
mod lens;
mod listing;
mod lun_group;
mod mapping;
mod masked;
mod note;
mod noted;
mod ontap;
mod operations;
mod parameters;
mod part;
mod password_policy;
mod path;
mod performance;
mod performance_counters;
mod performance_history;
mod performance_subject;
mod pick;
mod pool;
mod port_group;
mod port_parameters;
mod problem;
mod qos_policy;
mod raid_group;
mod record;
mod resource;
mod role;
mod route;
mod scenario_schema;
mod schemas;
mod server;
mod service;
mod session;
mod settings;
mod shape;
mod snapshot;
mod tenant;
mod terms;
mod tree;
mod unserved;
mod user;
mod volume;
mod what_if;
mod workload;

pub use document::{document, text};
pub use problem::{KINDS, Kind, kind};
pub use scenario_schema::scenario_schema;
pub use server::configure;

use actix_web::http::Method;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};

use self::admission::Access;
use self::answer::Shown;
use self::noted::Noted;
use self::route::{NounRoutes, Route, Text};
use crate::engine::Job;
use crate::model::{
    Affinity, Container, Controller, CopySession, Drive, Enclosure, Host, HostGroup, HostPort, HostResponse, Interface, LunGroup, Mapping, Part, Policy,
    PolicySet, Pool, PortGroup, QosPolicy, RaidGroup, Record, Role, Snapshot, TargetService, Tenant, User, Volume, Workload,
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
    of_users(&mut map);
    of_sessions(&mut map);
    of_tenants(&mut map);
    of_work(&mut map);
    of_settings(&mut map);
    of_whole(&mut map);
    of_checkpoints(&mut map);
    map
}

fn of_server(map: &mut Vec<Route>) {
    let (list, one) = ("/arrays", "/arrays/{array}");
    let get = Route::new(
        Method::GET,
        list,
        |request, _| Box::pin(array::list(request)),
        ("array_list", "arrays", "Lists arrays\n\nIn order of name unless `sort` says otherwise."),
    );
    map.push(get.lists::<array::View>());
    let text = "Makes an array\n\nFrom a model, with drives and nothing configured, or from a scenario.";
    let create = Route::new(Method::POST, list, |request, payload| Box::pin(array::create(request, payload)), ("array_create", "arrays", text));
    map.push(create.takes::<array::NewArray>().gives(201, |schemas| Some(schemas.refer::<array::View>())));
    let get = Route::new(Method::GET, one, |request, _| Box::pin(array::get(request)), ("array_get", "arrays", "Reads an array"));
    map.push(get.shows::<array::View>().conditional());
    let text = "Deletes an array\n\nWith all that is in it; requests that are under way see it to their end.";
    map.push(Route::new(Method::DELETE, one, |request, _| Box::pin(array::delete(request)), ("array_delete", "arrays", text)));
    of_listeners(map);
}

fn of_listeners(map: &mut Vec<Route>) {
    let path = "/arrays/{array}/ontap";
    let text = "Reads the ONTAP listener of an array\n\nWhere clients of the vendor reach it, and what they must trust.";
    let get = Route::new(Method::GET, path, |request, _| Box::pin(ontap::get(request)), ("ontap_listener_get", "arrays", text));
    map.push(get.answers::<ontap::View>());
    let text = "Opens the ONTAP listener of an array\n\nIn the place of the one that it has; nothing happens when that is there already. It is closed with the \
        array, and not opened again by itself when the server starts anew.";
    let set = Route::new(Method::PUT, path, |request, payload| Box::pin(ontap::set(request, payload)), ("ontap_listener_open", "arrays", text));
    map.push(set.takes::<ontap::Wanted>().answers::<ontap::View>());
    let text = "Closes the ONTAP listener of an array\n\nWhat is in progress there is answered.";
    map.push(Route::new(Method::DELETE, path, |request, _| Box::pin(ontap::close(request)), ("ontap_listener_close", "arrays", text)));
}

fn of_catalogue(map: &mut Vec<Route>) {
    let list = Route::new(
        Method::GET,
        "/models",
        |request, _| Box::pin(catalogue::models(request)),
        ("model_list", "models", "Lists hardware models\n\nWith every number and rule, and where it comes from."),
    );
    map.push(list.lists::<catalogue::Model<'static>>());
    let text = "Reads a hardware model";
    let get = Route::new(Method::GET, "/models/{model}", |request, _| Box::pin(catalogue::get_model(request)), ("model_get", "models", text));
    map.push(get.shows::<catalogue::Model<'static>>());
    let list = Route::new(
        Method::GET,
        "/scenarios",
        |request, _| Box::pin(catalogue::scenarios(request)),
        ("scenario_list", "scenarios", "Lists scenarios\n\nWith the operations that make them."),
    );
    map.push(list.lists::<catalogue::Scenario<'static>>());
    let text = "Reads a scenario";
    let get = Route::new(Method::GET, "/scenarios/{scenario}", |request, _| Box::pin(catalogue::get_scenario(request)), ("scenario_get", "scenarios", text));
    map.push(get.shows::<catalogue::Scenario<'static>>());
    let text = "Lists workload profiles\n\nWith the source of every number.";
    let list = Route::new(Method::GET, "/profiles", |request, _| Box::pin(catalogue::profiles(request)), ("profile_list", "profiles", text));
    map.push(list.lists::<catalogue::Profile<'static>>());
    let text = "Reads the calibration\n\nEvery published figure beside what the modelled array shows, those that no fit has used first. Answers \
                with Markdown where `Accept: text/markdown` asks for it.";
    let get = Route::new(Method::GET, "/calibration", |request, _| Box::pin(calibration::get(request)), ("calibration_get", "calibration", text));
    map.push(get.answers::<calibration::View>().also_as(&["text/markdown"]));
    let text = "Reads a chart of the calibration\n\nAn SVG picture: the modelled curves of an array, and on them the published points. The name is \
                that of an array in the report, `-transactions` behind it for its transactions.";
    let get = Route::new(
        Method::GET,
        "/calibration/charts/{chart}",
        |request, _| Box::pin(calibration::chart(request)),
        ("calibration_chart_get", "calibration", text),
    );
    map.push(get.gives(200, |_| Some(calibration::picture())).written_as("image/svg+xml"));
    let text = "Finds out what would be\n\nHow fast an array would be, configured otherwise or under another load: a curve for every variant, computed on a \
        copy. Nothing is changed.";
    let ask = Route::new(Method::POST, "/what-if", |request, payload| Box::pin(what_if::ask(request, payload)), ("what_if", "performance", text));
    map.push(ask.takes::<what_if::WhatIf>().answers::<what_if::View>());
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
    noun::<Drive>(map)
        .create::<ops::drive_install::Install>()
        .update::<ops::drive::Update>()
        .action::<ops::drive::fault::Fail>("fail")
        .action::<ops::drive::fault::PredictFailure>("predict-failure")
        .action::<ops::drive::fault::Pull>("pull")
        .action::<ops::drive::fault::Insert>("insert")
        .action::<ops::drive::maintenance::Replace>("replace")
        .action::<ops::drive::maintenance::RedundantCopy>("redundant-copy");
}

fn of_space(map: &mut Vec<Route>) {
    noun::<RaidGroup>(map)
        .create::<ops::raid_group::Create>()
        .update::<ops::raid_group::Update>()
        .delete::<ops::raid_group::Delete>()
        .action::<ops::raid_group::expand::Expand>("expand");
    noun::<Pool>(map)
        .create::<ops::pool::Create>()
        .update::<ops::pool::Update>()
        .delete::<ops::pool::Delete>()
        .action::<ops::pool::Expand>("expand")
        .action::<ops::pool_balance::Balance>("balance")
        .action::<ops::pool_balance::StopBalancing>("balance/stop");
    noun::<Container>(map)
        .create::<ops::container::Create>()
        .update::<ops::container::Update>()
        .delete::<ops::container::Delete>()
        .action::<ops::container::Split>("split")
        .action::<ops::container_migration::Migrate>("migrate")
        .action::<ops::container_migration::PauseMigration>("migrate/pause")
        .action::<ops::container_migration::ResumeMigration>("migrate/resume")
        .action::<ops::container_migration::StopMigration>("migrate/stop");
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
        .action::<ops::volume::Initialize>("initialize")
        .makes::<ops::volume::Clone>("clone")
        .makes::<ops::volume::Snapshot>("snapshot")
        .makes::<ops::volume::RotateSnapshots>("snapshot/rotate")
        .action::<ops::volume::Resync>("resync")
        .action::<ops::volume::Move>("move");
    let text = "Lists the paths to a volume\n\nThrough which ports which hosts reach it, under which number, and how well.";
    let list = Route::new(Method::GET, "/arrays/{array}/volumes/{volume}/paths", |request, _| Box::pin(path::list(request)), ("volume_paths", "volumes", text));
    map.push(list.lists::<path::View<'static>>());
    noun::<CopySession>(map)
        .create::<ops::copy_session::Create>()
        .update::<ops::copy_session::Update>()
        .delete::<ops::copy_session::Delete>()
        .action::<ops::copy_session::Suspend>("suspend")
        .action::<ops::copy_session::Resume>("resume")
        .action::<ops::copy_session::Restart>("restart")
        .action::<ops::copy_session::Restore>("restore")
        .action::<ops::copy_session::Reverse>("reverse");
}

fn of_access(map: &mut Vec<Route>) {
    noun::<Host>(map).create::<ops::host::Create>().update::<ops::host::Update>().delete::<ops::host::Delete>();
    noun::<HostGroup>(map).create::<ops::host_group::Create>().update::<ops::host_group::Update>().delete::<ops::host_group::Delete>();
    noun::<PortGroup>(map).create::<ops::port_group::Create>().update::<ops::port_group::Update>().delete::<ops::port_group::Delete>();
    noun::<LunGroup>(map).create::<ops::lun_group::Create>().update::<ops::lun_group::Update>().delete::<ops::lun_group::Delete>();
    noun::<Affinity>(map).create::<ops::affinity::Create>().update::<ops::affinity::Update>().delete::<ops::affinity::Delete>();
    noun::<Mapping>(map).create::<ops::mapping::Create>().update::<ops::mapping::Update>().delete::<ops::mapping::Delete>();
}

/// Who manages users or roles sees them without seeing the rest of the array, and everybody sees itself.
const SEES_USERS: PolicySet = PolicySet::of(Policy::StatusDisplay).and(Policy::UserManagement).and(Policy::AuthenticationRole);

fn of_users(map: &mut Vec<Route>) {
    noun::<User>(map)
        .readable_by(Access::Holds(SEES_USERS), Access::HoldsOrIs(SEES_USERS))
        .create::<ops::user::Create>()
        .update::<ops::user::Update>()
        .delete::<ops::user::Delete>()
        .action::<ops::user::LockOut>("lock");
    noun::<Role>(map)
        .readable_by(Access::Holds(SEES_USERS), Access::Holds(SEES_USERS))
        .create::<ops::role::Create>()
        .update::<ops::role::Update>()
        .delete::<ops::role::Delete>();
    let path = "/arrays/{array}/password-policy";
    let get =
        Route::new(Method::GET, path, |request, _| Box::pin(password_policy::get(request)), ("password_policy_get", "users", "Reads the password policy"));
    map.push(get.answers::<password_policy::View>().tagged().conditional().open_to(Access::Holds(SEES_USERS)));
    let text = Text::of::<ops::password_policy::Update>();
    let update =
        Route::new(Method::PATCH, path, |request, payload| Box::pin(password_policy::update(request, payload)), ("password_policy_update", "users", text));
    map.push(update.does::<ops::password_policy::Update>().answers::<password_policy::View>().tagged());
}

fn of_sessions(map: &mut Vec<Route>) {
    for (base, of, whose) in [("", "server_session", "of the server's user"), ("/arrays/{array}", "session", "of the array's users")] {
        let (list, one) = (format!("{base}/sessions"), format!("{base}/sessions/{{session}}"));
        let text = "Logs in for a token\n\nWith a name and a password, in the body or as HTTP Basic. The server's user can log in at an array, too; its \
            sessions are the server's.";
        let create =
            Route::new(Method::POST, &list, |request, payload| Box::pin(session::create(request, payload)), (&format!("{of}_create"), "sessions", text));
        map.push(create.takes::<session::Login>().gives(201, |schemas| Some(schemas.refer::<session::New>())).open_to(Access::Anybody));
        let text = format!("Lists sessions {whose}\n\nOne's own, and all with a policy that lets one see users. Tokens are not shown.");
        let all = Route::new(Method::GET, &list, |request, _| Box::pin(session::list(request)), (&format!("{of}_list"), "sessions", text));
        map.push(all.lists::<session::View>().open_to(Access::Known));
        let get =
            Route::new(Method::GET, &one, |request, _| Box::pin(session::get(request)), (&format!("{of}_get"), "sessions", format!("Reads a session {whose}")));
        map.push(get.shows::<session::View>().open_to(Access::Known));
        let text = format!("Ends a session {whose}\n\nIts token opens nothing any more. One's own, or another's with the policy `user_management`.");
        let delete = Route::new(Method::DELETE, &one, |request, _| Box::pin(session::delete(request)), (&format!("{of}_delete"), "sessions", text));
        map.push(delete.open_to(Access::Known));
    }
}

fn of_tenants(map: &mut Vec<Route>) {
    noun::<Tenant>(map).create::<ops::tenant::Create>().update::<ops::tenant::Update>().delete::<ops::tenant::Delete>();
    noun::<Interface>(map)
        .create::<ops::interface::Create>()
        .update::<ops::interface::Update>()
        .delete::<ops::interface::Delete>()
        .action::<ops::interface::Migrate>("migrate")
        .action::<ops::interface::Revert>("revert");
    noun::<QosPolicy>(map).create::<ops::qos_policy::Create>().update::<ops::qos_policy::Update>().delete::<ops::qos_policy::Delete>();
    noun::<Record>(map).create::<ops::record::Create>().update::<ops::record::Update>().delete::<ops::record::Delete>();
    of_notes(map);
    noun::<TargetService>(map).create::<ops::service::Create>().update::<ops::service::Update>().delete::<ops::service::Delete>();
    noun::<HostResponse>(map).create::<ops::host_response::Create>().update::<ops::host_response::Update>().delete::<ops::host_response::Delete>();
}

fn of_notes(map: &mut Vec<Route>) {
    let path = "/arrays/{array}/notes/{noun}/{object}";
    let text = "Reads the notes of an object\n\nWhatever its noun. They also stand in its own view, when there are any.";
    let get = Route::new(Method::GET, path, |request, _| Box::pin(note::get(request)), ("note_get", "notes", text));
    map.push(get.answers::<note::View<'static>>().tagged().conditional());
    let text = Text::of::<ops::note::Set>();
    let update = Route::new(Method::PATCH, path, |request, payload| Box::pin(note::update(request, payload)), ("note_set", "notes", text));
    map.push(update.stands_for::<ops::note::Set>().takes::<note::Changes>().answers::<note::View<'static>>().tagged());
}

fn of_work(map: &mut Vec<Route>) {
    noun::<Workload>(map).create::<ops::workload::Create>().update::<ops::workload::Update>().delete::<ops::workload::Delete>();
    noun::<Job<AnyOperation>>(map).create::<ops::job::Submit>().delete::<ops::job::Delete>().action::<ops::job::Cancel>("cancel");
    let text = Text::of::<ops::job::Note>();
    let keep = Route::new(Method::POST, "/arrays/{array}/jobs/requests", |request, payload| Box::pin(job::keep(request, payload)), ("job_note", "jobs", text));
    map.push(keep.does::<ops::job::Note>().gives(201, |schemas| Some(schemas.refer::<Noted<'static, job::View<'static>>>())).tagged());
    let (list, one) = ("/arrays/{array}/events", "/arrays/{array}/events/{event}");
    let text = "Lists events\n\nThe newest 10,000 are kept. In order of number, oldest first, unless `sort` says otherwise.";
    map.push(
        Route::new(Method::GET, list, |request, _| Box::pin(event::list(request)), ("event_list", "events", text)).lists::<event::View<'static>>().waits(),
    );
    let read = Route::new(Method::GET, one, |request, _| Box::pin(event::get(request)), ("event_get", "events", "Reads an event"));
    map.push(read.shows::<event::View<'static>>());
}

fn of_settings(map: &mut Vec<Route>) {
    use crate::ops::settings as set;
    let path = "/arrays/{array}/settings";
    let get = Route::new(
        Method::GET,
        path,
        |request, _| Box::pin(settings::get(request)),
        ("settings_get", "settings", "Reads the settings\n\nAll sections; secrets are hidden."),
    );
    map.push(get.answers::<settings::View>().tagged().conditional());
    section::<set::Update>(map, Method::PATCH, "", |request, payload| Box::pin(settings::change::<set::Update>(request, payload)));
    section::<set::network::Update>(map, Method::PATCH, "/network", |request, payload| Box::pin(settings::change::<set::network::Update>(request, payload)));
    section::<set::notification::Update>(map, Method::PATCH, "/notification", |request, payload| {
        Box::pin(settings::change::<set::notification::Update>(request, payload))
    });
    section::<set::certificate::Update>(map, Method::PATCH, "/certificate", |request, payload| {
        Box::pin(settings::change::<set::certificate::Update>(request, payload))
    });
    section::<set::encryption::Update>(map, Method::PATCH, "/encryption", |request, payload| {
        Box::pin(settings::change::<set::encryption::Update>(request, payload))
    });
    section::<set::thin_provisioning::Update>(map, Method::PATCH, "/thin-provisioning", |request, payload| {
        Box::pin(settings::change::<set::thin_provisioning::Update>(request, payload))
    });
    section::<set::licence::Register>(map, Method::POST, "/licences", |request, payload| {
        Box::pin(settings::change::<set::licence::Register>(request, payload))
    });
    let text = Text::of::<set::licence::Remove>();
    let one = format!("{path}/licences/{{licence}}");
    map.push(
        Route::new(Method::DELETE, one, |request, _| Box::pin(settings::remove_licence(request)), ("licence_remove", "settings", text))
            .stands_for::<set::licence::Remove>(),
    );
    let text = Text::of::<set::firmware::Update>();
    let update = Route::new(
        Method::PATCH,
        format!("{path}/firmware"),
        |request, payload| Box::pin(settings::update_firmware(request, payload)),
        ("firmware_update", "settings", text),
    );
    map.push(update.does::<set::firmware::Update>().gives(202, <crate::model::Key<Job<AnyOperation>> as answer::Answer>::schema));
}

/// A section of the settings that an operation changes.
fn section<O: schemas::Described>(map: &mut Vec<Route>, method: Method, rest: &str, handler: route::Handler) {
    let (id, text) = (O::NAME.replace(['.', '-'], "_"), Text::of::<O>());
    let route = Route::new(method, format!("/arrays/{{array}}/settings{rest}"), handler, (&id, "settings", text));
    map.push(route.does::<O>().answers::<settings::View>().tagged());
}

fn of_whole(map: &mut Vec<Route>) {
    let of = |rest: &str| format!("/arrays/{{array}}/{rest}");
    let text = "Measures the array\n\nThe equilibrium under the workloads that run now; every object appears, also an idle one.";
    map.push(
        Route::new(Method::GET, of("performance"), |request, _| Box::pin(performance::get(request)), ("performance_get", "performance", text))
            .answers::<performance::View>(),
    );
    let text = "Reads the books of all space\n\nAt every level what there is, what is given out, and what is left.";
    map.push(
        Route::new(Method::GET, of("capacity"), |request, _| Box::pin(capacity::get(request)), ("capacity_get", "capacity", text)).answers::<capacity::View>(),
    );
    let text = "Checks whether the array agrees with itself\n\nUsed and free add up at every level, no reference dangles, and nothing is given out twice.";
    map.push(
        Route::new(Method::GET, of("consistency"), |request, _| Box::pin(consistency::get(request)), ("consistency_get", "consistency", text))
            .answers::<consistency::View>(),
    );
    let get = Route::new(Method::GET, of("clock"), |request, _| Box::pin(clock::get(request)), ("clock_get", "clock", "Reads the clock"));
    map.push(get.answers::<clock::View>().tagged());
    let text = Text::of::<ops::clock::Set>();
    let set =
        Route::new(Method::PATCH, of("clock"), |request, payload| Box::pin(clock::change::<ops::clock::Set>(request, payload)), ("clock_set", "clock", text));
    map.push(set.does::<ops::clock::Set>().answers::<clock::View>().tagged());
    let text = Text::of::<ops::clock::Advance>();
    let advance = Route::new(
        Method::POST,
        of("clock/advance"),
        |request, payload| Box::pin(clock::change::<ops::clock::Advance>(request, payload)),
        ("clock_advance", "clock", text),
    );
    map.push(advance.does::<ops::clock::Advance>().answers::<clock::View>().tagged());
    let text = "Does a list of operations, all or nothing\n\nEach is one field that is called like the operation and holds its fields, with the target \
        among them. When one is refused, nothing has happened, and the problem says which one by `index` and `operation`.";
    let run =
        Route::new(Method::POST, of("operations"), |request, payload| Box::pin(operations::run(request, payload)), ("operations_run", "operations", text));
    map.push(run.body(operations::body).gives(200, |schemas| Some(schemas.items::<crate::site::Done>())).open_to(Access::Known));
    let text = "Lists the journal\n\nWhat came from outside, in order; refused operations are not in it, nor is what happens by itself.";
    map.push(
        Route::new(Method::GET, of("journal"), |request, _| Box::pin(journal::list(request)), ("journal_list", "operations", text))
            .lists::<journal::View<'static>>(),
    );
    let text = "Lists calls that are not served\n\nWhat clients of the vendor's own interface asked for and what that front does not offer, with how often: \
        so users see what they miss. At most 1000 different calls are counted, since the program started.";
    map.push(
        Route::new(Method::GET, of("unserved"), |request, _| Box::pin(unserved::list(request)), ("unserved_list", "operations", text))
            .lists::<unserved::View>(),
    );
    of_history(map);
}

/// What the array did in the past.
fn of_history(map: &mut Vec<Route>) {
    let of = |rest: &str| format!("/arrays/{{array}}/performance/{rest}");
    let text = "Draws charts of the past\n\nComputed from the log of what changed: any window, any resolution, from the first minute. In every bucket I/O, bytes, \
        utilization and queues are weighted by time, latencies (the 99th percentile, too) by operations, so volumes, ports and RAID groups each add up to \
        the total in every bucket.";
    let get = Route::new(Method::GET, of("history"), |request, _| Box::pin(performance_history::get(request)), ("performance_history", "performance", text));
    map.push(get.answers::<performance_history::View>().query(parameters::of_history));
    let text = "Lists raw counters\n\nOperations, bytes, microseconds of latency and of work of everything, since the history began: whole numbers that \
        never fall within an epoch, and between two readings rise by rate times time.";
    let list =
        Route::new(Method::GET, of("counters"), |request, _| Box::pin(performance_counters::list(request)), ("performance_counters", "performance", text));
    map.push(list.lists::<performance_counters::View>());
    let text = "Reads the raw counters of one thing\n\nOf a `controller`, `host-port`, `raid-group`, `pool`, `container`, `volume` or `workload` by id, number \
        or name, or of the `array` (`array/total`).";
    let path = of("counters/{kind}/{object}");
    let get = Route::new(Method::GET, path, |request, _| Box::pin(performance_counters::get(request)), ("performance_counters_get", "performance", text));
    map.push(get.gives(200, |schemas| Some(schemas.view_or_part::<performance_counters::View>())).query(parameters::of_one));
}

fn of_checkpoints(map: &mut Vec<Route>) {
    let (list, one) = ("/arrays/{array}/checkpoints", "/arrays/{array}/checkpoints/{checkpoint}");
    let text = "Lists checkpoints\n\nIn order of number unless `sort` says otherwise.";
    let get = Route::new(Method::GET, list, |request, _| Box::pin(checkpoint::list(request)), ("checkpoint_list", "checkpoints", text));
    map.push(get.lists::<checkpoint::View<'static>>());
    let text = "Saves the array as it is now\n\nAll of it, with its clock. At most 100 are kept.";
    let create = Route::new(Method::POST, list, |request, payload| Box::pin(checkpoint::create(request, payload)), ("checkpoint_create", "checkpoints", text));
    map.push(create.takes::<checkpoint::NewCheckpoint>().gives(201, |schemas| Some(schemas.refer::<checkpoint::View<'static>>())).tagged());
    let text = "Reads a checkpoint\n\nIt is named by id, number or name, tried in that order.";
    let get = Route::new(Method::GET, one, |request, _| Box::pin(checkpoint::get(request)), ("checkpoint_get", "checkpoints", text));
    map.push(get.shows::<checkpoint::View<'static>>());
    let text = "Reads the whole state that a checkpoint holds\n\nIts format is named in it; it is not part of this API's promise. Secrets are in it: it is for the server's user.";
    let content = format!("{one}/content");
    let get = Route::new(Method::GET, content, |request, _| Box::pin(checkpoint::content(request)), ("checkpoint_content", "checkpoints", text));
    map.push(get.gives(200, |_| Some(ObjectBuilder::new().schema_type(SchemaType::new(Type::Object)).into())).open_to(Access::Server));
    let text = "Deletes a checkpoint\n\nThe array stays as it is.";
    map.push(Route::new(Method::DELETE, one, |request, _| Box::pin(checkpoint::delete(request)), ("checkpoint_delete", "checkpoints", text)));
    let text = "Goes back to a checkpoint\n\nThe array is what it was then, its clock included. A new epoch begins: the journal begins with that state, tags and \
        identifiers of events given before no longer fit, keys of requests are forgotten. Checkpoints and paths stay.";
    let restore = Route::new(
        Method::POST,
        format!("{one}/restore"),
        |request, payload| Box::pin(checkpoint::restore(request, payload)),
        ("checkpoint_restore", "checkpoints", text),
    );
    map.push(restore.answers::<array::View>().tagged());
    let text = "Goes back to the beginning\n\nThe array is what it was when it was made. A new epoch begins, as after restoring a checkpoint.";
    let reset = Route::new(
        Method::POST,
        "/arrays/{array}/reset",
        |request, payload| Box::pin(checkpoint::reset(request, payload)),
        ("array_reset", "checkpoints", text),
    );
    map.push(reset.answers::<array::View>().tagged());
}
