//! The parameters of a template: secrets, publish names, and with late binding the ids of look-ups.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::names::{Names, camel};
use crate::azure::{ResourceId, label_of_type};
use crate::protocol::TemplateParameter;

/// The things that parameters stand for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Stands {
    /// A publish name.
    Published(String),
    /// The value of a secret, which is kept in memory only, so that one that stands twice is asked for once.
    Secret(String),
    /// Something that was looked up.
    LookUp(ResourceId),
}

/// The parameters of a template, in the order in which they are first used.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    names: Names,
    known: BTreeMap<Stands, usize>,
    all: Vec<TemplateParameter>,
}

impl Parameters {
    /// The one for a publish name.
    pub(super) fn published(&mut self, name: &str) -> TemplateParameter {
        self.get(Stands::Published(name.to_owned()), || TemplateParameter {
            name: camel(&[name, "publish name"]),
            secret: false,
            default: Some(name.to_owned()),
            description: "A publish name, which stands in tags only.".to_owned(),
        })
    }

    /// The one for a secret: `member` of `owner`.
    pub(super) fn secret(&mut self, value: &str, owner: &str, member: &str, of: &str) -> TemplateParameter {
        self.get(Stands::Secret(value.to_owned()), || TemplateParameter {
            name: camel(&[owner, member]),
            secret: true,
            default: None,
            description: format!("The secret '{member}' of '{owner}' in the {of}. No file has its value."),
        })
    }

    /// The one for the id of something that was looked up by a name.
    pub(super) fn look_up(&mut self, id: &ResourceId, name: &str) -> TemplateParameter {
        let label = label_of_type(&id.resource_type()).unwrap_or("resource");
        self.get(Stands::LookUp(id.clone()), || TemplateParameter {
            name: camel(&[name, label, "id"]),
            secret: false,
            default: Some(id.to_string()),
            description: format!("The id of the {label} that is published as '{name}'."),
        })
    }

    fn get(&mut self, stands: Stands, made: impl FnOnce() -> TemplateParameter) -> TemplateParameter {
        let at = match self.known.get(&stands) {
            Some(at) => *at,
            None => {
                let made = made();
                self.all.push(TemplateParameter { name: self.names.unique(&made.name), ..made });
                self.known.insert(stands, self.all.len() - 1);
                self.all.len() - 1
            }
        };
        self.all[at].clone()
    }

    /// All of them.
    pub(super) fn into_list(self) -> Vec<TemplateParameter> {
        self.all
    }
}

/// The parameters as a template declares them.
pub(super) fn declared<'a>(parameters: impl Iterator<Item = &'a TemplateParameter>) -> Value {
    let declaration = |parameter: &TemplateParameter| {
        let mut declaration = declaration(parameter.secret);
        if let Some(default) = &parameter.default {
            declaration.insert("defaultValue".to_owned(), json!(super::expression::escaped(default)));
        }
        declaration.insert("metadata".to_owned(), json!({ "description": parameter.description }));
        (parameter.name.clone(), Value::Object(declaration))
    };
    parameters.map(declaration).collect()
}

/// The values that a nested deployment is given: for each of its parameters whether it is a secret, and the expression of the outer template.
#[derive(Debug, Default)]
pub(super) struct Passed(BTreeMap<String, (bool, String)>);

impl Passed {
    /// Notes one of the outer template. Returns the expression that stands for it.
    pub(super) fn parameter(&mut self, parameter: &TemplateParameter) -> String {
        let code = format!("parameters('{}')", parameter.name);
        self.0.insert(parameter.name.clone(), (parameter.secret, code.clone()));
        code
    }

    /// Notes a value that the outer template computes. Returns the expression that stands for it.
    pub(super) fn computed(&mut self, name: &str, code: String) -> String {
        self.0.insert(name.to_owned(), (false, code));
        format!("parameters('{name}')")
    }

    /// As the nested template declares them, and as the outer one gives them.
    pub(super) fn into_parts(self) -> (Value, Value) {
        let declared = self.0.iter().map(|(name, (secret, _))| (name.clone(), Value::Object(declaration(*secret))));
        let declared = declared.collect();
        let given = self.0.into_iter().map(|(name, (_, code))| (name, json!({ "value": format!("[{code}]") })));
        (declared, given.collect())
    }
}

fn declaration(secret: bool) -> Map<String, Value> {
    let kind = if secret { "securestring" } else { "string" };
    Map::from_iter([("type".to_owned(), json!(kind))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_is_one_parameter() {
        let mut parameters = Parameters::default();
        let one = parameters.secret("https://x", "hook", "serviceUri", "action group 'a'");
        assert_eq!(parameters.secret("https://x", "other", "serviceUri", "action group 'b'"), one);
        let other = parameters.secret("https://y", "hook", "serviceUri", "action group 'a'");
        assert_eq!((one.name.as_str(), other.name.as_str()), ("hookServiceUri", "hookServiceUri_2"));
        let written = declared(parameters.into_list().iter()).to_string();
        assert!(written.contains("securestring") && !written.contains("https://"), "{written}");
    }

    #[test]
    fn what_is_looked_up_is_called_after_its_publish_name() {
        let mut parameters = Parameters::default();
        let id = ResourceId::subscription("s").group("g").resource("Microsoft.Insights/actionGroups", "a");
        let parameter = parameters.look_up(&id, "operations");
        assert_eq!(parameter.name, "operationsActionGroupId");
        assert_eq!(parameter.default, Some(id.to_string()));
    }
}
