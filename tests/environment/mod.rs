//! Several documents in one run.

mod dependencies;
mod documents;
mod environments;
mod explanations;
mod failures;
mod faults;
mod groups;
mod look_ups;
mod names;
mod one_run;
mod order;
pub(crate) mod policies;
mod reports;
mod same_as_one;
pub(crate) mod shop;

use serde_json::{Value, json};
use svc_engine::protocol::{Action, Message, Operation};
use svc_engine::run::{Job, Work};
use svc_local_cloud::LocalCloud;

use crate::support::*;

/// Starts a deployment.
pub(crate) fn start_deployment(request: &Value) -> Operation {
    crate::start_at(Work::Deploy(Job::Deployment), request.to_string().as_bytes(), UNHURRIED)
}

/// Runs a deployment to its end and approves everything.
pub(crate) fn run_deployment(request: &Value) -> Outcome {
    follow(&start_deployment(request), |actions| actions.iter().map(|action| action.index).collect())
}

/// A folder with documents.
pub(crate) struct Environment {
    pub(crate) project: Project,
}

impl Environment {
    /// One of these files, each with its text.
    pub(crate) fn of(files: &[(&str, &str)]) -> Environment {
        let project = Project::new();
        files.iter().for_each(|(file, text)| project.write(file, text));
        Environment { project }
    }

    /// A request for the whole folder.
    pub(crate) fn request(&self, cloud: &LocalCloud) -> Value {
        json!({
            "settingsFiles": [self.project.path("")],
            "context": { "cloud": cloud.endpoint() },
            "environment": {},
        })
    }

    /// Runs the folder and approves everything.
    pub(crate) fn deploy(&self, cloud: &LocalCloud) -> Outcome {
        run_deployment(&self.request(cloud))
    }

    /// Runs the folder with `whatIf`.
    pub(crate) fn rehearse(&self, cloud: &LocalCloud) -> Outcome {
        run_deployment(&with(self.request(cloud), json!({"whatIf": true})))
    }

    /// Runs the folder, changes nothing more the second time.
    pub(crate) fn deploy_twice(&self, cloud: &LocalCloud) -> Outcome {
        let outcome = self.deploy(cloud);
        assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
        let again = self.deploy(cloud);
        assert!(again.plan().is_empty(), "{:#?}", again.descriptions());
        assert!(again.errors().is_empty(), "{:#?}", again.errors());
        outcome
    }

    /// The path of a file as messages have it.
    pub(crate) fn path(&self, file: &str) -> String {
        self.project.path(file).display().to_string()
    }
}

/// A document with one account, in a group that it makes and publishes as `shop-group`.
pub(crate) const STORAGE: &str = "\
component: storage
location: UK South
resourceGroupName: Shop
service:
  publish:
    resourceGroup: shop-group
    storage: shop-files
storageAccounts:
  - storageAccountName: Orders
    accountType: Standard
";

/// Log alerts on the workspace of [`CORE`], which notify its action group.
pub(crate) const LOG_ALERTS: &str = "\
component: logAlerts
location: UK South
service:
  dependencies:
    workspace: core-workspace
    actionGroups: [core-team]
  publish:
    resourceGroup: log-alerts
    logAlert: logs
groups:
  - name: Servers
    alertSets:
      - type: VirtualMachines
        alerts:
          - definition: VM_NonResponsive
          - definition: Low_Disk_Space
";

/// Core monitoring with a workspace, application insights, an account and an action group.
pub(crate) const CORE: &str = "\
component: monitor
name: Platform
location: UK South
advisorLowCPUThresholdPercentage: 10
service:
  publish: {storage: core-logs, workspace: core-workspace, appInsights: core-insights, resourceGroup: core, solution: core-solutions,
    actionGroup: core-team, keyvaultAdminAlert: vault-alert, resourceHealthAlert: health-alert, serviceHealthAlert: service-alert}
  dependencies: {keyvault: central-vault}
alerts:
  keyvaultAdmin: {actionGroupName: Security}
  resourceHealth: {actionGroupName: Security, enabled: true}
  serviceHealth: {actionGroupName: security}
actionGroups:
  - name: Security
    shortname: security
";
