//! Reads the files that the variables of a credential name.

use std::io::ErrorKind;
use std::path::Path;

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
    if path.is_dir() {
        return Err(format!("'{shown}' is a folder"));
    }
    std::fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => format!("'{shown}' does not exist"),
        ErrorKind::PermissionDenied => format!("'{shown}' may not be read by this user"),
        _ => format!("'{shown}' cannot be read: {error}"),
    })
}
