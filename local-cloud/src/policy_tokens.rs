//! Invoke policies: writes to some namespaces are refused until they carry a token that was acquired for just this request.
//!
//! Sources: azure-rest-api-specs, specification/resources, Microsoft.Authorization stable 2025-03-01 (`acquirePolicyToken`), and Azure/azure-sdk
//! issue 10081 for the refusal and the header.

use super::path::ResourceId;
use super::reply::{Answer, Denied, Refusal};
use super::routes::Request;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::collections::{BTreeSet, HashMap};

/// The namespaces under such a policy, and the tokens that were given.
#[derive(Debug, Default)]
pub(super) struct PolicyTokens {
    namespaces: BTreeSet<String>,
    given: HashMap<String, Operation>,
}

/// A request as a token is for it: the method in capitals, the address, and the body byte for byte.
#[derive(Debug, PartialEq, Eq)]
struct Operation {
    method: String,
    uri: String,
    content: Vec<u8>,
}

#[derive(Deserialize)]
struct Asked<'a> {
    #[serde(borrow)]
    operation: AskedOperation<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AskedOperation<'a> {
    uri: String,
    http_method: String,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
}

impl PolicyTokens {
    /// Puts writes to a namespace under a policy.
    pub(super) fn require(&mut self, namespace: &str) {
        self.namespaces.insert(namespace.to_lowercase());
    }

    /// The answer to a request for a token, or to the write of a resource without the one that it needs; none for any other.
    pub(super) fn answer(
        &mut self,
        request: &Request<'_>,
        written: Option<&ResourceId>,
    ) -> Option<Result<Answer, Refusal>> {
        let path = request.url.split('?').next().unwrap_or_default().to_lowercase();
        if request.method == "POST" && path.ends_with("/providers/microsoft.authorization/acquirepolicytoken") {
            return Some(self.acquire(request.body));
        }
        let id = written.filter(|id| self.namespaces.contains(&id.namespace().to_lowercase()))?;
        let sent = Operation {
            method: request.method.to_owned(),
            uri: format!("{}{}", request.base, request.url),
            content: request.body.to_vec(),
        };
        let is_proven =
            request.policy_token.and_then(|token| self.given.get(token)).is_some_and(|given| *given == sent);
        (!is_proven).then(|| Err(refusal(id)))
    }

    fn acquire(&mut self, body: &[u8]) -> Result<Answer, Refusal> {
        let asked: Asked<'_> = serde_json::from_slice(body).map_err(|error| super::routes::invalid_content(&error))?;
        let AskedOperation { uri, http_method, content } = asked.operation;
        let id = uuid::Uuid::new_v4().to_string();
        let token = format!("PoP {id}");
        let content = content.map(|content| content.get().as_bytes().to_vec()).unwrap_or_default();
        self.given.insert(token.clone(), Operation { method: http_method.to_uppercase(), uri, content });
        Ok(Answer::json(200, json!({"result": "Succeeded", "token": token, "tokenId": id, "results": []})))
    }
}

fn refusal(id: &ResourceId) -> Refusal {
    let name = id.name();
    let message = format!("Resource '{name}' was disallowed by policy. A policy token is required.");
    let details = json!({"shouldDeny": true, "isChangeReferenceRequired": false, "endpointKind": "AzureResourceGraph", "endpointResultLifespan": "PT1H"});
    let info = json!({"policyDefinitionDisplayName": "Ask before writing", "evaluationDetails": {"missingPolicyTokenDetails": details}});
    let policies = vec![json!({"type": "PolicyViolation", "info": info})];
    let denied = Some(Box::new(Denied { target: name.to_owned(), policies }));
    Refusal { denied, ..Refusal::new(403, "RequestDisallowedByPolicy", message) }
}
