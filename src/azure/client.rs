//! The client of Azure Resource Manager: requests with retries, paging, and nothing that knows of resources.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};
use serde_json::Value;
use url::Url;

use super::answer::{Answer, BodyError, claims_of, header, host_of, read_body, retry_after};
use super::cloud::Cloud;
use super::credential::Tokens;
use super::duration::spoken;
use super::error::ArmError;
use super::refusal::Refusal;
use super::registration::{self, Registrations};
use super::throttle::Throttle;
use super::unreachable::Unreachable;
use crate::protocol::Host;

/// How many reads of a plan are under way at once.
pub const READS_AT_ONCE: usize = 16;

/// ARM gives a provider 60 seconds for a call and then answers 504 (Resource Provider Contract, "Async operations").
const REQUEST_TIMEOUT: Duration = Duration::from_secs(90);
/// How often a request is tried in all.
const TRIES: u32 = 6;
/// How often a connection is tried that is refused at once: nobody is there.
const TRIES_WHEN_REFUSED: u32 = 3;
/// How often a request is tried that Azure throttles; each waits as long as Azure says.
const TRIES_WHEN_THROTTLED: u32 = 20;
/// How long a request is tried that Azure refuses because another operation still has the resource: that of a run that was
/// stopped, most often. It ends by itself; the creation of a bastion host takes ten minutes.
const PATIENCE_WHEN_LOCKED: Duration = Duration::from_secs(15 * 60);
/// The longest pause between two tries that the engine chooses itself.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// More pages than any listing has: a server that links them in a circle is not followed for ever.
const MOST_PAGES: usize = 10_000;

/// How long is waited for Azure.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// For the answer to one request.
    pub request: Duration,
    /// For the end of one operation; none: as long as the type of the resource may need.
    pub operation: Option<Duration>,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts { request: REQUEST_TIMEOUT, operation: None }
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
        // A server on this machine needs no time to recover.
        let (first_pause, longest_pause) = if loopback {
            (Duration::from_millis(20), Duration::from_millis(200))
        } else {
            (Duration::from_millis(500), LONGEST_PAUSE)
        };
        let throttle = Throttle::new(!loopback);
        let correlation_id = uuid::Uuid::new_v4().to_string();
        if !loopback {
            host.verbose(format!("The correlation id of this run is {correlation_id}."));
        }
        let registrations = Registrations::default();
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
        let mut items = Vec::new();
        let mut next = Some(self.url(path, api_version, query)?);
        for _ in 0..MOST_PAGES {
            let Some(url) = next.take() else { return Ok(items) };
            let answer = match self.send(Method::GET, url, None).await {
                Err(ArmError::Refused(refusal)) if is_absent(&refusal) => {
                    return Ok(items);
                }
                answer => answer?,
            };
            let Some(Value::Object(mut page)) = answer.body else { return Ok(items) };
            if let Some(Value::Array(values)) = page.remove("value") {
                items.extend(values);
            }
            next = match page.get("nextLink").and_then(Value::as_str).filter(|link| !link.is_empty()) {
                Some(link) => Some(self.follow(link)?),
                None => None,
            };
        }
        Err(ArmError::NotAzure { host: self.host_name(), reason: format!("a listing of more than {MOST_PAGES} pages") })
    }

    /// Asks an action that changes nothing, such as `listKeys`, for its answer; none when the resource does not exist.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn action(&self, path: &str, api_version: &str) -> Result<Option<Value>, ArmError> {
        match self.send_until(Method::POST, self.url(path, api_version, "")?, None, true).await {
            Ok(answer) => Ok(answer.body),
            Err(ArmError::Refused(refusal)) if is_absent(&refusal) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// From now on the value is shown nowhere.
    pub fn announce_secret(&self, value: &str) {
        self.inner.host.secrets().add(value);
    }

    /// Sends a request and retries it where that is safe.
    pub(super) async fn send(&self, method: Method, url: Url, body: Option<&Value>) -> Result<Answer, ArmError> {
        let repeatable = method != Method::POST;
        self.send_until(method, url, body, repeatable).await
    }

    /// Sends a request and retries it; one that is not repeatable only when it did nothing.
    pub(super) async fn send_until(
        &self,
        method: Method,
        url: Url,
        body: Option<&Value>,
        repeatable: bool,
    ) -> Result<Answer, ArmError> {
        let mut tries = 0;
        let begun = Instant::now();
        let mut is_renewed = false;
        let mut unregistered = 0;
        loop {
            tries += 1;
            let try_begun = Instant::now();
            let failure = match self.try_once(&method, &url, body).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            // The token ended early or was revoked. Nothing was carried out, so any request can be sent again.
            if let (ArmError::Refused(refusal), Some(tokens)) = (&failure.error, &self.inner.tokens)
                && refusal.status == 401
                && !is_renewed
            {
                tokens.renew(try_begun).await.map_err(|report| ArmError::NoToken(Box::new(report)))?;
                is_renewed = true;
                continue;
            }
            if let ArmError::Refused(refusal) = &failure.error
                && matches!(method, Method::PUT | Method::DELETE)
                && registration::is_missing(refusal)
            {
                unregistered += 1;
                if self.register_for(&url, refusal, unregistered).await? {
                    if unregistered > 1 {
                        tokio::time::sleep(self.pause_before(unregistered)).await;
                    }
                    continue;
                }
            }
            let throttled = matches!(&failure.error, ArmError::Refused(refusal) if refusal.status == 429 && !is_lock_conflict(refusal));
            let given_up = match &failure.error {
                ArmError::Refused(refusal) if is_lock_conflict(refusal) => {
                    begun.elapsed() >= self.longest_operation(PATIENCE_WHEN_LOCKED).min(PATIENCE_WHEN_LOCKED)
                }
                _ if throttled => tries >= TRIES_WHEN_THROTTLED,
                _ => tries >= failure.tries,
            };
            if given_up || !repeatable && !failure.never_arrived && !throttled {
                return Err(failure.error);
            }
            let pause = failure.wait.unwrap_or_else(|| self.pause_before(tries));
            if throttled {
                self.inner.throttle.pause(&method, pause);
            }
            self.inner.host.debug(format!(
                "{method} {} will be retried in {:.2} s: {}",
                url.path(),
                pause.as_secs_f64(),
                failure.error
            ));
            tokio::time::sleep(pause).await;
        }
    }

    async fn try_once(&self, method: &Method, url: &Url, body: Option<&Value>) -> Result<Answer, Failure> {
        self.inner.throttle.admit(method).await;
        let client_request_id = uuid::Uuid::new_v4().to_string();
        let mut request = self
            .inner
            .http
            .request(method.clone(), url.clone())
            .timeout(self.inner.timeouts.request)
            .header("accept", "application/json")
            .header("x-ms-client-request-id", &client_request_id)
            .header("x-ms-return-client-request-id", "true")
            .header("x-ms-correlation-request-id", &self.inner.correlation_id);
        if let Some(tokens) = self.inner.tokens.as_ref().filter(|_| self.is_trusted(url)) {
            request = request.bearer_auth(tokens.current().await.map_err(Failure::of_token)?);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
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
        let line = format!(
            "{method} {} answered {} in {:.3} s (request id {}, client request id {client_request_id}).",
            url.path(),
            status.as_u16(),
            start.elapsed().as_secs_f64(),
            request_id.as_deref().unwrap_or("none"),
        );
        // What a report of a problem needs is said to who asks for detail; the reads that went well only to who asks for all.
        let went_well = status.is_success() || status == StatusCode::NOT_FOUND;
        if *method == Method::GET && went_well {
            self.inner.host.debug(line);
        } else {
            self.inner.host.verbose(line);
        }
        let body = match read {
            Ok(body) => body,
            Err(BodyError::Lost(error)) => return Err(self.lost(url, &error)),
            // An error page of something between here and Azure still has a status that says whether to try again.
            Err(BodyError::NotJson(_)) if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => None,
            Err(BodyError::NotJson(reason)) => {
                let reason = format!("status {}, {reason}", status.as_u16());
                return Err(Failure::fatal(ArmError::NotAzure { host: host_of(url), reason }));
            }
        };
        if status.is_success() {
            return Ok(Answer { status, headers, body });
        }
        let mut refusal = Refusal::from_body(status.as_u16(), body.as_ref(), request_id);
        refusal.claims = header(&headers, "www-authenticate").and_then(claims_of);
        Err(Failure::refused(refusal, retry_after(&headers)))
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

    /// A link Azure sent, taken as it is.
    pub(super) fn follow(&self, link: &str) -> Result<Url, ArmError> {
        let url = self.inner.cloud.endpoint.join(link).map_err(|error| ArmError::NotAzure {
            host: self.host_name(),
            reason: format!("an invalid link: {error}"),
        })?;
        let same_machine = url.host() == self.inner.cloud.endpoint.host();
        if url.scheme() == "https" || same_machine {
            return Ok(url);
        }
        Err(ArmError::NotAzure {
            host: self.host_name(),
            reason: format!("a link to {} that does not use https", host_of(&url)),
        })
    }

    /// Whether a URL may be sent the token: the endpoint itself, or a host of the same cloud below its name.
    fn is_trusted(&self, url: &Url) -> bool {
        let (Some(host), Some(own)) = (url.host_str(), self.inner.cloud.endpoint.host_str()) else { return false };
        host == own && url.port_or_known_default() == self.inner.cloud.endpoint.port_or_known_default()
            || url.scheme() == "https" && host.ends_with(&format!(".{own}"))
    }

    fn lost(&self, url: &Url, error: &reqwest::Error) -> Failure {
        let host = host_of(url);
        if error.is_timeout() && !error.is_connect() {
            let reason = spoken(self.inner.timeouts.request);
            return Failure { error: ArmError::TimedOut { host, reason }, tries: 2, wait: None, never_arrived: false };
        }
        let Unreachable { reason, advice } = Unreachable::of(error);
        let refused = error.is_connect();
        let tries = if refused { TRIES_WHEN_REFUSED } else { TRIES };
        Failure { error: ArmError::Connection { host, reason, advice }, tries, wait: None, never_arrived: refused }
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

struct Failure {
    error: ArmError,
    /// How often such a request is tried in all.
    tries: u32,
    /// What Azure asked to wait.
    wait: Option<Duration>,
    /// The request did not reach anybody, so sending it again can do nothing twice.
    never_arrived: bool,
}

impl Failure {
    fn fatal(error: ArmError) -> Failure {
        Failure { error, tries: 1, wait: None, never_arrived: false }
    }

    fn of_token(report: crate::protocol::ErrorReport) -> Failure {
        Failure::fatal(ArmError::NoToken(Box::new(report)))
    }

    fn refused(refusal: Refusal, wait: Option<Duration>) -> Failure {
        let transient = matches!(refusal.status, 408 | 429 | 500 | 502 | 503 | 504);
        let tries = if transient { TRIES } else { 1 };
        Failure { error: ArmError::Refused(Box::new(refusal)), tries, wait, never_arrived: false }
    }
}

/// Conflicts with another operation that end by themselves; the network provider answers 429 for them, which is then no quota (Azure Resource Manager, "Troubleshoot common errors").
fn is_lock_conflict(refusal: &Refusal) -> bool {
    const CODES: &[&str] = &[
        "AnotherOperationInProgress",
        "RetryableError",
        "RetryableErrorDueToAnotherOperation",
        "StorageAccountOperationInProgress",
        "ReferencedResourceNotProvisioned",
        "OperationInProgress",
        "ConcurrentOperation",
    ];
    matches!(refusal.status, 409 | 412 | 429) && CODES.iter().any(|code| code.eq_ignore_ascii_case(&refusal.code))
}

/// Whether what was to be read does not exist. Where a subscription is not registered for a provider it has nothing of it.
fn is_absent(refusal: &Refusal) -> bool {
    refusal.status == 404 && refusal.code != "SubscriptionNotFound" || registration::is_missing(refusal)
}
