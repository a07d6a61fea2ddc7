//! Which adapter stands behind each port: the only file that names adapters.
