//! Folders are listed and files read, and nothing outside of the root is.

use std::os::unix::fs::symlink;

use super::*;

fn kinds(entries: &[FileEntry]) -> Vec<(&str, &str)> {
    let word = |kind: &FileKind| match kind {
        FileKind::File { .. } => "file",
        FileKind::Folder => "folder",
        FileKind::Link { stays_inside: true } => "link inside",
        FileKind::Link { stays_inside: false } => "link outside",
        FileKind::Other => "other",
    };
    entries.iter().map(|entry| (entry.name.as_str(), word(&entry.kind))).collect()
}

#[tokio::test]
async fn a_folder_is_listed_by_name_and_kind() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("b.md"), "text").unwrap();
    fs::create_dir(root.path().join("a")).unwrap();
    symlink("b.md", root.path().join("c")).unwrap();
    symlink("/etc", root.path().join("d")).unwrap();
    symlink("nowhere", root.path().join("e")).unwrap();
    let entries = LocalFileTree.list(root.path(), "").await.unwrap();
    let expected =
        [("a", "folder"), ("b.md", "file"), ("c", "link inside"), ("d", "link outside"), ("e", "link outside")];
    assert_eq!(kinds(&entries), expected);
    assert!(matches!(&entries[1].kind, FileKind::File { size: 4, modified_at: Some(_) }));
}

#[tokio::test]
async fn nothing_outside_of_the_root_is_read() {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("root");
    fs::create_dir_all(root.join("real")).unwrap();
    fs::write(outer.path().join("secret.txt"), "secret").unwrap();
    fs::write(root.join("real/a.txt"), "text").unwrap();
    symlink(outer.path().join("secret.txt"), root.join("link.txt")).unwrap();
    symlink("real", root.join("link")).unwrap();
    for path in ["../secret.txt", "link.txt", "link/a.txt", "/etc/passwd", "real/../../secret.txt", "real"] {
        let error = LocalFileTree.read(&root, path, 100).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Auth, "{path}: {error}");
    }
    assert_eq!(LocalFileTree.read(&root, "real/a.txt", 100).await.unwrap(), "text");
    assert_eq!(LocalFileTree.list(&root, "link").await.unwrap_err().kind, ErrorKind::Auth);
}

#[tokio::test]
async fn what_is_missing_or_too_large_is_told_without_the_machines_paths() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a"), "12345").unwrap();
    assert_eq!(LocalFileTree.read(root.path(), "a", 5).await.unwrap(), "12345");
    let large = LocalFileTree.read(root.path(), "a", 4).await.unwrap_err();
    assert_eq!(large.kind, ErrorKind::BodyTooLarge);
    let missing = LocalFileTree.list(root.path(), "b").await.unwrap_err();
    assert_eq!(missing.kind, ErrorKind::Gone);
    assert!(!missing.to_string().contains(&root.path().display().to_string()), "{missing}");
    assert_eq!(LocalFileTree.list(&root.path().join("none"), "").await.unwrap_err().kind, ErrorKind::Gone);
}
