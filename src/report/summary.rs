//! The summary that every report has before the changes themselves.

use super::{Node, Report, sections};
use crate::protocol::{Action, ActionKind, MadeWith, Rehearsal, plural};

/// The alert rules that were rehearsed, each with its name and, where it is changed, the index of its action.
pub(super) fn rehearsals(report: &Report) -> impl Iterator<Item = (&str, Option<usize>, &Rehearsal)> {
    let changed = report.actions.iter().filter_map(|action| {
        Some((action.resource.full_name.as_str(), Some(action.index), action.rehearsal.as_deref()?))
    });
    let others = report
        .head
        .rehearsed
        .iter()
        .filter_map(|rule| Some((rule.resource.full_name.as_str(), None, rule.rehearsal.as_deref()?)));
    changed.chain(others)
}

/// The warning about what a plan that was made offline does not know.
pub(super) const OFFLINE: &str = "This plan was made offline: nothing was read. Whether a resource exists is not known, so all are shown as \
                                  created. It cannot be used as an approved plan.";

/// The title of a report, without the name of the subscription: `Plan of web.yml`.
pub(super) fn subject(report: &Report) -> String {
    match &report.head.documents[..] {
        [] => report.head.command.clone(),
        [one] => one.clone(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
    }
}

/// The counts in words: `12 to create, 3 to change, 1 to delete, 2 kept, 40 up to date`.
pub(super) fn outcome(report: &Report) -> String {
    let counts = &report.head.counts;
    let mut parts = changes(counts.create, counts.modify, counts.delete);
    if parts.is_empty() {
        parts.push("no changes".to_owned());
    }
    for (count, words) in
        [(counts.kept, "kept as it is"), (counts.orphans, "in no document"), (counts.unchanged, "up to date")]
    {
        if count > 0 {
            parts.push(format!("{count} {words}"));
        }
    }
    parts.join(", ")
}

/// The counts of what is planned in words, each where there is any.
fn changes(create: usize, modify: usize, delete: usize) -> Vec<String> {
    let counts = [(create, "to create"), (modify, "to change"), (delete, "to delete")];
    counts.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}")).collect()
}

/// The facts on what the plan is for and who made it: a name and a value each.
pub(super) fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Command", report.head.command.clone())];
    if !report.head.documents.is_empty() {
        let name = if report.head.documents.len() == 1 { "Document" } else { "Documents" };
        facts.push((name, report.head.documents.join(", ")));
    }
    if let Some(target) = &report.head.target {
        facts.push(("Cloud", format!("{} ({})", target.cloud, target.endpoint)));
        let subscription = match &target.subscription_name {
            Some(name) => format!("{name} ({})", target.subscription_id),
            None => target.subscription_id.clone(),
        };
        facts.push(("Subscription", subscription));
        let others = [("Tenant", &target.tenant_id), ("Identity", &target.identity)];
        facts.extend(others.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))));
    }
    let MadeWith { environment, project_files, left_out: _ } = &report.head.made_with;
    if !environment.is_empty() {
        facts.push(("Environment", report.head.made_with.environment_in_words()));
    }
    if !project_files.is_empty() {
        facts.push(("Project files", project_files.join(", ")));
    }
    facts.push(("Made", format!("{} by Svc Deploy {}", report.head.created, report.head.version)));
    facts
}

/// The name of the subscription, or its id; none offline.
pub(super) fn subscription(report: &Report) -> Option<&str> {
    report
        .head
        .target
        .as_ref()
        .map(|target| target.subscription_name.as_ref().unwrap_or(&target.subscription_id).as_str())
}

/// The number of changes of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    pub(super) create: usize,
    pub(super) modify: usize,
    pub(super) delete: usize,
}

impl Tally {
    pub(super) fn add(&mut self, kind: ActionKind) {
        match kind {
            ActionKind::Create => self.create += 1,
            ActionKind::Modify => self.modify += 1,
            ActionKind::Delete => self.delete += 1,
        }
    }

    /// Of these actions.
    pub(super) fn of_all<'a>(actions: impl IntoIterator<Item = &'a Action>) -> Tally {
        let mut tally = Tally::default();
        actions.into_iter().for_each(|action| tally.add(action.action));
        tally
    }

    /// Of a resource and of everything in it.
    pub(super) fn of(node: &Node<'_>) -> Tally {
        let mut tally = Tally::default();
        tally.add_all(node);
        tally
    }

    fn add_all(&mut self, node: &Node<'_>) {
        if let Some(action) = node.action {
            self.add(action.action);
        }
        node.children.iter().for_each(|child| self.add_all(child));
    }

    /// Whether something is changed or deleted, and not only created.
    pub(super) fn is_sensitive(self) -> bool {
        self.modify + self.delete > 0
    }

    pub(super) fn words(self) -> String {
        changes(self.create, self.modify, self.delete).join(", ")
    }
}

/// The changes of each type, by what people call it, in the order of the plan.
pub(super) fn types(actions: &[Action]) -> Vec<(&str, Tally)> {
    let mut types: Vec<(&str, Tally)> = Vec::new();
    for action in actions {
        let known = types.iter().position(|(label, _)| *label == action.resource.label);
        let at = known.unwrap_or_else(|| {
            types.push((&action.resource.label, Tally::default()));
            types.len() - 1
        });
        types[at].1.add(action.action);
    }
    types
}

/// The text that stands in the place of a name for what belongs to no single document.
pub(super) const SHARED: &str = "several documents";

/// The changes and what is kept of one document.
pub(super) struct OfDocument<'a> {
    /// As the report names it.
    pub(super) name: &'a str,
    /// In the order of the plan.
    pub(super) actions: Vec<&'a Action>,
    /// The number of resources that are kept as they are.
    pub(super) kept: usize,
}

impl OfDocument<'_> {
    pub(super) fn tally(&self) -> Tally {
        Tally::of_all(self.actions.iter().copied())
    }
}

/// The documents of a plan with what each changes, those without changes too, and what belongs to no single one at the end. Empty where
/// the plan is of one document.
pub(super) fn documents(report: &Report) -> Vec<OfDocument<'_>> {
    if report.head.documents.len() < 2 {
        return Vec::new();
    }
    let mut sections = sections(&report.actions);
    let mut documents: Vec<OfDocument<'_>> = Vec::new();
    for name in report.head.documents.iter().map(String::as_str) {
        let at = sections.iter().position(|section| section.document == Some(name));
        let actions = at.map(|at| sections.remove(at).actions).unwrap_or_default();
        let kept = report.kept.iter().filter(|kept| kept.document.as_deref() == Some(name)).count();
        documents.push(OfDocument { name, actions, kept });
    }
    let others = sections.into_iter().map(|section| OfDocument {
        name: section.document.unwrap_or(SHARED),
        actions: section.actions,
        kept: 0,
    });
    documents.extend(others);
    documents
}

/// The actions of a kind, in the order of the plan.
pub(super) fn of_kind(report: &Report, kind: ActionKind) -> impl Iterator<Item = &Action> {
    report.actions.iter().filter(move |action| action.action == kind)
}

/// The sign of a kind of change.
pub(super) fn sign(kind: ActionKind) -> char {
    match kind {
        ActionKind::Create => '+',
        ActionKind::Modify => '~',
        ActionKind::Delete => '-',
    }
}

/// `1 default`, `5 defaults`.
pub(super) fn defaults(count: usize) -> String {
    format!("{count} default{}", plural(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::PlanCounts;

    #[test]
    fn the_outcome_names_only_what_there_is() {
        let outcome = |counts: PlanCounts| {
            let mut report = crate::report::samples::report(Vec::new());
            report.head.counts = counts;
            outcome(&report)
        };
        let all = PlanCounts { create: 1, modify: 2, delete: 3, unchanged: 4, kept: 5, orphans: 6 };
        assert_eq!(
            outcome(all),
            "1 to create, 2 to change, 3 to delete, 5 kept as it is, 6 in no document, 4 up to date"
        );
        assert_eq!(outcome(PlanCounts { unchanged: 4, ..PlanCounts::default() }), "no changes, 4 up to date");
        assert_eq!(outcome(PlanCounts::default()), "no changes");
    }
}
