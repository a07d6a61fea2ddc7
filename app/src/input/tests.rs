//! What reading a file is held to.

use super::*;

#[test]
fn a_file_is_read_up_to_one_byte_over_the_bound() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), b"12345").unwrap();
    assert_eq!(read(file.path(), 5).unwrap(), b"12345");
    assert_eq!(read(file.path(), 3).unwrap(), b"1234");
    assert_eq!(read_whole(file.path(), 5).unwrap(), b"12345");
    assert_eq!(read_whole(file.path(), 4).unwrap_err().error.kind(), io::ErrorKind::FileTooLarge);
}

#[cfg(unix)]
#[test]
fn a_device_without_end_is_read_up_to_the_bound() {
    assert_eq!(read(Path::new("/dev/zero"), 99).unwrap().len(), 100);
    assert!(read_whole(Path::new("/dev/zero"), 99).is_err());
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.xml");
    let unreadable = read(&missing, 9).unwrap_err();
    assert!(
        unreadable.is_missing() && unreadable.to_string().starts_with(&format!("could not read {}", missing.display()))
    );
    assert!(expect(&missing).is_err() && expect(folder.path()).is_err() && expect(Path::new("-")).is_ok());
}
