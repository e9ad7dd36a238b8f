//! The target that a run deploys to, and the choices that its plan is made with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// The cloud, the subscription and the identity of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// The name of the cloud in the context, as in `public`, or the URL of its Resource Manager.
    pub cloud: String,
    /// Its Resource Manager endpoint: a URL without a path.
    pub endpoint: String,
    /// GUID of the subscription.
    pub subscription_id: String,
    /// Its display name, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subscription_name: Option<String>,
    /// GUID of the tenant, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// The credential, and whose it is. None on the local cloud, which asks nobody who they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// The environment, and the files of the project; in the message only, a plan has them beside the target.
    #[serde(flatten, skip_deserializing)]
    #[schemars(skip)]
    pub made_with: MadeWith,
}

/// The environment of a plan, and the files of its project.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeWith {
    /// The environment that generated names are for, as in `development`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(extend("default" = ""))]
    pub environment: String,
    /// The files beside the documents that were read, as in `_names/tokens.yml`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub project_files: Vec<String>,
    /// The number of items and documents that the environment does not have (`onlyIn`, `notIn`).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub(crate) fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl MadeWith {
    /// The environment as people read it: `development`, `development (2 items of the settings are left out)`.
    #[must_use]
    pub fn environment_in_words(&self) -> String {
        let MadeWith { environment, left_out, .. } = self;
        match left_out {
            0 => environment.clone(),
            1 => format!("{environment} (1 item of the settings is left out)"),
            more => format!("{environment} ({more} items of the settings are left out)"),
        }
    }
}

impl Target {
    /// The subscription in a sentence: `'Production' (00000000-…)`, or its id alone.
    #[must_use]
    pub fn subscription(&self) -> String {
        match &self.subscription_name {
            Some(name) => format!("'{name}' ({})", self.subscription_id),
            None => self.subscription_id.clone(),
        }
    }

    /// Whether this machine serves it, as the local cloud: what is deleted there is a rehearsal.
    #[must_use]
    pub fn is_this_machine(&self) -> bool {
        Url::parse(&self.endpoint).is_ok_and(|endpoint| is_loopback(&endpoint))
    }

    /// The sentence that hosts show before anything is read.
    #[must_use]
    pub fn description(&self) -> String {
        let tenant = self.tenant_id.as_ref().map(|tenant| format!(", tenant {tenant}")).unwrap_or_default();
        let identity = self.identity.as_ref().map(|identity| format!(", as {identity}")).unwrap_or_default();
        let cloud = if self.cloud.contains("://") { self.cloud.clone() } else { format!("the {} cloud", self.cloud) };
        let environment = match self.made_with.environment.as_str() {
            "" => String::new(),
            environment => format!(", environment {environment}"),
        };
        format!("Target: {cloud}, subscription {}{environment}{tenant}{identity}.", self.subscription())
    }
}

/// Whether the host of a URL is this machine.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        None => false,
    }
}

/// A target with the sentence that hosts show.
pub(super) fn with_description<S: serde::Serializer>(target: &Target, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct WithDescription<'a> {
        #[serde(flatten)]
        target: &'a Target,
        description: String,
    }
    WithDescription { target, description: target.description() }.serialize(serializer)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::protocol::Message;

    #[test]
    fn what_this_machine_serves_is_no_cloud() {
        let is = |endpoint: &str| Target { endpoint: endpoint.to_owned(), ..Target::default() }.is_this_machine();
        for endpoint in ["http://127.0.0.1:8090", "https://localhost:8443", "http://[::1]:1"] {
            assert!(is(endpoint), "{endpoint}");
        }
        for endpoint in ["https://management.azure.com", "https://arm.example", "http://127.0.0.1.example", "", "local"]
        {
            assert!(!is(endpoint), "{endpoint}");
        }
    }

    #[test]
    fn the_sentence_has_what_is_known() {
        let target = Target {
            cloud: "public".to_owned(),
            endpoint: "https://management.azure.com".to_owned(),
            subscription_id: "00000000-0000-0000-0000-000000000001".to_owned(),
            ..Target::default()
        };
        assert_eq!(
            target.description(),
            "Target: the public cloud, subscription 00000000-0000-0000-0000-000000000001."
        );
        let target = Target {
            subscription_name: Some("Production".to_owned()),
            tenant_id: Some("00000000-0000-0000-0000-000000000002".to_owned()),
            identity: Some("deploy@example.com (Azure CLI)".to_owned()),
            made_with: MadeWith { environment: "test".to_owned(), ..MadeWith::default() },
            ..target
        };
        assert_eq!(
            serde_json::to_value(Message::Target(target)).unwrap(),
            json!({
                "event": "target",
                "cloud": "public",
                "endpoint": "https://management.azure.com",
                "subscriptionId": "00000000-0000-0000-0000-000000000001",
                "subscriptionName": "Production",
                "tenantId": "00000000-0000-0000-0000-000000000002",
                "identity": "deploy@example.com (Azure CLI)",
                "environment": "test",
                "description": "Target: the public cloud, subscription 'Production' (00000000-0000-0000-0000-000000000001), \
                    environment test, tenant 00000000-0000-0000-0000-000000000002, as deploy@example.com (Azure CLI)."
            })
        );
    }
}
