//! The clouds: endpoints, audiences and authorities. One table.

use serde_json::Value;
use thiserror::Error;
use url::Url;

use crate::protocol::{Code, ErrorReport, is_loopback, nearest};

/// A cloud the engine can deploy to.
#[derive(Debug, Clone)]
pub struct Cloud {
    /// The name that the user gave it.
    pub name: String,
    /// The Resource Manager endpoint, without a slash at its end.
    pub endpoint: Url,
    /// The audience of tokens, without `/.default`.
    pub audience: String,
    /// The authority that issues tokens, unless `AZURE_AUTHORITY_HOST` names another.
    pub authority: String,
    /// Only the endpoint is known: what stands here of audience and authority is a guess until the endpoint was asked.
    pub is_guess: bool,
}

struct Known {
    name: &'static str,
    az_name: &'static str,
    endpoint: &'static str,
    audience: &'static str,
    authority: &'static str,
    /// The ending of the addresses of storage accounts.
    storage: &'static str,
}

/// The name of the cloud that counts where none is named.
pub const DEFAULT_NAME: &str = "public";
/// The name of the local cloud.
pub const LOCAL_NAME: &str = "local";

/// The names of the clouds, the default first and the local cloud last.
pub fn names() -> impl Iterator<Item = &'static str> {
    CLOUDS.iter().map(|known| known.name).chain([LOCAL_NAME])
}

/// The names by which `Connect-AzAccount` and the Azure CLI know the clouds; they are accepted, too.
pub fn az_names() -> impl Iterator<Item = &'static str> {
    CLOUDS.iter().map(|known| known.az_name)
}

/// Source: Azure CLI `az cloud list`, `azure_core::cloud` and the documentation of each cloud.
const CLOUDS: &[Known] = &[
    Known {
        name: DEFAULT_NAME,
        az_name: "AzureCloud",
        endpoint: "https://management.azure.com",
        audience: "https://management.azure.com",
        authority: "https://login.microsoftonline.com",
        storage: "core.windows.net",
    },
    Known {
        name: "usgovernment",
        az_name: "AzureUSGovernment",
        endpoint: "https://management.usgovcloudapi.net",
        audience: "https://management.usgovcloudapi.net",
        authority: "https://login.microsoftonline.us",
        storage: "core.usgovcloudapi.net",
    },
    Known {
        name: "china",
        az_name: "AzureChinaCloud",
        endpoint: "https://management.chinacloudapi.cn",
        audience: "https://management.chinacloudapi.cn",
        authority: "https://login.chinacloudapi.cn",
        storage: "core.chinacloudapi.cn",
    },
];

/// The domains of the services of these clouds (the endpoints of `az cloud list`, and the audiences of "Azure services that support
/// Microsoft Entra authentication").
const DOMAINS_OF_AZURE: &[&str] = &[
    "azure.com",
    "azure.net",
    "windows.net",
    "microsoft.com",
    "microsoftonline.com",
    "office.com",
    "azure.us",
    "usgovcloudapi.net",
    "microsoft.us",
    "microsoftonline.us",
    "azure.cn",
    "chinacloudapi.cn",
    "partner.microsoftonline.cn",
];

/// The cloud that the context chooses.
#[derive(Debug, Clone)]
pub enum CloudChoice {
    /// The local cloud inside this process.
    Local,
    /// A cloud that is reached over the network.
    Remote(Cloud),
}

/// Why there is no cloud.
#[derive(Debug, Error)]
pub enum CloudError {
    /// Neither a known name nor a URL.
    #[error("'{text}' is not a cloud{} Use public, usgovernment, china, local, or the URL of a Resource Manager endpoint.", hint.map_or(".".to_owned(), |hint| format!(", did you mean '{hint}'?")))]
    Unknown {
        /// As given.
        text: String,
        /// The nearest known name.
        hint: Option<&'static str>,
    },
    /// A URL that cannot be used.
    #[error("The Resource Manager endpoint '{text}' cannot be used: {reason}.")]
    BadEndpoint {
        /// As given, without credentials.
        text: String,
        /// Why.
        reason: &'static str,
    },
}

impl CloudError {
    /// The error as the host shows it.
    #[must_use]
    pub fn report(&self) -> ErrorReport {
        let code = match self {
            CloudError::Unknown { .. } => Code::CloudUnknown,
            CloudError::BadEndpoint { .. } => Code::EndpointInvalid,
        };
        ErrorReport::terminating(code, self.to_string())
            .recommending("Set the cloud with Set-SvcContext -Cloud or SVC_CLOUD.")
    }
}

/// Finds the cloud: by the name of the context or its endpoint, else that of the host's Azure session, else public.
///
/// # Errors
/// [`CloudError`].
pub fn choose(
    cloud: Option<&str>,
    endpoint: Option<&str>,
    az_cloud: Option<&str>,
    az_endpoint: Option<&str>,
) -> Result<CloudChoice, CloudError> {
    let mut chosen = match cloud.map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) if text.eq_ignore_ascii_case(LOCAL_NAME) => return Ok(CloudChoice::Local),
        Some(text) => named(text)?,
        None => match az_cloud.and_then(|name| CLOUDS.iter().find(|known| known.az_name.eq_ignore_ascii_case(name))) {
            Some(known) => known.cloud()?,
            None => match az_endpoint {
                Some(text) => at(text)?,
                None => CLOUDS[0].cloud()?,
            },
        },
    };
    if let Some(text) = endpoint {
        chosen.endpoint = endpoint_url(text)?;
    }
    Ok(CloudChoice::Remote(chosen))
}

fn named(text: &str) -> Result<Cloud, CloudError> {
    let is_called = |known: &&Known| known.name.eq_ignore_ascii_case(text) || known.az_name.eq_ignore_ascii_case(text);
    if let Some(known) = CLOUDS.iter().find(is_called) {
        return known.cloud();
    }
    if text.contains("://") {
        return at(text);
    }
    Err(CloudError::Unknown { text: text.to_owned(), hint: nearest(text, names()) })
}

/// A cloud of which only the endpoint is known; until it says more itself, its audience is the endpoint and its authority that
/// of the public cloud.
fn at(text: &str) -> Result<Cloud, CloudError> {
    let endpoint = endpoint_url(text)?;
    let host = endpoint.host_str().unwrap_or_default();
    let is_own = |known: &&Known| known.endpoint.strip_prefix("https://").is_some_and(|own| is_below(host, own));
    if let Some(known) = CLOUDS.iter().find(is_own) {
        let cloud = known.cloud()?;
        // The endpoint of a region is one of the same cloud.
        return Ok(if cloud.endpoint.host() == endpoint.host() { cloud } else { Cloud { endpoint, ..cloud } });
    }
    let audience = endpoint.as_str().trim_end_matches('/').to_owned();
    Ok(Cloud { name: audience.clone(), endpoint, audience, authority: CLOUDS[0].authority.to_owned(), is_guess: true })
}

/// The ending of the addresses of storage accounts in the cloud of an endpoint; of one that is in no table it is taken that it is as in the
/// public cloud.
pub(crate) fn storage_domain(endpoint: &Url) -> &'static str {
    let host = endpoint.host_str().unwrap_or_default();
    let is_own = |known: &&Known| known.endpoint.strip_prefix("https://").is_some_and(|own| is_below(host, own));
    CLOUDS.iter().find(is_own).unwrap_or(&CLOUDS[0]).storage
}

fn endpoint_url(text: &str) -> Result<Url, CloudError> {
    let bad = |text: &str, reason| Err(CloudError::BadEndpoint { text: text.to_owned(), reason });
    let Ok(mut url) = Url::parse(text.trim()) else { return bad(text, "it is not a URL") };
    if !url.username().is_empty() || url.password().is_some() {
        return bad(url.host_str().unwrap_or_default(), "it must not contain a user name or a password");
    }
    match url.scheme() {
        "https" => {}
        "http" if is_loopback(&url) => {}
        "http" => return bad(text, "it must begin with https://; http works for loopback addresses only"),
        _ => return bad(text, "it must begin with https://"),
    }
    if url.host().is_none() || url.query().is_some() || url.fragment().is_some() {
        return bad(text, "it may only contain a scheme, a host, a port and a path");
    }
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    Ok(url)
}

fn is_https(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| url.scheme() == "https" && url.host().is_some())
}

/// Whether a host is a domain or in it.
fn is_below(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Whether tokens for an audience are for the services of a cloud in the table, which no endpoint of somebody else is given.
fn is_of_azure(audience: &str) -> bool {
    let url = Url::parse(audience);
    let host = url.as_ref().ok().and_then(Url::host_str).unwrap_or_default().trim_end_matches('.');
    DOMAINS_OF_AZURE.iter().any(|domain| is_below(host, domain))
}

/// The api-version of the description that a Resource Manager gives of its cloud, without a credential: that of Azure CLI
/// (`azure/cli/core/cloud.py`, `get_cloud_endpoints`).
const METADATA_API_VERSION: &str = "2022-09-01";

impl Cloud {
    /// The URL at which the endpoint describes its cloud.
    #[must_use]
    pub fn metadata_url(&self) -> Url {
        let mut url = self.endpoint.clone();
        url.set_path(&format!("{}/metadata/endpoints", self.endpoint.path().trim_end_matches('/')));
        url.set_query(Some(&format!("api-version={METADATA_API_VERSION}")));
        url
    }

    /// Takes audience and authority from the endpoint's own description. False when it says nothing that can be used: an audience of
    /// Azure's is that of another cloud, whose tokens would be given away.
    pub fn describe(&mut self, metadata: &Value) -> bool {
        // A list in versions before 2022-09-01, which some endpoints still answer with.
        let metadata = metadata.get(0).unwrap_or(metadata);
        let text = |pointer: &str| metadata.pointer(pointer).and_then(Value::as_str).filter(|text| is_https(text));
        let audience = text("/authentication/audiences/0").filter(|audience| !is_of_azure(audience));
        let (Some(authority), Some(audience)) = (text("/authentication/loginEndpoint"), audience) else { return false };
        authority.trim_end_matches('/').clone_into(&mut self.authority);
        audience.trim_end_matches('/').clone_into(&mut self.audience);
        self.is_guess = false;
        true
    }

    /// A Resource Manager on this machine; it is asked without a credential.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.endpoint)
    }
}

impl Known {
    fn cloud(&self) -> Result<Cloud, CloudError> {
        Ok(Cloud {
            name: self.name.to_owned(),
            endpoint: endpoint_url(self.endpoint)?,
            audience: self.audience.to_owned(),
            authority: self.authority.to_owned(),
            is_guess: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn remote(cloud: Option<&str>, endpoint: Option<&str>) -> Result<Cloud, String> {
        match choose(cloud, endpoint, None, None) {
            Ok(CloudChoice::Remote(cloud)) => Ok(cloud),
            Ok(CloudChoice::Local) => Err("local".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn names_and_endpoints() {
        assert_eq!(remote(None, None).unwrap().name, "public");
        assert_eq!(remote(Some("USGovernment"), None).unwrap().audience, "https://management.usgovcloudapi.net");
        assert_eq!(remote(Some("https://management.azure.com/"), None).unwrap().name, "public");
        assert!(remote(Some("http://127.0.0.1:8090"), None).unwrap().is_loopback());
        assert_eq!(remote(Some("LOCAL"), None).unwrap_err(), "local");
        let custom = remote(Some("public"), Some("https://private.example/arm/")).unwrap();
        assert_eq!(
            (custom.endpoint.as_str(), custom.audience.as_str()),
            ("https://private.example/arm", "https://management.azure.com")
        );
    }

    #[test]
    fn an_az_session_names_its_cloud() {
        let Ok(CloudChoice::Remote(cloud)) = choose(None, None, Some("AzureChinaCloud"), None) else {
            panic!("no cloud")
        };
        assert_eq!(cloud.name, "china");
        let Ok(CloudChoice::Remote(cloud)) = choose(None, None, Some("Ours"), Some("https://arm.ours.example")) else {
            panic!("no cloud")
        };
        assert_eq!(cloud.audience, "https://arm.ours.example");
    }

    #[test]
    fn an_endpoint_describes_its_cloud() {
        let custom = choose(Some("https://arm.ours.example/"), None, None, None);
        let Ok(CloudChoice::Remote(mut cloud)) = custom else { panic!("no cloud") };
        assert!(cloud.is_guess);
        assert_eq!(cloud.metadata_url().as_str(), "https://arm.ours.example/metadata/endpoints?api-version=2022-09-01");
        let plain_http =
            json!({"authentication": {"loginEndpoint": "http://login.ours.example", "audiences": ["https://a"]}});
        assert!(!cloud.describe(&plain_http) && !cloud.describe(&json!("hello")) && cloud.is_guess);
        let described = json!([{"authentication": {"loginEndpoint": "https://login.ours.example/", "audiences": ["https://api.ours.example/"]}}]);
        assert!(cloud.describe(&described) && !cloud.is_guess);
        assert_eq!(
            (cloud.authority.as_str(), cloud.audience.as_str()),
            ("https://login.ours.example", "https://api.ours.example")
        );
    }

    #[test]
    fn no_endpoint_of_ones_own_is_given_tokens_for_azure() {
        let audiences = [
            "https://management.azure.com/",
            "https://MANAGEMENT.azure.com.",
            "https://management.core.windows.net",
            "https://vault.azure.net",
            "https://graph.microsoft.com",
            "https://management.chinacloudapi.cn",
        ];
        for endpoint in
            ["https://arm.ours.example", "https://evil.cloudapp.azure.com", "https://management.azure.com.evil.example"]
        {
            let mut cloud = remote(Some(endpoint), None).unwrap();
            for audience in audiences {
                let metadata = json!({"authentication": {"loginEndpoint": "https://login.microsoftonline.com", "audiences": [audience]}});
                assert!(!cloud.describe(&metadata), "{endpoint} {audience}");
                assert_eq!(cloud.audience, endpoint);
            }
        }
        let region = remote(Some("https://uksouth.management.azure.com"), None).unwrap();
        assert_eq!((region.audience.as_str(), region.is_guess), ("https://management.azure.com", false));
        assert_eq!(region.endpoint.as_str(), "https://uksouth.management.azure.com/");
        assert!(remote(Some("https://notmanagement.azure.com"), None).unwrap().is_guess);
    }

    #[test]
    fn what_is_no_cloud() {
        assert_eq!(
            remote(Some("pubic"), None).unwrap_err(),
            "'pubic' is not a cloud, did you mean 'public'? Use public, usgovernment, china, local, or the URL of a Resource Manager endpoint."
        );
        assert!(
            remote(Some("http://example.com"), None).unwrap_err().contains("http works for loopback addresses only")
        );
        assert!(remote(Some("ftp://example.com"), None).unwrap_err().contains("https://"));
        let secret = remote(Some("https://user:hunter2@example.com"), None).unwrap_err();
        assert!(!secret.contains("hunter2"), "{secret}");
    }
}
