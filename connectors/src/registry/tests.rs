//! A registry takes each type once, lists by priority, and names what it knows.

use async_trait::async_trait;
use headwater_domain::sync::{DataSourceConfig, Resource, SyncCursor};
use headwater_ports::{AuthType, StreamHandler};

use super::*;

struct Named(&'static str, u32);

#[async_trait]
impl Connector for Named {
    fn metadata(&self) -> ConnectorMetadata {
        ConnectorMetadata {
            connector_type: self.0,
            name: "Named",
            description: "A connector of that name.",
            priority: self.1,
            auth_type: AuthType::None,
            capabilities: &[],
            fields: &[],
        }
    }

    async fn validate(&self, _config: &DataSourceConfig) -> Result<()> {
        Ok(())
    }

    async fn list_resources<'a>(&self, _config: &DataSourceConfig, _parent: Option<&'a str>) -> Result<Vec<Resource>> {
        Ok(Vec::new())
    }

    async fn resolve_resource_ancestors(&self, _config: &DataSourceConfig, _ids: &[String]) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    async fn fetch_stream(
        &self,
        _config: &DataSourceConfig,
        cursor: SyncCursor,
        _handler: &mut dyn StreamHandler,
    ) -> Result<SyncCursor> {
        Ok(cursor)
    }
}

fn registry(connectors: &[(&'static str, u32)]) -> ConnectorRegistry {
    let mut registry = ConnectorRegistry::default();
    connectors.iter().for_each(|(name, priority)| registry.register(Arc::new(Named(name, *priority))).unwrap());
    registry
}

#[test]
fn an_empty_or_doubled_type_is_refused() {
    let mut registry = registry(&[("wiki", 1)]);
    assert_eq!(registry.register(Arc::new(Named("", 1))), Err(RegistryError::EmptyType));
    assert_eq!(registry.register(Arc::new(Named(" ", 1))), Err(RegistryError::EmptyType));
    let doubled = registry.register(Arc::new(Named("wiki", 2)));
    assert_eq!(doubled, Err(RegistryError::DoubledType("wiki".to_owned())));
    assert_eq!(registry.metadata().iter().map(|known| known.priority).collect::<Vec<_>>(), [1]);
}

#[test]
fn the_list_is_sorted_by_priority_and_then_by_type() {
    let registry = registry(&[("yuque", 30), ("rss", 10), ("notion", 30), ("feishu", 20)]);
    let types: Vec<_> = registry.metadata().iter().map(|known| known.connector_type).collect();
    assert_eq!(types, ["rss", "feishu", "notion", "yuque"]);
    assert_eq!(format!("{registry:?}"), r#"["rss", "feishu", "notion", "yuque"]"#);
}

#[test]
fn an_unknown_type_is_told_with_the_known_ones() {
    let registry = registry(&[("yuque", 30), ("rss", 10)]);
    assert_eq!(registry.connector("yuque").unwrap().connector_type(), "yuque");
    let error = registry.connector("wiki").err().unwrap();
    assert_eq!(error.kind, ErrorKind::ConnectorNotFound);
    assert_eq!(error.hint.as_deref(), Some("known types: rss, yuque"));
}
