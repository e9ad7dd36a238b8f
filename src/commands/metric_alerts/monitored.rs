//! The targets of a metric alert rule: resources of one type and location, or resource groups.

use super::rule::Rule;
use crate::azure::ResourceId;
use crate::commands::shared::alerts::{Target, all_groups, all_published};
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::found::{Content, Found};
use crate::commands::shared::service::{Named, is_nothing};
use crate::commands::shared::wanted::Wanted;
use crate::naming::{normalise_location, same_location};
use crate::protocol::FindingCode;
use crate::settings::Place;

const TARGET_RESOURCES: &str = "service.dependencies.targetResources";
const TARGET_GROUPS: &str = "service.dependencies.targetResourceGroups";

/// The targets of a rule.
pub(super) struct Targets {
    pub(super) scopes: Vec<ResourceId>,
    /// Whether that may be more than one resource.
    pub(super) several: bool,
    /// The location of the resources, as Azure writes it; empty in a plan that is made without looking and does not say.
    pub(super) location: String,
}

impl Rule<'_> {
    /// The targets of the rule; none where it cannot be told in which location.
    pub(super) fn targets(&self, compilation: &mut Compilation<'_>) -> Option<Targets> {
        let own = self.alert.service.dependencies();
        let some = |names: &&Vec<String>| names.iter().any(|name| !is_nothing(name));
        let resources = own.and_then(|own| own.target_resources.as_ref()).filter(some);
        let groups = own.and_then(|own| own.target_resource_groups.as_ref()).filter(some);
        let place = self.place.dotted("targetResourceLocation");
        let given = self.alert.target_resource_location.as_ref().map(|location| compilation.location(location, place));
        let (found, location) = match (resources, groups) {
            (Some(names), None) => self.resources(names, given.as_deref(), compilation),
            (None, Some(names)) => self.groups(names, given.as_deref(), compilation),
            (both, _) => {
                let message = if both.is_some() {
                    "targetResources and targetResourceGroups are both set; use one of them"
                } else {
                    "set either targetResources or targetResourceGroups"
                };
                compilation.finding(self.place.dotted("service.dependencies"), FindingCode::Missing, message);
                (Vec::new(), given)
            }
        };
        // Without looking, the location is known only when the settings say it.
        let location = location.or_else(|| (!compilation.is_connected()).then(String::new))?;
        let several = found.len() > 1 || groups.is_some();
        Some(Targets { scopes: found.into_iter().map(|target| target.found.id).collect(), several, location })
    }

    /// Resources, and the one location that they are in.
    fn resources(
        &self,
        names: &[String],
        given: Option<&str>,
        compilation: &mut Compilation<'_>,
    ) -> (Vec<Target>, Option<String>) {
        let place = self.place.dotted(TARGET_RESOURCES);
        let found = all_published(names, Wanted::Type(&self.set.resource_type), &place, compilation);
        let location = one_location(&found, given, &place, "resources", compilation);
        (found, location)
    }

    /// Groups, and the location of the resources that are watched in them: the groups themselves may be elsewhere.
    fn groups(
        &self,
        names: &[String],
        given: Option<&str>,
        compilation: &mut Compilation<'_>,
    ) -> (Vec<Target>, Option<String>) {
        let place = self.place.dotted(TARGET_GROUPS);
        let found = all_groups(names, &place, compilation);
        let location = match given {
            Some(given) => Some(given.to_owned()),
            None => one_location(&found, None, &place, "groups", compilation),
        };
        for target in &found {
            if let (Some(location), Some(contents)) = (&location, &target.found.contents) {
                self.warn_of_nothing_to_watch(target, location, contents, compilation);
            }
        }
        (found, location)
    }

    fn warn_of_nothing_to_watch(
        &self,
        target: &Target,
        location: &str,
        contents: &[Content],
        compilation: &mut Compilation<'_>,
    ) {
        let wanted = &self.set.resource_type;
        // A listing does not show everything that is below a resource, such as the blob service of an account.
        let is_it = |content: &&Content| {
            let kind = wanted.get(..content.resource_type.len());
            let rest = wanted.get(content.resource_type.len()..).unwrap_or_default();
            kind.is_some_and(|kind| kind.eq_ignore_ascii_case(&content.resource_type))
                && (rest.is_empty() || rest.starts_with('/'))
        };
        let of_type: Vec<&Content> = contents.iter().filter(is_it).collect();
        if of_type.iter().any(|content| same_location(&content.location, location)) {
            return;
        }
        let mut elsewhere: Vec<&str> = of_type.iter().map(|content| content.location.as_str()).collect();
        elsewhere.sort_unstable();
        elsewhere.dedup();
        let only = if elsewhere.is_empty() { String::new() } else { format!(", only in {}", elsewhere.join(", ")) };
        let group = target.found.id.name();
        let message =
            format!("the resource group '{group}' has no {wanted} in {location}{only}; the rule watches nothing there");
        compilation.warning(&target.place, message);
    }
}

/// The location that is given or, without it, that of the first; none, with a finding, where one is elsewhere.
fn one_location(
    found: &[Target],
    given: Option<&str>,
    place: &Place,
    what: &str,
    compilation: &mut Compilation<'_>,
) -> Option<String> {
    let known: Vec<&Found> =
        found.iter().map(|target| &target.found).filter(|found| !found.location.is_empty()).collect();
    let location =
        given.map(str::to_owned).or_else(|| known.first().map(|found| normalise_location(&found.location)))?;
    let here = known.iter().filter(|found| same_location(&found.location, &location)).count();
    if here == known.len() {
        return Some(location);
    }
    let all: Vec<String> = known.iter().map(|found| format!("{} ({})", found.id, found.location)).collect();
    let all = all.join(", ");
    let message = match given {
        Some(_) if here == 0 => format!("none of the targets is in '{location}': {all}"),
        Some(_) => {
            format!("a rule watches {what} of one location, '{location}' here, but the targets are in several: {all}")
        }
        None => format!("a rule watches {what} of one location, but the targets are in several: {all}"),
    };
    let code = if given.is_some() && here == 0 { FindingCode::ServiceNotFound } else { FindingCode::LocationsDiffer };
    compilation.finding(place.clone(), code, message);
    None
}
