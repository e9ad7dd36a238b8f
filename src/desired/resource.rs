//! The resources that a command wants: plain data, made by the compilers and compared with what exists.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use super::{Reference, body};
use crate::azure::{ResourceId, ResourceType};
use crate::settings::Place;

/// Tags by their keys.
pub type Tags = BTreeMap<String, Tag>;

/// The value of a tag and where it is written: in the settings, or in a tag settings file.
#[derive(Debug, Clone)]
pub struct Tag {
    /// As it is sent to Azure.
    pub value: String,
    /// The place that it comes from.
    pub place: Place,
    /// It is a publish name, under which others find the resource.
    pub publishes: bool,
}

/// Texts that the engine may have written where the settings give none.
#[derive(Debug, Clone)]
pub enum Texts {
    /// Each of them.
    Known(Vec<String>),
    /// Whether a text is one of them; these are as good as the one that is wanted now.
    LikeBut(fn(&str) -> bool, Vec<String>),
}

impl Texts {
    /// Whether the text is one of these.
    #[must_use]
    pub fn has(&self, text: &str) -> bool {
        match self {
            Texts::Known(texts) => texts.iter().any(|known| known == text),
            Texts::LikeBut(is, as_good) => is(text) && !as_good.iter().any(|known| known == text),
        }
    }
}

/// A text of a body in parts of which the case of letters makes no difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnyCase {
    /// The place of the text as a JSON Pointer (RFC 6901).
    pub pointer: &'static str,
    /// These parts of it, in bytes, in their order.
    pub spans: Vec<Range<usize>>,
}

impl AnyCase {
    /// Whether one text, of which the spans are, is the other but for the case of ASCII letters within them.
    #[must_use]
    pub fn is_same(&self, one: &str, other: &str) -> bool {
        let (one, other) = (one.as_bytes(), other.as_bytes());
        let is_within = |at: usize| self.spans.iter().any(|span| span.contains(&at));
        one.len() == other.len()
            && one
                .iter()
                .zip(other)
                .enumerate()
                .all(|(at, (letter, other))| letter == other || (letter.eq_ignore_ascii_case(other) && is_within(at)))
    }
}

/// The requirement on another resource that exists and that the settings do not change in this.
#[derive(Debug, Clone)]
pub struct Required {
    /// The other resource.
    pub of: ResourceId,
    /// The path of one of its properties.
    pub path: &'static str,
    /// The value with which it is of no use.
    pub not: Value,
    /// The path in the body of the one that needs it, for the place of the refusal.
    pub needed_by: &'static str,
    /// The reason, as the end of a sentence that begins with the one that needs it.
    pub reason: String,
    /// The way out, in the imperative and without a full stop.
    pub way_out: &'static str,
}

/// The resources that are only looked at, and never written: others take care of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Watch {
    /// That it is not there is a warning: what follows from that, as complete sentences.
    Expected(String),
    /// That it is there is a warning: the settings ask for none, and nothing is deleted that was not asked for by name.
    Unwanted,
}

/// One resource as the settings want it.
#[derive(Debug, Clone)]
pub struct Desired {
    /// The resource id that it has, or will have.
    pub id: ResourceId,
    /// The facts of its type.
    pub resource_type: &'static ResourceType,
    /// The part of the ARM body that the settings, or a documented default, set; without tags. Nothing else is compared.
    /// A null is a property that is not to be there.
    pub body: Value,
    /// More of the body, sent only when this run creates the resource: defaults. Where the resource exists, what differs is
    /// told and stays as it is.
    pub creation_body: Value,
    /// The requirements on other resources for this one to be made so.
    pub requires: Vec<Required>,
    /// It is made where it is missing, and left alone where it exists, whatever it is like.
    pub keep_existing: bool,
    /// It is kept right where it exists, and never made.
    pub never_made: bool,
    /// It is only looked at. That the caller may not read it is no failure.
    pub watch: Option<Watch>,
    /// Values that are as good as those of the body where they exist already: what a retirement replaced. Null is that nothing is there.
    pub also_right: Vec<(&'static str, Value)>,
    /// Texts of the body in which the case of some letters makes no difference: what exists so is as good.
    pub any_case: Vec<AnyCase>,
    /// The ids that it would have in other locations: one that exists there cannot move.
    pub elsewhere: Vec<ResourceId>,
    /// Paths of the body at which anything that exists is as good.
    pub enough: Vec<&'static str>,
    /// Texts of the body that the settings do not give, each with every text that the engine may have written there before: where
    /// there is another one, somebody else wrote it, and it stays.
    pub follows: Vec<(&'static str, Texts)>,
    /// Tags it has to carry. Others that it has stay.
    pub tags: Tags,
    /// Tags it gets only when this run creates it.
    pub creation_tags: Tags,
    /// The resources that have to be there first, beside its parents and its resource group.
    pub depends_on: Vec<ResourceId>,
    /// The resource that only one write at a time may touch, beside this one: Azure refuses two writes that concern one
    /// virtual network.
    pub lock: Option<ResourceId>,
    /// Values of the body that other resources have. It waits for these resources.
    pub references: Vec<Reference>,
    /// The same for values that are set only when this run creates the resource, or where the existing one has there what it has
    /// at the path of another value of the same resource: a host header that follows the host name.
    pub creation_references: Vec<Reference>,
    /// The sources of values of the body that were read: other resources had them when the settings were compiled. A template asks for them again.
    pub read_from: Vec<Reference>,
    /// The further way out where Azure refuses a change of it, as the end of a sentence: `; set name`.
    pub advice: Option<String>,
    /// Nice to have: that it cannot be made is a warning, not a failure.
    pub best_effort: bool,
    /// The setting it comes from.
    pub place: Place,
    /// The settings that paths of the body come from; [`Desired::origin`] has the rules.
    pub origins: Vec<(&'static str, &'static str)>,
}

impl Desired {
    /// A resource without tags, dependencies and everything else that most have not.
    #[must_use]
    pub fn new(id: ResourceId, resource_type: &'static ResourceType, body: Value, place: Place) -> Desired {
        Desired {
            id,
            resource_type,
            body,
            creation_body: Value::Null,
            requires: Vec::new(),
            keep_existing: false,
            never_made: false,
            watch: None,
            also_right: Vec::new(),
            any_case: Vec::new(),
            elsewhere: Vec::new(),
            enough: Vec::new(),
            follows: Vec::new(),
            tags: Tags::new(),
            creation_tags: Tags::new(),
            depends_on: Vec::new(),
            lock: None,
            references: Vec::new(),
            creation_references: Vec::new(),
            read_from: Vec::new(),
            advice: None,
            best_effort: false,
            place,
            origins: Vec::new(),
        }
    }

    /// The same resource in no more memory than it needs.
    #[must_use]
    pub(crate) fn compacted(mut self) -> Desired {
        self.origins.shrink_to_fit();
        Desired { body: body::compact(self.body), creation_body: body::compact(self.creation_body), ..self }
    }

    /// Puts a value into the body: what the settings say holds always, a default only for a new resource.
    pub fn set(&mut self, path: &str, said: Option<Value>, default: Value) {
        match said {
            Some(value) => body::put(&mut self.body, path, value),
            None => body::put(&mut self.creation_body, path, default),
        }
    }
}
