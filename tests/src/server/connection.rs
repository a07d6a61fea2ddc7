//! How one HTTP/1.1 connection is served: request, acts, next request.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::time::sleep;

use super::{Act, Log, Received, Script};

/// Serves until the client goes away or the script closes.
pub(super) async fn serve<S>(stream: S, number: usize, scheme: &'static str, script: &Script, log: &Arc<Log>)
where
    S: AsyncRead + AsyncWrite + Send,
{
    let (mut reader, mut writer) = tokio::io::split(stream);
    let mut unread = Vec::new();
    while let Ok(Some(request)) = read_request(&mut reader, &mut unread).await {
        let request = Received { scheme, connection: number, ..request };
        let acts = script(&request).into_acts();
        log.requests.lock().expect("nothing panics while it holds the lock").push(request);
        for act in acts {
            match play(act, &mut reader, &mut writer).await {
                Ok(true) => {}
                Ok(false) => {
                    let _ = writer.shutdown().await;
                    return;
                }
                Err(_) => return,
            }
        }
    }
}

/// Does one thing; `false` closes the connection.
pub(super) async fn play<S>(act: Act, reader: &mut ReadHalf<S>, writer: &mut WriteHalf<S>) -> io::Result<bool>
where
    S: AsyncRead + AsyncWrite,
{
    match act {
        Act::Send(bytes) => writer.write_all(&bytes).await?,
        Act::Repeat(bytes, times) => {
            for _ in 0..times {
                writer.write_all(&bytes).await?;
            }
        }
        Act::Flood(bytes) => loop {
            writer.write_all(&bytes).await?;
        },
        Act::Trickle(bytes, gap) => loop {
            writer.write_all(&bytes).await?;
            writer.flush().await?;
            sleep(gap).await;
        },
        Act::Hang => {
            writer.flush().await?;
            while reader.read(&mut [0; 1024]).await? > 0 {}
        }
        Act::Close => return Ok(false),
    }
    writer.flush().await?;
    Ok(true)
}

/// The next request, or `None` where the client has gone.
async fn read_request<S>(reader: &mut ReadHalf<S>, unread: &mut Vec<u8>) -> io::Result<Option<Received>>
where
    S: AsyncRead,
{
    let head_end = loop {
        if let Some(at) = unread.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if !read_more(reader, unread).await? {
            return Ok(None);
        }
    };
    let head: Vec<u8> = unread.drain(..head_end).collect();
    let Some(mut request) = Received::parse(&head[..head_end - 4]) else { return Ok(None) };
    let length = request.value("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
    while unread.len() < length {
        if !read_more(reader, unread).await? {
            return Ok(None);
        }
    }
    request.body = unread.drain(..length).collect();
    Ok(Some(request))
}

async fn read_more<S: AsyncRead>(reader: &mut ReadHalf<S>, unread: &mut Vec<u8>) -> io::Result<bool> {
    Ok(reader.read_buf(unread).await? > 0)
}
