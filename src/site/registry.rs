//! All arrays of a server, by name.

use std::collections::BTreeMap;
use std::collections::btree_map;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::RwLock;

use super::alarm::{Alarm, Timed};
use super::credentials::ServerCredentials;
use super::site_error::name_is_valid;
use super::{Hosted, Journal, SiteError, TimeSource, WallClock};
use crate::ops::World;
use crate::units::Bytes;

/// The arrays of a server. Each has a lock of its own; the list's lock is held only to look a name up or to change the list.
pub struct Site {
    arrays: RwLock<BTreeMap<String, Arc<Hosted>>>,
    alarm: Arc<Alarm>,
    time: Arc<dyn TimeSource>,
    journal_budget: Bytes,
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

impl Site {
    /// A site without arrays.
    pub fn new() -> Arc<Site> {
        Site::with(Options::default())
    }
    /// A site without arrays, with options. What is due happens by itself from now on.
    pub fn with(options: Options) -> Arc<Site> {
        let site = Site::on(Arc::new(WallClock::start()), options);
        if let Err(cause) = Arc::clone(&site.alarm).watch_over(Arc::downgrade(&site)) {
            tracing::warn!(%cause, "no thread can be started: what is due happens when somebody looks");
        }
        site
    }
    /// A site whose wall time comes from `time`; what is due happens when somebody looks.
    pub fn on(time: Arc<dyn TimeSource>, options: Options) -> Arc<Site> {
        Arc::new(Site { arrays: RwLock::default(), alarm: Arc::default(), time, journal_budget: options.journal_budget, credentials: ServerCredentials::new() })
    }
    pub(super) fn credentials(&self) -> &ServerCredentials {
        &self.credentials
    }
    pub(super) fn wall(&self) -> Duration {
        self.time.elapsed()
    }
    /// Adds an array; its virtual time goes on from now by its clock.
    ///
    /// Refused, in this order: invalid name; name taken.
    pub fn create(&self, name: &str, world: World) -> Result<Arc<Hosted>, SiteError> {
        name_is_valid(name)?;
        let refuse = || SiteError::ArrayExists { name: name.to_owned() };
        if self.arrays.read().contains_key(name) {
            return Err(refuse());
        }
        let made = Hosted::new(name, world, self.journal_budget, Arc::clone(&self.time), Arc::clone(&self.alarm));
        let hosted = Arc::new(made.map_err(|cause| SiteError::NotStorable { name: name.to_owned(), cause })?);
        match self.arrays.write().entry(name.to_owned()) {
            btree_map::Entry::Occupied(_) => return Err(refuse()),
            btree_map::Entry::Vacant(place) => place.insert(Arc::clone(&hosted)),
        };
        self.alarm.ring();
        Ok(hosted)
    }
    /// Takes an array out. Whoever still holds it sees it to the end of his request.
    pub fn remove(&self, name: &str) -> Result<Arc<Hosted>, SiteError> {
        self.arrays.write().remove(name).ok_or_else(|| SiteError::NoSuchArray { name: name.to_owned() })
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
