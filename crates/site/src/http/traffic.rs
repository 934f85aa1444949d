//! What a server counts: requests, those in progress, and whether it is ready.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use actix_web::{HttpRequest, web};
use tokio::sync::Notify;

/// How many requests a server has had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// Those that have begun.
    pub begun: u64,
    /// Those that have ended.
    pub ended: u64,
}

impl Requests {
    /// Those of the server that a request came to.
    pub fn of(request: &HttpRequest) -> Requests {
        let traffic = request.app_data::<web::ThinData<Arc<Traffic>>>();
        traffic
            .map_or_else(Requests::default, |traffic| Requests { ended: traffic.ended.load(Ordering::Acquire), begun: traffic.begun.load(Ordering::Acquire) })
    }
    /// Those that are being answered.
    pub const fn in_progress(self) -> u64 {
        self.begun.saturating_sub(self.ended)
    }
}

/// Shared by all workers of a server.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    ready: AtomicBool,
    begun: AtomicU64,
    ended: AtomicU64,
    quiet: Notify,
}

impl Traffic {
    /// Says whether every listener is bound and the server has not been told to stop.
    pub(super) fn set_ready(&self, ready: bool) {
        self.ready.store(ready, Ordering::Release);
    }
    pub(super) fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }
    /// Counts a request; answers with its number, from 1.
    pub(super) fn begin(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::AcqRel) + 1
    }
    /// A request has been answered, or its client has gone.
    pub(super) fn end(&self) {
        self.ended.fetch_add(1, Ordering::AcqRel);
        if self.is_quiet() {
            self.quiet.notify_one();
        }
    }
    /// Waits until no request is in progress.
    pub(super) async fn quiet(&self) {
        while !self.is_quiet() {
            self.quiet.notified().await;
        }
    }
    fn is_quiet(&self) -> bool {
        self.ended.load(Ordering::Acquire) == self.begun.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::Traffic;

    #[actix_web::test]
    async fn it_is_quiet_when_as_many_requests_ended_as_began() {
        let traffic = Traffic::default();
        traffic.quiet().await;
        assert_eq!((traffic.begin(), traffic.begin()), (1, 2));
        traffic.end();
        assert!(!traffic.is_quiet());
        traffic.end();
        traffic.quiet().await;
    }
}
