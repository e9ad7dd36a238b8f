//! Plans, whole, against files in `tests/golden`. `.ci/update` writes them anew; look at the difference before it is
//! committed.
//!
//! Documents that need nothing of what exists are compiled before anything is looked up, which shows what the plan is made
//! of. Documents that build on a landing zone are planned against it with `whatIf`: their names and ids depend on it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use svc_engine::commands::{self, Compiled, Project, RunFacts, Services};
use svc_engine::desired::{Desired, Tag, Tags};
use svc_engine::settings::{Document, Place, SettingsPath};
use svc_local_cloud::LocalCloudOptions;

use crate::support::estate::*;
use crate::support::examples::{Example, documents};
use crate::support::repository;

/// The compilation of a document with two tags of a tag settings file, before anything is looked up.
fn compiled(file: &str) -> Compiled {
    let document = Document::load(&repository(file), "settings").unwrap();
    let settings = commands::find("New-SvcIaasStorage").unwrap().read(&document);
    let tag_document = Document::from_object(json!({})).unwrap();
    let tag = |key: &str, value: &str| {
        let place = Place::value(&tag_document, SettingsPath::root().dotted("tags.mandatory").key(key));
        (key.to_owned(), Tag { value: value.to_owned(), place, publishes: false })
    };
    let project = Project {
        run: RunFacts::of("00000000-0000-0000-0000-000000000001"),
        tags: Tags::from([tag("owner", "shop"), tag("costCentre", "42")]),
        ..Project::without_files()
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
    let mut shown = json!({
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
    });
    if let Some(watch) = &desired.watch {
        shown["watch"] = json!(format!("{watch:?}"));
    }
    shown
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
    let whole = json!({"warnings": compiled.warnings.iter().map(|warning| &warning.message).collect::<Vec<_>>(), "resources": resources});
    expectorate::assert_contents(repository(golden), &format!("{whole:#}\n"));
}

/// What a document plans in a landing zone.
fn compare_planned(example: &Example) {
    let cloud = if example.is_example() { landing_zone() } else { fields_zone_with(LocalCloudOptions::default()) };
    let outcome = Deployment::new(example.command, &example.text()).rehearse(&cloud);
    assert!(outcome.errors().is_empty(), "{}: {:?}", example.file, outcome.errors());
    let unchanged: Vec<&str> =
        outcome.verbose().into_iter().filter(|message| message.ends_with("is up to date.")).collect();
    let whole = json!({"warnings": outcome.warnings(), "unchanged": unchanged, "actions": outcome.plan()});
    let golden = repository("tests/golden/plans").join(example.stem()).with_extension("json");
    expectorate::assert_contents(golden, &format!("{whole:#}\n"));
}

#[test]
fn what_the_example_and_every_field_of_storage_compile_to() {
    compare("examples/storage.yml", "tests/golden/compiled/storage.json");
    compare("examples/all-fields/storage-all-fields.yml", "tests/golden/compiled/storage-all-fields.json");
}

#[test]
fn what_every_example_and_every_field_plan() {
    documents().iter().for_each(compare_planned);
}
