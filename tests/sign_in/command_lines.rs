//! The developer's command lines as credentials, played by scripts.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use super::credentials::{MANAGEMENT, none_found, project, run_with};
use crate::support::internet::Internet;
use crate::support::*;

/// A folder with a program of this name that is this script.
fn program(name: &str, script: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[test]
fn the_azure_cli_is_asked_with_the_callers_variables_and_the_tenant_of_the_context() {
    let script = r#"test "$1 $2" = "account get-access-token" || exit 3
echo "$@" > "$AZURE_CONFIG_DIR/arguments"
printf '{"accessToken": "planted-cli-token", "expires_on": 4102444800, "tokenType": "Bearer"}'"#;
    let folder = program("az", script);
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let project = project();
    let variables = internet.environment(&json!({"PATH": folder.path(), "AZURE_CONFIG_DIR": folder.path()}));
    let request = internet.request(&project.path("storage.yml"), variables);
    let outcome = run(&with(request, json!({"context": {"tenantId": "fabrikam-tenant"}})));
    assert_eq!(outcome.summary(), "created 3");
    assert!(outcome.verbose().contains(&"Signed in with the Azure CLI."));
    assert!(internet.seen_by(MANAGEMENT).iter().all(|request| request.token() == "planted-cli-token"));
    let arguments = std::fs::read_to_string(folder.path().join("arguments")).unwrap();
    assert!(arguments.contains("--scope https://management.azure.com/.default"), "{arguments}");
    assert!(arguments.contains("--tenant fabrikam-tenant"), "{arguments}");
}

#[test]
fn a_command_line_that_is_not_signed_in_speaks_for_itself() {
    let folder = program("az", r#"echo "ERROR: Please run 'az login' to setup account." >&2; exit 1"#);
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let outcome = run_with(&internet, &json!({"PATH": folder.path()}));
    let message = &none_found(&outcome).failure.message;
    assert!(message.contains("Azure CLI (Please run 'az login' to setup account), "), "{message}");
}

#[test]
fn the_azure_developer_cli_comes_after_the_azure_cli() {
    let folder = program(
        "azd",
        r#"test "$1 $2" = "auth token" || exit 3
printf '{"token": "planted-azd-token", "expiresOn": "2100-01-01T00:00:00Z"}'"#,
    );
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let outcome = run_with(&internet, &json!({"PATH": folder.path()}));
    assert_eq!(outcome.summary(), "created 3");
    let verbose = outcome.verbose();
    let at = |line: &str| verbose.iter().position(|known| *known == line).unwrap_or_else(|| panic!("{verbose:?}"));
    let signed_in = at("Signed in with the Azure Developer CLI.");
    let not_used = at("Not used: Azure CLI (not installed, or not on the PATH).");
    assert!(signed_in < not_used);
    let folder = program(
        "azd",
        r#"printf '%s' '{"type":"consoleMessage","data":{"message":"\nERROR: not logged in, run azd auth login"}}' >&2; exit 1"#,
    );
    let outcome = run_with(&internet, &json!({"PATH": folder.path()}));
    let message = &none_found(&outcome).failure.message;
    assert!(message.contains("Azure Developer CLI (not logged in, run azd auth login)"), "{message}");
}
