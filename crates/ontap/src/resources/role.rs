//! `/security/roles` and the privileges of each. What a role lets its users do is made of the paths that its privileges name: reading, or
//! changing what lies below a path. The privileges themselves are given back as they were said.

use serde_json::{Map, Value, json};

use super::account::{OWNER, owned, owner};
use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View};
use crate::fields::Want;
use crate::model::{Key, Notes, Object, Policy, PolicySet, Role};
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};

/// The roles.
pub(crate) struct Roles;

/// The privileges of a role.
pub(crate) struct Privileges;

/// What changing something below a path demands.
const DEMANDS: [(&str, &[Policy]); 12] = [
    ("/api/storage/aggregates", &[Policy::RaidGroupManagement]),
    ("/api/storage/disks", &[Policy::RaidGroupManagement, Policy::MaintenanceOperation]),
    ("/api/storage", &[Policy::VolumeCreateModify, Policy::VolumeDeleteFormat, Policy::CopySessionManagement, Policy::StorageManagement]),
    ("/api/protocols", &[Policy::HostInterfaceManagement]),
    ("/api/network", &[Policy::HostInterfaceManagement, Policy::StorageManagement]),
    ("/api/svm", &[Policy::HostInterfaceManagement, Policy::StorageManagement]),
    ("/api/application", &[Policy::VolumeCreateModify, Policy::VolumeDeleteFormat, Policy::CopySessionManagement, Policy::StorageManagement]),
    ("/api/snapmirror", &[Policy::CopySessionManagement, Policy::AdvancedCopyManagement]),
    ("/api/security/accounts", &[Policy::UserManagement]),
    ("/api/security/roles", &[Policy::AuthenticationRole]),
    ("/api/security", &[Policy::SecuritySetting, Policy::UserManagement, Policy::AuthenticationRole, Policy::StorageManagement]),
    ("/api/support", &[Policy::MaintenanceInformation, Policy::StorageManagement]),
];

/// The policies that come nearest to some privileges.
fn policies(privileges: &[Value]) -> PolicySet {
    let mut all = PolicySet::EMPTY;
    for privilege in privileges {
        let (path, access) = (privilege["path"].as_str().unwrap_or_default(), privilege["access"].as_str().unwrap_or_default());
        if access == "none" {
            continue;
        }
        all = all.and(Policy::StatusDisplay);
        if access == "readonly" {
            continue;
        }
        if matches!(path, "/api" | "/api/" | "DEFAULT") {
            return Policy::ALL.into_iter().filter(|policy| *policy != Policy::Emulation).fold(all, PolicySet::and);
        }
        let below = DEMANDS.iter().find(|(known, _)| path.starts_with(known));
        let demands: &[Policy] = below.map_or(&[Policy::StorageManagement], |(_, demands)| demands);
        all = demands.iter().fold(all, |all, policy| all.and(*policy));
    }
    // A role that allows nothing is none.
    if all.is_empty() { PolicySet::of(Policy::StatusDisplay) } else { all }
}

/// The privileges of a role; of the array's own, what their policies amount to.
fn privileges_of(role: &Role) -> Vec<Value> {
    if let Some(list) = role.note("privileges").and_then(Value::as_array) {
        return list.clone();
    }
    let access = match role.name() {
        "admin" => "all",
        "none" => "none",
        "backup" => {
            return vec![json!({"path": "/api/storage/volumes", "access": "readonly"}), json!({"path": "/api/storage/volumes/*/snapshots", "access": "all"})];
        }
        _ => "readonly",
    };
    vec![json!({"path": "/api", "access": access})]
}

/// A privilege as it is kept.
fn complete(privilege: &Value) -> Outcome<Value> {
    let text = |name: &str| privilege.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let path = text("path").ok_or_else(|| Refusal::required("privileges.path"))?;
    let access = text("access").unwrap_or("all");
    const WORDS: [&str; 7] = ["none", "readonly", "all", "read_create", "read_modify", "read_create_modify", "read_create_modify_delete"];
    if !WORDS.contains(&access) {
        return Err(Refusal::bad_value("privileges.access", &json!(access), &format!("one of: {}", WORDS.join(", "))));
    }
    let mut kept = Map::new();
    kept.insert("path".into(), json!(path));
    kept.insert("access".into(), json!(access));
    if let Some(query) = text("query") {
        kept.insert("query".into(), json!(query));
    }
    Ok(Value::Object(kept))
}

fn keep(call: &Call<'_>, role: &str, privileges: Vec<Value>) -> Outcome<()> {
    let update = ops::role::Update { role: role.to_owned(), policies: Some(policies(&privileges)), ..ops::role::Update::default() };
    let notes = Notes::from([("privileges".to_owned(), Value::Array(privileges))]);
    let note = ops::note::Set { noun: "role".into(), object: role.to_owned(), notes };
    call.run(vec![update.into(), note.into()]).map(drop).map_err(in_words)
}

/// ONTAP's number for a role of the array itself.
fn in_words(refusal: Refusal) -> Refusal {
    if refusal.code == 2 || refusal.code == 3 { Refusal { code: 1_263_347, ..refusal } } else { refusal }
}

fn rows(view: &View<'_>) -> Vec<Row> {
    view.array.roles.iter().map(|role| Row(role.key().raw(), 0)).collect()
}

fn named(view: &View<'_>, owner_id: &str, name: &str) -> Option<Row> {
    let is_it = |role: &&Role| role.name() == name && owner(view, *role).0["uuid"].as_str() == Some(owner_id);
    view.array.roles.iter().find(is_it).map(|role| Row(role.key().raw(), 0))
}

impl Collection for Roles {
    fn path(&self) -> &'static str {
        "/security/roles"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(rows(view))
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let [owner, name] = keys else { return Ok(None) };
        Ok(named(view, owner, name))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(role) = view.array.roles.get(Key::<Role>::from_raw(row.0)) else { return json!({}) };
        let (owner, scope) = owner(view, role);
        json!({"name": role.name(), "owner": owner, "scope": scope, "builtin": role.built_in, "privileges": privileges_of(role)})
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let name = body.required("name")?.to_owned();
        let given = body.list("privileges").ok_or_else(|| Refusal::required("privileges"))?;
        let privileges = given.iter().map(complete).collect::<Outcome<Vec<Value>>>()?;
        let create = ops::role::Create { name: name.clone(), policies: policies(&privileges), ..ops::role::Create::default() };
        let mut notes = Notes::from([("privileges".to_owned(), Value::Array(privileges))]);
        if let Some(owner) = owned(call, body)? {
            notes.insert(OWNER.into(), owner);
        }
        let note: AnyOperation = ops::note::Set { noun: "role".into(), object: name, notes }.into();
        call.make::<Role>(vec![create.into(), note]).map(|key| Row(key.raw(), 0))
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let role = call.read(|view| view.array.roles.get(Key::<Role>::from_raw(row.0)).map(|role| role.id().to_string()));
        call.run(vec![ops::role::Delete { role: role.unwrap_or_default() }.into()]).map(drop).map_err(|refusal| match refusal.code {
            8 => Refusal { code: 5_636_170, ..refusal },
            _ => in_words(refusal),
        })
    }
}

impl Privileges {
    fn role<'a>(view: &View<'a>) -> Outcome<&'a Role> {
        let [owner, name] = view.parents else { return Err(Refusal::not_found()) };
        let row = named(view, owner, name).ok_or_else(Refusal::not_found)?;
        view.array.roles.get(Key::from_raw(row.0)).ok_or_else(Refusal::not_found)
    }
    fn present(call: &Call<'_>) -> Outcome<(u32, String, Vec<Value>)> {
        call.read(|view| Privileges::role(view).map(|role| (role.key().raw(), role.id().to_string(), privileges_of(role))))
    }
}

impl Collection for Privileges {
    fn path(&self) -> &'static str {
        "/security/roles/{owner.uuid}/{name}/privileges"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["access", "query"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let role = Privileges::role(view)?;
        Ok((0..u32::try_from(privileges_of(role).len()).unwrap_or(0)).map(|place| Row(role.key().raw(), place)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let role = view.array.roles.get(Key::<Role>::from_raw(row.0));
        role.and_then(|role| privileges_of(role).get(row.1 as usize).cloned()).unwrap_or_else(|| json!({}))
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let (key, role, mut privileges) = Privileges::present(call)?;
        let privilege = complete(&body.0)?;
        if privileges.iter().any(|known| known["path"] == privilege["path"]) {
            return Err(Refusal::conflict(1, format!("The role has a privilege for {} already.", privilege["path"])).at("path"));
        }
        privileges.push(privilege);
        let place = privileges.len() - 1;
        keep(call, &role, privileges)?;
        Ok(Row(key, u32::try_from(place).unwrap_or(0)))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let (_, role, mut privileges) = Privileges::present(call)?;
        let place = privileges.get_mut(row.1 as usize).ok_or_else(Refusal::not_found)?;
        super::setting::merge(place, body.0.clone());
        *place = complete(place)?;
        keep(call, &role, privileges)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let (_, role, mut privileges) = Privileges::present(call)?;
        if row.1 as usize >= privileges.len() {
            return Err(Refusal::not_found());
        }
        privileges.remove(row.1 as usize);
        keep(call, &role, privileges)
    }
}
