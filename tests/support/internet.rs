//! Azure as seen through a proxy: one server on loopback stands for the proxy, for the authorities and for Resource Manager, so
//! that runs meet the real host names, TLS and tokens. What Resource Manager is asked goes on to a local cloud.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::HeaderMap;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use serde_json::{Value, json};
use svc_local_cloud::{LOCAL_SUBSCRIPTION_ID, LocalCloud};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// The hosts that there are; any other name does not resolve.
pub(crate) const HOSTS: &[&str] = &[
    "management.azure.com",
    "management.usgovcloudapi.net",
    "management.chinacloudapi.cn",
    "arm.ours.example",
    "login.microsoftonline.com",
    "login.microsoftonline.us",
    "login.chinacloudapi.cn",
    "login.ours.example",
    "localhost",
];

/// One request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) host: String,
    pub(crate) method: String,
    /// Path and query.
    pub(crate) target: String,
    pub(crate) body: String,
    headers: HeaderMap,
}

impl Seen {
    /// A header; empty where there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The bearer token.
    pub(crate) fn token(&self) -> &str {
        self.header("authorization").trim_start_matches("Bearer ")
    }

    /// A field of a form.
    pub(crate) fn field(&self, name: &str) -> String {
        let mut fields = url::form_urlencoded::parse(self.body.as_bytes());
        fields.find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
    }
}

/// An answer that is given instead of the usual one.
#[derive(Clone, Debug)]
pub(crate) struct Scripted {
    /// Method, blank, host and path and query: the request has to contain each part of it that a `*` separates.
    pub(crate) pattern: String,
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
}

struct Shared {
    cloud: Option<String>,
    proxy_authorization: Option<String>,
    scripted: Mutex<VecDeque<Scripted>>,
    seen: Mutex<Vec<Seen>>,
    tunnels: Mutex<Vec<String>>,
    tokens: Mutex<u32>,
    client: reqwest::Client,
}

/// The server. It stops when it is dropped.
pub(crate) struct Internet {
    port: u16,
    folder: tempfile::TempDir,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Internet {
    /// Resource Manager with what this local cloud has.
    pub(crate) fn with(cloud: &LocalCloud) -> Internet {
        Internet::start(Some(cloud.endpoint()), None)
    }

    /// With a proxy that asks for a user and a password, as in `user:password`.
    pub(crate) fn behind_password(cloud: &LocalCloud, user_and_password: &str) -> Internet {
        Internet::start(Some(cloud.endpoint()), Some(user_and_password))
    }

    fn start(cloud: Option<&str>, user_and_password: Option<&str>) -> Internet {
        let (folder, tls) = certificates();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let basic = |text: &str| format!("Basic {}", BASE64_STANDARD.encode(text));
        let shared = Arc::new(Shared {
            cloud: cloud.map(str::to_owned),
            proxy_authorization: user_and_password.map(basic),
            scripted: Mutex::default(),
            seen: Mutex::default(),
            tunnels: Mutex::default(),
            tokens: Mutex::default(),
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
        });
        let (stop, stopped) = oneshot::channel();
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    _ = stopped => {}
                    () = accept(listener, TlsAcceptor::from(tls), for_thread) => {}
                }
            });
        });
        Internet { port, folder, shared, stop: Some(stop), thread: Some(thread) }
    }

    /// The certificates of the authority that vouches for the hosts.
    pub(crate) fn certificate_file(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    /// The server as it is reached past the proxy.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The variables of a caller who is behind the proxy, with these over them.
    pub(crate) fn environment(&self, more: &Value) -> Value {
        let mut variables = json!({
            "HTTPS_PROXY": format!("http://127.0.0.1:{}", self.port),
            "SSL_CERT_FILE": self.certificate_file(),
            // Nothing of this machine's: neither its Azure CLI nor its sign-in.
            "PATH": self.folder.path(),
            "HOME": self.folder.path(),
        });
        variables.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        variables
    }

    /// The variables of a caller who signs in with a client secret.
    pub(crate) fn signed_in(&self) -> Value {
        self.environment(&json!({
            "AZURE_TENANT_ID": "contoso-tenant",
            "AZURE_CLIENT_ID": "deployer-client",
            "AZURE_CLIENT_SECRET": "planted-client-secret",
        }))
    }

    /// A request for the settings file in the public cloud.
    pub(crate) fn request(&self, settings_file: &std::path::Path, environment: Value) -> Value {
        json!({
            "settingsFile": settings_file,
            "context": { "cloud": "public", "subscriptionId": LOCAL_SUBSCRIPTION_ID },
            "environment": environment,
        })
    }

    /// Answers the next requests that fit in another way, each once.
    pub(crate) fn answer(&self, pattern: &str, status: u16, body: &Value) {
        self.answer_with(pattern, status, &[], &body.to_string());
    }

    pub(crate) fn answer_with(&self, pattern: &str, status: u16, headers: &[(&'static str, &str)], body: &str) {
        let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        let scripted = Scripted { pattern: pattern.to_owned(), status, headers, body: body.to_owned() };
        self.shared.scripted.lock().unwrap().push_back(scripted);
    }

    /// All requests so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// The requests to one host.
    pub(crate) fn seen_by(&self, host: &str) -> Vec<Seen> {
        self.seen().into_iter().filter(|seen| seen.host == host).collect()
    }

    /// The hosts that the proxy was asked for, each once for each connection.
    pub(crate) fn tunnels(&self) -> Vec<String> {
        self.shared.tunnels.lock().unwrap().clone()
    }
}

impl Drop for Internet {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Makes an authority and a certificate for all hosts.
fn certificates() -> (tempfile::TempDir, Arc<ServerConfig>) {
    let authority_key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = params.self_signed(&authority_key).unwrap();
    let issuer = Issuer::new(params, authority_key);
    let key = KeyPair::generate().unwrap();
    let hosts = HOSTS.iter().map(|host| (*host).to_owned()).collect::<Vec<_>>();
    let certificate = CertificateParams::new(hosts).unwrap().signed_by(&key, &issuer).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("authority.pem"), authority.pem()).unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    (folder, Arc::new(config.with_single_cert(vec![certificate.der().clone()], key).unwrap()))
}

async fn accept(listener: TcpListener, tls: TlsAcceptor, shared: Arc<Shared>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let (tls, shared) = (tls.clone(), Arc::clone(&shared));
        tokio::spawn(async move {
            // A client that goes away is no failure of the server.
            let _ = serve(stream, tls, shared).await;
        });
    }
}

/// Serves one connection: through a tunnel, with TLS, or, for what is asked past the proxy, with neither.
async fn serve(
    mut stream: TcpStream,
    tls: TlsAcceptor,
    shared: Arc<Shared>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut first = [0; 1];
    stream.peek(&mut first).await?;
    match first[0] {
        b'C' => {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await?);
            }
            let head = String::from_utf8(head)?;
            let host = head.split([' ', ':']).nth(1).unwrap_or_default().to_owned();
            shared.tunnels.lock().unwrap().push(host.clone());
            let given = head.lines().find_map(|line| {
                let (name, value) = line.split_once(": ")?;
                name.eq_ignore_ascii_case("proxy-authorization").then(|| value.to_owned())
            });
            if shared.proxy_authorization.is_some() && given != shared.proxy_authorization {
                stream.write_all(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n").await?;
                return Ok(());
            }
            if !HOSTS.contains(&host.as_str()) {
                stream.write_all(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n").await?;
                return Ok(());
            }
            stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
            talk(tls.accept(stream).await?, shared).await
        }
        0x16 => talk(tls.accept(stream).await?, shared).await,
        _ => talk(stream, shared).await,
    }
}

async fn talk<S>(stream: S, shared: Arc<Shared>) -> Result<(), Box<dyn std::error::Error + Send + Sync>>
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + 'static,
{
    let service = service_fn(move |request| respond(Arc::clone(&shared), request));
    http1::Builder::new().serve_connection(TokioIo::new(stream), service).await?;
    Ok(())
}

type Response = hyper::Response<Full<Bytes>>;

async fn respond(
    shared: Arc<Shared>,
    request: hyper::Request<Incoming>,
) -> Result<Response, Box<dyn std::error::Error + Send + Sync>> {
    let (parts, body) = request.into_parts();
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let host = text("host").unwrap_or_default();
    let seen = Seen {
        host: host.split(':').next().unwrap_or_default().to_owned(),
        method: parts.method.to_string(),
        target: parts.uri.path_and_query().map(ToString::to_string).unwrap_or_default(),
        headers: parts.headers.clone(),
        body: String::from_utf8(body.collect().await?.to_bytes().to_vec())?,
    };
    shared.seen.lock().unwrap().push(seen.clone());
    if let Some(scripted) = shared.scripted_for(&seen) {
        let mut response =
            hyper::Response::builder().status(scripted.status).header("x-ms-request-id", "scripted-request");
        for (name, value) in &scripted.headers {
            response = response.header(*name, value);
        }
        return Ok(response.header("content-type", "application/json").body(Full::new(scripted.body.into()))?);
    }
    if seen.host.starts_with("login.") || !HOSTS.contains(&seen.host.as_str()) || seen.host == "localhost" {
        let number = {
            let mut tokens = shared.tokens.lock().unwrap();
            *tokens += 1;
            *tokens
        };
        let body = json!({"token_type": "Bearer", "expires_in": 3600, "ext_expires_in": 3600,
            "access_token": format!("planted-token-{number}")});
        return Ok(hyper::Response::builder()
            .header("content-type", "application/json")
            .body(Full::new(body.to_string().into()))?);
    }
    let is_description = seen.target.starts_with("/metadata/");
    if seen.token().is_empty() && !is_description {
        let body = json!({"error": {"code": "AuthenticationFailed", "message": "Authentication failed. The 'Authorization' header is missing."}});
        return Ok(hyper::Response::builder().status(401).body(Full::new(body.to_string().into()))?);
    }
    let endpoint = shared.cloud.as_deref().unwrap_or_default();
    let mut onward = shared
        .client
        .request(parts.method.clone(), format!("{endpoint}{}", seen.target))
        .header("host", host)
        .header("x-forwarded-proto", "https")
        .body(seen.body.clone());
    for name in ["content-type", "x-ms-client-request-id", "x-ms-return-client-request-id"] {
        if let Some(value) = text(name) {
            onward = onward.header(name, value);
        }
    }
    let answer = onward.send().await?;
    let mut response = hyper::Response::builder().status(answer.status());
    for (name, value) in answer.headers() {
        if !["transfer-encoding", "content-length", "connection"].contains(&name.as_str()) {
            response = response.header(name, value);
        }
    }
    Ok(response.body(Full::new(answer.bytes().await?))?)
}

impl Shared {
    fn scripted_for(&self, seen: &Seen) -> Option<Scripted> {
        let line = format!("{} {}{}", seen.method, seen.host, seen.target);
        let mut scripted = self.scripted.lock().unwrap();
        let position = scripted.iter().position(|item| item.pattern.split('*').all(|part| line.contains(part)))?;
        scripted.remove(position)
    }
}
