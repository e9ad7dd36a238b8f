use super::common::{ACTION_GROUPS, Bench, RESOURCES, absolute, action_group_body as body, insights_path};
use serde_json::{Value, json};

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench
}

fn path() -> String {
    insights_path("actionGroups", "ag-ops")
}

/// One receiver of every kind, as Azure wants it.
pub(super) fn receivers() -> Value {
    let site = absolute("resourceGroups/g/providers/Microsoft.Web/sites/f");
    let account = absolute("resourceGroups/g/providers/Microsoft.Automation/automationAccounts/a");
    json!({
        "emailReceivers": [{"name": "email", "emailAddress": "ops@example.com", "useCommonAlertSchema": true}],
        "smsReceivers": [{"name": "sms", "countryCode": "44", "phoneNumber": "07700900000"}],
        "webhookReceivers": [{"name": "webhook", "serviceUri": "https://example.com/hook", "useCommonAlertSchema": true}],
        "itsmReceivers": [{
            "name": "itsm", "workspaceId": "10ca1c10-0d00-4000-8000-000000000001|w", "connectionId": "c",
            "ticketConfiguration": "{\"PayloadRevision\":0}", "region": "uksouth",
        }],
        "azureAppPushReceivers": [{"name": "push", "emailAddress": "ops@example.com"}],
        "automationRunbookReceivers": [{
            "name": "runbook", "automationAccountId": account, "runbookName": "r",
            "webhookResourceId": format!("{account}/webhooks/w"), "isGlobalRunbook": false,
            "serviceUri": "https://example.com/run",
        }],
        "voiceReceivers": [{"name": "voice", "countryCode": "44", "phoneNumber": "07700900000"}],
        "logicAppReceivers": [{
            "name": "logic", "resourceId": absolute("resourceGroups/g/providers/Microsoft.Logic/workflows/w"),
            "callbackUrl": "https://example.com/flow",
        }],
        "azureFunctionReceivers": [{
            "name": "function", "functionAppResourceId": site, "functionName": "f",
            "httpTriggerUrl": "https://example.com/f",
        }],
        "armRoleReceivers": [{"name": "role", "roleId": "8e3af657-a8ff-443c-a75c-2fe8c4bcb635"}],
        "eventHubReceivers": [{
            "name": "hub", "eventHubNameSpace": "n", "eventHubName": "h",
            "subscriptionId": "10ca1c10-0d00-4000-8000-000000000001",
        }],
    })
}

#[test]
fn every_kind_of_receiver_comes_back_as_azure_fills_it_in() {
    let bench = bench();
    let made = bench.put(&path(), ACTION_GROUPS, &body(receivers()));
    assert_eq!(made.status, 201, "{made:?}");
    let made = made.json();
    assert_eq!((&made["type"], &made["location"]), (&json!("Microsoft.Insights/ActionGroups"), &json!("Global")));
    let properties = &made["properties"];
    assert_eq!(properties["emailReceivers"][0]["status"], "Enabled");
    assert_eq!(properties["smsReceivers"][0]["status"], "Enabled");
    assert_eq!(properties["webhookReceivers"][0]["useAadAuth"], false);
    assert_eq!(properties["webhookReceivers"][0]["useCommonAlertSchema"], true);
    assert_eq!(properties["armRoleReceivers"][0]["useCommonAlertSchema"], false);
    for list in ["smsReceivers", "voiceReceivers", "itsmReceivers", "azureAppPushReceivers"] {
        assert_eq!(properties[list][0].get("useCommonAlertSchema"), None, "{list}");
    }
    // What was read can be sent back.
    let again = bench.put(&path(), ACTION_GROUPS, &made);
    assert_eq!((again.status, again.json()), (200, made));
    let plain = bench.put(&insights_path("actionGroups", "plain"), ACTION_GROUPS, &body(json!({}))).json();
    assert_eq!(plain["properties"]["voiceReceivers"], json!([]));
}

#[test]
fn groups_are_listed_patched_and_deleted() {
    let bench = bench();
    bench.put(&path(), ACTION_GROUPS, &body(json!({})));
    let patched = bench.call(
        "PATCH",
        &path(),
        ACTION_GROUPS,
        Some(&json!({"tags": {"a": "1"}, "properties": {"enabled": false}})),
    );
    assert_eq!((patched.status, &patched.json()["properties"]["enabled"]), (200, &json!(false)));
    assert_eq!(patched.json()["properties"]["groupShortName"], "ops");
    for list in
        ["resourceGroups/g/providers/microsoft.insights/actiongroups", "providers/Microsoft.Insights/actionGroups"]
    {
        assert_eq!(bench.get(list, ACTION_GROUPS).json()["value"][0]["name"], "ag-ops", "{list}");
    }
    assert_eq!(bench.get("resourceGroups/g/resources", RESOURCES).json()["value"][0]["tags"], json!({"a": "1"}));
    assert_eq!([bench.delete(&path(), ACTION_GROUPS).status, bench.delete(&path(), ACTION_GROUPS).status], [200, 204]);
}

#[test]
fn names_short_names_and_places_are_checked() {
    let bench = bench();
    let refused = |change: Value| bench.put(&path(), ACTION_GROUPS, &body(change)).refusal();
    assert_eq!(refused(json!({"groupShortName": "abcdefghijklm"})), (400, "GroupShortNameIsTooLong".into()));
    for change in [json!({"groupShortName": ""}), json!({"groupShortName": null}), json!({"enabled": null})] {
        assert_eq!(refused(change), (400, "InvalidRequestContent".into()));
    }
    assert_eq!(bench.put(&path(), ACTION_GROUPS, &body(json!({"groupShortName": "abcdefghijkl"}))).status, 201);
    for (location, printed) in [("global", "Global"), ("Sweden Central", "swedencentral"), ("uksouth", "")] {
        let mut group = body(json!({}));
        group["location"] = location.into();
        let reply = bench.put(&insights_path("actionGroups", location), ACTION_GROUPS, &group);
        if printed.is_empty() {
            assert_eq!(reply.refusal(), (400, "LocationNotAvailableForResourceType".into()));
        } else {
            assert_eq!((reply.status, &reply.json()["location"]), (201, &json!(printed)), "{reply:?}");
        }
    }
    for name in ["a%26b", "a%3Fb", "dot.", &"x".repeat(261)] {
        let reply = bench.put(&insights_path("actionGroups", name), ACTION_GROUPS, &body(json!({})));
        assert_eq!(reply.refusal(), (400, "BadRequest".into()), "{name}");
    }
}

#[test]
fn receivers_have_what_they_need_and_nothing_else() {
    let bench = bench();
    let receivers = receivers();
    let send = |list: &str, receiver: Value| bench.put(&path(), ACTION_GROUPS, &body(json!({list: [receiver]})));
    for (list, receiver) in receivers.as_object().unwrap() {
        let receiver = receiver[0].as_object().unwrap();
        for member in receiver.keys() {
            let optional = ["useCommonAlertSchema"].contains(&member.as_str())
                || (list == "automationRunbookReceivers" && member == "serviceUri");
            let mut without = receiver.clone();
            without.shift_remove(member);
            let reply = send(list, without.into());
            assert_eq!(reply.status == 400, !optional, "{list} without {member}: {reply:?}");
        }
        let mut more = receiver.clone();
        more.insert("color".to_owned(), "red".into());
        let (status, code, message) = bench.refused(&path(), ACTION_GROUPS, &body(json!({list: [more]})));
        assert_eq!((status, code.as_str()), (400, "InvalidRequestContent"), "{list}");
        assert!(message.contains("'color'"), "{message}");
    }
    for list in ["smsReceivers", "voiceReceivers", "itsmReceivers", "azureAppPushReceivers"] {
        let mut receiver = receivers[list][0].clone();
        receiver["useCommonAlertSchema"] = true.into();
        assert_eq!(send(list, receiver).refusal(), (400, "InvalidRequestContent".into()), "{list}");
    }
    let mut nameless = receivers["automationRunbookReceivers"][0].clone();
    nameless["name"] = "".into();
    let code = "AutomationRunbookReceiverNameIsNullOrEmpty".to_owned();
    assert_eq!(send("automationRunbookReceivers", nameless).refusal(), (400, code));
}

#[test]
fn values_of_receivers_are_checked() {
    let bench = bench();
    for (list, member, bad) in [
        ("emailReceivers", "emailAddress", "ops"),
        ("azureAppPushReceivers", "emailAddress", &format!("{}@example.com", "x".repeat(60))),
        ("armRoleReceivers", "roleId", "Owner"),
        ("eventHubReceivers", "subscriptionId", "s"),
        ("itsmReceivers", "region", "francecentral"),
        ("itsmReceivers", "ticketConfiguration", "none"),
        ("smsReceivers", "phoneNumber", "call me"),
        ("webhookReceivers", "serviceUri", "example.com/hook"),
        ("azureFunctionReceivers", "httpTriggerUrl", "https://"),
    ] {
        let mut receiver = receivers()[list][0].clone();
        assert!(receiver[member].is_string(), "{list} {member}");
        receiver[member] = bad.into();
        let (status, code, message) = bench.refused(&path(), ACTION_GROUPS, &body(json!({list: [receiver]})));
        assert_eq!((status, code.as_str()), (400, "BadRequest"), "{list} {member}");
        assert!(message.contains(member), "{message}");
    }
}

#[test]
fn names_are_unique_over_all_kinds_and_their_number_is_limited() {
    let bench = bench();
    let mut twice = receivers();
    twice["voiceReceivers"][0]["name"] = "EMAIL".into();
    let (status, code, message) = bench.refused(&path(), ACTION_GROUPS, &body(twice));
    assert_eq!((status, code.as_str()), (400, "BadRequest"));
    assert!(message.contains("unique"), "{message}");
    let many = |list: &str, count: usize| {
        let mut items = vec![receivers()[list][0].clone(); count];
        items.iter_mut().enumerate().for_each(|(index, item)| item["name"] = format!("r-{index}").into());
        bench.put(&path(), ACTION_GROUPS, &body(json!({list: items}))).status
    };
    assert_eq!([many("smsReceivers", 11), many("smsReceivers", 10)], [400, 201]);
    assert_eq!([many("emailReceivers", 1001), many("emailReceivers", 1000)], [400, 200]);
}
