//! Reads the files that the variables of a credential name.

use std::io::ErrorKind;
use std::path::Path;

use crate::settings::FileError;

/// No certificate and no token comes near.
const LARGEST: u64 = 1 << 20;

/// The bytes of a file.
///
/// # Errors
/// Why there are none, without the end of a sentence.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let shown = path.display();
    // The folder that the caller stands in is not known here: it may be another one than that of the process.
    if !path.is_absolute() {
        return Err(format!("the path '{shown}' must be absolute"));
    }
    crate::settings::read_file(path, LARGEST).map_err(|error| match error {
        FileError::NotFound => format!("'{shown}' does not exist"),
        FileError::Unreadable(error) if error.kind() == ErrorKind::PermissionDenied => {
            format!("'{shown}' may not be read by this user")
        }
        FileError::Unreadable(error) => format!("'{shown}' cannot be read: {error}"),
        FileError::Folder => format!("'{shown}' is a folder"),
        FileError::NotAFile => format!("'{shown}' is a pipe or a device, not a file"),
        FileError::TooLarge(_) => format!("'{shown}' is larger than 1 MiB"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_a_reasonable_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, "token").unwrap();
        assert_eq!(read_file(&file).unwrap(), b"token");
        std::fs::File::create(&file).unwrap().set_len(LARGEST + 1).unwrap();
        assert_eq!(read_file(&file).unwrap_err(), format!("'{}' is larger than 1 MiB", file.display()));
        assert_eq!(read_file(folder.path()).unwrap_err(), format!("'{}' is a folder", folder.path().display()));
        let missing = folder.path().join("none");
        assert_eq!(read_file(&missing).unwrap_err(), format!("'{}' does not exist", missing.display()));
        #[cfg(unix)]
        assert_eq!(read_file(Path::new("/dev/zero")).unwrap_err(), "'/dev/zero' is a pipe or a device, not a file");
    }
}
