//! The fifth stage: what has to change, and what people are told of it.

use std::collections::HashSet;
use std::sync::Arc;

use super::compile::Resolved;
use super::context::RunContext;
use super::failure::{Failure, failure, reading_failed, refused};
use super::left_behind::LookBehind;
use super::not_ours::{foreign, keeps_none, of_other_environment, tagged_otherwise, taken};
use super::prepare::Prepared;
use crate::apply::{Record, Sightings, skipped};
use crate::azure::{ArmError, ResourceId};
use crate::commands::{CompleteMode, Namesake};
use crate::desired::{Desired, Existing, OwnedProfile, World};
use crate::plan::{
    CompletedGroup, Plan, TypeFacts, adopt, arrange, deletion, departures, enforce_defaults, full_name,
    other_environment, other_tag_key, plan, plan_unknown, published_otherwise, short_name, surplus, twins,
};
use crate::protocol::{ActionKind, Code, Host, Message, Warning};
use crate::rehearsal::is_rule;
use crate::report::{PlanCounts, PlanFile};
use crate::world::{Reads, group_content, type_facts};

/// The plan of a run, with the warnings that come before it.
pub(super) struct Planned {
    pub(super) plan: Plan,
    /// The sightings of the resources that it changes, and of those that were approved.
    pub(super) seen: Sightings,
    /// The resources that were approved, are not planned, and are not there.
    pub(super) gone: HashSet<ResourceId>,
    /// The wanted resources, where Azure Policy is to be asked about them.
    pub(super) wanted: Vec<Desired>,
    /// The wanted resources that no run makes any more, because Azure has refused them.
    pub(super) never_made: HashSet<ResourceId>,
    /// The warnings about the settings.
    warnings: Vec<Warning>,
}

impl Planned {
    /// The number of resources that are as they should be, and that somebody is still changing.
    fn waits(&self) -> usize {
        self.plan.unchanged.iter().filter(|resource| resource.in_progress).count()
    }

    /// Whether there is nothing to change and nothing to wait for.
    pub(super) fn is_empty(&self) -> bool {
        self.plan.changes.is_empty() && self.waits() == 0
    }

    /// Tells the warnings.
    pub(super) fn warn(&self, host: &Host) {
        host.warnings(self.warnings().cloned());
    }

    /// Tells the warnings and what is up to date.
    pub(super) fn tell(&self, context: &RunContext, host: &Host) {
        let plan = &self.plan;
        self.warn(host);
        plan.kept.iter().for_each(|kept| host.send(Message::Kept(kept.clone())));
        plan.notes.iter().for_each(|note| host.verbose(note));
        for resource in &plan.unchanged {
            host.verbose(format!("The {} is up to date.", full_name(&resource.id, resource.resource_type.label)));
            if context.include_unchanged || resource.rehearsal.is_some() {
                host.send(Message::Unchanged(resource.report()));
            }
        }
    }

    /// Notes what the run has to do with, and what it leaves alone.
    pub(super) fn note(&self, prepared: &Prepared, record: &Record, host: &Host) {
        let is_what_if = prepared.is_what_if();
        let plan = &self.plan;
        let left_alone: usize = plan.left_alone.iter().map(|left| 1 + left.skipped.len()).sum();
        record.expect(plan.changes.len() + self.waits() + left_alone);
        record.count(|counts| {
            counts.unchanged = plan.unchanged.len();
            counts.orphans = plan.kept.iter().filter(|kept| kept.orphan).count();
            counts.kept = plan.kept.len() - counts.orphans;
            counts.left_out = prepared.left_out();
            counts.open_defaults = plan.open_defaults;
            counts.what_if = is_what_if;
            if is_what_if {
                plan.changes.iter().for_each(|change| counts.add(change.kind));
            }
        });
        note_left_alone(plan, record, host);
    }

    /// The refusal of a plan that has more than the context allows.
    pub(super) fn over_limits(&self, context: &RunContext) -> Option<Failure> {
        let reason = context.limits.exceeded_by(&self.plan)?;
        Some(Box::new(failure(Code::LimitExceeded, format!("{reason} Nothing was changed.")).recommending(
            "Look at the plan. If it is meant, raise the limit for this run; only and except leave out a part of it.",
        )))
    }

    /// The numbers of resources in each state.
    pub(super) fn counts(&self) -> PlanCounts {
        let plan = &self.plan;
        let count = |kind| plan.changes.iter().filter(|change| change.kind == kind).count();
        PlanCounts {
            create: count(ActionKind::Create),
            modify: count(ActionKind::Modify),
            delete: count(ActionKind::Delete),
            unchanged: plan.unchanged.len(),
            kept: plan.kept.iter().filter(|kept| !kept.orphan).count(),
            orphans: plan.kept.iter().filter(|kept| kept.orphan).count(),
        }
    }

    /// The warnings about the settings and about the plan.
    fn warnings(&self) -> impl Iterator<Item = &Warning> {
        self.warnings.iter().chain(&self.plan.warnings)
    }

    /// Tells that there is nothing to do, where nothing is wanted otherwise either.
    pub(super) fn tell_nothing_to_do(&self, record: &Record, host: &Host) {
        if let Some(sentence) = record.counts().up_to_date() {
            host.verbose(sentence);
        }
    }
}

/// Compares what is wanted with what exists.
pub(super) async fn make_plan(
    mut resolved: Resolved,
    context: &RunContext,
    approved: Option<&PlanFile>,
    behind: Option<LookBehind>,
    mut reads: Option<&mut Reads>,
) -> Result<Planned, Failure> {
    let mut desired = resolved.compiled.desired;
    if context.enforce_defaults {
        enforce_defaults(&mut desired, &resolved.world);
    }
    let (desired, mut plan) = compare(desired, &resolved.compiled.owned, &resolved.world);
    plan.refused.extend(resolved.taken);
    plan.kept.splice(0..0, resolved.compiled.kept);
    wait_for_deletions(&mut plan, &resolved.leaving);
    if let (Some(behind), World::Known(existing), Some(reads)) = (behind, &mut resolved.world, reads.as_deref_mut()) {
        behind.look(&mut plan, &desired, existing, &resolved.compiled.complete, reads).await?;
    }
    let told = |reason| failure(Code::ContextInvalid, format!("{reason} Nothing was changed."));
    context.selection.apply(&mut plan, &desired).map_err(told)?;
    if !context.selection.is_everything() {
        // A run that is about a part of the documents does not know what else belongs to them.
        resolved.compiled.complete.clear();
    }
    if !plan.refused.is_empty() {
        return Err(refused(plan.refused));
    }
    check_tags(&desired, &resolved.world, context)?;
    let complete = &resolved.compiled.complete;
    let copies =
        copies(&resolved.compiled.namesakes, complete, &resolved.world, &desired, &plan, &context.run.service_tag_key);
    plan.warnings.splice(0..0, copies);
    for otherwise in published_otherwise(&desired, &resolved.world, &context.run.service_tag_key) {
        // The other document would delete these rules, and this one the other's.
        if complete.iter().any(|complete| complete.group == otherwise.group.id) {
            return Err(taken(&otherwise, context));
        }
        plan.warnings.push(otherwise.warning());
    }
    let mut existing = match resolved.world {
        World::Known(existing) => existing,
        World::Unknown => Existing::new(),
    };
    let (mut gone, ids) = (HashSet::new(), approved.map(approved_ids).unwrap_or_default());
    match reads {
        Some(reads) => {
            for complete in complete {
                plan_deletions(&mut plan, &desired, complete, context.allow_foreign_deletes, reads).await?;
            }
            if context.approved_plan.is_some() || !context.plan_report.is_empty() {
                see_deletions(&plan, &mut existing, reads).await;
            }
            gone = see_approved(&ids, &plan, &mut existing, reads).await;
        }
        None => plan.warnings.extend(complete.iter().map(|complete| {
            complete
                .place
                .remark("the other contents of the resource group are not known, so the plan shows no deletions.")
        })),
    }
    let rehearses_all = context.rehearsal.as_ref().is_some_and(|rehearsal| rehearsal.all);
    keep_what_is_needed(&mut existing, &plan, &ids, rehearses_all);
    let seen = Sightings { existing, times: resolved.read_times };
    plan.notes.extend(resolved.compiled.notes);
    let never_made = desired.iter().filter(|wanted| wanted.never_made).map(|wanted| wanted.id.clone()).collect();
    let wanted = if context.check_policies { desired } else { Vec::new() };
    Ok(Planned { plan, seen, gone, wanted, never_made, warnings: resolved.compiled.warnings })
}

/// Whether what exists carries the tags of this project and this environment.
fn check_tags(desired: &[Desired], world: &World, context: &RunContext) -> Result<(), Failure> {
    if !context.service_tag_key_is_given
        && let Some(other) = other_tag_key(desired, world, &context.run.service_tag_key)
    {
        return Err(tagged_otherwise(&other, context));
    }
    if let Some(key) = &context.environment_tag_key
        && let Some(other) = other_environment(desired, world, key)
    {
        return Err(of_other_environment(&other, key));
    }
    Ok(())
}

/// Of what exists nothing is needed any more but what is changed, what was approved and what is rehearsed.
fn keep_what_is_needed(existing: &mut Existing, plan: &Plan, approved: &HashSet<ResourceId>, rehearses_all: bool) {
    let changed: HashSet<&ResourceId> = plan.changes.iter().map(|change| &change.id).collect();
    existing
        .retain(|id, _| changed.contains(id) || approved.contains(id) || rehearses_all && is_rule(&id.resource_type()));
}

/// The warnings about resources that would be created beside another one which is much the same.
fn copies(
    namesakes: &[Namesake],
    complete: &[CompleteMode],
    world: &World,
    desired: &[Desired],
    plan: &Plan,
    tag_key: &str,
) -> Vec<Warning> {
    let mut copies = renamed(namesakes, plan);
    let completed: Vec<&ResourceId> = complete.iter().map(|complete| &complete.group).collect();
    let told = namesakes.iter().map(|namesake| &namesake.id).collect();
    copies.extend(twins(desired, plan, world, tag_key, &told, &completed));
    copies
}

/// The warnings about publish names that something else has. Where a group is made beside another one, that is said of what is in it, too.
pub(super) fn renamed(namesakes: &[Namesake], plan: &Plan) -> Vec<Warning> {
    let is_new =
        |id: &ResourceId| plan.changes.iter().any(|change| change.kind == ActionKind::Create && change.id == *id);
    let new_groups: Vec<&ResourceId> = namesakes
        .iter()
        .filter(|namesake| namesake.id.group_id().as_ref() == Some(&namesake.id) && is_new(&namesake.id))
        .map(|namesake| &namesake.id)
        .collect();
    let mut warnings = Vec::new();
    for namesake in
        namesakes.iter().filter(|one| !new_groups.iter().any(|group| one.id != **group && one.id.is_within(group)))
    {
        let warning = namesake.warning(is_new(&namesake.id));
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings
}

/// Lets a creation wait for the deletion of what is there: it is made anew when that is gone.
fn wait_for_deletions(plan: &mut Plan, leaving: &HashSet<ResourceId>) {
    for change in plan.changes.iter_mut().filter(|change| leaving.contains(&change.id)) {
        change.after_deletion = true;
        let name = full_name(&change.id, &change.resource_type.label);
        let what = format!("the {name} is being deleted. It is created again as soon as it is gone.");
        plan.warnings.push(change.place.remark(what));
    }
}

/// Compares what is wanted with what exists, and with what is in the front door that the document owns. Also what is wanted, seeing what
/// exists: nothing where that is not known.
pub(super) fn compare(desired: Vec<Desired>, owned: &[OwnedProfile], world: &World) -> (Vec<Desired>, Plan) {
    let mut desired = adopt(desired, world);
    let World::Known(existing) = world else {
        let mut plan = plan_unknown(desired);
        plan.warnings.extend(owned.iter().map(|owned| {
            owned.place.remark("what else is in the front door is not known, so the plan shows no deletions.")
        }));
        return (Vec::new(), plan);
    };
    let departures: Vec<_> = owned.iter().map(|owned| (departures(owned, &mut desired, existing), owned)).collect();
    let mut plan = plan(&desired, world);
    for (departures, owned) in departures {
        departures.join(owned, existing, &mut plan);
    }
    arrange(&mut plan.changes, existing);
    (desired, plan)
}

/// Reads what is to be deleted and was not read for anything else: a plan on file says what it is. What cannot be read is not said.
async fn see_deletions(plan: &Plan, existing: &mut Existing, reads: &Reads) {
    let deletions = plan.changes.iter().filter(|change| change.kind == ActionKind::Delete);
    let unseen = deletions.filter(|change| !existing.contains_key(&change.id)).collect::<Vec<_>>();
    for change in unseen {
        if let Some(body) = reads.look(&change.id, &change.resource_type.api_version).await {
            existing.insert(change.id.clone(), body);
        }
    }
}

/// The resources of an approved plan.
fn approved_ids(approved: &PlanFile) -> HashSet<ResourceId> {
    approved.actions.iter().filter_map(|action| ResourceId::checked(&action.resource.resource_id)).collect()
}

/// Reads what was approved and is neither planned nor up to date: a run with the same approved plan may have done it. Returns what is not
/// there. Nothing is said of what cannot be read.
async fn see_approved(
    ids: &HashSet<ResourceId>,
    plan: &Plan,
    existing: &mut Existing,
    reads: &mut Reads,
) -> HashSet<ResourceId> {
    let mut known: HashSet<&ResourceId> = plan.changes.iter().map(|change| &change.id).collect();
    known.extend(plan.unchanged.iter().map(|unchanged| &unchanged.id));
    let mut gone = HashSet::new();
    for id in ids.iter().filter(|id| !known.contains(id)) {
        let is_listed = |group: &CompletedGroup| id.parent().as_ref() == Some(&group.id) && !group.content.contains(id);
        if plan.completed.iter().any(is_listed) {
            gone.insert(id.clone());
            continue;
        }
        let Some(subscription) = id.subscription_id().map(ResourceId::subscription) else { continue };
        let Ok(facts) = type_facts(reads, &subscription, &id.resource_type()).await else { continue };
        match reads.find(id, &facts.api_version).await {
            Ok(Some(body)) => drop(existing.insert(id.clone(), body)),
            Ok(None) => drop(gone.insert(id.clone())),
            Err(_) => {}
        }
    }
    gone
}

/// Adds what has to go so that the group holds only what is desired. Refuses where that is more than rules of the command's
/// own type, unless the context allows it.
async fn plan_deletions(
    plan: &mut Plan,
    desired: &[Desired],
    complete: &CompleteMode,
    allow_foreign: bool,
    reads: &mut Reads,
) -> Result<(), Failure> {
    let failed = |error: Arc<ArmError>| {
        let (place, group) = (complete.place.show(), complete.group.name());
        let report =
            reading_failed(&format!("{place}: the contents of the resource group '{group}' cannot be read"), &error);
        Box::new(report.about_resource(&complete.group, complete.place.document()).about(place))
    };
    let content = group_content(reads, &complete.group).await.map_err(failed)?;
    plan.warnings.extend(content.strangers().map(|id| {
        let group = complete.group.name();
        complete.place.remark(format_args!(
            "the listing of the resource group '{group}' has '{id}', which is not in the group. It is not deleted."
        ))
    }));
    let surplus = surplus(&content, desired, complete.rules);
    if !surplus.foreign.is_empty() && !allow_foreign {
        return Err(foreign(&surplus.foreign, complete));
    }
    if surplus.keeps_none() && !allow_foreign {
        return Err(keeps_none(&surplus.rules, complete));
    }
    for id in surplus.rules {
        plan.changes.push(deletion(id, TypeFacts::from(complete.rules), &complete.place));
    }
    let subscription = complete.group.parent().unwrap_or_else(|| complete.group.clone());
    for (id, kind) in surplus.foreign {
        let facts = type_facts(reads, &subscription, &kind).await.map_err(failed)?;
        plan.changes.push(deletion(id, facts, &complete.place));
    }
    plan.completed.push(CompletedGroup {
        id: complete.group.clone(),
        place: complete.place.clone(),
        content: content.ids(),
    });
    Ok(())
}

/// A failure for each resource that is left alone, and a warning of what is skipped for it.
fn note_left_alone(plan: &Plan, record: &Record, host: &Host) {
    let mut warnings = Vec::new();
    for untouched in &plan.left_alone {
        let (id, label) = (&untouched.id, untouched.resource_type.label);
        record.fail(short_name(id, label), untouched.error.clone(), host);
        if !untouched.skipped.is_empty() {
            record.count(|counts| counts.skipped += untouched.skipped.len());
            warnings
                .push(skipped(&untouched.skipped, &format!("the {} cannot be changed", full_name(id, label))).into());
        }
    }
    host.warnings(warnings);
}
