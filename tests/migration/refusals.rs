//! Runs that do not see the estate as it is end before they change it, or say so.

use super::*;

/// Core monitoring and storage look nothing up that is there already, so that only the resources themselves tell.
#[test]
fn without_the_tag_key_of_the_estate_nothing_is_tagged_a_second_time() {
    for project in Project::all() {
        for file in ["monitor.yml", "storage.json"] {
            let document = document(file);
            let cloud = project.estate();
            let outcome = project.run_with(document, &cloud, false, json!({}));
            let (code, message) = outcome.failed_with();
            assert_eq!(code, "ServiceTagKeyDiffers", "{message}");
            assert!(message.contains("is in its tag 'cm-service'"), "{message}");
            assert!(message.ends_with("because serviceTagKey is not set. Nothing was changed."), "{message}");
            let recommendation = outcome.last_error().failure.recommendation.clone().unwrap();
            assert!(recommendation.contains("Set-SvcContext -ServiceTagKey cm-service"), "{recommendation}");
            assert_eq!(shown(&writes(&cloud.requests())), [] as [&str; 0]);
            // A key that is said is obeyed, also the one that is the default.
            let outcome = project.run_with(document, &cloud, true, json!({"serviceTagKey": "svc-service"}));
            assert!(
                outcome.plan().iter().any(|action| action.description.contains("tags.svc-service")),
                "{outcome:#?}"
            );
        }
    }
}

#[test]
fn a_run_for_the_wrong_environment_says_whose_names_are_there() {
    for (project, name) in Project::all().iter().zip(["alt-mtr-", "default-mtr-"]) {
        let in_environment = |environment: &str| {
            // Otherwise the run ends because it would keep none of the rules that are there.
            let context =
                json!({"serviceTagKey": "cm-service", "environment": environment, "allowForeignDeletes": true});
            let outcome = project.run_with(document("metricAlerts.yml"), &project.estate(), true, context);
            let told = outcome.warnings().into_iter().filter(|warning| warning.starts_with("Everything would"));
            told.map(str::to_owned).collect::<Vec<_>>()
        };
        let [warning] = &in_environment("test")[..] else { panic!() };
        let expected = format!(
            "Everything would be created anew in the environment test ('tst' in names), beside resources of the environment production ('prd'), such as '{name}"
        );
        assert!(warning.starts_with(&expected), "{warning}");
        assert!(warning.ends_with("set the environment of the context to production."), "{warning}");
        assert_eq!(in_environment("production"), [] as [&str; 0]);
    }
}
