//! Does the whole of phase 1 work: the real binary, real adapters, and web sites on loopback?

mod bad_input;
mod command_line;
mod configuration;
mod datasource;
mod datasource_sync;
mod deliver;
mod digest;
mod history;
mod killed;
mod kit;
mod model;
mod rss_first;
mod secrets;
mod sources;
mod stop;
mod tools;
mod waits;
mod watch;
