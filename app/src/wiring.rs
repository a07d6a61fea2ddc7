//! Which adapter stands behind each port: the only file that names adapters.

use std::sync::Arc;

use headwater_adapters_sqlite::SqliteAdmin;
use headwater_ports::{Result, StoreAdmin};

use crate::context::Context;

/// What looks after the store that the flag or the configuration names.
pub(crate) fn store_admin(context: &Context, flag: Option<&str>) -> Result<Arc<dyn StoreAdmin>> {
    Ok(Arc::new(SqliteAdmin::new(&context.config.store.location(flag)?)?))
}
