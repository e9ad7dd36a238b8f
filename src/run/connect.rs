//! Connects a run with its cloud: the local one, or Azure with a credential; or with none, for a plan that is made offline.

use std::time::Duration;

use serde_json::Value;

use svc_local_cloud::{LOCAL_SUBSCRIPTION_ID, LocalCloud, LocalCloudError, LocalCloudOptions};

use super::context::RunContext;
use super::failure::{Failure, defect, failure, reading_failed};
use crate::azure::cloud::{self, Cloud, CloudChoice, CloudError};
use crate::azure::{ArmClient, LARGEST_SMALL_ANSWER, Sources, Tokens, http_client, plain_http_client, read_bytes};
use crate::protocol::{Code, ErrorReport, Host, Request};

/// The api-version of the list of subscriptions (REST specification of Microsoft.Resources/subscriptions).
const SUBSCRIPTIONS_API_VERSION: &str = "2022-12-01";

/// How long a cloud that is in no table may take to describe itself.
const METADATA_TIMEOUT: Duration = Duration::from_secs(10);

/// How a run reaches its cloud.
pub(super) enum Connection {
    /// Nobody can be asked.
    Offline,
    /// Requests can be sent.
    Online {
        client: ArmClient,
        subscription_id: String,
        /// Serves the requests of this run; stops when it is dropped.
        _local: Option<LocalCloud>,
    },
}

impl Connection {
    pub(super) fn client(&self) -> Option<&ArmClient> {
        match self {
            Connection::Offline => None,
            Connection::Online { client, .. } => Some(client),
        }
    }

    pub(super) fn subscription_id(&self) -> Option<&str> {
        match self {
            Connection::Offline => None,
            Connection::Online { subscription_id, .. } => Some(subscription_id),
        }
    }
}

/// The cloud that a request is for.
fn choose(request: &Request, context: &RunContext) -> Result<CloudChoice, CloudError> {
    let az = request.az_session.as_ref();
    let az_cloud = az.and_then(|session| session.cloud.as_deref());
    let az_endpoint = az.and_then(|session| session.resource_manager_endpoint.as_deref());
    cloud::choose(context.cloud.as_deref(), context.resource_manager_endpoint.as_deref(), az_cloud, az_endpoint)
}

/// Whether a request is for the local cloud, or for another one that this machine serves.
pub(super) fn is_for_this_machine(request: &Request) -> bool {
    let choice = RunContext::of(request).ok().and_then(|context| choose(request, &context).ok());
    match choice {
        Some(CloudChoice::Local) => true,
        Some(CloudChoice::Remote(cloud)) => cloud.is_loopback(),
        None => false,
    }
}

/// Makes the connection. Under `what_if` a run without any credential goes on offline.
pub(super) async fn connect(
    request: &Request,
    context: &RunContext,
    what_if: bool,
    host: &Host,
) -> Result<Connection, Failure> {
    let choice = choose(request, context).map_err(|error| Box::new(error.report()))?;
    let (mut cloud, local) = match choice {
        CloudChoice::Remote(cloud) => (cloud, None),
        CloudChoice::Local => {
            let local = start_local(context, host).await?;
            (local_endpoint(&local)?, Some(local))
        }
    };
    let http = match cloud.endpoint.scheme() {
        "http" => plain_http_client()?,
        _ => http_client(&request.environment.clone().unwrap_or_default(), cloud.is_loopback(), host.secrets())?,
    };
    let is_loopback = cloud.is_loopback();
    let tokens = if is_loopback {
        None
    } else {
        if cloud.is_guess {
            describe(&mut cloud, &http, host).await;
        }
        match sign_in(request, context, &cloud, &http, host).await {
            Ok(tokens) => Some(tokens),
            Err(report) if what_if && report.code == Code::CredentialUnavailable => {
                host.warning("No credential for Azure was found, so the plan does not show what exists.");
                host.verbose(report.message);
                return Ok(Connection::Offline);
            }
            Err(report) => return Err(report),
        }
    };
    host.verbose(format!("Deploying to {}.", cloud.name));
    let client = ArmClient::new(http, cloud, tokens, context.timeouts, host.clone());
    let subscription_id = match &context.subscription_id {
        Some(subscription_id) => subscription_id.clone(),
        None if is_loopback => LOCAL_SUBSCRIPTION_ID.to_owned(),
        None => only_subscription(&client, host).await?,
    };
    Ok(Connection::Online { client, subscription_id, _local: local })
}

/// Finds the first credential that gives a token.
async fn sign_in(
    request: &Request,
    context: &RunContext,
    cloud: &Cloud,
    http: &reqwest::Client,
    host: &Host,
) -> Result<Tokens, Failure> {
    let direct = plain_http_client()?;
    let tokens = Tokens::new(&Sources {
        cloud,
        environment: &request.environment.clone().unwrap_or_default(),
        az_session: request.az_session.as_ref(),
        tenant_id: context.tenant_id.as_deref(),
        http,
        direct: &direct,
        retry_pause: context.timeouts.retry_pause,
        host,
    });
    tokens.current().await.map_err(Box::new)?;
    Ok(tokens)
}

/// Asks the endpoint of a cloud that is in no table whom to ask for tokens, and for what. Where it does not say, the guess stays.
async fn describe(cloud: &mut Cloud, http: &reqwest::Client, host: &Host) {
    let answer = async {
        let response = http.get(cloud.metadata_url()).timeout(METADATA_TIMEOUT).send().await?.error_for_status()?;
        Ok::<_, reqwest::Error>(read_bytes(response, LARGEST_SMALL_ANSWER).await)
    };
    let said = match answer.await {
        Ok(Ok(body)) => serde_json::from_slice(&body).is_ok_and(|metadata: Value| cloud.describe(&metadata)),
        Ok(Err(_)) | Err(_) => false,
    };
    let how = if said { "says that" } else { "does not say where to sign in; assuming that" };
    host.verbose(format!("{} {how} tokens are for {} and come from {}.", cloud.name, cloud.audience, cloud.authority));
}

async fn start_local(context: &RunContext, host: &Host) -> Result<LocalCloud, Failure> {
    let state_file = context.local_state_file.clone();
    host.verbose(format!("The local cloud keeps its resources in '{}'.", state_file.display()));
    let options = LocalCloudOptions { state_file: Some(state_file), ..LocalCloudOptions::default() };
    let started = tokio::task::spawn_blocking(|| LocalCloud::start(options)).await.map_err(|error| defect(&error))?;
    started.map_err(|error| local_failure(&error))
}

fn local_endpoint(local: &LocalCloud) -> Result<Cloud, Failure> {
    match cloud::choose(Some(local.endpoint()), None, None, None) {
        Ok(CloudChoice::Remote(mut cloud)) => {
            cloud.name = "the local cloud".to_owned();
            Ok(cloud)
        }
        Ok(CloudChoice::Local) => Err(failure(Code::InternalError, "The local cloud has no endpoint.")),
        Err(error) => Err(Box::new(error.report())),
    }
}

fn local_failure(error: &LocalCloudError) -> Failure {
    let code = match error {
        LocalCloudError::StateInUse { .. } => Code::LocalStateInUse,
        LocalCloudError::StateDamaged { .. } => Code::LocalStateDamaged,
        _ => Code::LocalCloudFailed,
    };
    failure(code, error.with_causes())
}

/// The subscription of a credential that sees just one.
async fn only_subscription(client: &ArmClient, host: &Host) -> Result<String, Failure> {
    let mut subscriptions = client
        .list("/subscriptions", SUBSCRIPTIONS_API_VERSION, "")
        .await
        .map_err(|error| reading_failed("The subscriptions cannot be listed", &error))?;
    // Nothing can be deployed to these (Microsoft.Resources, "Subscription states").
    subscriptions.retain(|item| !matches!(item["state"].as_str(), Some("Disabled" | "Deleted")));
    // It becomes part of every URL.
    let is_plain = |id: &str| !id.is_empty() && id.chars().all(|part| part.is_ascii_alphanumeric() || part == '-');
    subscriptions.retain(|item| item["subscriptionId"].as_str().is_some_and(is_plain));
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    if let [only] = subscriptions.as_slice() {
        host.verbose(format!(
            "Using the subscription '{}' ({}).",
            text(only, "displayName"),
            text(only, "subscriptionId")
        ));
        return Ok(text(only, "subscriptionId"));
    }
    let names: Vec<String> = subscriptions
        .iter()
        .map(|item| format!("{} ({})", text(item, "displayName"), text(item, "subscriptionId")))
        .collect();
    let message = if names.is_empty() {
        "The credential has access to no subscription.".to_owned()
    } else {
        format!("The credential has access to {} subscriptions, and none is chosen: {}.", names.len(), names.join(", "))
    };
    Err(Box::new(ErrorReport {
        recommendation: Some("Choose one with Set-SvcContext -SubscriptionId, the option -SubscriptionId of svc, or SVC_SUBSCRIPTION_ID.".to_owned()),
        ..ErrorReport::terminating(Code::SubscriptionNotChosen, message)
    }))
}
