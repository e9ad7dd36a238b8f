//! The state file: one JSON document, replaced as a whole, so that a reader never sees half of one.

use super::LocalCloudError;
use super::deployments::{Deployment, Kept};
use super::files;
use super::operations::Operation;
use super::state::{Resource, State};
use super::telemetry::Telemetry;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The format that the file says it has.
const FORMAT: &str = "svc-local-cloud";
/// Raised when an older program could not read the file.
const VERSION: u32 = 1;

/// The file as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(deserialize_with = "expect_format", rename = "format")]
    _format: (),
    #[serde(deserialize_with = "expect_version", rename = "version")]
    _version: (),
    resources: Vec<Resource>,
    operations: Vec<Operation>,
    #[serde(default)]
    deployments: Vec<Deployment>,
    #[serde(default)]
    telemetry: Telemetry,
}

fn expect_format<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        FORMAT => Ok(()),
        other => Err(serde::de::Error::custom(format!("the format is '{other}', not '{FORMAT}'"))),
    }
}

fn expect_version<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(()),
        other => Err(serde::de::Error::custom(format!("the version is {other}, this program reads {VERSION}"))),
    }
}

/// The part of a snapshot that is written at once, in bytes.
const BUFFER: usize = 1024 * 1024;

/// The ending that a path gets for the file that is locked.
const LOCK: &str = ".lock";

/// Whether another file is neither the state file nor its lock.
pub(super) fn apart(state: &Path, other: &Path, purpose: &'static str) -> Result<(), LocalCloudError> {
    let own = files::resolved(state);
    let other = files::resolved(other);
    if other == own || other == locked_by(&own) {
        return Err(LocalCloudError::OneFileForTwo { path: other, purposes: ["the state file", purpose] });
    }
    Ok(())
}

/// The file that is locked for as long as a state file is in use.
fn locked_by(path: &Path) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(LOCK);
    PathBuf::from(name)
}

/// A resource of a snapshot, with its line in the file.
type Line = (Arc<Resource>, Vec<u8>);

/// A state file this process alone may write, for as long as the value lives.
#[derive(Debug)]
pub(super) struct StateFile {
    path: PathBuf,
    /// The resources of the last snapshot with their lines. Most are in the next one, too, and making JSON of them is most of the work.
    lines: Mutex<HashMap<String, Line>>,
    /// Holds the lock.
    _lock: File,
}

impl StateFile {
    /// Locks the file and reads it. A file that does not exist is an empty state; its folder is created.
    pub(super) fn open(path: &Path) -> Result<(StateFile, State), LocalCloudError> {
        let path = std::path::absolute(path).map_err(|source| unreadable(path, source))?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|source| unreadable(&path, source))?;
        }
        // A link stays one: what it leads to is the file, under whatever name it is opened.
        let path =
            if path.is_symlink() { path.canonicalize().map_err(|source| unreadable(&path, source))? } else { path };
        let lock_name = locked_by(&path);
        match files::check(&lock_name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unreadable(&path, error)),
            _ => {}
        }
        let lock = File::options()
            .create(true)
            .write(true)
            .truncate(false)
            .open(&lock_name)
            .map_err(|source| unreadable(&path, source))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LocalCloudError::StateInUse { path }),
            Err(TryLockError::Error(source)) => return Err(unreadable(&path, source)),
        }
        let state = match files::read(&path) {
            Ok(text) => parse(&path, &text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => State::default(),
            Err(source) => return Err(unreadable(&path, source)),
        };
        Ok((StateFile { path, lines: Mutex::default(), _lock: lock }, state))
    }

    /// Replaces the file by a snapshot: written beside it, then renamed.
    pub(super) fn save(&self, state: &State) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        let mut writer = BufWriter::with_capacity(BUFFER, file.as_file_mut());
        write!(writer, "{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\n\"resources\":[")?;
        self.write_resources(&mut writer, state)?;
        write!(writer, "],\n\"operations\":[")?;
        write_lines(&mut writer, state.operations())?;
        write!(writer, "],\n\"deployments\":[")?;
        write_lines(&mut writer, state.deployments().all())?;
        write!(writer, "]")?;
        if !state.telemetry().is_empty() {
            write!(writer, ",\n\"telemetry\":")?;
            serde_json::to_writer(&mut writer, state.telemetry())?;
        }
        writeln!(writer, "}}")?;
        writer.flush()?;
        drop(writer);
        file.persist(&self.path)?;
        Ok(())
    }

    fn write_resources(&self, writer: &mut impl Write, state: &State) -> io::Result<()> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let mut before = std::mem::take(&mut *lines);
        let mut separator: &[u8] = b"\n";
        for (key, resource) in state.all_shared() {
            let (key, line) = match before.remove_entry(key) {
                Some((key, (same, line))) if Arc::ptr_eq(&same, resource) => (key, line),
                _ => (key.clone(), serde_json::to_vec(resource.as_ref())?),
            };
            writer.write_all(separator)?;
            writer.write_all(&line)?;
            separator = b",\n";
            lines.insert(key, (Arc::clone(resource), line));
        }
        writer.write_all(b"\n")
    }

    /// The path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The error about a list in the place of a state.
const LIST: &str = "expected an object, found a list; 'svc local import' makes a state of a list of resources";

/// One item a line, so that a damaged place has a useful line number and two states can be compared.
fn write_lines<T: Serialize>(writer: &mut impl Write, items: impl Iterator<Item = T>) -> io::Result<()> {
    for (index, item) in items.enumerate() {
        writer.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *writer, &item)?;
    }
    writer.write_all(b"\n")
}

fn parse(path: &Path, text: &[u8]) -> Result<State, LocalCloudError> {
    // To serde a list is an object without names; here it is what Azure's own tools print of resources.
    let is_list = text.trim_ascii_start().starts_with(b"[");
    let document: Document = serde_json::from_slice(text).map_err(|source| LocalCloudError::StateDamaged {
        path: path.to_owned(),
        line: source.line(),
        column: source.column(),
        source: if is_list { serde::de::Error::custom(LIST) } else { in_plain_words(source) },
    })?;
    Ok(State::restore(document.resources, document.operations, Kept::restore(document.deployments), document.telemetry))
}

/// The error without its place, which is told beside it, and without the names that the shapes of JSON have in programs.
pub(super) fn in_plain_words(error: serde_json::Error) -> serde_json::Error {
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(before, _)| before);
    let named = |word: &str| text.strip_prefix(word).and_then(|rest| rest.split('`').next());
    let found =
        ["invalid type: ", "invalid value: ", "invalid length "].into_iter().find_map(|word| text.strip_prefix(word));
    let plain = match found.and_then(|found| found.split_once(", expected ")) {
        Some((found, expected)) => format!("expected {}, found {}", expected_shape(expected), found_shape(found)),
        None => match (named("missing field `"), named("unknown field `")) {
            (Some(name), _) => format!("'{name}' is missing"),
            (_, Some(name)) => format!("'{name}' is not known"),
            _ if text.starts_with("EOF ") => "the file ends where more is expected".to_owned(),
            _ if ["expected ident", "expected value"].contains(&text) => "this is not JSON".to_owned(),
            _ => text.to_owned(),
        },
    };
    serde::de::Error::custom(plain)
}

/// The JSON type of a type of the program.
fn expected_shape(expected: &str) -> &str {
    match expected {
        "a sequence" => "a list",
        "a map" => "an object",
        "a boolean" => "true or false",
        "u16" | "u32" | "u64" | "usize" | "i64" | "f64" => "a number",
        _ if expected.contains("struct ") || expected.contains("enum ") => "an object",
        _ => expected,
    }
}

/// The JSON type of a value. A length is that of a list, which stands for an object to serde.
fn found_shape(found: &str) -> String {
    match found.split_once(' ').unwrap_or((found, "")) {
        ("sequence", _) => "a list".to_owned(),
        ("map", _) => "an object".to_owned(),
        ("integer" | "floating", number) => number.trim_start_matches("point ").replace('`', ""),
        ("boolean", value) => value.replace('`', ""),
        ("string", text) => text.to_owned(),
        (length, "") if length.bytes().all(|byte| byte.is_ascii_digit()) => "a list".to_owned(),
        _ => found.to_owned(),
    }
}

fn unreadable(path: &Path, source: io::Error) -> LocalCloudError {
    LocalCloudError::StateUnreadable { path: path.to_owned(), source }
}
