//! `/security/accounts`: users of the array, of the cluster or of an SVM.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View};
use crate::fields::Want;
use crate::kept;
use crate::model::{Key, Notes, Noun, Object, Role, Tenant, User};
use crate::ops::{self, AnyOperation, password::Password};
use crate::refusal::{Outcome, Refusal};

/// The accounts.
pub(crate) struct Accounts;

/// By what an account may come in, if nothing was ever said: the first account of the array.
fn usual_applications() -> Value {
    let of = |application: &str| json!({"application": application, "authentication_methods": ["password"], "second_authentication_method": "none"});
    json!([of("http"), of("ontapi"), of("ssh"), of("console")])
}

/// The note with the SVM that an account or role belongs to.
pub(crate) const OWNER: &str = "owner";

/// Whose an account or role is: the cluster, or an SVM.
pub(crate) fn owner(view: &View<'_>, item: &impl Object) -> (Value, &'static str) {
    let id = item.note(OWNER).and_then(Value::as_str).and_then(|id| id.parse().ok());
    match id.and_then(|id| view.array.tenants.key_of(id)).and_then(|key| view.array.tenants.get(key)) {
        Some(tenant) => (json!({"name": tenant.name(), "uuid": tenant.id()}), "svm"),
        None => (json!({"name": view.cluster(), "uuid": cluster_id(view)}), "cluster"),
    }
}

/// The identifier of the cluster.
pub(crate) fn cluster_id(view: &View<'_>) -> uuid::Uuid {
    view.array.identity.uuid(Noun::Array, 0)
}

/// The note that says to which SVM something belongs; none for the cluster's own.
pub(crate) fn owned(call: &Call<'_>, body: &Body) -> Outcome<Option<Value>> {
    let named = body.named("owner");
    call.read(|view| {
        let Some(named) = named else {
            let scope = call.scope.and_then(|key| view.array.tenants.get(key));
            return Ok(scope.map(|tenant| json!(tenant.id())));
        };
        let is_cluster =
            named.uuid.as_ref().is_none_or(|uuid| *uuid == cluster_id(view).to_string()) && named.name.as_ref().is_none_or(|name| name == view.cluster());
        if is_cluster {
            return Ok(None);
        }
        let fits = |tenant: &&Tenant| {
            named.uuid.as_ref().is_none_or(|uuid| *uuid == tenant.id().to_string()) && named.name.as_ref().is_none_or(|name| name == tenant.name())
        };
        let unknown = || Refusal::bad(2_621_462, format!("SVM \"{}\" does not exist.", named.shown())).at("owner");
        view.array.tenants.iter().find(fits).map(|tenant| Some(json!(tenant.id()))).ok_or_else(unknown)
    })
}

/// What goes with an SVM: its accounts, then their roles.
pub(crate) fn deletions(view: &View<'_>, svm: &Tenant) -> Vec<AnyOperation> {
    let id = json!(svm.id());
    let users = view.array.users.iter().filter(|user| user.note(OWNER) == Some(&id));
    let roles = view.array.roles.iter().filter(|role| role.note(OWNER) == Some(&id));
    let users = users.map(|user| ops::user::Delete { user: user.id().to_string() }.into());
    users.chain(roles.map(|role| ops::role::Delete { role: role.id().to_string() }.into())).collect()
}

/// Applications as they are kept: without a second method there is none.
fn applications(body: &Body) -> Option<Value> {
    let complete = |application: &Value| {
        let mut application = application.clone();
        if application.get("second_authentication_method").is_none_or(Value::is_null) {
            application["second_authentication_method"] = json!("none");
        }
        application
    };
    body.list("applications").map(|list| list.iter().map(complete).collect())
}

/// The role that a body names.
fn role(call: &Call<'_>, body: &Body) -> Outcome<Option<String>> {
    let Some(named) = body.named("role") else { return Ok(None) };
    let name = named.shown().to_owned();
    let known = call.read(|view| role_named(view, &name).map(|role| role.id().to_string()));
    known.map(Some).ok_or_else(|| Refusal::bad(5_636_129, format!("The role \"{name}\" does not exist.")).at("role.name"))
}

/// A role by its name; those of SVMs that ONTAP builds in do what the one of the same kind of the cluster does.
pub(crate) fn role_named<'a>(view: &View<'a>, name: &str) -> Option<&'a Role> {
    let named = |name: &str| view.array.roles.iter().find(|role| role.name() == name);
    named(name).or_else(|| match name {
        "vsadmin" => named("admin"),
        "vsadmin-readonly" => named("readonly"),
        "vsadmin-volume" | "vsadmin-protocol" | "vsadmin-snaplock" => named("snaplock"),
        "vsadmin-backup" => named("backup"),
        _ => None,
    })
}

/// What a password is refused for, in ONTAP's words.
fn in_words(refusal: Refusal) -> Refusal {
    if refusal.target.as_deref() != Some("password") {
        return refusal;
    }
    if refusal.message.contains("differs from the last") {
        return Refusal { code: 7_077_925, message: "New password must be different than the old password.".into(), ..refusal };
    }
    Refusal { code: 7_077_919, ..refusal }
}

fn user<'a>(view: &View<'a>, row: Row) -> Option<&'a User> {
    view.array.users.get(Key::from_raw(row.0))
}

impl Collection for Accounts {
    fn path(&self) -> &'static str {
        "/security/accounts"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.users.iter().map(|user| Row(user.key().raw(), 0)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(user) = user(view, row) else { return json!({}) };
        let (owner, scope) = owner(view, user);
        let role = user.note("role").and_then(Value::as_str);
        let role = role.or_else(|| view.array.roles.get(user.role).map(Object::name)).unwrap_or_default();
        let mut record = json!({
            "name": user.name(), "owner": owner, "scope": scope, "role": {"name": role}, "locked": !user.enabled || user.lock_at(view.now()).is_some(),
            "applications": user.note("applications").cloned().unwrap_or_else(usual_applications), "password_hash_algorithm": "sha512",
        });
        if let Some(comment) = user.note("comment") {
            record["comment"] = comment.clone();
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let name = body.required("name")?.to_owned();
        let applications = applications(body).ok_or_else(|| Refusal::required("applications"))?;
        let password = body.text("password").map(|text| Password::Plain(text.to_owned()));
        let password = password.ok_or_else(|| Refusal::bad(7_077_899, "This operation requires a password.").at("password"))?;
        let wished = role(call, body)?;
        let default = || call.read(|view| role_named(view, "admin").map(|role| role.id().to_string())).ok_or_else(Refusal::not_found);
        let role = wished.map_or_else(default, Ok)?;
        let mut notes = kept::said(body, &["comment"]);
        notes.insert("applications".into(), applications);
        if let Some(named) = body.named("role") {
            notes.insert("role".into(), json!(named.shown()));
        }
        if let Some(owner) = owned(call, body)? {
            notes.insert(OWNER.into(), owner);
        }
        let enabled = body.flag("locked").map(|locked| !locked);
        let mut operations: Vec<AnyOperation> = vec![ops::user::Create { name: name.clone(), role, password, enabled }.into()];
        operations.extend(kept::keep("user", &name, notes));
        call.make::<User>(operations).map(|key| Row(key.raw(), 0)).map_err(in_words)
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let id = call.read(|view| user(view, row).map(|user| user.id().to_string())).ok_or_else(Refusal::not_found)?;
        let locked = body.flag("locked");
        let update = ops::user::Update {
            user: id.clone(),
            role: role(call, body)?,
            password: body.text("password").map(|text| Password::Plain(text.to_owned())),
            enabled: locked.map(|locked| !locked),
            locked: locked.filter(|locked| !locked),
        };
        let mut notes: Notes = kept::said(body, &["comment"]);
        if let Some(applications) = applications(body) {
            notes.insert("applications".into(), applications);
        }
        if let Some(named) = body.named("role") {
            notes.insert("role".into(), json!(named.shown()));
        }
        let mut operations: Vec<AnyOperation> = Vec::new();
        if update.role.is_some() || update.password.is_some() || update.enabled.is_some() {
            operations.push(update.into());
        }
        operations.extend(kept::keep("user", &id, notes));
        call.run(operations).map(drop).map_err(in_words)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let id = call.read(|view| user(view, row).map(|user| user.id().to_string()));
        call.run(vec![ops::user::Delete { user: id.unwrap_or_default() }.into()])
            .map(drop)
            .map_err(|refusal| if refusal.code == 6 { Refusal { status: actix_web::http::StatusCode::CONFLICT, code: 5_636_098, ..refusal } } else { refusal })
    }
}
