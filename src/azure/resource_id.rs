//! Resource ids.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The id of a resource, as in
/// `/subscriptions/{guid}/resourceGroups/{group}/providers/Microsoft.Storage/storageAccounts/{name}`.
/// Letter case makes no difference when ids are compared (Azure Resource Manager RPC, "resource API reference").
///
/// A run has many of them, and most are the beginning of others: copies, and the ids of what a resource is below, share one text.
#[derive(Clone)]
pub struct ResourceId {
    text: Arc<str>,
    /// The number of bytes of the text that belong to the id.
    length: usize,
}

/// The type that resource groups have in ids of this crate.
pub const RESOURCE_GROUP_TYPE: &str = "Microsoft.Resources/resourceGroups";
/// The type that subscriptions have in ids of this crate.
pub const SUBSCRIPTION_TYPE: &str = "Microsoft.Resources/subscriptions";

impl ResourceId {
    /// Takes an id as Azure writes it.
    #[must_use]
    pub fn new(text: impl Into<String>) -> ResourceId {
        let text: Arc<str> = text.into().into();
        let length = text.trim_end_matches('/').len();
        ResourceId { text, length }
    }

    /// Takes an id out of an answer, where it is one: requests are made of it, and what a server says must not lead them
    /// anywhere else. Pairs of segments, none of them empty or one of dots, and nothing that a URL has another meaning for.
    #[must_use]
    pub fn checked(text: &str) -> Option<ResourceId> {
        let id = ResourceId::new(text);
        let segments: Vec<&str> = id.as_str().strip_prefix('/')?.split('/').collect();
        let is_plain = |character: char| !character.is_control() && !"\\?<>".contains(character);
        let is_name = |segment: &&str| {
            // Spaces at its ends are cut off by some.
            !matches!(segment.trim(), "" | "." | "..") && segment.chars().all(is_plain)
        };
        let hides_nothing = {
            let folded = id.as_str().to_ascii_lowercase();
            ["%2f", "%5c", "%2e", "%25"].iter().all(|encoded| !folded.contains(encoded))
        };
        let is_id = segments.len().is_multiple_of(2)
            && segments[0].eq_ignore_ascii_case("subscriptions")
            && segments.iter().all(is_name)
            && hides_nothing;
        is_id.then_some(id)
    }

    /// `/subscriptions/<subscription_id>`; whether it is a GUID is not checked.
    #[must_use]
    pub fn subscription(subscription_id: &str) -> ResourceId {
        ResourceId::new(format!("/subscriptions/{subscription_id}"))
    }

    /// The id of a resource group in this subscription.
    #[must_use]
    pub fn group(&self, name: &str) -> ResourceId {
        ResourceId::new(format!("{}/resourceGroups/{name}", self.as_str()))
    }

    /// The id of a resource of a provider in this scope: in a resource group, in a subscription, or an extension of a
    /// resource. `resource_type` has two segments, as in `Microsoft.Storage/storageAccounts`.
    #[must_use]
    pub fn resource(&self, resource_type: &str, name: &str) -> ResourceId {
        ResourceId::new(format!("{}/providers/{resource_type}/{name}", self.as_str()))
    }

    /// The id of a child: `blobServices`, `default`.
    #[must_use]
    pub fn child(&self, kind: &str, name: &str) -> ResourceId {
        ResourceId::new(format!("{}/{kind}/{name}", self.as_str()))
    }

    /// The id as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text[..self.length]
    }

    /// The last segment.
    #[must_use]
    pub fn name(&self) -> &str {
        self.as_str().rsplit('/').next().unwrap_or_default()
    }

    /// The name with those of the resources it is below, as ARM writes it: `shop/staging`, `stx/default/data`. An extension
    /// of another resource has the namespace of its provider in between: `log-x/Microsoft.Insights/Diagnostics`.
    #[must_use]
    pub fn full_name(&self) -> String {
        let segments: Vec<&str> = self.as_str().split('/').collect();
        let Some(provider) = segments.iter().rposition(|segment| is_providers(segment)) else {
            return self.name().to_owned();
        };
        let names: Vec<&str> = segments.iter().skip(provider + 3).step_by(2).copied().collect();
        let names = names.join("/");
        let scope = &segments[..provider];
        match segments.get(provider + 1) {
            Some(namespace) if scope.iter().any(|segment| is_providers(segment)) => {
                format!("{}/{namespace}/{names}", ResourceId::new(scope.join("/")).full_name())
            }
            _ => names,
        }
    }

    /// The GUID of the subscription.
    #[must_use]
    pub fn subscription_id(&self) -> Option<&str> {
        self.after("subscriptions")
    }

    /// The name of the resource group.
    #[must_use]
    pub fn resource_group(&self) -> Option<&str> {
        self.after("resourcegroups")
    }

    /// The id of the resource group, of a resource in one or of the group itself.
    #[must_use]
    pub fn group_id(&self) -> Option<ResourceId> {
        self.subscription_id()?;
        let name = self.resource_group()?;
        // A name is a part of the text, so its end is where it begins in memory, and its length.
        let end = name.as_ptr().addr() - self.text.as_ptr().addr() + name.len();
        Some(self.beginning(end))
    }

    /// The full type, as in `Microsoft.Storage/storageAccounts/blobServices/containers`.
    #[must_use]
    pub fn resource_type(&self) -> String {
        match self.behind_providers() {
            Some(own) => {
                let mut parts = own.split('/');
                let mut resource_type = String::with_capacity(own.len());
                resource_type.push_str(parts.next().unwrap_or_default());
                for kind in parts.step_by(2) {
                    resource_type.push('/');
                    resource_type.push_str(kind);
                }
                resource_type
            }
            None if self.resource_group().is_some() => RESOURCE_GROUP_TYPE.to_owned(),
            None => SUBSCRIPTION_TYPE.to_owned(),
        }
    }

    /// Whether this is its full type, in any letter case.
    #[must_use]
    pub fn is_of_type(&self, name: &str) -> bool {
        let Some(own) = self.behind_providers() else { return self.resource_type().eq_ignore_ascii_case(name) };
        let mut parts = own.split('/');
        let mut wanted = name.split('/');
        let is_next = |part: &str| wanted.next().is_some_and(|wanted| wanted.eq_ignore_ascii_case(part));
        parts.next().into_iter().chain(parts.step_by(2)).all(is_next) && wanted.next().is_none()
    }

    /// The resource this one is a child or an extension of, or the group or subscription it is in.
    #[must_use]
    pub fn parent(&self) -> Option<ResourceId> {
        let (rest, _) = self.as_str().rsplit_once('/')?;
        let (rest, _) = rest.rsplit_once('/')?;
        // `…/providers/Microsoft.Storage` is no resource; its parent is the scope before `providers`.
        let scope = match rest.rsplit_once('/') {
            Some((scope, namespace)) if namespace.contains('.') => match scope.rsplit_once('/') {
                Some((scope, last)) if is_providers(last) => scope,
                _ => rest,
            },
            _ => rest,
        };
        (!scope.is_empty()).then(|| self.beginning(scope.len()))
    }

    /// Whether this is the other id or something below it.
    #[must_use]
    pub fn is_within(&self, other: &ResourceId) -> bool {
        let (id, other) = (self.as_str(), other.as_str());
        id.get(..other.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(other))
            && (id.len() == other.len() || id[other.len()..].starts_with('/'))
    }

    /// The id that is the first bytes of this one.
    fn beginning(&self, length: usize) -> ResourceId {
        ResourceId { text: Arc::clone(&self.text), length: self.text[..length].trim_end_matches('/').len() }
    }

    /// The bytes by which ids are compared.
    fn folded(&self) -> impl Iterator<Item = u8> {
        self.as_str().bytes().map(|byte| byte.to_ascii_lowercase())
    }

    /// The type and the names of the resource itself: what is behind the last `providers`.
    fn behind_providers(&self) -> Option<&str> {
        let text = self.as_str();
        let mut end = text.len();
        for (slash, _) in text.rmatch_indices('/') {
            if is_providers(&text[slash + 1..end]) {
                return Some(text.get(end + 1..).unwrap_or_default());
            }
            end = slash;
        }
        None
    }

    fn after(&self, segment: &str) -> Option<&str> {
        let mut segments = self.as_str().split('/').skip(1);
        while let (Some(kind), Some(name)) = (segments.next(), segments.next()) {
            if kind.eq_ignore_ascii_case(segment) {
                return Some(name);
            }
            if is_providers(kind) {
                return None;
            }
        }
        None
    }
}

/// Whether a segment is the one behind which the type of a resource begins.
fn is_providers(segment: &str) -> bool {
    segment.eq_ignore_ascii_case("providers")
}

impl PartialEq for ResourceId {
    fn eq(&self, other: &ResourceId) -> bool {
        let (one, other) = (self.as_str(), other.as_str());
        // Most are spelled alike, and compared at once.
        one == other || one.eq_ignore_ascii_case(other)
    }
}

impl Eq for ResourceId {}

impl Hash for ResourceId {
    /// One number of the whole id, since a run hashes its many long ids many times. Every byte has the bit that tells lower case from capitals
    /// set: some more ids than the equal ones have one hash for that, which costs a comparison.
    fn hash<H: Hasher>(&self, state: &mut H) {
        const LOWER_CASE: u64 = u64::from_ne_bytes([0x20; 8]);
        // The multiplier of Firefox's hash (crate rustc-hash 1).
        const MIX: u64 = 0x517c_c1b7_2722_0a95;
        let (words, rest) = self.as_str().as_bytes().as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let hash = words.iter().chain([&last]).fold(self.length as u64, |hash, word| {
            (hash.rotate_left(5) ^ (u64::from_le_bytes(*word) | LOWER_CASE)).wrapping_mul(MIX)
        });
        state.write_u64(hash);
    }
}

impl PartialOrd for ResourceId {
    fn partial_cmp(&self, other: &ResourceId) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ResourceId {
    fn cmp(&self, other: &ResourceId) -> std::cmp::Ordering {
        self.folded().cmp(other.folded())
    }
}

impl fmt::Display for ResourceId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Debug for ResourceId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn parts_of_a_nested_resource() {
        let group = ResourceId::subscription("1").group("rg-x");
        let account = group.resource("Microsoft.Storage/storageAccounts", "stx");
        let container = account.child("blobServices", "default").child("containers", "data");
        assert_eq!(
            container.as_str(),
            "/subscriptions/1/resourceGroups/rg-x/providers/Microsoft.Storage/storageAccounts/stx/blobServices/default/containers/data"
        );
        assert_eq!(container.resource_type(), "Microsoft.Storage/storageAccounts/blobServices/containers");
        assert!(container.is_of_type("microsoft.storage/storageaccounts/BLOBSERVICES/containers"));
        for other in [
            "",
            "Microsoft.Storage",
            "Microsoft.Storage/storageAccounts/blobServices",
            "Microsoft.Storage/a/b/containers",
        ] {
            assert!(!container.is_of_type(other), "{other}");
        }
        assert!(!container.is_of_type("Microsoft.Storage/storageAccounts/blobServices/containers/more"));
        assert_eq!(container.name(), "data");
        assert_eq!(container.full_name(), "stx/default/data");
        assert_eq!((account.full_name().as_str(), group.full_name().as_str()), ("stx", "rg-x"));
        assert_eq!(container.resource_group(), Some("rg-x"));
        assert_eq!(container.parent().and_then(|service| service.parent()), Some(account.clone()));
        assert_eq!(account.parent(), Some(group.clone()));
        assert_eq!(group.parent(), Some(ResourceId::subscription("1")));
        assert_eq!(group.resource_type(), RESOURCE_GROUP_TYPE);
        assert!(group.is_of_type(RESOURCE_GROUP_TYPE) && !group.is_of_type("Microsoft.Resources"));
        assert!(container.is_within(&account) && !account.is_within(&container));
        assert!(!group.resource("A.B/c", "stx2").is_within(&group.resource("A.B/c", "stx")));
    }

    #[test]
    fn extensions_and_subscription_resources() {
        let subscription = ResourceId::subscription("1");
        let setting = subscription
            .group("g")
            .resource("Microsoft.KeyVault/vaults", "v")
            .resource("Microsoft.Insights/diagnosticSettings", "Service");
        assert_eq!(setting.resource_type(), "Microsoft.Insights/diagnosticSettings");
        assert!(
            setting.is_of_type("microsoft.insights/diagnosticsettings")
                && !setting.is_of_type("Microsoft.KeyVault/vaults")
        );
        assert_eq!(setting.parent().map(|vault| vault.resource_type()).as_deref(), Some("Microsoft.KeyVault/vaults"));
        assert_eq!(setting.full_name(), "v/Microsoft.Insights/Service");
        let advisor = subscription.resource("Microsoft.Advisor/configurations", "default");
        assert_eq!(advisor.parent(), Some(subscription));
        assert_eq!(advisor.full_name(), "default");
        assert_eq!(advisor.resource_group(), None);
    }

    #[test]
    fn ids_out_of_answers_lead_nowhere_else() {
        let good = "/subscriptions/1/resourceGroups/g (1)/providers/A.B/c/a name";
        assert_eq!(ResourceId::checked(good).unwrap().as_str(), good);
        assert!(ResourceId::checked("/Subscriptions/1").is_some());
        for text in [
            "",
            "/",
            "subscriptions/1",
            "/providers/A.B/c/d",
            "/subscriptions/1/resourceGroups",
            "/subscriptions/1/resourceGroups/../providers/A.B/c/d",
            "/subscriptions/1/resourceGroups/g/providers/A.B/c/.",
            "/subscriptions/1/resourceGroups/g/providers/A.B/c/ ..",
            "/subscriptions/1//g",
            "/subscriptions/1/resourceGroups/g%2F..%2Fh",
            "/subscriptions/1/resourceGroups/%2e%2E/h",
            "/subscriptions/1/resourceGroups/g%252fh",
            "/subscriptions/1/resourceGroups/g\\..\\h",
            "/subscriptions/1/resourceGroups/g?x=1",
            "/subscriptions/1/resourceGroups/g\r\nx",
            "/subscriptions/1/resourceGroups/<none>",
            "https://evil.example/subscriptions/1",
        ] {
            assert_eq!(ResourceId::checked(text), None, "{text}");
        }
    }

    #[test]
    fn letter_case_makes_no_difference() {
        assert_eq!(ResourceId::new("/Subscriptions/1/resourcegroups/A"), ResourceId::subscription("1").group("a"));
    }

    #[test]
    fn a_set_finds_an_id_in_any_letter_case_and_nothing_else() {
        // Ids of every length from one, so that each byte of the last word is met, and characters that one bit takes for each other.
        let text = "/subscriptions/1/resourceGroups/Grüße_[1]@{x}";
        let beginnings = text.char_indices().skip(1).map(|(end, _)| &text[..end]).filter(|text| !text.ends_with('/'));
        let ids: HashSet<ResourceId> = beginnings.clone().map(ResourceId::new).collect();
        assert_eq!(ids.len(), beginnings.clone().count());
        for id in beginnings {
            assert!(ids.contains(&ResourceId::new(id.to_ascii_uppercase())), "{id}");
            assert!(!ids.contains(&ResourceId::new(format!("{id} "))), "{id}");
        }
        assert!(!ids.contains(&ResourceId::new(text.replace('@', "`"))) && !ids.contains(&ResourceId::new(text)));
    }
}
