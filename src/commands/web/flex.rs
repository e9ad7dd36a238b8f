//! The configuration that function apps on Flex Consumption plans have in place of a stack: their runtime, how they scale, and the
//! container that their code is deployed to.

use md5::{Digest, Md5};
use serde_json::{Value, json};

use super::function_storage::Host;
use crate::azure::ResourceId;
use crate::azure::types::BLOB_CONTAINER;
use crate::commands::shared::compilation::Compilation;
use crate::desired::Desired;
use crate::protocol::{FindingCode, alternatives};
use crate::settings::Place;

/// The runtimes that run there, as stacks name them (Functions documentation, "Flex Consumption plan"). On the wire they are in lower case.
const RUNTIMES: &[&str] = &["DOTNET-ISOLATED", "NODE", "JAVA", "POWERSHELL", "PYTHON", "CUSTOM"];

/// The scale that a new app gets: the most instances, and the memory of each (the defaults of Azure's portal and command line).
const MOST_INSTANCES: u32 = 100;
const INSTANCE_MEMORY_MB: u32 = 2048;

/// The longest part of an app's name in the name of its container.
const LONGEST_NAME_PART: usize = 32;

/// The runtime of a stack such as `PYTHON|3.12`; a finding where Flex Consumption does not run it.
pub(super) fn runtime(stack: &str, place: &Place, compilation: &mut Compilation<'_>) -> Value {
    let (name, version) = stack.split_once('|').unwrap_or((stack, ""));
    if !version.is_empty() && !RUNTIMES.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        let message = format!("Flex Consumption plans do not run {name}; use {}", alternatives(RUNTIMES));
        compilation.finding(place.clone(), FindingCode::CombinationNotInAzure, message);
    }
    json!({ "name": name.to_lowercase(), "version": version })
}

/// The configuration that a new app gets beside its runtime.
pub(super) fn creation_config(app: &ResourceId, host: &Host) -> Value {
    let authentication = match host.key_setting {
        Some(setting) => {
            json!({ "type": "StorageAccountConnectionString", "storageAccountConnectionStringName": setting })
        }
        None => json!({ "type": "SystemAssignedIdentity" }),
    };
    json!({
        "deployment": { "storage": {
            "type": "blobContainer",
            "value": format!("{}/{}", host.blob_address, container_name(app)),
            "authentication": authentication,
        } },
        "scaleAndConcurrency": { "maximumInstanceCount": MOST_INSTANCES, "instanceMemoryMB": INSTANCE_MEMORY_MB },
    })
}

/// The container of an app; none for an existing app that has another one.
pub(super) fn container(
    app: &ResourceId,
    existing: Option<&Value>,
    host: &Host,
    place: &Place,
    origin: &'static str,
) -> Option<Desired> {
    let name = container_name(app);
    let known =
        existing.and_then(|existing| existing.pointer("/properties/functionAppConfig/deployment/storage/value"));
    let is_own = known.and_then(Value::as_str).is_none_or(|address| address.ends_with(&format!("/{name}")));
    is_own.then(|| Desired {
        keep_existing: true,
        origins: vec![("", origin)],
        ..Desired::new(BLOB_CONTAINER.child_of(&host.account, &name), &BLOB_CONTAINER, json!({}), place.clone())
    })
}

/// Always the same for an app, so that it is found again. Names of containers have no two hyphens in a row.
fn container_name(app: &ResourceId) -> String {
    let name = app.name().to_lowercase();
    let parts: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).collect();
    let part: String = parts.join("-").chars().take(LONGEST_NAME_PART).collect();
    let digest = Md5::digest(app.as_str().to_lowercase());
    let hash: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("app-package-{}-{hash}", part.trim_end_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_containers_are_legal() {
        let of = |name: &str| {
            let group = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Web/sites";
            container_name(&ResourceId::new(format!("{group}/{name}")))
        };
        for name in ["func-orders-dev-f8274b04", "Func--A", &"a".repeat(60), &format!("{}-b", "a".repeat(31))] {
            let container = of(name);
            assert!(container.starts_with("app-package-") && container.len() <= 63, "{container}");
            assert!(!container.contains("--") && container == container.to_lowercase(), "{container}");
            assert!(BLOB_CONTAINER.check_name(&container).is_ok(), "{container}");
        }
        assert_ne!(of(&format!("{}x", "a".repeat(40))), of(&format!("{}y", "a".repeat(40))));
    }
}
