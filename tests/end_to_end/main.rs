//! Does the whole of phase 1 work: the real binary, real adapters, and web sites on loopback?

mod bad_input;
mod command_line;
mod datasource;
mod digest;
mod history;
mod kit;
mod rss_first;
mod secrets;
mod stop;
mod tools;
mod waits;
