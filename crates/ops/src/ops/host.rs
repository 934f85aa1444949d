//! Hosts: register an initiator, change its name or address, delete.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, belonging, host_response, rules};
use crate::model::{Array, Chap, Host, HostResponse, Initiator, Key, Noun, Object, OpError, Party, Place, Policy, Protocol, Secret, Sharing, Tenant};

/// Creates a host: one initiator, not a server.
///
/// Refused, in this order: an address of another protocol; no address; unknown tenant or host response; invalid name; name taken; a protocol
/// that the array or the tenant does not speak, or that has no licence; invalid address; invalid alias; CHAP in half, over another
/// protocol than iSCSI, or with an invalid user or secret; too many hosts; address taken by another host of the protocol.
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
    /// Whose it is; of the array itself if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// How the array answers it; the standard host response if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_response: Option<String>,
    /// The user by which it proves who it is (CHAP), 1 to 223 characters; for `iscsi`, with `chap_secret`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chap_user: Option<String>,
    /// The secret by which it does, 12 to 100 characters; it is not shown again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chap_secret: Option<Secret>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    initiator: Initiator,
    alias: String,
    tenant: Option<Key<Tenant>>,
    host_response: Option<Key<HostResponse>>,
    chap: Option<Chap>,
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
        let tenant = belonging::of_new(array, Noun::Host, self.tenant.as_deref())?;
        let host_response = host_response::named(array, self.host_response.as_deref())?.flatten();
        rules::name_is_valid(Noun::Host, &self.name, &rule.short_name)?;
        rules::name_is_free(&array.hosts, &self.name, None, None)?;
        protocol_is_spoken(array, &self.name, self.protocol, tenant)?;
        let initiator = initiator(self.protocol, address)?;
        let alias = self.alias.clone().unwrap_or_default();
        alias_is_valid(&alias)?;
        let chap = chap(self.protocol, None, self.chap_user.as_deref(), self.chap_secret.as_ref())?;
        rules::within_limit(&array.hosts, 1, rule.limits.hosts)?;
        initiator_is_free(array, &initiator, None)?;
        Ok(CreatePlan { name: self.name.clone(), initiator, alias, tenant, host_response, chap })
    }

    fn apply(plan: CreatePlan, world: &mut World, _: &Ctx) -> Key<Host> {
        let array = &mut world.array;
        let CreatePlan { name, initiator, alias, tenant, host_response, chap } = plan;
        array.hosts.insert(array.identity, name, |head| Host { head, initiator, alias, tenant, host_response, chap })
    }

    fn masked(&self) -> Create {
        Create { chap_secret: self.chap_secret.as_ref().map(|_| Secret::masked()), ..self.clone() }
    }
}

/// Changes a host; what is left out stays. The address stays one of its protocol. Its host groups, and all hosts in them, get its new host
/// response with it.
///
/// Refused, in this order: more than one address; unknown host or host response; an address of another protocol; invalid name; name taken;
/// invalid address; invalid alias; CHAP in half, over another protocol than iSCSI, or with an invalid user or secret; address taken by
/// another host of the protocol; a LUN that the host response does not allow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
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
    /// How the array answers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_response: Option<String>,
    /// The user by which it proves who it is (CHAP); empty to have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chap_user: Option<String>,
    /// The secret by which it does; it is not shown again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chap_secret: Option<Secret>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<Host>,
    name: Option<String>,
    initiator: Option<Initiator>,
    alias: Option<String>,
    chap: Option<Chap>,
    response: Option<(Sharing, Option<Key<HostResponse>>)>,
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
        let response = host_response::named(array, self.host_response.as_deref())?;
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
        let chap = chap(spoken, host.chap.as_ref(), self.chap_user.as_deref(), self.chap_secret.as_ref())?;
        initiator.as_ref().map_or(Ok(()), |initiator| initiator_is_free(array, initiator, Some(host.key())))?;
        let response = response.map(|response| (Sharing::with(array, &[host.key()], None), response));
        response.iter().try_for_each(|(sharing, response)| host_response::can_be_given(array, sharing, *response))?;
        Ok(UpdatePlan { key: host.key(), name: self.name.clone(), initiator, alias: self.alias.clone(), chap, response })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<Host> {
        let hosts = &mut world.array.hosts;
        if let Some(name) = plan.name {
            hosts.rename(plan.key, name);
        }
        if let Some(host) = hosts.get_mut(plan.key) {
            host.initiator = plan.initiator.unwrap_or_else(|| host.initiator.clone());
            host.alias = plan.alias.unwrap_or_else(|| host.alias.clone());
            host.chap = plan.chap;
        }
        if let Some((sharing, response)) = plan.response {
            sharing.give(&mut world.array, response);
        }
        plan.key
    }

    fn masked(&self) -> Update {
        Update { chap_secret: self.chap_secret.as_ref().map(|_| Secret::masked()), ..self.clone() }
    }
}

/// Deletes a host.
///
/// Refused, in this order: unknown host; it is in a host group; a volume is mapped to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
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

/// The array, and the tenant, must speak the protocol, and a licence that is needed for it must be registered.
fn protocol_is_spoken(array: &Array, name: &str, protocol: Protocol, tenant: Option<Key<Tenant>>) -> Result<(), OpError> {
    if !array.personality.offer.host_protocols.contains(&protocol) {
        return Err(OpError::NotSupported { noun: Noun::Host, field: "protocol".into(), what: format!("hosts that speak {protocol}") });
    }
    if let Some(tenant) = tenant.map(|key| &array.tenants[key]).filter(|tenant| !tenant.protocols.contains(&protocol)) {
        let expected = tenant.protocols.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
        return Err(OpError::ProtocolMismatch { noun: Noun::Host, name: name.to_owned(), protocol: protocol.to_string(), expected });
    }
    rules::is_licensed(array, protocol.feature(), &format!("a host that speaks {protocol}"))
}

/// CHAP as it would be: user and secret together, over iSCSI.
fn chap(protocol: Protocol, present: Option<&Chap>, user: Option<&str>, secret: Option<&Secret>) -> Result<Option<Chap>, OpError> {
    let conflicting = |fields: [&str; 2], because: &str| {
        let fields = fields.map(str::to_owned).to_vec();
        Err(OpError::Conflicting { noun: Noun::Host, fields, because: because.to_owned() })
    };
    match (user, secret) {
        (None, None) => return Ok(present.cloned()),
        (Some(""), Some(_)) => return conflicting(["chap_secret", "chap_user"], "without a user there is no secret"),
        (Some(""), None) => return Ok(None),
        _ if protocol != Protocol::Iscsi => return conflicting(["chap_user", "protocol"], "only iSCSI hosts prove who they are by CHAP"),
        _ => {}
    }
    let missing = |field: &str| OpError::Missing { noun: Noun::Host, field: field.into(), because: "CHAP takes a user and a secret".into() };
    let user = user.or(present.map(|chap| chap.user.as_str())).ok_or_else(|| missing("chap_user"))?;
    let secret = secret.or(present.map(|chap| &chap.secret)).ok_or_else(|| missing("chap_secret"))?;
    if user.len() > 223 || !user.chars().all(|c| c.is_ascii_graphic()) {
        let (value, expected) = (user.to_owned(), "a text of up to 223 printable ASCII characters without spaces".into());
        return Err(OpError::ValueInvalid { noun: Noun::Host, field: "chap_user".into(), value, expected });
    }
    rules::secret_is_good(Noun::Host, "chap_secret", secret, (12, 100))?;
    Ok(Some(Chap { user: user.to_owned(), secret: secret.clone() }))
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
