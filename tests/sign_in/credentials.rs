//! The credentials of the engine for Azure: each credential of the chain against an authority on loopback, and what people read where it
//! is refused.

use serde_json::{Value, json};
use svc_engine::protocol::{ErrorCategory, ErrorReport, Message};
use svc_local_cloud::LOCAL_SUBSCRIPTION_ID;

use crate::support::internet::Internet;
use crate::support::*;

const AUTHORITY: &str = "login.microsoftonline.com";
pub(super) const MANAGEMENT: &str = "management.azure.com";

pub(super) fn project() -> Project {
    Project::with(&document("queue: [orders]"))
}

/// Runs the project with these variables, which are not the client secret's.
pub(super) fn run_with(internet: &Internet, variables: &Value) -> Outcome {
    let project = project();
    run(&internet.request(&project.path("storage.yml"), internet.environment(variables)))
}

fn application(more: Value) -> Value {
    let mut variables = json!({"AZURE_TENANT_ID": "contoso-tenant", "AZURE_CLIENT_ID": "deployer-client"});
    variables.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    variables
}

/// A refusal of Microsoft Entra.
fn entra(description: &str) -> Value {
    json!({"error": "invalid_client", "error_codes": [0],
        "error_description": format!("{description}\r\nTrace ID: 11-trace\r\nCorrelation ID: 22\r\nTimestamp: now")})
}

/// The claims and the header of an assertion.
fn assertion(text: &str) -> (Value, Value) {
    let part = |text: &str| serde_json::from_slice(&azure_core::base64::decode_url_safe(text).unwrap()).unwrap();
    let mut parts = text.split('.');
    (part(parts.next().unwrap()), part(parts.next().unwrap()))
}

#[test]
fn a_client_secret_gets_a_token_and_deploys_with_it() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let project = project();
    let outcome = run(&internet.request(&project.path("storage.yml"), internet.signed_in()));
    assert_eq!(outcome.summary(), "created 3");
    assert!(outcome.verbose().contains(&"Signed in with the client secret of AZURE_CLIENT_SECRET."));
    let [asked] = &internet.seen_by(AUTHORITY)[..] else { panic!("not asked once: {:?}", internet.seen()) };
    assert_eq!((asked.method.as_str(), asked.target.as_str()), ("POST", "/contoso-tenant/oauth2/v2.0/token"));
    assert_eq!(asked.field("client_id"), "deployer-client");
    assert_eq!(asked.field("client_secret"), "planted-client-secret");
    assert_eq!(asked.field("scope"), "https://management.azure.com/.default");
    let requests = internet.seen_by(MANAGEMENT);
    assert!(requests.iter().all(|request| request.token() == "planted-token-1"), "{requests:?}");
}

#[test]
fn one_correlation_id_is_sent_with_every_request_and_told() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let project = project();
    let outcome = run(&internet.request(&project.path("storage.yml"), internet.signed_in()));
    let requests = internet.seen_by(MANAGEMENT);
    let id = requests[0].header("x-ms-correlation-request-id");
    assert!(uuid::Uuid::try_parse(id).is_ok(), "{id}");
    assert!(requests.iter().all(|request| request.header("x-ms-correlation-request-id") == id));
    assert!(outcome.verbose().contains(&format!("The correlation id of this run is {id}.").as_str()));
}

#[test]
fn what_entra_refuses_is_said_with_what_to_do_and_its_trace() {
    let cases = [
        ("AADSTS7000222: The provided client secret keys for app 'x' are expired.", "The client secret has expired."),
        ("AADSTS7000215: Invalid client secret provided.", "not to its id"),
        ("AADSTS90002: Tenant 'contoso-tenant' not found.", "The tenant is not known."),
        ("AADSTS700016: Application with identifier 'x' was not found.", "The application is not in this tenant."),
        ("AADSTS99999: Something new.", "Check the tenant, the client"),
    ];
    let cloud = cloud();
    for (words, advice) in cases {
        let internet = Internet::with(&cloud);
        internet.answer("POST login", 401, &entra(words));
        let project = project();
        let outcome = run(&internet.request(&project.path("storage.yml"), internet.signed_in()));
        let report = outcome.last_error();
        assert_eq!(
            (report.failure.code.as_str(), report.failure.category),
            ("CredentialRefused", ErrorCategory::AuthenticationError)
        );
        assert_eq!(
            report.failure.message,
            format!("The client secret of AZURE_CLIENT_SECRET returned no token: {words}")
        );
        assert!(report.failure.recommendation.as_ref().unwrap().contains(advice), "{report:?}");
        assert_eq!(report.failure.request_id.as_deref(), Some("11-trace"));
        assert!(internet.seen_by(MANAGEMENT).is_empty());
    }
}

#[test]
fn a_client_secret_without_its_tenant_says_which_variable_is_missing() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let outcome = run_with(&internet, &json!({"AZURE_CLIENT_ID": "c", "AZURE_CLIENT_SECRET": "planted-secret"}));
    let expected = "The client secret of AZURE_CLIENT_SECRET cannot be used: AZURE_TENANT_ID is not set.";
    assert_eq!(outcome.failed_with(), ("CredentialRefused", expected));
}

#[test]
fn a_certificate_signs_in_with_an_assertion_for_this_authority() {
    let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
    let certificate = rcgen::CertificateParams::new(vec!["deployer".to_owned()]).unwrap().self_signed(&key).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deployer.pem");
    std::fs::write(&file, format!("{}{}", key.serialize_pem(), certificate.pem())).unwrap();
    let variables = application(json!({"AZURE_CLIENT_CERTIFICATE_PATH": file}));
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let outcome = run_with(&internet, &variables);
    assert_eq!(outcome.summary(), "created 3");
    assert!(outcome.verbose().contains(&"Signed in with the certificate of AZURE_CLIENT_CERTIFICATE_PATH."));
    let asked = &internet.seen_by(AUTHORITY)[0];
    assert_eq!(asked.field("client_assertion_type"), "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    let (header, claims) = assertion(&asked.field("client_assertion"));
    assert_eq!((&header["alg"], &header["x5c"]), (&json!("PS256"), &Value::Null));
    assert_eq!(claims["aud"], "https://login.microsoftonline.com/contoso-tenant/oauth2/v2.0/token");
    assert_eq!((&claims["iss"], &claims["sub"]), (&json!("deployer-client"), &json!("deployer-client")));

    internet.answer("POST login", 401, &entra("AADSTS700027: The certificate is not registered."));
    let report = run_with(&internet, &variables).last_error().clone();
    assert!(report.failure.recommendation.unwrap().starts_with("The app registration does not have this certificate."));
}

#[test]
fn a_certificate_path_that_cannot_be_used_says_why_and_what_to_set() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    // The beginning of what `openssl pkcs12 -export` writes.
    std::fs::write(at("deployer.pfx"), [0x30, 0x82, 0x0a, 0x10, 0x02, 0x01, 0x03, 0x30, 0x82]).unwrap();
    std::fs::write(at("deployer.cer"), [0x30, 0x82, 0x03, 0x10, 0x30, 0x82, 0x02, 0x00]).unwrap();
    let pem = "Set AZURE_CLIENT_CERTIFICATE_PATH to the absolute path of a PEM file".to_owned();
    let convert = format!("openssl pkcs12 -in \"{}\" -out \"{}\" -nodes", at("deployer.pfx"), at("deployer.pem"));
    let table = [
        ("deployer.pem".to_owned(), "the path 'deployer.pem' must be absolute".to_owned(), &pem),
        (at("other.pem"), format!("'{}' does not exist", at("other.pem")), &pem),
        (at(""), format!("'{}' is a folder", at("")), &pem),
        (at("deployer.pfx"), format!("'{}' is a PFX file; expected a PEM file", at("deployer.pfx")), &convert),
        (
            at("deployer.cer"),
            format!("'{}' is not a PEM file: it has no line that starts with -----BEGIN", at("deployer.cer")),
            &pem,
        ),
    ];
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    for (path, reason, advice) in table {
        let outcome = run_with(&internet, &application(json!({"AZURE_CLIENT_CERTIFICATE_PATH": path})));
        let expected = format!("The certificate of AZURE_CLIENT_CERTIFICATE_PATH cannot be used: {reason}.");
        assert_eq!(outcome.failed_with(), ("CredentialRefused", expected.as_str()));
        assert!(outcome.last_error().failure.recommendation.as_ref().unwrap().contains(advice), "{outcome:?}");
    }
    assert!(internet.seen().is_empty(), "nobody is asked");
}

#[test]
fn a_choice_of_credentials_of_which_none_is_set_up_says_what_is_missing() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let table = [
        (
            "EnvironmentCredential",
            "client secret or certificate (neither AZURE_CLIENT_SECRET nor AZURE_CLIENT_CERTIFICATE_PATH is set)",
        ),
        ("WorkloadIdentityCredential", "workload identity (AZURE_FEDERATED_TOKEN_FILE is not set)"),
        ("AzurePowerShellCredential", "session of Connect-AzAccount (not available in this process)"),
    ];
    for (choice, reason) in table {
        let outcome = run_with(&internet, &json!({"AZURE_TOKEN_CREDENTIALS": choice}));
        assert_eq!(
            none_found(&outcome).failure.message,
            format!("No credential for Azure was found. Tried: {reason}.")
        );
    }
    assert!(internet.seen().is_empty(), "nobody is asked");
}

#[test]
fn a_workload_identity_shows_the_token_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "planted-federated-token").unwrap();
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let outcome = run_with(&internet, &application(json!({"AZURE_FEDERATED_TOKEN_FILE": file})));
    assert_eq!(outcome.summary(), "created 3");
    assert_eq!(internet.seen_by(AUTHORITY)[0].field("client_assertion"), "planted-federated-token");

    internet.answer("POST login", 401, &entra("AADSTS700213: No matching federated identity record found."));
    let report = run_with(&internet, &application(json!({"AZURE_FEDERATED_TOKEN_FILE": file}))).last_error().clone();
    assert!(report.failure.recommendation.unwrap().contains("federated credential with this subject"));

    let missing = application(json!({"AZURE_FEDERATED_TOKEN_FILE": folder.path().join("none")}));
    let outcome = run_with(&internet, &missing);
    assert!(outcome.failed_with().1.contains("none' does not exist"), "{outcome:?}");
}

#[test]
fn a_managed_identity_is_asked_at_its_host_and_past_the_proxy() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let endpoint = format!("http://127.0.0.1:{}", internet.port());
    let outcome = run_with(
        &internet,
        &json!({"IDENTITY_ENDPOINT": format!("{endpoint}/msi/token"), "IDENTITY_HEADER": "planted-header",
            "AZURE_CLIENT_ID": "user-assigned", "ALL_PROXY": "http://127.0.0.1:9"}),
    );
    assert_eq!(outcome.summary(), "created 3");
    assert!(outcome.verbose().contains(&"Signed in with the managed identity."));
    let asked = &internet.seen_by("127.0.0.1")[0];
    assert_eq!(
        asked.target,
        "/msi/token?api-version=2019-08-01&resource=https%3A%2F%2Fmanagement.azure.com&client_id=user-assigned"
    );
    assert_eq!((asked.header("x-identity-header"), asked.header("metadata")), ("planted-header", "true"));

    // Cloud Shell is asked in its own way.
    let internet = Internet::with(&cloud);
    let endpoint = format!("http://127.0.0.1:{}", internet.port());
    assert_eq!(
        run_with(&internet, &json!({"MSI_ENDPOINT": format!("{endpoint}/oauth2/token")})).summary(),
        "unchanged 3"
    );
    let asked = &internet.seen_by("127.0.0.1")[0];
    assert_eq!((asked.method.as_str(), asked.field("resource").as_str()), ("POST", "https://management.azure.com"));

    // A virtual machine has no variables, so its user says that there is one.
    let internet = Internet::with(&cloud);
    let endpoint = format!("http://127.0.0.1:{}", internet.port());
    let outcome = run_with(
        &internet,
        &json!({"AZURE_TOKEN_CREDENTIALS": "ManagedIdentityCredential", "AZURE_POD_IDENTITY_AUTHORITY_HOST": endpoint}),
    );
    assert_eq!(outcome.summary(), "unchanged 3");
    let target = "/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fmanagement.azure.com";
    assert_eq!(internet.seen_by("127.0.0.1")[0].target, target);
}

/// The error of a run that found no credential.
pub(super) fn none_found(outcome: &Outcome) -> &ErrorReport {
    let report = outcome.last_error();
    assert_eq!(
        (report.failure.code.as_str(), report.failure.category),
        ("CredentialUnavailable", ErrorCategory::SecurityError)
    );
    report
}

#[test]
fn a_host_without_its_identity_and_without_command_lines_says_so_of_each() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let refusal = json!({"statusCode": 400, "message": "No Managed Identity found for specified ClientId."});
    internet.answer("GET 127.0.0.1", 400, &refusal);
    let endpoint = format!("http://127.0.0.1:{}/msi/token", internet.port());
    let outcome = run_with(&internet, &json!({"IDENTITY_ENDPOINT": endpoint, "IDENTITY_HEADER": "planted-header"}));
    assert_eq!(
        none_found(&outcome).failure.message,
        "No credential for Azure was found. Tried: managed identity (this host does not have the requested identity (status 400): No Managed Identity \
         found for specified ClientId), Azure CLI (not installed, or not on the PATH), Azure Developer CLI (not installed, or not on the PATH)."
    );
    // Nobody listens on a port that was just free.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let endpoint = format!("http://{free}/msi/token");
    let outcome = run_with(&internet, &json!({"IDENTITY_ENDPOINT": endpoint, "IDENTITY_HEADER": "planted-header"}));
    let message = &none_found(&outcome).failure.message;
    assert!(message.contains(&format!("managed identity ({free} cannot be reached: ")), "{message}");
}

#[test]
fn a_broken_login_is_no_plan() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let project = project();
    let request = internet.request(&project.path("storage.yml"), internet.environment(&json!({})));
    let outcome = run(&with(request, json!({"whatIf": true})));
    assert_eq!(none_found(&outcome).failure.code.as_str(), "CredentialUnavailable");
    assert!(outcome.plan().is_empty() && internet.seen().is_empty());
}

#[test]
fn an_offline_plan_uses_no_credential_even_where_there_is_one() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let project = project();
    let variables = application(json!({"AZURE_CLIENT_SECRET": "planted-secret"}));
    let request = internet.request(&project.path("storage.yml"), internet.environment(&variables));
    let outcome = run(&with(request, json!({"whatIf": true, "context": {"offline": true}})));
    assert_eq!(outcome.plan().len(), 3);
    assert_eq!(outcome.warnings(), ["The plan is made offline, so it does not show what exists."]);
    assert!(internet.seen().is_empty());
}

#[test]
fn the_choice_of_credentials_is_kept_to() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let secret = json!({"AZURE_CLIENT_SECRET": "planted-secret", "AZURE_TOKEN_CREDENTIALS": "AzureCliCredential"});
    let outcome = run_with(&internet, &application(secret));
    let expected = "No credential for Azure was found. Tried: Azure CLI (not installed, or not on the PATH).";
    assert_eq!(none_found(&outcome).failure.message, expected);
    let outcome = run_with(&internet, &json!({"AZURE_TOKEN_CREDENTIALS": "Kerberos"}));
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "CredentialRefused");
    assert!(
        message.starts_with(
            "The choice of AZURE_TOKEN_CREDENTIALS cannot be used: its value is not valid; use prod, dev,"
        ),
        "{message}"
    );
}

#[test]
fn an_authority_that_is_not_reached_is_no_refusal() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let mut variables = application(json!({"AZURE_CLIENT_SECRET": "planted-secret"}));
    variables["AZURE_AUTHORITY_HOST"] = json!("nowhere.example");
    let outcome = run_with(&internet, &variables);
    let report = outcome.last_error();
    assert_eq!(
        (report.failure.code.as_str(), report.failure.category),
        ("ConnectionFailed", ErrorCategory::ConnectionError)
    );
    assert!(report.failure.message.contains("returned no token: nowhere.example cannot be reached: "), "{report:?}");
    variables["AZURE_AUTHORITY_HOST"] = json!("http://nowhere.example");
    let outcome = run_with(&internet, &variables);
    assert!(outcome.failed_with().1.contains("AZURE_AUTHORITY_HOST must begin with https://"));
    internet.answer_with("POST login", 200, &[], "<html>Sign in to the guest network</html>");
    variables["AZURE_AUTHORITY_HOST"] = json!("");
    let outcome = run_with(&internet, &variables);
    assert!(outcome.failed_with().1.contains("a proxy or a sign-in page may have answered"), "{outcome:?}");
}

#[test]
fn a_subscription_of_another_tenant_says_which_tenant_is_to_be_chosen() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let message = "The access token is from the wrong issuer 'https://sts.windows.net/contoso-tenant/'. It must match the tenant 'https://sts.windows.net/fabrikam-tenant/' associated with this subscription.";
    // The name of the subscription and three reads at once, and each is tried again with a new token.
    for _ in 0..8 {
        let body = json!({"error": {"code": "InvalidAuthenticationTokenTenant", "message": message}});
        internet.answer("GET management.azure.com", 401, &body);
    }
    let project = project();
    let outcome = run(&internet.request(&project.path("storage.yml"), internet.signed_in()));
    let report = outcome.last_error();
    assert_eq!(report.failure.code.as_str(), "InvalidAuthenticationTokenTenant");
    assert_eq!(report.failure.request_id.as_deref(), Some("scripted-request"));
    assert!(report.failure.message.ends_with(message), "{report:?}");
    assert!(
        report.failure.recommendation.as_ref().unwrap().contains("Choose the tenant fabrikam-tenant "),
        "{report:?}"
    );
}

#[test]
fn the_target_says_who_is_signed_in_and_the_plan_what_the_subscription_is_called() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let name = format!("GET management.azure.com/subscriptions/{LOCAL_SUBSCRIPTION_ID}?");
    internet.answer(
        &name,
        200,
        &json!({"id": format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}"), "displayName": "Production"}),
    );
    let project = project();
    let outcome = run(&internet.request(&project.path("storage.yml"), internet.signed_in()));
    assert_eq!(outcome.summary(), "created 3");
    let said = outcome.messages.iter().find_map(|message| match message {
        Message::Target(target) => Some(target),
        _ => None,
    });
    let said = said.unwrap();
    assert_eq!((said.cloud.as_str(), said.endpoint.as_str()), ("public", "https://management.azure.com"));
    assert_eq!((&said.subscription_name, said.subscription_id.as_str()), (&None, LOCAL_SUBSCRIPTION_ID));
    assert_eq!(said.identity.as_deref(), Some("client secret of AZURE_CLIENT_SECRET"), "this token says no more");
    let planned = outcome.messages.iter().find_map(|message| match message {
        Message::Plan { target, .. } => target.as_ref(),
        _ => None,
    });
    assert_eq!(planned.unwrap().subscription_name.as_deref(), Some("Production"));
    let path = format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}?");
    assert_eq!(internet.seen_by(MANAGEMENT).iter().filter(|seen| seen.target.starts_with(&path)).count(), 1);
}

#[test]
fn who_asks_for_detail_gets_the_ids_and_times_of_what_was_changed_or_went_wrong() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    internet.answer("GET management.azure.com", 503, &json!({"error": {"code": "Busy", "message": "Later."}}));
    let project = project();
    let outcome = run(&internet.request(&project.path("storage.yml"), internet.signed_in()));
    let verbose = outcome.verbose();
    let line = verbose.iter().find(|line| line.contains(" answered 503 in ")).unwrap_or_else(|| panic!("{verbose:?}"));
    assert!(line.contains("(request id scripted-request, client request id "), "{line}");
    let id = internet.seen_by(MANAGEMENT)[0].header("x-ms-client-request-id").to_owned();
    assert!(line.ends_with(&format!("{id}).")), "{line}");
    for put in internet.seen_by(MANAGEMENT).iter().filter(|seen| seen.method == "PUT") {
        let id = put.header("x-ms-client-request-id");
        assert!(verbose.iter().any(|line| line.starts_with("PUT ") && line.contains(id)), "{id} in {verbose:?}");
    }
    assert!(!verbose.iter().any(|line| line.contains("minimumTlsVersion")), "bodies are not shown");
}
