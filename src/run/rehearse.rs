//! The rehearsals of a plan: how often its alert rules would have fired.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use super::context::{RehearsalContext, RunContext};
use super::failure::{Failure, failure};
use super::planning::Planned;
use crate::azure::{ArmClient, ResourceId};
use crate::protocol::{ActionKind, Code, Host, Message, Rehearsal, plural};
use crate::rehearsal::{Question, Rule, Span, disabled, is_rule, rehearsed, unknown};
use crate::world::ask;

/// The progress of a rehearsal is over before that of changes begins, which has number 1.
const ACTIVITY_ID: u32 = 2;
/// The longest wait for the answers where the context does not say it.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// The rule of a plan, as it is to be and as it is.
struct Candidate {
    id: ResourceId,
    wanted: Result<Rule, Rehearsal>,
    before: Option<Rule>,
}

/// Rehearses the rules that a plan creates or changes, or all of them, and puts the outcome at each.
///
/// # Errors
/// There would have been more notifications than the context allows.
pub(super) async fn rehearse(
    planned: &mut Planned,
    context: &RunContext,
    client: &ArmClient,
    host: &Host,
) -> Result<(), Failure> {
    let Some(wanted) = &context.rehearsal else { return Ok(()) };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 60;
    let span = Span::before(now as i64, (wanted.over.as_secs() / 60) as i64);
    let candidates = candidates(planned, wanted, span);
    if candidates.is_empty() {
        host.verbose("No alert rule is created or changed, so none is rehearsed; rehearseAll is for those that stay as they are.");
        return Ok(());
    }
    let count = candidates.len();
    host.verbose(format!("Rehearsing {count} alert rule{}.", plural(count)));
    let rules =
        || candidates.iter().flat_map(|candidate| candidate.wanted.as_ref().ok().into_iter().chain(&candidate.before));
    let questions: Vec<Vec<Question>> = rules().map(Rule::questions).collect();
    let flat: Vec<Question> = questions.iter().flatten().cloned().collect();
    let progress = |done, of| tell_progress(host, done, of);
    let mut answers = ask(client, &flat, wanted.at_most.unwrap_or(USUAL_TIME), progress).await.into_iter();
    let mut of_rules =
        questions.iter().map(|asked| answers.by_ref().take(asked.len()).collect::<Result<Vec<Arc<Value>>, String>>());
    let mut outcomes = Vec::new();
    for candidate in &candidates {
        let outcome = match &candidate.wanted {
            Err(known) => known.clone(),
            Ok(rule) => {
                let own = of_rules.next().unwrap_or_else(|| Ok(Vec::new()));
                let others =
                    candidate.before.as_ref().map(|before| (before, of_rules.next().unwrap_or_else(|| Ok(Vec::new()))));
                match own {
                    Err(reason) => unknown(reason, span),
                    Ok(own) => {
                        let others = others
                            .as_ref()
                            .and_then(|(rule, answers)| Some((*rule, answers.as_ref().ok()?.as_slice())));
                        rehearsed(rule, &own, others, span)
                    }
                }
            }
        };
        outcomes.push((candidate.id.clone(), outcome));
    }
    let notifications: usize = outcomes.iter().map(|(_, outcome)| outcome.notifications).sum();
    let unknown_rules = outcomes.iter().filter(|(_, outcome)| outcome.fired.is_none()).count();
    if wanted.most_alerts.is_some() && unknown_rules > 0 {
        host.warning(format!(
            "maxAlerts counts {} of {count} alert rules: how often the others would have fired is not known, and the plan says why at each.",
            count - unknown_rules
        ));
    }
    for (id, outcome) in outcomes {
        put(planned, &id, outcome);
    }
    match wanted.most_alerts.filter(|most| notifications > *most) {
        Some(most) => Err(too_many(notifications, most, span)),
        None => Ok(()),
    }
}

/// Tells how many questions have an answer; of many not each.
fn tell_progress(host: &Host, done: usize, of: usize) {
    let percent = |done: usize| done * 100 / of.max(1);
    if done == 0 || done == of || percent(done) / 5 > percent(done - 1) / 5 {
        host.send(Message::Progress {
            activity_id: ACTIVITY_ID,
            activity: "Rehearsing alert rules".to_owned(),
            status: format!("{done} of {of} answers"),
            current_operation: None,
            percent: u8::try_from(percent(done)).ok(),
            under_way: Vec::new(),
            completed: (done == of).then_some(true),
        });
    }
}

/// The rules that are to be rehearsed.
fn candidates(planned: &Planned, wanted: &RehearsalContext, span: Span) -> Vec<Candidate> {
    let mut found = Vec::new();
    for change in planned.plan.changes.iter().filter(|change| change.kind != ActionKind::Delete) {
        if let Some(body) = change.body.as_ref().filter(|_| is_rule(&change.resource_type.name)) {
            let before = planned.seen.existing.get(&change.id).filter(|_| change.kind == ActionKind::Modify);
            found.push(candidate(&change.id, &change.resource_type.name, body, before, span));
        }
    }
    for resource in planned.plan.unchanged.iter().filter(|_| wanted.all) {
        let body = planned.seen.existing.get(&resource.id);
        if let Some(body) = body.filter(|_| is_rule(resource.resource_type.name)) {
            found.push(candidate(&resource.id, resource.resource_type.name, body, None, span));
        }
    }
    found
}

fn candidate(id: &ResourceId, resource_type: &str, body: &Value, before: Option<&Value>, span: Span) -> Candidate {
    let is_enabled = |body: &Value| body["properties"]["enabled"].as_bool().unwrap_or(true);
    let rule = |body: &Value| Rule::of(resource_type, body, span);
    let wanted =
        if is_enabled(body) { rule(body).map_err(|reason| unknown(reason, span)) } else { Err(disabled(span)) };
    let before = before.filter(|body| is_enabled(body) && wanted.is_ok()).and_then(|body| rule(body).ok());
    Candidate { id: id.clone(), wanted, before }
}

fn put(planned: &mut Planned, id: &ResourceId, outcome: Rehearsal) {
    let plan = &mut planned.plan;
    let outcome = Some(Box::new(outcome));
    if let Some(change) = plan.changes.iter_mut().find(|change| change.id == *id) {
        change.rehearsal = outcome;
    } else if let Some(resource) = plan.unchanged.iter_mut().find(|resource| resource.id == *id) {
        resource.rehearsal = outcome;
    }
}

/// The refusal of a plan whose alerts would have rung too often.
fn too_many(notifications: usize, most: usize, span: Span) -> Failure {
    const WAY_OUT: &str = "Raise the thresholds of the rules that fire most, or maxAlerts; the plan says at each rule how often it would have fired.";
    let message = format!(
        "The alert rules of the plan would have sent {notifications} notifications in the last {}; at most {most} are allowed by maxAlerts. \
         Nothing was changed.",
        span.in_words()
    );
    Box::new(failure(Code::TooManyAlerts, message).recommending(WAY_OUT))
}
