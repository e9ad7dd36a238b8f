//! One template, of the whole or of a nested deployment: resources as its JSON.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::expression::{self, Text, escaped, formatted, name_of, quoted};
use super::names::camel;
use super::parameters::{Parameters, Passed};
use super::scope::{Ids, id_of};
use crate::azure::ResourceId;
use crate::azure::types::ROLE_ASSIGNMENT;
use crate::desired::{Desired, Reference, Tags, body};
use crate::plan::new_body;
use crate::protocol::{is_secret_member, secret_urls};

/// A template that is being written.
pub(super) struct Sheet<'a> {
    pub(super) ids: &'a Ids<'a>,
    pub(super) parameters: Parameters,
    /// The symbols of what this template makes.
    pub(super) symbols: HashMap<&'a ResourceId, String>,
    /// The values that it is given by the outer template.
    pub(super) passed: Passed,
    /// It is deployed to a subscription that a look-up says, so that its own is not the one of the rest.
    pub(super) is_elsewhere: bool,
    /// The tag for publish names.
    pub(super) service_tag_key: &'a str,
    /// The variables of the caller that stand in the settings.
    pub(super) secrets: &'a [String],
}

impl Sheet<'_> {
    /// A resource without what it waits for.
    pub(super) fn resource(&mut self, resource: &Desired) -> Map<String, Value> {
        let Written { scope, name } = self.place(&resource.id);
        let mut written = Map::new();
        written.insert("type".to_owned(), json!(resource.resource_type.name));
        written.insert("apiVersion".to_owned(), json!(resource.resource_type.api_version));
        if let Some(scope) = scope {
            written.insert("scope".to_owned(), scope.value());
        }
        written.insert("name".to_owned(), name.value());
        let new = new_body(resource);
        let references = all_references(resource);
        let mut whole = new.body;
        references.iter().for_each(|reference| body::take(&mut whole, reference.path));
        let mut whole = self.value(resource, "", "", &whole);
        for reference in references {
            let value = self.reference(resource, reference);
            body::put(&mut whole, reference.path, value);
        }
        if let Value::Object(members) = whole {
            written.extend(members);
        }
        if resource.resource_type.tags.is_some() && !new.tags.is_empty() {
            let tags = self.tags(resource, &new.tags);
            // Before what is long.
            let properties = written.shift_remove("properties");
            written.insert("tags".to_owned(), tags);
            written.extend(properties.map(|properties| ("properties".to_owned(), properties)));
        }
        written
    }

    fn tags(&mut self, resource: &Desired, tags: &Tags) -> Value {
        let written = tags.iter().map(|(key, tag)| {
            let value = if key.eq_ignore_ascii_case(self.service_tag_key) {
                let parameter = self.parameters.published(&tag.value);
                Text::Code(self.passed.parameter(&parameter))
            } else if is_secret_member(key, &tag.value) || self.has_variable(&tag.value) {
                self.secret(resource, key, "", &tag.value)
            } else {
                Text::Plain(tag.value.clone())
            };
            (escaped(key), value.value())
        });
        written.collect()
    }

    /// Whether a text has a variable of the caller in it.
    fn has_variable(&self, text: &str) -> bool {
        self.secrets.iter().any(|secret| text.contains(secret))
    }

    /// A value of a body. `path` is its path, `owner` the name of the object that it is in.
    fn value(&mut self, resource: &Desired, path: &str, owner: &str, value: &Value) -> Value {
        match value {
            Value::String(text)
                if resource.resource_type.hides(path, text)
                    || secret_urls(text).next().is_some()
                    || self.has_variable(text) =>
            {
                let member = path.rsplit('.').next().unwrap_or_default();
                self.secret(resource, member, owner, text).value()
            }
            Value::String(text) => match id_of(text) {
                Some(id) => self.id(&id).value(),
                None => Text::Plain(text.clone()).value(),
            },
            Value::Array(items) => {
                let path = format!("{path}[]");
                items.iter().map(|item| self.value(resource, &path, owner, item)).collect()
            }
            Value::Object(members) => {
                let owner = members.get("name").and_then(Value::as_str).unwrap_or(owner);
                let written = members.iter().map(|(key, member)| {
                    let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                    (escaped(key), self.value(resource, &path, owner, member))
                });
                Value::Object(written.collect())
            }
            other => other.clone(),
        }
    }

    /// The parameter for a secret of a resource; `owner` is the name of the object that has it, where it has one.
    fn secret(&mut self, resource: &Desired, member: &str, owner: &str, secret: &str) -> Text {
        let name = resource.id.full_name();
        let owner = if owner.is_empty() { name.split('/').next().unwrap_or_default() } else { owner };
        let of = format!("{} '{}'", resource.resource_type.label, resource.id.name());
        let parameter = self.parameters.secret(secret, owner, member, &of);
        Text::Code(self.passed.parameter(&parameter))
    }

    /// A value that another resource has.
    fn reference(&mut self, resource: &Desired, reference: &Reference) -> Value {
        let of = match self.symbols.get(&reference.of) {
            Some(symbol) => quoted(symbol),
            None => self.id(&reference.of).argument(),
        };
        let value = expression::reference(reference, &of);
        if resource.resource_type.name == ROLE_ASSIGNMENT.name && !self.symbols.contains_key(&reference.of) {
            // The outer template reads it, as soon as what has it is there.
            let outer = expression::reference(reference, &self.id_outside(&reference.of).argument());
            let name = camel(&[reference.of.name(), reference.path.rsplit('.').next().unwrap_or_default()]);
            return Text::Code(self.passed.computed(&name, outer.argument())).value();
        }
        value.value()
    }

    /// An id, as it is found where the template is deployed.
    pub(super) fn id(&mut self, id: &ResourceId) -> Text {
        if self.is_elsewhere
            && self.ids.bound_part(id).is_none()
            && let Some(rest) = self.ids.own_part(id)
        {
            let own = self.passed.computed("deploymentSubscriptionId", "subscription().id".to_owned());
            return formatted("", &own, rest);
        }
        match self.ids.bound_part(id) {
            Some((look_up, rest)) => {
                let parameter = self.look_up(&look_up.clone());
                formatted("", &parameter, rest)
            }
            None => self.id_outside(id),
        }
    }

    /// The same in the outer template.
    fn id_outside(&mut self, id: &ResourceId) -> Text {
        if let Some((look_up, rest)) = self.ids.bound_part(id) {
            let parameter = self.parameters.look_up(look_up, &self.ids.bound[look_up]);
            return formatted("", &format!("parameters('{}')", parameter.name), rest);
        }
        match self.ids.own_part(id) {
            Some(rest) => formatted("", "subscription().id", rest),
            None => Text::Plain(id.to_string()),
        }
    }

    /// The parameter of a look-up.
    pub(super) fn look_up(&mut self, id: &ResourceId) -> String {
        let parameter = self.parameters.look_up(id, &self.ids.bound[id]);
        self.passed.parameter(&parameter)
    }

    /// The words of the template for a resource.
    fn place(&mut self, id: &ResourceId) -> Written {
        let text = id.as_str();
        let provider = text.to_ascii_lowercase().rfind("/providers/");
        let scope = provider.map(|end| ResourceId::new(&text[..end]));
        // An extension of another resource has a scope; what is in a group, or in the subscription, has none.
        let scope = scope.filter(|scope| scope.as_str().to_ascii_lowercase().contains("/providers/"));
        let name = match &scope {
            Some(scope) => ResourceId::new(format!("/subscriptions/s{}", &text[scope.as_str().len()..])).full_name(),
            None => id.full_name(),
        };
        let Some(scope) = scope else { return Written { scope: None, name: self.name(id, &name) } };
        let scope = match self.ids.bound_part(&scope) {
            Some(_) => self.id(&scope),
            None => Text::Plain(relative(&scope)),
        };
        Written { scope: Some(scope), name: Text::Plain(name) }
    }

    /// A name: of a child of what was looked up, it begins with the name of that.
    fn name(&mut self, id: &ResourceId, name: &str) -> Text {
        let Some((look_up, rest)) = self.ids.bound_part(id) else { return Text::Plain(name.to_owned()) };
        let is_group = look_up.group_id().as_ref() == Some(look_up);
        if rest.is_empty() || is_group {
            return Text::Plain(name.to_owned());
        }
        let look_up = look_up.clone();
        match name.strip_prefix(&look_up.full_name()) {
            // A name of several parts cannot be taken from the end of an id.
            Some(after) if !look_up.full_name().contains('/') => {
                let parameter = self.look_up(&look_up);
                formatted("", &name_of(&parameter), after)
            }
            _ => Text::Plain(name.to_owned()),
        }
    }
}

/// The words for a resource in a template.
struct Written {
    scope: Option<Text>,
    name: Text,
}

/// Every value of a resource that another one has, each path once: what is known by now is asked for again.
pub(super) fn all_references(resource: &Desired) -> Vec<&Reference> {
    let mut all: Vec<&Reference> = Vec::new();
    for reference in resource.references.iter().chain(&resource.creation_references).chain(&resource.read_from) {
        if all.iter().all(|known| known.path != reference.path) {
            all.push(reference);
        }
    }
    all
}

/// The id of what an extension extends, from its provider on: it is in the group that is deployed to.
fn relative(id: &ResourceId) -> String {
    let text = id.as_str();
    let provider = text.to_ascii_lowercase().find("/providers/").map(|at| at + "/providers/".len());
    text[provider.unwrap_or_default()..].to_owned()
}
