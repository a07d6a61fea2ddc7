//! How a file that the user names is read: in whole, up to a bound, whatever kind of file it is.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a file, or of standard input for `-`: at most one more than `max_bytes`, so that a parser with that cap
/// sees that there are more. Devices and pipes have no size that could be asked for beforehand.
pub(crate) fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = max_bytes.saturating_add(1);
    if path.as_os_str() == "-" {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        let file = File::open(path)?;
        let size = file.metadata()?.len().min(limit);
        bytes.reserve_exact(usize::try_from(size).unwrap_or(0) + 1);
        file.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// As [`read`]; more than `max_bytes` are an error.
pub(crate) fn read_whole(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let bytes = read(path, max_bytes)?;
    if bytes.len() as u64 > max_bytes {
        let reason = format!("it is larger than {max_bytes} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
