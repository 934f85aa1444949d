//! Records: configuration that has a name and is referred to, but from which nothing in the array follows.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Array, Head, Key, Noun, Object, OpError, Place, Tenant};

/// A record. All that it says stands in its notes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Identity, and the notes.
    pub head: Head,
    /// What kind of thing it is.
    pub kind: RecordKind,
    /// Whose it is; what has no tenant belongs to the array itself.
    pub tenant: Option<Key<Tenant>>,
    /// Whether the array came with it.
    #[serde(default)]
    pub built_in: bool,
}

/// What a record stands for. New kinds go to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each kind is what its name says")]
pub enum RecordKind {
    Schedule,
    SnapshotPolicy,
    EfficiencyPolicy,
    Qtree,
    EmsDestination,
    EmsFilter,
    LoginMessage,
    BroadcastDomain,
    Ipspace,
    Route,
    ServicePolicy,
    Certificate,
    ConsistencyGroup,
    ConsistencyGroupSnapshot,
    Credential,
    Subnet,
    NtpServer,
    Autosupport,
    ApplicationLog,
    Application,
    QuotaRule,
    AuditDestination,
    SnapmirrorPolicy,
    WwpnAlias,
    FcZone,
    ClusterSetting,
}

impl RecordKind {
    /// All of them.
    pub const ALL: [RecordKind; 26] = [
        RecordKind::Schedule,
        RecordKind::SnapshotPolicy,
        RecordKind::EfficiencyPolicy,
        RecordKind::Qtree,
        RecordKind::EmsDestination,
        RecordKind::EmsFilter,
        RecordKind::LoginMessage,
        RecordKind::BroadcastDomain,
        RecordKind::Ipspace,
        RecordKind::Route,
        RecordKind::ServicePolicy,
        RecordKind::Certificate,
        RecordKind::ConsistencyGroup,
        RecordKind::ConsistencyGroupSnapshot,
        RecordKind::Credential,
        RecordKind::Subnet,
        RecordKind::NtpServer,
        RecordKind::Autosupport,
        RecordKind::ApplicationLog,
        RecordKind::Application,
        RecordKind::QuotaRule,
        RecordKind::AuditDestination,
        RecordKind::SnapmirrorPolicy,
        RecordKind::WwpnAlias,
        RecordKind::FcZone,
        RecordKind::ClusterSetting,
    ];
    /// Its name, as it is written.
    pub const fn name(self) -> &'static str {
        match self {
            RecordKind::Schedule => "schedule",
            RecordKind::SnapshotPolicy => "snapshot_policy",
            RecordKind::EfficiencyPolicy => "efficiency_policy",
            RecordKind::Qtree => "qtree",
            RecordKind::EmsDestination => "ems_destination",
            RecordKind::EmsFilter => "ems_filter",
            RecordKind::LoginMessage => "login_message",
            RecordKind::BroadcastDomain => "broadcast_domain",
            RecordKind::Ipspace => "ipspace",
            RecordKind::Route => "route",
            RecordKind::ServicePolicy => "service_policy",
            RecordKind::Certificate => "certificate",
            RecordKind::ConsistencyGroup => "consistency_group",
            RecordKind::ConsistencyGroupSnapshot => "consistency_group_snapshot",
            RecordKind::Credential => "credential",
            RecordKind::Subnet => "subnet",
            RecordKind::NtpServer => "ntp_server",
            RecordKind::Autosupport => "autosupport",
            RecordKind::ApplicationLog => "application_log",
            RecordKind::Application => "application",
            RecordKind::QuotaRule => "quota_rule",
            RecordKind::AuditDestination => "audit_destination",
            RecordKind::SnapmirrorPolicy => "snapmirror_policy",
            RecordKind::WwpnAlias => "wwpn_alias",
            RecordKind::FcZone => "fc_zone",
            RecordKind::ClusterSetting => "cluster_setting",
        }
    }
}

impl Record {
    /// Where the names of that kind and tenant are unique.
    pub const fn scope_of(kind: RecordKind, tenant: Option<Key<Tenant>>) -> u32 {
        let owner = match tenant {
            Some(tenant) => tenant.raw().wrapping_add(1),
            None => 0,
        };
        owner.wrapping_mul(64).wrapping_add(kind as u32)
    }
}

impl Array {
    /// Finds a record by id, number or name; one of the array itself also by `kind/name`.
    pub fn find_record(&self, reference: &str, place: Place) -> Result<&Record, OpError> {
        let by_kind = || {
            let (kind, name) = reference.split_once('/')?;
            let kind = RecordKind::ALL.into_iter().find(|known| known.name() == kind)?;
            self.records.named(name, Some(Record::scope_of(kind, None)))
        };
        self.records.find(reference, place).or_else(|refusal| by_kind().ok_or(refusal))
    }
    /// The records of a tenant, in order of number.
    pub fn records_of(&self, tenant: Key<Tenant>) -> impl Iterator<Item = &Record> {
        self.records.iter().filter(move |record| record.tenant == Some(tenant))
    }
}

impl Object for Record {
    const NOUN: Noun = Noun::Record;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
    fn scope(&self) -> Option<u32> {
        Some(Record::scope_of(self.kind, self.tenant))
    }
}
