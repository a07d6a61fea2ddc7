//! Tests of the reading of articles.
