//! Commands that change something.

use std::sync::Arc;

use actix_web::http::Method;
use serde_json::{Map, Value, json};

use super::named;
use super::own::DISK_OPTIONS;
use crate::body::Named;
use crate::collection::View;
use crate::model::{Notes, Object, RecordKind};
use crate::ops::{self, Actor, AnyOperation};
use crate::query::{Query, truth};
use crate::refusal::{Outcome, Refusal};
use crate::refusals;
use crate::resources::lun_path;
use crate::scope::Scope;
use crate::site::Hosted;
use crate::version::Version;

/// A command that changes something.
pub(super) struct Change<'a> {
    pub(super) hosted: &'a Arc<Hosted>,
    pub(super) actor: &'a Actor,
    pub(super) query: &'a Query,
    pub(super) version: Version,
    pub(super) body: Value,
    /// The SVM into which the command goes.
    pub(super) scope: Option<Scope>,
}

impl Change<'_> {
    /// Does it, and tells how many objects it was about; `None` where there is no such command.
    pub(super) fn run(&self, method: &Method, command: &str) -> Outcome<Option<usize>> {
        let operations = match (method.as_str(), command) {
            ("PATCH", "storage/disk/option") => self.of_cluster().and_then(|()| self.disk_options())?,
            ("PATCH" | "POST", "network/port/broadcast-domain/remove-ports") => self.of_cluster().and_then(|()| self.domain_ports(false))?,
            ("PATCH" | "POST", "network/port/broadcast-domain/add-ports") => self.of_cluster().and_then(|()| self.domain_ports(true))?,
            ("POST", "volume/file/clone" | "volume/file/clone/create") => self.clone_file()?,
            _ => return Ok(None),
        };
        let count = operations.len();
        if count > 0 {
            self.hosted.batch(self.actor.clone(), operations).map_err(|error| refusals::of_change(&error, "/storage/luns"))?;
        }
        Ok(Some(count))
    }
    /// Accounts of SVMs change nothing of the cluster's.
    fn of_cluster(&self) -> Outcome<()> {
        if self.scope.is_some_and(|scope| scope.is_account) { Err(Refusal::not_authorized()) } else { Ok(()) }
    }
    /// The SVM that a command names, or into which it goes; another one contradicts that.
    fn svm(&self) -> Outcome<String> {
        let own = self.scope.and_then(|scope| self.read(|view| view.array.tenants.get(scope.svm).map(|svm| svm.name().to_owned())));
        match (self.text("vserver"), own) {
            (Some(named), Some(own)) if named != own => Err(Refusal::other_svm("vserver")),
            (_, Some(own)) => Ok(own),
            (_, None) => self.required("vserver"),
        }
    }
    fn read<R>(&self, look: impl FnOnce(&View<'_>) -> R) -> R {
        let empty = Query::default();
        self.hosted.read(|world| look(&View::of(world, self.hosted, self.version, &empty)))
    }
    /// What the body says, or the query; words with hyphens or underscores.
    fn said(&self, name: &str) -> Option<Value> {
        let in_body = self.body.as_object().and_then(|fields| fields.iter().find(|(known, _)| named(known) == name)).map(|(_, value)| value.clone());
        in_body.or_else(|| self.query.get(name).or_else(|| self.query.get(&name.replace('_', "-"))).map(|text| json!(text)))
    }
    fn text(&self, name: &str) -> Option<String> {
        self.said(name)?.as_str().map(str::to_owned)
    }
    fn required(&self, name: &str) -> Outcome<String> {
        self.text(name).filter(|text| !text.is_empty()).ok_or_else(|| Refusal::required(&name.replace('_', "-")))
    }
    fn disk_options(&self) -> Outcome<Vec<AnyOperation>> {
        let node = self.text("node");
        let mut options = Map::new();
        for (name, _) in DISK_OPTIONS {
            let Some(value) = self.said(name) else { continue };
            let on = value.as_bool().or_else(|| truth(value.as_str()?));
            options.insert(name.into(), json!(on.ok_or_else(|| Refusal::bad_value(name, &value, "true or false"))?));
        }
        if let Some(policy) = self.said("autoassign_policy") {
            options.insert("autoassign_policy".into(), policy);
        }
        Ok(self.read(|view| {
            let meant = view.array.controllers.iter().filter(|item| node.as_ref().is_none_or(|node| *node == "*" || *node == view.node_name(item)));
            let set = meant.map(|item| {
                let mut all = item.note("disk_options").and_then(Value::as_object).cloned().unwrap_or_default();
                all.extend(options.clone());
                let notes = Notes::from([("disk_options".to_owned(), Value::Object(all))]);
                ops::note::Set { noun: "controller".into(), object: item.id().to_string(), notes }.into()
            });
            set.collect()
        }))
    }
    /// Ports leave a broadcast domain, or come to it.
    fn domain_ports(&self, come: bool) -> Outcome<Vec<AnyOperation>> {
        let (domain, ipspace) = (self.required("broadcast_domain")?, self.text("ipspace").unwrap_or_else(|| "Default".into()));
        let ports: Vec<String> = match self.said("ports") {
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Some(Value::String(text)) => text.split(',').map(|port| port.trim().to_owned()).filter(|port| !port.is_empty()).collect(),
            _ => Vec::new(),
        };
        self.read(|view| {
            let array = view.array;
            let lies_in = |record: &&crate::model::Record| {
                let space = crate::kept::record(array, record.note("ipspace")).map_or("Default", Object::name);
                record.kind == RecordKind::BroadcastDomain && record.name() == domain && space == ipspace
            };
            let unknown = || Refusal::missing(4, format!("Broadcast domain \"{domain}\" does not exist in IPspace \"{ipspace}\".")).at("broadcast-domain");
            let domain = array.records.iter().find(lies_in).ok_or_else(unknown)?;
            let change = |named: &String| {
                let (node, port) = named.split_once(':').unwrap_or(("", named));
                let is_it = |item: &&crate::model::HostPort| {
                    let own = array.controllers.get(item.controller).map(|node| view.node_name(node));
                    item.name().rsplit(':').next() == Some(port) && own.as_deref() == Some(node)
                };
                let missing = || Refusal::missing(1_967_130, format!("Port \"{named}\" does not exist.")).at("ports");
                let item = array.host_ports.iter().find(is_it).ok_or_else(missing)?;
                let is_in = crate::kept::record(array, item.note("broadcast_domain")).is_some_and(|known| known.id() == domain.id());
                if !come && !is_in {
                    return Err(Refusal::bad(2, format!("Port \"{named}\" is not in broadcast domain \"{}\".", domain.name())).at("ports"));
                }
                let value = if come { crate::kept::reference(domain) } else { Value::Null };
                let notes = Notes::from([("broadcast_domain".to_owned(), value)]);
                Ok(ops::note::Set { noun: "host-port".into(), object: item.id().to_string(), notes }.into())
            };
            ports.iter().map(change).collect()
        })
    }
    /// A LUN is cloned in its volume, from what it is or from a snapshot.
    fn clone_file(&self) -> Outcome<Vec<AnyOperation>> {
        let (svm, volume) = (self.svm()?, self.required("volume")?);
        let within = |path: String| {
            let path = path.trim_start_matches('/').to_owned();
            path.strip_prefix(&format!("vol/{volume}/")).map_or(path.clone(), str::to_owned)
        };
        let (source, destination) = (within(self.required("source_path")?), within(self.required("destination_path")?));
        let snapshot = self.text("snapshot_name").filter(|name| !name.is_empty());
        let clone = self.hosted.read(|world| {
            let array = &world.array;
            let tenant = array.tenants.iter().find(|tenant| tenant.name() == svm).map(Object::key);
            if tenant.is_none() {
                return Err(Refusal::bad(2_621_462, format!("SVM \"{svm}\" does not exist.")).at("vserver"));
            }
            let container = array.containers.iter().find(|container| container.name() == volume && container.tenant == tenant);
            let unknown = || Refusal::bad(917_927, format!("Volume \"{volume}\" does not exist in SVM \"{svm}\".")).at("volume");
            let container = container.ok_or_else(unknown)?;
            let Some(snapshot) = &snapshot else {
                let named = Named { uuid: None, name: Some(format!("/vol/{volume}/{source}")) };
                let lun = [false, true].into_iter().find_map(|namespaces| lun_path::find(array, &named, namespaces, tenant));
                let missing = || Refusal::missing(5_374_875, format!("The LUN \"/vol/{volume}/{source}\" was not found.")).at("source-path");
                return Ok(json!({"volume": lun.ok_or_else(missing)?.id(), "name": destination}));
            };
            let found = array.snapshots_of(container.key()).find(|known| known.name() == snapshot);
            let missing = || Refusal::missing(1_638_600, format!("The snapshot \"{snapshot}\" does not exist in the volume.")).at("snapshot-name");
            Ok(json!({"volume": source, "snapshot": found.ok_or_else(missing)?.id(), "name": destination}))
        })?;
        let operation: AnyOperation =
            serde_json::from_value(json!({"volume.clone": clone})).map_err(|error| Refusal::bad(3, format!("The clone cannot be made: {error}.")))?;
        Ok(vec![operation])
    }
}
