//! What comes before what, and what else is checked when all resources of a template are known. Source: learn.microsoft.com, "Define the
//! order for deploying resources in ARM templates".

use super::expression::{Evaluator, Facts, Halt, Where, target};
use super::record::{Deployment, Kind, Step};
use super::resource_body::{body, has_inner_scope, is_deployment, place_of};
use super::template;
use serde_json::Value;

/// Refuses two resources with one id.
pub(super) fn check_unique(steps: &[Step]) -> Result<(), Halt> {
    let mut seen = std::collections::BTreeSet::new();
    for step in steps.iter().filter(|step| step.kind == Kind::Deployed) {
        if !seen.insert(step.id.to_lowercase()) {
            return Err(Halt::Wrong(format!(
                "The resource '{}' is defined multiple times in a template. Please see https://aka.ms/arm-syntax-resources for usage details.",
                step.id
            )));
        }
    }
    Ok(())
}

/// The indexes of the steps that a step waits for: what it says, and what it refers to.
pub(super) fn dependencies(deployment: &Deployment, facts: &Facts<'_>, step: &Step) -> Result<Vec<usize>, Halt> {
    let mut after = step.after.clone();
    let place = place_of(&step.pointer);
    let Some(resource) = deployment.template.pointer(&step.pointer).and_then(Value::as_object) else {
        return Ok(after);
    };
    if step.kind == Kind::LeftOut {
        return Ok(after);
    }
    let start = Evaluator::new(facts, Where::Start).in_copy(step.copy.as_ref());
    if let Some(wanted) = resource.get("dependsOn") {
        let here = format!("{place}.dependsOn");
        let wanted = start.resolve(wanted, &here)?;
        for one in wanted.as_array().ok_or_else(|| Halt::Wrong("'dependsOn' must be a list.".to_owned()).at(&here))? {
            let text =
                one.as_str().ok_or_else(|| Halt::Wrong(format!("{one} in 'dependsOn' is no text.")).at(&here))?;
            after.extend(named(facts.steps, text).map_err(|halt| halt.at(&here))?);
        }
    }
    facts.touched.borrow_mut().clear();
    let evaluator = Evaluator::new(facts, Where::Body).in_copy(step.copy.as_ref()).lenient();
    body(&evaluator, resource, &place, is_deployment(step))?;
    if is_deployment(step) && !has_inner_scope(resource, &deployment.template) {
        if template::has_symbols(&deployment.template) {
            let reason = "The value 'outer' of 'expressionEvaluationOptions.scope' is blocked in templates with languageVersion \"2.0\".";
            return Err(Halt::Wrong(reason.to_owned()).at(&place));
        }
        // What the nested template refers to is read by the one that has it; loops in it are not known here.
        let _ = evaluator
            .resolve(resource.get("properties").and_then(|p| p.get("template")).unwrap_or(&Value::Null), &place);
    }
    let touched = facts.touched.borrow();
    after.extend(
        facts.steps.iter().enumerate().filter(|(_, other)| touched.contains(&other.id)).map(|(index, _)| index),
    );
    after.retain(|index| facts.steps[*index].id != step.id || facts.steps[*index].kind != step.kind);
    after.sort_unstable();
    after.dedup();
    Ok(after)
}

/// The steps that a text in `dependsOn` means: an id, a name, a symbolic name or the name of a loop.
fn named(steps: &[Step], wanted: &str) -> Result<Vec<usize>, Halt> {
    let same = |text: &str| text.eq_ignore_ascii_case(wanted);
    let of_loop: Vec<usize> =
        (0..steps.len()).filter(|index| steps[*index].collection.as_deref().is_some_and(same)).collect();
    if !of_loop.is_empty() {
        return Ok(of_loop);
    }
    let by_loop_name: Vec<usize> =
        (0..steps.len()).filter(|index| steps[*index].copy.as_ref().is_some_and(|(name, _)| same(name))).collect();
    if !by_loop_name.is_empty() {
        return Ok(by_loop_name);
    }
    let found = target(steps, wanted).and_then(|step| steps.iter().position(|other| std::ptr::eq(step, other)));
    found.map(|index| vec![index]).ok_or_else(|| {
        Halt::Wrong(format!(
            "The resource '{wanted}' is not defined in the template. Please see https://aka.ms/arm-syntax for usage details."
        ))
    })
}

/// Refuses outputs that are wrong whatever is deployed.
pub(super) fn check_outputs(deployment: &Deployment, facts: &Facts<'_>) -> Result<(), Halt> {
    for (name, output) in deployment.template.get("outputs").and_then(Value::as_object).into_iter().flatten() {
        let evaluator = Evaluator::new(facts, Where::Output).lenient();
        if let (Some(value), None) = (output.get("value"), output.get("copy")) {
            match evaluator.resolve(value, &format!("outputs.{name}.value")) {
                Err(Halt::Refused(_)) | Ok(_) => {}
                Err(halt) => return Err(halt),
            }
        }
    }
    Ok(())
}

/// Refuses steps that wait for each other.
pub(super) fn check_circles(steps: &[Step]) -> Result<(), Halt> {
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
