//! How work that needs the processor is kept off the threads that wait for the network.

use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_ports::{Error, Result};
use tokio::sync::Semaphore;

/// Runs closures on blocking threads, as many at once as there are processors.
#[derive(Debug, Clone)]
pub(crate) struct Cpu(Arc<Semaphore>);

impl Cpu {
    /// One closure for each processor at a time.
    pub(crate) fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Self(Arc::new(Semaphore::new(processors)))
    }

    /// Runs a closure when its turn comes.
    ///
    /// # Errors
    /// Those of the closure; `internal` if it panicked, so that one document costs no more than itself.
    pub(crate) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        let permit = Arc::clone(&self.0).acquire_owned().await.expect("the semaphore is never closed");
        let work = move || {
            let _permit = permit;
            work()
        };
        match tokio::task::spawn_blocking(work).await {
            Ok(outcome) => outcome,
            Err(_) => Err(Error::new(
                ErrorKind::Internal,
                "read a document",
                "the document could not be read: a fault of ours",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_costs_only_the_document() {
        let cpu = Cpu::new();
        let outcome: Result<()> = cpu.run(|| panic!("hostile")).await;
        assert_eq!(outcome.unwrap_err().kind, ErrorKind::Internal);
        assert_eq!(cpu.run(|| Ok(7)).await.unwrap(), 7);
    }
}
