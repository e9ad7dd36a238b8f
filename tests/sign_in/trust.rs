//! Servers that cannot be trusted or reached, on loopback: what people read of them, where Resource Manager is asked and
//! where the authority is.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use serde_json::{Value, json};
use svc_engine::protocol::{ErrorCategory, ErrorReport};
use svc_local_cloud::LOCAL_SUBSCRIPTION_ID;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::sign_in::run_impatient;
use crate::support::*;

/// A certificate of an authority of its own.
struct Identity {
    folder: tempfile::TempDir,
    config: Arc<ServerConfig>,
}

impl Identity {
    /// The certificate of a host, changed in this way.
    fn of(host: &str, change: impl FnOnce(&mut CertificateParams)) -> Identity {
        let authority_key = KeyPair::generate().unwrap();
        let mut authority = CertificateParams::new(Vec::new()).unwrap();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = authority.self_signed(&authority_key).unwrap().pem();
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![host.to_owned()]).unwrap();
        change(&mut params);
        let certificate = params.signed_by(&key, &Issuer::new(authority, authority_key)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("authority.pem"), pem).unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let config = ServerConfig::builder().with_no_client_auth();
        let config = config.with_single_cert(vec![certificate.der().clone()], key).unwrap();
        Identity { folder, config: Arc::new(config) }
    }

    fn authority(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }
}

/// A server that does this with each connection, until it is dropped.
struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    fn new(serve: impl Fn(TcpStream) + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                stream.set_read_timeout(Some(PATIENCE)).unwrap();
                serve(stream);
            }
        });
        Server { address, stop, thread: Some(thread) }
    }

    /// One that shows this certificate. What comes after the handshake is not answered.
    fn with(identity: &Identity) -> Server {
        let config = Arc::clone(&identity.config);
        Server::new(move |stream| {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            // The client goes away as soon as it has seen the certificate.
            let _ = StreamOwned::new(connection, stream).read(&mut [0; 1024]);
        })
    }

    /// One that answers, but not with TLS.
    fn plain() -> Server {
        Server::new(|mut stream| {
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
        })
    }

    fn url(&self) -> String {
        format!("https://localhost:{}", self.address.port())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // The last connection only ends the wait for it.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(5));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The error of a run whose Resource Manager is at this URL.
fn at_endpoint(url: &str, authority: Option<PathBuf>) -> ErrorReport {
    let project = Project::with(&document(""));
    let request = json!({
        "settingsFile": project.path("storage.yml"),
        "context": {"cloud": url},
        "environment": {"SSL_CERT_FILE": authority},
    });
    let outcome = run_impatient(&without_nulls(request));
    said_in_words(&outcome);
    outcome.last_error().clone()
}

/// The error of a run whose authority is at this URL.
fn at_authority(url: &str, authority: Option<PathBuf>) -> ErrorReport {
    let project = Project::with(&document(""));
    let request = json!({
        "settingsFile": project.path("storage.yml"),
        "context": {"cloud": "public", "subscriptionId": LOCAL_SUBSCRIPTION_ID},
        "environment": {"SSL_CERT_FILE": authority, "AZURE_AUTHORITY_HOST": url, "AZURE_TENANT_ID": "contoso",
            "AZURE_CLIENT_ID": "deployer", "AZURE_CLIENT_SECRET": "planted-secret"},
    });
    let outcome = run_impatient(&without_nulls(request));
    said_in_words(&outcome);
    outcome.last_error().clone()
}

fn without_nulls(mut request: Value) -> Value {
    request["environment"].as_object_mut().unwrap().retain(|_, value| !value.is_null());
    request
}

/// Nothing that is said has the words of the libraries.
fn said_in_words(outcome: &Outcome) {
    let said = format!("{:?} {:?} {:?}", outcome.last_error(), outcome.verbose(), outcome.warnings());
    for word in ["hyper", "InvalidCertificate", "UnknownIssuer", "ExpiredContext", "NotValidForName", "Error(", "Os {"]
    {
        assert!(!said.contains(word), "{word}: {said}");
    }
}

/// Looks at both errors: that of Resource Manager and that of the authority.
fn both(url: &str, authority: Option<PathBuf>, reason: &str, advice: &str) {
    let host = url.trim_start_matches("https://");
    let arm = at_endpoint(url, authority.clone());
    let entra = at_authority(url, authority);
    assert!(arm.failure.message.ends_with(&format!("{host} cannot be reached: {reason}.")), "{arm:?}");
    let expected =
        format!("The client secret of AZURE_CLIENT_SECRET returned no token: {host} cannot be reached: {reason}.");
    assert_eq!(entra.failure.message, expected);
    for report in [arm, entra] {
        assert_eq!(
            (report.failure.code.as_str(), report.failure.category),
            ("ConnectionFailed", ErrorCategory::ConnectionError)
        );
        assert!(report.failure.recommendation.as_ref().unwrap().contains(advice), "{report:?}");
    }
}

#[test]
fn a_certificate_of_an_unknown_issuer() {
    let identity = Identity::of("localhost", |_| {});
    let server = Server::with(&identity);
    let reason = "its certificate is not trusted: the issuer is unknown";
    both(&server.url(), None, reason, "set SSL_CERT_FILE to a PEM file with the certificate of the issuer");
}

#[test]
fn a_certificate_that_has_expired_or_is_not_valid_yet() {
    let identity = Identity::of("localhost", |params| {
        params.not_before = date_time_ymd(2019, 1, 1);
        params.not_after = date_time_ymd(2020, 2, 29);
    });
    let server = Server::with(&identity);
    let advice = "Check the clock of this machine.";
    both(&server.url(), Some(identity.authority()), "its certificate expired on 2020-02-29", advice);

    let identity = Identity::of("localhost", |params| params.not_before = date_time_ymd(4000, 1, 1));
    let server = Server::with(&identity);
    let reason = "its certificate is not valid yet; it begins on 4000-01-01";
    both(&server.url(), Some(identity.authority()), reason, advice);
}

#[test]
fn a_certificate_for_another_host() {
    let identity = Identity::of("portal.guest-network.example", |_| {});
    let server = Server::with(&identity);
    let reason = "its certificate is for another host name: portal.guest-network.example";
    both(&server.url(), Some(identity.authority()), reason, "another server seems to be answering");
}

#[test]
fn a_server_that_does_not_speak_tls_and_one_that_is_not_there() {
    let server = Server::plain();
    both(&server.url(), None, "its answer is not TLS", "blocks TLS 1.2");
    let port = server.address.port();
    drop(server);
    // Nobody listens there any more.
    both(
        &format!("https://localhost:{port}"),
        None,
        "the server refused the connection",
        "If this network needs a proxy",
    );
}
