//! The client of Azure Resource Manager: requests with retries, paging, and nothing that knows of resources.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::Value;
use tokio::time::Instant;
use url::Url;

use super::cloud::{self, Cloud};
use super::credential::Tokens;
use super::duration::spoken;
use super::error::ArmError;
use super::rate_limits::Throttle;
use super::refusal::Refusal;
use super::registration::{self, Registrations};
use super::response::{
    Answer, BodyError, LARGEST_SMALL_ANSWER, claims_of, header, host_of, read_body, retry_after, too_large,
};
use super::retry::{Cause, Decision, Failure, PATIENCE_WHEN_LOCKED, Purpose, Reached, Remedy, Repeat, Tries, decide};
use super::secret_answer::secrets_of;
use super::unreachable::Unreachable;
use super::waiting::Waits;
use crate::protocol::Host;

/// How many reads of a plan are under way at once.
pub const READS_AT_ONCE: usize = 16;

/// ARM gives a provider 60 seconds for a call and then answers 504 (Resource Provider Contract, "Async operations").
const REQUEST_TIMEOUT: Duration = Duration::from_secs(90);
/// The longest pause between two tries that the engine chooses itself.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How long one request is tried in all, whatever the answers ask for.
const PATIENCE_OF_REQUESTS: Duration = Duration::from_secs(30 * 60);
/// More pages than any listing has.
const MOST_PAGES: usize = 10_000;
/// More resources than any subscription has: Azure takes 980 groups with 800 resources of a type.
const MOST_ENTRIES: usize = 1_000_000;
/// The most secrets that one answer may have, in bytes: every message is searched for each of them in many spellings.
const MOST_SECRETS: usize = 256 << 10;
/// The most that is read of one listing, in bytes.
const LARGEST_LISTING: usize = 1 << 30;

/// How long is waited for Azure.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// For the answer to one request.
    pub request: Duration,
    /// For the end of one operation; none: as long as the type of the resource may need.
    pub operation: Option<Duration>,
    /// Before the second try of a request; none: as long as the server may need. Tests that have a server of their own say less.
    pub retry_pause: Option<Duration>,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts { request: REQUEST_TIMEOUT, operation: None, retry_pause: None }
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
            }),
        }
    }

    /// Reads one resource; none when it does not exist.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn get(&self, path: &str, api_version: &str) -> Result<Option<Value>, ArmError> {
        match self.send(Method::GET, self.url(path, api_version, "")?, None).await {
            Ok(answer) => Ok(answer.body),
            Err(ArmError::Refused(refusal)) if is_absent(&refusal) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads all pages of a listing. A listing below something that does not exist is empty.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn list(&self, path: &str, api_version: &str, query: &str) -> Result<Vec<Value>, ArmError> {
        let (mut items, mut size, mut followed) = (Vec::new(), 0, HashSet::new());
        let mut next = Some(self.url(path, api_version, query)?);
        while let Some(url) = next.take() {
            if !followed.insert(url.clone()) {
                return Err(self.not_azure("a listing whose pages are linked in a circle"));
            }
            let answer = match self.send(Method::GET, url, None).await {
                Err(ArmError::Refused(refusal)) if is_absent(&refusal) => {
                    return Ok(items);
                }
                answer => answer?,
            };
            size += answer.size;
            let Some(Value::Object(mut page)) = answer.body else { return Ok(items) };
            if let Some(Value::Array(values)) = page.remove("value") {
                items.extend(values);
            }
            for (count, most, what) in [
                (followed.len(), MOST_PAGES, "pages"),
                (items.len(), MOST_ENTRIES, "entries"),
                (size, LARGEST_LISTING, "bytes"),
            ] {
                if count > most {
                    return Err(self.not_azure(&format!("a listing of more than {most} {what}")));
                }
            }
            next = match page.get("nextLink").and_then(Value::as_str).filter(|link| !link.is_empty()) {
                Some(link) => Some(self.follow(link)?),
                None => None,
            };
        }
        Ok(items)
    }

    /// Asks an action that changes nothing, such as `listKeys`, for its answer; none when the resource does not exist. From now on
    /// the secrets of the answer are shown nowhere.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn action(&self, path: &str, api_version: &str) -> Result<Option<Value>, ArmError> {
        match self.send_until(Method::POST, self.url(path, api_version, "")?, None, Repeat::Always, None).await {
            Ok(answer) if answer.size > LARGEST_SMALL_ANSWER => Err(self.not_azure(&too_large(LARGEST_SMALL_ANSWER))),
            Ok(answer) => {
                let secrets: Vec<&str> = answer.body.iter().flat_map(|body| secrets_of(path, body)).collect();
                if secrets.iter().map(|secret| secret.len()).sum::<usize>() > MOST_SECRETS {
                    return Err(
                        self.not_azure(&format!("an answer with more than {} KiB of secrets", MOST_SECRETS >> 10))
                    );
                }
                secrets.into_iter().for_each(|secret| self.inner.host.secrets().add(secret));
                Ok(answer.body)
            }
            Err(ArmError::Refused(refusal)) if is_absent(&refusal) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Asks something by a POST with a body, which changes nothing. Something that does not exist has no answer.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn ask(&self, path: &str, api_version: &str, body: &Value) -> Result<Option<Value>, ArmError> {
        match self.send_until(Method::POST, self.url(path, api_version, "")?, Some(body), Repeat::Always, None).await {
            Ok(answer) => Ok(answer.body),
            Err(ArmError::Refused(refusal)) if is_absent(&refusal) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Tells people of something in an answer that is not used.
    pub fn warn(&self, message: String) {
        self.inner.host.warning(message);
    }

    /// Sends a request and retries it where that is safe.
    pub(super) async fn send(&self, method: Method, url: Url, body: Option<&Value>) -> Result<Answer, ArmError> {
        let repeat = if method == Method::POST { Repeat::IfItDidNothing } else { Repeat::Always };
        self.send_until(method, url, body, repeat, None).await
    }

    /// Sends a request and retries it, as far as `repeat` allows. One that looks at an operation has the `deadline` of that.
    pub(super) async fn send_until(
        &self,
        method: Method,
        url: Url,
        body: Option<&Value>,
        repeat: Repeat,
        deadline: Option<Instant>,
    ) -> Result<Answer, ArmError> {
        let begun = Instant::now();
        let patience = self.longest_operation(PATIENCE_OF_REQUESTS).min(PATIENCE_OF_REQUESTS);
        let patience = deadline.map_or(patience, |deadline| patience.min(deadline - begun));
        let (mut unregistered, mut locked_since) = (0, None);
        let mut tries = Tries {
            method: &method,
            repeat,
            purpose: if deadline.is_some() { Purpose::Look } else { Purpose::Itself },
            counts: [0; _],
            locked_for: Duration::ZERO,
            patience_when_locked: self.longest_operation(PATIENCE_WHEN_LOCKED).min(PATIENCE_WHEN_LOCKED),
            renewal: if self.inner.tokens.is_some() { Remedy::Untried } else { Remedy::Spent },
        };
        loop {
            let try_begun = std::time::Instant::now();
            let failure = match self.try_once(&method, &url, body).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let cause = tries.cause(&failure);
            tries.note(cause);
            if cause == Cause::Locked {
                tries.locked_for = locked_since.get_or_insert_with(Instant::now).elapsed();
            }
            match decide(&tries, &failure) {
                Decision::GiveUp => return Err(failure.error),
                Decision::RenewToken => {
                    if let Some(tokens) = &self.inner.tokens {
                        tokens.renew(try_begun).await.map_err(|report| ArmError::NoToken(Box::new(report)))?;
                    }
                    tries.renewal = Remedy::Spent;
                }
                Decision::Register => {
                    unregistered += 1;
                    self.register_and_wait(&url, failure.error, unregistered).await?;
                }
                decision @ (Decision::Again | Decision::AgainThrottled) => {
                    let pause = self.pause_after(&failure, tries.count(cause));
                    if pause > patience.saturating_sub(begun.elapsed()) {
                        return Err(out_of_time(failure, patience));
                    }
                    self.tell_retry(&method, &url, pause, &failure);
                    if decision == Decision::AgainThrottled {
                        self.inner.throttle.pause(&method, pause);
                    }
                    self.wait(pause, || failure.error.code().to_string()).await;
                }
            }
        }
    }

    /// Registers the provider that Azure says is missing, for the how many-th time.
    ///
    /// # Errors
    /// The error of the request, where nothing can be registered for it.
    async fn register_and_wait(&self, url: &Url, error: ArmError, attempt: u32) -> Result<(), ArmError> {
        if !self.register_for(url, &error, attempt).await? {
            return Err(error);
        }
        if attempt > 1 {
            self.wait(self.pause_before(attempt), || error.code().to_string()).await;
        }
        Ok(())
    }

    /// How long to wait after a failure, the last of so many for its cause: as long as Azure asks, but never so short that the
    /// requests would be a storm.
    fn pause_after(&self, failure: &Failure, count: u32) -> Duration {
        match failure.wait.filter(|asked| !asked.is_zero()) {
            Some(asked) => asked.max(self.inner.first_pause),
            None => self.pause_before(count),
        }
    }

    /// Waits, and shows a wait that takes long with its reason.
    pub(super) async fn wait(&self, pause: Duration, why: impl FnOnce() -> String) {
        self.inner.waits.wait(pause, why).await;
    }

    /// Tells of a retry to whom asks for all.
    fn tell_retry(&self, method: &Method, url: &Url, pause: Duration, failure: &Failure) {
        self.inner.host.debug(format!(
            "{method} {} will be retried in {:.2} s: {}",
            url.path(),
            pause.as_secs_f64(),
            failure.error
        ));
    }

    async fn try_once(&self, method: &Method, url: &Url, body: Option<&Value>) -> Result<Answer, Failure> {
        self.inner.throttle.admit(method).await;
        let client_request_id = uuid::Uuid::new_v4().to_string();
        let request = self.request(method, url, body, &client_request_id).await?;
        let start = Instant::now();
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => {
                let failure = self.lost(url, &error);
                self.inner.host.verbose(format!(
                    "{method} {} got no answer after {:.3} s (client request id {client_request_id}): {}",
                    url.path(),
                    start.elapsed().as_secs_f64(),
                    failure.error
                ));
                return Err(failure);
            }
        };
        let status = response.status();
        let headers = response.headers().clone();
        self.learn(method, &headers);
        let read = read_body(response).await;
        let request_id = header(&headers, "x-ms-request-id").map(str::to_owned);
        self.tell_answer(
            method,
            status,
            format!(
                "{method} {} answered {} in {:.3} s (request id {}, client request id {client_request_id}).",
                url.path(),
                status.as_u16(),
                start.elapsed().as_secs_f64(),
                request_id.as_deref().unwrap_or("none"),
            ),
        );
        let (body, size) = match read {
            Ok(read) => read,
            Err(BodyError::Lost(error)) => return Err(self.lost(url, &error)),
            // An error page of something between here and Azure still has a status that says whether to try again.
            Err(BodyError::NotJson(_)) if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                (None, 0)
            }
            Err(BodyError::NotJson(reason)) => {
                let reason = format!("status {}, {reason}", status.as_u16());
                return Err(Failure::new(ArmError::NotAzure { host: host_of(url), reason }));
            }
        };
        if status.is_success() {
            return Ok(Answer { status, headers, body, size });
        }
        let mut refusal = Refusal::from_body(status.as_u16(), body.as_ref(), request_id);
        refusal.claims = header(&headers, "www-authenticate").and_then(claims_of);
        Err(Failure { wait: retry_after(&headers), ..Failure::new(ArmError::Refused(Box::new(refusal))) })
    }

    /// A request with its headers, and with the token where its URL may be sent it.
    async fn request(
        &self,
        method: &Method,
        url: &Url,
        body: Option<&Value>,
        client_request_id: &str,
    ) -> Result<RequestBuilder, Failure> {
        let mut request = self
            .inner
            .http
            .request(method.clone(), url.clone())
            .timeout(self.inner.timeouts.request)
            .header("accept", "application/json")
            .header("x-ms-client-request-id", client_request_id)
            .header("x-ms-return-client-request-id", "true")
            .header("x-ms-correlation-request-id", &self.inner.correlation_id);
        if let Some(tokens) = self.inner.tokens.as_ref().filter(|_| self.is_trusted(url)) {
            let token = tokens.current().await;
            request = request.bearer_auth(token.map_err(|report| Failure::new(ArmError::NoToken(Box::new(report))))?);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        Ok(request)
    }

    /// What a report of a problem needs is said to who asks for detail; the reads that went well only to who asks for all.
    fn tell_answer(&self, method: &Method, status: StatusCode, line: String) {
        let went_well = status.is_success() || status == StatusCode::NOT_FOUND;
        if *method == Method::GET && went_well {
            self.inner.host.debug(line);
        } else {
            self.inner.host.verbose(line);
        }
    }

    /// The URL of a path below the endpoint.
    pub(super) fn url(&self, path: &str, api_version: &str, query: &str) -> Result<Url, ArmError> {
        let mut url = self.inner.cloud.endpoint.clone();
        let base = url.path().trim_end_matches('/').to_owned();
        url.set_path(&format!("{base}{path}"));
        let more = if query.is_empty() { String::new() } else { format!("{query}&") };
        url.set_query(Some(&format!("{more}api-version={api_version}")));
        Ok(url)
    }

    /// A link Azure sent, taken as it is. Only an endpoint on this machine may be reached without TLS.
    ///
    /// # Errors
    /// It is no link, or one without TLS.
    pub fn follow(&self, link: &str) -> Result<Url, ArmError> {
        let endpoint = &self.inner.cloud.endpoint;
        let url = endpoint.join(link).map_err(|error| self.not_azure(&format!("an invalid link: {error}")))?;
        let is_own = endpoint.scheme() == "http" && cloud::is_loopback(endpoint) && url.origin() == endpoint.origin();
        if url.scheme() == "https" || is_own {
            return Ok(url);
        }
        Err(self.not_azure(&format!("a link to {} that does not use https", host_of(&url))))
    }

    /// Whether a URL may be sent the token: the endpoint itself, or a host of the same cloud below its name, over TLS unless it is
    /// this machine.
    #[must_use]
    pub fn is_trusted(&self, url: &Url) -> bool {
        let endpoint = &self.inner.cloud.endpoint;
        let (Some(host), Some(own)) = (url.host_str(), endpoint.host_str()) else { return false };
        let is_private = url.scheme() == "https" || cloud::is_loopback(url);
        is_private && url.origin() == endpoint.origin() || url.scheme() == "https" && host.ends_with(&format!(".{own}"))
    }

    fn not_azure(&self, reason: &str) -> ArmError {
        ArmError::NotAzure { host: self.host_name(), reason: reason.to_owned() }
    }

    fn lost(&self, url: &Url, error: &reqwest::Error) -> Failure {
        let host = host_of(url);
        if error.is_timeout() && !error.is_connect() {
            let reason = spoken(self.inner.timeouts.request);
            return Failure::new(ArmError::TimedOut { host, reason });
        }
        let Unreachable { reason, advice } = Unreachable::of(error);
        let reached = if error.is_connect() { Reached::Nobody } else { Reached::Somebody };
        Failure { reached, ..Failure::new(ArmError::Connection { host, reason, advice }) }
    }

    fn learn(&self, method: &Method, headers: &HeaderMap) {
        let name = match *method {
            Method::GET | Method::HEAD => "x-ms-ratelimit-remaining-subscription-reads",
            Method::DELETE => "x-ms-ratelimit-remaining-subscription-deletes",
            _ => "x-ms-ratelimit-remaining-subscription-writes",
        };
        if let Some(remaining) = header(headers, name).and_then(|text| text.parse().ok()) {
            self.inner.throttle.learn(method, remaining);
        }
    }

    /// Doubles from try to try, with jitter so that parallel requests do not come back together.
    pub(super) fn pause_before(&self, tries: u32) -> Duration {
        let doubled = self.inner.first_pause.saturating_mul(1 << tries.saturating_sub(1).min(10));
        doubled.min(self.inner.longest_pause).mul_f64(0.8 + 0.4 * fastrand::f64())
    }

    pub(super) fn host(&self) -> &Host {
        &self.inner.host
    }

    pub(super) fn registrations(&self) -> &Registrations {
        &self.inner.registrations
    }

    /// How long an operation is followed on a type of which one may take so long.
    pub(super) fn longest_operation(&self, of_type: Duration) -> Duration {
        self.inner.timeouts.operation.unwrap_or(of_type)
    }

    /// Whose answers these are.
    pub(super) fn host_name(&self) -> String {
        host_of(&self.inner.cloud.endpoint)
    }
}

/// The failure of a request that would have to wait longer than it is tried in all.
fn out_of_time(failure: Failure, patience: Duration) -> ArmError {
    match (failure.error, failure.wait) {
        (ArmError::Refused(refusal), Some(asked)) => {
            let (asked, patience) = (spoken(rounded(asked)), spoken(rounded(patience)));
            let message = format!(
                "{} Azure asks to wait {asked} before the next try; a request is tried for at most {patience}.",
                refusal.message
            );
            ArmError::Refused(Box::new(Refusal { message, ..*refusal }))
        }
        (error, _) => error,
    }
}

/// Whole seconds, where there are some.
fn rounded(duration: Duration) -> Duration {
    if duration.as_secs() == 0 { duration } else { Duration::from_secs(duration.as_secs_f64().round() as u64) }
}

/// Whether what was to be read does not exist. Where a subscription is not registered for a provider it has nothing of it.
fn is_absent(refusal: &Refusal) -> bool {
    refusal.status == 404 && refusal.code != "SubscriptionNotFound" || registration::is_missing(refusal)
}
