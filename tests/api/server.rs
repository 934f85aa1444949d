//! A server of our own on a free port, in this process.

use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use arrayplane::engine::ClockMode;
use arrayplane::front::{self, http};
use arrayplane::site::Site;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::Client;
use crate::given;

/// A server in this process. It ends when it is dropped.
pub(crate) struct Server {
    pub(crate) site: Arc<Site>,
    client: Client,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// A server without arrays.
    pub(crate) fn start() -> Server {
        Server::with_workers(1)
    }
    /// A server with the array `t`, a new one of that model.
    pub(crate) fn playing(model: &str) -> Server {
        let server = Server::start();
        server.make(json!({"name": "t", "model": model, "seed": 7}));
        server
    }
    /// A server without arrays that has a password.
    pub(crate) fn guarded(password: &str) -> Server {
        let site = Site::new();
        assert!(site.set_password(password), "the machine gives random bytes");
        Server::of(site, 1)
    }
    /// A server that answers on so many threads.
    pub(crate) fn with_workers(workers: usize) -> Server {
        Server::of(Site::new(), workers)
    }
    /// A server of a site.
    pub(crate) fn of(site: Arc<Site>, workers: usize) -> Server {
        let (told, ready) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let mount = front::configure(&site);
        let doors = doors(&site);
        let serve = async move {
            let config = http::Config { listen: vec![SocketAddr::from(([127, 0, 0, 1], 0)).into()], workers: Some(workers), doors: Some(doors) };
            let running = http::start(&config, mount).expect("a free port");
            told.send(running.addresses()[0]).expect("the test waits");
            let _ = stopped.await;
            running.stop().await.expect("a clean end");
        };
        let thread = thread::spawn(move || actix_web::rt::System::new().block_on(serve));
        let address = ready.recv().expect("the server starts");
        Server { site, client: Client { address }, stop: Some(stop), thread: Some(thread) }
    }
    /// Makes an array.
    pub(crate) fn make(&self, body: Value) -> Value {
        self.post("/v1/arrays", body).json(201)
    }
    /// Makes an array whose clock stands still unless it is advanced, so that every byte of an answer is known.
    pub(crate) fn make_still(&self, name: &str, model: &str, seed: u64) {
        let mut world = given::model(model, seed);
        world.clock.mode = ClockMode::Manual;
        self.site.create(name, world).expect("a new array");
    }
}

/// ONTAP listeners on loopback.
fn doors(site: &Arc<Site>) -> http::Doors {
    let config = http::DoorConfig { workers: Some(1), address: [127, 0, 0, 1].into(), anywhere: !site.is_open(), path: "/api" };
    http::Doors::new(config, || http::Tls::self_made(&[]), front::ontap::configure(site, front::ontap::Options::default()))
}

impl Deref for Server {
    type Target = Client;
    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(thread::panicking() || !matches!(ended, Some(Err(_))), "the server broke");
    }
}
