//! The server: addresses bound on shared workers.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::rt::task::JoinHandle;
use actix_web::{App, HttpServer, web};

use super::traffic::Traffic;
use super::watch::watch;
use super::{health, limits};

/// How to serve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Addresses to listen on; port 0 lets the system choose.
    pub listen: Vec<SocketAddr>,
    /// Threads that answer; as many as the machine has processors unless given.
    pub workers: Option<usize>,
}

/// A server that listens.
#[derive(Debug)]
pub struct Running {
    pub(super) addresses: Vec<SocketAddr>,
    pub(super) handle: ServerHandle,
    pub(super) server: JoinHandle<io::Result<()>>,
    pub(super) traffic: Arc<Traffic>,
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

/// Binds every address and begins to answer; must be called inside an actix system. `mount` adds the routes of the fronts.
///
/// When one address cannot be bound none is, and the error names it.
pub fn start(config: &Config, mount: impl Fn(&mut web::ServiceConfig) + Clone + Send + 'static) -> io::Result<Running> {
    let traffic = Arc::new(Traffic::default());
    let shared = Arc::clone(&traffic);
    let app = move || {
        App::new().app_data(web::ThinData(Arc::clone(&shared))).configure(limits::bodies).configure(health::mount).configure(mount.clone()).wrap(from_fn(watch))
    };
    let mut server = HttpServer::new(app)
        .disable_signals()
        .client_request_timeout(limits::HEAD_TIME)
        .client_disconnect_timeout(limits::CLOSE_TIME)
        .keep_alive(limits::KEEP_ALIVE)
        .shutdown_timeout(limits::STOP_IDLE_SECONDS);
    if let Some(workers) = config.workers {
        server = server.workers(workers);
    }
    for address in &config.listen {
        server = server.bind(address).map_err(|cause| io::Error::new(cause.kind(), format!("cannot listen on {address}: {cause}")))?;
    }
    let addresses = server.addrs();
    let server = server.run();
    let handle = server.handle();
    let server = actix_web::rt::spawn(server);
    traffic.set_ready(true);
    Ok(Running { addresses, handle, server, traffic, before_stop: BeforeStop::default() })
}

impl Running {
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
        self.addresses.iter().map(|address| format!("http://{address}")).collect()
    }
}
