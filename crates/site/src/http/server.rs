//! The server: addresses bound on shared workers.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::rt::task::JoinHandle;
use actix_web::{App, HttpServer, web};

use super::doors::Doors;
use super::tls::Tls;
use super::traffic::Traffic;
use super::watch::watch;
use super::{health, limits};

/// How to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: Vec<Listener>,
    /// Threads that answer; as many as the machine has processors unless given.
    pub workers: Option<usize>,
    /// The doors of single arrays, which open and close while it runs and end with it.
    pub doors: Option<Doors>,
}

/// Where to listen, and whether TLS is spoken there.
#[derive(Clone, Debug)]
pub struct Listener {
    /// The address; port 0 lets the system choose.
    pub address: SocketAddr,
    /// The certificate; plain HTTP without one.
    pub tls: Option<Tls>,
}

impl From<SocketAddr> for Listener {
    /// Plain HTTP.
    fn from(address: SocketAddr) -> Listener {
        Listener { address, tls: None }
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct Running {
    pub(super) addresses: Vec<SocketAddr>,
    secure: Vec<bool>,
    pub(super) handle: ServerHandle,
    pub(super) server: JoinHandle<io::Result<()>>,
    pub(super) traffic: Arc<Traffic>,
    pub(super) doors: Option<Doors>,
    pub(super) before_stop: BeforeStop,
}

/// What is done when a server begins to stop.
#[derive(Default)]
pub(super) struct BeforeStop(Option<Box<dyn FnOnce() + Send>>);

impl BeforeStop {
    pub(super) fn run(self) {
        if let Some(action) = self.0 {
            action();
        }
    }
}

impl std::fmt::Debug for BeforeStop {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(if self.0.is_some() { "something" } else { "nothing" })
    }
}

/// Binds every address, begins to answer and is ready; must be called inside an actix system. `mount` adds the routes of the fronts.
pub fn start(config: &Config, mount: impl Fn(&mut web::ServiceConfig) + Clone + Send + 'static) -> io::Result<Running> {
    let running = bind(config, mount)?;
    running.now_ready();
    Ok(running)
}

/// The same, without saying that it is ready: doors may be opened before.
///
/// When one address cannot be bound none is, and the error names it.
pub fn bind(config: &Config, mount: impl Fn(&mut web::ServiceConfig) + Clone + Send + 'static) -> io::Result<Running> {
    let traffic = config.doors.as_ref().map_or_else(Arc::default, |doors| Arc::clone(doors.traffic()));
    let (shared, doors) = (Arc::clone(&traffic), config.doors.clone());
    let app = move || {
        let opens = |config: &mut web::ServiceConfig| {
            if let Some(doors) = &doors {
                config.app_data(web::ThinData(doors.clone()));
            }
        };
        let app = App::new().app_data(web::ThinData(Arc::clone(&shared))).configure(opens).configure(limits::bodies).configure(health::mount);
        app.configure(mount.clone()).wrap(from_fn(watch))
    };
    let mut server = HttpServer::new(app)
        .disable_signals()
        .client_request_timeout(limits::HEAD_TIME)
        .tls_handshake_timeout(limits::HANDSHAKE_TIME)
        .client_disconnect_timeout(limits::CLOSE_TIME)
        .keep_alive(limits::KEEP_ALIVE)
        .shutdown_timeout(limits::STOP_IDLE_SECONDS);
    if let Some(workers) = config.workers {
        server = server.workers(workers);
    }
    for Listener { address, tls } in &config.listen {
        let bound = match tls {
            Some(tls) => server.bind_rustls_0_23(address, tls.config()),
            None => server.bind(address),
        };
        server = bound.map_err(|cause| io::Error::new(cause.kind(), format!("cannot listen on {address}: {cause}")))?;
    }
    let (addresses, secure) = server.addrs_with_scheme().into_iter().map(|(address, scheme)| (address, scheme == "https")).unzip();
    let server = server.run();
    let handle = server.handle();
    let server = actix_web::rt::spawn(server);
    Ok(Running { addresses, secure, handle, server, traffic, doors: config.doors.clone(), before_stop: BeforeStop::default() })
}

impl Running {
    /// Says that everything that shall be there is there.
    pub fn now_ready(&self) {
        self.traffic.set_ready(true);
    }
    /// Does something when it begins to stop, before requests in progress are waited for.
    #[must_use]
    pub fn before_stop(mut self, action: impl FnOnce() + Send + 'static) -> Running {
        self.before_stop = BeforeStop(Some(Box::new(action)));
        self
    }
    /// The addresses that it listens on.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }
    /// The addresses as the beginnings of URLs: `http://127.0.0.1:8080`.
    pub fn urls(&self) -> Vec<String> {
        let urls = self.addresses.iter().zip(&self.secure);
        urls.map(|(address, secure)| format!("{}://{address}", if *secure { "https" } else { "http" })).collect()
    }
}
