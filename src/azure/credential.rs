//! The credentials of a run: a chain built from what the request brings, never from the process's own environment.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use azure_core::cloud::CloudConfiguration;
use azure_core::credentials::{AccessToken, Secret, TokenCredential, TokenRequestOptions};
use azure_core::http::{ClientOptions, Transport};
use azure_core::time::OffsetDateTime;
use azure_identity::{
    AzureCliCredential, AzureCliCredentialOptions, AzureDeveloperCliCredential, AzureDeveloperCliCredentialOptions,
    ClientAssertionCredentialOptions, ClientSecretCredential, ClientSecretCredentialOptions, ManagedIdentityCredential,
    ManagedIdentityCredentialOptions, UserAssignedId, WorkloadIdentityCredential, WorkloadIdentityCredentialOptions,
};
use tokio::sync::Mutex;

use super::cloud::{Authority, Cloud};
use crate::session::{AzSession, ErrorCategory, ErrorReport, Host};

/// A token is renewed this long before it ends.
const RENEWAL: Duration = Duration::from_secs(300);

/// The tokens of a run, from the first credential of the chain that gave one.
#[derive(Clone)]
pub struct Tokens {
    inner: Arc<TokensInner>,
}

struct TokensInner {
    scope: String,
    chain: Vec<Link>,
    host: Host,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    chosen: Option<usize>,
    token: Option<AccessToken>,
}

/// One credential, or why it cannot be one.
struct Link {
    name: &'static str,
    /// The user set it up for this run: its failure is an error, not a reason to try the next.
    explicit: bool,
    credential: Result<Arc<dyn TokenCredential>, String>,
}

/// What the chain is built from.
pub struct Sources<'a> {
    /// The cloud tokens are for.
    pub cloud: &'a Cloud,
    /// The caller's variables.
    pub environment: &'a BTreeMap<String, String>,
    /// The host's Azure session.
    pub az_session: Option<&'a AzSession>,
    /// The tenant of the context.
    pub tenant_id: Option<&'a str>,
    /// The connections to use.
    pub http: &'a reqwest::Client,
    /// Who gives tokens of the host's session.
    pub host: &'a Host,
}

impl Tokens {
    /// Builds the chain. Nothing is asked for a token yet.
    #[must_use]
    pub fn new(sources: &Sources<'_>) -> Tokens {
        let inner = TokensInner {
            scope: format!("{}/.default", sources.cloud.audience),
            chain: chain(sources),
            host: sources.host.clone(),
            state: Mutex::default(),
        };
        Tokens { inner: Arc::new(inner) }
    }

    /// A token that is good for some minutes.
    ///
    /// # Errors
    /// `CredentialUnavailable` when no credential gives one, with what was tried and why not; `CredentialRefused` when one
    /// that was set up for this run is refused.
    pub async fn current(&self) -> Result<String, ErrorReport> {
        let mut state = self.inner.state.lock().await;
        if let Some(token) = &state.token
            && token.expires_on > OffsetDateTime::now_utc() + RENEWAL
        {
            return Ok(token.token.secret().to_owned());
        }
        let token = match state.chosen {
            Some(position) => {
                self.ask(position).await.map_err(|reason| refused(self.inner.chain[position].name, &reason))?
            }
            None => {
                let (position, token) = self.first().await?;
                state.chosen = Some(position);
                token
            }
        };
        let text = token.token.secret().to_owned();
        self.inner.host.secrets().add(&text);
        state.token = Some(token);
        Ok(text)
    }

    async fn first(&self) -> Result<(usize, AccessToken), ErrorReport> {
        let mut tried = Vec::new();
        for (position, link) in self.inner.chain.iter().enumerate() {
            match self.ask(position).await {
                Ok(token) => {
                    self.inner.host.verbose(format!("Signed in with the {}.", link.name));
                    return Ok((position, token));
                }
                Err(reason) if link.explicit => return Err(refused(link.name, &reason)),
                Err(reason) => tried.push(format!("{}: {reason}", link.name)),
            }
        }
        Err(ErrorReport {
            terminating: true,
            code: "CredentialUnavailable".to_owned(),
            category: ErrorCategory::SecurityError,
            message: format!("No credential for Azure was found. Tried were {}.", tried.join("; ")),
            recommendation: Some(
                "Sign in with Connect-AzAccount or az login, set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, or choose the local cloud \
                 (-Cloud local)."
                    .to_owned(),
            ),
            ..ErrorReport::default()
        })
    }

    async fn ask(&self, position: usize) -> Result<AccessToken, String> {
        let credential = self.inner.chain[position].credential.as_ref().map_err(String::clone)?;
        credential.get_token(&[&self.inner.scope], None).await.map_err(|error| one_line(&error.to_string()))
    }
}

fn refused(name: &str, reason: &str) -> ErrorReport {
    ErrorReport {
        terminating: true,
        code: "CredentialRefused".to_owned(),
        category: ErrorCategory::AuthenticationError,
        message: format!("The {name} gives no token: {reason}."),
        recommendation: Some("Check the tenant, the client and whether its secret or sign-in has expired.".to_owned()),
        ..ErrorReport::default()
    }
}

/// The order of the chain: the host's session, what the environment sets up, the identity of this machine, the
/// developer's command lines.
fn chain(sources: &Sources<'_>) -> Vec<Link> {
    let variable = |name: &str| sources.environment.get(name).filter(|value| !value.is_empty()).cloned();
    let tenant = sources.tenant_id.map(str::to_owned).or_else(|| variable("AZURE_TENANT_ID"));
    let client = variable("AZURE_CLIENT_ID");
    let mut chain = Vec::new();
    if let Some(session) = sources.az_session {
        let credential = HostCredential {
            host: sources.host.clone(),
            resource: sources.cloud.audience.clone(),
            tenant_id: sources.tenant_id.map(str::to_owned).or_else(|| session.tenant_id.clone()),
        };
        chain.push(Link {
            name: "session of Connect-AzAccount",
            explicit: false,
            credential: Ok(Arc::new(credential)),
        });
    }
    if let (Some(tenant), Some(client), Some(secret)) = (&tenant, &client, variable("AZURE_CLIENT_SECRET")) {
        sources.host.secrets().add(&secret);
        let options = ClientSecretCredentialOptions { client_options: client_options(sources) };
        let credential = ClientSecretCredential::new(tenant, client.clone(), Secret::from(secret), Some(options));
        chain.push(Link {
            name: "client secret of AZURE_CLIENT_SECRET",
            explicit: true,
            credential: built(credential),
        });
    }
    if let (Some(tenant), Some(client), Some(file)) = (&tenant, &client, variable("AZURE_FEDERATED_TOKEN_FILE")) {
        let options = WorkloadIdentityCredentialOptions {
            credential_options: ClientAssertionCredentialOptions { client_options: client_options(sources) },
            client_id: Some(client.clone()),
            tenant_id: Some(tenant.clone()),
            token_file_path: Some(PathBuf::from(file)),
        };
        let credential = WorkloadIdentityCredential::new(Some(options));
        chain.push(Link {
            name: "workload identity of AZURE_FEDERATED_TOKEN_FILE",
            explicit: true,
            credential: built(credential),
        });
    }
    if variable("IDENTITY_ENDPOINT")
        .or_else(|| variable("IMDS_ENDPOINT"))
        .or_else(|| variable("MSI_ENDPOINT"))
        .is_some()
    {
        let options = ManagedIdentityCredentialOptions {
            user_assigned_id: client.map(UserAssignedId::ClientId),
            client_options: client_options(sources),
        };
        chain.push(Link {
            name: "managed identity",
            explicit: false,
            credential: built(ManagedIdentityCredential::new(Some(options))),
        });
    }
    let options = AzureCliCredentialOptions { tenant_id: tenant.clone(), ..AzureCliCredentialOptions::default() };
    chain.push(Link { name: "Azure CLI", explicit: false, credential: built(AzureCliCredential::new(Some(options))) });
    let options =
        AzureDeveloperCliCredentialOptions { tenant_id: tenant, ..AzureDeveloperCliCredentialOptions::default() };
    chain.push(Link {
        name: "Azure Developer CLI",
        explicit: false,
        credential: built(AzureDeveloperCliCredential::new(Some(options))),
    });
    chain
}

fn built<T: TokenCredential + 'static>(
    credential: azure_core::Result<Arc<T>>,
) -> Result<Arc<dyn TokenCredential>, String> {
    match credential {
        Ok(credential) => Ok(credential),
        Err(error) => Err(one_line(&error.to_string())),
    }
}

fn client_options(sources: &Sources<'_>) -> ClientOptions {
    let mut custom = azure_core::cloud::CustomConfiguration::default();
    let authority = sources.environment.get("AZURE_AUTHORITY_HOST").filter(|host| !host.is_empty());
    let cloud = match (authority, sources.cloud.authority) {
        (Some(host), _) => {
            custom.authority_host.clone_from(host);
            CloudConfiguration::Custom(custom)
        }
        (None, Authority::Public) => CloudConfiguration::AzurePublic,
        (None, Authority::UsGovernment) => CloudConfiguration::AzureGovernment,
        (None, Authority::China) => CloudConfiguration::AzureChina,
    };
    ClientOptions {
        transport: Some(Transport::new(Arc::new(sources.http.clone()))),
        cloud: Some(Arc::new(cloud)),
        ..ClientOptions::default()
    }
}

/// The first line without what follows it: azure_core adds backtraces and links on further lines.
fn one_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().trim_end_matches('.').to_owned()
}

/// Tokens of the host's Azure session, asked for through a message.
#[derive(Debug)]
struct HostCredential {
    host: Host,
    resource: String,
    tenant_id: Option<String>,
}

#[async_trait::async_trait]
impl TokenCredential for HostCredential {
    async fn get_token(
        &self,
        _scopes: &[&str],
        _options: Option<TokenRequestOptions<'_>>,
    ) -> azure_core::Result<AccessToken> {
        let token = self
            .host
            .token(&self.resource, self.tenant_id.as_deref())
            .await
            .map_err(|reason| azure_core::Error::with_message(azure_core::error::ErrorKind::Credential, reason))?;
        let expires_on = OffsetDateTime::from_unix_timestamp(token.expires_on)
            .map_err(|error| azure_core::Error::new(azure_core::error::ErrorKind::Credential, error))?;
        Ok(AccessToken::new(token.token, expires_on))
    }
}
