//! Documents have files of their own, which move and go with them.

use super::*;

fn item(id: &str, path: &[&str], name: &str, text: &str) -> FetchedItem {
    FetchedItem {
        external_id: id.to_owned(),
        file_name: name.to_owned(),
        path: path.iter().map(|folder| (*folder).to_owned()).collect(),
        content: text.to_owned().into(),
        source_resource_id: "space".to_owned(),
        ..FetchedItem::default()
    }
}

fn gone(id: &str, resource: &str) -> Deletion {
    Deletion { external_id: id.to_owned(), source_resource_id: resource.to_owned() }
}

fn files(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path.strip_prefix(root).unwrap().display().to_string()),
            }
        }
    }
    found.sort();
    found
}

#[test]
fn names_are_safe_and_each_documents_own() {
    let root = tempfile::tempdir().unwrap();
    let mut folder = IntoFolder::open(root.path()).unwrap();
    folder.write(&item("1", &["a/b", ".."], "Plan.md", "one")).unwrap();
    folder.write(&item("2", &["a/b", ".."], "plan.md", "two")).unwrap();
    folder.write(&item("3", &[], "../../x.md", "three")).unwrap();
    folder.write(&item("4", &[], ".headwater.json", "four")).unwrap();
    folder.save().unwrap();
    let found = files(root.path());
    assert_eq!(
        found,
        [".headwater.json", "_.._x.md", "a_b/untitled/Plan.md", "a_b/untitled/plan (2).md", "headwater.json"]
            .map(str::to_owned)
            .to_vec(),
        "{found:?}"
    );
}

#[test]
fn a_document_keeps_its_place_and_moves_with_its_title() {
    let root = tempfile::tempdir().unwrap();
    let mut folder = IntoFolder::open(root.path()).unwrap();
    folder.write(&item("1", &[], "a.md", "one")).unwrap();
    folder.write(&item("2", &[], "a.md", "two")).unwrap();
    folder.save().unwrap();
    let mut folder = IntoFolder::open(root.path()).unwrap();
    folder.write(&item("2", &[], "a.md", "two, edited")).unwrap();
    assert_eq!(fs::read_to_string(root.path().join("a (2).md")).unwrap(), "two, edited");
    folder.write(&item("1", &["deep"], "b.md", "one")).unwrap();
    folder.save().unwrap();
    assert_eq!(files(root.path()), [".headwater.json", "a (2).md", "deep/b.md"]);
}

#[test]
fn what_is_deleted_goes_with_its_files_and_what_moved_stays() {
    let root = tempfile::tempdir().unwrap();
    let mut folder = IntoFolder::open(root.path()).unwrap();
    folder.write(&item("1", &[], "a.md", "one")).unwrap();
    let child = FetchedItem { parent_id: Some("1".to_owned()), ..item("1#file#x", &[], "x.pdf", "file") };
    folder.write(&child).unwrap();
    folder.write(&item("2", &[], "b.md", "two")).unwrap();
    folder.remove(&gone("2", "another space")).unwrap();
    folder.remove(&gone("1", "space")).unwrap();
    folder.remove(&gone("3", "space")).unwrap();
    folder.save().unwrap();
    assert_eq!(files(root.path()), [".headwater.json", "b.md"]);
}

#[test]
fn a_list_that_leads_elsewhere_is_not_followed() {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("into");
    fs::create_dir(&root).unwrap();
    fs::write(outer.path().join("precious"), "text").unwrap();
    fs::write(root.join(LIST), r#"{"1": {"file": "../precious", "resource": "space"}}"#).unwrap();
    IntoFolder::open(&root).unwrap().remove(&gone("1", "space")).unwrap();
    assert!(outer.path().join("precious").exists());
}
