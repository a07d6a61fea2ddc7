//! What `rss` is held to.


