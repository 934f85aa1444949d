//! `/storage/qos/workloads` and `/storage/qos/qos-options`: what policies limit, and what the system itself does.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Shape, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Array, Controller, Key, Notes, Noun, Object, QosPolicy, QosRule, Tenant};
use crate::refusal::Outcome;
use crate::resources::lun_path::path_of;
use crate::resources::qos_policy::put_limits;

/// What the system does by itself.
const SYSTEM: [&str; 5] = ["User-Best-Effort", "_WAFL", "_WAFL_SCAN", "_SCAN_BESTEFFORT", "_ADMIN"];

/// The kinds of rows.
const OF_SYSTEM: u32 = 0;
const OF_UNIT: u32 = 1;
const OF_VOLUME: u32 = 2;

/// One workload for each object that has a policy, and those of the system.
pub(crate) struct Workloads;

impl Collection for Workloads {
    fn path(&self) -> &'static str {
        "/storage/qos/workloads"
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let array = view.array;
        let system = (0..u32::try_from(SYSTEM.len()).unwrap_or(0)).map(|place| Row(place, OF_SYSTEM));
        let units = array.volumes.iter().filter(|volume| volume.qos_policy.is_some()).map(|volume| Row(volume.key().raw(), OF_UNIT));
        let volumes = array.containers.iter().filter(|container| container.qos_policy.is_some()).map(|container| Row(container.key().raw(), OF_VOLUME));
        Ok(system.chain(units).chain(volumes).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let array = view.array;
        // Identifiers of their own: the other halves of keys.
        let uuid = |noun, key: u32| array.identity.uuid(noun, key | (1 << 31));
        match row.1 {
            OF_SYSTEM => {
                let name = SYSTEM[usize::try_from(row.0).unwrap_or(0).min(SYSTEM.len() - 1)];
                json!({"uuid": uuid(Noun::QosPolicy, row.0), "name": name, "wid": row.0 + 1, "workload_class": "system_defined"})
            }
            OF_UNIT => {
                let Some(volume) = array.volumes.get(Key::from_raw(row.0)) else { return json!({}) };
                let wid = 10_000 + 2 * row.0;
                let container = volume.container().and_then(|key| array.containers.get(key)).map_or("", Object::name);
                let name = volume.name().rsplit('/').next().unwrap_or_default();
                let mut record = json!({
                    "uuid": uuid(Noun::Volume, row.0), "name": format!("{name}-wid{wid}"), "wid": wid, "workload_class": "user_defined",
                    "volume": container, "lun": path_of(array, volume),
                });
                limited(array, &mut record, volume.qos_policy, volume.tenant);
                record
            }
            _ => {
                let Some(container) = array.containers.get(Key::from_raw(row.0)) else { return json!({}) };
                let wid = 10_001 + 2 * row.0;
                let mut record = json!({
                    "uuid": uuid(Noun::Container, row.0), "name": format!("{}-wid{wid}", container.name()), "wid": wid, "workload_class": "user_defined",
                    "volume": container.name(),
                });
                limited(array, &mut record, container.qos_policy, container.tenant);
                record
            }
        }
    }
}

fn limited(array: &Array, record: &mut Value, policy: Option<Key<QosPolicy>>, svm: Option<Key<Tenant>>) {
    if let Some(svm) = svm.and_then(|key| array.tenants.get(key)) {
        record["svm"] = refer(svm.name(), svm.id());
    }
    let Some(policy) = policy.and_then(|key| array.qos_policies.get(key)) else { return };
    record["policy"] = refer(policy.name(), policy.id());
    if let QosRule::Fixed(limits) = &policy.rule {
        put_limits(record, limits);
        // Of bytes a workload tells in words only.
        record.as_object_mut().map(|fields| fields.shift_remove("max_throughput_mbps"));
    }
}

/// How much of the array is kept for what it does in the background. Nothing follows from it; it stands beside the first node.
pub(crate) struct Options;

const RESERVE: &str = "background_task_reserve";

impl Collection for Options {
    fn path(&self) -> &'static str {
        "/storage/qos/qos-options"
    }
    fn shape(&self) -> Shape {
        Shape::One
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Update]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.controllers.iter().take(1).map(|node| Row(node.key().raw(), 0)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let node = view.array.controllers.get(Key::<Controller>::from_raw(row.0));
        json!({RESERVE: node.and_then(|node| node.note(RESERVE)).and_then(Value::as_u64).unwrap_or(40)})
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let node = call.read(|view| view.array.controllers.get(Key::<Controller>::from_raw(row.0)).map(|node| node.id().to_string()));
        let said: Notes = kept::said(body, &[RESERVE]);
        call.run(kept::keep("controller", &node.unwrap_or_default(), said).into_iter().collect()).map(drop)
    }
}
