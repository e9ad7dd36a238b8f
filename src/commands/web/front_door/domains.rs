//! Custom domains and their certificates.

use serde_json::json;

use super::{Run, Targets};
use crate::azure::ResourceId;
use crate::azure::types::{CUSTOM_DOMAIN, FRONT_DOOR_SECRET, KEY_VAULT, KEY_VAULT_SECRET};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::found::{Found, Part};
use crate::commands::shared::service::Named;
use crate::commands::shared::wanted::Wanted;
use crate::commands::web::settings::CustomDomain;
use crate::desired::Desired;
use crate::protocol::FindingCode;
use crate::settings::Place;

const VAULT: &str = "service.dependencies.keyvault";

/// A custom domain of the document.
pub(super) struct Domain<'a> {
    pub(super) settings: &'a CustomDomain,
    /// The host name in lower case.
    pub(super) host: String,
    pub(super) id: ResourceId,
    pub(super) place: Place,
}

impl<'a> Run<'a> {
    /// The custom domains, in the order of the settings.
    pub(super) fn domains(&self, compilation: &mut Compilation<'_>) -> Vec<Domain<'a>> {
        let domains = self.door.custom_domains.iter().flatten().enumerate().map(|(index, settings)| {
            let place = self.place.dotted("customDomains").index(index);
            let host = settings.domain_name.to_lowercase();
            if !is_host_name(&host) {
                let message = format!("expected a host name such as www.contoso.com, found '{}'", settings.domain_name);
                compilation.finding(place.dotted("domainName"), FindingCode::HostNameRefused, message);
            }
            let name = host.replace("*.", "wildcard-").replace('.', "-");
            Domain { settings, id: CUSTOM_DOMAIN.child_of(self.profile, &name), host, place }
        });
        domains.collect()
    }

    pub(super) fn add_domains(&self, domains: &[Domain<'_>], targets: &[Targets], compilation: &mut Compilation<'_>) {
        for (index, domain) in domains.iter().enumerate() {
            self.add_domain(domain, compilation);
            if !targets.iter().any(|targets| targets.domains.contains(&index)) {
                let message = format!(
                    "no rule has '{}' in its endpoints, so the front door does not answer requests for it",
                    domain.host
                );
                compilation.warning(&domain.place.dotted("domainName"), message);
            }
        }
    }

    fn add_domain(&self, domain: &Domain<'_>, compilation: &mut Compilation<'_>) {
        let Domain { settings, host, id, place } = domain;
        if settings.enable_https == Some(false) {
            let message = "Azure Front Door serves every custom domain over HTTPS, so 'false' has no effect";
            compilation.warning(&place.dotted("enableHttps"), message);
        }
        let secret = settings.custom_certificate_secret_name.as_ref();
        if secret.is_none() && host.starts_with("*.") {
            let message = "Azure manages no certificates for wildcard domains; name one in a key vault with customCertificateSecretName";
            compilation.finding(place.dotted("domainName"), FindingCode::Missing, message);
        }
        let certificate = secret.map(|secret| self.add_certificate(secret, settings, place, compilation));
        let mut body = json!({ "properties": { "hostName": host } });
        let mut creation = json!({ "properties": { "tlsSettings": { "minimumTlsVersion": "TLS12" } } });
        match &certificate {
            Some(certificate) => {
                body["properties"]["tlsSettings"] =
                    json!({ "certificateType": "CustomerCertificate", "secret": { "id": certificate.as_str() } });
            }
            None => creation["properties"]["tlsSettings"]["certificateType"] = "ManagedCertificate".into(),
        }
        compilation.add(Desired {
            creation_body: creation,
            depends_on: certificate.into_iter().collect(),
            origins: vec![
                ("properties.hostName", "domainName"),
                ("properties.tlsSettings.certificateType", "customCertificateSecretName"),
                ("properties.tlsSettings.secret", "customCertificateSecretName"),
            ],
            ..Desired::new(id.clone(), &CUSTOM_DOMAIN, body, place.clone())
        });
    }

    /// Adds what refers to a certificate in a key vault; several domains may share one.
    fn add_certificate(
        &self,
        secret: &str,
        settings: &CustomDomain,
        place: &Place,
        compilation: &mut Compilation<'_>,
    ) -> ResourceId {
        const SECRET: &str = "customCertificateSecretName";
        if !secret.chars().all(|character| character.is_ascii_alphanumeric() || character == '-') {
            let message =
                format!("names of key vault secrets can contain only letters, digits and hyphens; found '{secret}'");
            compilation.finding(place.dotted(SECRET), FindingCode::NameRefused, message);
        }
        let own = settings.service.dependencies().and_then(|dependencies| dependencies.keyvault.as_ref());
        let document =
            self.settings.service.dependencies.as_ref().and_then(|dependencies| dependencies.keyvault.as_ref());
        let vault = match Published::first(VAULT, (own, place), (document, self.root)) {
            Some(vault) => {
                let wanted = compilation.find(Wanted::Type(KEY_VAULT.name));
                let found = wanted.published_as(&vault.name, &vault.place).with_part(&KEY_VAULT_SECRET, secret).one();
                check_secret(&found, secret, &place.dotted(SECRET), compilation);
                found.id
            }
            None => {
                let message = format!("the certificate '{secret}' requires a key vault, here or at the root");
                compilation.finding(place.dotted(VAULT), FindingCode::Missing, message);
                self.profile.clone()
            }
        };
        let id = FRONT_DOOR_SECRET.child_of(self.profile, &format!("{}-{secret}-latest", vault.name()));
        let body = json!({ "properties": { "parameters": {
            "type": "CustomerCertificate",
            "secretSource": { "id": vault.child("secrets", secret).as_str() },
            "useLatestVersion": true,
        } } });
        compilation.add_once(Desired {
            origins: vec![
                ("properties.parameters", SECRET),
                ("properties.parameters.secretSource.id", "/service.dependencies.keyvault"),
                ("properties.parameters.secretSource.id", VAULT),
                ("properties.parameters.secretSource.id", SECRET),
            ],
            ..Desired::new(id.clone(), &FRONT_DOOR_SECRET, body, place.clone())
        });
        id
    }
}

/// A finding when the key vault does not have the secret.
fn check_secret(vault: &Found, secret: &str, place: &Place, compilation: &mut Compilation<'_>) {
    let name = vault.id.name();
    match &vault.part {
        Some(Part::Missing) => {
            let message = format!("the key vault '{name}' has no secret or certificate '{secret}'");
            compilation.finding(place.clone(), FindingCode::ServiceNotFound, message);
        }
        Some(Part::Hidden(why)) => {
            let message = format!(
                "whether the key vault '{name}' has the secret '{secret}' cannot be seen: {why} The command continues without it."
            );
            compilation.warning(place, message);
        }
        Some(Part::There) | None => {}
    }
}

/// Whether a text is a host name, or one with `*` as its first label.
fn is_host_name(host: &str) -> bool {
    let labels = host.strip_prefix("*.").unwrap_or(host);
    host.len() <= 253
        && labels.contains('.')
        && labels.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|character| character.is_ascii_alphanumeric() || character == '-')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names() {
        for host in ["www.contoso.com", "contoso.com", "*.contoso.com", "xn--bcher-kva.example"] {
            assert!(is_host_name(host), "{host}");
        }
        for host in
            ["https://www.contoso.com", "contoso", "www.contoso.com/", "*.com*", "a..b", "-a.b", "www.*.com", ""]
        {
            assert!(!is_host_name(host), "{host}");
        }
    }
}
