//! The limits of Azure for a template (Azure Resource Manager, "Template best practices", template limits).

use serde_json::Value;

use crate::protocol::grouped;

/// The largest template, in bytes.
const LARGEST_TEMPLATE: usize = 4 << 20;
/// The largest definition of one resource, in bytes.
const LARGEST_RESOURCE: usize = 1 << 20;
/// The most resources of one deployment.
const MOST_RESOURCES: usize = 800;
/// The most parameters.
const MOST_PARAMETERS: usize = 256;
/// The most outputs.
const MOST_OUTPUTS: usize = 64;
/// The longest expression, in characters.
const LONGEST_EXPRESSION: usize = 24_576;

/// The problems for which Azure would not take a template: complete sentences, each with a way out.
pub(super) fn problems(template: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    let size = template.to_string().len();
    if size > LARGEST_TEMPLATE {
        problems.push(format!(
            "The template would have {} bytes, and Azure takes {} at most. Split the document into several.",
            grouped(size),
            grouped(LARGEST_TEMPLATE)
        ));
    }
    each("The template", template, &mut problems);
    problems
}

/// Those of one template and of the nested ones in it.
fn each(what: &str, template: &Value, problems: &mut Vec<String>) {
    let members = |name: &str| template.get(name).and_then(Value::as_object);
    for (member, most, way_out) in [
        (
            "resources",
            MOST_RESOURCES,
            "Split the document into several, or its resources into several resource groups.",
        ),
        ("parameters", MOST_PARAMETERS, "Split the document into several, or leave late binding out."),
        ("outputs", MOST_OUTPUTS, "Split the document into several."),
    ] {
        let count = members(member).map_or(0, serde_json::Map::len);
        if count > most {
            let count = grouped(count);
            problems.push(format!("{what} would have {count} {member}, and Azure takes {most} at most. {way_out}"));
        }
    }
    for (symbol, resource) in members("resources").into_iter().flatten() {
        let name = resource.get("name").and_then(Value::as_str).unwrap_or(symbol);
        if let Some(nested) = resource.pointer("/properties/template") {
            let group = resource.get("resourceGroup").and_then(Value::as_str).unwrap_or(name);
            each(&format!("The deployment to the resource group '{group}'"), nested, problems);
            continue;
        }
        let size = resource.to_string().len();
        if size > LARGEST_RESOURCE {
            problems.push(format!(
                "The resource '{name}' would have {} bytes, and Azure takes {} at most. Make it smaller.",
                grouped(size),
                grouped(LARGEST_RESOURCE)
            ));
        }
        if longest_expression(resource) > LONGEST_EXPRESSION {
            let most = grouped(LONGEST_EXPRESSION);
            problems
                .push(format!("An expression of '{name}' would be longer than {most} characters. Use shorter names."));
        }
    }
}

/// The length of the longest expression in a value, in characters.
fn longest_expression(value: &Value) -> usize {
    match value {
        Value::String(text) if text.starts_with('[') && !text.starts_with("[[") => text.chars().count(),
        Value::Array(items) => items.iter().map(longest_expression).max().unwrap_or_default(),
        Value::Object(members) => members.values().map(longest_expression).max().unwrap_or_default(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn template(resources: Value) -> Value {
        json!({ "parameters": {}, "resources": resources })
    }

    fn many(count: usize) -> Value {
        (0..count).map(|at| (format!("r{at}"), json!({"name": "x"}))).collect()
    }

    #[test]
    fn what_azure_takes_is_no_problem() {
        assert!(problems(&template(many(MOST_RESOURCES))).is_empty());
        let long = "x".repeat(LONGEST_EXPRESSION - 2);
        assert!(problems(&template(json!({"a": {"name": "a", "x": format!("[{long}]")}}))).is_empty());
        let text = format!("[[{}", "x".repeat(LONGEST_EXPRESSION));
        assert!(problems(&template(json!({"a": {"x": text}}))).is_empty(), "no expression");
    }

    #[test]
    fn each_limit_is_told_with_a_way_out() {
        let nested = json!({"d": {
            "name": "d", "resourceGroup": "rg-x", "properties": {"template": template(many(MOST_RESOURCES + 1))},
        }});
        let told = problems(&template(nested));
        assert_eq!(
            told,
            [
                "The deployment to the resource group 'rg-x' would have 801 resources, and Azure takes 800 at most. Split the document into \
              several, or its resources into several resource groups."
            ]
        );
        let long = "x".repeat(LONGEST_EXPRESSION);
        let told = problems(&template(json!({"a": {"name": "a", "x": format!("[{long}]")}})));
        assert_eq!(told, ["An expression of 'a' would be longer than 24,576 characters. Use shorter names."]);
        let told = problems(&template(json!({"a": {"name": "a", "x": "y".repeat(LARGEST_TEMPLATE)}})));
        assert!(
            told[0].starts_with("The template would have 4,194,") && told[1].starts_with("The resource 'a'"),
            "{told:?}"
        );
        let parameters: Value = (0..257).map(|at| (format!("p{at}"), json!({}))).collect();
        let told = problems(&json!({"parameters": parameters, "resources": {}}));
        assert!(told[0].starts_with("The template would have 257 parameters, and Azure takes 256"), "{told:?}");
    }
}
