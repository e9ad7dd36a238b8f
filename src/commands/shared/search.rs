//! The search of a compilation for what others have published: a sentence that says what is looked for, under which name, and what is
//! to be known of it.
//!
//! ```text
//! compilation.find(Wanted::Type(VIRTUAL_NETWORK.name)).published_as(&name, &place).near(location).whole().one()
//! ```

use super::compilation::Compilation;
use super::found::Found;
use super::lookup::{LookUp, Outcome};
use super::wanted::Wanted;
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceType};
use crate::protocol::FindingCode;
use crate::settings::{Finding, Place};

/// Something that is looked for, still without a name.
#[must_use]
pub(crate) struct Find<'b, 'a> {
    compilation: &'b mut Compilation<'a>,
    wanted: Wanted<'b>,
}

/// A look-up by a publish name. It is noted when it is made, so that everything it takes is read once for the whole run; until
/// then it is answered with a placeholder.
///
/// What is not found, or is several where one is wanted, is a finding, under `-WhatIf` a warning and a placeholder; `known` and
/// `one_known` say nothing, `one_if_any` only of several.
#[must_use]
pub(crate) struct LookingFor<'b, 'a> {
    compilation: &'b mut Compilation<'a>,
    look_up: LookUp<'b>,
    whole: bool,
    children: Option<&'static ResourceType>,
    contents: bool,
    part: Option<(&'static ResourceType, &'b str)>,
    action: Option<&'b str>,
}

impl<'b, 'a> Find<'b, 'a> {
    pub(super) fn new(compilation: &'b mut Compilation<'a>, wanted: Wanted<'b>) -> Find<'b, 'a> {
        Find { compilation, wanted }
    }

    /// By the publish name that the setting at `place` has.
    pub(crate) fn published_as(self, service: &'b str, place: &'b Place) -> LookingFor<'b, 'a> {
        let Find { compilation, wanted } = self;
        let planned = match wanted {
            Wanted::Type(wanted) if wanted.eq_ignore_ascii_case(RESOURCE_GROUP_TYPE) => {
                compilation.planned_as(wanted, service)
            }
            _ => Vec::new(),
        };
        let look_up = LookUp { wanted, service, near: None, single: false, prefers: |_| true, planned, place };
        LookingFor { compilation, look_up, whole: false, children: None, contents: false, part: None, action: None }
    }

    /// Private DNS zones by their own name, anywhere in the subscription; none when nobody can be asked.
    pub(crate) fn called(self, name: &str) -> Vec<Found> {
        self.compilation.needs.zones = true;
        let zones = self.compilation.services.zones(name);
        self.compilation.sought.found(name, &zones);
        zones
    }

    /// The machines that an exclusion at `place` stands for: the resources with this value of the exception tag, else those of this publish
    /// name. Where there is none of either, there is nothing to exclude, which is told.
    pub(crate) fn excepted_as(self, name: &'b str, place: &'b Place) -> Vec<Found> {
        self.compilation.needs.exceptions = true;
        let excepted = self.compilation.services.excepted(name);
        if !excepted.is_empty() {
            return excepted;
        }
        let tag = &self.compilation.project.run.exception_tag_key;
        let mut looking_for = self.published_as(name, place);
        let message = match looking_for.look_up() {
            Outcome::Found(found) => return found,
            Outcome::Missing(_, message) => message,
            Outcome::Wrong(finding) => finding.message,
        };
        let message = format!("{message}; none has it in the tag '{tag}' either, so nothing is excluded");
        looking_for.compilation.warning(place, message);
        Vec::new()
    }
}

impl<'b> LookingFor<'b, '_> {
    /// Of several the one in this location.
    pub(crate) fn near(mut self, location: Option<&'b str>) -> Self {
        self.look_up.near = location;
        self
    }

    /// Of several the one whose type is liked, before its location counts.
    pub(crate) fn preferring(mut self, likes: fn(&str) -> bool) -> Self {
        self.look_up.prefers = likes;
        self
    }

    /// With the resource itself in `details`.
    pub(crate) fn whole(mut self) -> Self {
        self.whole = true;
        self
    }

    /// With the names of what is below it of a type in `children`.
    pub(crate) fn with_children(mut self, children: &'static ResourceType) -> Self {
        self.children = Some(children);
        self
    }

    /// Of a resource group, with what is in it in `contents`.
    pub(crate) fn with_contents(mut self) -> Self {
        self.contents = true;
        self
    }

    /// With whether something of a type and a name is in it, in `part`.
    pub(crate) fn with_part(mut self, kind: &'static ResourceType, name: &'b str) -> Self {
        self.part = Some((kind, name));
        self
    }

    /// With whether the caller may do something with it in `allowed`.
    pub(crate) fn with_right(mut self, action: &'b str) -> Self {
        self.action = Some(action);
        self
    }

    /// The only one of the name; a placeholder where there is none, or more than one.
    pub(crate) fn one(mut self) -> Found {
        self.look_up.single = true;
        let (service, subscription) = (self.look_up.service, &self.compilation.project.run.subscription);
        let unknown = Found::placeholder(subscription.group(service));
        self.told().into_iter().next().unwrap_or(unknown)
    }

    /// Every one of the name.
    pub(crate) fn all(self) -> Vec<Found> {
        self.told()
    }

    /// The only one of the name, if there is one; without a word when there is not: somebody else asks for it, too, or it is
    /// made. That there are several is told.
    pub(crate) fn one_known(mut self) -> Option<Found> {
        self.look_up.single = true;
        match self.look_up() {
            Outcome::Found(found) => found.into_iter().find(|found| !found.placeholder),
            Outcome::Wrong(finding) if finding.code == FindingCode::ServiceAmbiguous => {
                self.refuse(*finding);
                None
            }
            Outcome::Missing(..) | Outcome::Wrong(_) => None,
        }
    }

    /// The only one of the name. One that is not there yet is a warning that says what that means, in a run as in a plan.
    pub(crate) fn one_or_later(mut self, meaning: &str) -> Option<Found> {
        self.look_up.single = true;
        match self.look_up() {
            Outcome::Found(found) => found.into_iter().next(),
            Outcome::Wrong(finding) if finding.code != FindingCode::ServiceNotFound => {
                self.refuse(*finding);
                None
            }
            Outcome::Missing(_, message) => {
                self.compilation.warning(self.look_up.place, format!("{message}; {meaning}"));
                None
            }
            Outcome::Wrong(finding) => {
                self.compilation.warning(self.look_up.place, format!("{}; {meaning}", finding.message));
                None
            }
        }
    }

    /// The only one of the name, if there is one; several are a finding, and answered with a placeholder.
    pub(crate) fn one_if_any(mut self) -> Option<Found> {
        self.look_up.single = true;
        match self.look_up() {
            Outcome::Found(found) => found.into_iter().find(|found| !found.placeholder),
            Outcome::Wrong(finding) if finding.code == FindingCode::ServiceAmbiguous => {
                self.refuse(*finding);
                let LookUp { wanted, service, .. } = &self.look_up;
                Some(wanted.placeholder(service, &self.compilation.project.run.subscription))
            }
            Outcome::Missing(..) | Outcome::Wrong(_) => None,
        }
    }

    /// Every one of the name that there is, without a word when there is none.
    pub(crate) fn known(mut self) -> Vec<Found> {
        match self.look_up() {
            Outcome::Found(found) => found.into_iter().filter(|found| !found.placeholder).collect(),
            Outcome::Missing(..) | Outcome::Wrong(_) => Vec::new(),
        }
    }

    /// The resources that are found; what is not found is told.
    fn told(mut self) -> Vec<Found> {
        match self.look_up() {
            Outcome::Found(found) => found,
            Outcome::Missing(found, message) => {
                let message = format!("{message}; the plan shows a placeholder");
                self.compilation.warning(self.look_up.place, message);
                vec![*found]
            }
            Outcome::Wrong(finding) => {
                self.refuse(*finding);
                Vec::new()
            }
        }
    }

    /// Notes what is wrong; once, however many look for it.
    fn refuse(&mut self, finding: Finding) {
        self.compilation.finding_once(finding.place, finding.code, finding.message);
    }

    /// Looks it up, and notes what that takes.
    fn look_up(&mut self) -> Outcome {
        self.compilation.sought.add(&self.look_up);
        let (needs, services) = (&mut self.compilation.needs, self.compilation.services);
        let LookUp { wanted, service, .. } = self.look_up;
        match wanted {
            Wanted::Type(wanted) if wanted.eq_ignore_ascii_case(RESOURCE_GROUP_TYPE) => needs.groups = true,
            _ => needs.resources = true,
        }
        if let Wanted::Type(wanted) = wanted {
            let key = || (wanted.to_owned(), service.to_owned());
            if self.whole {
                needs.details.insert(key());
            }
            if let Some(children) = self.children {
                needs.children.insert((wanted.to_owned(), service.to_owned(), children.name));
            }
            if self.contents {
                needs.contents.insert(service.to_owned());
            }
            if let Some((kind, name)) = self.part {
                needs.parts.insert((wanted.to_owned(), service.to_owned(), kind.name, name.to_owned()));
            }
            if self.action.is_some() {
                needs.permissions.insert(key());
            }
        }
        let mut outcome = services.find(&self.look_up, &self.compilation.project.run.subscription);
        if let Outcome::Found(found) = &mut outcome {
            self.compilation.sought.found(service, found);
            for found in found {
                found.children = self.children.and_then(|children| services.children(&found.id, children.name));
                found.part = self.part.and_then(|(kind, name)| services.part(&kind.child_of(&found.id, name)));
                found.allowed = self.action.is_none_or(|action| services.may(action, &found.id));
            }
        }
        outcome
    }
}
