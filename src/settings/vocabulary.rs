//! The words of the settings documents that differ from Azure's. Nothing else maps between the two.

/// A word of the settings and what stands for it on the wire.
struct Word {
    settings: &'static str,
    also_accepted: &'static [&'static str],
    wire: &'static str,
}

const WORDS: &[Word] = &[
    Word { settings: "CloudServices", also_accepted: &["AzureServices"], wire: "AzureServices" },
    // Azure refuses a bastion host in a subnet of any other name.
    Word { settings: "CloudBastionSubnet", also_accepted: &[], wire: "AzureBastionSubnet" },
];

/// The word of the settings for another spelling of it that is accepted there, ignoring case.
#[must_use]
pub fn accepted(text: &str) -> Option<&'static str> {
    let known = |word: &&Word| word.also_accepted.iter().any(|other| other.eq_ignore_ascii_case(text));
    WORDS.iter().find(known).map(|word| word.settings)
}

/// The word Azure uses; a word that is the same in both comes back as it is.
#[must_use]
pub fn to_wire(text: &str) -> &str {
    WORDS.iter().find(|word| word.settings.eq_ignore_ascii_case(text)).map_or(text, |word| word.wire)
}

/// The words people read for what Azure says; of a list with commas each word.
#[must_use]
pub fn to_settings(text: &str) -> String {
    let word = |text: &str| {
        WORDS.iter().find(|word| word.wire == text).map_or_else(|| text.to_owned(), |word| word.settings.to_owned())
    };
    text.split(", ").map(word).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions() {
        assert_eq!(accepted("azureservices"), Some("CloudServices"));
        assert_eq!(accepted("Logging"), None);
        assert_eq!(to_wire("CloudServices"), "AzureServices");
        assert_eq!(to_wire("CloudBastionSubnet"), "AzureBastionSubnet");
        assert_eq!(to_wire("Logging"), "Logging");
        assert_eq!(to_settings("AzureBastionSubnet"), "CloudBastionSubnet");
        assert_eq!(to_settings("Logging, AzureServices"), "Logging, CloudServices");
    }
}
