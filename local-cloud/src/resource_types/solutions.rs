//! Microsoft.OperationsManagement/solutions: what Microsoft and others add to a workspace.
//!
//! Sources: azure-rest-api-specs 2015-11-01-preview, the operations-management/solution module of Azure Verified Modules for
//! names and plans, and the azurerm provider for the group. Every solution is still accepted here; most are retired in Azure.

use super::alert_rules::bad_request;
use super::operationalinsights::WORKSPACE;
use super::shape;
use super::{Refusal, ResourceId, Write, text};
use crate::lookup::look_up;
use crate::state::Body;
use serde_json::Value;

const PUBLISHER: &str = "Microsoft";
const GALLERY: &str = "OMSGallery/";

/// The solution and the workspace of a name: `Updates(logs)`, or `Other[logs]` where it is not Microsoft's.
fn parts(name: &str) -> Option<(&str, &str)> {
    let (open, close) = if name.ends_with(')') { ('(', ')') } else { ('[', ']') };
    let (solution, workspace) = name.strip_suffix(close)?.split_once(open)?;
    let legal = |part: &str, also: &str| {
        !part.is_empty() && part.chars().all(|letter| letter.is_ascii_alphanumeric() || also.contains(letter))
    };
    (legal(solution, "") && legal(workspace, "-")).then_some((solution, workspace))
}

pub(super) fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    match parts(id.name()) {
        Some(_) => Ok(()),
        None => Err(bad_request(format!(
            "The solution name '{}' is invalid. It is the solution and, in parentheses, the name of the workspace.",
            id.name()
        ))),
    }
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    let empty = Body::new();
    let plan = write.body.get("plan").and_then(Value::as_object).unwrap_or(&empty);
    shape::check(plan, "plan", "plan of a solution")?;
    let member = |name: &str| text(plan, name).unwrap_or_default();
    let (solution, workspace) = parts(write.id.name()).unwrap_or_default();
    if !member("name").eq_ignore_ascii_case(write.id.name()) {
        return Err(bad_request(format!(
            "The name '{}' of the plan is not that of the solution, '{}'.",
            member("name"),
            write.id.name()
        )));
    }
    if member("publisher") == PUBLISHER && member("product") != format!("{GALLERY}{solution}") {
        return Err(bad_request(format!(
            "The product '{}' of the plan is not '{GALLERY}{solution}'. It is case sensitive.",
            member("product")
        )));
    }
    let wanted = text(write.body, "properties/workspaceResourceId").unwrap_or_default();
    let id = ResourceId::parse(wanted)
        .filter(|id| id.type_name().eq_ignore_ascii_case(WORKSPACE))
        .ok_or_else(|| bad_request(format!("The workspaceResourceId '{wanted}' is not the id of a workspace.")))?;
    if !id.name().eq_ignore_ascii_case(workspace) {
        return Err(bad_request(format!(
            "The solution '{}' is not for the workspace '{}'.",
            write.id.name(),
            id.name()
        )));
    }
    if id.container().key() != write.id.container().key() {
        return Err(bad_request("A solution and its workspace can only exist in the same resource group.".to_owned()));
    }
    look_up(write.state, &id).map(drop)
}
