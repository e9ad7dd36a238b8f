//! Names inside a template: symbols of resources, parameters, and nested deployments.

use std::collections::HashSet;

use md5::{Digest, Md5};

use crate::azure::ResourceId;

/// The longest name of a deployment (REST specification of Microsoft.Resources/deployments).
const LONGEST_DEPLOYMENT_NAME: usize = 64;
/// The bytes of a hash that tell the deployments of one resource group apart.
const HASH_BYTES: usize = 4;

/// Names of which each is given once, whatever the case of letters: expressions ignore it.
#[derive(Debug, Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// The name, with a number where it is taken.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let mut number = 1;
        loop {
            let candidate = if number == 1 { name.to_owned() } else { format!("{name}_{number}") };
            if self.0.insert(candidate.to_ascii_lowercase()) {
                return candidate;
            }
            number += 1;
        }
    }
}

/// The symbol of a resource: `storageAccount_stordersdb8e13ec`. Symbols have letters, digits and underscores (Azure Resource Manager,
/// "Template structure", languageVersion 2.0).
pub(super) fn symbol(label: &str, id: &ResourceId) -> String {
    let name: String =
        id.full_name().chars().map(|part| if part.is_ascii_alphanumeric() { part } else { '_' }).collect();
    format!("{}_{name}", camel(&[label]))
}

/// Words as one word: `shopFilesStorageAccountId`.
pub(super) fn camel(texts: &[&str]) -> String {
    let mut made = String::new();
    let words = texts.iter().flat_map(|text| text.split(|part: char| !part.is_ascii_alphanumeric()));
    for word in words.filter(|word| !word.is_empty()) {
        let is_acronym = word.len() > 1 && word.chars().all(|part| part.is_ascii_uppercase() || part.is_ascii_digit());
        let word = if is_acronym { word.to_ascii_lowercase() } else { word.to_owned() };
        let (first, rest) = word.split_at(1);
        let first = if made.is_empty() { first.to_ascii_lowercase() } else { first.to_ascii_uppercase() };
        made.push_str(&first);
        made.push_str(rest);
    }
    // A name does not begin with a digit.
    if made.starts_with(|first: char| first.is_ascii_digit()) { format!("n{made}") } else { made }
}

/// The name of the deployment of some resources in a group: always the same for these, and another one for those of another document,
/// because Azure runs one deployment of a name at a time.
pub(super) fn deployment<'a>(group: &str, resources: impl Iterator<Item = &'a ResourceId>) -> String {
    let mut hash = Md5::new();
    for id in resources {
        hash.update(id.as_str().to_ascii_lowercase());
        hash.update("\n");
    }
    let hash: String = hash.finalize().iter().take(HASH_BYTES).map(|byte| format!("{byte:02x}")).collect();
    let is_legal = |part: &char| part.is_ascii_alphanumeric() || "-._()".contains(*part);
    let longest = LONGEST_DEPLOYMENT_NAME - "svc--".len() - hash.len();
    let group: String = group.chars().filter(is_legal).take(longest).collect();
    format!("svc-{group}-{hash}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once() {
        let mut names = Names::default();
        assert_eq!(["a", "A", "b", "a"].map(|name| names.unique(name)), ["a", "A_2", "b", "a_3"]);
    }

    #[test]
    fn words_become_one() {
        assert_eq!(camel(&["shop-files", "storage account", "id"]), "shopFilesStorageAccountId");
        assert_eq!(camel(&["API management service"]), "apiManagementService");
        assert_eq!(camel(&["1st", "größe"]), "n1stGrE");
    }

    #[test]
    fn symbols_have_no_other_signs() {
        let group = ResourceId::subscription("s").group("g");
        let account = group.resource("Microsoft.Storage/storageAccounts", "st");
        let queue = account.child("queueServices", "default").child("queues", "new-orders");
        assert_eq!(symbol("queue", &queue), "queue_st_default_new_orders");
    }

    #[test]
    fn a_deployment_of_other_resources_has_another_name() {
        let group = ResourceId::subscription("s").group(&"g(x)ü".repeat(30));
        let of = |names: &[&str]| {
            let ids: Vec<ResourceId> = names.iter().map(|name| group.resource("A.B/c", name)).collect();
            deployment(group.name(), ids.iter())
        };
        assert_eq!(of(&["a", "b"]), of(&["A", "B"]));
        assert_ne!(of(&["a", "b"]), of(&["a"]));
        assert!(of(&["a"]).len() == 64 && of(&["a"]).is_ascii());
    }
}
