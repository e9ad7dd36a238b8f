//! The identity that Azure gives to the place where the command runs. azure_identity's own reads the variables of the process
//! and knows neither Azure Arc nor Cloud Shell.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use azure_core::credentials::{AccessToken, Secret, TokenCredential, TokenRequestOptions};
use azure_core::error::ErrorKind;
use azure_core::time::OffsetDateTime;
use reqwest::{RequestBuilder, Response, StatusCode};
use serde_json::Value;
use url::Url;

use super::LONGEST_LIFE;
use crate::azure::response::{BytesError, LARGEST_SMALL_ANSWER, header, read_bytes, too_large};
use crate::settings::{FileError, read_file};

/// The metadata service of a virtual machine (Azure Instance Metadata Service).
const VIRTUAL_MACHINE: &str = "http://169.254.169.254";
/// The time that one answer may take. Where there is no such service, nothing answers at all.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// The number of times that a service is asked which is busy or being updated (same source, "Retry guidance").
const TRIES: u32 = 4;
/// The largest key file of the Arc agent (Azure Arc, "Authenticate against Azure resources with Azure Arc-enabled servers").
const LARGEST_KEY: u64 = 4096;

/// Asks the place where the command runs for a token.
pub(super) struct ManagedIdentity {
    source: Source,
    /// The user-assigned identity; none for that of the place itself.
    client_id: Option<String>,
    http: reqwest::Client,
    /// The time that one answer may take.
    patience: Duration,
}

/// The services that give the tokens, by the variables that they set.
enum Source {
    /// App Service, Functions, Container Apps and Automation.
    AppService {
        endpoint: Url,
        header: Secret,
    },
    /// A server that is connected with Azure Arc.
    Arc {
        endpoint: Url,
        keys: PathBuf,
    },
    CloudShell {
        endpoint: Url,
    },
    /// A virtual machine, or a scale set.
    VirtualMachine {
        endpoint: Url,
    },
}

impl ManagedIdentity {
    /// The identity that the variables speak of; none when they do not. `on_virtual_machine` when the user says that the
    /// command runs on one: there are no variables there.
    ///
    /// # Errors
    /// Why what they speak of cannot be used.
    pub(super) fn of(
        environment: &BTreeMap<String, String>,
        on_virtual_machine: bool,
        client_id: Option<String>,
        http: &reqwest::Client,
    ) -> Option<Result<ManagedIdentity, String>> {
        let variable = |name: &str| environment.get(name).filter(|value| !value.is_empty()).map(String::as_str);
        let url = |name: &str, text: &str| Url::parse(text).map_err(|_| format!("the variable {name} is not a URL"));
        let source = match (variable("IDENTITY_ENDPOINT"), variable("MSI_ENDPOINT")) {
            (Some(text), _) => match (variable("IDENTITY_HEADER"), variable("IMDS_ENDPOINT")) {
                (Some(_), _) if variable("IDENTITY_SERVER_THUMBPRINT").is_some() => {
                    Err("identities of Service Fabric are not supported".to_owned())
                }
                (Some(header), _) => url("IDENTITY_ENDPOINT", text)
                    .map(|endpoint| Source::AppService { endpoint, header: Secret::from(header.to_owned()) }),
                (None, Some(_)) => {
                    url("IDENTITY_ENDPOINT", text).map(|endpoint| Source::Arc { endpoint, keys: arc_keys() })
                }
                (None, None) => Err("IDENTITY_ENDPOINT is set without IDENTITY_HEADER".to_owned()),
            },
            (None, Some(_)) if variable("MSI_SECRET").is_some() => {
                Err("identities of Azure Machine Learning are not supported".to_owned())
            }
            (None, Some(text)) => url("MSI_ENDPOINT", text).map(|endpoint| Source::CloudShell { endpoint }),
            (None, None) => {
                // The variable by which the Azure SDKs, too, are told of another address.
                let other = variable("AZURE_POD_IDENTITY_AUTHORITY_HOST");
                if !on_virtual_machine && other.is_none() {
                    return None;
                }
                let text = other.unwrap_or(VIRTUAL_MACHINE).trim_end_matches('/');
                url("AZURE_POD_IDENTITY_AUTHORITY_HOST", &format!("{text}/metadata/identity/oauth2/token"))
                    .map(|endpoint| Source::VirtualMachine { endpoint })
            }
        };
        Some(source.map(|source| ManagedIdentity { source, client_id, http: http.clone(), patience: ANSWER_TIMEOUT }))
    }

    fn request(&self, resource: &str) -> RequestBuilder {
        let client_id = self.client_id.as_deref();
        let get = |endpoint: &Url, version: &str| {
            let mut url = endpoint.clone();
            url.query_pairs_mut().append_pair("api-version", version).append_pair("resource", resource);
            if let Some(client_id) = client_id {
                url.query_pairs_mut().append_pair("client_id", client_id);
            }
            self.http.get(url)
        };
        let request = match &self.source {
            Source::AppService { endpoint, header } => {
                get(endpoint, "2019-08-01").header("x-identity-header", header.secret())
            }
            Source::Arc { endpoint, .. } => get(endpoint, "2020-06-01"),
            Source::VirtualMachine { endpoint } => get(endpoint, "2018-02-01"),
            Source::CloudShell { endpoint } => self
                .http
                .post(endpoint.clone())
                .body(url::form_urlencoded::Serializer::new(String::new()).append_pair("resource", resource).finish()),
        };
        let request = match &self.source {
            Source::CloudShell { .. } => request.header("content-type", "application/x-www-form-urlencoded"),
            _ => request,
        };
        request.header("metadata", "true").timeout(self.patience)
    }

    /// Asks, and asks again where the service says that it is busy.
    async fn ask(&self, resource: &str, authorization: Option<&str>) -> azure_core::Result<Response> {
        for tries in 1.. {
            let mut request = self.request(resource);
            if let Some(authorization) = authorization {
                request = request.header("authorization", authorization);
            }
            let response =
                request.send().await.map_err(|error| azure_core::Error::new(ErrorKind::Connection, error))?;
            let is_busy = matches!(response.status().as_u16(), 410 | 429 | 500 | 502..=504);
            if !is_busy || tries == TRIES {
                return Ok(response);
            }
            tokio::time::sleep(Duration::from_millis(250 << tries)).await;
        }
        Err(refused("no answer"))
    }

    async fn token(&self, resource: &str) -> azure_core::Result<AccessToken> {
        let mut response = self.ask(resource, None).await?;
        if let Source::Arc { keys, .. } = &self.source
            && response.status() == StatusCode::UNAUTHORIZED
        {
            let challenge = header(response.headers(), "www-authenticate").unwrap_or_default();
            let key = arc_key(challenge, keys).map_err(refused)?;
            response = self.ask(resource, Some(&format!("Basic {key}"))).await?;
        }
        let status = response.status();
        let body = read_bytes(response, LARGEST_SMALL_ANSWER).await.map_err(|error| match error {
            BytesError::Lost(error) => azure_core::Error::new(ErrorKind::Connection, error),
            BytesError::TooMany => {
                refused(format!("the identity endpoint of this host sent {}", too_large(LARGEST_SMALL_ANSWER)))
            }
        })?;
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        if !status.is_success() {
            return Err(refused(refusal(status, &body)));
        }
        read_token(&body, OffsetDateTime::now_utc())
            .ok_or_else(|| refused(format!("the answer contains no token (status {})", status.as_u16())))
    }
}

#[async_trait::async_trait]
impl TokenCredential for ManagedIdentity {
    async fn get_token(&self, scopes: &[&str], _: Option<TokenRequestOptions<'_>>) -> azure_core::Result<AccessToken> {
        let scope = scopes.first().copied().unwrap_or_default();
        self.token(scope.strip_suffix("/.default").unwrap_or(scope)).await
    }
}

impl fmt::Debug for ManagedIdentity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ManagedIdentity").finish_non_exhaustive()
    }
}

fn refused(reason: impl Into<String>) -> azure_core::Error {
    azure_core::Error::with_message(ErrorKind::Credential, reason.into())
}

/// The refusal of the service: each has its own form.
fn refusal(status: StatusCode, body: &Value) -> String {
    let texts = ["/error_description", "/message", "/error/message"];
    let text = texts.iter().find_map(|pointer| body.pointer(pointer).and_then(Value::as_str));
    let text = text.map_or(String::new(), |text| format!(": {}", text.trim_end_matches('.')));
    match status.as_u16() {
        // What all of them answer where nothing, or not this, is assigned.
        400 | 404 => {
            format!("this host does not have the requested identity (status {status}){text}", status = status.as_u16())
        }
        status => format!("the identity endpoint of this host answered with the status {status}{text}"),
    }
}

/// Reads a token. Its end is a number, as text in most places, or only its life is said.
fn read_token(body: &Value, now: OffsetDateTime) -> Option<AccessToken> {
    let number = |name: &str| {
        let value = body.get(name)?;
        value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
    };
    let token = body.get("access_token")?.as_str()?.to_owned();
    let expires_on = match number("expires_on") {
        Some(moment) => OffsetDateTime::from_unix_timestamp(moment).ok()?,
        None => now + Duration::from_secs(u64::try_from(number("expires_in")?).ok()?).min(LONGEST_LIFE),
    };
    Some(AccessToken::new(token, expires_on))
}

/// The folder in which the Arc agent keeps its keys (source above).
fn arc_keys() -> PathBuf {
    if cfg!(windows) {
        let data = std::env::var_os("ProgramData").unwrap_or_else(|| "C:\\ProgramData".into());
        Path::new(&data).join("AzureConnectedMachineAgent").join("Tokens")
    } else {
        PathBuf::from("/var/opt/azcmagent/tokens")
    }
}

/// Reads the key that the agent's challenge names. Only a file of the agent's folder is read and shown to it: who else
/// answers there could ask for any file.
fn arc_key(challenge: &str, keys: &Path) -> Result<String, String> {
    let path = challenge.split_once("realm=").map(|(_, path)| Path::new(path.trim().trim_matches('"')));
    let path = path.ok_or("the Azure Arc agent does not name a key file")?;
    if path.parent() != Some(keys) || path.extension().is_none_or(|extension| extension != "key") {
        return Err(format!("the Azure Arc agent names a key file that is not in '{}'", keys.display()));
    }
    let key = read_file(path, LARGEST_KEY).map_err(|error| match error {
        FileError::TooLarge(_) => "the key file of the Azure Arc agent is too large".to_owned(),
        error => format!(
            "the key file of the Azure Arc agent cannot be read: {error}; this account must be in its group (himds on Linux)"
        ),
    })?;
    String::from_utf8(key).map_err(|_| "the key file of the Azure Arc agent has no text".to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;

    use serde_json::json;

    use super::super::reason::Reason;
    use super::*;

    fn of(variables: &[(&str, &str)], on_virtual_machine: bool) -> Result<String, String> {
        let environment = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let identity = ManagedIdentity::of(&environment, on_virtual_machine, Some("c".to_owned()), &client);
        let request = identity.ok_or("none")??.request("https://arm").build().unwrap();
        Ok(format!("{} {}", request.method(), request.url()))
    }

    #[test]
    fn each_place_is_known_by_its_variables() {
        assert_eq!(of(&[], false).unwrap_err(), "none");
        assert_eq!(
            of(&[], true).unwrap(),
            "GET http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Farm&client_id=c"
        );
        let app = [("IDENTITY_ENDPOINT", "http://127.0.0.1:1/msi/token"), ("IDENTITY_HEADER", "h")];
        assert_eq!(
            of(&app, true).unwrap(),
            "GET http://127.0.0.1:1/msi/token?api-version=2019-08-01&resource=https%3A%2F%2Farm&client_id=c"
        );
        let arc = [("IDENTITY_ENDPOINT", "http://localhost:40342/t"), ("IMDS_ENDPOINT", "http://localhost:40342")];
        assert!(of(&arc, false).unwrap().starts_with("GET http://localhost:40342/t?api-version=2020-06-01"));
        assert_eq!(
            of(&[("MSI_ENDPOINT", "http://localhost:50342/t")], false).unwrap(),
            "POST http://localhost:50342/t"
        );
        let fabric = [app[0], app[1], ("IDENTITY_SERVER_THUMBPRINT", "t")];
        assert!(of(&fabric, false).unwrap_err().contains("Service Fabric"));
        assert!(of(&app[..1], false).unwrap_err().contains("without IDENTITY_HEADER"));
        assert!(of(&[("MSI_ENDPOINT", "x"), ("MSI_SECRET", "s")], false).unwrap_err().contains("Machine Learning"));
        assert!(of(&[("MSI_ENDPOINT", "no url")], false).unwrap_err().contains("MSI_ENDPOINT is not a URL"));
    }

    #[test]
    fn the_end_of_a_token_is_read_in_every_form() {
        let now = OffsetDateTime::from_unix_timestamp(1000).unwrap();
        let end = |body: &Value| read_token(body, now).map(|token| token.expires_on.unix_timestamp());
        assert_eq!(end(&json!({"access_token": "t", "expires_on": "5000"})), Some(5000));
        assert_eq!(end(&json!({"access_token": "t", "expires_on": 5000})), Some(5000));
        assert_eq!(end(&json!({"access_token": "t", "expires_in": "60"})), Some(1060));
        assert_eq!(end(&json!({"access_token": "t"})), None);
        // What no clock has is cut or refused.
        let longest = i64::try_from(1000 + LONGEST_LIFE.as_secs()).unwrap();
        assert_eq!(end(&json!({"access_token": "t", "expires_in": i64::MAX})), Some(longest));
        assert_eq!(end(&json!({"access_token": "t", "expires_in": -1})), None);
        assert_eq!(end(&json!({"access_token": "t", "expires_on": i64::MAX})), None);
        assert_eq!(end(&json!({"access_token": "t", "expires_on": "-9e300"})), None);
        assert_eq!(end(&json!({"expires_on": 5000})), None);
    }

    fn identity(source: Source) -> ManagedIdentity {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        ManagedIdentity { source, client_id: None, http, patience: Duration::from_secs(20) }
    }

    fn ask(identity: &ManagedIdentity) -> Result<String, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let token = runtime.block_on(identity.get_token(&["https://arm/.default"], None));
        token.map(|token| token.token.secret().to_owned()).map_err(|error| Reason::of(&error).text())
    }

    fn endpoint(listener: &TcpListener) -> Url {
        Url::parse(&format!("http://{}/token", listener.local_addr().unwrap())).unwrap()
    }

    #[test]
    fn an_answer_without_end_is_not_read_to_it() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let identity = identity(Source::VirtualMachine { endpoint: endpoint(&listener) });
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            // An answer before the question is not taken.
            let _ = std::io::Read::read(&mut stream, &mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n{\"access_token\": \"");
            while stream.write_all(&[b'x'; 65_536]).is_ok() {}
        });
        let reason = ask(&identity).unwrap_err();
        assert!(reason.contains("the identity endpoint of this host sent an answer of more than 1 MiB"), "{reason}");
    }

    #[test]
    fn a_service_that_does_not_answer_is_given_up() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut identity = identity(Source::VirtualMachine { endpoint: endpoint(&listener) });
        identity.patience = Duration::from_millis(50);
        let reason = ask(&identity).unwrap_err();
        assert!(reason.ends_with("cannot be reached: the server does not answer"), "{reason}");
    }

    #[test]
    fn the_arc_agent_is_shown_the_key_that_it_names() {
        let folder = tempfile::tempdir().unwrap();
        let key = folder.path().join("a.key");
        std::fs::write(&key, "the-key").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let identity = identity(Source::Arc { endpoint: endpoint(&listener), keys: folder.path().to_owned() });
        let challenge = format!("HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Basic realm={}", key.display());
        let body = r#"{"access_token": "t", "expires_on": "4102444800"}"#;
        let server = std::thread::spawn(move || {
            let mut heads = Vec::new();
            for (head, body) in [(challenge.as_str(), ""), ("HTTP/1.1 200 OK", body)] {
                let (mut stream, _) = listener.accept().unwrap();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut lines = String::new();
                while !lines.ends_with("\r\n\r\n") {
                    reader.read_line(&mut lines).unwrap();
                }
                heads.push(lines);
                let length = body.len();
                write!(stream, "{head}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
            }
            heads
        });
        assert_eq!(ask(&identity).unwrap(), "t");
        let heads = server.join().unwrap();
        assert!(!heads[0].contains("authorization:") && heads[0].contains("metadata: true"), "{heads:?}");
        assert!(heads[1].contains("authorization: Basic the-key"), "{heads:?}");
    }

    #[test]
    fn only_keys_of_the_arc_agent_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
            format!("Basic realm={}", folder.path().join(name).display())
        };
        assert_eq!(arc_key(&file("a.key", "the-key"), folder.path()).unwrap(), "the-key");
        let elsewhere = "the Azure Arc agent names a key file that is not in ";
        assert!(arc_key(&file("a.txt", "secret"), folder.path()).unwrap_err().starts_with(elsewhere));
        assert!(arc_key("Basic realm=/etc/shadow.key", folder.path()).unwrap_err().starts_with(elsewhere));
        let up = format!("Basic realm={}/../a.key", folder.path().display());
        assert!(arc_key(&up, folder.path()).unwrap_err().starts_with(elsewhere));
        assert!(arc_key("Basic", folder.path()).unwrap_err().contains("does not name a key file"));
        assert!(
            arc_key(&file("b.key", &"k".repeat(LARGEST_KEY as usize + 1)), folder.path())
                .unwrap_err()
                .contains("too large")
        );
    }
}
