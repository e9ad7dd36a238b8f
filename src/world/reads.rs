//! The requests of a run that change nothing. Each is sent once, as soon as somebody knows that it is needed; whoever asks for it
//! later gets the same answer.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;

use crate::azure::{ArmClient, ArmError, Entries, READS_AT_ONCE, ResourceId, resource_type};

/// The reads of a run: those that are under way, and the answers of those that have ended. What is still under way ends with it.
pub struct Reads {
    client: ArmClient,
    permits: Arc<Semaphore>,
    started: HashMap<Request, Answer>,
}

/// A request that changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Request {
    /// The resource, or the collection.
    pub(super) target: ResourceId,
    pub(super) api_version: &'static str,
    pub(super) kind: RequestKind,
}

/// The kinds of requests to the target.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum RequestKind {
    /// The resource itself.
    Get,
    /// Everything in the collection, by all its pages.
    List {
        /// A further part of the query of the URL; empty for none.
        query: String,
        /// The entries that are listed.
        of: Entries,
    },
    /// The answer of the resource's action `list`.
    ListAction,
    /// Whether a worldwide name of the provider's is free.
    NameCheck { kind: &'static str, name: String },
}

/// The answer that a request found.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// The resource, or those of the collection; nothing where it, or what it is below, does not exist.
    pub(super) items: Vec<Value>,
    /// The moment at which it was asked for, or turned out not to be there without asking.
    pub(super) read_at: Option<Instant>,
    ids: OnceLock<HashSet<ResourceId>>,
}

/// The answer to a request, once it is there.
pub(super) type Answer = Shared<BoxFuture<'static, Result<Arc<Found>, Arc<ArmError>>>>;

impl Request {
    pub(super) fn get(target: ResourceId, api_version: &'static str) -> Request {
        Request { target, api_version, kind: RequestKind::Get }
    }

    pub(super) fn list(target: ResourceId, api_version: &'static str) -> Request {
        let kind = RequestKind::List { query: String::new(), of: Entries::Resources };
        Request { target, api_version, kind }
    }

    /// The request for the permissions of the caller for a resource or in a group.
    pub(super) fn permissions(on: &ResourceId, api_version: &'static str) -> Request {
        let target = ResourceId::new(format!("{on}/providers/Microsoft.Authorization/permissions"));
        Request { target, api_version, kind: RequestKind::List { query: String::new(), of: Entries::Permissions } }
    }

    async fn send(self, client: ArmClient) -> Result<Found, ArmError> {
        let target = self.target.as_str();
        let items = match &self.kind {
            RequestKind::Get => client.get(target, self.api_version).await?.into_iter().collect(),
            RequestKind::List { query, of } => client.list(target, self.api_version, query, *of).await?,
            RequestKind::ListAction => {
                client.action(&format!("{target}/list"), self.api_version).await?.into_iter().collect()
            }
            RequestKind::NameCheck { kind, name } => {
                let body = resource_type(kind).and_then(|known| known.name_check).map(|body| body(name));
                let path = format!("{target}/checkNameAvailability");
                client.ask(&path, self.api_version, &body.unwrap_or_default()).await?.into_iter().collect()
            }
        };
        Ok(Found { items, read_at: None, ids: OnceLock::new() })
    }
}

impl Found {
    /// Whether the resource of an id is among what was found.
    fn has(&self, id: &ResourceId) -> bool {
        let ids = self.ids.get_or_init(|| {
            let ids = self.items.iter().filter_map(|item| item.get("id").and_then(Value::as_str));
            ids.filter_map(ResourceId::checked).collect()
        });
        ids.contains(id)
    }
}

impl Reads {
    /// No reads yet.
    #[must_use]
    pub fn new(client: ArmClient) -> Reads {
        Reads { client, permits: Arc::new(Semaphore::new(READS_AT_ONCE)), started: HashMap::new() }
    }

    /// Warns of what an answer has and what is not used.
    pub(super) fn warn(&self, message: String) {
        self.client.warn(message);
    }

    /// The ending of the addresses of storage accounts.
    pub(super) fn storage_domain(&self) -> &'static str {
        self.client.storage_domain()
    }

    /// The answer to a request, which is sent now unless it was before.
    pub(super) fn start(&mut self, request: Request) -> Answer {
        self.start_when(request, None)
    }

    /// The same for a request below a resource: it is sent when the answer that shows the resource is there, and not at all when
    /// the resource does not exist.
    pub(super) fn start_below(&mut self, request: Request, above: Option<(Answer, ResourceId)>) -> Answer {
        self.start_when(request, above.map(|(answer, id)| (answer, id, true)))
    }

    /// The same for a request about something that has to be missing: it is sent when the answer that would show it is there.
    pub(super) fn start_unless(&mut self, request: Request, own: Answer, id: ResourceId) -> Answer {
        self.start_when(request, Some((own, id, false)))
    }

    /// The answer to a request, which is sent now, or after an answer and only where that has a resource or has it not.
    fn start_when(&mut self, request: Request, after: Option<(Answer, ResourceId, bool)>) -> Answer {
        if let Some(answer) = self.started.get(&request) {
            return answer.clone();
        }
        let (client, permits, sent) = (self.client.clone(), self.permits.clone(), request.clone());
        let task = tokio::spawn(async move {
            if let Some((before, id, exists)) = after {
                // Whoever needs what comes before is told why it cannot be read.
                if !before.await.is_ok_and(|found| found.has(&id) == exists) {
                    return Ok(Arc::new(Found { read_at: Some(Instant::now()), ..Found::default() }));
                }
            }
            // Nobody closes the semaphore.
            let _permit = permits.acquire().await;
            // In a box of its own: most of a large document waits here, and what is waiting should be small.
            let read_at = Some(Instant::now());
            sent.send(client).boxed().await.map(|found| Arc::new(Found { read_at, ..found })).map_err(Arc::new)
        });
        let task = AbortOnDropHandle::new(task);
        let answer = async move {
            match task.await {
                Ok(answer) => answer,
                Err(ended) if ended.is_panic() => std::panic::resume_unwind(ended.into_panic()),
                // The run is at its end, and nobody waits for an answer.
                Err(_) => std::future::pending().await,
            }
        };
        let answer = answer.boxed().shared();
        self.started.insert(request, answer.clone());
        answer
    }

    /// A resource as it is now; none when it does not exist, or cannot be read.
    pub async fn look(&self, id: &ResourceId, api_version: &str) -> Option<Value> {
        self.find(id, api_version).await.ok().flatten()
    }

    /// A resource as it is now; none when it does not exist.
    ///
    /// # Errors
    /// It cannot be read.
    pub async fn find(&self, id: &ResourceId, api_version: &str) -> Result<Option<Value>, ArmError> {
        self.client.get(id.as_str(), api_version).await
    }

    /// The values of metrics of a resource.
    ///
    /// # Errors
    /// They cannot be read.
    pub(super) async fn metrics(&self, path: &str, query: &str) -> Result<Value, ArmError> {
        self.client.metrics(path, query).await
    }

    /// Waits so long, or as long as one operation of the run may take, and shows it with its reason.
    pub(super) async fn wait_at_most(&self, patience: Duration, why: impl FnOnce() -> String) {
        self.client.wait_at_most(patience, why).await;
    }

    /// Gives the answer to a request away, so that nothing has to be copied: what asks for it again sends it again.
    pub(super) fn forget(&mut self, request: &Request) {
        self.started.remove(request);
    }
}
