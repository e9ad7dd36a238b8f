//! Definitions and assignments of policies: what is refused of them, and the rule that an assignment makes of a definition.

use super::condition::Condition;
use super::field::{Content, same, set};
use crate::expression::{self, Node, Text};
use crate::path::ResourceId;
use crate::reply::Refusal;
use crate::resource_types::Write;
use crate::state::Body;
use serde_json::{Map, Value, json};

/// The type of definitions.
pub(crate) const DEFINITION: &str = "Microsoft.Authorization/policyDefinitions";
const EFFECTS: &[&str] = &["deny", "audit", "modify", "append", "disabled"];
const OPERATIONS: &[&str] = &["add", "addorreplace", "remove"];

/// A rule with the values of its parameters.
pub(super) struct Rule {
    pub(super) condition: Condition,
    /// In lower case.
    pub(super) effect: String,
    /// What `modify` and `append` do.
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

/// Refuses a definition whose rule the local cloud would not carry out.
pub(crate) fn check_definition(write: &Write<'_>) -> Result<(), Refusal> {
    let properties = write.body.get("properties").cloned().unwrap_or_default();
    // Parameters without a default stand for any value; an effect has one of those that are allowed.
    let declared = properties["parameters"].as_object().cloned().unwrap_or_default();
    let stand_ins = declared.into_iter().map(|(name, declared)| {
        let first = declared["allowedValues"].get(0).cloned();
        let of_kind = || if same(&declared["type"], &json!("array"), "") { json!([]) } else { json!("x") };
        (name, declared.get("defaultValue").cloned().or(first).unwrap_or_else(of_kind))
    });
    let refused =
        |reason: String| Refusal::bad_request("InvalidPolicyRule", format!("Failed to parse policy rule: '{reason}'."));
    Rule::of(&properties, &stand_ins.collect()).map(drop).map_err(refused)
}

/// Refuses an assignment of a definition of the subscription that is not there, or with parameters that do not fit. Of those above it, and of policy
/// sets, the local cloud has none: their assignments are kept and do nothing.
pub(crate) fn check_assignment(write: &Write<'_>) -> Result<(), Refusal> {
    let id = write.body.get("properties").and_then(|it| it["policyDefinitionId"].as_str()).unwrap_or_default();
    let parsed = ResourceId::parse(id);
    let Some(definition) = parsed.as_ref().and_then(|id| write.state.get(&id.key())) else {
        let is_known_of = |id: ResourceId| id.subscription.is_some() && id.type_name().eq_ignore_ascii_case(DEFINITION);
        return match parsed.is_none_or(is_known_of) {
            true => Err(Refusal::not_found(
                "PolicyDefinitionNotFound",
                format!("The policy definition '{id}' could not be found."),
            )),
            false => Ok(()),
        };
    };
    parameters(&definition.body, write.body)
        .and_then(|parameters| Rule::of(&definition.body["properties"], &parameters))
        .map(drop)
        .map_err(|reason| Refusal::bad_request("InvalidPolicyParameters", reason))
}

/// The values of the parameters of a definition under an assignment.
pub(super) fn parameters(definition: &Body, assignment: &Body) -> Result<Map<String, Value>, String> {
    let declared =
        definition.get("properties").and_then(|it| it["parameters"].as_object()).cloned().unwrap_or_default();
    let given = assignment.get("properties").and_then(|it| it["parameters"].as_object()).cloned().unwrap_or_default();
    if let Some(unknown) = given.keys().find(|name| !declared.contains_key(*name)) {
        return Err(format!("The policy definition has no parameter '{unknown}'."));
    }
    let mut values = Map::new();
    for (name, declared) in declared {
        let value = given.get(&name).and_then(|given| given.get("value")).or_else(|| declared.get("defaultValue"));
        let value = value.ok_or_else(|| format!("The parameter '{name}' of the policy has no value."))?.clone();
        let allowed = declared["allowedValues"].as_array();
        if allowed.is_some_and(|allowed| !allowed.contains(&value)) {
            return Err(format!("The value {value} is not allowed for the parameter '{name}' of the policy."));
        }
        values.insert(name, value);
    }
    Ok(values)
}

impl Rule {
    /// The rule of the properties of a definition with these values for its parameters; the reason where it is none.
    pub(super) fn of(properties: &Value, parameters: &Map<String, Value>) -> Result<Rule, String> {
        let rule = resolved(&properties["policyRule"], parameters)?;
        let condition = Condition::read(&rule["if"])?;
        let then = &rule["then"];
        let effect = then["effect"].as_str().unwrap_or_default().to_lowercase();
        if !EFFECTS.contains(&effect.as_str()) {
            return Err(format!("The local cloud has no policy effect '{effect}', only {}", EFFECTS.join(", ")));
        }
        let details = match effect.as_str() {
            "modify" => &then["details"]["operations"],
            "append" => &then["details"],
            _ => &Value::Null,
        };
        let operations = details.as_array().into_iter().flatten().map(operation).collect::<Result<Vec<_>, _>>()?;
        if operations.is_empty() && matches!(effect.as_str(), "modify" | "append") {
            return Err(format!("The policy effect '{effect}' needs details that say what it does"));
        }
        Ok(Rule { condition, effect, operations })
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
    let field =
        field.ok_or("The field of an operation must be a text, and the local cloud changes no items of lists")?;
    let word = details["operation"].as_str().unwrap_or("add").to_lowercase();
    if !OPERATIONS.contains(&word.as_str()) {
        return Err(format!("The policy operation '{word}' is not known"));
    }
    if details.get("condition").is_some() {
        return Err("The local cloud does not evaluate conditions of operations".to_owned());
    }
    let value = if word == "remove" { None } else { Some(details["value"].clone()) };
    Ok(Operation { field: field.to_owned(), value, replaces: word != "add" })
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
