//! `/network/ip/subnets`: ranges from which interfaces take their addresses. Records; interfaces refer to theirs by a note.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Interface, Notes, Object, Record, RecordKind};
use crate::net;
use crate::ops;
use crate::refusal::{Outcome, Refusal};
use crate::resources::{configured, ipspace};

/// The subnets.
pub(crate) struct Subnets;

impl Collection for Subnets {
    fn path(&self) -> &'static str {
        "/network/ip/subnets"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(configured::rows(view, RecordKind::Subnet))
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        Ok(configured::find(view, RecordKind::Subnet, keys))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(subnet) = configured::at(view, row) else { return json!({}) };
        let mut record = json!({"uuid": subnet.id(), "name": subnet.name(), "ipspace": ipspace::of(view, Some(subnet))});
        kept::show(&mut record, subnet, &["subnet", "gateway", "ip_ranges"]);
        if let Some(domain) = kept::record(view.array, subnet.note("broadcast_domain")) {
            record["broadcast_domain"] = refer(domain.name(), domain.id());
        }
        let total: u128 = ranges(subnet).iter().map(|(first, last)| last.saturating_sub(*first) + 1).sum();
        let used = view.array.interfaces.iter().filter(|interface| is_from(interface, subnet)).count() as u64;
        let total = u64::try_from(total).unwrap_or(u64::MAX);
        record["total_count"] = json!(total);
        record["used_count"] = json!(used);
        record["available_count"] = json!(total.saturating_sub(used));
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let name = body.required("name")?.to_owned();
        let mut notes = said(call, body)?;
        if !notes.contains_key("subnet") {
            return Err(Refusal::required("subnet.address"));
        }
        if !notes.contains_key("broadcast_domain") {
            return Err(Refusal::required("broadcast_domain"));
        }
        notes.entry("ip_ranges".to_owned()).or_insert(json!([]));
        configured::create(call, ops::record::Create { kind: RecordKind::Subnet, name, tenant: None, notes: Some(notes) })
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        configured::update(call, row, body.text("name"), said(call, body)?)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        configured::delete(call, row)
    }
}

fn said(call: &Call<'_>, body: &Body) -> Outcome<Notes> {
    let mut notes = kept::said(body, &["gateway"]);
    if let Some(network) = net::network(body, "subnet")? {
        notes.insert("subnet".to_owned(), network);
    }
    if let Some(ranges) = body.bodies("ip_ranges") {
        let mut kept = Vec::new();
        for range in ranges {
            let (first, last) = (range.required("start")?, range.text("end").or(range.text("start")).unwrap_or_default());
            match (net::number(first), net::number(last)) {
                (Some(one), Some(other)) if one <= other => kept.push(json!({"start": first, "end": last, "family": net::family(first)})),
                _ => return Err(Refusal::bad(1_377_660, format!("\"{first}\" to \"{last}\" is no range of addresses.")).at("ip_ranges")),
            }
        }
        notes.insert("ip_ranges".to_owned(), json!(kept));
    }
    let (domain, space) = call.read(|view| {
        let domain = body.named("broadcast_domain").map(|named| {
            let found = kept::find(view.array, RecordKind::BroadcastDomain, &named, None);
            found
                .map(kept::reference)
                .ok_or_else(|| Refusal::bad(1_967_082, format!("Broadcast domain \"{}\" does not exist.", named.shown())).at("broadcast_domain"))
        });
        Ok((domain.transpose()?, ipspace::named(view, body, 1_967_082)?.map(kept::reference)))
    })?;
    notes.extend(domain.map(|domain| ("broadcast_domain".to_owned(), domain)));
    notes.extend(space.map(|space| ("ipspace".to_owned(), space)));
    Ok(notes)
}

fn ranges(subnet: &Record) -> Vec<(u128, u128)> {
    let all = subnet.note("ip_ranges").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    all.iter().filter_map(|range| Some((net::number(range["start"].as_str()?)?, net::number(range["end"].as_str()?)?))).collect()
}

fn is_from(interface: &Interface, subnet: &Record) -> bool {
    interface.note("subnet").and_then(|note| note["record"].as_str()).is_some_and(|id| id == subnet.id().to_string())
}

/// The first free address of a subnet, and how many bits name its network.
pub(crate) fn free_address(view: &View<'_>, subnet: &Record) -> Outcome<(String, u8)> {
    let network = subnet.note("subnet").cloned().unwrap_or_default();
    let length = network["netmask"].as_str().and_then(net::prefix).unwrap_or(24);
    let like = network["address"].as_str().unwrap_or_default();
    let taken: std::collections::BTreeSet<&str> = view.array.interfaces.iter().map(Interface::address).collect();
    let free = ranges(subnet)
        .into_iter()
        .flat_map(|(first, last)| first..=last)
        .map(|number| net::address(number, like))
        .find(|address| !taken.contains(address.as_str()));
    let full = || Refusal::conflict(1_966_269, format!("The subnet \"{}\" has no free address.", subnet.name())).at("subnet");
    free.map(|address| (address, length)).ok_or_else(full)
}
