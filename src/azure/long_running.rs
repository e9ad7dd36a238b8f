//! Writes, and the long-running operations that Azure starts for them: all three protocols of the Resource Provider
//! Contract ("Asynchronous operations").

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::Value;
use tokio::time::Instant;
use url::Url;

use super::client::ArmClient;
use super::duration::spoken;
use super::error::ArmError;
use super::payload::{Content, Write};
use super::refusal::Refusal;
use super::response::{Answer, header, retry_after};
use super::retry::{PATIENCE_WHEN_LOCKED, Repeat, is_passing};
use super::understood;

/// The longest pause between two looks at an operation that does not say how long to wait.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The longest pause that an operation may ask for (Resource Provider Contract, "Asynchronous operations").
const LONGEST_ASKED_PAUSE: Duration = Duration::from_secs(10 * 60);
/// The number of looks in a row that may fail before the operation is given up: reading failed, the operation may go on.
const FAILED_LOOKS: u32 = 3;

impl ArmClient {
    /// Creates or replaces a resource and follows the operation to its end.
    ///
    /// # Errors
    /// [`ArmError`]; an operation that ended badly is a refusal with the status 0.
    pub async fn put(
        &self,
        path: &str,
        api_version: &str,
        write: &dyn Write,
        patience: Duration,
    ) -> Result<Option<Value>, ArmError> {
        self.write(Method::PUT, path, api_version, write, patience).await
    }

    /// Deletes a resource and follows the operation to its end. One that is not there is deleted already.
    ///
    /// # Errors
    /// [`ArmError`]; an operation that ended badly is a refusal with the status 0.
    pub async fn delete(
        &self,
        path: &str,
        api_version: &str,
        write: &dyn Write,
        patience: Duration,
    ) -> Result<(), ArmError> {
        match self.write(Method::DELETE, path, api_version, write, patience).await {
            Ok(_) => Ok(()),
            Err(ArmError::Refused(refusal)) if refusal.status == 404 => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Sends a write and follows its operation. One that ends because another operation was in the way is begun again.
    async fn write(
        &self,
        method: Method,
        path: &str,
        api_version: &str,
        write: &dyn Write,
        patience: Duration,
    ) -> Result<Option<Value>, ArmError> {
        let url = self.url(path, api_version, "")?;
        let give_up = Instant::now() + self.longest_operation(PATIENCE_WHEN_LOCKED).min(PATIENCE_WHEN_LOCKED);
        for tries in 1.. {
            let answer = self.send(method.clone(), url.clone(), Content::Written(write)).await?;
            let error = match self.follow_write(answer, &method, &url, (path, api_version), patience).await {
                Err(ArmError::Refused(refusal)) if is_passing(&refusal) => ArmError::Refused(refusal),
                result => return result,
            };
            let pause = self.pause_before(tries);
            if Instant::now() + pause > give_up {
                return Err(error);
            }
            self.host().debug(format!("{method} {path} will be sent again in {:.2} s: {error}", pause.as_secs_f64()));
            self.wait(pause, || error.code().to_string()).await;
        }
        Ok(None)
    }

    /// Follows the operation of a write to its end.
    async fn follow_write(
        &self,
        answer: Answer,
        method: &Method,
        url: &Url,
        (path, api_version): (&str, &str),
        patience: Duration,
    ) -> Result<Option<Value>, ArmError> {
        let deleting = *method == Method::DELETE;
        let watch = self.watch(url, patience);
        match Progress::of(&answer, method) {
            Progress::Done if deleting => Ok(answer.body),
            Progress::Done => self.written(answer, path, api_version).await,
            Progress::AsyncOperation(link) => {
                watch.async_operation(self.follow(&link)?, retry_after(&answer.headers)).await?;
                if deleting { Ok(None) } else { self.get(path, api_version).await }
            }
            Progress::Location(link) => {
                let result = watch.location(self.follow(&link)?, retry_after(&answer.headers)).await?;
                // The result may be anything, or nothing; the resource is what it is.
                match understood::written(result) {
                    Ok(resource) => Ok(Some(resource)),
                    Err(_) if deleting => Ok(None),
                    Err(_) => self.get(path, api_version).await,
                }
            }
            Progress::ProvisioningState => watch.provisioning_state(deleting, retry_after(&answer.headers)).await,
        }
    }

    /// The resource that a write without an operation has made. A success without it is none: whoever answers `null` has created
    /// nothing that anybody knows of. Without a body, it is looked for.
    async fn written(&self, answer: Answer, path: &str, api_version: &str) -> Result<Option<Value>, ArmError> {
        if answer.body.is_some() {
            return self.understood(answer.status, understood::written(answer.body)).map(Some);
        }
        let found = self.get(path, api_version).await?;
        let missing = || "no answer, and the resource is not there".to_owned();
        self.understood(answer.status, found.ok_or_else(missing)).map(Some)
    }

    /// Waits until a resource that is still being provisioned, by an earlier run or by somebody else, is done.
    ///
    /// # Errors
    /// [`ArmError`]; a resource that ends failed is a refusal with the status 0.
    pub async fn wait_until_provisioned(
        &self,
        path: &str,
        api_version: &str,
        patience: Duration,
    ) -> Result<Option<Value>, ArmError> {
        let url = self.url(path, api_version, "")?;
        self.watch(&url, patience).provisioning_state(false, None).await
    }

    /// Waits until a resource is gone that somebody else deletes.
    ///
    /// # Errors
    /// [`ArmError`]; [`ArmError::ChangedMeanwhile`] where it stays.
    pub async fn wait_until_deleted(&self, path: &str, api_version: &str, patience: Duration) -> Result<(), ArmError> {
        let url = self.url(path, api_version, "")?;
        self.watch(&url, patience).deletion().await
    }

    /// `patience` is that of the type; the host may have said otherwise.
    fn watch<'a>(&'a self, resource: &'a Url, patience: Duration) -> Watch<'a> {
        Watch { client: self, resource, begun: Instant::now(), patience: self.longest_operation(patience) }
    }
}

/// The ways to learn whether a write is done.
enum Progress {
    Done,
    AsyncOperation(String),
    Location(String),
    ProvisioningState,
}

impl Progress {
    fn of(answer: &Answer, method: &Method) -> Progress {
        let state = answer.body.as_ref().and_then(provisioning_state);
        let accepted = answer.status == StatusCode::ACCEPTED;
        let created = answer.status == StatusCode::CREATED && *method != Method::DELETE;
        let pending = state.is_some_and(|state| !is_terminal(state));
        if !(accepted || created && state.is_none() || pending || state.is_some_and(|state| !is_success(state))) {
            return Progress::Done;
        }
        if let Some(link) = header(&answer.headers, "azure-asyncoperation") {
            return Progress::AsyncOperation(link.to_owned());
        }
        if let Some(link) = header(&answer.headers, "location").filter(|_| accepted || created) {
            return Progress::Location(link.to_owned());
        }
        if accepted || pending || state.is_some() {
            return Progress::ProvisioningState;
        }
        // 201 without a state and without a link to follow: the resource is there.
        Progress::Done
    }
}

/// Looks at one operation until it ends.
struct Watch<'a> {
    client: &'a ArmClient,
    resource: &'a Url,
    begun: Instant,
    patience: Duration,
}

impl Watch<'_> {
    /// `Azure-AsyncOperation`: always 200 with a `status`; an error status means that looking failed.
    async fn async_operation(&self, url: Url, first_wait: Option<Duration>) -> Result<(), ArmError> {
        let mut wait = first_wait;
        for looks in 1.. {
            self.pause(wait, looks).await?;
            let answer = self.look(url.clone()).await?;
            wait = retry_after(&answer.headers);
            let body = self.client.understood(answer.status, understood::operation(answer.body))?;
            let status = body.get("status").and_then(Value::as_str).unwrap_or_default();
            if is_success(status) {
                return Ok(());
            }
            if is_terminal(status) {
                return Err(failed(status, &body, header(&answer.headers, "x-ms-request-id")));
            }
        }
        Ok(())
    }

    /// `Location`: 202 while it runs, perhaps with a new link; anything else of the 2xx is the result.
    async fn location(&self, mut url: Url, first_wait: Option<Duration>) -> Result<Option<Value>, ArmError> {
        let mut wait = first_wait;
        for looks in 1.. {
            self.pause(wait, looks).await?;
            let answer = self.look(url.clone()).await?;
            if answer.status != StatusCode::ACCEPTED {
                let state = answer.body.as_ref().and_then(provisioning_state).unwrap_or("Succeeded").to_owned();
                return match answer.body {
                    Some(body) if is_terminal(&state) && !is_success(&state) => {
                        Err(failed(&state, &body, header(&answer.headers, "x-ms-request-id")))
                    }
                    body => Ok(body),
                };
            }
            wait = retry_after(&answer.headers);
            if let Some(link) = header(&answer.headers, "location") {
                url = self.client.follow(link)?;
            }
        }
        Ok(None)
    }

    /// Reads the resource itself until its `provisioningState` is final.
    async fn provisioning_state(
        &self,
        deleting: bool,
        first_wait: Option<Duration>,
    ) -> Result<Option<Value>, ArmError> {
        let mut wait = first_wait;
        for looks in 1.. {
            self.pause(wait, looks).await?;
            let answer = match self.look(self.resource.clone()).await {
                // A resource whose creation was accepted may not be there until it is done.
                Err(ArmError::Refused(refusal)) if refusal.status == 404 => {
                    if deleting {
                        return Ok(None);
                    }
                    continue;
                }
                answer => answer?,
            };
            wait = retry_after(&answer.headers);
            let body = self.client.understood(answer.status, understood::written(answer.body))?;
            let state = provisioning_state(&body).unwrap_or("Succeeded").to_owned();
            if !deleting && is_success(&state) {
                return Ok(Some(body));
            }
            if is_terminal(&state) && !is_success(&state) {
                return Err(failed(&state, &body, header(&answer.headers, "x-ms-request-id")));
            }
        }
        Ok(None)
    }

    /// Reads a resource that is being deleted until it is gone.
    async fn deletion(&self) -> Result<(), ArmError> {
        for looks in 1.. {
            let answer = match self.look(self.resource.clone()).await {
                Err(ArmError::Refused(refusal)) if refusal.status == 404 => return Ok(()),
                answer => answer?,
            };
            let body = self.client.understood(answer.status, understood::written(answer.body))?;
            if !is_being_deleted(&body) {
                let reason = "its deletion ended, and it is still there".to_owned();
                return Err(ArmError::ChangedMeanwhile { reason, paths: Vec::new() });
            }
            self.pause(retry_after(&answer.headers), looks).await?;
        }
        Ok(())
    }

    /// One look. A look that is lost is repeated, because the operation goes on all the same; what Azure answers is its word.
    async fn look(&self, url: Url) -> Result<Answer, ArmError> {
        let mut failures = 0;
        let deadline = self.begun + self.patience;
        loop {
            match self.client.send_until(Method::GET, url.clone(), Content::None, Repeat::Always, Some(deadline)).await
            {
                Err(ArmError::Connection { .. } | ArmError::TimedOut { .. } | ArmError::NotAzure { .. })
                    if failures < FAILED_LOOKS =>
                {
                    failures += 1;
                    tokio::time::sleep(self.client.pause_before(failures)).await;
                }
                answer => return answer,
            }
        }
    }

    /// Waits for the next look: as long as Azure asks, but not so short that the looks would be a storm, and not beyond the time
    /// for the operation, at whose end there is one more look.
    async fn pause(&self, asked: Option<Duration>, looks: u32) -> Result<(), ArmError> {
        let waited = self.begun.elapsed();
        let left = self.patience.saturating_sub(waited);
        if left.is_zero() {
            // The last look may have taken a while by itself.
            let is_much = waited > self.patience + Duration::from_secs(1);
            let waited = spoken(if is_much { Duration::from_secs(waited.as_secs()) } else { self.patience });
            let reason = format!("the operation did not finish within {waited}; Azure may still be working on it");
            return Err(ArmError::TimedOut { host: self.client.host_name(), reason });
        }
        let pause = match asked.filter(|asked| !asked.is_zero()) {
            Some(asked) => asked.clamp(self.client.pause_before(1), LONGEST_ASKED_PAUSE),
            None => self.client.pause_before(looks.min(8)).min(LONGEST_PAUSE),
        };
        tokio::time::sleep(pause.min(left)).await;
        Ok(())
    }
}

/// `properties.provisioningState` of a resource.
#[must_use]
pub fn provisioning_state(body: &Value) -> Option<&str> {
    body.get("properties")?.get("provisioningState")?.as_str().filter(|state| !state.is_empty())
}

/// Whether a resource is on its way out: to everybody who needs it, it is not there.
#[must_use]
pub fn is_being_deleted(body: &Value) -> bool {
    provisioning_state(body).is_some_and(|state| state.eq_ignore_ascii_case("Deleting"))
}

/// Whether a provisioning state, or the status of an operation, is the good end.
#[must_use]
pub fn is_success(state: &str) -> bool {
    state.eq_ignore_ascii_case("Succeeded")
}

/// Whether a provisioning state, or the status of an operation, is an end.
#[must_use]
pub fn is_terminal(state: &str) -> bool {
    ["Succeeded", "Failed", "Canceled"].iter().any(|end| end.eq_ignore_ascii_case(state))
}

fn failed(status: &str, body: &Value, request_id: Option<&str>) -> ArmError {
    let mut refusal = Refusal::from_body(0, body.get("error").map(|_| body), request_id.map(str::to_owned));
    if body.get("error").is_none() {
        refusal.code = format!("Operation{status}");
        refusal.message = format!("The operation ended with the status {status} and gave no reason.");
    }
    ArmError::Refused(Box::new(refusal))
}
