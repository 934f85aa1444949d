//! A small world and a wall clock held in the hand, for the tests of this room.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use super::store::{Disk, Growing, RealDisk};
use super::{Answer, ChangeError, DataOptions, Found, Hosted, Options, Performed, RequestKey, Site, StoreError, Terms, TimeSource};
use crate::catalogue::{self, BuildOptions};
use crate::engine::{Actor, ClockMode, Ctx, Job};
use crate::model::{Key, Object, RaidLevel};
use crate::ops::{self, AnyOperation, World, job, raid_group, settings};
use crate::units::{Bytes, SimSpan, SimTime};

/// Wall time that a test moves.
#[derive(Debug, Default)]
pub(super) struct HeldTime(Mutex<Duration>);

impl HeldTime {
    pub(super) fn pass(&self, seconds: u64) {
        *self.0.lock() += Duration::from_secs(seconds);
    }
}

impl TimeSource for HeldTime {
    fn elapsed(&self) -> Duration {
        *self.0.lock()
    }
}

/// A site on held time with one array, `lab`.
pub(super) fn lab(world: World, journal_budget: Bytes) -> (Arc<HeldTime>, Arc<Site>, Arc<Hosted>) {
    let time = Arc::new(HeldTime::default());
    let site = Site::on(Arc::clone(&time) as Arc<dyn TimeSource>, Options { journal_budget });
    let hosted = site.create("lab", world).expect("a valid name");
    (time, site, hosted)
}

pub(super) fn somebody() -> Actor {
    Actor::new("api", "tester", "POST /v1/arrays/lab/raid-groups")
}

pub(super) fn group(name: &str) -> raid_group::Create {
    raid_group::Create {
        name: name.into(),
        level: RaidLevel::Raid10,
        drives: None,
        drive_count: Some(4),
        drive_type: None,
        drive_capacity: None,
        controller: Some("CM0".into()),
    }
}

pub(super) fn renamed(system: &str) -> settings::Update {
    settings::Update { system_name: Some(system.into()), ..settings::Update::default() }
}

/// A new AF250 whose clock is `mode`.
pub(super) fn world(mode: ClockMode) -> World {
    let model = catalogue::model("eternus-af250").expect("the model is known");
    let mut world = World::new(model.build(&BuildOptions::default()).expect("its own drives fit"));
    world.clock.mode = mode;
    world
}

/// Queues an operation for a later time.
pub(super) fn queue(world: &mut World, operation: AnyOperation, after: SimSpan) -> Key<Job<AnyOperation>> {
    let ctx = Ctx { now: world.now(), actor: somebody() };
    ops::execute(&job::Submit { operation: Box::new(operation), after: Some(after) }, world, &ctx).expect("it can wait")
}

/// When the world believes that it is.
pub(super) fn now(hosted: &Hosted) -> SimTime {
    hosted.read(|world| world.now())
}

/// The wall clock, the site, and what it has found.
type Opened = (Arc<HeldTime>, Arc<Site>, Vec<Found>);

/// A folder for one test; it goes when it is dropped.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn new() -> Folder {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("arrayplane-site-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a place for files");
        Folder(path)
    }
    /// Opens it with a small budget for journals, on a clock of its own.
    pub(super) fn open(&self, budget: u64) -> Result<Opened, StoreError> {
        self.open_on(budget, Arc::new(RealDisk))
    }
    pub(super) fn open_on(&self, budget: u64, disk: Arc<dyn Disk>) -> Result<Opened, StoreError> {
        let time = Arc::new(HeldTime::default());
        let data = DataOptions { folder: self.0.clone(), ..DataOptions::default() };
        let options = Options { journal_budget: Bytes::new(budget) };
        let (site, found) = Site::open_with(Arc::clone(&time) as Arc<dyn TimeSource>, options, &data, disk)?;
        Ok((time, site, found))
    }
    /// The files of the array `lab`, by name.
    pub(super) fn files(&self) -> Vec<String> {
        let files = fs::read_dir(self.lab()).expect("a folder").map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = files.collect();
        names.sort();
        names
    }
    pub(super) fn lab(&self) -> PathBuf {
        self.0.join("arrays/lab")
    }
    /// The journal file of `lab` that goes on.
    pub(super) fn journal(&self) -> PathBuf {
        let name = self.files().into_iter().rfind(|name| name.ends_with(".journal")).expect("a journal");
        self.lab().join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A disk on which so many bytes have room, and which can be told to refuse files by a part of their name.
pub(super) struct SmallDisk {
    pub(super) room: AtomicU64,
    pub(super) refused: Mutex<&'static str>,
}

impl SmallDisk {
    pub(super) fn new() -> Arc<SmallDisk> {
        Arc::new(SmallDisk { room: AtomicU64::new(u64::MAX), refused: Mutex::new("nothing") })
    }
    /// Takes as much of it as there is; answers with how much that was.
    fn take(&self, wanted: usize) -> usize {
        let room = self.room.load(Ordering::Relaxed);
        let taken = room.min(wanted as u64);
        self.room.store(room - taken, Ordering::Relaxed);
        usize::try_from(taken).expect("no more than was wanted")
    }
}

/// A disk shared with the test.
pub(super) struct Shared(pub(super) Arc<SmallDisk>);

struct SmallFile {
    disk: Arc<SmallDisk>,
    file: Arc<dyn Growing>,
}

fn full() -> io::Error {
    io::Error::new(io::ErrorKind::StorageFull, "no space left on the disk of this test")
}

impl Disk for Shared {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn Growing>> {
        Ok(Arc::new(SmallFile { disk: Arc::clone(&self.0), file: RealDisk.open(path)? }))
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let refused = path.to_string_lossy().contains(*self.0.refused.lock());
        if refused || self.0.take(bytes.len()) < bytes.len() { Err(full()) } else { RealDisk.write(path, bytes) }
    }
}

impl Growing for SmallFile {
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let taken = self.disk.take(bytes.len());
        self.file.append(&bytes[..taken])?;
        if taken < bytes.len() { Err(full()) } else { Ok(()) }
    }
    fn cut(&self, length: u64) -> io::Result<()> {
        self.file.cut(length)
    }
    fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }
}

/// Waits for an answer.
pub(super) fn wait<R>(answer: impl Future<Output = R>) -> R {
    tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime").block_on(answer)
}

/// The terms of a request with a key that stands for these words.
pub(super) fn keyed(key: &str, words: &str) -> Terms {
    Terms { key: Some(RequestKey::new("tester", key, &[words.as_bytes()])), ..Terms::of(somebody()) }
}

/// Makes a RAID group on terms; the answer is its name.
pub(super) fn perform(hosted: &Hosted, terms: &Terms, name: &str) -> Result<Performed, ChangeError> {
    let answer = |world: &World, key| Answer { status: 201, body: world.array.raid_groups[key].name().to_owned(), ..Answer::default() };
    wait(hosted.perform(terms, group(name), answer))
}
