//! `svc template`: what goes where.

use serde_json::Value;

use crate::support::Folder;

const STORAGE: &str = "component: storage\nlocation: UK South\nresourceGroupName: Shop\nstorageAccounts:\n  - storageAccountName: Orders\n    \
                       accountType: Standard\n";

#[test]
fn a_template_goes_to_standard_output_and_everything_else_beside_it() {
    let folder = Folder::new();
    folder.write("storage.yml", STORAGE);
    let output = folder.svc(&["template", "storage.yml", "--cloud", "local"]);
    assert_eq!(output.status, 0, "{}", output.told());
    let template: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(template["languageVersion"], "2.0");
    assert!(
        output.stderr.contains("Deploy it with Azure CLI:\n  az deployment sub create --name svc-storage "),
        "{}",
        output.stderr
    );
    assert!(
        output.stderr.contains("New-AzSubscriptionDeployment -Name svc-storage -Location uksouth"),
        "{}",
        output.stderr
    );
    assert!(!folder.path(".svc/local-cloud.json").exists() || !output.stdout.contains("local"), "nothing is deployed");
}

#[test]
fn a_template_goes_to_a_file() {
    let folder = Folder::new();
    folder.write("storage.yml", STORAGE);
    let arguments = ["template", "storage.yml", "--cloud", "local", "--path", "out.json", "--offline"];
    for overwrite in [&[][..], &["--overwrite"]] {
        let output = folder.svc(&[&arguments, overwrite].concat());
        assert_eq!(output.status, 0, "{}", output.told());
        let path = folder.path("out.json");
        assert!(output.stdout.contains("The template is in '") && !output.stdout.contains('{'), "{}", output.stdout);
        let template: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert!(template["resources"].is_object());
    }
    let output = folder.svc(&arguments);
    assert!(output.status == 2 && output.stderr.contains("out.json' is not overwritten"), "{output:?}");
}

#[test]
fn a_program_gets_the_template_in_a_message() {
    let folder = Folder::new();
    folder.write("storage.yml", STORAGE);
    let output = folder.svc(&["template", "storage.yml", "--offline", "-o", "json"]);
    let [message] = &output.with_event("template")[..] else { panic!("{}", output.told()) };
    let template: Value = serde_json::from_str(message["template"].as_str().unwrap()).unwrap();
    assert!(template["resources"].is_object());
}

#[test]
fn what_is_no_template_is_an_error() {
    let folder = Folder::new();
    folder.write("storage.yml", STORAGE);
    let output = folder.svc(&["template", "storage.yml", "--stack", "--offline"]);
    assert_eq!(output.status, 1, "{}", output.told());
    assert!(output.stderr.contains("A deployment stack is for the alert commands"), "{}", output.stderr);
    folder.write("wrong.yml", "component: storage\n");
    assert_eq!(folder.svc(&["template", "wrong.yml", "--offline"]).status, 2);
}
