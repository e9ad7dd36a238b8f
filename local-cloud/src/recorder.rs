//! The requests and their answers: in memory for tests, in a file for people and `validate_arm.py`.

use super::{LocalCloudError, secrets};
use serde::Serialize;
use serde_json::Value;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A request and the status of its answer. Headers are never kept, so no token is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordedRequest {
    /// In capitals.
    pub method: String,
    /// Path and query as they were sent.
    pub url: String,
    /// The body, where it is JSON.
    pub body: Option<Value>,
    /// The HTTP status of the answer; 0 while there is none, and when the connection was dropped instead.
    pub status: u16,
}

impl RecordedRequest {
    fn without_secrets(&self) -> RecordedRequest {
        RecordedRequest {
            url: secrets::url_without_secrets(&self.url),
            body: self.body.as_ref().map(|body| secrets::without_secrets(&self.url, body)),
            ..self.clone()
        }
    }
}

/// Opens the log to append to. What is in it already has to be a log.
fn open_log(path: &Path) -> Result<File, LocalCloudError> {
    let failed = |source| LocalCloudError::RequestLog { path: path.to_owned(), source };
    match begins_as_log(path) {
        Ok(true) => {}
        Ok(false) => return Err(LocalCloudError::NotARequestLog { path: path.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    open_private(path).map_err(failed)
}

/// Whether a file is empty or has requests in it. A device, such as /dev/stdout, has nothing in it.
fn begins_as_log(path: &Path) -> io::Result<bool> {
    if !std::fs::metadata(path)?.is_file() {
        return Ok(true);
    }
    /// The beginning of the first line, as [`RecordedRequest`] is written.
    const BEGINNING: &[u8] = br#"{"method":""#;
    let mut beginning = Vec::new();
    File::open(path)?.take(BEGINNING.len() as u64).read_to_end(&mut beginning)?;
    Ok(beginning.is_empty() || beginning == BEGINNING)
}

/// Opens a file to append to; a new one, or one that others may read, is made private, where there are such permissions.
fn open_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        let file = options.mode(0o600).open(path)?;
        // A device, such as /dev/stdout, stays as it is.
        if file.metadata()?.is_file() {
            file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
        }
        Ok(file)
    }
    #[cfg(not(unix))]
    options.open(path)
}

#[derive(Debug)]
pub(super) struct Recorder {
    /// The most requests that are kept.
    most: usize,
    /// Whether secrets are written to the log.
    with_secrets: bool,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    kept: VecDeque<RecordedRequest>,
    /// The number of forgotten requests, which is the number of the first one kept.
    forgotten: usize,
    log: Option<File>,
}

impl Recorder {
    /// Keeps `most` requests in memory and appends every one to `log`, which only its owner may read.
    ///
    /// # Errors
    /// The log cannot be opened, or something else has written it.
    pub(super) fn open(most: usize, log: Option<&Path>, with_secrets: bool) -> Result<Recorder, LocalCloudError> {
        let log = log.map(open_log).transpose()?;
        Ok(Recorder { most, with_secrets, inner: Mutex::new(Inner { log, ..Inner::default() }) })
    }

    /// A request came in. The number is for [`Recorder::answered`].
    pub(super) fn arrived(&self, request: &RecordedRequest) -> usize {
        let mut inner = self.lock();
        let number = inner.forgotten + inner.kept.len();
        if self.most > 0 {
            inner.kept.push_back(request.clone());
            if inner.kept.len() > self.most {
                inner.kept.pop_front();
                inner.forgotten += 1;
            }
        }
        number
    }

    /// It was answered.
    pub(super) fn answered(&self, number: usize, request: &RecordedRequest) {
        let mut inner = self.lock();
        let place = number.checked_sub(inner.forgotten);
        if let Some(kept) = place.and_then(|place| inner.kept.get_mut(place)) {
            kept.status = request.status;
        }
        if let Some(log) = &mut inner.log
            && let Ok(mut line) = if self.with_secrets {
                serde_json::to_vec(request)
            } else {
                serde_json::to_vec(&request.without_secrets())
            }
        {
            line.push(b'\n');
            // A log that cannot be written is no reason to refuse requests.
            let _ = log.write_all(&line);
        }
    }

    /// Those kept.
    pub(super) fn requests(&self) -> Vec<RecordedRequest> {
        self.lock().kept.iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
