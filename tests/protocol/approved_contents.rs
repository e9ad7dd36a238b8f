//! The contents of a plan that have to be as they were approved: every property, where values come from, and what is deleted.

use serde_json::{Value, json};
use svc_engine::report::PlanFile;
use svc_local_cloud::LocalCloud;

use crate::support::estate::{Deployment, LOG_ALERTS, METRIC_ALERTS, STORAGE, WEB, landing_zone};
use crate::support::*;

/// A document, and the plan of it on file.
struct Reviewed {
    deployment: Deployment,
    cloud: LocalCloud,
    text: String,
}

impl Reviewed {
    fn new(command: &'static str, text: String) -> Reviewed {
        let (deployment, cloud) = (Deployment::new(command, &text), landing_zone());
        let reviewed = Reviewed { deployment, cloud, text };
        reviewed.review();
        reviewed
    }

    /// Of an example.
    fn example(command: &'static str, file: &str) -> Reviewed {
        Reviewed::new(command, std::fs::read_to_string(repository(file)).unwrap())
    }

    fn file(&self) -> std::path::PathBuf {
        self.deployment.project.path("plan.json")
    }

    fn review(&self) -> Value {
        let outcome =
            self.deployment.deploy_with(&self.cloud, json!({"whatIf": true, "context": {"planReport": self.file()}}));
        assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
        self.plan()
    }

    fn plan(&self) -> Value {
        serde_json::from_slice(&std::fs::read(self.file()).unwrap()).unwrap()
    }

    /// Changes the document after the review.
    fn rewrite(&self, from: &str, to: &str) {
        assert!(self.text.contains(from), "{from}");
        self.deployment.rewrite(&self.text.replace(from, to));
    }

    fn apply(&self) -> Outcome {
        self.deployment.deploy_with(&self.cloud, json!({"context": {"approvedPlan": self.file()}}))
    }

    /// The refusal that says what differs, where the plan is not the approved one any more.
    fn refusal(&self) -> String {
        let before = self.cloud.requests().len();
        let outcome = self.apply();
        let error = outcome.errors()[0];
        assert_eq!(error.failure.code.as_str(), "PlanChanged", "{outcome:#?}");
        assert!(writes(&requests_after(&self.cloud, before)).is_empty());
        error.failure.message.clone()
    }
}

#[test]
fn a_text_that_reads_like_an_unknown_value_is_a_text() {
    let text = std::fs::read_to_string(repository("examples/metric-alerts.yml")).unwrap();
    let description = "A server of the shop has been busy for a quarter of an hour.";
    let reviewed = Reviewed::new(METRIC_ALERTS, text.replace(description, "(known after apply)"));
    reviewed.rewrite("(known after apply)", "Something else.");
    let refusal = reviewed.refusal();
    assert!(
        refusal.contains(
            "properties.description is to be \"Something else.\"; in the approved plan \"(known after apply)\""
        ),
        "{refusal}"
    );
}

#[test]
fn what_is_created_has_every_property_that_was_approved() {
    let reviewed = Reviewed::example(METRIC_ALERTS, "examples/metric-alerts.yml");
    reviewed.rewrite("  dependencies:\n    actionGroups:\n      - ops-team\n", "");
    let refusal = reviewed.refusal();
    assert!(refusal.contains("properties.actions") && refusal.contains("and not in this one"), "{refusal}");
}

/// The documents of a storage account with queues.
fn queues(names: &str) -> String {
    document(&format!("queue: [{names}]"))
}

/// What the file has and the plan has not is right only where it is there by now.
#[test]
fn what_was_approved_and_is_wanted_no_more_is_a_difference_unless_it_is_there() {
    let reviewed = Reviewed::new(STORAGE, queues("orders, letters"));
    reviewed.rewrite("orders, letters", "orders");
    let refusal = reviewed.refusal();
    let lost = "queue 'stordersdb8e13ec/default/letters' is not to be created any more; the approved plan creates it";
    assert!(refusal.contains("has 1 difference") && refusal.contains(lost), "{refusal}");
    // A run with the same file has made it.
    reviewed.deployment.rewrite(&reviewed.text);
    assert_eq!(reviewed.apply().summary(), "created 4");
    reviewed.rewrite("orders, letters", "orders");
    assert_eq!(reviewed.apply().summary(), "unchanged 3");
}

#[test]
fn a_change_that_was_approved_and_is_wanted_no_more_is_a_difference() {
    let reviewed = Reviewed::example(METRIC_ALERTS, "examples/metric-alerts.yml");
    reviewed.deployment.deploy(&reviewed.cloud);
    let changed = reviewed.text.replace("severity: Warning", "severity: Critical");
    reviewed.deployment.rewrite(&changed);
    reviewed.review();
    // What exists is what the document says again, so nothing is planned.
    reviewed.deployment.rewrite(&reviewed.text);
    let refusal = reviewed.refusal();
    assert!(refusal.contains("properties.severity is 2 -> 0 in the approved plan, and not in this one"), "{refusal}");
    reviewed.deployment.rewrite(&changed);
    assert!(reviewed.apply().errors().is_empty());
    assert!(reviewed.apply().errors().is_empty(), "all of it is there");
}

#[test]
fn a_deletion_that_was_approved_is_done_or_planned() {
    let reviewed = Reviewed::example(LOG_ALERTS, "examples/log-alerts.yml");
    let outcome = reviewed.deployment.deploy(&reviewed.cloud);
    let rule = outcome.plan().last().unwrap().resource.resource_id.clone();
    // The document loses a rule, and gets it back after the review.
    let definition = reviewed.cloud.resource(&rule).unwrap();
    let surplus = format!("{rule}-surplus");
    let mut body = definition;
    body["id"] = json!(surplus);
    body["name"] = json!("surplus");
    reviewed.cloud.import(&[body.clone()]).unwrap();
    reviewed.review();
    assert_eq!(reviewed.apply().counts().deleted, 1);
    assert_eq!(reviewed.apply().errors().len(), 0, "it is gone");
    // Nobody deletes it any more, and it is there.
    reviewed.cloud.import(&[body]).unwrap();
    let mut file = reviewed.plan();
    let action =
        file["actions"].as_array().unwrap().iter().find(|action| action["action"] == "delete").unwrap().clone();
    let mut other = action;
    other["resourceId"] = json!(outcome.plan().first().unwrap().resource.resource_id);
    file["actions"] = json!([file["actions"][0], other]);
    std::fs::write(reviewed.file(), file.to_string()).unwrap();
    let refusal = reviewed.refusal();
    assert!(refusal.contains("is not to be deleted any more; the approved plan deletes it"), "{refusal}");
}

/// A creation that failed may leave half of the resource.
#[test]
fn what_a_failed_creation_left_is_completed_with_what_was_approved() {
    let reviewed = Reviewed::new(STORAGE, document("minimumTlsVersion: TLS1_2"));
    reviewed.cloud.misbehave(fault("status=403,method=PUT,path=/storageAccounts/stordersdb8e13ec?"));
    assert_eq!(reviewed.apply().counts().created, 1);
    let elsewhere = landing_zone();
    reviewed.deployment.deploy(&elsewhere);
    let mut half = elsewhere.resource(&in_subscription(ACCOUNT)).unwrap();
    half["properties"]["provisioningState"] = json!("Failed");
    half["properties"]["minimumTlsVersion"] = json!("TLS1_0");
    let list = json!({"value": [half]});
    reviewed.cloud.misbehave(fault(&format!("status=200,method=GET,path=/storageAccounts?,times=1,body={list}")));
    let outcome = reviewed.apply();
    let changes = &outcome.plan()[0].changes;
    let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
    assert!(
        paths.contains(&"properties.minimumTlsVersion") && paths.contains(&"properties.provisioningState"),
        "{paths:?}"
    );
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
}

#[test]
fn what_is_changed_has_every_property_that_was_approved() {
    let reviewed = Reviewed::example(METRIC_ALERTS, "examples/metric-alerts.yml");
    reviewed.deployment.deploy(&reviewed.cloud);
    let changed = reviewed.text.replace("severity: Warning", "severity: Critical").replace("busy for", "very busy for");
    reviewed.deployment.rewrite(&changed);
    reviewed.review();
    reviewed.deployment.rewrite(&changed.replace("very busy for", "busy for"));
    let refusal = reviewed.refusal();
    assert!(refusal.contains("properties.description is"), "{refusal}");
    reviewed.deployment.rewrite(&changed);
    assert!(reviewed.apply().errors().is_empty());
}

/// What makes the plan longer than the approved one is told with both values from where they differ first.
#[test]
fn long_values_are_told_from_where_they_differ() {
    let text = std::fs::read_to_string(repository("examples/metric-alerts.yml")).unwrap();
    let long =
        "A server of the shop has been busy for a quarter of an hour, which nobody who reads this has ever seen before";
    let short = "A server of the shop has been busy for a quarter of an hour.";
    let reviewed = Reviewed::new(METRIC_ALERTS, text.replace(short, &format!("{long}, today.")));
    reviewed.rewrite("before, today.", "before, tomorrow.");
    let refusal = reviewed.refusal();
    assert!(refusal.contains("before, tomorrow.") && refusal.contains("before, today."), "{refusal}");
}

#[test]
fn a_secret_of_another_source_is_another_one() {
    let reviewed = Reviewed::example(WEB, "examples/web.yml");
    let plan = reviewed.plan();
    let changes: Vec<&Value> =
        plan["actions"].as_array().unwrap().iter().flat_map(|action| action["changes"].as_array().unwrap()).collect();
    let secret = changes
        .iter()
        .find(|change| change["path"] == "/properties/APPLICATIONINSIGHTS_CONNECTION_STRING")
        .unwrap_or_else(|| panic!("{changes:#?}"));
    assert!(secret["after"].as_str().unwrap().starts_with("*** of application insights '"), "{secret}");
    assert_eq!(secret["afterDigest"].as_str().unwrap().len(), 4);
    let component = secret["afterFrom"]["resourceId"].as_str().unwrap().to_owned();
    // Another connection string of the same component is another secret.
    let mut body = reviewed.cloud.resource(&component).unwrap();
    body["properties"]["ConnectionString"] = json!("InstrumentationKey=00000000-1111-2222-3333-444444444444");
    reviewed.cloud.import(&[body]).unwrap();
    let refusal = reviewed.refusal();
    assert!(refusal.contains("is to be another secret than in the approved plan"), "{refusal}");
}

#[test]
fn a_deletion_is_of_what_was_there() {
    let reviewed = Reviewed::example(LOG_ALERTS, "examples/log-alerts.yml");
    let outcome = reviewed.deployment.deploy(&reviewed.cloud);
    let rule = outcome.plan().last().unwrap().resource.resource_id.clone();
    let surplus = |query: &str| {
        let mut body = reviewed.cloud.resource(&rule).unwrap();
        body["id"] = json!(format!("{rule}-surplus"));
        body["name"] = json!("surplus");
        body["properties"]["criteria"]["allOf"][0]["query"] = json!(query);
        reviewed.cloud.import(&[body]).unwrap();
    };
    surplus("Heartbeat");
    let plan = reviewed.review();
    let deletion = plan["actions"].as_array().unwrap().iter().find(|action| action["action"] == "delete").unwrap();
    assert_eq!(deletion["contentDigest"].as_str().unwrap().len(), 32, "{deletion}");
    surplus("Heartbeat | where Computer == 'another'");
    let refusal = reviewed.refusal();
    assert!(refusal.contains("what is to be deleted is not what was there"), "{refusal}");
    surplus("Heartbeat");
    assert_eq!(reviewed.apply().counts().deleted, 1);
    // Its successor was approved by nobody.
    surplus("Perf");
    assert!(reviewed.refusal().contains("what is to be deleted is not what was there"));
}

#[test]
fn values_are_json_and_paths_are_pointers_as_the_schema_says() {
    let schema = schemars::schema_for!(PlanFile);
    expectorate::assert_contents(repository("docs/plan.schema.json"), &format!("{:#}\n", schema.as_value()));
    let validator = jsonschema::validator_for(schema.as_value()).unwrap();
    for (command, file) in [(WEB, "examples/web.yml"), (METRIC_ALERTS, "examples/metric-alerts.yml")] {
        let plan = Reviewed::example(command, file).plan();
        assert_eq!(plan["format"], 2);
        let wrong: Vec<String> = validator.iter_errors(&plan).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{file}: {wrong:#?}");
        let actions = plan["actions"].as_array().unwrap();
        for change in actions.iter().flat_map(|action| action["changes"].as_array().unwrap()) {
            assert!(change["path"].as_str().unwrap().starts_with('/'), "{change}");
            assert!(change["after"].as_str().is_none_or(|text| !text.starts_with(['"', '{', '['])), "{change}");
            assert!(
                change["afterUnknown"] != true || change["after"].is_null() && change["afterFrom"].is_object(),
                "{change}"
            );
        }
    }
}

/// The rule that the docs show, over the file as a pipeline has it.
#[test]
fn the_rule_of_the_docs_finds_deletions() {
    let docs = std::fs::read_to_string(repository("docs/plan-reports.md")).unwrap();
    let (_, rule) = docs.split_once("```jmespath\n").unwrap();
    let rule = jmespath::compile(rule.split_once("```").unwrap().0.trim()).unwrap();
    let found = |plan: &Value| serde_json::to_value(&*rule.search(plan).unwrap()).unwrap();
    let reviewed = Reviewed::example(LOG_ALERTS, "examples/log-alerts.yml");
    assert_eq!(found(&reviewed.plan()), json!([]));
    let outcome = reviewed.deployment.deploy(&reviewed.cloud);
    let rule = outcome.plan().last().unwrap().resource.resource_id.clone();
    let mut surplus = reviewed.cloud.resource(&rule).unwrap();
    surplus["id"] = json!(format!("{rule}-surplus"));
    reviewed.cloud.import(&[surplus]).unwrap();
    // Listings of Azure spell ids in their own letter case.
    let deleted = found(&reviewed.review());
    assert_eq!(deleted.to_string().to_lowercase(), json!([format!("{rule}-surplus")]).to_string().to_lowercase());
}

/// What is kept had fewer names in the plans of the versions before; nothing of an approval is about it.
#[test]
fn a_plan_whose_kept_things_have_no_names_of_their_own_approves() {
    let reviewed = Reviewed::example(STORAGE, "examples/storage.yml");
    assert!(reviewed.apply().errors().is_empty());
    reviewed.rewrite("- name: invoices", "- name: receipts");
    let mut plan = reviewed.review();
    let kept = plan["kept"].as_array_mut().unwrap();
    assert!(!kept.is_empty());
    for one in kept {
        let members = one.as_object_mut().unwrap();
        assert!(members.remove("name").is_some() && members.remove("resourceGroup").is_some());
    }
    std::fs::write(reviewed.file(), plan.to_string()).unwrap();
    let outcome = reviewed.apply();
    assert!(outcome.errors().is_empty() && outcome.summary().contains("created 1"), "{outcome:#?}");
}
