//! Reads the text of a settings file: its size, its encoding, and what can go wrong with a path.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::own_file::OwnFile;
use super::regular_file::{FileError, read_file};
use crate::protocol::{Code, ErrorCategory, ErrorReport};

/// Settings over this size in bytes are refused: no document is that long, and parsing one cannot be interrupted.
pub const LARGEST_SETTINGS: u64 = 64 * 1024 * 1024;
const FOLDER: &str = "a folder";
const PIPE: &str = "a pipe or a device";

/// Why a settings file has no text.
#[derive(Debug, Error)]
pub enum ReadError {
    /// Nothing is there.
    #[error("The {what} file '{}' does not exist.", path.display())]
    NotFound {
        /// `settings`, `tag settings` …
        what: &'static str,
        /// The path as given.
        path: PathBuf,
    },
    /// A folder, a pipe, a device, or a file that the program has written itself.
    #[error("'{}' is {found}, not a {what} file.", path.display())]
    NotAFile {
        /// `settings`, `tag settings` …
        what: &'static str,
        /// The path as given.
        path: PathBuf,
        /// The encoding that it has instead.
        found: &'static str,
    },
    /// The system refuses to read it.
    #[error("The {what} file '{}' cannot be read: {source}.", path.display())]
    Unreadable {
        /// `settings`, `tag settings` …
        what: &'static str,
        /// The path as given.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Over [`LARGEST_SETTINGS`].
    #[error("The {what} file '{}' is larger than 64 MiB.", path.display())]
    TooLarge {
        /// `settings`, `tag settings` …
        what: &'static str,
        /// The path as given.
        path: PathBuf,
    },
    /// Neither UTF-8 nor UTF-16 with a byte order mark.
    #[error("The {what} file '{}' is not UTF-8 text: {detail}.", path.display())]
    NotText {
        /// `settings`, `tag settings` …
        what: &'static str,
        /// The path as given.
        path: PathBuf,
        /// The place of the first wrong byte.
        detail: String,
    },
}

impl ReadError {
    /// The error as the host shows it.
    #[must_use]
    pub fn report(&self) -> ErrorReport {
        let (code, path, recommendation) = match self {
            ReadError::NotFound { path, .. } => {
                (Code::SettingsFileNotFound, path, "Check the path. Relative paths start at the current location.")
            }
            ReadError::NotAFile { path, found: FOLDER, .. } => {
                (Code::SettingsFileNotFound, path, "Name the file in the folder.")
            }
            ReadError::NotAFile { path, found: PIPE, .. } => {
                (Code::SettingsFileNotFound, path, "Write the settings into a file and name that.")
            }
            ReadError::NotAFile { path, .. } => {
                (Code::SettingsFileNotFound, path, "Name the settings document, or the folder that has it.")
            }
            ReadError::Unreadable { path, .. } => {
                (Code::SettingsFileUnreadable, path, "Check the permissions of the file.")
            }
            ReadError::TooLarge { path, .. } => {
                (Code::SettingsFileTooLarge, path, "Split the document into several and run the command for each.")
            }
            ReadError::NotText { path, .. } => (Code::SettingsFileNotText, path, "Save the file as UTF-8 or UTF-16."),
        };
        let category = match self {
            ReadError::NotAFile { .. } => ErrorCategory::InvalidArgument,
            _ => code.category(),
        };
        ErrorReport::terminating(code, self.to_string())
            .about(path.display().to_string())
            .recommending(recommendation)
            .of_category(category)
    }
}

/// Reads a file as text: UTF-8 with or without a byte order mark, or UTF-16 with one.
///
/// # Errors
/// [`ReadError`]; nothing is read beyond [`LARGEST_SETTINGS`].
pub fn read(path: &Path, what: &'static str) -> Result<String, ReadError> {
    let bytes = read_file(path, LARGEST_SETTINGS).map_err(|error| {
        let path = path.to_owned();
        match error {
            FileError::NotFound => ReadError::NotFound { what, path },
            FileError::Folder => ReadError::NotAFile { what, path, found: FOLDER },
            FileError::NotAFile => ReadError::NotAFile { what, path, found: PIPE },
            FileError::TooLarge(_) => ReadError::TooLarge { what, path },
            FileError::Unreadable(source) => ReadError::Unreadable { what, path, source },
        }
    })?;
    if let Some(own) = OwnFile::of(&bytes).filter(|own| !own.is_document()) {
        return Err(ReadError::NotAFile { what, path: path.to_owned(), found: own.called() });
    }
    decode(bytes).map_err(|detail| ReadError::NotText { what, path: path.to_owned(), detail })
}

/// The text of bytes: UTF-8 with or without byte order marks, of which a second one is left by programs that put two files together, or
/// UTF-16. Without a mark that is recognised, as YAML has it, by the zero beside the first character, which no settings have in UTF-8.
///
/// # Errors
/// What is wrong with the bytes, and where.
pub fn decode(bytes: Vec<u8>) -> Result<String, String> {
    const MARK: char = '\u{FEFF}';
    let text = match bytes.as_slice() {
        [0xFF, 0xFE, rest @ ..] => decode_utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => decode_utf16(rest, u16::from_be_bytes),
        [1..=255, 0, ..] => decode_utf16(&bytes, u16::from_le_bytes),
        [0, 1..=255, ..] => decode_utf16(&bytes, u16::from_be_bytes),
        _ => decode_utf8(bytes),
    }?;
    Ok(if text.starts_with(MARK) { text.trim_start_matches(MARK).to_owned() } else { text })
}

fn decode_utf8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("invalid byte at offset {} (line {line})", valid.len())
    })
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("the UTF-16 text ends in the middle of a character".to_owned());
    }
    char::decode_utf16(pairs.iter().map(|pair| unit(*pair)))
        .collect::<Result<String, _>>()
        .map_err(|_| "the UTF-16 text has an unpaired surrogate".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        file
    }

    #[test]
    fn encodings() {
        let utf16: Vec<u8> = [0xFEFF_u16].into_iter().chain("a: ü".encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let utf16_big: Vec<u8> =
            [0xFEFF_u16].into_iter().chain("a: ü".encode_utf16()).flat_map(u16::to_be_bytes).collect();
        let twice = "\u{FEFF}\u{FEFF}a: ü".as_bytes();
        // What `iconv -t UTF-16LE` writes has no mark.
        let (bare, bare_big) = (&utf16[2..], &utf16_big[2..]);
        for bytes in ["a: ü".as_bytes(), "\u{FEFF}a: ü".as_bytes(), twice, &utf16, &utf16_big, bare, bare_big] {
            assert_eq!(read(file(bytes).path(), "settings").unwrap(), "a: ü");
        }
    }

    #[test]
    fn what_is_no_text_says_where() {
        let error = read(file(b"a: 1\nb: \xE4\n").path(), "settings").unwrap_err();
        assert!(error.to_string().ends_with("is not UTF-8 text: invalid byte at offset 8 (line 2)."), "{error}");
        assert_eq!(error.report().failure.code, Code::SettingsFileNotText);
        assert!(matches!(read(file(&[0xFF, 0xFE, 0x41]).path(), "settings"), Err(ReadError::NotText { .. })));
        assert!(matches!(read(file(&[0xFF, 0xFE, 0x00, 0xD8]).path(), "settings"), Err(ReadError::NotText { .. })));
    }

    #[test]
    fn missing_and_folder() {
        let folder = tempfile::tempdir().unwrap();
        let missing = read(&folder.path().join("no.yml"), "tag settings").unwrap_err();
        assert!(missing.to_string().starts_with("The tag settings file '"), "{missing}");
        assert!(missing.to_string().ends_with("no.yml' does not exist."), "{missing}");
        let error = read(folder.path(), "settings").unwrap_err();
        assert!(error.to_string().contains("is a folder"), "{error}");
    }

    #[test]
    fn over_64_mebibytes_is_refused() {
        let large = tempfile::NamedTempFile::new().unwrap();
        large.as_file().set_len(65 * 1024 * 1024).unwrap();
        let error = read(large.path(), "settings").unwrap_err();
        assert!(error.to_string().ends_with("is larger than 64 MiB."), "{error}");
    }
}
