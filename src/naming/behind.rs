//! Generated names, taken back: what the settings have to say so that a name is generated again.

use super::convention::{Convention, NameContext, NameRequest};

/// Characters that people put between the words of a name, and that some types do not take in theirs: the hash still counts them.
const SEPARATORS: &[char] = &['-', '_', ' ', '.'];

/// The longest part of a name in which a separator that got lost is looked for.
const LONGEST_TRIED: usize = 40;

impl Convention {
    /// The name in the settings from which an existing name is generated; none where the convention does not generate it. The name of
    /// `request` is not used. Each part of the existing name is tried, since a convention may put anything before and behind the name of
    /// the settings; the shortest first, so that what is left of a hash that was cut off is no part of it.
    #[must_use]
    pub fn behind(
        &self,
        existing: &str,
        request: &NameRequest<'_>,
        context: &NameContext,
        takes: impl Fn(char) -> bool + Copy,
    ) -> Option<String> {
        let existing = existing.to_lowercase();
        let is_it = |name: &str| {
            let request = NameRequest { name, ..*request };
            self.generate(&request, context, takes).is_ok_and(|generated| generated.to_lowercase() == existing)
        };
        let starts: Vec<usize> = existing.char_indices().map(|(start, _)| start).collect();
        let ends = || starts.iter().copied().skip(1).chain([existing.len()]);
        let mut parts: Vec<&str> = starts
            .iter()
            .flat_map(|start| ends().filter(move |end| end > start).map(move |end| (*start, end)))
            .map(|(start, end)| &existing[start..end])
            .collect();
        parts.sort_by_key(|part| part.len());
        if let Some(part) = parts.iter().find(|part| is_it(part)) {
            return Some((*part).to_owned());
        }
        // A separator that the type does not take is in the hash, and not in the name.
        let lost: Vec<char> = SEPARATORS.iter().copied().filter(|separator| !takes(*separator)).collect();
        let with_separator = parts.iter().filter(|part| part.len() <= LONGEST_TRIED).find_map(|part| {
            let places = part.char_indices().skip(1).map(|(place, _)| place);
            places.flat_map(|place| lost.iter().map(move |separator| (place, separator))).find_map(
                |(place, separator)| {
                    let (before, behind) = part.split_at(place);
                    Some(format!("{before}{separator}{behind}")).filter(|name| is_it(name))
                },
            )
        });
        // Some settings may say nothing.
        with_separator.or_else(|| is_it("").then(String::new))
    }
}

#[cfg(test)]
mod tests {
    use super::super::kind::{Architecture, ResourceKind};
    use super::*;

    /// Whatever a name in the settings is, what is taken back generates the same name.
    #[test]
    fn generated_names_are_taken_back() {
        let convention = Convention::builtin();
        let context = NameContext::default();
        let digits: fn(char) -> bool = |character| character.is_ascii_lowercase() || character.is_ascii_digit();
        let any: fn(char) -> bool = |_| true;
        for (kind, name, expected) in [
            (ResourceKind::StorageAccount, "orders", Some("orders")),
            (ResourceKind::StorageAccount, "Orders", Some("orders")),
            (ResourceKind::StorageAccount, "my-orders", Some("my-orders")),
            // What is cut off is not needed to make the same name.
            (ResourceKind::StorageAccount, "averylongnameofastorageaccount", Some("averylongnameofastorag")),
            (ResourceKind::StorageAccount, "eighteenlettername", Some("eighteenlettername")),
            (ResourceKind::ResourceGroup, "Shop", Some("shop")),
            (ResourceKind::PrivateEndpoint, "files-hub", Some("files-hub")),
            (ResourceKind::Alert, "servers-standard-cpu", Some("servers-standard-cpu")),
        ] {
            let request = NameRequest::new(kind, name, Architecture::Iaas, Some("uksouth"));
            let takes = if kind == ResourceKind::StorageAccount { digits } else { any };
            let generated = convention.generate(&request, &context, takes).unwrap();
            let request = NameRequest { name: "", ..request };
            assert_eq!(convention.behind(&generated, &request, &context, takes).as_deref(), expected, "{generated}");
            assert_eq!(convention.behind("somebodyelses", &request, &context, takes), None);
        }
    }
}
