//! The workers behind all doors: threads that each hold the application once, and take connections in turn.
//!
//! What accepts at a door is a task on one of them; what comes in goes to the next worker in turn, whichever that is. A connection knows
//! its door from the moment when the application gets to see it.

use std::cell::RefCell;
use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use actix_http::{HttpService, Protocol};
use actix_service::{IntoServiceFactory as _, Service, ServiceFactory, ServiceFactoryExt as _, map_config};
use actix_web::dev::AppConfig;
use actix_web::middleware::from_fn;
use actix_web::rt::{Runtime, net};
use actix_web::{App, web};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::{End, Entrance, Mount};
use crate::http::tls::Tls;
use crate::http::traffic::Traffic;
use crate::http::watch::watch;
use crate::http::{health, limits};

/// How long accepting rests when the system has nothing to give, no file for one more connection for example.
const REST: Duration = Duration::from_millis(500);

/// What a connection knows of its door.
#[derive(Clone)]
pub(super) struct Visit {
    pub(super) entrance: Entrance,
    /// Whoever could send here is gone when the door is closed.
    pub(super) closing: watch::Receiver<()>,
}

/// What a worker is told to do.
enum Order {
    /// Accept at a door.
    Accept(TcpListener, Visit, TlsAcceptor),
    /// Answer a connection.
    Answer(TcpStream, SocketAddr, Visit, TlsAcceptor),
}

/// The workers, by their ears.
#[derive(Clone)]
pub(super) struct Crew(Arc<Ears>);

struct Ears {
    workers: Vec<UnboundedSender<Order>>,
    next: AtomicUsize,
}

impl fmt::Debug for Crew {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Crew").field(&self.0.workers.len()).finish()
    }
}

impl Crew {
    /// Starts the threads. They end with what `end` says.
    pub(super) fn start(workers: usize, mount: &Mount, traffic: &Arc<Traffic>, end: &watch::Sender<End>) -> io::Result<Crew> {
        let (ears, orders): (Vec<_>, Vec<_>) = (0..workers.max(1)).map(|_| unbounded_channel()).unzip();
        let crew = Crew(Arc::new(Ears { workers: ears, next: AtomicUsize::new(0) }));
        for (number, orders) in orders.into_iter().enumerate() {
            let (crew, mount, traffic, end) = (crew.clone(), Arc::clone(mount), Arc::clone(traffic), end.subscribe());
            let work = move || match Runtime::new() {
                Ok(runtime) => runtime.block_on(work(orders, crew, mount, traffic, end)),
                Err(cause) => tracing::error!(%cause, "a worker cannot begin"),
            };
            thread::Builder::new().name(format!("door-{number}")).spawn(work)?;
        }
        Ok(crew)
    }
    /// Lets one of them accept at a door.
    pub(super) fn listen(&self, listener: TcpListener, visit: Visit, tls: &Tls) {
        self.tell(Order::Accept(listener, visit, TlsAcceptor::from(tls.shared())));
    }
    /// Tells the next in turn; who has ended hears nothing.
    fn tell(&self, order: Order) {
        let turn = self.0.next.fetch_add(1, Ordering::Relaxed) % self.0.workers.len();
        let _ = self.0.workers[turn].send(order);
    }
}

/// What one worker does until the end.
async fn work(mut orders: UnboundedReceiver<Order>, crew: Crew, mount: Mount, traffic: Arc<Traffic>, end: watch::Receiver<End>) {
    let (arriving, mut ending) = (Arriving::default(), end.clone());
    let service = match application(mount, traffic, &arriving, &end).await {
        Ok(service) => Rc::new(service),
        Err(()) => return tracing::error!("the application cannot be built"),
    };
    let mut tasks = JoinSet::new();
    loop {
        tokio::select! {
            order = orders.recv() => match order {
                Some(Order::Accept(listener, visit, tls)) => {
                    tasks.spawn_local(accept(listener, visit, tls, crew.clone(), end.clone()));
                }
                Some(Order::Answer(socket, peer, visit, tls)) => {
                    let (service, arriving) = (Rc::clone(&service), arriving.clone());
                    tasks.spawn_local(async move {
                        if let Some(stream) = shake_hands(socket, &tls).await {
                            answer(&*service, &arriving, stream, peer, visit).await;
                        }
                    });
                }
                None => break,
            },
            _ = tasks.join_next(), if !tasks.is_empty() => {}
            _ = ending.wait_for(|end| *end > End::No) => break,
        }
    }
    tokio::select! {
        () = async { while tasks.join_next().await.is_some() {} } => {}
        _ = ending.wait_for(|end| *end == End::Now) => {}
    }
}

/// Takes connections at a door until it is closed.
async fn accept(listener: TcpListener, mut visit: Visit, tls: TlsAcceptor, crew: Crew, mut end: watch::Receiver<End>) {
    let listener = match net::TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(cause) => return tracing::error!(%cause, address = %visit.entrance.address(), "a door cannot be opened"),
    };
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = visit.closing.changed() => return,
            _ = end.wait_for(|end| *end > End::No) => return,
        };
        match accepted.and_then(|(socket, peer)| Ok((socket.into_std()?, peer))) {
            Ok((socket, peer)) => crew.tell(Order::Answer(socket, peer, visit.clone(), tls.clone())),
            Err(cause) if is_of_one_connection(&cause) => {}
            Err(cause) => {
                tracing::warn!(%cause, address = %visit.entrance.address(), "no connection can be accepted now");
                if timeout(REST, visit.closing.changed()).await.is_ok() {
                    return;
                }
            }
        }
    }
}

fn is_of_one_connection(cause: &io::Error) -> bool {
    matches!(cause.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset)
}

/// A client that does not get so far is none.
async fn shake_hands(socket: TcpStream, tls: &TlsAcceptor) -> Option<TlsStream<net::TcpStream>> {
    let socket = net::TcpStream::from_std(socket).ok()?;
    let _ = socket.set_nodelay(true);
    match timeout(limits::HANDSHAKE_TIME, tls.accept(socket)).await {
        Ok(Ok(stream)) => Some(stream),
        Ok(Err(cause)) => {
            tracing::debug!(%cause, "no TLS");
            None
        }
        Err(_) => None,
    }
}

/// Hands a connection to the application, and waits until it is closed.
async fn answer<S>(service: &S, arriving: &Arriving, stream: TlsStream<net::TcpStream>, peer: SocketAddr, visit: Visit)
where
    S: Service<Connection, Error: fmt::Debug>,
{
    // Both is said at once: what the application asks for when a connection begins, it asks for in this call.
    let answering = arriving.during(visit, || service.call((stream, Protocol::Http1, Some(peer))));
    if let Err(cause) = answering.await {
        tracing::debug!(?cause, "a connection broke");
    }
}

/// A connection, as the application takes it.
type Connection = (TlsStream<net::TcpStream>, Protocol, Option<SocketAddr>);

/// The visit that begins at this moment: what a connection is asked of when it begins does not say which one it is.
#[derive(Clone, Default)]
struct Arriving(Rc<RefCell<Option<Visit>>>);

impl Arriving {
    fn during<R>(&self, visit: Visit, call: impl FnOnce() -> R) -> R {
        *self.0.borrow_mut() = Some(visit);
        let result = call();
        *self.0.borrow_mut() = None;
        result
    }
    fn entrance(&self) -> Option<Entrance> {
        self.0.borrow().as_ref().map(|visit| visit.entrance.clone())
    }
    fn closing(&self) -> Option<watch::Receiver<()>> {
        self.0.borrow().as_ref().map(|visit| visit.closing.clone())
    }
}

/// The application as one worker holds it: as at the addresses of the server, but that its connections know their door.
async fn application(
    mount: Mount,
    traffic: Arc<Traffic>,
    arriving: &Arriving,
    end: &watch::Receiver<End>,
) -> Result<impl Service<Connection, Error: fmt::Debug> + use<>, ()> {
    let app =
        App::new().app_data(web::ThinData(traffic)).configure(limits::bodies).configure(health::mount).configure(|config| mount(config)).wrap(from_fn(watch));
    let app = app.into_factory().map_err(|refusal| refusal.error_response());
    let (of, end, at) = (arriving.clone(), end.clone(), arriving.clone());
    let closed = move || {
        let (closing, mut end) = (of.closing(), end.clone());
        async move {
            let closed = async {
                match closing {
                    Some(mut closing) => drop(closing.changed().await),
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = closed => {}
                _ = end.wait_for(|end| *end > End::No) => {}
            }
        }
    };
    let service = HttpService::build()
        .keep_alive(limits::KEEP_ALIVE)
        .client_request_timeout(limits::HEAD_TIME)
        .client_disconnect_timeout(limits::CLOSE_TIME)
        .graceful_shutdown_signal(closed)
        .on_connect_ext(move |_: &TlsStream<net::TcpStream>, data| {
            if let Some(entrance) = at.entrance() {
                data.insert(entrance);
            }
        })
        .finish(map_config(app, |()| AppConfig::default()));
    service.new_service(()).await
}
