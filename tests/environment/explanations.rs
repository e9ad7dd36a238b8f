//! The explanations of an environment: what is made of its documents, and where each name comes from.

use md5::{Digest, Md5};
use svc_engine::run::{Explained, Explanation, explain};

use super::*;
use crate::support::estate::landing_zone;

fn ask(whats: &[String], cloud: &LocalCloud) -> Explained {
    let request = json!({
        "settingsFiles": [shop::folder()],
        "context": { "cloud": cloud.endpoint() },
        "environment": {},
    });
    let (operation, explained) = explain(request.to_string().as_bytes(), whats);
    let outcome = follow(&operation, |_| panic!("an explanation asks nothing"));
    explained.try_recv().unwrap_or_else(|_| panic!("{outcome:#?}"))
}

fn resources(what: &str, cloud: &LocalCloud) -> Vec<Explanation> {
    let explained = ask(&[what.to_owned()], cloud);
    assert_eq!(explained.foreign, Vec::<String>::new(), "{what}");
    explained.resources
}

fn foreign(what: &str, cloud: &LocalCloud) -> String {
    let explained = ask(&[what.to_owned()], cloud);
    assert!(explained.resources.is_empty(), "{what}: {explained:#?}");
    explained.foreign.join("\n")
}

/// The line of a place in a file of the environment.
fn line(place: &str) -> String {
    let mut parts = place.rsplitn(3, ':');
    let (_, line, file) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
    let found = ["", "_names", "_tags", "_values"].map(|folder| shop::folder().join(folder).join(file));
    let path = found.iter().find(|path| path.is_file()).unwrap_or_else(|| panic!("{place}"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap().to_owned()
}

fn file_of(place: &str) -> &str {
    place.split(':').next().unwrap()
}

fn letters(text: &str) -> String {
    text.to_lowercase().chars().filter(|character| character.is_alphanumeric()).collect()
}

/// Everything that a run makes is explained by its id before it is there: its name in parts, each with the line that says it.
#[test]
fn the_name_of_everything_is_made_again_of_its_parts() {
    let made = {
        let cloud = landing_zone();
        let environment = json!({
            "settingsFiles": [shop::folder()],
            "context": { "cloud": cloud.endpoint() },
            "environment": {},
        });
        let outcome = run_deployment(&environment);
        assert_eq!(outcome.errors().len(), 0, "{:#?}", outcome.errors());
        outcome.plan().iter().map(|action| action.resource.resource_id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(made.len(), 82);
    let cloud = landing_zone();
    let (mut of_settings, mut hashes) = (0, 0);
    let explained = ask(&made, &cloud).resources;
    assert_eq!(
        explained.iter().map(|one| &one.resource.resource_id).collect::<Vec<_>>(),
        made.iter().collect::<Vec<_>>()
    );
    for one in &explained {
        let texts: Vec<&str> = one.name_parts.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(texts.join(&one.separator), one.resource.name, "{:#?}", one.name_parts);
        assert!(one.command.as_ref().is_some_and(|command| command.starts_with("New-Svc")), "{one:#?}");
        assert!(one.api_version.is_some() && !line(one.origin.as_ref().unwrap()).is_empty(), "{one:#?}");
        for part in &one.name_parts {
            if part.source == "the name in the settings" {
                let line = line(part.place.as_ref().unwrap());
                // What a command adds, such as the number of an alert, is in no line; others are made of two names of the document.
                let text = std::fs::read_to_string(shop::folder().join(file_of(one.origin.as_ref().unwrap()))).unwrap();
                let is_plain =
                    ["storage account", "app service plan", "bastion host"].contains(&one.resource.label.as_str());
                let text = letters(if is_plain { &line } else { &text });
                let mut words = part.text.split('-').map(letters).filter(|word| !word.is_empty());
                assert!(words.any(|word| text.contains(&word)), "{} in '{line}'", part.text);
                of_settings += 1;
            }
            if let Some(of) = &part.hash_of {
                let digits: String = Md5::digest(format!("{of}|")).iter().map(|byte| format!("{byte:02x}")).collect();
                assert!(digits.starts_with(&part.text), "{part:#?}");
                hashes += 1;
            }
        }
        for property in one.properties.iter().chain(&one.tags) {
            if let Some(origin) = &property.origin {
                assert!(!line(origin).trim().is_empty(), "{property:#?}");
            }
        }
        for id in &one.depends_on {
            assert!(made.contains(id), "{id}");
        }
    }
    assert!(of_settings > 40 && hashes > 30, "{of_settings} {hashes}");
}

#[test]
fn a_line_says_what_is_made_of_it() {
    let cloud = landing_zone();
    let file = shop::folder().join("storage.yml");
    let text = std::fs::read_to_string(&file).unwrap();
    let of = |needle: &str| text.lines().position(|line| line.contains(needle)).unwrap() + 1;
    let ask = |line: usize| resources(&format!("{}:{line}", file.display()), &cloud);
    let account = ask(of("storageAccountName: Orders"));
    assert_eq!(account[0].resource.label, "storage account");
    let zrs = of("replication: ZRS");
    assert_eq!(ask(zrs)[0].resource.name, account[0].resource.name);
    let sku = account[0].properties.iter().find(|property| property.path == "sku.name").unwrap();
    assert_eq!(
        (sku.value.to_string().as_str(), line(sku.origin.as_ref().unwrap()).trim()),
        ("\"Standard_ZRS\"", "replication: ZRS")
    );
    let queue = ask(of("- returns"));
    assert_eq!((queue.len(), queue[0].resource.name.as_str()), (1, "returns"));
    // With a column, as places are shown.
    assert_eq!(resources(&format!("{}:{zrs}:5", file.display()), &cloud)[0].resource.name, account[0].resource.name);
    let behind_the_end = text.lines().count() + 1;
    let place = format!("{}:{behind_the_end}", file.display());
    assert_eq!(foreign(&place, &cloud), format!("Nothing is made of line {behind_the_end} of '{}'.", file.display()));
    assert!(
        foreign(&format!("{}:99999", shop::folder().join("missing.yml").display()), &cloud)
            .starts_with("Nothing is made of line")
    );
}

#[test]
fn of_a_name_of_others_the_part_is_told_that_does_not_fit() {
    let cloud = landing_zone();
    for (name, told) in [
        ("contoso-legacy", "It begins like no name of the naming convention, so others have given it."),
        ("ped-ledger-dev-mars-00000000", "the part for the location is expected there"),
        ("ped-ledger-dev-uks-00000000", "The hash '00000000' does not fit"),
        ("ped-ledger-dev-uks-mine", "Its end does not fit: a hash of 8 digits is expected"),
    ] {
        let sentences = foreign(name, &cloud);
        assert!(
            sentences.starts_with(&format!("No document here makes anything that is called '{name}'.")),
            "{sentences}"
        );
        assert!(sentences.contains(told), "{sentences}");
    }
    // A whole id is looked for by its name.
    let id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/stx";
    assert!(foreign(id, &cloud).contains("is called 'stx'"));
    let wrong = Environment::of(&[("storage.yml", "component: storage\nlocation: Atlantis\n")]);
    let (operation, explained) = explain(wrong.request(&cloud).to_string().as_bytes(), &["x".to_owned()]);
    assert_eq!(follow(&operation, |_| Vec::new()).failed_with().0, "SettingsInvalid");
    assert!(explained.try_recv().is_err());
}

/// Each project has a naming convention of its own.
#[test]
fn a_name_of_others_is_read_by_the_convention_of_every_project() {
    let cloud = landing_zone();
    let own_word = "resources: [{name: StorageAccount, shortname: acme}]\n";
    let environment = Environment::of(&[
        ("one/storage.yml", STORAGE),
        ("two/_names/resources.yml", own_word),
        (
            "two/storage.yml",
            &STORAGE.replace("shop-group", "other-group").replace("resourceGroupName: ", "resourceGroupName: Other"),
        ),
    ]);
    let files = json!({"settingsFiles": [environment.path("one"), environment.path("two")]});
    let request = with(environment.request(&cloud), files).to_string();
    let (operation, explained) = explain(request.as_bytes(), &["acmefiles0badcafe".to_owned()]);
    let outcome = follow(&operation, |_| Vec::new());
    let explained = explained.try_recv().unwrap_or_else(|_| panic!("{outcome:#?}"));
    assert!(explained.foreign[1].starts_with("It begins with 'acme'"), "{explained:#?}");
}

/// Values of secrets are no more shown than in a plan.
#[test]
fn no_secret_is_explained() {
    let cloud = landing_zone();
    let text = std::fs::read_to_string(repository("examples/core-monitor.yml")).unwrap();
    let hook = "actionGroups:\n  - name: Hooked\n    shortname: hooked\n    webhooks:\n      - serviceUri: https://example.com/hook?code=topsecret\n";
    let environment = Environment::of(&[("monitor.yml", &text.replace("actionGroups:\n", hook))]);
    let (operation, explained) = explain(
        environment.request(&cloud).to_string().as_bytes(),
        &[format!("{}:46", environment.path("monitor.yml"))],
    );
    follow(&operation, |_| Vec::new());
    let explained = explained.try_recv().unwrap();
    assert!(!format!("{explained:?}").contains("topsecret"), "{explained:?}");
}
