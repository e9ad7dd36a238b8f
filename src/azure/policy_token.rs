//! Policy tokens. Azure refuses a write under an *invoke* policy until the request carries the proof that what the policy asks elsewhere was asked
//! for just this request.
//!
//! Sources: azure-rest-api-specs, specification/resources, Microsoft.Authorization stable 2025-03-01 (`acquirePolicyToken`); Azure/azure-sdk issue 10081.

use futures::future::BoxFuture;
use reqwest::Method;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use url::Url;

use super::client::ArmClient;
use super::error::ArmError;
use super::payload::{Content, Sent};
use super::refusal::Refusal;
use super::resource_id::ResourceId;
use super::retry::Repeat;
use crate::protocol::cut;

/// Of `acquirePolicyToken`, and of policy assignments and definitions.
pub(super) const API_VERSION: &str = "2025-03-01";
/// The header that carries a token.
pub(super) const HEADER: &str = "x-ms-policy-external-evaluations";

/// The longest reason that is repeated, in characters.
const LONGEST_REASON: usize = 1000;

/// A policy that a write needs a token for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingToken {
    /// The policy wants to know of a change record, too.
    pub wants_change_reference: bool,
}

/// A token, and the body of the request that it is for: with another one it is worth nothing.
pub(super) struct PolicyToken {
    value: HeaderValue,
    body: Option<String>,
    expires: Option<OffsetDateTime>,
}

impl PolicyToken {
    /// Whether it went along with what was sent, and has not expired since.
    pub(super) fn proves(&self, sent: &Sent<'_>) -> bool {
        sent.policy_token.is_some() && self.expires.is_none_or(|expires| expires > OffsetDateTime::now_utc())
    }

    /// The value of the header, where it is for what is sent.
    pub(super) fn for_body(&self, sent: &Sent<'_>) -> Option<HeaderValue> {
        (self.body == sent.text()).then(|| self.value.clone())
    }
}

impl ArmClient {
    /// Acquires the token of a request that was refused for want of it.
    ///
    /// # Errors
    /// The refusal of the request, with why there is no token.
    pub(super) fn acquire_policy_token<'a>(
        &'a self,
        method: &'a Method,
        url: &'a Url,
        sent: Sent<'a>,
        error: ArmError,
    ) -> BoxFuture<'a, Result<PolicyToken, ArmError>> {
        // Boxed because it sends a request, and sending is what it is part of.
        Box::pin(async move {
            let ArmError::Refused(refusal) = error else { return Err(error) };
            let without = |why: &str| {
                let message = format!("{} There is no policy token for it: {why}", refusal.message);
                ArmError::Refused(Box::new(Refusal { message, ..(*refusal).clone() }))
            };
            let change = self.change_reference();
            if change.is_none() && refusal.missing_token.is_some_and(|missing| missing.wants_change_reference) {
                return Err(without(
                    "the policy wants a change reference, which changeReference in the context names.",
                ));
            }
            let mut operation = json!({"uri": url.as_str(), "httpMethod": method.as_str().to_lowercase()});
            if let Some(body) = &sent.body {
                operation["content"] = body.clone().into_owned();
            }
            let mut asked = json!({"operation": operation});
            if let Some(change) = change {
                asked["changeReference"] = change.into();
            }
            let id = ResourceId::new(url.path());
            let subscription = id.subscription_id().unwrap_or_default();
            let path = format!("/subscriptions/{subscription}/providers/Microsoft.Authorization/acquirePolicyToken");
            self.host().verbose(format!("A policy wants a token for {method} {}; acquiring it.", url.path()));
            let url = self.url(&path, API_VERSION, "")?;
            match self.send_until(Method::POST, url, Content::AtOnce(&asked), Repeat::Always, None).await {
                Ok(answer) => {
                    let answer = answer.body.unwrap_or_default();
                    answer["token"].as_str().into_iter().for_each(|token| self.announce_secret(token));
                    let value = token_of(&answer).ok_or_else(|| without(&reason(&answer)))?;
                    let expires =
                        OffsetDateTime::parse(answer["expiration"].as_str().unwrap_or_default(), &Rfc3339).ok();
                    Ok(PolicyToken { value, body: sent.text(), expires })
                }
                Err(ArmError::Refused(why)) => Err(without(&why.message)),
                Err(other) => Err(other),
            }
        })
    }
}

/// The token of an answer.
fn token_of(answer: &Value) -> Option<HeaderValue> {
    let token = answer["token"].as_str().filter(|token| !token.is_empty() && answer["result"] == "Succeeded")?;
    let mut value = HeaderValue::from_str(token).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// The reasons that the endpoints of policies gave.
fn reason(answer: &Value) -> String {
    let results = answer["results"].as_array().into_iter().flatten();
    let told: Vec<String> = results
        .filter(|result| result["result"] != "Succeeded")
        .filter_map(|result| {
            let message = result["message"].as_str().map(str::trim).filter(|message| !message.is_empty())?;
            let policy = result["policyInfo"]["policyDefinitionDisplayName"]
                .as_str()
                .or_else(|| result["policyInfo"]["policyDefinitionId"].as_str())
                .unwrap_or_default();
            Some(if policy.is_empty() { message.to_owned() } else { format!("'{policy}' says: {message}") })
        })
        .collect();
    match told.is_empty() {
        true => format!("Azure answered with the result '{}'.", answer["result"].as_str().unwrap_or("none")),
        false => cut(&told.join(" "), LONGEST_REASON).into_owned(),
    }
}
