//! The management network: where administrators reach the array.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{IpSetup, Offer};

/// The management network.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = NetworkSettings)]
pub struct Network {
    /// The ports for administration.
    pub ports: Vec<ManagementPort>,
    /// The domain that is added to short names.
    pub domain: String,
    /// Name servers.
    #[schema(example = json!(["192.168.1.53"]))]
    pub dns_servers: Vec<String>,
    /// Time servers.
    #[schema(example = json!(["ntp.example.com"]))]
    pub ntp_servers: Vec<String>,
    /// Networks from which the array may be administered; empty: from anywhere.
    #[schema(example = json!(["192.168.1.0/24"]))]
    pub allowed_networks: Vec<String>,
    /// What the firewall lets through.
    pub services: Vec<NetworkService>,
}

/// A port for administration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ManagementPort {
    /// Its name.
    #[schema(example = "MNT")]
    pub name: String,
    /// Its address, if it has one.
    pub address: Option<IpSetup>,
}

/// A service of the management network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NetworkService {
    /// Its name.
    #[schema(example = "https")]
    pub name: String,
    /// Whether the firewall lets it through.
    pub open: bool,
}

impl Network {
    /// That of a new array.
    pub fn new(offer: &Offer) -> Network {
        let setup = |address: &String, prefix_length| IpSetup { address: address.clone(), prefix_length, gateway: None };
        let ports = offer.management_ports.iter();
        Network {
            ports: ports
                .map(|port| ManagementPort { name: port.name.clone(), address: port.address.as_ref().map(|at| setup(at, port.prefix_length)) })
                .collect(),
            services: offer.network_services.iter().map(|(name, open)| NetworkService { name: name.clone(), open: *open }).collect(),
            ..Network::default()
        }
    }
}
