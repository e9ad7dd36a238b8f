//! 0 done, 1 failed with nothing changed, 2 usage or settings, 3 something was changed and something failed.

use svc_local_cloud::LocalCloudOptions;

use super::support::*;

/// The exit status against a local cloud that misbehaves so.
fn status_with(fault: &str) -> (i32, Output) {
    let folder = Folder::new();
    let cloud = cloud(LocalCloudOptions { faults: vec![fault.parse().unwrap()], ..LocalCloudOptions::default() });
    let output = folder.svc(&["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", cloud.endpoint()]);
    (output.status, output)
}

#[test]
fn done_and_nothing_to_do() {
    let folder = Folder::new();
    for expected in ["Result: 3 created (", "Everything is up to date: 3 resources ("] {
        let output = folder.deploy(&[]);
        assert_eq!(output.status, 0, "{output:?}");
        assert!(output.stdout.lines().last().unwrap().starts_with(expected), "{output:?}");
    }
}

#[test]
fn failed_before_any_change() {
    let (status, output) = status_with("status=403,times=always");
    assert_eq!(status, 1, "{output:?}");
    assert!(
        output.told().starts_with(
            "ERROR AuthorizationFailed: storage.yml:2:20: the resource group 'rg-shop-iaas-99b8167f' cannot be read: "
        ),
        "{output:?}"
    );
    assert!(output.stderr.contains("\n  request id: "), "{output:?}");
    // The first of all changes fails: nothing was changed.
    let (status, output) = status_with("status=403,method=PUT,times=always");
    assert_eq!(status, 1, "{output:?}");
    assert!(output.stdout.contains("Result: 2 skipped, 1 failed ("), "{output:?}");
    // A service that is not there is no mistake of the document.
    let folder = Folder::new();
    let text = DOCUMENT.replace("resourceGroupName: Shop", "service: {dependencies: {resourceGroup: shop}}");
    folder.write("storage.yml", &text);
    let output = folder.deploy(&[]);
    assert_eq!(output.status, 1, "{output:?}");
    assert!(output.told().starts_with("ERROR ServiceNotFound: "), "{output:?}");
    // The state of the local cloud is damaged.
    folder.write("state.json", "damaged");
    assert_eq!(folder.deploy(&["-LocalStateFile", "state.json"]).status, 1);
}

#[test]
fn usage_and_settings() {
    let folder = Folder::new();
    assert_eq!(folder.deploy(&["-Cloud", "mars"]).status, 2, "an option that is given twice");
    let run = |file: &str, more: &[&str]| folder.svc(&[&["New-SvcIaasStorage", "-SettingsFile", file], more].concat());
    for (file, more, code) in [
        ("storage.yml", &["-Cloud", "mars"][..], "CloudUnknown"),
        ("storage.yml", &["-Cloud", "http://example.com"], "EndpointInvalid"),
        ("storage.yml", &["-Cloud", "local", "-Environment", "prod"], "EnvironmentUnknown"),
        ("storage.yml", &["-Cloud", "local", "-SubscriptionId", "mine"], "SubscriptionInvalid"),
        ("missing.yml", &["-Cloud", "local"], "SettingsFileNotFound"),
        ("storage.yml", &["-Cloud", "local", "-TagSettingsFile", "missing.yml"], "SettingsFileNotFound"),
        (".", &["-Cloud", "local"], "SettingsFileNotFound"),
    ] {
        let output = run(file, more);
        assert_eq!(output.status, 2, "{file} {more:?}: {output:?}");
        assert!(output.told().starts_with(&format!("ERROR {code}: ")), "{file} {more:?}: {output:?}");
    }
    folder.write("wrong.yml", "location: UK South\nstorageAccounts: x\nresourceGroupName: Shop\n");
    let output = run("wrong.yml", &["-Cloud", "local"]);
    assert_eq!(output.status, 2);
    assert_eq!(
        output.told(),
        "ERROR SettingsInvalid: wrong.yml has 1 problem:\nwrong.yml:2:18: storageAccounts: expected a list of objects, found 'x'; their keys are storageAccountName, location, accountType, kind, replication, blobContainer, fileShare, \
         table, queue, minimumTlsVersion, supportsHttpsTrafficOnly, allowBlobPublicAccess, networkAclsBypass, networkAclsDefaultAction, service, privateEndpoints\n  |\n2 | storageAccounts: x\n  |                  ^\n  \
         Correct the settings and run the command again. Nothing was contacted or changed.\n"
    );
}

#[test]
fn partly_failed() {
    let (status, output) = status_with("status=400,method=PUT,path=/storageAccounts/,times=always");
    assert_eq!(status, 3, "{output:?}");
    assert!(output.stdout.contains("Result: 1 created, 1 skipped, 1 failed ("), "{output:?}");
    assert!(output.stderr.contains("WARNING: 1 resource was skipped because the storage account"), "{output:?}");
}

/// Whoever reads it all sees each failure once, and no word of everything being fine.
#[test]
fn a_failure_is_shown_once() {
    let folder = Folder::new();
    folder.write("storage.yml", &DOCUMENT.replace("[orders]", "[orders, returns]"));
    let faults = vec!["status=409,method=PUT,path=/queues/orders,times=always".parse().unwrap()];
    let cloud = cloud(LocalCloudOptions { faults, ..LocalCloudOptions::default() });
    let arguments = ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", cloud.endpoint()];
    for (expected, status) in [("Result: 3 created, 1 failed (", 3), ("Result: 3 up to date, 1 failed (", 1)] {
        let output = folder.svc(&arguments);
        assert_eq!(output.status, status, "{output:?}");
        assert!(output.stdout.lines().last().unwrap().starts_with(expected), "{output:?}");
        let shown = format!("{}{}", output.stdout, output.stderr);
        let message = "The local cloud was told to answer like this.";
        assert_eq!(shown.matches(message).count(), 1, "{output:?}");
        assert_eq!(shown.matches("ERROR Conflict: ").count(), 1, "{output:?}");
        assert!(!shown.contains("DeploymentFailed") && !shown.contains("Everything"), "{output:?}");
        assert!(output.stderr.ends_with("\nRun the command again when the causes are gone.\n"), "{output:?}");
    }
    // Two changes are left, and one of them can be made.
    folder.write("storage.yml", &DOCUMENT.replace("[orders]", "[orders, returns, claims]"));
    let json = folder.svc(&[&arguments[..], &["-Output", "json"]].concat());
    assert_eq!(json.status, 3, "{json:?}");
    let messages = json.messages();
    let ends: Vec<&str> = messages.iter().rev().take(3).filter_map(|message| message["event"].as_str()).collect();
    assert_eq!(ends, ["error", "result", "error"], "{json:?}");
    let last = &messages[messages.len() - 1];
    assert_eq!((&last["code"], &last["terminating"]), (&"DeploymentFailed".into(), &true.into()));
    assert_eq!(last["done"][0]["fullName"], "stordersdb8e13ec/default/claims");
    assert_eq!(last["failures"][0]["code"], "Conflict");
}

/// 4 stands for a difference, and only where it is asked for; whatever went wrong goes before it.
#[test]
fn detailed() {
    let folder = Folder::new();
    let run =
        |verb: &str, more: &[&str]| folder.svc(&[&[verb, "-f", "storage.yml", "--cloud", "local"], more].concat());
    let detailed = |verb: &str| run(verb, &["--detailed-exitcode"]).status;
    folder.write("storage.yml", &format!("component: storage\n{DOCUMENT}"));
    assert_eq!(run("plan", &[]).status, 0);
    assert_eq!(detailed("plan"), 4, "something is planned");
    assert_eq!(detailed("apply"), 4, "something was changed");
    assert_eq!(detailed("apply"), 0, "nothing was to be done");
    assert_eq!(detailed("plan"), 0, "no difference");
    assert_eq!(folder.deploy(&["-DetailedExitcode", "-WhatIf"]).status, 0);
    // The tier of an account cannot be changed: it is kept, and that is a difference.
    let premium =
        DOCUMENT.replace("accountType: Standard", "accountType: Premium").replace("    queue: [orders]\n", "");
    folder.write("storage.yml", &format!("component: storage\n{premium}"));
    let kept = run("plan", &["-o", "json", "--detailed-exitcode"]);
    assert_eq!(kept.with_event("plan").len(), 0, "{kept:?}");
    assert!(kept.with_event("result")[0]["kept"].as_u64().unwrap() > 0, "{kept:?}");
    assert_eq!(kept.status, 4, "{kept:?}");
    // What goes before it: usage, failures, and both together.
    folder.write("storage.yml", &format!("component: storage\n{DOCUMENT}").replace("[orders]", "[orders, returns]"));
    assert_eq!(run("plan", &["--detailed-exitcode", "--environment", "none"]).status, 2);
    for (fault, expected) in
        [("status=403,times=always", 1), ("status=409,method=PUT,path=/queues/returns,times=always", 3)]
    {
        folder
            .write("storage.yml", &format!("component: storage\n{DOCUMENT}").replace("[orders]", "[orders, returns]"));
        let cloud = cloud(LocalCloudOptions { faults: vec![fault.parse().unwrap()], ..LocalCloudOptions::default() });
        let output = folder.svc(&["apply", "storage.yml", "--cloud", cloud.endpoint(), "--detailed-exitcode"]);
        assert_eq!(output.status, expected, "{output:?}");
    }
}
