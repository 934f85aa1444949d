//! All collections, one file each: what it reads of the array, and which operations a change becomes.
//!
//! Must not know: filters, paging, links, jobs: those are the same for all.
//! Read first: `node` (reads only), then `svm`.

pub(crate) mod account;
pub(crate) mod aggregate;
mod aggregate_layout;
mod broadcast_domain;
mod certificate;
mod chassis;
mod cluster;
mod cluster_space;
mod configured;
mod consistency_group;
mod consistency_group_plan;
mod consistency_group_snapshot;
mod counter;
mod credential;
mod disk;
mod dns;
mod efficiency;
mod efficiency_policy;
mod empty;
mod ems;
mod ems_choice;
mod ems_destination;
mod ems_filter;
mod ethernet_port;
mod fc_interface;
mod fc_login;
mod fc_port;
pub(crate) mod ha;
mod igroup;
mod igroup_member;
mod initiator_name;
mod ip_interface;
mod ip_interface_change;
mod ip_interface_checks;
mod ipspace;
pub(crate) mod job;
mod licence;
mod login_message;
mod lun;
mod lun_attribute;
mod lun_change;
mod lun_map;
pub(crate) mod lun_path;
mod metrics;
mod node;
mod ntp_server;
mod portset;
mod qos_policy;
mod qos_workload;
mod qtree;
mod role;
mod route;
mod schedule;
mod sensor;
mod service_policy;
mod setting;
mod shelf;
mod snapshot;
mod snapshot_policy;
mod software;
mod subnet;
mod subsystem;
mod svm;
mod svm_change;
mod svm_service;
mod target_service;
mod volume;
mod volume_change;
mod volume_qos;
mod volume_record;
mod web;

use crate::collection::{Collection, Row};
use crate::model::{Object, Protocol, Table};
use crate::query::Asked;

/// All collections.
pub(crate) const COLLECTIONS: &[&dyn Collection] = &[
    &cluster::Cluster,
    &node::Nodes,
    &job::Jobs,
    &aggregate::Aggregates,
    &empty::Empty("/cluster/peers"),
    &empty::Empty("/svm/peers"),
    &empty::Empty("/svm/peer-permissions"),
    &empty::Empty("/svm/migrations"),
    &empty::Empty("/snapmirror/relationships"),
    &empty::Empty("/snapmirror/relationships/{relationship.uuid}/transfers"),
    &empty::Empty("/snapmirror/policies"),
    &empty::Empty("/storage/flexcache/flexcaches"),
    &empty::Empty("/storage/flexcache/origins"),
    &empty::Empty("/storage/quota/reports"),
    &empty::Empty("/cloud/targets"),
    &empty::Empty("/storage/bridges"),
    &empty::Empty("/storage/switches"),
    &empty::Empty("/network/ethernet/switches"),
    &empty::Empty("/network/ethernet/switch/ports"),
    &empty::Empty("/protocols/san/vvol-bindings"),
    &metrics::CLUSTER,
    &metrics::NODES,
    &metrics::AGGREGATES,
    &metrics::VOLUMES,
    &metrics::LUNS,
    &metrics::NAMESPACES,
    &metrics::QTREES,
    &metrics::CONSISTENCY_GROUPS,
    &metrics::ETHERNET_PORTS,
    &metrics::FC_PORTS,
    &metrics::IP_INTERFACES,
    &metrics::FC_INTERFACES,
    &metrics::ISCSI,
    &metrics::FCP,
    &metrics::NVME,
    &counter::Tables,
    &counter::Rows,
    &volume::Volumes,
    &snapshot::Snapshots,
    &snapshot_policy::SnapshotPolicies,
    &snapshot_policy::PolicySchedules,
    &efficiency_policy::EfficiencyPolicies,
    &qtree::Qtrees,
    &aggregate::Plexes,
    &disk::Disks,
    &shelf::Shelves,
    &cluster_space::ClusterSpace,
    &empty::Empty("/storage/aggregates/{aggregate.uuid}/cloud-stores"),
    &empty::Empty("/storage/pools"),
    &empty::Empty("/storage/ports"),
    &igroup::Igroups,
    &igroup_member::Initiators,
    &igroup_member::Nested,
    &igroup_member::AllInitiators,
    &lun_map::LunMaps,
    &lun_map::ReportingNodes,
    &portset::Portsets,
    &portset::Interfaces,
    &target_service::Services(Protocol::Iscsi),
    &target_service::Services(Protocol::Fc),
    &target_service::Services(Protocol::Nvme),
    &credential::Credentials,
    &subsystem::Subsystems,
    &subsystem::Hosts,
    &subsystem::SubsystemMaps,
    &empty::Empty("/protocols/san/iscsi/sessions"),
    &empty::Empty("/protocols/nvme/subsystem-controllers"),
    &svm::Svms,
    &ip_interface::IpInterfaces,
    &fc_interface::FcInterfaces,
    &ethernet_port::EthernetPorts,
    &fc_port::FcPorts,
    &fc_login::FcLogins,
    &broadcast_domain::BroadcastDomains,
    &ipspace::Ipspaces,
    &route::Routes,
    &subnet::Subnets,
    &service_policy::ServicePolicies,
    &schedule::Schedules,
    &ntp_server::NtpServers,
    &licence::Licences,
    &software::Software,
    &chassis::Chassis,
    &sensor::Sensors,
    &web::ClusterWeb,
    &web::SvmWeb,
    &dns::Dns,
    &empty::Empty("/cluster/ntp/keys"),
    &empty::Empty("/cluster/firmware/history"),
    &empty::Empty("/cluster/licensing/license-managers"),
    &empty::Empty("/cluster/licensing/capacity-pools"),
    &empty::Empty("/cluster/software/history"),
    &empty::Empty("/cluster/software/packages"),
    &empty::Empty("/network/fc/fabrics"),
    &empty::Empty("/network/fc/fabrics/{fabric.name}/switches"),
    &empty::Empty("/network/fc/fabrics/{fabric.name}/zones"),
    &empty::Empty("/network/fc/wwpn-aliases"),
    &ems::Events,
    &ems::Messages,
    &ems::ApplicationLogs,
    &ems_filter::Filters,
    &ems_filter::Rules,
    &ems_destination::Destinations,
    &setting::EMS,
    &setting::AUTOSUPPORT,
    &setting::AUTO_UPDATE,
    &setting::SECURITY,
    &setting::SSH,
    &setting::AUDIT,
    &empty::Empty("/support/autosupport/messages"),
    &account::Accounts,
    &role::Roles,
    &role::Privileges,
    &login_message::Messages,
    &login_message::Shells,
    &certificate::Certificates,
    &certificate::AuditDestinations,
    &lun::LUNS,
    &lun_attribute::Attributes,
    &lun::NAMESPACES,
    &qos_policy::Policies,
    &qos_workload::Workloads,
    &qos_workload::Options,
    &consistency_group::Groups,
    &consistency_group_snapshot::Snapshots,
    &empty::Empty("/application/applications"),
    &empty::Empty("/storage/file/clone/split-status"),
];

/// The rows that filters by identifier or name leave, where an index of the table tells.
pub(crate) fn by_uuid_or_name<T: Object>(table: &Table<T>, asked: &Asked) -> Option<Vec<Row>> {
    let exact = |field: &str| asked.filters.iter().find(|(path, _)| path == field).and_then(|(_, filter)| filter.exact());
    if let Some(id) = exact("uuid") {
        let key = id.parse().ok().and_then(|id| table.key_of(id));
        return Some(key.map(|key| Row(key.raw(), 0)).into_iter().collect());
    }
    let name = exact("name")?;
    Some(table.all_named(name).map(|item| Row(item.key().raw(), 0)).collect())
}
