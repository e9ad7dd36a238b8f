//! Reads files to a limit, and only where they are files: a device or a pipe may have no end, or never have anything.

use std::io::{ErrorKind, Read};
use std::path::Path;

use thiserror::Error;

/// Why a file has no bytes; each shown as the end of a sentence about it.
#[derive(Debug, Error)]
pub enum FileError {
    /// Nothing is there.
    #[error("it does not exist")]
    NotFound,
    /// It is a folder.
    #[error("it is a folder")]
    Folder,
    /// It is a pipe, a socket or a device.
    #[error("it is a pipe or a device, not a file")]
    NotAFile,
    /// It has more bytes than may be read.
    #[error("it is larger than {0} bytes")]
    TooLarge(u64),
    /// The system refuses to read it.
    #[error("{0}")]
    Unreadable(std::io::Error),
}

impl From<std::io::Error> for FileError {
    fn from(error: std::io::Error) -> FileError {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => FileError::NotFound,
            _ => FileError::Unreadable(error),
        }
    }
}

/// The bytes of a file.
///
/// # Errors
/// [`FileError`]; nothing is read beyond `most` bytes.
pub fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    // Opening a pipe would wait for the one who writes, so this is asked before.
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(FileError::Folder);
    }
    if !kind.is_file() {
        return Err(FileError::NotAFile);
    }
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that grew from one that fits.
    std::fs::File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(FileError::TooLarge(most)) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_are_read_and_only_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "1234").unwrap();
        assert_eq!(read_file(&path, 4).unwrap(), b"1234");
        assert!(matches!(read_file(&path, 3), Err(FileError::TooLarge(3))));
        assert!(matches!(read_file(folder.path(), 3), Err(FileError::Folder)));
        for missing in ["none", "file/none"] {
            assert!(matches!(read_file(&folder.path().join(missing), 3), Err(FileError::NotFound)));
        }
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [&pipe, Path::new("/dev/zero")] {
            assert!(matches!(read_file(path, 3), Err(FileError::NotAFile)), "{}", path.display());
        }
    }
}
