//! The context of a run: what the request says, else its `SVC_*` variables, else the host's Azure session, else defaults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::context_variables::{nothing, with_defaults};
use super::deployment::folder_of_run;
use crate::azure::{Timeouts, parse_written_duration};
use crate::commands::RunFacts;
use crate::plan::{Limits, Selection};
use crate::protocol::{
    Code, Context, EXCEPTION_TAG_KEY, ErrorCategory, ErrorReport, Number, OneOrMore, Pace, Request, SERVICE_TAG_KEY,
    UNKNOWN_SUBSCRIPTION,
};

/// The file in which the local cloud keeps its resources, beside the settings, unless the context says otherwise.
const LOCAL_STATE_FILE: &str = ".svc/local-cloud.json";

/// The subscription where the context does not say it, as Azure's own tools have it.
const SUBSCRIPTION_OF_AZURE: &str = "AZURE_SUBSCRIPTION_ID";

/// Less than an hour is no rehearsal, and Azure keeps the rows of most tables for a month.
const SHORTEST_REHEARSAL: Duration = Duration::from_secs(3600);
const LONGEST_REHEARSAL: Duration = Duration::from_secs(30 * 86_400);

/// Nothing is waited for longer, whatever the context says; and no clock ends before.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(366 * 86_400);

/// Everything a run needs to know beside its settings.
pub(super) struct RunContext {
    pub(super) cloud: Option<String>,
    pub(super) resource_manager_endpoint: Option<String>,
    pub(super) subscription_id: Option<String>,
    pub(super) subscription_name: Option<String>,
    /// Of the request or `SVC_TENANT_ID`. That of the host's session is for the session only: with other credentials it would
    /// be the wrong one.
    pub(super) tenant_id: Option<String>,
    /// As it is given; the naming files of the project may know more environments than the engine.
    pub(super) environment: Option<String>,
    /// The facts that all documents share; the subscription is the one of the run as soon as it is connected.
    pub(super) run: RunFacts,
    /// Whether somebody has said the tag that carries publish names.
    pub(super) service_tag_key_is_given: bool,
    /// The tag that tells environments apart, where there is one.
    pub(super) environment_tag_key: Option<String>,
    /// Defaults are part of the plan on what exists, too.
    pub(super) enforce_defaults: bool,
    pub(super) allow_foreign_deletes: bool,
    pub(super) include_unchanged: bool,
    /// Alert rules are rehearsed.
    pub(super) rehearsal: Option<RehearsalContext>,
    /// The part of the documents that the run is about.
    pub(super) selection: Selection,
    /// The resources that have left the documents are deleted.
    pub(super) prune: bool,
    pub(super) limits: Limits,
    /// Nobody is asked what exists.
    pub(super) offline: bool,
    /// The files that the plan is written to.
    pub(super) plan_report: Vec<PathBuf>,
    /// The plan that was approved.
    pub(super) approved_plan: Option<PathBuf>,
    pub(super) timeouts: Timeouts,
    /// Azure Policy is asked about the plan.
    pub(super) check_policies: bool,
    /// The change record that its writes belong to.
    pub(super) change_reference: Option<String>,
    pub(super) local_state_file: PathBuf,
    /// The folder of `_names`, `_tags` and `logAlertDefinitions`, where it is said.
    project_root: Option<PathBuf>,
}

/// The choices about rehearsals.
pub(super) struct RehearsalContext {
    /// The length of the past that is looked at.
    pub(super) over: Duration,
    /// Also rules that stay as they are.
    pub(super) all: bool,
    /// The longest wait for the answers.
    pub(super) at_most: Option<Duration>,
    /// The most notifications that there may have been.
    pub(super) most_alerts: Option<usize>,
}

impl RunContext {
    pub(super) fn of(request: &Request) -> Result<RunContext, Box<ErrorReport>> {
        let variables = request.environment.clone().unwrap_or_default();
        let mut context = with_defaults(request.context.clone().unwrap_or_default(), &variables)?;
        let az = request.az_session.clone().unwrap_or_default();
        check_paths(&mut context, request)?;
        check_tag_keys(&context)?;
        let offline = context.offline.unwrap_or_default();
        if offline && !request.what_if.unwrap_or_default() {
            let message = "A plan that is made offline cannot be carried out; offline works only with -WhatIf.";
            return Err(invalid(Code::ContextInvalid, message.to_owned(), "offline"));
        }
        let rehearsal = rehearsal(&context)?;
        let limits = limits(&context)?;
        let timeouts = timeouts(&context, &request.pace)?;
        let base = folder_of_run(request);
        let subscription_id = chosen_subscription(&context, az.subscription_id, &variables)?;
        check_root(context.project_root.as_deref())?;
        let list = |texts: Option<OneOrMore<String>>| texts.unwrap_or_default().0;
        let state_folder = context.project_root.as_deref().unwrap_or(&base);
        let known = RunFacts::of(subscription_id.as_deref().unwrap_or(UNKNOWN_SUBSCRIPTION));
        let run = RunFacts {
            service_tag_key: context.service_tag_key.clone().unwrap_or(known.service_tag_key),
            exception_tag_key: context.exception_tag_key.unwrap_or(known.exception_tag_key),
            ..known
        };
        Ok(RunContext {
            local_state_file: context.local_state_file.unwrap_or_else(|| state_folder.join(LOCAL_STATE_FILE)),
            cloud: context.cloud,
            resource_manager_endpoint: context.resource_manager_endpoint,
            subscription_id,
            subscription_name: context.subscription_name,
            tenant_id: context.tenant_id,
            environment: context.environment,
            service_tag_key_is_given: context.service_tag_key.is_some(),
            run,
            environment_tag_key: context.environment_tag_key,
            enforce_defaults: context.enforce_defaults.unwrap_or_default(),
            allow_foreign_deletes: context.allow_foreign_deletes.unwrap_or_default(),
            include_unchanged: context.include_unchanged.unwrap_or_default(),
            rehearsal,
            selection: Selection { only: list(context.only), except: list(context.except) },
            prune: context.prune.unwrap_or_default(),
            limits,
            offline,
            plan_report: context.plan_report.unwrap_or_default().0,
            approved_plan: context.approved_plan,
            timeouts,
            check_policies: context.check_policies.unwrap_or_default(),
            change_reference: context.change_reference,
            project_root: context.project_root,
        })
    }

    /// The folders in which `_names`, `_tags` and `logAlertDefinitions` of a document are looked for, nearest first: in the root of the project alone, where
    /// it is given; else in the folder of the document and those above it, up to the root of its repository.
    pub(super) fn project_folders(&self, base: &Path) -> Vec<PathBuf> {
        match &self.project_root {
            Some(root) => vec![root.clone()],
            None => {
                let mut folders: Vec<PathBuf> =
                    base.ancestors().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned).collect();
                // What lies above the repository is somebody else's. In a worktree `.git` is a file.
                if let Some(root) = folders.iter().position(|folder| folder.join(".git").exists()) {
                    folders.truncate(root + 1);
                }
                folders
            }
        }
    }
}

/// The id of the subscription that is chosen: by the context, by the session of the host, or for all of Azure's tools.
fn chosen_subscription(
    context: &Context,
    of_session: Option<String>,
    variables: &BTreeMap<String, String>,
) -> Result<Option<String>, Box<ErrorReport>> {
    let of_azure = variables.get(SUBSCRIPTION_OF_AZURE);
    if context.subscription_id.is_none() && of_azure.is_some_and(String::is_empty) {
        return Err(nothing(SUBSCRIPTION_OF_AZURE));
    }
    // Who has chosen a subscription in the session expects it, whatever the machine has; a name that is given goes before what the
    // session happens to be at.
    let of_session = of_session.filter(|_| context.subscription_name.is_none());
    let chosen = context.subscription_id.clone().or(of_session).or(of_azure.cloned());
    match chosen.as_ref().filter(|id| uuid::Uuid::try_parse(id).is_err()) {
        None => Ok(chosen),
        Some(id) => {
            let message = format!("'{id}' is not a subscription id; expected a GUID.");
            Err(invalid(Code::SubscriptionInvalid, message, "subscriptionId"))
        }
    }
}

/// The location of a host is not the working directory of its process, so a relative path would mean the wrong file.
pub(super) fn check_absolute(path: &Path, member: &str) -> Result<(), Box<ErrorReport>> {
    if path.is_absolute() {
        return Ok(());
    }
    let message = format!(
        "'{}' must be an absolute path; the host must resolve {member} before it sends the request.",
        path.display()
    );
    Err(invalid(Code::PathNotAbsolute, message, member))
}

/// The paths that are given beside the documents.
fn check_paths(context: &mut Context, request: &Request) -> Result<(), Box<ErrorReport>> {
    for (member, value) in context.members() {
        for path in value.paths() {
            check_absolute(path, member.name)?;
        }
    }
    match &request.base_directory {
        Some(folder) if !folder.as_os_str().is_empty() => check_absolute(folder, "baseDirectory"),
        _ => Ok(()),
    }
}

/// Each of the tags says something else.
fn check_tag_keys(context: &Context) -> Result<(), Box<ErrorReport>> {
    let service = context.service_tag_key.as_deref().unwrap_or(SERVICE_TAG_KEY);
    let exception = context.exception_tag_key.as_deref().unwrap_or(EXCEPTION_TAG_KEY);
    let Some(key) = context.environment_tag_key.as_deref() else { return Ok(()) };
    if ![service, exception].iter().any(|other| other.eq_ignore_ascii_case(key)) {
        return Ok(());
    }
    let message = format!("'{key}' cannot be environmentTagKey: it is the tag for something else already.");
    Err(invalid(Code::ContextInvalid, message, "environmentTagKey"))
}

/// A number of the context, where it is given.
fn whole_number(number: Option<&Number>, member: &str) -> Result<Option<usize>, Box<ErrorReport>> {
    let Some(Number(text)) = number else { return Ok(None) };
    text.trim().parse().map(Some).map_err(|_| {
        invalid(Code::ContextInvalid, format!("{member} must be a whole number from 0, found '{text}'."), member)
    })
}

/// The choices about rehearsals. Members that are about one are nothing without it.
fn rehearsal(context: &Context) -> Result<Option<RehearsalContext>, Box<ErrorReport>> {
    let at_most = timeout(context.rehearse_for.as_deref(), "rehearseFor")?;
    let Some(over) = timeout(context.rehearse.as_deref(), "rehearse")? else {
        if context.max_alerts.is_some() {
            let message = "maxAlerts counts the alerts of a rehearsal, so rehearse has to say its time, such as 7d.";
            return Err(invalid(Code::ContextInvalid, message.to_owned(), "maxAlerts"));
        }
        return Ok(None);
    };
    if over > LONGEST_REHEARSAL || over < SHORTEST_REHEARSAL {
        let message =
            format!("rehearse must be from 1h to 30d, found '{}'.", context.rehearse.as_deref().unwrap_or_default());
        return Err(invalid(Code::ContextInvalid, message, "rehearse"));
    }
    if context.offline.unwrap_or_default() {
        let message = "Azure Monitor is asked for a rehearsal, and offline asks nobody. Leave one of them out.";
        return Err(invalid(Code::ContextInvalid, message.to_owned(), "rehearse"));
    }
    let most_alerts = whole_number(context.max_alerts.as_ref(), "maxAlerts")?;
    Ok(Some(RehearsalContext { over, all: context.rehearse_all.unwrap_or_default(), at_most, most_alerts }))
}

fn check_root(root: Option<&Path>) -> Result<(), Box<ErrorReport>> {
    let Some(root) = root.filter(|root| !root.is_dir()) else { return Ok(()) };
    let message = format!("The project root '{}' is not a folder.", root.display());
    Err(Box::new(invalid(Code::ContextInvalid, message, "projectRoot").of_category(ErrorCategory::ObjectNotFound)))
}

fn limits(context: &Context) -> Result<Limits, Box<ErrorReport>> {
    Ok(Limits {
        no_delete: context.no_delete.unwrap_or_default(),
        changes: whole_number(context.max_changes.as_ref(), "maxChanges")?,
        deletes: whole_number(context.max_deletes.as_ref(), "maxDeletes")?,
    })
}

fn timeouts(context: &Context, pace: &Pace) -> Result<Timeouts, Box<ErrorReport>> {
    let usual = Timeouts::default();
    Ok(Timeouts {
        request: timeout(context.request_timeout.as_deref(), "requestTimeout")?.unwrap_or(usual.request),
        operation: timeout(context.operation_timeout.as_deref(), "operationTimeout")?,
        retry_pause: pace.retry_pause,
        fresh: pace.fresh.unwrap_or(usual.fresh),
    })
}

/// A duration of the context, where it is given.
fn timeout(text: Option<&str>, member: &str) -> Result<Option<Duration>, Box<ErrorReport>> {
    let Some(text) = text else { return Ok(None) };
    match parse_written_duration(text).filter(|duration| !duration.is_zero()) {
        Some(duration) => Ok(Some(duration.min(LONGEST_TIMEOUT))),
        None => Err(invalid(
            Code::ContextInvalid,
            format!("'{text}' is not a valid duration; use 90s, 45m or 1h30m, or an ISO 8601 duration such as PT45M."),
            member,
        )),
    }
}

pub(super) fn invalid(code: Code, message: String, target: &str) -> Box<ErrorReport> {
    Box::new(ErrorReport::terminating(code, message).about(target))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::naming::Environment;
    use crate::protocol::CONTEXT_MEMBERS;
    use crate::protocol::ContextMemberKind;

    fn context(request: serde_json::Value) -> Result<RunContext, String> {
        let request: Request = serde_json::from_value(request).unwrap();
        RunContext::of(&request).map_err(|report| report.failure.message)
    }

    #[test]
    fn the_request_wins_over_variables_and_these_over_the_az_session() {
        let one = "11111111-1111-1111-1111-111111111111";
        let two = "22222222-2222-2222-2222-222222222222";
        let az = json!({"subscriptionId": two, "tenantId": "t"});
        let request = json!({"settingsFile": "/p/q/s.yml", "context": {"cloud": "local", "environment": ""}, "azSession": az,
            "environment": {"SVC_CLOUD": "public", "SVC_SUBSCRIPTION_ID": one, "SVC_ENVIRONMENT": "Production"}});
        let found = context(request).unwrap();
        assert_eq!(found.cloud.as_deref(), Some("local"));
        assert_eq!(found.subscription_id.as_deref(), Some(one));
        assert_eq!(found.environment.as_deref(), Some("Production"));
        assert_eq!(found.tenant_id, None, "the tenant of the session is for the session only");
        assert_eq!(found.local_state_file, Path::new("/p/q/.svc/local-cloud.json"));
        assert_eq!(
            (found.run.service_tag_key.as_str(), found.run.exception_tag_key.as_str()),
            ("svc-service", "svc-monitor-exception")
        );
        assert_eq!(found.project_folders(Path::new("/p/q")), [Path::new("/p/q"), Path::new("/p"), Path::new("/")]);
    }

    #[test]
    fn the_defaults_are_those_that_hosts_show() {
        let said = |name: &str| {
            let member = CONTEXT_MEMBERS.iter().find(|member| member.name == name).unwrap();
            super::super::registry::default_of(member).unwrap()
        };
        let found = context(json!({"settings": {}})).unwrap();
        assert_eq!(found.cloud, None, "cloud::choose takes the first one");
        assert_eq!(crate::azure::cloud::names().next(), Some(said("cloud")));
        assert_eq!(found.environment, None, "the default one of the type counts");
        assert_eq!(Environment::default().key(), said("environment"));
        assert_eq!(found.run.service_tag_key, said("serviceTagKey"));
        assert_eq!(found.run.exception_tag_key, said("exceptionTagKey"));
        assert_eq!(found.allow_foreign_deletes.to_string(), said("allowForeignDeletes"));
        assert_eq!(Some(found.timeouts.request), parse_written_duration(said("requestTimeout")));
    }

    #[test]
    fn a_project_root_has_to_be_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &Path| context(json!({"settings": {}, "context": {"projectRoot": path}}));
        assert_eq!(at(folder.path()).unwrap().project_folders(Path::new("/p")), [folder.path()]);
        let missing = folder.path().join("missing");
        let message = format!("The project root '{}' is not a folder.", missing.display());
        assert_eq!(at(&missing).err().unwrap(), message);
    }

    #[test]
    fn the_files_of_a_project_are_in_its_repository() {
        let folder = tempfile::tempdir().unwrap();
        let (above, repository) = (folder.path(), folder.path().join("repository"));
        let documents = repository.join("environments/test");
        std::fs::create_dir_all(&documents).unwrap();
        let folders = || context(json!({"settings": {}})).unwrap().project_folders(&documents);
        assert!(folders().contains(&above.to_owned()), "there is no repository");
        let inside = [documents.clone(), repository.join("environments"), repository.clone()];
        std::fs::write(repository.join(".git"), "gitdir: elsewhere").unwrap();
        assert_eq!(folders(), inside);
        std::fs::remove_file(repository.join(".git")).unwrap();
        std::fs::create_dir(repository.join(".git")).unwrap();
        assert_eq!(folders(), inside);
    }

    #[test]
    fn what_is_waited_for_can_be_said() {
        let timeouts = |request: serde_json::Value| context(request).unwrap().timeouts;
        let default = timeouts(json!({"settings": {}}));
        assert_eq!((default.request, default.operation), (Duration::from_secs(90), None));
        let said = timeouts(
            json!({"settings": {}, "context": {"requestTimeout": "PT2M"}, "environment": {"SVC_OPERATION_TIMEOUT": "1h30m"}}),
        );
        assert_eq!((said.request, said.operation), (Duration::from_secs(120), Some(Duration::from_secs(5400))));
    }

    #[test]
    fn what_is_longer_than_any_clock_is_a_year() {
        for text in ["PT2562047788015216H", "P213503982334601D", "PT1.7e19S", "PT18446744073709551615S"] {
            let found = context(json!({"settings": {}, "context": {"operationTimeout": text, "requestTimeout": text}}));
            let Ok(found) = found else { continue };
            assert_eq!(
                (found.timeouts.operation, found.timeouts.request),
                (Some(LONGEST_TIMEOUT), LONGEST_TIMEOUT),
                "{text}"
            );
        }
        assert!(context(json!({"settings": {}, "context": {"operationTimeout": "PT2562047788015216H"}})).is_ok());
    }

    #[test]
    fn a_guard_that_is_set_to_nothing_is_an_error() {
        let said = |name: &str| format!("{name} is set to nothing, so it is not known what was meant.");
        for member in CONTEXT_MEMBERS.iter().filter(|member| member.guards) {
            let variable = context(json!({"settings": {}, "environment": {member.variable: ""}}));
            assert_eq!(variable.err(), Some(said(member.variable)));
            if member.kind != ContextMemberKind::Flag {
                let request = context(
                    json!({"settings": {}, "context": {member.name: ""}, "environment": {member.variable: "x"}}),
                );
                assert_eq!(request.err(), Some(said(member.name)));
            }
        }
        for paths in [json!([]), json!([""]), json!(["/plan.md", ""])] {
            let report = context(json!({"settings": {}, "context": {"planReport": paths}}));
            assert_eq!(report.err(), Some(said("planReport")));
        }
        let azure = json!({"AZURE_SUBSCRIPTION_ID": ""});
        let session = json!({"subscriptionId": "22222222-2222-2222-2222-222222222222"});
        let found = context(json!({"settings": {}, "environment": azure, "azSession": session}));
        assert_eq!(found.err(), Some(said("AZURE_SUBSCRIPTION_ID")));
        // What is said elsewhere counts, and what guards nothing may be an unset variable of a wrapper.
        let clear = context(
            json!({"settings": {}, "context": {"cloud": "local"}, "environment": {"SVC_CLOUD": "", "SVC_ENVIRONMENT": ""}}),
        );
        assert_eq!(clear.unwrap().cloud.as_deref(), Some("local"));
    }

    #[test]
    fn the_subscription_of_a_session_goes_before_that_of_the_machine() {
        let [of_session, of_machine, given] =
            ["2", "3", "4"].map(|digit| [8, 4, 4, 4, 12].map(|length| digit.repeat(length)).join("-"));
        let chosen = |context_members: serde_json::Value, variables: serde_json::Value| {
            let session = json!({"subscriptionId": of_session});
            let request =
                json!({"settings": {}, "context": context_members, "environment": variables, "azSession": session});
            context(request).unwrap().subscription_id
        };
        let machine = json!({"AZURE_SUBSCRIPTION_ID": of_machine});
        assert_eq!(chosen(json!({}), machine.clone()).as_deref(), Some(of_session.as_str()));
        assert_eq!(chosen(json!({"subscriptionId": given}), machine.clone()).as_deref(), Some(given.as_str()));
        let both = json!({"AZURE_SUBSCRIPTION_ID": of_machine, "SVC_SUBSCRIPTION_ID": given});
        assert_eq!(chosen(json!({}), both).as_deref(), Some(given.as_str()));
        // With a name it is not the session's that is meant.
        assert_eq!(chosen(json!({"subscriptionName": "Shop"}), machine).as_deref(), Some(of_machine.as_str()));
        assert_eq!(chosen(json!({"subscriptionName": "Shop"}), json!({})), None);
    }

    #[test]
    fn what_is_wrong_with_a_context() {
        let error = |context_members: serde_json::Value| {
            context(json!({"settings": {}, "context": context_members})).err().unwrap()
        };
        assert_eq!(error(json!({"subscriptionId": "mine"})), "'mine' is not a subscription id; expected a GUID.");
        for text in ["90", "PT0S", "0s", "1 hour", "-PT1M"] {
            assert_eq!(
                error(json!({"operationTimeout": text})),
                format!(
                    "'{text}' is not a valid duration; use 90s, 45m or 1h30m, or an ISO 8601 duration such as PT45M."
                )
            );
        }
        let flag =
            context(json!({"settings": {}, "environment": {"SVC_ALLOW_FOREIGN_DELETES": "maybe"}})).err().unwrap();
        assert_eq!(flag, "The variable SVC_ALLOW_FOREIGN_DELETES must be true or false, found 'maybe'.");
    }
}
