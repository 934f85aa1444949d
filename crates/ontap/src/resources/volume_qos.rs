//! What a volume may do: a QoS policy that it is given, or limits of its own. For those it has a policy that is made with them, that nothing
//! else uses, and that goes with them.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::View;
use crate::kept;
use crate::model::{Array, Container, FixedLimits, Notes, Noun, Object, QosPolicy, QosRule, Tenant};
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};
use crate::resources::qos_policy::{self, LEAST_MB};

/// The note of a policy that was made for the limits of one volume.
const GENERATED: &str = "auto_generated";

/// What a body says of them.
#[derive(Default)]
pub(super) struct Asked {
    /// What comes before the volume is made or changed.
    pub(super) before: Vec<AnyOperation>,
    /// The policy that it has then; empty for none.
    pub(super) policy: Option<String>,
    /// What comes after.
    pub(super) after: Vec<AnyOperation>,
}

/// Limits, and the least MB a second, which are only kept.
type Limits = (FixedLimits, Option<u64>);

/// The policy that was made for the limits of a volume.
pub(super) fn own<'a>(array: &'a Array, container: &Container) -> Option<&'a QosPolicy> {
    let policy = array.qos_policies.get(container.qos_policy?)?;
    (policy.note(GENERATED).is_some() && QosPolicy::users(array, policy.key()) == 1).then_some(policy)
}

/// The operation that deletes the policy of a volume's limits.
pub(super) fn deletion(array: &Array, container: &Container) -> Option<AnyOperation> {
    own(array, container).map(|policy| ops::qos_policy::Delete { qos_policy: policy.id().to_string(), force: None }.into())
}

/// What a body says for a volume, or for a new one.
pub(super) fn asked(view: &View<'_>, svm: Option<&Tenant>, container: Option<&Container>, body: &Body) -> Outcome<Asked> {
    let own = container.and_then(|container| own(view.array, container));
    let limit = qos_policy::LIMITS.iter().map(|name| format!("{FIELD}.{name}")).find(|path| body.has(path));
    let named = named(view, svm, body)?;
    let Some(limit) = limit else {
        let keeps = named.is_none() || named.flatten().is_some_and(|policy| own.is_some_and(|own| own.key() == policy.key()));
        let after = container.filter(|_| !keeps).and_then(|container| deletion(view.array, container)).into_iter().collect();
        let policy = named.map(|policy| policy.map_or_else(String::new, |policy| policy.id().to_string()));
        return Ok(Asked { policy, after, ..Asked::default() });
    };
    if named.is_some_and(|policy| policy.map(Object::key) != own.map(Object::key)) {
        return Err(Refusal::bad(262_186, "Limits of a volume and a QoS policy for it exclude each other.").at(&limit));
    }
    let limits = limits(body, own)?;
    Ok(match (limits == Limits::default(), own) {
        (true, None) => Asked::default(),
        (true, Some(_)) => Asked {
            policy: Some(String::new()),
            after: container.and_then(|container| deletion(view.array, container)).into_iter().collect(),
            ..Asked::default()
        },
        (false, None) => made(view, svm, limits),
        (false, Some(own)) => Asked { before: changed(own, limits), ..Asked::default() },
    })
}

/// The same for a clone: of limits that its parent has for itself, it has its own.
pub(super) fn of_clone(view: &View<'_>, svm: &Tenant, parent: &Container, body: &Body) -> Outcome<Asked> {
    match own(view.array, parent) {
        Some(policy) if !body.has(FIELD) => Ok(made(view, Some(svm), present(Some(policy)))),
        _ => asked(view, Some(svm), None, body),
    }
}

/// How a volume shows its policy.
pub(super) fn record(policy: &QosPolicy) -> Value {
    let mut shown = crate::collection::refer(policy.name(), policy.id());
    if let QosRule::Fixed(limits) = &policy.rule {
        qos_policy::put_limits(&mut shown, limits);
        if let Some(least) = policy.note(LEAST_MB) {
            shown["min_throughput_mbps"] = least.clone();
        }
    }
    shown
}

/// Where a volume says what it may do.
const FIELD: &str = "qos.policy";

fn present(own: Option<&QosPolicy>) -> Limits {
    let limits = own.map(|policy| policy.rule).and_then(|rule| if let QosRule::Fixed(limits) = rule { Some(limits) } else { None });
    (limits.unwrap_or_default(), own.and_then(|policy| policy.note(LEAST_MB)).and_then(Value::as_u64))
}

/// The limits that a volume has then; 0 takes one away.
fn limits(body: &Body, own: Option<&QosPolicy>) -> Outcome<Limits> {
    let (fixed, least_mb) = present(own);
    let path = format!("{FIELD}.min_throughput_mbps");
    let least_mb = if body.has(&path) { body.number(&path).filter(|count| *count > 0) } else { least_mb };
    Ok((qos_policy::fixed(body, FIELD, fixed)?, least_mb))
}

/// A new policy for limits.
fn made(view: &View<'_>, svm: Option<&Tenant>, (fixed, least_mb): Limits) -> Asked {
    let id = view.array.identity.uuid(Noun::QosPolicy, view.array.qos_policies.next_key().raw());
    let name = format!("{}_auto_gen_policy_{}", svm.map_or("cluster", Object::name), id.to_string().replace('-', "_"));
    let create = ops::qos_policy::Create { name: name.clone(), tenant: svm.map(|svm| svm.id().to_string()), fixed: Some(fixed), ..Default::default() };
    let mut notes = Notes::from([(GENERATED.to_owned(), json!(true))]);
    notes.extend(least_mb.map(|count| (LEAST_MB.to_owned(), json!(count))));
    let before = std::iter::once(create.into()).chain(kept::keep("qos-policy", "", notes)).collect();
    Asked { before, policy: Some(name), after: Vec::new() }
}

/// Other limits for a policy.
fn changed(own: &QosPolicy, (fixed, least_mb): Limits) -> Vec<AnyOperation> {
    let id = own.id().to_string();
    let update = ops::qos_policy::Update { qos_policy: id.clone(), fixed: Some(fixed), ..Default::default() };
    let notes = Notes::from([(LEAST_MB.to_owned(), json!(least_mb))]);
    std::iter::once(update.into()).chain(kept::keep("qos-policy", &id, notes)).collect()
}

/// The policy that is named: `Some(None)` where the one that is there shall be taken off.
fn named<'a>(view: &View<'a>, svm: Option<&Tenant>, body: &Body) -> Outcome<Option<Option<&'a QosPolicy>>> {
    if body.text("qos.policy.name").is_some_and(|name| name.is_empty() || name == "none") {
        return Ok(Some(None));
    }
    let Some(named) = body.named(FIELD) else { return Ok(None) };
    let fits = |policy: &&QosPolicy| {
        (policy.tenant.is_none() || policy.tenant == svm.map(Object::key))
            && named.uuid.as_ref().is_none_or(|uuid| *uuid == policy.id().to_string())
            && named.name.as_ref().is_none_or(|name| name == policy.name())
    };
    let unknown = || Refusal::bad(8_454_273, format!("The QoS policy \"{}\" does not exist.", named.shown())).at("qos.policy.name");
    let found = view.array.qos_policies.iter().filter(fits).max_by_key(|policy| policy.tenant.is_some());
    found.map(|policy| Some(Some(policy))).ok_or_else(unknown)
}
