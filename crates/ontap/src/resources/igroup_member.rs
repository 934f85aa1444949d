//! What is in igroups: `/protocols/san/igroups/{igroup.uuid}/initiators`, the igroups inside, and `/protocols/san/initiators`, those of all.

use serde_json::{Value, json};

use crate::body::{Body, Named};
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Host, HostGroup, Key, Object, Protocol, Tenant};
use crate::ops;
use crate::refusal::{Outcome, Refusal};
use crate::resources::igroup::{Igroups, above, address, all_above, find, forgotten, hosts, initiator, is_igroup, mappings};

/// Initiators of one.
pub(crate) struct Initiators;
/// Igroups inside of one.
pub(crate) struct Nested;
/// All initiators of SVMs.
pub(crate) struct AllInitiators;

impl Collection for Initiators {
    fn path(&self) -> &'static str {
        "/protocols/san/igroups/{igroup.uuid}/initiators"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["igroup", "comment"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(all_above(view, true)?.iter().flat_map(|group| group.hosts.iter().map(|host| Row(group.key().raw(), host.raw()))).collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let wanted = keys.first().map(|key| key.to_lowercase()).unwrap_or_default();
        let is_it = |host: &&Host| address(host) == wanted || address(host).replace(':', "") == wanted;
        let found = |group: &HostGroup| hosts(view.array, group).find(is_it).map(|host| Row(group.key().raw(), host.key().raw()));
        Ok(all_above(view, true)?.into_iter().find_map(found))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let (group, host) = (Igroups::get(view, row), view.array.hosts.get(Key::from_raw(row.1)));
        let Some((group, host)) = group.zip(host) else { return json!({}) };
        let mut record = initiator(host);
        record["igroup"] = refer(group.name(), group.id());
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let (group, operations) = call.read(|view| {
            let group = above(view, true)?;
            let joining = Igroups::joining(view.array, std::slice::from_ref(body), group.protocol);
            let (mut operations, hosts) = joining.map_err(|refusal| refusal.at("name"))?;
            let name = body.text("name").unwrap_or_default().to_lowercase();
            if self::hosts(view.array, group).any(|host| address(host).replace(':', "") == name.replace(':', "")) {
                return Err(Refusal::conflict(5_374_035, format!("The initiator \"{name}\" is in the igroup \"{}\" already.", group.name())).at("name"));
            }
            let update = ops::host_group::Update { host_group: group.id().to_string(), add_hosts: Some(hosts), ..ops::host_group::Update::default() };
            operations.push(update.into());
            Ok((group.key(), operations))
        })?;
        call.run(operations)?;
        let name = body.text("name").unwrap_or_default().to_owned();
        call.read(|view| self.find(view, &[name])).map(|found| found.unwrap_or(Row(group.raw(), 0)))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let host = call.read(|view| view.array.hosts.get(Key::from_raw(row.1)).map(|host| host.id().to_string())).unwrap_or_default();
        call.run(kept::keep("host", &host, kept::said(body, &["comment"])).into_iter().collect()).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let may = call.is_on("allow_delete_while_mapped");
        let operations = call.read(|view| {
            let Some(group) = Igroups::get(view, row) else { return Err(self.absent()) };
            let host = Key::from_raw(row.1);
            if !may && mappings(view.array, group).next().is_some() {
                let message =
                    format!("The igroup \"{}\" has LUNs mapped to it; an initiator is removed from it with \"allow_delete_while_mapped\".", group.name());
                return Err(Refusal::conflict(1_254_213, message));
            }
            let named = view.array.hosts.get(host).map(|host| host.id().to_string()).unwrap_or_default();
            let leave = ops::host_group::Update { host_group: group.id().to_string(), remove_hosts: Some(vec![named]), ..ops::host_group::Update::default() };
            let mut operations = vec![leave.into()];
            operations.extend(forgotten(view.array, &[host], group.key()));
            Ok(operations)
        })?;
        call.run(operations).map(drop)
    }
    fn absent(&self) -> Refusal {
        Refusal::missing(5_374_850, "The initiator is not in the igroup.")
    }
}

impl Collection for Nested {
    fn path(&self) -> &'static str {
        "/protocols/san/igroups/{igroup.uuid}/igroups"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let group = above(view, true)?;
        Ok(group.groups.iter().map(|inner| Row(group.key().raw(), inner.raw())).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let (group, inner) = (Igroups::get(view, row), view.array.host_groups.get(Key::<HostGroup>::from_raw(row.1)));
        let Some((group, inner)) = group.zip(inner) else { return json!({}) };
        json!({"uuid": inner.id(), "name": inner.name(), "igroup": {"uuid": group.id()}})
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let (row, update) = call.read(|view| {
            let group = above(view, true)?;
            let named = Named { uuid: body.text("uuid").map(str::to_owned), name: body.text("name").map(str::to_owned) };
            let inner = find(view.array, &named, true, group.tenant).ok_or_else(|| Igroups.absent().at("name"))?;
            let add = Some(vec![inner.id().to_string()]);
            let update = ops::host_group::Update { host_group: group.id().to_string(), add_groups: add, ..ops::host_group::Update::default() };
            Ok((Row(group.key().raw(), inner.key().raw()), update))
        })?;
        call.run(vec![update.into()]).map(|_| row)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let update = call.read(|view| {
            let id = |key: u32| view.array.host_groups.get(Key::from_raw(key)).map(|group| group.id().to_string()).unwrap_or_default();
            ops::host_group::Update { host_group: id(row.0), remove_groups: Some(vec![id(row.1)]), ..ops::host_group::Update::default() }
        });
        call.run(vec![update.into()]).map(drop)
    }
}

impl Collection for AllInitiators {
    fn path(&self) -> &'static str {
        "/protocols/san/initiators"
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let groups = view.array.host_groups.iter().filter(|group| is_igroup(group));
        let mut all: Vec<(u32, u32)> = groups.flat_map(|group| group.hosts.iter().filter_map(|host| group.tenant.map(|svm| (svm.raw(), host.raw())))).collect();
        all.sort_unstable();
        all.dedup();
        Ok(all.into_iter().map(|(svm, host)| Row(svm, host)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let (svm, host) = (view.array.tenants.get(Key::<Tenant>::from_raw(row.0)), view.array.hosts.get(Key::<Host>::from_raw(row.1)));
        let Some((svm, host)) = svm.zip(host) else { return json!({}) };
        let mut record = initiator(host);
        record["svm"] = refer(svm.name(), svm.id());
        record["protocol"] = json!(if host.initiator.protocol() == Protocol::Fc { "fcp" } else { "iscsi" });
        record
    }
}
