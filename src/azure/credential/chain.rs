//! The order of the chain: the host's session, what the environment sets up, the identity of this machine, the developer's
//! command lines.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use azure_core::cloud::{CloudConfiguration, CustomConfiguration};
use azure_core::credentials::{Secret, TokenCredential};
use azure_core::http::{ClientOptions, ExponentialRetryOptions, RetryOptions, Transport};
use azure_identity::{
    AzureCliCredential, AzureCliCredentialOptions, AzureDeveloperCliCredential, AzureDeveloperCliCredentialOptions,
    ClientAssertionCredential, ClientAssertionCredentialOptions, ClientSecretCredential, ClientSecretCredentialOptions,
    WorkloadIdentityCredential, WorkloadIdentityCredentialOptions,
};

use super::HostCredential;
use super::authority::Authority;
use super::certificate::{Certificate, CertificateAssertion};
use super::command_line::CommandLine;
use super::file::read_file;
use super::managed_identity::ManagedIdentity;
use super::reason::Reason;
use crate::azure::cloud::Cloud;
use crate::protocol::{AzSession, Host, alternatives};

/// The Azure session of the host.
const SESSION: &str = "session of Connect-AzAccount";
/// The advice where the tenant or the client of an application is missing.
const IDS: &str = "Set AZURE_TENANT_ID and AZURE_CLIENT_ID to those of the application.";
/// The advice for a federated token that cannot be read.
const TOKEN_FILE: &str = "Set AZURE_FEDERATED_TOKEN_FILE to the absolute path of the file with the federated token.";

/// The number of times that an authority is asked again which has problems of its own, or is not reached.
const RETRIES: u32 = 3;

/// The sources of the chain.
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
    /// Connections past any proxy, for the services of this machine.
    pub direct: &'a reqwest::Client,
    /// Before an authority is asked a second time; none: as long as azure_core waits.
    pub retry_pause: Option<Duration>,
    /// The host, which gives tokens of its session.
    pub host: &'a Host,
}

type Built = Result<Arc<dyn TokenCredential>, Reason>;

/// One credential of the chain.
pub(super) struct Link {
    pub(super) name: &'static str,
    /// The user set it up for this run: its failure is an error, not a reason to try the next.
    pub(super) explicit: bool,
    /// Makes the credential, or says why it cannot be one.
    pub(super) build: Box<dyn Fn() -> Built + Send + Sync>,
}

/// The credentials by the names that the Azure SDKs have for them in `AZURE_TOKEN_CREDENTIALS`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CredentialName {
    Session,
    Environment,
    Workload,
    ManagedIdentity,
    AzureCli,
    AzureDeveloperCli,
}

/// Source: azure-identity of the Azure SDKs, "Exclude a credential type category".
const CHOICES: &[(&str, &[CredentialName])] = &[
    ("prod", &[CredentialName::Environment, CredentialName::Workload, CredentialName::ManagedIdentity]),
    ("dev", &[CredentialName::Session, CredentialName::AzureCli, CredentialName::AzureDeveloperCli]),
    ("AzurePowerShellCredential", &[CredentialName::Session]),
    ("EnvironmentCredential", &[CredentialName::Environment]),
    ("WorkloadIdentityCredential", &[CredentialName::Workload]),
    ("ManagedIdentityCredential", &[CredentialName::ManagedIdentity]),
    ("AzureCliCredential", &[CredentialName::AzureCli]),
    ("AzureDeveloperCliCredential", &[CredentialName::AzureDeveloperCli]),
];

/// Builds the links. Nothing is contacted.
pub(super) fn chain(sources: &Sources<'_>) -> Vec<Link> {
    let choice = variable(sources, "AZURE_TOKEN_CREDENTIALS");
    let chosen = choice
        .as_ref()
        .and_then(|choice| CHOICES.iter().find(|(name, _)| name.eq_ignore_ascii_case(choice)))
        .map(|(_, kinds)| *kinds);
    if choice.is_some() && chosen.is_none() {
        let names: Vec<&str> = CHOICES.iter().map(|(name, _)| *name).collect();
        let text = format!("its value is not valid; use {}", alternatives(&names));
        let advice = "Set AZURE_TOKEN_CREDENTIALS to one of these names, or remove the variable.";
        return vec![unusable("choice of AZURE_TOKEN_CREDENTIALS", text, advice)];
    }
    let mut chain = Chain {
        sources,
        is_chosen: chosen.is_some(),
        tenant: sources.tenant_id.map(str::to_owned).or_else(|| variable(sources, "AZURE_TENANT_ID")),
        client: variable(sources, "AZURE_CLIENT_ID"),
        links: Vec::new(),
    };
    let order = [
        CredentialName::Session,
        CredentialName::Environment,
        CredentialName::Workload,
        CredentialName::ManagedIdentity,
        CredentialName::AzureCli,
        CredentialName::AzureDeveloperCli,
    ];
    for kind in order.into_iter().filter(|kind| chosen.is_none_or(|kinds| kinds.contains(kind))) {
        match kind {
            CredentialName::Session => chain.add_session(),
            CredentialName::Environment => chain.add_application(),
            CredentialName::Workload => chain.add_workload_identity(),
            CredentialName::ManagedIdentity => chain.add_managed_identity(),
            CredentialName::AzureCli => chain.add_azure_cli(),
            CredentialName::AzureDeveloperCli => chain.add_azure_developer_cli(),
        }
    }
    chain.links
}

/// A variable of the request, unless it is empty.
fn variable(sources: &Sources<'_>, name: &str) -> Option<String> {
    sources.environment.get(name).filter(|value| !value.is_empty()).cloned()
}

/// The chain while it is built.
struct Chain<'s, 'a> {
    sources: &'s Sources<'a>,
    /// Whether AZURE_TOKEN_CREDENTIALS chooses.
    is_chosen: bool,
    tenant: Option<String>,
    client: Option<String>,
    links: Vec<Link>,
}

impl Chain<'_, '_> {
    /// Notes a credential that is not there. Who chose it is told that it is not set up; without a choice it is just not one of those to try.
    fn absent(&mut self, name: &'static str, reason: &'static str) {
        if self.is_chosen {
            self.links.push(link(name, false, move || Err(Reason::plain(reason))));
        }
    }

    fn application(&self) -> Application {
        Application { tenant: self.tenant.clone(), client: self.client.clone(), options: Options::of(self.sources) }
    }

    fn add_session(&mut self) {
        let Some(session) = self.sources.az_session else {
            return self.absent(SESSION, "not available in this process");
        };
        let host = self.sources.host.clone();
        let resource = self.sources.cloud.audience.clone();
        let tenant_id = self.sources.tenant_id.map(str::to_owned).or_else(|| session.tenant_id.clone());
        self.links.push(link(SESSION, false, move || {
            let (host, resource, tenant_id) = (host.clone(), resource.clone(), tenant_id.clone());
            Ok(Arc::new(HostCredential { host, resource, tenant_id }))
        }));
    }

    fn add_application(&mut self) {
        let secret = variable(self.sources, "AZURE_CLIENT_SECRET");
        let certificate = variable(self.sources, "AZURE_CLIENT_CERTIFICATE_PATH");
        if secret.is_none() && certificate.is_none() {
            let reason = "neither AZURE_CLIENT_SECRET nor AZURE_CLIENT_CERTIFICATE_PATH is set";
            self.absent("client secret or certificate", reason);
        }
        if let Some(secret) = secret {
            self.links.push(self.application().with_secret(secret, self.sources.host));
        }
        if let Some(path) = certificate {
            let with_chain = variable(self.sources, "AZURE_CLIENT_SEND_CERTIFICATE_CHAIN");
            let with_chain = with_chain.is_some_and(|text| text == "1" || text.eq_ignore_ascii_case("true"));
            self.links.push(self.application().with_certificate(path.into(), with_chain, self.sources.host));
        }
    }

    fn add_workload_identity(&mut self) {
        match variable(self.sources, "AZURE_FEDERATED_TOKEN_FILE") {
            Some(file) => self.links.push(self.application().with_token_file(file.into(), self.sources.host)),
            None => self.absent("workload identity", "AZURE_FEDERATED_TOKEN_FILE is not set"),
        }
    }

    fn add_managed_identity(&mut self) {
        let (on_virtual_machine, client) = (self.is_chosen, self.client.clone());
        let (environment, http) = (self.sources.environment.clone(), self.sources.direct.clone());
        if let Some(header) = variable(self.sources, "IDENTITY_HEADER") {
            self.sources.host.secrets().add(&header);
        }
        let of = move || ManagedIdentity::of(&environment, on_virtual_machine, client.clone(), &http);
        if of().is_some() {
            self.links.push(link("managed identity", false, move || match of() {
                Some(Ok(identity)) => Ok(Arc::new(identity)),
                Some(Err(reason)) => Err(Reason::plain(reason)),
                None => Err(Reason::plain("not available on this host")),
            }));
        }
    }

    fn executor(&self) -> Arc<CommandLine> {
        Arc::new(CommandLine { environment: self.sources.environment.clone() })
    }

    fn add_azure_cli(&mut self) {
        let (tenant_id, executor) = (self.tenant.clone(), self.executor());
        self.links.push(link("Azure CLI", false, move || {
            let options = AzureCliCredentialOptions {
                tenant_id: tenant_id.clone(),
                executor: Some(executor.clone()),
                ..AzureCliCredentialOptions::default()
            };
            built(AzureCliCredential::new(Some(options)))
        }));
    }

    fn add_azure_developer_cli(&mut self) {
        let (tenant_id, executor) = (self.tenant.clone(), self.executor());
        self.links.push(link("Azure Developer CLI", false, move || {
            let options =
                AzureDeveloperCliCredentialOptions { tenant_id: tenant_id.clone(), executor: Some(executor.clone()) };
            built(AzureDeveloperCliCredential::new(Some(options)))
        }));
    }
}

fn link(name: &'static str, explicit: bool, build: impl Fn() -> Built + Send + Sync + 'static) -> Link {
    Link { name, explicit, build: Box::new(build) }
}

/// The reason for a credential that the user set up and that cannot be used as it is.
fn unusable(name: &'static str, text: String, advice: &'static str) -> Link {
    link(name, true, move || Err(Reason::unusable(text.clone(), advice)))
}

fn built<T: TokenCredential + 'static>(credential: azure_core::Result<Arc<T>>) -> Built {
    match credential {
        Ok(credential) => Ok(credential),
        Err(error) => Err(Reason::of(&error)),
    }
}

/// An application of Microsoft Entra, as the `AZURE_*` variables name it.
struct Application {
    tenant: Option<String>,
    client: Option<String>,
    options: Options,
}

impl Application {
    /// Tenant and client, or which variable is missing.
    fn ids(&self) -> Result<(String, String), String> {
        match (&self.tenant, &self.client) {
            (Some(tenant), Some(client)) => Ok((tenant.clone(), client.clone())),
            (None, _) => Err("AZURE_TENANT_ID is not set".to_owned()),
            (_, None) => Err("AZURE_CLIENT_ID is not set".to_owned()),
        }
    }

    fn with_secret(&self, secret: String, host: &Host) -> Link {
        const NAME: &str = "client secret of AZURE_CLIENT_SECRET";
        host.secrets().add(&secret);
        let (tenant, client) = match self.ids() {
            Ok(ids) => ids,
            Err(missing) => return unusable(NAME, missing, IDS),
        };
        let options = self.options.clone();
        link(NAME, true, move || {
            let options = ClientSecretCredentialOptions { client_options: options.get()? };
            built(ClientSecretCredential::new(&tenant, client.clone(), Secret::from(secret.clone()), Some(options)))
        })
    }

    fn with_certificate(&self, path: PathBuf, with_chain: bool, host: &Host) -> Link {
        const NAME: &str = "certificate of AZURE_CLIENT_CERTIFICATE_PATH";
        let (tenant, client_id) = match self.ids() {
            Ok(ids) => ids,
            Err(missing) => return unusable(NAME, missing, IDS),
        };
        let (options, host) = (self.options.clone(), host.clone());
        link(NAME, true, move || {
            let certificate = Certificate::read(Path::new(&path))?;
            let audience = format!("{}/{tenant}/oauth2/v2.0/token", options.authority.trim_end_matches('/'));
            let host = host.clone();
            let assertion =
                CertificateAssertion { certificate, audience, client_id: client_id.clone(), with_chain, host };
            let options = ClientAssertionCredentialOptions { client_options: options.get()? };
            built(ClientAssertionCredential::new(tenant.clone(), client_id.clone(), assertion, Some(options)))
        })
    }

    fn with_token_file(&self, file: PathBuf, host: &Host) -> Link {
        const NAME: &str = "workload identity of AZURE_FEDERATED_TOKEN_FILE";
        let (tenant, client) = match self.ids() {
            Ok(ids) => ids,
            Err(missing) => return unusable(NAME, missing, IDS),
        };
        let (options, host) = (self.options.clone(), host.clone());
        link(NAME, true, move || {
            let token = read_file(&file).map_err(|reason| Reason::unusable(reason, TOKEN_FILE))?;
            host.secrets().add(String::from_utf8_lossy(&token).trim());
            let options = WorkloadIdentityCredentialOptions {
                credential_options: ClientAssertionCredentialOptions { client_options: options.get()? },
                client_id: Some(client.clone()),
                tenant_id: Some(tenant.clone()),
                token_file_path: Some(file.clone()),
            };
            built(WorkloadIdentityCredential::new(Some(options)))
        })
    }
}

/// The options with which the authority is asked.
#[derive(Clone)]
struct Options {
    authority: String,
    http: reqwest::Client,
    retry_pause: Option<Duration>,
}

impl Options {
    fn of(sources: &Sources<'_>) -> Options {
        let authority = sources.environment.get("AZURE_AUTHORITY_HOST").map(|host| host.trim());
        let authority = match authority.filter(|host| !host.is_empty()) {
            Some(host) if host.contains("://") => host.to_owned(),
            Some(host) => format!("https://{host}"),
            None => sources.cloud.authority.clone(),
        };
        Options { authority, http: sources.http.clone(), retry_pause: sources.retry_pause }
    }

    fn get(&self) -> Result<ClientOptions, Reason> {
        if !self.authority.starts_with("https://") {
            return Err(Reason::unusable(
                "AZURE_AUTHORITY_HOST must begin with https://",
                "Set AZURE_AUTHORITY_HOST to the URL of the authority, such as https://login.microsoftonline.com, or remove the variable.",
            ));
        }
        let mut cloud = CustomConfiguration::default();
        cloud.authority_host.clone_from(&self.authority);
        let mut retry = ExponentialRetryOptions { max_retries: RETRIES, ..ExponentialRetryOptions::default() };
        if let Some(pause) = self.retry_pause.and_then(|pause| pause.try_into().ok()) {
            retry.initial_delay = pause;
        }
        Ok(ClientOptions {
            transport: Some(Transport::new(Arc::new(Authority(self.http.clone())))),
            cloud: Some(Arc::new(CloudConfiguration::Custom(cloud))),
            retry: RetryOptions::exponential(retry),
            ..ClientOptions::default()
        })
    }
}
