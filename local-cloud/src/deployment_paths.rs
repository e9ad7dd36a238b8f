//! Paths that are about deployments.

use super::path::{ArmPath, ResourceId};

/// The type of deployments.
pub(super) const TYPE: &str = "Microsoft.Resources/deployments";

/// The part of the deployments that a path is about.
#[derive(Debug)]
pub(super) struct Scoped {
    /// A deployment, or the resource group or subscription of all that it has.
    pub(super) id: ResourceId,
    /// The word after it, in lower case: a listing, an action, a kind of part.
    pub(super) word: String,
    /// The name of a part.
    pub(super) name: String,
}

/// Reads a path that is about deployments.
pub(super) fn scoped(path: &ArmPath) -> Option<Scoped> {
    let is_one = |id: &ResourceId| id.type_name().eq_ignore_ascii_case(TYPE);
    let (id, word, name) = match path {
        ArmPath::Within { scope, namespace: Some(namespace), word }
            if scope.is_container() && format!("{namespace}/{word}").eq_ignore_ascii_case(TYPE) =>
        {
            (scope.clone(), "", "")
        }
        ArmPath::Within { scope, namespace: None, word } if is_one(scope) => (scope.clone(), word.as_str(), ""),
        ArmPath::Resource(id) if is_one(id) => (id.clone(), "", ""),
        ArmPath::Resource(id) if id.is_child() && is_one(&id.parent()) => {
            let type_name = id.type_name();
            let kind = type_name.rsplit('/').next().unwrap_or_default().to_lowercase();
            return Some(Scoped { id: id.parent(), word: kind, name: id.name().to_owned() });
        }
        _ => return None,
    };
    Some(Scoped { id, word: word.to_lowercase(), name: name.to_owned() })
}
