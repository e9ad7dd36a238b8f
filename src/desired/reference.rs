//! Values of a body that only another resource has: the host name that Azure gave to a web app, the key of a storage
//! account. They are never guessed: what can be read when the plan is made is compared, the rest is read just before it is sent.

use serde_json::Value;

use super::body;
use crate::azure::{ResourceId, ResourceType};

/// A value of a body that only another resource has.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The path in the body: `properties.hostName`.
    pub path: &'static str,
    /// The resource that has it.
    pub of: ResourceId,
    /// The facts of that resource's type.
    pub resource_type: &'static ResourceType,
    /// The source of the value.
    pub source: Source,
    /// The whole value, in which `{}` stands for what the resource has.
    pub text: String,
}

/// The sources of a value of another resource.
#[derive(Debug, Clone)]
pub enum Source {
    /// By reading the resource: the path of a property.
    Property(&'static str),
    /// By reading the resource: the host name in the URL at the path of a property.
    Host(&'static str),
    /// By a POST of one of its actions, whose answer is a secret.
    Action {
        /// The action: `listKeys`.
        name: &'static str,
        /// The JSON pointer of the value in the answer: `/keys/0/value`.
        pointer: &'static str,
        /// An existing value with this in it is right, without asking: `AccountName=stx;`.
        right: String,
    },
}

impl Source {
    /// The value in an answer; none when it is not there, or empty.
    pub(crate) fn read(&self, answer: &Value) -> Option<String> {
        let value = match self {
            Source::Property(path) | Source::Host(path) => body::at(answer, path)?.as_str()?,
            Source::Action { pointer, .. } => answer.pointer(pointer)?.as_str()?,
        };
        let value = match self {
            Source::Host(_) => url::Url::parse(value).ok()?.host_str()?.to_owned(),
            Source::Property(_) | Source::Action { .. } => value.to_owned(),
        };
        Some(value).filter(|value| !value.is_empty())
    }
}
