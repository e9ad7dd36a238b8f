//! What Azure Policy would say to the changes of a plan, asked before anybody else is.

use std::collections::HashSet;

use futures::StreamExt;
use futures::stream::iter;

use super::context::RunContext;
use super::failure::{Failure, refused};
use super::planning::Planned;
use crate::azure::{ArmClient, ArmError, PolicyRestrictions, READS_AT_ONCE, ResourceId};
use crate::plan::{PolicyNames, PolicyQuestion, apply_policies, policy_questions};
use crate::protocol::{ErrorReport, Host, plural};

/// Of policy assignments and definitions: azure-rest-api-specs, specification/resources, Microsoft.Authorization stable.
const API_VERSION: &str = "2025-03-01";

/// Asks Azure Policy about everything that a plan creates or changes, and puts into the plan what policies do.
///
/// # Errors
/// Everything that policies deny, at once.
pub(super) async fn check_policies(
    planned: &mut Planned,
    context: &RunContext,
    client: Option<&ArmClient>,
    host: &Host,
) -> Result<(), Failure> {
    if !context.check_policies {
        return Ok(());
    }
    let Some(client) = client else {
        host.warning("Azure Policy is not asked, because the plan is made offline.");
        return Ok(());
    };
    let questions = policy_questions(&planned.plan);
    let Some(answers) = ask(client, questions, host).await else { return Ok(()) };
    let names = names(client, &answers).await;
    let denied = apply_policies(&mut planned.plan, &planned.wanted, &planned.seen.existing, &answers, &names);
    if denied.is_empty() {
        return Ok(());
    }
    let recommendation = "Change the settings as each line says, or ask whoever assigns the policies for an exemption, and run the command again. Nothing was changed.";
    Err(Box::new(ErrorReport { recommendation: Some(recommendation.to_owned()), ..*refused(denied) }))
}

/// The answers to the questions that have one; nothing where the caller may not ask.
async fn ask(
    client: &ArmClient,
    questions: Vec<PolicyQuestion>,
    host: &Host,
) -> Option<Vec<(ResourceId, PolicyRestrictions)>> {
    let ask = |question: PolicyQuestion| async move {
        let answer = client.policy_restrictions(&question.scope, &question.body).await;
        (question.id, answer)
    };
    let all = questions.len();
    let mut asked = iter(questions).map(ask).buffered(READS_AT_ONCE);
    let (mut answers, mut failed): (Vec<_>, Vec<ArmError>) = (Vec::new(), Vec::new());
    while let Some((id, answer)) = asked.next().await {
        match answer {
            Ok(restrictions) => answers.push((id, restrictions)),
            Err(ArmError::Refused(refusal)) if matches!(refusal.status, 401 | 403) => {
                host.verbose(format!("Azure Policy is not asked, because the caller may not: {}", refusal.message));
                return None;
            }
            Err(error) => failed.push(error),
        }
    }
    if let Some(first) = failed.first() {
        let some = failed.len();
        host.warning(format!("Azure Policy has no answer about {some} of {all} resource{}: {first}", plural(all)));
    }
    Some(answers)
}

/// The display names of the policies that are told. One that cannot be read has its id.
async fn names(client: &ArmClient, answers: &[(ResourceId, PolicyRestrictions)]) -> PolicyNames {
    let policies = answers.iter().flat_map(|(_, told)| {
        told.evaluations.iter().map(|one| &one.policy).chain(told.fields.iter().map(|one| &one.policy))
    });
    // They may be above all subscriptions, as those are that Azure has built in.
    let is_plain = |id: &&String| ResourceId::checked(&format!("/subscriptions/0{id}")).is_some();
    let ids = policies.flat_map(|policy| [&policy.assignment, &policy.definition]).filter(is_plain);
    let ids: HashSet<String> = ids.map(|id| id.to_lowercase()).collect();
    let read = |id: String| async move {
        let body = client.get(&id, API_VERSION).await.ok().flatten()?;
        let name = body["properties"]["displayName"].as_str().filter(|name| !name.is_empty())?.to_owned();
        Some((id, name))
    };
    iter(ids).map(read).buffer_unordered(READS_AT_ONCE).filter_map(|found| async { found }).collect().await
}
