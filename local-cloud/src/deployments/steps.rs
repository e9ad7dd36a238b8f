//! From a template to the steps of its deployment. Sources: learn.microsoft.com, "Resource declaration in ARM templates", "Define the order
//! for deploying resources in ARM templates".

use super::expression::{Evaluator, Halt, LARGEST_RESOURCE, Reads, size, smaller};
use super::record::{Deployment, Step};
use super::template::{self, beyond, place};
use crate::deployment_paths::TYPE;
use crate::path::{GROUP_TYPE, ResourceId};
use crate::state::State;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The members of a resource that are no part of what is sent.
const OWN_MEMBERS: &[&str] =
    &["apiVersion", "type", "name", "dependsOn", "comments", "metadata", "scope", "subscriptionId", "resourceGroup"];

/// The steps of a deployment, with everything checked that can be checked before anything is deployed.
pub(super) fn steps(deployment: &Deployment, state: &State) -> Result<Vec<Step>, Halt> {
    let (scope, facts) = (deployment.scope(), deployment.facts(state, &[]));
    let read = |(symbol, resource): (&String, &Value)| {
        let none = Map::new();
        let members = resource.as_object().unwrap_or(&none);
        Reader { evaluator: Evaluator { facts: &facts, reads: Reads::Never }, members, place: place(symbol) }
            .step(symbol, &scope)
    };
    let mut steps = template::members_of(&deployment.template, "resources").map(read).collect::<Result<Vec<_>, _>>()?;
    check_unique(&steps)?;
    let facts = deployment.facts(state, &steps);
    let after = steps.iter().map(|step| {
        facts.touched.borrow_mut().clear();
        let mut after = named(&steps, deployment.resource(step), &place(&step.symbol))?;
        let body = body(&Evaluator { facts: &facts, reads: Reads::Later }, deployment.resource(step), step)?;
        after.extend(facts.touched.borrow().iter());
        after.retain(|index| steps[*index].symbol != step.symbol);
        Ok((after.into_iter().collect(), body.get("location").and_then(Value::as_str).map(str::to_owned)))
    });
    let after = after.collect::<Result<Vec<_>, Halt>>()?;
    steps.iter_mut().zip(after).for_each(|(step, (after, location))| (step.after, step.location) = (after, location));
    check_circles(&steps)?;
    Ok(steps)
}

/// The body that is sent for a resource. The template of a nested deployment stays as it is.
pub(super) fn body(evaluator: &Evaluator<'_>, resource: &Map<String, Value>, step: &Step) -> Result<Value, Halt> {
    let mut sent = Map::new();
    for (name, value) in resource.iter().filter(|(name, _)| !OWN_MEMBERS.contains(&name.as_str())) {
        let place = format!("{}.{name}", place(&step.symbol));
        let mut value = value.clone();
        let nested =
            if step.is_deployment() { value.as_object_mut().and_then(|it| it.shift_remove("template")) } else { None };
        let mut value = evaluator.resolve(&value, &place)?;
        if let (Some(nested), Some(members)) = (nested, value.as_object_mut()) {
            members.insert("template".to_owned(), nested);
        }
        sent.insert(name.clone(), value);
    }
    let sent = Value::Object(sent);
    // The template of a nested deployment is no part of it.
    if !step.is_deployment() {
        smaller("The resource", size(&sent), LARGEST_RESOURCE).map_err(|halt| halt.at(&place(&step.symbol)))?;
    }
    Ok(sent)
}

/// The members of a resource that have to be known before anything is deployed.
struct Reader<'r> {
    evaluator: Evaluator<'r>,
    members: &'r Map<String, Value>,
    place: String,
}

impl Reader<'_> {
    /// A member that is a text and no expression.
    fn literal(&self, member: &str) -> Result<String, Halt> {
        let text = self.members.get(member).and_then(Value::as_str);
        text.filter(|text| !text.is_empty() && !text.starts_with('[')).map(str::to_owned).ok_or_else(|| {
            self.wrong(format!("A resource needs the member '{member}', which is a text and no expression."))
        })
    }

    /// A member that is a text, or is not there.
    fn text(&self, member: &str) -> Result<Option<String>, Halt> {
        let Some(value) = self.members.get(member) else { return Ok(None) };
        match self.evaluator.resolve(value, &format!("{}.{member}", self.place))? {
            Value::String(text) if !text.is_empty() => Ok(Some(text)),
            other => Err(self.wrong(format!("'{member}' must be a text and is {other}."))),
        }
    }

    fn wrong(&self, reason: String) -> Halt {
        Halt::Wrong(reason).at(&self.place)
    }

    fn step(&self, symbol: &str, own: &ResourceId) -> Result<Step, Halt> {
        let (type_name, api_version) = (self.literal("type")?, self.literal("apiVersion")?);
        let name = self.text("name")?.ok_or_else(|| self.wrong("A resource needs a name.".to_owned()))?;
        let id = self.id(&type_name, &name, own)?;
        let options = self.members.get("properties").and_then(|it| it.get("expressionEvaluationOptions")?.get("scope"));
        if options.and_then(Value::as_str).is_some_and(|scope| scope.eq_ignore_ascii_case("outer")) {
            return Err(beyond("the value 'outer' of 'expressionEvaluationOptions.scope'").at(&self.place));
        }
        Ok(Step { symbol: symbol.to_owned(), id: id.text(), name, type_name, api_version, ..Step::default() })
    }

    fn id(&self, type_name: &str, name: &str, own: &ResourceId) -> Result<ResourceId, Halt> {
        let mut on = own.clone();
        if type_name.eq_ignore_ascii_case(TYPE) {
            if let Some(subscription) = self.text("subscriptionId")? {
                on = ResourceId::of_subscription(&subscription);
            }
            if let Some(group) = self.text("resourceGroup")? {
                on = on.with_group(Some(&group));
            }
        }
        if let Some(scope) = self.text("scope")? {
            let text = if scope.starts_with('/') { scope.clone() } else { format!("{}/providers/{scope}", on.text()) };
            let parsed = ResourceId::parse(&text).filter(|id| id.subscription.is_some());
            on = parsed.ok_or_else(|| {
                self.wrong(format!(
                    "The scope '{scope}' is not the id of a resource, a resource group or a subscription."
                ))
            })?;
        }
        if type_name.eq_ignore_ascii_case(GROUP_TYPE) {
            return Ok(on.with_group(Some(name)));
        }
        let mut kinds = type_name.split('/');
        let namespace = kinds.next().unwrap_or_default();
        let (kinds, names): (Vec<&str>, Vec<&str>) = (kinds.collect(), name.split('/').collect());
        let path: String = kinds.iter().zip(&names).map(|(kind, name)| format!("/{kind}/{name}")).collect();
        let text = format!("{}/providers/{namespace}{path}", on.text());
        let id = ResourceId::parse(&text).filter(|_| !kinds.is_empty() && kinds.len() == names.len());
        id.ok_or_else(|| {
            self.wrong(format!(
                "The template resource '{name}' for type '{type_name}' has incorrect segment lengths. A nested resource type must have \
                 identical number of segments as its resource name. A root resource type must have segment length one greater than its \
                 resource name. Please see https://aka.ms/arm-syntax-resources for usage details."
            ))
        })
    }
}

/// Refuses two resources with one id.
fn check_unique(steps: &[Step]) -> Result<(), Halt> {
    let mut seen = BTreeSet::new();
    match steps.iter().find(|step| !seen.insert(step.id.to_lowercase())) {
        None => Ok(()),
        Some(step) => Err(Halt::Wrong(format!(
            "The resource '{}' is defined multiple times in a template. Please see https://aka.ms/arm-syntax-resources for usage details.",
            step.id
        ))),
    }
}

/// The steps whose symbolic names are in `dependsOn`.
fn named(steps: &[Step], resource: &Map<String, Value>, place: &str) -> Result<BTreeSet<usize>, Halt> {
    let wrong = |reason: String| Halt::Wrong(reason).at(&format!("{place}.dependsOn"));
    let Some(wanted) = resource.get("dependsOn") else { return Ok(BTreeSet::new()) };
    let wanted = wanted.as_array().ok_or_else(|| wrong("'dependsOn' must be a list.".to_owned()))?;
    let position = |one: &Value| {
        let symbol = one.as_str().unwrap_or_default();
        steps.iter().position(|step| step.symbol.eq_ignore_ascii_case(symbol)).ok_or_else(|| {
            wrong(format!(
                "The resource '{symbol}' is not defined in the template. Please see https://aka.ms/arm-syntax for usage details."
            ))
        })
    };
    wanted.iter().map(position).collect()
}

/// Refuses steps that wait for each other.
fn check_circles(steps: &[Step]) -> Result<(), Halt> {
    let mut open: Vec<usize> = (0..steps.len()).collect();
    loop {
        let waits = |index: &usize| steps[*index].after.iter().any(|before| open.contains(before));
        let still: Vec<usize> = open.iter().copied().filter(waits).collect();
        if still.is_empty() {
            return Ok(());
        }
        if still.len() == open.len() {
            return Err(Halt::Wrong(format!(
                "Circular dependency detected on resource: '{}'. Please see https://aka.ms/arm-syntax-resources for usage details.",
                steps[still[0]].id
            )));
        }
        open = still;
    }
}
