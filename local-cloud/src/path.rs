//! Azure Resource Manager paths: `/subscriptions/{id}/resourceGroups/{name}/providers/{namespace}/{type}/{name}...`.
//!
//! Everything compares ignoring case; what is printed keeps the casing it was given.

use percent_encoding::percent_decode_str;

/// The type name of a resource group.
pub(super) const GROUP_TYPE: &str = "Microsoft.Resources/resourceGroups";
/// The type name of a subscription.
pub(super) const SUBSCRIPTION_TYPE: &str = "Microsoft.Resources/subscriptions";

/// One `/providers/{namespace}/{type}/{name}...` part of an id. An extension resource's id has two of them.
#[derive(Clone, Debug, PartialEq)]
struct ProviderPart {
    namespace: String,
    /// Type and name, alternating down the tree; never empty.
    levels: Vec<(String, String)>,
}

/// The id of a subscription, a resource group or a resource; the empty id is the tenant.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ResourceId {
    /// The subscription's GUID.
    pub(super) subscription: Option<String>,
    /// The resource group's name.
    pub(super) group: Option<String>,
    providers: Vec<ProviderPart>,
}

/// The thing that a path stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ArmPath {
    /// A resource, a resource group or a subscription.
    Resource(ResourceId),
    /// A word after one: a type to list, or an action to call. `namespace` is given right after `/providers/`.
    Within {
        /// The scope that the word belongs to.
        scope: ResourceId,
        /// The provider's namespace, when the word stands right after it.
        namespace: Option<String>,
        /// A type or an action, as written.
        word: String,
    },
    /// A provider, `/subscriptions/{id}/providers/{namespace}`.
    Provider {
        /// The tenant or a subscription.
        scope: ResourceId,
        /// The provider's namespace.
        namespace: String,
    },
}

impl ArmPath {
    /// The scope that the path is about or within.
    pub(super) fn scope(&self) -> &ResourceId {
        let (ArmPath::Resource(scope) | ArmPath::Within { scope, .. } | ArmPath::Provider { scope, .. }) = self;
        scope
    }

    /// The namespaces of the resource providers in the path.
    pub(super) fn namespaces(&self) -> impl Iterator<Item = &str> {
        let last = match self {
            ArmPath::Resource(_) => None,
            ArmPath::Within { namespace, .. } => namespace.as_deref(),
            ArmPath::Provider { namespace, .. } => Some(namespace.as_str()),
        };
        self.scope().providers.iter().map(|part| part.namespace.as_str()).chain(last)
    }

    /// Reads a path (without query). `None` where it has not the form of one.
    pub(super) fn parse(path: &str) -> Option<ArmPath> {
        let mut segments: Vec<String> = path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .map(|segment| percent_decode_str(segment).decode_utf8().ok().map(|text| text.into_owned()))
            .collect::<Option<_>>()?;
        // A name with a slash would be another path once it is printed.
        if segments.is_empty() || segments.iter().any(|segment| segment.contains('/')) {
            return None;
        }
        // The operations of a deployment are also published without their provider.
        let is =
            |index: usize, word: &str| segments.get(index).is_some_and(|segment| segment.eq_ignore_ascii_case(word));
        if is(4, "deployments") && is(6, "operations") {
            segments.splice(4..4, ["providers".to_owned(), "Microsoft.Resources".to_owned()]);
        }
        let mut rest = segments.as_slice();
        let mut scope = ResourceId::default();
        if let [word, id, more @ ..] = rest
            && word.eq_ignore_ascii_case("subscriptions")
        {
            scope.subscription = Some(id.clone());
            rest = more;
            if let [word, name, more @ ..] = rest
                && word.eq_ignore_ascii_case("resourcegroups")
            {
                scope.group = Some(name.clone());
                rest = more;
            }
        }
        loop {
            match rest {
                [] => return Some(ArmPath::Resource(scope)),
                [word, namespace] if word.eq_ignore_ascii_case("providers") => {
                    return Some(ArmPath::Provider { scope, namespace: namespace.clone() });
                }
                [providers, namespace, word] if providers.eq_ignore_ascii_case("providers") => {
                    return Some(ArmPath::Within { scope, namespace: Some(namespace.clone()), word: word.clone() });
                }
                [providers, namespace, more @ ..] if providers.eq_ignore_ascii_case("providers") => {
                    let mut levels = Vec::new();
                    rest = more;
                    while let [kind, name, more @ ..] = rest
                        && !kind.eq_ignore_ascii_case("providers")
                    {
                        levels.push((kind.clone(), name.clone()));
                        rest = more;
                    }
                    if levels.is_empty() {
                        return None;
                    }
                    scope.providers.push(ProviderPart { namespace: namespace.clone(), levels });
                }
                [word] => return Some(ArmPath::Within { scope, namespace: None, word: word.clone() }),
                _ => return None,
            }
        }
    }
}

impl ResourceId {
    /// Reads an id. `None` where the text is the id of nothing.
    pub(super) fn parse(text: &str) -> Option<ResourceId> {
        match ArmPath::parse(text)? {
            ArmPath::Resource(id) if text.starts_with('/') => Some(id),
            _ => None,
        }
    }

    pub(super) fn of_subscription(subscription: &str) -> ResourceId {
        ResourceId { subscription: Some(subscription.to_owned()), ..ResourceId::default() }
    }

    /// The id as Azure prints it, in the casing it was given.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut push = |part: &str| {
            text.push('/');
            text.push_str(part);
        };
        if let Some(subscription) = &self.subscription {
            push("subscriptions");
            push(subscription);
        }
        if let Some(group) = &self.group {
            push("resourceGroups");
            push(group);
        }
        for part in &self.providers {
            push("providers");
            push(&part.namespace);
            for (kind, name) in &part.levels {
                push(kind);
                push(name);
            }
        }
        text
    }

    /// The id with another word for groups, and namespace and types of the last provider part as they are given.
    pub(super) fn spelled(&self, group_word: &str, types: &str) -> String {
        let mut id = self.clone();
        let mut words = types.split('/').map(str::to_owned);
        if let (Some(part), Some(namespace)) = (id.providers.last_mut(), words.next()) {
            part.namespace = namespace;
            for (level, word) in part.levels.iter_mut().zip(words) {
                level.0 = word;
            }
        }
        id.text().replacen("/resourceGroups/", &format!("/{group_word}/"), 1)
    }

    /// The key of an id, which all its spellings have in common.
    pub(super) fn key(&self) -> String {
        self.text().to_lowercase()
    }

    /// The last name of the id: the subscription's GUID, the group's or the resource's own name.
    pub(super) fn name(&self) -> &str {
        self.providers
            .last()
            .and_then(|part| part.levels.last())
            .map(|(_, name)| name.as_str())
            .or(self.group.as_deref())
            .or(self.subscription.as_deref())
            .unwrap_or_default()
    }

    /// The names of the last provider part, from the top down: `account`, `default`, `container`.
    pub(super) fn names(&self) -> Vec<&str> {
        self.providers
            .last()
            .map(|part| part.levels.iter().map(|(_, name)| name.as_str()).collect())
            .unwrap_or_else(|| vec![self.name()])
    }

    /// The resource type as written, `Microsoft.Storage/storageAccounts/blobServices`.
    pub(super) fn type_name(&self) -> String {
        match self.providers.last() {
            Some(part) => {
                let types = part.levels.iter().map(|(kind, _)| kind.as_str());
                std::iter::once(part.namespace.as_str()).chain(types).collect::<Vec<_>>().join("/")
            }
            None if self.group.is_some() => GROUP_TYPE.to_owned(),
            None => SUBSCRIPTION_TYPE.to_owned(),
        }
    }

    /// The provider's namespace, `Microsoft.Storage`.
    pub(super) fn namespace(&self) -> &str {
        self.providers.last().map_or("Microsoft.Resources", |part| part.namespace.as_str())
    }

    /// True for a resource that belongs to another one by its own path: `.../virtualNetworks/v/subnets/s`.
    pub(super) fn is_child(&self) -> bool {
        self.providers.last().is_some_and(|part| part.levels.len() > 1)
    }

    /// True for a resource on top of any other resource: `{id}/providers/Microsoft.Insights/diagnosticSettings/x`.
    pub(super) fn is_extension(&self) -> bool {
        self.providers.len() > 1
    }

    /// True for a subscription or resource group, which have no provider part.
    pub(super) fn is_container(&self) -> bool {
        self.providers.is_empty()
    }

    /// The parent of a child, what an extension is on, the group of a resource, the subscription of a group.
    pub(super) fn parent(&self) -> ResourceId {
        let mut parent = self.clone();
        match parent.providers.last_mut() {
            Some(part) if part.levels.len() > 1 => {
                part.levels.pop();
            }
            Some(_) => {
                parent.providers.pop();
            }
            None if parent.group.is_some() => parent.group = None,
            None => parent.subscription = None,
        }
        parent
    }

    /// The top resource of the last provider part: the account of a container.
    pub(super) fn top(&self) -> ResourceId {
        let mut top = self.clone();
        if let Some(part) = top.providers.last_mut() {
            part.levels.truncate(1);
        }
        top
    }

    /// The id of the resource group, or of the subscription where there is none.
    pub(super) fn container(&self) -> ResourceId {
        ResourceId { subscription: self.subscription.clone(), group: self.group.clone(), providers: Vec::new() }
    }

    /// The id of a resource group of the same subscription, or of the subscription itself.
    pub(super) fn with_group(&self, group: Option<&str>) -> ResourceId {
        ResourceId { subscription: self.subscription.clone(), group: group.map(str::to_owned), providers: Vec::new() }
    }

    /// The id of a resource below this one. A `namespace` starts a new provider part.
    pub(super) fn with(&self, namespace: Option<&str>, kind: &str, name: &str) -> ResourceId {
        let mut id = self.clone();
        let level = (kind.to_owned(), name.to_owned());
        match (namespace, id.providers.last_mut()) {
            (None, Some(part)) => part.levels.push(level),
            _ => id
                .providers
                .push(ProviderPart { namespace: namespace.unwrap_or_default().to_owned(), levels: vec![level] }),
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUP: &str = "/subscriptions/S/resourceGroups/G";

    #[test]
    fn reads_resources_of_every_kind() {
        let id = ResourceId::parse(&format!("{GROUP}/providers/N.S/a/b/c/d/providers/M.I/x/y")).unwrap();
        assert_eq!(id.type_name(), "M.I/x");
        assert!(id.is_extension());
        assert_eq!(id.parent().type_name(), "N.S/a/c");
        assert_eq!(id.parent().names(), ["b", "d"]);
        assert_eq!(id.parent().top().name(), "b");
        assert_eq!(id.container().text(), GROUP);
        assert_eq!(ResourceId::parse(GROUP).unwrap().type_name(), GROUP_TYPE);
        assert_eq!(ResourceId::parse(GROUP).unwrap().parent().type_name(), SUBSCRIPTION_TYPE);
    }

    #[test]
    fn keys_ignore_case_and_texts_keep_it() {
        let id = ResourceId::parse("/SUBSCRIPTIONS/S/resourcegroups/Rg/providers/N.S/Accounts/A%20b").unwrap();
        assert_eq!(id.text(), "/subscriptions/S/resourceGroups/Rg/providers/N.S/Accounts/A b");
        assert_eq!(id.key(), "/subscriptions/s/resourcegroups/rg/providers/n.s/accounts/a b");
    }

    #[test]
    fn tells_lists_actions_and_providers_apart() {
        let within = |path: &str| match ArmPath::parse(path) {
            Some(ArmPath::Within { scope, namespace, word }) => (scope.text(), namespace, word),
            other => panic!("{path} was read as {other:?}"),
        };
        assert_eq!(within("/subscriptions").2, "subscriptions");
        assert_eq!(within("/subscriptions/S/resources").0, "/subscriptions/S");
        assert_eq!(
            within(&format!("{GROUP}/providers/N.S/a/b/c")),
            (format!("{GROUP}/providers/N.S/a/b"), None, "c".to_owned())
        );
        assert_eq!(within(&format!("{GROUP}/providers/N.S/a")), (GROUP.to_owned(), Some("N.S".into()), "a".into()));
        assert!(matches!(ArmPath::parse("/subscriptions/S/providers/N.S"), Some(ArmPath::Provider { .. })));
        for path in ["/nothing/of/the/kind", "/", "/subscriptions/S/providers/N.S/a/b%2Fc", "/subscriptions/%FF"] {
            assert_eq!(ArmPath::parse(path), None, "{path}");
        }
        assert_eq!(ResourceId::parse("subscriptions/S"), None);
        assert_eq!(ResourceId::parse("/subscriptions/S/resources"), None);
    }
}
