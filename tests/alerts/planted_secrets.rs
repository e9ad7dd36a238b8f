//! Secrets that people put where no secret belongs: in custom properties, in queries, in tags. They are hidden in plans and reports, become
//! parameters of templates, and are left out of exports.

use serde_json::json;
use svc_local_cloud::LocalCloud;

use super::log_rules::{RULES, log_alerts};
use crate::export::export;
use crate::support::estate::{Deployment, LOG_ALERTS, landing_zone};
use crate::template::make_of;

/// The texts that nobody may see, in any letter case.
const SECRETS: [&str; 6] = [
    "hunter2-of-the-api",
    "Zm9vYmFyQmF6",
    "s1gnature-of-a-hook",
    "s1gnature-of-a-table",
    "n3sted-token",
    "AbCd1234EfGh5678",
];
/// The texts that everybody may see.
const SHOWN: [&str; 3] = ["shop-team", "https://runbooks.example/find?q=shop", "managed-by-hand"];

fn alert(secrets: [&str; 6]) -> String {
    let [key, account, hook, table, nested, random] = secrets;
    let payload = json!({
        "apiKey": key, "Storage": format!("AccountName=st;AccountKey={account}==;Suffix=x"),
        "hook": format!("https://hooks.example/run?api-version=1&sig={hook}"), "auth": {"token": nested}, "trace": random,
        "team": SHOWN[0], "runbook": SHOWN[1]});
    format!(
        "name: prices\nmonitorOnPrem: true\nseverity: Error\ndescription: Prices are missing.\n\
         schedule: {{frequencyInMinutes: 5, timeWindowInMinutes: 5}}\nthreshold: {{operator: greaterThan, value: 0}}\n\
         query: 'externaldata(a:string) [@\"https://st.example/prices.csv?sv=1&sig={table}\"]'\n\
         customisedActions: {{webhookJsonPayload: '{payload}'}}"
    )
}

fn no_secret_in(text: &str, of: &str) {
    let text = text.to_lowercase();
    for secret in SECRETS.iter().map(|secret| secret.to_lowercase()) {
        assert!(!text.contains(&secret), "{secret} is in {of}: {text}");
    }
}

/// A deployment whose tags have a secret, too.
fn deployment() -> (LocalCloud, Deployment) {
    let deployment = Deployment::new(LOG_ALERTS, &log_alerts(&[&alert(SECRETS)]));
    let tags = format!("tags: {{mandatory: {{owner: {}, api-token: {}}}}}\n", SHOWN[2], SECRETS[0]);
    deployment.project.write("_tags/globalTags.yml", tags);
    (landing_zone(), deployment)
}

#[test]
fn they_are_in_no_plan_message_or_report() {
    let (cloud, deployment) = deployment();
    let files = ["md", "html", "json"].map(|kind| deployment.project.path(&format!("plan.{kind}")));
    let outcome = deployment.deploy_with(&cloud, json!({"whatIf": true, "context": {"planReport": files}}));
    let messages = serde_json::to_string(&outcome.messages).unwrap();
    no_secret_in(&messages, "the messages");
    SHOWN.iter().for_each(|shown| assert!(messages.contains(shown), "{shown}: {messages}"));
    let found = &outcome.plan().last().unwrap().changes;
    for (name, shown) in [
        ("customProperties.apiKey", "***"),
        ("customProperties.Storage", "***"),
        ("customProperties.auth", "***"),
        ("customProperties.trace", "***"),
        ("customProperties.hook", "https://hooks.example/***"),
        ("customProperties.team", "shop-team"),
        ("tags.api-token", "***"),
        ("tags.owner", "managed-by-hand"),
    ] {
        let change = found.iter().find(|change| change.path.ends_with(name)).unwrap_or_else(|| panic!("{found:#?}"));
        assert_eq!(change.after.as_deref(), Some(&json!(shown)), "{name}");
    }
    for file in &files {
        no_secret_in(&std::fs::read_to_string(file).unwrap(), &file.display().to_string());
    }
    // What is there by now is hidden as what is wanted was.
    deployment.deploy(&cloud);
    deployment.rewrite(&log_alerts(&[&alert(["", "", "", "", "", ""])]));
    let outcome = deployment.rehearse(&cloud);
    assert!(!outcome.plan().is_empty());
    no_secret_in(&serde_json::to_string(&outcome.messages).unwrap(), "the messages of a change");
}

#[test]
fn one_that_was_replaced_after_the_review_is_noticed() {
    let (cloud, deployment) = deployment();
    let file = deployment.project.path("plan.json");
    deployment.deploy_with(&cloud, json!({"whatIf": true, "context": {"planReport": file}}));
    let mut others = SECRETS;
    others[0] = "another-of-the-api";
    deployment.rewrite(&log_alerts(&[&alert(others)]));
    let outcome = deployment.deploy_with(&cloud, json!({"context": {"approvedPlan": file}}));
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "PlanChanged");
    assert!(message.contains("customProperties.apiKey is to be another secret than in the approved plan"), "{message}");
}

#[test]
fn a_template_has_parameters_for_them() {
    let (cloud, _) = deployment();
    let made = make_of(&log_alerts(&[&alert(SECRETS)]), &cloud, json!({}));
    let text = made.template().to_string();
    no_secret_in(&text, "the template");
    assert!(text.contains("shop-team") && text.contains("\"securestring\""), "{text}");
}

#[test]
fn an_export_leaves_them_out_and_says_so() {
    let (cloud, deployment) = deployment();
    let plain = "definition: VM_Reboot\ncustomisedActions: {webhookJsonPayload: '{\"apiKey\": \"hunter2-of-the-api\", \"team\": \"shop-team\"}'}";
    deployment.rewrite(&log_alerts(&[plain, &alert(SECRETS)]));
    deployment.deploy(&cloud);
    let outcome = export("logAlerts", RULES.split('/').nth(1).unwrap(), &cloud);
    let text = outcome.document();
    no_secret_in(text, "the document");
    no_secret_in(&serde_json::to_string(&outcome.messages).unwrap(), "the messages");
    let comment = "# Left out: webhookJsonPayload has what looks like a secret, and no export has one.\n";
    let (_, rest) = text.split_once(comment).unwrap_or_else(|| panic!("{text}"));
    let line = rest.lines().next().unwrap().trim();
    assert!(line.starts_with("#webhookJsonPayload: ") && line.contains(r#""apiKey":"***""#), "{line}");
    // Without its query an alert is none.
    assert!(
        outcome.warnings().iter().any(|warning| warning.contains("is left out: query has what looks like a secret"))
    );
}

#[test]
fn a_line_that_is_shown_beside_a_finding_has_none() {
    for line in [
        "    customisedActions: {webhookJsonPayload: '{\"apiKey\": \"hunter2-of-the-api\"}'}",
        "  api_token: 'hunter2-of-the-api' # x",
        "query: a | where b == 'https://st.example/x?sig=s1gnature-of-a-table'",
    ] {
        no_secret_in(&svc_engine::run::shown_line(line, ""), line);
    }
}
