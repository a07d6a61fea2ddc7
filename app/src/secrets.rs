//! How secrets are kept at rest: sealed when a source brings one, opened for a run, sealed anew under a new key.

pub(crate) mod rotation;
mod sealed_sources;

pub(crate) use sealed_sources::SealedSources;
