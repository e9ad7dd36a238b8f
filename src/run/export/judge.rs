//! Plans a document that was written of what exists, as a run of its command would, and takes out of it what would change anything.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::super::compile::{Purpose, check, resolve};
use super::super::deployment::Job;
use super::super::failure::{Failure, failure};
use super::super::planning::make_plan;
use super::super::prepare::{Prepared, prepare};
use super::problem::{Problem, in_plan, not_possible, unsaid_in, wrong};
use crate::azure::ResourceId;
use crate::commands::{Command, Estate, Exported, Project};
use crate::naming::Convention;
use crate::protocol::{Code, Host, MadeWith, Request, shown_of_secret, without_secrets};
use crate::settings::{
    Document, Written, WrittenKey, is_secret_setting, spell_as_documented, steps, switch_off, switch_off_item,
    switch_on, take_item, tell_at, to_yaml, told,
};
use crate::world::Reads;

/// No document needs as many rounds: each takes something out, or gives back what did not help.
const MOST_ROUNDS: usize = 200;

/// A request without what it says of plans: the plans that judge a document are nobody's.
pub(in crate::run) fn without_plans(mut request: Request) -> Request {
    let mut context = request.context.take().unwrap_or_default();
    for (member, value) in context.members().filter(|(member, _)| member.is_of_plans) {
        request.environment.iter_mut().for_each(|variables| drop(variables.remove(member.variable)));
        value.unset();
    }
    Request { context: Some(context), what_if: None, ..request }
}

/// Judges the documents of one export.
pub(super) struct Judge<'a> {
    pub(super) command: &'static Command,
    /// The request of a run of the command, without settings.
    pub(super) request: Request,
    /// The subscription of the run, once it is known.
    pub(super) subscription_id: Option<String>,
    pub(super) host: &'a Host,
    /// Names are those of the settings, whatever the naming files of the project say.
    pub(super) names_as_they_are: bool,
}

/// A document that its command has judged.
pub(super) struct Verdict {
    pub(super) keys: Vec<WrittenKey>,
    /// The notes on what it does not have as a whole, a sentence or more each.
    pub(super) notes: Vec<String>,
    /// The changes that a plan of it would make, or the reason why there is none: a sentence each.
    pub(super) differences: Vec<String>,
    /// The comments in it on what it does not have.
    pub(super) comments: Vec<String>,
    /// The resources that it is about.
    pub(super) claims: Vec<ResourceId>,
}

/// The findings about a document.
#[derive(Default)]
struct Judged {
    problems: Vec<Problem>,
    /// The properties that resources have and no setting says, each with the place of the resource.
    unsaid: Vec<(String, String)>,
    /// The resources that the document is about.
    claims: Vec<ResourceId>,
}

/// The parts that were taken out of a document for its problems.
enum TakenOut {
    Nothing,
    Parts,
    /// These have to go as a whole, and with them what depends on their places.
    Wholes(Vec<(ResourceId, String)>),
}

impl Judge<'_> {
    /// The environment and the files of the project, where these are right. Everything that is wrong with them is told at once.
    pub(super) async fn check_project(&self) -> Result<MadeWith, Failure> {
        let prepared = self.prepare(json!({ "component": self.command.component })).await?;
        prepared.check_files()?;
        Ok(prepared.head.made_with.clone())
    }

    /// The project that the names are made of.
    pub(super) async fn project(&self) -> Result<Project, Failure> {
        let prepared = self.prepare(json!({ "component": self.command.component })).await?;
        let document = prepared.documents.into_iter().next();
        document.map(|document| document.project).ok_or_else(|| failure(Code::InternalError, "There is no document."))
    }

    async fn prepare(&self, settings: Value) -> Result<Prepared, Failure> {
        let request = Request { settings: Some(settings), ..self.request.clone() };
        let mut prepared = prepare(Job::Command(self.command), request, self.host).await?;
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

    /// The document of what exists, without what is wrong or would change anything, as far as that can be.
    pub(super) async fn document(
        &self,
        write: fn(&Estate<'_>) -> Exported,
        estate: &mut Estate<'_>,
        reads: &mut Reads,
    ) -> Result<Verdict, Failure> {
        let mut exported = self.written(write, estate);
        // What did not help is given back, and is not taken out again.
        let (mut tried, mut stays): (Vec<(String, String)>, HashSet<String>) = Default::default();
        let mut judged = Judged::default();
        for _ in 0..MOST_ROUNDS {
            judged = self.judge(&exported.keys, &estate.group.id, reads).await?;
            let still_there: Vec<_> =
                tried.drain(..).filter(|(_, of)| judged.problems.iter().any(|problem| problem.of == *of)).collect();
            for (path, of) in &still_there {
                switch_on(&mut exported.keys, &steps(path));
                stays.insert(of.clone());
            }
            if !still_there.is_empty() {
                continue;
            }
            let open: Vec<&Problem> = judged.problems.iter().filter(|problem| !stays.contains(&problem.of)).collect();
            match take_out(&open, &mut exported, &mut tried) {
                TakenOut::Nothing => break,
                TakenOut::Parts => {}
                TakenOut::Wholes(wholes) => {
                    estate.left_out.extend(wholes);
                    exported = self.written(write, estate);
                    stays.clear();
                }
            }
        }
        Ok(conclude(exported, judged))
    }

    /// Finds what is wrong with a document, or what its plan would change.
    async fn judge(&self, keys: &[WrittenKey], group: &ResourceId, reads: &mut Reads) -> Result<Judged, Failure> {
        let of_problems = |problems: Vec<Problem>| Judged { problems, ..Judged::default() };
        let document = Document::parse(None, to_yaml("", keys))
            .map_err(|_| failure(Code::InternalError, "The document that was written cannot be read."))?;
        let prepared = self.prepare(document.value().clone()).await?;
        let checked = match check(&prepared, self.host) {
            Ok(checked) => checked,
            Err(failure) => return wrong(failure).map(of_problems),
        };
        let resolved = match resolve(&prepared, checked, Some(reads), Purpose::Run, self.host).await {
            Ok(resolved) => resolved,
            Err(failure) => return wrong(failure).map(of_problems),
        };
        let claims: Vec<ResourceId> = resolved.compiled.desired.iter().map(|resource| resource.id.clone()).collect();
        let unsaid = unsaid_in(&resolved.compiled.desired, &resolved.world, group);
        let planned = match make_plan(resolved, &prepared.context, None, None, Some(reads)).await {
            Ok(planned) => planned,
            // There is a document, and what it cannot be used for.
            Err(failure)
                if matches!(failure.failure.code, Code::CompleteModeWouldDelete | Code::ResourceGroupTaken) =>
            {
                return Ok(Judged { problems: vec![not_possible(failure.failure.message)], unsaid, claims });
            }
            Err(failure) => return wrong(failure).map(of_problems),
        };
        Ok(Judged { problems: in_plan(planned.plan), unsaid, claims })
    }

    /// The document of what exists without what looks like a secret, not as a comment either.
    fn written(&self, write: fn(&Estate<'_>) -> Exported, estate: &mut Estate<'_>) -> Exported {
        let mut exported = write(estate);
        for _ in 0..MOST_ROUNDS {
            let mut problems = Vec::new();
            hide(&mut exported.keys, "", &mut problems);
            // From the last to the first: the others stay where they are.
            problems.reverse();
            problems.retain(|problem| !switch_off_item(&mut exported.keys, &steps(&problem.path), &problem.comment()));
            problems.reverse();
            let problems: Vec<&Problem> = problems.iter().collect();
            let TakenOut::Wholes(wholes) = take_out(&problems, &mut exported, &mut Vec::new()) else { break };
            estate.left_out.extend(wholes);
            exported = write(estate);
        }
        spell_as_documented(&mut exported.keys, &self.command.type_schema());
        exported
    }
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
            let (shown, what) = if is_secret_setting(name) {
                (Some(shown_of_secret(text)), "is a secret")
            } else {
                (without_secrets(name, text), "has what looks like a secret")
            };
            if let Some(shown) = shown {
                let message = format!("{name} {what}, and no export has one");
                problems.push(Problem::wrong(path, &message));
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
        // Nothing is off in what was just written.
        Written::Off(..) => {}
    }
}

/// Takes out of a document what stands at the places of problems, and notes which problem each was taken out for.
fn take_out(problems: &[&Problem], exported: &mut Exported, tried: &mut Vec<(String, String)>) -> TakenOut {
    for problem in problems {
        if switch_off(&mut exported.keys, &steps(&problem.path), &problem.comment()) {
            tried.push((problem.path.clone(), problem.of.clone()));
        }
    }
    if !tried.is_empty() {
        return TakenOut::Parts;
    }
    // What has to be there makes the whole item wrong. From the last to the first: the others stay where they are.
    let wrong = problems.iter().filter(|problem| problem.is_wrong).rev();
    let (mut wholes, mut notes): (Vec<(ResourceId, String)>, Vec<String>) = Default::default();
    for problem in wrong {
        if let Some(id) = whole(&exported.wholes, &problem.path) {
            if wholes.iter().all(|(known, _)| known != id) {
                wholes.push((id.clone(), problem.message.trim_end_matches('.').to_owned()));
            }
        } else if let Some(item) = take_item(&mut exported.keys, &steps(&problem.path)) {
            notes.push(format!("{} is left out: {}.", called(&item), problem.message.trim_end_matches('.')));
        }
    }
    if !wholes.is_empty() {
        return TakenOut::Wholes(wholes);
    }
    let is_less = !notes.is_empty();
    exported.notes.extend(notes.into_iter().rev());
    if is_less { TakenOut::Parts } else { TakenOut::Nothing }
}

/// The resource that is left out as a whole where something at a path is wrong.
fn whole<'a>(wholes: &'a [(String, ResourceId)], path: &str) -> Option<&'a ResourceId> {
    let has =
        |place: &str| path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
    wholes.iter().find(|(place, _)| has(place)).map(|(_, id)| id)
}

/// The document with what is told of it: of what no setting says where the resource is, of what a plan would change there as well.
fn conclude(exported: Exported, judged: Judged) -> Verdict {
    let Exported { mut keys, mut notes, .. } = exported;
    for (path, sentence) in judged.unsaid {
        if !tell_at(&mut keys, &steps(&path), &sentence) {
            notes.push(sentence);
        }
    }
    // What a plan would change is told with the plan.
    let comments = told(&keys);
    let mut differences: Vec<String> = Vec::new();
    for problem in &judged.problems {
        let sentence = problem.sentence();
        if !differences.contains(&sentence) {
            if let Some((place, sentence)) = problem.at_its_resource() {
                tell_at(&mut keys, &steps(place), &sentence);
            }
            differences.push(sentence);
        }
    }
    Verdict { keys, notes, differences, comments, claims: judged.claims }
}

/// The name of an item: by its first key, which is its name.
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
        Written::Off(_, item) => called(item),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::CONTEXT_MEMBERS;
    use crate::protocol::ContextMemberKind;

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
        Exported { keys, ..Exported::default() }
    }

    fn taken_out(problems: &[Problem], exported: &mut Exported) -> (TakenOut, Vec<(String, String)>) {
        let mut tried = Vec::new();
        (take_out(&problems.iter().collect::<Vec<_>>(), exported, &mut tried), tried)
    }

    #[test]
    fn nothing_that_is_said_of_plans_stays() {
        for member in CONTEXT_MEMBERS.iter().filter(|member| member.is_of_plans) {
            let name = member.name;
            let value = match member.kind {
                ContextMemberKind::Flag => json!(true),
                ContextMemberKind::Paths | ContextMemberKind::Texts => json!(["/x"]),
                _ => json!("/x"),
            };
            let request = json!({"context": {member.name: value, "cloud": "local"}, "environment": {member.variable: "x"}, "whatIf": true});
            let left = without_plans(serde_json::from_value(request).unwrap());
            let of_cloud =
                crate::protocol::Context { cloud: Some("local".to_owned()), ..crate::protocol::Context::default() };
            assert_eq!(json!(left.context), json!(of_cloud), "{name}");
            assert_eq!(left.what_if, None);
            assert_eq!(left.environment.map(|variables| variables.len()), Some(0), "{name}");
        }
    }

    /// A document is judged by the plan that its next run makes.
    #[test]
    fn what_decides_what_a_plan_has_stays() {
        let context = json!({"allowForeignDeletes": true, "enforceDefaults": true});
        let variables = json!({"SVC_ALLOW_FOREIGN_DELETES": "true", "SVC_ENFORCE_DEFAULTS": "true"});
        let request = json!({"context": context, "environment": variables});
        let left = without_plans(serde_json::from_value(request).unwrap());
        let stays: crate::protocol::Context = serde_json::from_value(context).unwrap();
        assert_eq!((json!(left.context), json!(left.environment)), (json!(stays), variables));
    }

    #[test]
    fn what_may_be_missing_is_left_out_with_the_reason() {
        let mut exported = exported();
        let changed = Problem::of_change("accounts[1].size", "2 -> 3");
        let problems = [Problem::wrong("accounts[0].size", "too small"), changed];
        let (taken, tried) = taken_out(&problems, &mut exported);
        assert!(matches!(taken, TakenOut::Parts));
        assert_eq!(tried.len(), 2);
        let yaml = to_yaml("", &exported.keys);
        assert!(yaml.contains("    # Left out: too small.\n    #size: 1\n"), "{yaml}");
        assert!(yaml.contains("    # Left out, for it would be changed: 2 -> 3.\n    #size: 2\n"), "{yaml}");
        assert!(exported.notes.is_empty());
    }

    #[test]
    fn an_item_that_cannot_be_right_is_left_out() {
        let mut exported = exported();
        let problems = [Problem::wrong("accounts[0].tier", "'Odd' is not valid; use Fine")];
        assert!(matches!(taken_out(&problems, &mut exported).0, TakenOut::Parts));
        assert_eq!(exported.notes, ["The item with name 'a' is left out: 'Odd' is not valid; use Fine."]);
        assert_eq!(to_yaml("", &exported.keys), "accounts:\n  - name: b\n    tier: Fine\n    size: 2\n");
    }

    #[test]
    fn what_depends_on_its_place_goes_as_a_whole() {
        let mut exported = exported();
        let id = ResourceId::new("/subscriptions/s/resourceGroups/g");
        exported.wholes = vec![("accounts[0]".to_owned(), id.clone())];
        let problems = ["accounts[0].tier", "accounts[0]", "accounts[0].name"].map(|path| Problem::wrong(path, "No."));
        let TakenOut::Wholes(wholes) = taken_out(&problems, &mut exported).0 else { panic!("not as a whole") };
        assert_eq!(wholes, [(id, "No".to_owned())]);
        assert!(whole(&exported.wholes, "accounts[01]").is_none());
    }

    /// A change in a plan is no reason to take out the resource: whoever owns it has to know.
    #[test]
    fn what_cannot_be_taken_out_is_told() {
        let mut exported = exported();
        let problems = [
            Problem::of_change("accounts[0].tier", "tier 1 -> 2"),
            Problem::of_change("accounts[0].tier", "size 3 -> 4"),
            Problem::wrong("other", "missing"),
        ];
        assert!(matches!(taken_out(&problems, &mut exported).0, TakenOut::Nothing));
        let unsaid = vec![("accounts[1]".to_owned(), "It has more.".to_owned())];
        let verdict = conclude(exported, Judged { problems: problems.to_vec(), unsaid, ..Judged::default() });
        assert_eq!(
            verdict.differences,
            ["A plan of the document is not empty: Change this.", "The document is not right: other: missing.",]
        );
        assert_eq!(verdict.comments, ["It has more."]);
        let yaml = to_yaml("", &verdict.keys);
        assert!(yaml.starts_with("accounts:\n  # A plan would change this: tier 1 -> 2.\n  - name: a\n"), "{yaml}");
        assert!(yaml.contains("  # It has more.\n  - name: b\n"), "{yaml}");
    }
}
