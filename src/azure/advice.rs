//! The advice for the codes of Azure. One table.

use super::refusal::Refusal;
use super::resource_id::ResourceId;

/// One piece of advice, and what it is for.
struct Advice {
    /// The code; any where it is empty.
    code: &'static str,
    /// The words that Azure's code and message have to contain, ignoring case.
    says: &'static str,
    /// The status, 0 for an operation that was begun and failed; any where there is none.
    status: Option<u16>,
    /// The sentences. What stands in braces is taken from Azure's words; advice that asks for more than they say is passed over.
    text: &'static str,
}

const fn by_code(code: &'static str, text: &'static str) -> Advice {
    Advice { code, says: "", status: None, text }
}

const fn by_words(code: &'static str, says: &'static str, text: &'static str) -> Advice {
    Advice { code, says, status: None, text }
}

const fn by_status(status: u16, text: &'static str) -> Advice {
    Advice { code: "", says: "", status: Some(status), text }
}

const TAKEN: &str = "This name must be unique across Azure and is already taken. Choose another name in the settings, or add the organisation to names with a naming file (_names).";
const ROUTE_TAKEN: &str = "Another route of the front door answers these requests. Take the pattern or the domain out of it, or delete it, then run the command again.";
const QUOTA: &str = "A quota of the subscription is used up. Remove what is not needed, choose another region, or ask for more in the Azure portal under Quotas.";
const REGISTER: &str = "Ask somebody who may register resource providers to run Register-AzResourceProvider -ProviderNamespace {namespace} or az provider register \
     --namespace {namespace}, then run the command again.";

/// The first that fits counts. Sources: "Troubleshoot common Azure deployment errors" of Azure Resource Manager, and the
/// troubleshooting pages of the services.
const ADVICE: &[Advice] = &[
    by_code(
        "",
        "Azure requires another sign-in step. Sign in again with Connect-AzAccount -ClaimsChallenge \"{claims}\" or az login --claims-challenge \"{claims}\", \
             then run the command again.",
    ),
    by_code(
        "InvalidAuthenticationTokenTenant",
        "The identity signed in to a different tenant than the subscription's. Choose the tenant {tenant} (Set-SvcContext -TenantId \
             or AZURE_TENANT_ID), or another subscription.",
    ),
    by_code("ExpiredAuthenticationToken", "The token had expired. Sign in again, and check the clock of this machine."),
    by_code("StorageAccountAlreadyTaken", TAKEN),
    by_code("StorageAccountAlreadyExists", TAKEN),
    by_code(
        "ServiceAlreadyExistsInSoftDeletedState",
        "A deleted API Management service with this name is kept for 48 hours. Restore it in the Azure portal, or purge it with az apim \
             deletedservice purge, then run the command again.",
    ),
    by_code("ServiceAlreadyExists", TAKEN),
    by_words(
        "",
        "exists in deleted state",
        "A deleted vault with this name is kept. Restore it with az keyvault recover, or purge it with az keyvault purge, then run the command again.",
    ),
    by_code("VaultAlreadyExists", TAKEN),
    by_words(
        "",
        "workspace name",
        "Another workspace has this name, or one that was deleted within the last 14 days keeps it. Restore that one with az monitor log-analytics workspace \
             recover, or choose another name.",
    ),
    by_words("", "website with given name", TAKEN),
    by_code("DnsRecordInUse", TAKEN),
    by_words(
        "",
        "soft-deleted",
        "A deleted resource with this name is kept. Restore or purge it, then run the command again.",
    ),
    by_code(
        "RoleAssignmentUpdateNotPermitted",
        "The role is still assigned to the identity of an app that is gone. Delete that role assignment, then run the command again.",
    ),
    by_code(
        "LinkedAuthorizationFailed",
        "Give the identity a role with the action {action} at {scope}, then run the command again.",
    ),
    by_code(
        "AuthorizationFailed",
        "Give the identity a role with the action {action} at {scope}, then run the command again; a new role takes a few minutes to take effect.",
    ),
    by_code(
        "AuthorizationFailed",
        "Give the identity a role with the action that the message names, then run the command again.",
    ),
    by_code(
        "RequestDisallowedByPolicy",
        "Change the settings to what the policy {policy} allows, or ask its owner for an exemption.",
    ),
    by_code(
        "RequestDisallowedByPolicy",
        "An Azure Policy denies this. Change the settings to what it allows, or ask its owner for an exemption.",
    ),
    by_code(
        "ScopeLocked",
        "A lock protects {locked}. Remove it (Get-AzResourceLock and Remove-AzResourceLock, or az lock list and az lock delete), then run the command again.",
    ),
    by_code("ScopeLocked", "A lock protects this scope. Remove the lock, then run the command again."),
    by_code(
        "ReadOnlyDisabledSubscription",
        "The subscription is disabled, so nothing in it can be changed. Ask its owner to enable it.",
    ),
    by_code("MissingSubscriptionRegistration", REGISTER),
    by_code("MissingRegistrationForLocation", REGISTER),
    by_code(
        "SubscriptionNotRegistered",
        "Register the subscription for the resource provider that the message names, then run the command again.",
    ),
    by_words("", "quota", QUOTA),
    by_code("PublicIPCountLimitReached", QUOTA),
    by_code("MaxStorageAccountsCountPerSubscriptionExceeded", QUOTA),
    by_code(
        "SkuNotAvailable",
        "This size is not available to the subscription in this region. Choose another size or region.",
    ),
    by_code(
        "LocationNotAvailableForResourceType",
        "The region does not offer this kind of resource. Choose one that the message names.",
    ),
    by_code("SubscriptionNotFound", "Check the subscription id, and that the identity may see the subscription."),
    by_words("", "differ in domain, pattern or protocol", ROUTE_TAKEN),
    by_words("", "same domain and pattern", ROUTE_TAKEN),
    by_words(
        "",
        "already associated with another endpoint",
        "A route of another endpoint of the front door has the domain. Take it out of that route, then run the command again.",
    ),
    by_words(
        "",
        "already associated with the security policy",
        "Another security policy protects the domain. Take the domain out of it, then run the command again.",
    ),
    by_words(
        "",
        "already in use by an azure front door profile",
        "Another custom domain, in this profile or another one, has the host name. Delete it, then run the command again.",
    ),
    by_words(
        "",
        "resource name isn't available",
        "Another endpoint has the name, perhaps in the profile that the document had under another name before. Delete that profile, or give this one its name, then run the command again.",
    ),
    by_words(
        "",
        "the last origin",
        "A route or a rule set still uses the origin group, which needs an enabled origin: give it another one, or take the origin group out of the route, then run the command again.",
    ),
    by_words(
        "",
        "still associated",
        "Something still uses the resource: take it out of what the message names, then run the command again.",
    ),
    by_status(
        0,
        "The operation was begun and failed. Correct what the message names, then run the command again; it continues where it stopped.",
    ),
    by_status(400, "Correct what the message names, then run the command again; it continues where it stopped."),
    by_status(
        401,
        "The token was refused. Check which tenant the identity signed in to and which cloud is chosen, then sign in again.",
    ),
    by_status(403, "Give the identity the permission that the message names, then run the command again."),
    by_status(409, "Something else is changing the resource. Run the command again when it is done."),
    by_status(
        429,
        "Azure is throttling this subscription. Run the command again later; it continues where it stopped.",
    ),
    by_status(500, "Azure had an internal problem. Run the command again; it continues where it stopped."),
];

/// The advice for a refusal. Where the resource does not exist yet (`is_new`) no role can be given at it: then it is one at
/// what it is in.
pub(super) fn advice(refusal: &Refusal, is_new: bool) -> Option<String> {
    let words = format!("{} {}", refusal.code, refusal.message).to_lowercase();
    let status = refusal.status.min(500);
    ADVICE
        .iter()
        .filter(|advice| advice.code.is_empty() || advice.code.eq_ignore_ascii_case(&refusal.code))
        .filter(|advice| words.contains(advice.says) && advice.status.is_none_or(|wanted| wanted == status))
        .find_map(|advice| filled(advice.text, refusal, is_new))
}

/// The text with what Azure's words say in the place of the braces; none where they do not say it.
fn filled(text: &str, refusal: &Refusal, is_new: bool) -> Option<String> {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        result.push_str(before);
        result.push_str(&said(name, refusal, is_new)?);
        rest = after;
    }
    result.push_str(rest);
    Some(result)
}

fn said(name: &str, refusal: &Refusal, is_new: bool) -> Option<String> {
    let message = refusal.message.as_str();
    match name {
        // Of a linked refusal the last action is the one that is missing.
        "action" => quoted_after(message, "perform action").map(|(action, _)| action.to_owned()),
        "scope" => {
            let (_, rest) = quoted_after(message, "perform action")?;
            let (_, rest) = rest.split_once("scope")?;
            let (scope, _) = quoted_after(rest, "")?;
            let is_linked = refusal.code.eq_ignore_ascii_case("LinkedAuthorizationFailed");
            let above = Some(scope).filter(|_| is_new && !is_linked).and_then(above);
            Some(above.map_or_else(|| scope.to_owned(), |above| above.to_string()))
        }
        "policy" => refusal.policies.first().map(|policy| policy.split(':').next().unwrap_or_default().to_owned()),
        "locked" => quoted_after(message, "locked:").map(|(scope, _)| scope.to_owned()),
        "namespace" => namespace(refusal).map(str::to_owned),
        // https://sts.windows.net/{tenant}/
        "tenant" => quoted_after(message, "must match the tenant")
            .and_then(|(url, _)| url.trim_end_matches('/').rsplit('/').next())
            .map(str::to_owned),
        "claims" => refusal.claims.clone(),
        _ => None,
    }
}

/// The resource group of a resource; the subscription of a group.
fn above(scope: &str) -> Option<ResourceId> {
    let id = ResourceId::new(scope);
    let group = id.group_id()?;
    if group == id { group.parent() } else { Some(group) }
}

/// The namespace that a subscription is not registered for, by Azure's words.
pub(super) fn namespace(refusal: &Refusal) -> Option<&str> {
    quoted_after(&refusal.message, "to use namespace").map(|(namespace, _)| namespace)
}

/// The text in quotes after the last time of these words, or first of all, and what follows it.
fn quoted_after<'a>(text: &'a str, words: &str) -> Option<(&'a str, &'a str)> {
    let after = if words.is_empty() { text } else { &text[text.rfind(words)? + words.len()..] };
    let (quoted, rest) = after.split_once('\'')?.1.split_once('\'')?;
    (!quoted.is_empty()).then_some((quoted, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(status: u16, code: &str, message: &str) -> String {
        let refusal = Refusal { status, code: code.to_owned(), message: message.to_owned(), ..Refusal::default() };
        advice(&refusal, false).unwrap_or_default()
    }

    #[test]
    fn the_missing_action_and_its_scope_are_named() {
        let message = "The client 'c' with object id 'o' does not have authorization to perform action 'Microsoft.Storage/storageAccounts/write' over scope '/subscriptions/s' or the scope is invalid.";
        assert_eq!(
            about(403, "AuthorizationFailed", message),
            "Give the identity a role with the action Microsoft.Storage/storageAccounts/write at /subscriptions/s, then run the command again; a new role takes a few minutes to take effect."
        );
        assert!(about(403, "AuthorizationFailed", "No.").contains("that the message names"));
        let linked = "The client has permission to perform action 'Microsoft.Network/privateEndpoints/write' on scope '/s/pe'; however, it does not have permission to perform action(s) 'Microsoft.Network/virtualNetworks/subnets/join/action' on the linked scope(s) '/s/subnet' or the linked scope(s) are invalid.";
        assert_eq!(
            about(403, "LinkedAuthorizationFailed", linked),
            "Give the identity a role with the action Microsoft.Network/virtualNetworks/subnets/join/action at /s/subnet, then run the command again."
        );
    }

    #[test]
    fn a_role_at_what_does_not_exist_yet_is_one_at_what_it_is_in() {
        let about = |scope: &str, is_new| {
            let message = format!(
                "The client 'c' does not have authorization to perform action 'A/b/write' over scope '{scope}' or the scope is invalid."
            );
            let code = "AuthorizationFailed".to_owned();
            advice(&Refusal { status: 403, code, message, ..Refusal::default() }, is_new).unwrap()
        };
        let (group, account) = ("/subscriptions/s/resourceGroups/g", "/providers/A/b/x/c/y");
        let start = |scope: &str| format!("Give the identity a role with the action A/b/write at {scope}, then run");
        assert!(about(&format!("{group}{account}"), true).starts_with(&start(group)));
        assert!(about(&format!("{group}{account}"), false).starts_with(&start(&format!("{group}{account}"))));
        assert!(about(group, true).starts_with(&start("/subscriptions/s")));
        assert!(
            about("/subscriptions/s/providers/A/b/x", true).starts_with(&start("/subscriptions/s/providers/A/b/x"))
        );
    }

    #[test]
    fn the_more_telling_advice_goes_first() {
        assert!(about(409, "Conflict", "The workspace name 'log-x' is not unique").contains("workspace recover"));
        assert!(
            about(409, "ConflictError", "A vault with the same name already exists in deleted state.")
                .contains("keyvault purge")
        );
        assert!(about(409, "Conflict", "Busy.").contains("Something else is changing"));
        assert!(
            about(
                400,
                "OperationNotAllowed",
                "Operation could not be completed as it results in exceeding approved Total Quota."
            )
            .contains("Quotas")
        );
        let locked = "The scope '/s/a' cannot perform delete operation because following scope(s) are locked: '/s/g'. Please remove the lock and try again.";
        assert!(about(409, "ScopeLocked", locked).starts_with("A lock protects /s/g."));
        let tenant = "The access token is from the wrong issuer 'https://sts.windows.net/one/'. It must match the tenant 'https://sts.windows.net/two/' associated with this subscription.";
        assert!(about(401, "InvalidAuthenticationTokenTenant", tenant).contains("Choose the tenant two "));
        for (status, message, advice) in [
            (409, "Routes must differ in domain, pattern or protocol: 'x' has it.", "Another route of the front door"),
            (409, "The custom domain 'd' is already associated with another endpoint.", "A route of another endpoint"),
            (400, "The domain 'd' is already associated with the security policy 's'.", "Another security policy"),
            (409, "The custom domain 'h' is already in use by an Azure Front Door profile.", "Another custom domain"),
            (409, "That resource name isn't available.", "Another endpoint has the name"),
            (409, "This resource is still associated with a route. Please delete it.", "Something still uses"),
            (
                409,
                "Cannot disable or delete the last origin when the origin group is still associated with a route.",
                "needs an enabled origin",
            ),
        ] {
            assert!(about(status, "Conflict", message).contains(advice), "{message}");
        }
        assert!(about(503, "Unknown", "").contains("internal problem"));
        assert_eq!(about(418, "Unknown", ""), "");
    }

    #[test]
    fn a_claims_challenge_says_how_to_answer_it() {
        let refusal = Refusal {
            status: 401,
            code: "InvalidAuthenticationToken".to_owned(),
            claims: Some("eyJ4Ijp7fX0=".to_owned()),
            ..Refusal::default()
        };
        let advice = advice(&refusal, false).unwrap();
        assert!(advice.contains("az login --claims-challenge \"eyJ4Ijp7fX0=\""), "{advice}");
    }
}
