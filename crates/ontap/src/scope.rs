//! The SVM into which a call goes: the one that its headers name, or the one to which its account belongs.
//!
//! There a call finds the SVM's objects, reads those of the cluster that all SVMs share, and changes only the former. What else there is
//! does not exist for it. Accounts of an SVM are besides kept out of what belongs to the cluster alone.

use actix_web::http::Method;
use serde_json::Value;

use crate::collection::{Collection, View};
use crate::filter::Filter;
use crate::model::{Array, Key, Object, Tenant};
use crate::ops::{Actor, Authority, World};
use crate::query::Query;
use crate::refusal::{Outcome, Refusal};
use crate::resources::COLLECTIONS;
use crate::resources::account::OWNER;
use crate::schema;
use crate::table;

/// A call goes into an SVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) svm: Key<Tenant>,
    /// Whether it comes from an account of the SVM; else from one of the cluster.
    pub(crate) is_account: bool,
}

/// What accounts of SVMs may do with a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Share {
    All,
    Read,
    Nothing,
}

/// By the beginning of the path, of which the longest counts: what the documentation grants `vsadmin`, the most that an SVM's account has.
const SHARES: [(&str, Share); 32] = [
    ("/application", Share::All),
    ("/cloud", Share::Nothing),
    ("/cluster", Share::Nothing),
    ("/cluster/jobs", Share::All),
    ("/cluster/schedules", Share::All),
    ("/name-services", Share::All),
    ("/network", Share::Nothing),
    ("/network/fc/interfaces", Share::Read),
    ("/network/fc/logins", Share::Read),
    ("/network/fc/wwpn-aliases", Share::Read),
    ("/network/ip/interfaces", Share::Read),
    ("/network/ip/routes", Share::Read),
    ("/network/ip/service-policies", Share::Read),
    ("/protocols", Share::All),
    ("/security", Share::Nothing),
    ("/security/accounts", Share::Read),
    ("/security/certificates", Share::All),
    ("/security/login/messages", Share::All),
    ("/security/roles", Share::Read),
    ("/security/ssh/svms", Share::Read),
    ("/snapmirror", Share::All),
    ("/storage", Share::All),
    ("/storage/aggregates", Share::Nothing),
    ("/storage/bridges", Share::Nothing),
    ("/storage/cluster", Share::Nothing),
    ("/storage/disks", Share::Nothing),
    ("/storage/pools", Share::Nothing),
    ("/storage/ports", Share::Nothing),
    ("/storage/shelves", Share::Nothing),
    ("/storage/switches", Share::Nothing),
    ("/support/ems/application-logs", Share::All),
    ("/svm", Share::Read),
];

/// Collections whose objects without an SVM are there for all SVMs; elsewhere they are the cluster's.
const SHARED: [&str; 5] =
    ["/cluster/schedules", "/network/ip/service-policies", "/storage/qos/policies", "/storage/snapshot-policies", "/storage/volume-efficiency-policies"];

/// What accounts of SVMs see of the cluster.
const OF_CLUSTER: [&str; 4] = ["_links", "disaggregated", "san_optimized", "version"];

fn share(path: &str) -> Share {
    let covers = |begin: &str| path.strip_prefix(begin).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let longest = SHARES.iter().filter(|(begin, _)| covers(begin)).max_by_key(|(begin, _)| begin.len());
    match (path, longest) {
        ("/cluster", _) => Share::Read,
        (_, Some((_, share))) => *share,
        (_, None) => Share::Nothing,
    }
}

/// The SVM to which the account of a call belongs; none of the cluster's. Who belonged to an SVM that is gone may do nothing.
fn own_svm(world: &World, actor: &Actor) -> Outcome<Option<Key<Tenant>>> {
    let Authority::User(key) = actor.authority else { return Ok(None) };
    let Some(owner) = world.array.users.get(key).and_then(|user| user.note(OWNER)) else { return Ok(None) };
    let id = owner.as_str().and_then(|id| id.parse().ok());
    id.and_then(|id| world.array.tenants.key_of(id)).map(Some).ok_or_else(Refusal::not_authorized)
}

/// The SVM that headers name.
fn named(array: &Array, name: Option<&str>, uuid: Option<&str>) -> Outcome<Option<Key<Tenant>>> {
    let by_name = name.map(|name| array.tenants.iter().find(|tenant| tenant.name() == name).map(Object::key).ok_or(name)).transpose();
    let by_uuid = uuid.map(|uuid| uuid.parse().ok().and_then(|id| array.tenants.key_of(id)).ok_or(uuid)).transpose();
    let unknown = |named: &str| Refusal::bad(2_621_462, format!("The specified SVM \"{named}\" does not exist.")).at("svm.name");
    match (by_name.map_err(unknown)?, by_uuid.map_err(unknown)?) {
        (Some(one), Some(other)) if one != other => Err(Refusal::other_svm("svm")),
        (found, other) => Ok(found.or(other)),
    }
}

impl Scope {
    /// Into which SVM a call goes. For an account of an SVM there is no other one.
    pub(crate) fn of(world: &World, actor: &Actor, name: Option<&str>, uuid: Option<&str>) -> Outcome<Option<Scope>> {
        let own = own_svm(world, actor)?;
        let named = named(&world.array, name, uuid)?;
        match (own, named) {
            (Some(own), Some(named)) if own != named => {
                let shown = name.or(uuid).unwrap_or_default();
                Err(Refusal::bad(2_621_462, format!("The specified SVM \"{shown}\" does not exist.")).at("svm.name"))
            }
            (own, named) => Ok(own.or(named).map(|svm| Scope { svm, is_account: own.is_some() })),
        }
    }
    /// Whether a call may do what it wants with a collection at all; everybody may change the own account.
    pub(crate) fn admits(self, collection: &dyn Collection, method: &Method, keys: Option<&[String]>, user: &str) -> Outcome<()> {
        let reads = [Method::GET, Method::HEAD, Method::OPTIONS].contains(method);
        let is_self =
            || collection.path() == "/security/accounts" && *method == Method::PATCH && keys.and_then(|keys| keys.get(1)).is_some_and(|name| name == user);
        match share(collection.path()) {
            _ if !self.is_account => Ok(()),
            Share::All => Ok(()),
            Share::Read if reads || is_self() => Ok(()),
            Share::Read | Share::Nothing => Err(Refusal::not_authorized()),
        }
    }
    /// Whether an object is there for reading.
    pub(crate) fn sees(self, view: &View<'_>, collection: &dyn Collection, record: &Value) -> bool {
        let path = collection.path();
        match owner(path, record) {
            _ if !is_owned(path) => true,
            Some(owner) => self.is(view, owner),
            // Which SVM a job is of is not known of those that came from outside of all SVMs.
            None => SHARED.contains(&path) || (path == "/cluster/jobs" && !self.is_account),
        }
    }
    /// Whether an object may be changed.
    pub(crate) fn may_change(self, view: &View<'_>, collection: &dyn Collection, record: &Value) -> bool {
        let path = collection.path();
        match owner(path, record) {
            _ if !is_owned(path) => true,
            Some(owner) => self.is(view, owner),
            None => path == "/cluster/jobs" && !self.is_account,
        }
    }
    /// The object above a collection must be there; for changes, it must be the SVM's.
    pub(crate) fn parent_is_there(self, view: &View<'_>, collection: &dyn Collection, changes: bool) -> Outcome<()> {
        let Some(parent) = above(collection) else { return Ok(()) };
        let outside = View { parents: &[], ..*view };
        let Some(row) = parent.find(&outside, view.parents)? else { return Ok(()) };
        let record = parent.record(&outside, row, &table::keys_only(parent.path()));
        let is_there = if changes { self.may_change(&outside, parent, &record) } else { self.sees(&outside, parent, &record) };
        if is_there { Ok(()) } else { Err(parent.absent()) }
    }
    /// A query must not ask for another SVM.
    pub(crate) fn agrees(self, view: &View<'_>, query: &Query) -> Outcome<()> {
        let Some(svm) = view.array.tenants.get(self.svm) else { return Ok(()) };
        let id = svm.id().to_string();
        for (parameter, own) in [("svm", svm.name()), ("svm.name", svm.name()), ("svm.uuid", &id), ("vserver", svm.name())] {
            let asked = query.get(parameter).map(Filter::read);
            if asked.as_ref().and_then(Filter::exact).is_some_and(|asked| asked != own) {
                return Err(Refusal::other_svm(parameter));
            }
        }
        Ok(())
    }
    /// Takes out of an object what the account does not see.
    pub(crate) fn veil(self, collection: &dyn Collection, record: &mut Value) {
        if self.is_account
            && collection.path() == "/cluster"
            && let Some(fields) = record.as_object_mut()
        {
            fields.retain(|name, _| OF_CLUSTER.contains(&name.as_str()));
        }
    }
    fn is(self, view: &View<'_>, id: &str) -> bool {
        view.array.tenants.get(self.svm).is_some_and(|svm| svm.id().to_string() == id)
    }
}

/// The field that says whose the objects of a collection are.
pub(crate) fn owner_field(path: &str) -> Option<&'static str> {
    let fields = &schema::resource(path)?.fields;
    let is_key = fields.at("owner.uuid").is_some_and(|field| field.key);
    if is_key { Some("owner") } else { fields.get("svm").map(|_| "svm") }
}

fn is_owned(path: &str) -> bool {
    path == "/svm/svms" || owner_field(path).is_some()
}

/// The identifier of whose an object is.
fn owner<'r>(path: &str, record: &'r Value) -> Option<&'r str> {
    if path == "/svm/svms" { record["uuid"].as_str() } else { record[owner_field(path)?]["uuid"].as_str() }
}

/// The collection of the object below which another collection lies.
fn above(collection: &dyn Collection) -> Option<&'static dyn Collection> {
    let (path, _) = collection.path().split_once("/{")?;
    COLLECTIONS.iter().find(|known| known.path() == path).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_path_says_what_accounts_of_svms_may_do() {
        for (path, expected) in [
            ("/cluster", Share::Read),
            ("/cluster/nodes", Share::Nothing),
            ("/cluster/jobs", Share::All),
            ("/storage/luns/{lun.uuid}/attributes", Share::All),
            ("/storage/aggregates/{uuid}/metrics", Share::Nothing),
            ("/support/ems/events", Share::Nothing),
            ("/svm/svms/{svm.uuid}/web", Share::Read),
        ] {
            assert_eq!(share(path), expected, "{path}");
        }
    }

    #[test]
    fn whoever_owns_something_stands_in_one_field() {
        assert_eq!(owner_field("/storage/luns"), Some("svm"));
        assert_eq!(owner_field("/security/accounts"), Some("owner"));
        assert_eq!(owner_field("/cluster/nodes"), None);
        assert!(is_owned("/svm/svms") && !is_owned("/storage/aggregates"));
    }
}
