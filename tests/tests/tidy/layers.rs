//! Do dependencies point one way: app → {adapters, connectors} → ports → domain?

use super::manifests::{dependencies, parse};
use super::rust_text::{code, line_of};
use super::source_tree::{SourceFile, Violation, assert_caught, assert_none, manifests, rust_files};

/// The layers, from the inside out. A crate uses crates of lower layers only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    Domain,
    Ports,
    /// Adapters and connectors.
    Edge,
    App,
    /// The test kit, benches and fuzz targets: they may look at everything, and nothing is shipped of them.
    Outside,
}

fn layer_of_folder(folder: &str) -> Layer {
    match folder {
        "domain" => Layer::Domain,
        "ports" => Layer::Ports,
        "connectors" => Layer::Edge,
        "app" => Layer::App,
        "tests" | "benches" | "fuzz" => Layer::Outside,
        adapter if adapter.starts_with("adapters-") => Layer::Edge,
        other => panic!("the folder {other} belongs to no layer: give it one here and in ARCHITECTURE.md"),
    }
}

/// The folder of one of our own packages; none for a library.
fn folder_of_package(name: &str) -> Option<&str> {
    if name == "headwater" { Some("app") } else { name.strip_prefix("headwater-") }
}

fn dependencies_point_inwards(files: &[SourceFile]) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in files {
        let layer = layer_of_folder(file.folder());
        for (table, name, _) in dependencies(&parse(file)) {
            let Some(used) = folder_of_package(&name) else { continue };
            let used_layer = layer_of_folder(used);
            let for_tests = table == "dev-dependencies" && used_layer == Layer::Outside;
            if layer != Layer::Outside && used_layer >= layer && !for_tests {
                found.push(file.violation(format!("{} uses {used}, which is not below it", file.folder())));
            }
        }
    }
    found
}

/// The test kit is used by the tests of every crate, so its library stands on `domain` and `ports` alone.
fn the_test_kit_stands_on_ports(files: &[SourceFile]) -> Vec<Violation> {
    let kit = files.iter().filter(|file| file.folder() == "tests");
    let mut found = Vec::new();
    for file in kit {
        for (table, name, _) in dependencies(&parse(file)) {
            let edge = folder_of_package(&name).is_some_and(|used| layer_of_folder(used) >= Layer::Edge);
            if table == "dependencies" && edge {
                found.push(file.violation(format!("the test kit's library uses {name}")));
            }
        }
    }
    found
}

fn only_wiring_names_adapters(files: &[SourceFile]) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.path.starts_with("app/src/") && file.path != "app/src/wiring.rs") {
        let code = code(&file.text);
        for (at, _) in code.match_indices("headwater_adapters_") {
            found.push(file.violation_at(line_of(&code, at), "names an adapter"));
        }
    }
    found
}

#[test]
fn dependencies_point_one_way() {
    let manifests = manifests();
    assert_none("a crate uses lower layers only", &dependencies_point_inwards(&manifests));
    assert_none("the test kit's library uses domain and ports only", &the_test_kit_stands_on_ports(&manifests));
}

#[test]
fn adapters_are_named_in_wiring_only() {
    assert_none("adapters are chosen in app/src/wiring.rs", &only_wiring_names_adapters(&rust_files()));
}

#[test]
fn a_dependency_that_points_outwards_is_caught() {
    let manifest = |folder: &str, table: &str, used: &str| {
        SourceFile::example(&format!("{folder}/Cargo.toml"), &format!("[{table}]\n{used}.workspace = true\n"))
    };
    let examples = [
        manifest("domain", "dependencies", "headwater-ports"),
        manifest("ports", "dependencies", "headwater-domain"),
        manifest("adapters-xml", "dependencies", "headwater-adapters-html"),
        manifest("adapters-xml", "dev-dependencies", "headwater-adapters-json"),
        manifest("adapters-sqlite", "dev-dependencies", "headwater-tests"),
        manifest("adapters-sqlite", "dependencies", "headwater-tests"),
        manifest("connectors", "dependencies", "headwater-adapters-http"),
        manifest("connectors", "dependencies", "headwater"),
        manifest("app", "dependencies", "headwater-adapters-http"),
        manifest("benches", "dependencies", "headwater-adapters-http"),
    ];
    let places = [
        "domain/Cargo.toml",
        "adapters-xml/Cargo.toml",
        "adapters-xml/Cargo.toml",
        "adapters-sqlite/Cargo.toml",
        "connectors/Cargo.toml",
        "connectors/Cargo.toml",
    ];
    assert_caught(&dependencies_point_inwards(&examples), &places);
}

#[test]
fn a_test_kit_that_needs_an_adapter_is_caught() {
    let examples = [
        SourceFile::example("tests/Cargo.toml", "[dependencies]\nheadwater-adapters-xml.workspace = true\n"),
        SourceFile::example("tests/Cargo.toml", "[dev-dependencies]\nheadwater-adapters-xml.workspace = true\n"),
    ];
    assert_caught(&the_test_kit_stands_on_ports(&examples), &["tests/Cargo.toml"]);
}

#[test]
fn an_adapter_outside_wiring_is_caught() {
    let examples = [
        SourceFile::example("app/src/wiring.rs", "use headwater_adapters_http::HyperFetcher;\n"),
        SourceFile::example(
            "app/src/cli/run.rs",
            "// headwater_adapters_http is fine here\n\nuse headwater_adapters_xml::X;\n",
        ),
        SourceFile::example("tests/tests/feeds.rs", "use headwater_adapters_xml::XmlFeedParser;\n"),
    ];
    assert_caught(&only_wiring_names_adapters(&examples), &["app/src/cli/run.rs:3"]);
}
