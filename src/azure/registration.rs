//! Registers the subscription for a resource provider that Azure says it is not registered for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use reqwest::Method;
use serde_json::Value;
use tokio::sync::OnceCell;
use tokio::time::Instant;
use url::Url;

use super::advice::namespace;
use super::client::ArmClient;
use super::error::ArmError;
use super::payload::Content;
use super::refusal::Refusal;
use super::resource_id::ResourceId;
use super::retry::Repeat;

/// Of `providers` and `register` (REST specification of Microsoft.Resources).
const API_VERSION: &str = "2025-04-01";
/// The time that a registration is waited for. Most take a minute or two.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
/// The number of times that a request is sent again which is refused although the registration is there: regions learn of it one after another.
const TRIES_AFTER: u32 = 8;

/// The registrations of a run, each made once however many requests need it.
#[derive(Default)]
pub(super) struct Registrations(Mutex<HashMap<String, Registration>>);

type Registration = Arc<OnceCell<Result<(), Refusal>>>;

/// Whether a subscription has to be registered before a request can be made.
pub(super) fn is_missing(refusal: &Refusal) -> bool {
    ["MissingSubscriptionRegistration", "MissingRegistrationForLocation"]
        .iter()
        .any(|code| code.eq_ignore_ascii_case(&refusal.code))
}

impl ArmClient {
    /// Registers what a refused write needs. True when the write is to be sent again, after `tries` of it that were refused
    /// for this reason.
    ///
    /// # Errors
    /// The refusal, with why the registration was not made.
    pub(super) async fn register_for(&self, url: &Url, error: &ArmError, tries: u32) -> Result<bool, ArmError> {
        let ArmError::Refused(refusal) = error else { return Ok(false) };
        let subscription = ResourceId::new(url.path()).subscription_id().unwrap_or_default().to_owned();
        let Some(namespace) = namespace(refusal).or_else(|| provider_of(url)).map(str::to_owned) else {
            return Ok(false);
        };
        let registration = {
            let mut known = self.registrations().0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(format!("{subscription}/{namespace}").to_lowercase()).or_default())
        };
        let register = || async {
            match self.register(&subscription, &namespace).await {
                Err(ArmError::Refused(why)) => Ok(Err(*why)),
                other => other.map(Ok),
            }
        };
        match registration.get_or_try_init(register).await? {
            Ok(()) => Ok(tries <= TRIES_AFTER),
            Err(why) => Err(ArmError::Refused(Box::new(Refusal {
                message: format!("{} The registration was refused: {}", refusal.message, why.message),
                request_id: why.request_id.clone(),
                ..(**refusal).clone()
            }))),
        }
    }

    /// Boxed because it sends requests, and sending is what it is part of.
    fn register<'a>(&'a self, subscription: &'a str, namespace: &'a str) -> BoxFuture<'a, Result<(), ArmError>> {
        Box::pin(async move {
            let path = format!("/subscriptions/{subscription}/providers/{namespace}");
            self.host().verbose(format!("The subscription is not registered for {namespace}; registering it now."));
            let url = self.url(&format!("{path}/register"), API_VERSION, "")?;
            self.send_until(Method::POST, url, Content::None, Repeat::Always, None).await?;
            let deadline = Instant::now() + PATIENCE;
            for looks in 1.. {
                let provider = self.get(&path, API_VERSION).await?.unwrap_or_default();
                let state = provider.get("registrationState").and_then(Value::as_str).unwrap_or_default();
                if state.eq_ignore_ascii_case("Registered") {
                    break;
                }
                let pause = self.pause_before(looks.min(5));
                if Instant::now() + pause > deadline {
                    let minutes = PATIENCE.as_secs() / 60;
                    let reason = format!("the registration for {namespace} did not finish within {minutes} minutes");
                    return Err(ArmError::TimedOut { host: self.host_name(), reason });
                }
                self.wait(pause, || format!("registering {namespace}")).await;
            }
            self.host().verbose(format!("The subscription is registered for {namespace}."));
            Ok(())
        })
    }
}

/// The namespace of the resource in a URL: that after its last `providers`.
fn provider_of(url: &Url) -> Option<&str> {
    let segments: Vec<&str> = url.path().split('/').collect();
    let position = segments.iter().rposition(|segment| segment.eq_ignore_ascii_case("providers"))?;
    segments.get(position + 1).copied()
}
