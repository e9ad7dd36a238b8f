//! From a template to the steps of its deployment: loops, conditions and ids. Sources: learn.microsoft.com, "Resource declaration",
//! "Resource iteration in ARM templates".

use super::dependencies::{check_circles, check_outputs, check_unique, dependencies};
use super::expression::{Evaluator, Facts, Halt, Where, copy_count};
use super::record::{Deployment, Kind, Step, TYPE};
use super::template;
use crate::moment::Moment;
use crate::path::{GROUP_TYPE, ResourceId};
use crate::state::State;
use serde_json::{Map, Value};

/// Most resources of a template. Source: learn.microsoft.com, "Template limits".
const MOST_RESOURCES: usize = 800;
/// The steps of a deployment, with everything checked that can be checked before anything is deployed.
pub(super) fn expand(deployment: &Deployment, state: &State, now: Moment) -> Result<Vec<Step>, Halt> {
    template::check(&deployment.template)?;
    let mut steps = deployment.with_facts(state, now, false, &[], |facts| {
        let mut expansion = Expansion { facts, own: deployment.scope(), steps: Vec::new() };
        expansion.elements(deployment.template.get("resources"), "/resources", "resources", None)?;
        Ok::<_, Halt>(expansion.steps)
    })?;
    check_unique(&steps)?;
    let after = deployment.with_facts(state, now, false, &steps, |facts| {
        let all: Result<Vec<Vec<usize>>, Halt> =
            steps.iter().map(|step| dependencies(deployment, facts, step)).collect();
        check_outputs(deployment, facts)?;
        all
    })?;
    for (step, after) in steps.iter_mut().zip(after) {
        step.after = after;
    }
    check_circles(&steps)?;
    Ok(steps)
}

/// A resource in JSON form and where it is.
struct Place<'p> {
    symbol: Option<&'p str>,
    pointer: &'p str,
    place: &'p str,
}

/// The resource that a child is in.
struct Above<'p> {
    type_name: &'p str,
    name: &'p str,
    copy: Option<&'p (String, i64)>,
}

/// Reads the members of a resource that have to be known before anything is deployed.
struct Reader<'r> {
    evaluator: Evaluator<'r>,
    members: &'r Map<String, Value>,
    place: &'r str,
}

impl<'r> Reader<'r> {
    /// A member that is a text and no expression.
    fn literal(&self, member: &str) -> Result<&'r str, Halt> {
        match self.members.get(member).and_then(Value::as_str) {
            Some(text) if !text.is_empty() && !text.starts_with('[') => Ok(text),
            _ => {
                let reason = format!("A resource needs the member '{member}', which is a text and no expression.");
                Err(Halt::Wrong(reason).at(self.place))
            }
        }
    }

    /// A member that is a text, or is not there.
    fn text(&self, member: &str) -> Result<Option<String>, Halt> {
        let Some(value) = self.members.get(member) else { return Ok(None) };
        match self.evaluator.resolve(value, &format!("{}.{member}", self.place))? {
            Value::Null => Ok(None),
            Value::String(text) => Ok(Some(text)),
            other => Err(Halt::Wrong(format!("'{member}' must be a text and is {other}.")).at(self.place)),
        }
    }

    /// What is done with the resource.
    fn kind(&self) -> Result<Kind, Halt> {
        if self.members.get("existing") == Some(&Value::Bool(true)) {
            return Ok(Kind::Existing);
        }
        let Some(condition) = self.members.get("condition") else { return Ok(Kind::Deployed) };
        let place = format!("{}.condition", self.place);
        match self.evaluator.resolve(condition, &place)? {
            Value::Bool(true) => Ok(Kind::Deployed),
            Value::Bool(false) => Ok(Kind::LeftOut),
            other => Err(Halt::Wrong(format!("A condition must be true or false and is {other}.")).at(&place)),
        }
    }
}

struct Expansion<'f> {
    facts: &'f Facts<'f>,
    own: ResourceId,
    steps: Vec<Step>,
}

impl Expansion<'_> {
    fn elements(
        &mut self,
        element: Option<&Value>,
        pointer: &str,
        place: &str,
        above: Option<&Above<'_>>,
    ) -> Result<(), Halt> {
        for (symbol, pointer, place, resource) in template::resources(element, pointer, place) {
            let members = resource
                .as_object()
                .ok_or_else(|| Halt::Wrong("A resource must be a JSON object.".to_owned()).at(&place))?;
            self.resource(members, &Place { symbol, pointer: &pointer, place: &place }, above)?;
        }
        Ok(())
    }

    /// A resource, once or in every round of its loop.
    fn resource(
        &mut self,
        members: &Map<String, Value>,
        place: &Place<'_>,
        above: Option<&Above<'_>>,
    ) -> Result<(), Halt> {
        let Some(copy) = members.get("copy") else {
            return self.instance(members, place, above, above.and_then(|above| above.copy), None);
        };
        let wrong = |reason: &str| Halt::Wrong(reason.to_owned()).at(&format!("{}.copy", place.place));
        if above.is_some() {
            return Err(wrong("A child that is in its parent has no loop of its own; put it beside the parent."));
        }
        let name =
            copy.get("name").and_then(Value::as_str).or(place.symbol).ok_or_else(|| wrong("A loop needs a name."))?;
        let evaluator = Evaluator::new(self.facts, Where::Start);
        let count =
            evaluator.resolve(copy.get("count").unwrap_or(&Value::Null), &format!("{}.copy.count", place.place))?;
        let count = copy_count(&count).map_err(|reason| wrong(&reason))?;
        let collection = place.symbol.unwrap_or(name);
        let first = self.steps.len();
        for round in 0..count {
            let copy = (name.to_owned(), i64::try_from(round).unwrap_or_default());
            self.instance(members, place, None, Some(&copy), Some(collection))?;
        }
        self.serial(copy, place.pointer, first)
    }

    /// In a serial loop each batch waits for the one before it.
    fn serial(&mut self, copy: &Value, pointer: &str, first: usize) -> Result<(), Halt> {
        match copy.get("mode").and_then(Value::as_str) {
            Some(mode) if mode.eq_ignore_ascii_case("serial") => {}
            _ => return Ok(()),
        }
        let batch = copy.get("batchSize").map_or(Some(1), Value::as_i64).unwrap_or(0);
        if batch < 1 {
            return Err(Halt::Wrong(format!(
                "The batch size of the loop at '{pointer}' must be a number greater than 0."
            )));
        }
        let rounds: Vec<(usize, i64)> = (first..self.steps.len())
            .filter(|index| self.steps[*index].pointer == pointer)
            .filter_map(|index| Some((index, self.steps[index].copy.as_ref()?.1 / batch)))
            .collect();
        for (index, number) in &rounds {
            let before = rounds.iter().filter(|(_, other)| other + 1 == *number).map(|(index, _)| *index);
            self.steps[*index].after.extend(before);
        }
        Ok(())
    }

    fn instance(
        &mut self,
        members: &Map<String, Value>,
        place: &Place<'_>,
        above: Option<&Above<'_>>,
        copy: Option<&(String, i64)>,
        collection: Option<&str>,
    ) -> Result<(), Halt> {
        let reader =
            Reader { evaluator: Evaluator::new(self.facts, Where::Start).in_copy(copy), members, place: place.place };
        for member in ["import", "extension"] {
            if members.contains_key(member) {
                return Err(
                    Halt::Wrong(format!("The local cloud has no extensible resources ('{member}').")).at(place.place)
                );
            }
        }
        let name = reader.text("name")?.filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| Halt::Wrong("A resource needs a name.".to_owned()).at(place.place))?;
        let (type_name, name) = match above {
            None => (reader.literal("type")?.to_owned(), name),
            Some(above) => {
                (format!("{}/{}", above.type_name, reader.literal("type")?), format!("{}/{name}", above.name))
            }
        };
        let id = self.id(&type_name, &name, &reader)?;
        let kind = reader.kind()?;
        let round = copy.filter(|_| collection.is_some()).map(|(_, round)| format!("[{round}]")).unwrap_or_default();
        self.steps.push(Step {
            symbol: place.symbol.map(|symbol| format!("{symbol}{round}")),
            collection: collection.map(str::to_owned),
            pointer: place.pointer.to_owned(),
            copy: copy.cloned(),
            ..Step::new(&id, &name, &type_name, reader.literal("apiVersion")?, kind)
        });
        if self.steps.len() > MOST_RESOURCES {
            return Err(Halt::Wrong(format!("The template has more than {MOST_RESOURCES} resources.")));
        }
        let above = Above { type_name: &type_name, name: &name, copy };
        let children = if kind == Kind::LeftOut { None } else { members.get("resources") };
        self.elements(
            children,
            &format!("{}/resources", place.pointer),
            &format!("{}.resources", place.place),
            Some(&above),
        )
    }

    fn id(&self, type_name: &str, name: &str, reader: &Reader<'_>) -> Result<ResourceId, Halt> {
        let wrong = |reason: String| Halt::Wrong(reason).at(reader.place);
        let mut on = self.own.clone();
        if type_name.eq_ignore_ascii_case(TYPE) {
            if let Some(subscription) = reader.text("subscriptionId")? {
                on = ResourceId::of_subscription(&subscription);
            }
            if let Some(group) = reader.text("resourceGroup")? {
                on = on.with_group(Some(&group));
            }
        }
        if let Some(scope) = reader.text("scope")? {
            let parsed = match scope.strip_prefix('/') {
                Some("") => {
                    return Err(wrong(
                        "The local cloud deploys to resource groups and subscriptions, not to the tenant.".to_owned(),
                    ));
                }
                Some(_) => ResourceId::parse(&scope),
                None => ResourceId::parse(&format!("{}/providers/{scope}", on.text())),
            };
            on = parsed.ok_or_else(|| {
                wrong(format!("The scope '{scope}' is not the id of a resource, a resource group or a subscription."))
            })?;
        }
        if on.subscription.is_none() {
            return Err(wrong("The local cloud deploys to resource groups and subscriptions only.".to_owned()));
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
            wrong(format!(
                "The template resource '{name}' for type '{type_name}' has incorrect segment lengths. A nested resource type must have \
                 identical number of segments as its resource name. A root resource type must have segment length one greater than its \
                 resource name. Please see https://aka.ms/arm-syntax-resources for usage details."
            ))
        })
    }
}
