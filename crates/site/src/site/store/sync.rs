//! Waiting for the disk: one thread calls for it, and all who have written since the last call share the next one.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use parking_lot::Mutex;
use tokio::sync::watch;

use super::disk::Growing;
use crate::site::ChangeError;

/// The thread that waits for the disk, for all arrays of a site.
pub(in crate::site) struct Syncer {
    asked: mpsc::Sender<Arc<Synced>>,
}

/// How much of one array's journal is on the disk.
pub(in crate::site) struct Synced {
    file: Mutex<Arc<dyn Growing>>,
    appended: AtomicU64,
    queued: AtomicBool,
    state: watch::Sender<State>,
    asked: mpsc::Sender<Arc<Synced>>,
}

#[derive(Clone, Debug, Default)]
struct State {
    durable: u64,
    failure: Option<String>,
}

/// A record that may not be on the disk yet.
pub(in crate::site) struct Ticket {
    synced: Arc<Synced>,
    position: u64,
}

impl Syncer {
    /// Starts the thread; it ends with the last array.
    pub(super) fn start() -> io::Result<Syncer> {
        let (asked, asks) = mpsc::channel::<Arc<Synced>>();
        let work = move || {
            while let Ok(synced) = asks.recv() {
                synced.sync();
            }
        };
        thread::Builder::new().name("site-sync".into()).spawn(work)?;
        Ok(Syncer { asked })
    }
    pub(super) fn for_file(&self, file: Arc<dyn Growing>) -> Arc<Synced> {
        Arc::new(Synced {
            file: Mutex::new(file),
            appended: AtomicU64::new(0),
            queued: AtomicBool::new(false),
            state: watch::Sender::new(State::default()),
            asked: self.asked.clone(),
        })
    }
}

impl Synced {
    /// Notes a record, and asks for the disk.
    pub(super) fn appended(self: &Arc<Synced>) -> Ticket {
        let position = self.appended.fetch_add(1, Ordering::AcqRel) + 1;
        if !self.queued.swap(true, Ordering::AcqRel) {
            let _ = self.asked.send(Arc::clone(self));
        }
        Ticket { synced: Arc::clone(self), position }
    }
    /// Later records stand in another file; those in this one are on the disk.
    pub(super) fn switch_to(&self, file: Arc<dyn Growing>) {
        *self.file.lock() = file;
    }
    fn sync(&self) {
        self.queued.store(false, Ordering::Release);
        // The count first: what is counted stands in this file or in an earlier one, which is on the disk.
        let count = self.appended.load(Ordering::Acquire);
        let file = Arc::clone(&*self.file.lock());
        let failure = file.sync().err().map(|cause| cause.to_string());
        self.state.send_modify(|state| {
            state.durable = state.durable.max(count);
            state.failure = state.failure.take().or(failure);
        });
    }
    /// Why the disk has failed, if it has.
    pub(in crate::site) fn failure(&self) -> Option<String> {
        self.state.borrow().failure.clone()
    }
}

impl Ticket {
    /// Waits until the record is on the disk.
    pub(in crate::site) async fn durable(self) -> Result<(), ChangeError> {
        let mut state = self.synced.state.subscribe();
        let reached = state.wait_for(|state| state.failure.is_some() || state.durable >= self.position).await;
        match reached.map(|state| state.failure.clone()) {
            Ok(None) => Ok(()),
            Ok(Some(cause)) => Err(ChangeError::NotWritten { cause }),
            Err(closed) => Err(ChangeError::NotWritten { cause: closed.to_string() }),
        }
    }
    /// The same for callers that may block.
    pub(in crate::site) fn durable_now(self) -> Result<(), ChangeError> {
        let file = Arc::clone(&*self.synced.file.lock());
        file.sync().map_err(|cause| ChangeError::NotWritten { cause: cause.to_string() })
    }
}
