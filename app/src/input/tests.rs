//! What reading a file is held to.

use super::*;

#[test]
fn a_file_is_read_up_to_one_byte_over_the_bound() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"12345").unwrap();
    assert_eq!(read(file.path(), 5).unwrap(), b"12345");
    assert_eq!(read(file.path(), 3).unwrap(), b"1234");
    assert_eq!(read_whole(file.path(), 5).unwrap(), b"12345");
    assert_eq!(read_whole(file.path(), 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
}

#[cfg(unix)]
#[test]
fn a_device_without_end_is_read_up_to_the_bound() {
    assert_eq!(read(Path::new("/dev/zero"), 99).unwrap().len(), 100);
    assert!(read_whole(Path::new("/dev/zero"), 99).is_err());
}
