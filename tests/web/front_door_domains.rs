//! The custom domains of a front door, and their certificates.

use crate::support::estate::*;
use crate::support::*;
use crate::web::front_door::*;
use crate::web::front_door_settings::*;

#[test]
fn two_spellings_of_one_domain_are_one_domain_too_many() {
    let door = changed(&[("domainName: shop.contoso.com", "domainName: WWW.contoso.com")])
        .replace("endpoints: [shop.contoso.com, contoso-edge]", "endpoints: [contoso-edge]");
    let found = problems(&deployment_of(&door).deploy(&landing_zone()));
    assert!(found[0].contains("duplicate custom domain 'www-contoso-com'"), "{found:#?}");
}

#[test]
fn a_domain_that_no_rule_routes_is_a_warning() {
    let door = changed(&[("endpoints: [www.contoso.com]", "endpoints: [contoso-edge]")]);
    assert_eq!(
        warnings(&deployment_of(&door).rehearse(&landing_zone()), "endpoints"),
        [
            "frontdoor.customDomains[0].domainName: no rule has 'www.contoso.com' in its endpoints, so the front door does not answer requests for it"
        ]
    );
    assert!(warnings(&deployment_of(FRONT_DOOR).rehearse(&landing_zone()), "in its endpoints").is_empty());
}

#[test]
fn a_certificate_that_the_key_vault_does_not_have_is_found_in_the_plan() {
    let cloud = landing_zone();
    let door =
        changed(&[("customCertificateSecretName: web-certificate", "customCertificateSecretName: web-certificat")]);
    let problem = "frontdoor.customDomains[1].customCertificateSecretName: the key vault 'kv-web' has no secret or certificate 'web-certificat'";
    for outcome in [deployment_of(&door).rehearse(&cloud), deployment_of(&door).deploy(&cloud)] {
        assert_eq!((problems(&outcome), outcome.failed_with().0), (vec![problem.to_owned()], "ServiceNotFound"));
    }
    assert!(writes(&cloud.requests()).is_empty());
    // Whoever may not see the secrets of the vault is told, and goes on.
    cloud.misbehave(fault("status=403,method=GET,path=/secrets/web-certificate"));
    let outcome = deployment_of(FRONT_DOOR).deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let told = warnings(&outcome, "cannot be seen");
    let [told] = &told[..] else { panic!("{told:?}") };
    let start = "frontdoor.customDomains[1].customCertificateSecretName: whether the key vault 'kv-web' has the secret 'web-certificate' cannot be seen: ";
    assert!(told.starts_with(start) && told.ends_with(" The command continues without it."), "{told}");
}

#[test]
fn plain_http_is_not_to_be_had_any_more() {
    let door = changed(&[("sessionAffinity: Enabled", "sessionAffinity: Enabled\n    enableHttps: false")]);
    let outcome = deployment_of(&door).rehearse(&landing_zone());
    assert_eq!(
        warnings(&outcome, "HTTPS"),
        [
            "frontdoor.customDomains[0].enableHttps: Azure Front Door serves every custom domain over HTTPS, so 'false' has no effect"
        ]
    );
    let door = changed(&[("sessionAffinity: Enabled", "sessionAffinity: Enabled\n    enableHttps: true")]);
    assert!(warnings(&deployment_of(&door).rehearse(&landing_zone()), "HTTPS").is_empty());
}
