//! How a file comes to stand in its place: whole, or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use headwater_domain::ErrorKind;
use headwater_ports::{Error, Page};

/// Writes a page beside its place, makes sure that it is on the disk, and puts it there. Missing folders are made.
pub(crate) fn put(path: &Path, page: &dyn Page) -> Result<(), Error> {
    write(path, page).map_err(|error| {
        let detail = format!("could not write {}: {error}", path.display());
        Error::new(ErrorKind::Store, "deliver digest", detail).with_source(error)
    })
}

fn write(path: &Path, page: &dyn Page) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut draft_name = std::ffi::OsString::from(".");
    draft_name.push(name);
    draft_name.push(format!(".{}.part", std::process::id()));
    let draft = folder.join(draft_name);
    let written = fill(&draft, page).and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
        return written;
    }
    // The name is on the disk too then; where a folder cannot be opened as a file, the system sees to it by itself.
    File::open(folder).and_then(|folder| folder.sync_all()).or(Ok(()))
}

fn fill(draft: &Path, page: &dyn Page) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(draft)?);
    page.write_to(&mut out)?;
    out.flush()?;
    out.get_ref().sync_all()
}
