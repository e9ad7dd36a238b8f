//! Connects a run with its cloud: the local one, or Azure with a credential; or with none, for a plan that is made offline.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio_util::task::AbortOnDropHandle;

use svc_local_cloud::{LocalCloud, LocalCloudError, LocalCloudOptions};

use super::context::RunContext;
use super::failure::{Failure, defect, failure};
use super::subscription::{self, Subscription};
use crate::azure::cloud::{self, Cloud, CloudChoice, CloudError};
use crate::azure::{ArmClient, LARGEST_SMALL_ANSWER, Sources, Tokens, http_client, plain_http_client, read_bytes};
use crate::protocol::{Code, Host, MadeWith, Message, Request, Target};

/// The time that the name of the subscription is waited for when everything else was read.
const NAME_PATIENCE: Duration = Duration::from_secs(5);

/// The time that the state file of the local cloud is waited for while another run uses it, and the pause between two tries.
const STATE_PATIENCE: Duration = Duration::from_secs(5);
const STATE_PAUSE: Duration = Duration::from_millis(50);

/// The time that a cloud that is in no table may take to describe itself.
const METADATA_TIMEOUT: Duration = Duration::from_secs(10);

/// The ways in which a run reaches its cloud.
#[expect(clippy::large_enum_variant, reason = "a run has one")]
pub(super) enum Connection {
    /// Nobody can be asked.
    Offline,
    /// Requests can be sent.
    Online {
        client: ArmClient,
        target: Target,
        /// The display name of the subscription, while it is read.
        name: Option<AbortOnDropHandle<Option<String>>>,
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
        self.target().map(|target| target.subscription_id.as_str())
    }

    /// The target that the run deploys to; nothing where nobody can be asked.
    pub(super) fn target(&self) -> Option<&Target> {
        match self {
            Connection::Offline => None,
            Connection::Online { target, .. } => Some(target),
        }
    }

    /// Takes the display name of the subscription into the target, once it was read. That it cannot be read is no failure.
    pub(super) async fn learn_name(&mut self) {
        if let Connection::Online { target, name, .. } = self
            && let Some(name) = name.take()
        {
            target.subscription_name =
                tokio::time::timeout(NAME_PATIENCE, name).await.ok().and_then(Result::ok).flatten();
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

/// Makes the connection, and tells what it is to. A run that is to be offline asks nobody, and needs no credential.
pub(super) async fn connect(
    request: &Request,
    context: &RunContext,
    made_with: &MadeWith,
    host: &Host,
) -> Result<Connection, Failure> {
    let choice = choose(request, context).map_err(|error| Box::new(error.report()))?;
    if context.offline {
        host.warning("The plan is made offline, so it does not show what exists.");
        return Ok(Connection::Offline);
    }
    let (mut cloud, local) = match choice {
        CloudChoice::Remote(cloud) => (cloud, None),
        CloudChoice::Local => {
            let state_file = context.local_state_file.clone();
            host.verbose(format!("The local cloud keeps its resources in '{}'.", state_file.display()));
            let local = start_local(Some(state_file), host).await?;
            (local_endpoint(&local)?, Some(local))
        }
    };
    let http = match cloud.endpoint.scheme() {
        "http" => plain_http_client()?,
        _ => http_client(&request.environment.clone().unwrap_or_default(), cloud.is_loopback(), host.secrets())?,
    };
    let tokens = if cloud.is_loopback() {
        None
    } else {
        if cloud.is_guess {
            describe(&mut cloud, &http, host).await;
        }
        Some(sign_in(request, context, &cloud, &http, host).await?)
    };
    let client = ArmClient::new(http, cloud.clone(), tokens.clone(), context.timeouts, host.clone());
    if let Some(change) = &context.change_reference {
        client.refer_to(change.clone());
    }
    let subscription = subscription::choose(&client, context, tokens.is_some()).await?;
    let target = target(&cloud, subscription, tokens.as_ref(), context).await;
    host.send(Message::Target(Target { made_with: made_with.clone(), ..target.clone() }));
    // Whoever asks for no token has no subscriptions with names either.
    let name = (tokens.is_some() && target.subscription_name.is_none())
        .then(|| subscription::read_name_beside(&client, &target.subscription_id));
    Ok(Connection::Online { client, target, name, _local: local })
}

/// The target that a run deploys to.
async fn target(cloud: &Cloud, subscription: Subscription, tokens: Option<&Tokens>, context: &RunContext) -> Target {
    let identity = match tokens {
        Some(tokens) => tokens.identity().await,
        None => None,
    };
    let tenant_id = identity.as_ref().and_then(|identity| identity.tenant_id.clone());
    Target {
        cloud: cloud.name.clone(),
        endpoint: cloud.endpoint.as_str().trim_end_matches('/').to_owned(),
        subscription_id: subscription.id,
        subscription_name: subscription.name,
        tenant_id: tenant_id.or_else(|| context.tenant_id.clone()),
        identity: identity.map(|identity| identity.description),
        made_with: MadeWith::default(),
    }
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

/// Starts a local cloud that keeps its resources in a file, or in memory.
pub(super) async fn start_local(state_file: Option<PathBuf>, host: &Host) -> Result<LocalCloud, Failure> {
    let deadline = Instant::now() + STATE_PATIENCE;
    let mut is_waiting = false;
    loop {
        let options = LocalCloudOptions { state_file: state_file.clone(), ..LocalCloudOptions::default() };
        let started =
            tokio::task::spawn_blocking(|| LocalCloud::start(options)).await.map_err(|error| defect(&error))?;
        match started {
            Err(LocalCloudError::StateInUse { .. }) if Instant::now() < deadline => {
                if !is_waiting {
                    host.verbose("Another run uses this file; waiting a moment for it.");
                }
                is_waiting = true;
                tokio::time::sleep(STATE_PAUSE).await;
            }
            started => return started.map_err(|error| local_failure(&error)),
        }
    }
}

fn local_endpoint(local: &LocalCloud) -> Result<Cloud, Failure> {
    match cloud::choose(Some(local.endpoint()), None, None, None) {
        Ok(CloudChoice::Remote(mut cloud)) => {
            cloud.name = cloud::LOCAL_NAME.to_owned();
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
