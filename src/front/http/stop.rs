//! The end of a server: it stops listening, answers what is in progress, and closes.

use std::io;

use actix_web::rt::task::JoinError;

use super::limits;
use super::server::Running;

impl Running {
    /// Stops listening, waits for requests in progress (at most ten seconds), and closes all connections.
    pub async fn stop(self) -> io::Result<()> {
        self.traffic.set_ready(false);
        self.handle.pause().await;
        if tokio::time::timeout(limits::STOP_TIME, self.traffic.quiet()).await.is_err() {
            tracing::warn!("requests in progress did not end in time");
        }
        self.handle.stop(true).await;
        ended(self.server.await)
    }
    /// Serves until the process is told to end (SIGINT or SIGTERM), then stops; a second signal stops at once.
    pub async fn until_signal(mut self) -> io::Result<()> {
        tokio::select! {
            signal = told_to_end() => tracing::info!("stopping on {}", signal?),
            end = &mut self.server => return ended(end),
        }
        let handle = self.handle.clone();
        tokio::select! {
            end = self.stop() => end,
            signal = told_to_end() => {
                tracing::warn!("stopping at once on {}", signal?);
                handle.stop(false).await;
                Ok(())
            }
        }
    }
}

fn ended(end: Result<io::Result<()>, JoinError>) -> io::Result<()> {
    end.map_err(io::Error::other)?
}

#[cfg(unix)]
async fn told_to_end() -> io::Result<&'static str> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    tokio::select! {
        _ = interrupt.recv() => Ok("SIGINT"),
        _ = terminate.recv() => Ok("SIGTERM"),
    }
}

#[cfg(not(unix))]
async fn told_to_end() -> io::Result<&'static str> {
    tokio::signal::ctrl_c().await.map(|()| "Ctrl-C")
}
