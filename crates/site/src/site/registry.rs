//! All arrays of a server, by name.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Mutex, RwLock};

use super::alarm::{Alarm, Timed};
use super::credentials::ServerCredentials;
use super::keys::Keys;
use super::site_error::name_is_valid;
use super::state::State;
use super::store::{DataDir, Disk, RealDisk};
use super::{Answer, ChangeError, Condition, Hosted, Journal, Performed, RequestKey, SiteError, StoreError, TimeSource, WallClock};
use crate::ops::World;
use crate::units::{Bytes, SimTime};

/// The file with the address at which an array is answered for.
const DOOR: &str = "door";

/// The arrays of a server. Each has a lock of its own; the list's lock is held only to look a name up or to change the list.
pub struct Site {
    arrays: RwLock<BTreeMap<String, Arc<Hosted>>>,
    /// Held while an array is made or taken away, by whoever does it.
    changing: Mutex<()>,
    /// Keys of requests about arrays as a whole, remembered for a day by the wall.
    keys: Mutex<Keys>,
    alarm: Arc<Alarm>,
    time: Arc<dyn TimeSource>,
    journal_budget: Bytes,
    data: Option<DataDir>,
    credentials: ServerCredentials,
}

/// What can be chosen for a site.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How much the entries of one array's journal may take before it begins anew.
    pub journal_budget: Bytes,
}

impl Default for Options {
    fn default() -> Options {
        Options { journal_budget: Journal::BUDGET }
    }
}

/// Where arrays are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataOptions {
    /// The directory; it is made when it is not there.
    pub folder: PathBuf,
    /// Whether an answer waits until the change is on the disk, so that it also survives a power failure.
    pub sync: bool,
    /// Arrays that are left as they are, unread.
    pub skip: Vec<String>,
}

/// An array that was found in the data directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its name.
    pub name: String,
    /// How many entries of its journal were done again.
    pub entries: usize,
    /// How many bytes of a record that was not written to its end were cut off.
    pub cut: u64,
    /// Its virtual time.
    pub at: SimTime,
}

impl Site {
    /// A site without arrays, all in memory.
    pub fn new() -> Arc<Site> {
        Site::with(Options::default())
    }
    /// A site without arrays, with options, all in memory. What is due happens by itself from now on.
    pub fn with(options: Options) -> Arc<Site> {
        Site::on(Arc::new(WallClock::start()), options).watched()
    }
    /// A site in memory whose wall time comes from `time`; what is due happens when somebody looks.
    pub fn on(time: Arc<dyn TimeSource>, options: Options) -> Arc<Site> {
        Arc::new(Site::bare(time, options, None))
    }
    /// A site with the arrays of a data directory, which is its own while it lives. What is due happens by itself from now on.
    ///
    /// Refused: the directory is in use or cannot be used; an array in it cannot be read or does not lead where it led. Nothing has been
    /// changed then.
    pub fn open(options: Options, data: &DataOptions) -> Result<(Arc<Site>, Vec<Found>), StoreError> {
        let (site, found) = Site::open_on(Arc::new(WallClock::start()), options, data)?;
        Ok((site.watched(), found))
    }
    /// The same; wall time comes from `time`, and what is due happens when somebody looks.
    pub fn open_on(time: Arc<dyn TimeSource>, options: Options, data: &DataOptions) -> Result<(Arc<Site>, Vec<Found>), StoreError> {
        Site::open_with(time, options, data, Arc::new(RealDisk))
    }
    pub(super) fn open_with(
        time: Arc<dyn TimeSource>,
        options: Options,
        data: &DataOptions,
        disk: Arc<dyn Disk>,
    ) -> Result<(Arc<Site>, Vec<Found>), StoreError> {
        let folder = DataDir::open(&data.folder, data.sync, disk)?;
        let names = folder.names()?;
        let site = Site::bare(time, options, Some(folder));
        let mut found = Vec::new();
        for name in names.into_iter().filter(|name| !data.skip.contains(name)) {
            found.push(site.find_on_disk(name)?);
        }
        Ok((Arc::new(site), found))
    }
    fn bare(time: Arc<dyn TimeSource>, options: Options, data: Option<DataDir>) -> Site {
        Site {
            arrays: RwLock::default(),
            changing: Mutex::default(),
            keys: Mutex::default(),
            alarm: Arc::default(),
            time,
            journal_budget: options.journal_budget,
            data,
            credentials: ServerCredentials::new(),
        }
    }
    fn watched(self: Arc<Site>) -> Arc<Site> {
        if let Err(cause) = Arc::clone(&self.alarm).watch_over(Arc::downgrade(&self)) {
            tracing::warn!(%cause, "no thread can be started: what is due happens when somebody looks");
        }
        self
    }
    fn find_on_disk(&self, name: String) -> Result<Found, StoreError> {
        let Some(data) = &self.data else { return Err(StoreError::NoValue { folder: PathBuf::from(name) }) };
        let (loaded, store) = data.read(&name)?;
        let cut = loaded.journal.as_ref().map_or(0, |journal| journal.torn);
        let found = Found { name: name.clone(), entries: loaded.entries.len(), cut, at: loaded.world.now() };
        self.host(&name, |wall| State::found(loaded, self.journal_budget, wall, store));
        Ok(found)
    }
    fn host(&self, name: &str, state: impl FnOnce(Duration) -> State) -> Arc<Hosted> {
        let hosted = Arc::new(Hosted::new(name, Arc::clone(&self.time), Arc::clone(&self.alarm), state));
        self.arrays.write().insert(name.to_owned(), Arc::clone(&hosted));
        self.alarm.ring();
        hosted
    }
    pub(super) fn credentials(&self) -> &ServerCredentials {
        &self.credentials
    }
    pub(super) fn wall(&self) -> Duration {
        self.time.elapsed()
    }
    /// Adds an array; its virtual time goes on from now by its clock.
    ///
    /// Refused, in this order: invalid name; name taken, by an array or by files that were left as they are; it cannot be written.
    pub fn create(&self, name: &str, world: World) -> Result<Arc<Hosted>, SiteError> {
        name_is_valid(name)?;
        let _changing = self.changing.lock();
        if self.arrays.read().contains_key(name) {
            return Err(SiteError::ArrayExists { name: name.to_owned() });
        }
        let store = match &self.data {
            Some(data) if data.holds(name) => return Err(SiteError::FilesExist { name: name.to_owned() }),
            Some(data) => Some(data.create(name, &world).map_err(|cause| SiteError::NotWritten { name: name.to_owned(), cause: cause.to_string() })?),
            None => None,
        };
        Ok(self.host(name, |wall| State::new(world, self.journal_budget, wall, store)))
    }
    /// Takes an array out, and its files. Whoever still holds it sees it to the end of his request.
    pub fn remove(&self, name: &str) -> Result<Arc<Hosted>, SiteError> {
        self.remove_if(name, None)
    }
    /// The same, only while a condition holds.
    pub fn remove_if(&self, name: &str, condition: Option<&Condition>) -> Result<Arc<Hosted>, SiteError> {
        let _changing = self.changing.lock();
        let hosted = self.find(name)?;
        let gone = hosted.let_go(condition, || self.data.as_ref().map_or(Ok(()), |data| data.hide(name)));
        gone.map_err(|cause| SiteError::Changed { cause: Box::new(cause) })?
            .map_err(|cause| SiteError::NotWritten { name: name.to_owned(), cause: cause.to_string() })?;
        self.arrays.write().remove(name);
        hosted.close_door();
        if let Some(data) = &self.data {
            data.clear(name);
        }
        Ok(hosted)
    }
    /// Does something about arrays as a whole once under a key. Of two requests under one key, the later waits for the answer of the first.
    pub fn once<E: From<ChangeError>>(&self, key: Option<&RequestKey>, act: impl FnOnce() -> Result<Answer, E>) -> Result<Performed, E> {
        let Some(key) = key else { return act().map(|answer| Performed { answer, again: false }) };
        let mut keys = self.keys.lock();
        let now = SimTime(u64::try_from(self.time.elapsed().as_micros()).unwrap_or(u64::MAX));
        if let Some(answer) = keys.find(key, now)? {
            return Ok(Performed { answer, again: true });
        }
        let answer = act()?;
        keys.keep(key.answered(now, answer.clone()));
        Ok(Performed { answer, again: false })
    }
    /// The array of that name.
    pub fn array(&self, name: &str) -> Option<Arc<Hosted>> {
        self.arrays.read().get(name).cloned()
    }
    /// The array of that name, or why not.
    pub fn find(&self, name: &str) -> Result<Arc<Hosted>, SiteError> {
        self.array(name).ok_or_else(|| SiteError::NoSuchArray { name: name.to_owned() })
    }
    /// All names, in order.
    pub fn names(&self) -> Vec<String> {
        self.arrays.read().keys().cloned().collect()
    }
    /// All arrays, in order of name.
    pub fn arrays(&self) -> Vec<Arc<Hosted>> {
        self.arrays.read().values().cloned().collect()
    }
    /// Reads a file of the server's own in the data directory; nothing without one.
    pub fn kept(&self, file: &str) -> std::io::Result<Option<String>> {
        self.data.as_ref().map_or(Ok(None), |data| data.kept(file))
    }
    /// Keeps a file of the server's own in the data directory, for nobody else to read; does nothing without one.
    pub fn keep(&self, file: &str, text: &str) -> std::io::Result<()> {
        self.data.as_ref().map_or(Ok(()), |data| data.keep(file, text))
    }
    /// Keeps where an array is answered for, so that the next start can open its door again; `None` where it shall not. Does nothing without a
    /// data directory, or when the array is gone.
    pub fn keep_door(&self, name: &str, address: Option<SocketAddr>) {
        let _changing = self.changing.lock();
        let Some(data) = self.data.as_ref().filter(|_| self.array(name).is_some()) else { return };
        if let Err(cause) = data.keep_of(name, DOOR, &address.map_or_else(String::new, |address| address.to_string())) {
            tracing::warn!(array = name, %cause, "where the array listens could not be written; it will not listen there after a restart");
        }
    }
    /// Where an array was answered for before the start.
    pub fn kept_door(&self, name: &str) -> Option<SocketAddr> {
        self.data.as_ref()?.kept_of(name, DOOR).ok()??.parse().ok()
    }
    /// Whoever waits for something in an array gets his answer now: the server is about to end.
    pub fn end_waiting(&self) {
        self.arrays().iter().for_each(|hosted| hosted.end_waiting());
    }
    /// Writes all arrays to the data directory, so that the next start has no journal to follow. Nothing can be changed from then on.
    pub fn close(&self) {
        for hosted in self.arrays().into_iter().filter(|_| self.data.is_some()) {
            if let Err(cause) = hosted.close() {
                tracing::warn!(array = hosted.name(), %cause, "the last checkpoint cannot be written; the journal has everything");
            }
        }
    }
}

impl Timed for Site {
    fn catch_up(&self) -> Option<Duration> {
        let next = self.arrays().iter().filter_map(|hosted| hosted.catch_up()).min()?;
        Some(next.saturating_sub(self.time.elapsed()))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.alarm.stop();
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Site").field("arrays", &self.names()).finish_non_exhaustive()
    }
}
