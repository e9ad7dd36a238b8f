//! Reports for the tests of this room.

use super::{PlanCounts, PlanHead, REPORT_FORMAT, Report};
use crate::protocol::{
    Action, ActionKind, Confirm, FilePlace, JsonText, Kept, MadeWith, PropertyChange, ResourceName, Target,
};

const SUBSCRIPTION: &str = "/subscriptions/00000000-0000-0000-0000-000000000001";

/// A report of these actions.
pub(super) fn report(actions: Vec<Action>) -> Report {
    let count = |kind| actions.iter().filter(|action| action.action == kind).count();
    let head = PlanHead {
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
        made_with: MadeWith {
            environment: "test".to_owned(),
            project_files: vec!["_names/tokens.yml".to_owned()],
            left_out: 0,
        },
        offline: false,
        what_if: true,
        counts: PlanCounts {
            create: count(ActionKind::Create),
            modify: count(ActionKind::Modify),
            delete: count(ActionKind::Delete),
            ..PlanCounts::default()
        },
        ..PlanHead::default()
    };
    Report { head, actions, kept: Vec::new() }
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
        description: format!("Create '{name}'."),
        question: format!("Create '{name}'?"),
        resource: ResourceName {
            label: resource_type.rsplit('/').next().unwrap().to_owned(),
            resource_type,
            full_name: name.clone(),
            resource_group: Some(segments[1].to_owned()),
            resource_id: format!("{SUBSCRIPTION}/{path}"),
            name,
        },
        confirm: Confirm::Normal,
        depends_on: depends_on.to_vec(),
        together: Vec::new(),
        last: false,
        changes: Vec::new(),
        state_unknown: false,
        origin: Some("web.yml:1:1".to_owned()),
        document: None,
        rehearsal: None,
    }
}

/// A property; values are JSON text.
pub(super) fn change(path: &str, before: Option<&str>, after: Option<&str>) -> PropertyChange {
    PropertyChange {
        path: path.to_owned(),
        before: before.map(JsonText::read),
        after: after.map(JsonText::read),
        origin: Some("web.yml:2:3".to_owned()),
        by_policy: false,
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

/// The texts that somebody may write into a document or a tag to get out of where it is shown.
pub(super) const HOSTILE: &[&str] = &[
    "EVIL</summary></details></div><script>alert(1)</script>",
    "EVIL\"><img src=x onerror=alert(1)>",
    "EVIL ``` \n```\n## EVIL\n\n",
    "`EVIL`` @octocat #1 GH-1 contoso/shop#2 | x |\n|---|",
    "EVIL [click](https://evil.example) ![x](https://evil.example/x.png) <https://evil.example> www.evil.example",
    "EVIL **bold** _it_ ~~no~~ $x$ &lt; &amp; \\` \\",
    "EVIL\"] --> n0; click n0 \"javascript:alert(1)\" %%{init: {}}%% #quot; end",
    "EVIL\u{202e}\u{0}\u{1b}[2J\u{2028}\r\n@octocat",
    "]]> --> <!-- EVIL <p class=\"x\">",
    " *EVIL ",
];

/// A report in which everything that is not ours is hostile.
pub(super) fn hostile() -> Report {
    let mut actions = Vec::new();
    for (index, text) in HOSTILE.iter().enumerate() {
        let json = |text: &str| Some(JsonText::from(text));
        // A slash would begin another name.
        let name = text.replace('/', "\u{2044}");
        let mut hostile = action(index, &format!("resourceGroups/{name}/providers/Microsoft.Web/sites/{name}"), &[]);
        hostile.depends_on = (0..index).collect();
        hostile.action = [ActionKind::Create, ActionKind::Modify, ActionKind::Delete][index % 3];
        hostile.resource.label = name.clone();
        hostile.resource.full_name = name;
        hostile.description = (*text).to_owned();
        hostile.origin = Some((*text).to_owned());
        hostile.changes = vec![
            PropertyChange {
                path: (*text).to_owned(),
                before: json("x"),
                after: json(text),
                by_policy: true,
                origin: Some((*text).to_owned()),
            },
            change("lines", Some(r#""a\nb""#), Some(&serde_json::json!(format!("{text}\n{text}")).to_string())),
            change("items", Some("[1]"), Some(&serde_json::json!([text, {*text: text}]).to_string())),
        ];
        actions.push(hostile);
    }
    let kept = HOSTILE.iter().map(|text| Kept {
        orphan: false,
        resource: ResourceName {
            resource_id: (*text).to_owned(),
            resource_type: (*text).to_owned(),
            label: (*text).to_owned(),
            name: (*text).to_owned(),
            full_name: (*text).to_owned(),
            resource_group: Some((*text).to_owned()),
        },
        path: (*text).to_owned(),
        wanted: Some(JsonText::read(text)),
        existing: Some((*text).into()),
        reason: (*text).to_owned(),
        place: Some(FilePlace { file: (*text).to_owned(), line: 1, column: 1 }),
        document: Some((*text).to_owned()),
    });
    let text = HOSTILE.join(" ");
    let target = Target {
        cloud: text.clone(),
        endpoint: text.clone(),
        subscription_id: text.clone(),
        subscription_name: Some(text.clone()),
        tenant_id: Some(text.clone()),
        identity: Some(text.clone()),
        made_with: MadeWith::default(),
    };
    let kept = kept.collect();
    let warnings = HOSTILE.iter().map(|text| (*text).to_owned()).collect();
    let documents = vec![text.clone(), text.clone()];
    let Report { head, actions, .. } = report(actions);
    let head = PlanHead { target: Some(target), warnings, documents, command: text.clone(), version: text, ..head };
    Report { head, actions, kept }
}

/// A report of several documents: a group with what is in it in one, an app in that group and another group in the next, and nothing in
/// the last.
pub(super) fn several() -> Report {
    let of = |mut action: Action, document: &str| {
        action.document = Some(document.to_owned());
        action
    };
    let site = |name: &str| format!("resourceGroups/rg-shop/providers/Microsoft.Web/sites/{name}");
    let mut actions = vec![
        of(action(0, "resourceGroups/rg-shop", &[]), "core.yml"),
        of(action(1, &site("app-core"), &[0]), "core.yml"),
        of(action(2, &site("app-web"), &[0, 1]), "web.yml"),
        of(action(3, "resourceGroups/rg-web", &[]), "web.yml"),
    ];
    actions[3].action = ActionKind::Delete;
    let documents = ["core.yml", "web.yml", "storage.yml"].map(str::to_owned).to_vec();
    let Report { head, actions, kept } = report(actions);
    Report { head: PlanHead { documents, command: "New-SvcDeployment".to_owned(), ..head }, actions, kept }
}
