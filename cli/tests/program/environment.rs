//! Variables that hold a path.

use super::support::*;

const DEPLOY: [&str; 5] = ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", "local"];

#[test]
fn relative_paths_in_variables_start_at_the_working_directory() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("project/_tags")).unwrap();
    folder.write("project/_tags/globalTags.yml", "tags: {mandatory: {owner: relative}}\n");
    let output = folder
        .command(&[&DEPLOY[..], &["-Output", "json"]].concat())
        .env("SVC_PROJECT_ROOT", "project")
        .env("SVC_LOCAL_STATE_FILE", "kept/state.json")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("relative"));
    assert!(folder.path("kept/state.json").is_file());
}

#[test]
fn a_document_that_is_not_here_is_tried_from_the_root_of_the_project() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("project/settings")).unwrap();
    folder.write("project/settings/shop.yml", DOCUMENT);
    folder.write("project/settings/tags.yml", "tags: {mandatory: {owner: root}}\n");
    let fixed = ["New-SvcIaasStorage", "-SettingsFile", "settings/shop.yml", "-Cloud", "local", "-WhatIf"];
    let with_root = [&fixed[..], &["-TagSettingsFile", "settings/tags.yml", "-ProjectRoot", "project"]].concat();
    let output = folder.svc(&with_root);
    assert_eq!(output.status, 0, "{output:?}");
    assert!(output.stdout.contains("owner: root"), "{output:?}");
    let of_variable = folder.command(&fixed).env("SVC_PROJECT_ROOT", "project").output().unwrap();
    assert!(of_variable.status.success(), "{of_variable:?}");
    // What is here comes first, and what is nowhere is not where the user stands.
    std::fs::create_dir_all(folder.path("settings")).unwrap();
    folder.write("settings/tags.yml", "tags: {mandatory: {owner: here}}\n");
    let output = folder.svc(&with_root);
    assert!(output.stdout.contains("owner: here"), "{output:?}");
    let output =
        folder.svc(&["New-SvcIaasStorage", "-SettingsFile", "other.yml", "-Cloud", "local", "-ProjectRoot", "project"]);
    let message = format!("The settings file '{}' does not exist.", folder.path("other.yml").display());
    assert!(output.stderr.contains(&message), "{output:?}");
    assert_eq!(output.status, 2);
}

#[test]
fn a_tilde_in_a_variable_is_the_home_folder() {
    let folder = Folder::new();
    let output = folder
        .command(&DEPLOY)
        .env("HOME", folder.path("home"))
        .env("USERPROFILE", folder.path("home"))
        .env("SVC_LOCAL_STATE_FILE", "~/state.json")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(folder.path("home/state.json").is_file());
}

#[test]
fn a_project_root_that_is_not_a_folder_is_named() {
    let folder = Folder::new();
    let output = folder.command(&DEPLOY).env("SVC_PROJECT_ROOT", "storage.yml").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let shown = String::from_utf8(output.stderr).unwrap();
    let root = folder.path("storage.yml");
    assert!(shown.contains(&format!("The project root '{}' is not a folder.", root.display())), "{shown}");
}

#[test]
fn relative_certificate_paths_start_at_the_working_directory() {
    let folder = Folder::new();
    let run = |variables: &[(&str, &str)]| {
        let mut command = folder.command(&["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", "public"]);
        let output = command.envs(variables.iter().copied()).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let application = [("AZURE_TENANT_ID", "contoso"), ("AZURE_CLIENT_ID", "deployer")];
    let shown = run(&[&application[..], &[("AZURE_CLIENT_CERTIFICATE_PATH", "deployer.pem")]].concat());
    let expected = format!("'{}' does not exist.", folder.path("deployer.pem").display());
    assert!(shown.contains(&expected), "{shown}");

    folder.write("authorities.pem", "no certificate\n");
    let shown = run(&[("SSL_CERT_FILE", "authorities.pem")]);
    assert!(shown.contains("authorities.pem' cannot be read: the file contains no certificates."), "{shown}");
}
