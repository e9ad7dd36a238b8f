//! `svc local`: serves the local cloud, and imports into its state.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use super::support::*;

/// A local cloud that `svc local` serves; stopped with Ctrl+C at the end.
struct Server {
    child: Option<Child>,
    endpoint: String,
}

impl Server {
    fn start(folder: &Folder, arguments: &[&str]) -> Server {
        let arguments = [&["local", "--listen", "127.0.0.1:0"], arguments].concat();
        let mut child = folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let endpoint = line
            .strip_prefix("The local cloud is listening on ")
            .and_then(|rest| rest.strip_suffix(". Stop it with Ctrl+C.\n"));
        let endpoint = endpoint.unwrap_or_else(|| panic!("it said: {line}")).to_owned();
        Server { child: Some(child), endpoint }
    }

    fn stop(self) -> Output {
        self.stop_with("INT")
    }

    fn stop_with(mut self, name: &str) -> Output {
        let child = self.child.take().unwrap();
        signal(child.id(), name);
        finish(child)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
        }
    }
}

fn deploy_to(folder: &Folder, server: &Server) -> Output {
    folder.svc(&["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", &server.endpoint])
}

#[test]
fn it_serves_until_it_is_stopped_and_keeps_its_state_and_a_log() {
    let folder = Folder::new();
    let arguments =
        ["--state", "state.json", "--request-log", "requests.jsonl", "--latency-ms", "1", "--operation-time", "0.001"];
    let server = Server::start(&folder, &arguments);
    assert!(deploy_to(&folder, &server).stdout.contains("Result: 3 created ("));
    // While it runs, nobody else may have its state.
    let other = folder.deploy(&["-LocalStateFile", "state.json"]);
    assert_eq!(other.status, 1);
    assert!(other.stderr.starts_with("ERROR LocalStateInUse: The state file "), "{other:?}");
    let refused = folder.svc(&["local", "--listen", "127.0.0.1:0", "--state", "state.json"]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains(" is in use by another local cloud. "), "{refused:?}");
    let stopped = server.stop();
    assert_eq!((stopped.status, stopped.stderr.as_str()), (0, ""));

    let log = std::fs::read_to_string(folder.path("requests.jsonl")).unwrap();
    let writes = log.lines().filter(|line| line.contains(r#""method":"PUT""#)).count();
    assert_eq!(writes, 3, "{log}");
    for line in log.lines() {
        let request: serde_json::Value = serde_json::from_str(line).unwrap();
        for member in ["method", "url", "body", "status"] {
            assert!(request.get(member).is_some(), "{member} is missing in {line}");
        }
    }
    let server = Server::start(&folder, &["--state", "state.json"]);
    assert!(deploy_to(&folder, &server).stdout.contains("Everything is up to date: 3 resources"));
    server.stop();
    assert!(folder.deploy(&["-LocalStateFile", "state.json"]).stdout.contains("Everything is up to date"));
}

#[test]
fn it_ends_in_order_when_a_service_manager_stops_it() {
    let folder = Folder::new();
    let server = Server::start(&folder, &["--state", "state.json"]);
    assert!(deploy_to(&folder, &server).stdout.contains("Result: 3 created ("));
    let stopped = server.stop_with("TERM");
    assert_eq!((stopped.status, stopped.stderr.as_str()), (0, ""));
    assert!(folder.deploy(&["-LocalStateFile", "state.json"]).stdout.contains("Everything is up to date: 3 resources"));
}

#[test]
fn it_misbehaves_as_it_is_told() {
    let folder = Folder::new();
    let arguments = ["--throttling", "--fault", "status=403,method=PUT", "--fault", "status=500,method=GET"];
    let server = Server::start(&folder, &arguments);
    let output = deploy_to(&folder, &server);
    assert_eq!(output.status, 1, "{output:?}");
    assert!(output.stderr.contains("AuthorizationFailed"), "{output:?}");
    assert_eq!(deploy_to(&folder, &server).status, 0, "the faults are used up");
    server.stop();
}

#[test]
fn one_file_has_one_purpose_and_a_log_is_only_appended_to_a_log() {
    let folder = Folder::new();
    for log in ["st.json", "./st.json", "st.json.lock"] {
        let output = folder.svc(&["local", "--listen", "127.0.0.1:0", "--state", "st.json", "--request-log", log]);
        assert_eq!(output.status, 1, "{output:?}");
        assert!(output.stderr.contains("cannot be both the state file and the request log"), "{output:?}");
        assert!(!folder.path("st.json").exists() && !folder.path("st.json.lock").exists());
    }
    let output = folder.svc(&["local", "--listen", "127.0.0.1:0", "--request-log", "storage.yml"]);
    assert_eq!(output.status, 1, "{output:?}");
    assert!(output.stderr.contains("the file has something else in it"), "{output:?}");
    assert_eq!(std::fs::read_to_string(folder.path("storage.yml")).unwrap(), DOCUMENT);
    let log = ["--request-log", "log.jsonl"];
    for _ in 0..2 {
        let server = Server::start(&folder, &log);
        deploy_to(&folder, &server);
        server.stop();
    }
    let text = std::fs::read_to_string(folder.path("log.jsonl")).unwrap();
    assert_eq!(text.lines().filter(|line| line.contains(r#""method":"PUT""#)).count(), 6, "it is appended to");
}

#[test]
fn only_a_number_is_a_time() {
    let folder = Folder::new();
    for time in ["NaN", "inf", "-1", "1e300", "x"] {
        let output = folder.svc(&["local", "--listen", "127.0.0.1:0", &format!("--operation-time={time}")]);
        assert_eq!(output.status, 2, "{time}: {output:?}");
        assert!(output.stderr.contains("expected a number from 0 to 1000"), "{time}: {output:?}");
    }
}

#[test]
fn existing_resources_are_imported() {
    let folder = Folder::new();
    let group = "/subscriptions/10ca1c10-0d00-4000-8000-000000000001/resourceGroups/existing";
    folder.write(
        "resources.json",
        &format!(r#"[{{"id": "{group}", "location": "uksouth", "tags": {{"svc-service": "shop"}}}}]"#),
    );
    let output = folder.svc(&["local", "import", "resources.json", "--state", "state.json"]);
    assert_eq!(
        (output.status, output.stdout.as_str(), output.stderr.as_str()),
        (0, "1 resource was imported into 'state.json'.\n", "")
    );
    folder.write(
        "storage.yml",
        &DOCUMENT.replace("resourceGroupName: Shop", "service: {dependencies: {resourceGroup: shop}}"),
    );
    let output = folder.deploy(&["-LocalStateFile", "state.json"]);
    assert!(output.stdout.contains("Result: 2 created ("), "{output:?}");
    assert!(output.stdout.contains("resource group 'existing'"), "{output:?}");

    for (text, part) in [
        ("{", "is not JSON or YAML with resources: an array, "),
        ("name: existing", "it has neither 'id' nor 'value'"),
        (r#"[{"id": "nowhere"}]"#, "Resource 1 has no 'id' with a resource id: 'nowhere'."),
    ] {
        folder.write("resources.json", text);
        let output = folder.svc(&["local", "import", "resources.json", "--state", "state.json"]);
        assert_eq!(output.status, 1, "{output:?}");
        assert!(output.stderr.contains(part), "{output:?}");
    }
    let output = folder.svc(&["local", "import", "missing.json", "--state", "state.json"]);
    assert_eq!(output.status, 1);
    assert!(output.stderr.starts_with("The file missing.json cannot be read. "), "{output:?}");
}

/// The forms are those in which Azure and its tools print resources; the account is as `az storage account show` prints one.
#[test]
fn resources_are_imported_as_azure_gives_them_and_refused_otherwise() {
    let folder = Folder::new();
    let group = "/subscriptions/10ca1c10-0d00-4000-8000-000000000001/resourceGroups/existing";
    let account = format!("{group}/providers/Microsoft.Storage/storageAccounts/stexisting");
    let import = |file: &str, text: &str| {
        folder.write(file, text);
        folder.svc(&["local", "import", file, "--state", "forms.json"])
    };
    for (file, text) in [
        ("list.json", format!(r#"{{"value": [{{"id": "{group}", "location": "UK South"}}], "nextLink": null}}"#)),
        ("one.json", format!(r#"{{"id": "{group}", "location": "uksouth"}}"#)),
        ("list.yml", format!("- id: {group}\n  location: uksouth\n")),
        ("one.yml", format!("id: {group}\nlocation: uksouth\n")),
        (
            "shown.json",
            format!(
                r#"{{"id": "{account}", "location": "uksouth", "resourceGroup": "existing", "kind": "StorageV2", "properties": {{}}}}"#
            ),
        ),
    ] {
        let output = import(file, &text);
        assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{file}: {output:?}");
        assert_eq!(output.stdout, "1 resource was imported into 'forms.json'.\n", "{file}");
    }
    let flattened = format!(
        r#"{{"id": "{account}", "location": "uksouth", "resourceGroup": "existing", "kind": "StorageV2", "minimumTlsVersion": "TLS1_2"}}"#
    );
    let output = import("flattened.json", &flattened);
    assert_eq!(output.status, 1, "{output:?}");
    let told = format!("Use what 'az resource show --ids {account}' or 'az rest' prints.");
    assert!(output.stderr.starts_with(&account) && output.stderr.contains(&told), "{output:?}");
    let output = import("region.json", &format!(r#"{{"id": "{group}", "location": "uksotuh"}}"#));
    assert_eq!(
        (output.status, output.stderr.trim_end()),
        (1, format!("{group} is in 'uksotuh', which is not a region of Azure; did you mean 'uksouth'?").as_str())
    );
    let help = folder.svc(&["local", "import", "--help"]).stdout;
    assert!(help.contains("required") && !help.contains("they are lost"), "{help}");
}

#[test]
fn it_listens_on_loopback_only() {
    let output = Folder::new().svc(&["local", "--listen", "0.0.0.0:0"]);
    assert_eq!(
        (output.status, output.stderr.as_str()),
        (1, "The local cloud listens on loopback addresses only; 0.0.0.0:0 is not one.\n")
    );
}
