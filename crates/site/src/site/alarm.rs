//! The thread that lets things happen with nobody reading: it sleeps until the earliest due time of all arrays.

use std::io;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

/// What the thread waits for.
#[derive(Debug, Default)]
pub(super) struct Alarm {
    state: Mutex<State>,
    rung: Condvar,
}

#[derive(Debug, Default)]
struct State {
    rung: bool,
    stopped: bool,
}

/// Something that can be brought up to date.
pub(super) trait Timed: Send + Sync + 'static {
    /// Lets everything happen that is due, and says how long nothing more will be; `None` when nothing is to come.
    fn catch_up(&self) -> Option<Duration>;
}

impl Alarm {
    /// Tells the thread that due times have changed.
    pub(super) fn ring(&self) {
        self.state.lock().rung = true;
        self.rung.notify_one();
    }
    /// Ends the thread.
    pub(super) fn stop(&self) {
        self.state.lock().stopped = true;
        self.rung.notify_one();
    }
    /// Starts the thread. It ends when `timed` is gone or the alarm is stopped.
    pub(super) fn watch_over<T: Timed>(self: Arc<Alarm>, timed: Weak<T>) -> io::Result<()> {
        let watch = move || {
            while let Some(wait) = timed.upgrade().map(|timed| timed.catch_up()) {
                if self.wait(wait) {
                    return;
                }
            }
        };
        thread::Builder::new().name("site-alarm".into()).spawn(watch).map(drop)
    }
    /// Waits until it rings, is stopped, or the time is over; answers whether it was stopped.
    fn wait(&self, at_most: Option<Duration>) -> bool {
        let mut state = self.state.lock();
        if !state.rung && !state.stopped {
            match at_most {
                Some(at_most) => drop(self.rung.wait_for(&mut state, at_most)),
                None => self.rung.wait(&mut state),
            }
        }
        state.rung = false;
        state.stopped
    }
}
