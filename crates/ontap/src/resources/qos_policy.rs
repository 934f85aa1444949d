//! `/storage/qos/policies`: how much LUNs, namespaces and volumes may do.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Timing, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{AdaptiveLimits, FixedLimits, Key, Object, QosPolicy, QosRule, SpaceKind};
use crate::ops::{self, AnyOperation};
use crate::query::Asked;
use crate::refusal::{Outcome, Refusal};
use crate::resources::by_uuid_or_name;
use crate::units::Bytes;

/// What nothing follows from: the least MB a second.
pub(super) const LEAST_MB: &str = "fixed.min_throughput_mbps";
const KEPT: [&str; 1] = [LEAST_MB];

/// The fields of fixed limits.
pub(super) const LIMITS: [&str; 6] =
    ["max_throughput", "max_throughput_iops", "max_throughput_mbps", "min_throughput", "min_throughput_iops", "min_throughput_mbps"];

/// Bytes of one MB as limits count them.
const MB: u64 = 1_000_000;

/// The policies.
pub(crate) struct Policies;

impl Collection for Policies {
    fn path(&self) -> &'static str {
        "/storage/qos/policies"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn timing(&self, verb: Verb) -> Timing {
        if verb == Verb::Delete { Timing::Sync } else { Timing::Job }
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.qos_policies.iter().map(|policy| Row(policy.key().raw(), 0)).collect())
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        by_uuid_or_name(&view.array.qos_policies, asked)
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let key = keys.first().and_then(|key| key.parse().ok()).and_then(|id| view.array.qos_policies.key_of(id));
        Ok(key.map(|key| Row(key.raw(), 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let array = view.array;
        let Some(policy) = array.qos_policies.get(Key::<QosPolicy>::from_raw(row.0)) else { return json!({}) };
        let class = policy.note("policy_class").and_then(Value::as_str).unwrap_or("user_defined");
        let mut record = json!({"uuid": policy.id(), "name": policy.name(), "policy_class": class, "pgid": policy.key().raw() + 1});
        record["scope"] = json!(if policy.tenant.is_some() { "svm" } else { "cluster" });
        if let Some(svm) = policy.tenant.and_then(|key| array.tenants.get(key)) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        if want.has("object_count") {
            record["object_count"] = json!(QosPolicy::users(array, policy.key()));
        }
        match &policy.rule {
            QosRule::Fixed(limits) => record["fixed"] = fixed_of(limits, policy),
            QosRule::Adaptive(limits) => record["adaptive"] = adaptive_of(limits),
            QosRule::Level(_) => {}
        }
        kept::show(&mut record, policy, &KEPT);
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let tenant = call.read(|view| kept::svm(view, body).map(|svm| svm.map(|svm| svm.id().to_string())))?;
        let create = ops::qos_policy::Create {
            name: body.required("name")?.to_owned(),
            tenant,
            fixed: body.has("fixed").then(|| fixed(body, "fixed", FixedLimits::default())).transpose()?,
            adaptive: body.has("adaptive").then(|| adaptive(body, None)).transpose()?,
            shared: body.flag("fixed.capacity_shared"),
            ..ops::qos_policy::Create::default()
        };
        let mut operations: Vec<AnyOperation> = vec![create.into()];
        operations.extend(kept::keep("qos-policy", "", kept::said(body, &KEPT)));
        call.make::<QosPolicy>(operations).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let Some(present) = call.read(|view| view.array.qos_policies.get(Key::<QosPolicy>::from_raw(row.0)).cloned()) else { return Ok(()) };
        let id = present.id().to_string();
        let (limits, grown) = match present.rule {
            QosRule::Fixed(limits) => (limits, None),
            QosRule::Adaptive(limits) => (FixedLimits::default(), Some(limits)),
            QosRule::Level(_) => (FixedLimits::default(), None),
        };
        let update = ops::qos_policy::Update {
            qos_policy: id.clone(),
            name: body.text("name").filter(|name| *name != present.name()).map(str::to_owned),
            fixed: body.has("fixed").then(|| fixed(body, "fixed", limits)).transpose()?,
            adaptive: body.has("adaptive").then(|| adaptive(body, grown)).transpose()?,
            shared: body.flag("fixed.capacity_shared"),
            ..ops::qos_policy::Update::default()
        };
        let mut operations: Vec<AnyOperation> = vec![update.into()];
        operations.extend(kept::keep("qos-policy", &id, kept::said(body, &KEPT)));
        call.run(operations).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let id = call.read(|view| view.array.qos_policies.get(Key::<QosPolicy>::from_raw(row.0)).map(|policy| policy.id().to_string()));
        call.run(vec![ops::qos_policy::Delete { qos_policy: id.unwrap_or_default(), ..ops::qos_policy::Delete::default() }.into()]).map(drop)
    }
}

fn fixed_of(limits: &FixedLimits, policy: &QosPolicy) -> Value {
    let mut shown = json!({"capacity_shared": policy.shared});
    put_limits(&mut shown, limits);
    shown
}

/// Shows limits.
pub(super) fn put_limits(shown: &mut Value, limits: &FixedLimits) {
    if let Some(iops) = limits.iops {
        shown["max_throughput_iops"] = json!(iops);
    }
    if let Some(bytes) = limits.bytes_per_second {
        shown["max_throughput_mbps"] = json!(bytes.get() / MB);
    }
    if let Some(iops) = limits.least_iops {
        shown["min_throughput_iops"] = json!(iops);
        shown["min_throughput"] = json!(format!("{iops}IOPS"));
    }
    if let Some(text) = throughput(limits) {
        shown["max_throughput"] = json!(text);
    }
}

/// The most, in words: `5000IOPS,200MB/s`.
pub(crate) fn throughput(limits: &FixedLimits) -> Option<String> {
    let iops = limits.iops.map(|iops| format!("{iops}IOPS"));
    let bytes = limits.bytes_per_second.map(|bytes| format!("{}MB/s", bytes.get() / MB));
    let parts: Vec<String> = iops.into_iter().chain(bytes).collect();
    (!parts.is_empty()).then(|| parts.join(","))
}

fn adaptive_of(limits: &AdaptiveLimits) -> Value {
    let by = |kind: SpaceKind| if kind == SpaceKind::Used { "used_space" } else { "allocated_space" };
    let block = limits.block_size.map_or_else(|| "any".to_owned(), |block| format!("{}k", block.get() >> 10));
    json!({
        "expected_iops": limits.expected_iops_per_tib, "peak_iops": limits.peak_iops_per_tib, "absolute_min_iops": limits.least_iops.unwrap_or(0),
        "expected_iops_allocation": by(limits.expected_by), "peak_iops_allocation": by(limits.peak_by), "block_size": block,
    })
}

/// Limits with what a body says of them in an object; 0 stands for none.
pub(super) fn fixed(body: &Body, object: &str, present: FixedLimits) -> Outcome<FixedLimits> {
    let mut limits = present;
    let path = |name: &str| format!("{object}.{name}");
    if let Some(text) = body.text(&path("max_throughput")) {
        (limits.iops, limits.bytes_per_second) = in_words(&path("max_throughput"), text)?;
    }
    if let Some(text) = body.text(&path("min_throughput")) {
        limits.least_iops = in_words(&path("min_throughput"), text)?.0;
    }
    let count = |name: &str| body.has(&path(name)).then(|| body.number(&path(name)).filter(|count| *count > 0));
    limits.iops = count("max_throughput_iops").unwrap_or(limits.iops);
    let bytes = count("max_throughput_mbps").map(|count| count.map(|count| Bytes::new(count.saturating_mul(MB))));
    limits.bytes_per_second = bytes.unwrap_or(limits.bytes_per_second);
    limits.least_iops = count("min_throughput_iops").unwrap_or(limits.least_iops);
    Ok(limits)
}

/// Operations and bytes a second: `5000IOPS,200MB/s`, `none`.
fn in_words(field: &str, text: &str) -> Outcome<(Option<u64>, Option<Bytes>)> {
    let (mut iops, mut bytes) = (None, None);
    for part in text.split(',').map(|part| part.trim().to_lowercase()) {
        if matches!(part.as_str(), "none" | "inf" | "0" | "") {
            continue;
        }
        let digits = part.find(|character: char| !character.is_ascii_digit()).unwrap_or(part.len());
        let (count, unit) = (part[..digits].parse::<u64>(), part[digits..].trim());
        let unit_bytes = match unit {
            "iops" | "" => 0,
            "b/s" => 1,
            "kb/s" => 1000,
            "mb/s" => MB,
            "gb/s" => 1000 * MB,
            "tb/s" => 1_000_000 * MB,
            _ => return Err(Refusal::bad_value(field, &json!(text), "such as 5000IOPS or 200MB/s").at(field)),
        };
        match (count, unit_bytes) {
            (Ok(count), 0) => iops = Some(count),
            (Ok(count), unit) => bytes = Some(Bytes::new(count.saturating_mul(unit))),
            (Err(_), _) => return Err(Refusal::bad_value(field, &json!(text), "such as 5000IOPS or 200MB/s").at(field)),
        }
    }
    Ok((iops, bytes))
}

/// Limits that grow, with what a body says.
fn adaptive(body: &Body, present: Option<AdaptiveLimits>) -> Outcome<AdaptiveLimits> {
    let number = |field: &'static str, present: Option<u64>| body.number(field).or(present).ok_or_else(|| Refusal::required(field));
    let by = |field: &str, present: SpaceKind| match body.text(field) {
        Some("used_space") => SpaceKind::Used,
        Some("allocated_space") => SpaceKind::Allocated,
        _ => present,
    };
    let block_size = match body.text("adaptive.block_size") {
        None => present.and_then(|limits| limits.block_size),
        Some(text) => text.trim_end_matches('k').parse::<u64>().ok().map(|count| Bytes::new(count << 10)),
    };
    Ok(AdaptiveLimits {
        expected_iops_per_tib: number("adaptive.expected_iops", present.map(|limits| limits.expected_iops_per_tib))?,
        peak_iops_per_tib: number("adaptive.peak_iops", present.map(|limits| limits.peak_iops_per_tib))?,
        least_iops: Some(number("adaptive.absolute_min_iops", present.map_or(Some(75), |limits| limits.least_iops))?).filter(|least| *least > 0),
        block_size,
        expected_by: by("adaptive.expected_iops_allocation", present.map_or(SpaceKind::Allocated, |limits| limits.expected_by)),
        peak_by: by("adaptive.peak_iops_allocation", present.map_or(SpaceKind::Used, |limits| limits.peak_by)),
    })
}
