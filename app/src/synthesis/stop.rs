//! How a run is asked to end early, and how its stages notice.

use tokio::sync::watch;

use crate::output;

/// Tells the stages of a run that they are to end. Clones tell of the same wish.
#[derive(Debug, Clone)]
pub(crate) struct Stop(watch::Receiver<bool>);

/// Asks a run to end.
#[derive(Debug)]
pub(crate) struct StopSwitch(watch::Sender<bool>);

impl Stop {
    /// A wish that has not been uttered, and the switch that utters it.
    pub(crate) fn new() -> (StopSwitch, Self) {
        let (sender, receiver) = watch::channel(false);
        (StopSwitch(sender), Self(receiver))
    }

    /// Listens for Ctrl-C and the termination signal: the first ends the run cleanly, the second the program.
    pub(crate) fn on_signal() -> Self {
        let (switch, stop) = Self::new();
        tokio::spawn(async move {
            signal().await;
            output::note("stopping: what is done is kept; press Ctrl-C again to end at once");
            switch.stop();
            signal().await;
            end_at_once();
        });
        stop
    }

    /// Whether the wish was uttered.
    pub(crate) fn is_requested(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns when the wish is uttered; never, where nobody can utter it any more.
    pub(crate) async fn requested(&self) {
        let mut receiver = self.0.clone();
        if receiver.wait_for(|stop| *stop).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl StopSwitch {
    /// Utters the wish.
    pub(crate) fn stop(&self) {
        self.0.send_replace(true);
    }
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
        }
        Err(_) => ctrl_c().await,
    }
}

#[cfg(not(unix))]
async fn signal() {
    ctrl_c().await;
}

/// Waits for Ctrl-C; for ever, where the platform has none.
async fn ctrl_c() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the user asked twice: nothing is written by halves, so nothing is waited for"
)]
fn end_at_once() {
    std::process::exit(130);
}
