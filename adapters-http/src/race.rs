//! Which of several addresses answers first (RFC 8305, "Happy Eyeballs").

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until};

/// Dials the addresses in turn, the families alternating: the next one when the last failed or was silent for `stagger`.
///
/// # Errors
/// None answered: the first failure, which is that of the most wanted address.
pub(crate) async fn connect(addresses: &[SocketAddr], stagger: Duration) -> io::Result<TcpStream> {
    let mut waiting = alternate(addresses).into_iter();
    let mut attempts = FuturesUnordered::new();
    let mut failure = None;
    attempts.extend(waiting.next().map(dial));
    let mut next_at = Instant::now() + stagger;
    loop {
        tokio::select! {
            Some(attempt) = attempts.next() => match attempt {
                Ok(stream) => return Ok(stream),
                Err(error) => {
                    failure.get_or_insert(error);
                }
            },
            () = sleep_until(next_at), if waiting.len() > 0 && !attempts.is_empty() => {}
            else => return Err(failure.unwrap_or_else(|| io::Error::other("there is no address to dial"))),
        }
        attempts.extend(waiting.next().map(dial));
        next_at = Instant::now() + stagger;
    }
}

/// One address of each family in turn, beginning with the family of the first.
fn alternate(addresses: &[SocketAddr]) -> Vec<SocketAddr> {
    let Some(first) = addresses.first() else { return Vec::new() };
    let (own, other): (Vec<SocketAddr>, Vec<SocketAddr>) =
        addresses.iter().partition(|address| address.is_ipv6() == first.is_ipv6());
    let (mut own, mut other) = (own.into_iter(), other.into_iter());
    let mut order = Vec::with_capacity(addresses.len());
    loop {
        let pair = [own.next(), other.next()];
        if pair == [None, None] || order.len() >= MAX_DIALLED {
            return order;
        }
        order.extend(pair.into_iter().flatten());
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that dials; only the connector calls it, with judged addresses"
)]
async fn dial(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// A name with more addresses than this is not waited for.
const MAX_DIALLED: usize = 8;

#[cfg(test)]
mod tests;
