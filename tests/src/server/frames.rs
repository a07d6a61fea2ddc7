//! How a bare HTTP/2 connection is served: frames that keep no rule but those of the script.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::connection::play;
use super::{Act, Log, Received};

/// A frame of HTTP/2 (RFC 9113, 4.1), whatever it says.
pub fn frame(kind: FrameKind, flags: u8, stream: u32, payload: &[u8]) -> Bytes {
    let length = u32::try_from(payload.len()).expect("a test's frame is short").to_be_bytes();
    [&length[1..], &[kind as u8, flags], &stream.to_be_bytes(), payload].concat().into()
}

/// The kinds of frames (RFC 9113, 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    /// A piece of a body.
    Data = 0,
    /// The beginning of a head.
    Headers = 1,
    /// The end of a stream before its time.
    RstStream = 3,
    /// What a side wants of the other.
    Settings = 4,
    /// A response nobody asked for.
    PushPromise = 5,
    /// Asks for an answer.
    Ping = 6,
    /// The end of a connection.
    GoAway = 7,
    /// Leave to send more.
    WindowUpdate = 8,
    /// More of a head.
    Continuation = 9,
}

/// The frame, or the head, is the last of its stream; of SETTINGS and PING: it is the answer.
pub const END_STREAM: u8 = 1;

/// The head is whole.
pub const END_HEADERS: u8 = 4;

/// Waits for each request, and does the acts.
pub(super) async fn serve(stream: TlsStream<TcpStream>, number: usize, acts: &[Act], log: &Arc<Log>) -> io::Result<()> {
    let (mut reader, mut writer) = tokio::io::split(stream);
    writer.write_all(&frame(FrameKind::Settings, 0, 0, &[])).await?;
    reader.read_exact(&mut [0; PREFACE]).await?;
    loop {
        match read_frame(&mut reader).await? {
            (kind, flags) if kind == FrameKind::Settings as u8 && flags & END_STREAM == 0 => {
                writer.write_all(&frame(FrameKind::Settings, END_STREAM, 0, &[])).await?;
            }
            (kind, _) if kind == FrameKind::Headers as u8 => {
                let received = Received { scheme: "https", connection: number, ..Received::default() };
                log.requests.lock().expect("nothing panics while it holds the lock").push(received);
                for act in acts {
                    if !play(act.clone(), &mut reader, &mut writer).await? {
                        return writer.shutdown().await;
                    }
                }
            }
            _ => {}
        }
    }
}

/// The kind and the flags of the next frame.
async fn read_frame(reader: &mut ReadHalf<TlsStream<TcpStream>>) -> io::Result<(u8, u8)> {
    let mut head = [0; 9];
    reader.read_exact(&mut head).await?;
    let length = usize::try_from(u32::from_be_bytes([0, head[0], head[1], head[2]])).expect("24 bits fit");
    reader.read_exact(&mut vec![0; length]).await?;
    Ok((head[3], head[4]))
}

/// Bytes of the words with which a client begins.
const PREFACE: usize = 24;
