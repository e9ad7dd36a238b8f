//! Locations and generated names.

use super::{Compilation, GivenName};
use crate::azure::{ResourceId, ResourceType};
use crate::naming::{Location, NameError, NameRequest};
use crate::protocol::{FindingCode, listed};
use crate::settings::Place;

/// The most characters that a warning of lost ones repeats.
const MOST_LOST: usize = 5;
/// Why that is told which is cut.
const SHARED: &str = "without what tells environments apart, so others would share it; use a shorter name";
/// Said once where names have a part that is not known.
const UNKNOWN_NAMES: &str = "Names that are made of the id of the subscription are not known offline: the plan has <subscription> and <hash> in them. \
    Choose a subscription with Set-SvcContext -SubscriptionId or SVC_SUBSCRIPTION_ID.";

impl Compilation<'_> {
    /// A location as Azure writes it (`uksouth`); a finding when it is not known.
    pub(crate) fn location(&mut self, text: &str, place: Place) -> String {
        self.known_location(text, place).map_or_else(|| text.to_owned(), |location| location.name().to_owned())
    }

    /// The location of a text in any spelling; a finding when it is not known.
    pub(crate) fn known_location(&mut self, text: &str, place: Place) -> Option<&'static Location> {
        Location::find(text)
            .map_err(|unknown| self.finding(place, FindingCode::UnknownLocation, unknown.to_string()))
            .ok()
    }

    /// The generated name of a resource; a finding when none can be made or Azure would refuse it, a warning when letters are lost or
    /// another environment would have the same.
    pub(crate) fn name(&mut self, resource_type: &ResourceType, request: &NameRequest<'_>, place: &Place) -> String {
        let takes = |character| resource_type.takes_in_names(character);
        match self.generated(request, takes, place) {
            Some(generated) => {
                if self.project.convention.is_unknown(request.kind, &self.project.name_context) {
                    self.warn_once(UNKNOWN_NAMES.into());
                } else {
                    self.check_name(resource_type, &generated, place);
                }
                let lost = self.project.convention.lost(request, &self.project.name_context, takes);
                if !lost.is_empty() {
                    let mut shown: Vec<String> = lost
                        .iter()
                        .take(MOST_LOST)
                        .map(|character| format!("'{}'", character.escape_debug()))
                        .collect();
                    if lost.len() > MOST_LOST {
                        shown.push(format!("{} more", lost.len() - MOST_LOST));
                    }
                    let message = format!(
                        "the name of the {} is '{generated}', because Azure does not take {} in it",
                        resource_type.label,
                        listed(&shown)
                    );
                    self.warning(place, message);
                }
                if self.is_shared(request, takes, str::to_owned) {
                    let message = format!("the name of the {} is cut to '{generated}', {SHARED}", resource_type.label);
                    self.warning(place, message);
                }
                self.made_names.push(GivenName {
                    resource_type: resource_type.name,
                    generated: generated.clone(),
                    made_as: (request.kind, request.architecture, request.location.map(str::to_owned)),
                    name: request.name.to_owned(),
                    place: place.clone(),
                });
                let given = self.given.entry(given_key(resource_type, &generated)).or_default();
                given.insert(request.name.to_lowercase());
                generated
            }
            None => request.name.to_lowercase(),
        }
    }

    /// The name that is made of a generated one, such as the label of a DNS name, which may be shorter; a warning when only by that another
    /// environment would have the same.
    pub(crate) fn made_of_name(
        &mut self,
        what: &str,
        generated: &str,
        (resource_type, request): (&ResourceType, &NameRequest<'_>),
        form: impl Fn(&str) -> String,
        place: &Place,
    ) -> String {
        let made = form(generated);
        let takes = |character| resource_type.takes_in_names(character);
        if !self.is_shared(request, takes, str::to_owned) && self.is_shared(request, takes, form) {
            self.warning(place, format!("the {what} is cut to '{made}', {SHARED}"));
        }
        made
    }

    /// Whether another environment has the same name in a form.
    fn is_shared(
        &self,
        request: &NameRequest<'_>,
        takes: impl Fn(char) -> bool + Copy,
        form: impl Fn(&str) -> String,
    ) -> bool {
        self.project.convention.is_shared(request, &self.project.name_context, takes, form)
    }

    /// The ids in a group that a resource would have in other locations, as far as its name depends on that.
    pub(crate) fn ids_elsewhere(
        &self,
        resource_type: &ResourceType,
        request: &NameRequest<'_>,
        group: &ResourceId,
    ) -> Vec<ResourceId> {
        let name = |location: Option<&str>| {
            let request = NameRequest { location, ..*request };
            let takes = |character| resource_type.takes_in_names(character);
            self.project.convention.generate(&request, &self.project.name_context, takes).ok()
        };
        let own = name(request.location);
        let others = Location::all().filter_map(|location| name(Some(location.name())));
        let mut ids: Vec<ResourceId> = others
            .filter(|other| Some(other) != own.as_ref())
            .map(|name| resource_type.child_of(group, &name))
            .collect();
        ids.dedup();
        ids
    }

    /// The generated name of a part of a resource, such as a receiver; a finding when none can be made.
    pub(crate) fn part_name(&mut self, request: &NameRequest<'_>, place: &Place) -> String {
        self.generated(request, |_| true, place).unwrap_or_else(|| request.name.to_lowercase())
    }

    /// A name of the convention, of the characters that are taken; none, with a finding, when it cannot be made.
    fn generated(&mut self, request: &NameRequest<'_>, takes: impl Fn(char) -> bool, place: &Place) -> Option<String> {
        match self.project.convention.generate(request, &self.project.name_context, takes) {
            Ok(generated) => {
                for fallback in self.project.convention.fallbacks(request) {
                    self.warn_once(fallback.into());
                }
                Some(generated)
            }
            // A location that is not known is a finding of its own, where it is written.
            Err(NameError::UnknownLocation(_)) => None,
            Err(error) => {
                self.finding(place.clone(), FindingCode::NameCannotBeGenerated, error.to_string());
                None
            }
        }
    }

    /// A finding when Azure would refuse the name.
    pub(crate) fn check_name(&mut self, resource_type: &ResourceType, name: &str, place: &Place) {
        if let Err(broken) = resource_type.check_name(name) {
            self.finding(place.clone(), FindingCode::NameRefused, broken.to_string());
        }
    }
}

pub(super) fn given_key(resource_type: &ResourceType, generated: &str) -> String {
    format!("{}/{generated}", resource_type.name)
}
