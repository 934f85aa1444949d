//! `/cluster/licensing/licenses`: registered licences.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View};
use crate::fields::Want;
use crate::model::{Licence, Secret};
use crate::ops;
use crate::refusal::{Outcome, Refusal};
use crate::resources::node::system_id;

/// The licences.
pub(crate) struct Licences;

impl Collection for Licences {
    fn path(&self) -> &'static str {
        "/cluster/licensing/licenses"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Delete]
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["name", "scope", "state"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let known = view.array.personality.offer.licences.keys().enumerate();
        Ok(known.filter(|(_, name)| registered(view, name).is_some()).filter_map(|(place, _)| u32::try_from(place).ok()).map(|place| Row(place, 0)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(name) = name(view, row) else { return json!({}) };
        let Some(licence) = registered(view, &name) else { return json!({}) };
        let package = if licence.key.is_some() { "Added" } else { "Core Bundle" };
        let each = view.array.controllers.iter().map(|node| {
            json!({
                "owner": view.node_name(node), "serial_number": system_id(node), "active": true, "evaluation": false, "installed_license": package,
                "compliance": {"state": "compliant"}, "host_id": system_id(node), "shutdown_imminent": false,
            })
        });
        let licences: Vec<Value> = each.collect();
        json!({
            "name": name, "scope": "node", "state": "compliant", "description": format!("{} License", name.to_uppercase()),
            "licenses": licences, "entitlement": {"action": "none", "risk": "low"},
        })
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let keys = body.texts("keys").filter(|keys| !keys.is_empty()).ok_or_else(|| Refusal::required("keys"))?;
        keys.iter().try_for_each(|key| legible(key))?;
        let mut first = None;
        for key in keys {
            let (place, licence) = call.read(|view| wanted(view, &key))?;
            let register = ops::settings::licence::Register { licence, key: Secret::new(key.replace('-', "")) };
            call.run(vec![register.into()]).map_err(|refusal| refusal.at("keys"))?;
            first.get_or_insert(Row(place, 0));
        }
        first.ok_or_else(|| Refusal::required("keys"))
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let licence = call.read(|view| name(view, row)).ok_or_else(Refusal::not_found)?;
        call.run(vec![ops::settings::licence::Remove { licence }.into()]).map(drop)
    }
}

/// A key is of 28 or 56 upper-case letters, with hyphens between them or without; instead of it there may be a licence file, which is JSON.
/// The number is one of those that the call has; which one of them is for this, no source says.
fn legible(key: &str) -> Outcome<()> {
    let letters = key.trim().replace('-', "");
    let is_key = matches!(letters.len(), 28 | 56) && letters.bytes().all(|letter| letter.is_ascii_uppercase());
    let is_file = || serde_json::from_str::<Value>(key).is_ok_and(|file| file.is_object());
    let refusal = || Refusal::bad(1_115_130, format!("The license key \"{key}\" is not valid: it must have 28 or 56 upper-case letters.")).at("keys");
    if is_key || is_file() { Ok(()) } else { Err(refusal()) }
}

/// The licence that a key is for. What real keys say is not public: a key begins with the name of its licence, or is for the first that is
/// not registered.
fn wanted(view: &View<'_>, key: &str) -> Outcome<(u32, String)> {
    let known = &view.array.personality.offer.licences;
    let lower = key.to_lowercase();
    let named = known.keys().position(|name| lower.starts_with(name.as_str()));
    let free = || known.keys().position(|name| registered(view, name).is_none());
    let all = || Refusal::conflict(1_115_159, "Each licence that this cluster can have is registered already.").at("keys");
    let place = named.or_else(free).ok_or_else(all)?;
    let name = known.keys().nth(place).cloned().ok_or_else(all)?;
    Ok((u32::try_from(place).unwrap_or(0), name))
}

fn name(view: &View<'_>, row: Row) -> Option<String> {
    view.array.personality.offer.licences.keys().nth(usize::try_from(row.0).ok()?).cloned()
}

fn registered<'a>(view: &View<'a>, name: &str) -> Option<&'a Licence> {
    view.array.settings.licences.iter().find(|licence| licence.name == name)
}
