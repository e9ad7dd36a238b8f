//! Why a server was not reached, in plain words and with what to do about it. What the libraries say of it is for their
//! developers.

use std::error::Error;
use std::io;

use azure_core::time::OffsetDateTime;
use rustls::CertificateError;
use rustls_pki_types::UnixTime;

use super::response::innermost;

/// Why a server was not reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unreachable {
    /// The reason, to stand behind the host and a colon: without the end of a sentence.
    pub(super) reason: String,
    /// The advice, in whole sentences.
    pub(super) advice: &'static str,
}

const ISSUER: &str = "If a proxy inspects connections, or the endpoint belongs to a private cloud, set SSL_CERT_FILE to a PEM file with the certificate of the issuer.";
const DATE: &str = "Check the clock of this machine. If it is right, the operator of the server, or of the proxy in between, must renew the certificate.";
const NAME: &str = "Check the endpoint and the proxy variables (HTTPS_PROXY, ALL_PROXY, NO_PROXY): another server seems to be answering.";
const CERTIFICATE: &str = "Check the proxy variables (HTTPS_PROXY, ALL_PROXY, NO_PROXY), and ask the operator of the server for a valid certificate.";
const HANDSHAKE: &str =
    "Check that nothing between this machine and the server blocks TLS 1.2 and later, such as a firewall or a proxy.";
const REFUSED: &str = "Check the endpoint and the firewall. If this network needs a proxy, set HTTPS_PROXY.";
const RESOLUTION: &str = "Check the chosen cloud, its endpoint, AZURE_AUTHORITY_HOST and the name servers of this machine. If this network needs a proxy, set HTTPS_PROXY.";
const SILENCE: &str = "Check the network and the firewall. If this network needs a proxy, set HTTPS_PROXY.";
const PROXY: &str = "Check the proxy variables (HTTPS_PROXY, ALL_PROXY, NO_PROXY), the user name and password in them, and whether the proxy allows connections to this host.";
const LOST: &str = "Check the network, the firewall and the proxy variables (HTTPS_PROXY, ALL_PROXY, NO_PROXY).";

const CLOSED: &str = "the connection was closed before the answer was complete";
const CLOSED_BY_PROXY: &str = "the proxy closed the connection";

impl Unreachable {
    /// The meaning of an error of a request.
    pub(super) fn of(error: &(dyn Error + 'static)) -> Unreachable {
        let causes = causes(error);
        let find = |start: &str| causes.iter().map(ToString::to_string).find(|text| text.starts_with(start));
        if let Some(error) = causes.iter().find_map(|cause| cause.downcast_ref::<rustls::Error>()) {
            return of_tls(error);
        }
        // The types of these are private to the HTTP client.
        let tunnel = find("tunnel error: ");
        let whom = if tunnel.is_some() { "the proxy" } else { "the server" };
        if find("dns error").is_some() {
            let what = if tunnel.is_some() { "the host name of the proxy" } else { "the host name" };
            let advice = if tunnel.is_some() { PROXY } else { RESOLUTION };
            return new(format!("{what} cannot be resolved"), advice);
        }
        for kind in causes.iter().filter_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind) {
            let advice = |otherwise| if tunnel.is_some() { PROXY } else { otherwise };
            match kind {
                io::ErrorKind::ConnectionRefused => {
                    return new(format!("{whom} refused the connection"), advice(REFUSED));
                }
                io::ErrorKind::TimedOut => return new(format!("{whom} does not answer"), advice(SILENCE)),
                io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
                    return new(format!("this machine has no route to {whom}"), advice(SILENCE));
                }
                io::ErrorKind::ConnectionReset
                | io::ErrorKind::ConnectionAborted
                | io::ErrorKind::BrokenPipe
                | io::ErrorKind::UnexpectedEof => {
                    let reason = if tunnel.is_some() { CLOSED_BY_PROXY } else { CLOSED };
                    return new(reason, advice(LOST));
                }
                _ => {}
            }
        }
        if let Some(tunnel) = tunnel {
            return of_tunnel(&tunnel);
        }
        let is_timeout = |error: &&reqwest::Error| error.is_timeout();
        if causes.iter().filter_map(|cause| cause.downcast_ref::<reqwest::Error>()).any(|error| is_timeout(&error)) {
            return new("the server does not answer", SILENCE);
        }
        let reason = innermost(error);
        // An answer that does not come is no I/O error to the HTTP client.
        if reason.contains("connection closed before message completed") {
            return new(CLOSED, LOST);
        }
        new(reason, LOST)
    }
}

fn new(reason: impl Into<String>, advice: &'static str) -> Unreachable {
    Unreachable { reason: reason.into(), advice }
}

/// An error and everything that it comes from.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> Vec<&'a (dyn Error + 'static)> {
    let mut all = Vec::new();
    let mut next = Some(error);
    while let Some(cause) = next {
        all.push(cause);
        // The source of an I/O error is that of the error it wraps: the wrapped one itself would be passed over.
        let wrapped: Option<&'a (dyn Error + 'static)> = match cause.downcast_ref::<io::Error>().map(io::Error::get_ref)
        {
            Some(Some(wrapped)) => Some(wrapped),
            _ => cause.source(),
        };
        next = wrapped;
    }
    all
}

/// The answer of the proxy, by the words of the HTTP client.
fn of_tunnel(text: &str) -> Unreachable {
    if text.contains("proxy authorization required") {
        return new("the proxy requires a user name and a password, or refused those in the proxy variable", PROXY);
    }
    if text.contains("unexpected end of file") {
        return new(CLOSED_BY_PROXY, PROXY);
    }
    new("the proxy refused to connect to it", PROXY)
}

fn of_tls(error: &rustls::Error) -> Unreachable {
    match error {
        rustls::Error::InvalidCertificate(error) => of_certificate(error),
        rustls::Error::AlertReceived(alert) => {
            new(format!("it refused the TLS handshake (alert {})", spaced(&format!("{alert:?}"))), HANDSHAKE)
        }
        rustls::Error::PeerIncompatible(_) => {
            new("it supports no TLS 1.2 or TLS 1.3 settings that this client accepts", HANDSHAKE)
        }
        rustls::Error::InvalidMessage(_) | rustls::Error::InappropriateMessage { .. } => {
            new("its answer is not TLS", HANDSHAKE)
        }
        _ => new("the TLS handshake failed", HANDSHAKE),
    }
}

fn of_certificate(error: &CertificateError) -> Unreachable {
    match error {
        CertificateError::UnknownIssuer => new("its certificate is not trusted: the issuer is unknown", ISSUER),
        CertificateError::Expired => new("its certificate has expired", DATE),
        CertificateError::ExpiredContext { not_after, .. } => {
            new(format!("its certificate expired{}", on(*not_after)), DATE)
        }
        CertificateError::NotValidYet => new("its certificate is not valid yet", DATE),
        CertificateError::NotValidYetContext { not_before, .. } => {
            new(format!("its certificate is not valid yet; it begins{}", on(*not_before)), DATE)
        }
        CertificateError::Revoked => new("its certificate has been revoked", CERTIFICATE),
        CertificateError::NotValidForName => new("its certificate is for another host name", NAME),
        CertificateError::NotValidForNameContext { presented, .. } => {
            let names: Vec<&str> = presented.iter().take(3).map(|name| bare(name)).collect();
            let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
            new(format!("its certificate is for another host name{names}"), NAME)
        }
        CertificateError::BadSignature => new("its certificate is not trusted: the signature is wrong", CERTIFICATE),
        CertificateError::Other(error) if error.to_string().contains("CaUsedAsEndEntity") => {
            new("its certificate is not trusted: it is a CA certificate, not a server certificate", ISSUER)
        }
        _ => new("its certificate is not accepted", CERTIFICATE),
    }
}

/// ` on 2026-11-22`.
fn on(moment: UnixTime) -> String {
    let moment =
        i64::try_from(moment.as_secs()).ok().and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
    moment.map_or(String::new(), |moment| format!(" on {}", moment.date()))
}

/// The name in `DnsName("localhost")`, as rustls has the names of a certificate.
fn bare(name: &str) -> &str {
    let inner = name.split_once('(').map_or(name, |(_, rest)| rest.trim_end_matches(')'));
    inner.trim_matches('"')
}

/// `HandshakeFailure` as `handshake failure`.
fn spaced(word: &str) -> String {
    let mut spaced = String::new();
    for character in word.chars() {
        if character.is_ascii_uppercase() && !spaced.is_empty() {
            spaced.push(' ');
        }
        spaced.push(character.to_ascii_lowercase());
    }
    spaced
}

#[cfg(test)]
mod tests {
    use rustls::{AlertDescription, InvalidMessage, OtherError};

    use super::*;

    fn of(error: impl Into<Box<dyn Error + Send + Sync>>) -> String {
        let wrapped = io::Error::new(io::ErrorKind::InvalidData, error);
        Unreachable::of(&azure_core::Error::new(azure_core::error::ErrorKind::Io, wrapped)).reason
    }

    fn of_invalid(error: CertificateError) -> String {
        of(rustls::Error::InvalidCertificate(error))
    }

    #[test]
    fn tls_errors_are_found_inside_of_others_and_said_in_words() {
        assert_eq!(
            of_invalid(CertificateError::UnknownIssuer),
            "its certificate is not trusted: the issuer is unknown"
        );
        let day = |days: u64| UnixTime::since_unix_epoch(std::time::Duration::from_secs(days * 86_400));
        assert_eq!(
            of_invalid(CertificateError::ExpiredContext { time: day(10), not_after: day(1) }),
            "its certificate expired on 1970-01-02"
        );
        assert_eq!(
            of_invalid(CertificateError::NotValidYetContext { time: day(1), not_before: day(10) }),
            "its certificate is not valid yet; it begins on 1970-01-11"
        );
        let presented = ["DnsName(\"one.example\")", "IpAddress(127.0.0.1)"].map(str::to_owned).to_vec();
        let expected = "two.example".try_into().unwrap();
        assert_eq!(
            of_invalid(CertificateError::NotValidForNameContext { expected, presented }),
            "its certificate is for another host name: one.example, 127.0.0.1"
        );
        let authority = OtherError(std::sync::Arc::new(io::Error::other("CaUsedAsEndEntity")));
        assert!(of_invalid(CertificateError::Other(authority)).contains("a CA certificate"));
        assert_eq!(
            of(rustls::Error::AlertReceived(AlertDescription::HandshakeFailure)),
            "it refused the TLS handshake (alert handshake failure)"
        );
        assert_eq!(of(rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType)), "its answer is not TLS");
    }

    #[test]
    fn connections_that_are_not_made_are_said_in_words() {
        let of = |kind: io::ErrorKind| Unreachable::of(&io::Error::from(kind));
        assert_eq!(of(io::ErrorKind::ConnectionRefused), new("the server refused the connection", REFUSED));
        assert_eq!(of(io::ErrorKind::TimedOut), new("the server does not answer", SILENCE));
        assert_eq!(of(io::ErrorKind::ConnectionReset), new(CLOSED, LOST));
        assert_eq!(of(io::ErrorKind::HostUnreachable).reason, "this machine has no route to the server");
        let other = Unreachable::of(&io::Error::other("something else"));
        assert_eq!(other, new("something else", LOST));
    }

    #[test]
    fn what_goes_wrong_at_a_proxy_is_said_of_the_proxy() {
        let of = |text: &str| Unreachable::of(&io::Error::other(text.to_owned()));
        assert_eq!(of("tunnel error: unsuccessful"), new("the proxy refused to connect to it", PROXY));
        assert!(of("tunnel error: proxy authorization required").reason.contains("user name and a password"));
        assert_eq!(of("tunnel error: unexpected end of file").reason, "the proxy closed the connection");
        assert_eq!(of("dns error"), new("the host name cannot be resolved", RESOLUTION));
    }
}
