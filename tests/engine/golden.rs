//! Plans, whole, against files in `tests/golden`. `.ci/update` writes them anew; look at the difference before it is
//! committed.
//!
//! Documents that need nothing of what exists are compiled before anything is looked up, which shows what the plan is made
//! of. Documents that build on a landing zone are planned against it with `whatIf`: their names and ids depend on it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use svc_engine::azure::ResourceId;
use svc_engine::commands::{self, Compiled, Project, Services};
use svc_engine::desired::{Desired, Tag, Tags};
use svc_engine::naming::{Convention, Environment, NameContext};
use svc_engine::settings::{Document, Place, SettingsPath};
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use super::landing_zone::*;
use super::support::repository;

/// What a document compiles to with two tags of a tag settings file, before anything is looked up.
fn compiled(file: &str) -> Compiled {
    let document = Document::load(&repository(file), "settings").unwrap();
    let settings = commands::find("New-SvcIaasStorage").unwrap().read(&document).unwrap();
    let tag_document = Document::from_object(json!({})).unwrap();
    let tag = |key: &str, value: &str| {
        let place = Place::value(&tag_document, SettingsPath::root().dotted("tags.mandatory").key(key));
        (key.to_owned(), Tag { value: value.to_owned(), place })
    };
    let project = Project {
        convention: Convention::builtin(),
        name_context: NameContext { environment: Environment::Development, subscription_name: None },
        subscription: ResourceId::subscription("00000000-0000-0000-0000-000000000001"),
        service_tag_key: "svc-service".to_owned(),
        exception_tag_key: "svc-monitor-exception".to_owned(),
        tags: Tags::from([tag("owner", "shop"), tag("costCentre", "42")]),
    };
    settings.compile(&project, &Services::NotRead)
}

fn resource(desired: &Desired) -> Value {
    let tags = |tags: &Tags| -> BTreeMap<String, String> {
        tags.iter().map(|(key, tag)| (key.clone(), format!("{} ({})", tag.value, tag.place.show()))).collect()
    };
    let mut origins = BTreeMap::new();
    leaves("", &desired.body, &mut |path| {
        origins.insert(path.to_owned(), desired.origin(path).show());
    });
    json!({
        "id": desired.id.to_string(),
        "type": desired.resource_type.name,
        "apiVersion": desired.resource_type.api_version,
        "place": desired.place.show(),
        "body": desired.body,
        "alsoRight": desired.also_right,
        "origins": origins,
        "tags": tags(&desired.tags),
        "creationTags": tags(&desired.creation_tags),
        "dependsOn": desired.depends_on.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn leaves(path: &str, value: &Value, visit: &mut impl FnMut(&str)) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                leaves(&path, member, visit);
            }
        }
        _ => visit(path),
    }
}

fn compare(settings: &str, golden: &str) {
    let compiled = compiled(settings);
    assert!(compiled.findings.is_empty(), "{:?}", compiled.findings);
    let resources: Vec<Value> = compiled.desired.iter().map(resource).collect();
    let whole = json!({"warnings": compiled.warnings, "resources": resources});
    expectorate::assert_contents(repository(golden), &format!("{whole:#}\n"));
}

/// What a document plans in a landing zone.
fn compare_planned(cloud: &LocalCloud, command: &'static str, settings: &str, golden: &str) {
    let outcome = Deployment::example(command, settings).rehearse(cloud);
    assert!(outcome.errors().is_empty(), "{:?}", outcome.errors());
    let unchanged: Vec<&str> =
        outcome.verbose().into_iter().filter(|message| message.ends_with("is up to date.")).collect();
    let whole = json!({"warnings": outcome.warnings(), "unchanged": unchanged, "actions": outcome.plan()});
    expectorate::assert_contents(repository(golden), &format!("{whole:#}\n"));
}

#[test]
fn the_example() {
    compare("examples/storage.yml", "tests/golden/storage.json");
}

#[test]
fn every_field() {
    compare("tests/settings/storage-all-fields.yml", "tests/golden/storage-all-fields.json");
}

#[test]
fn the_example_of_private_endpoints() {
    compare_planned(
        &landing_zone(),
        PRIVATE_ENDPOINTS,
        "examples/private-endpoints.yml",
        "tests/golden/private-endpoints.json",
    );
}

#[test]
fn the_example_of_bastion_hosts() {
    compare_planned(&landing_zone(), BASTION_HOSTS, "examples/bastion-hosts.yml", "tests/golden/bastion-hosts.json");
}

#[test]
fn the_example_of_log_alerts() {
    compare_planned(&landing_zone(), LOG_ALERTS, "examples/log-alerts.yml", "tests/golden/log-alerts.json");
}

#[test]
fn every_field_of_log_alerts() {
    compare_planned(
        &landing_zone(),
        LOG_ALERTS,
        "tests/settings/log-alerts-all-fields.yml",
        "tests/golden/log-alerts-all-fields.json",
    );
}

#[test]
fn the_example_of_private_storage() {
    compare_planned(&landing_zone(), STORAGE, "examples/storage-private.yml", "tests/golden/storage-private.json");
}

#[test]
fn every_field_of_private_endpoints() {
    compare_planned(
        &fields_zone_with(LocalCloudOptions::default()),
        PRIVATE_ENDPOINTS,
        "tests/settings/private-endpoints-all-fields.yml",
        "tests/golden/private-endpoints-all-fields.json",
    );
}

#[test]
fn every_field_of_bastion_hosts() {
    compare_planned(
        &fields_zone_with(LocalCloudOptions::default()),
        BASTION_HOSTS,
        "tests/settings/bastion-hosts-all-fields.yml",
        "tests/golden/bastion-hosts-all-fields.json",
    );
}

#[test]
fn the_example_of_core_monitoring() {
    compare_planned(&landing_zone(), CORE_MONITOR, "examples/core-monitor.yml", "tests/golden/core-monitor.json");
}

#[test]
fn every_field_of_core_monitoring() {
    compare_planned(
        &fields_zone_with(LocalCloudOptions::default()),
        CORE_MONITOR,
        "tests/settings/core-monitor-all-fields.yml",
        "tests/golden/core-monitor-all-fields.json",
    );
}

#[test]
fn the_example_of_web_apps() {
    compare_planned(&landing_zone(), WEB, "examples/web.yml", "tests/golden/web.json");
}

#[test]
fn every_field_of_web_apps() {
    compare_planned(
        &fields_zone_with(LocalCloudOptions::default()),
        WEB,
        "tests/settings/web-all-fields.yml",
        "tests/golden/web-all-fields.json",
    );
}

#[test]
fn the_example_of_metric_alerts() {
    compare_planned(&landing_zone(), METRIC_ALERTS, "examples/metric-alerts.yml", "tests/golden/metric-alerts.json");
}

#[test]
fn every_field_of_metric_alerts() {
    compare_planned(
        &fields_zone_with(LocalCloudOptions::default()),
        METRIC_ALERTS,
        "tests/settings/metric-alerts-all-fields.yml",
        "tests/golden/metric-alerts-all-fields.json",
    );
}

#[test]
fn the_example_of_resource_health_alerts() {
    compare_planned(
        &landing_zone(),
        RESOURCE_HEALTH_ALERTS,
        "examples/resource-health-alerts.yml",
        "tests/golden/resource-health-alerts.json",
    );
}

#[test]
fn every_field_of_resource_health_alerts() {
    compare_planned(
        &fields_zone_with(LocalCloudOptions::default()),
        RESOURCE_HEALTH_ALERTS,
        "tests/settings/resource-health-alerts-all-fields.yml",
        "tests/golden/resource-health-alerts-all-fields.json",
    );
}
