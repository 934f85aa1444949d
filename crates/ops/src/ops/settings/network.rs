//! The management network.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tell;
use crate::model::{Array, IpSetup, Network, Noun, OpError, Place, Policy, ip_network, is_machine};
use crate::ops::interface_rules::{Asked, address_is_free, ip_setup};
use crate::ops::{Ctx, Operation, World, rules};

/// What a port for administration shall have; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ManagementPortChange, examples(json!({"port": "MNT", "address": "192.168.1.10", "prefix_length": 24, "gateway": "192.168.1.254"})))]
pub struct PortChange {
    /// The port's name.
    pub port: String,
    /// Its address, IPv4 or IPv6; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// How many leading bits name the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix_length: Option<u8>,
    /// Where packets for other networks go: an address in its network; empty for nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gateway: Option<String>,
}

/// Changes the management network; what is left out stays.
///
/// Refused, in this order: a port that is unknown or named twice; an address without prefix, or one that is none, with a wrong prefix or
/// gateway; an address in use; a domain that is none; too many name servers, or one that is none; too many time servers, or one that is
/// none; too many networks, or one that is none; an unknown service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NetworkUpdate, examples(json!({"dns_servers": ["192.168.1.53"], "services": {"http": false}})))]
pub struct Update {
    /// The ports that change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ports: Option<Vec<PortChange>>,
    /// The domain that is added to short names; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// All name servers, up to three addresses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dns_servers: Option<Vec<String>>,
    /// All time servers, up to three names or addresses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ntp_servers: Option<Vec<String>>,
    /// All networks from which the array may be administered, up to sixteen; none for anywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_networks: Option<Vec<String>>,
    /// The services that change, by name: whether the firewall lets them through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub services: Option<BTreeMap<String, bool>>,
}

impl Operation for Update {
    const NAME: &'static str = "network.update";
    const POLICY: Policy = Policy::SecuritySetting;
    const SINGLETON: Option<Noun> = Some(Noun::Settings);
    type Plan = Network;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Network, OpError> {
        let mut network = world.array.settings.network.clone();
        for (place, change) in self.ports.iter().flatten().enumerate() {
            if self.ports.iter().flatten().take(place).any(|other| other.port == change.port) {
                let because = format!("the port '{}' is named twice", change.port);
                return Err(OpError::Conflicting { noun: Noun::Settings, fields: vec!["ports".into()], because });
            }
            change.set(&world.array, &mut network)?;
        }
        set_servers(self, &mut network)?;
        for (name, open) in self.services.iter().flatten() {
            let service = network.services.iter_mut().find(|service| service.name == *name);
            let unknown = || OpError::NotFound { noun: Noun::Settings, reference: name.clone(), place: Place::field("services") };
            service.ok_or_else(unknown)?.open = *open;
        }
        Ok(network)
    }

    fn apply(network: Network, world: &mut World, _: &Ctx) {
        if world.array.settings.network != network {
            world.array.settings.network = network;
            tell(world, "network_changed", "the settings of the management network have changed".into());
        }
    }
}

impl PortChange {
    fn set(&self, array: &Array, network: &mut Network) -> Result<(), OpError> {
        let port = network.ports.iter_mut().find(|port| port.name == self.port);
        let unknown = || OpError::NotFound { noun: Noun::Settings, reference: self.port.clone(), place: Place::field("ports") };
        let port = port.ok_or_else(unknown)?;
        if self.address.as_deref() == Some("") {
            port.address = None;
            return Ok(());
        }
        if self.address.is_none() && self.prefix_length.is_none() && self.gateway.is_none() {
            return Ok(());
        }
        let asked = Asked { address: self.address.as_deref(), prefix_length: self.prefix_length, gateway: self.gateway.as_deref() };
        let setup = ip_setup(Noun::Settings, asked, port.address.as_ref())?;
        if port.address.as_ref().map(|before| &before.address) != Some(&setup.address) {
            is_free(array, network, &setup)?;
        }
        if let Some(port) = network.ports.iter_mut().find(|port| port.name == self.port) {
            port.address = Some(setup);
        }
        Ok(())
    }
}

/// Neither an interface nor another port has that address.
fn is_free(array: &Array, network: &Network, setup: &IpSetup) -> Result<(), OpError> {
    let other = network.ports.iter().find(|port| port.address.as_ref().is_some_and(|other| other.address == setup.address));
    if let Some(other) = other {
        let (field, by) = ("address".into(), other.name.clone());
        return Err(OpError::AddressTaken { field, address: setup.address.clone(), noun: Noun::Settings, by });
    }
    address_is_free_of_interfaces(array, &setup.address)
}

fn address_is_free_of_interfaces(array: &Array, address: &str) -> Result<(), OpError> {
    match address_is_free(array, address, None) {
        Err(refusal @ OpError::AddressTaken { noun: Noun::Interface, .. }) => Err(refusal),
        _ => Ok(()),
    }
}

fn set_servers(asked: &Update, network: &mut Network) -> Result<(), OpError> {
    super::form_is_good("domain", asked.domain.as_deref(), |text| text.is_empty() || is_machine(text), "the name of a domain")?;
    let lists = [
        ("dns_servers", &asked.dns_servers, 3_u64, "an IPv4 or IPv6 address"),
        ("ntp_servers", &asked.ntp_servers, 3, "the name or address of a machine"),
        ("allowed_networks", &asked.allowed_networks, 16, "a network such as 192.168.1.0/24"),
    ];
    for (field, list, most, expected) in lists {
        let Some(list) = list else { continue };
        rules::in_range(Noun::Settings, field, u64::try_from(list.len()).unwrap_or(u64::MAX), (0, most))?;
        let normal = |text: &String| match field {
            "dns_servers" => crate::model::ip_address(text),
            "ntp_servers" => is_machine(text).then(|| text.clone()),
            _ => ip_network(text),
        };
        let refuse = |text: &String| OpError::ValueInvalid { noun: Noun::Settings, field: field.into(), value: text.clone(), expected: expected.into() };
        let good: Vec<String> = list.iter().map(|text| normal(text).ok_or_else(|| refuse(text))).collect::<Result<_, _>>()?;
        match field {
            "dns_servers" => network.dns_servers = good,
            "ntp_servers" => network.ntp_servers = good,
            _ => network.allowed_networks = good,
        }
    }
    if let Some(domain) = &asked.domain {
        network.domain.clone_from(domain);
    }
    Ok(())
}
