//! What `out_file` is held to.

use super::*;

fn kind(path: &Path) -> (ErrorKind, Option<String>) {
    let error = OutFile::create(path).unwrap_err();
    (error.kind, error.hint)
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("digest.html");
    fs::write(&path, "old").unwrap();
    drop(OutFile::create(&path).unwrap());
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    OutFile::create(&path).unwrap().commit(b"new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "no draft stays behind");
}

#[test]
fn a_place_that_cannot_be_written_is_noticed_before_the_work() {
    let directory = tempfile::tempdir().unwrap();
    let (code, hint) = kind(&directory.path().join("none/digest.html"));
    assert_eq!(code, ErrorKind::Store);
    assert!(hint.is_some_and(|hint| hint.starts_with("make the folder ")));
    let (code, hint) = kind(directory.path());
    assert_eq!((code, hint.as_deref()), (ErrorKind::Store, Some("name a file in it")));
    assert_eq!(kind(Path::new("..")).0, ErrorKind::Store);
}

#[test]
fn a_file_is_written_by_one_at_a_time() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("state.json");
    let first = OutFile::create(&path).unwrap();
    assert_eq!(kind(&path).0, ErrorKind::AlreadyRunning);
    first.commit(b"1").unwrap();
    let second = OutFile::create(&path).unwrap();
    assert_eq!(kind(&path).0, ErrorKind::AlreadyRunning);
    drop(second);
    OutFile::create(&path).unwrap().commit(b"2").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"2");
}

#[cfg(unix)]
#[test]
fn what_only_its_owner_could_read_stays_so() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("list.opml");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    OutFile::create(&path).unwrap().commit(b"new").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_whether_it_leads_to_a_file_or_to_none_yet() {
    let directory = tempfile::tempdir().unwrap();
    let (link, file) = (directory.path().join("link"), directory.path().join("folder/file"));
    fs::create_dir(directory.path().join("folder")).unwrap();
    std::os::unix::fs::symlink("folder/file", &link).unwrap();
    for content in ["first", "second"] {
        OutFile::create(&link).unwrap().commit(content.as_bytes()).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
    std::os::unix::fs::symlink("circle", directory.path().join("circle")).unwrap();
    assert_eq!(kind(&directory.path().join("circle")).0, ErrorKind::Store);
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_written_to_and_stays_one_but_keeps_nothing() {
    use std::os::unix::fs::FileTypeExt as _;
    let directory = tempfile::tempdir().unwrap();
    let link = directory.path().join("null");
    std::os::unix::fs::symlink("/dev/null", &link).unwrap();
    OutFile::create(&link).unwrap().commit(b"gone").unwrap();
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    assert_eq!(OutFile::create_lasting(&link).unwrap_err().kind, ErrorKind::Store);
    let error = OutFile::create(Path::new("/dev/full")).unwrap().commit(b"x").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Store);
}
