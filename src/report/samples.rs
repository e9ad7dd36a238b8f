//! Reports for the tests of this room.

use super::{PlanCounts, REPORT_FORMAT, Report};
use crate::protocol::{Action, ActionKind, Confirm, PropertyChange, Target};

/// A subscription.
const SUBSCRIPTION: &str = "/subscriptions/00000000-0000-0000-0000-000000000001";

/// A report of these actions.
pub(super) fn report(actions: Vec<Action>) -> Report {
    let count = |kind| actions.iter().filter(|action| action.action == kind).count();
    Report {
        format: REPORT_FORMAT,
        version: "1.2.3".to_owned(),
        command: "New-SvcPaasWeb".to_owned(),
        documents: vec!["web.yml".to_owned()],
        created: "2026-11-22T18:00:00Z".to_owned(),
        target: Some(Target {
            cloud: "the public cloud".to_owned(),
            endpoint: "https://management.azure.com".to_owned(),
            subscription_id: "00000000-0000-0000-0000-000000000001".to_owned(),
            subscription_name: Some("Production".to_owned()),
            ..Target::default()
        }),
        offline: false,
        what_if: true,
        counts: PlanCounts {
            create: count(ActionKind::Create),
            modify: count(ActionKind::Modify),
            delete: count(ActionKind::Delete),
            ..PlanCounts::default()
        },
        actions,
        kept: Vec::new(),
        warnings: Vec::new(),
    }
}

/// A change of a resource, from its path in the subscription: `resourceGroups/rg/providers/Microsoft.Web/sites/shop`.
pub(super) fn action(index: usize, path: &str, depends_on: &[usize]) -> Action {
    let segments: Vec<&str> = path.split('/').collect();
    let resource_type = match segments.iter().position(|segment| *segment == "providers") {
        Some(at) => {
            let types = segments[at + 2..].iter().step_by(2).copied();
            format!("{}/{}", segments[at + 1], types.collect::<Vec<_>>().join("/"))
        }
        None => "Microsoft.Resources/resourceGroups".to_owned(),
    };
    let name = segments[segments.len() - 1].to_owned();
    Action {
        index,
        action: ActionKind::Create,
        label: resource_type.rsplit('/').next().unwrap().to_owned(),
        resource_type,
        full_name: name.clone(),
        resource_group: Some(segments[1].to_owned()),
        resource_id: format!("{SUBSCRIPTION}/{path}"),
        description: format!("Create '{name}'."),
        question: format!("Create '{name}'?"),
        name,
        confirm: Confirm::Normal,
        depends_on: depends_on.to_vec(),
        changes: Vec::new(),
        origin: Some("web.yml:1:1".to_owned()),
    }
}

/// A property; values are JSON text.
pub(super) fn change(path: &str, before: Option<&str>, after: Option<&str>) -> PropertyChange {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    PropertyChange {
        path: path.to_owned(),
        before: owned(before),
        after: owned(after),
        origin: Some("web.yml:2:3".to_owned()),
    }
}

/// A plan with many resources: an app service plan for ten apps, each with a slot and its settings.
pub(super) fn many(apps: usize, properties: usize) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut plan = 0;
    for app in 0..apps {
        let group = format!("resourceGroups/rg-{}", app / 100);
        if app % 100 == 0 {
            actions.push(action(actions.len(), &group, &[]));
        }
        if app % 10 == 0 {
            plan = actions.len();
            actions.push(action(plan, &format!("{group}/providers/Microsoft.Web/serverfarms/plan-{app}"), &[plan - 1]));
        }
        let site = format!("{group}/providers/Microsoft.Web/sites/app-{app}");
        let index = actions.len();
        let mut created = action(index, &site, &[plan]);
        created.changes = (0..properties)
            .map(|number| change(&format!("properties.setting{number}"), None, Some("\"a value\"")))
            .collect();
        actions.push(created);
        actions.push(action(index + 1, &format!("{site}/slots/staging"), &[plan, index]));
        actions.push(action(index + 2, &format!("{site}/config/appsettings"), &[index]));
    }
    actions
}
