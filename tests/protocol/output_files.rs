//! The files that a run may write: it replaces only what an earlier run has written, and says so before anything is asked of Azure.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::*;
use crate::template::make as make_template;

/// A dry run of the storage document with plans on file.
fn plan(project: &Project, cloud: &svc_local_cloud::LocalCloud, members: Value) -> Outcome {
    run(&with(with(project.request(cloud), json!({"whatIf": true})), members))
}

/// Every file below a folder, with its text.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => texts.extend(self::texts(&path)),
            false => texts.push((path.clone(), std::fs::read_to_string(&path).unwrap())),
        }
    }
    texts.sort();
    texts
}

#[test]
fn what_a_report_did_not_write_stays_and_azure_is_not_asked() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    let in_json = json!({"location": "UK South", "resourceGroupName": "Shop", "storageAccounts":
        [{"storageAccountName": "Orders", "accountType": "Standard"}]});
    project.write("set.json", in_json.to_string());
    project.write("tags.json", r#"{"tags": {"owner": "me"}}"#);
    project.write("README.md", "## Plan of `the week`\n\nRest.\n");
    project.write("page.html", "<!DOCTYPE html><title>Ours</title>");
    project.write("data.json", r#"{"format": 1, "values": []}"#);
    project.write("taken/storage.json", "{}");
    project.write("plan.json/inside.txt", "A folder.");
    let before = texts(&project.path(""));
    let at = |files: &[&str]| files.iter().map(|file| project.path(file)).collect::<Vec<PathBuf>>();
    let settings = project.path("set.json");
    for (members, part) in [
        (
            json!({"settingsFile": settings, "context": {"planReport": at(&["set.json"])}}),
            "it is a settings document of this run",
        ),
        (
            json!({"settingsFile": settings, "context": {"planReport": at(&["other.md", "."])}}),
            "it is a settings document of this run",
        ),
        (
            json!({"tagSettingsFile": project.path("tags.json"), "context": {"planReport": at(&["tags.json"])}}),
            "it is the tag settings of this run",
        ),
        (
            json!({"context": {"planReport": at(&["st.json"]), "localStateFile": project.path("st.json")}}),
            "it is the state of the local cloud",
        ),
        (json!({"context": {"planReport": at(&["README.md"])}}), "it exists already, and is not a plan report"),
        (json!({"context": {"planReport": at(&["page.html"])}}), "it exists already, and is not a plan report"),
        (json!({"context": {"planReport": at(&["data.json"])}}), "it exists already, and is not a plan report"),
        (json!({"context": {"planReport": at(&["taken"])}}), "it exists already, and is not a plan report"),
    ] {
        let outcome = plan(&project, &cloud, members.clone());
        let (code, message) = outcome.failed_with();
        assert_eq!(code, "FileExists", "{members}: {message}");
        assert!(message.contains(part), "{members}: {message}");
    }
    assert_eq!(cloud.requests(), [], "nothing is asked");
    assert_eq!(texts(&project.path("")), before, "nothing is written");
}

/// The file is not there yet, so nothing is lost: but from then on it would be a part of the project.
#[test]
fn a_report_does_not_become_a_file_of_the_project() {
    let (project, cloud) = (Project::with(&format!("component: storage\n{}", document(""))), cloud());
    project.write("_names/README.md", "Ours.");
    project.write("_tags/README.md", "Ours.");
    let before = texts(&project.path(""));
    for file in [
        "_names/tokens.json",
        "_names/plan.json",
        "_tags/globalTags.JSON",
        "_tags",
        "_names",
        "logAlertDefinitions.json",
    ] {
        let outcome = plan(&project, &cloud, json!({"context": {"planReport": [project.path(file)]}}));
        let (code, message) = outcome.failed_with();
        assert_eq!(code, "FileExists", "{file}: {message}");
        assert!(message.contains("every later run would read it"), "{file}: {message}");
    }
    let file = project.path("_names/resources.json");
    let made = make_template(&with(project.request(&cloud), json!({"template": {"path": file}})));
    assert_eq!(made.outcome.failed_with().0, "FileExists");
    assert_eq!((cloud.requests().len(), texts(&project.path(""))), (0, before));
    // What a run does not read may be beside it.
    plan(&project, &cloud, json!({"context": {"planReport": [project.path("_names/plan.md")]}}));
    assert!(project.path("_names/plan.md").is_file());
}

#[test]
fn a_report_takes_the_place_of_an_earlier_one_and_of_an_empty_file() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    let files = ["plan.md", "plan.html", "plan.json"].map(|file| project.path(file));
    files.iter().for_each(|file| std::fs::write(file, "").unwrap());
    plan(&project, &cloud, json!({"context": {"planReport": files}}));
    let first = files.each_ref().map(|file| std::fs::read_to_string(file).unwrap());
    project.write("storage.yml", document("queue: [orders]"));
    plan(&project, &cloud, json!({"context": {"planReport": files}}));
    for (file, first) in files.iter().zip(&first) {
        let second = std::fs::read_to_string(file).unwrap();
        assert!(!first.contains("queue") && second.contains("queue"), "{}", file.display());
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_or_refused_and_stays_a_link() {
    use std::os::unix::fs::symlink;
    let (project, cloud) = (Project::with(&document("")), cloud());
    let report = |name: &str| plan(&project, &cloud, json!({"context": {"planReport": project.path(name)}}));
    project.write("kept/mine.md", "Mine.");
    std::fs::create_dir(project.path("plans")).unwrap();
    for (link, to) in [("mine.md", "kept/mine.md"), ("loose.md", "nowhere.md"), ("document.md", "storage.yml")] {
        symlink(project.path(to), project.path(link)).unwrap();
        let outcome = report(link);
        let (code, message) = outcome.failed_with();
        assert_eq!(code, "FileExists", "{link}: {message}");
        assert!(project.path(link).is_symlink(), "{link}");
    }
    assert_eq!(std::fs::read_to_string(project.path("kept/mine.md")).unwrap(), "Mine.");
    assert_eq!(std::fs::read_to_string(project.path("storage.yml")).unwrap(), document(""));
    assert_eq!(cloud.requests(), []);
    // One that leads to a report leads to the next one.
    report("plans/real.md");
    symlink(project.path("plans/real.md"), project.path("latest.md")).unwrap();
    let before = std::fs::read_to_string(project.path("plans/real.md")).unwrap();
    project.write("storage.yml", document("queue: [orders]"));
    assert_eq!(report("latest.md").errors().len(), 0);
    assert!(project.path("latest.md").is_symlink());
    assert_ne!(std::fs::read_to_string(project.path("plans/real.md")).unwrap(), before);
}
