//! One request: with its headers, tried again where that is safe, and told to whom asks for detail.

use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder, StatusCode};
use tokio::time::Instant;
use url::Url;

use super::ArmClient;
use crate::azure::duration::spoken;
use crate::azure::error::ArmError;
use crate::azure::payload::{Content, Next, Sent};
use crate::azure::policy_token::{self, PolicyToken};
use crate::azure::rate_limits::Traffic;
use crate::azure::refusal::Refusal;
use crate::azure::response::{Answer, BodyError, claims_of, header, host_of, read_body, retry_after};
use crate::azure::retry::{
    Cause, Decision, Failure, PATIENCE_WHEN_LOCKED, Purpose, Reached, Remedy, Repeat, Tries, decide,
};
use crate::azure::unreachable::Unreachable;

/// The time for which one request is tried in all, whatever the answers ask for.
const PATIENCE_OF_REQUESTS: Duration = Duration::from_secs(30 * 60);

impl ArmClient {
    /// Sends a request and retries it where that is safe.
    pub(in crate::azure) async fn send(
        &self,
        method: Method,
        url: Url,
        content: Content<'_>,
    ) -> Result<Answer, ArmError> {
        let repeat = if method == Method::POST { Repeat::IfItDidNothing } else { Repeat::Always };
        self.send_until(method, url, content, repeat, None).await
    }

    /// Sends a request and retries it, as far as `repeat` allows. One that looks at an operation has the `deadline` of that.
    pub(in crate::azure) async fn send_until(
        &self,
        method: Method,
        url: Url,
        content: Content<'_>,
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
            has_etag: false,
            has_policy_token: false,
        };
        let mut token: Option<PolicyToken> = None;
        loop {
            let mut sent = match content.next(tries.count(Cause::Overtaken) > 0).await? {
                Next::Try(sent) => sent,
                Next::Nothing(answer) => return Ok(answer),
            };
            sent.policy_token = token.as_ref().and_then(|token| token.for_body(&sent));
            tries.has_etag = sent.etag.is_some();
            let try_begun = std::time::Instant::now();
            let failure = match self.try_once(&method, &url, &sent).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            tries.has_policy_token = token.as_ref().is_some_and(|token| token.proves(&sent));
            let cause = tries.cause(&failure);
            tries.note(cause);
            if cause == Cause::Locked {
                tries.locked_for = locked_since.get_or_insert_with(Instant::now).elapsed();
            }
            match decide(&tries, &failure) {
                Decision::GiveUp if cause == Cause::Overtaken => return Err(overtaken()),
                Decision::GiveUp => return Err(failure.error),
                Decision::RenewToken => {
                    self.renew_token(try_begun).await?;
                    tries.renewal = Remedy::Spent;
                }
                Decision::Register => {
                    unregistered += 1;
                    self.register_and_wait(&url, failure.error, unregistered).await?;
                }
                Decision::AcquirePolicyToken => {
                    token = Some(self.acquire_policy_token(&method, &url, sent, failure.error).await?)
                }
                decision @ (Decision::Again | Decision::AgainThrottled) => {
                    let pause = self.pause_after(&failure, tries.count(cause));
                    if pause > patience.saturating_sub(begun.elapsed()) {
                        return Err(out_of_time(failure, patience));
                    }
                    self.announce_retry(&method, &url, pause, &failure, decision);
                    self.wait(pause, || failure.error.code().to_string()).await;
                }
            }
        }
    }

    /// Gets another token than that of a try that began at this moment.
    async fn renew_token(&self, try_begun: std::time::Instant) -> Result<(), ArmError> {
        match &self.inner.tokens {
            Some(tokens) => tokens.renew(try_begun).await.map_err(|report| ArmError::NoToken(Box::new(report))),
            None => Ok(()),
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

    /// The time to wait after a failure, the last of so many for its cause: as long as Azure asks, but never so short that the
    /// requests would be a storm.
    fn pause_after(&self, failure: &Failure, count: u32) -> Duration {
        match failure.wait.filter(|asked| !asked.is_zero()) {
            Some(asked) => asked.max(self.inner.first_pause),
            None => self.pause_before(count),
        }
    }

    /// Waits, and shows a wait that takes long with its reason.
    pub(in crate::azure) async fn wait(&self, pause: Duration, why: impl FnOnce() -> String) {
        self.inner.waits.wait(pause, why).await;
    }

    /// Tells of a retry to whom asks for all, and to all requests of the kind where these are throttled.
    fn announce_retry(&self, method: &Method, url: &Url, pause: Duration, failure: &Failure, decision: Decision) {
        if decision == Decision::AgainThrottled {
            self.inner.throttle.pause(Traffic::of(method, url.path()), pause);
        }
        self.inner.host.debug(format!(
            "{method} {} will be retried in {:.2} s: {}",
            url.path(),
            pause.as_secs_f64(),
            failure.error
        ));
    }

    async fn try_once(&self, method: &Method, url: &Url, sent: &Sent<'_>) -> Result<Answer, Failure> {
        let traffic = Traffic::of(method, url.path());
        self.inner.throttle.admit(traffic).await;
        let client_request_id = uuid::Uuid::new_v4().to_string();
        let request = self.request(method, url, sent, &client_request_id).await?;
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
        self.learn(traffic, &headers);
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
        if status.is_redirection() {
            let target = header(&headers, "location").and_then(|link| url.join(link).ok());
            let target = target.map_or_else(String::new, |target| format!(" to {}", host_of(&target)));
            return Err(not_understood(url, status, &format!("a redirect{target}")));
        }
        let (body, size) = match read {
            Ok(read) => read,
            Err(BodyError::Lost(error)) => return Err(self.lost(url, &error)),
            // An error page of something between here and Azure still has a status that says whether to try again.
            Err(BodyError::NotJson(_)) if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                (None, 0)
            }
            Err(BodyError::NotJson(reason)) => return Err(not_understood(url, status, &reason)),
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
        sent: &Sent<'_>,
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
        if let Some(etag) = &sent.etag {
            request = request.header("if-match", etag);
        }
        if let Some(token) = &sent.policy_token {
            request = request.header(policy_token::HEADER, token.clone());
        }
        if sent.at_once {
            request = request.header("x-ms-force-sync", "true");
        }
        if let Some(text) = sent.text() {
            request = request.header("content-type", "application/json").body(text);
        }
        Ok(request)
    }

    /// Tells of an answer: what a report of a problem needs is said to who asks for detail; the reads that went well only to who asks for all.
    fn tell_answer(&self, method: &Method, status: StatusCode, line: String) {
        let went_well = status.is_success() || status == StatusCode::NOT_FOUND;
        if *method == Method::GET && went_well {
            self.inner.host.debug(line);
        } else {
            self.inner.host.verbose(line);
        }
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

    fn learn(&self, traffic: Traffic, headers: &HeaderMap) {
        let name = match traffic {
            Traffic::Reads => "x-ms-ratelimit-remaining-subscription-reads",
            Traffic::Deletes => "x-ms-ratelimit-remaining-subscription-deletes",
            Traffic::Writes => "x-ms-ratelimit-remaining-subscription-writes",
            // Nobody says how many are left.
            Traffic::Queries => return,
        };
        if let Some(remaining) = header(headers, name).and_then(|text| text.parse().ok()) {
            self.inner.throttle.learn(traffic, remaining);
        }
    }

    /// Doubles from try to try, with jitter so that parallel requests do not come back together.
    pub(in crate::azure) fn pause_before(&self, tries: u32) -> Duration {
        let doubled = self.inner.first_pause.saturating_mul(1 << tries.saturating_sub(1).min(10));
        doubled.min(self.inner.longest_pause).mul_f64(0.8 + 0.4 * fastrand::f64())
    }
}

/// The failure of an answer that is none of Resource Manager.
fn not_understood(url: &Url, status: StatusCode, instead: &str) -> Failure {
    let reason = format!("status {}, {instead}", status.as_u16());
    Failure::new(ArmError::NotAzure { host: host_of(url), reason })
}

/// The failure of a write before which somebody else was each time.
fn overtaken() -> ArmError {
    let reason = "somebody else keeps changing it".to_owned();
    ArmError::ChangedMeanwhile { reason, paths: Vec::new() }
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
