//! Whole runs in which everything is read again before it is written, and two of them at once.

use crate::support::estate::*;
use crate::support::examples::documents;

/// Nothing that a run writes, and nothing that Azure fills in, is taken for a change of somebody else.
#[test]
fn every_document_is_deployed_after_a_while() {
    std::thread::scope(|scope| {
        for document in documents() {
            scope.spawn(move || {
                let deployment = Deployment::new(document.command, &document.text());
                let quick = deployment.deploy(&fields_zone_with(Default::default())).counts();
                let cloud = fields_zone_with(Default::default());
                let outcome = deployment.deploy_while(&cloud, || {});
                let counts = outcome.counts();
                assert_eq!(
                    (counts.created, counts.modified, counts.failed),
                    (quick.created, quick.modified, 0),
                    "{}: {:#?}",
                    document.file,
                    outcome.errors()
                );
                let again = deployment.deploy_while(&cloud, || {}).counts();
                assert_eq!(
                    (again.created, again.modified, again.deleted, again.failed),
                    (0, 0, 0, 0),
                    "{}",
                    document.file
                );
            });
        }
    });
}

#[test]
fn two_runs_of_one_document_end_well() {
    for (command, file) in [
        (STORAGE, "examples/storage.yml"),
        (PRIVATE_ENDPOINTS, "examples/private-endpoints.yml"),
        (WEB, "examples/web.yml"),
    ] {
        let cloud = landing_zone();
        let deployment = Deployment::example(command, file);
        // The second run begins and ends while the question of the first waits.
        let second = Deployment::example(command, file);
        let first = deployment.deploy_while(&cloud, || {
            let outcome = second.deploy(&cloud);
            assert!(outcome.errors().is_empty(), "{file}: {:#?}", outcome.errors());
        });
        assert!(first.errors().is_empty(), "{file}: {:#?}", first.errors());
        let counts = first.counts();
        assert_eq!((counts.created, counts.modified, counts.skipped), (0, 0, 0), "{file}");
        assert_eq!(deployment.deploy(&cloud).counts().modified, 0, "{file}");
    }
}
