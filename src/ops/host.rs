//! Hosts: register an initiator, change its name or address, delete.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, rules};
use crate::model::{Array, Host, Initiator, Key, Noun, Object, OpError, Party, Place, Policy, Protocol};

/// Creates a host: one initiator, not a server.
///
/// Refused, in this order: an address of another protocol; no address; invalid name; name taken; invalid address; invalid alias; too
/// many hosts; address taken by another host of the protocol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostCreate, examples(json!({"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// How it is addressed; decides which of the addresses is needed.
    pub protocol: Protocol,
    /// World-wide name, 16 hexadecimal digits with or without colons; for `fc`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wwn: Option<String>,
    /// iSCSI name, 4 to 223 characters, begins with `iqn.` or `eui.`; for `iscsi`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iscsi_name: Option<String>,
    /// NVMe qualified name, up to 223 bytes, begins with `nqn.`; for `nvme`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nqn: Option<String>,
    /// A second name for the administrator's use, up to 31 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    initiator: Initiator,
    alias: String,
}

impl Operation for Create {
    const NAME: &'static str = "host.create";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = CreatePlan;
    type Output = Key<Host>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        let given = addresses([&self.wwn, &self.iscsi_name, &self.nqn]);
        let field = address_field(self.protocol);
        if let Some((other, ..)) = given.iter().find(|(.., protocol)| *protocol != self.protocol) {
            let because = format!("a host of the protocol {} is addressed by its {field}", self.protocol);
            return Err(OpError::Conflicting { noun: Noun::Host, fields: vec![(*other).into(), "protocol".into()], because });
        }
        let Some((_, address, _)) = given.first() else {
            let because = format!("a host of the protocol {} is addressed by it", self.protocol);
            return Err(OpError::Missing { noun: Noun::Host, field: field.into(), because });
        };
        rules::name_is_valid(Noun::Host, &self.name, &rule.short_name)?;
        rules::name_is_free(&array.hosts, &self.name, None, None)?;
        let initiator = initiator(self.protocol, address)?;
        let alias = self.alias.clone().unwrap_or_default();
        alias_is_valid(&alias)?;
        rules::within_limit(&array.hosts, 1, rule.limits.hosts)?;
        initiator_is_free(array, &initiator, None)?;
        Ok(CreatePlan { name: self.name.clone(), initiator, alias })
    }

    fn apply(CreatePlan { name, initiator, alias }: CreatePlan, world: &mut World, _: &Ctx) -> Key<Host> {
        let array = &mut world.array;
        array.hosts.insert(array.identity, name, |head| Host { head, initiator, alias })
    }
}

/// Changes a host's name, address or alias. The address stays one of its protocol.
///
/// Refused, in this order: more than one address; unknown host; an address of another protocol; invalid name; name taken; invalid
/// address; invalid alias; address taken by another host of the protocol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostUpdate, examples(json!({"name": "H9", "wwn": "10:00:00:90:fa:00:00:09", "alias": "a new adapter"})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub host: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its new world-wide name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wwn: Option<String>,
    /// Its new iSCSI name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iscsi_name: Option<String>,
    /// Its new NVMe qualified name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nqn: Option<String>,
    /// Its new alias; empty to have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<Host>,
    name: Option<String>,
    initiator: Option<Initiator>,
    alias: Option<String>,
}

impl Operation for Update {
    const NAME: &'static str = "host.update";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = UpdatePlan;
    type Output = Key<Host>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let given = addresses([&self.wwn, &self.iscsi_name, &self.nqn]);
        if given.len() > 1 {
            let fields = given.iter().map(|(field, ..)| (*field).to_owned()).collect();
            return Err(OpError::Conflicting { noun: Noun::Host, fields, because: "a host has one address".into() });
        }
        let host = array.hosts.find(&self.host, Place::Target)?;
        let spoken = host.initiator.protocol();
        if let Some((.., protocol)) = given.iter().find(|(.., protocol)| *protocol != spoken) {
            let (name, expected) = (host.name().to_owned(), protocol.to_string());
            return Err(OpError::ProtocolMismatch { noun: Noun::Host, name, protocol: spoken.to_string(), expected });
        }
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::Host, name, &array.personality.short_name)?;
            rules::name_is_free(&array.hosts, name, None, Some(host.key()))?;
        }
        let initiator = given.first().map(|(_, address, protocol)| initiator(*protocol, address)).transpose()?;
        self.alias.as_deref().map_or(Ok(()), alias_is_valid)?;
        initiator.as_ref().map_or(Ok(()), |initiator| initiator_is_free(array, initiator, Some(host.key())))?;
        Ok(UpdatePlan { key: host.key(), name: self.name.clone(), initiator, alias: self.alias.clone() })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<Host> {
        let hosts = &mut world.array.hosts;
        if let Some(name) = plan.name {
            hosts.rename(plan.key, name);
        }
        if let Some(host) = hosts.get_mut(plan.key) {
            host.initiator = plan.initiator.unwrap_or_else(|| host.initiator.clone());
            host.alias = plan.alias.unwrap_or_else(|| host.alias.clone());
        }
        plan.key
    }
}

/// Deletes a host.
///
/// Refused, in this order: unknown host; it is in a host group; a volume is mapped to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostDelete)]
pub struct Delete {
    /// Which one.
    pub host: String,
}

impl Operation for Delete {
    const NAME: &'static str = "host.delete";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = Key<Host>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Host>, OpError> {
        let array = &world.array;
        let host = array.hosts.find(&self.host, Place::Target)?;
        let group = array.host_groups.iter().find(|group| group.hosts.contains(&host.key())).map(|group| (Noun::HostGroup, group.name()));
        let mapping = array.mappings.iter().find(|mapping| mapping.party == Party::Host(host.key())).map(|mapping| (Noun::Mapping, mapping.name()));
        match group.or(mapping) {
            Some((by, by_name)) => Err(OpError::InUse { noun: Noun::Host, name: host.name().to_owned(), by, by_name: by_name.to_owned() }),
            None => Ok(host.key()),
        }
    }

    fn apply(key: Key<Host>, world: &mut World, _: &Ctx) {
        world.array.hosts.remove(key);
    }
}

const fn address_field(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Fc => "wwn",
        Protocol::Iscsi => "iscsi_name",
        Protocol::Nvme => "nqn",
    }
}

/// The addresses that were given, each with its field and its protocol.
fn addresses([wwn, iscsi_name, nqn]: [&Option<String>; 3]) -> Vec<(&'static str, &str, Protocol)> {
    let all = [(Protocol::Fc, wwn), (Protocol::Iscsi, iscsi_name), (Protocol::Nvme, nqn)];
    all.into_iter().filter_map(|(protocol, given)| given.as_deref().map(|address| (address_field(protocol), address, protocol))).collect()
}

/// An address in its normal form.
fn initiator(protocol: Protocol, address: &str) -> Result<Initiator, OpError> {
    let (normal, expected) = match protocol {
        Protocol::Fc => (wwn(address).map(Initiator::Wwn), "16 hexadecimal digits, with or without a colon after every second, not all zero"),
        Protocol::Iscsi => (iscsi_name(address).map(Initiator::Iscsi), "4 to 223 letters, digits, '-', '.' or ':' that begin with iqn. or eui."),
        Protocol::Nvme => (nqn(address).map(Initiator::Nqn), "up to 223 bytes without spaces that begin with nqn."),
    };
    let field = address_field(protocol).to_owned();
    normal.ok_or_else(|| OpError::ValueInvalid { noun: Noun::Host, field, value: address.to_owned(), expected: expected.into() })
}

fn wwn(address: &str) -> Option<String> {
    let parts: Vec<&str> = address.split(':').collect();
    let paired = parts.len() == 1 || parts.iter().all(|part| part.len() == 2);
    let digits = parts.concat().to_ascii_lowercase();
    let whole = paired && digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    (whole && digits.bytes().any(|digit| digit != b'0')).then_some(digits)
}

/// An iSCSI name in its normal form.
pub(super) fn iscsi_name(address: &str) -> Option<String> {
    let name = address.to_ascii_lowercase();
    let fits = (4..=223).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || "-.:".contains(c));
    (fits && (name.starts_with("iqn.") || name.starts_with("eui."))).then_some(name)
}

fn nqn(address: &str) -> Option<String> {
    let fits = address.len() <= 223 && !address.chars().any(|c| c.is_control() || c.is_whitespace());
    (fits && address.starts_with("nqn.")).then(|| address.to_owned())
}

/// An alias has up to 31 printable ASCII characters.
fn alias_is_valid(alias: &str) -> Result<(), OpError> {
    if alias.len() <= 31 && alias.chars().all(|c| c.is_ascii_graphic() || c == ' ') {
        return Ok(());
    }
    let expected = "a text of up to 31 printable ASCII characters".into();
    Err(OpError::ValueInvalid { noun: Noun::Host, field: "alias".into(), value: alias.to_owned(), expected })
}

/// No other host has that address.
fn initiator_is_free(array: &Array, initiator: &Initiator, own: Option<Key<Host>>) -> Result<(), OpError> {
    match array.hosts.iter().find(|host| host.initiator == *initiator && Some(host.key()) != own) {
        Some(host) => {
            let (address, protocol) = (initiator.address().to_owned(), initiator.protocol());
            Err(OpError::InitiatorTaken { address, protocol, host: host.name().to_owned() })
        }
        None => Ok(()),
    }
}
