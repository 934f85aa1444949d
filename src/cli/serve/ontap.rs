//! Where arrays that speak ONTAP answer their clients: the arguments, and the listeners.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use clap::Args;
use clap::builder::FalseyValueParser;

use super::Failure;
use crate::front::http::{BoundDoor, DoorError, Doors};
use crate::front::ontap::Version;
use crate::model::Dialect;
use crate::site::{Door, Site};

/// The port that is tried first.
const PORT: u16 = 8443;
/// The port where each array has an address of its own.
const PORT_OF_HTTPS: u16 = 443;
/// The first of these addresses.
const LOOPBACK: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 11);
/// For how many of these addresses the certificate is at least, so that it stays the same when arrays are added.
const LOOPBACK_NAMES: usize = 32;

/// The arguments about ONTAP listeners.
#[derive(Debug, Args)]
#[command(next_help_heading = "ONTAP listeners (arrays of ONTAP models answer at https://ADDR:PORT/api)")]
pub(super) struct Ontap {
    /// The port of the first array, counted up for each further one; 0 takes free ones. Left out: 8443 and up, past ports that are taken
    #[arg(long, value_name = "PORT", env = "ARRAYPLANE_ONTAP_PORT")]
    ontap_port: Option<u16>,
    /// Their IP address, if not 127.0.0.1, or that of the first --listen where it is not loopback
    #[arg(long, value_name = "ADDR", env = "ARRAYPLANE_ONTAP_ADDRESS")]
    ontap_address: Option<IpAddr>,
    /// Give each array a loopback address of its own instead, 127.0.0.11 and up, all with port 443 or that of --ontap-port
    #[arg(long, env = "ARRAYPLANE_ONTAP_LOOPBACK", value_parser = FalseyValueParser::new())]
    ontap_loopback: bool,
    /// The version that they report: 9.12.1 to 9.17.1, or 9.8P2 or 9.9.1
    #[arg(long, value_name = "VERSION", env = "ARRAYPLANE_ONTAP_VERSION", default_value_t = Version::DEFAULT)]
    pub(super) ontap_version: Version,
    /// Open no ONTAP listeners
    #[arg(long, env = "ARRAYPLANE_NO_ONTAP", value_parser = FalseyValueParser::new())]
    pub(super) no_ontap: bool,
}

impl Ontap {
    /// The address of listeners; of an array with one of its own, when that is made while the server runs.
    pub(super) fn address(&self, listen: &[SocketAddr]) -> IpAddr {
        let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let first = listen.first().map(SocketAddr::ip).filter(|address| !address.to_canonical().is_loopback());
        self.ontap_address.or(first.filter(|_| !self.ontap_loopback)).unwrap_or(loopback)
    }
    /// Two ways at once are one too many; an address for others than this machine needs a password, or to be allowed.
    pub(super) fn can_be(&self, guarded_or_open: bool) -> Result<(), Failure> {
        match self.ontap_address {
            Some(address) if self.ontap_loopback => {
                Err(Failure::arguments(format!("--ontap-address {address} and --ontap-loopback exclude each other: leave one of them out")))
            }
            Some(address) if !self.no_ontap && !guarded_or_open && !address.to_canonical().is_loopback() => Err(Failure::arguments(format!(
                "--ontap-address {address}: without a password only loopback addresses are served; add --password-file (or ARRAYPLANE_PASSWORD) to demand \
                 one, or --open to let everybody who can reach that address do anything"
            ))),
            _ => Ok(()),
        }
    }
    /// The names that the certificate of so many listeners must be for, besides localhost.
    pub(super) fn names(&self, listen: &[SocketAddr], arrays: usize) -> Vec<String> {
        if self.ontap_loopback {
            return (0..arrays.max(LOOPBACK_NAMES)).map(|number| loopback(number).to_string()).collect();
        }
        let address = self.address(listen);
        let is_its_own = !address.is_unspecified() && address != IpAddr::V4(Ipv4Addr::LOCALHOST);
        if self.no_ontap || !is_its_own { Vec::new() } else { vec![address.to_string()] }
    }
    /// Those of some arrays that speak ONTAP, in their order.
    pub(super) fn speaking<'a>(&self, site: &Arc<Site>, names: impl Iterator<Item = &'a str>) -> Vec<String> {
        let speaks = |name: &&str| site.array(name).is_some_and(|array| array.read(|world| world.array.personality.dialect == Dialect::Ontap));
        if self.no_ontap { Vec::new() } else { names.filter(speaks).map(str::to_owned).collect() }
    }
    /// Opens a listener for each of these arrays.
    pub(super) fn open(&self, doors: &Doors, site: &Arc<Site>, arrays: &[String]) -> Result<(), Failure> {
        let mut next = PORT;
        for (name, number) in arrays.iter().zip(0..) {
            let Some(array) = site.array(name) else { continue };
            let opened = self.bind(doors, number, &mut next).and_then(|door| door.open(name));
            let door = opened.map_err(|refusal| Failure::of_work(format!("the array '{name}': {refusal}; {}", refusal.cure())))?;
            if self.ontap_port.is_none() && !self.ontap_loopback && door.address().port() != PORT.saturating_add(number) {
                tracing::info!("the array '{name}' speaks ONTAP at {}, for ports before it were taken", door.address());
            }
            array.set_door(Box::new(door));
        }
        Ok(())
    }
    /// Opens the listeners that arrays had before the start, where the arguments give them none. One that cannot be opened is told, and no more.
    pub(super) fn open_again(&self, doors: &Doors, site: &Arc<Site>) {
        for array in site.arrays().into_iter().filter(|array| array.door(|_| ()).is_none()) {
            let name = array.name();
            let Some(address) = site.kept_door(name) else { continue };
            match doors.bind(address).and_then(|door| door.open(name)) {
                Ok(door) => array.set_door(Box::new(door)),
                Err(refusal) => tracing::warn!("the array '{name}' does not listen at {address} as before: {refusal}; {}", refusal.cure()),
            }
        }
    }
    /// Takes the address of one array. `next` is the next default port.
    fn bind(&self, doors: &Doors, number: u16, next: &mut u16) -> Result<BoundDoor, DoorError> {
        if self.ontap_loopback {
            return doors.bind((loopback(number.into()), self.ontap_port.unwrap_or(PORT_OF_HTTPS)).into());
        }
        let at = |port: u16| SocketAddr::new(doors.address(), port);
        match self.ontap_port {
            Some(0) => doors.bind(at(0)),
            Some(first) => match first.checked_add(number) {
                Some(port) => doors.bind(at(port)),
                None => Err(DoorError::Unusable { address: at(u16::MAX), cause: format!("there is no port {number} behind {first}") }),
            },
            None => loop {
                let port = *next;
                *next = next.saturating_add(1);
                match doors.bind(at(port)) {
                    Err(DoorError::Taken { .. }) if port < u16::MAX => {}
                    bound => return bound,
                }
            },
        }
    }
}

/// The loopback address of an array.
fn loopback(number: usize) -> Ipv4Addr {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    Ipv4Addr::from_bits(LOOPBACK.to_bits().saturating_add(number))
}

/// Where arrays speak ONTAP, for the line that says that everything is there.
pub(super) fn told(site: &Site) -> Vec<String> {
    site.arrays().iter().filter_map(|array| array.door(|door| format!("{} ({})", door.url(), array.name()))).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::Serve;
    use super::*;
    use crate::cli::{Cli, Command};

    fn read(arguments: &[&str]) -> Result<Serve, String> {
        let all = ["arrayplane", "serve"].iter().chain(arguments);
        match Cli::try_parse_from(all).map_err(|error| error.to_string())?.command {
            Command::Serve(serve) => Ok(serve),
            other => Err(format!("{other:?}")),
        }
    }

    fn well(arguments: &[&str]) -> Serve {
        read(arguments).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn listeners_are_where_the_server_is_unless_told_otherwise() {
        let address = |arguments: &[&str]| {
            let serve = well(arguments);
            serve.ontap.address(&serve.listen).to_string()
        };
        assert_eq!(address(&[]), "127.0.0.1");
        assert_eq!(address(&["--listen", "127.0.0.9:80"]), "127.0.0.1");
        assert_eq!(address(&["--listen", "192.0.2.7:80", "--listen", "127.0.0.1:81", "--open"]), "192.0.2.7");
        assert_eq!(address(&["--listen", "0.0.0.0:80", "--ontap-address", "192.0.2.8"]), "192.0.2.8");
        assert_eq!(address(&["--listen", "0.0.0.0:80", "--ontap-loopback"]), "127.0.0.1");
    }

    #[test]
    fn other_addresses_than_loopback_need_a_password_or_to_be_allowed() {
        let open = well(&["--ontap-address", "192.0.2.8"]).ontap;
        let refusal = open.can_be(false).expect_err("nobody would ask for a password");
        assert!(refusal.code == 2 && refusal.message.contains("192.0.2.8") && refusal.message.contains("--open"), "{}", refusal.message);
        assert_eq!(open.can_be(true), Ok(()));
        assert_eq!(well(&["--ontap-address", "::1"]).ontap.can_be(false), Ok(()));
        assert_eq!(well(&["--ontap-address", "192.0.2.8", "--no-ontap"]).ontap.can_be(false), Ok(()));
        assert!(well(&["--ontap-address", "127.0.0.3", "--ontap-loopback"]).ontap.can_be(true).is_err());
    }

    #[test]
    fn the_certificate_is_for_the_addresses_of_listeners() {
        let names = |arguments: &[&str]| well(arguments).names(2);
        assert_eq!(names(&[]), Vec::<String>::new());
        assert_eq!(names(&["--tls-name", "lab.example", "--ontap-address", "127.0.0.3"]), ["lab.example", "127.0.0.3"]);
        assert_eq!(names(&["--listen", "0.0.0.0:80"]), Vec::<String>::new());
        let loopback = names(&["--ontap-loopback"]);
        assert_eq!((loopback.len(), loopback[0].as_str(), loopback[31].as_str()), (32, "127.0.0.11", "127.0.0.42"));
        assert_eq!(loopback, well(&["--ontap-loopback"]).names(0));
    }

    #[test]
    fn a_version_that_nobody_knows_is_refused() {
        assert_eq!(well(&[]).ontap.ontap_version.to_string(), "9.16.1");
        assert_eq!(well(&["--ontap-version", "9.8P2"]).ontap.ontap_version.to_string(), "9.8P2");
        assert!(read(&["--ontap-version", "9.11.1"]).expect_err("too old").contains("9.12.1 to 9.17.1"));
    }

    #[test]
    fn arrays_that_speak_ontap_are_those_of_its_models() {
        let serve = well(&["e=eternus-af250", "n=model:aff-a250", "--no-ontap"]);
        let site = Site::new();
        serve.fill(&site).expect("known models");
        let speaking = |serve: &Serve| serve.ontap.speaking(&site, ["n", "e", "nowhere"].into_iter());
        assert_eq!(speaking(&well(&[])), ["n"]);
        assert_eq!(speaking(&serve), Vec::<String>::new());
    }
}
