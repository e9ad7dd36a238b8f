//! The answers of Azure Policy to the changes of a plan, asked before anybody else is.

use super::context::RunContext;
use super::failure::{Failure, refused};
use super::planning::Planned;
use crate::azure::ArmClient;
use crate::plan::{apply_policies, policy_questions};
use crate::protocol::{Host, plural};
use crate::world::{ask_policies, policy_names};

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
    let all = questions.len();
    let forbidden = |why: &String| host.verbose(format!("Azure Policy is not asked, as the caller may not: {why}"));
    let Ok((answers, failed)) = ask_policies(client, questions).await.inspect_err(forbidden) else { return Ok(()) };
    if let Some(first) = failed.first() {
        let (some, of) = (failed.len(), format!("{all} resource{}", plural(all)));
        host.warning(format!(
            "Azure Policy has no answer about {some} of {of}, so what it denies of them is not known: {first}"
        ));
    }
    let names = policy_names(client, &answers).await;
    let denied = apply_policies(&mut planned.plan, &planned.wanted, &planned.seen.existing, &answers, &names);
    if denied.is_empty() {
        return Ok(());
    }
    let recommendation = "Change the settings as each line says, or ask whoever assigns the policies for an exemption, and run the command again. Nothing was changed.";
    Err(Box::new(refused(denied).recommending(recommendation)))
}
