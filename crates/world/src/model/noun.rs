//! The names of the kinds of things.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A kind of thing in an array. Its text is the singular in kebab-case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each variant is the noun that it names")]
pub enum Noun {
    Array,
    Settings,
    Enclosure,
    Controller,
    HostPort,
    Drive,
    RaidGroup,
    Pool,
    Container,
    Snapshot,
    Volume,
    Host,
    HostGroup,
    PortGroup,
    LunGroup,
    Affinity,
    Mapping,
    Tenant,
    Interface,
    CopySession,
    QosPolicy,
    HostResponse,
    Part,
    User,
    Role,
    PasswordPolicy,
    Licence,
    Workload,
    Job,
    Event,
    Clock,
    Checkpoint,
    Record,
    Note,
    Service,
}

impl Noun {
    /// The singular in kebab-case, as in codes and identities.
    pub const fn name(self) -> &'static str {
        match self {
            Noun::Array => "array",
            Noun::Settings => "settings",
            Noun::Enclosure => "enclosure",
            Noun::Controller => "controller",
            Noun::HostPort => "host-port",
            Noun::Drive => "drive",
            Noun::RaidGroup => "raid-group",
            Noun::Pool => "pool",
            Noun::Container => "container",
            Noun::Snapshot => "snapshot",
            Noun::Volume => "volume",
            Noun::Host => "host",
            Noun::HostGroup => "host-group",
            Noun::PortGroup => "port-group",
            Noun::LunGroup => "lun-group",
            Noun::Affinity => "affinity",
            Noun::Mapping => "mapping",
            Noun::Tenant => "tenant",
            Noun::Interface => "interface",
            Noun::CopySession => "copy-session",
            Noun::QosPolicy => "qos-policy",
            Noun::HostResponse => "host-response",
            Noun::Part => "part",
            Noun::User => "user",
            Noun::Role => "role",
            Noun::PasswordPolicy => "password-policy",
            Noun::Licence => "licence",
            Noun::Workload => "workload",
            Noun::Job => "job",
            Noun::Event => "event",
            Noun::Clock => "clock",
            Noun::Checkpoint => "checkpoint",
            Noun::Record => "record",
            Noun::Note => "note",
            Noun::Service => "service",
        }
    }
    /// The noun in running text.
    pub const fn words(self) -> &'static str {
        match self {
            Noun::HostPort => "host port",
            Noun::RaidGroup => "RAID group",
            Noun::HostGroup => "host group",
            Noun::PortGroup => "port group",
            Noun::LunGroup => "LUN group",
            Noun::Affinity => "host affinity",
            Noun::CopySession => "copy session",
            Noun::Settings => "setting",
            Noun::QosPolicy => "QoS policy",
            Noun::PasswordPolicy => "password policy",
            Noun::HostResponse => "host response",
            Noun::Service => "target service",
            other => other.name(),
        }
    }
    /// Several of them in running text.
    pub fn plural(self) -> String {
        match self {
            Noun::Affinity => "host affinities".to_owned(),
            Noun::QosPolicy => "QoS policies".to_owned(),
            Noun::PasswordPolicy => "password policies".to_owned(),
            Noun::Settings => "settings".to_owned(),
            other => format!("{}s", other.words()),
        }
    }
}

impl fmt::Display for Noun {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.words())
    }
}
