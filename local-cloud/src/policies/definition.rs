//! Definitions and assignments of policies: what is refused of them, and the rule that an assignment makes of a definition.

use super::condition::holds;
use super::field::{Content, same, set};
use crate::expression::{self, Node, Text};
use crate::path::ResourceId;
use crate::reply::Refusal;
use crate::resource_types::Write;
use crate::state::Body;
use serde_json::{Map, Value};

/// The type of definitions.
pub(crate) const DEFINITION: &str = "Microsoft.Authorization/policyDefinitions";
const EFFECTS: &[&str] = &["deny", "audit", "modify", "append", "disabled"];

/// A rule with the values of its parameters.
pub(super) struct Rule {
    pub(super) condition: Value,
    /// In lower case.
    pub(super) effect: String,
    /// The operations of `modify` and `append`.
    pub(super) operations: Vec<Operation>,
}

/// A change that a policy makes.
pub(super) struct Operation {
    pub(super) field: String,
    /// None where the field is taken away.
    pub(super) value: Option<Value>,
    /// Whether it is done over a value that is there.
    pub(super) replaces: bool,
}

/// The properties of a policy, which something imported may not have.
pub(super) fn properties(body: &Body) -> &Value {
    body.get("properties").unwrap_or(&Value::Null)
}

/// Refuses a definition whose rule the local cloud would not carry out.
pub(crate) fn check_definition(write: &Write<'_>) -> Result<(), Refusal> {
    let properties = properties(write.body);
    // Parameters without a default stand for any value; an effect has one of those that are allowed.
    let stand_in = |(name, declared): (&String, &Value)| {
        let known = declared.get("defaultValue").or_else(|| declared["allowedValues"].get(0)).cloned();
        (name.clone(), known.unwrap_or_else(|| "x".into()))
    };
    let parameters = properties["parameters"].as_object().into_iter().flatten().map(stand_in).collect();
    let refused =
        |reason: String| Refusal::bad_request("InvalidPolicyRule", format!("Failed to parse policy rule: '{reason}'."));
    Rule::of(properties, &parameters).map(drop).map_err(refused)
}

/// Refuses an assignment of a definition of the subscription that is not there, or with parameters that do not fit. Of those above it, and of policy
/// sets, the local cloud has none: their assignments are kept and do nothing.
pub(crate) fn check_assignment(write: &Write<'_>) -> Result<(), Refusal> {
    let id = properties(write.body)["policyDefinitionId"].as_str().unwrap_or_default();
    let parsed = ResourceId::parse(id);
    if let Some(definition) = parsed.as_ref().and_then(|id| write.state.get(&id.key())) {
        let refused = |reason: String| Refusal::bad_request("InvalidPolicyParameters", reason);
        return Rule::assigned(&definition.body, write.body).map(drop).map_err(refused);
    }
    let is_elsewhere = |id: &ResourceId| id.subscription.is_none() || !id.type_name().eq_ignore_ascii_case(DEFINITION);
    let reason = || format!("The policy definition '{id}' could not be found.");
    parsed.filter(is_elsewhere).map(drop).ok_or_else(|| Refusal::not_found("PolicyDefinitionNotFound", reason()))
}

/// The values of the parameters of a definition under an assignment.
fn parameters(definition: &Body, assignment: &Body) -> Result<Map<String, Value>, String> {
    let declared = &properties(definition)["parameters"];
    let given = &properties(assignment)["parameters"];
    if let Some((unknown, _)) = given.as_object().into_iter().flatten().find(|(name, _)| declared.get(name).is_none()) {
        return Err(format!("The policy definition has no parameter '{unknown}'."));
    }
    let value = |(name, declared): (&String, &Value)| {
        let value = given[name].get("value").or_else(|| declared.get("defaultValue"));
        let value = value.ok_or_else(|| format!("The parameter '{name}' of the policy has no value."))?;
        let is_allowed = declared["allowedValues"].as_array().is_none_or(|allowed| allowed.contains(value));
        let wrong = || format!("The value {value} is not allowed for the parameter '{name}' of the policy.");
        is_allowed.then(|| (name.clone(), value.clone())).ok_or_else(wrong)
    };
    declared.as_object().into_iter().flatten().map(value).collect()
}

impl Rule {
    /// The rule that an assignment makes of a definition; the reason where there is none.
    pub(super) fn assigned(definition: &Body, assignment: &Body) -> Result<Rule, String> {
        Rule::of(properties(definition), &parameters(definition, assignment)?)
    }

    /// The rule of the properties of a definition with these values for its parameters; the reason where it is none.
    fn of(properties: &Value, parameters: &Map<String, Value>) -> Result<Rule, String> {
        let rule = resolved(&properties["policyRule"], parameters)?;
        holds(&rule["if"], &Content::of(&Body::new()), &mut Vec::new())?;
        let then = &rule["then"];
        let effect = then["effect"].as_str().unwrap_or_default().to_lowercase();
        if !EFFECTS.contains(&effect.as_str()) {
            return Err(format!("The local cloud has no policy effect '{effect}', only {}", EFFECTS.join(", ")));
        }
        let changes = matches!(effect.as_str(), "modify" | "append");
        let details = if effect == "modify" { &then["details"]["operations"] } else { &then["details"] };
        let details = details.as_array().filter(|_| changes).into_iter().flatten();
        let operations = details.map(operation).collect::<Result<Vec<_>, _>>()?;
        if operations.is_empty() && changes {
            return Err(format!("The policy effect '{effect}' needs details that say what it does"));
        }
        Ok(Rule { condition: rule["if"].clone(), effect, operations })
    }
}

impl Operation {
    /// Whether the field has another value.
    pub(super) fn contradicts(&self, body: &Body) -> bool {
        let differs = |value: &Value| self.value.as_ref().is_some_and(|wanted| !same(value, wanted, &self.field));
        Content::of(body).values(&self.field).into_iter().flatten().any(differs)
    }

    /// Changes the body of a resource.
    pub(super) fn carry_out(&self, body: &mut Body) {
        if self.replaces || Content::of(body).values(&self.field).iter().all(Option::is_none) {
            set(body, &self.field, self.value.clone());
        }
    }
}

fn operation(details: &Value) -> Result<Operation, String> {
    let field = details["field"].as_str().filter(|field| !field.contains("[*]"));
    let field = field.ok_or("The field of an operation is a text, and the local cloud changes no items of lists")?;
    let (value, replaces) = match details["operation"].as_str().unwrap_or("add").to_lowercase().as_str() {
        "add" => (Some(details["value"].clone()), false),
        "addorreplace" => (Some(details["value"].clone()), true),
        "remove" => (None, true),
        other => return Err(format!("The policy operation '{other}' is not known")),
    };
    if details.get("condition").is_some() {
        return Err("The local cloud does not evaluate conditions of operations".to_owned());
    }
    Ok(Operation { field: field.to_owned(), value, replaces })
}

/// A rule with the values of its expressions.
fn resolved(value: &Value, parameters: &Map<String, Value>) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) => match expression::read(text)? {
            Text::Literal(text) => text.into(),
            Text::Expression(node) => evaluated(&node, parameters)?,
        },
        Value::Array(items) => items.iter().map(|item| resolved(item, parameters)).collect::<Result<_, _>>()?,
        Value::Object(members) => {
            let member = |(name, member): (&String, &Value)| Ok((name.clone(), resolved(member, parameters)?));
            Value::Object(members.iter().map(member).collect::<Result<_, String>>()?)
        }
        other => other.clone(),
    })
}

fn evaluated(node: &Node, parameters: &Map<String, Value>) -> Result<Value, String> {
    let Node::Call { name, arguments } = node else {
        return match node {
            Node::Literal(value) => Ok(value.clone()),
            _ => Err("The local cloud reads no members in expressions of policies".to_owned()),
        };
    };
    let arguments = arguments.iter().map(|node| evaluated(node, parameters)).collect::<Result<Vec<_>, _>>()?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match (name.to_lowercase().as_str(), arguments.as_slice()) {
        ("parameters", [Value::String(wanted)]) => {
            let found = parameters.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            found.map(|(_, value)| value.clone()).ok_or_else(|| format!("The policy has no parameter '{wanted}'"))
        }
        ("concat", parts) => Ok(parts.iter().map(text).collect::<String>().into()),
        _ => Err(format!(
            "The local cloud has no policy function '{name}' with these arguments, only concat and parameters"
        )),
    }
}
