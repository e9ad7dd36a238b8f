//! Reads files to a limit, and only where they are files: a device or a pipe may have no end, or never have anything.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// No state comes near: 10,000 resources are about 10 MB.
const LARGEST: u64 = 1 << 30;

/// The bytes of a file of at most 1 GiB.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    check(path)?;
    let file = File::open(path)?;
    let too_large = || io::Error::new(ErrorKind::FileTooLarge, "it is larger than 1 GiB");
    if file.metadata()?.len() > LARGEST {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that grew from one that fits.
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(too_large());
    }
    // Editors put a byte order mark before the text, which JSON does not know.
    Ok(bytes.strip_prefix(b"\xEF\xBB\xBF").map(<[u8]>::to_vec).unwrap_or(bytes))
}

/// Refuses pipes and devices. Opening a pipe would wait for whoever is at its other end, so this is asked before.
pub(super) fn check(path: &Path) -> io::Result<()> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() || kind.is_dir() {
        return Ok(());
    }
    Err(io::Error::new(ErrorKind::InvalidInput, "it is a pipe or a device, not a file"))
}

/// A path without links and detours, also that of a file that does not exist.
pub(super) fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute.canonicalize().unwrap_or_else(|_| {
        let folder = absolute.parent().and_then(|folder| folder.canonicalize().ok());
        match (folder, absolute.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => absolute,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_to_a_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "1234").unwrap();
        assert_eq!(read(&path).unwrap(), b"1234");
        File::create(&path).unwrap().set_len(LARGEST + 1).unwrap();
        assert_eq!(read(&path).unwrap_err().to_string(), "it is larger than 1 GiB");
        assert_eq!(read(&folder.path().join("none")).unwrap_err().kind(), ErrorKind::NotFound);
        assert!(read(folder.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [&pipe, Path::new("/dev/zero")] {
            assert_eq!(read(path).unwrap_err().to_string(), "it is a pipe or a device, not a file");
        }
    }
}
