//! The end of a server: it stops listening, answers what is in progress, and closes.

use std::io;
use std::time::Duration;

use actix_web::rt::task::JoinError;

use super::limits;
use super::server::Running;
use super::signals::Signals;

impl Running {
    /// Stops listening, waits for requests in progress (at most ten seconds), and closes all connections.
    pub async fn stop(self) -> io::Result<()> {
        self.traffic.set_ready(false);
        self.before_stop.run();
        if let Some(doors) = &self.doors {
            doors.begin_to_close();
        }
        self.handle.pause().await;
        if tokio::time::timeout(limits::STOP_TIME, self.traffic.quiet()).await.is_err() {
            tracing::warn!("requests in progress did not end in time");
        }
        let (doors, idle) = (self.doors, Duration::from_secs(limits::STOP_IDLE_SECONDS));
        let closed = async {
            if let Some(doors) = doors {
                let _ = tokio::time::timeout(idle, doors.closed()).await;
                doors.close_now();
            }
        };
        tokio::join!(self.handle.stop(true), closed);
        ended(self.server.await)
    }
    /// Serves until the process is told to end, then stops; a second signal stops at once.
    pub async fn until(mut self, mut signals: Signals) -> io::Result<()> {
        tokio::select! {
            signal = signals.next() => tracing::info!("stopping on {signal}"),
            end = &mut self.server => return ended(end),
        }
        let (handle, doors) = (self.handle.clone(), self.doors.clone());
        tokio::select! {
            end = self.stop() => end,
            signal = signals.next() => {
                tracing::warn!("stopping at once on {signal}");
                if let Some(doors) = doors {
                    doors.close_now();
                }
                handle.stop(false).await;
                Ok(())
            }
        }
    }
}

fn ended(end: Result<io::Result<()>, JoinError>) -> io::Result<()> {
    end.map_err(io::Error::other)?
}
