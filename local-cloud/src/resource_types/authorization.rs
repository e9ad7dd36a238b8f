//! Microsoft.Authorization: role assignments, of which nothing checks whether they are enough for a request, and policies.
//!
//! Sources: azure-rest-api-specs 2022-04-01; learn.microsoft.com, "Troubleshoot Azure RBAC" (codes and wording).

use super::{PROXY, Refusal, ResourceId, ResourceType, Write, done, known_value, properties_mut, text};
use crate::policies;
use crate::state::Body;
use serde_json::Value;

/// The type of role assignments, which are on subscriptions, groups and resources.
pub(crate) const ROLE_ASSIGNMENT: &str = "Microsoft.Authorization/roleAssignments";
pub(super) const ROLE_DEFINITION: &str = "Microsoft.Authorization/roleDefinitions";

const PRINCIPAL_TYPES: &[&str] = &["User", "Group", "ServicePrincipal", "ForeignGroup", "Device"];

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType {
        name: ROLE_ASSIGNMENT,
        create: done(201),
        shows_deleted: true,
        read_only: &["scope", "createdOn", "updatedOn", "createdBy", "updatedBy"],
        worldwide_name: true,
        check_name,
        check,
        complete,
        ..PROXY
    },
    ResourceType {
        name: policies::DEFINITION,
        create: done(201),
        update: done(201),
        check: policies::check_definition,
        ..PROXY
    },
    ResourceType {
        name: "Microsoft.Authorization/policyAssignments",
        create: done(201),
        update: done(201),
        shows_deleted: true,
        read_only: &["scope"],
        check: policies::check_assignment,
        complete: |write, body| {
            properties_mut(body).map(|it| it.insert("scope".to_owned(), write.id.parent().text().into()));
        },
        ..PROXY
    },
];

fn is_guid(text: &str) -> bool {
    text.len() == 36 && uuid::Uuid::try_parse(text).is_ok()
}

fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    if is_guid(id.name()) {
        return Ok(());
    }
    Err(Refusal::bad_request(
        "InvalidRoleAssignmentId",
        format!("The role assignment ID '{}' is not valid. The role assignment ID must be a GUID.", id.name()),
    ))
}

/// The grant of an assignment: the principal and the GUID of the role, in lower case.
fn grant(body: &Body) -> Option<(String, String)> {
    let principal = text(body, "properties/principalId")?.to_lowercase();
    let role = ResourceId::parse(text(body, "properties/roleDefinitionId")?)?;
    Some((principal, role.name().to_lowercase()))
}

fn check(write: &Write<'_>) -> Result<(), Refusal> {
    let principal = text(write.body, "properties/principalId").unwrap_or_default();
    if !is_guid(principal) {
        return Err(Refusal::bad_request(
            "InvalidPrincipalId",
            "A valid principal ID must be provided for role assignment.",
        ));
    }
    let role = text(write.body, "properties/roleDefinitionId").unwrap_or_default();
    let is_role = |id: &ResourceId| id.type_name().eq_ignore_ascii_case(ROLE_DEFINITION) && is_guid(id.name());
    if !ResourceId::parse(role).is_some_and(|id| is_role(&id)) {
        return Err(Refusal::bad_request(
            "RoleDefinitionDoesNotExist",
            format!("The specified role definition with ID '{role}' does not exist."),
        ));
    }
    if let Some(kind) = text(write.body, "properties/principalType")
        && known_value(PRINCIPAL_TYPES, kind).is_none()
    {
        return Err(Refusal::bad_request(
            "InvalidPrincipalType",
            format!("The principalType '{kind}' is not one of {}.", PRINCIPAL_TYPES.join(", ")),
        ));
    }
    let wanted = grant(write.body);
    let owner = write.state.owner_of_worldwide_name(ROLE_ASSIGNMENT, write.id.name());
    let elsewhere = owner.is_some_and(|owner| owner != write.id.key());
    if elsewhere || write.existing.is_some_and(|existing| grant(existing) != wanted) {
        return Err(Refusal::conflict(
            "RoleAssignmentUpdateNotPermitted",
            "Tenant ID, application ID, principal ID, and scope are not allowed to be updated.",
        ));
    }
    let scope = write.id.parent().key();
    let prefix = format!("{scope}/providers/microsoft.authorization/roleassignments/");
    let same = write.state.below(&prefix).find(|(key, other)| *key != write.id.key() && grant(&other.body) == wanted);
    match same {
        None => Ok(()),
        Some((_, other)) => Err(Refusal::conflict(
            "RoleAssignmentExists",
            format!(
                "The role assignment already exists. The ID of the existing role assignment is {}.",
                other.text("name").replace('-', "")
            ),
        )),
    }
}

fn complete(write: &Write<'_>, body: &mut Body) {
    let scope = write.id.parent().text();
    let before = |name: &str| write.existing.and_then(|existing| super::property(existing, name)).cloned();
    let now = Value::from(write.now.text());
    let created = before("createdOn").unwrap_or_else(|| now.clone());
    let Some(properties) = properties_mut(body) else { return };
    for (name, value) in [("scope", scope.into()), ("createdOn", created), ("updatedOn", now)] {
        properties.insert(name.to_owned(), value);
    }
}
