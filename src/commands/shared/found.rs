//! The findings of look-ups: resources of listings, and what is known of them.

use serde_json::Value;

use super::made_in_run::location;
use crate::azure::ResourceId;
use crate::desired::Desired;

/// A resource that a setting names by its publish name.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Its id; that of a placeholder says so.
    pub id: ResourceId,
    /// The location as Azure writes it; empty for a placeholder.
    pub location: String,
    /// It was not looked for, or not found under `-WhatIf`.
    pub placeholder: bool,
    /// The resource itself, where it was asked for and is there.
    pub details: Option<Value>,
    /// The names of what is below it, where they were asked for and read.
    pub children: Option<Vec<String>>,
    /// The content, where it is a resource group of which that was asked for and read.
    pub contents: Option<Vec<Content>>,
    /// Whether something in it is there, where it was asked for and read.
    pub part: Option<Part>,
    /// Whether the caller may do with it what was asked; taken for granted where nobody was.
    pub allowed: bool,
    /// Another document of the run makes it: what Azure decides of it is not known yet.
    pub is_new: bool,
}

/// A resource in a resource group.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    /// Its full type.
    pub resource_type: String,
    /// The location as Azure writes it.
    pub location: String,
}

/// Whether something in a resource is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// It is there.
    There,
    /// It is not.
    Missing,
    /// The caller may not see it: what Azure says.
    Hidden(String),
}

impl Found {
    /// A resource that the run makes.
    pub(super) fn planned(item: &Listed) -> Found {
        Found { location: item.location.clone(), placeholder: false, ..Found::placeholder(item.id.clone()) }
    }

    /// Stands for a resource that is not known.
    pub(crate) fn placeholder(id: ResourceId) -> Found {
        Found {
            id,
            location: String::new(),
            placeholder: true,
            details: None,
            children: None,
            contents: None,
            part: None,
            allowed: true,
            is_new: false,
        }
    }
}

/// One resource of the tag index, or of a listing by type.
#[derive(Debug, Clone)]
pub(crate) struct Listed {
    pub(super) id: ResourceId,
    pub(super) resource_type: String,
    /// The location, as Azure writes it, or the document.
    pub(super) location: String,
    /// The publish name; empty for one that is not published.
    pub(super) service: String,
    /// It belongs to the environment of the run, and not to what all of them share. True where environments are not told apart.
    pub(super) is_own: bool,
}

impl Content {
    pub(crate) fn read(item: &Value) -> Option<Content> {
        let text = |member: &str| item.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
        let id = ResourceId::new(item.get("id")?.as_str()?);
        Some(Content { resource_type: id.resource_type(), location: text("location") })
    }
}

impl Listed {
    /// A resource that the document makes and publishes.
    pub(in crate::commands) fn planned(resource: &Desired, service: &str) -> Listed {
        Listed {
            id: resource.id.clone(),
            resource_type: resource.resource_type.name.to_owned(),
            location: location(resource),
            service: service.to_owned(),
            is_own: true,
        }
    }

    pub(super) fn id(&self) -> &ResourceId {
        &self.id
    }

    pub(super) fn is(&self, kind: &str, service: &str) -> bool {
        self.service == service && self.resource_type.eq_ignore_ascii_case(kind)
    }

    /// An entry of a listing. Its id was looked at: it is one of a resource in the subscription.
    pub(crate) fn read(item: &Value) -> Option<Listed> {
        let id = ResourceId::checked(item.get("id")?.as_str()?)?;
        Some(Listed {
            resource_type: id.resource_type(),
            location: item.get("location").and_then(Value::as_str).unwrap_or_default().to_owned(),
            service: String::new(),
            is_own: false,
            id,
        })
    }

    /// The same of one that carries a tag, with its value in place of the publish name.
    pub(crate) fn tagged(item: &Value, tag_key: &str) -> Option<Listed> {
        // Tag names ignore case, tag values do not (Azure Resource Manager, "Use tags").
        let tags = item.get("tags")?.as_object()?;
        let (_, service) = tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(tag_key))?;
        Some(Listed { service: service.as_str()?.to_owned(), ..Listed::read(item)? })
    }
}
