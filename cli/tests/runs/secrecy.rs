//! Secrets do not leave: recognisable ones are planted wherever a run has one, and everything it says is searched for them.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::estate::*;
use crate::support::internet::Internet;
use crate::support::*;

/// Each way to sign in: its variables, and the secret that it shows to whoever gives the token.
fn ways(internet: &Internet, folder: &std::path::Path) -> Vec<(Value, &'static str)> {
    let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
    let certificate = rcgen::CertificateParams::new(vec!["deployer".to_owned()]).unwrap().self_signed(&key).unwrap();
    std::fs::write(folder.join("deployer.pem"), format!("{}{}", key.serialize_pem(), certificate.pem())).unwrap();
    std::fs::write(folder.join("federated"), "planted-federated-token").unwrap();
    let endpoint = format!("http://127.0.0.1:{}/msi/token", internet.port());
    let application = |name: &str, value: Value| json!({"AZURE_TENANT_ID": "t", "AZURE_CLIENT_ID": "c", name: value});
    vec![
        (application("AZURE_CLIENT_SECRET", json!("planted-client-secret")), "planted-client-secret"),
        // The assertion is another one each time.
        (application("AZURE_CLIENT_CERTIFICATE_PATH", json!(folder.join("deployer.pem"))), ""),
        (application("AZURE_FEDERATED_TOKEN_FILE", json!(folder.join("federated"))), "planted-federated-token"),
        (
            json!({"IDENTITY_ENDPOINT": endpoint, "IDENTITY_HEADER": "planted-identity-header"}),
            "planted-identity-header",
        ),
    ]
}

/// The texts that must be in no output: everything planted begins like this, and keys and assertions have these beginnings.
const PLANTED: &[&str] = &["planted-", "planted%2F", "PRIVATE KEY", "eyJ"];

fn assert_secret(output: &str) {
    for planted in PLANTED {
        let at = output.find(planted);
        assert!(at.is_none(), "…{}…", output[at.unwrap().saturating_sub(100)..].chars().take(300).collect::<String>());
    }
}

/// The proxy that every request of these tests goes through, with its password.
fn with_password(internet: &Internet, mut variables: Value) -> Value {
    variables["HTTPS_PROXY"] = json!(format!("http://user:planted-proxy-password@127.0.0.1:{}", internet.port()));
    variables["ALL_PROXY"] = variables["HTTPS_PROXY"].clone();
    internet.environment(&variables)
}

/// Runs the program with everything that it can say, in both of its forms, and returns all of it.
fn all_output(internet: &Internet, project: &Project, variables: &Value) -> String {
    let mut said = String::new();
    for form in ["text", "json"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc"));
        command
            .args(["New-SvcIaasStorage", "-Cloud", "public", "-Verbose", "-Debug", "-Output", form, "-SettingsFile"])
            .arg(project.path("storage.yml"))
            .args(["-SubscriptionId", svc_local_cloud::LOCAL_SUBSCRIPTION_ID])
            .env_clear();
        for (name, value) in with_password(internet, variables.clone()).as_object().unwrap() {
            command.env(name, value.as_str().unwrap());
        }
        let output = command.output().unwrap();
        said.push_str(&String::from_utf8(output.stdout).unwrap());
        said.push_str(&String::from_utf8(output.stderr).unwrap());
    }
    said
}

#[test]
fn no_secret_is_in_any_output_of_a_run_that_succeeds() {
    let cloud = cloud();
    let internet = Internet::behind_password(&cloud, "user:planted-proxy-password");
    let project = Project::with(&document("queue: [orders]"));
    let folder = tempfile::tempdir().unwrap();
    for (variables, shown) in ways(&internet, folder.path()) {
        let said = all_output(&internet, &project, &variables);
        assert!(said.contains("Signed in with the "), "{said}");
        assert!(said.contains("client request id"), "the debug lines are there: {said}");
        assert!(shown.is_empty() || internet.seen().iter().any(|seen| format!("{seen:?}").contains(shown)));
        assert_secret(&said);
    }
}

#[test]
fn no_secret_is_in_any_output_of_a_run_that_is_refused() {
    let cloud = cloud();
    let internet = Internet::behind_password(&cloud, "user:planted-proxy-password");
    let project = Project::with(&document("queue: [orders]"));
    let folder = tempfile::tempdir().unwrap();
    for (variables, shown) in ways(&internet, folder.path()) {
        // Who refuses repeats what was sent: the worst that can happen.
        for _ in 0..2 {
            let echo = format!("AADSTS7000215: Not valid: {shown} planted-proxy-password");
            let body = json!({"error": "invalid_client", "error_description": echo});
            internet.answer("*token", 400, &body);
        }
        let said = all_output(&internet, &project, &variables);
        assert!(said.contains("returned no token") || said.contains("No credential"), "{said}");
        assert_secret(&said);
    }
}

#[test]
fn a_token_that_azure_repeats_is_not_shown() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let project = Project::with(&document("queue: [orders]"));
    for _ in 0..2 {
        let message = "The tokens planted-token-1 and planted-token-2 are not valid here.";
        internet.answer(
            "PUT *storageAccounts/",
            401,
            &json!({"error": {"code": "InvalidAuthenticationToken", "message": message}}),
        );
    }
    let outcome = run(&internet.request(&project.path("storage.yml"), internet.signed_in()));
    assert!(outcome.errors()[0].failure.message.contains("The tokens *** and *** are not valid here."), "{outcome:?}");
    let failures = &outcome.deployment_failed().failures;
    assert!(failures[0].message.contains("The tokens *** and *** are not valid here."), "{failures:?}");
    assert_secret(&format!("{outcome:?}"));
}

/// Core monitoring has the most secrets in its document: addresses of receivers.
#[test]
fn the_program_writes_no_address_however_much_it_is_asked_to_say() {
    let document = "\
component: monitor
name: Platform
location: UK South
advisorLowCPUThresholdPercentage: 10
service:
  publish: {storage: core-logs, workspace: core-workspace, appInsights: core-insights, resourceGroup: core, solution: core-solutions,
    actionGroup: core-team, keyvaultAdminAlert: vault-alert, resourceHealthAlert: health-alert, serviceHealthAlert: service-alert}
  dependencies: {keyvault: central-vault}
alerts:
  keyvaultAdmin: {actionGroupName: Security}
  resourceHealth: {actionGroupName: Security}
  serviceHealth: {actionGroupName: Security}
actionGroups:
  - name: Security
    shortname: security
    webhooks: [{serviceUri: 'https://x.net/w/planted-address'}, {serviceUri: \"https://x.net/w?q=%22&quoted=\\\"planted-second\"}]
";
    let options: &[&[&str]] =
        &[&[], &["-Verbose", "-Debug"], &["-Output", "json"], &["-Output", "json", "-Verbose", "-Debug"]];
    for options in options {
        let (cloud, deployment) = (landing_zone(), Deployment::new(CORE_MONITOR, document));
        for more in [&["-WhatIf"][..], &[], &[]] {
            let output = Command::new(env!("CARGO_BIN_EXE_svc"))
                .args([CORE_MONITOR, "-SettingsFile"])
                .arg(deployment.project.path("settings.yml"))
                .args(["-Cloud", cloud.endpoint()])
                .args([options, more].concat())
                .env_clear()
                .output()
                .unwrap();
            let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
            assert!(output.status.success(), "{said}");
            assert_secret(&said);
        }
    }
}
