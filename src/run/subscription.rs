//! The subscription of a run: chosen by its id, by its display name, or because the credential sees no other.

use serde_json::Value;
use tokio_util::task::AbortOnDropHandle;

use svc_local_cloud::LOCAL_SUBSCRIPTION_ID;

use super::context::RunContext;
use super::failure::{Failure, reading_failed};
use crate::azure::{ArmClient, Entries};
use crate::protocol::{Code, ErrorReport};

/// The api-version of subscriptions and of their list (REST specification of Microsoft.Resources/subscriptions).
const SUBSCRIPTIONS_API_VERSION: &str = "2022-12-01";

/// The subscription of a run.
pub(super) struct Subscription {
    /// Its GUID.
    pub(super) id: String,
    /// Its display name, where it is known by now.
    pub(super) name: Option<String>,
}

/// Chooses the subscription of a run. An id and a name that are both given have to be those of one subscription. A cloud that asks for no
/// token has no subscriptions with names: there the name is a label.
pub(super) async fn choose(client: &ArmClient, context: &RunContext, has_names: bool) -> Result<Subscription, Failure> {
    let name = context.subscription_name.clone();
    match (&context.subscription_id, &name) {
        (id, _) if !has_names => {
            Ok(Subscription { id: id.clone().unwrap_or_else(|| LOCAL_SUBSCRIPTION_ID.to_owned()), name })
        }
        (Some(id), None) => Ok(Subscription { id: id.clone(), name }),
        (Some(id), Some(name)) => named(client, id, name).await,
        (None, None) => only(all(client).await?),
        (None, Some(name)) => called(all(client).await?, name),
    }
}

/// Reads the display name of a subscription beside everything else. None where it cannot be read.
pub(super) fn read_name_beside(client: &ArmClient, id: &str) -> AbortOnDropHandle<Option<String>> {
    let (client, path) = (client.clone(), path(id));
    AbortOnDropHandle::new(tokio::spawn(async move {
        let subscription = client.get(&path, SUBSCRIPTIONS_API_VERSION).await.ok().flatten()?;
        display_name(&subscription)
    }))
}

/// The subscription with an id, whose name has to be the one that is given as well.
async fn named(client: &ArmClient, id: &str, expected: &str) -> Result<Subscription, Failure> {
    let answer = client
        .get(&path(id), SUBSCRIPTIONS_API_VERSION)
        .await
        .map_err(|error| reading_failed("The name of the subscription cannot be read", &error))?;
    let found = answer.as_ref().and_then(display_name);
    match found {
        Some(name) if is_called(&name, expected) => Ok(Subscription { id: id.to_owned(), name: Some(name) }),
        found => {
            let is = match found {
                Some(name) => format!("is named '{name}'"),
                None => "has no name that this credential can read".to_owned(),
            };
            let message =
                format!("The subscription {id} {is}, but the name that is given with the id is '{expected}'.");
            Err(wrong(
                Code::SubscriptionNameDiffers,
                message,
                "Give the id or the name alone, or those of one subscription. The id may come from SVC_SUBSCRIPTION_ID or AZURE_SUBSCRIPTION_ID.",
            ))
        }
    }
}

/// Every subscription that can be deployed to.
async fn all(client: &ArmClient) -> Result<Vec<Value>, Failure> {
    let mut subscriptions = client
        .list("/subscriptions", SUBSCRIPTIONS_API_VERSION, "", Entries::Resources)
        .await
        .map_err(|error| reading_failed("The subscriptions cannot be listed", &error))?;
    // Nothing can be deployed to these (Microsoft.Resources, "Subscription states").
    subscriptions.retain(|item| !matches!(item["state"].as_str(), Some("Disabled" | "Deleted")));
    // It becomes part of every URL.
    let is_plain = |id: &str| !id.is_empty() && id.chars().all(|part| part.is_ascii_alphanumeric() || part == '-');
    subscriptions.retain(|item| item["subscriptionId"].as_str().is_some_and(is_plain));
    Ok(subscriptions)
}

/// The subscription of a credential that sees just one.
fn only(subscriptions: Vec<Value>) -> Result<Subscription, Failure> {
    match subscriptions.as_slice() {
        [only] => Ok(subscription(only)),
        [] => Err(not_chosen("The credential has access to no subscription.".to_owned())),
        several => Err(not_chosen(format!(
            "The credential has access to {} subscriptions, and none is chosen: {}.",
            several.len(),
            listed(several)
        ))),
    }
}

/// The one subscription with a name.
fn called(subscriptions: Vec<Value>, name: &str) -> Result<Subscription, Failure> {
    let (same, others): (Vec<Value>, Vec<Value>) =
        subscriptions.into_iter().partition(|item| display_name(item).is_some_and(|found| is_called(&found, name)));
    match same.as_slice() {
        [one] => Ok(subscription(one)),
        [] if others.is_empty() => {
            Err(not_chosen(format!("No subscription is named '{name}': the credential has access to no subscription.")))
        }
        [] => Err(not_chosen(format!(
            "No subscription that the credential has access to is named '{name}'. It has access to {}.",
            listed(&others)
        ))),
        several => Err(not_chosen(format!("{} subscriptions are named '{name}': {}.", several.len(), listed(several)))),
    }
}

fn not_chosen(message: String) -> Failure {
    wrong(
        Code::SubscriptionNotChosen,
        message,
        "Choose one with Set-SvcContext -SubscriptionId or SVC_SUBSCRIPTION_ID.",
    )
}

fn wrong(code: Code, message: String, recommendation: &str) -> Failure {
    Box::new(ErrorReport::terminating(code, message).recommending(recommendation))
}

/// Azure compares display names without letter case (`az account set --name`, `Set-AzContext -SubscriptionName`).
fn is_called(name: &str, expected: &str) -> bool {
    name.to_lowercase() == expected.trim().to_lowercase()
}

fn path(id: &str) -> String {
    format!("/subscriptions/{id}")
}

fn subscription(item: &Value) -> Subscription {
    Subscription { id: item["subscriptionId"].as_str().unwrap_or_default().to_owned(), name: display_name(item) }
}

fn display_name(item: &Value) -> Option<String> {
    item["displayName"].as_str().filter(|name| !name.is_empty()).map(str::to_owned)
}

fn listed(subscriptions: &[Value]) -> String {
    let one = |item: &Value| {
        let Subscription { id, name } = subscription(item);
        format!("{} ({id})", name.unwrap_or_default())
    };
    subscriptions.iter().map(one).collect::<Vec<_>>().join(", ")
}
