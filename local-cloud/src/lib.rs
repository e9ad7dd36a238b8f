//! The local cloud: an Azure Resource Manager endpoint inside the library, on loopback.
//!
//! It is for rehearsals, examples, demos and tests. It keeps real state, speaks the real protocol and enforces the rules a
//! user would hit; it stands for Azure, so it knows nothing of the rest of the engine, and its tables of facts are its own.
//! `docs/local-cloud.md` says what it enforces and what it does not.

mod authorization;
mod deployment_paths;
#[cfg_attr(not(feature = "deployments"), path = "no_deployments.rs")]
mod deployments;
mod directory;
mod expression;
mod fault;
mod files;
mod filter;
mod import;
mod kusto;
mod lists;
mod locations;
mod lookup;
mod members;
mod moment;
mod operations;
mod path;
mod pending_faults;
mod placement;
mod policies;
mod policy_tokens;
mod providers;
mod published;
mod query;
mod recorder;
mod registration;
mod reply;
mod resource_types;
mod resources;
mod routes;
mod saving;
mod secrets;
mod server;
mod state;
mod store;
mod tags;
mod telemetry;
#[cfg(test)]
mod tests;
mod token_buckets;
mod witness;

pub use fault::{Fault, FaultError, FaultKind};
pub use import::{ImportError, Imported, import_file};
pub use recorder::RecordedRequest;
pub use witness::KnownType;

use serde_json::Value;
use server::Shared;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;

/// The subscription a client finds when it asks for subscriptions. Any other GUID is accepted as one too.
pub const LOCAL_SUBSCRIPTION_ID: &str = "10ca1c10-0d00-4000-8000-000000000001";
/// The tenant of the local cloud.
pub const LOCAL_TENANT_ID: &str = "10ca1c10-0d00-4000-8000-00000000000f";

/// The options of the local cloud.
#[derive(Clone, Debug)]
pub struct LocalCloudOptions {
    /// The address that it listens on; loopback only. Port 0, the default, takes a free one.
    pub listen: SocketAddr,
    /// The file that keeps its state over restarts. `None`: memory only.
    pub state_file: Option<PathBuf>,
    /// A file every request is appended to, one JSON object a line: `method`, `url`, `body`, `status` (0: no answer sent).
    pub request_log: Option<PathBuf>,
    /// Whether secrets are written to the request log. Otherwise they are `***` there.
    pub request_log_secrets: bool,
    /// Further names under which it answers, beside `localhost` and the loopback addresses: those of a proxy in front of it. A page in
    /// a browser can make its own host name lead to this machine, so a request under another name is refused.
    pub host_names: Vec<String>,
    /// The time that every request waits before it is carried out.
    pub latency: Duration,
    /// The time that slow operations take.
    pub operation_time: OperationTime,
    /// The limits on requests. `None`: no limits.
    pub throttling: Option<Throttling>,
    /// The most items on a page of a listing.
    pub page_size: usize,
    /// Whether the first page of every listing is empty and leads to the next, which Azure may do.
    pub empty_first_page: bool,
    /// The number of requests that [`LocalCloud::requests`] remembers; the oldest are forgotten first. 0, the default: none.
    pub record_requests: usize,
    /// The faults from the start, see [`LocalCloud::misbehave`].
    pub faults: Vec<Fault>,
}

impl Default for LocalCloudOptions {
    fn default() -> LocalCloudOptions {
        LocalCloudOptions {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            state_file: None,
            request_log: None,
            request_log_secrets: false,
            host_names: Vec::new(),
            latency: Duration::ZERO,
            operation_time: OperationTime::Fixed(Duration::from_millis(20)),
            throttling: None,
            page_size: 1000,
            empty_first_page: false,
            record_requests: 0,
            faults: Vec::new(),
        }
    }
}

/// The time that operations take which Azure does not finish at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OperationTime {
    /// Every one as long as this.
    Fixed(Duration),
    /// This part of what the type takes in Azure: 1.0 is as slow as Azure.
    Factor(f64),
}

impl OperationTime {
    /// The time of an operation that takes so many seconds in Azure.
    fn of(self, seconds: u32) -> Duration {
        match self {
            OperationTime::Fixed(time) => time,
            OperationTime::Factor(factor) => {
                Duration::try_from_secs_f64(f64::from(seconds) * factor).unwrap_or_default()
            }
        }
    }
}

/// The limit of the requests of a subscription: so many at once, then so many a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throttling {
    /// GET and HEAD requests at once, before the limit per second counts.
    pub reads: u32,
    /// GET and HEAD requests in each second after that.
    pub reads_per_second: u32,
    /// PUT, PATCH and POST requests at once.
    pub writes: u32,
    /// PUT, PATCH and POST requests in each second after that.
    pub writes_per_second: u32,
    /// DELETE requests at once.
    pub deletes: u32,
    /// DELETE requests in each second after that.
    pub deletes_per_second: u32,
}

impl Throttling {
    /// Azure's own limits.
    pub fn azure() -> Throttling {
        Throttling {
            reads: 250,
            reads_per_second: 25,
            writes: 200,
            writes_per_second: 10,
            deletes: 200,
            deletes_per_second: 10,
        }
    }

    fn size(&self, kind: token_buckets::BucketKind) -> u32 {
        match kind {
            token_buckets::BucketKind::Reads => self.reads,
            token_buckets::BucketKind::Writes => self.writes,
            token_buckets::BucketKind::Deletes => self.deletes,
        }
    }

    fn per_second(&self, kind: token_buckets::BucketKind) -> u32 {
        match kind {
            token_buckets::BucketKind::Reads => self.reads_per_second,
            token_buckets::BucketKind::Writes => self.writes_per_second,
            token_buckets::BucketKind::Deletes => self.deletes_per_second,
        }
    }
}

/// Why the local cloud does not start, or cannot keep its state.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LocalCloudError {
    /// The address is reachable from other machines.
    #[error("The local cloud listens on loopback addresses only; {listen} is not one.")]
    NotLoopback {
        /// The address asked for.
        listen: SocketAddr,
    },
    /// The address cannot be listened on.
    #[error("The local cloud cannot listen on {listen}.")]
    Listen {
        /// The address asked for.
        listen: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
    /// The thread or its runtime cannot be started.
    #[error("The local cloud cannot be started.")]
    Start {
        /// The error of the system.
        source: io::Error,
    },
    /// The request log cannot be opened.
    #[error("The request log {} cannot be opened.", path.display())]
    RequestLog {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The request log is a file that something else has written.
    #[error(
        "The request log {} is not written: the file has something else in it. Name another file.",
        path.display()
    )]
    NotARequestLog {
        /// The file.
        path: PathBuf,
    },
    /// One file is to be two things.
    #[error("The file {} cannot be both {} and {}. Name a file for each.", path.display(), purposes[0], purposes[1])]
    OneFileForTwo {
        /// The file.
        path: PathBuf,
        /// The two purposes of the file.
        purposes: [&'static str; 2],
    },
    /// Another local cloud uses the state file.
    #[error("The state file {} is in use by another local cloud. Stop that one, or name another file.", path.display())]
    StateInUse {
        /// The file.
        path: PathBuf,
    },
    /// The state file or its folder cannot be read or made.
    #[error("The state file {} cannot be opened.", path.display())]
    StateUnreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The state file cannot be written.
    #[error("The state file {} cannot be written.", path.display())]
    StateUnwritable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The state file is not what the local cloud wrote. It is left as it is.
    #[error(
        "The state file {} is damaged at line {line}, column {column}. It was not changed: repair it, restore a copy, or move it away to start with an empty local cloud.",
        path.display()
    )]
    StateDamaged {
        /// The file.
        path: PathBuf,
        /// The line on which it stops making sense, from 1.
        line: usize,
        /// The column in that line, from 1.
        column: usize,
        /// The error there.
        source: serde_json::Error,
    },
    /// The files cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
}

impl LocalCloudError {
    /// The whole error in sentences: what could not be done, and what the system says.
    pub fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut source = std::error::Error::source(self);
        while let Some(cause) = source {
            text = format!("{text} The cause is: {cause}.");
            source = cause.source();
        }
        text
    }
}

/// A running local cloud. Dropping it saves its state and stops it.
#[derive(Debug)]
pub struct LocalCloud {
    shared: Arc<Shared>,
    endpoint: String,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
    saver: Option<JoinHandle<()>>,
}

impl LocalCloud {
    /// Starts a local cloud on threads of its own and returns when it can be reached.
    pub fn start(options: LocalCloudOptions) -> Result<LocalCloud, LocalCloudError> {
        server::start(options)
    }

    /// The base of every URL, `http://127.0.0.1:8090`, without a slash at the end.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Makes something go wrong. Several faults are used up in the order they were given.
    pub fn misbehave(&self, fault: Fault) {
        self.shared.faults.add(fault);
    }

    /// The requests so far in the order they arrived, as far as [`LocalCloudOptions::record_requests`] goes.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.shared.recorder.requests()
    }

    /// The number of faults that have not been used up.
    pub fn faults_left(&self) -> usize {
        self.shared.faults.left()
    }

    /// The time that the creation of a resource of this type goes on after the answer to its PUT; none when the answer is its end.
    pub fn creation_time(&self, resource_type: &str) -> Option<Duration> {
        let known = resource_types::find(resource_type)?;
        (known.create.follow != resource_types::Follow::Done).then(|| self.shared.operation_time.of(known.seconds))
    }

    /// Ends every long-running operation now, also those that were told never to end, and those that deployments begin after them.
    pub fn end_operations(&self) {
        // A deployment goes on when what it waits for has ended. Few have as many steps in a row.
        for _ in 0..1000 {
            let goes_on = self.shared.with_state(|state| {
                state.end_operations(moment::Moment::now());
                state.deployments().active().next().is_some()
            });
            if !goes_on {
                return;
            }
        }
    }

    /// The ids of all resources that a GET would return, sorted ignoring case.
    pub fn ids(&self) -> Vec<String> {
        self.shared.with_state(|state| state.below("").map(|(_, resource)| resource.text("id").to_owned()).collect())
    }

    /// A resource as a GET would return it, if there is one with this id and it is not still being created.
    pub fn resource(&self, id: &str) -> Option<Value> {
        self.shared.with_state(|state| {
            let id = path::ResourceId::parse(id)?;
            lookup::view(state, &id).ok().map(Value::Object)
        })
    }

    /// Puts existing resources in: bodies with an `id`, as a GET returns them. All of them or none; returns how many.
    ///
    /// They are not checked as a PUT would be, since what exists may be older than a rule; what Azure fills in is filled in
    /// where it is missing. A group that is not among them is made, in the location of a resource in it. They are in the
    /// state file by the time the local cloud is dropped.
    pub fn import(&self, resources: &[Value]) -> Result<usize, ImportError> {
        self.shared.with_state(|state| import::import(state, resources))
    }

    /// Puts the past in: `{"metrics": …, "activityLog": …, "tables": …}`. Returns how many series, events and rows it has.
    pub fn import_telemetry(&self, document: Value) -> Result<usize, ImportError> {
        self.shared.with_state(|state| import::telemetry(state, document))
    }

    /// The state file, if there is one.
    pub fn state_file(&self) -> Option<&Path> {
        self.shared.state_file.as_ref().map(store::StateFile::path)
    }
}

impl Drop for LocalCloud {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // It fails only when the server has ended already.
            let _ = stop.send(());
        }
        // First the server, so that nothing changes after the last snapshot.
        if let Some(server) = self.server.take() {
            let _ = server.join();
        }
        self.shared.stop_saving();
        if let Some(saver) = self.saver.take() {
            let _ = saver.join();
        }
    }
}
