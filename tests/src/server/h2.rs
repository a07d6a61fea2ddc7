//! How one HTTP/2 connection is served.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::reply::Kind;
use super::{Log, Received, Script};

/// Serves until the client goes away.
pub(super) async fn serve(stream: TlsStream<TcpStream>, number: usize, script: Script, log: Arc<Log>) {
    let answer = service_fn(move |request| {
        let (script, log) = (Arc::clone(&script), Arc::clone(&log));
        async move { Ok::<_, Infallible>(respond(request, number, &script, &log).await) }
    });
    let _ = http2::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), answer).await;
}

async fn respond(request: Request<Incoming>, number: usize, script: &Script, log: &Log) -> Response<Full<Bytes>> {
    let (head, body) = request.into_parts();
    let mut headers = vec![(":authority".to_owned(), head.uri.authority().map_or("", |it| it.as_str()).into())];
    headers.extend(head.headers.iter().map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())));
    let received = Received {
        scheme: "https",
        method: head.method.to_string(),
        target: head.uri.path_and_query().map_or("/", |it| it.as_str()).to_owned(),
        headers,
        body: body.collect().await.map(|all| all.to_bytes().to_vec()).unwrap_or_default(),
        connection: number,
    };
    let Kind::Proper { status, headers, body } = script(&received).0 else {
        panic!("HTTP/2 has no bare connection to act on");
    };
    log.requests.lock().expect("nothing panics while it holds the lock").push(received);
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(name, value);
    }
    response.body(Full::new(body)).expect("a script gives sound headers")
}
