//! The connections of a run: TLS, proxies and certificates as the request's environment says.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use reqwest::{Certificate, Client, ClientBuilder, NoProxy, Proxy};
use url::Url;

use crate::protocol::{Code, ErrorReport, Secrets};
use crate::settings::{FileError, read_file};

/// The time that a connection may take to be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// All certificates of a system are less than 1 MiB.
const LARGEST_CERTIFICATES: u64 = 16 << 20;

/// Builds the one client of a run. Proxy variables are those of the request, in upper or lower case; passwords in them
/// become secrets. `SSL_CERT_FILE` adds certificates to those of the system.
///
/// # Errors
/// `ProxyInvalid` and `CertificateFileInvalid`, each with the variable.
pub fn http_client(
    environment: &BTreeMap<String, String>,
    loopback: bool,
    secrets: &Secrets,
) -> Result<Client, Box<ErrorReport>> {
    let mut builder = client_builder().min_tls_version(reqwest::tls::Version::TLS_1_2);
    let variable = |name: &str| {
        [name, &name.to_ascii_lowercase()]
            .iter()
            .find_map(|name| environment.get(*name).map(String::as_str).filter(|value| !value.is_empty()))
    };
    if !loopback {
        let exceptions = variable("NO_PROXY").and_then(NoProxy::from_string);
        for name in ["HTTPS_PROXY", "ALL_PROXY"] {
            if let Some(text) = variable(name) {
                let url = proxy_url(name, text, secrets)?;
                let proxy = if name == "HTTPS_PROXY" { Proxy::https(url) } else { Proxy::all(url) };
                let proxy = proxy.map_err(|_| invalid_proxy(name))?;
                builder = builder.proxy(proxy.no_proxy(exceptions.clone()));
            }
        }
    }
    if let Some(path) = variable("SSL_CERT_FILE") {
        for certificate in certificates(path)? {
            builder = builder.add_root_certificate(certificate);
        }
    }
    built(builder)
}

/// Builds the client of an endpoint that is reached by http, which only one on this machine is. The certificates of the
/// system are not read for it: that takes longer than everything else before the first request.
///
/// # Errors
/// `ConnectionSetupFailed`.
pub fn plain_http_client() -> Result<Client, Box<ErrorReport>> {
    built(client_builder().tls_certs_only([]))
}

fn client_builder() -> ClientBuilder {
    Client::builder()
        .user_agent(concat!("svc-deploy/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
}

fn built(builder: ClientBuilder) -> Result<Client, Box<ErrorReport>> {
    builder.build().map_err(|error| {
        let message = format!("Connections cannot be set up: {error}.");
        Box::new(ErrorReport::terminating(Code::ConnectionSetupFailed, message))
    })
}

fn proxy_url(name: &str, text: &str, secrets: &Secrets) -> Result<Url, Box<ErrorReport>> {
    let with_scheme = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let url = Url::parse(&with_scheme).map_err(|_| invalid_proxy(name))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(invalid_proxy(name));
    }
    if let Some(password) = url.password() {
        secrets.add(password);
        secrets.add(&percent_encoding::percent_decode_str(password).decode_utf8_lossy());
    }
    Ok(url)
}

fn invalid_proxy(name: &str) -> Box<ErrorReport> {
    // The value is not shown: it may hold a password.
    let message = format!("The value of {name} is not the URL of a proxy.");
    Box::new(
        ErrorReport::terminating(Code::ProxyInvalid, message).about(name).recommending(
            "Use the form http://host:port, with user:password@ before the host if the proxy requires it.",
        ),
    )
}

fn certificates(path: &str) -> Result<Vec<Certificate>, Box<ErrorReport>> {
    let invalid = |reason: String| {
        let message = format!("The certificates in '{path}' cannot be read: {reason}.");
        Box::new(
            ErrorReport::terminating(Code::CertificateFileInvalid, message)
                .about(path)
                .recommending("Set SSL_CERT_FILE to the absolute path of a PEM file with certificates."),
        )
    };
    let file = Path::new(path);
    if !file.is_absolute() {
        return Err(invalid("the path must be absolute".to_owned()));
    }
    let bytes = read_file(file, LARGEST_CERTIFICATES).map_err(|error| match error {
        FileError::NotFound => invalid("the file does not exist".to_owned()),
        error => invalid(error.to_string()),
    })?;
    let certificates = Certificate::from_pem_bundle(&bytes).map_err(|error| invalid(error.to_string()))?;
    if certificates.is_empty() {
        Err(invalid("the file contains no certificates".to_owned()))
    } else {
        Ok(certificates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(name: &str, value: &str) -> ErrorReport {
        let environment = BTreeMap::from([(name.to_owned(), value.to_owned())]);
        *http_client(&environment, false, &Secrets::default()).unwrap_err()
    }

    #[test]
    fn what_is_wrong_with_the_environment_is_said_without_its_secrets() {
        let folder = tempfile::tempdir().unwrap();
        let absent = folder.path().join("none.pem");
        let report = problem("HTTPS_PROXY", "http://user:hunter2-secret@:99999");
        assert_eq!(report.failure.message, "The value of HTTPS_PROXY is not the URL of a proxy.");
        let report = problem("SSL_CERT_FILE", &absent.display().to_string());
        assert_eq!(report.failure.code, Code::CertificateFileInvalid);
        assert!(report.failure.message.ends_with("cannot be read: the file does not exist."), "{report:?}");
        let report = problem("SSL_CERT_FILE", "authority.pem");
        assert_eq!(
            report.failure.message,
            "The certificates in 'authority.pem' cannot be read: the path must be absolute."
        );
        let report = problem("SSL_CERT_FILE", &folder.path().display().to_string());
        assert!(report.failure.message.ends_with("cannot be read: it is a folder."), "{report:?}");
        #[cfg(unix)]
        {
            let report = problem("SSL_CERT_FILE", "/dev/zero");
            assert!(
                report.failure.message.ends_with("cannot be read: it is a pipe or a device, not a file."),
                "{report:?}"
            );
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(LARGEST_CERTIFICATES + 1).unwrap();
        let report = problem("SSL_CERT_FILE", &file.path().display().to_string());
        assert!(report.failure.message.ends_with("cannot be read: it is larger than 16777216 bytes."), "{report:?}");
        file.as_file().set_len(0).unwrap();
        assert!(
            problem("SSL_CERT_FILE", &file.path().display().to_string())
                .failure
                .message
                .contains("the file contains no certificates")
        );
    }

    #[test]
    fn proxy_passwords_are_secrets() {
        let secrets = Secrets::default();
        let environment =
            BTreeMap::from([("https_proxy".to_owned(), "user:hunter2%2Fsecret@proxy.example:8080".to_owned())]);
        http_client(&environment, false, &secrets).unwrap();
        assert_eq!(secrets.redact_text("hunter2%2Fsecret hunter2/secret".to_owned()), "*** ***");
    }
}
