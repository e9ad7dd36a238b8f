//! Compiled plans, whole, against files in `tests/golden`. They are written anew by
//! `EXPECTORATE=overwrite cargo test --test engine golden`; look at the difference before it is committed.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use svc_engine::azure::ResourceId;
use svc_engine::commands::{self, Compiled, Project, Services};
use svc_engine::naming::{Convention, Environment, NameContext};
use svc_engine::plan::{Desired, Tag, Tags};
use svc_engine::settings::{Document, Place, SettingsPath};

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

#[test]
fn the_example() {
    compare("examples/storage.yml", "tests/golden/storage.json");
}

#[test]
fn every_field() {
    compare("tests/settings/storage-all-fields.yml", "tests/golden/storage-all-fields.json");
}
