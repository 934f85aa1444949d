//! `/cluster/ntp/servers`: the time servers of the array's network settings.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View};
use crate::fields::Want;
use crate::model::Notes;
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};
use crate::resources::cluster;

/// The servers.
pub(crate) struct NtpServers;

impl Collection for NtpServers {
    fn path(&self) -> &'static str {
        "/cluster/ntp/servers"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["server"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok((0..).zip(names(view)).map(|(place, _)| Row(place, 0)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(name) = at(view, row) else { return json!({}) };
        let version = cluster::note(view, "ntp_versions").and_then(|all| all[name].as_str());
        json!({"server": name, "version": version.unwrap_or("auto"), "authentication_enabled": false})
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let server = body.required("server")?.to_owned();
        if body.flag("authentication_enabled") == Some(true) || body.has("key") {
            return Err(Refusal::bad(2_097_169, "Keys of time servers are not kept by this array.").at("authentication_enabled"));
        }
        let (operations, place) = call.read(|view| {
            let mut all: Vec<String> = names(view).into_iter().map(str::to_owned).collect();
            if all.contains(&server) {
                return Err(Refusal::conflict(2_097_168, format!("The time server \"{server}\" is there already.")).at("server"));
            }
            all.push(server.clone());
            let mut operations = set(&all);
            operations.extend(version(view, &server, body));
            Ok((operations, u32::try_from(all.len() - 1).unwrap_or(0)))
        })?;
        call.run(operations)?;
        Ok(Row(place, 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let operation = call.read(|view| at(view, row).and_then(|name| version(view, name, body)));
        operation.map_or(Ok(()), |operation| call.run(vec![operation]).map(drop))
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let operations = call.read(|view| {
            let gone = at(view, row);
            let left: Vec<String> = names(view).into_iter().filter(|name| Some(*name) != gone).map(str::to_owned).collect();
            set(&left)
        });
        call.run(operations).map(drop)
    }
}

/// The names of all servers.
pub(crate) fn names<'a>(view: &View<'a>) -> Vec<&'a str> {
    view.array.settings.network.ntp_servers.iter().map(String::as_str).collect()
}

/// The operations after which there are these and no others.
pub(crate) fn replaced(_: &View<'_>, servers: &[String]) -> Vec<AnyOperation> {
    set(servers)
}

fn set(all: &[String]) -> Vec<AnyOperation> {
    vec![ops::settings::network::Update { ntp_servers: Some(all.to_vec()), ..ops::settings::network::Update::default() }.into()]
}

fn at<'a>(view: &View<'a>, row: Row) -> Option<&'a str> {
    names(view).get(usize::try_from(row.0).ok()?).copied()
}

fn version(view: &View<'_>, server: &str, body: &Body) -> Option<AnyOperation> {
    let version = body.text("version")?;
    let mut all = cluster::note(view, "ntp_versions").cloned().unwrap_or_else(|| json!({}));
    all[server] = json!(version);
    cluster::noted(view, Notes::from([("ntp_versions".to_owned(), all)]))
}
