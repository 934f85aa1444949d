//! Settings of the whole array.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Array, Feature, Network, Notification, Personality, Secret};
use crate::units::{Bytes, SimSpan, SimTime};

/// What an administrator sets once for the array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The name of the storage system.
    pub system_name: String,
    /// Where it stands.
    pub location: String,
    /// Whom to ask.
    pub contact: String,
    /// Free text.
    pub description: String,
    /// Whether pools, containers and volumes may use data reduction.
    pub data_reduction: bool,
    /// By which local time its own tools show events: `UTC`, `UTC+09:00` or a place such as `Europe/Berlin`.
    #[serde(default = "Settings::utc")]
    pub time_zone: String,
    /// The identifier by which other arrays know it, up to 40 characters.
    #[serde(default)]
    pub box_id: String,
    /// Whether it is being serviced.
    #[serde(default)]
    pub operation_mode: OperationMode,
    /// Whether parts that nobody uses save power.
    #[serde(default)]
    pub eco_mode: bool,
    /// Whether the array shares out its speed by the priorities of volumes.
    #[serde(default)]
    pub automatic_qos: bool,
    /// Pools.
    #[serde(default)]
    pub thin_provisioning: ThinProvisioning,
    /// The management network.
    #[serde(default)]
    pub network: Network,
    /// Whom the array tells what happens.
    #[serde(default)]
    pub notification: Notification,
    /// Registered licences, in order of name.
    #[serde(default)]
    pub licences: Vec<Licence>,
    /// When the present firmware was applied; `None`: it came with the array.
    #[serde(default)]
    pub firmware_applied: Option<SimTime>,
    /// By what the array proves who it is.
    #[serde(default)]
    pub certificate: Certificate,
    /// How data is encrypted.
    #[serde(default)]
    pub encryption: Encryption,
}

/// Whether the array is being serviced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OperationMode {
    /// It is not.
    #[default]
    Normal,
    /// It is; its status says so.
    Maintenance,
}

/// Whether there can be pools, and how large they may be together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThinProvisioning {
    /// Whether pools can be made.
    pub enabled: bool,
    /// The most capacity of all pools; `None`: the array's limit.
    pub maximum_pool_capacity: Option<Bytes>,
}

/// A registered licence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Licence {
    /// Its name.
    pub name: String,
    /// The key; `None`: it came with the array.
    pub key: Option<Secret>,
    /// When it was registered.
    pub registered: SimTime,
}

/// By what the array proves who it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// Whether the array has made it for itself.
    pub self_signed: bool,
    /// Whom it stands for; of a registered one, what its text says is not read.
    pub subject: Subject,
    /// The text of a registered one.
    pub pem: Option<String>,
    /// When it was made or registered.
    pub since: SimTime,
    /// For how many days a self-made one is good.
    pub days: u32,
}

/// Whom a certificate stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = CertificateSubject, examples(json!({"common_name": "array.example.com", "organization": "Example", "country": "DE"})))]
pub struct Subject {
    /// The name of the machine.
    #[schema(example = "array.example.com")]
    pub common_name: String,
    /// The organization.
    pub organization: String,
    /// The unit in the organization.
    pub organizational_unit: String,
    /// The city.
    pub locality: String,
    /// The state or province.
    pub state: String,
    /// Two letters of the country.
    #[schema(example = "DE")]
    pub country: String,
}

/// How data is encrypted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = EncryptionSettings)]
pub struct Encryption {
    /// By what.
    pub mode: EncryptionMode,
    /// Servers that keep the keys; empty: the array keeps them itself.
    pub key_servers: Vec<String>,
}

/// By what data is encrypted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EncryptionMode {
    /// Not at all.
    Off,
    /// By the controllers.
    #[default]
    Controller,
    /// By drives that encrypt themselves.
    SelfEncryptingDrives,
}

impl Settings {
    fn utc() -> String {
        "UTC".to_owned()
    }
    /// The length of a self-made certificate's life in a new array.
    pub const CERTIFICATE_DAYS: u32 = 3650;
    /// Those of a new array.
    pub fn new(rules: &Personality, product: &str) -> Settings {
        let offer = &rules.offer;
        let licensed = offer.licences.iter().filter(|(_, licence)| licence.new).map(|(name, _)| name.clone());
        Settings {
            system_name: product.to_owned(),
            time_zone: Settings::utc(),
            thin_provisioning: ThinProvisioning { enabled: true, maximum_pool_capacity: offer.pool_capacities.first().map(|choice| choice.capacity) },
            network: Network::new(offer),
            licences: licensed.map(|name| Licence { name, key: None, registered: SimTime::START }).collect(),
            certificate: Certificate { subject: Subject { common_name: product.to_owned(), ..Subject::default() }, ..Certificate::default() },
            encryption: Encryption { mode: offer.encryption_modes.first().copied().unwrap_or(EncryptionMode::Off), key_servers: Vec::new() },
            ..Settings::default()
        }
    }
}

impl Array {
    /// The most capacity of all pools together.
    pub fn pool_capacity_most(&self) -> Bytes {
        let limit = self.personality.limits.pool_capacity;
        self.settings.thin_provisioning.maximum_pool_capacity.map_or(limit, |most| most.min(limit))
    }
    /// The chunk size of a new pool when none is asked for: what follows from the most capacity of all pools.
    pub fn chunk_size(&self) -> Bytes {
        let most = self.settings.thin_provisioning.maximum_pool_capacity;
        let choice = self.personality.offer.pool_capacities.iter().find(|choice| Some(choice.capacity) == most).map(|choice| choice.chunk_size);
        choice.or_else(|| self.personality.chunk_sizes.first().copied()).unwrap_or(Bytes::mib(1))
    }
    /// The name of the licence that is needed for something and not registered; `None` when nothing is missing.
    pub fn missing_licence(&self, feature: Feature) -> Option<&str> {
        let mut needed = self.personality.offer.licences.iter().filter(|(_, licence)| licence.features.contains(&feature)).map(|(name, _)| name).peekable();
        let first = needed.peek().map(|name| name.as_str())?;
        let registered = |name: &String| self.settings.licences.iter().any(|licence| licence.name == *name);
        if needed.any(registered) { None } else { Some(first) }
    }
}

impl Certificate {
    /// When it ends; a registered one's end is not read.
    pub fn ends(&self) -> Option<SimTime> {
        self.self_signed.then(|| self.since + SimSpan::days(u64::from(self.days)))
    }
}

impl Default for ThinProvisioning {
    fn default() -> ThinProvisioning {
        ThinProvisioning { enabled: true, maximum_pool_capacity: None }
    }
}

impl Default for Certificate {
    fn default() -> Certificate {
        Certificate { self_signed: true, subject: Subject::default(), pem: None, since: SimTime::START, days: Settings::CERTIFICATE_DAYS }
    }
}
