//! Doors: listeners with TLS that open and close while the server runs, one an array, all on the same few workers.
//!
//! Owns: the addresses that fronts of one array answer at, and the way from there to the application. A door belongs to its array
//! ([`crate::site::Hosted::set_door`]) and is closed when it is dropped. Nothing is made for doors, no thread and no certificate, until
//! the first is opened.
//! Must not know: what is answered; the function given to [`Doors::new`] mounts that.
//! Read first: [`Doors`], then `workers`.

mod error;
#[cfg(test)]
mod tests;
mod workers;

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use actix_web::web::{ServiceConfig, ThinData};
use actix_web::{HttpMessage, HttpRequest};
use tokio::sync::watch;

pub use error::DoorError;
use workers::{Crew, Visit};

use super::tls::Tls;
use super::traffic::Traffic;
use crate::site::Door;

/// How doors are opened.
#[derive(Clone, Debug)]
pub struct DoorConfig {
    /// Threads that answer at all doors together; as many as the machine has processors unless given.
    pub workers: Option<usize>,
    /// Where doors are opened when nobody says otherwise.
    pub address: IpAddr,
    /// Whether they may be opened at other addresses than those of loopback.
    pub anywhere: bool,
    /// What stands behind the address in URLs: `/api`.
    pub path: &'static str,
}

/// What mounts the routes that answer at doors.
type Mount = Arc<dyn Fn(&mut ServiceConfig) + Send + Sync>;

/// Opens doors. Clones are the same one.
#[derive(Clone)]
pub struct Doors(Arc<Shared>);

struct Shared {
    config: DoorConfig,
    certify: Box<dyn Fn() -> io::Result<Tls> + Send + Sync>,
    tls: OnceLock<Result<Tls, String>>,
    mount: Mount,
    crew: OnceLock<Result<Crew, String>>,
    traffic: Arc<Traffic>,
    end: watch::Sender<End>,
}

/// How far the end has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// Not yet.
    No,
    /// Nobody new comes in; what is in progress is answered.
    Soon,
    /// At once.
    Now,
}

impl Doors {
    /// Nothing is open. `certify` gives the certificate of all doors when the first is opened, `mount` adds the routes that answer there.
    pub fn new(
        config: DoorConfig,
        certify: impl Fn() -> io::Result<Tls> + Send + Sync + 'static,
        mount: impl Fn(&mut ServiceConfig) + Send + Sync + 'static,
    ) -> Doors {
        Doors(Arc::new(Shared {
            config,
            certify: Box::new(certify),
            tls: OnceLock::new(),
            mount: Arc::new(mount),
            crew: OnceLock::new(),
            traffic: Arc::default(),
            end: watch::Sender::new(End::No),
        }))
    }
    /// Those of the server that a request came to, if it has any.
    pub fn of(request: &HttpRequest) -> Option<Doors> {
        request.app_data::<ThinData<Doors>>().map(|doors| doors.0.clone())
    }
    /// Where doors are opened when nobody says otherwise.
    pub fn address(&self) -> IpAddr {
        self.0.config.address
    }
    /// What clients of all doors must trust, as PEM.
    pub fn trust(&self) -> Result<&str, DoorError> {
        self.tls().map(Tls::trust)
    }
    /// Takes an address; port 0 lets the system choose. Nobody is answered there until the door is opened.
    ///
    /// Refused, in this order: the address is not for everybody; there is no certificate, or no thread; it is in use; it cannot be used.
    pub fn bind(&self, address: SocketAddr) -> Result<BoundDoor, DoorError> {
        if !self.0.config.anywhere && !address.ip().to_canonical().is_loopback() {
            return Err(DoorError::NotForEverybody { address });
        }
        self.tls()?;
        self.crew()?;
        let taken = TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        });
        match taken {
            Ok((listener, address)) => Ok(BoundDoor { doors: self.clone(), listener, address }),
            Err(cause) if cause.kind() == io::ErrorKind::AddrInUse => Err(DoorError::Taken { address }),
            Err(cause) => Err(DoorError::Unusable { address, cause: cause.to_string() }),
        }
    }
    pub(super) fn traffic(&self) -> &Arc<Traffic> {
        &self.0.traffic
    }
    /// From now on nobody new comes in, and connections are closed when what is in progress has been answered.
    pub(super) fn begin_to_close(&self) {
        self.0.end.send_if_modified(|end| std::mem::replace(end, (*end).max(End::Soon)) < End::Soon);
    }
    /// Closes whatever is still open.
    pub(super) fn close_now(&self) {
        self.0.end.send_replace(End::Now);
    }
    /// Waits until nothing is open.
    pub(super) async fn closed(&self) {
        self.0.end.closed().await;
    }
    fn tls(&self) -> Result<&Tls, DoorError> {
        let tls = self.0.tls.get_or_init(|| (self.0.certify)().map_err(|cause| format!("no certificate: {cause}")));
        tls.as_ref().map_err(|cause| DoorError::NotReady { cause: cause.clone() })
    }
    fn crew(&self) -> Result<&Crew, DoorError> {
        let crew = self.0.crew.get_or_init(|| {
            let workers = self.0.config.workers.unwrap_or_else(|| available_parallelism().map_or(1, NonZeroUsize::get));
            Crew::start(workers, &self.0.mount, &self.0.traffic, &self.0.end).map_err(|cause| format!("no threads: {cause}"))
        });
        crew.as_ref().map_err(|cause| DoorError::NotReady { cause: cause.clone() })
    }
}

impl fmt::Debug for Doors {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Doors").field(&self.0.config).finish()
    }
}

/// An address that is taken; nobody is answered there yet.
#[derive(Debug)]
pub struct BoundDoor {
    doors: Doors,
    listener: TcpListener,
    address: SocketAddr,
}

impl BoundDoor {
    /// Begins to answer for an array.
    pub fn open(self, array: &str) -> Result<OpenDoor, DoorError> {
        let entrance = Entrance { array: array.into(), address: self.address };
        let closing = watch::Sender::new(());
        let visit = Visit { entrance: entrance.clone(), closing: closing.subscribe() };
        self.doors.crew()?.listen(self.listener, visit, self.doors.tls()?);
        Ok(OpenDoor { entrance, path: self.doors.0.config.path, _closing: closing })
    }
}

/// A door that is open. It is closed when this is dropped: nobody new comes in, and connections end when what is in progress has been answered.
#[derive(Debug)]
pub struct OpenDoor {
    entrance: Entrance,
    path: &'static str,
    _closing: watch::Sender<()>,
}

impl Door for OpenDoor {
    fn address(&self) -> SocketAddr {
        self.entrance.address
    }
    fn url(&self) -> String {
        format!("{}{}", self.entrance.url(), self.path)
    }
}

/// The door that a request came in by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrance {
    array: Arc<str>,
    address: SocketAddr,
}

impl Entrance {
    /// The door that a request came in by; none for one that came to an address of the server.
    pub fn of(request: &HttpRequest) -> Option<Entrance> {
        request.conn_data::<Entrance>().cloned().or_else(|| request.extensions().get::<Entrance>().cloned())
    }
    /// A door that is only told of, for tests of fronts: put it into a request's extensions.
    pub fn told(array: &str, address: SocketAddr) -> Entrance {
        Entrance { array: array.into(), address }
    }
    /// The name of the array that it belongs to.
    pub fn array(&self) -> &str {
        &self.array
    }
    /// Where it is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
    /// The beginning of its URLs: `https://127.0.0.1:8443`.
    pub fn url(&self) -> String {
        match self.address {
            SocketAddr::V4(address) if address.port() == 443 => format!("https://{}", address.ip()),
            address => format!("https://{address}"),
        }
    }
}
