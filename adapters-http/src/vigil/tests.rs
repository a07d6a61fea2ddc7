//! What `vigil` is held to.

use std::time::Duration;

use headwater_domain::ErrorKind;
use headwater_ports::FetchLimits;
use tokio::time::{Instant, sleep};

use super::Vigil;

fn vigil() -> Vigil {
    let (timeout, read_timeout) = (Duration::from_secs(60), Duration::from_secs(5));
    Vigil::new(FetchLimits { timeout, read_timeout, ..FetchLimits::default() })
}

/// Work that takes so many seconds.
async fn after(seconds: u64) -> headwater_ports::Result<()> {
    sleep(Duration::from_secs(seconds)).await;
    Ok(())
}

/// After how many seconds the vigil ends work that never does, and in which words.
async fn ends(vigil: &Vigil, work: impl Future<Output = ()>) -> (u64, String) {
    let begun = Instant::now();
    let endless = async {
        work.await;
        std::future::pending().await
    };
    let error = vigil.watch::<()>(endless).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Timeout);
    (begun.elapsed().as_secs(), error.detail)
}

#[tokio::test(start_paused = true)]
async fn silence_counts_only_while_the_server_is_waited_for() {
    let vigil = vigil();
    assert!(vigil.watch(after(20)).await.is_ok());
    vigil.on_wait(None);
    let (seconds, told) = ends(&vigil, async {}).await;
    assert!(seconds == 5 && told.contains("silent"), "{seconds}: {told}");
}

#[tokio::test(start_paused = true)]
async fn each_sign_begins_the_silence_anew_up_to_the_whole_deadline() {
    let vigil = vigil();
    vigil.on_wait(None);
    let signs = async |count| {
        for _ in 0..count {
            sleep(Duration::from_secs(4)).await;
            vigil.on_sign();
        }
    };
    let (seconds, told) = ends(&vigil, signs(3)).await;
    assert!(seconds == 17 && told.contains("silent"), "{seconds}: {told}");
    vigil.on_sign();
    let (seconds, told) = ends(&vigil, signs(99)).await;
    assert!(seconds == 60 - 17 && told.contains("took longer"), "{seconds}: {told}");
}

#[tokio::test(start_paused = true)]
async fn a_deadline_beyond_all_clocks_is_no_trouble() {
    let (timeout, read_timeout) = (Duration::MAX, Duration::MAX);
    let vigil = Vigil::new(FetchLimits { timeout, read_timeout, ..FetchLimits::default() });
    vigil.on_wait(None);
    assert!(vigil.watch(after(1 << 20)).await.is_ok());
}
