//! What bodies of SVMs become.

use serde_json::{Value, json};

use crate::body::{Body, Named};
use crate::collection::{Call, Row, View, resolve};
use crate::kept;
use crate::model::{Container, Guarantee, Notes, Object, Pool, Protocol, RecordKind, Tenant, TenantState};
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};
use crate::resources::svm::{BLOCK, KEPT, OTHERS, at};
use crate::resources::{account, fc_interface, ip_interface_change, ipspace, svm_service, volume_qos};
use crate::units::Bytes;

/// The note of a volume that is the root of its SVM.
const ROOT: &str = "root";

/// The size of a root volume.
const ROOT_SIZE: Bytes = Bytes::gib(1);

/// Makes an SVM with its root volume and the services that are named.
pub(crate) fn create(call: &Call<'_>, body: &Body) -> Outcome<Row> {
    call.together(|call| {
        let key = call.make::<Tenant>(call.read(|view| made(view, body))?)?;
        for (field, make) in [("ip_interfaces", ip_interface_change::made as Maker), ("fc_interfaces", fc_interface::made)] {
            for wanted in body.bodies(field).unwrap_or_default() {
                let of_it = interface_of(body, wanted);
                let operations = call.read(|view| make(view, &of_it)).map_err(|refusal| inside(field, refusal))?;
                call.run(operations).map_err(|refusal| inside(field, refusal))?;
            }
        }
        Ok(Row(key.raw(), 0))
    })
}

/// Makes operations of the body of an interface.
type Maker = fn(&View<'_>, &Body) -> Outcome<Vec<AnyOperation>>;

/// An interface that is made with its SVM, as one that is made by itself.
fn interface_of(svm: &Body, mut wanted: Body) -> Body {
    if let Some(fields) = wanted.0.as_object_mut() {
        fields.insert("svm".into(), json!({"name": svm.text("name")}));
        if let Some(policy) = fields.get("service_policy").and_then(Value::as_str).map(str::to_owned) {
            fields.insert("service_policy".into(), json!({"name": policy}));
        }
    }
    wanted
}

/// A refusal that is about something in a list.
fn inside(list: &str, refusal: Refusal) -> Refusal {
    let field = match refusal.target.as_deref() {
        Some("address") => Some("ip.address"),
        Some("prefix_length") => Some("ip.netmask"),
        other => other,
    };
    let target = field.map_or_else(|| list.to_owned(), |field| format!("{list}.{field}"));
    refusal.at(&target)
}

fn made(view: &View<'_>, body: &Body) -> Outcome<Vec<AnyOperation>> {
    let name = body.required("name")?;
    name_is_good(name)?;
    let pools = pools(view, body)?;
    let root = match pools.as_deref().and_then(<[&Pool]>::first) {
        Some(pool) => *pool,
        None => view
            .array
            .pools
            .iter()
            .max_by_key(|pool| (pool.capacity.get().saturating_sub(pool.used().get()), std::cmp::Reverse(pool.number())))
            .ok_or_else(|| Refusal::bad(13_434_889, "There is no data aggregate for the root volume of the SVM. Create one first.").at("aggregates"))?,
    };
    let mut notes = notes(view, body)?;
    let protocols = protocols(body, &mut notes)?;
    let create = ops::tenant::Create {
        name: name.to_owned(),
        comment: body.text("comment").map(str::to_owned),
        protocols: Some(protocols),
        pools: pools.map(|pools| pools.iter().map(|pool| pool.id().to_string()).collect()),
        capacity_limit: body.number("storage.limit").map(Bytes::new),
        volume_limit: None,
    };
    let mut operations: Vec<AnyOperation> = vec![create.into()];
    operations.extend(kept::keep("tenant", "", notes));
    let volume = ops::container::Create {
        name: free_root_name(view, name),
        pool: root.id().to_string(),
        size: ROOT_SIZE,
        guarantee: Some(Guarantee::Thin),
        tenant: Some(name.to_owned()),
        ..ops::container::Create::default()
    };
    operations.push(volume.into());
    operations.extend(kept::keep("container", "", Notes::from([(ROOT.to_owned(), json!(true))])));
    let wanted: Vec<Protocol> = BLOCK.iter().filter(|(word, _)| body.flag(&format!("{word}.enabled")) == Some(true)).map(|(_, protocol)| *protocol).collect();
    operations.extend(svm_service::made(name, &wanted));
    Ok(operations)
}

/// Changes an SVM.
pub(crate) fn update(call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
    let operations = call.read(|view| changed(view, at(view, row).ok_or_else(Refusal::not_found)?, body))?;
    call.run(operations).map(drop)
}

fn changed(view: &View<'_>, svm: &Tenant, body: &Body) -> Outcome<Vec<AnyOperation>> {
    let own = svm.id().to_string();
    if let Some(name) = body.text("name") {
        name_is_good(name)?;
    }
    let mut notes = notes(view, body)?;
    let named = protocols(body, &mut notes)?;
    let said = |protocol: &Protocol| BLOCK.iter().any(|(word, known)| known == protocol && body.has(&format!("{word}.allowed")));
    let protocols: Vec<Protocol> =
        BLOCK.iter().map(|(_, protocol)| *protocol).filter(|known| if said(known) { named.contains(known) } else { svm.protocols.contains(known) }).collect();
    let state = match body.text("state") {
        None => None,
        Some("running") => Some(TenantState::Running),
        Some("stopped") => Some(TenantState::Stopped),
        Some(other) => return Err(Refusal::bad_value("state", &json!(other), "one of: running, stopped")),
    };
    let pools = pools(view, body)?;
    let update = ops::tenant::Update {
        tenant: own.clone(),
        name: body.text("name").map(str::to_owned),
        comment: body.text("comment").map(str::to_owned),
        state,
        protocols: (protocols.len() != svm.protocols.len() || protocols.iter().any(|known| !svm.protocols.contains(known))).then_some(protocols),
        pools: pools.map(|pools| pools.iter().map(|pool| pool.id().to_string()).collect()),
        capacity_limit: body.number("storage.limit").map(Bytes::new),
        ..ops::tenant::Update::default()
    };
    let mut operations: Vec<AnyOperation> = vec![update.into()];
    operations.extend(kept::keep("tenant", &own, notes));
    for (word, protocol) in BLOCK {
        if let Some(enabled) = body.flag(&format!("{word}.enabled")) {
            operations.extend(svm_service::set(view, svm, protocol, enabled));
        }
    }
    Ok(operations)
}

/// Deletes an SVM with its root volume and everything that is no volume.
pub(crate) fn delete(call: &Call<'_>, row: Row) -> Outcome<()> {
    let operations = call.read(|view| {
        let svm = at(view, row).ok_or_else(Refusal::not_found)?;
        let own: Vec<&Container> = view.array.containers.iter().filter(|container| container.tenant == Some(svm.key())).collect();
        if let Some(other) = own.iter().find(|container| container.note(ROOT).is_none()) {
            let message = format!("The SVM \"{}\" has volumes besides its root volume: \"{}\". Delete them first.", svm.name(), other.name());
            return Err(Refusal::conflict(2_621_525, message));
        }
        let mut operations: Vec<AnyOperation> = Vec::new();
        for root in own {
            operations.push(ops::container::Delete { container: root.id().to_string(), ..ops::container::Delete::default() }.into());
            operations.extend(volume_qos::deletion(view.array, root));
        }
        operations.extend(account::deletions(view, svm));
        operations.push(ops::tenant::Delete { tenant: svm.id().to_string(), with_contents: Some(true) }.into());
        Ok(operations)
    })?;
    call.run(operations).map(drop)
}

/// A name of an SVM begins with a letter or an underscore, and has at most 47 letters, digits, underscores, hyphens and dots.
fn name_is_good(name: &str) -> Outcome<()> {
    let begins = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if begins && name.len() <= 47 && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)) {
        return Ok(());
    }
    let message = format!("\"{name}\" is no name of an SVM: at most 47 letters, digits, \"_\", \"-\" and \".\", the first of them a letter or \"_\".");
    Err(Refusal::bad(13_434_911, message).at("name"))
}

/// The aggregates that a body names.
fn pools<'a>(view: &View<'a>, body: &Body) -> Outcome<Option<Vec<&'a Pool>>> {
    let Some(all) = body.bodies("aggregates") else { return Ok(None) };
    let mut found = Vec::new();
    for each in all {
        let named = Named { uuid: each.text("uuid").map(str::to_owned), name: each.text("name").map(str::to_owned) };
        let unknown = || Refusal::bad(13_434_888, format!("Aggregate \"{}\" does not exist.", named.shown())).at("aggregates.name");
        found.push(resolve(&view.array.pools, &named, |_| true).ok_or_else(unknown)?);
    }
    Ok(Some(found))
}

/// The protocols that are allowed: all that are not forbidden.
fn protocols(body: &Body, notes: &mut Notes) -> Outcome<Vec<Protocol>> {
    for word in OTHERS {
        if body.flag(&format!("{word}.enabled")) == Some(true) {
            let message = format!("The licence for \"{word}\" is not installed: this cluster serves blocks only.");
            return Err(Refusal::bad(1_115_127, message).at(&format!("{word}.enabled")));
        }
        if let Some(allowed) = body.flag(&format!("{word}.allowed")) {
            notes.insert(word.to_owned(), json!(allowed));
        }
    }
    for (word, _) in BLOCK {
        let is = |part: &str| body.flag(&format!("{word}.{part}"));
        if is("allowed") == Some(false) && is("enabled") == Some(true) {
            return Err(Refusal::bad(13_434_915, format!("A protocol that is not allowed cannot be enabled: \"{word}\".")).at(word));
        }
    }
    Ok(BLOCK.iter().filter(|(word, _)| body.flag(&format!("{word}.allowed")) != Some(false)).map(|(_, protocol)| *protocol).collect())
}

/// An SVM has no more volumes than it may, its root volume counted.
pub(crate) fn has_room(view: &View<'_>, svm: &Tenant, more: usize) -> Outcome<()> {
    let most = svm.note("max_volumes").and_then(Value::as_str).and_then(|text| text.parse::<usize>().ok());
    let count = view.array.containers.iter().filter(|container| container.tenant == Some(svm.key())).count();
    match most.filter(|most| count + more > *most) {
        Some(most) => Err(Refusal::conflict(7, format!("The SVM \"{}\" may have {most} volumes (\"max_volumes\"), and has {count}.", svm.name())).at("svm")),
        None => Ok(()),
    }
}

fn is_count_of_volumes(body: &Body) -> Outcome<()> {
    let text = body.text("max_volumes").unwrap_or("unlimited");
    if text == "unlimited" || text.parse::<u32>().is_ok_and(|count| count > 0) {
        return Ok(());
    }
    Err(Refusal::bad_value("max_volumes", &json!(text), "\"unlimited\" or a number from 1"))
}

/// What is kept beside the SVM.
fn notes(view: &View<'_>, body: &Body) -> Outcome<Notes> {
    is_count_of_volumes(body)?;
    let mut notes = kept::said(body, &KEPT);
    if let Some(named) = body.named("snapshot_policy") {
        let found = kept::find(view.array, RecordKind::SnapshotPolicy, &named, None).map(kept::reference);
        let unknown = || Refusal::bad(13_434_885, format!("Snapshot policy \"{}\" does not exist.", named.shown())).at("snapshot_policy.name");
        // The policy of all that name none need not be kept.
        match found {
            Some(found) => drop(notes.insert("snapshot_policy".to_owned(), found)),
            None if named.name.as_deref() == Some("default") && named.uuid.is_none() => {}
            None => return Err(unknown()),
        }
    }
    if let Some(space) = ipspace::named(view, body, 13_434_912)? {
        notes.insert("ipspace".to_owned(), kept::reference(space));
    }
    notes.retain(|_, value| value != &Value::String(String::new()));
    Ok(notes)
}

fn free_root_name(view: &View<'_>, svm: &str) -> String {
    let names = std::iter::once(format!("{svm}_root")).chain((1_u32..).map(|number| format!("{svm}_root_{number}")));
    names.into_iter().find(|name| view.array.containers.all_named(name).next().is_none()).unwrap_or_default()
}
