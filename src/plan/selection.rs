//! A part of a plan: what is chosen of it, and what that needs.

use std::collections::{HashMap, HashSet};

use super::{Plan, sentences};
use crate::azure::ResourceId;
use crate::desired::Desired;
use crate::protocol::{ActionKind, Warning, first_of, nearest, plural};

/// The changes that a run is to make, and those that it is not to make. A selector is a place (`storage.yml`, `storage.yml:12`), a name
/// (`stshop`, `stshop/default/invoices`, that of the document: `Orders`, or a publish name), a resource id, or a type (`storage account`, `Microsoft.Storage/storageAccounts`). Letter case makes no difference.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Only these, and what they need. Empty for all.
    pub only: Vec<String>,
    /// None of these.
    pub except: Vec<String>,
}

/// The resource that a selector is held against.
struct Candidate<'a> {
    id: &'a ResourceId,
    type_name: &'a str,
    label: &'a str,
    /// The name that its document has for it, and its publish names.
    said: Vec<&'a str>,
    places: Vec<String>,
}

impl Candidate<'_> {
    /// Whether it is what a selector means.
    fn is(&self, selector: &str) -> bool {
        let names = [self.id.name(), &self.id.full_name(), self.id.as_str(), self.type_name, self.label];
        names.into_iter().chain(self.said.iter().copied()).any(|name| name.eq_ignore_ascii_case(selector))
            || self.places.iter().any(|place| is_place(place, selector))
    }

    fn is_one_of(&self, selectors: &[String]) -> bool {
        selectors.iter().any(|selector| self.is(selector))
    }
}

/// Whether a place, such as `uk/storage.yml:12:5`, is meant: as it is, without the folders before it, or without the column or the line.
fn is_place(place: &str, meant: &str) -> bool {
    let tails = std::iter::once(place).chain(place.match_indices(['/', '\\']).map(|(at, _)| &place[at + 1..]));
    tails.into_iter().any(|tail| {
        let rest =
            tail.get(..meant.len()).filter(|head| head.eq_ignore_ascii_case(meant)).map(|_| &tail[meant.len()..]);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    })
}

impl Selection {
    /// Whether everything is chosen.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.only.is_empty() && self.except.is_empty()
    }

    /// Takes out of a plan what is not chosen and what nothing chosen needs. `desired` is everything that is wanted; nothing where it is not
    /// known what exists.
    ///
    /// # Errors
    /// A selector that nothing is meant by, or a resource that is left out although what is chosen cannot be made without it: a sentence.
    pub fn apply(&self, plan: &mut Plan, desired: &[Desired]) -> Result<(), String> {
        if self.is_everything() {
            return Ok(());
        }
        let candidates = candidates(plan, desired);
        self.check(&candidates)?;
        let is_chosen = |candidate: &Candidate<'_>| {
            (self.only.is_empty() || candidate.is_one_of(&self.only)) && !candidate.is_one_of(&self.except)
        };
        let chosen: HashSet<ResourceId> =
            candidates.iter().filter(|one| is_chosen(one)).map(|one| one.id.clone()).collect();
        let excepted: HashSet<ResourceId> =
            candidates.iter().filter(|one| one.is_one_of(&self.except)).map(|one| one.id.clone()).collect();
        drop(candidates);
        let kept = with_needed(plan, &chosen, &excepted)?;
        let of_all = plan.changes.len();
        plan.changes.retain(|change| kept.contains(&change.id));
        plan.unchanged.retain(|resource| chosen.contains(&resource.id));
        plan.left_alone.retain(|resource| chosen.contains(&resource.id) || !resource.skipped.is_empty());
        plan.refused.retain(|(id, _)| kept.contains(id) || chosen.contains(id));
        plan.kept.retain(|kept| ResourceId::checked(&kept.resource.resource_id).is_some_and(|id| chosen.contains(&id)));
        let left = of_all - plan.changes.len();
        plan.warnings.push(Warning::from(format!(
            "This run is about a part of the documents: {left} other change{} left out (only, except), and nothing is deleted because a document does \
             not have it.",
            if left == 1 { " is" } else { "s are" }
        )));
        Ok(())
    }

    /// Every selector has to mean something: one that is misspelt would make another run than was meant.
    fn check(&self, candidates: &[Candidate<'_>]) -> Result<(), String> {
        for (member, selectors) in [("only", &self.only), ("except", &self.except)] {
            for selector in selectors {
                if candidates.iter().any(|candidate| candidate.is(selector)) {
                    continue;
                }
                let words = candidates.iter().flat_map(|one| {
                    [one.id.name(), one.label, one.type_name].into_iter().chain(one.said.iter().copied())
                });
                let near = nearest(selector, words).map(|near| format!(" Did you mean '{near}'?")).unwrap_or_default();
                return Err(format!(
                    "{member}: nothing that the documents make has the name '{selector}' or the type, or comes from that place.{near}"
                ));
            }
        }
        Ok(())
    }
}

/// The names under which others find a resource.
fn published(wanted: &Desired) -> impl Iterator<Item = &str> {
    wanted.tags.values().filter(|tag| tag.publishes).map(|tag| tag.value.as_str())
}

/// Everything that the documents make, and what a plan changes beyond that.
fn candidates<'a>(plan: &'a Plan, desired: &'a [Desired]) -> Vec<Candidate<'a>> {
    let wanted: HashSet<&ResourceId> = desired.iter().map(|wanted| &wanted.id).collect();
    let settings = |wanted: &Desired| -> Vec<String> {
        let said = wanted.origins.iter().filter_map(|(path, _)| wanted.said(path));
        std::iter::once(wanted.place.clone()).chain(said).map(|place| place.show()).collect()
    };
    let wanted_ones = desired.iter().filter(|wanted| wanted.watch.is_none()).map(|wanted| Candidate {
        id: &wanted.id,
        type_name: wanted.resource_type.name,
        label: wanted.resource_type.label,
        said: wanted.place.name().into_iter().chain(published(wanted)).collect(),
        places: settings(wanted),
    });
    let others = plan.changes.iter().filter(|change| !wanted.contains(&change.id)).map(|change| Candidate {
        id: &change.id,
        type_name: &change.resource_type.name,
        label: &change.resource_type.label,
        said: Vec::new(),
        places: std::iter::once(change.place.show())
            .chain(change.changes.iter().filter_map(|change| change.origin.clone()))
            .collect(),
    });
    wanted_ones.chain(others).collect()
}

/// The chosen changes and those that they need, which are told.
fn with_needed(
    plan: &mut Plan,
    chosen: &HashSet<ResourceId>,
    excepted: &HashSet<ResourceId>,
) -> Result<HashSet<ResourceId>, String> {
    let changes: HashMap<&ResourceId, _> = plan.changes.iter().map(|change| (&change.id, change)).collect();
    let name = |id: &ResourceId| sentences::full_name(id, &changes[id].resource_type.label);
    let mut kept: HashSet<ResourceId> = HashSet::new();
    let mut warnings = Vec::new();
    let mut open: Vec<&ResourceId> =
        plan.changes.iter().map(|change| &change.id).filter(|id| chosen.contains(id)).collect();
    kept.extend(open.iter().map(|id| (*id).clone()));
    while let Some(id) = open.pop() {
        let change = changes[id];
        let first = change.first.iter().flat_map(|first| &first.depends_on);
        let swapped = change.together.iter().chain(&change.after_first_of).chain(first);
        let needed = change.depends_on.iter().map(|id| (id, false)).chain(swapped.map(|id| (id, true)));
        for (other, is_swapped) in needed {
            let Some(needed) = changes.get(other).filter(|other| !kept.contains(&other.id)) else { continue };
            if excepted.contains(other) {
                // What is there already does, as it is.
                if needed.kind == ActionKind::Modify && !is_swapped {
                    continue;
                }
                return Err(format!(
                    "except: the {} cannot be left out, because the {} needs it.",
                    name(other),
                    name(id)
                ));
            }
            kept.insert(needed.id.clone());
            open.push(&needed.id);
            warnings.push(needed.place.remark(format_args!(
                "the {} comes along: the {} needs it.",
                name(other),
                name(id)
            )));
        }
    }
    plan.warnings.extend(warnings);
    Ok(kept)
}

/// The most that a run may do.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// Nothing may be deleted.
    pub no_delete: bool,
    /// The most resources that may be created, changed and deleted.
    pub changes: Option<usize>,
    /// The most resources that may be deleted.
    pub deletes: Option<usize>,
}

impl Limits {
    /// Why a plan is more than is allowed: a sentence. What has to be deleted to be made anew counts as a deletion.
    #[must_use]
    pub fn exceeded_by(self, plan: &Plan) -> Option<String> {
        let deleted: Vec<String> = plan
            .changes
            .iter()
            .filter(|change| change.kind == ActionKind::Delete || change.replaces)
            .map(|change| sentences::short_name(&change.id, &change.resource_type.label))
            .collect();
        let (all, count) = (plan.changes.len(), deleted.len());
        let over = |most: Option<usize>, count: usize| most.filter(|most| count > *most);
        let deletes = || format!("would delete {count} resource{} ({})", plural(count), first_of(&deleted, "; "));
        match (over(self.deletes, count), over(self.changes, all)) {
            _ if self.no_delete && count > 0 => Some(format!("The plan {}, and noDelete allows none.", deletes())),
            (Some(most), _) => Some(format!("The plan {}; maxDeletes allows {most}.", deletes())),
            (None, Some(most)) => Some(format!("The plan has {all} change{}; maxChanges allows {most}.", plural(all))),
            (None, None) => None,
        }
    }
}
