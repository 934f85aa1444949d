//! The `/metrics` collections: samples of what a thing did, newest first.

use serde_json::{Value, json};

use crate::collection::{Collection, Row, View};
use crate::fields::Want;
use crate::model::{Container, Controller, HostPort, Interface, Key, Object, Pool, RecordKind, Service, Table, Tenant, Volume};
use crate::refusal::{Outcome, Refusal};
use crate::statistics::{Interval, Subject, members, sample};
use crate::units::SimTime;

/// The samples of the thing that stands above them in the path.
pub(crate) struct Metrics {
    path: &'static str,
    subject: fn(&View<'_>) -> Option<Subject>,
}

/// Those of the cluster.
pub(crate) const CLUSTER: Metrics = Metrics { path: "/cluster/metrics", subject: |_| Some(Subject::cluster()) };
/// Those of nodes.
pub(crate) const NODES: Metrics =
    Metrics { path: "/cluster/nodes/{uuid}/metrics", subject: |view| above::<Controller>(view, &view.array.controllers).map(Subject::node) };
/// Those of aggregates.
pub(crate) const AGGREGATES: Metrics =
    Metrics { path: "/storage/aggregates/{uuid}/metrics", subject: |view| above::<Pool>(view, &view.array.pools).map(Subject::aggregate) };
/// Those of volumes.
pub(crate) const VOLUMES: Metrics =
    Metrics { path: "/storage/volumes/{volume.uuid}/metrics", subject: |view| above::<Container>(view, &view.array.containers).map(Subject::volume) };
/// Those of LUNs.
pub(crate) const LUNS: Metrics =
    Metrics { path: "/storage/luns/{lun.uuid}/metrics", subject: |view| above::<Volume>(view, &view.array.volumes).map(Subject::lun) };
/// Those of namespaces.
pub(crate) const NAMESPACES: Metrics =
    Metrics { path: "/storage/namespaces/{nvme_namespace.uuid}/metrics", subject: |view| above::<Volume>(view, &view.array.volumes).map(Subject::namespace) };
/// Those of qtrees.
pub(crate) const QTREES: Metrics = Metrics {
    path: "/storage/qtrees/{volume.uuid}/{qtree.id}/metrics",
    subject: |view| {
        let volume = view.parents.first()?.parse().ok()?;
        view.array.containers.key_of(volume).map(|_| Subject::qtree())
    },
};
/// Those of consistency groups.
pub(crate) const CONSISTENCY_GROUPS: Metrics = Metrics {
    path: "/application/consistency-groups/{consistency_group.uuid}/metrics",
    subject: |view| {
        let record = view.array.records.get(above(view, &view.array.records)?)?;
        (record.kind == RecordKind::ConsistencyGroup).then(|| Subject::consistency_group(&members(view.array, record)))
    },
};
/// Those of Ethernet ports.
pub(crate) const ETHERNET_PORTS: Metrics =
    Metrics { path: "/network/ethernet/ports/{uuid}/metrics", subject: |view| above::<HostPort>(view, &view.array.host_ports).map(Subject::ethernet_port) };
/// Those of Fibre Channel ports.
pub(crate) const FC_PORTS: Metrics =
    Metrics { path: "/network/fc/ports/{fc_port.uuid}/metrics", subject: |view| above::<HostPort>(view, &view.array.host_ports).map(Subject::fc_port) };
/// Those of IP interfaces.
pub(crate) const IP_INTERFACES: Metrics = Metrics { path: "/network/ip/interfaces/{uuid}/metrics", subject: interface };
/// Those of Fibre Channel interfaces.
pub(crate) const FC_INTERFACES: Metrics = Metrics { path: "/network/fc/interfaces/{fc_interface.uuid}/metrics", subject: interface };
/// Those of iSCSI services.
pub(crate) const ISCSI: Metrics = Metrics { path: "/protocols/san/iscsi/services/{svm.uuid}/metrics", subject: |view| service(view, &[Service::Iscsi]) };
/// Those of FC services.
pub(crate) const FCP: Metrics = Metrics { path: "/protocols/san/fcp/services/{svm.uuid}/metrics", subject: |view| service(view, &[Service::Fc]) };
/// Those of NVMe services.
pub(crate) const NVME: Metrics =
    Metrics { path: "/protocols/nvme/services/{svm.uuid}/metrics", subject: |view| service(view, &[Service::NvmeFc, Service::NvmeTcp]) };

/// The object that the path names above the metrics.
fn above<T: Object>(view: &View<'_>, table: &Table<T>) -> Option<Key<T>> {
    table.key_of(view.parents.first()?.parse().ok()?)
}

fn interface(view: &View<'_>) -> Option<Subject> {
    let interface: &Interface = view.array.interfaces.get(above(view, &view.array.interfaces)?)?;
    Some(Subject::interface(view.array, interface))
}

fn service(view: &View<'_>, services: &[Service]) -> Option<Subject> {
    let tenant: Key<Tenant> = above(view, &view.array.tenants)?;
    Some(Subject::services(view.array, tenant, services))
}

impl Collection for Metrics {
    fn path(&self) -> &'static str {
        self.path
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["timestamp", "duration", "status", "iops", "latency", "throughput", "processor_utilization"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        (self.subject)(view).ok_or_else(Refusal::not_found)?;
        let ends = interval(view, self.path)?.ends(view.now());
        Ok((0..u32::try_from(ends.len()).unwrap_or(0)).map(|place| Row(place, 0)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let (Some(subject), Ok(interval)) = ((self.subject)(view), interval(view, self.path)) else { return json!({}) };
        let ends = interval.ends(view.now());
        let end = ends.get(row.0 as usize).copied().unwrap_or(SimTime::START);
        let mut record = sample(view, &subject, &interval, end);
        if let Some(fields) = crate::schema::resource(self.path).map(|resource| &resource.fields) {
            if fields.get("uuid").is_some() {
                record["uuid"] = json!(view.parents.first());
            } else if fields.at("svm.uuid").is_some() && fields.get("volume").is_none() {
                record["svm"] = json!({"uuid": view.parents.first()});
            } else if fields.at("volume.uuid").is_some() {
                record["volume"] = json!({"uuid": view.parents.first()});
                record["qtree"] = json!({"id": view.parents.get(1).and_then(|id| id.parse::<u64>().ok())});
            }
        }
        record
    }
}

fn interval(view: &View<'_>, path: &str) -> Outcome<Interval> {
    let named = view.query.get("interval");
    Interval::named(named, path).ok_or_else(|| Refusal::bad_value("interval", &json!(named), "one of: 1h, 1d, 1w, 1m, 1y"))
}
