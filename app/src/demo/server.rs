//! How the demo's web is served on loopback while the demo runs.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_ports::{Error, Result};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HOST, HeaderValue, LOCATION};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use super::answer::{Answer, answer};
use super::world::World;

/// The demo's web on a free port of 127.0.0.1. It ends when it is dropped.
#[derive(Debug)]
pub(crate) struct DemoServer {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl DemoServer {
    /// Begins to serve.
    ///
    /// # Errors
    /// `internal` if no port of the loopback address can be had.
    pub(crate) async fn start(world: World) -> Result<Self> {
        let fault = |error| {
            Error::new(ErrorKind::Internal, "serve the demo's web", "no port of 127.0.0.1 can be listened on")
                .with_source(error)
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(fault)?;
        let address = listener.local_addr().map_err(fault)?;
        Ok(Self { address, task: tokio::spawn(serve(listener, Arc::new(world))) })
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for DemoServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Takes connections until the task is aborted; those that are open end with it.
async fn serve(listener: TcpListener, world: Arc<World>) {
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let Ok((stream, _)) = listener.accept().await else { continue };
        let world = Arc::clone(&world);
        connections.spawn(async move {
            let service = service_fn(|request| {
                let response = respond(&world, &request);
                async move { Ok::<_, Infallible>(response) }
            });
            // A client that breaks off is no concern of the server's.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

fn respond(world: &World, request: &Request<Incoming>) -> Response<String> {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default().to_ascii_lowercase();
    response(answer(world, &host, request.uri().path()))
}

fn response(answer: Answer) -> Response<String> {
    let mut response = Response::new(answer.body);
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(answer.content_type));
    if let Some(location) = answer.location.and_then(|location| HeaderValue::from_str(&location).ok()) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}
