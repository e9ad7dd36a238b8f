//! Plans a document that was written of what exists, as a run of its command would, and takes out of it what would change anything.

use serde_json::{Value, json};

use super::super::compile::{Purpose, check, resolve};
use super::super::deployment::Job;
use super::super::failure::{Failure, failure};
use super::super::planning::make_plan;
use super::super::prepare::{Prepared, prepare};
use crate::commands::{Command, Exported, Project};
use crate::naming::Convention;
use crate::plan::Plan;
use crate::protocol::{
    Action, ActionKind, CONTEXT_MEMBERS, Code, ErrorReport, FindingReport, Host, PropertyChange, Request,
    without_secrets,
};
use crate::settings::{Document, Written, WrittenKey, steps, switch_off, take_item, to_yaml};
use crate::world::Reads;

/// No document needs as many rounds: each takes something out.
const MOST_ROUNDS: usize = 100;

/// The members of a context that say what becomes of a plan. The plans that judge a document are nobody's.
const OF_PLANS: &[&str] = &["planReport", "approvedPlan"];

/// The request of an export without what it says of plans.
pub(super) fn without_plans(mut request: Request) -> Request {
    for member in CONTEXT_MEMBERS.iter().filter(|member| OF_PLANS.contains(&member.name)) {
        if let Some(variables) = &mut request.environment {
            variables.remove(member.variable);
        }
    }
    if let Some(context) = &mut request.context {
        context.plan_report = None;
        context.approved_plan = None;
    }
    Request { what_if: None, ..request }
}

/// Judges the documents of one export.
pub(super) struct Judge<'a> {
    pub(super) command: &'static Command,
    /// What a run of the command would be asked, without settings.
    pub(super) request: Request,
    /// The subscription of the run, once it is known.
    pub(super) subscription_id: Option<String>,
    pub(super) host: &'a Host,
    /// Names are those of the settings, whatever the naming files of the project say.
    pub(super) names_as_they_are: bool,
}

/// Something that is wrong with a document.
#[derive(Debug, PartialEq)]
struct Problem {
    /// Where, as a path in the document; empty where it is not a place in it.
    path: String,
    /// The fragment of a sentence.
    message: String,
    /// Azure or the command would refuse the document; else the plan would change something.
    is_wrong: bool,
}

impl Judge<'_> {
    /// Whether the files of the project are right. Everything that is wrong with them is told at once.
    pub(super) async fn check_project(&self) -> Result<(), Failure> {
        let prepared = self.prepare(json!({ "component": self.command.component })).await?;
        prepared.check_files()
    }

    /// What the names are made of.
    pub(super) async fn project(&self) -> Result<Project, Failure> {
        let prepared = self.prepare(json!({ "component": self.command.component })).await?;
        let document = prepared.documents.into_iter().next();
        document.map(|document| document.project).ok_or_else(|| failure(Code::InternalError, "There is no document."))
    }

    async fn prepare(&self, settings: Value) -> Result<Prepared, Failure> {
        let request = Request { settings: Some(settings), ..self.request.clone() };
        let mut prepared = prepare(Job::Command(self.command), request).await?;
        if self.names_as_they_are {
            for document in &mut prepared.documents {
                document.project.convention = Convention::as_they_are();
            }
        }
        if let Some(subscription_id) = &self.subscription_id {
            prepared.enter(subscription_id);
        }
        Ok(prepared)
    }

    /// Takes out of a document what is wrong, or what would change anything, until nothing is. What cannot be taken out is noted.
    pub(super) async fn amend(&self, exported: &mut Exported, reads: &mut Reads) -> Result<(), Failure> {
        for _ in 0..MOST_ROUNDS {
            let problems = self.problems(&exported.keys, reads).await?;
            if !take_out(&problems, exported) {
                exported.notes.extend(problems.iter().map(Problem::note));
                return Ok(());
            }
        }
        Ok(())
    }

    /// What is wrong with a document, or what its plan would change.
    async fn problems(&self, keys: &[WrittenKey], reads: &mut Reads) -> Result<Vec<Problem>, Failure> {
        let document = Document::parse(None, to_yaml("", keys))
            .map_err(|_| failure(Code::InternalError, "The document that was written cannot be read."))?;
        let prepared = self.prepare(document.value().clone()).await?;
        let checked = match check(&prepared, self.host) {
            Ok(checked) => checked,
            Err(failure) => return wrong(failure),
        };
        let resolved = match resolve(&prepared, checked, Some(reads), Purpose::Run, self.host).await {
            Ok(resolved) => resolved,
            Err(failure) => return wrong(failure),
        };
        let planned = match make_plan(resolved, &prepared.context, None, Some(reads)).await {
            Ok(planned) => planned,
            // There is a document, and what it cannot be used for.
            Err(failure) if matches!(failure.code, Code::CompleteModeWouldDelete | Code::ResourceGroupTaken) => {
                return Ok(vec![Problem { path: String::new(), message: failure.message, is_wrong: false }]);
            }
            Err(failure) => return wrong(failure),
        };
        Ok(in_plan(planned.plan))
    }
}

/// Takes out of a document what looks like a secret: what is left of it, as a comment, has none.
pub(super) fn take_out_secrets(exported: &mut Exported) {
    let mut problems = Vec::new();
    hide(&mut exported.keys, "", &mut problems);
    problems.retain(|problem| !switch_off(&mut exported.keys, &steps(&problem.path), &problem.comment()));
    take_out(&problems, exported);
}

/// Hides what looks like a secret in keys, and notes where.
fn hide(keys: &mut [WrittenKey], above: &str, problems: &mut Vec<Problem>) {
    for WrittenKey { key, value, .. } in keys.iter_mut().filter(|key| !key.is_off) {
        let path = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
        hide_value(key, value, &path, problems);
    }
}

fn hide_value(name: &str, value: &mut Written, path: &str, problems: &mut Vec<Problem>) {
    match value {
        Written::Plain(Value::String(text)) => {
            if let Some(shown) = without_secrets(name, text) {
                let message = format!("{name} has what looks like a secret, and no export has one");
                problems.push(Problem { path: path.to_owned(), message, is_wrong: true });
                *text = shown;
            }
        }
        Written::Plain(_) => {}
        Written::Object(keys) => hide(keys, path, problems),
        Written::List(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                hide_value(name, item, &format!("{path}[{index}]"), problems);
            }
        }
    }
}

/// What a plan would change, each property with the place that says it.
fn in_plan(plan: Plan) -> Vec<Problem> {
    let told =
        |message: String, path: Option<String>| Problem { path: path.unwrap_or_default(), message, is_wrong: false };
    let mut problems: Vec<Problem> = plan.kept.iter().map(|kept| told(kept.reason.clone(), None)).collect();
    for Action { action, description, changes, origin, .. } in plan.into_actions() {
        // Of something new every property is one.
        if action != ActionKind::Modify {
            problems.push(told(description, origin.filter(|_| action == ActionKind::Create)));
            continue;
        }
        let of_change = |change: PropertyChange| told(format!("{description}: {}", difference(&change)), change.origin);
        problems.extend(changes.into_iter().map(of_change));
    }
    problems
}

fn difference(change: &PropertyChange) -> String {
    let [before, after] = [&change.before, &change.after].map(|value| value.as_deref().unwrap_or("nothing"));
    format!("{} from {before} to {after}", change.path)
}

/// The findings of a failure as problems of the document; any other failure is one of the export.
fn wrong(failure: Failure) -> Result<Vec<Problem>, Failure> {
    let ErrorReport { findings, .. } = failure.as_ref();
    if findings.is_empty() || findings.iter().any(|finding| finding.file.is_some()) {
        return Err(failure);
    }
    let problem = |finding: &FindingReport| Problem {
        path: finding.path.clone(),
        message: finding.message.clone(),
        is_wrong: true,
    };
    Ok(findings.iter().map(problem).collect())
}

impl Problem {
    /// What is told of it where nothing can be taken out.
    fn note(&self) -> String {
        let message = self.message.trim_end_matches('.');
        let about = if self.is_wrong { "The document is not right" } else { "A plan of the document is not empty" };
        if self.is_wrong && !self.path.is_empty() {
            return format!("{about}: {}: {message}.", self.path);
        }
        format!("{about}: {message}.")
    }

    /// What is told where a key was that is left out for it.
    fn comment(&self) -> String {
        let message = self.message.trim_end_matches('.');
        let why = if self.is_wrong { "Left out" } else { "Left out, for it would be changed" };
        format!("{why}: {message}.")
    }
}

/// Takes out of a document what stands at the places of problems. Returns whether there was anything.
fn take_out(problems: &[Problem], exported: &mut Exported) -> bool {
    let mut is_less = false;
    for problem in problems {
        is_less |= switch_off(&mut exported.keys, &steps(&problem.path), &problem.comment());
    }
    if is_less {
        return true;
    }
    // What has to be there makes the whole item wrong. From the last to the first: the others stay where they are.
    let mut wrong: Vec<&Problem> = problems.iter().filter(|problem| problem.is_wrong).collect();
    wrong.reverse();
    let mut taken = Vec::new();
    for problem in wrong {
        if let Some(item) = take_item(&mut exported.keys, &steps(&problem.path)) {
            taken.push(format!("{} is left out: {}.", called(&item), problem.message.trim_end_matches('.')));
        }
    }
    is_less = !taken.is_empty();
    exported.notes.extend(taken.into_iter().rev());
    is_less
}

/// What an item is called: by its first key, which is its name.
fn called(item: &Written) -> String {
    match item {
        Written::Plain(value) => format!("'{}'", value.as_str().unwrap_or_default()),
        Written::Object(keys) => match keys.first() {
            Some(WrittenKey { key, value: Written::Plain(value), .. }) => {
                format!("The item with {key} '{}'", value.as_str().unwrap_or_default())
            }
            _ => "An item".to_owned(),
        },
        Written::List(_) => "A list".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exported() -> Exported {
        let accounts = json!([{ "name": "a", "tier": "Odd", "size": 1 }, { "name": "b", "tier": "Fine", "size": 2 }]);
        let mut keys = vec![WrittenKey::new("accounts", (&accounts).into())];
        keys[0].is_required = true;
        if let Written::List(items) = &mut keys[0].value {
            for item in items {
                let Written::Object(keys) = item else { continue };
                keys.iter_mut().filter(|key| key.key != "size").for_each(|key| key.is_required = true);
            }
        }
        Exported { keys, notes: Vec::new() }
    }

    fn problem(path: &str, message: &str, is_wrong: bool) -> Problem {
        Problem { path: path.to_owned(), message: message.to_owned(), is_wrong }
    }

    #[test]
    fn what_may_be_missing_is_left_out_with_the_reason() {
        let mut exported = exported();
        let problems =
            [problem("accounts[0].size", "too small", true), problem("accounts[1].size", "from 2 to 3.", false)];
        assert!(take_out(&problems, &mut exported));
        let yaml = to_yaml("", &exported.keys);
        assert!(yaml.contains("    # Left out: too small.\n    #size: 1\n"), "{yaml}");
        assert!(yaml.contains("    # Left out, for it would be changed: from 2 to 3.\n    #size: 2\n"), "{yaml}");
        assert!(exported.notes.is_empty());
    }

    #[test]
    fn an_item_that_cannot_be_right_is_left_out() {
        let mut exported = exported();
        let problems = [problem("accounts[0].tier", "'Odd' is not valid; use Fine", true)];
        assert!(take_out(&problems, &mut exported));
        assert_eq!(exported.notes, ["The item with name 'a' is left out: 'Odd' is not valid; use Fine."]);
        assert_eq!(to_yaml("", &exported.keys), "accounts:\n  - name: b\n    tier: Fine\n    size: 2\n");
    }

    /// What a plan would change is no reason to take out the resource: whoever owns it has to know.
    #[test]
    fn what_cannot_be_taken_out_is_told() {
        let mut exported = exported();
        let problems = [
            problem("accounts[0].tier", "Modify a: tier from 1 to 2", false),
            problem("", "No.", false),
            problem("other", "missing", true),
        ];
        assert!(!take_out(&problems, &mut exported));
        assert_eq!(
            problems.iter().map(Problem::note).collect::<Vec<_>>(),
            [
                "A plan of the document is not empty: Modify a: tier from 1 to 2.",
                "A plan of the document is not empty: No.",
                "The document is not right: other: missing.",
            ]
        );
        assert_eq!(to_yaml("", &exported.keys), to_yaml("", &super::tests::exported().keys));
    }
}
