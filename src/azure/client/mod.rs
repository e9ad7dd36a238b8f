//! The client of Azure Resource Manager: requests with retries, paging, and nothing that knows of resources.

mod links;
mod monitor;
mod paging;
mod sending;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::cloud::{Cloud, storage_domain};
use super::credential::Tokens;
use super::error::ArmError;
use super::payload::Content;
use super::rate_limits::Throttle;
use super::refusal::Refusal;
use super::registration::{self, Registrations};
use super::resource_id::ResourceId;
use super::response::{LARGEST_SMALL_ANSWER, host_of, too_large};
use super::retry::Repeat;
use super::secret_answer::secrets_of;
use super::understood;
use super::waiting::Waits;
use crate::protocol::Host;

/// The number of reads of a plan that are under way at once.
pub const READS_AT_ONCE: usize = 16;

/// ARM gives a provider 60 seconds for a call and then answers 504 (Resource Provider Contract, "Async operations").
const REQUEST_TIMEOUT: Duration = Duration::from_secs(90);
/// The longest pause between two tries that the engine chooses itself.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The most secrets that one answer may have, in bytes: every message is searched for each of them in many spellings.
const MOST_SECRETS: usize = 256 << 10;
/// The version of the interface of tags.
const TAGS_API_VERSION: &str = "2021-04-01";
/// The age that the reading of a resource may have when it is written: what takes longer is a question, or much else that was done before.
const FRESH: Duration = Duration::from_secs(5);

/// The longest waits for Azure.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// For the answer to one request.
    pub request: Duration,
    /// For the end of one operation; none: as long as the type of the resource may need.
    pub operation: Option<Duration>,
    /// Before the second try of a request; none: as long as the server may need. Tests that have a server of their own say less.
    pub retry_pause: Option<Duration>,
    /// The greatest age of the reading of a resource when it is written.
    pub fresh: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts { request: REQUEST_TIMEOUT, operation: None, retry_pause: None, fresh: FRESH }
    }
}

/// A client of one Resource Manager endpoint. Clones share connections and limits.
#[derive(Clone)]
pub struct ArmClient {
    inner: Arc<Inner>,
}

struct Inner {
    http: reqwest::Client,
    cloud: Cloud,
    /// None: the endpoint is on this machine and asks for no token.
    tokens: Option<Tokens>,
    throttle: Throttle,
    host: Host,
    registrations: Registrations,
    /// Sent with each request, so that Azure's activity log shows what one run did.
    correlation_id: String,
    timeouts: Timeouts,
    /// Before the second try; it doubles from try to try.
    first_pause: Duration,
    longest_pause: Duration,
    waits: Waits,
    /// The change record that the writes of the run belong to.
    change_reference: OnceLock<String>,
}

impl ArmClient {
    /// A client that uses these connections and tokens.
    #[must_use]
    pub fn new(
        http: reqwest::Client,
        cloud: Cloud,
        tokens: Option<Tokens>,
        timeouts: Timeouts,
        host: Host,
    ) -> ArmClient {
        let loopback = cloud.is_loopback();
        let (first_pause, longest_pause) = match timeouts.retry_pause {
            Some(pause) => (pause, pause.saturating_mul(10)),
            // A server on this machine needs no time to recover.
            None if loopback => (Duration::from_millis(20), Duration::from_millis(200)),
            None => (Duration::from_millis(500), LONGEST_PAUSE),
        };
        let throttle = Throttle::new(!loopback);
        let correlation_id = uuid::Uuid::new_v4().to_string();
        if !loopback {
            host.verbose(format!("The correlation id of this run is {correlation_id}."));
        }
        let registrations = Registrations::default();
        let waits = Waits::new(host.clone(), host_of(&cloud.endpoint));
        ArmClient {
            inner: Arc::new(Inner {
                http,
                cloud,
                tokens,
                throttle,
                host,
                registrations,
                correlation_id,
                timeouts,
                first_pause,
                longest_pause,
                waits,
                change_reference: OnceLock::new(),
            }),
        }
    }

    /// Reads one resource; none when it does not exist.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn get(&self, path: &str, api_version: &str) -> Result<Option<Value>, ArmError> {
        match self.send(Method::GET, self.url(path, api_version, "")?, Content::None).await {
            Ok(answer) => Ok(Some(self.understood(answer.status, understood::resource(path, answer.body))?)),
            Err(ArmError::Refused(refusal)) if is_absent(&refusal) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Asks an action that changes nothing, such as `listKeys`, for its answer; none when the resource does not exist. From now on
    /// the secrets of the answer are shown nowhere.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn action(&self, path: &str, api_version: &str) -> Result<Option<Value>, ArmError> {
        let url = self.url(path, api_version, "")?;
        match self.send_until(Method::POST, url, Content::None, Repeat::Always, None).await {
            Ok(answer) if answer.size > LARGEST_SMALL_ANSWER => Err(self.not_azure(&too_large(LARGEST_SMALL_ANSWER))),
            Ok(answer) => {
                let body = self.understood(answer.status, understood::answer_of(path, answer.body))?;
                let secrets = secrets_of(path, &body);
                if secrets.iter().map(|secret| secret.len()).sum::<usize>() > MOST_SECRETS {
                    let reason = format!("an answer with more than {} KiB of secrets", MOST_SECRETS >> 10);
                    return Err(self.not_azure(&reason));
                }
                secrets.into_iter().for_each(|secret| self.announce_secret(secret));
                Ok(Some(body))
            }
            Err(ArmError::Refused(refusal)) if is_absent(&refusal) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Asks by a POST whether a name is free, which changes nothing. Where there is nobody to ask there is no answer.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn ask(&self, path: &str, api_version: &str, body: &Value) -> Result<Option<Value>, ArmError> {
        let url = self.url(path, api_version, "")?;
        match self.send_until(Method::POST, url, Content::Fixed(body), Repeat::Always, None).await {
            Ok(answer) => Ok(Some(self.understood(answer.status, understood::about_a_name(answer.body))?)),
            Err(ArmError::Refused(refusal)) if is_absent(&refusal) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Adds tags to a resource of any type, or to a resource group; what else it has stays (Tags - Update At Scope, `Merge`).
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn add_tags(&self, id: &ResourceId, tags: &Value) -> Result<(), ArmError> {
        let path = format!("{id}/providers/Microsoft.Resources/tags/default");
        let body = json!({ "operation": "Merge", "properties": { "tags": tags } });
        let url = self.url(&path, TAGS_API_VERSION, "")?;
        self.send_until(Method::PATCH, url, Content::Fixed(&body), Repeat::Always, None).await.map(|_| ())
    }

    /// The end of the addresses of storage accounts in this cloud.
    #[must_use]
    pub fn storage_domain(&self) -> &'static str {
        storage_domain(&self.inner.cloud.endpoint)
    }

    /// Tells people of something in an answer that is not used.
    pub fn warn(&self, message: String) {
        self.inner.host.warning(message);
    }

    /// Waits so long, or as long as one operation may take, and shows it with its reason.
    pub async fn wait_at_most(&self, patience: Duration, why: impl FnOnce() -> String) {
        self.wait(self.longest_operation(patience).min(patience), why).await;
    }

    /// Whether what was read at this moment may still be taken for what is there.
    #[must_use]
    pub fn is_fresh(&self, read_at: Instant) -> bool {
        read_at.elapsed() < self.inner.timeouts.fresh
    }

    /// Names the change record that every policy token is asked for with. Only the first one counts.
    pub fn refer_to(&self, change: String) {
        let _ = self.inner.change_reference.set(change);
    }

    pub(super) fn change_reference(&self) -> Option<&str> {
        self.inner.change_reference.get().map(String::as_str)
    }

    /// From now on the value is shown nowhere.
    pub fn announce_secret(&self, value: &str) {
        self.inner.host.secrets().add(value);
    }

    /// An answer with this status, as far as it is what was asked for.
    pub(super) fn understood<T>(&self, status: StatusCode, read: Result<T, String>) -> Result<T, ArmError> {
        read.map_err(|instead| self.not_azure(&format!("status {}, {instead}", status.as_u16())))
    }

    fn not_azure(&self, reason: &str) -> ArmError {
        ArmError::NotAzure { host: self.host_name(), reason: reason.to_owned() }
    }

    pub(super) fn host(&self) -> &Host {
        &self.inner.host
    }

    pub(super) fn registrations(&self) -> &Registrations {
        &self.inner.registrations
    }

    /// The time for which an operation is followed on a type of which one may take so long.
    pub(super) fn longest_operation(&self, of_type: Duration) -> Duration {
        self.inner.timeouts.operation.unwrap_or(of_type)
    }

    /// Whose answers these are.
    pub(super) fn host_name(&self) -> String {
        host_of(&self.inner.cloud.endpoint)
    }
}

/// Whether what was to be read does not exist. Where a subscription is not registered for a provider it has nothing of it.
fn is_absent(refusal: &Refusal) -> bool {
    refusal.status == 404 && refusal.code != "SubscriptionNotFound" || registration::is_missing(refusal)
}
