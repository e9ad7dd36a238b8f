//! The facts that an entry of the table of types can say, and how it is asked.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use serde_json::Value;

use super::fixed::{Fixed, LOCATION, Refuses};
use super::name_rule::{NameRefused, NameRule};
use super::private_link::PrivateLink;
use crate::azure::resource_id::{RESOURCE_GROUP_TYPE, ResourceId};
use crate::protocol::Code;

/// Facts of one ARM type.
#[derive(Debug)]
pub struct ResourceType {
    /// The full type, as in `Microsoft.Storage/storageAccounts`.
    pub name: &'static str,
    /// The name in sentences.
    pub label: &'static str,
    /// The label where nothing but the type is known, and other resources of the type have another one.
    pub label_of_any: Option<&'static str>,
    /// The name of the parent, where the resource above that has only one of its kind: `default` of the blob service.
    pub only_parent: Option<&'static str>,
    /// A hard-coded version, as Microsoft advises (template best practices).
    pub api_version: &'static str,
    /// The rule for names; a type without one takes every name.
    pub name_rule: Option<NameRule>,
    /// Whether names are worldwide: two of one name cannot be even in different resource groups.
    pub worldwide_name: bool,
    /// The question to the provider's `checkNameAvailability` about a name, where it has that action.
    pub name_check: Option<fn(&str) -> Value>,
    /// The listing by which existing resources are read.
    pub listing: Listing,
    /// The longest time for which one operation on it is followed. Generous: what takes longer hangs.
    pub longest_operation: Duration,
    /// The time that Azure usually takes to create one; zero where that is a moment. Shown to people who wait, and no limit.
    pub usual_creation: Duration,
    /// The limits of its tags; none where it carries no tags.
    pub tags: Option<TagLimits>,
    /// Properties Azure sets by itself: never compared, and left out when a resource is sent back.
    /// `[]` stands for every item of a list.
    pub read_only: &'static [&'static str],
    /// Properties that cannot be changed in every way after creation; see [`ResourceType::fixed_properties`].
    pub fixed: &'static [Fixed],
    /// The check for what Azure would refuse although each property by itself may be as it is wanted.
    pub refuses: Option<Refuses>,
    /// Properties whose lists, or comma-separated words, have no order. `[]` stands for every item of a list.
    pub sets: &'static [&'static str],
    /// Objects that hold what the settings say and nothing else: their members have the names that the settings give them.
    pub whole: &'static [&'static str],
    /// The keys of the items of lists that have neither a name nor an id.
    pub item_keys: &'static [(&'static str, ItemKey)],
    /// Texts in which letter case makes no difference. `[]` stands for every item of a list.
    pub any_case: &'static [&'static str],
    /// The values that Azure means where it shows nothing at a path: a text, or a switch as one.
    pub unshown: &'static [(&'static str, &'static str)],
    /// The values that a resource has of Azure's own accord, path by path: nobody has to be told of it. A list is its items, `*` is whatever there
    /// is. What is off, empty or `None` is nothing to be told of either, unless its path is here.
    pub usual: &'static [(&'static str, &'static [&'static str])],
    /// Texts that are locations, in any spelling, beside everything that is called `location`.
    pub locations: &'static [&'static str],
    /// Comma-separated words that others may add to: those that are there stay.
    pub joined: &'static [&'static str],
    /// The private links: what private endpoints can connect to in it.
    pub private_links: &'static [PrivateLink],
    /// Since when Azure makes no resource of the type any more, and what is used instead: a sentence without its full stop.
    pub retired: Option<&'static str>,
    /// Values that Azure has retired.
    pub retired_values: &'static [RetiredValue],
    /// Values that are shown nowhere. `[]` stands for every item of a list, `*` at the end for every member.
    pub secret: &'static [&'static str],
    /// Objects whose members have names of people's own: what is a secret there is told by its name and its form.
    pub free_form: &'static [&'static str],
    /// The values of a new resource that the user needs to go on.
    pub told: Option<Told>,
    /// The remainder where resources of the type do some of the work already.
    pub remainder: Option<Remainder>,
    /// Properties that Azure changes in no way, of a resource that is nothing but these: it is deleted and made again.
    pub replaced: &'static [&'static str],
    /// The code of a refusal that says that what is wanted is there already, under another name.
    pub is_there: Option<&'static str>,
    /// The code of a refusal that says that an operation still has the resource, which ends by itself.
    pub is_busy: Option<&'static str>,
    /// The path of the property by which an existing resource of the same parent is the wanted one, whatever its name.
    pub known_by: Option<&'static str>,
    /// The values that only one resource of the type and parent may have at a time.
    pub exclusive: Option<Exclusive>,
    /// Whether what is above it has at most one, under whatever name: the one that is there is meant.
    pub only_one: bool,
    /// Another id by which Azure lists the resource of an id.
    pub also_listed_as: Option<fn(&ResourceId) -> ResourceId>,
    /// Whether an existing resource has to be left alone, because it cannot become what is wanted.
    pub left_alone: Option<LeavesAlone>,
    /// The wait of an existing resource that is as the settings want it: the end of a sentence about it.
    pub unfinished: Option<Unfinished>,
    /// Whether one of a name, below a resource of a document, may be what a document has had; none for types that documents leave nothing of behind.
    pub left_behind: Option<fn(&str) -> bool>,
    /// Whether it shows an `etag`, and Azure refuses a write whose `If-Match` names another one.
    pub checks_etag: bool,
}

/// The key of an item of a list, which no other item has.
pub(super) type ItemKey = fn(&Value) -> Option<String>;

/// Takes what the user needs out of a resource, such as the DNS record that proves a domain; none when there is nothing to do.
pub type Told = fn(&Value) -> Option<Value>;

/// Takes out of a desired body what the resource itself, where it exists, and others of its type and parent do already, and
/// names its parts as the resource itself does; none when nothing is left.
pub(super) type Remainder =
    fn(desired: &Value, own: Option<&Value>, others: &mut dyn Iterator<Item = &Value>) -> Option<Value>;

/// The values that only one resource of a type and parent may have at a time: the requests that a route answers. Azure refuses to give it to a
/// second one, so the first has to lose it before.
#[derive(Debug, Clone, Copy)]
pub struct Exclusive {
    /// The values of a body.
    pub has: fn(&Value) -> BTreeSet<String>,
    /// A body without some of it; none when nothing would be left.
    pub without: fn(&Value, &BTreeSet<String>) -> Option<Value>,
    /// Whether what one resource loses is served by what another gets.
    pub replaces: fn(lost: &str, won: &str) -> bool,
}

/// Compares an existing body with the desired one.
pub(super) type LeavesAlone = fn(&Value, &Value) -> Option<LeftAlone>;

/// Takes an existing body, and everything else that was read.
pub(super) type Unfinished = fn(&Value, &HashMap<ResourceId, Value>) -> Option<String>;

/// Why an existing resource is left alone, and with it what is below it or needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftAlone {
    /// The code of the error.
    pub code: Code,
    /// The reason, as the end of a sentence.
    pub reason: String,
    /// The way out, in complete sentences.
    pub recommendation: String,
}

impl ResourceType {
    /// The facts that hold for most types; the base of the entries.
    pub(super) const PLAIN: ResourceType = ResourceType {
        name: "",
        label: "",
        label_of_any: None,
        only_parent: None,
        api_version: "",
        name_rule: None,
        worldwide_name: false,
        name_check: None,
        listing: Listing::InGroup,
        longest_operation: Duration::from_secs(30 * 60),
        usual_creation: Duration::ZERO,
        tags: None,
        read_only: &[],
        fixed: &[],
        refuses: None,
        sets: &[],
        whole: &[],
        item_keys: &[],
        any_case: &[],
        unshown: &[],
        usual: &[],
        locations: &[],
        joined: &[],
        private_links: &[],
        retired: None,
        retired_values: &[],
        secret: &[],
        free_form: &[],
        told: None,
        remainder: None,
        replaced: &[],
        is_there: None,
        is_busy: None,
        known_by: None,
        exclusive: None,
        only_one: false,
        also_listed_as: None,
        left_alone: None,
        unfinished: None,
        left_behind: None,
        checks_etag: false,
    };

    /// The id of a resource of the type: in a resource group or a subscription, below a resource, or as an extension of one.
    /// `parent` is the nearest resource that has a name of its own: the account of a container, not its blob service.
    #[must_use]
    pub fn child_of(&self, parent: &ResourceId, name: &str) -> ResourceId {
        if self.name == RESOURCE_GROUP_TYPE {
            return parent.group(name);
        }
        let mut segments = self.name.rsplit('/');
        match (segments.next(), segments.next(), segments.next()) {
            (Some(own), Some(above), Some(_)) => match self.only_parent {
                Some(only) => parent.child(above, only).child(own, name),
                None => parent.child(own, name),
            },
            _ => parent.resource(self.name, name),
        }
    }

    /// The properties that cannot be changed in every way after creation: the location first, which is the same for every
    /// type but for what becomes of the change.
    pub fn fixed_properties(&self) -> impl Iterator<Item = &Fixed> {
        let is_location = |fixed: &&Fixed| fixed.path == LOCATION.path;
        let location = self.fixed.iter().find(is_location).unwrap_or(&LOCATION);
        std::iter::once(location).chain(self.fixed.iter().filter(move |fixed| !is_location(fixed)))
    }

    /// Whether Azure takes a name for a resource of the type.
    ///
    /// # Errors
    /// The rule that the name breaks, in words.
    pub fn check_name(&self, name: &str) -> Result<(), NameRefused> {
        self.name_rule.map_or(Ok(()), |rule| rule.check(self.label, name))
    }

    /// Whether Azure takes a character somewhere in a name.
    #[must_use]
    pub fn takes_in_names(&self, character: char) -> bool {
        self.name_rule.is_none_or(|rule| (rule.characters.include)(character))
    }

    /// The notice about the value of a property that Azure has retired.
    #[must_use]
    pub fn retirement(&self, path: &str, value: &Value) -> Option<&'static str> {
        let value = value.as_str()?;
        self.retired_values
            .iter()
            .find(|retired| retired.path == path && (retired.is)(value))
            .map(|retired| retired.notice)
    }
}

/// The ways in which existing resources of a type are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Listing {
    /// One listing of the resource group has them all.
    InGroup,
    /// One listing of the parent resource has them all.
    InParent,
    /// Each is read by itself.
    Single,
    /// Each is read by a POST of its action `list`, because reading it shows no values.
    ListAction,
}

/// A value of a property that Azure no longer takes.
#[derive(Debug)]
pub struct RetiredValue {
    /// Path in the body.
    pub path: &'static str,
    /// Whether it is this value.
    pub is: fn(&str) -> bool,
    /// Since when: a sentence without its full stop, to which is added what becomes of it.
    pub notice: &'static str,
}

/// The limits of tags: their number, and the length of their keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagLimits {
    /// The most pairs.
    pub count: usize,
    /// The longest key, in characters.
    pub key_length: usize,
}

impl TagLimits {
    /// Those of most types (Azure Resource Manager, "Use tags", limitations).
    pub(super) const USUAL: TagLimits = TagLimits { count: 50, key_length: 512 };
    /// Those of private DNS zones and of Front Door (same source).
    pub(super) const FEW: TagLimits = TagLimits { count: 15, ..TagLimits::USUAL };
}
