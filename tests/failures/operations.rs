//! Long-running operations: how their end is learned, how they fail, and what is said when a run is cancelled.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use svc_engine::azure::cloud::{self, CloudChoice};
use svc_engine::azure::{ArmClient, ArmError, Timeouts, http_client};
use svc_engine::protocol::{ErrorCategory, Message, Operation};
use svc_local_cloud::{LocalCloud, LocalCloudOptions, OperationTime};

use crate::support::*;

/// Runs something with a client of the cloud, as a run of a command would, and waits for it.
fn with_client<T: Send + 'static>(cloud: &LocalCloud, work: impl AsyncFnOnce(ArmClient) -> T + Send + 'static) -> T {
    with_timeouts(Timeouts::default(), cloud, work)
}

fn with_timeouts<T: Send + 'static>(
    timeouts: Timeouts,
    cloud: &LocalCloud,
    work: impl AsyncFnOnce(ArmClient) -> T + Send + 'static,
) -> T {
    let Ok(CloudChoice::Remote(remote)) = cloud::choose(Some(cloud.endpoint()), None, None, None) else {
        panic!("no endpoint")
    };
    let (sender, receiver) = std::sync::mpsc::channel();
    let _operation = Operation::start(move |host| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let http = http_client(&BTreeMap::new(), true, host.secrets()).unwrap();
        sender.send(runtime.block_on(work(ArmClient::new(http, remote, None, timeouts, host)))).unwrap();
    });
    receiver.recv_timeout(PATIENCE).unwrap()
}

/// A resource of each protocol: its path, its api-version, its body, and what a client reads to see the end.
fn protocols() -> [(&'static str, String, &'static str, Value, &'static str); 4] {
    let group = "resourceGroups/operations/providers";
    let account = json!({"location": "uksouth", "kind": "StorageV2", "sku": {"name": "Standard_LRS"}});
    [
        (
            "Location",
            in_subscription(&format!("{group}/Microsoft.Storage/storageAccounts/stoperations")),
            "2026-04-01",
            account,
            "/operationResults/",
        ),
        (
            "Azure-AsyncOperation",
            in_subscription(&format!("{group}/Microsoft.Network/virtualNetworks/vnet")),
            "2025-05-01",
            json!({"location": "uksouth", "properties": {"addressSpace": {"addressPrefixes": ["10.0.0.0/16"]}}}),
            "/operationStatuses/",
        ),
        (
            "provisioningState",
            in_subscription(&format!("{group}/Microsoft.OperationalInsights/workspaces/log-operations")),
            "2025-07-01",
            json!({"location": "uksouth"}),
            "/workspaces/log-operations?",
        ),
        (
            "Location, with 201",
            in_subscription(&format!("{group}/Microsoft.Cdn/profiles/afd-operations")),
            "2025-04-15",
            json!({"location": "global", "sku": {"name": "Standard_AzureFrontDoor"}}),
            "/operationResults/",
        ),
    ]
}

fn slow_cloud(milliseconds: u64) -> LocalCloud {
    let operation_time = OperationTime::Fixed(Duration::from_millis(milliseconds));
    let cloud = cloud_with(LocalCloudOptions { operation_time, ..LocalCloudOptions::default() });
    cloud.import(&[json!({"id": in_subscription("resourceGroups/operations"), "location": "uksouth"})]).unwrap();
    cloud
}

#[test]
fn the_end_of_an_operation_is_learned_by_every_protocol() {
    for (name, path, api_version, body, followed) in protocols() {
        let cloud = slow_cloud(60);
        let id = path.clone();
        let created = with_client(&cloud, async move |client| client.put(&id, api_version, &body, PATIENCE).await);
        let created = created.unwrap_or_else(|error| panic!("{name}: {error}")).unwrap();
        assert_eq!(created["properties"]["provisioningState"], "Succeeded", "{name}");
        let followed = cloud.requests().iter().any(|request| request.method == "GET" && request.url.contains(followed));
        assert!(followed, "{name}: {:?}", shown(&cloud.requests()));
        // Deleting is followed, too; what is not there is deleted already.
        for _ in 0..2 {
            let id = path.clone();
            with_client(&cloud, async move |client| client.delete(&id, api_version, &Value::Null, PATIENCE).await)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(cloud.resource(&path), None, "{name}");
        }
    }
}

#[test]
fn a_failed_operation_is_told_by_every_protocol() {
    for (name, path, api_version, body, _) in protocols() {
        let cloud = slow_cloud(10);
        cloud.misbehave(fault("fails=QuotaExceeded,method=PUT,message=No more of these."));
        let result = with_client(&cloud, async move |client| client.put(&path, api_version, &body, PATIENCE).await);
        let Err(ArmError::Refused(refusal)) = result else { panic!("{name}: {result:?}") };
        if name == "provisioningState" {
            // The state says that it failed and not why.
            assert_eq!(refusal.code, "OperationFailed");
            assert_eq!(refusal.message, "The operation ended with the status Failed and gave no reason.");
        } else {
            assert_eq!(
                (refusal.code.as_str(), refusal.message.as_str()),
                ("QuotaExceeded", "No more of these."),
                "{name}"
            );
        }
    }
}

#[test]
fn an_operation_that_does_not_end_is_given_up_after_the_time_for_it() {
    for (name, path, api_version, body, _) in protocols() {
        let cloud = slow_cloud(10);
        cloud.misbehave(fault("never-ends,method=PUT"));
        let patience = Duration::from_millis(300);
        let result = with_client(&cloud, async move |client| client.put(&path, api_version, &body, patience).await);
        let Err(ArmError::TimedOut { host, reason }) = result else { panic!("{name}: {result:?}") };
        assert_eq!(host, cloud.endpoint().trim_start_matches("http://"), "{name}");
        let expected = "the operation did not finish within 0.3 seconds; Azure may still be working on it";
        assert_eq!(reason, expected, "{name}");
    }
}

#[test]
fn an_operation_that_another_one_was_in_the_way_of_is_begun_again() {
    for code in ["RetryableError", "AnotherOperationInProgress"] {
        // The state of a resource says that it failed and not why.
        for (name, path, api_version, body, _) in
            protocols().into_iter().filter(|(name, ..)| *name != "provisioningState")
        {
            let cloud = slow_cloud(10);
            cloud.misbehave(fault(&format!("fails={code},method=PUT,times=2,message=Wait.")));
            let id = path.clone();
            let created = with_client(&cloud, async move |client| client.put(&id, api_version, &body, PATIENCE).await);
            assert!(created.is_ok(), "{name}: {created:?}");
            let url = in_url(&path);
            let sent = writes(&cloud.requests()).into_iter().filter(|request| request.url.starts_with(&url)).count();
            assert_eq!(sent, 3, "{name} {code}");
        }
    }
}

/// The beginning of the URL of a path.
fn in_url(path: &str) -> String {
    format!("{path}?")
}

#[test]
fn an_operation_that_ends_like_this_every_time_is_given_up_and_each_end_is_read_once() {
    let timeouts = Timeouts { operation: Some(Duration::from_millis(300)), ..Timeouts::default() };
    for (name, path, api_version, body, followed) in protocols().into_iter().take(2) {
        let cloud = slow_cloud(1);
        cloud.misbehave(fault("fails=AnotherOperationInProgress,method=PUT,times=always,message=Wait."));
        let id = path.clone();
        let result =
            with_timeouts(timeouts, &cloud, async move |client| client.put(&id, api_version, &body, PATIENCE).await);
        let Err(ArmError::Refused(refusal)) = result else { panic!("{name}: {result:?}") };
        assert_eq!(
            (refusal.code.as_str(), refusal.message.as_str()),
            ("AnotherOperationInProgress", "Wait."),
            "{name}"
        );
        let requests = cloud.requests();
        let sent = writes(&requests).len();
        // An operation may be looked at once before it ended.
        let looks = requests.iter().filter(|request| request.url.contains(followed)).count();
        assert!(sent > 1 && looks <= 2 * sent, "{name}: {looks} looks at {sent} operations");
    }
}

#[test]
fn an_operation_that_asks_for_no_pause_is_not_stormed() {
    let cloud = slow_cloud(10);
    let (_, path, api_version, body, followed) = protocols().into_iter().next().unwrap();
    cloud.misbehave(fault(&format!("status=202,retry-after=0,method=GET,path={followed},times=always")));
    let patience = Duration::from_millis(500);
    let result = with_client(&cloud, async move |client| client.put(&path, api_version, &body, patience).await);
    assert!(matches!(result, Err(ArmError::TimedOut { .. })), "{result:?}");
    let looks = cloud.requests().iter().filter(|request| request.url.contains(followed)).count();
    // The shortest pause is a fiftieth of a second here; without one there would be hundreds.
    assert!((1..=40).contains(&looks), "{looks} looks in half a second");
}

#[test]
fn an_operation_that_asks_for_years_is_looked_at_when_its_time_is_over() {
    let cloud = slow_cloud(10);
    let (_, path, api_version, body, followed) = protocols().into_iter().next().unwrap();
    cloud.misbehave(fault(&format!("status=202,retry-after=99999999,method=GET,path={followed},times=1")));
    let patience = Duration::from_millis(300);
    let id = path.clone();
    let result = with_client(&cloud, async move |client| client.put(&id, api_version, &body, patience).await);
    assert!(result.is_ok(), "{result:?}");
    cloud.misbehave(fault("never-ends,method=PUT"));
    let (_, path, api_version, body, _) = protocols().into_iter().nth(1).unwrap();
    let result = with_client(&cloud, async move |client| client.put(&path, api_version, &body, patience).await);
    let Err(ArmError::TimedOut { reason, .. }) = result else { panic!("{result:?}") };
    let expected = "the operation did not finish within 0.3 seconds; Azure may still be working on it";
    assert_eq!(reason, expected, "the time that it waited");
}

#[test]
fn times_that_no_clock_has_end_no_run() {
    let (cloud, project) = (slow_cloud(2), Project::with(&document("")));
    let never = "PT2562047788015216H";
    let context = json!({"context": {"operationTimeout": never, "requestTimeout": never}});
    let outcome = run(&with(project.request(&cloud), context));
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
}

#[test]
fn looking_at_an_operation_survives_lost_connections() {
    for (name, path, api_version, body, followed) in protocols() {
        let cloud = slow_cloud(30);
        cloud.misbehave(fault(&format!("reset,method=GET,path={},times=8", followed.trim_end_matches('?'))));
        let created = with_client(&cloud, async move |client| client.put(&path, api_version, &body, PATIENCE).await);
        assert!(created.is_ok(), "{name}: {created:?}");
    }
}

#[test]
fn an_account_whose_creation_fails_is_an_error_and_made_by_the_next_run() {
    let (cloud, project) = (cloud(), Project::with(&document("queue: [orders]")));
    cloud.misbehave(fault("fails=AccountQuotaExceeded,method=PUT,path=/storageAccounts/,message=No more accounts."));
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 1, skipped 1, failed 1");
    let report = outcome.errors()[0];
    assert_eq!(report.failure.code.as_str(), "AccountQuotaExceeded");
    assert_eq!(
        report.failure.message,
        "storage.yml:4:5: the storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' was not created: No more accounts."
    );
    assert_eq!(report.failure.category, ErrorCategory::LimitsExceeded);
    assert!(report.failure.recommendation.as_ref().unwrap().starts_with("A quota of the subscription is used up."));
    assert_eq!(project.deploy(&cloud).summary(), "created 2, unchanged 1");
}

/// A local cloud whose account of [`document`] has this provisioning state.
fn cloud_with_state(state: &str, folder: &Project) -> LocalCloud {
    let options = || LocalCloudOptions { state_file: Some(folder.path("state.json")), ..LocalCloudOptions::default() };
    let cloud = cloud_with(options());
    assert_eq!(folder.deploy(&cloud).counts().failed, 0);
    drop(cloud);
    let text = std::fs::read_to_string(folder.path("state.json")).unwrap();
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            let is_account = line.contains(r#""type":"Microsoft.Storage/storageAccounts","#);
            let state = format!(r#""provisioningState":"{state}""#);
            if is_account { line.replace(r#""provisioningState":"Succeeded""#, &state) } else { line.to_owned() }
        })
        .collect();
    folder.write("state.json", lines.join("\n"));
    let cloud = cloud_with(options());
    assert_eq!(resource(&cloud, ACCOUNT)["properties"]["provisioningState"], state);
    cloud
}

#[test]
fn a_resource_whose_last_operation_failed_is_sent_again() {
    let project = Project::with(&document("queue: [orders]"));
    for state in ["Failed", "Canceled"] {
        let cloud = cloud_with_state(state, &project);
        let outcome = project.deploy(&cloud);
        assert_eq!(outcome.summary(), "modified 1, unchanged 2");
        let [change] = &outcome.action("stordersdb8e13ec").changes[..] else { panic!("not one change: {outcome:#?}") };
        assert_eq!(change.path, "properties.provisioningState");
        let before = format!("\"{state}\"");
        assert_eq!(
            (
                change.before.as_ref().map(ToString::to_string).as_deref(),
                change.after.as_ref().map(ToString::to_string).as_deref()
            ),
            (Some(before.as_str()), Some("\"Succeeded\""))
        );
        let sent = writes(&cloud.requests());
        assert_eq!(shown(&sent), [format!("PUT {ACCOUNT}")]);
        assert!(sent[0].body.as_ref().unwrap()["properties"].get("provisioningState").is_none());
        assert_eq!(project.deploy(&cloud).summary(), "unchanged 3");
    }
}

#[test]
fn what_azure_is_still_working_on_is_waited_for() {
    let project = Project::with(&document("queue: [orders]"));
    let cloud = cloud_with_state("ResolvingDns", &project);
    let operation = start(&project.request(&cloud));
    let account = format!("GET {ACCOUNT}");
    wait_until("looks at the account", || {
        shown(&cloud.requests()).iter().filter(|request| **request == account).count() >= 3
    });
    tamper(&cloud, ACCOUNT, |_| {});
    let outcome = follow(&operation, |_| panic!("nothing is to be changed"));
    assert_eq!(outcome.summary(), "unchanged 3");
    assert!(writes(&cloud.requests()).is_empty());
    assert_eq!(resource(&cloud, ACCOUNT)["properties"]["provisioningState"], "Succeeded");
}

#[test]
fn what_azure_is_still_working_on_may_end_badly() {
    let project = Project::with(&document("queue: [orders]"));
    let cloud = cloud_with_state("ResolvingDns", &project);
    cloud.misbehave(fault(
        r#"status=200,path=/stordersdb8e13ec?,times=always,body={"name":"stordersdb8e13ec","properties":{"provisioningState":"Failed"}}"#,
    ));
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "unchanged 2, failed 1");
    let report = outcome.errors()[0];
    assert_eq!(
        report.failure.message,
        "The storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' is not ready: The operation ended with the status Failed and gave no reason."
    );
    assert_eq!(report.failure.resource_id.as_deref(), Some(in_subscription(ACCOUNT).as_str()));
}

/// The number of times that each account was created: the answer to the creation of one is 202.
fn creations(cloud: &LocalCloud) -> Vec<usize> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for request in cloud.requests().iter().filter(|request| request.method == "PUT" && request.status == 202) {
        *counts.entry(request.url.clone()).or_default() += 1;
    }
    counts.into_values().collect()
}

#[test]
fn a_cancelled_run_names_three_resources_and_counts_the_rest() {
    let names: Vec<String> = (0..5).map(|number| format!("Number{number}")).collect();
    let accounts: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "accountType: Standard")).collect();
    let (project, cloud) = (Project::with(&document_of(&accounts)), slow_cloud(1500));
    let operation = start(&project.request(&cloud));
    let mut messages = Vec::new();
    while let Some(message) = next(&operation) {
        if let Message::Plan { id, .. } = &message {
            operation.answer(&json!({"id": id, "approved": [0, 1, 2, 3, 4, 5]}).to_string()).unwrap();
            wait_until("all accounts being created", || creations(&cloud).len() == 5);
            operation.cancel();
        }
        messages.push(message);
    }
    let cancelled = Outcome { messages };
    let [warning] = cancelled.warnings()[..] else { panic!("not one warning: {cancelled:#?}") };
    assert!(warning.contains("Azure may still be working on 5 resources: storage account 'stnumber0"), "{warning}");
    assert!(warning.ends_with("; … and 2 more. Run the command again to finish."), "{warning}");
    assert_eq!(warning.matches("storage account '").count(), 3, "{warning}");
}

#[test]
fn a_cancelled_run_names_what_azure_is_still_working_on_and_the_next_one_finishes_it() {
    let accounts = [("Orders", "accountType: Standard\nqueue: [orders]"), ("Ledger", "accountType: Standard")];
    let project = Project::with(&document_of(&accounts));
    let cloud = slow_cloud(1500);
    let operation = start(&project.request(&cloud));
    let mut cancelled = Vec::new();
    while let Some(message) = next(&operation) {
        if let Message::Plan { id, .. } = &message {
            operation.answer(&json!({"id": id, "approved": [0, 1, 2, 3]}).to_string()).unwrap();
            wait_until("both accounts being created", || creations(&cloud).len() == 2);
            operation.cancel();
        }
        cancelled.push(message);
    }
    let cancelled = Outcome { messages: cancelled };
    assert_eq!(
        cancelled.warnings(),
        ["The command was stopped. Azure may still be working on 2 resources: \
             storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'; \
             storage account 'stledger4239756b' in resource group 'rg-shop-iaas-99b8167f'. Run the command again to finish."]
    );
    assert!(cancelled.errors().is_empty());
    assert!(!cancelled.messages.iter().any(|message| matches!(message, Message::Result(_))));

    let outcome = project.deploy(&cloud);
    assert_eq!((outcome.counts().failed, outcome.counts().skipped), (0, 0), "{outcome:#?}");
    assert_eq!(project.deploy(&cloud).summary(), "unchanged 4");
    assert_eq!(creations(&cloud), [1, 1], "nothing is created twice");
}

#[test]
fn a_run_can_be_cancelled_before_its_plan_is_answered_and_before_it_begins() {
    let (cloud, project) = (cloud(), Project::with(&document("")));
    let operation = start(&project.request(&cloud));
    operation.cancel();
    let outcome = follow(&operation, |_| Vec::new());
    let stopped = ["The command was stopped. Nothing was changed."];
    assert_eq!(outcome.warnings(), stopped);
    assert!(outcome.errors().is_empty(), "{outcome:#?}");

    let operation = start(&project.request(&cloud));
    let mut messages = Vec::new();
    while let Some(message) = next(&operation) {
        if matches!(message, Message::Plan { .. }) {
            operation.cancel();
        }
        assert!(!matches!(message, Message::Error(_) | Message::Result(_)), "{message:?}");
        messages.push(message);
    }
    assert_eq!(Outcome { messages }.warnings(), stopped);
    assert!(writes(&cloud.requests()).is_empty());
}
