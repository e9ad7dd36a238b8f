//! Signs in with a certificate: an assertion signed with its key stands for the client secret.

use std::fmt;
use std::path::Path;

use aws_lc_rs::digest;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeyPair;
use aws_lc_rs::signature::{KeyPair as _, RSA_PSS_SHA256};
use azure_core::http::ClientMethodOptions;
use azure_core::time::OffsetDateTime;
use azure_core::{base64, error::ErrorKind};
use azure_identity::ClientAssertion;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::json;

use super::file::read_file;
use super::reason::Reason;
use crate::protocol::Host;

/// The time for which an assertion is good. Microsoft recommends five to ten minutes (Microsoft identity platform, "Application
/// authentication certificate credentials").
const LIFETIME: i64 = 600;

/// The advice for a file that cannot be used.
const PEM_FILE: &str = "Set AZURE_CLIENT_CERTIFICATE_PATH to the absolute path of a PEM file with an RSA private key without a password and its certificate.";

/// A certificate with its key.
pub(super) struct Certificate {
    key: KeyPair,
    /// The certificate first, then those that signed it.
    chain: Vec<CertificateDer<'static>>,
}

impl Certificate {
    /// Reads a PEM file with one RSA key and its certificate.
    ///
    /// # Errors
    /// What is wrong with it, and what to do.
    pub(super) fn read(path: &Path) -> Result<Certificate, Reason> {
        let bytes = read_file(path).map_err(|reason| Reason::unusable(reason, PEM_FILE))?;
        if is_pfx(&bytes) {
            let pem = path.with_extension("pem");
            return Err(Reason::unusable(
                format!("'{}' is a PFX file; expected a PEM file", path.display()),
                format!(
                    "Convert it once: openssl pkcs12 -in \"{}\" -out \"{}\" -nodes. Then set AZURE_CLIENT_CERTIFICATE_PATH to the PEM file.",
                    path.display(),
                    pem.display()
                ),
            ));
        }
        Certificate::from_pem(&bytes, path).map_err(|reason| Reason::unusable(reason, PEM_FILE))
    }

    fn from_pem(bytes: &[u8], path: &Path) -> Result<Certificate, String> {
        let shown = path.display();
        let text = String::from_utf8_lossy(bytes);
        if !text.contains("-----BEGIN ") {
            return Err(format!("'{shown}' is not a PEM file: it has no line that starts with -----BEGIN"));
        }
        if text.contains("ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED") {
            return Err(format!("the private key in '{shown}' is encrypted; remove its password"));
        }
        let chain = CertificateDer::pem_slice_iter(bytes).collect::<Result<Vec<_>, _>>();
        let chain = chain.map_err(|error| format!("'{shown}' cannot be read: {error}"))?;
        let key = PrivateKeyDer::from_pem_slice(bytes).map_err(|_| format!("'{shown}' has no private key"))?;
        let key = match &key {
            PrivateKeyDer::Pkcs8(key) => KeyPair::from_pkcs8(key.secret_pkcs8_der()),
            PrivateKeyDer::Pkcs1(key) => KeyPair::from_der(key.secret_pkcs1_der()),
            _ => return Err(format!("the private key in '{shown}' is not an RSA key, which Microsoft Entra requires")),
        };
        let key =
            key.map_err(|_| format!("the private key in '{shown}' is not an RSA key, which Microsoft Entra requires"))?;
        // The certificate need not stand first: the one of the key is meant.
        let own = chain
            .iter()
            .position(|certificate| contains(certificate, key.public_key().as_ref()))
            .ok_or_else(|| format!("'{shown}' has no certificate for its private key"))?;
        let mut chain = chain;
        chain.swap(0, own);
        Ok(Certificate { key, chain })
    }

    /// The assertion: a signed statement that the client may have a token of the authority.
    fn assertion(&self, audience: &str, client_id: &str, with_chain: bool, now: i64) -> Result<String, String> {
        let thumbprint = digest::digest(&digest::SHA256, &self.chain[0]);
        let mut header =
            json!({"alg": "PS256", "typ": "JWT", "x5t#S256": base64::encode_url_safe(thumbprint.as_ref())});
        if with_chain {
            header["x5c"] = self.chain.iter().map(base64::encode).collect();
        }
        let claims = json!({
            "aud": audience,
            "iss": client_id,
            "sub": client_id,
            "jti": uuid::Uuid::new_v4().to_string(),
            "nbf": now,
            "exp": now + LIFETIME,
        });
        let signed =
            format!("{}.{}", base64::encode_url_safe(header.to_string()), base64::encode_url_safe(claims.to_string()));
        let mut signature = vec![0; self.key.public_modulus_len()];
        self.key
            .sign(&RSA_PSS_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature)
            .map_err(|_| "the key of the certificate cannot sign".to_owned())?;
        Ok(format!("{signed}.{}", base64::encode_url_safe(signature)))
    }
}

/// Whether bytes are a PKCS #12 file: a sequence that begins with the version 3 (RFC 7292, "PFX").
fn is_pfx(bytes: &[u8]) -> bool {
    let [0x30, length, rest @ ..] = bytes else { return false };
    // The length stands in one byte, or in as many as that byte says.
    let long = if *length > 0x80 { usize::from(length - 0x80) } else { 0 };
    rest.get(long..).is_some_and(|content| content.starts_with(&[0x02, 0x01, 0x03]))
}

/// Whether a certificate is for a public key: it holds the key as it is.
fn contains(certificate: &[u8], key: &[u8]) -> bool {
    certificate.windows(key.len()).any(|window| window == key)
}

/// Makes the assertions of one client at one authority.
pub(super) struct CertificateAssertion {
    pub(super) certificate: Certificate,
    /// The token endpoint.
    pub(super) audience: String,
    pub(super) client_id: String,
    /// Sends the certificates too, for registrations that trust a name and its issuer.
    pub(super) with_chain: bool,
    /// Is told of each assertion, which is a secret.
    pub(super) host: Host,
}

impl fmt::Debug for CertificateAssertion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CertificateAssertion").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

#[async_trait::async_trait]
impl ClientAssertion for CertificateAssertion {
    async fn secret(&self, _: Option<ClientMethodOptions<'_>>) -> azure_core::Result<String> {
        let now = OffsetDateTime::now_utc().unix_timestamp();
        let assertion = self
            .certificate
            .assertion(&self.audience, &self.client_id, self.with_chain, now)
            .map_err(|reason| azure_core::Error::with_message(ErrorKind::Credential, reason))?;
        self.host.secrets().add(&assertion);
        Ok(assertion)
    }
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::signature::{RSA_PSS_2048_8192_SHA256, UnparsedPublicKey};
    use serde_json::Value;

    use super::*;

    /// A key with its certificate, in PEM form.
    fn pair(algorithm: &'static rcgen::SignatureAlgorithm) -> (String, String) {
        let key = rcgen::KeyPair::generate_for(algorithm).unwrap();
        let certificate =
            rcgen::CertificateParams::new(vec!["deployer".to_owned()]).unwrap().self_signed(&key).unwrap();
        (key.serialize_pem(), certificate.pem())
    }

    fn read(text: &str) -> Result<Certificate, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Certificate::read(file.path())
            .map_err(|reason| reason.text().replace(&file.path().display().to_string(), "FILE"))
    }

    #[test]
    fn the_assertion_is_signed_with_the_key_of_the_certificate() {
        let (key, certificate) = pair(&rcgen::PKCS_RSA_SHA256);
        let (_, other) = pair(&rcgen::PKCS_RSA_SHA256);
        let read = read(&format!("{other}{key}{certificate}")).unwrap();
        let assertion = read.assertion("https://login/t/token", "client", true, 1000).unwrap();
        let (signed, signature) = assertion.rsplit_once('.').unwrap();
        let public = read.key.public_key().as_ref().to_vec();
        UnparsedPublicKey::new(&RSA_PSS_2048_8192_SHA256, public)
            .verify(signed.as_bytes(), &base64::decode_url_safe(signature).unwrap())
            .unwrap();
        let part = |text: &str| -> Value { serde_json::from_slice(&base64::decode_url_safe(text).unwrap()).unwrap() };
        let (header, claims) = signed.split_once('.').unwrap();
        let own = CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap();
        assert_eq!(part(header)["x5c"][0], base64::encode(&own));
        assert_eq!(part(claims)["aud"], "https://login/t/token");
        assert_eq!((&part(claims)["nbf"], &part(claims)["exp"]), (&Value::from(1000), &Value::from(1600)));
    }

    #[test]
    fn what_is_no_certificate_with_its_key() {
        let (key, certificate) = pair(&rcgen::PKCS_RSA_SHA256);
        let (elliptic, _) = pair(&rcgen::PKCS_ECDSA_P256_SHA256);
        let problem = |text: &str| read(text).err().unwrap();
        assert_eq!(problem(&certificate), "'FILE' has no private key");
        assert_eq!(problem(&key), "'FILE' has no certificate for its private key");
        assert!(problem(&format!("{elliptic}{certificate}")).contains("is not an RSA key"));
        assert!(problem("-----BEGIN ENCRYPTED PRIVATE KEY-----").contains("is encrypted"));
        assert!(problem("TWFueSBhIFBGWCBpcyBrZXB0IGFzIEJhc2U2NA==").contains("'FILE' is not a PEM file"));
        assert!(problem("").contains("'FILE' is not a PEM file"));
    }
}
