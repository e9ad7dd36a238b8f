//! The answers of Azure Policy to the questions about a plan, and the names of its policies.

use std::collections::HashSet;

use futures::StreamExt;
use futures::future::ready;
use futures::stream::iter;

use crate::azure::{ArmClient, ArmError, READS_AT_ONCE, ResourceId};
use crate::plan::{PolicyAnswers, PolicyNames, PolicyQuestion};

/// Asks the questions: the answers, each with its resource, and why others have none.
///
/// # Errors
/// The caller may not ask, in Azure's words.
pub async fn ask_policies(
    client: &ArmClient,
    questions: Vec<PolicyQuestion>,
) -> Result<(PolicyAnswers, Vec<ArmError>), String> {
    let ask = |question: PolicyQuestion| async move {
        let answer = client.policy_restrictions(&question.scope, &question.body).await;
        (question.id, answer)
    };
    let mut asked = iter(questions).map(ask).buffered(READS_AT_ONCE);
    let (mut answers, mut failed) = (Vec::new(), Vec::new());
    while let Some((id, answer)) = asked.next().await {
        match answer {
            Ok(restrictions) => answers.push((id, restrictions)),
            Err(ArmError::Refused(refusal)) if matches!(refusal.status, 401 | 403) => return Err(refusal.message),
            Err(error) => failed.push(error),
        }
    }
    Ok((answers, failed))
}

/// The display names of the policies that are told. One that cannot be read has its id.
pub async fn policy_names(client: &ArmClient, answers: &PolicyAnswers) -> PolicyNames {
    let policies = answers.iter().flat_map(|(_, told)| {
        told.evaluations.iter().map(|one| &one.policy).chain(told.fields.iter().map(|one| &one.policy))
    });
    // They may be above all subscriptions, as those are that Azure has built in.
    let is_plain = |id: &&String| ResourceId::checked(&format!("/subscriptions/0{id}")).is_some();
    let ids = policies.flat_map(|policy| [&policy.assignment, &policy.definition]).filter(is_plain);
    let ids: HashSet<String> = ids.map(|id| id.to_lowercase()).collect();
    let read = |id: String| async move { client.policy_name(&id).await.map(|name| (id, name)) };
    iter(ids).map(read).buffer_unordered(READS_AT_ONCE).filter_map(ready).collect().await
}
